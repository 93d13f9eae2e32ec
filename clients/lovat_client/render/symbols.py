"""The symbols of unit types and the colours of counters.

A symbol is drawn in ink, as stroke and fill alike, within a box 34 wide and 22 high around 0, 0.
"""

from __future__ import annotations

from typing import NamedTuple

from lovat.white_death.v1 import catalog_pb2, terms_pb2


class Paint(NamedTuple):
    """The colours of a counter: its face, its ink and the inside of its unit box."""

    face: str
    ink: str
    box: str


PAINTS = {
    "russian": Paint("#c79a63", "#17120c", "#d9b384"),
    "estonian": Paint("#8f5f33", "#ffffff", "#7d5029"),
    "guards": Paint("#d9503f", "#17120c", "#e5705f"),
    "red_ski": Paint("#fbfaf5", "#c4231a", "#ffffff"),
    "army": Paint("#a3b39b", "#141a13", "#b6c4ae"),
    "luftwaffe": Paint("#a8cde6", "#101a22", "#bddaee"),
    "abwehr": Paint("#71866c", "#ffffff", "#617659"),
    "ss": Paint("#1f1e1c", "#ffffff", "#33312e"),
    "axis_estonian": Paint("#3c6fb3", "#ffffff", "#3162a3"),
    "blue_ski": Paint("#fbfaf5", "#1d55a8", "#ffffff"),
    "other": Paint("#d6d2c8", "#17120c", "#e4e1d8"),
}

MOBILITY_LETTERS = {
    terms_pb2.MOBILITY_SKI: "S", terms_pb2.MOBILITY_LEG: "L", terms_pb2.MOBILITY_DRAFT: "D",
    terms_pb2.MOBILITY_WHEEL: "W", terms_pb2.MOBILITY_TRACK: "T",
    terms_pb2.MOBILITY_MOTORCYCLE: "M", terms_pb2.MOBILITY_HORSE: "H",
}
SIZE_MARKS = {
    terms_pb2.SIZE_COMPANY: "I", terms_pb2.SIZE_BATTALION: "II",
    terms_pb2.SIZE_REGIMENT: "III", terms_pb2.SIZE_BRIGADE: "X",
}

_CROSS = '<path d="M-17-11 17 11M-17 11 17-11" fill="none"/>'
_WINGS = '<path d="M-9 10q0-7 4.5-7T0 9q0-6 4.5-6T9 10" fill="none"/>'
_PEAK = '<path d="M-6 11 0 2 6 11z"/>'
_OVAL = '<ellipse rx="13" ry="7.5" fill="none"/>'
_GUN = '<circle r="4.6" stroke="none"/>'
_BRIDGEWORK = '<path d="M-10 7V-5H10V7M0-5V5" fill="none" stroke-width="2.4"/>'
_DOME = '<path d="M-13 11A13 15 0 0 1 13 11" fill="none"/>'
_SKI = ('<path d="M-13 7 9-7q4-2 3 2M13 7-9-7q-4-2-3 2" fill="none" stroke-width="2"/>')


def _letters(text: str) -> str:
    return f'<text y="5" font-size="14" stroke="none">{text}</text>'


SYMBOLS = {
    "infantry": _CROSS,
    "mountain infantry": _CROSS + _PEAK,
    "armored infantry": _CROSS + _OVAL,
    "SMG": _CROSS + '<path d="M0-11V11" fill="none"/>',
    "paratroopers": _CROSS + _WINGS,
    "machinegun": '<path d="M-11 0H8M0-11V11M8-4v8" fill="none"/>',
    "heavy infantry": _CROSS + '<path d="M-17-11h7v22h-7z" stroke="none"/>',
    "commandoes": '<path d="M-17 11V-11L17 11z" stroke="none"/>',
    "motorcycle": _CROSS + '<circle cx="-7" cy="8" r="3"/><circle cx="7" cy="8" r="3"/>',
    "cavalry": '<path d="M-17 11 17-11" fill="none"/>',
    "ski": _SKI,
    "engineer": _BRIDGEWORK,
    "construction": '<path d="M-12 7V-5H12V7M-4-5V7M4-5V7" fill="none" stroke-width="2.2"/>',
    "railroad construction":
        '<path d="M-10 3V-7H10V3M0-7V2M-15 8H15M-11 5v6M-4 5v6M4 5v6M11 5v6" fill="none"/>',
    "bridge construction":
        '<path d="M-13-8l5 5H8l5-5M-13 8l5-5H8l5 5" fill="none" stroke-width="2.2"/>',
    "observation": '<path d="M-11 9 0-9 11 9z" fill="none"/><circle cy="3" r="2.6"/>',
    "security": _letters("SEC"),
    "police": _letters("POL"),
    "antitank": '<path d="M-17 11 0-11 17 11" fill="none"/>',
    "antiaircraft": _DOME,
    "heavy antiaircraft": _DOME + '<circle cy="6" r="4" stroke="none"/>',
    "field artillery": _GUN,
    "mortar": '<circle cy="6" r="3.4" fill="none"/><path d="M0 3V-9M-4-5l4-4 4 4" fill="none"/>',
    "mountain artillery": '<circle cy="-4" r="4" stroke="none"/>' + _PEAK,
    "self-propelled field artillery": _OVAL + _GUN,
    "rocket artillery":
        '<circle cy="6" r="3.6" stroke="none"/>'
        '<path d="M-7-1 0-6 7-1M-7-5.5 0-10.5 7-5.5" fill="none" stroke-width="2"/>',
    "airborne artillery": '<circle cy="-4" r="4" stroke="none"/>' + _WINGS,
}

