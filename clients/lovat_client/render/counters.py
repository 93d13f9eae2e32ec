"""What stands on the map: counters, bunkers, bridges and arrows of assault."""

from __future__ import annotations

from collections.abc import Mapping
from xml.sax.saxutils import escape

from lovat.white_death.v1 import catalog_pb2, terms_pb2

from .geometry import Point, Sheet, shifted
from .picture import Attack, Picture, Piece, Stack
from .symbols import (
    MOBILITY_LETTERS,
    PAINTS,
    SIZE_MARKS,
    SYMBOLS,
    identifications,
    paint_of,
    short_type,
    silhouette_of,
    slug,
)
from .terrain import corner_path

STEP = 4
MOST_SHOWN = 4
BUNKER_FACE, BUNKER_INK = "#5d5a55", "#ffffff"
ATTACK = "#d0201a"

Units = Mapping[str, catalog_pb2.Unit]


def stacks(sheet: Sheet, picture: Picture, units: Units) -> str:
    """Every stack: its top counter, the edges of those below and how many there are."""
    return "".join(_stack(sheet, stack, units) for stack in picture.stacks
                   if stack.hex in sheet.hexes)


def bunkers(sheet: Sheet, picture: Picture, printed: list[catalog_pb2.Bunker]) -> str:
    """Each bunker that is left, with its strength."""
    parts = []
    for bunker, strength in zip(printed, picture.bunkers, strict=False):
        if not strength:
            continue
        x, y = shifted(sheet.centre(bunker.hex), (-42, 24))
        parts.append(
            f'<g class="bunker"><path d="{corner_path((x, y), 33)}" fill="{BUNKER_FACE}" '
            f'stroke="#000" stroke-width="2"/>'
            f'<text x="{x}" y="{y + 6}" font-size="17" font-weight="bold" fill="{BUNKER_INK}">'
            f"{strength}</text></g>")
    return f'<g id="bunkers">{"".join(parts)}</g>'


def bridges(sheet: Sheet, picture: Picture) -> str:
    """Each bridge, beside the stack of its hex if there is one."""
    occupied = {stack.hex for stack in picture.stacks}
    parts = []
    for number in picture.bridges:
        if number in sheet.hexes:
            x, y = sheet.centre(number)
            place = (f'transform="translate({x} {y + 41})scale(.55)"' if number in occupied
                     else f'x="{x}" y="{y}"')
            parts.append(f'<use href="#bridge" {place}/>')
    uses = "".join(parts)
    return (f'<g fill="none" stroke="#fff" stroke-width="9">{uses}</g>'
            f'<g id="bridges" fill="none" stroke="#000" stroke-width="5">{uses}</g>')


def attacks(sheet: Sheet, picture: Picture) -> str:
    """An arrow for each hex that assaults, and a ring around each that is assaulted."""
    return f'<g id="assaults">{"".join(_attack(sheet, each) for each in picture.attacks)}</g>'


def counter(unit: catalog_pb2.Unit | None, piece: Piece) -> str:
    """One counter around 0, 0."""
    name = paint_of(unit)
    ink = PAINTS[name].ink
    blank = f'<use href="#k-{name}"/>'
    if unit is None:
        return f'{blank}<text y="8" font-size="26" fill="{ink}">?</text>'
    left, right = (escape(text) for text in identifications(unit))
    is_afv = unit.kind == terms_pb2.KIND_AFV
    inside = _silhouette(unit, left, right) if is_afv else _box(unit, name, left, right)
    return (f'{blank}<g fill="{ink}" stroke="{ink}">{inside}</g>'
            f"{_strength(unit, piece, ink)}{_marks(piece, ink)}")


def _box(unit: catalog_pb2.Unit, name: str, left: str, right: str) -> str:
    symbol = (f'<use href="#y-{slug(unit.type)}" y="-7" stroke-width="1.6"/>'
              if unit.type in SYMBOLS else
              f'<text y="-2" font-size="13" stroke="none">{escape(unit.type[:3].upper())}</text>')
    size = SIZE_MARKS.get(unit.size, "")
    return (
        f'<use href="#b-{name}" y="-7"/>{symbol}'
        f'<text y="-20" class="size" stroke="none">{size}</text>'
        f"{_upright(left, -21, -90)}{_upright(right, 21, 90)}"
    )


def _silhouette(unit: catalog_pb2.Unit, left: str, right: str) -> str:
    shape = silhouette_of(unit.type)
    return (
        f'<use href="#v-{slug(shape)}" y="-8"/>'
        f'<text x="-29" y="-20" class="s" stroke="none">{left}</text>'
        f'<text x="29" y="-20" class="e" stroke="none">{right}</text>'
        f'<text y="10" class="type" stroke="none">{escape(short_type(unit.type))}</text>'
    )


