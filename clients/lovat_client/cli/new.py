"""`lovat new`: the first position of a scenario."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import OverlayOption, ServerOption, connected, out
from .options import GameOptions, read_options

EPILOG = "Example: lovat new game.json --seed 7 && lovat legal game.json"


def new(
    path: Annotated[Path, typer.Argument(
        metavar="FILE", dir_okay=False, show_default=False,
        help="The position file to write: JSON if its name ends in .json, else binary.")],
    scenario: Annotated[str, typer.Option(help="Id of the scenario.")] = "purkayevs-attack",
    seed: Annotated[str | None, typer.Option(
        show_default=False, help="Any text: the same seed gives the same dice. Without one the "
        "server draws a secret.")] = None,
    free_set_up: Annotated[bool, typer.Option(
        "--free-set-up", help="Let both sides set up by orders instead of the standard set-up."
    )] = False,
    option: GameOptions = None,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Create a game and write its first position to a file."""
    from .files import write_position
    from .words import decision_in_words

    options = read_options(option)
    with connected(server, overlay) as client:
        created = client.create_game(scenario, seed=seed, standard_set_up=not free_set_up,
                                     options=options)
    write_position(path, created.position)
    out().print(f"{path}: {scenario}, version 0, checksum {created.position.checksum}\n"
                f"waits for {decision_in_words(created.decision)}")
