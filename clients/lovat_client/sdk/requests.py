"""How plain arguments become requests; shared by the two clients, and free of any channel."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules
from lovat.rules.v1.rules_service_pb2 import (
    CreateGameRequest,
    ListLegalOrdersRequest,
    QueryOverlayRequest,
    ReadNotationRequest,
    ReplayGameRequest,
    ReplayStart,
    ResolveImpulseRequest,
    ResponseMode,
    SubmitOrdersRequest,
)
from lovat.white_death.v1 import orders_pb2, overlays_pb2, state_pb2

OrderLike = core_pb2.Order | Message
"""An order: of `lovat.rules.v1`, of a game (`white_death.v1.Order`), or one of its kinds."""

StandingLike = core_pb2.StandingOrders | orders_pb2.StandingOrders
OrdersLike = Mapping[str, Iterable[OrderLike]] | Iterable[core_pb2.SideOrders]
"""Orders of both sides: by name of the side, or ready made."""

_KINDS: dict[Any, str] = {
    field.message_type: field.name for field in orders_pb2.Order.DESCRIPTOR.fields}


def as_order(order: OrderLike) -> core_pb2.Order:
    """The order in its envelope. TypeError if it is an order of no game."""
    if isinstance(order, core_pb2.Order):
        return order
    if isinstance(order, orders_pb2.Order):
        return core_pb2.Order(white_death=order)
    kind = _KINDS.get(order.DESCRIPTOR)
    if kind is None:
        raise TypeError(f"{type(order).__name__} is not an order")
    inner = orders_pb2.Order()
    getattr(inner, kind).CopyFrom(order)
    getattr(inner, kind).SetInParent()
    return core_pb2.Order(white_death=inner)


def as_standing(standing: StandingLike | None) -> core_pb2.StandingOrders | None:
    """Standing orders in their envelope."""
    if isinstance(standing, orders_pb2.StandingOrders):
        return core_pb2.StandingOrders(white_death=standing)
    return standing


def as_side_orders(orders: OrdersLike) -> list[core_pb2.SideOrders]:
    """One entry for each side that says something."""
    if isinstance(orders, Mapping):
        return [core_pb2.SideOrders(side=side, orders=[as_order(order) for order in said])
                for side, said in orders.items()]
    return list(orders)


def dice_of(
    seed: str | int | None, script: Sequence[int]
) -> tuple[core_pb2.DiceMode.ValueType, str]:
    """The mode and the seed of a request for dice. ValueError for a seed and a script."""
    if seed is not None and script:
        raise ValueError("a game has either a seed or a script")
    if seed is not None:
        return core_pb2.DICE_MODE_SEEDED, str(seed)
    return (core_pb2.DICE_MODE_SCRIPTED if script else core_pb2.DICE_MODE_SERVER_KEYED), ""


def create_request(
    scenario: str, seed: str | int | None, script: Sequence[int], standard_set_up: bool,
    options: state_pb2.Options | None, request_id: str,
) -> CreateGameRequest:
    """Seeded dice if a seed is given, scripted ones if a script is, else the server's own."""
    mode, seed_text = dice_of(seed, script)
    return CreateGameRequest(
        scenario=scenario, dice_mode=mode, seed=seed_text,
        script=script, standard_set_up=standard_set_up, request_id=request_id,
        options=None if options is None else core_pb2.Options(white_death=options),
    )


def legal_request(
    position: core_pb2.Position, side: str, draft: OrderLike | None, units: Iterable[str],
    page_size: int,
) -> ListLegalOrdersRequest:
    return ListLegalOrdersRequest(
        position=position, side=side, draft=None if draft is None else as_order(draft),
        units=units, page_size=page_size)


def submit_request(
    position: core_pb2.Position, order: OrderLike, standing: StandingLike | None,
    request_id: str, response_mode: ResponseMode.ValueType,
) -> SubmitOrdersRequest:
    return SubmitOrdersRequest(
        position=position, order=as_order(order), standing=as_standing(standing),
        request_id=request_id, response_mode=response_mode)


def impulse_request(
    position: core_pb2.Position, orders: OrdersLike, request_id: str,
    response_mode: ResponseMode.ValueType,
) -> ResolveImpulseRequest:
    return ResolveImpulseRequest(
        position=position, orders=as_side_orders(orders), request_id=request_id,
        response_mode=response_mode)


def overlay_request(
    position: core_pb2.Position, side: str, kind: overlays_pb2.OverlayKind.ValueType,
    enemy: bool, hex_: int, unit: str, points: int,
) -> QueryOverlayRequest:
    whose = overlays_pb2.WHOSE_ENEMY if enemy else overlays_pb2.WHOSE_OWN
    return QueryOverlayRequest(
        position=position, side=side,
        query=core_pb2.OverlayQuery(white_death=overlays_pb2.OverlayQuery(
            kind=kind, whose=whose, hex=hex_, unit=unit, points=points)))


def order_text_request(
    scenario: str, orders: Iterable[OrderLike]
) -> rules.WriteNotationRequest:
    return rules.WriteNotationRequest(orders=rules.OrderText(
        scenario=scenario, orders=[as_order(order) for order in orders]))


def read_position_request(
    text: str, scenario: str, seed: str | int | None, script: Sequence[int]
) -> ReadNotationRequest:
    """Dice as in `create_request`."""
    mode, seed_text = dice_of(seed, script)
    return ReadNotationRequest(text=text, kind=rules.NOTATION_KIND_POSITION, scenario=scenario,
                               dice_mode=mode, seed=seed_text, script=script)


def read_orders_request(text: str, scenario: str) -> ReadNotationRequest:
    return ReadNotationRequest(text=text, kind=rules.NOTATION_KIND_ORDERS, scenario=scenario)


def replay_messages(
    start: ReplayStart, records: Iterable[core_pb2.LogRecord]
) -> Iterable[ReplayGameRequest]:
    """The messages of a replay: the start, then each record as it is read."""
    yield ReplayGameRequest(start=start)
    for record in records:
        yield ReplayGameRequest(record=record)


def merge_listing(whole: core_pb2.Listing, page: core_pb2.Listing) -> None:
    """Add a page of a listing to those before it; what is on every page is taken once."""
    inner_whole, inner_page = whole.white_death, page.white_death
    for field, values in inner_page.ListFields():
        if not field.is_repeated:
            continue
        held = getattr(inner_whole, field.name)
        if field.message_type is None:
            held.extend(value for value in values if value not in held)
            continue
        seen = {item.SerializeToString(deterministic=True) for item in held}
        held.extend(item for item in values
                    if item.SerializeToString(deterministic=True) not in seen)
