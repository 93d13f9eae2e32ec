"""[WD 8] Movement by train."""

from __future__ import annotations

from collections.abc import Sequence

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import DIRECTIONS, board_of, hexes_of

from . import garrisons, wording
from .catalog import Catalog
from .position import Position
from .terms import OFF_MAP, Kind, Side, Status
from .zones import zone_board

LIMIT = 25
"""Strength points a side may rail in a turn."""


def strength_left(position: Position, side: Side) -> int:
    """[WD 8] Strength points the side may still rail this turn."""
    return LIMIT - position.rail_moved[side]


def station_board(position: Position, index: int) -> int:
    """[WD 8] Rail hexes where a unit may entrain: any for personnel, else those in a town.

    NOTE(WD 8, 23): weapons units that have abandoned their equipment are personnel.
    """
    rails = rail_board(position.catalog)
    personnel = (position.catalog.units[index].kind == Kind.PERSONNEL
                 or position.units[index].status & Status.ABANDONED)
    return rails if personnel else rails & position.catalog.map.town


def rail_board(catalog: Catalog) -> int:
    """Hexes with a railroad."""
    board = 0
    for direction in DIRECTIONS:
        board |= catalog.map.rail[direction]
    return board


def net_board(position: Position, side: Side) -> int:
    """[WD 8] Rail hexes joined to a friendly edge by rail, free of enemy units and zones.

    NOTE(WD 8): only units and zones interrupt the line; a river without a bridge does not.
    """
    known: int | None = position.memo.get(("rail", side))
    if known is None:
        catalog = position.catalog
        free = rail_board(catalog) & ~(position.occupied(side.enemy)
                                       | zone_board(position, side.enemy))
        grid, rails = catalog.map.grid, catalog.map.rail
        waiting = list(hexes_of(free & catalog.map.friendly_edge(side, rail=True)))
        found = set(waiting)
        for hex_ in waiting:        # grows while it is walked
            for direction in DIRECTIONS:
                if rails[direction] >> hex_ & 1:
                    other = grid.neighbours[hex_][direction]
                    if other not in found and free >> other & 1:
                        found.add(other)
                        waiting.append(other)
        known = position.memo["rail", side] = board_of(found)
    return known


def destinations(position: Position, index: int) -> dict[int, tuple[int, ...]]:
    """[WD 8, 22, E.19] Where a unit may go by train, each with the shortest way.

    Points, the strength left for the turn and stacking are not asked. Of ways of one length the
    one found first in the order of directions is taken.

    NOTE(WD 8): the hex where the unit entrains belongs to the line that must run back to the
    edge, so no unit entrains in an enemy zone. A Soviet train enters no hex with a bunker (E.19),
    and a garrison's stays where the garrison may move.
    """
    if refusal(position, index) is not None:
        return {}
    start, side = position.units[index].hex, position.catalog.units[index].side
    open_ = net_board(position, side)
    if side == Side.SOVIET:
        open_ &= ~_bunkers(position)
    within = garrisons.allowed_board(position, index)
    if within is not None:
        open_ &= within
    grid, rails = position.catalog.map.grid, position.catalog.map.rail
    ways: dict[int, tuple[int, ...]] = {start: ()}
    waiting = [start]
    for hex_ in waiting:            # grows while it is walked
        for direction in DIRECTIONS:
            if rails[direction] >> hex_ & 1:
                other = grid.neighbours[hex_][direction]
                if other not in ways and open_ >> other & 1:
                    ways[other] = (*ways[hex_], other)
                    waiting.append(other)
    stations = station_board(position, index)
    return {hex_: way for hex_, way in ways.items() if way and stations >> hex_ & 1}


