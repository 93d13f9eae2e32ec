"""Every decision: which order answers it, how that is judged, how it is carried out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from lovat_server.core.violations import Reason, Violation

from . import (
    advance,
    barrage,
    declaring,
    fire,
    losses_to_date,
    refit,
    replacements,
    retreat,
    sequence,
    set_up,
    ski,
    supply,
)
from .battle import Battle
from .orders import (
    Advance,
    AssaultFire,
    Barrage,
    DeclareImpulse,
    DefensiveFire,
    DistributeLosses,
    MoveAndDeclare,
    Order,
    Pursue,
    Refit,
    Replace,
    Retreat,
    RetreatBeforeCombat,
    SetUp,
    SustainGarrison,
)
from .terms import DecisionKind, Phase, Side

NAMES = {
    DecisionKind.DISTRIBUTE_LOSSES: "losses to date",
    DecisionKind.REFIT: "the tank brigade to refit",
    DecisionKind.SET_UP: "set-up",
    DecisionKind.SUSTAIN_GARRISON: "supply of Velikiye Luki's own to avoid isolation",
    DecisionKind.REPLACE: "replacements",
    DecisionKind.DECLARE_IMPULSE: "the declaration of an impulse",
    DecisionKind.MOVE_AND_DECLARE: "movement and assaults",
    DecisionKind.RETREAT_BEFORE_COMBAT: "retreat before combat",
    DecisionKind.PURSUE: "pursuit",
    DecisionKind.BARRAGE: "barrage",
    DecisionKind.DEFENSIVE_FIRE: "defensive fire",
    DecisionKind.ASSAULT_FIRE: "assault fire",
    DecisionKind.RETREAT: "retreats",
    DecisionKind.ADVANCE: "advance",
    DecisionKind.GAME_OVER: "nothing: the game is over",
}


class Handler(NamedTuple):
    """`resolve` carries a legal order out and runs on to the next decision."""

    order: type
    judge: Callable[[Battle, Any], list[Violation]]
    resolve: Callable[[Battle, Any], None]


def _distribute(battle: Battle, order: DistributeLosses) -> None:
    losses_to_date.resolve(battle, order)
    sequence.after_losses(
        battle, (Side.SOVIET,) if battle.decision.side == Side.GERMAN else ())


def _refit(battle: Battle, order: Refit) -> None:
    refit.resolve(battle, order)
    sequence.after_refit(battle)


def _set_up(battle: Battle, order: SetUp) -> None:
    set_up.resolve(battle, order)
    sequence.after_set_up(battle)


def _sustain(battle: Battle, order: SustainGarrison) -> None:
    supply.resolve_sustain(battle, order)
    sequence.after_sustain(battle)


def _replace(battle: Battle, order: Replace) -> None:
    replacements.resolve(battle, order)
    sequence.after_replacements(battle)


def _withdraw(battle: Battle, order: RetreatBeforeCombat) -> None:
    ski.withdraw(battle, order)
    sequence.after_withdrawals(battle)


def _pursue(battle: Battle, order: Pursue) -> None:
    ski.pursue(battle, order)
    sequence.begin_barrage(battle)


def _barrage(battle: Battle, order: Barrage) -> None:
    barrage.resolve_barrage(battle, order)
    sequence.after_fire(battle)


def _defend(battle: Battle, order: DefensiveFire) -> None:
    fire.resolve(battle, Phase.DEFENSIVE_FIRE, order)
    sequence.after_fire(battle)


def _assault(battle: Battle, order: AssaultFire) -> None:
    fire.resolve(battle, Phase.ASSAULT, order)
    sequence.after_fire(battle)


def _retreat(battle: Battle, order: Retreat) -> None:
    retreat.resolve(battle, order)
    sequence.after_retreats(battle)


def _advance(battle: Battle, order: Advance) -> None:
    advance.resolve(battle, order)
    sequence.end_impulse(battle)


def _judge_defence(battle: Battle, order: DefensiveFire) -> list[Violation]:
    return fire.judge(battle, Phase.DEFENSIVE_FIRE, order)


def _judge_assault(battle: Battle, order: AssaultFire) -> list[Violation]:
    return fire.judge(battle, Phase.ASSAULT, order)


HANDLERS = {
    DecisionKind.DISTRIBUTE_LOSSES: Handler(DistributeLosses, losses_to_date.judge, _distribute),
    DecisionKind.REFIT: Handler(Refit, refit.judge, _refit),
    DecisionKind.SET_UP: Handler(SetUp, set_up.judge, _set_up),
    DecisionKind.SUSTAIN_GARRISON: Handler(SustainGarrison, supply.judge_sustain, _sustain),
    DecisionKind.REPLACE: Handler(Replace, replacements.judge, _replace),
    DecisionKind.DECLARE_IMPULSE: Handler(DeclareImpulse, declaring.judge, sequence.declare),
    DecisionKind.RETREAT_BEFORE_COMBAT: Handler(RetreatBeforeCombat, ski.judge_withdrawals,
                                                _withdraw),
    DecisionKind.PURSUE: Handler(Pursue, ski.judge_pursuits, _pursue),
    DecisionKind.BARRAGE: Handler(Barrage, barrage.judge_barrage, _barrage),
    DecisionKind.DEFENSIVE_FIRE: Handler(DefensiveFire, _judge_defence, _defend),
    DecisionKind.ASSAULT_FIRE: Handler(AssaultFire, _judge_assault, _assault),
    DecisionKind.RETREAT: Handler(Retreat, retreat.judge, _retreat),
    DecisionKind.ADVANCE: Handler(Advance, advance.judge, _advance),
}
"""All but `MoveAndDeclare`, which `game` rehearses so that what was judged need not be redone."""


def order_type(kind: DecisionKind) -> type | None:
    """The order that answers a decision; None when the game is over."""
    if kind == DecisionKind.MOVE_AND_DECLARE:
        return MoveAndDeclare
    handler = HANDLERS.get(kind)
    return handler.order if handler else None


def wrong_decision(battle: Battle, order: Order) -> list[Violation]:
    """[WD 5] Orders for a decision that is not pending are refused, naming the one that is."""
    decision = battle.decision
    if isinstance(order, order_type(decision.kind) or ()):
        return []
    side = decision.side.name.capitalize()
    return [Violation(
        Reason.WRONG_DECISION, "WD 5", "",
        f"{type(order).__name__} does not answer the pending decision: the {side} side decides on "
        f"{NAMES[decision.kind]}.",
        {"pending": decision.kind.name, "side": decision.side.name, "order": type(order).__name__})]
