"""[WD 5] The sequence of play: from one decision to the next."""

from __future__ import annotations

from . import (
    advance,
    barrage,
    fire,
    garrisons,
    losses_to_date,
    refit,
    replacements,
    reserves,
    ski,
    supply,
    victory,
    weather,
)
from .battle import Battle
from .events import (
    DecisionReached,
    GameEnded,
    ImpulseBegan,
    ImpulseDeclared,
    ImpulseEnded,
    PhaseBegan,
    TurnBegan,
    TurnEnded,
)
from .orders import DeclareImpulse
from .terms import DecisionKind, Phase, Side


def decide(battle: Battle, kind: DecisionKind, side: Side) -> None:
    """Stop here: the position waits for this decision."""
    battle.record(DecisionReached(kind, side))


def begin(battle: Battle) -> None:
    """[WD 25.2-3] Losses to date, German then Soviet; then the set-up."""
    after_losses(battle, (Side.GERMAN, Side.SOVIET))


def after_losses(battle: Battle, sides: tuple[Side, ...]) -> None:
    """[WD 25.2] The first of `sides` that has losses to divide; the set-up after them."""
    side = next((side for side in sides if losses_to_date.are_due(battle, side)), None)
    if side is None:
        decide(battle, DecisionKind.SET_UP, Side.GERMAN)
    else:
        decide(battle, DecisionKind.DISTRIBUTE_LOSSES, side)


def after_set_up(battle: Battle) -> None:
    """[WD 25] The German sets up first, then the Soviet player, then the first turn begins."""
    if battle.decision.side == Side.GERMAN:
        decide(battle, DecisionKind.SET_UP, Side.SOVIET)
    else:
        begin_turn(battle, battle.catalog.scenario.first_turn)


def begin_turn(battle: Battle, turn: int) -> None:
    """[WD 5, 15, 16, 22] Weather, garrisons, supply, then the first impulse."""
    battle.record(TurnBegan(turn))
    weather.roll(battle)
    garrisons.roll(battle)
    supply.receive(battle)
    if refit.is_due(battle):
        decide(battle, DecisionKind.REFIT, Side.SOVIET)
    else:
        after_refit(battle)


def after_refit(battle: Battle) -> None:
    """[WD 15.D.2] The German may buy Velikiye Luki out of isolation; then the first impulse."""
    if supply.may_sustain(battle):
        decide(battle, DecisionKind.SUSTAIN_GARRISON, Side.GERMAN)
    else:
        after_sustain(battle)


def after_sustain(battle: Battle) -> None:
    """[WD 5] The Soviets take the first impulse of every turn."""
    begin_impulse(battle, Side.SOVIET)


def begin_impulse(battle: Battle, side: Side) -> None:
    """[WD E.15, 17, 18] Supply is fixed; replacements come in the side's first impulse."""
    battle.record(ImpulseBegan(side, battle.impulses[side] + 1))
    reserves.roll(battle)
    supply.fix(battle)
    if battle.impulses[side] == 1:
        replacements.receive(battle, side)
        if replacements.has_options(battle):
            decide(battle, DecisionKind.REPLACE, side)
            return
    decide(battle, DecisionKind.DECLARE_IMPULSE, side)


def after_replacements(battle: Battle) -> None:
    decide(battle, DecisionKind.DECLARE_IMPULSE, battle.side)


def declare(battle: Battle, order: DeclareImpulse) -> None:
    """[WD 5.1] The decision phase."""
    battle.record(ImpulseDeclared(battle.side, order.points, order.kind))
    battle.record(PhaseBegan(Phase.MOVEMENT))
    decide(battle, DecisionKind.MOVE_AND_DECLARE, battle.side)


def after_movement(battle: Battle) -> None:
    """[WD 3.A, E.21-E] Routs of the movement phase, then retreats before combat."""
    if battle.retreats:
        decide(battle, DecisionKind.RETREAT, battle.side)
    elif ski.withdrawals(battle):
        decide(battle, DecisionKind.RETREAT_BEFORE_COMBAT, battle.side.enemy)
    else:
        begin_barrage(battle)


def after_withdrawals(battle: Battle) -> None:
    """[WD E.21-E] Ski units may pursue."""
    if ski.pursuits(battle):
        decide(battle, DecisionKind.PURSUE, battle.side)
    else:
        begin_barrage(battle)


def begin_barrage(battle: Battle) -> None:
    """[WD 5.3]"""
    battle.record(PhaseBegan(Phase.BARRAGE))
    if barrage.barrage_options(battle):
        decide(battle, DecisionKind.BARRAGE, battle.side)
    else:
        begin_defensive_fire(battle)


def begin_defensive_fire(battle: Battle) -> None:
    """[WD 5.4] Only where assaults were declared."""
    if not battle.assaults:
        end_impulse(battle)
        return
    battle.record(PhaseBegan(Phase.DEFENSIVE_FIRE))
    if fire.has_fire(battle, Phase.DEFENSIVE_FIRE):
        decide(battle, DecisionKind.DEFENSIVE_FIRE, battle.side.enemy)
    else:
        begin_assault(battle)


def begin_assault(battle: Battle) -> None:
    """[WD 5.5]"""
    battle.record(PhaseBegan(Phase.ASSAULT))
    if fire.has_fire(battle, Phase.ASSAULT):
        decide(battle, DecisionKind.ASSAULT_FIRE, battle.side)
    else:
        begin_advance(battle)


def begin_advance(battle: Battle) -> None:
    """[WD 9.D, 10.E, E.11-C, E.19]"""
    advance.note_vacated(battle)
    if advance.options(battle):
        decide(battle, DecisionKind.ADVANCE, battle.side)
    else:
        end_impulse(battle)


def after_fire(battle: Battle) -> None:
    """[WD 14.B] The side that was fired at retreats what must; then the next phase."""
    if battle.retreats:
        fired_at = battle.side if battle.phase == Phase.DEFENSIVE_FIRE else battle.side.enemy
        decide(battle, DecisionKind.RETREAT, fired_at)
    else:
        after_retreats(battle)


def after_retreats(battle: Battle) -> None:
    """[WD 5] On to the phase after the one in which units had to retreat."""
    following = {
        Phase.MOVEMENT: after_movement,
        Phase.BARRAGE: begin_defensive_fire,
        Phase.DEFENSIVE_FIRE: begin_assault,
        Phase.ASSAULT: begin_advance,
    }
    following[battle.phase](battle)


def end_impulse(battle: Battle) -> None:
    """[WD 5.6, 25] The terminal phase; impulses alternate while both sides have points."""
    side = battle.side
    if side == Side.SOVIET:
        victory.score_railroad(battle)
    battle.record(ImpulseEnded(side))
    if battle.points[side.enemy]:
        begin_impulse(battle, side.enemy)
    elif battle.points[side]:
        begin_impulse(battle, side)
    else:
        end_turn(battle)


def end_turn(battle: Battle) -> None:
    """[WD 5, 25]"""
    battle.record(TurnEnded(battle.turn))
    if battle.turn < battle.catalog.scenario.last_turn:
        begin_turn(battle, battle.turn + 1)
        return
    score = victory.score(battle)
    battle.record(GameEnded(score.points, score.level))
    decide(battle, DecisionKind.GAME_OVER, battle.side)
