"""`lovat check`: everything that is wrong with a position."""

from __future__ import annotations

import typer

from .console import FAILED, OverlayOption, PositionArgument, ServerOption, connected, out

EPILOG = "Example: lovat check game.json"


def check(
    position: PositionArgument,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Name every fault of a position that somebody made or edited. Exit code 1 if it has any.

    Checksum, version and dice are not asked for: a position written by hand may lack them.
    """
    from rich.markup import escape

    from ..sdk import LovatError
    from .files import read_position
    from .words import print_faults

    given = read_position(position)
    console = out()
    try:
        with connected(server, overlay) as client:
            soundness = client.check(given)
    except LovatError as error:
        if not error.fields:
            raise
        console.print(f"[bold red]Unreadable:[/] {len(error.fields)} fields of the position; what "
                      "it means cannot be judged before they are mended.")
        for field in error.fields:
            console.print(f"  [cyan]{escape(field.field)}[/]: {escape(field.description)}")
        raise typer.Exit(FAILED) from None
    print_faults(console, soundness.faults, soundness.blocking)
    if soundness.faults:
        raise typer.Exit(FAILED)
    told = f"checksum {soundness.checksum}" if soundness.checksum else "it has no dice"
    console.print(f"{position}: sound; {told}")
