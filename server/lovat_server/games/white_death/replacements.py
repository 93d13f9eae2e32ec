"""[WD 18] Replacements for personnel, repair of AFV."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import DIRECTIONS, hexes_of

from . import reinforcements, stacking, wording
from .answers import ReplacementOption
from .battle import Battle
from .catalog import Catalog
from .events import ReplacementsReceived, UnitRepaired, UnitReplaced
from .orders import Replace, Replacement
from .position import Position
from .terms import OFF_MAP, Kind, Side, Status
from .terrain import entry_cost, has_road
from .zones import zone_board

REPAIR_TURN = 5
"""The first turn of AFV repair."""

REPAIRS = 1
"""Strength points of AFV a side and turn."""

ENTRY_AREAS = {Side.SOVIET: ("E", "SE"), Side.GERMAN: ("S", "SW", "W", "NW")}
"""Where rebuilt units appear: the entry areas that lie on the side's own friendly edge."""


class Refusal(NamedTuple):
    """Why a unit may not be replaced or repaired. `sentence` has a place for the unit's name."""

    reason: Reason
    clause: str
    sentence: str


def receive(battle: Battle, side: Side) -> None:
    """[WD 18, Order] The replacement points of the turn, on the side's first impulse of it."""
    points = battle.catalog.arrivals[side][battle.turn - 1].replacements
    if points and battle.impulses[side] == 1:
        battle.record(ReplacementsReceived(side, points))


# ---------------------------------------------------------------- what may be done

def is_destroyed(position: Position, index: int) -> bool:
    """[WD 17.F, 18] The unit was in play and has no strength left."""
    unit, printed = position.units[index], position.catalog.units[index]
    return (not unit.strength and not unit.status & Status.WITHHELD
            and printed.arrival_turn <= position.turn)


def replacement_refusal(position: Position, index: int) -> Refusal | None:
    """[WD 18] Why a unit may take no replacement points at all."""
    unit, printed = position.units[index], position.catalog.units[index]
    if printed.kind != Kind.PERSONNEL:
        return Refusal(Reason.REPLACEMENT, "WD 18",
                       "{unit} is no personnel unit; only personnel takes replacement points.")
    if "replaceable" not in printed.traits:
        return Refusal(Reason.REPLACEMENT, "WD 18",
                       "{unit} is not of the German Army, which alone takes German replacement "
                       "points.")
    if not unit.strength:
        if is_destroyed(position, index):
            return None
        return Refusal(Reason.NOT_AVAILABLE, "WD 18",
                       "{unit} has never come into play and cannot be rebuilt.")
    if unit.hex == OFF_MAP:
        return Refusal(Reason.NOT_AVAILABLE, "WD 18", "{unit} is not on the map.")
    if unit.status & Status.ISOLATED:
        return Refusal(Reason.REPLACEMENT, "WD 18",
                       "{unit} is isolated and takes no replacement points.")
    if position.sustained and printed.side == Side.GERMAN and position.in_city(index):
        return Refusal(Reason.REPLACEMENT, "WD 18",
                       "{unit} avoids isolation in Velikiye Luki by a supply point and takes no "
                       "replacement points.")
    if unit.strength >= printed.strength:
        return Refusal(Reason.REPLACEMENT, "WD 18", "{unit} has its printed strength.")
    return None


def rebuild_hexes(position: Position, index: int) -> int:
    """[WD 18] Where a destroyed unit may be rebuilt.

    NOTE(WD 18): the clause names no hex. A rebuilt unit appears like a new one, in an open hex of
    the entry areas on its side's friendly edge that it could enter, that no enemy holds or
    controls, and where it stacks. It pays nothing for that hex.
    """
    printed = position.catalog.units[index]
    key = "rebuild", printed.side, printed.mobility
    board: int | None = position.memo.get(key)
    if board is None:
        catalog = position.catalog
        edge = 0
        for area in ENTRY_AREAS[printed.side]:
            if not reinforcements.is_closed(position, area, printed.side):
                edge |= catalog.map.areas[area]
        edge &= ~(position.occupied(printed.side.enemy)
                  | zone_board(position, printed.side.enemy))
        board = 0
        for hex_ in hexes_of(edge):
            if _may_enter(position, index, hex_):
                board |= 1 << hex_
        position.memo[key] = board
    return board & ~stacking.full_board(position, (index,))


