"""`lovat import`: positions out of the saves of other programs."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import FAILED, OverlayOption, ServerOption, complain, connected, fail, out

if TYPE_CHECKING:
    from lovat.rules.v1 import core_pb2

    from ..sdk import LovatClient
    from ..vassal import Calibration, Piece, Plan, SavedGame

import_ = typer.Typer(
    no_args_is_help=True,
    help="Make a position of the save of another program.")

SaveArgument = Annotated[Path, typer.Argument(
    metavar="SAVE", exists=True, dir_okay=False, show_default=False,
    help="A save of VASSAL (.vsav).")]


class AbsentUnits(StrEnum):
    """What becomes of units that the save has not."""

    WAIT = "wait"
    OUT = "out"
    KEEP = "keep"


@import_.command(epilog="Example: lovat import vassal game.vsav game.json --map map.toml "
                        "--pieces pieces.toml --scenario purkayevs-attack")
def vassal(
    save: SaveArgument,
    path: Annotated[Path, typer.Argument(
        metavar="OUT", dir_okay=False, show_default=False,
        help="The position file to write: JSON if its name ends in .json, else binary.")],
    map_: Annotated[Path, typer.Option(
        "--map", metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="The calibration: how the module's maps lie over our hexes (TOML or JSON).")],
    pieces: Annotated[Path | None, typer.Option(
        "--pieces", metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="Which piece is which unit (TOML or JSON); without it pieces are named as units are."
    )] = None,
    scenario: Annotated[str, typer.Option(
        show_default=False, help="Id of the scenario whose standard set-up everything but the "
        "units is taken from; the calibration may name it too.")] = "",
    base: Annotated[Path | None, typer.Option(
        "--base", metavar="POSITION", exists=True, dir_okay=False, show_default=False,
        help="Take turn, supply, bunkers and all else from this position instead.")] = None,
    absent: Annotated[AbsentUnits, typer.Option(
        help="Units that have a hex in the scenario or base, but no piece: wait off the map, be "
        "out of the game, or keep their hex.")] = AbsentUnits.WAIT,
    skip_unmapped: Annotated[bool, typer.Option(
        "--skip-unmapped", help="Go on without the pieces that nobody says anything of.")] = False,
    seed: Annotated[str | None, typer.Option(
        show_default=False, help="Any text: the same seed gives the same dice. Without one the "
        "server draws a secret. Not with --base, which has its dice.")] = None,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Place the units of a VASSAL save on the map, and name every fault of the position.

    All pieces that cannot be placed are told at once; then nothing is written and the exit code
    is 1. File formats: lovat_client/vassal/calibration.py and mapping.py.
    """
    from ..vassal import (
        Mapping,
        apply,
        plan,
        read_calibration,
        read_mapping,
        read_pieces,
        read_save,
    )
    from ..vassal.placing import Absent
    from .files import write_position
    from .words import print_faults

    if base is not None and (scenario or seed is not None):
        fail("--base has its own scenario and dice: leave out --scenario and --seed")
    calibration = read_calibration(map_)
    mapping = read_mapping(pieces) if pieces else Mapping()
    game = read_save(save)
    _same_module(game, calibration)
    found = read_pieces(game)
    with connected(server, overlay) as client:
        start = _start(client, calibration, scenario, base, seed)
        catalog = client.catalog(start.scenario)
        calibration.prove(catalog.layout)
        said = plan(found, calibration, mapping.finder(catalog.message.units),
                    catalog.message.units, catalog.layout)
        _tell(save, game, found.notes, said)
        if said.faults or (said.unmapped and not skip_unmapped):
            raise typer.Exit(_refuse(save, said, skip_unmapped))
        position = apply(start, said, catalog.message.units, Absent(absent.value))
        soundness = client.check(position)
    position.checksum = soundness.checksum
    write_position(path, position)
    console = out()
    placed = len(said.seen) - len(said.off_map)
    console.print(f"{path}: {position.scenario}, {placed} units on the map, version 0, checksum "
                  f"{position.checksum}")
    print_faults(console, soundness.faults, soundness.blocking)


@import_.command("pieces", epilog="Example: lovat import pieces game.vsav --map map.toml")
def list_pieces(
    save: SaveArgument,
    map_: Annotated[Path | None, typer.Option(
        "--map", metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="A calibration, to see the hexes too.")] = None,
) -> None:
    """List the pieces of a VASSAL save, a line each, with tabs: what a mapping is written from.

    Name, image, gpid, map, x, y, hex (with --map), properties.
    """
    from ..vassal import read_calibration, read_pieces, read_save

    calibration = read_calibration(map_) if map_ else None
    found = read_pieces(read_save(save))
    typer.echo("\t".join(("name", "image", "gpid", "map", "x", "y", "hex", "properties")))
    for piece in found.pieces:
        properties = " ".join(f"{key}={value}" for key, value in sorted(piece.properties.items()))
        cells = (piece.name, piece.image, piece.gpid, piece.map, str(piece.x), str(piece.y),
                 _hex(piece, calibration), properties)
        typer.echo("\t".join(" ".join(cell.split()) for cell in cells))
    for note in found.notes:
        typer.echo(f"note: {note}", err=True)


def _hex(piece: Piece, calibration: Calibration | None) -> str:
    sheet = calibration.sheets.get(piece.map) if calibration else None
    if sheet is None or sheet.grid is None:
        return ""
    column, row = sheet.grid.numbers_at(piece.x, piece.y)
    return f"{column:02d}{row:02d}"


def _same_module(game: SavedGame, calibration: Calibration) -> None:
    if calibration.module and game.module != calibration.module:
        fail(f"{game.file} is a save of the module {game.module or 'it does not name'!r}; "
             f"{calibration.file} is for {calibration.module!r}")


def _start(client: LovatClient, calibration: Calibration, scenario: str, base: Path | None,
           seed: str | None) -> core_pb2.Position:
    """The position whose units are to be replaced."""
    from .files import read_position

    if base is not None:
        return read_position(base)
    scenario = scenario or calibration.scenario
    if not scenario:
        fail(f"{calibration.file} names no scenario: name one with --scenario")
    return client.create_game(scenario, seed=seed, standard_set_up=True).position


def _tell(save: Path, game: SavedGame, notes: Sequence[str], said: Plan) -> None:
    """What was found: pieces off the map, pieces that nobody says anything of, notes."""
    of = f" of {game.module} {game.version}".rstrip() if game.module else ""
    lines = [f"{save}: a save{of}, {len(said.seen)} units seen"]
    lines += [f"  note: {note}" for note in notes]
    lines += [f"  off the map: {entry.unit} ({entry.piece.name!r}), {entry.where.place.value}, at "
              f"{entry.where.words}" for entry in said.off_map]
    lines += [f"  unmapped: {piece.name!r} (image {piece.image!r}, gpid {piece.gpid!r}) at {words}"
              for piece, words in said.unmapped]
    for line in lines:
        typer.echo(line)


def _refuse(save: Path, said: Plan, skip_unmapped: bool) -> int:
    for fault in said.faults:
        complain(f"{save}: {fault}")
    unmapped = 0 if skip_unmapped else len(said.unmapped)
    if unmapped:
        complain(f"{save}: {unmapped} pieces are neither units nor ignored by the mapping (they "
                 "are listed above); name them there, or go on without them by --skip-unmapped")
    return FAILED
