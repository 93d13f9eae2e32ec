"""Standing orders: what the server decides for a side that leaves it to the server."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Advance,
    AssaultFire,
    Barrage,
    Choice,
    DeclareImpulse,
    DistributeLosses,
    MoveAndDeclare,
    Pursue,
    Refit,
    Replace,
    Retreat,
    RetreatBeforeCombat,
    SetUp,
    StandingOrders,
    SustainGarrison,
)
from lovat_server.games.white_death.state import Options
from lovat_server.games.white_death.terms import DecisionKind, ImpulseKind, Side
from lovat_server.scenarios.loader import load_catalog

from .field import field, german, place, soviet
from .playing import after, assault, moves, refusals


def stopped(kind: DecisionKind, line: str = "rifle 0202; bn 1111", **more) -> Battle:
    catalog = field([soviet("rifle"), german("bn")], city="1111")
    return place(catalog, line, decision=kind, side=Side.GERMAN, **more)


@pytest.mark.parametrize(("kind", "order"), [
    (DecisionKind.DISTRIBUTE_LOSSES, DistributeLosses(standard=True)),
    (DecisionKind.SET_UP, SetUp(standard=True)),
    (DecisionKind.REFIT, Refit()),
    (DecisionKind.REPLACE, Replace()),
    (DecisionKind.DECLARE_IMPULSE, DeclareImpulse(1, ImpulseKind.PASS)),
    (DecisionKind.MOVE_AND_DECLARE, MoveAndDeclare()),
    (DecisionKind.RETREAT_BEFORE_COMBAT, RetreatBeforeCombat()),
    (DecisionKind.PURSUE, Pursue()),
    (DecisionKind.BARRAGE, Barrage()),
    (DecisionKind.ASSAULT_FIRE, AssaultFire()),
    (DecisionKind.RETREAT, Retreat()),
    (DecisionKind.ADVANCE, Advance()),
])
def test_the_least_that_answers_each_decision(kind, order):
    assert standing.answer(stopped(kind)) == order


@pytest.mark.rule("WD 15.D.2")
@pytest.mark.parametrize(("choice", "cut_off", "spends"), [
    (Choice.DEFAULT, True, True), (Choice.DEFAULT, False, False), (Choice.ALWAYS, False, True),
    (Choice.NEVER, True, False),
])
def test_the_city_is_bought_out_when_it_is_cut_off(choice, cut_off, spends):
    # Six regiments around the city hex cut it off.
    ring = ("r1 0504; r2 0506; r3 0405; r4 0605; r5 0404; r6 0604; ") if cut_off else ""
    counters = [soviet(f"r{place_}") for place_ in range(1, 7)]
    catalog = field([*counters, german("bn")], city="0505")
    battle = place(catalog, ring + "bn 0505", decision=DecisionKind.SUSTAIN_GARRISON,
                   side=Side.GERMAN)
    battle.standing = (StandingOrders(), replace(StandingOrders(), sustain=choice))
    assert standing.answer(battle) == SustainGarrison(spends)


def test_there_is_nothing_to_answer_after_the_game():
    with pytest.raises(ValueError, match="GAME_OVER"):
        standing.answer(stopped(DecisionKind.GAME_OVER))


def test_standing_orders_of_a_side_are_kept_in_the_position():
    state = stopped(DecisionKind.BARRAGE).freeze()
    wanted = replace(StandingOrders(), pursue=Choice.NEVER)
    changed = WHITE_DEATH.standing(state, Side.SOVIET, wanted)
    assert changed.standing == (wanted, StandingOrders())
    assert state.standing == (StandingOrders(), StandingOrders())


@pytest.mark.rule("WD 9.D")
@pytest.mark.parametrize(("choice", "advances"), [(Choice.DEFAULT, True), (Choice.NEVER, False)])
def test_advance_by_standing_orders(choice, advances):
    catalog = field([soviet("rifle"), german("bn")])
    battle = place(catalog, "rifle 0505; bn 0506", dice=(6, 1, 6, 6, 3, 3, 3))
    battle.standing = (replace(StandingOrders(), advance=choice), StandingOrders())
    battle = after(battle, moves(assaults=(assault(battle, 506, "rifle"),)))
    while battle.decision.kind != DecisionKind.ADVANCE:
        battle = after(battle, standing.answer(battle))
    done = after(battle, standing.answer(battle))
    assert (done.units[0].hex != battle.units[0].hex) is advances


@pytest.mark.parametrize("seed", range(3))
def test_a_whole_game_by_standing_orders_alone(seed):
    catalog, dice = load_catalog("purkayevs-attack"), KeyedDice(bytes([seed]))
    state = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=True).state
    decisions = 0
    while state.decision.kind != DecisionKind.GAME_OVER:
        order = standing.answer(Battle(catalog, state))
        assert not refusals(Battle(catalog, state), order)
        done = WHITE_DEATH.submit(catalog, state, order, dice)
        assert not done.violations
        state = done.state
        decisions += 1
        assert decisions < 1000
    assert state.turn == 4
    assert state.points == (0, 0)
    assert state.ledger.lost == (0, 0)
