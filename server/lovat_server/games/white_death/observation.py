"""[WD 11.B.3] Observation: who sees a hex, and for whom."""

from __future__ import annotations

from collections.abc import Iterable

from lovat_server.hexmap.grid import OUTSIDE
from lovat_server.hexmap.sight import between, is_clear

from .position import Position
from .terms import Side, Status, Weather

SIGHT = 2
HIGH_SIGHT = 3
SNOW_SIGHT = 1


def sight_limit(position: Position, start: int, hex_: int) -> int:
    """[WD 11.B.3.b, 16.C] How far a unit in `start` sees towards a hex, in hexes.

    Three across a slope hexside from its high side, or from high ground to a hex that is not;
    else two. One, whatever the ground, in snow where that option was chosen.
    """
    if position.options.snow_visibility and position.weather == Weather.SNOW:
        # NOTE(WD 16.C): the rulebook prints no distance for snow; the option takes one hex.
        return SNOW_SIGHT
    field = position.catalog.map
    from_high = bool(field.high >> start & 1) and not field.high >> hex_ & 1
    if from_high or _looks_down_slope(position, start, hex_):
        return HIGH_SIGHT
    return SIGHT


def _looks_down_slope(position: Position, start: int, hex_: int) -> bool:
    """The line leaves `start` across a hexside that goes down.

    NOTE(WD 11.B.3.b): where it leaves through a corner, either of the two sides is enough, as a
    line along a hexside is blocked only from both sides.
    """
    field = position.catalog.map
    steps = between(field.grid, start, hex_)
    first = steps[0] if steps else (hex_,)
    for end in first:
        direction = field.grid.direction(start, end) if end != OUTSIDE else None
        if direction is not None and field.down[direction] >> start & 1:
            return True
    return False


def has_line_of_sight(position: Position, start: int, hex_: int) -> bool:
    """[WD 11.B.3.b] No blocking hex lies between; the ends never block.

    Towns and forests block, and high ground unless both ends are high.
    """
    field = position.catalog.map
    blocking = field.town | field.forest
    if not (field.high >> start & 1 and field.high >> hex_ & 1):
        blocking |= field.high
    return is_clear(field.grid, start, hex_, blocking)


def conspicuous_bonus(position: Position, side: Side, hex_: int) -> int:
    """[WD 11.B.3.b] One hex more towards an enemy Guards rocket regiment that is deployed."""
    units = position.catalog.units
    if position.options.snow_visibility and position.weather == Weather.SNOW:
        return 0
    return int(any(
        units[index].side != side and "conspicuous" in units[index].traits
        and position.units[index].status & Status.DEPLOYED
        for index in position.stack(hex_)
    ))


def can_observe(position: Position, observer: int, hex_: int) -> bool:
    """[WD 11.B.3.b] The unit sees the hex itself."""
    return observer in observers(position, position.catalog.units[observer].side, hex_)


def observers(position: Position, side: Side, hex_: int) -> frozenset[int]:
    """[WD 11.B.3.b] All units of a side that see a hex."""
    bonus = conspicuous_bonus(position, side, hex_)
    key = ("observers", side, hex_, bonus)
    known: frozenset[int] | None = position.memo.get(key)
    if known is not None:
        return known
    grid = position.catalog.map.grid
    found: set[int] = set()
    for start, stack in position.stacks().items():
        if position.catalog.units[stack[0]].side != side:
            continue
        distance = grid.distance(start, hex_)
        if distance > HIGH_SIGHT + bonus \
                or distance > sight_limit(position, start, hex_) + bonus:
            continue
        if has_line_of_sight(position, start, hex_):
            found.update(stack)
    result = position.memo[key] = frozenset(found)
    return result


def observes_for(position: Position, observer: int, firer: int) -> bool:
    """[WD 11.B.3.a] Whether one unit may observe for an artillery unit of its side.

    Germans for each other; Soviets for themselves, for artillery of no division, and for that of
    their own division or brigade.
    """
    seer, gunner = position.catalog.units[observer], position.catalog.units[firer]
    if seer.side != gunner.side:
        return False
    if observer == firer or seer.side == Side.GERMAN or not gunner.divisional:
        return True
    return seer.divisional and seer.division == gunner.division


def is_observed_for(position: Position, firer: int, hex_: int) -> bool:
    """[WD 11.B.3] Some unit sees the hex by or for one firing unit."""
    side = position.catalog.units[firer].side
    return any(observes_for(position, observer, firer)
               for observer in observers(position, side, hex_))


def is_observed_for_all(position: Position, firers: Iterable[int], hex_: int) -> bool:
    """[WD 11.B.3] The hex is observed by or for every firing unit."""
    return all(is_observed_for(position, firer, hex_) for firer in firers)


def is_observed(position: Position, side: Side, hex_: int) -> bool:
    """[WD E.4-C] Some unit of a side sees the hex: deployed artillery in it is spotted."""
    return bool(observers(position, side, hex_))
