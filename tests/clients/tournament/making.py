"""Terms and results for tests, with everything that does not matter filled in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lovat_client.tournament.results import PLAYED, GameResult, GameTask, SeatResult
from lovat_client.tournament.terms import Terms, terms_of

SCENARIO = "purkayevs-attack"
HERE = str(Path(__file__).parent)


def terms(*bots: str, kind: str = "round_robin", **more: Any) -> Terms:
    """Terms; a bot is a name, or "name=import path"."""
    entries = []
    for bot in bots:
        name, _, use = bot.partition("=")
        entries.append({"name": name, "use": use or "random"})
    return terms_of({"name": "test", "kind": kind, "scenarios": [SCENARIO], "bots": entries,
                     **more}, [HERE])


def result(task: GameTask, winner: int | None, points: int | None = 0, *, ending: str = PLAYED,
           at_fault: str = "", sides: Sequence[str] = ("soviet", "german")) -> GameResult:
    """A result of a task; `winner` is the seat, 0 or 1, None for a draw."""
    first, second = (SeatResult(side, bot.name, 10, 1, 0.5)
                     for side, bot in zip(sides, task.bots, strict=True))
    return GameResult(
        key=task.key, ordinal=task.ordinal, round=task.round, scenario=task.scenario,
        dice_seed=task.dice_seed, ending=ending, winner="" if winner is None else sides[winner],
        at_fault=at_fault, reason="because" if at_fault else "", level="Level", points=points,
        turn=4, decisions=20, checksum="00", started=1_700_000_000.0, seconds=2.0,
        worker="here:1", seats=(first, second))
