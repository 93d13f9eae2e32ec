"""The header lines of a position's text: how the value of each is written and read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, fields
from enum import IntEnum
from typing import Any, Final, TypeVar

from lovat_server.hexmap.grid import board_of, hexes_of

from .catalog import Catalog
from .notation_orders import write_assault
from .notation_reading import read_assault, read_pools
from .notation_words import (
    Line,
    dashed,
    hex_word,
    hex_words,
    integer_word,
    spoken,
    unit_word,
    word_of,
    words_of,
)
from .orders import StandingOrders
from .state import Bridge, Decision, Ledger, Options, Pending, State
from .terms import DecisionKind, ImpulseKind, Phase, Pool, Side, Weather

K = TypeVar("K", bound=IntEnum)

SIDES: Final = words_of(Side)
_DECISIONS: Final = words_of(DecisionKind)


@dataclass(frozen=True, slots=True)
class Form:
    """A field of the state, and how the words after the line's first are written and read."""

    field: str
    write: Callable[[Catalog, Any], str]
    read: Callable[[Catalog, Line], Any]


def is_needed(form: Form) -> bool:
    """The field has no default, so its line is always written."""
    return form.field not in _DEFAULTS


def default_of(form: Form) -> object:
    """What a text without the line means. The form must not be needed."""
    return _DEFAULTS[form.field]


_DEFAULTS: Final = {field.name: field.default for field in fields(State)
                    if field.default is not MISSING}


def _number(field: str, what: str) -> Form:
    return Form(field, lambda _, value: integer_word(value), lambda _, line: line.integer(what))


def _choice(field: str, kinds: type[K]) -> Form:
    words = words_of(kinds)
    return Form(field, lambda _, value: word_of(kinds(value)),
                lambda _, line: line.choice(words, f"the {field}"))


def _flag(field: str) -> Form:
    """The word alone says yes."""
    return Form(field, lambda _catalog, _value: "", lambda _catalog, _line: True)


def _tally(field: str, kinds: type[K]) -> Form:
    """A number for each side or pool; those left out keep the default, 0 if there is none."""
    words = words_of(kinds)
    plain = _DEFAULTS.get(field, (0,) * len(kinds))
    return Form(field, lambda _, value: _write_tally(words, value),
                lambda _, line: _read_tally(words, line, plain))


def _write_tally(words: Mapping[str, int], value: Iterable[int]) -> str:
    return " ".join(f"{word} {integer_word(number)}"
                    for word, number in zip(words, value, strict=True))


def _read_tally(words: Mapping[str, int], line: Line, plain: Any) -> tuple[int, ...]:
    """One number at least; `words` are in the order of the numbers."""
    left, numbers = dict(words), list(plain)
    while line.peek() not in ("", ";") or len(left) == len(words):
        word = line.peek()
        place = line.choice(left, "a side or pool, once each")
        numbers[place] = line.integer(f"the number of {word}")
        del left[word]
    return tuple(numbers)


def _entries(plain: Ledger | StandingOrders) -> dict[str, tuple[str, Any]]:
    """Every field and its default, by the word for it."""
    return {dashed(field.name): (field.name, getattr(plain, field.name))
            for field in fields(plain)}


def _write_ledger(_: Catalog, ledger: Ledger) -> str:
    clauses = []
    for word, (name, default) in _entries(Ledger()).items():
        value = getattr(ledger, name)
        if value != default:
            text = _write_tally(SIDES, value) if isinstance(value, tuple) else integer_word(value)
            clauses.append(f"{word} {text}")
    return "; ".join(clauses)


def _read_ledger(_: Catalog, line: Line) -> Ledger:
    left = _entries(Ledger())
    values: dict[str, Any] = {}
    for _clause in line.clauses():
        name, default = line.choice(left, "an entry, once each")
        del left[dashed(name)]
        values[name] = (_read_tally(SIDES, line, default) if isinstance(default, tuple)
                        else line.integer("a number of points"))
    return Ledger(**values)


def _write_options(_: Catalog, options: Options) -> str:
    return spoken(*(dashed(field.name) for field in fields(Options)
                    if getattr(options, field.name)))


def _read_options(_: Catalog, line: Line) -> Options:
    left = {dashed(field.name): field.name for field in fields(Options)}
    values = {}
    while line.peek():
        name = line.choice(left, "an option, once each")
        del left[dashed(name)]
        values[name] = True
    return Options(**values)


