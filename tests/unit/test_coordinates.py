"""Printed hex numbers of three maps, read and written exactly."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_server.hexmap.coordinates import ColumnRow, Numbering, Sheet, SheetColumnRow
from lovat_server.hexmap.grid import Grid

FROM_ONE = ColumnRow(Grid(40, 42))
FROM_NOUGHT = ColumnRow(Grid(12, 11), first_row=0)
FOUR_SHEETS = SheetColumnRow(
    Grid(125, 69, even_high=True),
    [Sheet("A", 62, 35, south=34), Sheet("B", 62, 35), Sheet("C", 63, 35, west=62, south=34),
     Sheet("D", 63, 35, west=62)],
)
NUMBERINGS: list[Numbering] = [FROM_ONE, FROM_NOUGHT, FOUR_SHEETS]


@given(st.sampled_from(NUMBERINGS), st.data())
def test_every_number_written_is_read_as_the_same_hex(
    numbering: ColumnRow | SheetColumnRow, data: st.DataObject
) -> None:
    index = data.draw(st.integers(0, numbering.grid.size - 1))
    assert numbering.parse(numbering.format(index)) == index


def test_columns_and_rows_count_from_the_north_west() -> None:
    assert FROM_ONE.parse("0101") == 0
    assert FROM_ONE.parse("1732") == FROM_ONE.grid.index(17, 32)
    assert FROM_ONE.format(FROM_ONE.grid.size - 1) == "4042"


def test_rows_may_start_at_nought() -> None:
    assert FROM_NOUGHT.parse("0100") == 0
    assert FROM_NOUGHT.parse("0900") == FROM_NOUGHT.grid.index(9, 1)
    assert FROM_NOUGHT.parse("0604") == FROM_NOUGHT.grid.index(6, 5)


def test_rows_of_a_sheet_count_from_the_south() -> None:
    grid = FOUR_SHEETS.grid
    assert FOUR_SHEETS.parse("B1.01") == grid.index(1, grid.rows)
    assert FOUR_SHEETS.parse("A61.34") == grid.index(61, 2)
    assert FOUR_SHEETS.format(grid.index(61, 2)) == "A61.34"


def test_sheets_join_from_west_to_east() -> None:
    # A line of the first scenario: each hex is adjacent to the next.
    line = [FOUR_SHEETS.parse(text) for text in ("A61.34", "A62.33", "C1.33", "C2.32", "C3.32")]
    assert [FOUR_SHEETS.grid.distance(a, b) for a, b in itertools.pairwise(line)] == [1] * 4


def test_the_last_row_of_the_southern_sheet_is_the_first_of_the_northern() -> None:
    assert FOUR_SHEETS.parse("D53.35") == FOUR_SHEETS.parse("C53.01")
    assert FOUR_SHEETS.format(FOUR_SHEETS.parse("D53.35")) == "C53.01"


@pytest.mark.parametrize("text", [
    "", "173", "17320", "17.32", " 1732", "1732 ", "-101", "0132x", "0001", "0100", "4101", "0143",
    "١٧٣٢",
])
def test_a_number_that_is_not_printed_is_refused_by_name(text: str) -> None:
    with pytest.raises(ValueError, match="expected four digits") as refusal:
        FROM_ONE.parse(text)
    assert repr(text) in str(refusal.value)
    assert "column 01 to 40 and row 01 to 42" in str(refusal.value)


@pytest.mark.parametrize(("text", "expected"), [
    ("E1.01", "a sheet (A, B, C, D)"), ("a61.34", "a sheet"), ("A6134", "a point"),
    ("A06.27", "a column, a point"), ("A6.7", "a row of two digits"), ("A6.027", "two digits"),
    ("A63.01", "column 1 to 62"), ("A0.01", "a column"), ("C6.36", "row 01 to 35"),
    ("C6.00", "row 01 to 35"), ("", "a sheet"),
])
def test_a_sheet_number_that_is_not_printed_is_refused_by_name(text: str, expected: str) -> None:
    with pytest.raises(ValueError, match="expected") as refusal:
        FOUR_SHEETS.parse(text)
    assert repr(text) in str(refusal.value)
    assert expected in str(refusal.value)


@pytest.mark.parametrize("numbering", NUMBERINGS)
def test_a_hex_outside_the_grid_has_no_number(numbering: ColumnRow | SheetColumnRow) -> None:
    for index in (-1, numbering.grid.size):
        with pytest.raises(ValueError, match=f"hex index {index}: expected 0 to"):
            numbering.format(index)


def test_a_hex_on_no_sheet_has_no_number() -> None:
    half = SheetColumnRow(Grid(4, 4), [Sheet("A", 2, 4)])
    with pytest.raises(ValueError, match="hex index 15 lies on none of the sheets A"):
        half.format(15)


def test_a_grid_too_large_for_two_digits_is_refused() -> None:
    with pytest.raises(ValueError, match="columns 1 to 100"):
        ColumnRow(Grid(100, 1))
    assert ColumnRow(Grid(100, 1), first_column=0).format(99) == "9901"


@pytest.mark.parametrize("sheets", [
    [], [Sheet("A", 2, 2), Sheet("A", 2, 2)], [Sheet("A", 5, 2)], [Sheet("A", 2, 2, south=3)],
    [Sheet("A", 2, 2, west=-1)], [Sheet("AB", 2, 2)],
])
def test_sheets_that_do_not_fit_are_refused(sheets: list[Sheet]) -> None:
    with pytest.raises(ValueError, match=r"sheet"):
        SheetColumnRow(Grid(4, 4), sheets)
