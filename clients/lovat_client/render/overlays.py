"""What may be laid over the map on request: zones of control and supply."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from .geometry import Sheet
from .strip import SIDE_COLOURS

Overlay = Mapping[int, Collection[int]]

_HATCH = {1: ("M-45-26 30-52M-55 9 45-26M-45 26 55-9M-30 52 45 26"),
          2: ("M-30-52 45-26M-45-26 55 9M-55-9 45 26M-45 26 30 52")}


def definitions() -> str:
    """The hatching of each side's zones: one leans left, the other right."""
    return "".join(f'<path id="z{side}" d="{path}"/>' for side, path in _HATCH.items())


def zones(sheet: Sheet, zoc: Overlay | None) -> str:
    """Hatch the hexes in each side's zones of control."""
    return _laid(sheet, zoc, "zoc", lambda side, x, y: f'<use href="#z{side}" x="{x}" y="{y}"/>',
                 'stroke-width="4" stroke-opacity=".5" fill="none"')


def supplies(sheet: Sheet, supply: Overlay | None) -> str:
    """Dot the hexes from which each side's units can trace supply."""
    return _laid(
        sheet, supply, "supply",
        lambda side, x, y: f'<path d="M{x + (-26 if side == 1 else 26)} {y + 43}h.1"/>',
        'stroke-width="11" stroke-linecap="round"')


def _laid(
    sheet: Sheet, overlay: Overlay | None, name: str, mark: Callable[[int, int, int], str],
    style: str,
) -> str:
    if overlay is None:
        return ""
    parts = []
    for side in sorted(overlay):
        marks = [mark(side, *sheet.centre(number)) for number in sorted(set(overlay[side]))
                 if number in sheet.hexes]
        parts.append(f'<g stroke="{SIDE_COLOURS.get(side, "#555")}" {style}>{"".join(marks)}</g>')
    return f'<g id="{name}">{"".join(parts)}</g>'
