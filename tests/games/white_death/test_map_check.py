"""What the check of a map folder and of an overlay finds, with file, line and what was expected."""

from __future__ import annotations

import functools
import operator
import shutil
from pathlib import Path

import pytest

from lovat_server.core.provenance import Provenance
from lovat_server.hexmap.grid import Grid, N, board_of
from lovat_server.scenarios.map_features import expand, expand_sides, read_features
from lovat_server.scenarios.map_generator import generate, write
from lovat_server.scenarios.map_loader import Fault, check_map, load_map, map_provenance

FOLDER = Path(__file__).parents[3] / "scenarios" / "white_death" / "map"

HEXES = "hex,terrain,place,provenance,source"
HEXSIDES = "hex,direction,feature,provenance,source"
AREAS = "area,hex,provenance,source"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "map"))


def change(folder: Path, name: str, start: str, *lines: str) -> int:
    """Put lines in place of the one line of a file that begins so; returns its line number."""
    path = folder / name
    text = path.read_text(encoding="utf-8").splitlines()
    (place,) = [place for place, line in enumerate(text) if line.startswith(start)]
    text[place:place + 1] = lines
    path.write_text("\n".join(text) + "\n", encoding="utf-8")
    return place + 1


def append(folder: Path, name: str, line: str) -> int:
    """Add a line at the end of a file; returns its line number."""
    path = folder / name
    path.write_text(path.read_text(encoding="utf-8") + line + "\n", encoding="utf-8")
    return len(path.read_text(encoding="utf-8").splitlines())


def overlay_of(tmp_path: Path, **files: str) -> Path:
    """An overlay folder with the given text in ``map/NAME.csv``."""
    (tmp_path / "overlay" / "map").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "overlay" / "map" / f"{name}.csv").write_text(text, encoding="utf-8")
    return tmp_path / "overlay"


def only(faults: list[Fault]) -> Fault:
    (fault,) = faults
    return fault


# ---- single rows


@pytest.mark.parametrize("number", ["4101", "0143", "0000"])
def test_an_unknown_hex_is_named_with_file_line_and_column(folder: Path, number: str) -> None:
    line = append(folder, "hexes.csv", f"{number},clear,,reconstructed,x")
    assert only(check_map(folder)) == Fault(
        str(folder / "hexes.csv"), line, "hex", f"hex {number} is not on the map",
        "a hex number from 0101 to 4042")


@pytest.mark.parametrize("number", ["12a4", "12", "", "12345", "-122"])
def test_a_hex_that_is_no_number_is_a_fault(folder: Path, number: str) -> None:
    append(folder, "hexes.csv", f"{number},clear,,reconstructed,x")
    assert only(check_map(folder)).message == f"{number!r} is not a hex number of four digits"


def test_a_hex_given_twice_is_a_fault_in_the_second_line(folder: Path) -> None:
    line = append(folder, "hexes.csv", "0101,clear,,reconstructed,x")
    fault = only(check_map(folder))
    assert (fault.line, fault.message) == (line, "it stands twice in this file")


def test_a_missing_hex_is_named(folder: Path) -> None:
    change(folder, "hexes.csv", "0808,")
    fault = only(check_map(folder))
    assert fault.message == "hexes without a row: 0808"
    assert fault.expected == "a row for each of the 1680 hexes"


@pytest.mark.parametrize("terrain", ["jungle", "forest jungle"])
def test_an_unknown_terrain_word_is_a_fault(folder: Path, terrain: str) -> None:
    line = change(folder, "hexes.csv", "4042,", f"4042,{terrain},,reconstructed,x")
    faults = check_map(folder)
    assert (faults[0].line, faults[0].column) == (line, "terrain")
    assert faults[0].message == "'jungle' is no terrain"


@pytest.mark.parametrize("terrain", ["", "clear forest"])
def test_terrain_is_clear_alone_or_words(folder: Path, terrain: str) -> None:
    change(folder, "hexes.csv", "4042,", f"4042,{terrain},,reconstructed,x")
    assert check_map(folder)[0].expected.startswith("clear alone")


def test_a_hexside_that_leads_off_the_map_is_a_fault(folder: Path) -> None:
    append(folder, "hexsides.csv", "0101,N,road,reconstructed,x")
    assert only(check_map(folder)).message == "hexside 0101/N leads off the map"


