"""[WD E.21-E] Ski units that retreat before combat, and ski units that pursue them."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from . import bunkers, stacking, zones
from .answers import PlacementOption, PursuitOption
from .battle import Battle
from .events import UnitPursued, UnitWithdrew
from .orders import Pursue, RetreatBeforeCombat
from .position import Position
from .terms import Mobility
from .terrain import step_cost
from .wording import hex_name, unit_name


def withdrawal_hexes(position: Position, index: int) -> tuple[int, ...]:
    """[WD E.21-E] Where an assaulted ski unit may go: one hex, not into an enemy ski zone."""
    printed, unit = position.catalog.units[index], position.units[index]
    if printed.mobility != Mobility.SKI or unit.hex not in _assaulted(position):
        return ()
    if printed.side == position.side:
        return ()
    grid = position.catalog.map.grid
    ski_zone = zones.zone_board(position, printed.side.enemy, ski_only=True)
    result = []
    for direction, hex_ in enumerate(grid.neighbours[unit.hex]):
        if hex_ < 0 or position.has_enemy(printed.side, hex_) or ski_zone >> hex_ & 1:
            continue
        if bunkers.is_closed_to(position, printed.side, hex_):
            continue
        cost = step_cost(position.catalog, printed.mobility, position.thaw, unit.hex, direction,
                         False, False)
        if cost is not None and stacking.fits_with(position, hex_, (index,)):
            result.append(hex_)
    return tuple(result)


def withdrawals(position: Position) -> tuple[PlacementOption, ...]:
    """[WD E.21-E] Every ski unit that may retreat before combat, with its hexes."""
    options = []
    for index in _assaulted_units(position):
        hexes = withdrawal_hexes(position, index)
        if hexes:
            options.append(PlacementOption(index, hexes))
    return tuple(options)


def judge_withdrawals(battle: Battle, order: RetreatBeforeCombat) -> list[Violation]:
    """[WD E.21-E] Each withdrawal after the ones before it."""
    trial = battle.fork()
    found = []
    seen: set[int] = set()
    for place, withdrawal in enumerate(order.withdrawals):
        path, name = f"withdrawals[{place}]", unit_name(battle.catalog, withdrawal.unit)
        if withdrawal.unit in seen:
            found.append(Violation(Reason.DUPLICATE, "WD E.21-E", f"{path}.unit",
                                   f"{name} retreats one hex only."))
            continue
        seen.add(withdrawal.unit)
        if withdrawal.hex not in withdrawal_hexes(trial, withdrawal.unit):
            found.append(Violation(
                Reason.RETREAT, "WD E.21-E", f"{path}.hex",
                f"{name} may not retreat before combat to "
                f"{hex_name(battle.catalog, withdrawal.hex)}: only an assaulted ski unit may, by "
                "one hex, not into the zone of control of an enemy ski unit."))
            continue
        _withdraw(trial, withdrawal.unit, withdrawal.hex)
    return found


def withdraw(battle: Battle, order: RetreatBeforeCombat) -> None:
    """[WD E.21-E]"""
    for withdrawal in order.withdrawals:
        _withdraw(battle, withdrawal.unit, withdrawal.hex)


def _withdraw(battle: Battle, index: int, hex_: int) -> None:
    battle.record(UnitWithdrew(index, battle.units[index].hex, hex_))


def pursuits(position: Position) -> tuple[PursuitOption, ...]:
    """[WD E.21-E] Assaulting ski units that may follow into a hex that was wholly left."""
    options = []
    for assault in position.assaults:
        targets = tuple(sorted({position.units[gone.unit].hex for gone in position.withdrawn
                                if gone.hex == assault.hex}))
        if not targets or position.has_enemy(position.side, assault.hex):
            continue
        if bunkers.is_closed_to(position, position.side, assault.hex):
            continue
        units = tuple(
            index for index in assault.units
            if position.catalog.units[index].mobility == Mobility.SKI
            and stacking.fits_with(position, assault.hex, (index,)))
        if units:
            options.append(PursuitOption(assault.hex, units, targets))
    return tuple(options)


def judge_pursuits(position: Position, order: Pursue) -> list[Violation]:
    """[WD E.21-E] Within what is offered, and within stacking."""
    found: list[Violation] = []
    offered = {option.hex: option for option in pursuits(position)}
    seen: set[int] = set()
    inside: dict[int, tuple[int, ...]] = {}
    for place, pursuit in enumerate(order.pursuits):
        path, option = f"pursuits[{place}]", offered.get(pursuit.hex)
        where = hex_name(position.catalog, pursuit.hex)
        if option is None:
            found.append(Violation(Reason.ADVANCE, "WD E.21-E", f"{path}.hex",
                                   f"{where} was not left by retreating ski units."))
            continue
        if pursuit.target not in option.targets:
            found.append(Violation(
                Reason.TARGET, "WD E.21-E", f"{path}.target",
                f"No ski unit retreated from {where} to "
                f"{hex_name(position.catalog, pursuit.target)}."))
        for seat, index in enumerate(pursuit.units):
            if index not in option.units or index in seen:
                found.append(Violation(
                    Reason.ADVANCE, "WD E.21-E", f"{path}.units[{seat}]",
                    f"{unit_name(position.catalog, index)} is not a ski unit that assaulted "
                    f"{where}, or is named twice."))
            seen.add(index)
        inside[pursuit.hex] = (*inside.get(pursuit.hex, ()), *pursuit.units)
        if not found and not stacking.fits_with(position, pursuit.hex, inside[pursuit.hex]):
            found.append(Violation(Reason.STACKING, "WD 4", f"{path}.units",
                                   f"{where} would hold too much."))
    return found


def pursue(battle: Battle, order: Pursue) -> None:
    """[WD E.21-E]"""
    for pursuit in order.pursuits:
        for index in pursuit.units:
            battle.record(UnitPursued(index, battle.units[index].hex, pursuit.hex, pursuit.target))


def _assaulted_units(position: Position) -> list[int]:
    return sorted(index for hex_ in _assaulted(position) for index in position.stack(hex_)
                  if position.catalog.units[index].side != position.side)


def _assaulted(position: Position) -> set[int]:
    return {assault.hex for assault in position.assaults}
