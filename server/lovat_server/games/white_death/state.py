"""What changes in play. A state is a value: nothing here is ever altered in place."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from .orders import Assault, StandingOrders
from .terms import (
    OFF_MAP,
    DecisionKind,
    HexIndex,
    ImpulseKind,
    Phase,
    Side,
    Status,
    UnitIndex,
    Weather,
)


class UnitState(NamedTuple):
    """One unit. Off the map with strength it waits outside; without strength it is eliminated.

    `rank` orders the units of one hex, lowest on top. `bank` is where a unit in a river hex came
    from: 0 either, 1 west, 2 east (WD 16.B). `due` is the turn from which a unit that waits
    outside may come back (WD 18, 23); 0 as printed.
    """

    hex: int = OFF_MAP
    strength: int = 0
    status: int = 0
    rank: int = 0
    bank: int = 0
    due: int = 0


class Bridge(NamedTuple):
    """`builder` is the unit that built it, or -1 for an original bridge."""

    hex: HexIndex
    builder: int = -1


@dataclass(frozen=True, slots=True)
class Pending:
    """A unit that must retreat from `hex` (WD 14.B), or that retreated from it before combat."""

    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class Ledger:
    """What has happened to strength points, and the points scored impulse by impulse.

    Pairs are by side. `isolated` are losses of units that were isolated (WD 25, scenario VI).
    """

    lost: tuple[int, int] = (0, 0)
    isolated: tuple[int, int] = (0, 0)
    replaced: tuple[int, int] = (0, 0)
    railroad: int = 0


@dataclass(frozen=True, slots=True)
class Options:
    """Readings of the rulebook that players may choose before the game."""

    snow_visibility: bool = False       # in snow a unit sees one hex only (WD 16.C)
    abandoned_equipment: bool = False   # rule 23 is used
    strict_refit: bool = False          # only a brigade still in play may be refitted (WD 18)
    third_lehr_battalion: bool = False  # III/1 Lehr Rockets come with II/1 (WD Notes.IV)


@dataclass(frozen=True, slots=True)
class Decision:
    kind: DecisionKind = DecisionKind.NONE
    side: Side = Side.SOVIET


class Encoded(NamedTuple):
    """A state as its checksum has it: a row of bytes for each unit, all other values as text."""

    rows: bytes
    values: tuple[Any, ...]
    texts: list[str]


class Before(NamedTuple):
    """An earlier state: its units, its encoding, and the units that are another value now."""

    units: tuple[UnitState, ...]
    encoded: Encoded | None
    changed: frozenset[int]


class Known:
    """What has been computed about one state, kept with it: facts that its fields imply.

    `now` follows from the whole state, `memo` from where units stand, `about` from one side's
    units, bunkers, bridges and weather alone, `stacks` are the units of every occupied hex, top
    first. Shared by whoever asks about the state, so that entries are added and never altered.
    `encoded` is the state as its checksum has it, `fleeting` holds at least the units with a status
    that an impulse ends or traces anew, `before` is a state that this one came from. `hints` are
    facts, by side, found out about a state before it: whoever takes one first makes sure that it
    holds here too.
    """

    __slots__ = ("about", "before", "encoded", "fleeting", "hints", "memo", "now", "stacks")

    def __init__(self) -> None:
        self.now: dict[Hashable, Any] = {}
        self.memo: dict[Hashable, Any] = {}
        self.about: tuple[dict[Hashable, Any], dict[Hashable, Any]] = ({}, {})
        self.stacks: dict[int, list[int]] | None = None
        self.encoded: Encoded | None = None
        self.fleeting: frozenset[int] | None = None
        self.hints: tuple[dict[Hashable, Any], dict[Hashable, Any]] = ({}, {})
        self.before: Before | None = None


@dataclass(frozen=True)
class State:
    """A whole position. Pairs are (Soviet, German); triples are by `terms.Pool`.

    `known` is no part of its value.
    """

    turn: int
    units: tuple[UnitState, ...]
    bunkers: tuple[int, ...]                       # strength left, in catalog order
    bridges: tuple[Bridge, ...]
    supply: tuple[int, int, int]
    decision: Decision
    options: Options = Options()
    weather: Weather = Weather.FROST
    side: Side = Side.SOVIET                       # the phasing side
    impulses: tuple[int, int] = (0, 0)             # begun this turn
    points: tuple[int, int] = (10, 10)             # movement points left this turn
    declared: int = 0                              # movement points of this impulse
    kind: ImpulseKind = ImpulseKind.NONE
    phase: Phase = Phase.NONE                      # of the impulse
    paid: tuple[int, int, int] = (0, 0, 0)         # supply spent on attacks this impulse
    high_intensity: tuple[bool, bool, bool] = (False, False, False)
    sustained: bool = False                        # Velikiye Luki bought out this turn
    released: bool = False                         # Velikiye Luki garrison may leave
    replacements: tuple[int, int] = (0, 0)         # points to hand out this impulse
    rail_moved: tuple[int, int] = (0, 0)           # strength points railed this turn
    assaults: tuple[Assault, ...] = ()
    retreats: tuple[Pending, ...] = ()
    withdrawn: tuple[Pending, ...] = ()            # before combat, with the hex each left
    vacated: tuple[HexIndex, ...] = ()             # assaulted hexes that may be occupied
    railroad_held: int = 0                         # board: towns a Soviet unit passed last
    ledger: Ledger = Ledger()
    standing: tuple[StandingOrders, StandingOrders] = (StandingOrders(), StandingOrders())


    @cached_property
    def known(self) -> Known:
        return Known()


def is_eliminated(unit: UnitState) -> bool:
    return unit.strength == 0


def is_deployed(unit: UnitState) -> bool:
    return bool(unit.status & Status.DEPLOYED)
