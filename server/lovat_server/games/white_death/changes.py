"""What each event does to a position."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from typing import Any

from lovat_server.hexmap.grid import board_of, hexes_of

from . import events as ev
from .catalog import Catalog
from .orders import Assault
from .position import Position, bunker_places
from .state import Bridge, Decision, Ledger, Pending, UnitState
from .terms import IMPULSE_STATUS, OFF_MAP, TRACED, ImpulseKind, Phase, Pool, Side, Status
from .terrain import bank_after, tracks_banks


def apply(position: Position, event: ev.Event) -> None:
    """Change a position as an event says."""
    position.part()
    _APPLY[type(event)](position, event)


def _reserve_rolled(position: Position, event: ev.ReserveRolled) -> None:
    if event.received:
        for index in event.units:
            unit = position.units[index]
            position.become(index, unit._replace(status=unit.status & ~Status.WITHHELD))


def _brigade_refitted(position: Position, event: ev.BrigadeRefitted) -> None:
    for index in event.units:
        printed = position.catalog.units[index]
        status = position.units[index].status & Status.BRIDGED
        position.take_off(index, UnitState(strength=printed.strength, status=int(status),
                                           due=event.due))
    _book(position, "replaced", Side.SOVIET, event.restored)


def _equipment_abandoned(position: Position, event: ev.EquipmentAbandoned) -> None:
    unit = position.units[event.unit]
    status = (unit.status | Status.ABANDONED) & ~Status.DEPLOYED
    position.become(event.unit, unit._replace(status=int(status), bank=0))
    position.touch()


def _unit_exited(position: Position, event: ev.UnitExited) -> None:
    unit = position.units[event.unit]
    status = unit.status & Status.BRIDGED
    position.take_off(event.unit, UnitState(strength=unit.strength, status=int(status),
                                            due=event.due))


def _unit_placed(position: Position, event: ev.UnitPlaced) -> None:
    position.put(event.unit, event.hex)


def _turn_began(position: Position, event: ev.TurnBegan) -> None:
    position.turn = event.turn
    position.points = (10, 10)
    position.impulses = (0, 0)
    position.rail_moved = (0, 0)
    position.sustained = False


def _weather_rolled(position: Position, event: ev.WeatherRolled) -> None:
    position.weather = event.weather
    position.touch()


def _garrison_rolled(position: Position, event: ev.GarrisonRolled) -> None:
    position.released = event.released


def _supply_received(position: Position, event: ev.SupplyReceived) -> None:
    position.supply = _add(position.supply, event.pool, event.received)


def _replacements_received(position: Position, event: ev.ReplacementsReceived) -> None:
    position.replacements = _add(position.replacements, event.side, event.points)


def _garrison_sustained(position: Position, event: ev.GarrisonSustained) -> None:
    position.sustained = True
    position.supply = _add(position.supply, Pool.VELIKIYE_LUKI, -event.points)


def _impulse_began(position: Position, event: ev.ImpulseBegan) -> None:
    position.side = event.side
    position.impulses = _add(position.impulses, event.side, 1)


def _supply_traced(position: Position, event: ev.SupplyTraced) -> None:
    units, wanted = position.units, dict.fromkeys(event.isolated, int(Status.ISOLATED))
    for index in event.supplied:
        wanted[index] = wanted.get(index, 0) | Status.SUPPLIED
    # a unit outside the map keeps what it has
    wanted.update({index: 0 for index in position.fleeting() - wanted.keys()
                   if units[index].hex >= 0})
    for index, bits in wanted.items():
        unit = units[index]
        if unit.status & TRACED != bits:
            position.become(index, unit._replace(status=unit.status & ~TRACED | bits))


def _unit_replaced(position: Position, event: ev.UnitReplaced) -> None:
    unit, side = position.units[event.unit], position.catalog.units[event.unit].side
    position.become(event.unit, unit._replace(strength=unit.strength + event.points))
    if event.hex != OFF_MAP:
        position.put(event.unit, event.hex)
    position.replacements = _add(position.replacements, side, -event.points)
    _book(position, "replaced", side, event.points)


def _unit_repaired(position: Position, event: ev.UnitRepaired) -> None:
    unit = position.units[event.unit]
    position.become(event.unit, unit._replace(strength=unit.strength + 1))
    _book(position, "replaced", position.catalog.units[event.unit].side, 1)


def _impulse_declared(position: Position, event: ev.ImpulseDeclared) -> None:
    position.points = _add(position.points, event.side, -event.points)
    position.declared = event.points
    position.kind = event.kind
    position.replacements = (0, 0)


def _phase_began(position: Position, event: ev.PhaseBegan) -> None:
    position.phase = event.phase


def _travel(position: Position, index: int, start: int, path: tuple[int, ...]) -> None:
    """A unit goes along a path; banks and railroad towns are noted."""
    printed = position.catalog.units[index]
    bank = 0
    if tracks_banks(printed.mobility, position.thaw):
        bank = position.units[index].bank
        grid, bridged = position.catalog.map.grid, position.bridged()
        here = start
        for hex_ in path:
            direction = grid.direction(here, hex_) if here != OFF_MAP else None
            bank = 0 if direction is None else bank_after(position.catalog, here, bank, direction,
                                                          bridged)
            here = hex_
    position.put(index, path[-1], bank)
    towns = _railroad_towns(position.catalog)
    if not towns.isdisjoint(path):
        passed = board_of(towns.intersection(path))
        if printed.side == Side.SOVIET:
            position.railroad_held |= passed
        else:
            position.railroad_held &= ~passed


@lru_cache(maxsize=64)
def _railroad_towns(catalog: Catalog) -> frozenset[int]:
    return frozenset(hexes_of(catalog.map.railroad_towns))


def _unit_moved(position: Position, event: ev.UnitMoved) -> None:
    _travel(position, event.unit, event.start, event.path)


def _unit_railed(position: Position, event: ev.UnitRailed) -> None:
    _travel(position, event.unit, event.start, event.path)
    side = position.catalog.units[event.unit].side
    position.rail_moved = _add(position.rail_moved, side, event.strength)


def _nothing(_position: Position, _event: Any) -> None:
    """An event that only tells; what follows from it has events of its own."""


def _unit_deployed(position: Position, event: ev.UnitDeployed) -> None:
    position.flag(event.unit, Status.DEPLOYED)


def _bridge_built(position: Position, event: ev.BridgeBuilt) -> None:
    position.bridges = (*position.bridges, Bridge(event.hex, event.unit))
    position.flag(event.unit, Status.BRIDGED)
    position.touch()


def _bridge_destroyed(position: Position, event: ev.BridgeDestroyed) -> None:
    position.bridges = tuple(bridge for bridge in position.bridges if bridge.hex != event.hex)
    position.touch()


def _stack_arranged(position: Position, event: ev.StackArranged) -> None:
    position.arrange(event.hex, event.units)


def _assault_declared(position: Position, event: ev.AssaultDeclared) -> None:
    position.assaults = (*position.assaults, Assault(event.hex, event.units, event.charge))


def _supply_spent(position: Position, event: ev.SupplySpent) -> None:
    position.supply = _add(position.supply, event.pool, -event.points)
    if event.high_intensity:
        paid = list(position.high_intensity)
        paid[event.pool] = True
        position.high_intensity = (paid[0], paid[1], paid[2])
    else:
        position.paid = _add(position.paid, event.pool, event.points)


def _unit_withdrew(position: Position, event: ev.UnitWithdrew) -> None:
    position.withdrawn = (*position.withdrawn, Pending(event.unit, event.start))
    _travel(position, event.unit, event.start, (event.hex,))


def _unit_pursued(position: Position, event: ev.UnitPursued) -> None:
    _travel(position, event.unit, event.start, (event.hex,))
    assaults = {
        assault.hex: replace(assault, units=tuple(u for u in assault.units if u != event.unit))
        for assault in position.assaults
    }
    there = assaults.get(event.target, Assault(event.target, ()))
    assaults[event.target] = replace(there, units=(*there.units, event.unit))
    position.assaults = tuple(assaults.values())


def _strength_lost(position: Position, event: ev.StrengthLost) -> None:
    unit, side = position.units[event.unit], position.catalog.units[event.unit].side
    position.become(event.unit, unit._replace(strength=unit.strength - event.points))
    _book(position, "lost", side, event.points)
    if event.isolated:
        _book(position, "isolated", side, event.points)


def _unit_eliminated(position: Position, event: ev.UnitEliminated) -> None:
    status = position.units[event.unit].status & Status.BRIDGED
    position.take_off(event.unit, UnitState(status=int(status)))
    position.retreats = tuple(p for p in position.retreats if p.unit != event.unit)


def _bunker_reduced(position: Position, event: ev.BunkerReduced) -> None:
    place = bunker_places(position.catalog)[event.hex]
    position.bunkers[place] -= event.points
    position.touch()


def _bunker_destroyed(position: Position, event: ev.BunkerDestroyed) -> None:
    position.bunkers[bunker_places(position.catalog)[event.hex]] = 0
    position.touch()


def _unit_shaken(position: Position, event: ev.UnitShaken) -> None:
    position.flag(event.unit, Status.SHAKEN)


def _unit_halted(position: Position, event: ev.UnitHalted) -> None:
    position.flag(event.unit, Status.HALTED)


def _barrage_fired(position: Position, event: ev.BarrageFired | ev.BunkerBarraged) -> None:
    for unit in event.firers:
        if not position.units[unit].status & Status.BARRAGED:
            position.flag(unit, Status.BARRAGED)


def _retreat_required(position: Position, event: ev.RetreatRequired) -> None:
    position.retreats = (*position.retreats, Pending(event.unit, event.hex))


def _unit_retreated(position: Position, event: ev.UnitRetreated) -> None:
    _travel(position, event.unit, event.start, event.path)
    position.retreats = tuple(p for p in position.retreats if p.unit != event.unit)


def _hex_vacated(position: Position, event: ev.HexVacated) -> None:
    position.vacated = (*position.vacated, event.hex)


def _unit_advanced(position: Position, event: ev.UnitAdvanced) -> None:
    _travel(position, event.unit, event.start, (event.hex,))


def _railroad_scored(position: Position, event: ev.RailroadScored) -> None:
    ledger = position.ledger
    position.ledger = Ledger(ledger.lost, ledger.isolated, ledger.replaced,
                           ledger.railroad + event.points)


def _impulse_ended(position: Position, _event: ev.ImpulseEnded) -> None:
    position.declared = 0
    position.kind = ImpulseKind.NONE
    position.phase = Phase.NONE
    position.paid = (0, 0, 0)
    position.high_intensity = (False, False, False)
    position.assaults = ()
    position.vacated = ()
    position.withdrawn = ()
    for index in tuple(position.fleeting()):
        unit = position.units[index]
        if unit.status & IMPULSE_STATUS:
            position.become(index, unit._replace(status=unit.status & ~IMPULSE_STATUS))


def _decision_reached(position: Position, event: ev.DecisionReached) -> None:
    position.decision = Decision(event.kind, event.side)


def _add(values: Any, place: int, amount: int) -> Any:
    changed = list(values)
    changed[place] += amount
    return tuple(changed)


def _book(position: Position, column: str, side: Side, points: int) -> None:
    ledger = position.ledger
    values = {name: getattr(ledger, name) for name in ("lost", "isolated", "replaced", "railroad")}
    values[column] = _add(values[column], side, points)
    position.ledger = Ledger(**values)


_APPLY: dict[type, Callable[[Position, Any], None]] = {
    ev.ReserveRolled: _reserve_rolled,
    ev.BrigadeRefitted: _brigade_refitted,
    ev.EquipmentAbandoned: _equipment_abandoned,
    ev.UnitExited: _unit_exited,
    ev.UnitPlaced: _unit_placed,
    ev.TurnBegan: _turn_began,
    ev.WeatherRolled: _weather_rolled,
    ev.GarrisonRolled: _garrison_rolled,
    ev.TownGarrisonsReleased: _nothing,
    ev.SupplyReceived: _supply_received,
    ev.ReplacementsReceived: _replacements_received,
    ev.GarrisonSustained: _garrison_sustained,
    ev.ImpulseBegan: _impulse_began,
    ev.SupplyTraced: _supply_traced,
    ev.UnitReplaced: _unit_replaced,
    ev.UnitRepaired: _unit_repaired,
    ev.ImpulseDeclared: _impulse_declared,
    ev.PhaseBegan: _phase_began,
    ev.UnitMoved: _unit_moved,
    ev.UnitRailed: _unit_railed,
    ev.UnitStopped: _nothing,
    ev.IceTested: _nothing,
    ev.CommandosTested: _nothing,
    ev.UnitDeployed: _unit_deployed,
    ev.BridgeBuilt: _bridge_built,
    ev.BridgeDestroyed: _bridge_destroyed,
    ev.StackArranged: _stack_arranged,
    ev.AssaultDeclared: _assault_declared,
    ev.SupplySpent: _supply_spent,
    ev.UnitWithdrew: _unit_withdrew,
    ev.UnitPursued: _unit_pursued,
    ev.ConventionalFired: _nothing,
    ev.AntitankFired: _nothing,
    ev.BarrageFired: _barrage_fired,
    ev.BunkerBarraged: _barrage_fired,
    ev.StrengthLost: _strength_lost,
    ev.UnitEliminated: _unit_eliminated,
    ev.BunkerReduced: _bunker_reduced,
    ev.BunkerDestroyed: _bunker_destroyed,
    ev.MoraleChecked: _nothing,
    ev.UnitShaken: _unit_shaken,
    ev.UnitHalted: _unit_halted,
    ev.RetreatRequired: _retreat_required,
    ev.UnitRetreated: _unit_retreated,
    ev.HexVacated: _hex_vacated,
    ev.UnitAdvanced: _unit_advanced,
    ev.RailroadScored: _railroad_scored,
    ev.ImpulseEnded: _impulse_ended,
    ev.TurnEnded: _nothing,
    ev.GameEnded: _nothing,
    ev.DecisionReached: _decision_reached,
}
