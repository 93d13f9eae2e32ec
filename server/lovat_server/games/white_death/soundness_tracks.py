"""Faults of tracks, bridges, assaults and the pending decision that do not stop play."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from lovat_server.core.violations import Reason, Violation

from . import assault, rail, refit
from .position import Position
from .terms import OFF_MAP, DecisionKind, ImpulseKind, Phase, Pool, Side, Status
from .wording import hex_name, unit_name

MOST_POINTS = 10
MOST_PAID = 3
"""[WD 15.A] An assault and barrages with full rockets."""

_OPENING = (DecisionKind.NONE, DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP)
_TURN_START = (*_OPENING, DecisionKind.REFIT, DecisionKind.SUSTAIN_GARRISON)
_BETWEEN = (*_TURN_START, DecisionKind.REPLACE, DecisionKind.DECLARE_IMPULSE)
"""Decisions in which no impulse has been declared."""


class _Sides(NamedTuple):
    """Who decides: the moving side, the other, or one of them by name."""

    moving: bool = True
    named: Side | None = None


_WHO = {
    DecisionKind.REFIT: _Sides(named=Side.SOVIET),
    DecisionKind.SUSTAIN_GARRISON: _Sides(named=Side.GERMAN),
    DecisionKind.REPLACE: _Sides(),
    DecisionKind.DECLARE_IMPULSE: _Sides(),
    DecisionKind.MOVE_AND_DECLARE: _Sides(),
    DecisionKind.RETREAT_BEFORE_COMBAT: _Sides(moving=False),
    DecisionKind.PURSUE: _Sides(),
    DecisionKind.BARRAGE: _Sides(),
    DecisionKind.DEFENSIVE_FIRE: _Sides(moving=False),
    DecisionKind.ASSAULT_FIRE: _Sides(),
    DecisionKind.ADVANCE: _Sides(),
}
_IN_MOVEMENT = (DecisionKind.MOVE_AND_DECLARE, DecisionKind.RETREAT_BEFORE_COMBAT,
                DecisionKind.PURSUE)


def faults(position: Position) -> list[Violation]:
    """Every fault, in the order of the rulebook's chapters."""
    return [*_impulse(position), *_pools(position), *_weather(position), *_bridges(position),
            *_assaults(position), *_pending(position), *_decision(position), *_ledger(position),
            *_railroad(position)]


def _fault(reason: Reason, clause: str, path: str, message: str) -> Violation:
    return Violation(reason, clause, path, message)


def _name(side: Side) -> str:
    return side.name.capitalize()


# ---------------------------------------------------------------- tracks

def _impulse(position: Position) -> Iterator[Violation]:
    """[WD 5, 8, 18] Points, impulses, and what belongs to an impulse only."""
    kind = position.decision.kind
    between = kind in _BETWEEN
    for side in Side:
        begun, left = position.impulses[side], position.points[side]
        if not 0 <= begun <= MOST_POINTS:
            yield _fault(Reason.IMPULSE, "WD 5", f"impulses[{int(side)}]",
                         f"A side begins 0 to {MOST_POINTS} impulses in a turn, not {begun}.")
        open_ = int(between and side == position.side)
        spent = max(0, begun - open_ - 1) + (
            max(1, position.declared) if begun > open_ and side == position.side else
            int(begun > open_))
        if 0 <= begun <= MOST_POINTS and 0 <= left <= MOST_POINTS and left + spent > MOST_POINTS:
            yield _fault(Reason.POINTS, "WD 5", f"points[{int(side)}]",
                         f"The {_name(side)} side has begun {begun} impulses and has {left} points "
                         f"left; at least {spent} of {MOST_POINTS} have been spent.")
        if not 0 <= position.rail_moved[side] <= rail.LIMIT:
            yield _fault(Reason.RAIL, "WD 8", f"rail_moved[{int(side)}]",
                         f"A side rails 0 to {rail.LIMIT} strength points in a turn, not "
                         f"{position.rail_moved[side]}.")
        replacing = kind in (DecisionKind.REPLACE, DecisionKind.DECLARE_IMPULSE)
        if position.replacements[side] < 0 or (position.replacements[side] and not replacing):
            yield _fault(Reason.REPLACEMENT, "WD 18", f"replacements[{int(side)}]",
                         f"{position.replacements[side]} replacement points are to be handed out, "
                         "which is done before an impulse is declared only.")
    if between and (position.declared or position.kind != ImpulseKind.NONE):
        yield _fault(Reason.IMPULSE, "WD 5", "declared",
                     "No impulse has been declared yet, but one is noted.")
    if not between and kind != DecisionKind.GAME_OVER and (
            not position.declared or position.kind == ImpulseKind.NONE):
        yield _fault(Reason.IMPULSE, "WD 5", "declared",
                     f"{kind.name} is pending but no impulse is noted as declared.")
    if position.kind == ImpulseKind.PASS and position.declared != 1:
        yield _fault(Reason.IMPULSE, "WD 5", "declared",
                     f"A pass spends 1 movement point, not {position.declared}.")


