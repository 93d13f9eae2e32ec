"""[WD 25] The set-up: the German side first, then the Soviet one."""

from __future__ import annotations

from functools import lru_cache

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, board_of, hexes_of

from . import stacking, wording
from .answers import PlacementOption
from .battle import Battle
from .catalog import Catalog
from .events import BridgeBuilt, UnitPlaced
from .orders import Placement, SetUp
from .position import Position
from .terms import Kind, Mobility, Side, Status
from .terrain import step_cost
from .zones import zone_board


def units_to_place(position: Position, side: Side) -> tuple[int, ...]:
    """[WD 25.3, Notes.IV] The units of a side that the scenario sets up: with strength left, and
    not those that the options leave out."""
    return tuple(index for index in position.catalog.side_units[side]
                 if position.catalog.units[index].set_up and position.units[index].strength
                 and not position.units[index].status & Status.WITHHELD)


def options(position: Position) -> tuple[PlacementOption, ...]:
    """[WD 25.3] Where each unit of the side that sets up may stand; stacking is not asked."""
    return tuple(
        PlacementOption(index, tuple(hexes_of(allowed_board(position, index))))
        for index in units_to_place(position, position.decision.side)
    )


def allowed_board(position: Position, index: int) -> int:
    """[WD 25.3, E.set-up] The hexes of a unit's area that it could enter, free of the enemy."""
    printed = position.catalog.units[index]
    return (_area(position, index)
            & enterable_board(position.catalog, printed.mobility, position.thaw,
                              position.bridged())
            & ~_closed_board(position, printed.side))


def _area(position: Position, index: int) -> int:
    """[WD 25.3] The set-up area of a unit; for the garrison, where it says so, bunker hexes."""
    printed, scenario = position.catalog.units[index], position.catalog.scenario
    if scenario.garrison_in_bunkers and "garrison_city" in printed.traits:
        return _bunker_board(position)
    return position.catalog.map.areas[printed.set_up]


def _bunker_board(position: Position) -> int:
    return board_of(bunker.hex for bunker, strength
                    in zip(position.catalog.bunkers, position.bunkers, strict=True) if strength)


def _closed_board(position: Position, side: Side) -> int:
    """[WD 25.3, E.19] Hexes held by the enemy; for the Soviets also German zones and bunkers.

    NOTE(WD 25.3, E.19): a Soviet unit comes into a bunker hex by assault only.
    """
    board = position.occupied(side.enemy)
    if side == Side.SOVIET:
        board |= zone_board(position, Side.GERMAN) | _bunker_board(position)
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
    """The scenario's documented set-up of a side; empty if it has none.

    Rows of units that the losses to date have eliminated are passed over. Where they leave a part
    of a zone short of its count, the next units of the zone stand there instead, each in the first
    of its hexes that they can stack in.
    """
    rows, catalog = position.catalog.scenario.standard_set_up, position.catalog
    places = {index: rows[catalog.units[index].id] for index in units_to_place(position, side)
              if catalog.units[index].id in rows}
    for count in catalog.scenario.set_up_counts:
        area = catalog.map.areas[count.area]
        zone = [index for index in places if catalog.units[index].set_up == count.zone]
        short = count.count - sum(area >> places[index] & 1 for index in zone)
        for index in [index for index in zone if not area >> places[index] & 1][:max(0, short)]:
            fitting = (hex_ for hex_ in hexes_of(area & allowed_board(position, index))
                       if stacking.fits(catalog, [index, *(
                           other for other, where in places.items() if where == hex_)]))
            places[index] = next(fitting, places[index])
    return tuple(Placement(index, hex_) for index, hex_ in places.items())


def standard_bridges(position: Position) -> tuple[Placement, ...]:
    """[WD 25.3.C] The documented bridges of the side that sets up; the German has none."""
    places = position.catalog.scenario.standard_bridges
    return tuple(Placement(option.unit, places[option.unit])
                 for option in bridge_options(position) if option.unit in places)


def judge(position: Position, order: SetUp) -> list[Violation]:
    """[WD 25.3, 4] Every rule that a set-up breaks."""
    side = position.decision.side
    placements, bridges = order.placements, order.bridges
    if order.standard:
        if placements or order.bridges:
            return [Violation(
                Reason.DUPLICATE, "WD 25", "placements",
                "The standard set-up was asked for; no other placements may be given with it.")]
        placements, bridges = standard_placements(position, side), standard_bridges(position)
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
    if not missing:
        found += _judge_limits(position, stacks)
    found += _judge_bridges(position, bridges)
    return found


