"""`lovat replay`: a replay file checked byte by byte, then played again by a fresh server."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import FAILED, OverlayOption, ServerOption, complain, connected, out

EPILOG = "Example: lovat replay lovat-demo.replay.jsonl --verbose"


def replay(
    file: Annotated[Path, typer.Argument(
        metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="A replay file, as `lovat demo` writes it.")],
    verbose: Annotated[bool, typer.Option(
        "--verbose", "-v", help="Print a line for every record.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Verify a replay file: its seals, then every die, event and checksum by playing it again.

    Exit code 1 and the damaged line, or the first record that comes out otherwise.
    """
    from ..replay import confirm, read_replay
    from .words import kind_in_words

    log = read_replay(file)
    console = out()
    console.print(f"{file}: {len(log.records)} records of {log.header.scenario}, seals intact")
    with connected(server, overlay) as client:
        found = confirm(client, log)
    if verbose:
        for number, record in enumerate(log.records[:found.records]):
            said = ", ".join(
                f"{entry.side} {kind_in_words(order.white_death.WhichOneof('order') or 'nothing')}"
                for entry in record.orders for order in entry.orders)
            what = ("whole impulse" + (f" ({said})" if said else "")) if record.impulse else said
            console.print(f"record {number}: ok  {what}, {len(record.events)} events, "
                          f"dice {record.dice_before} to {record.dice_after}, "
                          f"checksum {record.checksum_after[:12]}")
    if not found.is_confirmed:
        complain(f"{file}: {found.problem}")
        raise typer.Exit(FAILED)
    console.print(f"[bold green]verified:[/] {found.records} records, final checksum "
                  f"{log.checksum}")
    if not found.is_dice_verified:
        console.print("the dice were thrown elsewhere: they are repeated, but prove nothing")
