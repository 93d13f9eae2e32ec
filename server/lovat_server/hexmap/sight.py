"""Straight lines from hex centre to hex centre, by exact arithmetic.

In cube coordinates the hex around c is the set of points p for which no two of the three
coordinates of p - c differ by more than 1; so the part of a line inside a hex is an interval
bounded by fractions, and a line that only touches a corner has an interval of length 0.
"""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from .grid import OUTSIDE, Grid

_Offset = tuple[int, int]   # cube x and z from the start of the line
_AROUND: tuple[_Offset, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))


def between(grid: Grid, a: int, b: int) -> tuple[tuple[int, ...], ...]:
    """The hexes strictly between `a` and `b` on the line from centre to centre, in that order.

    A step is one hex, or two where the line runs along the hexside between them; of such a pair
    one may be `OUTSIDE`, at the edge of the field. ``between(b, a)`` is the same reversed.
    """
    x0, _, z0 = grid.cube(a)
    x1, _, z1 = grid.cube(b)
    return tuple(
        tuple(grid.from_cube(x0 + x, z0 + z) for x, z in step) for step in _steps(x1 - x0, z1 - z0)
    )


def is_clear(grid: Grid, a: int, b: int, blocking: int) -> bool:
    """Whether no hex of the board `blocking` stops the line; the ends themselves never do.

    A single hex blocks; a pair only if both its hexes do. `OUTSIDE` never blocks.
    """
    for step in between(grid, a, b):
        if all(hex_ != OUTSIDE and blocking >> hex_ & 1 for hex_ in step):
            return False
    return True


@lru_cache(maxsize=4096)
def _steps(x: int, z: int) -> tuple[tuple[_Offset, ...], ...]:
    """The steps of the line from (0, 0) to (x, z); within a pair the western or upper hex first."""
    start, end = (0, 0), (x, z)
    entered: dict[_Offset, Fraction] = {}
    seen, frontier = {start}, [start]
    while frontier:
        here = frontier.pop()
        for dx, dz in _AROUND:
            there = here[0] + dx, here[1] + dz
            if there in seen:
                continue
            seen.add(there)
            span = _span(end, there)
            if span is not None:
                frontier.append(there)
                entered[there] = span[0]
    entered.pop(end, None)
    by_entry: dict[Fraction, list[_Offset]] = {}
    for hex_, entry in entered.items():
        by_entry.setdefault(entry, []).append(hex_)
    return tuple(tuple(sorted(by_entry[entry])) for entry in sorted(by_entry))


def _span(end: _Offset, hex_: _Offset) -> tuple[Fraction, Fraction] | None:
    """Where the line from (0, 0) to `end` enters and leaves a hex, as parts of its length.

    None if it has no length inside or along the side of the hex.
    """
    low, high = Fraction(0), Fraction(1)
    for ahead, off in zip(_differences(end), _differences(hex_), strict=True):
        if ahead == 0:
            if abs(off) > 1:
                return None
            continue
        bounds = sorted((Fraction(off - 1, ahead), Fraction(off + 1, ahead)))
        low, high = max(low, bounds[0]), min(high, bounds[1])
    return (low, high) if low < high else None


def _differences(offset: _Offset) -> tuple[int, int, int]:
    x, z = offset
    y = -x - z
    return x - y, y - z, z - x
