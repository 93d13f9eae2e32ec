"""A match through a real arbiter and a real rules server: what each call does, and refuses."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat_client.arbiter.player import MatchClient, records_of
from lovat_client.sdk import LovatClient, LovatError

from .playing import SIDES, Hall, decide, illegal, orders_for, request


def refusal(error: pytest.ExceptionInfo[LovatError]) -> tuple[grpc.StatusCode, str]:
    return error.value.code, error.value.reason


def test_a_match_waits_for_its_seats_and_then_runs(hall: Hall) -> None:
    created = hall.create()
    assert created.match.state == play.MATCH_STATE_WAITING
    assert [invitation.side for invitation in created.invitations] == list(SIDES)
    first, second = created.invitations
    joined = hall.lobby.join(created.match.match_id, "Anna", invitation=first.invitation)
    assert (joined.side, joined.match.state) == ("soviet", play.MATCH_STATE_WAITING)
    started = hall.lobby.join(created.match.match_id, "Bernd", invitation=second.invitation)
    assert started.match.state == play.MATCH_STATE_RUNNING
    assert [seat.player for seat in started.match.seats] == ["Anna", "Bernd"]


def test_each_seat_gets_its_own_view_and_only_the_deciding_one_a_listing(hall: Hall) -> None:
    table = hall.table()
    turns = {side: table.seats[side].turn() for side in SIDES}
    decider = turns["soviet"].decision.side
    for side, turn in turns.items():
        assert turn.side == side
        assert turn.view.white_death.side == SIDES.index(side) + 1
        assert turn.HasField("listing") == (side == decider)
        assert len(turn.view.white_death.own) > 0


def test_an_accepted_order_moves_both_seats_on(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    answer = decide(table.seats[side], turn)
    assert answer.version == turn.version + 1
    assert {table.seats[each].turn().version for each in SIDES} == {answer.version}


def test_a_broken_rule_is_an_answer_and_changes_nothing(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    answer = table.seats[side].submit(illegal(), turn.version)
    assert answer.violations[0].message
    assert answer.version == turn.version == table.seats[side].turn().version


def test_the_same_request_id_gives_the_same_answer(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    seat = table.seats[side]
    refused = seat.submit(illegal(), turn.version, request_id="r-0")
    assert seat.submit(illegal(), turn.version, request_id="r-0") == refused
    order = next(orders_for(turn, None))
    first = seat.submit(order, turn.version, request_id="r-1")
    assert not first.violations
    for _ in range(3):
        assert seat.submit(order, turn.version, request_id="r-1") == first
    assert seat.turn().version == turn.version + 1
    for again, version in ((illegal(), turn.version), (order, turn.version + 1)):
        with pytest.raises(LovatError) as error:
            seat.submit(again, version, request_id="r-1")
        assert refusal(error) == (grpc.StatusCode.INVALID_ARGUMENT, "REUSED_REQUEST_ID")


def test_the_same_request_id_at_once_is_one_order(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    order = next(orders_for(turn, None))
    clients = [hall.connect(table.tokens[side]) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(
            lambda client: client.submit(order, turn.version, request_id="once"), clients))
    assert all(answer == answers[0] for answer in answers)
    assert table.seats[side].turn().version == turn.version + 1


def test_of_many_orders_for_one_version_one_is_taken(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    order = next(orders_for(turn, None))

    def submit(number: int) -> grpc.StatusCode:
        try:
            table.seats[side].submit(order, turn.version, request_id=f"n-{number}")
        except LovatError as error:
            return error.code
        return grpc.StatusCode.OK
    with ThreadPoolExecutor(6) as pool:
        codes = list(pool.map(submit, range(6)))
    assert codes.count(grpc.StatusCode.OK) == 1
    assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.ABORTED}


def test_a_stale_version_is_aborted(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    for version in (turn.version + 1, turn.version + 100):
        with pytest.raises(LovatError) as error:
            table.seats[side].submit(next(orders_for(turn, None)), version)
        assert refusal(error) == (grpc.StatusCode.ABORTED, "STALE")


def test_only_the_deciding_seat_may_order(hall: Hall) -> None:
    table = hall.table()
    side, turn = table.deciding()
    other = next(each for each in SIDES if each != side)
    with pytest.raises(LovatError) as error:
        table.seats[other].submit(next(orders_for(turn, None)), turn.version)
    assert refusal(error) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_YOUR_DECISION")


def test_wrong_tokens_are_told_apart_from_foreign_ones(hall: Hall) -> None:
    table, other = hall.table(), hall.table()
    match_id, side, secret = table.tokens["soviet"].split(".")
    wrong = ["x", "a.b.c", f"{match_id}.{side}.{secret[:-1]}", f"{match_id}.german.{secret}",
             f"{match_id}.{side}.{secret}x", f"{other.match_id}.{side}.{secret}",
             f"{match_id}.nobody.{secret}", f"{match_id}.{side}."]
    for token in wrong:
        with pytest.raises(LovatError) as error:
            hall.connect(token).turn()
        assert refusal(error) == (grpc.StatusCode.UNAUTHENTICATED, "UNKNOWN_TOKEN"), token
        assert secret[:-1] not in str(error.value)
    with pytest.raises(LovatError) as error:
        table.seats["soviet"].turn(other.match_id)
    assert refusal(error) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_MATCH")
    with pytest.raises(grpc.RpcError) as raw:
        hall.lobby.stub.Resign(play.ResignRequest(match_id=match_id))
    assert raw.value.code() is grpc.StatusCode.PERMISSION_DENIED
    with pytest.raises(LovatError) as error:
        hall.lobby.turn("0" * 16)
    assert refusal(error) == (grpc.StatusCode.NOT_FOUND, "UNKNOWN")


def test_an_invitation_is_for_one_seat_and_once(hall: Hall) -> None:
    created = hall.create()
    soviet, german = created.invitations
    match_id = created.match.match_id
    for side, invitation in (("german", soviet.invitation), ("soviet", "guess"), ("", "")):
        with pytest.raises(LovatError) as error:
            hall.lobby.join(match_id, "Eve", side=side, invitation=invitation)
        assert refusal(error) == (grpc.StatusCode.PERMISSION_DENIED, "NOT_YOUR_MATCH")
    hall.lobby.join(match_id, "Anna", invitation=soviet.invitation)
    with pytest.raises(LovatError) as error:
        hall.lobby.join(match_id, "Eve", invitation=soviet.invitation)
    assert refusal(error) == (grpc.StatusCode.FAILED_PRECONDITION, "SEAT_TAKEN")
    assert german.invitation != soviet.invitation


def test_an_open_match_needs_no_invitation(hall: Hall) -> None:
    created = hall.create(open=True)
    assert not created.invitations
    joined = hall.lobby.join(created.match.match_id, "Anna", side="german")
    assert joined.side == "german"
    assert hall.lobby.join(created.match.match_id, "Bernd").side == "soviet"


def test_joining_again_by_the_same_request_id_gives_a_new_token(hall: Hall) -> None:
    created = hall.create()
    asked = play.JoinMatchRequest(
        match_id=created.match.match_id, player="Anna", request_id="join-1",
        invitation=created.invitations[0].invitation)
    first, second = hall.lobby.stub.JoinMatch(asked), hall.lobby.stub.JoinMatch(asked)
    assert first.token != second.token
    assert hall.connect(second.token).turn().side == "soviet"
    with pytest.raises(LovatError):
        hall.connect(first.token).turn()


def test_creating_again_by_the_same_request_id_gives_the_same_match(hall: Hall) -> None:
    asked = request(request_id="create-1")
    first, second = hall.lobby.create(asked), hall.lobby.create(asked)
    assert first.match.match_id == second.match.match_id
    hall.lobby.join(first.match.match_id, "Anna", invitation=second.invitations[0].invitation)
    with pytest.raises(LovatError) as error:
        hall.lobby.create(asked)
    assert refusal(error) == (grpc.StatusCode.INVALID_ARGUMENT, "REUSED_REQUEST_ID")


@pytest.mark.parametrize(("fields", "code"), [
    ({"scenario": "nowhere"}, grpc.StatusCode.NOT_FOUND),
    ({"scenario": ""}, grpc.StatusCode.INVALID_ARGUMENT),
    ({"seed": "x"}, grpc.StatusCode.INVALID_ARGUMENT),
    ({"dice": play.MATCH_DICE_SEEDED}, grpc.StatusCode.INVALID_ARGUMENT),
    ({"name": "x" * 81}, grpc.StatusCode.INVALID_ARGUMENT),
    ({"name": "a\nb"}, grpc.StatusCode.INVALID_ARGUMENT),
    ({"time_control": play.TimeControl(game_seconds=-1)}, grpc.StatusCode.INVALID_ARGUMENT),
    ({"time_control": play.TimeControl(game_seconds=float("nan"))},
     grpc.StatusCode.INVALID_ARGUMENT),
    ({"policy": play.Policy(late=99)}, grpc.StatusCode.INVALID_ARGUMENT),  # type: ignore[arg-type]
])
def test_a_match_that_makes_no_sense_is_refused(
    hall: Hall, fields: dict[str, object], code: grpc.StatusCode
) -> None:
    with pytest.raises(LovatError) as error:
        hall.create(**fields)
    assert error.value.code is code


def test_validating_counts_as_nothing(hall: Hall) -> None:
    table = hall.table(policy=play.Policy(illegal_limit=1, illegal=play.REMEDY_FORFEIT))
    side, turn = table.deciding()
    assert table.seats[side].validate(illegal()).violations
    judged = table.seats[side].validate(next(orders_for(turn, None)))
    assert not judged.violations
    assert judged.version == turn.version
    assert table.seats[side].turn().match.state == play.MATCH_STATE_RUNNING


def test_resigning_ends_it_for_the_other_side(hall: Hall) -> None:
    table = hall.table()
    info = table.seats["german"].resign()
    assert info.result.ending == play.ENDING_RESIGNED
    assert info.result.winner == "soviet"
    assert info.result.score.white_death.level
    assert table.seats["german"].resign() == info
    _, turn = "", table.seats["soviet"].turn()
    assert turn.match.state == play.MATCH_STATE_OVER
    assert not turn.HasField("listing")
    with pytest.raises(LovatError) as error:
        table.seats["soviet"].resign()
    assert refusal(error) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_RUNNING")


def test_aborting_and_adjourning_need_both(hall: Hall) -> None:
    table = hall.table()
    soviet, german = table.seats["soviet"], table.seats["german"]
    assert soviet.adjourn().state == play.MATCH_STATE_RUNNING
    assert list(german.turn().match.seats[0].proposals) == [play.PROPOSAL_ADJOURN]
    assert german.adjourn().state == play.MATCH_STATE_ADJOURNED
    side, turn = table.deciding()
    assert not turn.HasField("listing")
    with pytest.raises(LovatError) as error:
        table.seats[side].submit(illegal(), turn.version)
    assert refusal(error) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_RUNNING")
    assert german.resume().state == play.MATCH_STATE_ADJOURNED
    assert soviet.resume().state == play.MATCH_STATE_RUNNING
    side, turn = table.deciding()
    soviet.abort()
    decide(table.seats[side], turn)
    assert german.abort().state == play.MATCH_STATE_RUNNING, "what was asked has lapsed"
    german.abort(withdraw=True)
    assert soviet.abort().state == play.MATCH_STATE_RUNNING
    ended = german.abort()
    assert (ended.state, ended.result.ending) == (play.MATCH_STATE_OVER, play.ENDING_ABORTED)
    assert ended.result.winner == ""


def test_the_replay_is_shown_after_the_end_and_proves_the_dice(hall: Hall, rules: str) -> None:
    table = hall.table()
    list(table.play(12))
    with pytest.raises(LovatError) as error:
        table.seats["soviet"].replay()
    assert refusal(error) == (grpc.StatusCode.FAILED_PRECONDITION, "NOT_OVER")
    commitment = table.seats["soviet"].turn().match.commitment
    table.seats["soviet"].resign()
    header, entries = hall.lobby.replay(table.match_id)
    assert hashlib.sha256(header.secret).hexdigest() == commitment == header.match.commitment
    assert hashlib.sha256(header.start.create.seed.encode()).digest() == header.secret
    assert header.records == len(entries) == 12
    with LovatClient.connect(rules) as client:
        verdict = client.replay(header.start, records_of(entries))
    assert verdict.verified, verdict.divergence
    assert verdict.records == 12
    assert verdict.dice_verified


def test_seeded_dice_give_the_same_game(hall: Hall) -> None:
    tables = [hall.table(dice=play.MATCH_DICE_SEEDED, seed="7") for _ in range(2)]
    answers = [list(table.play(6)) for table in tables]
    assert [a.happenings for a in answers[0]] == [a.happenings for a in answers[1]]
    assert tables[0].seats["soviet"].turn().match.dice == play.MATCH_DICE_SEEDED


def test_matches_are_listed_newest_first_page_by_page(hall: Hall) -> None:
    named = [hall.create(name=f"list {number}").match.match_id for number in range(5)]
    hidden = hall.create(name="secret", unlisted=True).match.match_id
    found = [match.match_id for match in hall.lobby.matches(
        play.ListMatchesRequest(page_size=2, state=play.MATCH_STATE_WAITING))]
    assert [each for each in found if each in named] == named[::-1]
    assert len(found) == len(set(found))
    assert hidden not in found
    assert hall.lobby.matches(play.ListMatchesRequest(scenario="woehlers-response")) == []
    with pytest.raises(LovatError):
        hall.lobby.matches(play.ListMatchesRequest(page_token="x:y"))


def test_a_bad_authorization_says_what_is_wrong(hall: Hall) -> None:
    with pytest.raises(grpc.RpcError) as error:
        hall.lobby.stub.GetTurn(play.GetTurnRequest(), metadata=(("authorization", "Basic x"),))
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_the_dead_rules_server_is_said_and_changes_nothing(
    hall: Hall, arbiter: object, tmp_path_factory: pytest.TempPathFactory
) -> None:
    from lovat_client.sdk import EmbeddedServer

    from .processes import running

    folder = tmp_path_factory.mktemp("dead")
    with EmbeddedServer() as server, \
            running(str(folder / "m.db"), server.address, folder / "log") as process, \
            Hall(process.address) as other:
        table = other.table()
        side, turn = table.deciding()
        server.stop()
        quick = MatchClient.connect(process.address, table.tokens[side], timeout=40)
        with quick, pytest.raises(grpc.RpcError) as error:
            quick.stub.SubmitOrders(
                play.SubmitOrdersRequest(order=next(orders_for(turn, None)), request_id="r",
                                         expected_version=turn.version),
                metadata=(("authorization", f"Bearer {table.tokens[side]}"),))
        assert error.value.code() is grpc.StatusCode.UNAVAILABLE
        assert table.seats[side].turn(without_listing=True).version == turn.version
        assert table.seats[side].resign().result.ending == play.ENDING_RESIGNED
