"""PreviewCombat on the real server: a barrage, a thought of an assault, what is refused."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import grpc
import pytest

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import answers_pb2, preview_pb2, terms_pb2
from lovat_client.sdk import path_to
from lovat_server.games.white_death import previews
from lovat_server.transport.names import names_of
from lovat_server.transport.white_death_preview import decimal, encode_fraction
from tests.transport.wire import Wire, declare, refused

MP = 120
NAMES = names_of([], [])
Request = rules_service_pb2.PreviewCombatRequest


def moving(wire: Wire) -> core_pb2.Position:
    """The Soviet movement of the first impulse, with 3 points."""
    created = wire.created()
    position, kind = created.position, created.decision.kind
    while kind != "move_and_declare":
        order = declare(8) if kind == "declare_impulse" else plain(kind)
        answer = wire.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
            position=position, order=order))
        assert not answer.violations
        position, kind = answer.position, answer.decision.kind
    return position


def plain(kind: str) -> core_pb2.Order:
    """An answer that says nothing."""
    order = core_pb2.Order()
    getattr(order.white_death, kind).SetInParent()
    return order


def thought(wire: Wire, position: core_pb2.Position) -> core_pb2.Order:
    """The first unit of the listing that can reach an enemy zone and assault from there."""
    def listed(**fields: Any) -> answers_pb2.Listing:
        return wire.rules.ListLegalOrders(rules_service_pb2.ListLegalOrdersRequest(
            position=position, **fields)).listing.white_death

    for option in listed().units:
        for hex_, cost, marks in zip(option.hexes, option.costs, option.marks, strict=True):
            if marks != terms_pb2.MARK_FLAG_STOPS or cost + MP > option.left:
                continue
            order = core_pb2.Order()
            march = order.white_death.move_and_declare.actions.add().march
            march.units.append(option.unit)
            march.path.extend(path_to(option, hex_))
            (after,) = listed(draft=order, units=[option.unit]).units or (None,)
            if after is not None and after.assaults:
                order.white_death.move_and_declare.assaults.add(
                    hex=after.assaults[0], units=[option.unit])
                return order
    raise AssertionError("nobody can assault anything")


def exact(fraction: preview_pb2.Fraction) -> Fraction:
    value = Fraction(fraction.exact)
    if fraction.denominator:
        assert value == Fraction(fraction.numerator, fraction.denominator)
    assert abs(value - Fraction(fraction.decimal)) <= Fraction(1, 2_000_000)
    return value


def test_an_assault_that_is_only_thought_of(real: Wire) -> None:
    position = moving(real)
    order = thought(real, position)
    answer = real.rules.PreviewCombat(Request(position=position, order=order))
    assert not answer.violations
    (shown,) = answer.preview.white_death.hexes
    assert shown.hex == order.white_death.move_and_declare.assaults[0].hex
    assert not shown.unknown
    assert shown.fires
    assert shown.fires[0].phase == terms_pb2.PHASE_DEFENSIVE_FIRE
    assert 0 <= exact(shown.vacated) <= 1
    for fire in shown.fires:
        exact(fire.expected_loss)
        for target in fire.targets:
            assert target.unit
            assert sum(exact(found.chance) for found in target.results) == 1
    again = real.rules.PreviewCombat(Request(position=position, order=order))
    assert again.SerializeToString(deterministic=True) \
        == answer.SerializeToString(deterministic=True)


def test_a_player_is_not_told_what_is_hidden(real: Wire) -> None:
    position = moving(real)
    order = thought(real, position)
    own = real.rules.PreviewCombat(Request(position=position, order=order, side="soviet"))
    hex_ = order.white_death.move_and_declare.assaults[0].hex
    assert own.preview.white_death == preview_pb2.Preview(
        hexes=[preview_pb2.HexPreview(
            hex=hex_, unknown=True, vacated=NOTHING, repelled=NOTHING, attacker_loss=NOTHING,
            defender_loss=NOTHING)])
    other = real.rules.PreviewCombat(Request(position=position, order=order, side="german"))
    assert other.preview.white_death == preview_pb2.Preview()


NOTHING = preview_pb2.Fraction(denominator=1, decimal="0.000000", exact="0")


def test_a_refused_order_has_violations_and_no_preview(real: Wire) -> None:
    answer = real.rules.PreviewCombat(Request(position=moving(real), order=declare()))
    assert [violation.clause for violation in answer.violations] == ["WD 5"]
    assert not answer.HasField("preview")


@pytest.mark.parametrize(("fields", "field"), [
    ({"side": "finnish"}, "side"), ({}, "order"),
])
def test_what_cannot_be_read_is_malformed(real: Wire, fields: dict[str, str], field: str) -> None:
    failed = refused(real.rules.PreviewCombat, Request(position=moving(real), **fields))
    assert (failed.code, failed.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)


def test_declared_fire_is_told_to_the_side_that_decides(real: Wire) -> None:
    position = moving(real)
    order = thought(real, position)
    for _ in range(5):
        outcome = real.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
            position=position, order=order))
        assert not outcome.violations
        position = outcome.position
        if outcome.decision.kind == "defensive_fire":
            break
        order = plain(outcome.decision.kind)
    order = plain("defensive_fire")
    answer = real.rules.PreviewCombat(Request(position=position, order=order, side="german"))
    (shown,) = answer.preview.white_death.hexes
    assert shown.fires[0].targets
    assert not shown.unknown
    whole = real.rules.PreviewCombat(Request(position=position, order=order))
    assert whole == answer


@pytest.mark.parametrize(("value", "text"), [
    (Fraction(0), "0.000000"), (Fraction(1), "1.000000"), (Fraction(5, 36), "0.138889"),
    (Fraction(7, 2), "3.500000"), (Fraction(1, 10**7), "0.000000"),
    (Fraction(3, 2 * 10**6), "0.000002"), (Fraction(1, 2 * 10**6), "0.000000"),
])
def test_decimals_are_rounded_half_to_even(value: Fraction, text: str) -> None:
    assert decimal(value) == text


def test_a_fraction_too_long_for_64_bits_is_still_exact() -> None:
    long = Fraction(1, 6**30)
    sent = preview_pb2.Fraction(**encode_fraction(long, NAMES))
    assert (sent.numerator, sent.denominator) == (0, 0)
    assert Fraction(sent.exact) == long
    short = preview_pb2.Fraction(**encode_fraction(Fraction(5, 36), NAMES))
    assert (short.numerator, short.denominator, short.exact) == (5, 36, "5/36")


def test_outcomes_have_their_numbers_on_the_wire() -> None:
    for outcome in previews.Outcome:
        name = "UNSPECIFIED" if outcome == 0 else outcome.name
        assert preview_pb2.Outcome.Value(f"OUTCOME_{name}") == outcome
