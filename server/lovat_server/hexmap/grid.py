"""A rectangular field of hexes: neighbours, distance, lines, and integer bitboards over it.

Hexes are flat-topped and stand in vertical columns. A hex is an index, column by column and
from the top: ``index = (column - 1) * rows + (row - 1)``, columns and rows counted from 1.
A set of hexes is a *board*: one integer whose bit ``index`` is set for each hex of the set.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

N, NE, SE, S, SW, NW = range(6)
DIRECTIONS: Final = (N, NE, SE, S, SW, NW)
DIRECTION_NAMES: Final = ("N", "NE", "SE", "S", "SW", "NW")
OUTSIDE: Final = -1


def opposite(direction: int) -> int:
    """The direction seen from the other side of the hexside."""
    return (direction + 3) % 6


def hexes_of(board: int) -> Iterator[int]:
    """The hexes of a board, lowest index first."""
    while board:
        low = board & -board
        yield low.bit_length() - 1
        board ^= low


def board_of(hexes: Iterable[int]) -> int:
    """The board with just these hexes."""
    board = 0
    for hex_ in hexes:
        board |= 1 << hex_
    return board


class Grid:
    """`columns` by `rows` hexes; even columns sit half a hex lower, or higher if `even_high`.

    ``neighbours[hex]`` has six entries in the order of `DIRECTIONS`, `OUTSIDE` beyond the edge;
    ``adjacent[hex]`` is the same as a board.
    """

    __slots__ = ("_dilation", "_masks", "_shifts", "adjacent", "columns", "even_high", "full",
                 "neighbours", "rows", "size")

    def __init__(self, columns: int, rows: int, *, even_high: bool = False) -> None:
        if columns < 1 or rows < 1:
            raise ValueError(f"a grid needs columns and rows, not {columns} by {rows}")
        self.columns = columns
        self.rows = rows
        self.even_high = even_high
        self.size = columns * rows
        self.full = (1 << self.size) - 1
        self._masks, self._shifts = self._shift_table()
        (not_top,), (not_bottom,) = self._masks[N], self._masks[S]
        odd = 0
        for column in range(1, columns + 1, 2):
            odd |= self.column_board(column)
        high = self.full & ~odd if even_high else odd
        # a high column touches the row above in the next columns, a low one the row below
        self._dilation = (not_top, not_bottom, not_top & high, not_bottom & ~high)
        self.neighbours = tuple(
            tuple(self._step(hex_, direction) for direction in DIRECTIONS)
            for hex_ in range(self.size)
        )
        self.adjacent = tuple(
            board_of(other for other in around if other != OUTSIDE) for around in self.neighbours
        )

    def index(self, column: int, row: int) -> int:
        """The hex at a column and row; `OUTSIDE` if there is none."""
        if 1 <= column <= self.columns and 1 <= row <= self.rows:
            return (column - 1) * self.rows + row - 1
        return OUTSIDE

    def column(self, hex_: int) -> int:
        return hex_ // self.rows + 1

    def row(self, hex_: int) -> int:
        return hex_ % self.rows + 1

    def direction(self, start: int, end: int) -> int | None:
        """The direction from a hex to an adjacent one, or None if they are not adjacent."""
        around = self.neighbours[start]
        return around.index(end) if end != OUTSIDE and end in around else None

    def distance(self, start: int, end: int) -> int:
        """Hexes from one to the other, the last counted and the first not."""
        (x1, y1, z1), (x2, y2, z2) = self.cube(start), self.cube(end)
        return max(abs(x1 - x2), abs(y1 - y2), abs(z1 - z2))

    def cube(self, hex_: int) -> tuple[int, int, int]:
        """Cube coordinates, which sum to 0; x grows eastward and z southward."""
        column = hex_ // self.rows
        raised = (column + 1) // 2 if self.even_high else column // 2
        z = hex_ % self.rows - raised
        return column, -column - z, z

    def from_cube(self, x: int, z: int) -> int:
        """The hex with these cube coordinates, or `OUTSIDE`."""
        raised = (x + 1) // 2 if self.even_high else x // 2
        return self.index(x + 1, z + raised + 1)

    def shift(self, board: int, direction: int) -> int:
        """Every hex of the board moved one hex; what leaves the field is lost."""
        result = 0
        for mask, distance in zip(self._masks[direction], self._shifts[direction], strict=True):
            part = board & mask
            result |= part << distance if distance >= 0 else part >> -distance
        return result

    def dilate(self, board: int) -> int:
        """The board and every hex adjacent to it."""
        not_top, not_bottom, high, low = self._dilation
        beside = board | (board & high) >> 1 | (board & low) << 1
        return (board | (board & not_top) >> 1 | (board & not_bottom) << 1
                | beside << self.rows & self.full | beside >> self.rows)

    def flood(self, seeds: int, allowed: int) -> int:
        """All hexes of `allowed` that a path inside `allowed` joins to a seed in `allowed`."""
        reached = seeds & allowed
        while True:
            grown = self.dilate(reached) & allowed
            if grown == reached:
                return reached
            reached = grown

    def within(self, hex_: int, radius: int) -> int:
        """The hexes at most `radius` away, the hex itself among them."""
        board = 1 << hex_
        for _ in range(radius):
            board = self.dilate(board)
        return board

    def column_board(self, column: int) -> int:
        return ((1 << self.rows) - 1) << (column - 1) * self.rows

    def row_board(self, row: int) -> int:
        return board_of(self.index(column, row) for column in range(1, self.columns + 1))

    def _step(self, hex_: int, direction: int) -> int:
        board = self.shift(1 << hex_, direction)
        return board.bit_length() - 1 if board else OUTSIDE

    def _shift_table(self) -> tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]:
        rows, full = self.rows, self.full
        top, bottom = self.row_board(1), self.row_board(rows)
        odd = 0
        for column in range(1, self.columns + 1, 2):
            odd |= self.column_board(column)
        even = full & ~odd
        high, low = (even, odd) if self.even_high else (odd, even)
        east = full & ~self.column_board(self.columns)
        west = full & ~self.column_board(1)
        masks = (
            (full & ~top,),
            (east & low, east & high & ~top),
            (east & high, east & low & ~bottom),
            (full & ~bottom,),
            (west & high, west & low & ~bottom),
            (west & low, west & high & ~top),
        )
        shifts = (
            (-1,), (rows, rows - 1), (rows, rows + 1), (1,), (-rows, -rows + 1), (-rows, -rows - 1)
        )
        return masks, shifts
