"""What a seat may ask: the rules server's own answer for its side, and nothing for anybody else."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules_pb2
from lovat.white_death.v1 import orders_pb2, overlays_pb2
from lovat_client.arbiter.main import open_store
from lovat_client.bots.protocol import Advisor
from lovat_client.sdk import LovatClient, LovatError

from .playing import SIDES, Hall, Table, illegal, orders_for
from .processes import running

FIRE = ("barrage", "defensive_fire", "assault_fire")


def query(**fields: Any) -> core_pb2.OverlayQuery:
    return core_pb2.OverlayQuery(white_death=overlays_pb2.OverlayQuery(**fields))


ZONES = query(kind=overlays_pb2.OVERLAY_KIND_ZONE_OF_CONTROL, whose=overlays_pb2.WHOSE_ENEMY)


def at_fire(table: Table) -> tuple[str, play.GetTurnResponse]:
    """Play boldly until somebody may fire."""
    random = Random(5)
    for _ in range(200):
        side, turn = table.deciding()
        if turn.decision.kind in FIRE and turn.listing.white_death.fires:
            return side, turn
        next(table.play(1, random))
    raise AssertionError("nobody ever fired")


def fire(turn: play.GetTurnResponse) -> core_pb2.Order:
    order = orders_pb2.Order()
    getattr(order, turn.decision.kind).SetInParent()
    return core_pb2.Order(white_death=order)


def refused(error: pytest.ExceptionInfo[LovatError]) -> tuple[grpc.StatusCode, str]:
    return error.value.code, error.value.reason


def test_a_seat_is_told_what_the_rules_tell_its_side(rules: str, tmp_path: Path) -> None:
    database = tmp_path / "m.db"
    with running(str(database), rules, tmp_path / "log") as process, \
            Hall(process.address) as hall, LovatClient.connect(rules) as client:
        table = hall.table(dice=play.MATCH_DICE_SEEDED, seed="fire")
        side, turn = at_fire(table)
        store = open_store(str(database))
        match = store.load(table.match_id)
        store.close()
        assert match is not None
        position, seat = match.row.head, table.seats[side]

        told = seat.preview(fire(turn))
        direct = client.rpc.preview_combat(rules_pb2.PreviewCombatRequest(
            position=position, order=fire(turn), side=side))
        assert told == direct
        assert told.preview.white_death.hexes[0].fires[0].targets
        bad = seat.preview(illegal())
        assert bad.violations[0].message
        assert not bad.HasField("preview")
        for asking in SIDES:
            assert table.seats[asking].overlay(ZONES) == client.rpc.query_overlay(
                rules_pb2.QueryOverlayRequest(position=position, side=asking,
                                              query=ZONES)).overlay
        assert seat.overlay(ZONES).white_death.hexes
        assert seat.turn(without_listing=True).version == turn.version


def test_asking_counts_as_nothing(hall: Hall) -> None:
    table = hall.table(policy=play.Policy(illegal_limit=1, illegal=play.REMEDY_FORFEIT))
    side, turn = table.deciding()
    assert table.seats[side].preview(illegal()).violations
    after = table.seats[side].turn()
    assert (after.match.state, after.version) == (play.MATCH_STATE_RUNNING, turn.version)


def test_only_the_deciding_seat_is_told_what_an_order_would_come_to(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    other = next(each for each in SIDES if each != side)
    order = next(orders_for(turn, None))
    with pytest.raises(LovatError) as error:
        table.seats[other].preview(order)
    assert refused(error) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_DECISION")
    assert table.seats[other].overlay(ZONES).white_death.hexes
    table.seats[side].resign()
    with pytest.raises(LovatError) as error:
        table.seats[side].preview(order)
    assert refused(error) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_RUNNING")


def test_spectators_and_other_matches_are_told_nothing(hall: Hall) -> None:
    table, other = hall.table(), hall.table()
    order = illegal()
    asked = ((hall.lobby.stub.PreviewCombat, play.PreviewCombatRequest(
                 match_id=table.match_id, order=order)),
             (hall.lobby.stub.QueryOverlay, play.QueryOverlayRequest(
                 match_id=table.match_id, query=ZONES)))
    for method, request in asked:
        with pytest.raises(grpc.RpcError) as raw:
            method(request)
        assert raw.value.code() is grpc.StatusCode.PERMISSION_DENIED
        for token, code in ((other.tokens["soviet"], grpc.StatusCode.PERMISSION_DENIED),
                            ("a.b.c", grpc.StatusCode.UNAUTHENTICATED)):
            with pytest.raises(grpc.RpcError) as raw:
                method(request, metadata=(("authorization", f"Bearer {token}"),))
            assert raw.value.code() is code


@pytest.mark.parametrize(("fields", "named"), [
    ({"kind": 99}, "query.white_death.kind"),
    ({"kind": overlays_pb2.OVERLAY_KIND_REACH, "unit": "nobody"}, "query.white_death.unit"),
    ({"kind": overlays_pb2.OVERLAY_KIND_LINE_OF_SIGHT, "hex": 9999}, "query.white_death.hex"),
])
def test_a_query_that_makes_no_sense_names_its_field(
    hall: Hall, fields: dict[str, Any], named: str
) -> None:
    seat = hall.table().seats["soviet"]
    with pytest.raises(LovatError) as error:
        seat.overlay(query(**fields))
    assert refused(error) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
    assert [field.field for field in error.value.fields] == [named]


def test_what_is_left_out_is_named(hall: Hall) -> None:
    table = hall.table()
    side, _ = table.deciding()
    metadata = (("authorization", f"Bearer {table.tokens[side]}"),)
    stub = hall.lobby.stub
    for method, request, field in (
        (stub.PreviewCombat, play.PreviewCombatRequest(), "order"),
        (stub.QueryOverlay, play.QueryOverlayRequest(), "query"),
    ):
        with pytest.raises(grpc.RpcError) as raw:
            method(request, metadata=metadata)
        assert raw.value.code() is grpc.StatusCode.INVALID_ARGUMENT
        assert field in raw.value.details()


def test_a_seat_is_an_advisor_of_a_bot(hall: Hall) -> None:
    advisor: Advisor = hall.table().seats["soviet"]
    assert advisor.overlay(ZONES).white_death.hexes


def test_the_arbiter_alone_is_address_enough(hall: Hall, rules: str) -> None:
    """Catalog and clauses are those of the rules server, byte for byte; no token is needed."""
    with LovatClient.connect(hall.address) as here, LovatClient.connect(rules) as there:
        assert here.games() == there.games()
        assert here.scenarios() == there.scenarios()
        for scenario in here.scenarios():
            catalog = there.catalog(scenario.id)
            assert here.catalog(scenario.id).message == catalog.message
            assert hall.lobby.catalog(scenario.id).content_hash == catalog.content_hash
            assert hall.lobby.catalog(scenario.id) is hall.lobby.catalog(scenario.id)
        assert hall.lobby.describe_rule("WD 9.C.3") == there.describe_rule("WD 9.C.3")
        for ask in (lambda: here.catalog("nowhere"), lambda: hall.lobby.describe_rule("WD 99")):
            with pytest.raises(LovatError) as error:
                ask()
            assert refused(error) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN")
        with pytest.raises(LovatError) as error:
            hall.lobby.describe_rule("x" * 100)
        assert refused(error) == (grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED")
        assert error.value.fields[0].field == "clause"
