"""The hand-drawn map: rivers, roads, forests, towns and areas of `features.toml`.

One table of the file is one feature: a line (hexes in order) or a patch (hexes in any order),
each with its provenance. A hex list is text: ``1430`` is a hex and ``1018-1021`` the hexes of
one column from the first to the last, downwards or upwards.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, TypeVar

from lovat_server.core.provenance import Provenance
from lovat_server.hexmap.grid import DIRECTION_NAMES, OUTSIDE, Grid

LINES: Final = ("river", "creek", "rail", "road", "line")
PATCHES: Final = ("forest", "town", "high")

_Drawn = TypeVar("_Drawn")

Hexside = tuple[int, int]
"""A hex and a direction out of it."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """Hexes of a feature that are better founded than the rest of it."""

    hexes: frozenset[int]
    provenance: Provenance
    clause: str


@dataclass(frozen=True, slots=True)
class Feature:
    """A line or a patch. `hexes` of a line are in order; `slopes` lead down out of high ground."""

    kind: str
    name: str
    hexes: tuple[int, ...]
    provenance: Provenance
    clause: str = ""
    fixed: tuple[Fixed, ...] = ()
    slopes: tuple[Hexside, ...] = ()

    def basis(self, *hexes: int) -> tuple[Provenance, str]:
        """Provenance and source of a hex, or of the hexside between two, of this feature."""
        for fixed in self.fixed:
            if fixed.hexes.issuperset(hexes):
                return fixed.provenance, source(self.name, fixed.clause)
        return self.provenance, source(self.name, self.clause)


@dataclass(frozen=True, slots=True)
class Lake:
    """A lake lies along hexsides, each of them all water (`full`) or part of it (`partial`)."""

    name: str
    full: tuple[Hexside, ...]
    partial: tuple[Hexside, ...]
    provenance: Provenance
    clause: str = ""


@dataclass(frozen=True, slots=True)
class AreaRule:
    """An entry area or set-up zone: the hexes that fit every term, see `map_areas`."""

    name: str
    terms: tuple[str, ...]
    take: str
    provenance: Provenance
    clause: str = ""


@dataclass(frozen=True, slots=True)
class Features:
    """Everything drawn on the map, in the order of the file."""

    grid: Grid
    ground: Provenance
    features: tuple[Feature, ...]
    lakes: tuple[Lake, ...]
    areas: tuple[AreaRule, ...]

    def of_kind(self, kind: str) -> tuple[Feature, ...]:
        return tuple(feature for feature in self.features if feature.kind == kind)

    def named(self, name: str) -> Feature:
        """The feature of that name; KeyError if there is none."""
        for feature in self.features:
            if feature.name == name:
                return feature
        raise KeyError(name)


def source(name: str, clause: str) -> str:
    return f"{name} ({clause})" if clause else name


def number(grid: Grid, hex_: int) -> str:
    """The number CCRR of a hex."""
    return f"{grid.column(hex_):02}{grid.row(hex_):02}"


def hex_index(grid: Grid, text: str) -> int:
    """The hex of a number CCRR; ValueError if it is no number or not on the map."""
    if len(text) != 4 or not text.isdecimal():
        raise ValueError(f"{text!r} is not a hex number of four digits")
    hex_ = grid.index(int(text[:2]), int(text[2:]))
    if hex_ == OUTSIDE:
        raise ValueError(f"hex {text} is not on the map")
    return hex_


def expand(grid: Grid, text: str) -> tuple[int, ...]:
    """The hexes of a hex list in order; ValueError says what is wrong in it."""
    hexes: list[int] = []
    for word in text.split():
        first, _, last = word.partition("-")
        start = hex_index(grid, first)
        end = hex_index(grid, last) if last else start
        if grid.column(start) != grid.column(end):
            raise ValueError(f"{word} does not stay in one column")
        step = 1 if start <= end else -1
        hexes.extend(range(start, end + step, step))
    return tuple(hexes)


def expand_sides(grid: Grid, text: str) -> tuple[Hexside, ...]:
    """The hexsides of a list such as ``1320/NE 1320/SE``; ValueError if one leaves the map."""
    sides: list[Hexside] = []
    for word in text.split():
        where, _, name = word.partition("/")
        if name not in DIRECTION_NAMES:
            raise ValueError(f"{word} has no direction of {', '.join(DIRECTION_NAMES)}")
        side = hex_index(grid, where), DIRECTION_NAMES.index(name)
        if grid.neighbours[side[0]][side[1]] == OUTSIDE:
            raise ValueError(f"{word} is a hexside of the map edge")
        sides.append(side)
    return tuple(sides)


def read_grid(path: Path) -> Grid:
    """The size of the map, the ``[grid]`` table of a features file."""
    with path.open("rb") as file:
        table = tomllib.load(file)["grid"]
    return Grid(int(table["columns"]), int(table["rows"]))


def read_features(path: Path) -> Features:
    """Read `features.toml`; ValueError names the feature that is wrong."""
    with path.open("rb") as file:
        document = tomllib.load(file)
    grid = Grid(int(document["grid"]["columns"]), int(document["grid"]["rows"]))
    features = [
        _named(table, partial(_feature, grid, kind))
        for kind in (*LINES, *PATCHES)
        for table in document.get(kind, ())
    ]
    lakes = [_named(table, partial(_lake, grid)) for table in document.get("lake", ())]
    areas = [_named(table, _area) for table in document.get("area", ())]
    _refuse_twice([feature.name for feature in features] + [lake.name for lake in lakes])
    _refuse_twice([area.name for area in areas])
    return Features(grid, Provenance(document["grid"]["provenance"]), tuple(features),
                    tuple(lakes), tuple(areas))


def _named(table: Mapping[str, Any], read: Callable[[Mapping[str, Any]], _Drawn]) -> _Drawn:
    try:
        return read(table)
    except (KeyError, ValueError) as error:
        raise ValueError(f"{table.get('name', 'a feature without name')}: {error}") from error


def _feature(grid: Grid, kind: str, table: Mapping[str, Any]) -> Feature:
    hexes = expand(grid, table["path" if kind in LINES else "hexes"])
    if len(set(hexes)) < len(hexes):
        raise ValueError("a hex stands in it twice")
    if kind in LINES:
        _refuse_gap(grid, hexes)
    fixed = tuple(
        Fixed(frozenset(expand(grid, part["hexes"])), Provenance(part["provenance"]),
              part["clause"])
        for part in table.get("fixed", ())
    )
    for part in fixed:
        if not part.hexes <= set(hexes):
            raise ValueError(f"the fixed hexes of {part.clause} are not all part of it")
    return Feature(kind, table["name"], hexes, Provenance(table["provenance"]),
                   table.get("clause", ""), fixed, expand_sides(grid, table.get("slopes", "")))


def _refuse_gap(grid: Grid, hexes: tuple[int, ...]) -> None:
    for here, there in pairwise(hexes):
        if grid.direction(here, there) is None:
            raise ValueError(f"{number(grid, here)} and {number(grid, there)} are not adjacent")


def _lake(grid: Grid, table: Mapping[str, Any]) -> Lake:
    return Lake(table["name"], expand_sides(grid, table.get("full", "")),
                expand_sides(grid, table.get("partial", "")), Provenance(table["provenance"]),
                table.get("clause", ""))


def _area(table: Mapping[str, Any]) -> AreaRule:
    return AreaRule(table["name"], tuple(table["of"]), table.get("take", ""),
                    Provenance(table["provenance"]), table.get("clause", ""))


def _refuse_twice(names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ValueError(f"the name {name!r} is given twice")
        seen.add(name)
