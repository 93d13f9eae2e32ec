"""[WD 9.C.3, 10.C.2] Apportioning fire that its owner leaves to the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple

from . import antitank_fire, conventional_fire, morale
from .catalog import Catalog
from .conventional_fire import kind_of
from .orders import FirePolicy, Shot
from .position import Position
from .terms import Cause, Kind

_DIE = 6
_TWO_DICE = 36
_UNIT = _DIE ** antitank_fire.MOST_ATTACKS
"""Mean losses are compared as integers in this part of a strength point: that of so many dice."""


class Budget(NamedTuple):
    """Fire that may be apportioned: `own` counts double down a slope, `fixed` never does.

    Fixed are support and bunkers, which have no factor of a firing unit.
    """

    own: int
    fixed: int = 0

    def covers(self, level: int, down: int) -> bool:
        """[WD 9.C.3, 10.C.2, 12.B] Whether shots of these totals, on the level or up and down
        the slope, can all be made. The unit's own fire goes down the slope first."""
        if down <= 2 * self.own:
            return 2 * level + down <= 2 * (self.own + self.fixed)
        return level + down <= 2 * self.own + self.fixed


class Aim(NamedTuple):
    """One way to fire at one target: its shots, their sum and column, the mean loss in `_UNIT`."""

    shots: tuple[int, ...]
    value: int
    column: int
    loss: int


class Target(NamedTuple):
    """A unit to fire at. `sheltered` ones (weapons units, tank destroyers) may not be fired at
    at higher odds than any other of their hex, nor unless all those are. Tank destroyers shelter
    each other too (`mutual`), weapons units do not."""

    unit: int
    hex: int
    down: bool
    sheltered: bool
    mutual: bool
    aims: tuple[Aim, ...]


_Plan = tuple[int, int, int, tuple[int, ...], int, int, tuple[Aim, ...]]
"""Aims at some targets: price, loss, attacks, targets, value on the level and down a slope, aims.

The better of two plans has the smaller items: the loss is negative, and the price counts fire down
a slope half. Thousands are made, so that they have no class of their own.
"""

_NOTHING: _Plan = 0, 0, 0, (), 0, 0, ()
_BY_PRICE = itemgetter(0, 1, 2, 3)
_BY_LOSS = itemgetter(1, 2, 3, 0)


