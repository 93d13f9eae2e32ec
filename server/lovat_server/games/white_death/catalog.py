"""What is printed: the map, the counters, the charts, one scenario. Loaded once, never changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from lovat_server.core.provenance import Provenance
from lovat_server.core.tables import OddsTable
from lovat_server.hexmap.grid import Grid

from .terms import Kind, Mobility, Pool, Side, Size, Weather


class Unit(NamedTuple):
    """One counter, front and back. Fire factors are in eighths of a point (`terms.FP`)."""

    id: str
    label: str
    side: Side
    type: str                 # the symbol's name: "infantry", "T-34", ...
    size: Size                # AFV: battalion if Soviet, company if German
    division: str             # identification left of the unit box, "" if none
    divisional: bool          # False for 3SA, 2MC, 5S, 8E although they carry a mark (WD 2)
    formation: str            # the line of the order of appearance
    battalion: str            # companies of one battalion share it (WD 4.A); else ""
    regiment: str             # infantry regiment of a battalion, "" if it does not matter
    colour: str               # "army", "ski", "guards", ... (colour of the counter)
    mobility: Mobility
    kind: Kind
    strength: int
    conventional: int         # eighths a strength point
    defensive_only: bool      # conventional factor in parentheses (WD 9.A)
    antitank: int             # eighths a strength point
    defence: int              # whole points, AFV only
    morale: int
    barrage: int              # whole points a strength point, 0 if none
    range: int                # hexes, 0 if no artillery
    support: int              # whole points a strength point, 0 if none
    traits: frozenset[str]    # see TRAITS
    set_up: str               # name of its set-up zone, "" if it arrives later
    arrival_turn: int         # 0 if set up
    arrival_impulse: int      # 1 or 2, of its own side
    arrival_area: str         # "E", "SE", "NE", "S", "SW", "W", "NW", "" if set up

    @property
    def is_artillery(self) -> bool:
        """Capable of indirect fire (WD 11)."""
        return self.range > 0

    @property
    def is_afv(self) -> bool:
        return self.kind == Kind.AFV


TRAITS = frozenset({
    "close_combat",      # WD 21.A
    "demolition",        # engineer or construction (WD 20.A)
    "bridge",            # may build one bridge (WD 20.B)
    "commando",          # Brandenburg (WD 21.C)
    "captured_t34",      # counts as Brandenburg when stacked with one (WD 21.C)
    "tank_destroyer",    # WD 21.D
    "steady",            # immune to tank fright with what is stacked with it (WD 14.C.2)
    "rocket",            # German rocket artillery (WD 15.A.3)
    "conspicuous",       # Guards rocket regiment (WD 11.B.3.b)
    "garrison_city", "garrison_town",   # WD 22
    "rifle_artillery",   # the three battalions are one regiment for stacking (WD E.4-B)
    "replaceable",       # may take its side's replacement points (WD 18)
    "cavalry",           # mounted charge (WD 24)
    "one_regiment",      # 331st Division infantry (WD 21.B)
    "optional",          # comes only if a die says so (WD 17.F)
    "by_option",         # comes only if the players chose so (WD Notes.IV)
})


class Cost(NamedTuple):
    """Price of a terrain in 1/120 MP: to enter, and extra to leave; `enter` None is prohibited."""

    enter: int | None
    leave: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class BattleMap:
    """The map. Sets of hexes are boards over `grid`; hexside sets are six boards, by direction.

    A hexside stands in both its hexes: ``road[d]`` has the hex on one side, ``road[opposite(d)]``
    the hex on the other. ``down[d]`` has only the high hex: crossing side `d` out of it goes down.
    ``bank[hex]`` is, for a river hex, one of "W", "E" or "" for each of the six sides: the bank
    the neighbour lies on, "" where the river itself goes on; empty for other hexes.
    """

    grid: Grid
    names: Mapping[int, str]
    forest: int
    town: int
    creek: int
    river: int
    high: int
    road: tuple[int, ...]
    rail: tuple[int, ...]
    lake_full: tuple[int, ...]
    lake_partial: tuple[int, ...]
    down: tuple[int, ...]
    bank: tuple[tuple[str, ...], ...]
    city: int                       # town hexes of Velikiye Luki
    railroad_towns: int             # town hexes of the north-south railroad (WD 25)
    areas: Mapping[str, int]        # entry areas (E, SE, NE, S, SW, W, NW) and set-up zones
    numbers: tuple[int, ...]        # printed number CCRR of each hex index
    index: Mapping[int, int]        # hex index of each printed number

    def friendly_edge(self, side: Side, *, rail: bool = False) -> int:
        """[WD 15.B, 8] Edge hexes friendly to a side; the Soviet south-east is not for rail."""
        grid = self.grid
        edge = (grid.column_board(1) | grid.column_board(grid.columns) | grid.row_board(1)
                | grid.row_board(grid.rows))
        east = grid.column_board(grid.columns)
        if side == Side.SOVIET:
            return east if rail else east | self.areas["SE"]
        return edge & ~east if rail else edge & ~east & ~self.areas["SE"]


@dataclass(frozen=True, slots=True)
class Bunker:
    hex: int
    strength: int


@dataclass(frozen=True, slots=True, eq=False)
class Charts:
    """The printed charts. ``movement[mobility][terrain]``; terrains are the chart's rows."""

    movement: tuple[Mapping[str, Cost], ...]
    defence: Mapping[str, tuple[int, int, int]]   # terrain -> personnel, light, heavy
    conventional: OddsTable[tuple[int]]           # (n,) for MCn, (0,) for MC
    antitank: OddsTable[int]                      # strength points lost
    barrage_columns: tuple[int, ...]              # lowest value of each column
    barrage: tuple[tuple[int, ...], ...]          # rows die 1..15, strength points
    barrage_modifiers: Mapping[str, int]
    weather: tuple[tuple[Weather, ...], ...]      # [turn - 1][die - 1]