@pytest.mark.parametrize(("row", "column"), [
    ("0505,X,road,reconstructed,x", "direction"),
    ("0505,N,wall,reconstructed,x", "feature"),
    ("0505,N,-road,reconstructed,x", "feature"),
    ("0505,N,lake_full,guessed,x", "provenance"),
])
def test_an_unknown_word_of_a_hexside_is_a_fault(folder: Path, row: str, column: str) -> None:
    append(folder, "hexsides.csv", row)
    assert only(check_map(folder)).column == column


def test_a_hexside_given_from_both_its_hexes_is_given_twice(folder: Path) -> None:
    line = append(folder, "hexsides.csv", "2123,NW,rail,derived,x")
    fault = only(check_map(folder))
    assert (fault.line, fault.message) == (line, "it stands twice in this file")


def test_an_area_in_an_unknown_hex_is_a_fault(folder: Path) -> None:
    append(folder, "areas.csv", "SW,0199,reconstructed,x")
    assert only(check_map(folder)).message == "hex 0199 is not on the map"


def test_wrong_headings_are_a_fault_of_line_1(folder: Path) -> None:
    change(folder, "areas.csv", "area,", "zone,hex,provenance,source")
    fault = check_map(folder)[0]
    assert (fault.line, fault.column) == (1, "area")
    assert fault.expected == f"columns {AREAS}"


def test_a_row_with_too_few_cells_is_a_fault(folder: Path) -> None:
    append(folder, "hexsides.csv", "0101,S")
    assert only(check_map(folder)).message == "2 cells"


def test_a_missing_file_is_a_fault(folder: Path) -> None:
    (folder / "hexsides.csv").unlink()
    assert Fault(str(folder / "hexsides.csv"), 0, "", "the file is missing",
                 "a CSV file") in check_map(folder)


def test_a_folder_without_the_size_of_the_map_is_one_fault(folder: Path) -> None:
    (folder / "features.toml").unlink()
    assert only(check_map(folder)).column == "grid"


# ---- the map as a whole


def test_a_road_with_a_hexside_missing_breaks(folder: Path) -> None:
    change(folder, "hexsides.csv", "2608,S,road")
    assert "the road breaks off between 2608 and 2609" in [
        fault.message for fault in check_map(folder)]


def test_a_road_that_ends_one_hexside_short_of_a_town_breaks(folder: Path) -> None:
    change(folder, "hexsides.csv", "2610,S,road")
    assert "the road breaks off between 2610 and 2611" in [
        fault.message for fault in check_map(folder)]


def test_a_road_may_end_in_open_country(folder: Path) -> None:
    append(folder, "hexsides.csv", "1731,S,road,reconstructed,x")
    append(folder, "hexsides.csv", "1732,S,road,reconstructed,x")
    assert check_map(folder) == []


def test_a_road_of_one_hexside_in_open_country_leads_nowhere(folder: Path) -> None:
    line = append(folder, "hexsides.csv", "1240,S,road,reconstructed,x")
    fault = only(check_map(folder))
    assert (fault.line, fault.message) == (line, "the road between 1240 and 1241 leads nowhere")


def test_a_railroad_that_ends_in_open_country_breaks(folder: Path) -> None:
    change(folder, "hexsides.csv", "3222,NE,rail")
    messages = [fault.message for fault in check_map(folder)]
    assert "the railroad ends in open country in 3222" in messages
    assert "the railroad ends in open country in 3322" in messages


def test_a_river_with_a_hex_missing_breaks(folder: Path) -> None:
    change(folder, "hexes.csv", "2129,", "2129,clear,,reconstructed,x")
    messages = [fault.message for fault in check_map(folder)]
    assert any(message.startswith("the river breaks: no river joins") for message in messages)
    assert "the river ends in 2128, which is not on the map edge" in messages


def test_a_river_that_branches_is_a_fault(folder: Path) -> None:
    change(folder, "hexes.csv", "2028,", "2028,river,,reconstructed,x")
    assert any("touches" in fault.message for fault in check_map(folder))


def test_a_river_hex_without_a_bank_is_a_fault(folder: Path) -> None:
    change(folder, "hexsides.csv", "2123,SW,bank_w")
    fault = only(check_map(folder))
    assert fault.message == "side SW of river hex 2123 has no bank"
    assert fault.file == str(folder / "hexes.csv")


