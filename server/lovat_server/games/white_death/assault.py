"""[WD 6.B.3] Declaring assaults at the end of the movement phase."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from . import cavalry, special_units, supply
from .battle import Battle
from .conventional_fire import is_defensive_only
from .events import AssaultDeclared, SupplySpent
from .movement import MovementPhase
from .orders import Assault
from .position import Position
from .terms import MP, OFF_MAP, ImpulseKind, Side, Status
from .terrain import steps
from .travel import mobility_of, node_of
from .wording import hex_name, unit_name


def is_target(position: Position, side: Side, hex_: int) -> bool:
    """[WD 9.B, E.19] A hex with enemy units, or for the Soviets one with a standing bunker."""
    return position.has_enemy(side, hex_) or (
        side == Side.SOVIET and position.bunker_at(hex_) is not None)


def refusal(position: Position, index: int, hex_: int) -> tuple[Reason, str, str] | None:
    """[WD 6.B.3, 9.A, 12.A] Why a unit may not assault a hex, points left apart.

    NOTE(WD 12.A): in a thaw a heavy unit in a river hex does not assault over to the other bank,
    where it could not go (WD 16.B).
    """
    found = _refusal(position, index, hex_)
    if found is None:
        return None
    reason, clause, message = found
    return reason, clause, message.format(
        unit=unit_name(position.catalog, index), where=hex_name(position.catalog, hex_),
        here=hex_name(position.catalog, position.units[index].hex))


def _refusal(position: Position, index: int, hex_: int) -> tuple[Reason, str, str] | None:
    printed, unit = position.catalog.units[index], position.units[index]
    if unit.hex == OFF_MAP:
        return Reason.NOT_AVAILABLE, "WD 6.B.3", "{unit} is not on the map."
    if position.catalog.map.grid.direction(unit.hex, hex_) is None:
        return (Reason.NOT_ADJACENT, "WD 6.B.3",
                "{unit} in {here} is not adjacent to {where}.")
    if not is_target(position, printed.side, hex_):
        return Reason.TARGET, "WD 9.B", "There is nothing to assault in {where}."
    if is_defensive_only(position, index):
        return (Reason.FIRER, "WD 9.A",
                "{unit} has a conventional factor in parentheses and fires defensively only.")
    if unit.status & Status.HALTED:
        return Reason.FIRER, "WD 14.B.2", "{unit} failed its morale check and may not assault."
    moves = steps(position.catalog, mobility_of(position, index), position.thaw,
                  position.bridged())
    if hex_ not in moves.to_hex[node_of(position, index)]:
        return (Reason.PROHIBITED_TERRAIN, "WD 12.A",
                "{unit} may not assault {where}: it could not go there.")
    return None


def targets(phase: MovementPhase, index: int) -> tuple[int, ...]:
    """[WD 6.B.3] Hexes a unit may assault from where it stands, with what it has left."""
    position = phase.battle
    hex_ = position.units[index].hex
    if hex_ == OFF_MAP or phase.left(index) < MP or position.kind == ImpulseKind.PASS or \
            supply.missing_for_assault(position, (index,)):
        return ()
    return tuple(other for other in position.catalog.map.grid.neighbours[hex_]
                 if other >= 0 and refusal(position, index, other) is None)


def judge(phase: MovementPhase, assaults: tuple[Assault, ...], path: str) -> list[Violation]:
    """[WD 5, 6.B.3, 9.A, 12.A, 15.A.1, 21.B] Every rule the declared assaults break."""
    position = phase.battle
    if assaults and position.kind == ImpulseKind.PASS:
        return [Violation(Reason.IMPULSE, "WD 5", path, "No unit may assault in a pass.")]
    found: list[Violation] = []
    seen: set[int] = set()
    hexes: set[int] = set()
    for place, assault in enumerate(assaults):
        where = f"{path}[{place}]"
        if assault.hex in hexes:
            found.append(Violation(Reason.DUPLICATE, "WD 6.B.3", f"{where}.hex",
                                   f"{hex_name(position.catalog, assault.hex)} is named twice."))
        hexes.add(assault.hex)
        if not assault.units:
            found.append(Violation(Reason.INCOMPLETE, "WD 6.B.3", f"{where}.units",
                                   "The assault names no unit."))
        for seat, index in enumerate(assault.units):
            found.extend(_judge_unit(phase, index, assault.hex, seen, f"{where}.units[{seat}]"))
            seen.add(index)
        found.extend(cavalry.judge(position, assault, where))
    found.extend(special_units.judge_regiments(position, assaults, path))
    own = tuple(index for index in seen if position.catalog.units[index].side == position.side)
    found.extend(supply.judge_assault(position, own, path))
    return found


def _judge_unit(phase: MovementPhase, index: int, hex_: int, seen: set[int],
                path: str) -> list[Violation]:
    position = phase.battle
    name = unit_name(position.catalog, index)
    if position.catalog.units[index].side != position.side:
        return [Violation(Reason.WRONG_SIDE, "WD 6.B.3", path,
                          f"{name} does not belong to the phasing side.")]
    if index in seen:
        return [Violation(Reason.DUPLICATE, "WD 6.B.3", path,
                          f"{name} may assault one hex only.")]
    refused = refusal(position, index, hex_)
    found = []
    if refused is not None:
        reason, clause, message = refused
        found.append(Violation(reason, clause, path, message))
    found.extend(phase.judge_points(index, MP, path, "WD 6.B.3"))
    return found


def still_possible(battle: Battle, assaults: tuple[Assault, ...]) -> tuple[Assault, ...]:
    """[WD 6.B.3] Assaults as far as they can be made after all that dice have done."""
    made = []
    for assault in assaults:
        units = tuple(index for index in assault.units
                      if refusal(battle, index, assault.hex) is None)
        if units:
            charge = tuple(index for index in assault.charge if index in units)
            made.append(Assault(assault.hex, units, charge))
    return tuple(made)


def declare(battle: Battle, assaults: tuple[Assault, ...]) -> None:
    """[WD 6.B.3, 15.A.1] Record assaults that can be made, and pay for them."""
    for pool in supply.assault_pools(battle, [i for assault in assaults for i in assault.units]):
        battle.record(SupplySpent(pool, 1, False))
    for assault in assaults:
        battle.record(AssaultDeclared(assault.hex, assault.units, assault.charge))
