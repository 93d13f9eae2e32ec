"""The orders of appearance: `arrivals.csv` (formations) and `supply.csv` (points a turn)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lovat_server.games.white_death.catalog import Arrival
from lovat_server.games.white_death.terms import Side, Size

from .counter_loader import SIDES
from .faults import Fault
from .rows import (
    ProvenanceCount,
    Row,
    Table,
    count_provenance,
    one_of,
    read_table,
    whole,
)

ARRIVALS = Table("arrivals.csv", ("formation",), (
    "formation", "side", "turn", "impulse", "area", "condition", "regiments", "battalions",
    "companies", "brigades", "provenance", "clause", "note",
))
SUPPLY = Table("supply.csv", ("side", "turn"), (
    "side", "turn", "supply", "replacements", "provenance", "clause",
))
AREAS: Mapping[Side, tuple[str, ...]] = {
    Side.SOVIET: ("E", "SE", "NE"), Side.GERMAN: ("SW", "S", "W", "NW"),
}
TURNS = 13
_COUNTS = {"companies": Size.COMPANY, "battalions": Size.BATTALION, "regiments": Size.REGIMENT,
           "brigades": Size.BRIGADE}


@dataclass(frozen=True, slots=True)
class Formation:
    """A line of the order of appearance, or of the set-up of scenario I (`turn` 0).

    `condition` is "" unless the formation is optional: "die 6", "die 1-4" or "7 Flieger" (with
    it) by WD 17.F, "option" where only an option of the game brings it. `counts` is the printed
    number of counters of each size.
    """

    name: str
    side: Side
    turn: int
    impulse: int
    area: str
    condition: str
    counts: Mapping[Size, int]
    row: Row


def load_formations(
    base: Path, overlay: Path | None, faults: list[Fault]
) -> tuple[dict[str, Formation], ProvenanceCount]:
    """The formations by name, in the order of the file, and the provenance of their rows."""
    rows = read_table(ARRIVALS, base, overlay, faults)
    formations = {row["formation"]: _read_formation(row, faults) for row in rows}
    return formations, count_provenance(rows, faults)


def _read_formation(row: Row, faults: list[Fault]) -> Formation:
    side = SIDES[one_of(row, "side", tuple(SIDES), faults)]
    turn = whole(row, "turn", faults, 0, TURNS)
    if turn:
        impulse = whole(row, "impulse", faults, 1, 2)
        area = one_of(row, "area", AREAS[side], faults)
    else:
        impulse, area = whole(row, "impulse", faults, 0, 0), one_of(row, "area", ("",), faults)
    return Formation(
        row["formation"], side, turn, impulse, area, row["condition"],
        {size: whole(row, column, faults, 0, 99) for column, size in _COUNTS.items()}, row,
    )


def load_supply(
    base: Path, overlay: Path | None, faults: list[Fault]
) -> tuple[tuple[tuple[Arrival, ...], ...], ProvenanceCount]:
    """Points received, ``[side][turn - 1]``, for all turns, and the provenance of the rows."""
    rows = read_table(SUPPLY, base, overlay, faults)
    points: dict[tuple[Side, int], Arrival] = {}
    for row in rows:
        side = SIDES[one_of(row, "side", tuple(SIDES), faults)]
        points[side, whole(row, "turn", faults, 1, TURNS)] = Arrival(
            whole(row, "supply", faults, 0, 20), whole(row, "replacements", faults, 0, 20))
    for side in Side:
        for turn in range(1, TURNS + 1):
            if (side, turn) not in points:
                faults.append(Fault(str(base / SUPPLY.name), 0, "turn",
                                    f"no row for {side.name.lower()} turn {turn}", "one row"))
    arrivals = tuple(
        tuple(points.get((side, turn), Arrival(0, 0)) for turn in range(1, TURNS + 1))
        for side in Side
    )
    return arrivals, count_provenance(rows, faults)