def _write_standing(_: Catalog, standing: tuple[StandingOrders, StandingOrders]) -> str:
    clauses = []
    for side, orders in zip(Side, standing, strict=True):
        words = [f"{word} {word_of(type(default)(value))}"
                 for word, (name, default) in _entries(StandingOrders()).items()
                 if (value := getattr(orders, name)) != default]
        if words:
            clauses.append(spoken(word_of(side), *words))
    return "; ".join(clauses)


def _read_standing(_: Catalog, line: Line) -> tuple[StandingOrders, StandingOrders]:
    sides = dict(SIDES)
    said: dict[Side, StandingOrders] = {}
    for _clause in line.clauses():
        side = line.choice(sides, "a side, once each")
        del sides[word_of(side)]
        left = _entries(StandingOrders())
        values: dict[str, Any] = {}
        while line.peek() not in ("", ";"):
            name, default = line.choice(left, "a standing order, once each")
            del left[dashed(name)]
            kinds: type[IntEnum] = type(default)
            values[name] = line.choice(words_of(kinds), f"the order for {dashed(name)}")
        said[side] = StandingOrders(**values)
    return (said.get(Side.SOVIET, StandingOrders()), said.get(Side.GERMAN, StandingOrders()))


def _read_decision(_: Catalog, line: Line) -> Decision:
    return Decision(line.choice(_DECISIONS, "a kind of decision"),
                    line.choice(SIDES, "a side"))


def _read_intensity(catalog: Catalog, line: Line) -> tuple[bool, ...]:
    paid = read_pools(catalog, line)
    return tuple(pool in paid for pool in Pool)


def _write_board(catalog: Catalog, board: int) -> str:
    if board < 0:
        raise ValueError(f"board {board}: expected hexes of the map")
    return hex_words(catalog, hexes_of(board))


def _write_bridge(catalog: Catalog, bridge: Bridge) -> str:
    builder = "" if bridge.builder == Bridge(0).builder else unit_word(catalog, bridge.builder)
    return spoken(hex_word(catalog, bridge.hex), builder)


def _read_bridge(catalog: Catalog, line: Line) -> Bridge:
    hex_ = line.hex(catalog)
    return Bridge(hex_, line.unit(catalog)) if line.peek() else Bridge(hex_)


def _pending(field: str) -> Form:
    return Form(field,
                lambda catalog, pending: spoken(unit_word(catalog, pending.unit),
                                                hex_word(catalog, pending.hex)),
                lambda catalog, line: Pending(line.unit(catalog), line.hex(catalog)))


FORMS: Final[dict[str, Form]] = {
    "turn": _number("turn", "the number of the turn"),
    "weather": _choice("weather", Weather),
    "phasing": _choice("side", Side),
    "impulses": _tally("impulses", Side),
    "points": _tally("points", Side),
    "declared": _number("declared", "the movement points of the impulse"),
    "kind": _choice("kind", ImpulseKind),
    "phase": _choice("phase", Phase),
    "decision": Form("decision", lambda _, decision: spoken(
        word_of(DecisionKind(decision.kind)), word_of(Side(decision.side))), _read_decision),
    "options": Form("options", _write_options, _read_options),
    "supply": _tally("supply", Pool),
    "paid": _tally("paid", Pool),
    "high-intensity": Form("high_intensity", lambda _, paid: spoken(*(
        word_of(pool) for pool, is_paid in zip(Pool, paid, strict=True) if is_paid)),
        _read_intensity),
    "sustained": _flag("sustained"),
    "released": _flag("released"),
    "replacements": _tally("replacements", Side),
    "rail-moved": _tally("rail_moved", Side),
    "ledger": Form("ledger", _write_ledger, _read_ledger),
    "standing": Form("standing", _write_standing, _read_standing),
    "vacated": Form("vacated", hex_words, lambda catalog, line: line.hexes(catalog)),
    "railroad-held": Form("railroad_held", _write_board,
                          lambda catalog, line: board_of(line.hexes(catalog))),
}
"""Lines said once, by their first word, in the order in which they are written."""

ITEMS: Final[dict[str, Form]] = {
    "bridge": Form("bridges", _write_bridge, _read_bridge),
    "assault": Form("assaults", write_assault, read_assault),
    "retreat": _pending("retreats"),
    "withdrawn": _pending("withdrawn"),
}
"""Lines that each add one to a field, in the field's order."""
