"""The White Death map: what the rules fix of it, and that it is a map one can play on."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import BattleMap
from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, board_of, hexes_of, opposite
from lovat_server.scenarios.map_features import Features, read_features
from lovat_server.scenarios.map_generator import generate
from lovat_server.scenarios.map_loader import check_map, load_map, map_provenance

FOLDER = Path(__file__).parents[3] / "scenarios" / "white_death" / "map"

CITY = (2522, 2422, 2322, 2222, 2123, 2022, 2021)
RAIL_IN_TOWN = (2522, 2422, 2322, 2222, 2123, 2022)
BRIDGES = (2122, 2123, 2025, 1637)


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


def test_the_map_has_no_fault() -> None:
    assert check_map(FOLDER) == []


@pytest.mark.parametrize("name", ["hexes.csv", "hexsides.csv", "areas.csv"])
def test_the_committed_rows_are_what_the_features_give(features: Features, name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == generate(features)[name]


def test_the_map_is_40_columns_of_42_rows_numbered_from_the_north_west(
    battle_map: BattleMap,
) -> None:
    assert (battle_map.grid.columns, battle_map.grid.rows) == (40, 42)
    assert battle_map.numbers[0] == 101
    assert battle_map.numbers[-1] == 4042


# ---- the city and the railroads


@pytest.mark.rule("WD 25.I.3.A")
def test_the_city_is_six_rail_hexes_and_2021_and_all_are_town(battle_map: BattleMap) -> None:
    assert battle_map.city == board(battle_map, *CITY)
    assert battle_map.city & ~battle_map.town == 0
    assert battle_map.city == place(battle_map, "Velikiye Luki")
    assert battle_map.city == battle_map.areas["CITY"]


def test_the_railroad_joins_the_six_rail_hexes_of_the_city_in_order(battle_map: BattleMap) -> None:
    for here, there in pairwise(RAIL_IN_TOWN):
        direction = battle_map.grid.direction(battle_map.index[here], battle_map.index[there])
        assert direction is not None, f"{here} and {there} are not adjacent"
        assert battle_map.rail[direction] & board(battle_map, here)


def test_no_other_hex_of_the_city_has_a_railroad(battle_map: BattleMap) -> None:
    rail = 0
    for direction in DIRECTIONS:
        rail |= battle_map.rail[direction]
    assert battle_map.city & rail == board(battle_map, *RAIL_IN_TOWN)


def test_the_railroad_towns_are_two_of_nowossokoljniki_and_isotcha(battle_map: BattleMap) -> None:
    assert numbers(battle_map, battle_map.railroad_towns) == [330, 621, 622]
    assert battle_map.railroad_towns == battle_map.areas["RAILROAD-TOWNS"]
    assert battle_map.railroad_towns & place(battle_map, "Isotcha")
    assert battle_map.railroad_towns & place(battle_map, "Nowossokoljniki")


def test_the_railroads_cross_in_nowossokoljniki_16_columns_west_of_the_city(
    battle_map: BattleMap, features: Features,
) -> None:
    north_south = set(features.named("Nevel - Leningrad railroad").hexes)
    east_west = set(features.named("Moscow - Riga railroad").hexes)
    assert [battle_map.numbers[hex_] for hex_ in north_south & east_west] == [622]
    assert battle_map.index[622] in hexes_of(place(battle_map, "Nowossokoljniki"))


def test_the_garrison_of_nowossokoljniki_can_stack_in_it(battle_map: BattleMap) -> None:
    # Eight battalions, two assault gun companies and a company: nine equivalents, three a hex.
    assert place(battle_map, "Nowossokoljniki").bit_count() >= 3


def test_isotcha_lies_south_of_nowossokoljniki_on_the_same_railroad(features: Features) -> None:
    course = list(features.named("Nevel - Leningrad railroad").hexes)
    isotcha = features.named("Isotcha").hexes[0]
    crossing = features.grid.index(6, 22)
    assert course.index(isotcha) > course.index(crossing)


def test_tabory_lies_on_the_railroad_between_the_city_and_the_east_edge(
    features: Features,
) -> None:
    course = list(features.named("Moscow - Riga railroad").hexes)
    city, tabory = features.grid.index(25, 22), features.named("Tabory").hexes[0]
    assert course.index(city) < course.index(tabory)
    assert features.grid.column(course[-1]) == 40
    assert features.grid.column(course[0]) == 1


# ---- the Lowatj


@pytest.mark.rule("WD 25.I.3.C")
def test_the_four_bridges_of_scenario_i_stand_on_the_lowatj(battle_map: BattleMap) -> None:
    assert board(battle_map, *BRIDGES) & ~battle_map.river == 0


def test_the_lowatj_passes_the_hexes_that_the_set_ups_name(battle_map: BattleMap) -> None:
    assert board(battle_map, 2034, 2132) & ~battle_map.river == 0


def test_2123_is_river_and_town(battle_map: BattleMap) -> None:
    assert battle_map.river & battle_map.town == board(battle_map, 2123)


def test_the_lowatj_leaves_north_of_the_city_and_south_west_of_1637(
    battle_map: BattleMap,
) -> None:
    grid = battle_map.grid
    north = numbers(battle_map, battle_map.river & grid.row_board(1))
    south = numbers(battle_map, battle_map.river & grid.row_board(grid.rows))
    assert north == [2101]
    assert south == [1242]


def test_the_lowatj_is_one_path_of_adjacent_hexes(battle_map: BattleMap) -> None:
    river = battle_map.river
    ends = [hex_ for hex_ in hexes_of(river)
            if (battle_map.grid.adjacent[hex_] & river).bit_count() == 1]
    assert sorted(battle_map.numbers[hex_] for hex_ in ends) == [1242, 2101]
    assert battle_map.grid.flood(1 << ends[0], river) == river
    assert all((battle_map.grid.adjacent[hex_] & river).bit_count() <= 2
               for hex_ in hexes_of(river))


@pytest.mark.rule("WD 16.B")
def test_each_side_of_a_river_hex_has_the_bank_that_its_neighbour_lies_on(
    battle_map: BattleMap,
) -> None:
    east = battle_map.areas["EAST-BANK"]
    for hex_ in range(battle_map.grid.size):
        if not battle_map.river >> hex_ & 1:
            assert battle_map.bank[hex_] == ()
            continue
        for direction, other in enumerate(battle_map.grid.neighbours[hex_]):
            if other == OUTSIDE or battle_map.river >> other & 1:
                expected = ""
            else:
                expected = "E" if east >> other & 1 else "W"
            assert battle_map.bank[hex_][direction] == expected


def test_the_citadel_is_on_the_west_bank_and_the_station_on_the_east(
    battle_map: BattleMap,
) -> None:
    city = battle_map.city & battle_map.areas["EAST-BANK"]
    assert numbers(battle_map, city) == [2222, 2322, 2422, 2522]


def test_the_east_bank_is_all_that_the_lowatj_cuts_off_from_the_west_edge(
    battle_map: BattleMap,
) -> None:
    grid = battle_map.grid
    west = grid.flood(grid.column_board(1), grid.full & ~battle_map.river)
    assert battle_map.areas["EAST-BANK"] == grid.full & ~battle_map.river & ~west


@pytest.mark.parametrize("bridge", BRIDGES)
def test_a_road_or_railroad_leads_over_each_bridge_from_bank_to_bank(
    battle_map: BattleMap, bridge: int,
) -> None:
    hex_ = battle_map.index[bridge]
    banks = {battle_map.bank[hex_][direction] for direction in DIRECTIONS
             if (battle_map.road[direction] | battle_map.rail[direction]) >> hex_ & 1}
    assert banks == {"E", "W"}


def test_roads_and_railroads_cross_the_lowatj_only_at_the_bridges(battle_map: BattleMap) -> None:
    assert on_road(battle_map) & battle_map.river == board(battle_map, *BRIDGES)


# ---- roads, towns, water, woods


def test_every_town_is_reached_by_road_or_railroad_from_the_city(battle_map: BattleMap) -> None:
    reached = along(battle_map, battle_map.city, battle_map.road, battle_map.rail)
    assert battle_map.town & ~reached == 0


def test_every_road_and_railroad_hex_belongs_to_one_net(battle_map: BattleMap) -> None:
    reached = along(battle_map, battle_map.city, battle_map.road, battle_map.rail)
    assert on_road(battle_map) & ~reached == 0


def test_a_hexside_stands_in_both_its_hexes(battle_map: BattleMap) -> None:
    for boards in (battle_map.road, battle_map.rail, battle_map.lake_full,
                   battle_map.lake_partial):
        for direction in DIRECTIONS:
            shifted = battle_map.grid.shift(boards[direction], direction)
            assert shifted == boards[opposite(direction)]


def test_no_road_or_railroad_crosses_a_full_lake_and_some_cross_a_partial_one(
    battle_map: BattleMap,
) -> None:
    partial = 0
    for direction in DIRECTIONS:
        ways = battle_map.road[direction] | battle_map.rail[direction]
        assert ways & battle_map.lake_full[direction] == 0
        partial |= ways & battle_map.lake_partial[direction]
    assert partial


@pytest.mark.rule("WD 25.II.1")
def test_lakes_guard_the_northern_flank_of_the_relief_corridor(battle_map: BattleMap) -> None:
    grid = battle_map.grid
    lakes = 0
    for direction in DIRECTIONS:
        lakes |= battle_map.lake_full[direction]
    flank = [hex_ for hex_ in hexes_of(lakes)
             if 10 <= grid.column(hex_) <= 20 and 18 <= grid.row(hex_) <= 25]
    assert len(flank) > lakes.bit_count() // 2


def test_a_fifth_to_a_quarter_of_the_map_is_forest(battle_map: BattleMap) -> None:
    share = battle_map.forest.bit_count() / battle_map.grid.size
    assert 0.20 <= share <= 0.25


def test_there_are_few_towns(battle_map: BattleMap) -> None:
    assert len(set(battle_map.names.values())) <= 24
    assert board_of(battle_map.names) == battle_map.town


def test_forest_stands_in_no_river_and_no_town_hex(battle_map: BattleMap) -> None:
    assert battle_map.forest & (battle_map.river | battle_map.town) == 0


def test_slopes_lead_down_out_of_high_ground_onto_low(battle_map: BattleMap) -> None:
    for direction in DIRECTIONS:
        assert battle_map.down[direction] & ~battle_map.high == 0
        assert battle_map.grid.shift(battle_map.down[direction], direction) & battle_map.high == 0
    assert battle_map.high.bit_count() < battle_map.grid.size // 50


@pytest.mark.rule("WD 25.II.4")
def test_the_towns_of_the_relief_line_stand_between_1034_and_1430(battle_map: BattleMap) -> None:
    assert place(battle_map, "Tschernosjom") == board(battle_map, 1430)
    for name in ("Guschtschino", "Kostelewo"):
        (hex_,) = hexes_of(place(battle_map, name))
        assert 10 <= battle_map.grid.column(hex_) <= 14
        assert 30 <= battle_map.grid.row(hex_) <= 34


def test_kunja_creek_runs_from_north_to_south_in_columns_30_to_32(
    battle_map: BattleMap, features: Features,
) -> None:
    course = features.named("Kunja Creek").hexes
    assert board_of(course) & ~battle_map.creek == 0
    assert {features.grid.column(hex_) for hex_ in course} == {30, 31, 32}
    assert features.grid.row(course[0]) == 1
    assert features.grid.row(course[-1]) == 42


# ---- provenance


def test_nothing_is_called_printed_without_its_clause(features: Features) -> None:
    for feature in features.features:
        assert feature.provenance != Provenance.PRINTED or feature.clause.startswith("WD ")
        for fixed in feature.fixed:
            assert fixed.clause.startswith("WD ")
    assert features.ground == Provenance.RECONSTRUCTED


def test_the_printed_hexes_are_the_city_the_bridges_and_tschernosjom(
    battle_map: BattleMap,
) -> None:
    lines = (FOLDER / "hexes.csv").read_text(encoding="utf-8").splitlines()
    printed = {int(line[:4]) for line in lines[1:] if line.split(",")[3] == "printed"}
    assert printed == {*CITY, *BRIDGES, 1430} - {2322}


def test_provenance_is_counted_over_all_rows() -> None:
    counts = map_provenance(FOLDER)
    rows = sum(
        len((FOLDER / name).read_text(encoding="utf-8").splitlines()) - 1
        for name in ("hexes.csv", "hexsides.csv", "areas.csv")
    )
    assert counts.total() == rows
    assert counts[Provenance.RECONSTRUCTED] > counts[Provenance.PRINTED]
