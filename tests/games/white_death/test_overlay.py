"""An owner's overlay: rows replace rows, the catalog follows, and the changes can be listed."""

from __future__ import annotations

import os

import pytest

from lovat_server.games.white_death.terms import MP, Mobility
from lovat_server.scenarios.diff import Change, diff_data
from lovat_server.scenarios.faults import DataError
from lovat_server.scenarios.folders import game_folder
from lovat_server.scenarios.loader import load_catalog, load_scenario
from tests.games.white_death.test_data_check import overlay_row

SCENARIO = "purkayevs-attack"


def strength(catalog, unit_id: str) -> int:
    return catalog.units[catalog.unit_index[unit_id]].strength


def test_a_row_replaces_the_row_with_its_key_and_leaves_the_rest(tmp_path):
    overlay_row(tmp_path, "counters.csv", "s-28-88-inf", strength="9")
    changed, printed = load_catalog(SCENARIO, tmp_path), load_catalog(SCENARIO)
    assert (strength(printed, "s-28-88-inf"), strength(changed, "s-28-88-inf")) == (7, 9)
    assert [unit for unit in changed.units if unit.id != "s-28-88-inf"] == [
        unit for unit in printed.units if unit.id != "s-28-88-inf"]


def test_the_content_hash_follows_what_matters_to_play(tmp_path):
    overlay_row(tmp_path, "counters.csv", "s-28-88-inf", note="seen on the sheet")
    assert load_catalog(SCENARIO, tmp_path).content_hash == load_catalog(SCENARIO).content_hash
    overlay_row(tmp_path, "counters.csv", "s-28-88-inf", strength="8")
    assert load_catalog(SCENARIO, tmp_path).content_hash != load_catalog(SCENARIO).content_hash


def test_the_content_hash_does_not_follow_the_time_of_a_file(tmp_path):
    path = overlay_row(tmp_path, "charts/movement.csv", "clear", leg="1/3")
    before = load_catalog(SCENARIO, tmp_path)
    os.utime(path, (1, 1))
    after = load_catalog(SCENARIO, tmp_path)
    assert after is not before
    assert after.content_hash == before.content_hash
    assert after.charts.movement[Mobility.LEG]["clear"].enter == MP // 3


def test_a_catalog_is_read_once():
    assert load_catalog(SCENARIO) is load_catalog(SCENARIO)


def test_hashes_of_different_scenarios_differ():
    assert load_catalog(SCENARIO).content_hash != load_catalog(
        "velikiye-luki-campaign").content_hash


def test_a_scenario_file_replaces_the_whole_file(tmp_path):
    text = (game_folder() / "scenario_1.toml").read_text(encoding="utf-8")
    (tmp_path / "scenario_1.toml").write_text(
        text.replace("bunker = 10", "bunker = 7"), encoding="utf-8")
    assert load_catalog(SCENARIO, tmp_path).scenario.victory.bunker == 7
    assert load_scenario(SCENARIO, tmp_path).victory.bunker == 7


def test_a_broken_overlay_is_refused_with_every_fault(tmp_path):
    path = overlay_row(tmp_path, "counters.csv", "s-28-88-inf", strength="", morale="")
    with pytest.raises(DataError) as refused:
        load_catalog(SCENARIO, tmp_path)
    assert [(fault.file, fault.line, fault.column) for fault in refused.value.faults] == [
        (str(path), 2, "strength"), (str(path), 2, "morale")]
    assert f"{path}:2" in str(refused.value)


def test_a_spreadsheet_may_write_a_byte_order_mark(tmp_path):
    path = overlay_row(tmp_path, "counters.csv", "s-28-88-inf", strength="9")
    path.write_text("\ufeff" + path.read_text(encoding="utf-8"), encoding="utf-8")
    assert strength(load_catalog(SCENARIO, tmp_path), "s-28-88-inf") == 9


def test_the_changes_of_an_overlay_are_listed_cell_by_cell(tmp_path):
    overlay_row(tmp_path, "counters.csv", "s-28-88-inf", strength="9", morale="8")
    overlay_row(tmp_path, "charts/weather.csv", "6", **{"1": "S"})
    assert diff_data(tmp_path) == [
        Change("counters.csv", "s-28-88-inf", "strength", "7", "9"),
        Change("counters.csv", "s-28-88-inf", "morale", "7", "8"),
        Change("charts/weather.csv", "6", "1", "F", "S"),
    ]


def test_changes_of_a_scenario_are_listed_by_key(tmp_path):
    text = (game_folder() / "scenario_1.toml").read_text(encoding="utf-8")
    (tmp_path / "scenario_1.toml").write_text(
        text.replace("bunker = 10", "bunker = 7"), encoding="utf-8")
    assert diff_data(tmp_path) == [Change("scenario_1.toml", "victory", "bunker", "10", "7")]


def test_an_overlay_that_repeats_the_data_changes_nothing(tmp_path):
    overlay_row(tmp_path, "counters.csv", "s-28-88-inf")
    assert diff_data(tmp_path) == []
