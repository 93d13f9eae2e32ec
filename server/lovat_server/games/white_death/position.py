"""A position laid out for play: its fields, and what is quickly asked of them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import fields
from functools import lru_cache, wraps
from operator import attrgetter
from typing import Any, TypeVar, TypeVarTuple

from lovat_server.hexmap.grid import board_of

from .catalog import Catalog
from .orders import Assault, StandingOrders
from .state import (
    Before,
    Bridge,
    Decision,
    Known,
    Ledger,
    Options,
    Pending,
    State,
    UnitState,
)
from .terms import FLEETING, OFF_MAP, HexIndex, ImpulseKind, Phase, Pool, Side, Status, Weather

FIELDS = tuple(field.name for field in fields(State))
_VALUES = attrgetter(*FIELDS)

About = TypeVarTuple("About")
Fact = TypeVar("Fact")

_UNKNOWN: Any = object()
_IN_MOTION = ~Status.DEPLOYED       # what is left of a status on the move


def momentary(find: Callable[[Position, *About], Fact]) -> Callable[[Position, *About], Fact]:
    """Ask once what holds until the next event; the arguments tell one fact from another."""
    @wraps(find)
    def known(position: Position, *about: *About) -> Fact:
        key = find, about
        fact: Fact = position.now.get(key, _UNKNOWN)
        if fact is _UNKNOWN:
            fact = position.now[key] = find(position, *about)
        return fact
    return known


class Position:
    """The fields of a `State`, with `units` and `bunkers` as lists.

    Only the functions of `changes` alter it, after `part`; units through `put`, `take_off`,
    `arrange`, `flag` and `become`. `memo` keeps what was computed from where units stand; it is
    emptied when they move. `about` does so for each side, emptied only when that side's units,
    bunkers, bridges or the weather change: a side's zones outlast the moves of its enemy. `now` is
    for what may be otherwise after any event. Until something changes all are those of the state
    itself, and what is found out now need not be found out again. `hints` outlast moves; whoever
    takes one makes sure that it still holds.
    """

    turn: int
    bridges: tuple[Bridge, ...]
    supply: tuple[int, int, int]
    decision: Decision
    options: Options
    weather: Weather
    side: Side
    impulses: tuple[int, int]
    points: tuple[int, int]
    declared: int
    kind: ImpulseKind
    phase: Phase
    paid: tuple[int, int, int]
    high_intensity: tuple[bool, bool, bool]
    sustained: bool
    released: bool
    replacements: tuple[int, int]
    rail_moved: tuple[int, int]
    assaults: tuple[Assault, ...]
    retreats: tuple[Pending, ...]
    withdrawn: tuple[Pending, ...]
    vacated: tuple[HexIndex, ...]
    railroad_held: int
    ledger: Ledger
    standing: tuple[StandingOrders, StandingOrders]

    def __init__(self, catalog: Catalog, state: State) -> None:
        self.catalog = catalog
        vars(self).update(zip(FIELDS, _VALUES(state), strict=True))
        self.units: list[UnitState] = list(state.units)
        self.bunkers: list[int] = list(state.bunkers)
        self._origin = state
        self._known: Known | None = state.known
        self.memo: dict[Hashable, Any] = state.known.memo
        self.about: list[dict[Hashable, Any]] = list(state.known.about)
        self._stacks: dict[int, list[int]] | None = state.known.stacks
        self.hints = state.known.hints
        self.now: dict[Hashable, Any] = state.known.now
        self._changed: set[int] = set()
        self._fleeting: set[int] | None = None

    def freeze(self) -> State:
        """The position as a value, with what is known about where its units stand."""
        state = State(*_VALUES(self))
        vars(state).update(units=tuple(self.units), bunkers=tuple(self.bunkers))
        for mine, its in zip(self.about, state.known.about, strict=True):
            its.update(mine)
        state.known.stacks = dict(self.stacks())
        state.known.hints = self.hints
        state.known.now = self.now
        state.known.before = self._before()
        state.known.fleeting = frozenset(self.fleeting())
        return state

    def _before(self) -> Before:
        """The state begun with, or the last one before it that has been encoded."""
        origin, known = self._origin, self._origin.known
        if known.encoded is None and known.before is not None:
            return known.before._replace(changed=known.before.changed | self._changed)
        return Before(origin.units, known.encoded, frozenset(self._changed))

    def part(self) -> None:
        """Something is about to change: what is found out from now on is not of the state."""
        if self._known is not None:
            self._known = None
            self.memo = dict(self.memo)
            self.about = [dict(about) for about in self.about]
            self._stacks = None if self._stacks is None else dict(self._stacks)
        self.now = {}

    @property
    def thaw(self) -> bool:
        return self.weather == Weather.THAW

    def stacks(self) -> dict[int, list[int]]:
        """Units of every occupied hex, top first; a list in it is never altered."""
        if self._stacks is None:
            stacks: dict[int, list[int]] = {}
            for index, unit in enumerate(self.units):
                if unit.hex >= 0:
                    stacks.setdefault(unit.hex, []).append(index)
            for stack in stacks.values():
                if len(stack) > 1:
                    stack.sort(key=lambda index: self.units[index].rank)
            self._stacks = stacks
            if self._known is not None:
                self._known.stacks = stacks
        return self._stacks

    def stack(self, hex_: int) -> list[int]:
        """Units in a hex, top first."""
        return (self._stacks or self.stacks()).get(hex_, [])

    def occupied(self, side: Side) -> int:
        """The board of hexes with a unit of the side."""
        about = self.about[side]
        board: int | None = about.get("occupied")
        if board is None:
            units = self.catalog.units
            board = about["occupied"] = board_of(
                hex_ for hex_, stack in self.stacks().items() if units[stack[0]].side == side)
        return board

    def bridged(self) -> int:
        """The board of hexes with a bridge."""
        board: int | None = self.memo.get("bridged")
        if board is None:
            board = self.memo["bridged"] = board_of(bridge.hex for bridge in self.bridges)
        return board

    def has_enemy(self, side: Side, hex_: int) -> bool:
        """The hex holds a unit of the other side."""
        return bool(self.occupied(side.enemy) >> hex_ & 1)

    def bunker_at(self, hex_: int) -> int | None:
        """The place of a standing bunker in the hex, or None."""
        place = bunker_places(self.catalog).get(hex_)
        return place if place is not None and self.bunkers[place] > 0 else None

    def in_city(self, index: int) -> bool:
        """In Velikiye Luki: in any town hex of the city."""
        hex_ = self.units[index].hex
        return hex_ >= 0 and bool(self.catalog.map.city >> hex_ & 1)

    def pool_of(self, index: int) -> Pool:
        """[WD 15.D.2] The pool that pays for what a unit does."""
        if self.catalog.units[index].side == Side.SOVIET:
            return Pool.SOVIET
        return Pool.VELIKIYE_LUKI if self.in_city(index) else Pool.GERMAN

    def touch(self) -> None:
        """Forget what was computed: bunkers, bridges or weather have changed."""
        self.memo.clear()
        self.about[0].clear()
        self.about[1].clear()
        self.hints = {}, {}

    def _moved(self, index: int) -> None:
        self.memo.clear()
        self.about[self.catalog.units[index].side].clear()

    def put(self, index: int, hex_: int, bank: int = 0) -> None:
        """Move a unit to the bottom of the stack in a hex; it concentrates (WD 6.B.2)."""
        unit = self.units[index]
        self._unstack(index)
        stack = self.stack(hex_)
        rank = self.units[stack[-1]].rank + 1 if stack else 0
        self.become(index, UnitState(hex_, unit.strength, unit.status & _IN_MOTION, rank,
                                     bank))
        self.stacks()[hex_] = [*stack, index]
        self._moved(index)

    def take_off(self, index: int, unit: UnitState) -> None:
        """Put a unit off the map, in a new state."""
        self._unstack(index)
        self.become(index, unit)
        self._moved(index)

    def arrange(self, hex_: int, units: tuple[int, ...]) -> None:
        """Order the units of a hex, top first."""
        for rank, index in enumerate(units):
            self.become(index, self.units[index]._replace(rank=rank))
        self.stacks()[hex_] = list(units)
        self.memo.clear()

    def _unstack(self, index: int) -> None:
        hex_ = self.units[index].hex
        if hex_ == OFF_MAP:
            return
        rest = [other for other in self.stack(hex_) if other != index]
        if rest:
            self.stacks()[hex_] = rest
        else:
            del self.stacks()[hex_]

    def flag(self, index: int, status: Status) -> None:
        unit = self.units[index]
        self.become(index, unit._replace(status=unit.status | status))

    def become(self, index: int, unit: UnitState) -> None:
        """A unit that stays where it is, in a new state."""
        self.units[index] = unit
        self._changed.add(index)
        if unit.status & FLEETING:
            self.fleeting().add(index)

    def fleeting(self) -> set[int]:
        """Units that may have a status which an impulse ends or traces anew, and maybe others."""
        if self._fleeting is None:
            known = self._origin.known.fleeting
            self._fleeting = set(known) if known is not None else {
                index for index, unit in enumerate(self.units) if unit.status & FLEETING}
        return self._fleeting


@lru_cache(maxsize=64)
def bunker_places(catalog: Catalog) -> Mapping[int, int]:
    """The place of each bunker by its hex, standing or not."""
    return {bunker.hex: place for place, bunker in enumerate(catalog.bunkers)}
