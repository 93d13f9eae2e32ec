"""Listing and judging agree: what is listed is legal, and what is legal was listed."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from random import Random

import pytest

from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import MoveAndDeclare
from lovat_server.games.white_death.terms import DecisionKind
from lovat_server.scenarios.loader import load_catalog

from .listed import is_listed, items, support_items
from .mutate import mutated
from .player import Played, play

SCENARIO = "purkayevs-attack"
IMPULSES = 200
MUTATIONS = 2000
GAMES = 40


@lru_cache(maxsize=2)
def decisions(game: int) -> tuple[Played, ...]:
    """Every decision of a few impulses of one game; games differ in which."""
    begun, found = 0, []
    for played in play(load_catalog(SCENARIO), 1000 + game, bold=(0.2, 0.4, 0.6, 0.8)[game % 4]):
        begun += played.state.decision.kind == DecisionKind.DECLARE_IMPULSE
        skipped = (3 * game) % 12
        if begun > skipped + IMPULSES // GAMES:
            break
        if begun > skipped:
            found.append(played)
    return tuple(found)


def check_items(game: int, ends: int | None) -> Counter[str]:
    """Judge every item that is listed in some impulses; how many of each kind there were."""
    catalog, random = load_catalog(SCENARIO), Random(game)
    seen: Counter[str] = Counter()
    for played in decisions(game):
        seen["impulse"] += played.state.decision.kind == DecisionKind.DECLARE_IMPULSE
        for order, cost in items(catalog, played.state, played.listing, random, ends):
            judged = WHITE_DEATH.judge(catalog, played.state, order)
            assert not judged.violations, (game, order, judged.violations)
            spent = dict(zip(judged.receipt.units, judged.receipt.spent, strict=True))
            assert all(spent[unit] == price for unit, price in cost.items()), (order, cost, spent)
            seen[type(order).__name__] += 1
        for orders in support_items(played.listing):
            assert any(not WHITE_DEATH.judge(catalog, played.state, order).violations
                       for order in orders), (game, orders)
            seen["Support"] += 1
    return seen


@pytest.mark.parametrize("game", range(GAMES))
def test_what_is_listed_is_legal(game):
    """Two hexes of every unit, everything else in full."""
    seen = check_items(game, 2)
    assert seen["impulse"] == IMPULSES // GAMES
    assert seen.total() > 50


@pytest.mark.soak
@pytest.mark.parametrize("game", range(GAMES))
def test_all_that_is_listed_is_legal(game):
    check_items(game, None)


@pytest.mark.parametrize("game", range(GAMES))
def test_what_is_legal_was_listed(game):
    """Orders with something in them changed are refused with a clause, or were on offer."""
    catalog, random = load_catalog(SCENARIO), Random(7000 + game)
    made: Counter[str] = Counter()
    pool = []
    for played in decisions(game):
        pool.append((played.state, played.order))
        singles = [order for order, _ in items(catalog, played.state, played.listing, random, 1)]
        pool += [(played.state, order) for order in random.sample(singles, min(4, len(singles)))]
    while sum(made.values()) < MUTATIONS // GAMES:
        state, order = random.choice(pool)
        if isinstance(order, MoveAndDeclare) and len(order.actions) > 3:
            start = random.randrange(len(order.actions) - 2)
            order = MoveAndDeclare(order.actions[start:start + 3])
        changed = mutated(order, catalog, state, random)
        if changed == order:
            continue
        judged = WHITE_DEATH.judge(catalog, state, changed)
        if judged.violations:
            assert all(v.clause.startswith("WD ") and v.message for v in judged.violations)
            made["refused"] += 1
        else:
            assert is_listed(catalog, state, changed, judged.receipt), (game, changed)
            made["accepted"] += 1
    assert made["refused"] > made["accepted"] // 4
