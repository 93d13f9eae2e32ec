"""`lovat notation`: positions and orders as text that people can read, diff and edit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import OverlayOption, PositionArgument, ServerOption, connected, out

notation = typer.Typer(
    no_args_is_help=True,
    help="Positions and orders as text: one line a stack, sorted, to read, diff and edit.")

OrdersOption = Annotated[bool, typer.Option(
    "--orders", help="The text is orders, not a position.")]


@notation.command(epilog="Example: lovat notation write game.json game.txt")
def write(
    position: PositionArgument,
    path: Annotated[Path | None, typer.Argument(
        metavar="[TEXT]", dir_okay=False, show_default=False,
        help="Where the text goes; without it, to standard output.")] = None,
    orders: Annotated[Path | None, typer.Option(
        "--orders", metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="Write the order in this file instead, in the words of the position's scenario.")]
    = None,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Write a position, or an order, as text. The text has no dice and no version."""
    from .files import read_order, read_position

    given = read_position(position)
    with connected(server, overlay) as client:
        text = (client.write_position(given) if orders is None
                else client.write_orders(given.scenario, [read_order(orders)]))
    if path is None:
        typer.echo(text, nl=False)
    else:
        path.write_text(text, "utf-8")
        out().print(f"{path}: {text.count(chr(10))} lines")


@notation.command(epilog="Example: lovat notation read game.txt game.json --seed 7")
def read(
    path: Annotated[Path, typer.Argument(
        metavar="TEXT", exists=True, dir_okay=False, show_default=False,
        help="The text of a position or of orders.")],
    new: Annotated[Path, typer.Argument(
        metavar="FILE", dir_okay=False, show_default=False,
        help="The file to write: JSON if its name ends in .json, else binary; orders always as "
        "JSON. Several orders go to order.json, order.2.json, order.3.json.")],
    orders: OrdersOption = False,
    scenario: Annotated[str, typer.Option(
        show_default=False, help="Id of the scenario; the text of a position names its own, for "
        "orders it is needed.")] = "",
    seed: Annotated[str | None, typer.Option(
        show_default=False, help="Any text: the same seed gives the same dice. Without one the "
        "server draws a secret.")] = None,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Read a text into a file. A position gets fresh dice and is checked: every fault is told."""
    from .files import as_json, write_position
    from .words import print_faults

    text = _text(path)
    with connected(server, overlay) as client:
        if orders:
            said = client.read_orders(scenario, text)
        else:
            position = client.read_position(text, scenario=scenario, seed=seed)
            soundness = client.check(position)
    console = out()
    if orders:
        for number, order in enumerate(said, 1):
            target = new if number == 1 else new.with_name(f"{new.stem}.{number}{new.suffix}")
            target.write_text(as_json(order) + "\n", "utf-8")
            console.print(f"{target}: {order.white_death.WhichOneof('order')}")
        return
    write_position(new, position)
    console.print(f"{new}: {position.scenario}, version 0, checksum {position.checksum}")
    print_faults(console, soundness.faults, soundness.blocking)


def _text(path: Path) -> str:
    from .console import fail

    try:
        return path.read_text("utf-8")
    except UnicodeDecodeError:
        fail(f"{path} is no text")
