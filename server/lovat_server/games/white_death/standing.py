"""Answers to decisions that a side leaves to the server."""

from __future__ import annotations

from . import fire, ski, supply
from .battle import Battle
from .orders import (
    Advance,
    AssaultFire,
    Barrage,
    Choice,
    DeclareImpulse,
    DistributeLosses,
    MoveAndDeclare,
    Order,
    Pursue,
    Pursuit,
    Refit,
    Replace,
    Retreat,
    RetreatBeforeCombat,
    SetUp,
    StandingOrders,
    SustainGarrison,
    Withdrawal,
)
from .terms import DecisionKind, ImpulseKind, Phase


def answer(battle: Battle) -> Order:
    """The order that the deciding side's standing orders give for the pending decision.

    What the orders of fire, retreat and advance leave unnamed is settled by the rules' own
    defaults. A side that declares nothing passes, moves nothing and fires no barrage.
    """
    orders = battle.standing[battle.decision.side]
    match battle.decision.kind:
        case DecisionKind.DISTRIBUTE_LOSSES:
            return DistributeLosses(standard=True)
        case DecisionKind.REFIT:
            return Refit()
        case DecisionKind.SET_UP:
            return SetUp(standard=True)
        case DecisionKind.SUSTAIN_GARRISON:
            return SustainGarrison(orders.sustain == Choice.ALWAYS or (
                orders.sustain == Choice.DEFAULT and supply.is_worth_sustaining(battle)))
        case DecisionKind.REPLACE:
            return Replace()
        case DecisionKind.DECLARE_IMPULSE:
            return DeclareImpulse(1, ImpulseKind.PASS)
        case DecisionKind.MOVE_AND_DECLARE:
            return MoveAndDeclare()
        case DecisionKind.RETREAT_BEFORE_COMBAT:
            return _withdraw(battle, orders)
        case DecisionKind.PURSUE:
            return _pursue(battle, orders)
        case DecisionKind.BARRAGE:
            return Barrage()
        case DecisionKind.DEFENSIVE_FIRE:
            return fire.default_order(battle, Phase.DEFENSIVE_FIRE)
        case DecisionKind.ASSAULT_FIRE:
            return AssaultFire()
        case DecisionKind.RETREAT:
            return Retreat()
        case DecisionKind.ADVANCE:
            return Advance()
        case _:
            raise ValueError(f"there is nothing to answer in {battle.decision.kind.name}")


def _withdraw(battle: Battle, orders: StandingOrders) -> RetreatBeforeCombat:
    """[WD E.21-E] Only when told to: every ski unit that can, to its first hex still open."""
    if orders.withdraw != Choice.ALWAYS:
        return RetreatBeforeCombat()
    trial, chosen = battle.fork(), []
    for option in ski.withdrawals(battle):
        hexes = ski.withdrawal_hexes(trial, option.unit)
        if hexes:
            chosen.append(Withdrawal(option.unit, hexes[0]))
            ski.withdraw(trial, RetreatBeforeCombat((chosen[-1],)))
    return RetreatBeforeCombat(tuple(chosen))


def _pursue(battle: Battle, orders: StandingOrders) -> Pursue:
    """[WD E.21-E] One ski unit into each hex that was left, unless told not to."""
    if orders.pursue == Choice.NEVER:
        return Pursue()
    taken: set[int] = set()
    chosen = []
    for option in ski.pursuits(battle):
        free = [index for index in option.units if index not in taken]
        if free:
            taken.add(free[0])
            chosen.append(Pursuit(option.hex, (free[0],), option.targets[0]))
    return Pursue(tuple(chosen))