def _pools(position: Position) -> Iterator[Violation]:
    """[WD 15] Supply points and what was paid of them in the impulse."""
    for pool in Pool:
        if position.supply[pool] < 0:
            yield _fault(Reason.SUPPLY, "WD 15", f"supply[{int(pool)}]",
                         f"A pool has no fewer than 0 supply points, not {position.supply[pool]}.")
        paid = position.paid[pool]
        if not 0 <= paid <= MOST_PAID:
            yield _fault(Reason.SUPPLY, "WD 15.A", f"paid[{int(pool)}]",
                         f"A pool pays 0 to {MOST_PAID} points for attacks in an impulse, "
                         f"not {paid}.")
        elif (paid or position.high_intensity[pool]) and position.phase == Phase.NONE:
            yield _fault(Reason.SUPPLY, "WD 15.A", f"paid[{int(pool)}]",
                         "Supply has been paid for an impulse, but none is being played.")


def _weather(position: Position) -> Iterator[Violation]:
    """[WD 16] The turn's row of the weather table has the weather."""
    table = position.catalog.charts.weather
    if position.decision.kind in _OPENING or not 1 <= position.turn <= len(table):
        return
    if position.weather not in table[position.turn - 1]:
        yield _fault(Reason.UNSPECIFIED, "WD 16", "weather",
                     f"No die brings {position.weather.name.lower()} on turn {position.turn}.")


def _bridges(position: Position) -> Iterator[Violation]:
    """[WD 20] Bridges stand in river hexes, one in each, one for each builder."""
    catalog = position.catalog
    hexes: set[int] = set()
    builders: set[int] = set()
    for place, bridge in enumerate(position.bridges):
        path, where = f"bridges[{place}]", hex_name(catalog, bridge.hex)
        if bridge.hex in hexes:
            yield _fault(Reason.DUPLICATE, "WD 20", f"{path}.hex", f"{where} has two bridges.")
        hexes.add(bridge.hex)
        if bridge.hex < 0 or not catalog.map.river >> bridge.hex & 1:
            yield _fault(Reason.BRIDGE, "WD 20.B", f"{path}.hex",
                         f"A bridge stands in {where}, which is no river hex.")
        elif bridge.builder < 0 and bridge.hex not in catalog.scenario.bridges:
            yield _fault(Reason.BRIDGE, "WD 20", f"{path}.builder",
                         f"The bridge in {where} is not one of the scenario's and has no builder.")
        if bridge.builder < 0:
            continue
        name = unit_name(catalog, bridge.builder)
        if bridge.builder in builders:
            yield _fault(Reason.DUPLICATE, "WD 20.B", f"{path}.builder",
                         f"{name} has built two bridges.")
        elif "bridge" not in catalog.units[bridge.builder].traits:
            yield _fault(Reason.BRIDGE, "WD 20.B", f"{path}.builder",
                         f"{name} has no bridge to build.")
        elif not position.units[bridge.builder].status & Status.BRIDGED:
            yield _fault(Reason.BRIDGE, "WD 20.B", f"{path}.builder",
                         f"{name} built the bridge in {where} but is not marked as having built "
                         "one.")
        builders.add(bridge.builder)


# ---------------------------------------------------------------- assaults

