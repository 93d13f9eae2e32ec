"""The map and what stands on it as plain text, for a terminal 200 columns wide or for a region."""

from __future__ import annotations

from lovat.white_death.v1 import catalog_pb2, terms_pb2

from ..hexes import DIRECTIONS, Layout
from .overlays import Overlay
from .picture import Picture, Stack

EDGE = 4
STEP = 4
SIDE_LETTERS = {terms_pb2.SIDE_SOVIET: "S", terms_pb2.SIDE_GERMAN: "G"}
KEY = (
    "Ground: . clear  f forest  T town  h high ground  ~ river  c creek",
    "Ways:   - road  = railroad  # both          Marks: ^ bridge  ! bunker  > under assault",
    "Stacks: S3 three Soviet units  G2 two German  ? of an unknown side",
)


def render_text(
    catalog: catalog_pb2.Catalog, picture: Picture, *, zoc: Overlay | None = None,
    region: tuple[int, int] | None = None,
) -> str:
    """Draw a picture as lines of text: the map, its key and a list of the stacks.

    Every row of hexes is two lines, the odd columns above the even ones or the other way round,
    as they stand on the map. `region` is the hexes at two opposite corners of the part to draw.
    `zoc` names the hexes in each side's zones: the cell ends in `s`, `g` or `x` for both.
    """
    layout = Layout(catalog.map.columns, catalog.map.rows, catalog.map.even_high)
    hexes = {hex_.hex: hex_ for hex_ in catalog.map.hexes}
    units = {unit.id: unit for unit in catalog.units}
    first, last = _corners(layout, region)
    shown = [number for number in sorted(hexes)
             if first[0] <= number // 100 <= last[0] and first[1] <= number % 100 <= last[1]]
    cells = {number: text for number, text in
             ((number, _marks(catalog, picture, number)) for number in shown) if text}
    ways = _ways(catalog, layout)
    stacks = {stack.hex: stack for stack in picture.stacks}
    drawn = {
        number: (_ground(hexes[number]) + ways.get(number, " ")
                 + _stack(stacks.get(number), units) + cells.get(number, "")
                 + _zone(number, zoc))
        for number in shown
    }
    lines = [_heading(catalog, picture), "", *_map(layout, drawn, first, last), ""]
    lines += [*KEY, *([] if zoc is None else ["Zones:  s Soviet  g German  x both"]), ""]
    lines += _list(picture, units, hexes, set(shown))
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _corners(
    layout: Layout, region: tuple[int, int] | None,
) -> tuple[tuple[int, int], tuple[int, int]]:
    if region is None:
        return (1, 1), (layout.columns, layout.rows)
    (a, b), (c, d) = (divmod(number, 100) for number in region)
    return ((max(min(a, c), 1), max(min(b, d), 1)),
            (min(max(a, c), layout.columns), min(max(b, d), layout.rows)))


def _heading(catalog: catalog_pb2.Catalog, picture: Picture) -> str:
    parts = [catalog.scenario.title or "White Death"]
    if picture.turn:
        parts.append(f"turn {picture.turn}")
    if picture.weather:
        name = terms_pb2.Weather.Name(picture.weather)  # type: ignore[arg-type]
        parts.append(name.removeprefix("WEATHER_").lower())
    parts.append("points left: Soviet {} German {}".format(*picture.points))
    parts.append("supply: Soviet {} German {} city {}".format(*picture.supply))
    if picture.victory is not None:
        level = f" ({picture.level})" if picture.level else ""
        parts.append(f"victory points: {picture.victory}{level}")
    return " | ".join(parts)


def _ground(hex_: catalog_pb2.MapHex) -> str:
    land = "T" if hex_.town else "f" if hex_.forest else "h" if hex_.high else ""
    water = "~" if hex_.river else "c" if hex_.creek else ""
    return (land + water or ".").ljust(2)


def _ways(catalog: catalog_pb2.Catalog, layout: Layout) -> dict[int, str]:
    road: set[int] = set()
    rail: set[int] = set()
    for side in catalog.map.hexsides:
        ends = {side.hex, layout.neighbour(side.hex, (side.direction - 1) % DIRECTIONS)}
        road |= ends if side.road else set()
        rail |= ends if side.rail else set()
    return {number: "#" if number in road and number in rail else "-" if number in road else "="
            for number in road | rail}


def _stack(stack: Stack | None, units: dict[str, catalog_pb2.Unit]) -> str:
    if stack is None:
        return ""
    return f"{_letter(stack, units)}{stack.count}"


def _letter(stack: Stack, units: dict[str, catalog_pb2.Unit]) -> str:
    unit = units.get(stack.top)
    return SIDE_LETTERS.get(unit.side, "?") if unit else "?"


def _marks(catalog: catalog_pb2.Catalog, picture: Picture, number: int) -> str:
    bunkered = any(bunker.hex == number and strength for bunker, strength
                   in zip(catalog.bunkers, picture.bunkers, strict=False))
    return (("!" if bunkered else "") + ("^" if number in picture.bridges else "")
            + (">" if any(attack.hex == number for attack in picture.attacks) else ""))


def _zone(number: int, zoc: Overlay | None) -> str:
    if zoc is None:
        return ""
    soviet = number in zoc.get(terms_pb2.SIDE_SOVIET, ())
    german = number in zoc.get(terms_pb2.SIDE_GERMAN, ())
    return "x" if soviet and german else "s" if soviet else "g" if german else ""


def _map(
    layout: Layout, drawn: dict[int, str], first: tuple[int, int], last: tuple[int, int],
) -> list[str]:
    columns = range(first[0], last[0] + 1)
    edge = " " * EDGE + "".join(f"{column:02d}".ljust(STEP) for column in columns)
    lines = [edge]
    for row in range(first[1], last[1] + 1):
        for low in (False, True):
            text = f"{row:02d}".ljust(EDGE) if not low else " " * EDGE
            for column in columns:
                if layout.is_low(column) == low:
                    start = EDGE + (column - columns[0]) * STEP
                    # The next cell of the line is two columns, so two steps, away.
                    text = text.ljust(start) + drawn[column * 100 + row][:2 * STEP]
            text = text.ljust(EDGE + (len(columns) + 1) * STEP)
            lines.append(text + (f" {row:02d}" if not low else ""))
    return [*lines, edge]


def _list(
    picture: Picture, units: dict[str, catalog_pb2.Unit], hexes: dict[int, catalog_pb2.MapHex],
    shown: set[int],
) -> list[str]:
    lines = []
    for stack in picture.stacks:
        if stack.hex not in shown:
            continue
        pieces = [_piece(units.get(piece.unit), piece.unit, piece.strength, piece.deployed)
                  for piece in stack.pieces]
        if stack.count > len(stack.pieces):
            pieces.append(f"and {stack.count - len(stack.pieces)} more")
        place = f"{stack.hex:04d} {hexes[stack.hex].name}".strip()
        label = f"{_letter(stack, units)}{stack.count}"
        lines.append(f"{place:<24} {label:<4} {'; '.join(pieces)}")
    return lines


def _piece(
    unit: catalog_pb2.Unit | None, name: str, strength: int | None, deployed: bool,
) -> str:
    if unit is None:
        return name or "unknown"
    division = f" ({unit.division})" if unit.division and unit.division not in unit.label else ""
    left = "" if strength is None else f" {strength}/{unit.strength}"
    return f"{unit.label}{division} {unit.type}{left}{' deployed' if deployed else ''}"
