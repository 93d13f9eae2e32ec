"""Bots that play through the contract alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from .greedy_bot import GreedyBot
from .planner_bot import PlannerBot
from .protocol import AdvisedBot, Advisor, Bot
from .random_bot import RandomBot

BOTS: dict[str, Callable[[Random], Bot]] = {
    "random": RandomBot, "greedy": GreedyBot, "planner": PlannerBot}


def make_bot(name: str, seed_text: str) -> Bot:
    """A bot by its name; the same seed gives the same bot. KeyError if there is none so named."""
    return BOTS[name](Random(seed_text))


__all__ = ["BOTS", "AdvisedBot", "Advisor", "Bot", "GreedyBot", "PlannerBot", "RandomBot",
           "make_bot"]
