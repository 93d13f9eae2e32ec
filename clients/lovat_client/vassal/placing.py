"""Pieces of a save placed on the hexes of a position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import catalog_pb2, state_pb2

from ..hexes import Layout
from ..sdk.catalog import SIDE_NAMES
from .calibration import Calibration, Place, Sheet
from .commands import Piece, Save
from .mapping import IGNORED, Finder


class Absent(Enum):
    """What becomes of units that the base has on the map and the save has not."""

    WAIT = "wait"
    OUT = "out"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Where:
    """Where a piece lies: what that makes of it, the hex if it is one, and words for a player."""

    place: Place
    hex: int
    words: str


@dataclass(frozen=True, slots=True)
class Sighting:
    """A unit seen in a save. `strength` is None where its piece does not show it."""

    unit: str
    piece: Piece
    where: Where
    strength: int | None
    status: int


@dataclass(frozen=True, slots=True)
class Plan:
    """What a save says. `faults` are sentences; a plan with faults is not to be applied.

    `seen` are the units by id, `unmapped` the pieces that nobody says anything of, with where they
    lie, `off_map` the units that do not stand on a hex.
    """

    seen: dict[str, Sighting]
    unmapped: tuple[tuple[Piece, str], ...]
    off_map: tuple[Sighting, ...]
    faults: tuple[str, ...]


def plan(save: Save, calibration: Calibration, finder: Finder,
         units: Iterable[catalog_pb2.Unit], layout: Layout) -> Plan:
    """Find the unit and the place of every piece. Nothing is raised: all faults are told."""
    printed = {unit.id: unit.strength for unit in units}
    seen: dict[str, Sighting] = {}
    unmapped: list[tuple[Piece, str]] = []
    faults: list[str] = []
    for piece in save.pieces:
        unit = finder.unit(piece)
        if unit == IGNORED:
            continue
        try:
            where = locate(piece, calibration, layout)
            if where.place is Place.IGNORED:
                continue
            if unit is None:
                unmapped.append((piece, where.words))
                continue
            strength = (finder.strength(piece, printed[unit])
                        if where.place in {Place.HEX, Place.WAITING} else None)
        except ValueError as error:
            if unit is None:
                unmapped.append((piece, _point(piece)))
            else:
                faults.append(f"piece {piece.name!r} (unit {unit}) at {_point(piece)}: {error}")
            continue
        sighting = Sighting(unit, piece, where, strength, finder.status(piece))
        if unit in seen:
            first = seen[unit]
            faults.append(f"unit {unit} is two pieces: {first.piece.name!r} at "
                          f"{first.where.words} and {piece.name!r} at {where.words}; expected one")
        else:
            seen[unit] = sighting
    off_map = tuple(entry for entry in seen.values() if entry.where.place is not Place.HEX)
    return Plan(seen, tuple(unmapped), off_map, tuple(faults))


def locate(piece: Piece, calibration: Calibration, layout: Layout) -> Where:
    """Where a piece lies. ValueError if that is no place the calibration knows."""
    if not piece.map:
        return Where(Place.ABSENT, 0, "no map")
    sheet = calibration.sheets.get(piece.map)
    if sheet is None:
        raise ValueError(f"the calibration has no map {piece.map!r}; expected one of "
                         f"{', '.join(map(repr, calibration.sheets))}")
    return _on_sheet(piece, sheet, layout)


def _on_sheet(piece: Piece, sheet: Sheet, layout: Layout) -> Where:
    for box in sheet.boxes:
        if box.holds(piece.x, piece.y):
            return Where(box.place, 0, f"{sheet.name}, {box.name}")
    if sheet.grid is None:
        return Where(sheet.place, 0, sheet.name)
    column, row = sheet.grid.numbers_at(piece.x, piece.y)
    if not layout.contains(column, row):
        raise ValueError(f"it lies outside the grid (column {column}, row {row}); expected "
                         f"columns 1 to {layout.columns}, rows 1 to {layout.rows}, or a box")
    hex_ = column * 100 + row
    return Where(Place.HEX, hex_, f"hex {hex_:04d}")


def _point(piece: Piece) -> str:
    return f"{piece.map or 'no map'} {piece.x},{piece.y}"


def apply(base: core_pb2.Position, found: Plan, units: Iterable[catalog_pb2.Unit],
          absent: Absent) -> core_pb2.Position:
    """The base with its units where the save has them, at version 0 and without a checksum.

    Strength that units have less than in the base is booked as lost. Everything else but hex,
    status, rank and bank of units stays as it is in the base.
    """
    catalog = {unit.id: unit for unit in units}
    printed = {id_: unit.strength for id_, unit in catalog.items()}
    position = core_pb2.Position()
    position.CopyFrom(base)
    position.version = 0
    position.checksum = ""
    ranks = dict(_ranks(found.seen.values()))
    stacks = Counter(entry.where.hex for entry in found.seen.values())
    for row in position.state.white_death.units:
        sighting = found.seen.get(row.unit)
        place = sighting.where.place if sighting else Place.ABSENT
        if sighting is not None and place is Place.HEX:
            _set(row, sighting.where.hex, sighting.strength or row.strength or printed[row.unit],
                 sighting.status, ranks[row.unit])
        elif place is Place.ELIMINATED or (
                place is Place.ABSENT and row.hex and absent is Absent.OUT):
            _set(row, 0, 0, 0, 0)
        elif sighting is not None and place is Place.WAITING:
            _set(row, 0, sighting.strength or row.strength or printed[row.unit],
                 row.status if not row.hex else 0, 0)
        elif row.hex and absent is Absent.WAIT:
            _set(row, 0, row.strength, 0, 0)
        elif row.hex:
            row.rank += stacks[row.hex]     # a unit that keeps its hex lies under those placed
    _book(base.state.white_death, position.state.white_death, catalog)
    return position


def _set(row: state_pb2.UnitState, hex_: int, strength: int, status: int, rank: int) -> None:
    row.hex, row.strength, row.status, row.rank, row.bank = hex_, strength, status, rank, 0


def _book(before: state_pb2.State, after: state_pb2.State,
          catalog: Mapping[str, catalog_pb2.Unit]) -> None:
    """Book what the sides have less than before as lost; the account would not fit else."""
    less = Counter[int]()
    for sign, state in ((1, before), (-1, after)):
        for row in state.units:
            less[catalog[row.unit].side] += sign * row.strength
    lost = [*after.ledger.lost, 0, 0][:len(SIDE_NAMES)]
    for index, side in enumerate(SIDE_NAMES):       # pairs are Soviet then German
        lost[index] = max(0, lost[index] + less[side])
    after.ledger.lost[:] = lost


def _ranks(seen: Iterable[Sighting]) -> Iterator[tuple[str, int]]:
    """The place of each unit in its hex, 0 on top: later stacks lie on earlier ones."""
    hexes: dict[int, list[Sighting]] = {}
    for sighting in seen:
        if sighting.where.place is Place.HEX:
            hexes.setdefault(sighting.where.hex, []).append(sighting)
    for held in hexes.values():
        held.sort(key=lambda entry: (-entry.piece.heap, entry.piece.above))
        for rank, sighting in enumerate(held):
            yield sighting.unit, rank
