"""How many games a minute this machine plays, by bot and number of processes."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from .local_pool import LocalPool
from .schedule import next_games
from .terms import terms_of


@dataclass(frozen=True, slots=True)
class Speed:
    """One measurement; `seconds` is wall time, the start of the servers left out."""

    bot: str
    processes: int
    games: int
    seconds: float

    @property
    def games_a_minute(self) -> float:
        return 60 * self.games / self.seconds


def measure(scenario: str, games: int, processes: Sequence[int],
            bots: Sequence[str] = ("random", "greedy")) -> Iterator[Speed]:
    """Each bot against itself, the same games for each number of processes.

    `games` is at least 2 and made even. Nothing is written down.
    """
    for bot in bots:
        for number in processes:
            terms = terms_of({
                "name": "bench", "kind": "round_robin", "scenarios": [scenario],
                "games": games + games % 2, "seed": "bench",
                "bots": [{"name": "one", "use": bot}, {"name": "two", "use": bot}]})
            tasks = next_games(terms, {})
            with LocalPool(number) as pool:
                # A decision each, so that every process has its server before the clock starts.
                short = [replace(task, limits=replace(task.limits, decisions=1))
                         for task in tasks]
                list(pool.play((short * number)[:2 * number]))
                began = time.monotonic()
                played = sum(1 for _ in pool.play(tasks))
                yield Speed(bot, number, played, time.monotonic() - began)
