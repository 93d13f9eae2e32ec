"""A duel of two bots: every game is played again on the same dice with the sides swapped.

    python tests/bench/duel.py planner greedy --scenario purkayevs-attack --games 100 --processes 2

Two counts are printed. By game: who wins by the level of victory that the scenario gives for the
points, as a tournament has it (`lovat_client.winners`). By pair: on the same dice, whose Soviets
have more victory points; that weighs a scenario whose levels favour one side. Nothing is written
down; the seeds of the dice are SEED-1, SEED-2 and so on.
"""

from __future__ import annotations

import argparse
import multiprocessing
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench.local import LocalClient

from lovat_client.bots import BOTS, make_bot
from lovat_client.match import play
from lovat_client.winners import table_of, winner_by
from lovat_server.service.library import open_library

SIDES = ("soviet", "german")


@dataclass(frozen=True, slots=True)
class Game:
    """A finished game: `bots` in the order of SIDES, `winner` a bot or "" for a draw.

    `seconds` are of the processor, those of the rules with them.
    """

    seed: str
    bots: tuple[str, str]
    points: int
    level: str
    winner: str
    refusals: tuple[int, int]
    fallbacks: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Tally:
    """What the games of a duel come to for its first bot; half a point for what is drawn."""

    games: int
    won: float
    pairs: int
    pairs_won: float

    @property
    def share(self) -> float:
        return self.won / self.games if self.games else 0.0

    @property
    def pair_share(self) -> float:
        return self.pairs_won / self.pairs if self.pairs else 0.0


@cache
def client() -> LocalClient:
    return LocalClient(open_library(None))


def play_game(scenario: str, seed: str, bots: tuple[str, str]) -> Game:
    """One game from the standard set-up; the bots may be of one name."""
    start = time.process_time()
    made = {side: make_bot(name, f"{seed}-{side}")
            for side, name in zip(SIDES, bots, strict=True)}
    result = play(client(), scenario, seed, made)
    levels = [level.name for level in client().catalog(scenario).scenario.victory.levels]
    side = winner_by(table_of(SIDES, levels), result.level)
    return Game(
        seed=seed, bots=bots, points=result.points, level=result.level,
        winner=bots[SIDES.index(side)] if side else "",
        refusals=(result.refusals.get(SIDES[0], 0), result.refusals.get(SIDES[1], 0)),
        fallbacks=len(result.fallbacks), seconds=time.process_time() - start)


def _play(asked: tuple[str, str, tuple[str, str]]) -> Game:
    return play_game(*asked)


def duel(first: str, second: str, scenario: str, games: int, seed: str,
         processes: int) -> Iterator[Game]:
    """The games as they end; an odd number is made even."""
    asked = [(scenario, f"{seed}-{number}", bots) for number in range(1, (games + 1) // 2 + 1)
             for bots in ((first, second), (second, first))]
    if processes == 1:
        yield from map(_play, asked)
        return
    with multiprocessing.get_context("spawn").Pool(processes) as pool:
        yield from pool.imap_unordered(_play, asked)


def tally(first: str, games: Iterable[Game]) -> Tally:
    """Both counts for the first bot; a pair of which one game is missing is left out."""
    played = list(games)
    won = sum(1.0 if game.winner == first else 0.5 if not game.winner else 0.0
              for game in played)
    pairs: dict[str, dict[str, int]] = {}
    for game in played:
        pairs.setdefault(game.seed, {})[game.bots[0]] = game.points
    both = [pair for pair in pairs.values() if len(pair) == 2]
    pairs_won = 0.0
    for pair in both:
        own = pair[first]
        other = next(points for bot, points in pair.items() if bot != first)
        pairs_won += 1.0 if own > other else 0.5 if own == other else 0.0
    return Tally(len(played), won, len(both), pairs_won)


def table(first: str, second: str, games: Sequence[Game]) -> Iterator[str]:
    """The result, line by line."""
    yield (f"{'Soviet':10} {'German':10} {'games':>5} {'won':>5} {'least':>5} {'median':>6} "
           f"{'most':>5} {'cpu s':>6} {'refused':>8}")
    for bots in ((first, second), (second, first)):
        some = [game for game in games if game.bots == bots]
        if not some:
            continue
        points = [game.points for game in some]
        won = sum(game.winner == bots[0] for game in some)
        refused = "{:.1f}/{:.1f}".format(*(
            statistics.mean(game.refusals[seat] for game in some) for seat in (0, 1)))
        yield (f"{bots[0]:10} {bots[1]:10} {len(some):5} {won:5} {min(points):5} "
               f"{statistics.median(points):6g} {max(points):5} "
               f"{statistics.mean(game.seconds for game in some):6.1f} {refused:>8}")
    found = tally(first, games)
    yield f"{first} by level of victory: {found.won:g} of {found.games} games, {found.share:.0%}"
    yield (f"{first} by pairs, more points as Soviet on the same dice: {found.pairs_won:g} of "
           f"{found.pairs}, {found.pair_share:.0%}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("first", choices=sorted(BOTS))
    parser.add_argument("second", choices=sorted(BOTS))
    parser.add_argument("--scenario", default="purkayevs-attack")
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", default="duel")
    parser.add_argument("--verbose", action="store_true", help="a line for each game too")
    given = parser.parse_args()
    if given.first == given.second:
        parser.error("a duel needs two bots of different names")
    if given.games < 1 or given.processes < 1:
        parser.error("--games and --processes are at least 1")
    games = []
    for game in duel(given.first, given.second, given.scenario, given.games, given.seed,
                     given.processes):
        games.append(game)
        if given.verbose:
            print(f"{game.seed} {game.bots[0]} against {game.bots[1]}: {game.points} VP, "
                  f"{game.level}; refused {game.refusals}, fallbacks {game.fallbacks}, "
                  f"{game.seconds:.1f} s", flush=True)
    for line in table(given.first, given.second, games):
        print(line)


if __name__ == "__main__":
    main()
