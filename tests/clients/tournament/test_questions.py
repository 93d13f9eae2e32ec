"""Bots that ask before they answer, each in a real process on the real rules."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from lovat_client.advice import SessionAdvisor
from lovat_client.bots import BOTS
from lovat_client.sdk import LovatClient, Session
from lovat_client.tournament.bot_process import bot_seed
from lovat_client.tournament.game import play_game
from lovat_client.tournament.results import ADJUDICATED, CRASH, FLOOD, HANG, ILLEGAL

from .test_faults import FAST, task_of


@pytest.mark.parametrize("bot", ["Asks", "AsksNonsense"])
def test_a_bot_is_answered_and_plays_as_if_it_had_not_asked(
    client: LovatClient, bot: str,
) -> None:
    asking, silent = (play_game(client, task_of(name, decisions=12)) for name in (bot, "good"))
    assert (asking.ending, asking.reason) == (ADJUDICATED, "stopped after 12 decisions")
    assert asking.checksum == silent.checksum


@pytest.mark.parametrize(("bot", "kind", "said", "limits"), [
    ("Asks", FLOOD, "asked 7 questions about one decision; 6 are answered", {"questions": 6}),
    ("Asks", FLOOD, "asked 1 questions about one decision; 0 are answered", {"questions": 0}),
    ("AsksGibberish", ILLEGAL, "asked for an order to preview in bytes that are no such", {}),
    ("AsksAtLength", FLOOD, "asked a question of 50", {"order_bytes": 1 << 20}),
    ("AsksAtLength", FLOOD, "bytes; at most 262144 are taken", {}),
    ("AsksTooEarly", CRASH, "RuntimeError: no decision is pending", {}),
    ("SleepsAfterAsking", HANG, "took more than its time to decide, 2.5 seconds", FAST),
])
def test_too_many_or_bad_questions_are_a_lost_game_with_its_reason(
    client: LovatClient, bot: str, kind: str, said: str, limits: dict[str, Any],
) -> None:
    options = {"times": 9} if "questions" in limits else {}
    result = play_game(client, task_of(bot, options=options, **limits))
    assert (result.ending, result.at_fault, result.winner) == (kind, "soviet", "german")
    assert said in result.reason


def test_the_planner_plays_the_same_game_in_its_own_process_as_in_this_one(
    client: LovatClient,
) -> None:
    """What it is told by frames is what it is told here."""
    task = task_of("good", decisions=14)
    task = type(task).of_json(task.as_json().replace('"use": "random"', '"use": "planner"'))
    catalog = client.catalog(task.scenario).message
    here = Session.create(client, task.scenario, seed=task.dice_seed, standard_set_up=True)
    bots: dict[str, Any] = {side: BOTS["planner"](Random(bot_seed(task.dice_seed, side)))
                            for side in ("soviet", "german")}
    for side, bot in bots.items():
        bot.advise(SessionAdvisor(here, side))
    while len(here.records) < 14:
        bot = bots[here.decision.side]
        order = bot.decide(here.view(), here.legal(), catalog)
        while found := here.submit(order).violations:
            order = bot.refused(order, found)
    assert any(bot.advice.asked for bot in bots.values())
    assert play_game(client, task).checksum == here.position.checksum