def _assaults(position: Position) -> Iterator[Violation]:
    """[WD 6.B.3, 9.A] Units of the moving side, each against one hex next to it."""
    catalog, side = position.catalog, position.side
    if position.assaults and (position.decision.kind in _BETWEEN
                              or position.kind == ImpulseKind.PASS):
        yield _fault(Reason.IMPULSE, "WD 5", "assaults",
                     "Assaults are declared, but no action impulse is being played.")
    hexes: set[int] = set()
    units: set[int] = set()
    for place, declared in enumerate(position.assaults):
        path, where = f"assaults[{place}]", hex_name(catalog, declared.hex)
        if declared.hex in hexes:
            yield _fault(Reason.DUPLICATE, "WD 6.B.3", f"{path}.hex",
                         f"{where} is assaulted twice.")
        hexes.add(declared.hex)
        if position.occupied(side) >> declared.hex & 1 and not position.withdrawn:
            yield _fault(Reason.TARGET, "WD 9.B", f"{path}.hex",
                         f"{where} is assaulted but holds units of the {_name(side)} side.")
        elif position.decision.kind == DecisionKind.RETREAT_BEFORE_COMBAT \
                and not assault.is_target(position, side, declared.hex):
            yield _fault(Reason.TARGET, "WD 9.B", f"{path}.hex",
                         f"There is nothing to assault in {where}.")
        for seat, index in enumerate(declared.units):
            yield from _assaulter(position, index, declared.hex, units, f"{path}.units[{seat}]")
            units.add(index)
        for seat, index in enumerate(declared.charge):
            if index not in declared.units or "cavalry" not in catalog.units[index].traits:
                yield _fault(Reason.SPECIAL_UNIT, "WD 24", f"{path}.charge[{seat}]",
                             f"{unit_name(catalog, index)} charges {where} but is no cavalry that "
                             "assaults it.")


def _assaulter(position: Position, index: int, hex_: int, seen: set[int],
               path: str) -> Iterator[Violation]:
    """[WD 6.B.3, 14.B.2] NOTE(WD 14.B): a unit that was halted may have retreated since."""
    name, where = unit_name(position.catalog, index), hex_name(position.catalog, hex_)
    unit = position.units[index]
    if position.catalog.units[index].side != position.side:
        yield _fault(Reason.WRONG_SIDE, "WD 6.B.3", path,
                     f"{name} assaults {where} but does not belong to the moving side.")
    elif index in seen:
        yield _fault(Reason.DUPLICATE, "WD 6.B.3", path, f"{name} assaults twice.")
    elif unit.hex != OFF_MAP and not unit.status & Status.HALTED and not (
            position.catalog.map.grid.adjacent[hex_] >> unit.hex & 1):
        yield _fault(Reason.NOT_ADJACENT, "WD 6.B.3", path,
                     f"{name} in {hex_name(position.catalog, unit.hex)} assaults {where}, which is "
                     "not adjacent.")
    elif unit.hex == OFF_MAP and unit.strength:
        yield _fault(Reason.NOT_AVAILABLE, "WD 6.B.3", path,
                     f"{name} assaults {where} but is not on the map.")


def _pending(position: Position) -> Iterator[Violation]:
    """[WD 14.B, E.21-E] Units that must retreat, or have withdrawn, or may advance."""
    seen: set[int] = set()
    for place, pending in enumerate(position.retreats):
        if pending.unit in seen:
            yield _fault(Reason.DUPLICATE, "WD 14.B", f"retreats[{place}].unit",
                         f"{unit_name(position.catalog, pending.unit)} is to retreat twice.")
        seen.add(pending.unit)
        if position.catalog.units[pending.unit].side != position.decision.side:
            yield _fault(Reason.WRONG_SIDE, "WD 14.B", f"retreats[{place}].unit",
                         f"{unit_name(position.catalog, pending.unit)} is to retreat but belongs "
                         "to the side that does not decide.")
    if position.phase == Phase.NONE:
        for field in ("retreats", "withdrawn", "vacated"):
            if getattr(position, field):
                yield _fault(Reason.IMPULSE, "WD 5", field,
                             f"{field.capitalize()} are noted, but no impulse is being played.")
    for place, pending in enumerate(position.withdrawn):
        if position.catalog.units[pending.unit].side == position.side:
            yield _fault(Reason.WRONG_SIDE, "WD E.21-E", f"withdrawn[{place}].unit",
                         f"{unit_name(position.catalog, pending.unit)} has withdrawn before combat "
                         "but belongs to the moving side.")
    assaulted = {declared.hex for declared in position.assaults}
    for place, hex_ in enumerate(position.vacated):
        if hex_ not in assaulted:
            yield _fault(Reason.ADVANCE, "WD 9.D", f"vacated[{place}]",
                         f"{hex_name(position.catalog, hex_)} may be occupied but was not "
                         "assaulted.")


# ---------------------------------------------------------------- the decision

