"""From the hand-drawn features to the rows of `hexes.csv`, `hexsides.csv` and `areas.csv`.

Run ``python -m lovat_server.scenarios.map_generator FOLDER`` after every change of the
features file and commit what it writes.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from lovat_server.core.provenance import Provenance
from lovat_server.hexmap.grid import DIRECTION_NAMES, OUTSIDE, N, S, hexes_of, opposite

from .map_areas import area_board
from .map_features import Feature, Features, Hexside, number, read_features, source

FEATURES_FILE: Final = "features.toml"
HEXES_FILE: Final = "hexes.csv"
HEXSIDES_FILE: Final = "hexsides.csv"
AREAS_FILE: Final = "areas.csv"

HEADINGS: Final = {
    HEXES_FILE: ("hex", "terrain", "place", "provenance", "source"),
    HEXSIDES_FILE: ("hex", "direction", "feature", "provenance", "source"),
    AREAS_FILE: ("area", "hex", "provenance", "source"),
}
TERRAINS: Final = ("forest", "town", "creek", "river", "high")
SYMMETRIC: Final = ("road", "rail", "lake_full", "lake_partial")
DIRECTED: Final = ("slope_down", "bank_w", "bank_e")

Basis = tuple[Provenance, str]
Row = tuple[str, ...]
_SideKey = tuple[int, int, str]

_STRENGTH: Final = tuple(Provenance)


def generate(features: Features) -> dict[str, str]:
    """The text of each generated file, by file name; ValueError if the features contradict."""
    return {
        HEXES_FILE: _csv(HEADINGS[HEXES_FILE], hex_rows(features)),
        HEXSIDES_FILE: _csv(HEADINGS[HEXSIDES_FILE], hexside_rows(features)),
        AREAS_FILE: _csv(HEADINGS[AREAS_FILE], area_rows(features)),
    }


def write(folder: Path) -> None:
    """Read the features file of a map folder and write the three generated files beside it."""
    for name, text in generate(read_features(folder / FEATURES_FILE)).items():
        (folder / name).write_text(text, encoding="utf-8", newline="")


def hex_rows(features: Features) -> list[Row]:
    """One row for every hex of the grid, in order of the hex numbers."""
    grid = features.grid
    terrain: dict[int, set[str]] = {}
    place: dict[int, str] = {}
    basis: dict[int, list[Basis]] = {}
    river = {hex_ for line in features.of_kind("river") for hex_ in line.hexes}
    for kind in TERRAINS:
        for feature in features.of_kind(kind):
            for hex_ in feature.hexes:
                if kind not in {"town", "river"} and hex_ in river:
                    raise ValueError(f"{feature.name}: {number(grid, hex_)} is a river hex")
                terrain.setdefault(hex_, set()).add(kind)
                basis.setdefault(hex_, []).append(feature.basis(hex_))
                if kind == "town":
                    if hex_ in place:
                        raise ValueError(f"{feature.name}: {number(grid, hex_)} has another name")
                    place[hex_] = feature.name
    rows: list[Row] = []
    for hex_ in range(grid.size):
        kinds = terrain.get(hex_, set())
        words = " ".join(kind for kind in TERRAINS if kind in kinds) or "clear"
        provenance, text = _combine(basis.get(hex_) or [(features.ground, "open ground")])
        rows.append((number(grid, hex_), words, place.get(hex_, ""), provenance.value, text))
    return rows


def hexside_rows(features: Features) -> list[Row]:
    """Roads, railroads and lakes once each from the lower hex; slopes and banks directed."""
    sides = _way_sides(features) | _lake_sides(features) | _directed_sides(features)
    rows: list[Row] = []
    for (hex_, direction, kind), bases in sorted(sides.items()):
        provenance, text = _combine(bases)
        rows.append((number(features.grid, hex_), DIRECTION_NAMES[direction], kind,
                     provenance.value, text))
    return rows


def area_rows(features: Features) -> list[Row]:
    """The hexes of every area, areas in the order of the features file."""
    return [
        (rule.name, number(features.grid, hex_), rule.provenance.value,
         rule.clause)
        for rule in features.areas
        for hex_ in hexes_of(area_board(features, rule))
    ]


def river_banks(features: Features, river: Feature) -> dict[Hexside, str]:
    """The bank, "E" or "W", that each side of each hex of a river drawn from north to south faces.

    Sides towards the river's own next hexes and beyond the map have none. ValueError if the
    river does not run from the north edge to the south edge or touches itself.
    """
    grid, course = features.grid, river.hexes
    if grid.row(course[0]) != 1 or grid.row(course[-1]) != grid.rows:
        raise ValueError(f"{river.name} does not run from the north edge to the south edge")
    if any(grid.direction(here, there) is not None
           for place, here in enumerate(course) for there in course[place + 2:]):
        raise ValueError(f"{river.name} touches itself")
    banks: dict[Hexside, str] = {}
    for place, hex_ in enumerate(course):
        around = grid.neighbours[hex_]
        up = around.index(course[place - 1]) if place else N
        down = around.index(course[place + 1]) if place + 1 < len(course) else S
        for turn in range(1, 6):
            direction = (up + turn) % 6
            if direction != down and around[direction] != OUTSIDE:
                banks[hex_, direction] = "E" if turn < (down - up) % 6 else "W"
    return banks


def _way_sides(features: Features) -> dict[_SideKey, list[Basis]]:
    sides: dict[_SideKey, list[Basis]] = {}
    for feature in (*features.of_kind("road"), *features.of_kind("rail")):
        for here, there in pairwise(feature.hexes):
            direction = features.grid.neighbours[here].index(there)
            key = (*_from_lower(features, (here, direction)), feature.kind)
            sides.setdefault(key, []).append(feature.basis(here, there))
    return sides


def _lake_sides(features: Features) -> dict[_SideKey, list[Basis]]:
    sides: dict[_SideKey, list[Basis]] = {}
    for lake in features.lakes:
        for kind, where in (("lake_full", lake.full), ("lake_partial", lake.partial)):
            for side in where:
                low = _from_lower(features, side)
                if any((*low, other) in sides for other in ("lake_full", "lake_partial")):
                    raise ValueError(f"{lake.name}: {_side_text(features, side)} is a lake twice")
                sides[(*low, kind)] = [(lake.provenance, source(lake.name, lake.clause))]
    return sides


def _directed_sides(features: Features) -> dict[_SideKey, list[Basis]]:
    sides: dict[_SideKey, list[Basis]] = {}
    for feature in features.of_kind("high"):
        for hex_, direction in feature.slopes:
            if hex_ not in feature.hexes:
                raise ValueError(f"{feature.name}: {number(features.grid, hex_)} is not high")
            sides[hex_, direction, "slope_down"] = [feature.basis(hex_)]
    for river in features.of_kind("river"):
        basis = river.provenance, source(river.name, river.clause)
        for (hex_, direction), bank in river_banks(features, river).items():
            sides[hex_, direction, f"bank_{bank.lower()}"] = [basis]
    return sides


def _from_lower(features: Features, side: Hexside) -> Hexside:
    hex_, direction = side
    other = features.grid.neighbours[hex_][direction]
    return side if hex_ < other else (other, opposite(direction))


def _side_text(features: Features, side: Hexside) -> str:
    return f"{number(features.grid, side[0])}/{DIRECTION_NAMES[side[1]]}"


def _combine(bases: Iterable[Basis]) -> Basis:
    """One basis for several features: the weakest provenance and all the sources."""
    found = list(bases)
    weakest = max((provenance for provenance, _ in found), key=_STRENGTH.index)
    return weakest, "; ".join(dict.fromkeys(text for _, text in found))


def _csv(headings: Sequence[str], rows: Iterable[Row]) -> str:
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(headings)
    writer.writerows(rows)
    return buffer.getvalue()


if __name__ == "__main__":
    write(Path(sys.argv[1]))
