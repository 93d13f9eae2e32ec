"""How fire is split: a few ways are previewed and for each hex the best is taken."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, orders_pb2, preview_pb2, terms_pb2

from .board import EIGHTHS
from .planner_advice import Advice
from .planner_picture import Picture

FireOrder = TypeVar("FireOrder", orders_pb2.DefensiveFire, orders_pb2.AssaultFire)

_SUPPLY = 0.15  # victory points a supply point is kept for
_COUNTER_SUPPLY = 1.0
_LEAST_AT_LAST, _LEAST_IN_CITY = 0.1, 0.04
_SIEGE = 3.0  # how much rather the guns fire at the bunker that they have begun with
_ROCKETS = 3
_TOP = 60 * EIGHTHS
_LOW = 4 * EIGHTHS


def defensive_fire(now: Picture, offer: answers_pb2.Listing,
                   advice: Advice) -> orders_pb2.DefensiveFire:
    """The defender's fire, and whether the guns get a supply point."""
    pools = list(offer.high_intensity)
    orders = [orders_pb2.DefensiveFire(), *(
        [orders_pb2.DefensiveFire(high_intensity=pools)] if pools else [])]
    shown = [(order, found) for order in orders
             if (found := advice.preview(_wrapped(order))) is not None]
    if not shown:
        return orders_pb2.DefensiveFire(high_intensity=pools if _is_dear(now) else [])
    base, seen = max(shown, key=lambda pair: (
        _worth(now, pair[1], defending=True) - _price(now) * len(pair[0].high_intensity)))
    for split in (_even, _strongest):
        fires = [fire for option in offer.fires for fire in split(option, seen)]
        if fires:
            base, seen = _better(now, base, seen, fires, advice, defending=True)
    return base


def assault_fire(now: Picture, offer: answers_pb2.Listing,
                 advice: Advice) -> orders_pb2.AssaultFire:
    """The assaulting fire: what costs most, or what is likeliest to empty the hex."""
    base = orders_pb2.AssaultFire()
    seen = advice.preview(_wrapped(base))
    if seen is None:
        return base
    for split in (_even, _strongest):
        fires = [fire for option in offer.fires for fire in split(option, seen)]
        if fires:
            base, seen = _better(now, base, seen, fires, advice, defending=False)
    return base


def barrage(now: Picture, offer: answers_pb2.Listing, bunker: int) -> orders_pb2.Barrage:
    """The guns mass on the bunker that is laid siege to, on enemy guns, on what is assaulted."""
    order = orders_pb2.Barrage()
    by_pool: dict[int, list[answers_pb2.BarrageOption]] = defaultdict(list)
    for option in offer.barrages:
        pool = terms_pb2.POOL_VELIKIYE_LUKI if now.is_garrison(option.unit) else now.pool
        by_pool[pool].append(option)
    fires: dict[int, list[str]] = defaultdict(list)
    values: dict[int, int] = defaultdict(int)
    for pool, options in sorted(by_pool.items()):
        _one_pool(now, pool, options, bunker, fires, values)
        if pool in offer.full_rockets and fires and now.supply(pool) >= _ROCKETS:
            order.full_rockets.append(pool)  # type: ignore[arg-type]
    for number, units in sorted(fires.items()):
        if values[number] >= _LOW:
            order.fires.add(hex=number, units=sorted(units), attacks=split(values[number]))
    return order


def _one_pool(now: Picture, pool: int, options: Sequence[answers_pb2.BarrageOption], bunker: int,
              fires: dict[int, list[str]], values: dict[int, int]) -> None:
    """Point the guns of a pool, if what they do is worth its supply."""
    if not _may_barrage(now, pool):
        return
    total: dict[int, float] = defaultdict(float)
    for option in options:
        for number, value, sight in zip(option.hexes, option.values, option.observed,
                                        strict=False):
            total[number] += value * (1.0 if sight else 0.5)
    worth = {number: _barrage_gain(now, number, value)
             * (_SIEGE if number == bunker else 1.0) for number, value in total.items()}
    aimed: dict[int, list[str]] = defaultdict(list)
    aimed_values: dict[int, int] = defaultdict(int)
    for option in options:
        if not option.hexes:
            continue
        best = max(option.hexes, key=lambda number: (worth[number], -number))
        aimed[best].append(option.unit)
        aimed_values[best] += option.values[list(option.hexes).index(best)]
    gain = sum(_barrage_gain(now, number, aimed_values[number]) for number in aimed)
    if gain < _least_gain(now, pool):
        return
    for number, units in aimed.items():
        fires[number].extend(units)
        values[number] += aimed_values[number]


