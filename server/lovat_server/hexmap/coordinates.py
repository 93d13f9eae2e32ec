"""The numbers printed in the hexes of a map, to an index of its grid and back.

A numbering is exact: `parse` takes a number only as it is printed, so that two texts never name
one hex by accident, and `parse(format(hex_)) == hex_` for every hex of the grid.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from .grid import OUTSIDE, Grid


class Numbering(Protocol):
    """How the hexes of one map are numbered in print."""

    def format(self, index: int) -> str:
        """The printed number of a hex. Raises ValueError if there is no such hex."""
        ...

    def parse(self, text: str) -> int:
        """The hex with this printed number. Raises ValueError, naming what was expected."""
        ...


@dataclass(frozen=True, slots=True)
class ColumnRow:
    """Four digits, column then row, rows counted from the north: "1732".

    The first column and row of the grid are printed as `first_column` and `first_row`, so "0900"
    is a hex of a map whose rows start at 00. Raises ValueError for a grid that two digits each
    cannot number.
    """

    grid: Grid
    first_column: int = 1
    first_row: int = 1

    def __post_init__(self) -> None:
        if not (self.first_column >= 0 and self._last_column <= 99
                and self.first_row >= 0 and self._last_row <= 99):
            raise ValueError(
                f"columns {self.first_column} to {self._last_column} and rows {self.first_row} to "
                f"{self._last_row} cannot be printed with two digits each"
            )

    def format(self, index: int) -> str:
        _require_hex(self.grid, index)
        column = self.grid.column(index) - 1 + self.first_column
        row = self.grid.row(index) - 1 + self.first_row
        return f"{column:02}{row:02}"

    def parse(self, text: str) -> int:
        index = OUTSIDE
        if re.fullmatch(r"[0-9]{4}", text):
            column, row = divmod(int(text), 100)
            index = self.grid.index(column - self.first_column + 1, row - self.first_row + 1)
        if index == OUTSIDE:
            raise ValueError(
                f"hex {text!r}: expected four digits, column {self.first_column:02} to "
                f"{self._last_column:02} and row {self.first_row:02} to {self._last_row:02}"
            )
        return index

    @property
    def _last_column(self) -> int:
        return self.first_column + self.grid.columns - 1

    @property
    def _last_row(self) -> int:
        return self.first_row + self.grid.rows - 1


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet of a map of several: its own columns and rows count from 1, rows from the south.

    `west` columns of the whole grid lie west of it and `south` rows south of it.
    """

    letter: str
    columns: int
    rows: int
    west: int = 0
    south: int = 0


class SheetColumnRow:
    """Sheet letter, column, point, row of two digits, rows counted from the south: "A61.34".

    Sheets may overlap where they are laid over each other: a hex that stands on several is
    written with the first of them and read by any. Raises ValueError if there is no sheet, if one
    reaches beyond the grid or has more than 99 rows, or if a letter is used twice.
    """

    __slots__ = ("_sheets", "grid")

    def __init__(self, grid: Grid, sheets: Sequence[Sheet]) -> None:
        self.grid = grid
        self._sheets = {sheet.letter: sheet for sheet in sheets}
        if not sheets or len(self._sheets) != len(sheets):
            raise ValueError("expected one sheet or more, each with a letter of its own")
        for sheet in sheets:
            if not re.fullmatch(r"[A-Z]", sheet.letter):
                raise ValueError(f"sheet {sheet.letter!r}: expected one letter, A to Z")
            if not (1 <= sheet.columns <= grid.columns - sheet.west and sheet.west >= 0
                    and 1 <= sheet.rows <= min(grid.rows - sheet.south, 99) and sheet.south >= 0):
                raise ValueError(f"sheet {sheet.letter} does not fit into {grid.columns} columns "
                                 f"and {grid.rows} rows")

    def format(self, index: int) -> str:
        _require_hex(self.grid, index)
        from_west = self.grid.column(index)
        from_south = self.grid.rows - self.grid.row(index) + 1
        for sheet in self._sheets.values():
            column, row = from_west - sheet.west, from_south - sheet.south
            if 1 <= column <= sheet.columns and 1 <= row <= sheet.rows:
                return f"{sheet.letter}{column}.{row:02}"
        raise ValueError(f"hex index {index} lies on none of the sheets "
                         f"{', '.join(self._sheets)}")

    def parse(self, text: str) -> int:
        match = re.fullmatch(r"([A-Z])([1-9][0-9]*)\.([0-9]{2})", text)
        if not match or match[1] not in self._sheets:
            raise ValueError(f"hex {text!r}: expected a sheet ({', '.join(self._sheets)}), "
                             "a column, a point and a row of two digits, as in "
                             f"'{next(iter(self._sheets))}6.01'")
        sheet, column, row = self._sheets[match[1]], int(match[2]), int(match[3])
        if not (1 <= column <= sheet.columns and 1 <= row <= sheet.rows):
            raise ValueError(f"hex {text!r}: expected column 1 to {sheet.columns} and row 01 to "
                             f"{sheet.rows:02} on sheet {sheet.letter}")
        return self.grid.index(sheet.west + column, self.grid.rows - sheet.south - row + 1)


def _require_hex(grid: Grid, index: int) -> None:
    if not 0 <= index < grid.size:
        raise ValueError(f"hex index {index}: expected 0 to {grid.size - 1}")
