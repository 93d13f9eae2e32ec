"""Calibration: many games of bot against bot, beside what happened in history.

    python -m tests.bench.calibrate play FILE [--scenario ID ...] [--games N] [--processes N]
    python -m tests.bench.calibrate table FILE

Every game is one JSON line of FILE. The games of a scenario have the seeds 1 to N, and a seed
gives the same game in any process; `play` leaves out what FILE holds already, so that a run
that was stopped goes on where it was. It first plays one of those games again: where the rules,
the data or the bots have changed since, a file must not be gone on with.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import re
import statistics
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path

from tests.bench.local import LocalClient

from lovat_client.bots import make_bot
from lovat_client.match import MatchResult, play
from lovat_server.service.library import open_library

SIDES = ("soviet", "german")
BUNKERS = "Bunkers destroyed or captured"
GERMAN_LOSSES = "German strength points eliminated"
SOVIET_LOSSES = "Soviet strength points eliminated"
RAILROAD = "Railroad town hexes held, by impulse"
_POINTS = re.compile(r"about (-?\d+) VP")


class CalibrationError(Exception):
    """A file that cannot be gone on with; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Game:
    """One game as a line of the file. `lines` are counts by the name of the score's line; `fell`
    is the turn in which the last bunker went, 0 if one stands at the end."""

    scenario: str
    seed: int
    bots: dict[str, str]
    points: int
    level: str
    lines: dict[str, int]
    fell: int
    decisions: int
    refusals: int
    fallbacks: int
    checksum: str
    seconds: float = 0.0


# ---------------------------------------------------------------- playing

@cache
def client() -> LocalClient:
    return LocalClient(open_library(None))


def play_game(scenario: str, seed: int, bots: dict[str, str]) -> Game:
    """One game from the standard set-up; `seconds` is what it took of the processor."""
    start = time.process_time()
    result = play(client(), scenario, seed,
                  {side: make_bot(bots[side], f"{seed}-{side}") for side in SIDES})
    return Game(
        scenario=scenario, seed=seed, bots=bots, points=result.points, level=result.level,
        lines={line.name: line.count for line in result.score.white_death.lines},
        fell=_fell(result), decisions=len(result.records),
        refusals=sum(result.refusals.values()), fallbacks=len(result.fallbacks),
        checksum=result.checksum, seconds=round(time.process_time() - start, 2))


def _fell(result: MatchResult) -> int:
    """The turn in which the last bunker went."""
    view = result.session.view(SIDES[0]).white_death
    if any(view.bunkers):
        return 0
    turn = fell = result.session.created.position.state.white_death.turn
    for record in result.records:
        for event in record.events:
            kind = event.white_death.WhichOneof("event")
            if kind == "turn_began":
                turn = event.white_death.turn_began.turn
            elif kind == "bunker_destroyed":
                fell = turn
    return fell


def _play(asked: tuple[str, int, dict[str, str]]) -> Game:
    return play_game(*asked)


def run(file: Path, scenarios: Sequence[str], games: int, processes: int,
        bots: dict[str, str]) -> Iterator[Game]:
    """Play what is missing and add it to the file, game by game as they end.

    CalibrationError if the file holds games that would go otherwise today.
    """
    done = read(file) if file.exists() else []
    _require_same(done, bots)
    known = {(game.scenario, game.seed) for game in done}
    missing = [(scenario, seed, bots) for seed in range(1, games + 1) for scenario in scenarios
               if (scenario, seed) not in known]
    with file.open("a") as out, ExitStack() as stack:
        games_of: Iterator[Game] = map(_play, missing)
        if processes > 1:
            pool = stack.enter_context(multiprocessing.get_context("spawn").Pool(processes))
            games_of = pool.imap_unordered(_play, missing)
        for game in games_of:
            out.write(json.dumps(asdict(game)) + "\n")
            out.flush()
            yield game


def _require_same(done: Sequence[Game], bots: dict[str, str]) -> None:
    others = [game for game in done if game.bots != bots]
    if others:
        raise CalibrationError(f"{others[0].bots} play in the file, not {bots}")
    for game in done[-1:]:
        again = play_game(game.scenario, game.seed, game.bots)
        if again.checksum != game.checksum:
            raise CalibrationError(
                f"{game.scenario}, seed {game.seed}, ends at {again.checksum[:12]} today and at "
                f"{game.checksum[:12]} in the file: rules, data or bots have changed since; "
                "begin a new file")


def read(file: Path) -> list[Game]:
    """The games of a file, a last line that was broken off left out and cut away."""
    text = file.read_text()
    whole = text[:text.rfind("\n") + 1]
    if whole != text:
        file.write_text(whole)
    return [Game(**json.loads(line)) for line in whole.splitlines()]


