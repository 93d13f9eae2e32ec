"""What a seat gets that is late, out of time, silent, crashed or gives illegal orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from ..safe_orders import safe_orders
from .clock import Left

Orders = orders_pb2
_FIELDS: Mapping[play.Lapse.ValueType, str] = MappingProxyType({
    play.LAPSE_LATE: "late",
    play.LAPSE_OUT_OF_TIME: "out_of_time",
    play.LAPSE_SILENT: "silent",
    play.LAPSE_CRASHED: "crashed",
    play.LAPSE_ILLEGAL: "illegal",
})
_WORDS: Mapping[play.Lapse.ValueType, str] = MappingProxyType({
    play.LAPSE_LATE: "did not decide within the time for one decision",
    play.LAPSE_OUT_OF_TIME: "used up its time for the game",
    play.LAPSE_SILENT: "was not heard of within the time for one decision",
    play.LAPSE_CRASHED: "lost its connection and did not come back",
    play.LAPSE_ILLEGAL: "gave too many illegal orders for one decision",
})


def completed(policy: play.Policy) -> play.Policy:
    """The policy with every default filled in."""
    whole = play.Policy()
    whole.CopyFrom(policy)
    for lapse, field in _FIELDS.items():
        if getattr(whole, field) == play.REMEDY_UNSPECIFIED:
            default = (play.REMEDY_FORFEIT if lapse == play.LAPSE_OUT_OF_TIME
                       else play.REMEDY_DEFAULT_ORDER)
            setattr(whole, field, default)
    return whole


def lapse_of(policy: play.Policy, left: Left, *, refusals: int, away: float | None,
             heard: bool) -> play.Lapse.ValueType:
    """What the deciding seat has failed to do by now; unspecified if nothing.

    `refusals` are its refused orders for this decision, `away` the seconds since its stream broke
    (None if it did not), `heard` whether anything was heard of it since it has to decide.
    """
    if policy.illegal_limit and refusals >= policy.illegal_limit:
        return play.LAPSE_ILLEGAL
    if left.game is not None and left.game <= 0:
        return play.LAPSE_OUT_OF_TIME
    if left.decision is not None and left.decision <= 0:
        return play.LAPSE_LATE if heard else play.LAPSE_SILENT
    if policy.crashed_seconds and away is not None and away >= policy.crashed_seconds:
        return play.LAPSE_CRASHED
    return play.LAPSE_UNSPECIFIED


def remedy_of(policy: play.Policy, lapse: play.Lapse.ValueType,
              lapses: int) -> play.Remedy.ValueType:
    """What is done about a lapse of a seat that then has so many; `policy` is completed."""
    remedy: play.Remedy.ValueType = getattr(policy, _FIELDS[lapse])
    if remedy != play.REMEDY_WAIT and policy.forfeit_after and lapses >= policy.forfeit_after:
        return play.REMEDY_FORFEIT
    return remedy


def reason_of(lapse: play.Lapse.ValueType, side: str, lapses: int,
              policy: play.Policy) -> str:
    """One sentence for a player."""
    text = f"{side} {_WORDS[lapse]}"
    if policy.forfeit_after:
        text += f" (lapse {lapses} of {policy.forfeit_after})"
    return text


def default_orders(kind: str, listing: core_pb2.Listing,
                   standing: core_pb2.StandingOrders) -> Iterator[core_pb2.Order]:
    """Answers for a seat that gives none: what its standing orders say, then safer and safer.

    The caller tries them in turn. An order that names no fire, route or advance leaves it to the
    rules, which follow the standing orders that the position keeps.
    """
    yield core_pb2.Order(white_death=_standing(
        kind, listing.white_death, standing.white_death))
    plain = Orders.Order()
    if kind in Orders.Order.DESCRIPTOR.fields_by_name:
        getattr(plain, kind).SetInParent()
        yield core_pb2.Order(white_death=plain)
    yield from safe_orders(kind, listing)


def _standing(kind: str, options: answers_pb2.Listing,
              standing: orders_pb2.StandingOrders) -> orders_pb2.Order:
    """The order for a decision of this kind as the standing orders have it."""
    order = Orders.Order()
    if kind == "set_up":
        order.set_up.standard = True
    elif kind == "distribute_losses":
        order.distribute_losses.standard = True
    elif kind == "sustain_garrison":
        order.sustain_garrison.spend = standing.sustain != terms_pb2.CHOICE_NEVER
    elif kind == "declare_impulse":
        order.declare_impulse.points = 1
        order.declare_impulse.kind = terms_pb2.IMPULSE_KIND_PASS
    elif kind == "retreat_before_combat":
        order.retreat_before_combat.SetInParent()
        if standing.withdraw == terms_pb2.CHOICE_ALWAYS:
            for option in options.withdrawals:
                order.retreat_before_combat.withdrawals.add(
                    unit=option.unit, hex=option.hexes[0])
    elif kind == "pursue":
        order.pursue.SetInParent()
        if standing.pursue != terms_pb2.CHOICE_NEVER:
            _pursue(order.pursue, options.pursuits)
    elif kind == "defensive_fire":
        order.defensive_fire.SetInParent()
        if standing.high_intensity == terms_pb2.CHOICE_ALWAYS:
            order.defensive_fire.high_intensity.extend(options.high_intensity)
    elif kind in Orders.Order.DESCRIPTOR.fields_by_name:
        getattr(order, kind).SetInParent()
    return order


def _pursue(order: orders_pb2.Pursue, pursuits: Iterable[answers_pb2.PursuitOption]) -> None:
    taken: set[str] = set()
    for option in pursuits:
        free = [unit for unit in option.units if unit not in taken]
        if free and option.targets:
            taken.add(free[0])
            order.pursuits.add(hex=option.hex, units=free[:1], target=option.targets[0])
