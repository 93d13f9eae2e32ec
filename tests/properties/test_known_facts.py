"""What a state brings along from the states before it is what a state without a past finds out."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.properties.player import play

from lovat_server.games.white_death import advance, encoding, engagement, supply, zones
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.state import State
from lovat_server.games.white_death.terms import FLEETING, Phase, Side
from lovat_server.scenarios.loader import load_catalog


@pytest.mark.parametrize(("scenario", "seed"), [
    ("purkayevs-attack", 3), ("velikiye-luki-campaign", 5)])
def test_what_is_kept_is_what_would_be_found(scenario: str, seed: int) -> None:
    catalog = load_catalog(scenario)
    moved = fought = 0
    for played in play(catalog, seed, most=60):
        state: State = played.done.state
        fresh = replace(state)
        assert fresh.known.hints == ({}, {})
        battle, afresh = Battle(catalog, state), Battle(catalog, fresh)
        for side in Side:
            assert battle.occupied(side) == afresh.occupied(side)
            for ski_only in (False, True):
                assert zones.zone_board(battle, side, ski_only=ski_only) == \
                    zones.zone_board(afresh, side, ski_only=ski_only)
            assert supply.supplied_board(battle, side) == supply.supplied_board(afresh, side)
            assert supply.open_board(battle, side) == supply.open_board(afresh, side)
        assert {index for index, unit in enumerate(state.units) if unit.status & FLEETING} <= \
            battle.fleeting()
        for phase in (Phase.DEFENSIVE_FIRE, Phase.ASSAULT):
            for hex_ in advance.assaulted_hexes(afresh):
                fought += 1
                for fact in (engagement.fire_option, engagement.frights, engagement.units_firing):
                    assert fact(battle, hex_, phase) == fact(afresh, hex_, phase)
        assert encoding.checksum(state) == encoding.checksum(fresh)
        moved += state.units != played.state.units
    assert moved > 10
    assert fought > 10
