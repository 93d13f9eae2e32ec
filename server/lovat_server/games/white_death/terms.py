"""The words of the game as numbers: sides, mobility, weather, classes, decisions."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Final

MP: Final = 120
"""One movement point; every movement cost is an integer number of 1/120 MP."""

FP: Final = 8
"""One fire point; every fire and defence value is an integer number of 1/8 point."""


class Side(IntEnum):
    SOVIET = 0
    GERMAN = 1

    @property
    def enemy(self) -> Side:
        return _ENEMIES[self]


_ENEMIES: Final = (Side.GERMAN, Side.SOVIET)


class Pool(IntEnum):
    """The three supply pools (WD 15.D)."""

    SOVIET = 0
    GERMAN = 1
    VELIKIYE_LUKI = 2


class Mobility(IntEnum):
    SKI = 0
    LEG = 1
    DRAFT = 2
    WHEEL = 3
    TRACK = 4
    MOTORCYCLE = 5
    HORSE = 6


class Kind(IntEnum):
    """The four kinds of target (WD 9.C.2)."""

    PERSONNEL = 0
    LIGHT_WEAPONS = 1
    HEAVY_WEAPONS = 2
    AFV = 3

    @property
    def is_weapons(self) -> bool:
        return self in WEAPONS


WEAPONS: Final = frozenset((Kind.LIGHT_WEAPONS, Kind.HEAVY_WEAPONS))


class Size(IntEnum):
    COMPANY = 1
    BATTALION = 2
    REGIMENT = 3
    BRIGADE = 4


class Weather(IntEnum):
    FROST = 0
    THAW = 1
    SNOW = 2


class ImpulseKind(IntEnum):
    NONE = 0
    ACTION = 1
    PASS = 2


class Status(IntEnum):
    """What a unit has become or done: bits of `UnitState.status`, combined as plain integers."""

    NONE = 0
    DEPLOYED = 1        # may fire indirectly (WD 6.B.2); shown to the enemy who observes it
    ISOLATED = 2        # fixed at the start of the impulse (WD 15.C, E.15)
    SUPPLIED = 4        # artillery traces supply; fixed at the start of the impulse (WD 15.B)
    BARRAGED = 8        # fired a barrage this impulse (WD 11.B.1)
    SHAKEN = 16         # failed morale by barrage: no defensive fire this impulse (WD 14.B.1)
    HALTED = 32         # failed morale by defensive fire: no assault this impulse (WD 14.B.2)
    BRIDGED = 64        # has built its one bridge (WD 20.B)
    ABANDONED = 128     # has abandoned its equipment (WD 23)
    WITHHELD = 256      # an optional unit not received, or not yet (WD 17.F, Notes.IV)


IMPULSE_STATUS: Final = Status.BARRAGED | Status.SHAKEN | Status.HALTED
"""What the end of an impulse clears."""


TRACED: Final = Status.ISOLATED | Status.SUPPLIED
"""What is fixed at the start of an impulse (WD E.15)."""


FLEETING: Final = IMPULSE_STATUS | TRACED


class DecisionKind(IntEnum):
    """What the position waits for."""

    NONE = 0
    SET_UP = 1
    SUSTAIN_GARRISON = 2      # buy Velikiye Luki out of isolation for the turn (WD 15.D.2)
    REPLACE = 3               # replacements and AFV repair (WD 18)
    DECLARE_IMPULSE = 4
    MOVE_AND_DECLARE = 5
    RETREAT_BEFORE_COMBAT = 6  # ski units (WD E.21-E)
    PURSUE = 7                # assaulting ski units follow (WD E.21-E)
    BARRAGE = 8
    DEFENSIVE_FIRE = 9
    ASSAULT_FIRE = 10
    RETREAT = 11
    ADVANCE = 12
    GAME_OVER = 13
    DISTRIBUTE_LOSSES = 14    # losses to date (WD 25.2)
    REFIT = 15                # one tank brigade on turn 10 (WD 18)


class Cause(IntEnum):
    """Why strength was lost, or a morale check was called for."""

    NONE = 0
    CONVENTIONAL = 1
    ANTITANK = 2
    BARRAGE = 3
    ROUT = 4
    RETREAT_THROUGH_ZONE = 5
    NO_RETREAT = 6
    ICE = 7
    STACKING = 8
    TANK_FRIGHT = 9
    TO_DATE = 10


class Phase(IntEnum):
    """The phase of an impulse a fire belongs to (WD 5)."""

    NONE = 0
    MOVEMENT = 1
    BARRAGE = 2
    DEFENSIVE_FIRE = 3
    ASSAULT = 4


class MoraleResult(IntEnum):
    PASSED = 0
    FAILED = 1
    ROUTED = 2


UnitIndex = Annotated[int, "unit"]
"""Place of a unit in the catalog."""

HexIndex = Annotated[int, "hex"]
"""Index of a hex in the grid; -1 is off the map."""

OFF_MAP: Final = -1

FireValue = Annotated[int, "fire"]
"""Fire or defence value in 1/8 point."""

Movement = Annotated[int, "movement"]
"""Movement points in 1/120 MP."""
