"""`lovat demo`: two bots fight a scenario on a server of their own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from .console import OverlayOption, ServerOption, connected, fail, out

if TYPE_CHECKING:
    from ..bots.protocol import Bot
    from ..match import MatchResult, Progress
    from ..sdk import Catalog

EPILOG = "Example: lovat demo --seed 7 --german random --out battles"
REPLAY_NAME = "lovat-demo.replay.jsonl"
PICTURE_NAME = "lovat-demo.svg"
_STEPS = 12  # of the progress bar, one turn


def demo(
    scenario: Annotated[str, typer.Option(help="Id of the scenario.")] = "purkayevs-attack",
    seed: Annotated[str, typer.Option(
        help="Any text: the same seed and bots give the same battle.")] = "7",
    soviet: Annotated[str, typer.Option(help="Bot of the Soviet side: random, greedy, planner.")]
    = "greedy",
    german: Annotated[str, typer.Option(help="Bot of the German side: random, greedy, planner.")]
    = "greedy",
    folder: Annotated[Path, typer.Option(
        "--out", metavar="DIR", file_okay=False,
        help=f"Where {REPLAY_NAME} and {PICTURE_NAME} go; made if missing.")] = Path("."),
    quiet: Annotated[bool, typer.Option(
        "--quiet", "-q", help="No progress bar and no table, only the result.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Watch two bots play a whole scenario, refereed by the rules server.

    Writes a replay file, which `lovat replay` verifies, and a picture of the final map.
    """
    from ..match import play
    from ..replay import save

    console = out()
    bots = {"soviet": _bot(soviet, seed, "soviet"), "german": _bot(german, seed, "german")}
    folder.mkdir(parents=True, exist_ok=True)
    replay_file, picture_file = folder / REPLAY_NAME, folder / PICTURE_NAME
    with connected(server, overlay) as client:
        catalog = client.catalog(scenario)
        if not quiet:
            console.print(f"[bold]{catalog.scenario.title}[/], turns "
                          f"{catalog.scenario.first_turn} to {catalog.scenario.last_turn}: "
                          f"Soviet {soviet} against German {german}, seed {seed}")
        with _Bar(console, quiet) as bar:
            result = play(client, scenario, seed, bots, bar.advance)
    save(replay_file, result.session)
    _draw(picture_file, catalog, result)
    _tell(console, catalog, result, quiet)
    console.print(f"replay file: {replay_file}\nfinal map: {picture_file}")


def _bot(name: str, seed: str, side: str) -> Bot:
    from ..bots import BOTS
    from ..match import bot_random

    if name not in BOTS:
        fail(f"there is no bot {name!r}; there are {', '.join(sorted(BOTS))}")
    return BOTS[name](bot_random(seed, side))


def _draw(path: Path, catalog: Catalog, result: MatchResult) -> None:
    from ..render import picture_of_position
    from ..render.svg import render_svg

    picture = picture_of_position(result.session.position, result.score.white_death)
    path.write_text(render_svg(catalog.message, picture), "utf-8")


def _tell(console: Console, catalog: Catalog, result: MatchResult, quiet: bool) -> None:
    """Victory points line by line, level and checksum."""
    from .words import score_table

    if quiet:
        for line in result.score.white_death.lines:
            console.print(f"{line.name}: {line.count}, {line.points} VP", markup=False)
    else:
        console.print(score_table(result.score))
        if catalog.scenario.historical_result:
            console.print(f"in history: {catalog.scenario.historical_result}", markup=False)
    for fallback in result.fallbacks:
        console.print(f"{fallback.side} did not answer {fallback.kind} at version "
                      f"{fallback.version} in {fallback.attempts} attempts; "
                      f"{'standing orders' if fallback.by_standing else 'the safest order'} did",
                      markup=False)
    events = sum(len(record.events) for record in result.records)
    console.print(f"decisions: {len(result.records)}, events: {events}, "
                  f"dice: {result.session.position.state.dice.counter}")
    console.print(f"victory points: {result.points}\n"
                  f"level: {result.level}\n"
                  f"final checksum: {result.checksum}")


class _Bar:
    """A progress bar by turns and impulses; silent if asked to be, or where nobody sees it."""

    def __init__(self, console: Console, quiet: bool) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

        self._bar = Progress(BarColumn(), TextColumn("{task.description}"), TimeElapsedColumn(),
                             console=console, transient=True,
                             disable=quiet or not console.is_terminal)
        self._task = self._bar.add_task("setting up", total=None)

    def __enter__(self) -> _Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def advance(self, progress: Progress) -> None:
        """Show where the game stands."""
        from .words import kind_in_words, side_name

        turns = progress.last_turn - progress.first_turn + 1
        done = (progress.turn - progress.first_turn) * _STEPS
        self._bar.update(
            self._task, total=turns * _STEPS, completed=done + min(progress.impulses, _STEPS - 1),
            description=f"turn {progress.turn} of {progress.last_turn}, impulse "
            f"{progress.impulses}, {side_name(progress.side)} {kind_in_words(progress.kind)}")
