"""`lovat score`: the victory points of a position."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import OverlayOption, PositionArgument, ServerOption, connected, out

EPILOG = "Example: lovat score game.json"


def score(
    position: PositionArgument,
    json: Annotated[bool, typer.Option("--json", help="Print the score as JSON.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Count the victory points of a position, line by line."""
    from .files import as_json, read_position
    from .words import score_table

    given = read_position(position)
    with connected(server, overlay) as client:
        counted = client.score(given)
    if json:
        typer.echo(as_json(counted))
        return
    console = out()
    console.print(score_table(counted))
    console.print(f"level: {counted.white_death.level}")
