"""The report as one HTML file: no script, no font, no picture from anywhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from .csv_files import csv_files
from .plots import points_plot, ratings_plot, results_plot
from .results import FAULTS, GameResult
from .summary import Summary, Tally

PAGE = "report.html"

_STYLE = """
:root { --ink: #1d2326; --quiet: #5b666c; --paper: #ffffff; --line: #d8dee1; --won: #2f6f9f;
  --drawn: #7b8891; --lost: #c2703d; --dot: #2f6f9f66; --on: #ffffff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9eb; --quiet: #9aa6ac; --paper: #161b1e;
  --line: #343d42; --won: #5a9fd0; --drawn: #6d787e; --lost: #d98a57; --dot: #5a9fd088;
  --on: #0f1315; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; padding: 1.5rem; max-width: 62rem; }
h1 { margin-bottom: 0; } h2 { margin-top: 2.2rem; } p { color: var(--quiet); margin: .3rem 0 1rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--line);
  vertical-align: top; }
th { color: var(--quiet); font-weight: 600; } .n { text-align: right; }
td.reason { white-space: pre-wrap; overflow-wrap: anywhere; }
svg { width: 100%; height: auto; } svg text { font-size: 13px; fill: var(--ink); }
svg .quiet { fill: var(--quiet); } svg .on { fill: var(--on); }
svg .axis { stroke: var(--line); } svg .whisker { stroke: var(--quiet); stroke-width: 2; }
svg .middle { stroke: var(--lost); stroke-width: 3; }
.won, .mean { fill: var(--won); background: var(--won); }
.drawn { fill: var(--drawn); background: var(--drawn); }
.lost { fill: var(--lost); background: var(--lost); } .dot { fill: var(--dot); }
.key span { display: inline-block; width: .8em; height: .8em; margin: 0 .3em 0 1em; }
summary { cursor: pointer; }
"""


def write_report(summary: Summary, folder: Path) -> list[Path]:
    """The HTML file and the CSV files, in a folder that is made if missing. OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    files = {PAGE: html_page(summary), **csv_files(summary)}
    for name, text in files.items():
        with (folder / name).open("w", encoding="utf-8", newline="") as file:
            file.write(text)
    return [folder / name for name in files]


def html_page(summary: Summary) -> str:
    """The whole page."""
    terms = summary.terms
    kind = terms.kind.replace("_", " ")
    parts = [f"<h1>{escape(terms.name)}</h1>",
             f"<p>{_told(summary, kind)}</p>", _standings(summary)]
    if summary.games:
        parts += [_sides(summary), _points(summary), _meetings(summary), _faults(summary),
                  _games(summary)]
    return ("<!doctype html>\n"
            '<html lang="en"><head><meta charset="utf-8"/>'
            '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
            f"<title>{escape(terms.name)}: tournament</title><style>{_STYLE}</style></head>\n"
            f"<body>{''.join(parts)}</body></html>\n")


def _told(summary: Summary, kind: str) -> str:
    terms = summary.terms
    text = (f"{kind} of {len(terms.bots)} bots, {terms.games} games a pairing and scenario with "
            f"the sides swapped on the same dice; seed {terms.seed}; "
            f"scenarios: {', '.join(terms.scenarios)}.")
    if terms.turns:
        text += f" Each game stops after {terms.turns} turns, and the score so far decides it."
    if not summary.is_finished:
        text += f" Not finished: {len(summary.games)} of {summary.total} games are."
    return escape(text)


def _standings(summary: Summary) -> str:
    rows = [[place, line.bot, f"{line.rating.mu:.2f}", f"{1.96 * line.rating.sigma:.2f}",
             line.tally.games, line.tally.won, line.tally.drawn, line.tally.lost,
             ", ".join(f"{count} {kind}" for kind, count in line.faults.items()),
             line.void or "", line.byes or "", line.refusals,
             f"{1000 * line.seconds_a_decision:.1f}"]
            for place, line in enumerate(summary.bots, 1)]
    by = "pair of games" if summary.terms.rating == "pair" else "game"
    plot = ratings_plot([(line.bot, line.rating.mu, line.rating.sigma)
                         for line in summary.bots])
    return (f"<h2>Standings</h2><p>Ratings by OpenSkill, one comparison a {by}, with their 95% "
            "intervals; ordered by what a bot is almost certainly better than.</p>" + plot
            + _table(["", "bot", "rating", "\N{PLUS-MINUS SIGN}", "games", "won", "drawn",
                      "lost", "lost by a fault", "void", "byes", "refused orders",
                      "ms a decision"], rows, text=(1, 8)))


