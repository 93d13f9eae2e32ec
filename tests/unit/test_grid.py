"""The grid: neighbours and distances as the printed map has them, boards as sets of hexes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_server.hexmap.coordinates import ColumnRow
from lovat_server.hexmap.grid import (
    DIRECTIONS,
    OUTSIDE,
    Grid,
    N,
    S,
    board_of,
    hexes_of,
    opposite,
)

WHITE_DEATH = Grid(40, 42)
NUMBERS = ColumnRow(WHITE_DEATH)


def around(number: str) -> list[str]:
    return [NUMBERS.format(hex_) for hex_ in WHITE_DEATH.neighbours[NUMBERS.parse(number)]]


def distance(start: str, end: str) -> int:
    return WHITE_DEATH.distance(NUMBERS.parse(start), NUMBERS.parse(end))


def test_wdtc_g1_neighbours_of_an_even_column_sit_half_a_hex_lower() -> None:
    assert set(around("1732")) == {"1731", "1831", "1832", "1733", "1632", "1631"}
    assert set(around("1832")) == {"1831", "1932", "1933", "1833", "1733", "1732"}


def test_wdtc_g1_neighbours_stand_clockwise_from_the_north() -> None:
    assert around("1732") == ["1731", "1831", "1832", "1733", "1632", "1631"]
    assert around("1832") == ["1831", "1932", "1933", "1833", "1733", "1732"]


@pytest.mark.parametrize(("start", "end", "hexes"), [
    ("1034", "1637", 6), ("1229", "2134", 9), ("1732", "2435", 7),
    ("1830", "2534", 7), ("1225", "1622", 5), ("1622", "1823", 2),
])
def test_wdtc_g2_distances_along_the_printed_set_up_lines(
    start: str, end: str, hexes: int
) -> None:
    assert distance(start, end) == hexes
    assert distance(end, start) == hexes


def test_a_high_even_column_reaches_up_to_its_odd_neighbours() -> None:
    # Poltava's two hexes and Stalingrad's touch only so, with rows counted from the south.
    grid = Grid(62, 35, even_high=True)

    def hex_(column: int, row_from_south: int) -> int:
        return grid.index(column, 36 - row_from_south)

    assert grid.distance(hex_(11, 19), hex_(10, 18)) == 1
    assert grid.distance(hex_(52, 34), hex_(53, 35)) == 1
    assert grid.distance(hex_(53, 34), hex_(52, 35)) == 2


def test_a_corner_hex_has_outside_beyond_the_edge() -> None:
    grid = Grid(3, 3)
    assert grid.neighbours[grid.index(1, 1)] == (
        OUTSIDE, OUTSIDE, grid.index(2, 1), grid.index(1, 2), OUTSIDE, OUTSIDE
    )


def test_an_index_outside_the_field_is_outside() -> None:
    grid = Grid(3, 5)
    assert [grid.index(0, 1), grid.index(4, 1), grid.index(1, 0), grid.index(1, 6)] == [OUTSIDE] * 4
    assert grid.index(3, 5) == grid.size - 1


def test_the_direction_to_a_hex_that_is_not_adjacent_is_none() -> None:
    grid = Grid(5, 5)
    middle = grid.index(3, 3)
    assert grid.direction(middle, grid.index(3, 2)) == N
    assert grid.direction(middle, grid.index(3, 4)) == S
    assert grid.direction(middle, grid.index(5, 3)) is None
    assert grid.direction(grid.index(1, 1), OUTSIDE) is None


@pytest.mark.parametrize(("columns", "rows"), [(0, 5), (5, 0), (-1, 3)])
def test_a_grid_without_columns_or_rows_is_refused(columns: int, rows: int) -> None:
    with pytest.raises(ValueError, match=f"not {columns} by {rows}"):
        Grid(columns, rows)


def test_column_and_row_boards_cross_in_one_hex() -> None:
    grid = Grid(7, 5)
    assert grid.column_board(3) & grid.row_board(4) == 1 << grid.index(3, 4)
    assert grid.column_board(7).bit_count() == 5
    assert grid.row_board(1).bit_count() == 7


def test_a_flood_stays_on_its_side_of_a_wall() -> None:
    grid = Grid(5, 5)
    west = grid.column_board(1) | grid.column_board(2)
    assert grid.flood(1 << grid.index(1, 1), grid.full & ~grid.column_board(3)) == west
    assert grid.flood(1 << grid.index(3, 1), grid.full & ~grid.column_board(3)) == 0


# Properties, against sets of hexes and the neighbours of single hexes.

GRIDS = {
    (columns, rows, high): Grid(columns, rows, even_high=high)
    for columns, rows in [(1, 1), (1, 6), (6, 1), (2, 2), (7, 5), (8, 6)]
    for high in (False, True)
}
grids = st.sampled_from(sorted(GRIDS)).map(GRIDS.__getitem__)


@st.composite
def grid_and_hexes(draw: st.DrawFn, count: int) -> tuple[Grid, list[int]]:
    grid = draw(grids)
    hexes = draw(st.lists(st.integers(0, grid.size - 1), min_size=count, max_size=count))
    return grid, hexes


@st.composite
def grid_and_boards(draw: st.DrawFn, count: int) -> tuple[Grid, list[int]]:
    grid = draw(grids)
    return grid, [draw(st.integers(0, grid.full)) for _ in range(count)]


@given(st.sets(st.integers(0, 300)))
def test_a_board_holds_just_the_hexes_it_was_made_of(hexes: set[int]) -> None:
    assert list(hexes_of(board_of(hexes))) == sorted(hexes)


@given(grid_and_hexes(1))
def test_a_neighbour_has_the_hex_on_its_opposite_side(case: tuple[Grid, list[int]]) -> None:
    grid, (hex_,) = case
    for direction in DIRECTIONS:
        other = grid.neighbours[hex_][direction]
        if other != OUTSIDE:
            assert grid.neighbours[other][opposite(direction)] == hex_
            assert grid.direction(hex_, other) == direction
            assert grid.distance(hex_, other) == 1


@given(grid_and_hexes(1))
def test_cube_coordinates_sum_to_nothing_and_lead_back(case: tuple[Grid, list[int]]) -> None:
    grid, (hex_,) = case
    x, y, z = grid.cube(hex_)
    assert x + y + z == 0
    assert grid.from_cube(x, z) == hex_
    assert grid.index(grid.column(hex_), grid.row(hex_)) == hex_


@given(grid_and_hexes(3))
def test_distance_is_a_metric(case: tuple[Grid, list[int]]) -> None:
    grid, (a, b, c) = case
    assert (grid.distance(a, b) == 0) == (a == b)
    assert grid.distance(a, b) == grid.distance(b, a)
    assert grid.distance(a, c) <= grid.distance(a, b) + grid.distance(b, c)


@given(grid_and_hexes(2))
def test_distance_is_the_number_of_steps_of_the_shortest_walk(
    case: tuple[Grid, list[int]]
) -> None:
    grid, (start, end) = case
    reached, steps = {start}, 0
    while end not in reached:
        reached |= {other for hex_ in reached for other in grid.neighbours[hex_]} - {OUTSIDE}
        steps += 1
    assert grid.distance(start, end) == steps


@given(grid_and_boards(1), st.sampled_from(DIRECTIONS))
def test_a_shift_moves_every_hex_and_loses_what_leaves(
    case: tuple[Grid, list[int]], direction: int
) -> None:
    grid, (board,) = case
    moved = {grid.neighbours[hex_][direction] for hex_ in hexes_of(board)} - {OUTSIDE}
    assert grid.shift(board, direction) == board_of(moved)


@given(grid_and_boards(1))
def test_dilation_adds_the_neighbours(case: tuple[Grid, list[int]]) -> None:
    grid, (board,) = case
    hexes = set(hexes_of(board))
    grown = hexes | {other for hex_ in hexes for other in grid.neighbours[hex_]} - {OUTSIDE}
    assert grid.dilate(board) == board_of(grown)


@given(grid_and_boards(2))
def test_a_flood_is_what_a_walk_inside_the_allowed_hexes_reaches(
    case: tuple[Grid, list[int]]
) -> None:
    grid, (seeds, allowed) = case
    inside = set(hexes_of(allowed))
    reached: set[int] = set()
    frontier = [hex_ for hex_ in hexes_of(seeds) if hex_ in inside]
    while frontier:
        hex_ = frontier.pop()
        if hex_ not in reached:
            reached.add(hex_)
            frontier.extend(inside.intersection(grid.neighbours[hex_]) - reached)
    assert grid.flood(seeds, allowed) == board_of(reached)


@given(grid_and_hexes(1), st.integers(0, 5))
def test_within_a_radius_are_the_hexes_at_most_that_far(
    case: tuple[Grid, list[int]], radius: int
) -> None:
    grid, (hex_,) = case
    near = [other for other in range(grid.size) if grid.distance(hex_, other) <= radius]
    assert grid.within(hex_, radius) == board_of(near)
