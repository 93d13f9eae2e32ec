"""What a map must hold to be played on: every hex, an unbroken river, roads that lead on.

These checks look at the whole map; the faults of single rows are found while reading them.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from lovat_server.hexmap.grid import DIRECTION_NAMES, OUTSIDE, Grid, board_of, hexes_of, opposite

from .map_areas import EDGES, edge_board
from .map_features import number
from .map_generator import AREAS_FILE, HEXES_FILE
from .map_rows import Fault, MapRow, MapTables

ENTRY_AREAS: Final = ("NE", "E", "SE", "S", "SW", "W", "NW")
CITY: Final = "CITY"
RAILROAD_TOWNS: Final = "RAILROAD-TOWNS"

_SHOWN: Final = 10


def check_tables(tables: MapTables, folder: Path) -> list[Fault]:
    """All faults of the map as a whole; an empty list if there are none."""
    return [
        *_missing_hexes(tables, folder),
        *_missing_areas(tables, folder),
        *_area_faults(tables),
        *_lake_faults(tables),
        *_slope_faults(tables),
        *_rail_faults(tables),
        *_road_faults(tables),
        *_river_faults(tables),
        *_bank_faults(tables),
    ]


def _missing_hexes(tables: MapTables, folder: Path) -> Iterable[Fault]:
    grid = tables.grid
    missing = [number(grid, hex_) for hex_ in range(grid.size) if hex_ not in tables.hexes]
    if missing:
        shown = ", ".join(missing[:_SHOWN]) + (", ..." if len(missing) > _SHOWN else "")
        yield Fault(str(folder / HEXES_FILE), 0, "hex", f"hexes without a row: {shown}",
                    f"a row for each of the {grid.size} hexes")


def _missing_areas(tables: MapTables, folder: Path) -> Iterable[Fault]:
    held = {area for area, _ in tables.areas}
    for area in (*ENTRY_AREAS, CITY, RAILROAD_TOWNS):
        if area not in held:
            yield Fault(str(folder / AREAS_FILE), 0, "area", f"area {area} has no hex",
                        "one hex or more")


def _area_faults(tables: MapTables) -> Iterable[Fault]:
    towns = _terrain(tables, "town")
    for (area, hex_), row in tables.areas.items():
        if area in (CITY, RAILROAD_TOWNS) and not towns >> hex_ & 1:
            yield row.fault("hex", f"{number(tables.grid, hex_)} of {area} is no town hex",
                        "town hexes only")


def _lake_faults(tables: MapTables) -> Iterable[Fault]:
    for (hex_, direction, feature), row in tables.sides.items():
        if feature == "lake_partial" and (hex_, direction, "lake_full") in tables.sides:
            side = f"{number(tables.grid, hex_)}/{DIRECTION_NAMES[direction]}"
            yield row.fault("feature", f"hexside {side} is both a full and a partial lake",
                        "lake_full or lake_partial")


def _slope_faults(tables: MapTables) -> Iterable[Fault]:
    for (hex_, direction, feature), row in tables.sides.items():
        other = tables.grid.neighbours[hex_][direction]
        if (feature == "slope_down" and hex_ < other
                and (other, opposite(direction), feature) in tables.sides):
            yield row.fault("feature", f"the slope between {number(tables.grid, hex_)} and "
                        f"{number(tables.grid, other)} goes down both ways", "one way down")


def _rail_faults(tables: MapTables) -> Iterable[Fault]:
    """A railroad ends in a town or on the map edge."""
    ends = _ways(tables, ("rail",))
    stops = _terrain(tables, "town") | _edges(tables.grid)
    for hex_, ways in ends.items():
        if len(ways) == 1 and not stops >> hex_ & 1:
            yield ways[0][1].fault("hex",
                        f"the railroad ends in open country in {number(tables.grid, hex_)}",
                        "a railroad that goes on to a town or the map edge")


def _road_faults(tables: MapTables) -> Iterable[Fault]:
    """No hexside of a road lies by itself, and no road ends one hexside short of a town or way.

    A road may end in open country, as long as nothing that it could lead to lies beside its end.
    """
    grid = tables.grid
    ends = _ways(tables, ("road", "rail"))
    towns = _terrain(tables, "town")
    stops = towns | _edges(grid)
    goals = towns | board_of(ends)
    dead = {hex_: ways[0] for hex_, ways in ends.items()
            if len(ways) == 1 and not stops >> hex_ & 1}
    for hex_, (other, row) in dead.items():
        if other in dead:
            if hex_ < other:
                yield row.fault("hex", f"the road between {number(grid, hex_)} and "
                                f"{number(grid, other)} leads nowhere", "a road that goes on")
            continue
        behind = board_of((other, *(there for there, _ in ends[other])))
        for there in hexes_of(grid.adjacent[hex_] & goals & ~behind):
            if there not in dead or hex_ < there:
                yield row.fault("hex", f"the road breaks off between {number(grid, hex_)} and "
                                f"{number(grid, there)}", "a road or rail hexside there")


def _river_faults(tables: MapTables) -> Iterable[Fault]:
    """The river hexes are one path from map edge to map edge."""
    grid, river = tables.grid, _terrain(tables, "river")
    if not river:
        return
    first = next(hexes_of(river))
    if grid.flood(1 << first, river) != river:
        lost = next(hexes_of(river & ~grid.flood(1 << first, river)))
        yield tables.hexes[lost].row.fault("terrain",
                    f"the river breaks: no river joins {number(grid, first)} and "
                    f"{number(grid, lost)}", "river hexes in one path")
    for hex_ in hexes_of(river):
        joined = (grid.adjacent[hex_] & river).bit_count()
        row = tables.hexes[hex_].row
        if joined > 2:
            yield row.fault("terrain",
                        f"river hex {number(grid, hex_)} touches {joined} others", "two at most")
        elif joined < 2 and not _edges(grid) >> hex_ & 1:
            yield row.fault("terrain",
                        f"the river ends in {number(grid, hex_)}, which is not on the map edge",
                        "a river from edge to edge")


def _bank_faults(tables: MapTables) -> Iterable[Fault]:
    """Each side of a river hex away from the river has the bank that its neighbour lies on."""
    grid, river = tables.grid, _terrain(tables, "river")
    banks: dict[tuple[int, int], str] = {}
    shore: dict[int, tuple[str, int]] = {}
    for (hex_, direction, feature), row in tables.sides.items():
        if not feature.startswith("bank_"):
            continue
        other = grid.neighbours[hex_][direction]
        side = f"{number(grid, hex_)}/{DIRECTION_NAMES[direction]}"
        if not river >> hex_ & 1 or river >> other & 1:
            yield row.fault("feature", f"{side} is a bank but leads from no river hex, or "
                        "along the river", "banks out of a river hex only")
            continue
        if (hex_, direction) in banks:
            yield row.fault("feature", f"{side} has both banks", "bank_w or bank_e")
            continue
        banks[hex_, direction] = feature
        known, where = shore.setdefault(other, (feature, hex_))
        if known != feature:
            yield row.fault("feature", f"{number(grid, other)} is on the other bank of "
                        f"{number(grid, where)} than of {number(grid, hex_)}", known)
    for hex_ in hexes_of(river):
        yield from _hex_bank_faults(grid, river, banks, hex_, tables.hexes[hex_].row)


def _hex_bank_faults(grid: Grid, river: int, banks: dict[tuple[int, int], str], hex_: int,
                     row: MapRow) -> Iterable[Fault]:
    name = number(grid, hex_)
    around = []
    for direction, other in enumerate(grid.neighbours[hex_]):
        bank = banks.get((hex_, direction), "")
        around.append(bank)
        if other != OUTSIDE and not river >> other & 1 and not bank:
            yield row.fault("terrain", f"side {DIRECTION_NAMES[direction]} of river hex "
                        f"{name} has no bank", "a bank_w or bank_e row in the hexsides")
    held = {bank for bank in around if bank}
    for direction, bank in enumerate(around):
        following = around[(direction + 1) % 6]
        if bank and following and bank != following:
            yield row.fault("terrain", f"the bank of river hex {name} changes between sides "
                        f"{DIRECTION_NAMES[direction]} and {DIRECTION_NAMES[(direction + 1) % 6]}",
                        "a change of bank only where the river leaves the hex")
    if len(held) == 1 and not _edges(grid) >> hex_ & 1:
        yield row.fault("terrain", f"river hex {name} has one bank only", "both banks")


def _ways(tables: MapTables, features: tuple[str, ...]) -> dict[int, list[tuple[int, MapRow]]]:
    """For each hex on a road or railroad, the hexes it leads to and the rows that say so."""
    ways: dict[int, dict[int, MapRow]] = {}
    for (hex_, direction, feature), row in tables.sides.items():
        if feature in features:
            other = tables.grid.neighbours[hex_][direction]
            ways.setdefault(hex_, {})[other] = row
            ways.setdefault(other, {})[hex_] = row
    return {hex_: list(others.items()) for hex_, others in ways.items()}


def _terrain(tables: MapTables, word: str) -> int:
    return board_of(hex_ for hex_, held in tables.hexes.items() if word in held.terrain)


def _edges(grid: Grid) -> int:
    board = 0
    for edge in EDGES:
        board |= edge_board(grid, edge)
    return board
