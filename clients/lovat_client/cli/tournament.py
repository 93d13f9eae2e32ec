"""`lovat tournament`: many games between bots, their ratings and a report."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from .console import PlainGroup, fail, out

if TYPE_CHECKING:
    from ..tournament.pool import Pool
    from ..tournament.run import Standing
    from ..tournament.store import TournamentStore
    from ..tournament.summary import Summary
    from ..tournament.terms import Terms

DATABASE = "lovat-matches.db"
STOPPED = 130
"""Exit code after Ctrl-C."""

tournament = typer.Typer(
    cls=PlainGroup, no_args_is_help=True,
    help="Bots against each other: play, go on after a stop, rate and report.")

FileArgument = Annotated[Path, typer.Argument(
    metavar="FILE", exists=True, dir_okay=False, show_default=False,
    help="The terms of the tournament (TOML).")]
NameArgument = Annotated[str, typer.Argument(
    metavar="NAME", show_default=False, help="The name of the tournament, as its terms have it.")]
DatabaseOption = Annotated[str, typer.Option(
    "--database", envvar="LOVAT_ARBITER_DATABASE", metavar="FILE|URL",
    help="A SQLite file, or a URL such as postgresql://user@host/name; the arbiter's may be used.")]
ProcessesOption = Annotated[int, typer.Option(
    "--processes", min=1, max=256, help="Games played at a time on this machine.")]
SchedulerOption = Annotated[str, typer.Option(
    "--scheduler", metavar="ADDRESS", show_default=False,
    help="Play on the workers of this Dask scheduler (tcp://host:8786) instead.")]
RulesOption = Annotated[str, typer.Option(
    "--server", metavar="HOST:PORT", envvar="LOVAT_SERVER", show_default=False,
    help="Ask this rules server; without it every process starts its own.")]
ReportOption = Annotated[Path | None, typer.Option(
    "--report", metavar="DIR", file_okay=False, show_default=False,
    help="Write the report (HTML and CSV) into this folder.")]
QuietOption = Annotated[bool, typer.Option("--quiet", "-q", help="No progress bar.")]


@tournament.command(epilog="Example: lovat tournament run spring.toml --processes 2 --report out")
def run(
    file: FileArgument,
    database: DatabaseOption = DATABASE,
    processes: ProcessesOption = 1,
    scheduler: SchedulerOption = "",
    server: RulesOption = "",
    report_to: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Play a tournament, or go on with it: finished games are never played again."""
    from ..tournament.store import TournamentStore
    from ..tournament.terms import read_terms

    terms = read_terms(file)
    with TournamentStore.open(database) as store:
        _play(store, terms, _pool(processes, scheduler, server), report_to, quiet)


@tournament.command(epilog="Example: lovat tournament resume spring --processes 2")
def resume(
    name: NameArgument,
    database: DatabaseOption = DATABASE,
    processes: ProcessesOption = 1,
    scheduler: SchedulerOption = "",
    server: RulesOption = "",
    report_to: ReportOption = None,
    quiet: QuietOption = False,
) -> None:
    """Go on with a tournament that was stopped, by the terms in the database."""
    from ..tournament.store import TournamentStore

    with TournamentStore.open(database) as store:
        _play(store, store.terms(name), _pool(processes, scheduler, server), report_to, quiet)


@tournament.command(epilog="Example: lovat tournament report spring --report out")
def report(
    name: NameArgument,
    database: DatabaseOption = DATABASE,
    report_to: ReportOption = None,
) -> None:
    """Show how a tournament stands, finished or not."""
    from ..tournament.store import TournamentStore
    from ..tournament.summary import summarise

    with TournamentStore.open(database) as store:
        summary = summarise(store.terms(name), store.results(name))
    _tell(out(), summary, report_to)


@tournament.command("list", epilog="Example: lovat tournament list")
def list_(database: DatabaseOption = DATABASE) -> None:
    """Name the tournaments of a database."""
    from ..tournament.schedule import total
    from ..tournament.store import TournamentStore

    console = out()
    with TournamentStore.open(database) as store:
        for entry in store.entries():
            games = total(store.terms(entry.name))
            console.print(f"{entry.name}: {entry.finished} of {games} games", markup=False)


