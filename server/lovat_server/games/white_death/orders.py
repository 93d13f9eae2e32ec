"""[WD 5] The orders that answer each decision. Units and hexes are indices of the catalog."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum

from .terms import FireValue, HexIndex, ImpulseKind, Pool, UnitIndex


@dataclass(frozen=True, slots=True)
class Placement:
    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class Casualty:
    unit: UnitIndex
    points: int


@dataclass(frozen=True, slots=True)
class BunkerCasualty:
    hex: HexIndex
    points: int


@dataclass(frozen=True, slots=True)
class DistributeLosses:
    """[WD 25.2] Losses to date among the units listed; `standard` takes the documented way."""

    casualties: tuple[Casualty, ...] = ()
    bunkers: tuple[BunkerCasualty, ...] = ()
    standard: bool = False


@dataclass(frozen=True, slots=True)
class SetUp:
    """[WD 25] Where every unit to be set up stands; `standard` takes the documented set-up.

    `bridges` are those that the scenario lets engineer units begin with, each in a river hex.
    """

    placements: tuple[Placement, ...] = ()
    bridges: tuple[Placement, ...] = ()
    standard: bool = False


@dataclass(frozen=True, slots=True)
class SustainGarrison:
    """[WD 15.D.2] Spend a point of Velikiye Luki's own supply to avoid isolation this turn?"""

    spend: bool = False


@dataclass(frozen=True, slots=True)
class Replacement:
    """`points` added to a personnel unit; `hex` says where a destroyed unit is rebuilt."""

    unit: UnitIndex
    points: int
    hex: HexIndex = -1


@dataclass(frozen=True, slots=True)
class Replace:
    """[WD 18] Replacement points and the AFV units that are repaired by one."""

    replacements: tuple[Replacement, ...] = ()
    repairs: tuple[UnitIndex, ...] = ()


@dataclass(frozen=True, slots=True)
class Refit:
    """[WD 18] The tank brigade (its `division` mark) that is refitted, "" for none."""

    brigade: str = ""


@dataclass(frozen=True, slots=True)
class DeclareImpulse:
    """[WD 5] Points spent in the impulse, and whether it is an action or a pass."""

    points: int
    kind: ImpulseKind = ImpulseKind.ACTION


@dataclass(frozen=True, slots=True)
class March:
    """[WD 6.A] Units that move together along `path`, the hex they start from left out.

    A unit still outside enters by the first hex (WD 17.C). `pay_to_leave` has AFV units that
    began in an enemy zone pay 1 MP to leave it unfired at (WD 3.A).
    """

    units: tuple[UnitIndex, ...]
    path: tuple[HexIndex, ...]
    pay_to_leave: bool = False


@dataclass(frozen=True, slots=True)
class Rail:
    """[WD 8] Units that entrain where they stand and detrain at `destination`."""

    units: tuple[UnitIndex, ...]
    destination: HexIndex


@dataclass(frozen=True, slots=True)
class Deploy:
    """[WD 6.B.2]"""

    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class BuildBridge:
    """[WD 20.B] In the river hex where the unit stands."""

    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class DestroyBridge:
    """[WD 20.A] In the hex where the unit stands."""

    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class Arrange:
    """[WD 4.C] The owner's order of a stack, top first; every unit of the hex is named."""

    hex: HexIndex
    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class Abandon:
    """[WD 23] Weapons units that leave their equipment behind."""

    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class Exit:
    """[WD 23] Units without equipment that leave the map at a friendly entry area."""

    units: tuple[UnitIndex, ...]


Action = March | Rail | Deploy | BuildBridge | DestroyBridge | Arrange | Abandon | Exit


@dataclass(frozen=True, slots=True)
class Assault:
    """[WD 6.B.3] Units that assault an adjacent hex, each for 1 MP.

    `charge` are those of them that charge mounted (WD 24).
    """

    hex: HexIndex
    units: tuple[UnitIndex, ...]
    charge: tuple[UnitIndex, ...] = ()


@dataclass(frozen=True, slots=True)
class MoveAndDeclare:
    """[WD 5.2] Actions in the order they are done, then every assault of the impulse."""

    actions: tuple[Action, ...] = ()
    assaults: tuple[Assault, ...] = ()


@dataclass(frozen=True, slots=True)
class Withdrawal:
    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class RetreatBeforeCombat:
    """[WD E.21-E] Ski units that leave before the assault, one hex each."""

    withdrawals: tuple[Withdrawal, ...] = ()


