"""Load a map folder, with an owner's overlay over it, into the map that the rules play on."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import BattleMap
from lovat_server.hexmap.grid import DIRECTIONS, board_of, opposite

from .map_check import CITY, RAILROAD_TOWNS, check_tables
from .map_features import number
from .map_generator import FEATURES_FILE, SYMMETRIC
from .map_rows import Fault, MapTables, read_tables

__all__ = ["Fault", "check_map", "load_map", "map_provenance"]


def load_map(folder: Path, overlay: Path | None = None) -> BattleMap:
    """The map in `folder`; rows of ``overlay/map/*.csv`` replace rows with the same key.

    ValueError lists every fault, one a line, if there are any.
    """
    return _battle_map(_sound(folder, overlay))


def check_map(folder: Path, overlay: Path | None = None) -> list[Fault]:
    """Everything that is wrong with a map folder and its overlay; empty if it can be loaded."""
    return _read(folder, overlay)[1]


def map_provenance(folder: Path, overlay: Path | None = None) -> Counter[Provenance]:
    """How many rows of the map have each provenance; ValueError as for `load_map`."""
    return _sound(folder, overlay).provenance()


def _sound(folder: Path, overlay: Path | None) -> MapTables:
    tables, faults = _read(folder, overlay)
    if tables is None or faults:
        raise ValueError("\n".join(str(fault) for fault in faults))
    return tables


def _read(folder: Path, overlay: Path | None) -> tuple[MapTables | None, list[Fault]]:
    faults: list[Fault] = []
    try:
        tables = read_tables(folder, overlay, faults)
    except (OSError, KeyError, ValueError) as error:
        return None, [Fault(str(folder / FEATURES_FILE), 0, "grid",
                            f"the size of the map cannot be read: {error}",
                            "a [grid] table with columns and rows")]
    return tables, faults + check_tables(tables, folder)


def _battle_map(tables: MapTables) -> BattleMap:
    grid = tables.grid
    numbers = tuple(int(number(grid, hex_)) for hex_ in range(grid.size))
    areas: dict[str, int] = {}
    for area, hex_ in tables.areas:
        areas[area] = areas.get(area, 0) | 1 << hex_
    terrain = {
        word: board_of(hex_ for hex_, row in tables.hexes.items() if word in row.terrain)
        for word in ("forest", "town", "creek", "river", "high")
    }
    sides = _sides(tables)
    return BattleMap(
        grid=grid,
        names={hex_: row.place for hex_, row in sorted(tables.hexes.items()) if row.place},
        forest=terrain["forest"],
        town=terrain["town"],
        creek=terrain["creek"],
        river=terrain["river"],
        high=terrain["high"],
        road=sides["road"],
        rail=sides["rail"],
        lake_full=sides["lake_full"],
        lake_partial=sides["lake_partial"],
        down=sides["slope_down"],
        bank=_banks(tables),
        city=areas[CITY],
        railroad_towns=areas[RAILROAD_TOWNS],
        areas=areas,
        numbers=numbers,
        index={value: hex_ for hex_, value in enumerate(numbers)},
    )


def _sides(tables: MapTables) -> dict[str, tuple[int, ...]]:
    """Six boards a feature; a symmetric feature stands in both of its hexes."""
    boards = {feature: [0] * len(DIRECTIONS) for feature in (*SYMMETRIC, "slope_down")}
    for hex_, direction, feature in tables.sides:
        if feature not in boards:
            continue
        boards[feature][direction] |= 1 << hex_
        if feature in SYMMETRIC:
            other = tables.grid.neighbours[hex_][direction]
            boards[feature][opposite(direction)] |= 1 << other
    return {feature: tuple(board) for feature, board in boards.items()}


def _banks(tables: MapTables) -> tuple[tuple[str, ...], ...]:
    """For each river hex the bank, "W", "E" or "", of its six sides; empty for other hexes."""
    banks = [[""] * len(DIRECTIONS) if "river" in tables.hexes[hex_].terrain else []
             for hex_ in range(tables.grid.size)]
    for hex_, direction, feature in tables.sides:
        if feature.startswith("bank_"):
            banks[hex_][direction] = feature.removeprefix("bank_").upper()
    return tuple(tuple(sides) for sides in banks)
