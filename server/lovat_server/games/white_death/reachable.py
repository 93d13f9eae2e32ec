"""[WD 6] Where a unit can go, as a listing tells it; searches are kept for as long as they hold.

What a search finds depends on where it starts, what may be spent, and where the enemy and his
zones are. Through a side's whole movement phase the enemy stays where he is, so that a listing
after each move of a phase, and that of the next call on the same position, find most of it known.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from lovat_server.hexmap import paths
from lovat_server.hexmap.grid import board_of

from .answers import Mark, Reach
from .catalog import Catalog
from .position import Position
from .terms import MP, OFF_MAP, Mobility, Weather
from .terrain import needs_ice_die, steps
from .travel import Manner, is_waiting, manner_of, mobility_of, starts_of, terms_for

KEPT = 1024
"""Searches kept; each takes about 50 kB."""


class _Question(NamedTuple):
    """All that the answer of a search depends on."""

    mobility: Mobility
    manner: Manner
    weather: Weather
    bridged: int
    closed: bytes
    stop: bytes
    toll: bytes
    zone: bytes
    starts: tuple[tuple[int, int], ...]
    entering: bool
    left: int


def from_where_it_stands(position: Position, index: int, left: int) -> Reach:
    """[WD 6, 17.C] What a unit can reach with `left`/120 MP; a reinforcement from its edge."""
    manner = manner_of(position, index)
    terms = terms_for(position, index, manner)
    return _search(position.catalog, _Question(
        mobility_of(position, index), manner, position.weather, position.bridged(), terms.closed,
        terms.stop, terms.toll, terms.zone, starts_of(position, index, terms),
        is_waiting(position, index), left))


@lru_cache(maxsize=KEPT)
def _search(catalog: Catalog, asked: _Question) -> Reach:
    size = catalog.map.grid.size
    moves = steps(catalog, asked.mobility, asked.weather == Weather.THAW, asked.bridged)
    quantum = moves.quantum
    found = paths.reach(moves.edges, asked.starts, asked.left // quantum, asked.closed, asked.stop,
                  asked.toll, MP // quantum, entering=asked.entering)
    if moves.nodes != size:
        found = _by_hex(found, size)
    cost, previous = found.cost, found.previous
    marks: list[int] = [asked.stop[hex_] for hex_ in cost]
    if asked.manner == Manner.AFV:
        dice = _dice_marks(catalog, asked, found)
        marks = [mark | dice[hex_] for hex_, mark in zip(cost, marks, strict=True)]
    if not asked.entering:
        start = asked.starts[0][0] % size
        del cost[start], marks[0]
    return Reach(
        tuple(cost), tuple(price * quantum for price in cost.values()),
        tuple(OFF_MAP if previous[hex_] == hex_ else previous[hex_] for hex_ in cost),
        tuple(marks), board_of(cost))


@lru_cache(maxsize=KEPT)
def not_ending(reach: Reach, full: int) -> Reach:
    """[WD 4] The same, with the hexes of the board `full` marked as not to be ended in."""
    marks = tuple(mark | Mark.MAY_NOT_END if full >> hex_ & 1 else mark
                  for hex_, mark in zip(reach.hexes, reach.marks, strict=True))
    return replace(reach, marks=marks)


def _by_hex(found: paths.Reach, size: int) -> paths.Reach:
    """[WD 16.B] Of the nodes of one river hex, the cheapest whose path keeps to nodes so chosen.

    So a path read hex by hex is one the unit can go, on the bank it came from.
    """
    cost: dict[int, int] = {}
    previous: dict[int, int] = {}
    chosen: set[int] = set()
    for node, price in sorted(found.cost.items(), key=lambda item: (item[1], item[0])):
        before = found.previous[node]
        if node % size not in cost and (before == node or before in chosen):
            chosen.add(node)
            cost[node % size] = price
            previous[node % size] = before % size
    return paths.Reach(cost, previous)


def _dice_marks(catalog: Catalog, asked: _Question, found: paths.Reach) -> dict[int, int]:
    """[WD 3.A, 13] Whether fire or an ice die is met on the way to each hex."""
    grid = catalog.map.grid
    marks: dict[int, int] = {}
    for hex_, _ in sorted(found.cost.items(), key=lambda item: (item[1], item[0])):
        before = found.previous[hex_]
        mark = marks.get(before, 0)
        direction = grid.direction(before, hex_)
        if before != hex_ and direction is not None:
            mark |= Mark.UNDER_FIRE if asked.zone[before] else 0
            if needs_ice_die(catalog, asked.weather, before, direction):
                mark |= Mark.ICE
        marks[hex_] = mark
    return marks