@dataclass(frozen=True, slots=True)
class Pursuit:
    """Units that follow into the vacated `hex` and assault `target` from there."""

    hex: HexIndex
    units: tuple[UnitIndex, ...]
    target: HexIndex


@dataclass(frozen=True, slots=True)
class Pursue:
    """[WD E.21-E] Assaulting ski units that follow into a hex left before combat."""

    pursuits: tuple[Pursuit, ...] = ()


@dataclass(frozen=True, slots=True)
class BarrageFire:
    """[WD 11.B] Units that fire at one hex; `attacks` splits their value, empty for one attack."""

    hex: HexIndex
    units: tuple[UnitIndex, ...]
    attacks: tuple[FireValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Barrage:
    """[WD 11.B, 15.A] `full_rockets` names the pools that pay the third point for rockets."""

    fires: tuple[BarrageFire, ...] = ()
    full_rockets: tuple[Pool, ...] = ()


@dataclass(frozen=True, slots=True)
class Shot:
    """Part of the fire into a hex, directed at one unit."""

    target: UnitIndex
    value: FireValue


@dataclass(frozen=True, slots=True)
class Support:
    """[WD 11.A] An artillery unit that supports the friendly stack in `stack`."""

    unit: UnitIndex
    stack: HexIndex


@dataclass(frozen=True, slots=True)
class Fire:
    """All fire of one side in one assaulted hex, in the order it is resolved.

    `hex` is the assaulted hex, for either side. Every unit that may fire does; weapons units
    fire conventionally unless named in `antitank_weapons` (WD 10.D) or as support.
    `headquarters` is the controlling division or brigade, "" where none need be named (WD 11.A.1).
    """

    hex: HexIndex
    conventional: tuple[Shot, ...] = ()
    antitank: tuple[Shot, ...] = ()
    antitank_weapons: tuple[UnitIndex, ...] = ()
    support: tuple[Support, ...] = ()
    headquarters: str = ""


@dataclass(frozen=True, slots=True)
class DefensiveFire:
    """[WD 9.A, 10.A, 15.A.4] `high_intensity` names the pools that pay for printed support."""

    fires: tuple[Fire, ...] = ()
    high_intensity: tuple[Pool, ...] = ()


@dataclass(frozen=True, slots=True)
class AssaultFire:
    """[WD 9.A, 10.A]"""

    fires: tuple[Fire, ...] = ()


@dataclass(frozen=True, slots=True)
class Route:
    """A retreat, the hex it starts from left out; empty if no legal end exists."""

    unit: UnitIndex
    path: tuple[HexIndex, ...]


@dataclass(frozen=True, slots=True)
class Retreat:
    """[WD 14.B] A route for every unit that must retreat; `abandon` leaves equipment (WD 23)."""

    routes: tuple[Route, ...] = ()
    abandon: tuple[UnitIndex, ...] = ()


@dataclass(frozen=True, slots=True)
class Occupation:
    hex: HexIndex
    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class Advance:
    """[WD 9.D, 10.E, E.11-C, E.19] Assaulting units that occupy vacated hexes."""

    occupations: tuple[Occupation, ...] = ()


Order = (
    DistributeLosses | SetUp | Refit | SustainGarrison | Replace | DeclareImpulse
    | MoveAndDeclare | RetreatBeforeCombat | Pursue | Barrage | DefensiveFire | AssaultFire
    | Retreat | Advance
)


class FirePolicy(IntEnum):
    """How the server apportions fire that the owner leaves to it."""

    HIGHEST_LOSS = 0     # highest expected loss; ties to fewer attacks
    EVEN = 1             # the same odds on every target; one attack at a leaving AFV


class Choice(IntEnum):
    """A yes or no left to the server."""

    DEFAULT = 0
    NEVER = 1
    ALWAYS = 2


@dataclass(frozen=True, slots=True)
class StandingOrders:
    """A side's answer to the small decisions it does not want to be asked about.

    Defaults: fire for the highest loss; high intensity only if it adds fire and a point is left;
    no ski withdrawal; pursue; advance with as many units as may stack; sustain an isolated city.
    """

    fire: FirePolicy = FirePolicy.HIGHEST_LOSS
    high_intensity: Choice = Choice.DEFAULT
    withdraw: Choice = Choice.DEFAULT
    pursue: Choice = Choice.DEFAULT
    advance: Choice = Choice.DEFAULT
    sustain: Choice = Choice.DEFAULT