@tournament.command(epilog="Example: lovat tournament bench --games 8")
def bench(
    games: Annotated[int, typer.Option(
        "--games", min=2, help="Games of each measurement, an even number.")] = 8,
    scenario: Annotated[str, typer.Option(help="Id of the scenario.")] = "purkayevs-attack",
    processes: Annotated[str, typer.Option(
        help="Numbers of processes to measure, with commas.")] = "1,2",
) -> None:
    """Measure games a minute: random and greedy against themselves, with 1 and 2 processes."""
    from ..tournament.bench import measure

    try:
        numbers = [int(number) for number in processes.split(",")]
    except ValueError:
        fail(f"--processes: {processes!r} is not a list of numbers such as 1,2")
    console = out()
    for speed in measure(scenario, games, numbers):
        console.print(
            f"{speed.bot}: {speed.processes} process{'es' * (speed.processes > 1)}: "
            f"{speed.games_a_minute:.1f} games a minute "
            f"({speed.games} games in {speed.seconds:.1f} s)", markup=False)


def _pool(processes: int, scheduler: str, server: str) -> Pool:
    if scheduler:
        from ..tournament.dask_pool import DaskPool

        return DaskPool(scheduler, server)
    from ..tournament.local_pool import LocalPool

    return LocalPool(processes, server)


def _play(store: TournamentStore, terms: Terms, pool: Pool, report_to: Path | None,
          quiet: bool) -> None:
    from ..tournament.run import run as play
    from ..tournament.summary import summarise

    console = out()
    try:
        with _progress(console, quiet, terms.name) as advance, pool:
            results = play(store, terms, pool, advance)
    except KeyboardInterrupt:
        finished = len(store.results(terms.name))
        console.print(f"stopped; {finished} games are finished. Go on with: "
                      f"lovat tournament resume {terms.name}", markup=False)
        raise typer.Exit(STOPPED) from None
    _tell(console, summarise(terms, results), report_to)


@contextmanager
def _progress(console: Console, quiet: bool, name: str) -> Iterator[Any]:
    """A bar with games finished and games a minute; a line for each fault."""
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(),
               TextColumn("{task.fields[speed]}"), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True,
                  disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task(escape(name), total=None, speed="")
        begun: list[int] = []

        def advance(standing: Standing) -> None:
            begun.append(standing.finished)
            elapsed = bar.tasks[0].elapsed or 0.0
            speed = 60 * (standing.finished - begun[0]) / elapsed if elapsed else 0.0
            bar.update(task, completed=standing.finished, total=standing.total,
                       speed=f"{speed:.1f} games/min" if speed else "")
            game = standing.last
            if game is not None and (game.at_fault or not game.is_counted) and not quiet:
                bot = game.bot_of(game.at_fault)
                reason = game.reason.splitlines()[0] if game.reason else ""
                console.print(f"{game.key}: {bot or 'void'}"
                              f"{f' lost by {game.ending}' if bot else ''}: {reason}",
                              markup=False)

        yield advance


def _tell(console: Console, summary: Summary, report_to: Path | None) -> None:
    from rich.table import Table

    from ..tournament.report import write_report

    table = Table(box=None, pad_edge=False)
    for head in ("", "bot", "rating", "95%", "games", "won", "drawn", "lost", "by fault"):
        table.add_column(head, justify="left" if head == "bot" else "right")
    for place, line in enumerate(summary.bots, 1):
        table.add_row(
            str(place), line.bot, f"{line.rating.mu:.1f}",
            f"{line.rating.low:.1f} to {line.rating.high:.1f}",
            *(str(count) for count in (line.tally.games, line.tally.won, line.tally.drawn,
                                       line.tally.lost, sum(line.faults.values()))))
    console.print(table)
    for side in summary.sides:
        if not side.bot:
            mean = side.tally.mean_points
            console.print(f"{side.scenario}: {side.side} won {side.tally.won} of "
                          f"{side.tally.games}"
                          f"{'' if mean is None else f', mean VP {mean:.1f}'}", markup=False)
    console.print(f"{len(summary.games)} of {summary.total} games are finished")
    if report_to is not None:
        console.print(f"report: {write_report(summary, report_to)[0]}", markup=False)
