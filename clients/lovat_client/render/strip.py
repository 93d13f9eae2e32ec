"""The title strip above the map and the legend below it."""

from __future__ import annotations

from xml.sax.saxutils import escape

from lovat.white_death.v1 import catalog_pb2, terms_pb2

from .counters import BUNKER_FACE, BUNKER_INK
from .geometry import MARGIN, Sheet
from .picture import Picture
from .symbols import PAINTS
from .terrain import (
    CLEAR,
    CREEK,
    FOREST,
    FOREST_DOT,
    FOREST_EDGE,
    GRID,
    HIGH,
    HIGH_DOT,
    HIGH_EDGE,
    LAKE,
    LAKE_EDGE,
    RAIL,
    RIVER,
    RIVER_EDGE,
    RIVER_HATCH,
    ROAD,
    SLOPE,
    TOWN,
    TOWN_EDGE,
    corner_path,
)

INK, PALE = "#2b2722", "#7d7465"
SIDE_NAMES: dict[int, str] = {terms_pb2.SIDE_SOVIET: "Soviet",
                              terms_pb2.SIDE_GERMAN: "German"}
SIDE_COLOURS: dict[int, str] = {terms_pb2.SIDE_SOVIET: "#b5371f",
                               terms_pb2.SIDE_GERMAN: "#4c6350"}
WEATHER_NAMES: dict[int, str] = {
    terms_pb2.WEATHER_FROST: "Frost", terms_pb2.WEATHER_THAW: "Thaw",
    terms_pb2.WEATHER_SNOW: "Snow",
}
POINTS_BOXES = 10
BOX = 62

_COLOUR_KEY = (
    ("russian", "Red Army"), ("guards", "Guards"), ("estonian", "Estonian"),
    ("red_ski", "Soviet ski"), ("army", "German Army"), ("blue_ski", "German ski"),
    ("luftwaffe", "Luftwaffe"), ("abwehr", "Abwehr"), ("ss", "SS"),
    ("axis_estonian", "Axis Estonian"),
)


def title_strip(
    sheet: Sheet, scenario: catalog_pb2.Scenario, picture: Picture, title: str,
) -> str:
    """Title, turn, weather, movement points, supply and victory points."""
    heading = escape(title or scenario.title or "White Death")
    parts = [
        _text(MARGIN, 98, heading, 64, INK, 'class="s serif" font-weight="bold"'),
        _text(MARGIN + 2, 146, escape(_situation(picture)), 31, PALE, 'class="s serif"'),
        _supply(picture, MARGIN + 2, 196),
        _score(picture, MARGIN + 2, 244),
    ]
    right = sheet.width - MARGIN - (POINTS_BOXES + 1) * BOX
    if right > 900:
        parts += [_turns(scenario, picture, right, 44), _points(picture, right, 164)]
    return f'<g id="strip">{"".join(parts)}</g>'