_TRACKS = '<path d="M-22 3q0-4 5-4h33q5 0 5 4t-5 5h-33q-5 0-5-5z"/>'
_TURRETED = _TRACKS + '<path d="M-19-1l5-5h27l6 5z"/>'
SILHOUETTES = {
    "light": _TRACKS + '<path d="M-17-1l4-4h22l6 4zM-7-5l2-6h10l3 6zM7-9.5h11v2.4H7z"/>',
    "medium": _TURRETED + '<path d="M-9-6l2-7h14l5 7zM10-11h16v2.6H10z"/>',
    "heavy": _TURRETED + '<path d="M-13-6l1-8h20l5 8zM11-12.5h15v3.2H11z"/>',
    "assault gun": _TRACKS + '<path d="M-19-1l3-8h18l9 5 9 3zM6-7h19v2.8H6z"/>',
    "tank destroyer":
        _TRACKS + '<path d="M-17-1l4-4h28l5 4zM-13-5l-2-8h13l3 8zM-3-11h27v2.6H-3z"/>',
}
_SHAPES = (
    ("T-60", "light"), ("T-70", "light"), ("PzKw II ", "light"), ("PzKw 38", "light"),
    ("KV", "heavy"), ("StuG", "assault gun"), ("SU-", "assault gun"),
    ("Marder", "tank destroyer"),
)


def paint_of(unit: catalog_pb2.Unit | None) -> str:
    """The name of the colours of a unit's counter."""
    if unit is None:
        return "other"
    if unit.colour == "ski":
        return "red_ski" if unit.side == terms_pb2.SIDE_SOVIET else "blue_ski"
    return unit.colour if unit.colour in PAINTS else "other"


def silhouette_of(unit_type: str) -> str:
    """Which silhouette a type of AFV has."""
    return next((shape for start, shape in _SHAPES if f"{unit_type} ".startswith(start)), "medium")


def short_type(unit_type: str) -> str:
    """The name of an AFV, short enough for its counter."""
    short = unit_type.replace("PzKw", "Pz").replace(" (long)", "L").replace(" (short)", "k")
    return short.replace(" (captured)", "r")


def identifications(unit: catalog_pb2.Unit) -> tuple[str, str]:
    """What stands left and right of the symbol: the division, and the unit itself."""
    right = unit.label
    if unit.division:
        for tail in (f"/{unit.division}", f" {unit.division}"):
            right = right.removesuffix(tail)
        if right == unit.division:
            right = ""
    return unit.division, right


def definitions() -> str:
    """Every symbol and every blank counter, for use by name."""
    parts = [f'<g id="y-{slug(name)}">{shape}</g>' for name, shape in SYMBOLS.items()]
    parts += [f'<g id="v-{slug(name)}" stroke="none">{shape}</g>'
              for name, shape in SILHOUETTES.items()]
    for name, paint in PAINTS.items():
        edge = "#000" if name != "ss" else "#777"
        parts.append(
            f'<g id="k-{name}"><rect x="-33" y="-33" width="66" height="66" rx="5" '
            f'fill="{paint.face}" stroke="{edge}" stroke-width="1.4"/>'
            '<path d="M-31 29V-27q0-4 4-4H29" fill="none" stroke="#fff" stroke-opacity=".55" '
            'stroke-width="2"/></g>'
            f'<rect id="b-{name}" x="-17" y="-11" width="34" height="22" fill="{paint.box}" '
            f'stroke="{paint.ink}" stroke-width="1.6"/>')
    return "".join(parts)


def slug(name: str) -> str:
    """A name fit for the id of an element."""
    return name.lower().replace(" ", "-")