def test_a_neighbour_on_both_banks_is_a_fault(folder: Path) -> None:
    change(folder, "hexsides.csv", "2127,SE,bank_e", "2127,SE,bank_w,reconstructed,x")
    assert any("is on the other bank" in fault.message for fault in check_map(folder))


def test_a_bank_that_changes_within_a_hex_is_a_fault(folder: Path) -> None:
    change(folder, "hexsides.csv", "2127,SE,bank_e", "2127,SE,bank_w,reconstructed,x")
    assert any("changes between sides" in fault.message for fault in check_map(folder))


def test_a_bank_out_of_a_dry_hex_is_a_fault(folder: Path) -> None:
    append(folder, "hexsides.csv", "0505,N,bank_w,reconstructed,x")
    assert "leads from no river hex" in only(check_map(folder)).message


def test_a_hexside_with_both_banks_is_a_fault(folder: Path) -> None:
    append(folder, "hexsides.csv", "2123,SW,bank_e,reconstructed,x")
    assert only(check_map(folder)).message == "2123/SW has both banks"


def test_a_lake_hexside_of_two_kinds_is_a_fault(folder: Path) -> None:
    append(folder, "hexsides.csv", "1320,SE,lake_partial,reconstructed,x")
    fault = only(check_map(folder))
    assert fault.message == "hexside 1320/SE is both a full and a partial lake"


def test_a_slope_that_goes_down_both_ways_is_a_fault(folder: Path) -> None:
    change(folder, "hexsides.csv", "1627,NE,slope_down", "1627,NE,slope_down,reconstructed,x",
           "1727,SW,slope_down,reconstructed,x")
    assert only(check_map(folder)).message == "the slope between 1627 and 1727 goes down both ways"


def test_a_city_hex_that_is_no_town_is_a_fault(folder: Path) -> None:
    append(folder, "areas.csv", "CITY,0505,reconstructed,x")
    assert only(check_map(folder)).message == "0505 of CITY is no town hex"


def test_a_map_without_an_entry_area_is_a_fault(folder: Path) -> None:
    path = folder / "areas.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith("NW,")) + "\n",
                    encoding="utf-8")
    assert only(check_map(folder)).message == "area NW has no hex"


def test_loading_lists_every_fault(folder: Path) -> None:
    append(folder, "hexes.csv", "9999,clear,,reconstructed,x")
    append(folder, "hexsides.csv", "0101,N,road,reconstructed,x")
    with pytest.raises(ValueError, match=r"9999 is not on the map") as caught:
        load_map(folder)
    assert str(caught.value).splitlines() == [str(fault) for fault in check_map(folder)]


# ---- overlays


def test_an_overlay_replaces_a_hex_and_adds_the_rest_of_the_map(tmp_path: Path) -> None:
    overlay = overlay_of(tmp_path, hexes=f"{HEXES}\n0505,forest town,Dorf,printed,x\n")
    plain, changed = load_map(FOLDER), load_map(FOLDER, overlay)
    hex_ = plain.index[505]
    assert changed.town == plain.town | 1 << hex_
    assert changed.forest == plain.forest | 1 << hex_
    assert changed.names[hex_] == "Dorf"
    assert changed.road == plain.road


def test_an_overlay_takes_a_hexside_and_an_area_hex_away_with_a_minus(tmp_path: Path) -> None:
    overlay = overlay_of(
        tmp_path,
        hexsides=f"{HEXSIDES}\n2021,SE,-road,printed,x\n2122,SE,-road,printed,x\n",
        areas=f"{AREAS}\n-NW,0701,printed,x\nNW,0104,printed,x\n",
    )
    plain, changed = load_map(FOLDER), load_map(FOLDER, overlay)
    lost = [old & ~new for old, new in zip(plain.road, changed.road, strict=True)]
    assert board_of(plain.index[hex_] for hex_ in (2021, 2122, 2222)) == \
        functools.reduce(operator.or_, lost)
    assert sum(board.bit_count() for board in lost) == 4
    moved = 1 << plain.index[701] | 1 << plain.index[104]
    assert changed.areas["NW"] == plain.areas["NW"] ^ moved


def test_an_overlay_row_may_name_a_hexside_from_either_of_its_hexes(tmp_path: Path) -> None:
    rows = "2122,NW,-road,printed,x\n2222,NW,-road,printed,x\n"
    changed = load_map(FOLDER, overlay_of(tmp_path, hexsides=f"{HEXSIDES}\n{rows}"))
    assert not any(road >> changed.index[2122] & 1 for road in changed.road)


