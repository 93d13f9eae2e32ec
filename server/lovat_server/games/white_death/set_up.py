"""[WD 25] The set-up: the German side first, then the Soviet one."""

from __future__ import annotations

from functools import lru_cache

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, hexes_of

from . import stacking, wording
from .answers import PlacementOption
from .battle import Battle
from .catalog import Catalog
from .events import UnitPlaced
from .orders import Placement, SetUp
from .position import Position
from .terms import Mobility, Side
from .terrain import step_cost
from .zones import zone_board


def units_to_place(position: Position, side: Side) -> tuple[int, ...]:
    """[WD 25.3] The units of a side that the scenario sets up and that have strength left."""
    return tuple(index for index in position.catalog.side_units[side]
                 if position.catalog.units[index].set_up and position.units[index].strength)


def options(position: Position) -> tuple[PlacementOption, ...]:
    """[WD 25.3] Where each unit of the side that sets up may stand; stacking is not asked."""
    return tuple(
        PlacementOption(index, tuple(hexes_of(allowed_board(position, index))))
        for index in units_to_place(position, position.decision.side)
    )


def allowed_board(position: Position, index: int) -> int:
    """[WD 25.3] The hexes of a unit's set-up area that it could enter, free of the enemy.

    ERRATA and set-up sheet place attached units with the division; the areas hold that already.
    """
    printed, field = position.catalog.units[index], position.catalog.map
    return (field.areas[printed.set_up]
            & enterable_board(position.catalog, printed.mobility, position.thaw,
                              position.bridged())
            & ~_closed_board(position, printed.side))


def _closed_board(position: Position, side: Side) -> int:
    """[WD 25.3, E.19] Hexes held by the enemy; for the Soviets also German zones and bunkers.

    NOTE(WD 25.3, E.19): a Soviet unit comes into a bunker hex by assault only.
    """
    board = position.occupied(side.enemy)
    if side == Side.SOVIET:
        board |= zone_board(position, Side.GERMAN)
        for bunker, strength in zip(position.catalog.bunkers, position.bunkers, strict=True):
            if strength:
                board |= 1 << bunker.hex
    return board


@lru_cache(maxsize=128)
def enterable_board(catalog: Catalog, mobility: Mobility, thaw: bool, bridged: int) -> int:
    """[WD 7, 25.3] Hexes that a unit could enter across at least one of their sides.

    NOTE(WD 25.3): a hex is prohibited to a unit that could not have moved there from anywhere.
    """
    grid = catalog.map.grid
    board = 0
    for hex_ in range(grid.size):
        for direction in DIRECTIONS:
            end = grid.neighbours[hex_][direction]
            if end != OUTSIDE and not board >> end & 1 and step_cost(
                    catalog, mobility, thaw, hex_, direction, bool(bridged >> hex_ & 1),
                    bool(bridged >> end & 1)) is not None:
                board |= 1 << end
    return board


def standard_placements(position: Position, side: Side) -> tuple[Placement, ...]:
    """The scenario's documented set-up of a side; empty if it has none."""
    places = position.catalog.scenario.standard_set_up
    return tuple(Placement(index, places[position.catalog.units[index].id])
                 for index in units_to_place(position, side)
                 if position.catalog.units[index].id in places)


def judge(position: Position, order: SetUp) -> list[Violation]:
    """[WD 25.3, 4] Every rule that a set-up breaks."""
    side = position.decision.side
    placements = order.placements
    if order.standard:
        if placements:
            return [Violation(
                Reason.DUPLICATE, "WD 25", "placements",
                "The standard set-up was asked for; no other placements may be given with it.")]
        placements = standard_placements(position, side)
        if not placements:
            return [Violation(
                Reason.NOT_AVAILABLE, "WD 25", "standard",
                f"{position.catalog.scenario.title} has no standard set-up for this side; every "
                "unit must be placed.")]
    found: list[Violation] = []
    stacks: dict[int, list[int]] = {}
    wanted = units_to_place(position, side)
    seen: set[int] = set()
    for place, placement in enumerate(placements):
        violation = _judge_one(position, placement, seen, f"placements[{place}]")
        seen.add(placement.unit)
        if violation is not None:
            found.append(violation)
        else:
            stacks.setdefault(placement.hex, []).append(placement.unit)
    missing = [index for index in wanted if index not in seen]
    if missing:
        names = ", ".join(wording.unit_name(position.catalog, index) for index in missing)
        found.append(Violation(
            Reason.INCOMPLETE, "WD 25", "placements",
            f"{len(missing)} of {len(wanted)} units have not been placed: {names}.",
            {"units": ", ".join(position.catalog.units[index].id for index in missing)}))
    for hex_, units in stacks.items():
        if not stacking.fits(position.catalog, units):
            found.append(stacking.violation(position, hex_, units, "placements"))
    return found


def _judge_one(position: Position, placement: Placement, seen: set[int],
               path: str) -> Violation | None:
    catalog, index, hex_ = position.catalog, placement.unit, placement.hex
    printed = catalog.units[index]
    name = wording.unit_name(catalog, index)
    where = wording.hex_name(catalog, hex_)
    facts = {"unit": printed.id, "hex": where}
    if printed.side != position.decision.side:
        return Violation(Reason.WRONG_SIDE, "WD 25", f"{path}.unit",
                         f"{name} belongs to the side that does not set up now.", facts)
    if index in seen:
        return Violation(Reason.DUPLICATE, "WD 25", f"{path}.unit", f"{name} is placed twice.",
                         facts)
    if not printed.set_up:
        return Violation(
            Reason.NOT_AVAILABLE, "WD 17", f"{path}.unit",
            f"{name} is not set up; it arrives on turn {printed.arrival_turn}.", facts)
    if not position.units[index].strength:
        return Violation(Reason.NOT_AVAILABLE, "WD 25", f"{path}.unit",
                         f"{name} has been eliminated before the scenario begins.", facts)
    if hex_ < 0 or not catalog.map.areas[printed.set_up] >> hex_ & 1:
        area = catalog.scenario.zones.get(printed.set_up, printed.set_up)
        return Violation(
            Reason.SET_UP_AREA, "WD 25", f"{path}.hex",
            f"{name} may not be set up in {where}; its area is: {area}.",
            {**facts, "area": printed.set_up})
    if not enterable_board(catalog, printed.mobility, position.thaw,
                           position.bridged()) >> hex_ & 1:
        return Violation(
            Reason.PROHIBITED_TERRAIN, "WD 7", f"{path}.hex",
            f"{name} may not be set up in {where}, which it could not enter from any side.", facts)
    if position.has_enemy(printed.side, hex_):
        return Violation(Reason.ENEMY_OCCUPIED, "WD 25", f"{path}.hex",
                         f"{name} may not be set up in {where}, which an enemy unit holds.", facts)
    if _closed_board(position, printed.side) >> hex_ & 1:
        if position.bunker_at(hex_) is not None:
            return Violation(
                Reason.ENEMY_OCCUPIED, "WD E.19", f"{path}.hex",
                f"{name} may not be set up in {where}, where a bunker stands.", facts)
        return Violation(
            Reason.ZONE_OF_CONTROL, "WD 25", f"{path}.hex",
            f"{name} may not be set up in {where}, which lies in a German zone of control.", facts)
    return None


def resolve(battle: Battle, order: SetUp) -> None:
    """[WD 25.3] Every unit of the side stands where the order, or the standard set-up, says."""
    placements = order.placements
    if order.standard:
        placements = standard_placements(battle, battle.decision.side)
    for placement in placements:
        battle.record(UnitPlaced(placement.unit, placement.hex))
