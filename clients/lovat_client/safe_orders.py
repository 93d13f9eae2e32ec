"""The safest answers to a decision: what is said for a bot that finds nothing legal to say."""

from __future__ import annotations

from collections.abc import Iterator

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

Orders = orders_pb2


def safe_orders(kind: str, listing: core_pb2.Listing) -> Iterator[core_pb2.Order]:
    """Orders for a decision of this kind, the least first, then what the listing suggests.

    Nothing is asked of the server: try them in turn. The last word is the standing orders, by
    ResolveImpulse.
    """
    for order in _white_death(kind, listing.white_death):
        yield core_pb2.Order(white_death=order)


def _white_death(kind: str, listing: answers_pb2.Listing) -> Iterator[orders_pb2.Order]:
    if kind == "set_up":
        yield Orders.Order(set_up=Orders.SetUp(standard=True))
    elif kind == "declare_impulse":
        for option in sorted(listing.declarations, key=_by_points):
            yield Orders.Order(declare_impulse=Orders.DeclareImpulse(
                points=option.least, kind=option.kind))
    elif kind == "retreat":
        yield Orders.Order(retreat=Orders.Retreat(routes=[
            Orders.Route(unit=option.unit, path=option.paths[0].hexes if option.paths else [])
            for option in listing.retreats]))
    elif kind == "defensive_fire":
        yield Orders.Order(defensive_fire=Orders.DefensiveFire(
            fires=[_all_at_one(fire) for fire in listing.fires]))
        yield _empty(kind)
    elif kind == "assault_fire":
        yield Orders.Order(assault_fire=Orders.AssaultFire(
            fires=[_all_at_one(fire) for fire in listing.fires]))
        yield _empty(kind)
    else:
        yield _empty(kind)


def _empty(kind: str) -> orders_pb2.Order:
    """The empty order of a kind."""
    order = Orders.Order()
    if kind in Orders.Order.DESCRIPTOR.fields_by_name:
        getattr(order, kind).SetInParent()
    return order


def _by_points(option: answers_pb2.PointsOption) -> tuple[int, bool]:
    return option.least, option.kind != terms_pb2.IMPULSE_KIND_PASS


def _all_at_one(option: answers_pb2.FireOption) -> orders_pb2.Fire:
    """All fire of a hex without support: each kind at the weakest target it may be fired at."""
    fire = Orders.Fire(hex=option.hex)
    conventional = option.bunker + sum(firer.conventional for firer in option.firers)
    antitank = option.bunker + sum(firer.antitank for firer in option.firers
                                   if not firer.choice)
    soft = [target for target in option.targets if not target.afv]
    armoured = [target for target in option.targets if target.afv]
    if soft and conventional:
        fire.conventional.add(target=_weakest(soft).unit, value=conventional)
    if armoured and antitank:
        fire.antitank.add(target=_weakest(armoured).unit, value=antitank)
    return fire


def _weakest(targets: list[answers_pb2.TargetOption]) -> answers_pb2.TargetOption:
    return min(targets, key=lambda target: (target.defence, target.unit))
