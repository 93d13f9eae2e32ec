"""The rows of a map folder, and of an owner's overlay over it, read into hexes and hexsides.

An overlay folder holds ``map/hexes.csv``, ``map/hexsides.csv`` and ``map/areas.csv``, each
optional. A row replaces the map's row of the same key (hex; hex, direction and feature; area and
hex). An overlay takes a row away by writing the feature or the area with a minus: ``-road``.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from lovat_server.core.provenance import Provenance
from lovat_server.hexmap.grid import DIRECTION_NAMES, OUTSIDE, Grid, opposite

from .map_features import hex_index, read_grid
from .map_generator import (
    AREAS_FILE,
    DIRECTED,
    FEATURES_FILE,
    HEADINGS,
    HEXES_FILE,
    HEXSIDES_FILE,
    SYMMETRIC,
    TERRAINS,
)

SIDE_FEATURES: Final = (*SYMMETRIC, *DIRECTED)
PROVENANCES: Final = tuple(provenance.value for provenance in Provenance)


@dataclass(frozen=True, slots=True)
class Fault:
    """One mistake. `line` counts from 1, the headings of a CSV being line 1; 0 is the whole file.

    `column` is the heading of a column, "" if none is to blame.
    """

    file: str
    line: int
    column: str
    message: str
    expected: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}" if self.line else self.file
        column = f" [{self.column}]" if self.column else ""
        return f"{place}{column}: {self.message}; expected {self.expected}"


@dataclass(frozen=True, slots=True)
class MapRow:
    """One line of a CSV file."""

    file: str
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def fault(self, column: str, message: str, expected: str) -> Fault:
        return Fault(self.file, self.line, column, message, expected)


class HexRow(NamedTuple):
    terrain: frozenset[str]
    place: str
    row: MapRow


SideKey = tuple[int, int, str]
"""Hex, direction and feature; a symmetric feature stands under the lower of its two hexes."""

AreaKey = tuple[str, int]

_Key = TypeVar("_Key", SideKey, AreaKey)


@dataclass(slots=True)
class MapTables:
    """The map by hex, hexside and area, each with the row that says so."""

    grid: Grid
    hexes: dict[int, HexRow] = field(default_factory=dict)
    sides: dict[SideKey, MapRow] = field(default_factory=dict)
    areas: dict[AreaKey, MapRow] = field(default_factory=dict)

    def provenance(self) -> Counter[Provenance]:
        """How many rows have each provenance."""
        rows = (*(held.row for held in self.hexes.values()), *self.sides.values(),
                *self.areas.values())
        return Counter(Provenance(row["provenance"]) for row in rows)


def read_tables(folder: Path, overlay: Path | None, faults: list[Fault]) -> MapTables:
    """The rows of the map folder with those of ``overlay/map`` over them.

    A row with a fault is left out. ValueError, KeyError or OSError if the size of the grid
    cannot be read from the features file, since no row can be judged without it.
    """
    reader = _Reader(MapTables(read_grid(folder / FEATURES_FILE)), faults)
    reader.read(folder, over=False)
    if overlay is not None:
        reader.read(overlay / "map", over=True)
    return reader.tables


class _Reader:
    def __init__(self, tables: MapTables, faults: list[Fault]) -> None:
        self.tables = tables
        self.faults = faults
        self._over = False
        self._seen: set[object] = set()

    def read(self, folder: Path, *, over: bool) -> None:
        self._over = over
        takers: tuple[tuple[str, Callable[[MapRow], None]], ...] = (
            (HEXES_FILE, self._hex), (HEXSIDES_FILE, self._side), (AREAS_FILE, self._area))
        for name, take in takers:
            self._seen = set()
            for row in self._rows(folder / name, HEADINGS[name]):
                if row["provenance"] in PROVENANCES:
                    take(row)
                else:
                    self._fault(row, "provenance", f"{row['provenance']!r} is no provenance",
                                " or ".join(PROVENANCES))

    def _rows(self, path: Path, headings: tuple[str, ...]) -> Iterator[MapRow]:
        if not path.is_file():
            if not self._over:
                self.faults.append(Fault(str(path), 0, "", "the file is missing", "a CSV file"))
            return
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file)
            found = next(reader, [])
            missing = [heading for heading in headings if heading not in found]
            for heading in missing:
                self.faults.append(Fault(str(path), 1, heading, "the column is missing",
                                         f"columns {','.join(headings)}"))
            if missing:
                return
            for cells in reader:
                if not any(cells):
                    continue
                row = MapRow(str(path), reader.line_num, dict(zip(found, cells, strict=False)))
                if len(cells) == len(found):
                    yield row
                else:
                    self._fault(row, "", f"{len(cells)} cells", f"{len(found)} cells")

    def _hex(self, row: MapRow) -> None:
        hex_ = self._hex_of(row)
        words = frozenset(row["terrain"].split())
        unknown = sorted(words - {*TERRAINS, "clear"})
        if unknown:
            self._fault(row, "terrain", f"{unknown[0]!r} is no terrain",
                        f"clear, or words of {', '.join(TERRAINS)}")
        elif not words or ("clear" in words and len(words) > 1):
            self._fault(row, "terrain", f"{row['terrain']!r} is no set of terrain",
                        f"clear alone, or words of {', '.join(TERRAINS)}")
        elif hex_ is not None and self._is_new(hex_, row):
            self.tables.hexes[hex_] = HexRow(words - {"clear"}, row["place"], row)

    def _side(self, row: MapRow) -> None:
        hex_ = self._hex_of(row)
        name, word = row["direction"], row["feature"]
        feature = word.removeprefix("-") if self._over else word
        if name not in DIRECTION_NAMES:
            self._fault(row, "direction", f"{name!r} is no direction", " or ".join(DIRECTION_NAMES))
            return
        if feature not in SIDE_FEATURES:
            self._fault(row, "feature", f"{word!r} is no hexside feature",
                        " or ".join(SIDE_FEATURES))
            return
        if hex_ is None:
            return
        direction = DIRECTION_NAMES.index(name)
        other = self.tables.grid.neighbours[hex_][direction]
        if other == OUTSIDE:
            self._fault(row, "direction", f"hexside {row['hex']}/{name} leads off the map",
                        "a hexside between two hexes of the map")
            return
        if feature in SYMMETRIC and other < hex_:
            hex_, direction = other, opposite(direction)
        self._put(self.tables.sides, (hex_, direction, feature), row, gone=word != feature)

    def _area(self, row: MapRow) -> None:
        hex_ = self._hex_of(row)
        area = row["area"].removeprefix("-") if self._over else row["area"]
        if not area:
            self._fault(row, "area", "the area has no name", "a name")
        elif hex_ is not None:
            self._put(self.tables.areas, (area, hex_), row, gone=area != row["area"])

    def _put(self, table: dict[_Key, MapRow], key: _Key, row: MapRow, *, gone: bool) -> None:
        if not self._is_new(key, row):
            return
        if not gone:
            table[key] = row
        elif table.pop(key, None) is None:
            self._fault(row, "", "there is no such row to take away", "a row of the map")

    def _is_new(self, key: object, row: MapRow) -> bool:
        if key in self._seen:
            self._fault(row, "hex", "it stands twice in this file", "one row")
            return False
        self._seen.add(key)
        return True

    def _hex_of(self, row: MapRow) -> int | None:
        grid = self.tables.grid
        try:
            return hex_index(grid, row["hex"])
        except ValueError as error:
            self._fault(row, "hex", str(error),
                        f"a hex number from 0101 to {grid.columns:02}{grid.rows:02}")
            return None

    def _fault(self, row: MapRow, column: str, message: str, expected: str) -> None:
        self.faults.append(row.fault(column, message, expected))
