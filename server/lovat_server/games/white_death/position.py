"""A position laid out for play: its fields, and what is quickly asked of them."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import fields
from typing import Any

from lovat_server.hexmap.grid import board_of

from .catalog import Catalog
from .orders import Assault, StandingOrders
from .state import Bridge, Decision, Ledger, Options, Pending, State, UnitState
from .terms import HexIndex, ImpulseKind, Phase, Pool, Side, Status, Weather

FIELDS = tuple(field.name for field in fields(State))


class Position:
    """The fields of a `State`, with `units` and `bunkers` as lists.

    Only the functions of `changes` alter it, and they do so through `put`, `flag` and `touch`.
    `memo` keeps what was computed from where the units stand; it is emptied when they move.
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
        for name in FIELDS:
            setattr(self, name, getattr(state, name))
        self.units: list[UnitState] = list(state.units)
        self.bunkers: list[int] = list(state.bunkers)
        self.memo: dict[Hashable, Any] = {}

    def freeze(self) -> State:
        """The position as a value."""
        values = {name: getattr(self, name) for name in FIELDS}
        values["units"] = tuple(self.units)
        values["bunkers"] = tuple(self.bunkers)
        return State(**values)

    @property
    def thaw(self) -> bool:
        return self.weather == Weather.THAW

    def stacks(self) -> dict[int, list[int]]:
        """Units of every occupied hex, top first."""
        stacks: dict[int, list[int]] | None = self.memo.get("stacks")
        if stacks is None:
            stacks = {}
            for index, unit in enumerate(self.units):
                if unit.hex >= 0:
                    stacks.setdefault(unit.hex, []).append(index)
            for stack in stacks.values():
                if len(stack) > 1:
                    stack.sort(key=lambda index: self.units[index].rank)
            self.memo["stacks"] = stacks
        return stacks

    def stack(self, hex_: int) -> list[int]:
        """Units in a hex, top first."""
        return self.stacks().get(hex_, [])

    def occupied(self, side: Side) -> int:
        """The board of hexes with a unit of the side."""
        boards: list[int] | None = self.memo.get("occupied")
        if boards is None:
            hexes: tuple[set[int], set[int]] = (set(), set())
            for hex_, stack in self.stacks().items():
                hexes[self.catalog.units[stack[0]].side].add(hex_)
            boards = self.memo["occupied"] = [board_of(hexes[0]), board_of(hexes[1])]
        return boards[side]

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
        for place, bunker in enumerate(self.catalog.bunkers):
            if bunker.hex == hex_ and self.bunkers[place] > 0:
                return place
        return None

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
        """Forget what was computed: units, bridges or weather have changed."""
        self.memo.clear()

    def put(self, index: int, hex_: int, bank: int = 0) -> None:
        """Move a unit to the bottom of the stack in a hex; it concentrates (WD 6.B.2)."""
        rank = max((self.units[other].rank for other in self.stack(hex_)), default=-1) + 1
        unit = self.units[index]
        self.units[index] = UnitState(hex_, unit.strength, unit.status & ~Status.DEPLOYED, rank,
                                      bank)
        self.touch()

    def flag(self, index: int, status: Status) -> None:
        unit = self.units[index]
        self.units[index] = unit._replace(status=unit.status | status)
