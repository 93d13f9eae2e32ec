"""What a preview of combat says: values with their reasons, and exact chances of each result.

Chances are exact fractions. Values are eighths of a point, as everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction

from .events import Modifier
from .terms import FireValue, HexIndex, Phase, UnitIndex


class Outcome(IntEnum):
    """What becomes of a unit in one phase; the last that holds."""

    NONE = 0          # it checks no morale; it may have lost strength
    PASSED = 1
    FAILED = 2
    ROUTED = 3        # it must retreat; the point lost to the rout is in the loss
    ELIMINATED = 4    # by the fire, or by the point lost to its own rout


class FireKind(IntEnum):
    """In what way a unit fires."""

    NONE = 0
    CONVENTIONAL = 1
    ANTITANK = 2
    SUPPORT = 3
    BARRAGE = 4
    BUNKER = 5        # the bunker's own fire, of both kinds


@dataclass(frozen=True, slots=True)
class Factor:
    """What a clause multiplies a fire value by, as a fraction."""

    clause: str
    name: str
    numerator: int
    denominator: int


@dataclass(frozen=True, slots=True)
class FirerPreview:
    """A unit that fires: `factor` for each of its strength points, times `factors`, is `value`.

    Defenders' `value` is that on the level; a target down the slope says so itself. `unit` is -1
    for a bunker, and `hex` is where the firer stands.
    """

    unit: int
    hex: HexIndex
    kind: FireKind
    factor: FireValue
    strength: int
    factors: tuple[Factor, ...]
    value: FireValue


@dataclass(frozen=True, slots=True)
class AttackPreview:
    """One die: `column` as printed, "" below the table; `modifiers` are added to the die."""

    value: FireValue
    defence: FireValue
    column: str
    modifiers: tuple[Modifier, ...] = ()


@dataclass(frozen=True, slots=True)
class Volley:
    """The attacks on one target in one phase, and the chance that it is these.

    The chance is 1 but for the assault after a defensive fire whose dice are still to fall.
    """

    chance: Fraction
    attacks: tuple[AttackPreview, ...]


@dataclass(frozen=True, slots=True)
class ResultChance:
    """`lost` strength points in the phase, and what became of the unit."""

    lost: int
    outcome: Outcome
    chance: Fraction


@dataclass(frozen=True, slots=True)
class TargetPreview:
    """One unit that is fired at, or that fright makes check its morale.

    `defences` add up to its defence value, `conditions` are added to every check of its morale;
    the result itself and units lost or routed before in its hex come on top. `below` says that
    units fire down a slope at it, for double.
    """

    unit: UnitIndex
    strength: int
    defences: tuple[Modifier, ...]
    below: bool
    morale: int
    conditions: tuple[Modifier, ...]
    volleys: tuple[Volley, ...]
    results: tuple[ResultChance, ...]
    expected_loss: Fraction


@dataclass(frozen=True, slots=True)
class BunkerPreview:
    """The bunker of a barraged hex: the chance of each loss."""

    strength: int
    attacks: tuple[AttackPreview, ...]
    results: tuple[ResultChance, ...]
    expected_loss: Fraction
    destroyed: Fraction


@dataclass(frozen=True, slots=True)
class FirePreview:
    """All fire of one side at one hex in one phase; `bunkers` has the bunker fired at, if any."""

    phase: Phase
    firers: tuple[FirerPreview, ...]
    targets: tuple[TargetPreview, ...]
    bunkers: tuple[BunkerPreview, ...]
    expected_loss: Fraction


@dataclass(frozen=True, slots=True)
class HexPreview:
    """Everything asked about that happens over one hex.

    `vacated`: no defender is left in it or stays, and after an assault some unit may enter.
    `repelled`: nobody assaults it any more after the defensive fire. `unknown`: the side that
    asks may not see what is in it, nothing else is said. `truncated`: the assault fire has more
    cases than are counted out and is left out, `vacated` with it; the rest is exact.
    """

    hex: HexIndex
    fires: tuple[FirePreview, ...] = ()
    vacated: Fraction = Fraction(0)
    repelled: Fraction = Fraction(0)
    attacker_loss: Fraction = Fraction(0)
    defender_loss: Fraction = Fraction(0)
    unknown: bool = False
    truncated: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """`uncertain_movement`: dice of the movement decide first; it is taken as if none went wrong.
    """

    hexes: tuple[HexPreview, ...] = ()
    uncertain_movement: bool = False
