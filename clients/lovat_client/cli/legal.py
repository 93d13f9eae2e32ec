"""`lovat legal`: what the pending decision allows."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import OverlayOption, PositionArgument, ServerOption, connected, out

EPILOG = "Example: lovat legal game.json --unit s-28-88-inf"


def legal(
    position: PositionArgument,
    unit: Annotated[list[str] | None, typer.Option(
        "--unit", metavar="ID", show_default=False,
        help="Only this unit, with every hex that it can reach; may be given several times.")]
    = None,
    json: Annotated[bool, typer.Option("--json", help="Print the listing as JSON.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """List everything that is legal for the pending decision of a position."""
    from .files import as_json, read_position
    from .listing import NEAREST, print_listing
    from .pending import pending
    from .words import decision_in_words

    given = read_position(position)
    with connected(server, overlay) as client:
        listing = client.legal(given, units=unit or ())
        if json:
            typer.echo(as_json(listing))
            return
        catalog = client.catalog(given.scenario)
        decision = pending(client, given)
    console = out()
    console.print(f"[bold]{decision_in_words(decision)}[/] (version {given.version})")
    print_listing(console, listing, catalog, most_hexes=10_000 if unit else NEAREST)
