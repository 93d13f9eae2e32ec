"""Seats that are late, out of time, silent, crashed or lawless, on a clock that the test turns.

The rules server and the database are real; only time is not.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import terms_pb2
from lovat_client.arbiter.agreement import LONGEST_ADJOURNMENT
from lovat_client.arbiter.errors import ArbiterError
from lovat_client.arbiter.main import open_store
from lovat_client.arbiter.referee import Referee
from lovat_client.arbiter.service import Service
from lovat_client.arbiter.store import Store
from lovat_client.sdk import EmbeddedServer, LovatClient

from .playing import SIDES, illegal, orders_for, request

START = 1_000_000.0


class Game:
    """A match at a service in this process, with a clock to turn."""

    def __init__(self, store: Store, referee: Referee, **fields: Any) -> None:
        self.time = START
        self.store = store
        self.referee = referee
        self.service = self.restarted()
        created = self.service.create_match(request(open=True, **fields))
        self.match_id = created.match.match_id
        self.tokens = {side: self.service.join_match(play.JoinMatchRequest(
            match_id=self.match_id, side=side, player=side)).token for side in SIDES}
        self._requests = 0

    def restarted(self) -> Service:
        self.service = Service(self.store, self.referee, lambda: self.time)
        self.service.recover()
        return self.service

    def turn(self, side: str) -> play.GetTurnResponse:
        return self.service.get_turn(self.tokens[side], play.GetTurnRequest())

    @property
    def info(self) -> play.MatchInfo:
        """The match as somebody sees it who is not a seat: no seat is heard of by that."""
        return self.service.get_turn("", play.GetTurnRequest(match_id=self.match_id)).match

    @property
    def clocks(self) -> dict[str, play.SideClock]:
        turn = self.service.get_turn("", play.GetTurnRequest(match_id=self.match_id))
        return {clock.side: clock for clock in turn.clocks}

    @property
    def decider(self) -> str:
        match = self.store.load(self.match_id)
        assert match is not None
        return match.row.decision_side

    @property
    def version(self) -> int:
        match = self.store.load(self.match_id)
        assert match is not None
        return match.row.version

    def submit(self, order: core_pb2.Order | None = None) -> play.SubmitOrdersResponse:
        """Have the deciding side answer, safely if no order is given."""
        side = self.decider
        turn = self.turn(side)
        self._requests += 1
        return self.service.submit_orders(self.tokens[side], play.SubmitOrdersRequest(
            order=order or next(orders_for(turn, None)), expected_version=turn.version,
            request_id=str(self._requests)))

    def wait(self, seconds: float) -> None:
        self.time += seconds
        self.service.tick()

    def last(self) -> play.MatchEvent:
        watch = self.service.open_watch(self.tokens["soviet"], play.WatchMatchRequest())
        events: list[play.MatchEvent] = []
        while page := self.service.read_watch(watch)[0]:
            events += page
        return events[-1]


class Games:
    def __init__(self, store: Store, referee: Referee) -> None:
        self._store = store
        self._referee = referee

    def __call__(self, *, clock: dict[str, float] | None = None, **policy: Any) -> Game:
        return Game(self._store, self._referee, time_control=play.TimeControl(**clock or {}),
                    policy=play.Policy(**policy))


@pytest.fixture(scope="module")
def referee(rules: str) -> Iterator[Referee]:
    with Referee(rules) as opened:
        yield opened


@pytest.fixture
def game(referee: Referee, tmp_path: Path) -> Iterator[Games]:
    store = open_store(str(tmp_path / "m.db"))
    yield Games(store, referee)
    store.close()


def test_a_late_seat_gets_the_default_order_with_the_reason(game: Games) -> None:
    playing = game(clock={"decision_seconds": 60})
    side = playing.decider
    playing.wait(59)
    assert playing.version == 0
    playing.turn(side)
    playing.wait(2)
    assert playing.version == 1
    ordered = playing.last().ordered
    assert (ordered.side, ordered.lapse) == (side, play.LAPSE_LATE)
    assert ordered.reason == f"{side} did not decide within the time for one decision"
    assert {seat.side: seat.lapses for seat in playing.info.seats}[side] == 1


def test_a_silent_seat_is_told_from_a_late_one(game: Games) -> None:
    playing = game(clock={"decision_seconds": 60}, silent=play.REMEDY_FORFEIT)
    playing.submit()
    side = playing.decider
    playing.wait(1)
    playing.wait(60)
    result = playing.info.result
    assert (result.ending, result.lapse) == (play.ENDING_FORFEITED, play.LAPSE_SILENT)
    assert result.winner == next(other for other in SIDES if other != side)
    assert side in result.reason


def test_the_time_for_the_game_runs_only_for_the_side_that_decides(game: Games) -> None:
    playing = game(clock={"game_seconds": 100, "increment_seconds": 5})
    first = playing.decider
    playing.time += 30
    playing.submit()
    while playing.decider == first:
        playing.submit()
    answered = playing.version
    clocks = playing.clocks
    assert clocks[first].game_left == 100 - 30 + 5 * answered
    assert not clocks[first].running
    playing.time += 40
    other = playing.decider
    assert playing.clocks[other].running
    assert playing.clocks[other].game_left == 60
    assert playing.clocks[first].game_left == clocks[first].game_left
    playing.wait(61)
    result = playing.info.result
    assert (result.lapse, result.winner) == (play.LAPSE_OUT_OF_TIME, first)


def test_an_order_after_the_flag_is_too_late_even_before_the_tick(game: Games) -> None:
    playing = game(clock={"decision_seconds": 60})
    turn = playing.turn(playing.decider)
    playing.time += 61
    with pytest.raises(ArbiterError) as error:
        playing.service.submit_orders(playing.tokens[turn.side], play.SubmitOrdersRequest(
            order=next(orders_for(turn, None)), expected_version=0, request_id="late"))
    assert error.value.reason == play.MATCH_ERROR_REASON_STALE
    assert playing.last().ordered.lapse == play.LAPSE_LATE


def test_a_seat_forfeits_after_so_many_lapses(game: Games) -> None:
    playing = game(clock={"decision_seconds": 10}, forfeit_after=3)
    side = playing.decider
    for _ in range(40):
        if playing.info.state == play.MATCH_STATE_OVER:
            break
        if playing.decider == side:
            playing.wait(11)
        else:
            playing.submit()
    result = playing.info.result
    assert result.ending == play.ENDING_FORFEITED
    assert result.winner != side
    assert "lapse 3 of 3" in result.reason
    assert {seat.side: seat.lapses for seat in playing.info.seats}[side] == 3


def test_too_many_illegal_orders_are_a_lapse(game: Games) -> None:
    playing = game(illegal_limit=3)
    side = playing.decider
    for _ in range(2):
        assert playing.submit(illegal()).violations
    assert playing.version == 0
    assert playing.submit(illegal()).violations
    assert playing.version == 1
    ordered = playing.last().ordered
    assert (ordered.side, ordered.lapse) == (side, play.LAPSE_ILLEGAL)
    playing.submit(illegal())
    assert playing.version == 1, "the count begins again with each decision"


def test_a_crashed_seat_may_come_back_in_time(game: Games) -> None:
    playing = game(crashed_seconds=30)
    seat = (playing.match_id, playing.decider)
    presence = playing.service.presence
    presence.opened(seat, playing.time)
    playing.wait(1000)
    assert playing.version == 0, "without a clock a seat that is there may think"
    presence.closed(seat, playing.time)
    playing.wait(29)
    presence.opened(seat, playing.time)
    playing.wait(100)
    assert playing.version == 0
    presence.closed(seat, playing.time)
    playing.wait(31)
    assert playing.version == 1
    assert playing.last().ordered.lapse == play.LAPSE_CRASHED


def test_waiting_is_a_remedy_too(game: Games) -> None:
    playing = game(clock={"decision_seconds": 10}, late=play.REMEDY_WAIT,
                   silent=play.REMEDY_WAIT)
    playing.wait(1000)
    assert playing.version == 0
    assert playing.submit().version == 1


def test_no_clock_runs_while_the_match_is_adjourned(game: Games) -> None:
    playing = game(clock={"decision_seconds": 60, "game_seconds": 600})
    side = playing.decider
    playing.time += 20
    for token in playing.tokens.values():
        playing.service.adjourn(token, play.AdjournRequest())
    playing.wait(10_000)
    clock = playing.clocks[side]
    assert (clock.running, clock.decision_left, clock.game_left) == (False, 40, 580)
    for token in playing.tokens.values():
        playing.service.resume(token, play.ResumeRequest())
    playing.wait(39)
    assert playing.version == 0
    assert playing.clocks[side].decision_left == 1
    playing.wait(2)
    assert playing.version == 1


def test_one_seat_may_resume_after_the_longest_adjournment(game: Games) -> None:
    playing = game()
    for token in playing.tokens.values():
        playing.service.adjourn(token, play.AdjournRequest())
    resume = playing.service.resume
    assert resume(playing.tokens["german"], play.ResumeRequest()).match.state \
        == play.MATCH_STATE_ADJOURNED
    playing.time += LONGEST_ADJOURNMENT
    assert resume(playing.tokens["german"], play.ResumeRequest()).match.state \
        == play.MATCH_STATE_RUNNING


def test_time_without_an_arbiter_is_nobodys(game: Games) -> None:
    playing = game(clock={"decision_seconds": 60})
    playing.wait(20)
    playing.time += 3600
    playing.restarted()
    playing.service.tick()
    assert playing.version == 0
    assert playing.clocks[playing.decider].decision_left == 40
    playing.wait(41)
    assert playing.version == 1


def test_two_silent_seats_play_to_the_end_by_default(game: Games, rules: str) -> None:
    playing = game(clock={"decision_seconds": 1})
    for _ in range(3000):
        playing.wait(2)
        if playing.info.state == play.MATCH_STATE_OVER:
            break
    result = playing.info.result
    assert result.ending == play.ENDING_PLAYED
    level = result.score.white_death.level
    assert level.endswith(" Victory")
    assert result.winner == level.split()[0].lower() in SIDES
    header, *entries = playing.service.get_replay(
        "", play.GetReplayRequest(match_id=playing.match_id))
    assert {entry.entry.lapse for entry in entries} == {play.LAPSE_SILENT}
    assert all(entry.entry.reason for entry in entries)
    with LovatClient.connect(rules) as client:
        verdict = client.replay(header.header.start, [each.entry.record for each in entries])
    assert verdict.verified, verdict.divergence


@pytest.mark.parametrize(("named", "winner"), [("Draw", "")])
def test_the_level_of_victory_says_who_has_won(tmp_path: Path, named: str, winner: str) -> None:
    """On a server whose scenario has one turn, and another name for its lowest level."""
    printed = Path(__file__).parents[3] / "scenarios/white_death/scenario_1.toml"
    (tmp_path / "data").mkdir()
    (tmp_path / "data/scenario_1.toml").write_text(
        printed.read_text("utf-8").replace('"German Victory"', f'"{named}"')
        .replace("last_turn = 4", "last_turn = 1"), "utf-8")
    with EmbeddedServer(overlay=tmp_path / "data") as server, \
            Referee(server.address) as referee, \
            contextlib.closing(open_store(str(tmp_path / "m.db"))) as store:
        playing = Games(store, referee)(clock={"decision_seconds": 1})
        while playing.info.state != play.MATCH_STATE_OVER and playing.version < 500:
            playing.wait(2)
        result = playing.info.result
        assert result.ending == play.ENDING_PLAYED
        assert result.score.white_death.level == named
        assert result.winner == playing.last().ended.result.winner == winner


def test_standing_orders_are_kept_and_shown_to_their_own_side_alone(game: Games) -> None:
    playing = game(clock={"decision_seconds": 60})
    side = playing.decider
    turn = playing.turn(side)
    standing = core_pb2.StandingOrders()
    standing.white_death.advance = terms_pb2.CHOICE_NEVER
    playing.service.submit_orders(playing.tokens[side], play.SubmitOrdersRequest(
        order=next(orders_for(turn, None)), standing=standing, expected_version=0,
        request_id="standing"))
    assert playing.turn(side).view.white_death.standing.advance == terms_pb2.CHOICE_NEVER
    other = next(each for each in SIDES if each != side)
    assert playing.turn(other).view.white_death.standing.advance != terms_pb2.CHOICE_NEVER
