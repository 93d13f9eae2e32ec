"""What an overlay changes, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .arrival_loader import ARRIVALS, SUPPLY
from .chart_loader import CHARTS
from .counter_loader import COUNTERS
from .faults import Fault
from .folders import game_folder
from .map_tables import MAP_TABLES
from .rows import Row, Table, overlay_rows
from .set_up_loader import bridges_name, set_up_table
from .toml_table import read_toml

SET_UPS = ("set_up_1.csv", "set_up_2.csv", "set_up_3.csv", "set_up_4.csv", "set_up_5.csv")
"""The standard set-ups; the first has no bridges of its own."""

TABLES: tuple[Table, ...] = (COUNTERS, ARRIVALS, SUPPLY, *CHARTS, *MAP_TABLES,
                             *(set_up_table(name) for name in SET_UPS),
                             *(set_up_table(bridges_name(name)) for name in SET_UPS[1:]))


@dataclass(frozen=True, slots=True)
class Change:
    """One cell that an overlay changes; `old` is "" and `key` new for an added row.

    For a TOML file `key` is the path of the table and `column` the last part of it.
    """

    file: str
    key: str
    column: str
    old: str
    new: str


def diff_data(overlay: Path) -> list[Change]:
    """The changes of an overlay against the data of the server, in the order of the files.

    A row that equals the one it replaces changes nothing. Faulty rows are left out:
    `check_data` reports them.
    """
    base = game_folder()
    changes = [change for table in TABLES for change in _table_changes(table, base, overlay)]
    for path in sorted(overlay.glob("scenario_*.toml")):
        changes += _toml_changes(base / path.name, path)
    return changes


def _table_changes(table: Table, base: Path, overlay: Path) -> Iterator[Change]:
    new_rows = overlay_rows(table, overlay)
    if not new_rows:
        return
    old_rows: Mapping[tuple[str, ...], Row] = overlay_rows(table, base)
    for key, new in new_rows.items():
        old = old_rows.get(key)
        for column, value in new.cells.items():
            before = old.cells.get(column, "") if old else ""
            if before != value:
                yield Change(table.name, "/".join(key), column, before, value)


def _toml_changes(base: Path, path: Path) -> Iterator[Change]:
    ignored: list[Fault] = []
    old = _flat(read_toml(base, ignored).values)
    new = _flat(read_toml(path, ignored).values)
    for key in sorted(old.keys() | new.keys()):
        before, after = old.get(key, ""), new.get(key, "")
        if before != after:
            table, _, column = key.rpartition(".")
            yield Change(path.name, table, column, before, after)


def _flat(values: Mapping[str, Any], path: str = "") -> dict[str, str]:
    flat: dict[str, str] = {}
    for key, value in values.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{path}{key}.")
        elif isinstance(value, list) and value and isinstance(value[0], Mapping):
            for place, item in enumerate(value):
                flat |= _flat(item, f"{path}{key}[{place}].")
        else:
            flat[f"{path}{key}"] = str(value)
    return flat
