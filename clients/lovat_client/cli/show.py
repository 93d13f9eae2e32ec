"""`lovat show`: a position as a text map and as an SVG picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import OverlayOption, PositionArgument, ServerOption, connected, fail, out

EPILOG = "Example: lovat show game.json --side german --zoc --svg map.svg"
LAYERS = ("numbers", "zoc")


def show(
    position: PositionArgument,
    svg: Annotated[Path | None, typer.Option(
        metavar="FILE", dir_okay=False, show_default=False,
        help="Also draw the map as an SVG picture into this file.")] = None,
    side: Annotated[str | None, typer.Option(
        show_default=False, help="Show what this side may see (soviet or german); "
        "without it the whole position, as an umpire sees it.")] = None,
    zoc: Annotated[bool, typer.Option(
        "--zoc", help="Mark the zones of control of both sides.")] = False,
    layers: Annotated[str, typer.Option(
        help="What the picture shows besides map and counters, with commas between: "
        "numbers (hex numbers), zoc (as --zoc).")] = "numbers",
    region: Annotated[str | None, typer.Option(
        metavar="HEX-HEX", show_default=False,
        help="The part of the text map between two opposite corners, as 1815-2830.")] = None,
    text: Annotated[bool, typer.Option("--text/--no-text", help="Print the text map.")] = True,
    notation: Annotated[bool, typer.Option(
        "--notation", help="Print the position as text that `lovat notation read` reads back, "
        "instead of the text map.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Show a position: map, stacks, tracks and victory points as they stand."""
    from ..render import picture_of_position, picture_of_view
    from ..render.svg import render_svg
    from ..render.text import render_text
    from ..render.zones import zones_of_control
    from .files import read_position

    wanted = {word.strip() for word in layers.split(",") if word.strip()}
    if wanted - set(LAYERS):
        fail(f"--layers {layers}: there is no {', '.join(sorted(wanted - set(LAYERS)))}; "
             f"there are {', '.join(LAYERS)}")
    part = corners(region)
    if notation and side is not None:
        fail("--notation is of the whole position; it cannot be had for one side")
    given = read_position(position)
    with connected(server, overlay) as client:
        if notation:
            typer.echo(client.write_position(given), nl=False)
            if svg is None:
                return
        catalog = client.catalog(given.scenario)
        if side is None:
            picture = picture_of_position(given, client.score(given).white_death)
        else:
            picture = picture_of_view(client.view(given, side).white_death)
    marked = zones_of_control(catalog.message, picture) if zoc or "zoc" in wanted else None
    if svg is not None:
        svg.write_text(render_svg(catalog.message, picture, zoc=marked,
                                  hex_numbers="numbers" in wanted), "utf-8")
    if text and not notation:
        typer.echo(render_text(catalog.message, picture, zoc=marked, region=part))
    if svg is not None:
        out().print(f"{svg}: {svg.stat().st_size // 1024} KB")


def corners(region: str | None) -> tuple[int, int] | None:
    """The two hexes of "1815-2830"."""
    if region is None:
        return None
    first, _, second = region.partition("-")
    if not (len(first) == len(second) == 4 and (first + second).isdecimal()):
        fail(f"--region {region}: expected two hexes as 1815-2830")
    return int(first), int(second)
