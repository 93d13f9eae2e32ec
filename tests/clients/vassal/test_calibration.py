"""Calibrations and mappings: what they say, and what is wrong with them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat.white_death.v1 import catalog_pb2, terms_pb2
from lovat_client.hexes import Layout
from lovat_client.sdk import Catalog
from lovat_client.vassal import Piece, VassalError, read_calibration, read_mapping
from lovat_client.vassal.calibration import HexGrid, Place
from lovat_client.vassal.mapping import IGNORED, Finder, Mapping
from lovat_client.vassal.placing import locate

LAYOUT = Layout(40, 42)
GRID: dict[str, Any] = {"name": "Main Map", "x0": 60, "y0": 52, "dx": 55.4, "dy": 64.0}
TABLES: dict[str, Any] = {"format": 1, "maps": [GRID]}


def drawn(even_high: bool = False) -> Catalog:
    """A catalog that knows where a hex is drawn."""
    return Catalog(catalog_pb2.Catalog(
        map=catalog_pb2.BattleMap(columns=40, rows=42, even_high=even_high)))


HEXES = st.builds(lambda column, row: column * 100 + row, st.integers(1, 40), st.integers(1, 42))
SHIFTS = st.tuples(st.floats(-0.4, 0.4), st.floats(-0.4, 0.4))


@given(HEXES, st.floats(12, 200), st.booleans(), st.booleans(), SHIFTS)
def test_a_hex_is_found_where_it_is_drawn(
    hex_: int, side: float, even_high: bool, sideways: bool, shift: tuple[float, float],
) -> None:
    x, y = drawn(even_high).xy(hex_)
    first = drawn(even_high).xy(101)
    grid = HexGrid(x0=first.x * side + 30, y0=first.y * side + 20, dx=1.5 * side,
                   dy=3 ** 0.5 * side, sideways=sideways, stagger=even_high)
    at = ((x + shift[0]) * side + 30, (y + shift[1]) * side + 20)
    assert grid.numbers_at(*(reversed(at) if sideways else at)) == divmod(hex_, 100)
    assert grid.is_low(2) != even_high
    assert grid.is_low(1) == even_high


@given(HEXES, st.floats(12, 200), SHIFTS)
def test_a_map_turned_round_has_numbers_that_descend(
    hex_: int, side: float, shift: tuple[float, float],
) -> None:
    def turned(number: int) -> tuple[float, float]:
        x, y = drawn().xy(number)
        return 4000 - x * side, 3000 - y * side

    # Turned round, the even columns stand higher: the offset is the centre of one of them.
    x0, y0 = turned(4042)
    grid = HexGrid(x0=x0, y0=y0, dx=1.5 * side, dy=3 ** 0.5 * side, column=40, row=42,
                   column_step=-1, row_step=-1)
    assert grid.is_low(2)
    x, y = turned(hex_)
    assert grid.numbers_at(x + shift[0] * side, y + shift[1] * side) == divmod(hex_, 100)


def test_the_padding_of_a_map_is_taken_off() -> None:
    grid = HexGrid(60, 52, 55.4, 64, edge_x=100, edge_y=30)
    assert grid.numbers_at(160, 82) == (1, 1)
    assert grid.numbers_at(60, 52) == (-1, 1)


def calibration(tmp_path: Path, content: dict[str, Any]) -> Path:
    path = tmp_path / "map.json"
    path.write_text(json.dumps(content))
    return path


def map_with(**more: object) -> dict[str, Any]:
    return {**TABLES, "maps": [{**GRID, **more}]}


def test_the_documented_calibration_is_read(tmp_path: Path) -> None:
    path = tmp_path / "map.toml"
    path.write_text(documented("calibration"))
    found = read_calibration(path)
    assert (found.scenario, found.module) == ("purkayevs-attack", "White Death")
    assert found.sheets["Main Map"].grid == HexGrid(60, 52, 55.4, 64)
    assert found.sheets["Dead Pile"].place is Place.ELIMINATED
    assert [box.name for box in found.sheets["Main Map"].boxes] == ["Reinforcements"]
    found.prove(LAYOUT)


def documented(module: str) -> str:
    """The example in the words of a module about its file."""
    import lovat_client.vassal as package

    source = (Path(package.__file__).parent / f"{module}.py").read_text("utf-8")
    lines = source.split('"""')[1].splitlines()
    return "\n".join(line.removeprefix("    ") for line in lines if line.startswith("    "))


