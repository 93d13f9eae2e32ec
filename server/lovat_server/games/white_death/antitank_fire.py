"""[WD 10] Antitank fire: values, odds, shots at one target, fire at an AFV on the move."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from . import morale
from .battle import Battle
from .catalog import Catalog
from .conventional_fire import is_close_terrain, unit_value
from .events import AntitankFired, MoraleChecked
from .orders import FirePolicy
from .position import Position
from .terms import FP, Cause, MoraleResult, Phase, Status
from .zones import controllers

MOST_ATTACKS = 24
"""The most attacks on one AFV that the server weighs up by itself; an owner may order more."""


def antitank_factor(position: Position, index: int) -> int:
    """[WD 10.C.1, 23] Printed factor, none once the equipment is abandoned."""
    if position.units[index].status & Status.ABANDONED:
        return 0
    return position.catalog.units[index].antitank


def antitank_value(position: Position, index: int, *, assaulted: int,
                   into: int | None = None) -> int:
    """[WD 10.C.1] What a unit adds to antitank fire, fractions kept."""
    factor = antitank_factor(position, index)
    return unit_value(position, index, factor, assaulted=assaulted, into=into)


def defence_value(position: Position, index: int) -> int:
    """[WD 10.C.2, 12.C] Printed defence; one less in or assaulting into a town or forest.

    NOTE(WD 10.C.2): "road/forest" and 12.C's forest are the same hexes, as an AFV reaches a
    forest by road only. Being in one and assaulting another lowers the value once, and it never
    falls below 1.
    """
    printed = position.catalog.units[index].defence
    return max(printed - is_hemmed_in(position, index), 1) * FP


def is_hemmed_in(position: Position, index: int) -> bool:
    """[WD 10.C.2, 12.C] In a town or forest hex, or assaulting into one."""
    hexes = [position.units[index].hex]
    hexes += [assault.hex for assault in position.assaults if index in assault.units]
    return any(is_close_terrain(position, hex_) for hex_ in hexes)


def column(position: Position, value: int, defence: int) -> int | None:
    """[WD 10.C.2, Chart.antitank] The column that the odds reach, None under 1 to 3."""
    return position.catalog.charts.antitank.column(value, defence)


def is_tank_destroyer(position: Position, index: int) -> bool:
    """[WD 21.D]"""
    return "tank_destroyer" in position.catalog.units[index].traits


def harm(position: Position, target: int, hits: int) -> morale.Harm | None:
    """[WD 10.C.3-4] What all hits on an AFV together do to it, None for no hit."""
    lost = min(hits, position.units[target].strength)
    return morale.Harm(Cause.ANTITANK, lost, lost) if hits else None


def resolve(battle: Battle, phase: Phase, firers: Sequence[int], target: int,
            values: Sequence[int], *, fright: str = "") -> bool:
    """[WD 10.C.2-4, 14.A.1, Chart.antitank] Every attack on one AFV, its losses, one check.

    True if a check was called for. No die falls under 1 to 3, nor once the unit is destroyed.
    """
    table = battle.catalog.charts.antitank
    defence = defence_value(battle, target)
    strength, hits = battle.units[target].strength, 0
    for value in values:
        if hits >= strength:
            break
        place = table.column(value, defence)
        name, die, result = "", 0, 0
        if place is not None:
            name, die = table.names[place], battle.dice.roll()
            result = table.result(place, die) or 0
        hits += result
        battle.record(AntitankFired(phase, tuple(firers), target, value, defence, name, die,
                                    result))
    found = harm(battle, target, hits)
    if found is None:
        return False
    morale.take(battle, target, found, phase, fright=fright)
    return True


@lru_cache(maxsize=1 << 12)
def hit_chances(catalog: Catalog, place: int) -> tuple[tuple[int, Fraction], ...]:
    """Chance of each number of hits in a column of the antitank table."""
    rows = catalog.charts.antitank.rows
    counts: dict[int, int] = {}
    for row in rows:
        hits = row[place] or 0
        counts[hits] = counts.get(hits, 0) + 1
    return tuple((hits, Fraction(count, len(rows))) for hits, count in sorted(counts.items()))


@lru_cache(maxsize=1 << 14)
def expected_loss(catalog: Catalog, places: tuple[int, ...], strength: int) -> Fraction:
    """[WD 10.C.3] Exact mean strength lost to attacks in these columns by a unit of `strength`."""
    chances = loss_chances(catalog, places, strength)
    return sum((lost * chance for lost, chance in chances.items()), Fraction(0))


def loss_chances(catalog: Catalog, places: tuple[int, ...], strength: int) -> dict[int, Fraction]:
    """[WD 10.C.3] Chance of each loss by attacks in these columns; no more than `strength`."""
    chances = {0: Fraction(1)}
    for place in places:
        after: dict[int, Fraction] = {}
        for lost, chance in chances.items():
            for hits, part in hit_chances(catalog, place):
                total = min(lost + hits, strength)
                after[total] = after.get(total, Fraction(0)) + chance * part
        chances = after
    return chances


def least_value(catalog: Catalog, place: int, defence: int) -> int:
    """The smallest value that reaches a column of the antitank table."""
    numerator, denominator = catalog.charts.antitank.ratios[place]
    return -(-defence * numerator // denominator)


def best_split(position: Position, target: int, value: int) -> tuple[int, ...]:
    """[WD 10.C.2] A value divided into equal attacks on one AFV for the highest expected loss.

    Fewer attacks where the loss is the same; empty if nothing reaches the table. The first
    attacks take the eighths that do not divide.
    """
    catalog, defence = position.catalog, defence_value(position, target)
    strength = position.units[target].strength
    best: tuple[int, ...] = ()
    highest = Fraction(0)
    most = min(value // least_value(catalog, 0, defence), MOST_ATTACKS)
    for count in range(1, most + 1):
        share, left = divmod(value, count)
        shots = (share + 1,) * left + (share,) * (count - left)
        places = tuple(column(position, shot, defence) or 0 for shot in shots)
        loss = expected_loss(catalog, places, strength)
        if loss > highest:
            best, highest = shots, loss
    return best


def fire_on_leaving(battle: Battle, unit: int, hex_: int) -> bool:
    """[WD 3.A] Enemy units whose zone an AFV is about to leave fire at it in `hex_`.

    All their antitank value is one pool, split as their owner's standing orders say: for the
    highest expected loss, or not at all where fire is to be even. True if the AFV must end its
    movement: it failed its morale check, routed, or is no more.

    NOTE(WD 3.A): tank destroyers are not sheltered by other AFV units here: only the unit that
    leaves may be fired at.
    NOTE(WD 3.A): a unit that only fails ends its movement; it may still assault.
    """
    side = battle.catalog.units[unit].side
    firers, value = [], 0
    for index in controllers(battle, side.enemy, hex_):
        own = battle.units[index].hex
        share = antitank_value(battle, index, assaulted=own, into=hex_)
        if share > 0:
            firers.append(index)
            value += share
    if battle.standing[side.enemy].fire == FirePolicy.EVEN:
        reaches = column(battle, value, defence_value(battle, unit)) is not None
        shots: tuple[int, ...] = (value,) if reaches else ()
    else:
        shots = best_split(battle, unit, value)
    if not shots:
        return False
    start = len(battle.events)
    resolve(battle, Phase.MOVEMENT, firers, unit, shots)
    if battle.units[unit].strength == 0:
        return True
    return any(event.result != MoraleResult.PASSED for event in battle.events[start:]
               if isinstance(event, MoraleChecked))
