"""Hexes of the catalog: neighbours, distance, sides, and where to draw them."""

from __future__ import annotations

import math
from collections import deque

import pytest

from lovat.white_death.v1 import catalog_pb2, terms_pb2
from lovat_client.sdk import Catalog

CATALOG = Catalog(catalog_pb2.Catalog(
    map=catalog_pb2.BattleMap(
        columns=30, rows=40,
        hexes=[catalog_pb2.MapHex(hex=1732, name="Novosokolniki", town=True)],
        hexsides=[
            catalog_pb2.Hexside(hex=1732, direction=catalog_pb2.DIRECTION_NE, road=True),
            catalog_pb2.Hexside(hex=1732, direction=catalog_pb2.DIRECTION_S, rail=True),
        ],
        areas=[catalog_pb2.Area(name="SE", hexes=[3040, 2940])],
    ),
    units=[
        catalog_pb2.Unit(id="s-1", label="1 Rifle", side=terms_pb2.SIDE_SOVIET),
        catalog_pb2.Unit(id="g-1", label="1 Jaeger", side=terms_pb2.SIDE_GERMAN),
    ],
))


def test_neighbours_of_an_odd_column() -> None:
    assert CATALOG.neighbours(1732) == [1731, 1831, 1832, 1733, 1632, 1631]


def test_neighbours_of_an_even_column_stand_half_a_hex_lower() -> None:
    assert CATALOG.neighbours(1832) == [1831, 1932, 1933, 1833, 1733, 1732]


def test_neighbours_off_the_map_are_left_out() -> None:
    assert CATALOG.neighbours(101) == [201, 102]
    assert CATALOG.neighbour(101, 1) == 0
    assert CATALOG.neighbours(3040) == [3039, 2940]


def test_a_map_with_high_even_columns_is_the_other_way_round() -> None:
    other = Catalog(catalog_pb2.Catalog(
        map=catalog_pb2.BattleMap(columns=30, rows=40, even_high=True)))
    assert other.neighbours(1832) == [1831, 1931, 1932, 1833, 1732, 1731]


@pytest.mark.parametrize("hex_", [101, 1732, 1832, 3040, 130, 2901])
def test_a_neighbour_is_mutual_and_one_hex_away(hex_: int) -> None:
    for other in CATALOG.neighbours(hex_):
        assert hex_ in CATALOG.neighbours(other)
        assert CATALOG.distance(hex_, other) == 1


@pytest.mark.parametrize("start", [1732, 1832, 101])
def test_distance_is_the_fewest_steps(start: int) -> None:
    steps = {start: 0}
    waiting = deque([start])
    while waiting:
        here = waiting.popleft()
        for other in CATALOG.neighbours(here):
            if other not in steps:
                steps[other] = steps[here] + 1
                waiting.append(other)
    assert len(steps) == 30 * 40
    assert all(CATALOG.distance(start, end) == count for end, count in steps.items())


def test_a_wrong_direction_is_refused() -> None:
    for direction in (0, 7, -1):
        with pytest.raises(ValueError, match="direction"):
            CATALOG.neighbour(1732, direction)


@pytest.mark.parametrize("hex_", [1732, 1832])
def test_all_neighbours_are_drawn_at_the_same_distance(hex_: int) -> None:
    here = CATALOG.xy(hex_)
    for other in CATALOG.neighbours(hex_):
        there = CATALOG.xy(other)
        assert math.dist(here, there) == pytest.approx(math.sqrt(3))
    assert CATALOG.xy(101) == (0, 0)
    assert CATALOG.xy(102).y > CATALOG.xy(101).y


def test_terrain_and_sides_of_a_hex() -> None:
    assert CATALOG.terrain(1732).town
    assert CATALOG.terrain(1733).hex == 1733
    assert not CATALOG.terrain(1733).town
    for start, end in ((1732, 1831), (1831, 1732)):
        side = CATALOG.hexside(start, end)
        assert side is not None
        assert side.road
    rail = CATALOG.hexside(1733, 1732)
    assert rail is not None
    assert rail.rail
    assert CATALOG.hexside(1732, 1731) is None


def test_units_and_areas() -> None:
    assert [unit.id for unit in CATALOG.units_of("german")] == ["g-1"]
    assert CATALOG.unit("s-1").label == CATALOG.label("s-1") == "1 Rifle"
    assert CATALOG.label("s-9") == "s-9"
    with pytest.raises(KeyError):
        CATALOG.unit("s-9")
    assert CATALOG.areas["SE"] == {3040, 2940}
    assert CATALOG.is_on_map(3040)
    assert not CATALOG.is_on_map(3041)
    assert not CATALOG.is_on_map(3140)
