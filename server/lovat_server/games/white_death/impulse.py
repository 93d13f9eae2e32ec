"""[WD 5.2] The movement phase as one order: rehearsed without dice, or carried out with them."""

from __future__ import annotations

from collections.abc import Iterable

from lovat_server.core.errors import MalformedError
from lovat_server.core.violations import Reason, Violation

from . import assault, stacking
from .answers import Receipt
from .battle import Battle
from .events import StrengthLost, SupplySpent, UnitEliminated, UnitMoved
from .movement import MovementPhase
from .orders import MoveAndDeclare
from .state import State
from .terms import MP, Cause, Status

MOST_ACTIONS = 1000


def rehearse(battle: Battle, order: MoveAndDeclare,
             tried: MovementPhase | None = None) -> tuple[MovementPhase, list[Violation]]:
    """[WD 5.2] Do the order on a battle without dice, as if none went against the mover.

    The battle then stands at the end of the order, unless something was refused. An action that
    is refused is left out, so that what follows is judged without it. What was found legal when
    the order was `tried` with dice is not judged again.
    """
    phase = MovementPhase(battle, chance=False)
    if tried is not None:
        phase.legal = tried.legal
    found = _too_many(order) or [*_act(phase, order), *_judge_end(phase, order)]
    if not found:
        assault.declare(battle, order.assaults)
    return phase, found


def receipt(phase: MovementPhase, order: MoveAndDeclare) -> Receipt:
    """Movement spent by each unit, assaults counted, and the supply that assaults cost."""
    spent = dict(phase.spent)
    for declared in order.assaults:
        for index in declared.units:
            spent[index] = spent.get(index, 0) + MP
    supply = [0, 0, 0]
    for event in phase.battle.events:
        if isinstance(event, SupplySpent):
            supply[event.pool] += event.points
    return Receipt(tuple(spent), tuple(spent.values()), (supply[0], supply[1], supply[2]))


def carry_out(battle: Battle, order: MoveAndDeclare, state: State) -> list[Violation]:
    """[WD 5.2] Do the order with dice on the battle of `state`; every violation of a rehearsal.

    Until a die goes against the mover this is a rehearsal itself. What dice have made impossible
    is left undone. With any violation the battle is of no more use.
    """
    found = _too_many(order)
    if found:
        return found
    phase = MovementPhase(battle, chance=True)
    try:
        found = _act(phase, order)
    except MalformedError:      # a script of dice has run out: that is told of legal orders only
        _, found = rehearse(Battle(battle.catalog, state), order, phase)
        if not found:
            raise
        return found
    if phase.went_otherwise:
        _, found = rehearse(Battle(battle.catalog, state), order, phase)
        settle_stacking(phase)
        assaults = assault.still_possible(battle, order.assaults)
    else:
        found += _judge_end(phase, order)
        assaults = order.assaults
    if not found:
        assault.declare(battle, assaults)
    return found


def _too_many(order: MoveAndDeclare) -> list[Violation]:
    if len(order.actions) <= MOST_ACTIONS:
        return []
    return [Violation(
        Reason.TOO_MANY, "WD 5", "actions",
        f"{len(order.actions)} actions are too many for one impulse; {MOST_ACTIONS} are allowed.",
        {"actions": str(len(order.actions)), "limit": str(MOST_ACTIONS)})]


def _act(phase: MovementPhase, order: MoveAndDeclare) -> list[Violation]:
    """Each action that nothing speaks against is done; what speaks against the others."""
    found: list[Violation] = []
    for place, action in enumerate(order.actions):
        refused = [] if place < phase.legal else phase.judge(action, f"actions[{place}]")
        found.extend(refused)
        if not refused:
            if place == phase.legal and not phase.went_otherwise:
                phase.legal += 1
            phase.perform(action, place)
    return found


def _judge_end(phase: MovementPhase, order: MoveAndDeclare) -> list[Violation]:
    return [*phase.judge_stacking(), *assault.judge(phase, order.assaults, "assaults")]


def settle_stacking(phase: MovementPhase) -> None:
    """[WD 4] Where dice left a stack too large, those who moved step back along their way.

    NOTE(WD 4): the last to arrive goes first; a unit that fits nowhere on its way is eliminated.
    Units that must retreat from the hex are left out: they will not stay.
    """
    battle = phase.battle
    leaving = {pending.unit for pending in battle.retreats}
    for index in reversed(list(phase.came_from)):
        hex_ = battle.units[index].hex
        staying = [other for other in battle.stack(hex_) if other not in leaving]
        if hex_ < 0 or index in leaving or stacking.fits(battle.catalog, staying):
            continue
        back = _last_fitting(battle, index, reversed(phase.came_from[index]))
        if back is not None:
            battle.record(UnitMoved(index, hex_, (back,), 0))
            continue
        unit = battle.units[index]
        battle.record(StrengthLost(index, unit.strength, Cause.STACKING,
                                   bool(unit.status & Status.ISOLATED)))
        battle.record(UnitEliminated(index, hex_))


def _last_fitting(battle: Battle, index: int, hexes: Iterable[int]) -> int | None:
    side = battle.catalog.units[index].side
    for hex_ in hexes:
        if hex_ >= 0 and not battle.has_enemy(side, hex_) and \
                stacking.fits_with(battle, hex_, (index,)):
            return hex_
    return None
