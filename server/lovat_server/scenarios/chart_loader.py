"""The printed charts, in the shape they are printed: `charts/*.csv` to `Charts`."""

from __future__ import annotations

from pathlib import Path

from lovat_server.core.tables import OddsTable
from lovat_server.games.white_death.catalog import Charts, Cost
from lovat_server.games.white_death.terms import MP, Mobility, Weather

from .arrival_loader import TURNS
from .faults import Fault
from .rows import (
    ProvenanceCount,
    Row,
    Table,
    count_provenance,
    exact,
    one_of,
    provenance,
    read_table,
    whole,
)

CONVENTIONAL_COLUMNS = ("1:3", "1:2", "1:1", "1.5:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7+:1")
ANTITANK_COLUMNS = ("1:3", "1:1", "2:1", "3:1", "5:1", "6:1")
BARRAGE_COLUMNS = ("4-9", "10-19", "20-29", "30-39", "40-49", "50-59", "60+")
TERRAINS = ("clear", "road", "creek", "river", "forest", "town", "forest_creek", "lake_frozen",
            "lake_thaw")
DEFENCE_TERRAINS = ("clear", "creek", "river", "forest", "town", "forest_creek", "bunker")
MODIFIERS = ("personnel", "afv", "bunker", "town", "forest", "creek", "river", "unobserved")
_WEATHERS = {"F": Weather.FROST, "T": Weather.THAW, "S": Weather.SNOW}
_HITS = {"": None, "X": 1, "2X": 2}
_MORALE = {"": None, "MC": (0,), **{f"MC{lost}": (lost,) for lost in range(1, 10)}}
_RATIOS = {"1.5:1": (3, 2), "7+:1": (7, 1)}
_TURNS = tuple(str(turn) for turn in range(1, TURNS + 1))
_MOBILITIES = tuple(mobility.name.lower() for mobility in Mobility)
_SOURCE = ("provenance", "clause")

MOVEMENT = Table("charts/movement.csv", ("terrain",), ("terrain", *_MOBILITIES, *_SOURCE))
DEFENCE = Table("charts/defence.csv", ("terrain",), (
    "terrain", "personnel", "heavy", "light", *_SOURCE, "weapons_provenance", "note"))
CONVENTIONAL = Table("charts/conventional.csv", ("die",),
                     ("die", *CONVENTIONAL_COLUMNS, *_SOURCE))
ANTITANK = Table("charts/antitank.csv", ("die",), ("die", *ANTITANK_COLUMNS, *_SOURCE))
BARRAGE = Table("charts/barrage.csv", ("die",), ("die", *BARRAGE_COLUMNS, *_SOURCE))
BARRAGE_MODIFIERS = Table("charts/barrage_modifiers.csv", ("modifier",),
                          ("modifier", "value", *_SOURCE, "note"))
WEATHER = Table("charts/weather.csv", ("die",), ("die", *_TURNS, *_SOURCE))
CHARTS = (MOVEMENT, DEFENCE, CONVENTIONAL, ANTITANK, BARRAGE, BARRAGE_MODIFIERS, WEATHER)


def load_charts(
    base: Path, overlay: Path | None, faults: list[Fault]
) -> tuple[Charts, ProvenanceCount]:
    """All seven charts and the provenance of their rows; faults are appended."""
    rows = {table.name: _ordered(table, base, overlay, faults) for table in CHARTS}
    movement = rows[MOVEMENT.name]
    charts = Charts(
        movement=tuple(
            {row["terrain"]: read_cost(row, name, faults) for row in movement}
            for name in _MOBILITIES
        ),
        defence={
            row["terrain"]: (whole(row, "personnel", faults, 1, 99),
                             whole(row, "light", faults, 1, 99),
                             whole(row, "heavy", faults, 1, 99))
            for row in rows[DEFENCE.name]
        },
        conventional=OddsTable(
            CONVENTIONAL_COLUMNS, tuple(_ratio(name) for name in CONVENTIONAL_COLUMNS),
            tuple(tuple(_MORALE[one_of(row, name, tuple(_MORALE), faults)]
                        for name in CONVENTIONAL_COLUMNS) for row in rows[CONVENTIONAL.name]),
        ),
        antitank=OddsTable(
            ANTITANK_COLUMNS, tuple(_ratio(name) for name in ANTITANK_COLUMNS),
            tuple(tuple(_HITS[one_of(row, name, tuple(_HITS), faults)]
                        for name in ANTITANK_COLUMNS) for row in rows[ANTITANK.name]),
        ),
        barrage_columns=tuple(int(name.partition("-")[0].rstrip("+"))
                              for name in BARRAGE_COLUMNS),
        barrage=tuple(
            tuple(0 if row[name] == "-" else whole(row, name, faults, 1, 99)
                  for name in BARRAGE_COLUMNS) for row in rows[BARRAGE.name]
        ),
        barrage_modifiers={row["modifier"]: whole(row, "value", faults, -15, 15)
                           for row in rows[BARRAGE_MODIFIERS.name]},
        weather=tuple(
            tuple(_WEATHERS[one_of(row, turn, tuple(_WEATHERS), faults)]
                  for row in rows[WEATHER.name]) for turn in _TURNS
        ),
    )
    sources = ProvenanceCount()
    for table in rows.values():
        sources.update(count_provenance(table, faults))
    sources.update(provenance(row, "weapons_provenance", faults) for row in rows[DEFENCE.name])
    return charts, sources


def read_cost(row: Row, column: str, faults: list[Fault]) -> Cost:
    """A cell of the movement chart: "1/2", "1-3" (enter-leave), "+1", "NE" or "P"."""
    text = row[column].strip()
    if text == "P":
        return Cost(None)
    if text == "NE":
        return Cost(0)
    enter, dash, leave = text.removeprefix("+").partition("-")
    price, extra = exact(enter, MP), exact(leave, MP) if dash else 0
    if price is None or extra is None:
        faults.append(row.fault(column, f"{text!r} is no movement cost",
                                f"P, NE, or fractions in steps of 1/{MP} such as 1/2, 1-3, +1"))
        return Cost(None)
    return Cost(price, extra)


def _ordered(table: Table, base: Path, overlay: Path | None, faults: list[Fault]) -> list[Row]:
    """The rows in the order of the chart; each must be there, and no other."""
    rows = {row[table.key[0]]: row for row in read_table(table, base, overlay, faults)}
    wanted = _keys(table)
    for key, row in rows.items():
        if key not in wanted:
            faults.append(row.fault(table.key[0], f"{key!r} is unknown", " or ".join(wanted)))
    for key in wanted:
        if key not in rows:
            faults.append(Fault(str(base / table.name), 0, table.key[0],
                                f"no row {key!r}", "one row"))
    return [rows[key] for key in wanted if key in rows]


def _keys(table: Table) -> tuple[str, ...]:
    if table is MOVEMENT:
        return TERRAINS
    if table is DEFENCE:
        return DEFENCE_TERRAINS
    if table is BARRAGE_MODIFIERS:
        return MODIFIERS
    if table is BARRAGE:
        return (*(str(die) for die in range(1, 15)), "15+")
    return tuple(str(die) for die in range(1, 7))


def _ratio(name: str) -> tuple[int, int]:
    """The column "1.5:1" as the exact ratio 3 to 2."""
    if name in _RATIOS:
        return _RATIOS[name]
    attack, _, defence = name.partition(":")
    return int(attack), int(defence)
