"""The layers of the ground: patches of forest and high ground, water, towns, slopes, roads."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from lovat.white_death.v1 import catalog_pb2

from ..hexes import DIRECTIONS
from .geometry import CORNERS, SIDE_MIDDLES, Point, Sheet, scatter, shifted
from .water import creek_links, ends_of, river_links

CLEAR = "#f3eedf"
GRID = "#a79f8b"
FOREST, FOREST_EDGE, FOREST_DOT = "#b9cf9b", "#8fad71", "#4f7a43"
HIGH, HIGH_EDGE, HIGH_DOT = "#e4cda2", "#cdb07c", "#a67c45"
TOWN, TOWN_EDGE, BLOCK = "#cfc8bb", "#a39a8a", "#1d1b19"
RIVER, RIVER_EDGE, RIVER_HATCH = "#a9d0ea", "#3f7fae", "#6aa5cd"
CREEK = "#3f86bb"
LAKE, LAKE_EDGE = "#4f97cc", "#2a628f"
ROAD, RAIL = "#26221e", "#b8241c"
SLOPE = "#8a5a2b"
VARIANTS = 4


def definitions() -> str:
    """The shapes that the map uses many times."""
    parts = ['<path id="h" d="M-60 0-30-52h60l30 52-30 52h-60z"/>']
    for variant in range(VARIANTS):
        parts.append(f'<path id="f{variant}" d="{_dots(11 + variant, 46, 47, 11)}"/>')
        parts.append(f'<path id="g{variant}" d="{_dots(31 + variant, 34, 46, 12)}"/>')
        parts.append(f'<path id="t{variant}" d="{_blocks(61 + variant)}"/>')
    ticks = "".join(f"M{x}-50l{(x + 2) % 3 - 1} {14 if x % 12 else 9}" for x in range(-27, 30, 6))
    parts.append(f'<path id="slope" d="M-30-52h60{ticks}"/>')
    parts.append('<path id="bridge" d="M-26-17l6 7h40l6-7M-26 17l6-7h40l6 7"/>')
    return "".join(parts)


def ground(sheet: Sheet) -> str:
    """The hexes themselves, each with an id of its own."""
    uses = []
    for number in sorted(sheet.hexes):
        x, y = sheet.centre(number)
        uses.append(f'<use id="h{number:04d}" href="#h" x="{x}" y="{y}"/>')
    return f'<g id="ground" fill="{CLEAR}" stroke="{CLEAR}">{"".join(uses)}</g>'


def grid(sheet: Sheet) -> str:
    """The sides of the hexes, each drawn once."""
    parts = []
    for number in sorted(sheet.hexes):
        x, y = sheet.centre(number)
        parts.append(f"M{x - 60} {y}l30-52h60l30 52")
        for direction in (2, 3, 4):
            if not sheet.layout.neighbour(number, direction):
                start, end = sheet.corners(number, direction)
                parts.append(f"M{start[0]} {start[1]}L{end[0]} {end[1]}")
    return (f'<path id="grid" d="{"".join(parts)}" fill="none" stroke="{GRID}" '
            'stroke-width="1.6" stroke-linecap="round"/>')


def patches(sheet: Sheet) -> str:
    """High ground, forest and built-up ground, in patches that run together."""
    return "".join((
        _patch(sheet, "high", lambda hex_: hex_.high, HIGH, HIGH_EDGE),
        _strewn(sheet, "g", lambda hex_: hex_.high, HIGH_DOT, 4),
        _patch(sheet, "forest", lambda hex_: hex_.forest, FOREST, FOREST_EDGE),
        _strewn(sheet, "f", lambda hex_: hex_.forest, FOREST_DOT, 5),
    ))


def towns(sheet: Sheet) -> str:
    """Grey ground with black blocks of houses."""
    return "".join((
        _patch(sheet, "town", lambda hex_: hex_.town, TOWN, TOWN_EDGE, width=84),
        _strewn(sheet, "t", lambda hex_: hex_.town, BLOCK, 0),
    ))


def waters(sheet: Sheet, sides: Iterable[catalog_pb2.Hexside]) -> str:
    """Creeks, rivers and lakes."""
    creek = _courses(sheet, ends_of(creek_links(sheet), sheet.layout), wander=13)
    river = _courses(sheet, ends_of(river_links(sheet), sheet.layout), wander=7)
    lake = _lakes(sheet, list(sides))
    round_ = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<path id="creek" d="{creek}" {round_} stroke="{CREEK}" stroke-width="6"/>'
        f'<path d="{river}" {round_} stroke="{RIVER_EDGE}" stroke-width="38"/>'
        f'<path id="river" d="{river}" {round_} stroke="{RIVER}" stroke-width="32"/>'
        f'<path d="{river}" fill="none" stroke="{RIVER_HATCH}" stroke-width="32" '
        'stroke-dasharray="2 7"/>'
        f'<g id="lake" {round_}>{lake}</g>'
    )


def slopes(sheet: Sheet, sides: Iterable[catalog_pb2.Hexside]) -> str:
    """Hachures along the upper side of a slope, pointing down."""
    uses = []
    for side in sides:
        if side.down:
            x, y = sheet.centre(side.hex)
            turn = f"rotate({60 * (side.direction - 1)})" if side.direction > 1 else ""
            uses.append(f'<use href="#slope" transform="translate({x} {y}){turn}"/>')
    return (f'<g id="slopes" fill="none" stroke="{SLOPE}" stroke-width="2.6">'
            f'{"".join(uses)}</g>')


def ways(sheet: Sheet, sides: Iterable[catalog_pb2.Hexside]) -> str:
    """Roads and railroads, from side to side through the middle of each hex."""
    sides = list(sides)
    road = _ways(sheet, _crossings(sheet, sides, lambda side: side.road))
    rail = _ways(sheet, _crossings(sheet, sides, lambda side: side.rail))
    return (
        f'<path d="{road}" fill="none" stroke="{CLEAR}" stroke-width="9" stroke-opacity=".7"/>'
        f'<path id="road" d="{road}" fill="none" stroke="{ROAD}" stroke-width="4.5" '
        'stroke-linecap="round"/>'
        f'<path d="{rail}" fill="none" stroke="{CLEAR}" stroke-width="11" stroke-opacity=".7"/>'
        f'<path id="rail" d="{rail}" fill="none" stroke="{RAIL}" stroke-width="5" '
        'stroke-linecap="round"/>'
        f'<path d="{rail}" fill="none" stroke="{RAIL}" stroke-width="17" '
        'stroke-dasharray="2.5 11"/>'
    )


def _dots(seed: int, count: int, radius: int, gap: int) -> str:
    return "".join(f"M{x} {y}h.1" for x, y in scatter(seed, count, radius, gap))


def _blocks(seed: int) -> str:
    parts = []
    for index, (x, y) in enumerate(scatter(seed, 15, 36, 15)):
        wide, high = ((10, 7), (7, 10), (8, 8), (13, 6), (6, 12))[(index + seed) % 5]
        parts.append(f"M{x - wide // 2} {y - high // 2}h{wide}v{high}h{-wide}z")
    return "".join(parts)


def _strewn(
    sheet: Sheet, name: str, wanted: Callable[[catalog_pb2.MapHex], bool], ink: str, width: int,
) -> str:
    uses = []
    for number, hex_ in sorted(sheet.hexes.items()):
        if wanted(hex_):
            x, y = sheet.centre(number)
            variant = (number // 100 * 7 + number % 100 * 3) % VARIANTS
            uses.append(f'<use href="#{name}{variant}" x="{x}" y="{y}"/>')
    paint = (f'stroke="{ink}" stroke-width="{width}" stroke-linecap="round"' if width
             else f'fill="{ink}"')
    return f'<g {paint}>{"".join(uses)}</g>'


def _patch(
    sheet: Sheet, name: str, wanted: Callable[[catalog_pb2.MapHex], bool], paint: str, edge: str,
    width: int = 96,
) -> str:
    """Discs, bands and triangles between the middles of the hexes, so that they run together."""
    parts = []
    for number, hex_ in sorted(sheet.hexes.items()):
        if not wanted(hex_):
            continue
        x, y = sheet.centre(number)
        parts.append(f"M{x} {y}h.1")
        around = [sheet.layout.neighbour(number, direction) for direction in (1, 2, 3)]
        alike = [other if other and wanted(sheet.hexes[other]) else 0 for other in around]
        for other in filter(None, alike):
            parts.append(_line((x, y), sheet.centre(other)))
        for one, other in ((alike[0], alike[1]), (alike[1], alike[2])):
            if one and other:
                (a, b), (c, d) = sheet.centre(one), sheet.centre(other)
                parts.append(f"M{x} {y}L{a} {b} {c} {d}z")
    path = "".join(parts)
    round_ = 'stroke-linecap="round" stroke-linejoin="round"'
    return (
        f'<path d="{path}" {round_} fill="{edge}" stroke="{edge}" stroke-width="{width + 5}"/>'
        f'<path id="{name}" d="{path}" {round_} fill="{paint}" stroke="{paint}" '
        f'stroke-width="{width}"/>'
    )


def _line(start: Point, end: Point) -> str:
    return f"M{start[0]} {start[1]}L{end[0]} {end[1]}"


def _courses(sheet: Sheet, ends: dict[int, list[int]], wander: int) -> str:
    """Curves through the middles of the hexes, that wander a little; the same ones every time."""
    parts = []
    for number, directions in ends.items():
        sides = list(directions)
        outward = sheet.outward(number, sides[0]) if len(sides) == 1 else None
        if outward is not None:
            sides.append(outward)
        x, y = sheet.centre(number)
        shakes = scatter(number, 2, wander, 1)
        if len(sides) == 2:
            start, end = SIDE_MIDDLES[sides[0]], SIDE_MIDDLES[sides[1]]
            bends = [shifted((middle[0] * 2 // 5, middle[1] * 2 // 5), shake)
                     for middle, shake in zip((start, end), shakes, strict=True)]
            (a, b), (c, d) = bends
            parts.append(f"M{x + start[0]} {y + start[1]}C{x + a} {y + b} {x + c} {y + d} "
                         f"{x + end[0]} {y + end[1]}")
            continue
        for direction in sides:
            middle = SIDE_MIDDLES[direction]
            (a, b) = shakes[0]
            parts.append(f"M{x + middle[0]} {y + middle[1]}Q{x + a} {y + b} {x} {y}")
    return "".join(parts)


def _lakes(sheet: Sheet, sides: list[catalog_pb2.Hexside]) -> str:
    """Full sides from end to end; partial ones from the lake to their middle, and narrower."""
    ends = [point for side in sides if side.lake_full
            for point in sheet.corners(side.hex, side.direction - 1)]
    full, partial = [], []
    for side in sides:
        start, end = sheet.corners(side.hex, side.direction - 1)
        middle = ((start[0] + end[0]) // 2, (start[1] + end[1]) // 2)
        if side.lake_full:
            full.append(_line(start, end))
        elif side.lake_partial:
            near = [point for point in (start, end) if point in ends]
            partial.append(_line(near[0], middle) if near else _line(
                ((start[0] + middle[0]) // 2, (start[1] + middle[1]) // 2),
                ((end[0] + middle[0]) // 2, (end[1] + middle[1]) // 2)))
    wide, narrow = "".join(full), "".join(partial)
    return (
        f'<path d="{narrow}" stroke="{LAKE_EDGE}" stroke-width="32"/>'
        f'<path d="{wide}" stroke="{LAKE_EDGE}" stroke-width="52"/>'
        f'<path d="{narrow}" stroke="{LAKE}" stroke-width="27"/>'
        f'<path d="{wide}" stroke="{LAKE}" stroke-width="47"/>'
    )


def _crossings(
    sheet: Sheet, sides: list[catalog_pb2.Hexside], wanted: Callable[[catalog_pb2.Hexside], bool],
) -> dict[int, list[int]]:
    found: dict[int, set[int]] = {}
    for side in sides:
        if not wanted(side):
            continue
        direction = side.direction - 1
        found.setdefault(side.hex, set()).add(direction)
        other = sheet.layout.neighbour(side.hex, direction)
        if other:
            found.setdefault(other, set()).add((direction + 3) % DIRECTIONS)
    return {number: sorted(directions) for number, directions in sorted(found.items())}


def _ways(sheet: Sheet, crossings: dict[int, list[int]]) -> str:
    parts = []
    for number, sides in crossings.items():
        x, y = sheet.centre(number)
        if len(sides) == 1 and not sheet.hexes[number].town:
            outward = sheet.outward(number, sides[0])
            if outward is not None:
                sides = [*sides, outward]
        middles = [SIDE_MIDDLES[direction] for direction in sides]
        if len(middles) == 2:
            (a, b), (c, d) = middles
            parts.append(f"M{x + a} {y + b}Q{x} {y} {x + c} {y + d}")
        else:
            parts.extend(_line((x + a, y + b), (x, y)) for a, b in middles)
    return "".join(parts)


def corner_path(centre: Point, scale: int) -> str:
    """A hexagon around a point, its corners at `scale` hundredths of those of a hex."""
    points = [(centre[0] + a * scale // 100, centre[1] + b * scale // 100) for a, b in CORNERS]
    return "M" + "L".join(f"{x} {y}" for x, y in points) + "z"