def legend(sheet: Sheet) -> str:
    """A key to the terrain and to the colours of the counters."""
    top = sheet.map_bottom + MARGIN - 10
    parts = [f'<path d="M{MARGIN} {top}H{sheet.width - MARGIN}" stroke="{GRID}" '
             'stroke-width="3"/>']
    step = 266
    across = max((sheet.width - 2 * MARGIN) // step, 1)
    samples = _samples()
    rows = -(-len(samples) // across)
    for index, (name, drawing) in enumerate(samples):
        x, y = MARGIN + index % across * step + 40, top + 58 + index // across * 78
        parts.append(f'<g transform="translate({x} {y})scale(.6)">{drawing}</g>'
                     + _text(x + 46, y + 8, name, 22, INK, 'class="s"'))
    for index, (paint, name) in enumerate(_COLOUR_KEY):
        x, y = MARGIN + index % across * step + 40, top + 58 + (rows + index // across) * 78
        parts.append(f'<g transform="translate({x} {y})scale(.8)"><use href="#k-{paint}"/>'
                     f'<use href="#b-{paint}" y="-7"/><g fill="{PAINTS[paint].ink}" '
                     f'stroke="{PAINTS[paint].ink}" stroke-width="1.6">'
                     f'<use href="#y-{_key_symbol(paint)}" y="-7"/></g></g>'
                     + _text(x + 46, y + 8, name, 22, INK, 'class="s"'))
    return f'<g id="legend">{"".join(parts)}</g>'


def _key_symbol(paint: str) -> str:
    return {"red_ski": "ski", "blue_ski": "ski", "abwehr": "commandoes",
            "luftwaffe": "paratroopers", "axis_estonian": "police"}.get(paint, "infantry")


def _text(x: int, y: int, text: str, size: int, fill: str, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{fill}" {more}>{text}</text>'


def _situation(picture: Picture) -> str:
    parts = []
    if picture.turn:
        parts.append(f"Turn {picture.turn}")
    if picture.weather in WEATHER_NAMES:
        parts.append(WEATHER_NAMES[picture.weather])
    if picture.phasing in SIDE_NAMES:
        impulse = picture.impulses[picture.phasing - 1]
        ordinal = f" impulse {impulse}" if impulse else " impulse"
        spent = f" of {picture.declared} MP" if picture.declared else ""
        parts.append(f"{SIDE_NAMES[picture.phasing]}{ordinal}{spent}")
    if picture.decision:
        name = terms_pb2.DecisionKind.Name(picture.decision)  # type: ignore[arg-type]
        parts.append(name.removeprefix("DECISION_KIND_").replace("_", " ").lower())
    return "\u2003·\u2003".join(parts)


def _supply(picture: Picture, x: int, y: int) -> str:
    names = ("Soviet", "German", "Velikiye Luki")
    pairs = "\u2003".join(f"{name} {points}"
                       for name, points in zip(names, picture.supply, strict=False))
    return _text(x, y, f"Supply points:\u2003{pairs}", 27, INK, 'class="s serif"')


def _score(picture: Picture, x: int, y: int) -> str:
    if picture.victory is None:
        return ""
    level = f"\u2003({escape(picture.level)})" if picture.level else ""
    return _text(x, y, f"Victory points:\u2003{picture.victory}{level}", 27, INK,
                 'class="s serif" font-weight="bold"')


def _turns(scenario: catalog_pb2.Scenario, picture: Picture, x: int, y: int) -> str:
    """The turn record, with the turn that is being played filled."""
    parts = [_text(x - 14, y + 40, "Turn", 24, PALE, 'class="e"')]
    for index, turn in enumerate(range(scenario.first_turn, scenario.last_turn + 1)):
        now = turn == picture.turn
        parts.append(_track_box(x + index * BOX, y, str(turn), INK if now else "#fffdf6",
                                "#fffdf6" if now else INK))
    return "".join(parts)


def _points(picture: Picture, x: int, y: int) -> str:
    """The movement point scale, with a marker for each side on the points that it has left."""
    parts = [_text(x - 14, y + 40, "Movement points left", 24, PALE, 'class="e"')]
    parts += [_track_box(x + points * BOX, y, str(points), "#fffdf6", "#b9b09f")
              for points in range(POINTS_BOXES + 1)]
    for index, side in enumerate(SIDE_NAMES):
        left = min(picture.points[index], POINTS_BOXES)
        centre = x + left * BOX + BOX // 2
        top = y - 24 if index == 0 else y + BOX - 12
        parts.append(f'<rect x="{centre - 25}" y="{top}" width="50" height="36" rx="5" '
                     f'fill="{SIDE_COLOURS[side]}" stroke="#000" stroke-width="1.5"/>'
                     + _text(centre, top + 26, ("RC", "GC")[index], 22, "#fff",
                             'font-weight="bold"'))
    return "".join(parts)


def _track_box(x: int, y: int, text: str, fill: str, ink: str) -> str:
    return (f'<rect x="{x}" y="{y}" width="{BOX}" height="{BOX}" fill="{fill}" '
            f'stroke="{INK}" stroke-width="2"/>'
            + _text(x + BOX // 2, y + 41, text, 28, ink))


def _samples() -> list[tuple[str, str]]:
    blank = f'<use href="#h" fill="{CLEAR}" stroke="{GRID}" stroke-width="2"/>'
    line = "M-60 0Q0-20 60 0"

    def patch(fill: str, edge: str) -> str:
        return f'{blank}<circle r="48" fill="{fill}" stroke="{edge}" stroke-width="3"/>'

    def strewn(name: str, ink: str, width: int) -> str:
        return (f'<use href="#{name}0" stroke="{ink}" stroke-width="{width}" '
                'stroke-linecap="round"/>')

    def stroke(colour: str, width: int, more: str = "") -> str:
        return (f'<path d="{line}" fill="none" stroke="{colour}" stroke-width="{width}" '
                f"{more}/>")

    bunker = (f'<path d="{corner_path((0, 0), 60)}" fill="{BUNKER_FACE}" stroke="#000" '
              f'stroke-width="3"/><text y="10" font-size="30" fill="{BUNKER_INK}">10</text>')
    return [
        ("Clear", blank),
        ("Forest", patch(FOREST, FOREST_EDGE) + strewn("f", FOREST_DOT, 5)),
        ("High ground", patch(HIGH, HIGH_EDGE) + strewn("g", HIGH_DOT, 4)),
        ("Town", patch(TOWN, TOWN_EDGE) + '<use href="#t0"/>'),
        ("River", blank + stroke(RIVER_EDGE, 38) + stroke(RIVER, 32)
         + stroke(RIVER_HATCH, 32, 'stroke-dasharray="2 7"')),
        ("Creek", blank + stroke(CREEK, 6)),
        ("Lake", blank + f'<path d="M-30-52H30" stroke="{LAKE_EDGE}" stroke-width="52" '
         f'stroke-linecap="round"/><path d="M-30-52H30" stroke="{LAKE}" stroke-width="47" '
         'stroke-linecap="round"/>'),
        ("Road", blank + stroke(ROAD, 5)),
        ("Railroad", blank + stroke(RAIL, 5) + stroke(RAIL, 17, 'stroke-dasharray="2.5 11"')),
        ("Slope", blank + f'<use href="#slope" fill="none" stroke="{SLOPE}" stroke-width="2.6"/>'),
        ("Bridge", blank + '<use href="#bridge" fill="none" stroke="#000" stroke-width="5"/>'),
        ("Bunker", blank + bunker),
    ]