def piece(**values: Any) -> Piece:
    return Piece(**{"id": "1", "name": "a", "image": "", "gpid": "", "map": "Main Map", "x": 0,
                    "y": 0, **values})


def test_where_a_piece_lies(tmp_path: Path) -> None:
    found = read_calibration(calibration(tmp_path, {"format": 1, "maps": [
        {**GRID, "boxes": [{"name": "Dead", "x": 0, "y": 0, "width": 20, "height": 20,
                            "place": "eliminated"}]},
        {"name": "Pool", "place": "waiting"}]}))
    where = locate(piece(x=60 + 55, y=52 + 32), found, LAYOUT)
    assert (where.place, where.hex, where.words) == (Place.HEX, 201, "hex 0201")
    assert locate(piece(x=19, y=0), found, LAYOUT).words == "Main Map, Dead"
    assert locate(piece(map="Pool"), found, LAYOUT).place is Place.WAITING
    assert locate(piece(map=""), found, LAYOUT).place is Place.ABSENT
    with pytest.raises(ValueError, match=r"no map 'Other'; expected one of 'Main Map', 'Pool'"):
        locate(piece(map="Other"), found, LAYOUT)
    with pytest.raises(ValueError, match=r"outside the grid \(column 1, row 0\); expected columns "
                                         r"1 to 40, rows 1 to 42"):
        locate(piece(x=60, y=-20), found, LAYOUT)


@pytest.mark.parametrize(("more", "said"), [
    ({"stagger": True}, "maps[0] (Main Map): with column = 1 and stagger = true the even columns "
                        "stand half a hex higher; on the map of the scenario they stand half a "
                        "hex lower"),
    ({"column": 2}, "with column = 2 and stagger = false the even columns stand half a hex higher"),
    ({"row_step": -1}, "stand half a hex higher"),
    ({"checks": [{"hex": 2222, "x": 60, "y": 52}]},
     "the check of hex 2222 on 'Main Map': 60, 52 is column 1, row 1 by the numbers of the grid; "
     "expected 2222"),
])
def test_a_calibration_that_does_not_fit_the_map(
    tmp_path: Path, more: dict[str, Any], said: str,
) -> None:
    found = read_calibration(calibration(tmp_path, map_with(**more)))
    with pytest.raises(VassalError) as caught:
        found.prove(LAYOUT)
    assert str(caught.value).startswith(f"{found.file}: ")
    assert said in str(caught.value)


BOX = {"name": "B", "x": 0, "y": 0, "width": 9, "height": 9, "place": "waiting"}


