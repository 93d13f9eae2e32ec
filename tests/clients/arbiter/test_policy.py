"""Clocks, tokens and default orders by themselves."""

from __future__ import annotations

import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2, terms_pb2
from lovat_client.arbiter.clock import Left, Pending, bank_after, left
from lovat_client.arbiter.codec import timestamp
from lovat_client.arbiter.policy import completed, default_orders, lapse_of, remedy_of
from lovat_client.arbiter.tokens import Hashed, claim_of, hash_of, new_secret, token_of

BOTH = play.TimeControl(decision_seconds=30, game_seconds=100, increment_seconds=4)


def test_a_clock_counts_what_was_spent_before_it_was_stopped() -> None:
    pending = Pending(since=1000, spent=10, bank=50)
    assert left(BOTH, pending, 1005) == Left(15, 35)
    assert left(BOTH, pending, 1060).soonest == -40
    assert left(play.TimeControl(), pending, 1060) == Left(None, None)
    assert Left(None, None).soonest is None
    assert left(BOTH, pending, 900) == Left(20, 40), "a clock set back takes no time"


def test_the_increment_is_for_answers_of_the_seat_itself() -> None:
    pending = Pending(since=0, spent=0, bank=50)
    assert bank_after(BOTH, pending, 20, answered=True) == 34
    assert bank_after(BOTH, pending, 20, answered=False) == 30
    assert bank_after(BOTH, pending, 80, answered=False) == 0
    assert bank_after(play.TimeControl(increment_seconds=4), pending, 20, answered=True) == 50


def test_every_default_of_a_policy_is_filled_in() -> None:
    policy = completed(play.Policy(silent=play.REMEDY_WAIT))
    assert (policy.late, policy.silent, policy.out_of_time) == (
        play.REMEDY_DEFAULT_ORDER, play.REMEDY_WAIT, play.REMEDY_FORFEIT)
    assert completed(policy) == policy


@pytest.mark.parametrize(("changes", "lapse"), [
    ({}, play.LAPSE_UNSPECIFIED),
    ({"left": Left(0, 5)}, play.LAPSE_LATE),
    ({"left": Left(0, 5), "heard": False}, play.LAPSE_SILENT),
    ({"left": Left(0, 0)}, play.LAPSE_OUT_OF_TIME),
    ({"refusals": 3}, play.LAPSE_ILLEGAL),
    ({"away": 9.9}, play.LAPSE_UNSPECIFIED),
    ({"away": 10.0}, play.LAPSE_CRASHED),
])
def test_a_lapse_is_named(changes: dict[str, object], lapse: play.Lapse.ValueType) -> None:
    policy = completed(play.Policy(crashed_seconds=10, illegal_limit=3))
    given = {"left": Left(5, 5), "refusals": 0, "away": None, "heard": True, **changes}
    time_left = given.pop("left")
    assert lapse_of(policy, time_left, **given) == lapse  # type: ignore[arg-type]


def test_the_last_lapse_allowed_forfeits_unless_one_waits() -> None:
    policy = completed(play.Policy(forfeit_after=2, crashed=play.REMEDY_WAIT))
    assert remedy_of(policy, play.LAPSE_LATE, 1) == play.REMEDY_DEFAULT_ORDER
    assert remedy_of(policy, play.LAPSE_LATE, 2) == play.REMEDY_FORFEIT
    assert remedy_of(policy, play.LAPSE_CRASHED, 9) == play.REMEDY_WAIT


def test_there_is_a_default_order_for_every_kind_of_decision() -> None:
    for field in orders_pb2.Order.DESCRIPTOR.fields:
        orders = list(default_orders(field.name, core_pb2.Listing(), core_pb2.StandingOrders()))
        assert orders[0].white_death.WhichOneof("order") == field.name


def test_default_orders_do_what_standing_orders_say() -> None:
    listing, standing = core_pb2.Listing(), core_pb2.StandingOrders()
    listing.white_death.pursuits.add(hex=1, units=["a", "b"], targets=[5])
    listing.white_death.pursuits.add(hex=2, units=["a"], targets=[6])
    listing.white_death.withdrawals.add(unit="c", hexes=[7, 8])

    def first(kind: str) -> orders_pb2.Order:
        return next(default_orders(kind, listing, standing)).white_death
    assert [(each.hex, list(each.units)) for each in first("pursue").pursue.pursuits] \
        == [(1, ["a"])]
    assert not first("retreat_before_combat").retreat_before_combat.withdrawals
    assert first("sustain_garrison").sustain_garrison.spend
    standing.white_death.pursue = terms_pb2.CHOICE_NEVER
    standing.white_death.withdraw = terms_pb2.CHOICE_ALWAYS
    standing.white_death.sustain = terms_pb2.CHOICE_NEVER
    assert not first("pursue").pursue.pursuits
    assert first("retreat_before_combat").retreat_before_combat.withdrawals[0].hex == 7
    assert not first("sustain_garrison").sustain_garrison.spend


def test_a_secret_is_kept_as_a_salted_hash_only() -> None:
    secret = new_secret()
    one, other = Hashed.of(secret), Hashed.of(secret)
    assert one != other
    assert one.matches(secret)
    assert not one.matches(secret + "x")
    assert secret.encode() not in one.digest + one.salt
    for text in ("", secret):
        assert not Hashed.none().matches(text)
    assert len({new_secret() for _ in range(100)}) == 100


def test_a_token_says_whose_it_claims_to_be() -> None:
    claim = claim_of(token_of("m", "soviet", "s"))
    assert claim is not None
    assert (claim.match_id, claim.side, claim.secret) == ("m", "soviet", "s")
    for text in ("", "a.b", "a..c", "a.b.c.d", "..."):
        assert claim_of(text) is None
    assert hash_of("") == b""
    assert hash_of("a") != hash_of("b")


def test_times_are_told_to_the_microsecond() -> None:
    assert timestamp(1.25).ToMilliseconds() == 1250
