"""How each decision is answered word by word: a generator a decision, but movement and fire.

A composer yields the menu of what may be said next and is sent the choice; it returns the order.
What a listing offers is legal alone; where what was said before could forbid it (stacking, points
handed out), the server is asked about the whole draft, so that no menu offers what is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lovat.white_death.v1 import orders_pb2, terms_pb2

from ..sdk.requests import OrderLike
from . import fire, movement
from .actions import NUMBERS, PAY, Menu, Verb
from .table import Composing, Table, entry


def compose(table: Table) -> Composing:
    """The composer of the pending decision. ValueError if nothing answers it."""
    if table.kind not in COMPOSERS:
        raise ValueError(f"nothing answers {table.kind!r}")
    return COMPOSERS[table.kind](table)


def documented(order: Callable[..., OrderLike]) -> Callable[[Table], Composing]:
    """Set-up and losses to date as the scenario documents them: nothing is asked."""
    def composer(_table: Table) -> Composing:
        return order(standard=True)
        yield
    return composer


def sustain_garrison(table: Table) -> Composing:
    spend = False
    if table.listing.may_sustain:
        choice = yield Menu("sustain", verbs=(Verb.YES, Verb.DONE))
        spend = choice.verb == Verb.YES
    return orders_pb2.SustainGarrison(spend=spend)


def refit(table: Table) -> Composing:
    """A brigade is named by its first unit."""
    first: dict[str, str] = {}
    for unit in table.catalog.message.units:
        if unit.division in table.listing.refits:
            first.setdefault(unit.division, unit.id)
    brigade = ""
    if first:
        choice = yield Menu("refit", verbs=(Verb.DONE,), units=first.values())
        brigade = table.catalog.unit(choice.unit).division if choice.unit else ""
    return orders_pb2.Refit(brigade=brigade)


def replace(table: Table) -> Composing:
    """Points while there are any, to each unit once; one repair."""
    order = orders_pb2.Replace()
    side = table.view.side - 1
    left = table.view.replacements[side] if table.view.replacements else 0
    offers = {option.unit: option for option in table.listing.replacements if option.most}
    repairs = list(table.listing.repairs)
    while (left and offers) or repairs:
        named = [item.unit for item in order.replacements] + list(order.repairs)
        choice = yield Menu(
            "replace", verbs=(Verb.DONE, Verb.REPAIR) if repairs else (Verb.DONE,),
            units=offers if left else (), named=named)
        if choice.verb == Verb.DONE:
            break
        if choice.verb == Verb.REPAIR:
            choice = yield Menu("repair", units=repairs, named=named)
            order.repairs.append(choice.unit)
            repairs = []
            continue
        offer = offers.pop(choice.unit)
        most = min(left, offer.most, NUMBERS)
        choice = yield Menu("replacement points", verbs=(Verb.STAY,), unit=offer.unit,
                            numbers=range(1, most + 1), named=named)
        if choice.verb == Verb.STAY:
            continue
        item = orders_pb2.Replacement(unit=offer.unit, points=choice.number)
        if offer.hexes:
            hexes = _rebuild_hexes(table, order, item, offer.hexes)
            choice = yield Menu("rebuild", verbs=(Verb.STAY,), unit=offer.unit, hexes=hexes,
                                named=named)
            if choice.verb == Verb.STAY:
                continue
            item.hex = choice.hex
        order.replacements.append(item)
        left -= item.points
    return order


def _rebuild_hexes(table: Table, order: orders_pb2.Replace, item: orders_pb2.Replacement,
                   hexes: Iterable[int]) -> list[int]:
    """Those where the unit still fits beside what is rebuilt already."""
    taken = {other.hex for other in order.replacements}
    found = []
    for hex_ in hexes:
        trial = orders_pb2.Replace()
        trial.CopyFrom(order)
        trial.replacements.add(unit=item.unit, points=item.points, hex=hex_)
        if hex_ not in taken or table.allows(trial):
            found.append(hex_)
    return found


def declare_impulse(table: Table) -> Composing:
    actions = [option for option in table.listing.declarations
               if option.kind == terms_pb2.IMPULSE_KIND_ACTION]
    passes = [option for option in table.listing.declarations
              if option.kind == terms_pb2.IMPULSE_KIND_PASS]
    choice = yield Menu(
        "declare", verbs=(Verb.PASS,) if passes else (),
        numbers=sorted({points for option in actions
                        for points in range(option.least, option.most + 1)}))
    if choice.verb == Verb.PASS:
        return orders_pb2.DeclareImpulse(points=passes[0].least, kind=passes[0].kind)
    return orders_pb2.DeclareImpulse(points=choice.number, kind=terms_pb2.IMPULSE_KIND_ACTION)


def retreat_before_combat(table: Table) -> Composing:
    order = orders_pb2.RetreatBeforeCombat()
    offers = {option.unit: option.hexes for option in table.listing.withdrawals}
    while offers:
        places = {item.unit: item.hex for item in order.withdrawals}
        choice = yield Menu("withdraw", verbs=(Verb.DONE,), units=offers, named=places,
                            places=places)
        if choice.verb == Verb.DONE:
            break
        unit, hexes = choice.unit, []
        for hex_ in offers.pop(unit):
            trial = orders_pb2.RetreatBeforeCombat()
            trial.CopyFrom(order)
            trial.withdrawals.add(unit=unit, hex=hex_)
            if not places or table.allows(trial):
                hexes.append(hex_)
        if not hexes:
            continue
        choice = yield Menu("withdraw to", verbs=(Verb.STAY,), hexes=hexes, unit=unit,
                            named=places, places=places)
        if choice.hex:
            order.withdrawals.add(unit=unit, hex=choice.hex)
    return order


def pursue(table: Table) -> Composing:
    """A unit, then the hex that it assaults from the hex it follows into."""
    order = orders_pb2.Pursue()
    offers: dict[str, list[tuple[int, int]]] = {}
    for option in table.listing.pursuits:
        for unit in option.units:
            offers.setdefault(unit, []).extend((option.hex, to) for to in option.targets)
    while offers:
        places = {unit: item.hex for item in order.pursuits for unit in item.units}
        aimed = [item.target for item in order.pursuits]
        choice = yield Menu("pursue", verbs=(Verb.DONE,), units=offers, named=places,
                            places=places, aimed=aimed)
        if choice.verb == Verb.DONE:
            break
        unit, ends = choice.unit, {}
        for hex_, target in offers.pop(unit):
            trial = orders_pb2.Pursue()
            trial.CopyFrom(order)
            trial.pursuits.add(hex=hex_, units=[unit], target=target)
            if target not in ends and (not places or table.allows(trial)):
                ends[target] = trial
        if not ends:
            continue
        choice = yield Menu("pursuit target", verbs=(Verb.STAY,), hexes=ends, unit=unit,
                            named=places, places=places, aimed=aimed)
        order = ends[choice.hex] if choice.hex else order
    return order


def barrage(table: Table) -> Composing:
    """Units that name one hex fire together at it, in one attack."""
    order = orders_pb2.Barrage()
    offers = {option.unit: option.hexes for option in table.listing.barrages}
    pools = {PAY[pool]: pool for pool in table.listing.full_rockets}
    while True:
        paying = [verb for verb, pool in pools.items() if _can_pay(table, order, pool)]
        if not offers and not paying:
            return order
        named = [unit for item in order.fires for unit in item.units]
        aimed = [item.hex for item in order.fires]
        choice = yield Menu("barrage", verbs=(Verb.DONE, *paying), units=offers, named=named,
                            aimed=aimed)
        if choice.verb == Verb.DONE:
            return order
        if choice.verb is not None:
            order.full_rockets.append(pools.pop(choice.verb))
            continue
        unit = choice.unit
        choice = yield Menu("barrage target", verbs=(Verb.STAY,), hexes=offers.pop(unit),
                            unit=unit, named=named, aimed=aimed)
        if choice.hex:
            entry(order.fires, choice.hex).units.append(unit)


def _can_pay(table: Table, order: orders_pb2.Barrage, pool: terms_pb2.Pool.ValueType) -> bool:
    """Whether rockets that fire could be paid for in full by the pool."""
    trial = orders_pb2.Barrage()
    trial.CopyFrom(order)
    trial.full_rockets.append(pool)
    return bool(order.fires) and table.allows(trial)


def retreat(table: Table) -> Composing:
    """Units in any order, each to where a legal route ends, by the best of such routes."""
    order = orders_pb2.Retreat()
    offers = {option.unit: option.paths for option in table.listing.retreats if option.paths}
    while offers:
        places = {route.unit: route.path[-1] for route in order.routes}
        choice = yield Menu("retreat", verbs=(Verb.STANDING,), units=offers, named=places,
                            places=places)
        if choice.verb == Verb.STANDING:
            break
        unit, ends = choice.unit, {}
        for path in offers.pop(unit):
            trial = orders_pb2.Retreat()
            trial.CopyFrom(order)
            trial.routes.add(unit=unit, path=path.hexes)
            if path.hexes[-1] not in ends and (not places or table.allows(trial)):
                ends[path.hexes[-1]] = trial
        if not ends:
            continue
        choice = yield Menu("retreat to", verbs=(Verb.STAY,), hexes=ends, unit=unit,
                            named=places, places=places)
        order = ends[choice.hex] if choice.hex else order
    return order


def advance(table: Table) -> Composing:
    """A unit enters the hex it assaulted; a hex that is named before any unit stays empty."""
    order = orders_pb2.Advance()
    offers = {option.hex: list(option.units) for option in table.listing.advances}
    while offers:
        places = {unit: item.hex for item in order.occupations for unit in item.units}
        trials: dict[str, orders_pb2.Advance] = {}
        for hex_, units in offers.items():
            for unit in units:
                trial = orders_pb2.Advance()
                trial.CopyFrom(order)
                occupied = entry(trial.occupations, hex_)
                occupied.units.append(unit)
                if unit not in trials and (len(occupied.units) == 1 or table.allows(trial)):
                    trials[unit] = trial
        if not trials:
            break
        untouched = [hex_ for hex_ in offers if hex_ not in places.values()]
        choice = yield Menu("advance", verbs=(Verb.STANDING,), units=trials, hexes=untouched,
                            named=places, places=places,
                            aimed=[item.hex for item in order.occupations])
        if choice.verb == Verb.STANDING:
            break
        if choice.hex:
            order.occupations.add(hex=choice.hex)
            del offers[choice.hex]
            continue
        order = trials[choice.unit]
        offers = {hex_: [unit for unit in units if unit != choice.unit]
                  for hex_, units in offers.items()}
    return order


COMPOSERS: dict[str, Callable[[Table], Composing]] = {
    "distribute_losses": documented(orders_pb2.DistributeLosses),
    "set_up": documented(orders_pb2.SetUp),
    "sustain_garrison": sustain_garrison,
    "refit": refit,
    "replace": replace,
    "declare_impulse": declare_impulse,
    "move_and_declare": movement.move_and_declare,
    "retreat_before_combat": retreat_before_combat,
    "pursue": pursue,
    "barrage": barrage,
    "defensive_fire": fire.defensive_fire,
    "assault_fire": fire.assault_fire,
    "retreat": retreat,
    "advance": advance,
}
