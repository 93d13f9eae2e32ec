"""The games of a tournament in their order, and which of them are next. Pure."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Mapping

from .pairings import Pairing, Round, gauntlet, round_robin, swiss_round
from .results import GameResult, GameTask
from .terms import Terms

Results = Mapping[str, GameResult]
"""Finished games by key."""


def total(terms: Terms) -> int:
    """How many games there are in all."""
    number = len(terms.bots)
    pairings = {"round_robin": number * (number - 1) // 2, "gauntlet": number - 1,
                "swiss": terms.rounds * (number // 2)}[terms.kind]
    return pairings * len(terms.scenarios) * terms.games


def next_games(terms: Terms, results: Results) -> list[GameTask]:
    """The unfinished games of the first round that is not finished; none if all are.

    A Swiss round is only known once the round before it is finished.
    """
    rounds: list[Round] = []
    for number in range(1, _rounds(terms) + 1):
        rounds.append(_round(terms, rounds, results))
        left = [task for task in _games(terms, number, rounds[-1].pairings)
                if task.key not in results]
        if left:
            return left
    return []


def rounds_so_far(terms: Terms, results: Results) -> list[Round]:
    """Every round that is known: all finished ones and the one being played."""
    rounds: list[Round] = []
    for number in range(1, _rounds(terms) + 1):
        rounds.append(_round(terms, rounds, results))
        if any(task.key not in results for task in _games(terms, number, rounds[-1].pairings)):
            break
    return rounds


def dice_seed(terms: Terms, round_: int, pairing: Pairing, scenario: str, number: int) -> str:
    """The seed of two games, the sides swapped between them: 32 hexadecimal digits."""
    names = "|".join(sorted(pairing))
    text = f"dice|{terms.seed}|{round_}|{names}|{scenario}|{number}"
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def _rounds(terms: Terms) -> int:
    return terms.rounds if terms.kind == "swiss" else 1


def _round(terms: Terms, earlier: list[Round], results: Results) -> Round:
    names = terms.bot_names
    if terms.kind == "round_robin":
        return Round(round_robin(names))
    if terms.kind == "gauntlet":
        return Round(gauntlet(names, terms.champion))
    scores: dict[str, float] = defaultdict(float)
    for result in results.values():
        if result.round <= len(earlier):
            for bot in result.bots:
                scores[bot] += result.score(bot)
    for past in earlier:
        if past.bye:
            scores[past.bye] += terms.games * len(terms.scenarios)
    return swiss_round(names, scores, earlier)


def _games(terms: Terms, round_: int, pairings: tuple[Pairing, ...]) -> list[GameTask]:
    """All games of a round, pairing by pairing; the number in a key counts dice seeds from 1."""
    before = (round_ - 1) * (len(terms.bots) // 2) * len(terms.scenarios) * terms.games
    found: list[GameTask] = []
    for pairing in pairings:
        for scenario in terms.scenarios:
            winning = tuple(terms.victory.get(scenario, {}).items())
            for number in range(1, terms.games // 2 + 1):
                seed = dice_seed(terms, round_, pairing, scenario, number)
                for first, second in (pairing, reversed(pairing)):
                    found.append(GameTask(
                        key=f"{round_}/{scenario}/{first}/{second}/{number}",
                        ordinal=before + len(found), round=round_, scenario=scenario,
                        dice_seed=seed, bots=(terms.bot(first), terms.bot(second)),
                        limits=terms.limits, turns=terms.turns, winning=winning,
                        folders=terms.folders))
    return found
