"""The printed charts, cell by cell where a rule or an example names one."""

from __future__ import annotations

from functools import cache

import pytest

from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import Charts, Cost
from lovat_server.games.white_death.terms import MP, Mobility, Weather
from lovat_server.scenarios.arrival_loader import load_supply
from lovat_server.scenarios.chart_loader import CHARTS, DEFENCE, load_charts
from lovat_server.scenarios.faults import Fault
from lovat_server.scenarios.folders import game_folder
from lovat_server.scenarios.rows import WORDS, read_table


@cache
def charts() -> Charts:
    faults: list[Fault] = []
    found, _ = load_charts(game_folder(), None, faults)
    assert not faults
    return found


def conventional(column: str, die: int) -> str:
    table = charts().conventional
    result = table.result(table.names.index(column), die)
    return "" if result is None else f"MC{result[0] or ''}"


@pytest.mark.parametrize(("column", "die", "result"), [
    ("7+:1", 1, "MC4"), ("3:1", 4, "MC"), ("1:1", 4, ""), ("1:3", 1, "MC"), ("2:1", 5, ""),
    ("4:1", 6, "MC"), ("6:1", 6, "MC1"), ("1.5:1", 2, "MC1"),
])
@pytest.mark.rule("WD 9.C.4")
def test_wdtc_c2_conventional_results(column, die, result):
    assert conventional(column, die) == result


@pytest.mark.parametrize(("attack", "defence", "column"), [
    (29, 10, "2:1"), (9, 6, "1.5:1"), (8, 6, "1:1"), (5, 10, "1:2"), (2, 6, "1:3"),
    (42, 6, "7+:1"), (100, 6, "7+:1"), (1, 6, None),
])
@pytest.mark.rule("WD 9.C.3")
def test_wdtc_c1_the_columns_have_exact_ratios(attack, defence, column):
    table = charts().conventional
    found = table.column(attack, defence)
    assert (None if found is None else table.names[found]) == column


@pytest.mark.parametrize(("terrain", "personnel", "light", "heavy"), [
    ("clear", 6, 5, 2), ("creek", 5, 3, 2), ("river", 4, 2, 2), ("forest", 8, 5, 3),
    ("town", 10, 7, 7), ("bunker", 15, 15, 15),
])
@pytest.mark.rule("WD 9.C.2")
def test_wdtc_c4_defence_values(terrain, personnel, light, heavy):
    assert charts().defence[terrain] == (personnel, light, heavy)


def test_forest_with_a_creek_prints_personnel_only_and_weapons_are_marked_reconstructed():
    assert charts().defence["forest_creek"] == (7, 5, 3)
    rows = {row["terrain"]: row for row in read_table(DEFENCE, game_folder(), None, [])}
    assert rows["forest_creek"]["weapons_provenance"] == Provenance.RECONSTRUCTED.value
    assert {rows[terrain]["weapons_provenance"] for terrain in rows if terrain != "forest_creek"
            } == {Provenance.PRINTED.value}


@pytest.mark.parametrize(("column", "die", "lost"), [
    ("5:1", 1, 2), ("1:1", 3, None), ("6:1", 6, 1), ("3:1", 4, 1), ("6:1", 2, 2), ("1:3", 2, None),
])
@pytest.mark.rule("WD 10.C.3")
def test_wdtc_a3_antitank_results(column, die, lost):
    table = charts().antitank
    assert table.result(table.names.index(column), die) == lost


@pytest.mark.rule("WD 10.C.2")
def test_wdtc_a1_four_to_one_reads_three_to_one():
    table = charts().antitank
    columns = [table.column(*odds) for odds in ((8, 4), (4, 1), (1, 2))]
    assert [table.names[column] for column in columns if column is not None] == [
        "2:1", "3:1", "1:3"]


@pytest.mark.parametrize(("value", "die", "lost"), [
    (4, 1, 2), (9, 3, 0), (60, 6, 3), (60, 11, 1), (60, 8, 2), (60, 13, 1), (60, 15, 0),
    (20, 1, 4), (59, 12, 1),
])
@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b3_barrage_losses(value, die, lost):
    column = max(place for place, lowest in enumerate(charts().barrage_columns)
                 if lowest <= value)
    assert charts().barrage[die - 1][column] == lost


def test_the_barrage_table_has_a_row_for_each_die_to_15_and_falls_with_the_die():
    assert len(charts().barrage) == 15
    for column in range(7):
        losses = [row[column] for row in charts().barrage]
        assert losses == sorted(losses, reverse=True)


@pytest.mark.rule("WD 11.B")
def test_barrage_modifiers():
    assert charts().barrage_modifiers == {
        "personnel": 2, "afv": 3, "bunker": 7, "town": 3, "forest": 1, "creek": -1, "river": -2,
        "unobserved": 1}


@pytest.mark.parametrize(("mobility", "terrain", "enter", "leave"), [
    (Mobility.LEG, "clear", MP // 2, 0), (Mobility.SKI, "clear", MP // 4, 0),
    (Mobility.WHEEL, "road", MP // 10, 0), (Mobility.TRACK, "road", MP // 8, 0),
    (Mobility.DRAFT, "creek", MP, 3 * MP), (Mobility.TRACK, "creek", MP // 2, MP),
    (Mobility.WHEEL, "river", 2 * MP, 4 * MP), (Mobility.MOTORCYCLE, "forest_creek", MP, MP),
    (Mobility.HORSE, "town", MP // 6, 0), (Mobility.LEG, "lake_frozen", 0, 0),
    (Mobility.LEG, "lake_thaw", MP, 0), (Mobility.TRACK, "lake_frozen", MP, 0),
    (Mobility.HORSE, "lake_frozen", MP // 3, 0),
])
@pytest.mark.rule("WD 7")
def test_movement_costs(mobility, terrain, enter, leave):
    assert charts().movement[mobility][terrain] == Cost(enter, leave)


@pytest.mark.parametrize(("mobility", "terrain"), [
    (Mobility.DRAFT, "forest"), (Mobility.WHEEL, "forest"), (Mobility.TRACK, "forest_creek"),
    (Mobility.TRACK, "lake_thaw"), (Mobility.WHEEL, "lake_frozen"),
])
@pytest.mark.rule("WD 7")
def test_prohibited_terrain(mobility, terrain):
    assert charts().movement[mobility][terrain].enter is None


@pytest.mark.parametrize(("turn", "die", "weather"), [
    (1, 2, Weather.THAW), (1, 6, Weather.FROST), (3, 6, Weather.SNOW), (11, 5, Weather.SNOW),
    (12, 4, Weather.SNOW), (9, 5, Weather.FROST),
])
@pytest.mark.rule("WD 16")
def test_wdtc_l5_weather(turn, die, weather):
    assert charts().weather[turn - 1][die - 1] == weather


def test_supply_and_replacements_with_the_errata():
    faults: list[Fault] = []
    (soviet, german), sources = load_supply(game_folder(), None, faults)
    assert not faults
    assert [points.supply for points in soviet] == [4] + [3] * 5 + [4] * 7
    assert [points.replacements for points in soviet] == [0] * 8 + [2] * 5
    assert [points.supply for points in german] == [2] * 4 + [3] * 5 + [4] * 4
    assert [points.replacements for points in german] == [0] * 2 + [2] * 4 + [3] * 7
    assert sources[Provenance.ERRATA] == 5


def test_every_row_of_every_chart_names_its_source_and_clause():
    for table in CHARTS:
        for row in read_table(table, game_folder(), None, []):
            assert row["provenance"] in WORDS
            assert row["clause"]
