"""`lovat export`: a position, and the log of its game, as one JSON document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .console import PositionArgument, fail, out

EPILOG = "Example: lovat export game.v12.bin game.export.json --log game.replay.jsonl"


def export(
    position: PositionArgument,
    path: Annotated[Path, typer.Argument(
        metavar="OUT.json", dir_okay=False, show_default=False,
        help="The document to write; its name ends in .json.")],
    log: Annotated[Path | None, typer.Option(
        "--log", metavar="REPLAY", exists=True, dir_okay=False, show_default=False,
        help="Add the whole log of this replay file, which the position must be in.")] = None,
) -> None:
    """Write a position as one JSON document with sorted keys; with --log the whole game.

    It holds the secret of the dice: do not show it to players during play. The format is in
    lovat_client/exporting.py.
    """
    from ..exporting import export_of, write_export
    from ..replay import read_replay
    from .files import is_json, read_position

    if not is_json(path):
        fail(f"{path}: expected a name that ends in .json")
    document = export_of(read_position(position), read_replay(log) if log else None)
    write_export(path, document)
    what = (f"position {document.log.at} of a log of {len(document.log.records)} records"
            if document.log else "a position")
    out().print(f"{path}: {what}, {path.stat().st_size // 1024} KB")