# ---------------------------------------------------------------- the table

@dataclass(frozen=True, slots=True)
class Row:
    """What the games of one scenario came to. `quarters` are the quartiles of the points."""

    scenario: str
    games: int
    historical: int
    quarters: tuple[float, float, float]
    least: int
    most: int
    german_losses: float
    soviet_losses: float
    bunkers: float
    railroad: float
    fell: dict[int, int]

    @property
    def is_calibrated(self) -> bool:
        """Whether the historical result lies in the middle half of the outcomes."""
        return self.quarters[0] <= self.historical <= self.quarters[2]


def rows(games: Iterable[Game]) -> list[Row]:
    """One row a scenario, in the order of the book."""
    found: dict[str, list[Game]] = {}
    for game in games:
        found.setdefault(game.scenario, []).append(game)
    return [_row(name, found[name]) for name in scenario_ids() if name in found]


def _row(name: str, games: list[Game]) -> Row:
    points = [game.points for game in games]
    quarters = statistics.quantiles(points, n=4, method="inclusive") if len(points) > 1 \
        else [points[0]] * 3
    falls = [game.fell for game in games if game.fell]
    return Row(
        scenario=name, games=len(games), historical=historical(name),
        quarters=(quarters[0], quarters[1], quarters[2]), least=min(points), most=max(points),
        german_losses=_mean(games, GERMAN_LOSSES), soviet_losses=_mean(games, SOVIET_LOSSES),
        bunkers=_mean(games, BUNKERS), railroad=_mean(games, RAILROAD),
        fell={turn: falls.count(turn) for turn in sorted(set(falls))})


def _mean(games: list[Game], line: str) -> float:
    return statistics.fmean(game.lines.get(line, 0) for game in games)


@cache
def scenario_ids() -> tuple[str, ...]:
    """All scenarios in the order of the book, which is that of their ends; the campaign last."""
    found = {scenario.id: client().catalog(scenario.id).scenario
             for scenario in client().scenarios()}
    return tuple(sorted(found, key=lambda name: (found[name].last_turn, -found[name].first_turn)))


def historical(scenario: str) -> int:
    """The victory points that the rulebook calls historical. CalibrationError without any."""
    printed = client().catalog(scenario).scenario.historical_result
    match = _POINTS.search(printed)
    if match is None:
        raise CalibrationError(f"{scenario}: no points in {printed!r}")
    return int(match[1])


def table(games: Iterable[Game]) -> str:
    """The rows as Markdown, and what the city did where it fell."""
    lines = [
        "| scenario | games | historical | quartiles | least, most | German, Soviet losses "
        "| bunkers | railroad | middle half |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    found = rows(games)
    for row in found:
        low, median, high = row.quarters
        lines.append(
            f"| {row.scenario} | {row.games} | {row.historical} | {low:g}, {median:g}, {high:g} "
            f"| {row.least}, {row.most} | {row.german_losses:.0f}, {row.soviet_losses:.0f} "
            f"| {row.bunkers:.1f} | {row.railroad:.1f} "
            f"| {'yes' if row.is_calibrated else 'no'} |")
    for row in found:
        if row.fell:
            falls = ", ".join(f"{turn}: {count}" for turn, count in row.fell.items())
            lines.append(f"\n{row.scenario}: the last bunker fell in {sum(row.fell.values())} of "
                         f"{row.games} games, by turn {falls}.")
    return "\n".join(lines)


# ---------------------------------------------------------------- the command line

def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(dest="command", required=True)
    playing = commands.add_parser("play", help="play games and add them to a file")
    playing.add_argument("file", type=Path)
    playing.add_argument("--scenario", action="append", choices=scenario_ids(),
                         help="which scenario; may be given again; all if not given")
    playing.add_argument("--games", type=int, default=200, help="games of each scenario")
    playing.add_argument("--processes", type=int, default=1)
    playing.add_argument("--soviet", default="greedy", help="the bot that plays the Soviets")
    playing.add_argument("--german", default="greedy", help="the bot that plays the Germans")
    showing = commands.add_parser("table", help="what the games of a file came to")
    showing.add_argument("file", type=Path)
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "play":
            bots = {"soviet": asked.soviet, "german": asked.german}
            for game in run(asked.file, asked.scenario or scenario_ids(), asked.games,
                            asked.processes, bots):
                print(f"{game.scenario} {game.seed}: {game.points} ({game.level})", flush=True)
        print(table(read(asked.file)))
    except CalibrationError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
