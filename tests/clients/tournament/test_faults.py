"""What a bot can do wrong: each is a lost game with a reason, on the real rules."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest

from lovat_client.bots import RandomBot
from lovat_client.sdk import LovatClient, Session
from lovat_client.sdk.errors import LovatError
from lovat_client.tournament import lane as lanes
from lovat_client.tournament.bot_process import BotProcess, MissingBotError, bot_seed
from lovat_client.tournament.game import play_game
from lovat_client.tournament.lane import Lane, StoppedError
from lovat_client.tournament.results import (
    ADJUDICATED,
    CRASH,
    FLOOD,
    HANG,
    ILLEGAL,
    VOID,
    GameResult,
    GameTask,
)
from lovat_client.tournament.schedule import next_games

from .making import terms


def task_of(first: str, second: str = "good", *, options: dict[str, Any] | None = None,
            turns: int = 0, **limits: Any) -> GameTask:
    """A game of the first bot as Soviets; bots of `bad_bots` by name, "good" is the random one."""
    bots = [f"{seat}={'random' if name == 'good' else f'{__package__}.bad_bots:{name}'}"
            for seat, name in (("x", first), ("y", second))]
    task = next_games(terms(*bots, turns=turns, limits=limits), {})[0]
    return replace(task, bots=(replace(task.bots[0], options=options or {}), task.bots[1]))


FAST = {"decision_seconds": 2.5}


@pytest.mark.parametrize(("bot", "kind", "said", "limits"), [
    ("Crash", CRASH, "ValueError: no idea\nwhat to do", {}),
    ("Unspeakable", CRASH, "UnspeakableError", {}),
    ("Leaves", CRASH, "SystemExit: 0", {}),
    ("Vanishes", CRASH, "its process ended with exit code 3", {}),
    ("Dies", CRASH, "its process ended by signal 11", {}),
    ("Silent", CRASH, "TypeError: the bot answered None, which is no order", {}),
    ("Hog", CRASH, "MemoryError", {}),
    ("Breaks", CRASH, "OSError: no book of openings", {}),
    ("Sleeps", HANG, "took more than its time to decide, 2.5 seconds", FAST),
    ("Spins", HANG, "took more than its time to decide, 2.5 seconds", FAST),
    ("SlowToStart", HANG, "took more than its time to be made, 2 seconds", {"start_seconds": 2}),
    ("Slow", HANG, "3 for the game", {"game_seconds": 3}),
    ("Greedy", ILLEGAL, "refused 3 times at one decision, the last time because: ",
     {"refusals": 2}),
    ("Empty", ILLEGAL, "refused 1 times at one decision", {"refusals": 0}),
    ("Stranger", ILLEGAL, "refused 7 times", {}),
    ("Stutters", FLOOD, "3 orders of the game refused; 2 are allowed", {"refusals_in_game": 2}),
    ("Floods", FLOOD, "sent an order of 50", {}),
    ("Floods", FLOOD, "bytes that the server does not take", {"order_bytes": 32 << 20}),
])
def test_a_fault_is_a_lost_game_with_its_reason(
    client: LovatClient, bot: str, kind: str, said: str, limits: dict[str, Any],
) -> None:
    began = time.monotonic()
    result = play_game(client, task_of(bot, **limits))
    assert (result.ending, result.at_fault, result.winner) == (kind, "soviet", "german")
    assert said in result.reason
    assert (result.winning_bot, result.bot_of(result.at_fault)) == ("y", "x")
    assert time.monotonic() - began < 30


def test_the_other_side_can_lose_by_a_fault_too(client: LovatClient) -> None:
    result = play_game(client, task_of("good", "Crash"))
    assert (result.ending, result.at_fault, result.winning_bot) == (CRASH, "german", "x")
    assert result.points is not None


def test_what_a_bot_prints_disturbs_nothing(client: LovatClient) -> None:
    result = play_game(client, task_of("Noisy", options={"lines": 20_000}, turns=1))
    assert result.ending == ADJUDICATED
    assert result.reason == "stopped after 1 turns"


def test_a_game_is_stopped_by_turns_or_decisions_and_the_score_decides_it(
    client: LovatClient,
) -> None:
    by_turn = play_game(client, task_of("good", turns=1))
    assert (by_turn.ending, by_turn.turn, by_turn.at_fault) == (ADJUDICATED, 1, "")
    short = play_game(client, task_of("good", decisions=5))
    assert (short.ending, short.decisions) == (ADJUDICATED, 5)
    assert short.reason == "stopped after 5 decisions"
    assert short.winner == {"G": "german", "S": "soviet"}[short.level[0]]


def test_a_table_of_levels_decides_otherwise(client: LovatClient) -> None:
    task = replace(task_of("good", decisions=2), winning=(("soviet", ("German Victory",)),))
    assert play_game(client, task).winner == "soviet"
    task = replace(task, winning=(("german", ("Soviet Tactical Victory",)),))
    result = play_game(client, task)
    assert (result.winner, result.ending, result.score("x")) == ("", ADJUDICATED, 0.5)


def test_the_same_seed_gives_the_same_game_of_bots_that_answer_alike(client: LovatClient) -> None:
    first, again = (play_game(client, task_of(bot, decisions=12)) for bot in ("good", "Terse"))
    assert first.checksum == again.checksum
    assert [seat.decisions for seat in first.seats] == [seat.decisions for seat in again.seats]


def test_nothing_of_a_bot_is_left_behind(client: LovatClient) -> None:
    with BotProcess(task_of("Spins").bots[0], "1", terms("a", "b").limits) as bot:
        bot.ready()
        assert bot._process is not None
        number = bot._process.pid
        assert Path(f"/proc/{number}").exists()
    assert not Path(f"/proc/{number}").exists()


@pytest.mark.parametrize("use", ["no.such:thing", f"{__package__}.bad_bots:Nobody",
                                 f"{__package__}.bad_bots:not_callable"])
def test_a_bot_that_is_not_there_is_found_before_the_first_game(use: str) -> None:
    with (BotProcess(replace(task_of("good").bots[0], use=use), "1", terms("a", "b").limits)
          as bot, pytest.raises(MissingBotError)):
        bot.ready()


def test_a_server_that_fails_again_and_again_makes_a_void_game(
    client: LovatClient, rules: str, monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Neither bot is to blame; and a failure that passes is forgotten."""
    calls: list[int] = []
    code = grpc.StatusCode.INTERNAL
    real = lanes.play_game

    def failing(asked: LovatClient, task: GameTask) -> GameResult:
        calls.append(1)
        if len(calls) <= failures:
            raise LovatError("SubmitOrders", code, "a bug")
        return real(asked, task)

    monkeypatch.setattr(lanes, "play_game", failing)
    lane, task, failures = Lane(rules), task_of("good", decisions=1), 2
    assert lane.play(task).ending == ADJUDICATED
    calls.clear()
    failures = 99
    void = lane.play(task)
    assert (void.ending, void.winner, void.at_fault, len(calls)) == (VOID, "", "", 3)
    assert "a bug" in void.reason
    code = grpc.StatusCode.UNAVAILABLE
    with pytest.raises(StoppedError):
        lane.play(task)
    lane.close()


def test_a_bot_plays_the_same_game_in_its_own_process_as_in_this_one(client: LovatClient) -> None:
    task = task_of("good", decisions=10)
    catalog = client.catalog(task.scenario).message
    here = Session.create(client, task.scenario, seed=task.dice_seed, standard_set_up=True)
    bots = {side: RandomBot(Random(bot_seed(task.dice_seed, side)))
            for side in ("soviet", "german")}
    while len(here.records) < 10:
        bot = bots[here.decision.side]
        order = bot.decide(here.view(), here.legal(), catalog)
        while found := here.submit(order).violations:
            order = bot.refused(order, found)
    assert play_game(client, task).checksum == here.position.checksum
