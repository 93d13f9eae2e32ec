"""Whole games at random: strength is kept account of, and nothing ever goes wrong.

Eight games by default, fifty with `-m soak`, and with it eight of every other scenario.
"""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.state import Options, State
from lovat_server.games.white_death.terms import DecisionKind, Side
from lovat_server.scenarios.loader import load_catalog, scenario_ids

from .player import Played, first_state, play

SCENARIO = "purkayevs-attack"
SEEDS = [37 * place + 5 for place in range(50)]
OTHERS = [name for name in scenario_ids() if name != SCENARIO]


def strength(battle: Battle | State, catalog: Catalog) -> list[int]:
    totals = [0, 0]
    for unit, printed in zip(battle.units, catalog.units, strict=True):
        totals[printed.side] += unit.strength
    return totals


def check_account(catalog: Catalog, battle: Battle, printed: list[int]) -> None:
    """Strengths and recorded losses are printed strengths and replacements."""
    left, ledger = strength(battle, catalog), battle.ledger
    for side in Side:
        assert left[side] + ledger.lost[side] == printed[side] + ledger.replaced[side], (
            battle.events[-1])


def check_decision(catalog: Catalog, played: Played, printed: list[int]) -> None:
    """Event by event; the state rebuilt from them; the answer by standing orders is legal."""
    battle = Battle(catalog, played.state)
    for event in played.done.events:
        battle.record(event)
        check_account(catalog, battle, printed)
    assert battle.freeze() == played.done.state
    assert WHITE_DEATH.apply(catalog, played.state, played.done.events) == played.done.state
    assert WHITE_DEATH.check(catalog, played.done.state) == (), played.order
    after = Battle(catalog, played.done.state)
    if after.decision.kind != DecisionKind.GAME_OVER:
        order = standing.answer(after)
        judged = WHITE_DEATH.judge(catalog, played.done.state, order)
        assert not judged.violations, (order, judged.violations)


def check_game(scenario: str, seed: int, options: Options | None = None) -> None:
    catalog = load_catalog(scenario)
    printed = [0, 0]
    for unit in catalog.units:
        printed[unit.side] += unit.strength
    created, _ = first_state(catalog, seed, options)
    check_account(catalog, Battle(catalog, created.state), printed)
    state = created.state
    for played in play(catalog, seed, bold=(0.3, 0.5, 0.7)[seed % 3], options=options):
        check_decision(catalog, played, printed)
        state = played.done.state
    assert state.decision.kind == DecisionKind.GAME_OVER
    assert state.turn == catalog.scenario.last_turn


@pytest.mark.parametrize("seed", SEEDS[:8])
def test_a_random_game(seed):
    check_game(SCENARIO, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS[8:])
def test_more_random_games(seed):
    check_game(SCENARIO, seed)


def begins(scenario: str) -> bool:
    """Whether a standard set-up of the scenario has been written down."""
    kind = first_state(load_catalog(scenario), 1)[0].state.decision.kind
    return kind not in (DecisionKind.SET_UP, DecisionKind.DISTRIBUTE_LOSSES)


@pytest.mark.soak
@pytest.mark.parametrize("scenario", OTHERS)
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_random_games_of_the_other_scenarios(scenario, seed):
    if not begins(scenario):
        pytest.skip("the scenario has no standard set-up to begin with")
    check_game(scenario, seed)


@pytest.mark.soak
@pytest.mark.parametrize("seed", SEEDS[:4])
def test_random_games_with_equipment_abandoned(seed):
    check_game(SCENARIO, seed, Options(abandoned_equipment=True, snow_visibility=True))