def _upright(text: str, x: int, turn: int) -> str:
    if not text:
        return ""
    size = 11 if len(text) <= 5 else 9 if len(text) <= 7 else 8
    return (f'<text transform="translate({x} -7)rotate({turn})" font-size="{size}" '
            f'stroke="none">{text}</text>')


def _strength(unit: catalog_pb2.Unit, piece: Piece, ink: str) -> str:
    """The strength left, in a white ring once it is less than is printed, and the mobility."""
    letter = MOBILITY_LETTERS.get(unit.mobility, "")
    strength = unit.strength if piece.strength is None else piece.strength
    low = 29 if unit.kind == terms_pb2.KIND_AFV else 26
    letter_text = f'<text x="20" y="{low}" font-size="13" fill="{ink}">{letter}</text>'
    if strength == unit.strength:
        return f'{letter_text}<text y="{low}" class="str" fill="{ink}">{strength}</text>'
    return (f'{letter_text}<circle cy="{low - 8}" r="11" fill="#fff" stroke="#000"/>'
            f'<text y="{low - 1}" class="str" fill="{ATTACK}">{strength}</text>')


def _marks(piece: Piece, ink: str) -> str:
    deployed = (f'<path d="M-29 15h14l-7 12z" fill="{ink}"/>' if piece.deployed else "")
    isolated = (f'<circle cx="32" cy="-32" r="5.5" fill="{ATTACK}" stroke="#fff" '
                'stroke-width="1.5"/>' if piece.isolated else "")
    return deployed + isolated


def _stack(sheet: Sheet, stack: Stack, units: Units) -> str:
    centre = sheet.centre(stack.hex)
    below = min(stack.count, MOST_SHOWN) - 1
    x, y = shifted(centre, (-STEP * below // 2, -STEP * below // 2 + 3))
    top = units.get(stack.top)
    parts = []
    for depth in range(below, 0, -1):
        piece = stack.pieces[depth] if depth < len(stack.pieces) else None
        name = paint_of(units.get(piece.unit) if piece else top)
        parts.append(f'<use href="#k-{name}" x="{STEP * depth}" y="{STEP * depth}"/>')
    piece = stack.pieces[0] if stack.pieces else Piece("")
    parts.append(counter(top, piece))
    if stack.count > 1:
        at = 30 + STEP * below
        parts.append(f'<circle cx="{at}" cy="{at - 2}" r="11" fill="#111" stroke="#fff" '
                     f'stroke-width="1.5"/><text x="{at}" y="{at + 3}" font-size="14" '
                     f'font-weight="bold" fill="#fff">{stack.count}</text>')
    return (f'<g id="s{stack.hex:04d}" class="stack" transform="translate({x} {y})">'
            f"<title>{escape(_tip(stack, units))}</title>{''.join(parts)}</g>")


def _tip(stack: Stack, units: Units) -> str:
    lines = [f"{stack.hex:04d}: {stack.count} unit{'s' if stack.count > 1 else ''}"]
    for piece in stack.pieces:
        unit = units.get(piece.unit)
        label = f"{unit.label} {unit.type}" if unit else piece.unit
        lines.append(label if piece.strength is None else f"{label} {piece.strength}")
    if len(stack.pieces) < stack.count:
        lines.append(f"and {stack.count - len(stack.pieces)} more")
    return "\n".join(lines)


def _attack(sheet: Sheet, attack: Attack) -> str:
    if attack.hex not in sheet.hexes:
        return ""
    x, y = sheet.centre(attack.hex)
    ring = (f'<path d="{corner_path((x, y), 92)}" fill="none" '
            f'stroke="{ATTACK}" stroke-width="6" stroke-dasharray="16 8"/>')
    arrows = "".join(_arrow(sheet.centre(origin), (x, y)) for origin in attack.origins
                     if origin in sheet.hexes)
    return ring + arrows


def _arrow(start: Point, end: Point) -> str:
    """An arrow across the side between two hexes, clear of the counters in them."""
    x, y = end[0] - start[0], end[1] - start[1]

    def point(along: int, aside: int) -> str:
        return (f"{start[0] + (x * along - y * aside) // 100} "
                f"{start[1] + (y * along + x * aside) // 100}")

    shape = ((34, -6), (54, -6), (54, -15), (74, 0), (54, 15), (54, 6), (34, 6))
    path = "L".join(point(along, aside) for along, aside in shape)
    return f'<path d="M{path}z" fill="{ATTACK}" stroke="#fff" stroke-width="2"/>'
