"""[WD 17] When and where new units enter."""

from __future__ import annotations

from .position import Position
from .terms import OFF_MAP, Side, Status

RETURN_AREAS = {Side.SOVIET: ("E", "NE", "SE"), Side.GERMAN: ("S", "SW", "W", "NW")}
"""[WD 18, 23] Where re-equipped units come back; a refitted brigade comes by the east."""


def is_due(position: Position, index: int) -> bool:
    """[WD 17, Order] The unit waits outside and may enter in the impulse its side has begun.

    NOTE(WD 17): a unit of the second impulse whose side has no second impulse that turn comes
    with the first of the next. Whatever does not enter when it first could may enter later.
    """
    unit, printed = position.units[index], position.catalog.units[index]
    if unit.hex != OFF_MAP or not unit.strength or unit.status & Status.WITHHELD:
        return False
    impulse = position.impulses[printed.side]
    if unit.due:
        return position.turn >= unit.due and impulse >= 1
    if not printed.arrival_turn:
        return False
    if position.turn == printed.arrival_turn:
        return impulse >= max(1, printed.arrival_impulse)
    return position.turn > printed.arrival_turn and impulse >= 1


def is_awaited(position: Position, index: int) -> bool:
    """[WD 17, 18, 23] The unit waits outside with strength, due now or later."""
    unit = position.units[index]
    return unit.hex == OFF_MAP and unit.strength > 0


def entry_areas(position: Position, index: int) -> tuple[str, ...]:
    """[WD 17.A-B, 17.D-E, Order] The open areas a unit may enter by this turn, its own one first.

    NOTE(WD 17.D): an area that the clause opens one turn later stays open after that. It counts
    from the turn of the order of appearance.
    """
    printed = position.catalog.units[index]
    if position.units[index].due:
        return_areas = RETURN_AREAS[printed.side] if printed.kind.is_weapons else ("E",)
        return tuple(area for area in return_areas if not is_closed(position, area, printed.side))
    own = printed.arrival_area
    areas = [own]
    if printed.side == Side.GERMAN:
        if own == "S":
            areas.append("SW")
        if own in ("S", "SW") and position.turn > printed.arrival_turn:
            areas.append("W")
    return tuple(area for area in areas if not is_closed(position, area, printed.side))


def is_closed(position: Position, area: str, side: Side = Side.GERMAN) -> bool:
    """[WD 17.E] No German may enter by the south or the south-west without Germans near by.

    The map's S-OPEN hexes lie south of Velikiye Luki and east of the Lowatj; SW-OPEN within ten
    hexes of the south edge.
    """
    if side != Side.GERMAN or area not in ("S", "SW"):
        return False
    return not position.occupied(Side.GERMAN) & position.catalog.map.areas[area + "-OPEN"]


def entry_hexes(position: Position, index: int) -> int:
    """[WD 17.A-E, 6.A] The edge hexes a unit may enter by now, free of the enemy.

    None before the unit is due.
    """
    if not is_due(position, index):
        return 0
    areas = position.catalog.map.areas
    board = 0
    for area in entry_areas(position, index):
        board |= areas[area]
    return board & ~position.occupied(position.catalog.units[index].side.enemy)
