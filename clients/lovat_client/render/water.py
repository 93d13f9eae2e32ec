"""The courses of rivers and creeks, read off the hexes that they run through."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from ..hexes import DIRECTIONS, Layout
from .geometry import Sheet

Link = tuple[int, int]


def river_links(sheet: Sheet) -> list[Link]:
    """The pairs of river hexes between which the river flows."""
    rivers = {number for number, hex_ in sheet.hexes.items() if hex_.river}
    return _without_short_cuts(_touching(sheet.layout, rivers))


def creek_links(sheet: Sheet) -> list[Link]:
    """The pairs of hexes between which a creek flows, its mouth in a river among them."""
    creeks = {number for number, hex_ in sheet.hexes.items() if hex_.creek and not hex_.river}
    rivers = {number for number, hex_ in sheet.hexes.items() if hex_.river}
    links = _without_short_cuts(_touching(sheet.layout, creeks))
    degree = _degrees(links)
    for number in sorted(creeks):
        mouths = [other for other in sheet.layout.neighbours(number) if other in rivers]
        if mouths and degree.get(number, 0) <= 1:
            links.append((number, mouths[0]))
    return links


def ends_of(links: Iterable[Link], layout: Layout) -> dict[int, list[int]]:
    """For each hex of a course the directions in which the water leaves it."""
    found: dict[int, list[int]] = {}
    for one, other in links:
        for start, end in ((one, other), (other, one)):
            found.setdefault(start, []).append(direction_to(layout, start, end))
    return {number: sorted(directions) for number, directions in sorted(found.items())}


def direction_to(layout: Layout, start: int, end: int) -> int:
    """The direction of a neighbour."""
    return next(direction for direction in range(DIRECTIONS)
                if layout.neighbour(start, direction) == end)


def _touching(layout: Layout, numbers: set[int]) -> list[Link]:
    return [(number, other) for number in sorted(numbers)
            for other in layout.neighbours(number) if number < other and other in numbers]


def _degrees(links: Iterable[Link]) -> dict[int, int]:
    degree: dict[int, int] = {}
    for link in links:
        for number in link:
            degree[number] = degree.get(number, 0) + 1
    return degree


def _without_short_cuts(links: list[Link]) -> list[Link]:
    """Where a course bends so sharply that three of its hexes touch, it takes the long way."""
    degree = _degrees(links)
    kept = set(links)
    beside: dict[int, set[int]] = {}
    for one, other in links:
        beside.setdefault(one, set()).add(other)
        beside.setdefault(other, set()).add(one)
    for number in sorted(beside):
        for one, other in combinations(sorted(beside[number]), 2):
            triangle = {(min(pair), max(pair)) for pair in combinations((number, one, other), 2)}
            if (one, other) in kept and triangle <= kept:
                bend = min((number, one, other), key=lambda corner: (degree[corner], corner))
                chord = sorted({number, one, other} - {bend})
                kept.discard((chord[0], chord[1]))
    return sorted(kept)