def _may_enter(position: Position, index: int, hex_: int) -> bool:
    """[WD 7] By its terrain, or by a road that runs into it."""
    catalog, mobility = position.catalog, position.catalog.units[index].mobility
    bridged = bool(position.bridged() >> hex_ & 1)
    by_road = any(has_road(catalog, hex_, direction) for direction in DIRECTIONS)
    return entry_cost(catalog, mobility, hex_, by_road=by_road, bridged=bridged) is not None


def repair_refusal(position: Position, index: int) -> Refusal | None:
    """[WD 18] Why an AFV unit may not be repaired.

    NOTE(WD 18): the clause asks that the unit be in play and below strength, not that it be free
    from isolation.
    """
    unit, printed = position.units[index], position.catalog.units[index]
    if position.turn < REPAIR_TURN:
        return Refusal(Reason.REPLACEMENT, "WD 18",
                       "{unit} may not be repaired yet: repairs begin on turn 5.")
    if not printed.is_afv:
        return Refusal(Reason.REPLACEMENT, "WD 18", "{unit} is no AFV unit and is not repaired.")
    if not unit.strength or unit.hex == OFF_MAP:
        return Refusal(Reason.NOT_AVAILABLE, "WD 18", "{unit} is not in play.")
    if unit.strength >= printed.strength:
        return Refusal(Reason.REPLACEMENT, "WD 18", "{unit} has its printed strength.")
    return None


def options(position: Position) -> tuple[ReplacementOption, ...]:
    """[WD 18] Every unit that may take points now, how many, and where if it is rebuilt."""
    return tuple(_options(position))


def _options(position: Position) -> Iterator[ReplacementOption]:
    side = position.side
    points = position.replacements[side]
    if not points:
        return
    for index in position.catalog.side_units[side]:
        if replacement_refusal(position, index) is not None:
            continue
        strength = position.units[index].strength
        hexes = () if strength else tuple(hexes_of(rebuild_hexes(position, index)))
        if strength or hexes:
            most = min(points, position.catalog.units[index].strength - strength)
            yield ReplacementOption(index, most, hexes)


def has_options(position: Position) -> bool:
    """[WD 18] There is something to replace or to repair."""
    return any(_options(position)) or bool(repairs(position))


def repairs(position: Position) -> tuple[int, ...]:
    """[WD 18] The AFV units of which one may be repaired now."""
    if position.turn < REPAIR_TURN:
        return ()
    return tuple(index for index in _afv_of(position.catalog, position.side)
                 if repair_refusal(position, index) is None)


@lru_cache(maxsize=64)
def _afv_of(catalog: Catalog, side: Side) -> tuple[int, ...]:
    return tuple(index for index in catalog.side_units[side] if catalog.units[index].is_afv)


# ---------------------------------------------------------------- the order

def judge(position: Position, order: Replace) -> list[Violation]:
    """[WD 18, 4] Every rule that an order for replacements and repairs breaks."""
    side = position.side
    found: list[Violation] = []
    seen: set[int] = set()
    rebuilt: dict[int, list[int]] = {}
    for place, wanted in enumerate(order.replacements):
        found += _judge_one(position, wanted, seen, rebuilt, f"replacements[{place}]")
        seen.add(wanted.unit)
    asked = sum(max(0, wanted.points) for wanted in order.replacements)
    if asked > position.replacements[side]:
        found.append(Violation(
            Reason.TOO_MANY, "WD 18", "replacements",
            f"{asked} replacement points are handed out; {position.replacements[side]} are there.",
            {"points": str(asked), "left": str(position.replacements[side])}))
    seen = set()
    for place, index in enumerate(order.repairs):
        path = f"repairs[{place}]"
        refusal = (_wrong_side(position, index) or _twice(index, seen)
                   or repair_refusal(position, index))
        seen.add(index)
        if refusal is not None:
            found.append(_violation(position, refusal, index, path))
    if len(order.repairs) > REPAIRS:
        found.append(Violation(
            Reason.TOO_MANY, "WD 18", "repairs",
            f"{len(order.repairs)} AFV units would be repaired; a side repairs one strength point "
            "a turn.",
            {"repairs": str(len(order.repairs)), "limit": str(REPAIRS)}))
    for hex_, units in rebuilt.items():
        if len(units) > 1 and not stacking.fits_with(position, hex_, units):
            found.append(stacking.violation(position, hex_, units, "replacements"))
    return found


