"""What happened, one fact an event. Applied in order to a position they give the next one.

Every die is in the event it decided, with its modifiers, so that a client can animate and a
sceptic can check. Fields marked unit, hex, fire and movement are as in `terms`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from .terms import (
    Cause,
    DecisionKind,
    FireValue,
    HexIndex,
    ImpulseKind,
    MoraleResult,
    Movement,
    Phase,
    Pool,
    Side,
    UnitIndex,
    Weather,
)


class Modifier(NamedTuple):
    """What a clause adds to a die roll."""

    clause: str
    name: str
    value: int


@dataclass(frozen=True, slots=True)
class UnitPlaced:
    """[WD 25] Set up."""

    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class ReserveRolled:
    """[WD 17.F] An optional formation; die 0 where it comes without one."""

    formation: str
    die: int
    received: bool
    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class BrigadeRefitted:
    """[WD 18] Out of play and back at full strength on turn `due`; `restored` points were added."""

    brigade: str
    units: tuple[UnitIndex, ...]
    due: int
    restored: int


@dataclass(frozen=True, slots=True)
class EquipmentAbandoned:
    """[WD 23]"""

    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class UnitExited:
    """[WD 23] Off the map to be re-equipped; back from turn `due`."""

    unit: UnitIndex
    hex: HexIndex
    due: int


@dataclass(frozen=True, slots=True)
class TurnBegan:
    turn: int


@dataclass(frozen=True, slots=True)
class WeatherRolled:
    """[WD 16]"""

    die: int
    weather: Weather


@dataclass(frozen=True, slots=True)
class GarrisonRolled:
    """[WD 22] Released if the die is at most `needed`; die 0 where no die was needed."""

    die: int
    needed: int
    released: bool


@dataclass(frozen=True, slots=True)
class TownGarrisonsReleased:
    """[WD 22] Isotcha and Nowossokoljniki."""

    turn: int


@dataclass(frozen=True, slots=True)
class SupplyReceived:
    """[WD 15.D.1] `dice` are those of an airdrop, one for each point due; empty overland."""

    pool: Pool
    due: int
    dice: tuple[int, ...]
    received: int


@dataclass(frozen=True, slots=True)
class ReplacementsReceived:
    """[WD 18]"""

    side: Side
    points: int


@dataclass(frozen=True, slots=True)
class GarrisonSustained:
    """[WD 15.D.2] The city avoids isolation this turn for one of its supply points."""

    points: int


@dataclass(frozen=True, slots=True)
class ImpulseBegan:
    side: Side
    impulse: int


@dataclass(frozen=True, slots=True)
class SupplyTraced:
    """[WD E.15] All units isolated, and all artillery in supply, for the impulse.

    Artillery that waits outside stays in supply there and is named once.
    """

    isolated: tuple[UnitIndex, ...]
    supplied: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class UnitReplaced:
    """[WD 18] `hex` is where a rebuilt unit appears, off the map if it was in play."""

    unit: UnitIndex
    points: int
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class UnitRepaired:
    """[WD 18]"""

    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class ImpulseDeclared:
    side: Side
    points: int
    kind: ImpulseKind


@dataclass(frozen=True, slots=True)
class PhaseBegan:
    """[WD 5]"""

    phase: Phase


@dataclass(frozen=True, slots=True)
class UnitMoved:
    """[WD 6] `path` ends where the unit now is; `start` is off the map for an entry."""

    unit: UnitIndex
    start: HexIndex
    path: tuple[HexIndex, ...]
    cost: Movement


@dataclass(frozen=True, slots=True)
class UnitRailed:
    """[WD 8] `strength` counts against the 25 points of the turn."""

    unit: UnitIndex
    start: HexIndex
    path: tuple[HexIndex, ...]
    strength: int


@dataclass(frozen=True, slots=True)
class UnitStopped:
    """[WD 3.A, 21.C] Movement ended before its order did."""

    unit: UnitIndex
    hex: HexIndex
    clause: str


@dataclass(frozen=True, slots=True)
class IceTested:
    """[WD 13] A 1 loses a strength point."""

    unit: UnitIndex
    start: HexIndex
    end: HexIndex
    die: int


@dataclass(frozen=True, slots=True)
class CommandosTested:
    """[WD 21.C] Discovered if the die less `led` is 1 or under."""

    units: tuple[UnitIndex, ...]
    hex: HexIndex
    die: int
    led: int
    discovered: bool


@dataclass(frozen=True, slots=True)
class UnitDeployed:
    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class BridgeBuilt:
    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class BridgeDestroyed:
    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class StackArranged:
    """[WD 4.C] Top first."""

    hex: HexIndex
    units: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class AssaultDeclared:
    hex: HexIndex
    units: tuple[UnitIndex, ...]
    charge: tuple[UnitIndex, ...]


@dataclass(frozen=True, slots=True)
class SupplySpent:
    """[WD 15.A] `high_intensity` for defensive support, else for assault and barrage."""

    pool: Pool
    points: int
    high_intensity: bool


@dataclass(frozen=True, slots=True)
class UnitWithdrew:
    """[WD E.21-E] Retreat before combat."""

    unit: UnitIndex
    start: HexIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class UnitPursued:
    """[WD E.21-E] The unit assaults `target` from its new hex."""

    unit: UnitIndex
    start: HexIndex
    hex: HexIndex
    target: HexIndex


@dataclass(frozen=True, slots=True)
class ConventionalFired:
    """[WD 9] `column` as printed, "" below the table; `modifier` is n of MCn, -1 for no effect."""

    phase: Phase
    firers: tuple[UnitIndex, ...]
    target: UnitIndex
    value: FireValue
    defence: FireValue
    column: str
    die: int
    modifier: int


@dataclass(frozen=True, slots=True)
class AntitankFired:
    """[WD 10] `hits` is 1 for X, 2 for 2X, 0 for a miss."""

    phase: Phase
    firers: tuple[UnitIndex, ...]
    target: UnitIndex
    value: FireValue
    defence: FireValue
    column: str
    die: int
    hits: int


@dataclass(frozen=True, slots=True)
class BarrageFired:
    """[WD 11.B] One die at one unit of the hex; `hits` before the half-strength limit."""

    firers: tuple[UnitIndex, ...]
    hex: HexIndex
    target: UnitIndex
    value: FireValue
    column: str
    die: int
    modifiers: tuple[Modifier, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class BunkerBarraged:
    """[WD 11.B.2.b, 19] One die at the bunker of the hex."""

    firers: tuple[UnitIndex, ...]
    hex: HexIndex
    value: FireValue
    column: str
    die: int
    modifiers: tuple[Modifier, ...]
    hits: int


@dataclass(frozen=True, slots=True)
class StrengthLost:
    unit: UnitIndex
    points: int
    cause: Cause
    isolated: bool


@dataclass(frozen=True, slots=True)
class UnitEliminated:
    unit: UnitIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class BunkerReduced:
    """[WD 19]"""

    hex: HexIndex
    points: int


@dataclass(frozen=True, slots=True)
class BunkerDestroyed:
    """[WD 19, E.19]"""

    hex: HexIndex
    captured: bool


@dataclass(frozen=True, slots=True)
class MoraleChecked:
    """[WD 14] `dice` are two; passed when dice and modifiers are at most `morale`."""

    unit: UnitIndex
    cause: Cause
    dice: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    morale: int
    result: MoraleResult


@dataclass(frozen=True, slots=True)
class UnitShaken:
    """[WD 14.B.1] No defensive fire this impulse."""

    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class UnitHalted:
    """[WD 14.B.2] No assault this impulse."""

    unit: UnitIndex


@dataclass(frozen=True, slots=True)
class RetreatRequired:
    """[WD 14.B] The owner must retreat the unit two hexes."""

    unit: UnitIndex
    hex: HexIndex
    routed: bool


@dataclass(frozen=True, slots=True)
class UnitRetreated:
    unit: UnitIndex
    start: HexIndex
    path: tuple[HexIndex, ...]
    through_zone: bool


@dataclass(frozen=True, slots=True)
class HexVacated:
    """[WD 9.D] An assaulted hex stands empty and may be occupied."""

    hex: HexIndex


@dataclass(frozen=True, slots=True)
class UnitAdvanced:
    unit: UnitIndex
    start: HexIndex
    hex: HexIndex


@dataclass(frozen=True, slots=True)
class RailroadScored:
    """[WD 25] Victory points of the impulse for towns on the north-south railroad."""

    hexes: tuple[HexIndex, ...]
    points: int


@dataclass(frozen=True, slots=True)
class ImpulseEnded:
    side: Side


@dataclass(frozen=True, slots=True)
class TurnEnded:
    turn: int


@dataclass(frozen=True, slots=True)
class GameEnded:
    """[WD 25]"""

    points: int
    level: str


@dataclass(frozen=True, slots=True)
class DecisionReached:
    """What the position waits for next."""

    kind: DecisionKind
    side: Side


Event = (
    ReserveRolled | BrigadeRefitted | EquipmentAbandoned | UnitExited | UnitPlaced | TurnBegan
    | WeatherRolled | GarrisonRolled | TownGarrisonsReleased | SupplyReceived | ReplacementsReceived
    | GarrisonSustained | ImpulseBegan | SupplyTraced | UnitReplaced | UnitRepaired
    | ImpulseDeclared | PhaseBegan | UnitMoved | UnitRailed | UnitStopped | StackArranged
    | IceTested | CommandosTested | UnitDeployed | BridgeBuilt | BridgeDestroyed | AssaultDeclared
    | SupplySpent | UnitWithdrew | UnitPursued | ConventionalFired | AntitankFired | BarrageFired
    | BunkerBarraged | StrengthLost | UnitEliminated | BunkerReduced | BunkerDestroyed
    | MoraleChecked | UnitShaken | UnitHalted | RetreatRequired | UnitRetreated | HexVacated
    | UnitAdvanced | RailroadScored | ImpulseEnded | TurnEnded | GameEnded | DecisionReached
)