def _judge_limits(position: Position, stacks: dict[int, list[int]]) -> list[Violation]:
    """[WD 25 scenarios II, III, V] What a scenario asks of the set-up as a whole."""
    catalog, scenario, side = position.catalog, position.catalog.scenario, position.decision.side
    found = []
    for count in scenario.set_up_counts:
        zone = [(index, hex_) for hex_, units in stacks.items() for index in units
                if catalog.units[index].set_up == count.zone]
        there = sum(catalog.map.areas[count.area] >> hex_ & 1 for _, hex_ in zone)
        needed = min(count.count, len(zone))
        if there != needed:
            found.append(Violation(
                Reason.INCOMPLETE, "WD 25", "placements",
                f"{there} units stand in the first part of their area, {needed} must: "
                f"{scenario.zones[count.zone]}.",
                {"units": str(there), "needed": str(needed), "area": count.zone}))
    if side == Side.GERMAN and scenario.personnel_in_bunkers:
        for hex_ in hexes_of(_bunker_board(position)):
            if not any(catalog.units[index].kind == Kind.PERSONNEL
                       for index in stacks.get(hex_, ())):
                where = wording.hex_name(catalog, hex_)
                found.append(Violation(
                    Reason.INCOMPLETE, "WD 25", "placements",
                    f"A personnel unit must stand in every bunker hex; none is in {where}.",
                    {"hex": where}))
    if side == Side.SOVIET and scenario.artillery_east:
        east = catalog.map.areas["EAST-BANK"]
        there = sum(catalog.units[index].is_artillery
                    for hex_, units in stacks.items() if east >> hex_ & 1 for index in units)
        if there < scenario.artillery_east:
            found.append(Violation(
                Reason.INCOMPLETE, "WD 25", "placements",
                f"{there} artillery units stand east of the Lowatj; at least "
                f"{scenario.artillery_east} must.",
                {"units": str(there), "needed": str(scenario.artillery_east)}))
    return found


def bridge_options(position: Position) -> tuple[PlacementOption, ...]:
    """[WD 25.3.C] The river hexes where each engineer unit may begin with its bridge built."""
    scenario = position.catalog.scenario
    if position.decision.side != Side.SOVIET or not scenario.bridge_area:
        return ()
    hexes = tuple(hexes_of(position.catalog.map.areas[scenario.bridge_area]
                           & ~position.bridged()))
    return tuple(PlacementOption(index, hexes) for index in scenario.bridge_builders
                 if index in units_to_place(position, Side.SOVIET))


def _judge_bridges(position: Position, bridges: tuple[Placement, ...]) -> list[Violation]:
    """[WD 25.3.C] Each bridge once, by a unit that may begin with it, in a hex that is free."""
    catalog = position.catalog
    allowed = {option.unit: option.hexes for option in bridge_options(position)}
    found: list[Violation] = []
    for place, bridge in enumerate(bridges):
        path = f"bridges[{place}]"
        name = wording.unit_name(catalog, bridge.unit)
        where = wording.hex_name(catalog, bridge.hex)
        facts = {"unit": catalog.units[bridge.unit].id, "hex": where}
        before = bridges[:place]
        if bridge.unit not in allowed:
            found.append(Violation(Reason.BRIDGE, "WD 25", f"{path}.unit",
                                   f"{name} may not begin with a bridge built.", facts))
        elif any(other.unit == bridge.unit for other in before):
            found.append(Violation(Reason.DUPLICATE, "WD 20.B", f"{path}.unit",
                                   f"{name} builds one bridge only.", facts))
        elif bridge.hex not in allowed[bridge.unit] or any(other.hex == bridge.hex
                                                           for other in before):
            found.append(Violation(
                Reason.BRIDGE, "WD 25", f"{path}.hex",
                f"The bridge of {name} may not begin in {where}: it must stand in a river hex "
                "that the scenario names and that has no bridge yet.", facts))
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
    if position.units[index].status & Status.WITHHELD:
        return Violation(
            Reason.NOT_AVAILABLE, "WD Notes.IV", f"{path}.unit",
            f"{name} takes no part: the option that brings it was not chosen.", facts)
    if not position.units[index].strength:
        return Violation(Reason.NOT_AVAILABLE, "WD 25", f"{path}.unit",
                         f"{name} has been eliminated before the scenario begins.", facts)
    if hex_ < 0 or not _area(position, index) >> hex_ & 1:
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
    """[WD 25.3] Every unit stands where the order, or the standard set-up, says; then bridges."""
    placements, bridges = order.placements, order.bridges
    if order.standard:
        placements = standard_placements(battle, battle.decision.side)
        bridges = standard_bridges(battle)
    for placement in placements:
        battle.record(UnitPlaced(placement.unit, placement.hex))
    for bridge in bridges:
        battle.record(BridgeBuilt(bridge.unit, bridge.hex))
