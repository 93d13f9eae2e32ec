"""Any order that can be read gets an answer from the real rules, whatever the decision."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import orders_pb2
from lovat_server.games.white_death import orders
from tests.transport.stub_rules import SCENARIO
from tests.transport.test_codec import CODEC, any_of
from tests.transport.test_server import next_order, submit
from tests.transport.wire import Wire

QUICK = settings(max_examples=120, deadline=None, suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def positions(real: Wire) -> list[core_pb2.Position]:
    """One position of each decision that a game of few marches and many assaults comes to."""
    found: dict[str, core_pb2.Position] = {}
    for set_up in (True, False):
        created = real.rules.CreateGame(rules_service_pb2.CreateGameRequest(
            scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="7",
            standard_set_up=set_up))
        position, kind = created.position, created.decision.kind
        for _ in range(60):
            found.setdefault(kind, position)
            if kind == "game_over":
                break
            answer = submit(real, position, assault(real, position) or next_order(
                real, position)[0])
            if answer.violations:
                break
            position, kind = answer.position, answer.decision.kind
    assert len(found) >= 6
    return list(found.values())


def assault(wire: Wire, position: core_pb2.Position) -> core_pb2.Order | None:
    """The first assault that is listed."""
    listing = wire.rules.ListLegalOrders(
        rules_service_pb2.ListLegalOrdersRequest(position=position)).listing.white_death
    for option in listing.units:
        for hex_ in option.assaults:
            order = core_pb2.Order()
            order.white_death.move_and_declare.assaults.add(hex=hex_, units=[option.unit])
            return order
    return None


def as_message(order: Any) -> core_pb2.Order:
    return core_pb2.Order(white_death=orders_pb2.Order(**CODEC.encode_order(order)))


@QUICK
@given(order=any_of(orders.Order))
def test_an_order_is_answered_at_every_decision(
    real: Wire, positions: list[core_pb2.Position], order: Any
) -> None:
    message = as_message(order)
    for position in positions:
        judged = real.rules.ValidateOrders(rules_service_pb2.ValidateOrdersRequest(
            position=position, order=message))
        answer = submit(real, position, message, response_mode=2)
        assert bool(judged.violations) == bool(answer.violations)
        real.rules.ListLegalOrders(rules_service_pb2.ListLegalOrdersRequest(
            position=position, draft=message))


@QUICK
@given(order=any_of(orders.MoveAndDeclare | orders.DeclareImpulse | orders.DefensiveFire))
def test_an_impulse_of_any_orders_is_answered(
    real: Wire, positions: list[core_pb2.Position], order: Any
) -> None:
    for position in positions:
        for side in ("soviet", "german"):
            real.rules.ResolveImpulse(rules_service_pb2.ResolveImpulseRequest(
                position=position, response_mode=2,
                orders=[{"side": side, "orders": [as_message(order)] * 2}]))
