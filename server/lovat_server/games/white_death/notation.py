"""A position as text: the tracks, then one line a stack; and orders as text.

    scenario purkayevs-attack
    turn 2
    weather snow
    points soviet 6 german 10
    decision declare-impulse soviet
    supply soviet 3 german 2 velikiye-luki 0
    bridge 2141
    bridge 2024 s-5s-eng

    1430 g-i-138-mtn 2 deployed isolated; g-3-1-48-at
    1732 s-28-88-inf W
    waiting g-83-i-251-inf 2 due 5
    eliminated s-1-184tb-afv

A stack is written top first, the stacks by their hex. A unit at its printed strength is written
without it; then come its `Status` words, the bank ``W`` or ``E`` it came from, ``rank N`` if that
does not follow from the unit above (0 on top, then one more each), and ``due N``. A unit that is
not named waits outside the map as it is printed. Header lines that say what a position has by
default are left out; so is a bunker as strong as it is printed. Blank lines, leading white space
and what follows ``#`` are read over.

The header lines: ``scenario ID``, ``turn N``, ``weather``, ``phasing SIDE``, ``impulses``,
``points``, ``declared N``, ``kind``, ``phase``, ``decision KIND SIDE``, ``options NAME ...``,
``supply``, ``paid``, ``high-intensity POOL ...``, ``sustained``, ``released``, ``replacements``,
``rail-moved``, ``vacated HEX ...``, ``railroad-held HEX ...``, ``ledger lost soviet 1 german 2;
railroad 5``, ``standing soviet fire even; german withdraw always``, and any number of
``bunker HEX STRENGTH``, ``bridge HEX [BUILDER]``, ``assault HEX: UNIT ... [charge UNIT ...]``,
``retreat UNIT HEX`` and ``withdrawn UNIT HEX``. Scenario, turn, decision and supply are needed.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from .catalog import Catalog
from .notation_header import FORMS, ITEMS, default_of, is_needed
from .notation_orders import read_orders, write_orders
from .notation_words import (
    Line,
    hex_word,
    integer_word,
    lines,
    plain,
    shown,
    text_end,
    unit_word,
)
from .state import State, UnitState
from .terms import OFF_MAP, Status

__all__ = ["read_orders", "read_state", "write_orders", "write_state"]

SCENARIO: Final = "scenario"
BUNKER: Final = "bunker"
WAITING: Final = "waiting"
ELIMINATED: Final = "eliminated"

_STATUS: Final = {str(status.name).lower(): int(status) for status in Status if status}
_KNOWN: Final = sum(_STATUS.values())
_BANKS: Final = ("", "W", "E")
_UNIT_ENDS: Final = ("", ";")
_UNIT_WORDS: Final = (f"a strength, a status ({', '.join(_STATUS)}), W, E, rank, due, each once, "
                      "or ';' and the next unit")


def write_state(catalog: Catalog, state: State) -> str:
    """The text of a position of this catalog; equal positions have the same text.

    Raises ValueError if the position is not one of the catalog (another number of units or
    bunkers, a hex off the map) or has a number of more than six digits.
    """
    if len(state.units) != len(catalog.units) or len(state.bunkers) != len(catalog.bunkers):
        raise ValueError(
            f"a position of {len(state.units)} units and {len(state.bunkers)} bunkers: expected "
            f"{len(catalog.units)} and {len(catalog.bunkers)}")
    units = [*_stack_lines(catalog, state), *_outside_lines(catalog, state)]
    return "\n".join((*_header_lines(catalog, state), *([""] if units else []), *units, ""))


def read_state(catalog: Catalog, text: str) -> State:
    """The position of a text: ``read_state(catalog, write_state(catalog, state)) == state``.

    Raises `MalformedError` that names the line, the column, the word and what was expected.
    """
    reading = _Reading(catalog)
    for line in lines(text):
        reading.read(line)
        line.end()
    return reading.state(text)


def _header_lines(catalog: Catalog, state: State) -> Iterator[str]:
    yield f"{SCENARIO} {plain(catalog.scenario.id)}"
    for word, form in FORMS.items():
        value = getattr(state, form.field)
        if is_needed(form) or value != default_of(form):
            yield f"{word} {form.write(catalog, value)}".rstrip()
    for strength, printed in zip(state.bunkers, catalog.bunkers, strict=True):
        if strength != printed.strength:
            yield f"{BUNKER} {hex_word(catalog, printed.hex)} {integer_word(strength)}"
    for word, form in ITEMS.items():
        for item in getattr(state, form.field):
            yield f"{word} {form.write(catalog, item)}"


def _stack_lines(catalog: Catalog, state: State) -> Iterator[str]:
    stacks: dict[int, list[int]] = {}
    for index, unit in enumerate(state.units):
        if unit.hex != OFF_MAP:
            stacks.setdefault(unit.hex, []).append(index)
    for hex_ in sorted(stacks):
        words, rank = [], 0
        for index in sorted(stacks[hex_], key=lambda index: state.units[index].rank):
            words.append(_unit_text(catalog, state, index, rank))
            rank = state.units[index].rank + 1
        yield f"{hex_word(catalog, hex_)} {'; '.join(words)}"


def _outside_lines(catalog: Catalog, state: State) -> Iterator[str]:
    gone = []
    for index, (unit, printed) in enumerate(zip(state.units, catalog.units, strict=True)):
        if unit.hex != OFF_MAP or unit == UnitState(strength=printed.strength):
            continue
        if unit.strength:
            yield f"{WAITING} {_unit_text(catalog, state, index)}"
        else:
            gone.append(f"{ELIMINATED} {_unit_text(catalog, state, index)}")
    yield from gone


def _unit_text(catalog: Catalog, state: State, index: int, rank: int = 0) -> str:
    unit = state.units[index]
    text = unit_word(catalog, index)
    if unit.strength != catalog.units[index].strength and (unit.strength or unit.hex != OFF_MAP):
        text += f" {integer_word(unit.strength)}"
    if unit.status:
        text += _status_words(unit.status)
    if unit.bank:
        text += f" {_bank_word(unit.bank)}"
    if unit.rank != rank:
        text += f" rank {integer_word(unit.rank)}"
    if unit.due:
        text += f" due {integer_word(unit.due)}"
    return text


@lru_cache(maxsize=1024)
def _status_words(status: int) -> str:
    if status & ~_KNOWN:
        raise ValueError(f"status {status}: expected bits of {_KNOWN}")
    return "".join(f" {word}" for word, bit in _STATUS.items() if status & bit)


def _bank_word(bank: int) -> str:
    if not 0 < bank < len(_BANKS):
        raise ValueError(f"bank {bank}: expected 0, 1 or 2")
    return _BANKS[bank]


class _Reading:
    """A position while its lines are read."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._said: set[str] = set()
        self._values: dict[str, Any] = {}
        self._items: dict[str, list[Any]] = {form.field: [] for form in ITEMS.values()}
        self._units: dict[int, UnitState] = {}
        self._bunkers = [bunker.strength for bunker in catalog.bunkers]
        self._whole = {hex_word(catalog, bunker.hex): place
                       for place, bunker in enumerate(catalog.bunkers)}

    def read(self, line: Line) -> None:
        word = line.peek()
        if word[0].isdigit():
            self._once(line)
            hex_ = line.hex(self._catalog)
            self._read_units(line, hex_)
        elif word in (WAITING, ELIMINATED):
            line.step()
            self._read_units(line, OFF_MAP, strength=0 if word == ELIMINATED else None)
        elif word in ITEMS:
            line.step()
            form = ITEMS[word]
            self._items[form.field].append(form.read(self._catalog, line))
        elif word in FORMS:
            self._once(line)
            line.step()
            form = FORMS[word]
            self._values[form.field] = form.read(self._catalog, line)
        elif word == SCENARIO:
            self._once(line)
            line.step()
            line.expect(self._catalog.scenario.id)
        elif word == BUNKER:
            line.step()
            self._read_bunker(line)
        else:
            raise line.fault("a hex and its stack, or one of " + ", ".join(
                (SCENARIO, *FORMS, BUNKER, *ITEMS, WAITING, ELIMINATED)))

    def state(self, text: str) -> State:
        """What the whole text says."""
        for word in (SCENARIO, *(word for word, form in FORMS.items() if is_needed(form))):
            if word not in self._said:
                raise text_end(text, f"a line {word!r} before")
        return State(
            units=tuple(
                self._units.get(index) or UnitState(strength=printed.strength)
                for index, printed in enumerate(self._catalog.units)),
            bunkers=tuple(self._bunkers),
            **self._values | {name: tuple(items) for name, items in self._items.items()},
        )

    def _once(self, line: Line) -> None:
        word = line.peek()
        if word in self._said:
            raise line.fault(f"no second line of {shown(word)}")
        self._said.add(word)

    def _read_bunker(self, line: Line) -> None:
        place = line.choice(self._whole, "the hex of a bunker, once each")
        del self._whole[hex_word(self._catalog, self._catalog.bunkers[place].hex)]
        self._bunkers[place] = line.integer("the strength left")

    def _read_units(self, line: Line, hex_: int, strength: int | None = None) -> None:
        rank = 0
        for _ in line.clauses():
            if self._catalog.unit_index.get(line.peek()) in self._units:
                raise line.fault("a unit that no line has named before")
            index = line.unit(self._catalog)
            unit = _read_unit(line, self._catalog.units[index].strength, hex_, strength, rank)
            self._units[index] = unit
            rank = unit.rank + 1 if hex_ != OFF_MAP else 0


def _read_unit(line: Line, printed: int, hex_: int, strength: int | None, rank: int) -> UnitState:
    """The words after a unit's id, up to the next unit. `strength` is known, or else `printed`."""
    status = bank = 0
    said_strength, said_rank, due = strength, None, None
    while (word := line.peek()) not in _UNIT_ENDS:
        bit = _STATUS.get(word, 0)
        if bit & ~status:
            status |= bit
            line.step()
        elif not bank and word in _BANKS:
            bank = _BANKS.index(word)
            line.step()
        elif said_rank is None and word == "rank":
            line.step()
            said_rank = line.integer("a rank, 0 on top")
        elif due is None and word == "due":
            line.step()
            due = line.integer("the turn from which it may come back")
        elif said_strength is None:
            said_strength = line.integer(_UNIT_WORDS)
        else:
            raise line.fault(_UNIT_WORDS)
    return UnitState(hex_, printed if said_strength is None else said_strength, status,
                     rank if said_rank is None else said_rank, bank, due or 0)
