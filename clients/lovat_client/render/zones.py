"""Zones of control as far as they can be seen in a picture (WD 3), for the overlay of the maps.

The server judges every order itself; this only draws. Of a stack of which the top unit alone is
known, the rest is taken to be alike.
"""

from __future__ import annotations

from lovat.white_death.v1 import catalog_pb2, terms_pb2

from ..hexes import DIRECTIONS
from .geometry import Sheet
from .picture import Picture, Stack

_WEAPONS = (terms_pb2.KIND_LIGHT_WEAPONS, terms_pb2.KIND_HEAVY_WEAPONS)


def zones_of_control(
    catalog: catalog_pb2.Catalog, picture: Picture,
) -> dict[int, frozenset[int]]:
    """For each side the hexes in its zones of control."""
    sheet = Sheet.of(catalog.map)
    units = {unit.id: unit for unit in catalog.units}
    barred = _barred(catalog)
    sides = _sides(catalog, sheet)
    thaw = picture.weather == terms_pb2.WEATHER_THAW
    found: dict[int, set[int]] = {terms_pb2.SIDE_SOVIET: set(), terms_pb2.SIDE_GERMAN: set()}
    for stack in picture.stacks:
        known = [units[piece.unit] for piece in stack.pieces if piece.unit in units]
        for unit in known:
            if _is_weak(unit, stack):
                continue
            for direction in range(DIRECTIONS):
                other = sheet.layout.neighbour(stack.hex, direction)
                if not other or sheet.hexes[other].town:
                    continue
                side = sides.get((stack.hex, direction))
                if not _is_barred(barred, unit.mobility, sheet.hexes[other], side, thaw):
                    found[unit.side].add(other)
    return {side: frozenset(hexes) for side, hexes in found.items()}


def _is_weak(unit: catalog_pb2.Unit, stack: Stack) -> bool:
    return (stack.count == 1 and unit.side == terms_pb2.SIDE_GERMAN
            and unit.kind in _WEAPONS and unit.size == terms_pb2.SIZE_COMPANY)


def _barred(catalog: catalog_pb2.Catalog) -> set[tuple[int, str]]:
    return {(cost.mobility, cost.terrain) for cost in catalog.charts.movement
            if not cost.HasField("enter")}


def _sides(
    catalog: catalog_pb2.Catalog, sheet: Sheet,
) -> dict[tuple[int, int], catalog_pb2.Hexside]:
    found = {}
    for side in catalog.map.hexsides:
        direction = side.direction - 1
        found[side.hex, direction] = side
        other = sheet.layout.neighbour(side.hex, direction)
        if other:
            found[other, (direction + 3) % DIRECTIONS] = side
    return found


def _is_barred(
    barred: set[tuple[int, str]], mobility: int, hex_: catalog_pb2.MapHex,
    side: catalog_pb2.Hexside | None, thaw: bool,
) -> bool:
    if side is not None and (side.road or side.rail):
        return False
    if side is not None and (side.lake_full or side.lake_partial):
        lake = "lake_thaw" if thaw else "lake_frozen"
        if (mobility, lake) in barred:
            return True
    if not hex_.forest:
        return False
    return (mobility, "forest_creek" if hex_.creek else "forest") in barred