def conventional_targets(position: Position, units: Iterable[int], down: Iterable[int],
                         frights: Mapping[int, str] | None = None) -> tuple[Target, ...]:
    """[WD 9.C.3] Units other than AFVs, with a shot for every column; `down` are hexes below a
    slope, `frights` the clause of the fright a unit is subject to."""
    downs, afraid = set(down), frights or {}
    found = []
    for unit in sorted(units):
        kind = kind_of(position, unit)
        if kind == Kind.AFV:
            continue
        aims = _conventional_aims(
            position.catalog, conventional_fire.defence_value(position, unit),
            _losses_of(position, unit, afraid.get(unit, "")))
        hex_ = position.units[unit].hex
        found.append(Target(unit, hex_, hex_ in downs, kind.is_weapons, False, aims))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _conventional_aims(catalog: Catalog, defence: int, losses: tuple[int, ...]) -> tuple[Aim, ...]:
    ratios = catalog.charts.conventional.ratios
    values = [-(-defence * numerator // denominator) for numerator, denominator in ratios]
    return tuple(Aim((value,), value, place, loss)
                 for place, (value, loss) in enumerate(zip(values, losses, strict=True)))


def conventional_loss(position: Position, unit: int, place: int, *,
                      fright: str = "") -> Fraction:
    """[WD 9.C.4, 14.B] Exact mean strength that one shot in a column costs, routs included.

    Routs are reckoned with the modifiers that hold before the fire.
    """
    return Fraction(_losses_of(position, unit, fright)[place], _UNIT)


def _losses_of(position: Position, unit: int, fright: str) -> tuple[int, ...]:
    """The mean loss in every column, in `_UNIT`."""
    routs = morale.rout_chances(position, unit, Cause.CONVENTIONAL, _results(position.catalog),
                                fright=fright)
    return _column_losses(position.catalog, position.units[unit].strength, routs)


@lru_cache(maxsize=8)
def _results(catalog: Catalog) -> range:
    """The numbers of the MC results, from 0."""
    return range(1 + max(cell[0] for row in catalog.charts.conventional.rows
                         for cell in row if cell is not None))


@lru_cache(maxsize=1 << 12)
def _column_losses(catalog: Catalog, strength: int, routs: tuple[int, ...]) -> tuple[int, ...]:
    """As `_losses_of`; `routs` are the throws of two dice that rout, by the result."""
    table, found = catalog.charts.conventional, []
    for place in range(len(table.ratios)):
        total = 0
        for row in table.rows:
            cell = row[place]
            if cell is None:
                continue
            lost = conventional_fire.loss(strength, cell[0])
            total += lost * _TWO_DICE + (routs[cell[0]] if lost < strength else 0)
        found.append(total * (_UNIT // (_DIE * _TWO_DICE)))
    return tuple(found)


def antitank_targets(position: Position, units: Iterable[int], down: Iterable[int],
                     most: int) -> tuple[Target, ...]:
    """[WD 10.C.2] AFVs, with every number of equal attacks in every column up to `most` value."""
    downs = set(down)
    found = []
    for unit in sorted(units):
        if kind_of(position, unit) != Kind.AFV:
            continue
        aims = _antitank_aims(position.catalog, antitank_fire.defence_value(position, unit),
                              position.units[unit].strength, most)
        hex_ = position.units[unit].hex
        destroyer = antitank_fire.is_tank_destroyer(position, unit)
        found.append(Target(unit, hex_, hex_ in downs, destroyer, destroyer, aims))
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def _antitank_aims(catalog: Catalog, defence: int, strength: int, most: int) -> tuple[Aim, ...]:
    aims = []
    for place in range(len(catalog.charts.antitank.ratios)):
        value = antitank_fire.least_value(catalog, place, defence)
        best = Fraction(0)
        for count in range(1, min(most // value, antitank_fire.MOST_ATTACKS) + 1):
            loss = antitank_fire.expected_loss(catalog, (place,) * count, strength)
            if loss <= best:
                break
            best = loss
            aims.append(Aim((value,) * count, value * count, place, int(_UNIT * loss)))
    return tuple(aims)


def apportion(targets: Sequence[Target], budget: Budget, policy: FirePolicy) -> tuple[Shot, ...]:
    """[WD 9.C.3, 10.C.2, 21.D] Shots by a policy, in catalog order of their targets.

    HIGHEST_LOSS takes the highest exact mean loss, fewer attacks where it is the same, then the
    earlier unit of the catalog. EVEN takes the highest column that every target can be given;
    where even the lowest is too dear it falls back on the other policy.
    """
    if policy == FirePolicy.EVEN:
        even = _even(targets, budget)
        if even is not None:
            return even
    plans = [_NOTHING]
    for group in _by_hex(targets):
        plans = _prune(_joined(plans, _group_plans(group, budget), budget))
    _, _, _, units, _, _, aims = min(plans, key=_BY_LOSS)
    return tuple(Shot(unit, value)
                 for unit, aim in sorted(zip(units, aims, strict=True)) for value in aim.shots)


def _even(targets: Sequence[Target], budget: Budget) -> tuple[Shot, ...] | None:
    if not targets:
        return ()
    places = {aim.column for target in targets for aim in target.aims if len(aim.shots) == 1}
    for place in sorted(places, reverse=True):
        shots, level, down = [], 0, 0
        for target in targets:
            values = [aim.shots[0] for aim in target.aims
                      if aim.column == place and len(aim.shots) == 1]
            if not values:
                break
            shots.append(Shot(target.unit, values[0]))
            if target.down:
                down += values[0]
            else:
                level += values[0]
        if len(shots) == len(targets) and budget.covers(level, down):
            return tuple(shots)
    return None


def _by_hex(targets: Sequence[Target]) -> list[list[Target]]:
    groups: dict[int, list[Target]] = {}
    for target in targets:
        groups.setdefault(target.hex, []).append(target)
    return list(groups.values())


def _group_plans(group: Sequence[Target], budget: Budget) -> list[_Plan]:
    """Every plan for one hex that is not worse than another, within the limits of its units."""
    leaders = [target for target in group if not target.sheltered]
    others = [target for target in group if target.sheltered]
    plans = _combine(leaders, budget, 0, None, must=False)
    if not others:
        return plans
    columns = sorted({aim.column for target in group for aim in target.aims})
    mutual = len(others) > 1 and others[0].mutual
    if not leaders and not mutual:
        return _combine(others, budget, 0, None, must=False)
    for place in columns:
        first = _combine(leaders, budget, place, None, must=True)
        if not first:
            break       # what a column is too dear for, a higher one is too
        second = _combine(others, budget, place if mutual else 0, place, must=mutual)
        plans += _joined(first, second, budget)
    return _prune(plans)


def _combine(targets: Sequence[Target], budget: Budget, lowest: int, highest: int | None, *,
             must: bool) -> list[_Plan]:
    plans = [_NOTHING]
    for target in targets:
        grown = [] if must else list(plans)
        for aim in target.aims:
            if aim.column < lowest or (highest is not None and aim.column > highest):
                continue
            more, more_down = (0, aim.value) if target.down else (aim.value, 0)
            if not budget.covers(more, more_down):
                continue
            grown += [
                (price + 2 * more + more_down, loss - aim.loss, attacks + len(aim.shots),
                 (*units, target.unit), level + more, down + more_down, (*aims, aim))
                for price, loss, attacks, units, level, down, aims in plans
                if budget.covers(level + more, down + more_down)
            ]
        plans = _prune(grown)
    return plans


def _joined(ones: Sequence[_Plan], twos: Sequence[_Plan], budget: Budget) -> list[_Plan]:
    """Every plan made of one of each that can be paid for."""
    return [
        (price + price_, loss + loss_, attacks + attacks_, units + units_, level + level_,
         down + down_, aims + aims_)
        for price, loss, attacks, units, level, down, aims in ones
        for price_, loss_, attacks_, units_, level_, down_, aims_ in twos
        if budget.covers(level + level_, down + down_)
    ]


def _prune(plans: Iterable[_Plan]) -> list[_Plan]:
    """Plans that no other beats in price, loss and number of attacks together."""
    kept: list[_Plan] = []
    best: list[int] = [1]       # the best loss so far with this number of attacks or fewer
    for plan in sorted(plans, key=_BY_PRICE):
        _, loss, attacks, *_ = plan
        if len(best) <= attacks:
            best += [best[-1]] * (attacks + 1 - len(best))
        if loss >= best[attacks]:
            continue
        kept.append(plan)
        for number in range(attacks, len(best)):
            if best[number] <= loss:
                break
            best[number] = loss
    return kept
