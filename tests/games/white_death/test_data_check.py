"""What the data check finds: file, line, column, what is wrong and what was expected."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

from lovat_server.scenarios.checks import check_data
from lovat_server.scenarios.faults import Fault
from lovat_server.scenarios.folders import game_folder
from lovat_server.scenarios.loader import scenario_ids


def overlay_row(folder: Path, name: str, key: str, **cells: str) -> Path:
    """An overlay file with one row of the base, some of its cells changed."""
    with (game_folder() / name).open(encoding="utf-8", newline="") as stream:
        reader = csv.DictReader(stream)
        columns = list(reader.fieldnames or ())
        row = next(row for row in reader if row[columns[0]] == key)
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns)
        writer.writeheader()
        writer.writerow(row | cells)
    return path


def only(faults: list[Fault]) -> Fault:
    assert len(faults) == 1, [str(fault) for fault in faults]
    return faults[0]


def test_the_data_of_the_server_are_without_fault():
    assert check_data(game_folder()) == []


def test_an_empty_overlay_is_without_fault(tmp_path):
    assert check_data(tmp_path) == []


def test_a_folder_that_is_not_there_is_reported(tmp_path):
    assert only(check_data(tmp_path / "none")).expected == "a folder"


@pytest.mark.parametrize(("cells", "column", "expected"), [
    ({"strength": ""}, "strength", "a whole number from 1 to 20"),
    ({"strength": "many"}, "strength", "a whole number from 1 to 20"),
    ({"conventional": "1/3"}, "conventional", "steps of 1/8"),
    ({"morale": "99"}, "morale", "a whole number from 2 to 12"),
    ({"traits": "heroic"}, "traits", "close_combat"),
    ({"kind": "light"}, "kind", "personnel"),
    ({"strength_provenance": "guessed"}, "strength_provenance", "reconstructed"),
    ({"factors_provenance": "reconstructed; luck printed"}, "factors_provenance", "FACTOR"),
    ({"defence": "3"}, "defence", "0 for any other"),
    ({"range": "6"}, "range", "a range with every barrage"),
])
def test_a_bad_cell_of_a_counter_is_reported_where_it_stands(tmp_path, cells, column, expected):
    path = overlay_row(tmp_path, "counters.csv", "s-28-88-inf", **cells)
    fault = next(fault for fault in check_data(tmp_path) if fault.column == column)
    assert (fault.file, fault.line) == (str(path), 2)
    assert expected in fault.expected


def test_an_unknown_unit_type_is_reported(tmp_path):
    overlay_row(tmp_path, "counters.csv", "s-28-88-inf", type="elephants")
    fault = next(fault for fault in check_data(tmp_path) if fault.column == "type")
    assert "'elephants' is unknown" in fault.message


def test_a_missing_column_is_reported_with_the_columns_that_must_stand(tmp_path):
    (tmp_path / "counters.csv").write_text("id,label\ns-28-88-inf,88\n")
    faults = check_data(tmp_path)
    assert all(fault.line == 1 for fault in faults)
    assert "strength" in {fault.column for fault in faults}
    assert "strength" in faults[0].expected


def test_a_row_of_the_wrong_length_is_reported(tmp_path):
    overlay_row(tmp_path, "supply.csv", "soviet")
    (tmp_path / "supply.csv").write_text(
        (tmp_path / "supply.csv").read_text().rstrip("\r\n") + ",more\n")
    fault = only(check_data(tmp_path))
    assert (fault.line, fault.message) == (2, "7 cells")


def test_a_counter_moved_to_another_formation_breaks_both_printed_counts(tmp_path):
    overlay_row(tmp_path, "counters.csv", "s-357-1188-inf", formation="21 Guards Rifle Division")
    faults = {fault.message: fault.expected for fault in check_data(tmp_path)}
    assert faults == {
        "357 Rifle Division has 2 regiments": "3, as printed",
        "21 Guards Rifle Division has 4 regiments": "3, as printed",
    }


def test_a_counter_too_many_breaks_the_total_of_its_side(tmp_path):
    overlay_row(tmp_path, "counters.csv", "g-303-aa", id="g-304-aa")
    messages = {fault.message: fault.expected for fault in check_data(tmp_path)}
    assert messages["199 german counters"] == "198, as printed"


def test_a_formation_that_never_comes_is_reported(tmp_path):
    path = overlay_row(tmp_path, "counters.csv", "g-303-aa", formation="Grand Army")
    faults = [fault for fault in check_data(tmp_path) if fault.column == "formation"]
    assert only(faults).file == str(path)


def test_a_strength_below_the_losses_of_a_scenario_is_reported(tmp_path):
    overlay_row(tmp_path, "counters.csv", "g-s-83-hv", strength="3")
    faults = check_data(tmp_path)
    assert {(Path(fault.file).name, fault.expected) for fault in faults} == {
        ("scenario_4.toml", "at most 3"), ("scenario_5.toml", "at most 3")}
    text = Path(faults[0].file).read_text().splitlines()
    assert "83 Infantry Division" in text[faults[0].line - 1]


def test_a_hex_that_is_not_on_the_map_is_reported(tmp_path):
    overlay_row(tmp_path, "set_up_1.csv", "g-303-aa", hex="9999")
    fault = next(fault for fault in check_data(tmp_path) if fault.column == "hex")
    assert "9999" in fault.message


def test_a_unit_outside_its_zone_is_reported(tmp_path):
    overlay_row(tmp_path, "set_up_1.csv", "g-303-aa", hex="2222")
    fault = next(fault for fault in check_data(tmp_path) if fault.column == "hex")
    assert fault.message == "2222 is outside I-ISOTCHA"


def test_a_bad_cell_of_a_chart_is_reported(tmp_path):
    overlay_row(tmp_path, "charts/movement.csv", "clear", leg="1/7")
    fault = only(check_data(tmp_path))
    assert (fault.line, fault.column) == (2, "leg")
    assert "1/120" in fault.expected


def test_a_bad_value_of_a_scenario_is_reported_with_its_line(tmp_path):
    text = (game_folder() / "scenario_2.toml").read_text(encoding="utf-8")
    (tmp_path / "scenario_2.toml").write_text(
        text.replace("last_turn = 7", 'last_turn = "seven"'), encoding="utf-8")
    fault = next(fault for fault in check_data(tmp_path) if "'seven'" in fault.message)
    line = text.splitlines().index("last_turn = 7") + 1
    assert (Path(fault.file).name, fault.line, fault.column) == (
        "scenario_2.toml", line, "last_turn")


def test_a_bad_value_in_one_of_many_tables_is_reported_where_it_stands(tmp_path):
    lines = (game_folder() / "scenario_2.toml").read_text(encoding="utf-8").splitlines()
    place = [number for number, line in enumerate(lines) if line.startswith("strength")][2]
    lines[place] = 'strength = "ten"'
    (tmp_path / "scenario_2.toml").write_text("\n".join(lines), encoding="utf-8")
    fault = next(fault for fault in check_data(tmp_path) if "'ten'" in fault.message)
    assert (fault.line, fault.column) == (place + 1, "bunkers[2].strength")


def test_a_second_bunker_in_a_hex_is_reported(tmp_path):
    text = (game_folder() / "scenario_2.toml").read_text(encoding="utf-8")
    (tmp_path / "scenario_2.toml").write_text(
        text.replace("hex = 2222", "hex = 2322"), encoding="utf-8")
    fault = next(fault for fault in check_data(tmp_path) if "bunker already" in fault.message)
    line = text.splitlines().index("hex = 2222") + 1
    assert (fault.line, fault.column, fault.expected) == (
        line, "bunkers[1].hex", "one bunker in a hex")


def test_a_scenario_that_is_no_toml_is_reported(tmp_path):
    (tmp_path / "scenario_3.toml").write_text("id = ")
    assert any(fault.expected == "TOML" for fault in check_data(tmp_path))


def test_a_file_that_nothing_reads_is_reported(tmp_path):
    (tmp_path / "counter.csv").write_text("id\n")
    assert "counters.csv" in only(check_data(tmp_path)).expected


def test_there_is_a_file_for_every_scenario():
    names = {path.name for path in game_folder().glob("scenario_*.toml")}
    assert names == {f"scenario_{number}.toml" for number in range(1, len(scenario_ids()) + 1)}
