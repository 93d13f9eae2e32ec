"""Does what was counted agree with exact chances? The statistic is exact, its tail closed-form."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping
from fractions import Fraction

LEAST_EXPECTED = 5


def statistic(chances: Mapping[Hashable, Fraction],
              counts: Mapping[Hashable, int]) -> tuple[Fraction, int]:
    """The chi-square statistic and its degrees of freedom; rare cells are thrown together.

    AssertionError for something that was counted and has no chance.
    """
    assert sum(chances.values()) == 1
    impossible = {cell: count for cell, count in counts.items()
                  if count and not chances.get(cell)}
    assert not impossible, impossible
    total = sum(counts.values())
    cells: list[tuple[Fraction, int]] = []
    rest, rest_count = Fraction(0), 0
    for cell, chance in sorted(chances.items(), key=lambda item: item[1]):
        rest, rest_count = rest + chance * total, rest_count + counts.get(cell, 0)
        if rest >= LEAST_EXPECTED:
            cells.append((rest, rest_count))
            rest, rest_count = Fraction(0), 0
    if rest and cells:
        expected, count = cells.pop()
        cells.append((expected + rest, count + rest_count))
    value = sum(((count - expected) ** 2 / expected for expected, count in cells), Fraction(0))
    return value, max(len(cells) - 1, 0)


def tail(value: Fraction, degrees: int) -> float:
    """The chance of a statistic at least so high: a finite sum for whole degrees of freedom."""
    if degrees == 0:
        return 1.0
    half = float(value) / 2
    if degrees % 2 == 0:
        term = found = math.exp(-half)
        for place in range(1, degrees // 2):
            term *= half / place
            found += term
        return found
    found = math.erfc(math.sqrt(half))
    term = math.exp(-half) * math.sqrt(half) / math.gamma(1.5)
    for place in range(degrees // 2):
        found += term
        term *= half / (place + 1.5)
    return found