def _judge_one(position: Position, wanted: Replacement, seen: set[int],
               rebuilt: dict[int, list[int]], path: str) -> list[Violation]:
    index, unit = wanted.unit, position.units[wanted.unit]
    refusal = (_wrong_side(position, index) or _twice(index, seen)
               or replacement_refusal(position, index))
    if refusal is not None:
        return [_violation(position, refusal, index, f"{path}.unit")]
    found = []
    name, printed = wording.unit_name(position.catalog, index), position.catalog.units[index]
    if wanted.points < 1 or unit.strength + wanted.points > printed.strength:
        found.append(Violation(
            Reason.REPLACEMENT, "WD 18", f"{path}.points",
            f"{name} has strength {unit.strength} of {printed.strength} printed and may take 1 to "
            f"{printed.strength - unit.strength} points, not {wanted.points}.",
            {"unit": printed.id, "strength": str(unit.strength), "printed": str(printed.strength),
             "points": str(wanted.points)}))
    if unit.strength:
        if wanted.hex != OFF_MAP:
            found.append(Violation(
                Reason.REPLACEMENT, "WD 18", f"{path}.hex",
                f"{name} is in play and takes its points where it stands; only a destroyed unit "
                "is given a hex.", {"unit": printed.id}))
    elif wanted.hex == OFF_MAP:
        found.append(Violation(
            Reason.INCOMPLETE, "WD 18", f"{path}.hex",
            f"{name} is rebuilt and must be given a hex to appear in.", {"unit": printed.id}))
    elif not rebuild_hexes(position, index) >> wanted.hex & 1:
        where = wording.hex_name(position.catalog, wanted.hex)
        if stacking.fits_with(position, wanted.hex, (index,)):
            found.append(Violation(
                Reason.ENTRY_AREA, "WD 18", f"{path}.hex",
                f"{name} may not be rebuilt in {where}: it is no open entry hex of its side that "
                "the unit can enter and the enemy neither holds nor controls.",
                {"unit": printed.id, "hex": where}))
        else:
            found.append(stacking.violation(position, wanted.hex, (index,), f"{path}.hex"))
    else:
        rebuilt.setdefault(wanted.hex, []).append(index)
    return found


def _wrong_side(position: Position, index: int) -> Refusal | None:
    if position.catalog.units[index].side == position.side:
        return None
    return Refusal(Reason.WRONG_SIDE, "WD 18", "{unit} belongs to the other side.")


def _twice(index: int, seen: set[int]) -> Refusal | None:
    return Refusal(Reason.DUPLICATE, "WD 18", "{unit} is named twice.") if index in seen else None


def _violation(position: Position, refusal: Refusal, index: int, path: str) -> Violation:
    name = wording.unit_name(position.catalog, index)
    return Violation(refusal.reason, refusal.clause, path, refusal.sentence.format(unit=name),
                     {"unit": position.catalog.units[index].id})


def resolve(battle: Battle, order: Replace) -> None:
    """[WD 18] Points are added, destroyed units appear, AFV are repaired."""
    for wanted in order.replacements:
        hex_ = OFF_MAP if battle.units[wanted.unit].strength else wanted.hex
        battle.record(UnitReplaced(wanted.unit, wanted.points, hex_))
    for index in order.repairs:
        battle.record(UnitRepaired(index))
