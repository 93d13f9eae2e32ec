"""[WD 11.A] Artillery: deployed, in range, in support of a stack."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lovat_server.core.violations import Reason

from .conventional_fire import Multiplier, multiplied
from .position import Position, momentary
from .supply import artillery_of
from .terms import FP, Phase, Side, Status
from .wording import hex_name, unit_name

LOW_SUPPORT = 1
SUPPORT_FAR = Multiplier("WD 11.A.2", "beyond half range", 1, 2)


class Refusal(NamedTuple):
    """Why a unit may not fire indirectly."""

    reason: Reason
    clause: str
    message: str


def is_beyond_half(position: Position, index: int, distance: int) -> bool:
    """[WD 11.A.2, 11.B.2.a] Farther than half of the printed range."""
    return 2 * distance > position.catalog.units[index].range


def distance_to(position: Position, index: int, hex_: int) -> int:
    return position.catalog.map.grid.distance(position.units[index].hex, hex_)


@momentary
def deployed(position: Position, side: Side) -> tuple[int, ...]:
    """[WD 6.B.2] Units of a side that are deployed on the map, in catalog order."""
    units, stands = position.units, Status.DEPLOYED
    return tuple([index for index in artillery_of(position.catalog, side)
                  if units[index].status & stands and units[index].hex >= 0])


def indirect_refusal(position: Position, index: int) -> Refusal | None:
    """[WD 11, 6.B.2, 23] What support and barrage ask alike: artillery, on the map, deployed."""
    printed, unit = position.catalog.units[index], position.units[index]
    if unit.hex < 0 or unit.strength == 0:
        return _refused(position, index, Reason.NOT_AVAILABLE, "WD 11", "is not on the map.")
    if not printed.is_artillery:
        return _refused(position, index, Reason.FIRER, "WD 11", "is not artillery.")
    if unit.status & Status.ABANDONED:
        return _refused(position, index, Reason.FIRER, "WD 23", "has abandoned its equipment.")
    if not unit.status & Status.DEPLOYED:
        return _refused(position, index, Reason.DEPLOYMENT, "WD 6.B.2",
                        "is not deployed and may not fire indirectly.")
    return None


def _refused(position: Position, index: int, reason: Reason, clause: str, why: str) -> Refusal:
    return Refusal(reason, clause, f"{unit_name(position.catalog, index)} {why}")


def range_refusal(position: Position, index: int, hex_: int, clause: str) -> Refusal | None:
    distance, range_ = distance_to(position, index, hex_), position.catalog.units[index].range
    if distance <= range_:
        return None
    return Refusal(Reason.RANGE, clause,
                   f"{unit_name(position.catalog, index)} has a range of {range_}; "
                   f"{hex_name(position.catalog, hex_)} is {distance} hexes away.")


def support_refusal(position: Position, index: int, phase: Phase) -> Refusal | None:
    """[WD 11.A, 11.A.1, 11.B.1, 14.B.1] Why a unit may not support any stack now."""
    found = indirect_refusal(position, index)
    if found is not None:
        return found
    unit = position.units[index]
    if position.catalog.units[index].support == 0:
        return _refused(position, index, Reason.FIRER, "WD 11.A.1", "has no support factor.")
    if unit.status & Status.BARRAGED:
        return _refused(position, index, Reason.FIRER, "WD 11.B.1",
                        "has fired a barrage this impulse and may not support.")
    if phase == Phase.DEFENSIVE_FIRE and unit.status & Status.SHAKEN:
        # NOTE(WD 14.B.1): support in the defensive fire phase is defensive fire too.
        return _refused(position, index, Reason.FIRER, "WD 14.B.1",
                        "failed its morale check under barrage: no defensive fire.")
    return None


def stack_refusal(position: Position, index: int, stack: int) -> Refusal | None:
    """[WD 11.A.2] Why a unit that may support does not reach a stack."""
    return range_refusal(position, index, stack, "WD 11.A.2")


def is_own_artillery(position: Position, index: int, headquarters: str) -> bool:
    """[WD 2, 11.A.1] The unit is of the division or brigade of the controlling headquarters."""
    printed = position.catalog.units[index]
    return bool(headquarters) and printed.divisional and printed.division == headquarters


def headquarters_refusal(position: Position, index: int, headquarters: str) -> Refusal | None:
    """[WD 11.A.1] Soviet artillery supports its own division or brigade only."""
    if position.catalog.units[index].side == Side.GERMAN \
            or is_own_artillery(position, index, headquarters):
        return None
    division = position.catalog.units[index].division or "no division"
    return Refusal(
        Reason.HEADQUARTERS, "WD 11.A.1",
        f"{unit_name(position.catalog, index)} of {division} may not support a stack under "
        f"{headquarters or 'no division'}.")


def headquarters_of(position: Position, units: Iterable[int]) -> tuple[str, ...]:
    """[WD 11.A.1] Divisions and brigades among the units of one attack or defence, sorted."""
    printed = position.catalog.units
    return tuple(sorted({printed[index].division for index in units
                         if printed[index].divisional and printed[index].division}))


def support_factor(position: Position, index: int, *, high: bool) -> int:
    """[WD 11.A, 15.A.4, 15.B] Printed factor; 1 out of supply or at low intensity."""
    if not high or not position.units[index].status & Status.SUPPLIED:
        return LOW_SUPPORT
    return position.catalog.units[index].support


def support_multipliers(position: Position, index: int, stack: int) -> tuple[Multiplier, ...]:
    """[WD 11.A.2] What multiplies support of a stack."""
    far = is_beyond_half(position, index, distance_to(position, index, stack))
    return (SUPPORT_FAR,) if far else ()


def support_value(position: Position, index: int, stack: int, *, high: bool) -> int:
    """[WD 11.A.2] Factor times strength, half of it beyond half range; in eighths."""
    value = support_factor(position, index, high=high) * position.units[index].strength * FP
    return multiplied(value, support_multipliers(position, index, stack))
