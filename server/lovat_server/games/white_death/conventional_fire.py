"""[WD 9, 12] Conventional fire: values, odds, the fall of one shot.

Every value is in eighths of a point (`terms.FP`), so that nothing is ever rounded but odds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from . import morale
from .battle import Battle
from .events import ConventionalFired
from .position import Position, momentary
from .terms import FP, Cause, Kind, Phase, Status


class Multiplier(NamedTuple):
    """What a clause multiplies a fire value by."""

    clause: str
    name: str
    numerator: int
    denominator: int


CLOSE_COMBAT = Multiplier("WD 21.A", "close combat", 2, 1)
DOWN_SLOPE = Multiplier("WD 12.B", "down a slope", 2, 1)
ISOLATED = Multiplier("WD 15.C", "isolated", 1, 2)


def kind_of(position: Position, index: int) -> Kind:
    """[WD 9.C.2, 23] The kind of target; weapons that were abandoned leave personnel."""
    kind = position.catalog.units[index].kind
    if position.units[index].status & Status.ABANDONED and kind.is_weapons:
        return Kind.PERSONNEL
    return kind


def conventional_factor(position: Position, index: int) -> int:
    """[WD 9.C.1, 23] Printed factor, or 1 once the equipment is abandoned."""
    if position.units[index].status & Status.ABANDONED:
        return FP
    return position.catalog.units[index].conventional


def is_defensive_only(position: Position, index: int) -> bool:
    """[WD 9.A, 23] The factor is in parentheses: no fire in an assault."""
    abandoned = bool(position.units[index].status & Status.ABANDONED)
    return abandoned or position.catalog.units[index].defensive_only


def is_close_terrain(position: Position, hex_: int) -> bool:
    """[WD 21.A] A town or forest hex."""
    field = position.catalog.map
    return bool((field.town | field.forest) >> hex_ & 1)


def is_down_slope(position: Position, start: int, end: int) -> bool:
    """[WD 12.B] The hexes are adjacent and fire from the first to the second goes down."""
    direction = position.catalog.map.grid.direction(start, end)
    return direction is not None and bool(position.catalog.map.down[direction] >> start & 1)


def multipliers(position: Position, index: int, *, assaulted: int,
                into: int | None = None) -> tuple[Multiplier, ...]:
    """[WD 12.B, 15.C, 21.A] All that multiplies a unit's own fire, as `unit_value`."""
    unit = position.units[index]
    found = []
    close = is_close_terrain(position, unit.hex) or is_close_terrain(position, assaulted)
    if close and "close_combat" in position.catalog.units[index].traits:
        found.append(CLOSE_COMBAT)
    if into is not None and is_down_slope(position, unit.hex, into):
        found.append(DOWN_SLOPE)
    if unit.status & Status.ISOLATED:
        found.append(ISOLATED)
    return tuple(found)


def multiplied(value: int, factors: Sequence[Multiplier]) -> int:
    """A value in eighths with all its multipliers."""
    for factor in factors:
        value = value * factor.numerator // factor.denominator
    return value


def unit_value(position: Position, index: int, factor: int, *, assaulted: int,
               into: int | None = None) -> int:
    """[WD 9.C.1, 10.C.1, 12.B, 15.C, 21.A] Factor times strength with all that multiplies it.

    `assaulted` is the hex under assault, the unit's own when it defends. `into` is the hex it
    fires at; without it slopes are left out.
    """
    # NOTE(WD 15.C): the halves stay exact: printed factors are whole quarters.
    return multiplied(factor * position.units[index].strength,
                      multipliers(position, index, assaulted=assaulted, into=into))


def combat_value(position: Position, index: int, *, assaulted: int,
                 into: int | None = None) -> int:
    """[WD 9.C.1] What a unit adds to conventional fire, whatever the phase allows it."""
    factor = conventional_factor(position, index)
    return unit_value(position, index, factor, assaulted=assaulted, into=into)


