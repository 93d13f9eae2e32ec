"""Hex arithmetic on printed numbers, for flat-topped hexes in vertical columns.

The hex 1430 is column 14, row 30. Directions are 0 to 5, clockwise from north.
"""

from __future__ import annotations

from dataclasses import dataclass

DIRECTIONS = 6
_HIGH_COLUMN = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 0), (-1, -1))
_LOW_COLUMN = ((0, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0))


@dataclass(frozen=True)
class Layout:
    """The size of a map, and which of its columns stand half a hex lower."""

    columns: int
    rows: int
    even_high: bool = False

    def is_low(self, column: int) -> bool:
        """Whether the hexes of a column stand half a hex lower than those beside them."""
        return (column % 2 == 0) != self.even_high

    def contains(self, column: int, row: int) -> bool:
        """Whether the map has a hex there."""
        return 1 <= column <= self.columns and 1 <= row <= self.rows

    def neighbour(self, number: int, direction: int) -> int:
        """The next hex in a direction; 0 off the map."""
        column, row = divmod(number, 100)
        across, down = (_LOW_COLUMN if self.is_low(column) else _HIGH_COLUMN)[direction]
        column, row = column + across, row + down
        return column * 100 + row if self.contains(column, row) else 0

    def neighbours(self, number: int) -> tuple[int, ...]:
        """The hexes around a hex, clockwise from north, without those off the map."""
        around = (self.neighbour(number, direction) for direction in range(DIRECTIONS))
        return tuple(hex_ for hex_ in around if hex_)

    def distance(self, start: int, end: int) -> int:
        """How many hexes it is from one hex to another."""
        (column, row), (other_column, other_row) = divmod(start, 100), divmod(end, 100)
        across = abs(column - other_column)
        down = abs(2 * row + self.is_low(column) - 2 * other_row - self.is_low(other_column))
        return across + max(0, down - across) // 2
