"""Odds tables as they are printed: a die, a column for each ratio, a result in each cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class OddsTable(Generic[Result]):
    """Columns are exact ratios (numerator, denominator), lowest first; rows are dice from 1.

    `names` are the columns as printed. A cell may be `None`: no effect.
    """

    names: tuple[str, ...]
    ratios: tuple[tuple[int, int], ...]
    rows: tuple[tuple[Result | None, ...], ...]

    def column(self, attack: int, defence: int) -> int | None:
        """The last column whose ratio attack/defence reaches; None below the first."""
        found = None
        for place, (numerator, denominator) in enumerate(self.ratios):
            if attack * denominator < defence * numerator:
                break
            found = place
        return found

    def result(self, column: int, die: int) -> Result | None:
        """The cell for a die; a die off the table reads its first or last row."""
        return self.rows[min(max(die, 1), len(self.rows)) - 1][column]
