"""[WD 5.2] The movement phase as one order: judged as a rehearsal, then carried out with dice."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from . import assault
from .answers import Receipt
from .battle import Battle
from .movement import MovementPhase, settle_stacking
from .orders import MoveAndDeclare
from .supply import assault_pools

MOST_ACTIONS = 1000


def rehearse(battle: Battle, order: MoveAndDeclare) -> tuple[MovementPhase, list[Violation]]:
    """[WD 5.2] Do the order on a battle without dice, as if none went against the mover.

    The battle then stands at the end of the order, unless something was refused. An action that
    is refused is left out, so that what follows is judged without it.
    """
    phase = MovementPhase(battle, chance=False)
    if len(order.actions) > MOST_ACTIONS:
        return phase, [Violation(
            Reason.TOO_MANY, "WD 5", "actions",
            f"{len(order.actions)} actions are too many for one impulse; {MOST_ACTIONS} are allowed.",
            {"actions": str(len(order.actions)), "limit": str(MOST_ACTIONS)})]
    found: list[Violation] = []
    for place, action in enumerate(order.actions):
        refused = phase.judge(action, f"actions[{place}]")
        found.extend(refused)
        if not refused:
            phase.perform(action)
    found.extend(phase.judge_stacking("actions"))
    found.extend(assault.judge(phase, order.assaults, "assaults"))
    if not found:
        assault.declare(battle, order.assaults)
    return phase, found


def receipt(phase: MovementPhase, order: MoveAndDeclare) -> Receipt:
    """Movement spent by each unit, assaults counted, and the supply that assaults cost."""
    spent = dict(phase.spent)
    for declared in order.assaults:
        for index in declared.units:
            spent[index] = spent.get(index, 0) + 120
    supply = [0, 0, 0]
    for pool in assault_pools(phase.battle, tuple(i for a in order.assaults for i in a.units)):
        supply[pool] += 1
    return Receipt(tuple(spent), tuple(spent.values()), (supply[0], supply[1], supply[2]))


def carry_out(battle: Battle, order: MoveAndDeclare) -> None:
    """[WD 5.2] Do a legal order with dice; what dice have made impossible is left undone."""
    phase = MovementPhase(battle, chance=True)
    for place, action in enumerate(order.actions):
        if not phase.judge(action, f"actions[{place}]"):
            phase.perform(action)
    settle_stacking(phase)
    assault.declare(battle, order.assaults)
