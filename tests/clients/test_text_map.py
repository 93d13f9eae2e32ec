"""The text map fits a terminal and shows ground, stacks and marks."""

from __future__ import annotations

from lovat.white_death.v1 import catalog_pb2
from lovat_client.render import picture_of_position, picture_of_view, render_text
from tests.clients.small_war import GERMAN, SOVIET, catalog, state, view


def cell(lines: list[str], number: int) -> str:
    """What stands in a hex: column 1 begins after the edge, each further one four on."""
    column, row = divmod(number, 100)
    line = lines[3 + (row - 1) * 2 + (column % 2 == 0)]
    start = 4 + (column - 1) * 4
    return line[start:start + 8].strip()


def lines_of(**options: object) -> list[str]:
    return render_text(catalog(), picture_of_position(state()),
                       **options).split("\n")  # type: ignore[arg-type]


def test_ground_ways_stacks_and_marks_are_in_their_cells() -> None:
    lines = lines_of()
    assert cell(lines, 101) == "."
    assert cell(lines, 202) == "f"
    assert cell(lines, 606) == "h"
    assert cell(lines, 404) == "~  ^"
    assert cell(lines, 601) == "fc"
    assert cell(lines, 205) == "T =G1"
    assert cell(lines, 604) == ".  S2"
    assert cell(lines, 504) == "T -G2!>"
    assert cell(lines, 505) == ". #"


def test_hex_numbers_run_along_the_edges() -> None:
    lines = lines_of()
    assert lines[2].split() == [f"{column:02d}" for column in range(1, 9)]
    assert lines[3].startswith("01")
    assert lines[3].endswith(" 01")
    assert lines[17] == lines[2]


def test_every_stack_is_listed() -> None:
    text = "\n".join(lines_of())
    assert "0504 Luki                G2   G-INF-1 (83) infantry 3/3; " in text
    assert "S-GUNS (28) field artillery 3/3 deployed" in text
    assert sum(line[:4] in ("0504", "0205", "0603", "0604", "0605", "0705", "0801")
               for line in lines_of()[18:]) == 7


def test_of_the_enemy_only_the_front_is_listed() -> None:
    text = render_text(catalog(), picture_of_view(view(SOVIET)))
    assert "G2   G-INF-1 (83) infantry; and 1 more" in text


def test_a_region_shows_its_part_alone() -> None:
    lines = lines_of(region=(705, 504))
    assert lines[2].split() == ["05", "06", "07"]
    assert lines[3].startswith("04  T -G2!>")
    assert not any(line.startswith("0205") for line in lines)
    assert lines_of(region=(504, 705)) == lines


def test_zones_end_a_cell() -> None:
    lines = lines_of(zoc={SOVIET: {101, 301}, GERMAN: {301, 501}})
    assert [cell(lines, number)[-1] for number in (101, 301, 501)] == ["s", "x", "g"]


def test_the_whole_map_fits_two_hundred_columns() -> None:
    large = catalog()
    del large.map.hexes[:]
    large.map.columns, large.map.rows = 40, 42
    for column in range(1, 41):
        for row in range(1, 43):
            large.map.hexes.add(hex=column * 100 + row, town=True, river=True)
    lines = render_text(large, picture_of_position(state())).split("\n")
    assert max(map(len, lines[2:90])) <= 200


def test_an_unknown_unit_is_of_an_unknown_side() -> None:
    nameless = catalog()
    del nameless.units[:]
    assert "0604                     ?2   s-bn; s-inf-1" in render_text(
        nameless, picture_of_position(state()))


def test_the_same_picture_gives_the_same_text() -> None:
    assert lines_of() == lines_of()


def test_an_empty_map_has_edges_and_a_key() -> None:
    assert "Ground:" in render_text(catalog_pb2.Catalog(), picture_of_position(state()))