@pytest.mark.parametrize(("content", "said"), [
    ([], "expected a table"),
    ({}, "the key 'format' is missing"),
    ({"format": 2}, "format: 2; expected one of 1"),
    ({"format": True}, "format: True; expected one of 1"),
    ({"format": 1}, "maps: none of them has hexes"),
    ({"format": 1, "maps": 3}, "maps: 3; expected a list of tables"),
    ({"format": 1, "maps": [3]}, "maps: [3]; expected a list of tables"),
    ({"format": 1, "maps": [{"name": "Pool", "place": "waiting"}]}, "maps: none of them has hexes"),
    ({**TABLES, "mops": []}, "there is no key 'mops' here; there are format, maps"),
    ({**TABLES, "scenario": 3}, "scenario: 3; expected text in quotes"),
    (map_with(z0=3), "maps[0]: there is no key 'z0' here"),
    (map_with(name=3), "maps[0].name: 3; expected text"),
    (map_with(x0="a"), "maps[0].x0: 'a'; expected a number of pixels"),
    (map_with(x0=1e300), "maps[0].x0: 1e+300; expected a number of pixels"),
    (map_with(dx=0), "maps[0].dx: 0; expected a number of pixels, at least 1"),
    (map_with(dy=-64), "maps[0].dy: -64; expected a number of pixels, at least 1"),
    (map_with(column=1.5), "maps[0].column: 1.5; expected a whole number"),
    (map_with(row_step=0), "maps[0].row_step: 0; expected one of 1, -1"),
    (map_with(stagger="yes"), "maps[0].stagger: 'yes'; expected true or false"),
    (map_with(place="hexes"), "maps[0].place: 'hexes'; expected one of 'waiting', 'eliminated'"),
    (map_with(boxes=[{**BOX, "width": 0}]), "maps[0].boxes[0].width: 0; expected a number"),
    (map_with(boxes=[{**BOX, "place": "far"}]), "maps[0].boxes[0].place: 'far'; expected one of"),
    (map_with(boxes=[{**BOX, "depth": 3}]), "maps[0].boxes[0]: there is no key 'depth'"),
    (map_with(checks=[{"hex": "2222", "x": 0, "y": 0}]), "maps[0].checks[0].hex: '2222'"),
    ({**TABLES, "maps": [GRID, GRID]}, "maps[1].name: 'Main Map'; expected a name that no other"),
    ({"format": 1, "maps": [GRID, {"name": "P", "place": "waiting", "checks": [{"hex": 101}]}]},
     "maps[1].checks[0]: a map without hexes has no hex to check"),
])
def test_a_calibration_that_cannot_be_read(tmp_path: Path, content: Any, said: str) -> None:
    path = calibration(tmp_path, content)
    with pytest.raises(VassalError) as caught:
        read_calibration(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


@pytest.mark.parametrize(("name", "content", "said"), [
    ("map.toml", b"format = ", "this is no TOML"), ("map.json", b"{", "this is no JSON"),
    ("map.toml", b"\xff", "this is no TOML"), ("map.json", b"[" * 100_000, "this is no JSON"),
    ("map.toml", b"#" * 1_100_000, "longer than 1048576 bytes"),
])
def test_a_file_that_is_no_table(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(VassalError) as caught:
        read_calibration(path)
    assert f"{path}: " in str(caught.value)
    assert said in str(caught.value)


UNITS = [catalog_pb2.Unit(id="g-i-55-rkt", label="I/55", side=terms_pb2.SIDE_GERMAN, strength=3),
         catalog_pb2.Unit(id="s-28-88-inf", label="88", side=terms_pb2.SIDE_SOVIET, strength=7),
         catalog_pb2.Unit(id="s-a", label="HQ", strength=1),
         catalog_pb2.Unit(id="s-b", label="HQ", strength=1)]


def finder(tmp_path: Path, content: dict[str, Any]) -> Finder:
    path = tmp_path / "pieces.json"
    path.write_text(json.dumps({"format": 1, **content}))
    return read_mapping(path).finder(UNITS)


def test_the_documented_mapping_is_read(tmp_path: Path) -> None:
    path = tmp_path / "pieces.toml"
    path.write_text(documented("mapping"))
    found = read_mapping(path).finder(UNITS)
    assert found.unit(piece(name="I/55 Werfer")) == "g-i-55-rkt"
    assert found.unit(piece(image="rifle_7.png", gpid="212")) == "s-28-88-inf"
    assert found.unit(piece(image="rifle_7.png", gpid="213")) is None
    assert found.unit(piece(name="Control of 2222")) == IGNORED
    shown = piece(properties={"Steps_Level": "3", "Deployed_Active": "true"})
    assert found.strength(shown, 7) == 5
    assert found.status(shown) == terms_pb2.STATUS_FLAG_DEPLOYED
    assert found.strength(piece(), 7) is None
    assert found.status(piece(properties={"Deployed_Active": "false"})) == 0


def test_a_piece_may_be_named_as_its_unit_is() -> None:
    found = Mapping().finder(UNITS)
    assert found.unit(piece(name="s-a")) == "s-a"
    assert found.unit(piece(name="88")) == "s-28-88-inf"
    assert found.unit(piece(name="HQ")) is None     # two units have that label
    assert found.unit(piece(name="")) is None


def test_what_is_said_of_a_piece_goes_before_its_own_name(tmp_path: Path) -> None:
    found = finder(tmp_path, {"units": {"88": "s-a"}, "ignore": ["s-*", "8?"],
                              "pieces": [{"name": "88", "gpid": "5", "unit": "s-b"}]})
    assert found.unit(piece(name="88", gpid="5")) == "s-b"
    assert found.unit(piece(name="88")) == "s-a"
    assert found.unit(piece(name="s-b")) == IGNORED


@pytest.mark.parametrize(("counts", "none", "value", "strength"), [
    ("left", 0, "7", 7), ("left", 1, " 2 ", 1), ("lost", 0, "0", 7), ("lost", 1, "7", 1)])
def test_the_strength_that_a_piece_shows(
    tmp_path: Path, counts: str, none: int, value: str, strength: int,
) -> None:
    found = finder(tmp_path, {"strength": {"property": "S", "counts": counts, "from": none}})
    assert found.strength(piece(properties={"S": value}), 7) == strength


@pytest.mark.parametrize(("value", "said"), [
    ("8", r"its S is 8, which is a strength of 8; expected 1 to 7"), ("0", "a strength of 0"),
    ("-3", "a strength of -3"), ("x", "its S is 'x'; expected a whole number"), ("", "''")])
def test_a_strength_that_no_unit_can_have(tmp_path: Path, value: str, said: str) -> None:
    found = finder(tmp_path, {"strength": {"property": "S"}})
    with pytest.raises(ValueError, match=said):
        found.strength(piece(properties={"S": value}), 7)


@pytest.mark.parametrize(("content", "said"), [
    ({"units": {"a": "s-99"}}, "units.a: 's-99' is no unit of the scenario"),
    ({"pieces": [{"gpid": "1", "unit": "s-99"}]}, "pieces[0].unit: 's-99' is no unit"),
    ({"pieces": [{"unit": "s-a"}]}, "pieces[0]: it says of no piece; expected a name, an image or"),
    ({"pieces": [{"name": "a"}]}, "pieces[0]: the key 'unit' is missing"),
    ({"pieces": [{"name": "a", "unit": "s-a", "hex": 3}]}, "pieces[0]: there is no key 'hex' here; "
                                                           "there are gpid, image, name, unit"),
    ({"units": {"a": 3}}, "units.a: 3; expected text in quotes"),
    ({"units": [1]}, "units: [1]; expected a table"),
    ({"ignore": "x"}, "ignore: 'x'; expected a list of texts"),
    ({"strength": {"property": "S", "counts": "steps"}}, "strength.counts: 'steps'; expected one"),
    ({"strength": 3}, "strength: 3; expected a table"),
    ({"strength": {}}, "strength: the key 'property' is missing"),
    ({"status": [{"flag": "dug-in", "property": "a", "value": "b"}]},
     "status[0].flag: 'dug-in'; expected one of 'deployed', 'isolated'"),
    ({"unit": {}}, "there is no key 'unit' here; there are format, ignore, pieces"),
])
def test_a_mapping_that_cannot_be_used(
    tmp_path: Path, content: dict[str, Any], said: str,
) -> None:
    with pytest.raises(VassalError) as caught:
        finder(tmp_path, content)
    assert str(caught.value).startswith(f"{tmp_path / 'pieces.json'}: ")
    assert said in str(caught.value)