def refusal(position: Position, index: int) -> tuple[Reason, str, str] | None:
    """[WD 8, 22] Why a unit may not entrain where it stands; points are not asked."""
    catalog, hex_ = position.catalog, position.units[index].hex
    name, side = wording.unit_name(catalog, index), catalog.units[index].side
    if hex_ == OFF_MAP:
        return Reason.NOT_AVAILABLE, "WD 8", f"{name} is not on the map and cannot entrain."
    where = wording.hex_name(catalog, hex_)
    if not garrisons.may_move(position, index):
        return (Reason.GARRISON, "WD 22",
                f"{name} belongs to a garrison, which may not be moved on the first turn.")
    if not station_board(position, index) >> hex_ & 1:
        if not rail_board(catalog) >> hex_ & 1:
            return Reason.RAIL, "WD 8", f"{name} cannot entrain in {where}: no railroad is there."
        return (Reason.RAIL, "WD 8",
                f"{name} cannot entrain in {where}: weapons and AFV units entrain only in a town "
                "on a railroad.")
    if not net_board(position, side) >> hex_ & 1:
        return (Reason.RAIL, "WD 8",
                f"{name} cannot entrain in {where}: the railroad there does not run back to a "
                "friendly edge free of enemy units and their zones.")
    return None


def judge(position: Position, units: Sequence[int], destination: int,
          path: str) -> list[Violation]:
    """[WD 8, 22, E.19] All a rail movement breaks but movement points and stacking."""
    if not units:
        return [Violation(Reason.INCOMPLETE, "WD 8", f"{path}.units",
                          "The rail movement names no unit.")]
    catalog = position.catalog
    found: list[Violation] = []
    for place, index in enumerate(units):
        where = f"{path}.units[{place}]"
        name, printed = wording.unit_name(catalog, index), catalog.units[index]
        if printed.side != position.side:
            found.append(Violation(Reason.WRONG_SIDE, "WD 8", where,
                                   f"{name} does not belong to the phasing side.",
                                   {"unit": printed.id}))
            continue
        facts = {"unit": printed.id, "hex": wording.hex_name(catalog, position.units[index].hex),
                 "destination": wording.hex_name(catalog, destination)}
        if index in units[:place]:
            found.append(Violation(Reason.DUPLICATE, "WD 8", where, f"{name} is named twice.",
                                   facts))
            continue
        refused = refusal(position, index)
        if refused is not None:
            found.append(Violation(*refused[:2], where, refused[2], facts))
        elif destination not in destinations(position, index):
            reason, clause, message = _unreached(position, index, destination)
            found.append(Violation(reason, clause, f"{path}.destination", message, facts))
    side = position.side
    strength = sum(position.units[index].strength for index in set(units)
                   if catalog.units[index].side == side)
    if strength > strength_left(position, side):
        found.append(Violation(
            Reason.RAIL, "WD 8", f"{path}.units",
            f"The units have {strength} strength points; of the {LIMIT} that a side may rail in a "
            f"turn {strength_left(position, side)} are left.",
            {"strength": str(strength), "left": str(strength_left(position, side)),
             "limit": str(LIMIT)}))
    return found


def _unreached(position: Position, index: int, destination: int) -> tuple[Reason, str, str]:
    """Why a unit that may entrain cannot go to a hex."""
    catalog, side = position.catalog, position.catalog.units[index].side
    name, where = wording.unit_name(catalog, index), wording.hex_name(catalog, destination)
    start = f"{name} cannot go to {where} by rail: "
    if destination == position.units[index].hex:
        return Reason.RAIL, "WD 8", start + "it is there already."
    if not rail_board(catalog) >> destination & 1:
        return Reason.RAIL, "WD 8", start + "no railroad is there."
    if not station_board(position, index) >> destination & 1:
        return (Reason.RAIL, "WD 8",
                start + "weapons and AFV units detrain only in a town on a railroad.")
    if garrisons.holds_back(position, index, destination):
        return Reason.GARRISON, "WD 22", start + "its garrison may not leave the city."
    if position.has_enemy(side, destination):
        return Reason.ENEMY_OCCUPIED, "WD 8", start + "an enemy unit is there."
    if zone_board(position, side.enemy) >> destination & 1:
        return Reason.ZONE_OF_CONTROL, "WD 8", start + "it lies in an enemy zone of control."
    if side == Side.SOVIET and _bunkers(position) >> destination & 1:
        return Reason.ENEMY_OCCUPIED, "WD E.19", start + "a bunker is there."
    return (Reason.RAIL, "WD 8",
            start + "no railroad leads there free of enemy units and their zones.")


def _bunkers(position: Position) -> int:
    return board_of(bunker.hex for bunker, strength
                    in zip(position.catalog.bunkers, position.bunkers, strict=True) if strength)
