"""The report as CSV (RFC 4180, UTF-8, a header line): standings, sides, meetings, games."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from .results import FAULTS
from .summary import Summary, Tally

_TALLY = ("games", "won", "drawn", "lost", "score", "mean_points", "points_error")


def csv_files(summary: Summary) -> dict[str, str]:
    """The files by name. A number that there is none of is an empty field."""
    return {
        "standings.csv": _csv(
            ["place", "bot", "mu", "sigma", "ordinal", *_TALLY, "void", "byes", *FAULTS,
             "refusals", "seconds_a_decision"],
            ([place, line.bot, _number(line.rating.mu), _number(line.rating.sigma),
              _number(line.rating.ordinal), *_tally(line.tally), line.void, line.byes,
              *(line.faults.get(kind, 0) for kind in FAULTS), line.refusals,
              _number(line.seconds_a_decision)]
             for place, line in enumerate(summary.bots, 1))),
        "sides.csv": _csv(
            ["scenario", "side", "bot", *_TALLY],
            ([line.scenario, line.side, line.bot, *_tally(line.tally)]
             for line in summary.sides)),
        "meetings.csv": _csv(
            ["bot", "opponent", *_TALLY],
            ([bot, other, *_tally(tally)] for (bot, other), tally in summary.met.items())),
        "games.csv": _csv(
            ["key", "round", "scenario", "first_side", "first_bot", "second_side", "second_bot",
             "ending", "winner", "winning_bot", "at_fault", "level", "points", "turn",
             "decisions", "first_refusals", "second_refusals", "seconds", "started", "worker",
             "dice_seed", "checksum", "reason"],
            ([game.key, game.round, game.scenario, game.seats[0].side, game.seats[0].bot,
              game.seats[1].side, game.seats[1].bot, game.ending, game.winner, game.winning_bot,
              game.at_fault, game.level, "" if game.points is None else game.points, game.turn,
              game.decisions, game.seats[0].refusals, game.seats[1].refusals, game.seconds,
              datetime.fromtimestamp(game.started, UTC).isoformat(timespec="seconds"),
              game.worker, game.dice_seed, game.checksum, game.reason]
             for game in summary.games)),
    }


def _csv(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(head)
    writer.writerows([_harmless(value) for value in row] for row in rows)
    return text.getvalue()


def _harmless(value: object) -> object:
    """A text that a spreadsheet will not take for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in ("=", "+", "-", "@") else value


def _tally(tally: Tally) -> list[object]:
    return [tally.games, tally.won, tally.drawn, tally.lost, tally.score,
            _number(tally.mean_points), _number(tally.points_error)]


def _number(value: float | None) -> float | str:
    return "" if value is None else round(value, 4)