def test_taking_away_what_is_not_there_is_a_fault_of_the_overlay(tmp_path: Path) -> None:
    overlay = overlay_of(tmp_path, hexsides=f"{HEXSIDES}\n0505,N,-road,printed,x\n")
    fault = only(check_map(FOLDER, overlay))
    assert fault.file == str(overlay / "map" / "hexsides.csv")
    assert fault.message == "there is no such row to take away"


def test_an_overlay_without_map_files_changes_nothing(tmp_path: Path) -> None:
    assert check_map(FOLDER, overlay_of(tmp_path)) == []
    assert map_provenance(FOLDER, tmp_path / "overlay") == map_provenance(FOLDER)


def test_a_replaced_row_counts_with_the_provenance_of_the_overlay(tmp_path: Path) -> None:
    overlay = overlay_of(tmp_path, hexes=f"{HEXES}\n0505,clear,,printed,x\n")
    assert map_provenance(FOLDER, overlay)[Provenance.PRINTED] == \
        map_provenance(FOLDER)[Provenance.PRINTED] + 1


# ---- the features file


def test_a_hex_list_runs_down_and_up_a_column() -> None:
    grid = Grid(3, 4)
    assert expand(grid, "0101-0103 0302") == (0, 1, 2, 9)
    assert expand(grid, "0103-0101") == (2, 1, 0)


@pytest.mark.parametrize(("text", "message"), [
    ("0101-0201", "does not stay in one column"),
    ("0105", "not on the map"),
    ("abcd", "not a hex number"),
])
def test_a_hex_list_says_what_is_wrong_in_it(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        expand(Grid(3, 4), text)


def test_a_hexside_list_names_directions_and_refuses_the_map_edge() -> None:
    assert expand_sides(Grid(3, 4), "0102/N") == ((1, N),)
    with pytest.raises(ValueError, match="no direction"):
        expand_sides(Grid(3, 4), "0102/NNE")
    with pytest.raises(ValueError, match="map edge"):
        expand_sides(Grid(3, 4), "0101/N")


@pytest.mark.parametrize(("old", "new", "message"), [
    ("2101 2102 2103", "2101 2103", "Lowatj: 2101 and 2103 are not adjacent"),
    ("hexes = \"1430\"", "hexes = \"1430 1430\"", "Tschernosjom: a hex stands in it twice"),
    ("name = \"Kostelewo\"", "name = \"Isotcha\"", "'Isotcha' is given twice"),
])
def test_the_features_file_names_the_feature_that_is_wrong(
    folder: Path, old: str, new: str, message: str,
) -> None:
    path = folder / "features.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        read_features(path)


@pytest.mark.parametrize(("old", "new", "message"), [
    ("of = [\"edge E\"]", "of = [\"rim E\"]", "area E, 'rim E': the term is not understood"),
    ("of = [\"east of Kunja Creek\"]", "of = [\"east of Borok road\"]", "does not divide the map"),
    ("\"edge within 4 of 0122\"", "\"edge within 4 of 0123\"", "no railroad leaves the map at"),
    ("\"edge within 4 of 0122\"", "\"edge within 4 of 0222\"", "0222 is no hex of the map edge"),
    ("\"8 easternmost\"", "\"80 easternmost\"", "area SE has only 40 hexes, not 80"),
    ("\"8 easternmost\"", "\"8 nearest\"", "'8 nearest' is not understood"),
    ("hexes = \"1430\"", "hexes = \"1233\"", "1233 has another name"),
    ("full = \"0538/SE\"", "full = \"0538/SE 0539/NE\"", "Lake Karatai: 0539/NE is a lake twice"),
])
def test_generating_refuses_features_that_contradict_each_other(
    folder: Path, old: str, new: str, message: str,
) -> None:
    path = folder / "features.toml"
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    features = read_features(path)
    with pytest.raises(ValueError, match=message):
        generate(features)


def test_writing_makes_the_three_files_from_the_features_alone(folder: Path) -> None:
    for name in ("hexes.csv", "hexsides.csv", "areas.csv"):
        (folder / name).unlink()
    write(folder)
    assert check_map(folder) == []
    assert load_map(folder).road == load_map(FOLDER).road