def terrain_rows(position: Position, hex_: int) -> tuple[str, ...]:
    """[WD 12] The rows of the defence chart that a hex offers, bunkers left out."""
    field, bit = position.catalog.map, 1 << hex_
    rows = []
    if field.town & bit:
        rows.append("town")
    if field.river & bit:
        rows.append("river")
    # NOTE(WD 12): forest with a creek is a printed row of its own, not the better of the two.
    if field.forest & bit:
        rows.append("forest_creek" if field.creek & bit else "forest")
    elif field.creek & bit:
        rows.append("creek")
    return tuple(rows) or ("clear",)


def is_assaulting(position: Position, index: int) -> bool:
    """[WD 12.D, 14.C.6] The unit was declared to assault this impulse."""
    return any(index in assault.units for assault in position.assaults)


def is_charging(position: Position, index: int) -> bool:
    """[WD 24] The unit was declared to charge mounted this impulse."""
    return index in _charging(position)


@momentary
def _charging(position: Position) -> frozenset[int]:
    return frozenset(index for assault in position.assaults for index in assault.charge)


def defence_row(position: Position, index: int) -> str:
    """[WD 12, 12.D, 19] The row of the defence chart that is best for a unit other than an AFV.

    A bunker helps no unit that assaults out of it.
    """
    hex_, kind = position.units[index].hex, kind_of(position, index)
    rows = terrain_rows(position, hex_)
    if position.bunker_at(hex_) is not None and not is_assaulting(position, index):
        rows = (*rows, "bunker")
    chart = position.catalog.charts.defence
    return max(rows, key=lambda row: chart[row][kind])


def defence_value(position: Position, index: int) -> int:
    """[WD 9.C.2, 12, 12.D, 19, 24, Chart.terrain] Defence of a unit other than an AFV.

    The best row for the unit counts alone; a mounted charge halves it.
    """
    row, kind = defence_row(position, index), kind_of(position, index)
    value = position.catalog.charts.defence[row][kind] * FP
    return value // 2 if is_charging(position, index) else value


def column(position: Position, value: int, defence: int) -> int | None:
    """[WD 9.C.3, Chart.conventional] The column that the odds reach, None under 1 to 3."""
    return position.catalog.charts.conventional.column(value, defence)


def most_lost(strength: int) -> int:
    """[WD 9.C.4, 11.B.2.b] The most one fire takes: half rounded down, a last point whole."""
    return 1 if strength == 1 else strength // 2


def loss(strength: int, result: int) -> int:
    """[WD 9.C.4] Strength points that a result of MC `result` takes from a unit."""
    return min(result, most_lost(strength))


def harm(position: Position, target: int, place: int, die: int) -> morale.Harm | None:
    """[WD 9.C.4] What a die in a column does to a unit, None for no effect."""
    cell = position.catalog.charts.conventional.result(place, die)
    if cell is None:
        return None
    # NOTE(WD 9.C.4): the check is at the printed number, lost or not.
    return morale.Harm(Cause.CONVENTIONAL, loss(position.units[target].strength, cell[0]), cell[0])


def resolve(battle: Battle, phase: Phase, firers: Sequence[int], target: int, value: int, *,
            fright: str = "") -> bool:
    """[WD 9.C.3-5, 14.A.3, Chart.conventional] One shot. True if it called for a morale check.

    `fright` is the clause of the fright the target is subject to besides, if any. No die falls
    under 1 to 3.
    """
    table = battle.catalog.charts.conventional
    defence = defence_value(battle, target)
    place = table.column(value, defence)
    if place is None:
        battle.record(ConventionalFired(phase, tuple(firers), target, value, defence, "", 0, -1))
        return False
    die = battle.dice.roll()
    found = harm(battle, target, place, die)
    battle.record(ConventionalFired(phase, tuple(firers), target, value, defence,
                                    table.names[place], die,
                                    -1 if found is None else found.number))
    if found is None:
        return False
    morale.take(battle, target, found, phase, fright=fright)
    return True
