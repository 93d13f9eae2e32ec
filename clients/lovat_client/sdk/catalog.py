"""A catalog with questions answered: units by id, neighbours, distance, terrain, where to draw.

Hexes are printed numbers CCRR, column then row. Columns run north and south; every second column
stands half a hex lower: on White Death's map the even ones.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import cached_property
from typing import NamedTuple

from lovat.rules.v1.catalog_service_pb2 import GetCatalogResponse
from lovat.white_death.v1 import catalog_pb2, terms_pb2

from ..hexes import DIRECTIONS, Layout

SIDES: Mapping[str, terms_pb2.Side.ValueType] = {
    "soviet": terms_pb2.SIDE_SOVIET, "german": terms_pb2.SIDE_GERMAN}
SIDE_NAMES: Mapping[int, str] = {number: name for name, number in SIDES.items()}
ROW_HEIGHT = math.sqrt(3)
"""Height of a hex whose side is 1."""


class Point(NamedTuple):
    """The centre of a hex in sides of a hex, east and south of the centre of 0101."""

    x: float
    y: float


class Catalog:
    """Everything printed of one scenario. `message` is the catalog as the server sent it."""

    def __init__(self, message: catalog_pb2.Catalog, content_hash: str = "",
                 game: str = "white_death") -> None:
        self.message = message
        self.content_hash = content_hash
        self.game = game
        self.layout = Layout(message.map.columns, message.map.rows, message.map.even_high)

    @classmethod
    def of(cls, response: GetCatalogResponse) -> Catalog:
        return cls(response.white_death, response.content_hash, response.game)

    @property
    def scenario(self) -> catalog_pb2.Scenario:
        return self.message.scenario

    @cached_property
    def units(self) -> Mapping[str, catalog_pb2.Unit]:
        """Every counter by its id, in the order that states use."""
        return {unit.id: unit for unit in self.message.units}

    @cached_property
    def hexes(self) -> Mapping[int, catalog_pb2.MapHex]:
        """Every hex of the map by its number."""
        return {hex_.hex: hex_ for hex_ in self.message.map.hexes}

    @cached_property
    def areas(self) -> Mapping[str, frozenset[int]]:
        """Entry areas and set-up zones by name."""
        return {area.name: frozenset(area.hexes) for area in self.message.map.areas}

    @cached_property
    def _hexsides(self) -> Mapping[tuple[int, int], catalog_pb2.Hexside]:
        sides: dict[tuple[int, int], catalog_pb2.Hexside] = {}
        for side in self.message.map.hexsides:
            pair = (side.hex, self.neighbour(side.hex, side.direction))
            held = sides.get(pair)
            if held is None:
                sides[pair] = side
            else:
                merged = catalog_pb2.Hexside()
                merged.CopyFrom(held)
                merged.MergeFrom(side)
                sides[pair] = merged
        return sides

    def unit(self, id_: str) -> catalog_pb2.Unit:
        """The counter with this id. KeyError if there is none."""
        return self.units[id_]

    def label(self, id_: str) -> str:
        """The unit's name for a player; the id itself if it is not known."""
        unit = self.units.get(id_)
        return unit.label or id_ if unit else id_

    def units_of(self, side: str) -> list[catalog_pb2.Unit]:
        """The counters of "soviet" or "german"."""
        return [unit for unit in self.message.units if unit.side == SIDES[side]]

    def terrain(self, hex_: int) -> catalog_pb2.MapHex:
        """What is printed in a hex; an empty one if the map prints nothing there."""
        return self.hexes.get(hex_) or catalog_pb2.MapHex(hex=hex_)

    def is_on_map(self, hex_: int) -> bool:
        return self.layout.contains(*divmod(hex_, 100))

    def neighbour(self, hex_: int, direction: int) -> int:
        """The hex beyond a side, N 1 to NW 6 as `Direction` has them; 0 off the map."""
        if not 1 <= direction <= DIRECTIONS:
            raise ValueError(f"{direction} is not a direction; they are 1 (N) to 6 (NW)")
        return self.layout.neighbour(hex_, direction - 1)

    def neighbours(self, hex_: int) -> list[int]:
        """The hexes around, from north clockwise, those off the map left out."""
        return list(self.layout.neighbours(hex_))

    def distance(self, start: int, end: int) -> int:
        """The number of hexes from one to the other; 0 for the same hex, 1 for neighbours."""
        return self.layout.distance(start, end)

    def hexside(self, start: int, end: int) -> catalog_pb2.Hexside | None:
        """The feature-bearing side between two neighbours; None if it bears nothing.

        `hex` and `direction` of it may be seen from either of the two.
        """
        return self._hexsides.get((start, end)) or self._hexsides.get((end, start))

    def xy(self, hex_: int) -> Point:
        """Where to draw a hex whose side is 1, flat sides north and south."""
        column, row = divmod(hex_, 100)
        lower = 0.5 if self.layout.is_low(column) else 0.0
        return Point(1.5 * (column - 1), ROW_HEIGHT * (row - 1 + lower))
