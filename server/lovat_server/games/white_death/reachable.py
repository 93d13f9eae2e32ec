"""[WD 6] Where a unit can go, as a listing tells it; searches are kept for as long as they hold.

What a search finds depends on where it starts, what may be spent, and where the enemy and his
zones are. Through a side's whole movement phase the enemy stays where he is, so that a listing
after each move of a phase, and that of the next call on the same position, find most of it known.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from lovat_server.hexmap.grid import board_of
from lovat_server.hexmap.paths import Reach, reach

from .answers import Mark
from .catalog import Catalog
from .position import Position
from .terms import MP, OFF_MAP, Mobility, Weather
from .terrain import needs_ice_die, steps
from .travel import Manner, is_waiting, manner_of, mobility_of, starts_of, terms_for

KEPT = 1024
"""Searches kept; each takes about 50 kB."""


class Found(NamedTuple):
    """Hexes in reach, with the cheapest cost in 1/120 MP, the hex before, and `Mark` bits.

    Stacking is not marked here. `board` are the hexes again.
    """

    hexes: tuple[int, ...]
    costs: tuple[int, ...]
    previous: tuple[int, ...]
    marks: tuple[int, ...]
    board: int


NOWHERE = Found((), (), (), (), 0)


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


def from_where_it_stands(position: Position, index: int, left: int) -> Found:
    """[WD 6, 17.C] What a unit can reach with `left`/120 MP; a reinforcement from its edge."""
    manner = manner_of(position, index)
    terms = terms_for(position, index, manner)
    return _search(position.catalog, _Question(
        mobility_of(position, index), manner, position.weather, position.bridged(), terms.closed,
        terms.stop, terms.toll, terms.zone, starts_of(position, index, terms),
        is_waiting(position, index), left))


@lru_cache(maxsize=KEPT)
def _search(catalog: Catalog, asked: _Question) -> Found:
    size = catalog.map.grid.size
    moves = steps(catalog, asked.mobility, asked.weather == Weather.THAW, asked.bridged)
    quantum = moves.quantum
    found = reach(moves.edges, asked.starts, asked.left // quantum, asked.closed, asked.stop,
                  asked.toll, MP // quantum, entering=asked.entering)
    if moves.nodes != size:
        found = _by_hex(found, size)
    cost, previous = found.cost, found.previous
    marks: list[int] = [asked.stop[hex_] for hex_ in cost]
    if asked.manner == Manner.AFV:
        dice = _dice_marks(catalog, asked, found)
        marks = [mark | dice[hex_] for hex_, mark in zip(cost, marks, strict=True)]
    result = Found(
        tuple(cost), tuple(price * quantum for price in cost.values()),
        tuple(OFF_MAP if previous[hex_] == hex_ else previous[hex_] for hex_ in cost),
        tuple(marks), board_of(cost))
    return result if asked.entering else _without_start(result, asked.starts[0][0] % size)


def _without_start(found: Found, start: int) -> Found:
    """A unit is where it is: its own hex, the first found, is no place to go."""
    assert found.hexes[0] == start
    return Found(found.hexes[1:], found.costs[1:], found.previous[1:], found.marks[1:],
                 found.board & ~(1 << start))


def _by_hex(found: Reach, size: int) -> Reach:
    """[WD 16.B] Of the nodes of one river hex, the cheapest."""
    cost: dict[int, int] = {}
    previous: dict[int, int] = {}
    for node, price in sorted(found.cost.items(), key=lambda item: (item[1], item[0])):
        if node % size not in cost:
            cost[node % size] = price
            previous[node % size] = found.previous[node] % size
    return Reach(cost, previous)


def _dice_marks(catalog: Catalog, asked: _Question, found: Reach) -> dict[int, int]:
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
