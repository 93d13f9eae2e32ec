"""How the maps of a VASSAL module lie over the hexes of a scenario.

A calibration is a file of TOML, or of JSON if its name ends in .json:

    format = 1
    scenario = "purkayevs-attack"   # optional: the scenario if the command names none
    module = "White Death"          # optional: the only module whose saves it is for

    [[maps]]                        # one for each map that pieces may lie on
    name = "Main Map"               # as the module names it (CurrentMap)
    x0 = 60                         # from the Hex Grid of the module: X offset, Y offset,
    y0 = 52
    dx = 55.4                       # hex width (from column to column),
    dy = 64.0                       # hex height (from row to row),
    sideways = false                # and whether it is sideways (columns along the other edge)
    column = 1                      # from its Grid Numbering: what the hex at the offset is called,
    row = 1
    column_step = 1                 # -1 if the numbers of columns descend,
    row_step = 1                    # -1 if those of rows do,
    stagger = false                 # and whether it is staggered
    edge_x = 0                      # from the map: its horizontal and vertical padding
    edge_y = 0

    [[maps.boxes]]                  # places on this map that are no hexes: tracks, holding boxes
    name = "Reinforcements"
    x = 2400                        # the corner nearest the origin, and the size, in pixels
    y = 0
    width = 300
    height = 2000
    place = "waiting"               # what a unit in it is: see below

    [[maps.checks]]                 # optional: points whose hex is known, to prove the rest
    hex = 2222
    x = 1223
    y = 1396

    [[maps]]                        # a map without hexes
    name = "Dead Pile"
    place = "eliminated"            # "waiting": off the map with its strength; "eliminated";
                                    # "absent": as if the piece were not there; "ignored": nothing
                                    # on it is a unit

The hex at the offset (x0, y0) is one of the columns whose hexes stand higher; the column next to it
stands half a hex lower. With `stagger` the hexes of that lower column bear numbers one higher.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from ..hexes import Layout
from .errors import VassalError
from .files import Table, read_table


class Place(Enum):
    """What a piece is by where it lies."""

    HEX = "hexes"
    WAITING = "waiting"
    ELIMINATED = "eliminated"
    ABSENT = "absent"
    IGNORED = "ignored"


_ELSEWHERE = [place.value for place in Place if place is not Place.HEX]


@dataclass(frozen=True, slots=True)
class HexGrid:
    """A hex grid as VASSAL describes one. All but the numbers is in pixels."""

    x0: float
    y0: float
    dx: float
    dy: float
    sideways: bool = False
    column: int = 1
    row: int = 1
    column_step: int = 1
    row_step: int = 1
    stagger: bool = False
    edge_x: float = 0
    edge_y: float = 0

    def numbers_at(self, x: float, y: float) -> tuple[int, int]:
        """Column and row of the hex at a point; they may lie outside any map."""
        x, y = x - self.edge_x, y - self.edge_y
        if self.sideways:
            x, y = y, x
        across = math.floor((x - self.x0) / self.dx + 0.5)
        lower = self.dy / 2 if across % 2 else 0
        down = math.floor((y - self.y0 - lower) / self.dy + 0.5)
        if across % 2 and self.stagger:
            down += 1
        return self.column + self.column_step * across, self.row + self.row_step * down

    def is_low(self, column: int) -> bool:
        """Whether the hexes of a column stand half a hex towards the higher numbers of rows."""
        if (column - self.column) % 2 == 0:
            return not self.is_low(self.column + 1)
        return self.stagger == (self.row_step < 0)


@dataclass(frozen=True, slots=True)
class Box:
    """A place on a map that is no hex."""

    name: str
    x: float
    y: float
    width: float
    height: float
    place: Place

    def holds(self, x: float, y: float) -> bool:
        return self.x <= x < self.x + self.width and self.y <= y < self.y + self.height


@dataclass(frozen=True, slots=True)
class Sheet:
    """One map of the module: its grid, or what everything on it is."""

    name: str
    grid: HexGrid | None
    boxes: tuple[Box, ...] = ()
    place: Place = Place.HEX


@dataclass(frozen=True, slots=True)
class Calibration:
    """The maps of a module by name. `scenario` and `module` are "" if the file does not say."""

    file: str
    sheets: dict[str, Sheet]
    scenario: str = ""
    module: str = ""
    checks: tuple[tuple[str, int, float, float], ...] = ()

    def prove(self, layout: Layout) -> None:
        """Compare with the map of the scenario. `VassalError` says what does not fit."""
        for number, sheet in enumerate(self.sheets.values()):
            grid = sheet.grid
            if grid is None:
                continue
            if grid.is_low(2) != layout.is_low(2):
                stands = "lower" if layout.is_low(2) else "higher"
                other = "higher" if layout.is_low(2) else "lower"
                raise VassalError(
                    self.file, f"maps[{number}] ({sheet.name})",
                    f"with column = {grid.column} and stagger = {str(grid.stagger).lower()} the "
                    f"even columns stand half a hex {other}; on the map of the scenario they "
                    f"stand half a hex {stands}")
        for place, hex_, x, y in self.checks:
            sheet = self.sheets[place]
            column, row = sheet.grid.numbers_at(x, y) if sheet.grid else (0, 0)
            if column * 100 + row != hex_:
                raise VassalError(self.file, f"the check of hex {hex_:04d} on {place!r}",
                                  f"{x:g}, {y:g} is column {column}, row {row} by the numbers "
                                  f"of the grid; expected {hex_:04d}")


def read_calibration(path: Path) -> Calibration:
    """Read a calibration. `VassalError` names the key, its value and what was expected."""
    table = read_table(path)
    scenario, module = table.text("scenario", ""), table.text("module", "")
    sheets: dict[str, Sheet] = {}
    checks: list[tuple[str, int, float, float]] = []
    for entry in table.tables("maps"):
        sheet = _sheet(entry)
        if sheet.name in sheets:
            raise entry.wrong("name", sheet.name, "a name that no other map of the file has")
        sheets[sheet.name] = sheet
        for check in entry.tables("checks"):
            if sheet.grid is None:
                raise VassalError(path, check.place, "a map without hexes has no hex to check")
            checks.append((sheet.name, check.whole("hex"), check.number("x"), check.number("y")))
            check.done()
        entry.done()
    table.done()
    if not any(sheet.grid for sheet in sheets.values()):
        raise VassalError(path, "maps", "none of them has hexes; expected at least one with x0, "
                                        "y0, dx and dy")
    return Calibration(str(path), sheets, scenario, module, tuple(checks))


def _sheet(table: Table) -> Sheet:
    name = table.text("name")
    if table.has("place"):
        return Sheet(name, None, (), Place(table.choice("place", _ELSEWHERE)))
    grid = HexGrid(
        x0=table.number("x0"), y0=table.number("y0"),
        dx=table.positive("dx"), dy=table.positive("dy"),
        sideways=table.flag("sideways"), column=table.whole("column", 1),
        row=table.whole("row", 1), column_step=table.choice("column_step", [1, -1], 1),
        row_step=table.choice("row_step", [1, -1], 1), stagger=table.flag("stagger"),
        edge_x=table.number("edge_x", 0), edge_y=table.number("edge_y", 0))
    return Sheet(name, grid, tuple(_box(entry) for entry in table.tables("boxes")))


def _box(table: Table) -> Box:
    box = Box(table.text("name"), table.number("x"), table.number("y"), table.positive("width"),
              table.positive("height"), Place(table.choice("place", _ELSEWHERE)))
    table.done()
    return box
