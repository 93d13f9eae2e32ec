"""What a listing offers, as orders; and whether an order is among what was offered."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from lovat_server.games.white_death.answers import (
    FireOption,
    Listing,
    Mark,
    Receipt,
    UnitOptions,
)
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Action,
    Advance,
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    BuildBridge,
    DeclareImpulse,
    DefensiveFire,
    Deploy,
    DestroyBridge,
    Fire,
    March,
    MoveAndDeclare,
    Occupation,
    Order,
    Pursue,
    Pursuit,
    Rail,
    Refit,
    Replace,
    Replacement,
    Retreat,
    RetreatBeforeCombat,
    Route,
    Shot,
    Support,
    SustainGarrison,
    Withdrawal,
)
from lovat_server.games.white_death.state import State
from lovat_server.games.white_death.terms import MP, DecisionKind, Kind

from .player import path_to


def items(catalog: Catalog, state: State, listing: Listing, random: Random,
          ends: int | None = None) -> Iterator[tuple[Order, dict[int, int]]]:
    """Every listed item as an order by itself, with the cost listed for the units that move.

    At most `ends` hexes of each unit, chosen at random, where a number is given.
    """
    kind = listing.decision.kind
    if kind == DecisionKind.MOVE_AND_DECLARE:
        for option in listing.units:
            yield from _unit_items(state, option, random, ends)
        return
    for order in _other_items(catalog, listing):
        yield order, {}


def _unit_items(state: State, option: UnitOptions, random: Random,
                ends: int | None) -> Iterator[tuple[Order, dict[int, int]]]:
    unit = (option.unit,)
    open_ = [(hex_, cost) for hex_, cost, mark
             in zip(option.hexes, option.costs, option.marks, strict=True)
             if not mark & Mark.MAY_NOT_END]
    if ends is not None and len(open_) > ends:
        open_ = random.sample(open_, ends)
    for hex_, cost in open_:
        yield MoveAndDeclare((March(unit, path_to(option, hex_)),)), {option.unit: cost}
    for hex_ in option.rail:
        yield MoveAndDeclare((Rail(unit, hex_),)), {option.unit: MP}
    for hex_ in option.assaults:
        yield MoveAndDeclare(assaults=(Assault(hex_, unit),)), {option.unit: MP}
    if option.may_deploy:
        yield MoveAndDeclare((Deploy(unit),)), {option.unit: MP}
    if option.may_build_bridge:
        yield MoveAndDeclare((BuildBridge(option.unit),)), {option.unit: MP}
    if option.may_destroy_bridge:
        yield MoveAndDeclare((DestroyBridge(option.unit),)), {option.unit: MP}


def _other_items(catalog: Catalog, listing: Listing) -> Iterator[Order]:
    for points in listing.declarations:
        for number in range(points.least, points.most + 1):
            yield DeclareImpulse(number, points.kind)
    for brigade in listing.refits:
        yield Refit(brigade)
    if listing.may_sustain:
        yield SustainGarrison(True)
    for replaced in listing.replacements:
        for hex_ in replaced.hexes or (-1,):
            for number in range(1, replaced.most + 1):
                yield Replace((Replacement(replaced.unit, number, hex_),))
    for unit in listing.repairs:
        yield Replace((), (unit,))
    for leaving in listing.withdrawals:
        for hex_ in leaving.hexes:
            yield RetreatBeforeCombat((Withdrawal(leaving.unit, hex_),))
    for chase in listing.pursuits:
        for unit in chase.units:
            for target in chase.targets:
                yield Pursue((Pursuit(chase.hex, (unit,), target),))
    for guns in listing.barrages:
        for hex_, value in zip(guns.hexes, guns.values, strict=True):
            yield Barrage((BarrageFire(hex_, (guns.unit,)),))
            if not listing.full_rockets and value:
                yield Barrage((BarrageFire(hex_, (guns.unit,), (value,)),))
    for pool in listing.high_intensity:
        yield DefensiveFire((), (pool,))
    for option in listing.fires:
        for fire in _fire_items(catalog, option):
            yield DefensiveFire((fire,)) \
                if listing.decision.kind == DecisionKind.DEFENSIVE_FIRE else AssaultFire((fire,))
    for beaten in listing.retreats:
        for path in beaten.paths or ((),):
            yield Retreat((Route(beaten.unit, path),))
    for won in listing.advances:
        for unit in won.units:
            yield Advance((Occupation(won.hex, (unit,)),))


def _fire_items(catalog: Catalog, option: FireOption) -> Iterator[Fire]:
    """All that fires at one target that may be fired at alone; each unit of support."""
    headquarters = option.headquarters[0] if option.headquarters else ""
    value = option.bunker + sum(firer.conventional for firer in option.firers)
    hard_value = option.bunker + sum(
        firer.antitank for firer in option.firers if not firer.choice)
    kinds = {target.unit: catalog.units[target.unit].kind for target in option.targets}
    infantry = Kind.PERSONNEL in kinds.values()
    for target in option.targets:
        if target.afv:
            lone = sum(kind == Kind.AFV for kind in kinds.values()) == 1
            if hard_value and (lone or not _is_destroyer(catalog, target.unit)):
                yield Fire(option.hex, antitank=(Shot(target.unit, hard_value),),
                           headquarters=headquarters)
        elif value and (kinds[target.unit] == Kind.PERSONNEL or not infantry):
            yield Fire(option.hex, (Shot(target.unit, value),), headquarters=headquarters)
    yield Fire(option.hex, headquarters=headquarters)


def _is_destroyer(catalog: Catalog, unit: int) -> bool:
    return "tank_destroyer" in catalog.units[unit].traits


def support_items(listing: Listing) -> Iterator[tuple[Order, ...]]:
    """For each listed support the orders of which one at least must be legal: by headquarters."""
    kind = DefensiveFire if listing.decision.kind == DecisionKind.DEFENSIVE_FIRE else AssaultFire
    for option in listing.fires:
        for offer in option.support:
            yield tuple(
                kind((Fire(option.hex, support=(Support(offer.unit, offer.stack),),
                           headquarters=name),))
                for name in option.headquarters or ("",))


# ---------------------------------------------------------------- what was offered

def is_listed(catalog: Catalog, state: State, order: Order, receipt: Receipt) -> bool:
    """Whether a legal order is put together from listed items.

    Moves are looked up one by one in the listing after those before; the cost that was judged
    is never under the one listed. What a listing cannot name is left to the judge: the order of
    a stack, a way back to where a unit stands, mounted charges, splitting of fire.
    """
    listing = WHITE_DEATH.listing(catalog, state, None, None)
    match order:
        case MoveAndDeclare():
            return _moves_listed(catalog, state, order, receipt)
        case DeclareImpulse():
            return any(option.kind == order.kind and option.least <= order.points <= option.most
                       for option in listing.declarations)
        case Refit():
            return not order.brigade or order.brigade in listing.refits
        case SustainGarrison():
            return listing.may_sustain or not order.spend
        case Replace():
            offers = {option.unit: option for option in listing.replacements}
            return all(
                entry.unit in offers and 1 <= entry.points <= offers[entry.unit].most
                and (entry.hex in offers[entry.unit].hexes or entry.hex < 0)
                for entry in order.replacements) and set(order.repairs) <= set(listing.repairs)
        case RetreatBeforeCombat():
            hexes = {option.unit: option.hexes for option in listing.withdrawals}
            return all(entry.unit in hexes for entry in order.withdrawals) and all(
                entry.hex in hexes[entry.unit] for entry in order.withdrawals[:1])
        case Pursue():
            chases = {option.hex: option for option in listing.pursuits}
            return all(entry.hex in chases and set(entry.units) <= set(chases[entry.hex].units)
                       and entry.target in chases[entry.hex].targets for entry in order.pursuits)
        case Barrage():
            reach = {option.unit: option.hexes for option in listing.barrages}
            return all(fire.hex in reach.get(unit, ()) for fire in order.fires
                       for unit in fire.units) and \
                set(order.full_rockets) <= set(listing.full_rockets)
        case DefensiveFire():
            return _fires_listed(listing, order.fires) and \
                set(order.high_intensity) <= set(listing.high_intensity)
        case AssaultFire():
            return _fires_listed(listing, order.fires)
        case Retreat():
            paths = {option.unit: option.paths for option in listing.retreats}
            return all(route.unit in paths for route in order.routes) and all(
                route.path in (paths[route.unit] or ((),)) for route in order.routes[:1])
        case Advance():
            units = {option.hex: option.units for option in listing.advances}
            return all(not entry.units or set(entry.units) <= set(units.get(entry.hex, ()))
                       for entry in order.occupations)
        case _:
            return True


def _fires_listed(listing: Listing, fires: tuple[Fire, ...]) -> bool:
    options = {option.hex: option for option in listing.fires}
    for fire in fires:
        option = options.get(fire.hex)
        if option is None:
            if fire.conventional or fire.antitank or fire.support:
                return False
            continue
        afv = {target.unit: target.afv for target in option.targets}
        offers = {(offer.unit, offer.stack) for offer in option.support}
        if not (all(afv.get(shot.target) is False for shot in fire.conventional)
                and all(afv.get(shot.target) is True for shot in fire.antitank)
                and all((item.unit, item.stack) in offers for item in fire.support)
                and (not fire.headquarters or fire.headquarters in option.headquarters)):
            return False
    return True


def _moves_listed(catalog: Catalog, state: State, order: MoveAndDeclare,
                  receipt: Receipt) -> bool:
    spent = dict(zip(receipt.units, receipt.spent, strict=True))
    listed: dict[int, int] = {}
    for place, action in enumerate(order.actions):
        draft = MoveAndDeclare(order.actions[:place])
        offer = WHITE_DEATH.listing(catalog, state, draft, None)
        options = {option.unit: option for option in offer.units}
        alone = len(order.actions) == 1
        if not _action_listed(catalog, state, action, options, listed, alone=alone):
            return False
    offer = WHITE_DEATH.listing(catalog, state, MoveAndDeclare(order.actions), None)
    options = {option.unit: option for option in offer.units}
    for assault in order.assaults:
        for unit in assault.units:
            if unit not in options or assault.hex not in options[unit].assaults:
                return False
            listed[unit] = listed.get(unit, 0) + MP
    return all(spent[unit] >= cost for unit, cost in listed.items())


def _action_listed(catalog: Catalog, state: State, action: Action,
                   options: dict[int, UnitOptions], listed: dict[int, int], *,
                   alone: bool) -> bool:
    units = (action.unit,) if isinstance(action, BuildBridge | DestroyBridge) \
        else getattr(action, "units", ())
    if isinstance(action, March):
        # Where commandos lead a column, the others go where only they can (WD 21.C).
        leaders = tuple(unit for unit in units if "commando" in catalog.units[unit].traits)
        units = leaders or units
    for unit in units:
        option = options.get(unit)
        cost = MP
        match action:
            case March():
                end = action.path[-1]
                if option is None or end not in option.hexes:
                    if end in _stations(state, option, unit):
                        continue
                    return False
                place = option.hexes.index(end)
                if alone and option.marks[place] & Mark.MAY_NOT_END:
                    return False
                cost = option.costs[place]
            case Rail():
                if option is None or action.destination not in option.rail:
                    return False
            case Deploy():
                if option is None or not option.may_deploy:
                    return False
            case BuildBridge():
                if option is None or not option.may_build_bridge:
                    return False
            case DestroyBridge():
                if option is None or not option.may_destroy_bridge:
                    return False
            case _:
                continue
        listed[unit] = listed.get(unit, 0) + cost
    return True


def _stations(state: State, option: UnitOptions | None, unit: int) -> set[int]:
    """Where a unit stands, perhaps after a draft: a way that comes back there is not listed."""
    before = set(option.previous) - set(option.hexes) if option else set()
    return before | {state.units[unit].hex}
