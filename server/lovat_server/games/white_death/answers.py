"""What the game tells a player: a view, a legal listing, a receipt, a score."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from .orders import Assault, StandingOrders
from .state import Bridge, Decision, Options, Pending, UnitState
from .terms import FireValue, HexIndex, ImpulseKind, Movement, Pool, Side, UnitIndex, Weather


@dataclass(frozen=True, slots=True)
class OwnUnit:
    """A unit of the viewing side, with everything about it."""

    unit: UnitIndex
    state: UnitState


@dataclass(frozen=True, slots=True)
class EnemyStack:
    """[WD 4.C, E.4-C] What is seen of an enemy stack.

    `top` is the unit on top, of which only the front is known. `deployed` are artillery units
    in an observed hex that are deployed. `revealed` are all units of a hex under attack, with
    their state.
    """

    hex: HexIndex
    count: int
    top: UnitIndex
    deployed: tuple[UnitIndex, ...] = ()
    revealed: tuple[OwnUnit, ...] = ()


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """[WD 25] One line of the schedule: how many, and the points they give."""

    name: str
    count: int
    points: int


@dataclass(frozen=True, slots=True)
class Score:
    lines: tuple[ScoreLine, ...]
    points: int
    level: str


@dataclass(frozen=True, slots=True)
class View:
    """What one side may know. Tracks, bunkers, bridges and declared assaults are public."""

    side: Side
    decision: Decision
    turn: int
    weather: Weather
    phasing: Side
    impulses: tuple[int, int]
    points: tuple[int, int]
    declared: int
    kind: ImpulseKind
    supply: tuple[int, int, int]
    sustained: bool
    released: bool
    replacements: tuple[int, int]
    rail_moved: tuple[int, int]
    own: tuple[OwnUnit, ...]
    enemy: tuple[EnemyStack, ...]
    bunkers: tuple[int, ...]
    bridges: tuple[Bridge, ...]
    assaults: tuple[Assault, ...]
    retreats: tuple[Pending, ...]
    vacated: tuple[HexIndex, ...]
    score: Score
    standing: StandingOrders
    options: Options


class Mark(IntEnum):
    """What is special about a hex that a unit can reach: bits of `UnitOptions.marks`."""

    NONE = 0
    STOPS = 1          # movement ends here: an enemy zone of control
    MAY_NOT_END = 2    # may be passed but not ended in: stacking, a garrison's limits
    UNDER_FIRE = 4     # reached only by leaving an enemy zone under antitank fire (WD 3.A)
    ICE = 8            # an ice die is rolled on the way (WD 13)


@dataclass(frozen=True, slots=True, eq=False)
class Reach:
    """Where a unit can go. Compared by identity: units that can go alike share one.

    The lists run in parallel: a hex the unit can reach, the cheapest cost, the hex before it on
    that path (the unit's own hex, or off the map for an entry), and `Mark` bits. A path is read
    by following `previous` back. `board` are the hexes again.
    """

    hexes: tuple[HexIndex, ...] = ()
    costs: tuple[Movement, ...] = ()
    previous: tuple[HexIndex, ...] = ()
    marks: tuple[int, ...] = ()
    board: int = 0


NOWHERE = Reach()


@dataclass(frozen=True, slots=True)
class UnitOptions:
    """What one unit may do in the movement phase after the draft that was given.

    The lists of `reach` can be read from here too.
    """

    unit: UnitIndex
    left: Movement
    reach: Reach = NOWHERE
    rail: tuple[HexIndex, ...] = ()
    assaults: tuple[HexIndex, ...] = ()
    may_deploy: bool = False
    may_build_bridge: bool = False
    may_destroy_bridge: bool = False
    charges: tuple[HexIndex, ...] = ()      # of `assaults`, those that cavalry may charge
    may_abandon: bool = False
    may_exit: bool = False

    @property
    def hexes(self) -> tuple[HexIndex, ...]:
        return self.reach.hexes

    @property
    def costs(self) -> tuple[Movement, ...]:
        return self.reach.costs

    @property
    def previous(self) -> tuple[HexIndex, ...]:
        return self.reach.previous

    @property
    def marks(self) -> tuple[int, ...]:
        return self.reach.marks


@dataclass(frozen=True, slots=True)
class PlacementOption:
    unit: UnitIndex
    hexes: tuple[HexIndex, ...]


@dataclass(frozen=True, slots=True)
class PointsOption:
    kind: ImpulseKind
    least: int
    most: int


@dataclass(frozen=True, slots=True)
class ReplacementOption:
    """`most` points may be added; `hexes` where a destroyed unit may be rebuilt."""

    unit: UnitIndex
    most: int
    hexes: tuple[HexIndex, ...]


@dataclass(frozen=True, slots=True)
class BarrageOption:
    """A unit that may fire a barrage: each hex it may fire at, the value there, if observed."""

    unit: UnitIndex
    hexes: tuple[HexIndex, ...]
    values: tuple[FireValue, ...]
    observed: tuple[bool, ...]


@dataclass(frozen=True, slots=True)
class TargetOption:
    """A unit that may be fired at. `afv` takes antitank fire, all others conventional fire."""

    unit: UnitIndex
    defence: FireValue
    afv: bool


@dataclass(frozen=True, slots=True)
class FirerOption:
    """A unit that fires in the hex, and its values. `choice`: a weapons unit that may do either."""

    unit: UnitIndex
    conventional: FireValue
    antitank: FireValue
    choice: bool


@dataclass(frozen=True, slots=True)
class SupportOption:
    """`value` at the intensity that would be paid for, `low` without."""

    unit: UnitIndex
    stack: HexIndex
    value: FireValue
    low: FireValue


@dataclass(frozen=True, slots=True)
class FireOption:
    """Fire in one assaulted hex. `bunker` is the bunker's own value, of both kinds (WD 19)."""

    hex: HexIndex
    firers: tuple[FirerOption, ...]
    targets: tuple[TargetOption, ...]
    support: tuple[SupportOption, ...]
    headquarters: tuple[str, ...]
    bunker: FireValue


@dataclass(frozen=True, slots=True)
class RetreatOption:
    """`paths` are legal routes, best first; empty if the unit has no legal end."""

    unit: UnitIndex
    hex: HexIndex
    paths: tuple[tuple[HexIndex, ...], ...]


@dataclass(frozen=True, slots=True)
class HexUnitsOption:
    """Units that may advance into a hex."""

    hex: HexIndex
    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class LossOption:
    """[WD 25.2] A listed loss that must be divided among `units`, or among bunkers in `hexes`."""

    formation: str
    kind: str
    points: int
    units: tuple[UnitIndex, ...]
    hexes: tuple[HexIndex, ...] = ()


@dataclass(frozen=True, slots=True)
class PursuitOption:
    """Ski units that may follow into `hex`, and the hexes they may assault from there."""

    hex: HexIndex
    units: tuple[UnitIndex, ...]
    targets: tuple[HexIndex, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """Everything legal for the pending decision, factored: each item alone is accepted."""

    decision: Decision
    placements: tuple[PlacementOption, ...] = ()
    may_sustain: bool = False
    replacements: tuple[ReplacementOption, ...] = ()
    repairs: tuple[UnitIndex, ...] = ()
    declarations: tuple[PointsOption, ...] = ()
    units: tuple[UnitOptions, ...] = ()
    withdrawals: tuple[PlacementOption, ...] = ()
    pursuits: tuple[PursuitOption, ...] = ()
    barrages: tuple[BarrageOption, ...] = ()
    full_rockets: tuple[Pool, ...] = ()
    fires: tuple[FireOption, ...] = ()
    high_intensity: tuple[Pool, ...] = ()
    retreats: tuple[RetreatOption, ...] = ()
    advances: tuple[HexUnitsOption, ...] = ()
    losses: tuple[LossOption, ...] = ()
    refits: tuple[str, ...] = ()
    bridges: tuple[PlacementOption, ...] = ()


@dataclass(frozen=True, slots=True)
class Receipt:
    """Orders as understood: movement each unit spends, supply points each pool would spend."""

    units: tuple[UnitIndex, ...] = ()
    spent: tuple[Movement, ...] = ()
    supply: tuple[int, int, int] = (0, 0, 0)

