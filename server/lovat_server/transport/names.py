"""Units and hexes by the names they have on the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Names:
    """`hex_numbers` ends with a 0, so that index -1, off the map, reads 0."""

    unit_of: Mapping[str, int]
    unit_ids: Sequence[str]
    hex_of: Mapping[int, int]
    hex_numbers: Sequence[int]


def names_of(unit_ids: Sequence[str], hex_numbers: Sequence[int]) -> Names:
    """Names of a catalog's units and hexes, in its order."""
    return Names(
        {unit: place for place, unit in enumerate(unit_ids)},
        tuple(unit_ids),
        {number: place for place, number in enumerate(hex_numbers)},
        (*hex_numbers, 0),
    )