def _sides(summary: Summary) -> str:
    rows = [[line.scenario, line.side, line.bot or "all", line.tally.games, line.tally.won,
             line.tally.drawn, line.tally.lost, *_points_of(line.tally)]
            for line in summary.sides]
    plot = results_plot([(f"{line.bot or 'all'}, {line.side}", line.tally.won, line.tally.drawn,
                          line.tally.lost) if len(summary.terms.scenarios) == 1 else
                         (f"{line.scenario}: {line.bot or 'all'}, {line.side}", line.tally.won,
                          line.tally.drawn, line.tally.lost) for line in summary.sides])
    return ('<h2>By scenario and side</h2><p class="key"><span class="won"></span>won'
            '<span class="drawn"></span>drawn<span class="lost"></span>lost</p>' + plot
            + _table(["scenario", "side", "bot", "games", "won", "drawn", "lost", "mean VP",
                      "standard error"], rows, text=(0, 1, 2)))


def _points(summary: Summary) -> str:
    rows = [(f"{line.bot}, {line.side}" if len(summary.terms.scenarios) == 1 else
             f"{line.scenario}: {line.bot}, {line.side}", line.tally.points)
            for line in summary.sides if line.bot]
    plot = points_plot(rows)
    if not plot:
        return ""
    return ("<h2>Victory points</h2><p>As the scenario counts them, whoever has them: in "
            "White Death they are the Soviets'. A dot a game, a stroke at the mean; games that a "
            "fault ended are left out.</p>" + plot)


def _meetings(summary: Summary) -> str:
    names = [line.bot for line in summary.bots]
    rows = []
    for bot in names:
        row: list[object] = [bot]
        for other in names:
            tally = summary.met.get((bot, other)) if bot != other else None
            row.append(f"{tally.score:g} of {tally.games}" if tally else "")
        rows.append(row)
    return ("<h2>Who beat whom</h2><p>Wins of the bot at the left, draws by half.</p>"
            + _table(["", *names], rows, text=(0,)))


def _faults(summary: Summary) -> str:
    if not summary.faulty:
        return ""
    rows = [[game.key, game.bot_of(game.at_fault) or "nobody", game.ending, game.reason]
            for game in summary.faulty]
    kinds = ", ".join(f"{sum(game.ending == kind for game in summary.faulty)} {kind}"
                      for kind in (*FAULTS, "void")
                      if any(game.ending == kind for game in summary.faulty))
    return (f"<h2>Faults</h2><p>{escape(kinds)}</p>"
            + _table(["game", "bot", "fault", "reason"], rows, text=(0, 1, 2, 3), long=(3,)))


def _games(summary: Summary) -> str:
    rows = [[game.key, *(f"{seat.bot} ({seat.side})" if seat.side else seat.bot
                         for seat in game.seats),
             _result(game), game.level, "" if game.points is None else game.points,
             game.turn, game.decisions, f"{game.seconds:.1f}"] for game in summary.games]
    return (f"<h2>Games</h2><details><summary>All {len(rows)} games</summary>"
            + _table(["game", "first", "second", "result", "level", "VP", "turn", "decisions",
                      "seconds"], rows, text=(0, 1, 2, 3, 4)) + "</details>")


def _result(game: GameResult) -> str:
    if not game.is_counted:
        return "void"
    won = f"{game.winning_bot} won" if game.winner else "a draw"
    return f"{won} by {game.ending}" if game.at_fault else won


def _points_of(tally: Tally) -> list[str]:
    return ["" if value is None else f"{value:.1f}"
            for value in (tally.mean_points, tally.points_error)]


def _table(head: Sequence[str], rows: Iterable[Sequence[object]], *, text: Sequence[int],
           long: Sequence[int] = ()) -> str:
    """A table whose columns are numbers unless they are named in `text`."""
    def cell(tag: str, column: int, value: object) -> str:
        kind = ' class="reason"' if column in long else "" if column in text else ' class="n"'
        return f"<{tag}{kind}>{escape(str(value))}</{tag}>"

    lines = ["".join(cell("td", column, value) for column, value in enumerate(row))
             for row in rows]
    return ('<div class="wide"><table><thead><tr>'
            + "".join(cell("th", column, name) for column, name in enumerate(head))
            + "</tr></thead><tbody>" + "".join(f"<tr>{line}</tr>" for line in lines)
            + "</tbody></table></div>")
