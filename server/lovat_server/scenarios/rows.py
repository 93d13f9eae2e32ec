"""CSV tables with their lines: a base table, an overlay over it, and cells read with care.

Every reader appends to a list of faults and returns a harmless value, so that one pass over a
folder finds everything that is wrong with it.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from lovat_server.core.provenance import Provenance

from .faults import Fault

ProvenanceCount = Counter[Provenance]


@dataclass(frozen=True, slots=True)
class Table:
    """A CSV file: its path inside the game's folder, its key, and the columns it must have."""

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a CSV file; `line` counts from 1, the header being line 1."""

    file: str
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def fault(self, column: str, message: str, expected: str) -> Fault:
        return Fault(self.file, self.line, column, message, expected)


def read_table(
    table: Table, base: Path, overlay: Path | None, faults: list[Fault]
) -> list[Row]:
    """The rows of the base, those of the overlay in place of rows with the same key or after.

    The order is that of the base. A missing base file, a missing column and a key that stands
    twice are faults; rows with too few or too many cells are left out.
    """
    rows = _rows_by_key(table, base / table.name, faults, required=True)
    if overlay is not None:
        rows.update(_rows_by_key(table, overlay / table.name, faults, required=False))
    return list(rows.values())


def overlay_rows(table: Table, overlay: Path) -> dict[tuple[str, ...], Row]:
    """The rows an overlay brings, by key; faulty ones are left out."""
    return _rows_by_key(table, overlay / table.name, [], required=False)


def _rows_by_key(
    table: Table, path: Path, faults: list[Fault], *, required: bool
) -> dict[tuple[str, ...], Row]:
    if not path.is_file():
        if required:
            faults.append(Fault(str(path), 0, "", "the file is missing", "a CSV file"))
        return {}
    found: dict[tuple[str, ...], Row] = {}
    with path.open(encoding="utf-8-sig", newline="") as stream:
        reader = csv.reader(stream)
        header = next(reader, [])
        missing = [column for column in table.columns if column not in header]
        for column in missing:
            faults.append(Fault(str(path), 1, column, "the column is missing",
                                f"columns {','.join(table.columns)}"))
        if missing:
            return {}
        for cells in reader:
            if not any(cells):
                continue
            row = Row(str(path), reader.line_num, dict(zip(header, cells, strict=False)))
            if len(cells) != len(header):
                faults.append(row.fault("", f"{len(cells)} cells", f"{len(header)} cells"))
                continue
            key = tuple(row[column] for column in table.key)
            if key in found:
                faults.append(row.fault(table.key[0], f"{'/'.join(key)} stands twice",
                                        f"one row, as line {found[key].line}"))
                continue
            found[key] = row
    return found


def whole(row: Row, column: str, faults: list[Fault], low: int = 0, high: int = 9999) -> int:
    """A whole number from `low` to `high`; `low` if it is none."""
    text = row[column].strip()
    digits = text.removeprefix("+").removeprefix("-")
    if digits.isdecimal() and low <= int(text) <= high:
        return int(text)
    faults.append(row.fault(column, f"{text!r} is not a number that fits",
                            f"a whole number from {low} to {high}"))
    return low


def units_of(row: Row, column: str, unit: int, faults: list[Fault]) -> int:
    """A number or fraction such as 1/4 as a count of 1/`unit`; 0 if it is none."""
    value = exact(row[column], unit)
    if value is None:
        faults.append(row.fault(column, f"{row[column]!r} is not a number that fits",
                                f"a number or a fraction in steps of 1/{unit}"))
    return value or 0


def exact(text: str, unit: int) -> int | None:
    """"1/4" as a count of 1/`unit`; None unless it is a whole, non-negative count."""
    top, _, bottom = text.strip().partition("/")
    if not top.isdecimal() or (bottom and not bottom.isdecimal()) or bottom == "0":
        return None
    value = Fraction(int(top), int(bottom or "1")) * unit
    return value.numerator if value.denominator == 1 else None


def one_of(row: Row, column: str, options: Collection[str], faults: list[Fault]) -> str:
    """One of the words; the first of them if the cell is none."""
    if row[column] in options:
        return row[column]
    faults.append(row.fault(column, f"{row[column]!r} is unknown", " or ".join(options)))
    return next(iter(options))


def yes(row: Row, column: str, faults: list[Fault]) -> bool:
    return one_of(row, column, ("no", "yes"), faults) == "yes"


WORDS = tuple(source.value for source in Provenance)


def provenance(row: Row, column: str, faults: list[Fault]) -> Provenance:
    """Where a value comes from; reconstructed if the cell does not say."""
    if row[column] in WORDS:
        return Provenance(row[column])
    faults.append(row.fault(column, f"{row[column]!r} is no provenance", " or ".join(WORDS)))
    return Provenance.RECONSTRUCTED


def count_provenance(rows: Iterable[Row], faults: list[Fault]) -> ProvenanceCount:
    """How many rows have each provenance."""
    return Counter(provenance(row, "provenance", faults) for row in rows)
