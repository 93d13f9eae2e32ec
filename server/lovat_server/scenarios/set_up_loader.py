"""A standard set-up: `set_up_N.csv`, a unit and its hex on every row.

`set_up_N_bridges.csv` beside it has the same columns: the hex where a unit begins with its bridge.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from .faults import Fault
from .rows import ProvenanceCount, Row, Table, count_provenance, read_table


def bridges_name(name: str) -> str:
    """The file with the bridges of a standard set-up."""
    return name.replace(".csv", "_bridges.csv")


def set_up_table(name: str) -> Table:
    return Table(name, ("unit",), ("unit", "hex", "provenance", "note"))


def load_set_up(
    name: str, base: Path, overlay: Path | None, hexes: Collection[int], faults: list[Fault]
) -> tuple[dict[str, int], ProvenanceCount, dict[str, Row]]:
    """The printed number of each unit's hex, the provenance of the rows, and the rows by unit.

    All three are empty for the name "". A hex that is not in `hexes` is a fault.
    """
    if not name:
        return {}, ProvenanceCount(), {}
    rows = {row["unit"]: row for row in read_table(set_up_table(name), base, overlay, faults)}
    places: dict[str, int] = {}
    for unit, row in rows.items():
        if row["hex"].isdecimal() and int(row["hex"]) in hexes:
            places[unit] = int(row["hex"])
        else:
            faults.append(row.fault("hex", f"{row['hex']!r} is no hex of the map",
                                    "a column and a row of two digits each, such as 2122"))
    return places, count_provenance(rows.values(), faults), rows
