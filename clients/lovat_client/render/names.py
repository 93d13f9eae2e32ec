"""Hex numbers and place names."""

from __future__ import annotations

from xml.sax.saxutils import escape

from .geometry import Sheet

NUMBER, NAME, HALO = "#6d6452", "#14110d", "#f7f3e6"


def numbers(sheet: Sheet) -> str:
    """The number of each hex, small, inside its northern side."""
    texts = []
    for number in sorted(sheet.hexes):
        x, y = sheet.centre(number)
        texts.append(f'<text x="{x}" y="{y - 38}">{number:04d}</text>')
    return f'<g id="numbers" fill="{NUMBER}" font-size="13.5">{"".join(texts)}</g>'


def places(sheet: Sheet) -> str:
    """The name of each place once, below its southernmost hex; that of the city large above it."""
    texts = []
    for name, members in sorted(_places(sheet).items()):
        centres = [sheet.centre(number) for number in members]
        x = sum(x for x, _ in centres) // len(centres)
        if any(sheet.hexes[number].city for number in members):
            y = min(y for _, y in centres) - 66
            style = 'font-size="50" letter-spacing="7" font-weight="bold"'
            name = name.upper()
        else:
            y = max(y for _, y in centres) + 59
            style = 'font-size="27" font-style="italic" font-weight="bold"'
        common = f'x="{x}" y="{y}" {style}'
        texts.append(f'<text {common} stroke="{HALO}" stroke-width="7" stroke-linejoin="round" '
                     f'stroke-opacity=".85" fill="{HALO}">{escape(name)}</text>'
                     f'<text {common} fill="{NAME}">{escape(name)}</text>')
    return f'<g id="places" class="serif">{"".join(texts)}</g>'


def _places(sheet: Sheet) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for number, hex_ in sorted(sheet.hexes.items()):
        if hex_.name:
            found.setdefault(hex_.name, []).append(number)
    return found
