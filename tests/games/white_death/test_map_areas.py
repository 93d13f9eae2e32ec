"""Entry areas, supply edges, set-up lines and set-up zones of the White Death map."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from lovat_server.games.white_death.catalog import BattleMap
from lovat_server.games.white_death.terms import Side
from lovat_server.hexmap.grid import DIRECTIONS, board_of, hexes_of
from lovat_server.scenarios.map_areas import edge_ring
from lovat_server.scenarios.map_features import Features, read_features
from lovat_server.scenarios.map_loader import load_map

FOLDER = Path(__file__).parents[3] / "scenarios" / "white_death" / "map"


@pytest.fixture(scope="module")
def battle_map() -> BattleMap:
    return load_map(FOLDER)


@pytest.fixture(scope="module")
def features() -> Features:
    return read_features(FOLDER / "features.toml")


def board(battle_map: BattleMap, *numbers: int) -> int:
    return board_of(battle_map.index[number] for number in numbers)


def place(battle_map: BattleMap, name: str) -> int:
    return board_of(hex_ for hex_, found in battle_map.names.items() if found == name)


def numbers(battle_map: BattleMap, hexes: int) -> list[int]:
    return [battle_map.numbers[hex_] for hex_ in hexes_of(hexes)]


def along(battle_map: BattleMap, start: int, *kinds: tuple[int, ...], without: int = 0) -> int:
    """All hexes that roads or railroads lead to from a board, outside `without`."""
    reached = start & ~without
    while True:
        grown = reached
        for kind in kinds:
            for direction in DIRECTIONS:
                grown |= battle_map.grid.shift(reached & kind[direction], direction) & ~without
        if grown == reached:
            return reached
        reached = grown


def on_road(battle_map: BattleMap) -> int:
    found = 0
    for direction in DIRECTIONS:
        found |= battle_map.road[direction] | battle_map.rail[direction]
    return found


# ---- edges and supply


@pytest.mark.rule("WD 17.A")
def test_the_soviet_entry_areas_are_those_of_the_rule(battle_map: BattleMap) -> None:
    grid, areas = battle_map.grid, battle_map.areas
    assert areas["E"] == grid.column_board(40)
    assert numbers(battle_map, areas["SE"]) == [column * 100 + 42 for column in range(33, 41)]
    assert areas["NE"] == grid.row_board(1) & areas["EAST-BANK"]


@pytest.mark.rule("WD 17.B")
def test_the_southern_area_is_the_ten_edge_hexes_next_to_the_lowatj(
    battle_map: BattleMap,
) -> None:
    assert numbers(battle_map, battle_map.areas["S"]) == [
        column * 100 + 42 for column in range(13, 23)
    ]
    assert battle_map.areas["S"] & battle_map.areas["SE"] == 0


@pytest.mark.rule("WD 17.B")
def test_the_western_areas_lie_about_the_railroads_that_leave_the_map(
    battle_map: BattleMap,
) -> None:
    grid, areas = battle_map.grid, battle_map.areas
    rail = 0
    for direction in DIRECTIONS:
        rail |= battle_map.rail[direction]
    west = numbers(battle_map, rail & grid.column_board(1))
    assert west == [122, 132, 140]
    assert numbers(battle_map, areas["SW"]) == list(range(132, 141))
    assert numbers(battle_map, areas["W"]) == list(range(118, 127))
    assert numbers(battle_map, rail & grid.row_board(1)) == [301]
    assert numbers(battle_map, areas["NW"]) == [101, 102, 103, 201, 301, 401, 501, 601, 701]


def test_entry_areas_are_connected_stretches_of_the_map_edge(battle_map: BattleMap) -> None:
    ring = board_of(edge_ring(battle_map.grid))
    for name in ("NE", "E", "SE", "S", "SW", "W", "NW"):
        area = battle_map.areas[name]
        assert area & ~ring == 0
        assert battle_map.grid.flood(1 << next(hexes_of(area)), area) == area


@pytest.mark.rule("WD 15.B")
def test_roads_lead_to_the_friendly_edges_of_both_sides(battle_map: BattleMap) -> None:
    ways = on_road(battle_map)
    assert (ways & battle_map.areas["E"]).bit_count() >= 2
    assert (ways & battle_map.areas["SE"]).bit_count() >= 1
    assert (ways & battle_map.grid.column_board(1)).bit_count() >= 2
    assert (ways & battle_map.areas["S"]).bit_count() >= 1


@pytest.mark.rule("WD 15.B")
def test_the_ground_about_the_city_is_in_supply_of_both_sides_without_a_bridge(
    battle_map: BattleMap,
) -> None:
    for side, ground in ((Side.SOVIET, 2522), (Side.GERMAN, 2022)):
        edge = battle_map.friendly_edge(side) & on_road(battle_map)
        free = along(battle_map, edge, battle_map.road, battle_map.rail,
                     without=battle_map.river)
        assert free & board(battle_map, ground)


# ---- set-up lines and zones (conformance case G3)


def line_of(features: Features, scenario: str) -> tuple[int, ...]:
    return features.named(f"line of scenario {scenario}").hexes


@pytest.mark.rule("WD 25")
@pytest.mark.parametrize(("scenario", "corners"), [
    ("II", (1001, 1034, 1637)),
    ("III", (1201, 1229, 2134, 2142)),
    ("IV", (1201, 1223, 1726, 1732, 2435, 2442)),
    ("V", (1201, 1225, 1622, 1823, 1830, 2534, 2542)),
])
def test_wdtc_g3_each_set_up_line_is_a_connected_row_of_hexes_through_its_corners(
    battle_map: BattleMap, features: Features, scenario: str, corners: tuple[int, ...],
) -> None:
    line = line_of(features, scenario)
    grid = battle_map.grid
    assert all(grid.direction(here, there) is not None for here, there in pairwise(line))
    places = [line.index(battle_map.index[corner]) for corner in corners]
    assert places == sorted(places)
    for (first, last), (here, there) in zip(pairwise(corners), pairwise(places), strict=True):
        assert there - here == grid.distance(battle_map.index[first], battle_map.index[last])


def test_wdtc_g3_the_line_of_scenario_ii_ends_along_the_lowatj(
    battle_map: BattleMap, features: Features,
) -> None:
    line = line_of(features, "II")
    after = line[line.index(battle_map.index[1637]):]
    assert board_of(after) & ~battle_map.river == 0
    assert battle_map.grid.row(after[-1]) == battle_map.grid.rows


@pytest.mark.rule("WD 25")
@pytest.mark.parametrize("scenario", ["III", "IV", "V"])
def test_wdtc_g3_outside_is_german_inside_and_the_line_soviet_and_together_they_are_the_map(
    battle_map: BattleMap, features: Features, scenario: str,
) -> None:
    german, soviet = (battle_map.areas[f"{scenario}-{side}"] for side in ("GERMAN", "SOVIET"))
    assert german & soviet == 0
    assert german | soviet == battle_map.grid.full
    assert board_of(line_of(features, scenario)) & german == 0
    assert battle_map.areas["W"] & ~german == 0
    assert battle_map.areas["E"] & ~soviet == 0


@pytest.mark.rule("WD 25")
def test_wdtc_g3_in_scenario_ii_the_germans_hold_the_line_and_the_soviets_none_of_it(
    battle_map: BattleMap, features: Features,
) -> None:
    german, soviet = battle_map.areas["II-GERMAN"], battle_map.areas["II-SOVIET-WEST"]
    assert board_of(line_of(features, "II")) & ~german == 0
    assert german & soviet == 0
    assert german & battle_map.areas["II-SOVIET-EAST"] == 0
    assert soviet & battle_map.areas["II-SOVIET-EAST"] == 0


@pytest.mark.rule("WD 25")
def test_wdtc_g3_in_scenario_ii_only_the_lowatj_and_hex_row_1900_are_nobodys(
    battle_map: BattleMap,
) -> None:
    areas, grid = battle_map.areas, battle_map.grid
    held = (areas["II-GERMAN"] | areas["II-83-REST"] | areas["II-SOVIET-WEST"]
            | areas["II-SOVIET-EAST"])
    nobodys = grid.full & ~held
    assert nobodys & ~battle_map.river == grid.column_board(19) & areas["EAST-BANK"]
    assert nobodys & battle_map.river == battle_map.river & ~areas["II-GERMAN"]


def test_the_encircled_groups_of_scenario_ii_stand_about_1430_and_1734(
    battle_map: BattleMap,
) -> None:
    areas, grid = battle_map.areas, battle_map.grid
    assert areas["II-TSCHERNOSJOM"] == grid.within(battle_map.index[1430], 1)
    assert areas["II-1734"] == grid.within(battle_map.index[1734], 1)
    assert areas["II-83-REST"] == board_of(
        hex_ for hex_ in hexes_of(areas["EAST-BANK"]) if grid.column(hex_) < 19)


@pytest.mark.rule("WD 25.I.3")
def test_the_two_german_sectors_of_scenario_i_meet_on_the_railroad_and_nowhere_else(
    battle_map: BattleMap, features: Features,
) -> None:
    railroad = board_of(features.named("Moscow - Riga railroad").hexes)
    mountain, infantry = battle_map.areas["I-3MTN"], battle_map.areas["I-83"]
    assert mountain & infantry == (mountain | infantry) & railroad
    kunja = board_of(features.named("Kunja Creek").hexes)
    assert mountain | infantry | kunja | battle_map.areas["I-SOVIET"] == \
        battle_map.areas["EAST-BANK"]


@pytest.mark.rule("WD 25.I.3")
def test_the_sectors_of_scenario_i_hold_neither_the_lowatj_nor_kunja_creek(
    battle_map: BattleMap, features: Features,
) -> None:
    kunja = board_of(features.named("Kunja Creek").hexes)
    for zone in ("I-3MTN", "I-83", "I-SOVIET"):
        assert battle_map.areas[zone] & (battle_map.river | kunja) == 0


@pytest.mark.parametrize(("zone", "town"), [
    ("I-NOWO", "Nowossokoljniki"), ("I-ISOTCHA", "Isotcha"), ("CITY", "Velikiye Luki"),
])
def test_a_garrison_sets_up_in_its_town(battle_map: BattleMap, zone: str, town: str) -> None:
    assert battle_map.areas[zone] == place(battle_map, town)


@pytest.mark.rule("WD 25")
@pytest.mark.parametrize(("scenario", "limit", "in_city"), [
    ("II", 34, False), ("III", 34, False), ("IV", 32, False), ("V", 32, True),
])
def test_soviet_bridges_are_set_up_on_the_lowatj_north_of_the_named_hex(
    battle_map: BattleMap, scenario: str, limit: int, in_city: bool,
) -> None:
    expected = board_of(
        hex_ for hex_ in hexes_of(battle_map.river)
        if battle_map.grid.row(hex_) < limit and (in_city or not battle_map.city >> hex_ & 1)
    )
    assert battle_map.areas[f"{scenario}-BRIDGE"] == expected
