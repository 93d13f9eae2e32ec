"""Entry areas and set-up zones from the words of the rules.

An area is the set of hexes that fit all of its terms. NAME is a line of the features file that
crosses the whole map, D one of north, south, east, west:

    edge N                          the hexes of a map edge (N, S, E, W)
    edge from CCRR to CCRR          map edge hexes, both included, the shorter way round
    edge within N of CCRR           an edge hex and N edge hexes on either side of it
    within N of edge S              at most N hexes from a map edge
    D of NAME, on or D of NAME      one side of a line, without it or with it
    D of column CC, D of row RR     rows and columns are not included
    north of hex CCRR               rows above that hex (south, east, west likewise)
    on NAME                         the hexes of a line or patch
    outside NAME                    all others
    in AREA or AREA                 two areas of the features file together
    town                            every town hex
    on or adjacent to CCRR          a hex and its neighbours
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from lovat_server.hexmap.grid import Grid, board_of, hexes_of

from .map_features import AreaRule, Features, hex_index

EDGES: Final = ("N", "E", "S", "W")
_SIDE: Final = r"(north|south|east|west)"


def area_board(features: Features, rule: AreaRule) -> int:
    """The hexes of an area; ValueError if a term is not understood or nothing fits."""
    board = features.grid.full
    for term in rule.terms:
        try:
            board &= _term_board(features, term)
        except (KeyError, ValueError) as error:
            raise ValueError(f"area {rule.name}, {term!r}: {error}") from error
    if rule.take:
        board = _take(features.grid, board, rule)
    if not board:
        raise ValueError(f"area {rule.name} is empty")
    return board


def edge_board(grid: Grid, edge: str) -> int:
    """The hexes of the north, east, south or west edge of the map, corners included."""
    if edge in "NS":
        return grid.row_board(1 if edge == "N" else grid.rows)
    return grid.column_board(1 if edge == "W" else grid.columns)


def edge_ring(grid: Grid) -> tuple[int, ...]:
    """The map edge hexes in order, clockwise from the north-west corner."""
    east, south = range(1, grid.columns + 1), range(2, grid.rows + 1)
    return (
        *(grid.index(column, 1) for column in east),
        *(grid.index(grid.columns, row) for row in south),
        *(grid.index(column, grid.rows) for column in reversed(east[:-1])),
        *(grid.index(1, row) for row in reversed(south[:-1])),
    )


def side_of(grid: Grid, line: int, side: str) -> int:
    """The hexes on one side of a line; ValueError if the line does not divide the map."""
    edge = side[0].upper()
    across = EDGES[(EDGES.index(edge) + 2) % 4]
    open_ = grid.full & ~line
    board = grid.flood(edge_board(grid, edge), open_)
    if board & grid.flood(edge_board(grid, across), open_):
        raise ValueError("the line does not divide the map")
    return board


def _term_board(features: Features, term: str) -> int:
    for pattern, build in _TERMS:
        match = re.fullmatch(pattern, term)
        if match:
            return build(features, *match.groups())
    raise ValueError("the term is not understood")


def _line(features: Features, name: str) -> int:
    return board_of(features.named(name).hexes)


def _edge(features: Features, edge: str) -> int:
    return edge_board(features.grid, edge)


def _edge_from(features: Features, first: str, last: str) -> int:
    ring = edge_ring(features.grid)
    start, end = sorted((_ring_place(features, first), _ring_place(features, last)))
    inner, outer = ring[start:end + 1], ring[end:] + ring[:start + 1]
    return board_of(inner if len(inner) <= len(outer) else outer)


def _edge_within(features: Features, radius: str, centre: str) -> int:
    ring = edge_ring(features.grid)
    place, reach = _ring_place(features, centre), int(radius)
    return board_of(ring[(place + step) % len(ring)] for step in range(-reach, reach + 1))


def _ring_place(features: Features, text: str) -> int:
    hex_ = hex_index(features.grid, text)
    ring = edge_ring(features.grid)
    if hex_ not in ring:
        raise ValueError(f"{text} is no hex of the map edge")
    if not any(hex_ in (line.hexes[0], line.hexes[-1]) for line in features.of_kind("rail")):
        raise ValueError(f"no railroad leaves the map at {text}")
    return ring.index(hex_)


def _near_edge(features: Features, radius: str, edge: str) -> int:
    board = edge_board(features.grid, edge)
    for _ in range(int(radius)):
        board = features.grid.dilate(board)
    return board


def _beside_line(features: Features, on: str | None, side: str, name: str) -> int:
    line = _line(features, name)
    return side_of(features.grid, line, side) | (line if on else 0)


def _beside_column(features: Features, side: str, column: str) -> int:
    grid, limit = features.grid, int(column)
    return board_of(
        hex_ for hex_ in range(grid.size)
        if (grid.column(hex_) < limit if side == "west" else grid.column(hex_) > limit)
    )


def _beside_row(features: Features, side: str, row: str) -> int:
    grid, limit = features.grid, int(row)
    return board_of(
        hex_ for hex_ in range(grid.size)
        if (grid.row(hex_) < limit if side == "north" else grid.row(hex_) > limit)
    )


def _beside_hex(features: Features, side: str, text: str) -> int:
    hex_index(features.grid, text)
    if side in ("east", "west"):
        return _beside_column(features, side, text[:2])
    return _beside_row(features, side, text[2:])


def _adjacent(features: Features, text: str) -> int:
    return features.grid.within(hex_index(features.grid, text), 1)


def _towns(features: Features) -> int:
    return board_of(hex_ for town in features.of_kind("town") for hex_ in town.hexes)


def _outside(features: Features, name: str) -> int:
    return features.grid.full & ~_line(features, name)


def _either(features: Features, first: str, second: str) -> int:
    rules = {rule.name: rule for rule in features.areas}
    return area_board(features, rules[first]) | area_board(features, rules[second])


def _take(grid: Grid, board: int, rule: AreaRule) -> int:
    match = re.fullmatch(r"(\d+) (western|eastern)most", rule.take)
    if not match:
        raise ValueError(f"area {rule.name}: {rule.take!r} is not understood")
    count = int(match[1])
    hexes = sorted(hexes_of(board), key=grid.column, reverse=match[2] == "eastern")
    if len(hexes) < count:
        raise ValueError(f"area {rule.name} has only {len(hexes)} hexes, not {count}")
    return board_of(hexes[:count])


_TERMS: Final[tuple[tuple[str, Callable[..., int]], ...]] = (
    (r"edge ([NESW])", _edge),
    (r"edge from (\d{4}) to (\d{4})", _edge_from),
    (r"edge within (\d+) of (\d{4})", _edge_within),
    (r"within (\d+) of edge ([NESW])", _near_edge),
    (r"(east|west) of column (\d+)", _beside_column),
    (r"(north|south) of row (\d+)", _beside_row),
    (_SIDE + r" of hex (\d{4})", _beside_hex),
    (r"on or adjacent to (\d{4})", _adjacent),
    (r"(on or )?" + _SIDE + r" of (.+)", _beside_line),
    (r"town", _towns),
    (r"on (.+)", _line),
    (r"outside (.+)", _outside),
    (r"in (\S+) or (\S+)", _either),
)
