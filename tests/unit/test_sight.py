"""Lines of sight: which hexes lie between two centres, and which of them block."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_server.hexmap.coordinates import ColumnRow
from lovat_server.hexmap.grid import OUTSIDE, Grid, board_of
from lovat_server.hexmap.sight import between, is_clear

GRID = Grid(40, 42)
NUMBERS = ColumnRow(GRID)
hexes = st.integers(0, GRID.size - 1)
near_hexes = st.builds(GRID.index, st.integers(14, 22), st.integers(14, 22))


def line(start: str, end: str) -> list[set[str]]:
    steps = between(GRID, NUMBERS.parse(start), NUMBERS.parse(end))
    return [{"outside" if hex_ == OUTSIDE else NUMBERS.format(hex_) for hex_ in step}
            for step in steps]


def clear(start: str, end: str, *blocking: str) -> bool:
    board = board_of(NUMBERS.parse(number) for number in blocking)
    return is_clear(GRID, NUMBERS.parse(start), NUMBERS.parse(end), board)


@pytest.mark.parametrize(("start", "end", "steps"), [
    ("1732", "1732", []),
    ("1732", "1733", []),
    ("1732", "1734", [{"1733"}]),
    ("1732", "1735", [{"1733"}, {"1734"}]),
    ("1732", "1933", [{"1832"}]),                      # down the row of hexes to the south-east
    ("1732", "1932", [{"1831", "1832"}]),              # along the hexside between the two
    ("1732", "1833", [{"1733", "1832"}]),
    ("1732", "2132", [{"1831", "1832"}, {"1932"}, {"2031", "2032"}]),
    ("1732", "1834", [{"1733"}, {"1833"}]),            # through the middle of a hexside
    ("1732", "1835", [{"1733"}, {"1833"}, {"1734"}, {"1834"}]),  # steeper than the hexside
])
def test_the_hexes_between_two_centres(start: str, end: str, steps: list[set[str]]) -> None:
    assert line(start, end) == steps
    assert line(end, start) == steps[::-1]


def test_at_the_edge_one_hex_of_a_pair_may_be_outside() -> None:
    assert line("0101", "0301") == [{"outside", "0201"}]
    assert not clear("0101", "0501", "0301")
    assert clear("0101", "0301", "0201"), "what is outside the field does not block"


def test_the_ends_of_a_line_do_not_block_it() -> None:
    assert clear("1732", "1734", "1732", "1734")


def test_one_blocking_hex_between_blocks() -> None:
    assert not clear("1732", "1734", "1733")
    assert clear("1732", "1734", "1832")


def test_along_a_hexside_both_hexes_must_block() -> None:
    assert clear("1732", "1932", "1831")
    assert clear("1732", "1932", "1832")
    assert not clear("1732", "1932", "1831", "1832")


@given(hexes, hexes)
def test_a_line_is_the_same_from_both_ends(a: int, b: int) -> None:
    assert between(GRID, a, b) == between(GRID, b, a)[::-1]


@given(hexes, hexes, st.integers(0, GRID.full))
def test_whoever_sees_is_seen(a: int, b: int, blocking: int) -> None:
    assert is_clear(GRID, a, b, blocking) == is_clear(GRID, b, a, blocking)


@given(hexes, hexes)
def test_a_line_is_a_chain_of_adjacent_hexes_without_the_ends(a: int, b: int) -> None:
    steps = [(a,), *between(GRID, a, b), (b,)]
    inner = [hex_ for step in steps[1:-1] for hex_ in step if hex_ != OUTSIDE]
    assert a not in inner
    assert b not in inner
    assert len(inner) == len(set(inner))
    if a != b:
        for here, there in itertools.pairwise(steps):
            assert all(GRID.distance(x, y) == 1
                       for x in here for y in there if OUTSIDE not in (x, y))


@given(near_hexes, near_hexes)
def test_the_hexes_of_a_line_are_those_that_its_points_lie_in(a: int, b: int) -> None:
    """Walks the line in small exact steps and asks for each point which centres are nearest."""
    steps = set(between(GRID, a, b))
    (xa, _, za), (xb, _, zb) = GRID.cube(a), GRID.cube(b)
    parts = 12 * max(GRID.distance(a, b), 1) + 1
    for part in range(parts + 1):
        x = xa + Fraction((xb - xa) * part, parts)
        z = za + Fraction((zb - za) * part, parts)
        nearest = nearest_hexes(x, z)
        if len(nearest) == 1 and not nearest & {a, b}:
            assert any(set(step) == nearest for step in steps)


def nearest_hexes(x: Fraction, z: Fraction) -> set[int]:
    """The hexes whose centres are nearest to a point in cube coordinates."""
    centres = [(round(x) + i, round(z) + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]

    def squared(centre: tuple[int, int]) -> Fraction:
        dx, dz = x - centre[0], z - centre[1]
        return dx * dx + dx * dz + dz * dz

    least = min(map(squared, centres))
    return {GRID.from_cube(*centre) for centre in centres if squared(centre) == least}
