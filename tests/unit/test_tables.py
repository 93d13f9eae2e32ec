"""Odds tables: the column a ratio reaches, exactly, and the cell a die reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_server.core.tables import OddsTable

NAMES = ("1:3", "1:2", "1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1")
RATIOS = ((1, 3), (1, 2), (1, 1), (3, 2), (2, 1), (3, 1), (4, 1), (5, 1), (6, 1), (7, 1))
TABLE: OddsTable[str] = OddsTable(
    names=NAMES,
    ratios=RATIOS,
    rows=tuple(
        tuple(None if die > column + 2 else f"{name}/{die}" for column, name in enumerate(NAMES))
        for die in range(1, 7)
    ),
)


@pytest.mark.parametrize(("attack", "defence", "name"), [
    (29, 10, "2:1"), (9, 6, "1.5:1"), (8, 6, "1:1"), (5, 10, "1:2"), (2, 6, "1:3"),
    (42, 6, "7:1"), (41, 6, "6:1"), (100, 6, "7:1"),
])
def test_a_ratio_is_rounded_down_to_a_printed_column(
    attack: int, defence: int, name: str
) -> None:
    column = TABLE.column(attack, defence)
    assert column is not None
    assert TABLE.names[column] == name


def test_below_the_first_column_there_is_none() -> None:
    assert TABLE.column(1, 6) is None
    assert TABLE.column(0, 1) is None
    assert TABLE.column(333_333_333, 1_000_000_000) is None


def test_a_column_that_the_table_lacks_reads_the_one_below() -> None:
    antitank: OddsTable[int] = OddsTable(("3:1", "5:1"), ((3, 1), (5, 1)), ((1, 2),))
    assert antitank.column(4, 1) == 0


def test_a_cell_is_read_by_die_and_column() -> None:
    assert TABLE.result(4, 1) == "2:1/1"
    assert TABLE.result(0, 2) == "1:3/2"


def test_an_empty_cell_is_no_effect() -> None:
    assert TABLE.result(0, 3) is None


def test_a_modified_die_off_the_table_reads_its_first_or_last_row() -> None:
    assert TABLE.result(9, -2) == TABLE.result(9, 1) == "7:1/1"
    assert TABLE.result(9, 11) == TABLE.result(9, 6) == "7:1/6"


@given(st.integers(0, 500), st.integers(1, 500), st.integers(1, 50))
def test_a_column_depends_on_the_ratio_alone(attack: int, defence: int, times: int) -> None:
    assert TABLE.column(attack, defence) == TABLE.column(attack * times, defence * times)


@given(st.integers(0, 500), st.integers(1, 500))
def test_more_fire_never_reads_a_lower_column(attack: int, defence: int) -> None:
    less, more = TABLE.column(attack, defence), TABLE.column(attack + 1, defence)
    assert less is None or (more is not None and more >= less)