class Arrival(NamedTuple):
    """Points received at the start of a turn."""

    supply: int
    replacements: int


class Level(NamedTuple):
    lowest: int      # lowest VP of the level
    name: str


@dataclass(frozen=True, slots=True)
class VictorySchedule:
    german_losses_per_point: int
    german_losses_threshold: int
    soviet_losses_per_point: int
    soviet_losses_threshold: int
    bunker: int
    railroad_town: int
    isolated_losses_per_point: int     # 0 if not scored
    city_isolated: int                 # 0 if not scored
    towns_held: Mapping[str, int]      # place -> VP at the end
    garrison_survivor: int             # VP (negative) for each SP of the garrison left
    levels: tuple[Level, ...]


class LossToDate(NamedTuple):
    """[WD 25.2] Strength points lost by some of `units` before the scenario begins."""

    side: Side
    formation: str
    kind: str
    points: int
    units: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SetUpCount:
    """[WD 25.3] Of the units that set up in `zone`, so many stand in `area`, a part of it."""

    zone: str
    area: str
    count: int


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    title: str
    first_turn: int
    last_turn: int
    bridges: tuple[int, ...]              # hexes with an original bridge
    supply: tuple[int, int, int]          # accumulated before turn `first_turn`
    garrisons: bool                       # WD 22 holds from the first turn
    victory: VictorySchedule
    historical_result: str
    zones: Mapping[str, str]              # set-up zone -> its wording for a player
    standard_set_up: Mapping[str, int]    # unit id -> hex index
    losses: tuple[LossToDate, ...] = ()
    bunker_losses: int = 0                # to divide among the bunkers that stand
    garrison_in_bunkers: bool = False     # the city's garrison sets up in bunker hexes only
    personnel_in_bunkers: bool = False    # a personnel unit in each bunker hex
    artillery_east: int = 0               # Soviet artillery units set up east of the Lowatj
    set_up_counts: tuple[SetUpCount, ...] = ()
    bridge_builders: tuple[int, ...] = ()  # may begin with their bridge built
    bridge_area: str = ""
    standard_bridges: Mapping[int, int] = field(default_factory=dict)   # builder -> hex index


@dataclass(frozen=True, slots=True, eq=False)
class Catalog:
    """Everything printed that one scenario needs.

    `units` are in catalog order, sorted by side, then id; a position names a unit
    by its place here.
    """

    scenario: Scenario
    map: BattleMap
    units: tuple[Unit, ...]
    bunkers: tuple[Bunker, ...]
    charts: Charts
    arrivals: tuple[tuple[Arrival, ...], ...]     # [side][turn - 1]
    content_hash: str
    provenance: Mapping[Provenance, int]
    unit_index: Mapping[str, int] = field(default_factory=dict)
    side_units: tuple[tuple[int, ...], ...] = ()  # unit places of each side

    def starting_pools(self) -> tuple[int, int, int]:
        return self.scenario.supply[Pool.SOVIET], self.scenario.supply[Pool.GERMAN], \
            self.scenario.supply[Pool.VELIKIYE_LUKI]
