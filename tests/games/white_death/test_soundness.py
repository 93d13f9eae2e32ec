"""Faults of a position that was made by hand."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Assault
from lovat_server.games.white_death.state import Decision, Options, Pending, State
from lovat_server.games.white_death.terms import DecisionKind, Phase, Side
from lovat_server.scenarios.loader import load_catalog

SCENARIO = "purkayevs-attack"


@cache
def sound() -> State:
    """The first movement phase of scenario I, after a Soviet pass."""
    catalog, dice = load_catalog(SCENARIO), KeyedDice(b"7")
    state = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=True).state
    while state.decision.kind != DecisionKind.MOVE_AND_DECLARE:
        order = standing.answer(Battle(catalog, state))
        state = WHITE_DEATH.submit(catalog, state, order, dice).state
    return state


def faults(state: State) -> list[tuple[str, str]]:
    found = WHITE_DEATH.check(load_catalog(SCENARIO), state)
    return [(fault.clause, fault.path) for fault in found]


def place_of(side: Side) -> int:
    """A unit of the side that stands on the map."""
    catalog = load_catalog(SCENARIO)
    return next(index for index in catalog.side_units[side] if sound().units[index].hex >= 0)


def unit_with(**changes: int) -> State:
    state, units = sound(), list(sound().units)
    place = place_of(Side.SOVIET)
    units[place] = units[place]._replace(**changes)
    return replace(state, units=tuple(units))


def test_a_position_of_play_has_none():
    assert faults(sound()) == []


def test_units():
    place = place_of(Side.SOVIET)
    enemy = sound().units[place_of(Side.GERMAN)].hex
    for changes, field in (({"strength": 40}, "strength"), ({"strength": -1}, "strength"),
                           ({"strength": 0}, "hex"), ({"hex": enemy}, "hex")):
        found = faults(unit_with(**changes))
        assert any(path.endswith(field) for _, path in found), changes
        assert all(clause.startswith("WD ") for clause, _ in found)
        if "strength" in changes:
            assert any(path.startswith(f"units[{place}]") for _, path in found)


@pytest.mark.parametrize(("changes", "path"), [
    ({"bunkers": (99, *[0] * 6)}, "bunkers[0]"), ({"bunkers": (-1, *[0] * 6)}, "bunkers[0]"),
    ({"points": (11, 0)}, "points[0]"), ({"points": (0, -1)}, "points[1]"),
    ({"declared": 11}, "declared"), ({"turn": 5}, "turn"), ({"turn": 0}, "turn"),
    ({"decision": Decision(DecisionKind.NONE, Side.SOVIET)}, "decision"),
    ({"decision": Decision(DecisionKind.ADVANCE, Side.SOVIET), "phase": Phase.ASSAULT},
     "assaults"),
    ({"decision": Decision(DecisionKind.DEFENSIVE_FIRE, Side.GERMAN), "phase": Phase.ASSAULT,
      "assaults": (Assault(700, (0,)),)}, "phase"),
    ({"decision": Decision(DecisionKind.BARRAGE, Side.SOVIET), "phase": Phase.NONE}, "phase"),
    ({"decision": Decision(DecisionKind.DECLARE_IMPULSE, Side.GERMAN), "side": Side.SOVIET,
      "points": (0, 2)}, "points[0]"),
    ({"decision": Decision(DecisionKind.REPLACE, Side.GERMAN), "side": Side.GERMAN,
      "points": (2, 0)}, "points[1]"),
    ({"decision": Decision(DecisionKind.REFIT, Side.SOVIET), "side": Side.GERMAN,
      "points": (0, 2)}, "points[0]"),
    ({"decision": Decision(DecisionKind.SUSTAIN_GARRISON, Side.GERMAN), "side": Side.GERMAN,
      "points": (0, 2)}, "points[0]"),
    ({"decision": Decision(DecisionKind.RETREAT, Side.SOVIET), "phase": Phase.MOVEMENT,
      "retreats": (Pending(0, 707),)}, "retreats[0]"),
])
def test_tracks_and_the_pending_decision(changes, path):
    found = WHITE_DEATH.check(load_catalog(SCENARIO), replace(sound(), **changes))
    # The path may go further into the field that is named.
    assert any(fault.path == path or fault.path.startswith(f"{path}.") for fault in found)
    assert all(fault.clause.startswith("WD ") and fault.message for fault in found)


def test_every_fault_is_found_at_once():
    state = replace(unit_with(strength=9), turn=0, points=(11, 11))
    assert len(faults(state)) >= 4