def split(value: int) -> list[int]:
    """Barrage in attacks of the highest column; a small rest joins the last."""
    if value < _TOP + _LOW:
        return []
    attacks = [_TOP] * (value // _TOP)
    rest = value % _TOP
    if rest >= 2 * _LOW:
        return [*attacks, rest]
    attacks[-1] += rest
    return attacks


def _may_barrage(now: Picture, pool: int) -> bool:
    """Whether the supply is there."""
    return now.supply(pool) >= (1 if now.seen.assaults and pool == now.pool else 2)


def _barrage_gain(now: Picture, number: int, value: float) -> float:
    """Victory points of a barrage: bunker points are a share of the bunker's."""
    points = value / EIGHTHS
    share = min(points, 60) / 60
    hit = 0.35 if now.board.hexes[number].town else 0.8
    gain = sum(share * hit * min(foe.strength / 2, 3) * now.point_worth(foe)
               for foe in now.foes(number))
    if now.is_soviet and number in now.bunkers:
        whole = max((one.strength for one in now.board.catalog.bunkers if one.hex == number),
                    default=10)
        gain += now.odds.bunker_loss(points) * now.board.catalog.scenario.victory.bunker / whole
    if any(assault.hex == number for assault in now.seen.assaults):
        gain += 0.3 * share + now.stakes.get(number, 0.0) * 0.02 * share
    return gain


def _price(now: Picture) -> float:
    """What a supply point is kept for: while guns lay siege, to fire at them."""
    return _SUPPLY if now.is_soviet or not now.guns or not now.bunkers else _COUNTER_SUPPLY


def _least_gain(now: Picture, pool: int) -> float:
    """What a barrage must be worth; the city has little else to spend its supply on."""
    if pool == terms_pb2.POOL_VELIKIYE_LUKI:
        return _LEAST_IN_CITY
    return _LEAST_AT_LAST if now.turns_left == 0 else 2 * _SUPPLY


# ---------------------------------------------------------------- previews

def _wrapped(order: orders_pb2.DefensiveFire | orders_pb2.AssaultFire) -> core_pb2.Order:
    wrapped = core_pb2.Order()
    if isinstance(order, orders_pb2.DefensiveFire):
        wrapped.white_death.defensive_fire.CopyFrom(order)
    else:
        wrapped.white_death.assault_fire.CopyFrom(order)
    return wrapped


def _better(now: Picture, base: FireOrder, seen: preview_pb2.Preview,
            fires: Sequence[orders_pb2.Fire], advice: Advice, *,
            defending: bool) -> tuple[FireOrder, preview_pb2.Preview]:
    """The order with those of the fires that do better in their hex, each on its own."""
    named = {fire.hex for fire in fires}
    found = advice.preview(_wrapped(_with(base, fires)))
    if found is None:
        return base, seen
    before = {shown.hex: shown for shown in seen.hexes}
    winners = {shown.hex for shown in found.hexes if shown.hex in named
               and shown.hex in before and not shown.truncated
               and _hex_worth(now, shown, defending) >
               _hex_worth(now, before[shown.hex], defending) + 1e-6}
    if not winners:
        return base, seen
    best = _with(base, [fire for fire in fires if fire.hex in winners])
    joined = preview_pb2.Preview()
    joined.hexes.extend(shown for shown in seen.hexes if shown.hex not in winners)
    joined.hexes.extend(shown for shown in found.hexes if shown.hex in winners)
    return best, joined


def _with(base: FireOrder, fires: Sequence[orders_pb2.Fire]) -> FireOrder:
    """The order with these fires instead of its own in their hexes."""
    named = {fire.hex for fire in fires}
    made = type(base)()
    made.CopyFrom(base)
    del made.fires[:]
    made.fires.extend(fire for fire in base.fires if fire.hex not in named)
    made.fires.extend(fires)
    return made


def _worth(now: Picture, shown: preview_pb2.Preview, *, defending: bool) -> float:
    return sum(_hex_worth(now, hex_, defending) for hex_ in shown.hexes)


def _hex_worth(now: Picture, shown: preview_pb2.HexPreview, defending: bool) -> float:
    """Victory points of what happens over one hex, for the side that fires."""
    stake = now.stakes.get(shown.hex, 0.0) + 0.3
    ours, theirs = _number(shown.attacker_loss), _number(shown.defender_loss)
    vacated = _number(shown.vacated)
    if defending:
        return ours * now.enemy_loss - theirs * now.own_loss - vacated * stake
    return theirs * now.enemy_loss - ours * now.own_loss + vacated * stake


def _number(fraction: preview_pb2.Fraction) -> float:
    return float(fraction.decimal) if fraction.decimal else 0.0


def _is_dear(now: Picture) -> bool:
    """Whether something under assault is worth a supply point."""
    return any(now.stakes.get(assault.hex, 0.0) > 0 for assault in now.seen.assaults)


# ---------------------------------------------------------------- other ways to split

def _even(option: answers_pb2.FireOption,
          seen: preview_pb2.Preview) -> Iterable[orders_pb2.Fire]:
    """The same odds at everybody who is fired at conventionally."""
    soft = [target for target in option.targets if not target.afv]
    fire = _same_support(option, seen)
    if fire is None or len(soft) < 2:
        return
    total = _total(option, seen)
    whole = sum(target.defence for target in soft)
    for target in soft:
        value = total * target.defence // whole
        if value:
            fire.conventional.add(target=target.unit, value=value)
    yield fire


def _strongest(option: answers_pb2.FireOption,
               seen: preview_pb2.Preview) -> Iterable[orders_pb2.Fire]:
    """All at one: the unit that loses most by what is spent on it now."""
    soft = [target for target in option.targets if not target.afv]
    fire = _same_support(option, seen)
    if fire is None or len(soft) < 2:
        return
    losses = {target.unit: (target.strength, _number(target.expected_loss))
              for shown in seen.hexes if shown.hex == option.hex
              for phase in shown.fires[:1] for target in phase.targets}
    best = max(soft, key=lambda target: (losses.get(target.unit, (0, 0.0)), target.unit))
    fire.conventional.add(target=best.unit, value=_total(option, seen))
    yield fire


def _same_support(option: answers_pb2.FireOption,
                  seen: preview_pb2.Preview) -> orders_pb2.Fire | None:
    """A fire in this hex with the support and the antitank shots of what was previewed.

    None where that had more than conventional fire, which is better left to the server.
    """
    if any(target.afv for target in option.targets):
        return None
    fire = orders_pb2.Fire(hex=option.hex)
    helping = {firer.unit for firer in _firers(option, seen)
               if firer.kind == preview_pb2.FIRE_KIND_SUPPORT}
    for one in option.support:
        if one.unit in helping:
            helping.discard(one.unit)
            fire.support.add(unit=one.unit, stack=one.stack)
    if option.headquarters:
        fire.headquarters = option.headquarters[0]
    return fire


def _firers(option: answers_pb2.FireOption,
            seen: preview_pb2.Preview) -> Sequence[preview_pb2.FirerPreview]:
    for shown in seen.hexes:
        if shown.hex == option.hex and shown.fires:
            return shown.fires[0].firers
    return ()


def _total(option: answers_pb2.FireOption, seen: preview_pb2.Preview) -> int:
    """All conventional fire in a hex, in eighths."""
    kinds = (preview_pb2.FIRE_KIND_CONVENTIONAL, preview_pb2.FIRE_KIND_SUPPORT)
    found = sum(firer.value for firer in _firers(option, seen) if firer.kind in kinds)
    return found + option.bunker