def _decision(position: Position) -> Iterator[Violation]:
    """[WD 5] The pending decision is one of the moment, and of the side whose it is."""
    kind, side = position.decision.kind, position.decision.side
    who = _WHO.get(kind)
    if who is not None:
        wanted = who.named if who.named is not None else (
            position.side if who.moving else position.side.enemy)
        if side != wanted:
            yield _fault(Reason.WRONG_SIDE, "WD 5", "decision.side",
                         f"{kind.name} is for the {_name(wanted)} side now, not for the "
                         f"{_name(side)} side.")
    if (kind == DecisionKind.RETREAT) != bool(position.retreats):
        yield _fault(Reason.RETREAT, "WD 14.B", "retreats",
                     f"{kind.name} is pending and {len(position.retreats)} units must retreat; "
                     "a retreat is pending just when some must.")
    phase = position.phase
    if kind in _IN_MOVEMENT and phase != Phase.MOVEMENT:
        yield _fault(Reason.IMPULSE, "WD 5", "phase",
                     f"{kind.name} is pending in phase {phase.name}, not in MOVEMENT.")
    if kind in (*_BETWEEN, DecisionKind.GAME_OVER) and phase != Phase.NONE:
        yield _fault(Reason.IMPULSE, "WD 5", "phase",
                     f"{kind.name} is pending, which is in no phase of an impulse, but the phase "
                     f"is {phase.name}.")
    if kind not in _TURN_START and kind != DecisionKind.GAME_OVER \
            and position.impulses[position.side] < 1:
        yield _fault(Reason.IMPULSE, "WD 5", f"impulses[{int(position.side)}]",
                     f"{kind.name} is pending but the {_name(position.side)} side has begun no "
                     "impulse.")
    yield from _moment(position, kind)


def _moment(position: Position, kind: DecisionKind) -> Iterator[Violation]:
    """[WD 5, 18, 25] Decisions that come at one moment only."""
    scenario = position.catalog.scenario
    if kind in _OPENING and position.turn != scenario.first_turn:
        yield _fault(Reason.IMPULSE, "WD 25", "turn",
                     f"{kind.name} is pending on turn {position.turn}; it comes before turn "
                     f"{scenario.first_turn} only.")
    if kind == DecisionKind.GAME_OVER and position.turn != scenario.last_turn:
        yield _fault(Reason.IMPULSE, "WD 25", "turn",
                     f"The game is over on turn {position.turn}; it ends after turn "
                     f"{scenario.last_turn}.")
    if kind == DecisionKind.REFIT and position.turn != refit.TURN:
        yield _fault(Reason.REPLACEMENT, "WD 18", "turn",
                     f"A brigade is refitted on turn {refit.TURN}, not on turn {position.turn}.")
    if kind == DecisionKind.REPLACE and position.impulses[position.side] > 1:
        yield _fault(Reason.REPLACEMENT, "WD 18", "decision.kind",
                     "Replacements come in the first impulse of a turn only.")


# ---------------------------------------------------------------- the account

def _ledger(position: Position) -> Iterator[Violation]:
    """[WD 25] What the account says is what the units lack."""
    ledger, catalog = position.ledger, position.catalog
    if ledger.railroad < 0:
        yield _fault(Reason.UNSPECIFIED, "WD 25", "ledger.railroad",
                     f"{ledger.railroad} victory points have been scored for railroad towns.")
    for side in Side:
        at = f"[{int(side)}]"
        lost, replaced = ledger.lost[side], ledger.replaced[side]
        if lost < 0 or replaced < 0:
            yield _fault(Reason.UNSPECIFIED, "WD 25", f"ledger.lost{at}",
                         f"The account has {lost} points lost and {replaced} replaced; neither is "
                         "below 0.")
            continue
        if not 0 <= ledger.isolated[side] <= lost:
            yield _fault(Reason.UNSPECIFIED, "WD 25", f"ledger.isolated{at}",
                         f"{ledger.isolated[side]} of the {lost} points lost were lost by isolated "
                         "units.")
        lacking = sum(catalog.units[index].strength - position.units[index].strength
                      for index in catalog.side_units[side])
        if lacking != lost - replaced:
            yield _fault(Reason.UNSPECIFIED, "WD 25", f"ledger.lost{at}",
                         f"The units of the {_name(side)} side lack {lacking} strength points; the "
                         f"account has {lost} lost and {replaced} replaced.")


def _railroad(position: Position) -> Iterator[Violation]:
    """[WD 25] Only railroad towns are held as such."""
    if position.railroad_held & ~position.catalog.map.railroad_towns:
        yield _fault(Reason.UNSPECIFIED, "WD 25", "railroad_held",
                     "A hex is noted as a railroad town that is none.")
