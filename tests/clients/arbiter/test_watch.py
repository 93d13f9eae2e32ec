"""Streams of events: nothing lost, nothing twice, and spectators behind."""

from __future__ import annotations

import threading
from itertools import islice
from pathlib import Path

import grpc
import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat_client.sdk import LovatError

from .playing import Hall, Table
from .processes import running


def first(table: Table, side: str, count: int, after: int = 0) -> list[play.MatchEvent]:
    """So many events from a stream, which is then dropped."""
    stream = table.seats[side].watch(after=after)
    events = list(islice(stream, count))
    stream.close()  # type: ignore[attr-defined]
    return events


def test_a_stream_tells_everything_from_the_first_seat_to_the_end(hall: Hall) -> None:
    table = hall.table()
    seen: list[play.MatchEvent] = []
    reader = threading.Thread(target=lambda: seen.extend(table.seats["german"].watch()),
                                  daemon=True)
    reader.start()
    answers = list(table.play(5))
    table.seats["soviet"].resign()
    reader.join(20)
    assert not reader.is_alive(), "the stream ends with the match"
    assert [event.WhichOneof("event") for event in seen] == [
        "joined", "joined", "started", *["ordered"] * 5, "ended"]
    assert [event.sequence for event in seen] == list(range(1, 10))
    assert [event.version for event in seen[3:8]] == [answer.version for answer in answers]
    assert seen[-1].ended.result.winner == "german"
    assert not any(event.HasField("view") for event in seen)
    assert seen[2].started.commitment == table.seats["soviet"].turn().match.commitment


def test_a_dropped_stream_goes_on_without_loss_or_repeat(hall: Hall) -> None:
    table = hall.table()
    list(table.play(9))
    whole = first(table, "soviet", 12)
    parts: list[play.MatchEvent] = []
    for count in (1, 3, 2, 5, 1):
        parts += first(table, "soviet", count, parts[-1].sequence if parts else 0)
    assert parts == whole


def test_a_stream_may_begin_at_a_version(hall: Hall) -> None:
    table = hall.table()
    list(table.play(4))
    seat = table.seats["soviet"]
    stub, metadata = seat.stub, (("authorization", f"Bearer {table.tokens['soviet']}"),)
    for version in (0, 2):
        stream = stub.WatchMatch(play.WatchMatchRequest(after_version=version),
                                 metadata=metadata)
        assert next(iter(stream)).event.version == version + 1
        stream.cancel()
    with pytest.raises(grpc.RpcError) as error:
        next(iter(stub.WatchMatch(play.WatchMatchRequest(after_version=99), metadata=metadata)))
    assert error.value.code() is grpc.StatusCode.INVALID_ARGUMENT


def test_views_come_with_the_events_if_asked_for(hall: Hall) -> None:
    table = hall.table()
    list(table.play(3))
    seat = table.seats["german"]
    stream = seat.watch(with_views=True)
    events = [next(stream) for _ in range(6)]
    assert [event.HasField("view") for event in events] == [False, False, True, True, True, True]
    assert events[-1].view == seat.turn().view


def test_spectators_are_behind_and_see_no_own_units(hall: Hall) -> None:
    table = hall.table(spectating=play.Spectating(delay=4))
    lobby = hall.lobby
    assert not lobby.turn(table.match_id).HasField("view"), "nothing is old enough yet"
    list(table.play(6))
    turn = lobby.turn(table.match_id)
    assert (turn.version, turn.side, turn.HasField("listing")) == (2, "", False)
    view = turn.view.white_death
    assert not view.own
    assert len(view.enemy) > 0
    assert not any(stack.revealed or stack.deployed for stack in view.enemy)
    assert not view.HasField("standing")
    stream = lobby.watch(table.match_id)
    assert [next(stream).sequence for _ in range(5)] == [1, 2, 3, 4, 5]
    stream.close()  # type: ignore[attr-defined]
    table.seats["soviet"].resign()
    assert [event.sequence for event in lobby.watch(table.match_id, after=5)] == [6, 7, 8, 9, 10]


def test_a_match_may_be_closed_to_spectators_until_it_is_over(hall: Hall) -> None:
    table = hall.table(spectating=play.Spectating(forbidden=True))
    for ask in (lambda: hall.lobby.turn(table.match_id),
                lambda: next(hall.lobby.watch(table.match_id))):
        with pytest.raises(LovatError) as error:
            ask()
        assert (error.value.code, error.value.reason) == (
            grpc.StatusCode.PERMISSION_DENIED, "NO_SPECTATORS")
    table.seats["soviet"].resign()
    assert len(list(hall.lobby.watch(table.match_id))) == 4


def test_a_seat_that_watches_is_connected(hall: Hall) -> None:
    table = hall.table()
    stream = table.seats["german"].watch()
    next(stream)
    assert [seat.connected for seat in table.seats["soviet"].turn().match.seats] == [False, True]


def test_a_reader_outlives_its_arbiter(rules: str, tmp_path: Path) -> None:
    with running(str(tmp_path / "m.db"), rules, tmp_path / "log") as process, \
            Hall(process.address) as hall:
        table = hall.table()
        seen: list[play.MatchEvent] = []
        reader = threading.Thread(target=lambda: seen.extend(table.seats["german"].watch()),
                                  daemon=True)
        reader.start()
        for _ in range(3):
            list(table.play(2))
            process.kill()
            process.start()
        table.seats["soviet"].resign()
        reader.join(30)
        assert not reader.is_alive()
        assert [event.sequence for event in seen] == list(range(1, 11))


def test_two_arbiters_on_one_database_tell_the_same(database: str, rules: str,
                                                    tmp_path: Path) -> None:
    with running(database, rules, tmp_path / "log1") as one, \
            running(database, rules, tmp_path / "log2") as two, Hall(one.address) as hall:
        table = hall.table()
        with two.connect(table.tokens["german"]) as there:
            seen: list[play.MatchEvent] = []
            reader = threading.Thread(target=lambda: seen.extend(there.watch()),
                                  daemon=True)
            reader.start()
            list(table.play(4))
            there.resign()
            reader.join(20)
            assert [event.sequence for event in seen] == list(range(1, 9))
        assert table.seats["soviet"].turn().match.state == play.MATCH_STATE_OVER
