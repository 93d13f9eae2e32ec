"""A game with White Death's types and almost no rules, to test what is around the rules.

The Soviets declare an impulse, then march: at most three hexes, one die for each march. That is
all; the game never ends.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cache
from typing import Any

from lovat_server.core.violations import Reason, Violation
from lovat_server.games.contract import Judgement, Transition
from lovat_server.games.white_death import answers, events, orders
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.state import Bridge, Decision, Options, State, UnitState
from lovat_server.games.white_death.terms import MP, DecisionKind, ImpulseKind, Side
from lovat_server.scenarios.loader import load_catalog
from lovat_server.service.library import Library, Volume

SCENARIO = "purkayevs-attack"
FARTHEST = 3
DECLARE = Decision(DecisionKind.DECLARE_IMPULSE, Side.SOVIET)
MOVE = Decision(DecisionKind.MOVE_AND_DECLARE, Side.SOVIET)


class StubRules:
    """Implements `games.contract.Game`."""

    id = "white_death"
    title = "Stub"
    ruleset_version = "stub"
    sides: tuple[str, ...] = ("soviet", "german")

    def create(self, catalog: Catalog, options: Options, dice: Any, *,
               standard_set_up: bool) -> Transition[Any, Any]:
        places = catalog.scenario.standard_set_up if standard_set_up else {}
        units = tuple(UnitState(places.get(unit.id, -1), unit.strength) for unit in catalog.units)
        state = State(
            turn=1, units=units, bunkers=tuple(bunker.strength for bunker in catalog.bunkers),
            bridges=tuple(Bridge(hex_) for hex_ in catalog.scenario.bridges),
            supply=catalog.starting_pools(), decision=DECLARE, options=options)
        return Transition(state, (events.TurnBegan(1), events.WeatherRolled(dice.roll(), 0)))

    def view(self, catalog: Catalog, state: State, side: int) -> answers.View:
        own = tuple(answers.OwnUnit(place, state.units[place])
                    for place in catalog.side_units[side])
        return answers.View(
            side=Side(side), decision=state.decision, turn=state.turn, weather=state.weather,
            phasing=state.side, impulses=state.impulses, points=state.points,
            declared=state.declared, kind=state.kind, supply=state.supply,
            sustained=state.sustained, released=state.released,
            replacements=state.replacements, rail_moved=state.rail_moved, own=own, enemy=(),
            bunkers=state.bunkers, bridges=state.bridges, assaults=(), retreats=(), vacated=(),
            score=self.score(catalog, state), standing=state.standing[side],
            options=state.options)

    def listing(self, catalog: Catalog, state: State, draft: Any,
                units: frozenset[int] | None) -> answers.Listing:
        chosen = sorted(catalog.side_units[0] if units is None else units)
        return answers.Listing(state.decision, units=tuple(
            answers.UnitOptions(unit, 3 * MP, answers.Reach((0, 1), (MP, 2 * MP), (1, 0), (0, 1)))
            for unit in chosen))

    def judge(self, catalog: Catalog, state: State, order: Any) -> Judgement[Any]:
        wanted = (orders.DeclareImpulse if state.decision == DECLARE else orders.MoveAndDeclare)
        if not isinstance(order, wanted):
            return Judgement((Violation(Reason.WRONG_DECISION, "WD 5", "", "Not now."),), None)
        found = tuple(
            Violation(Reason.POINTS, "WD 6.A", f"actions[{place}].path[{FARTHEST}]",
                      "That is too far.", {"limit": str(FARTHEST)})
            for place, action in enumerate(getattr(order, "actions", ()))
            if len(action.path) > FARTHEST)
        return Judgement(found, answers.Receipt(units=(0,), spent=(MP,)))

    def submit(self, catalog: Catalog, state: State, order: Any,
               dice: Any) -> Transition[Any, Any]:
        found = self.judge(catalog, state, order).violations
        if found:
            return Transition(state, violations=found)
        if isinstance(order, orders.DeclareImpulse):
            return Transition(
                replace(state, decision=MOVE, declared=order.points, kind=order.kind),
                (events.ImpulseDeclared(Side.SOVIET, order.points, order.kind),))
        units, log = list(state.units), []
        for march in order.actions:
            for unit in march.units:
                start = units[unit].hex
                units[unit] = units[unit]._replace(hex=march.path[-1])
                log += [events.IceTested(unit, start, march.path[-1], dice.roll()),
                        events.UnitMoved(unit, start, march.path, MP * len(march.path))]
        after = replace(state, units=tuple(units), decision=DECLARE, kind=ImpulseKind.NONE)
        return Transition(after, (*log, events.ImpulseEnded(Side.SOVIET)))

    def resolve_impulse(self, catalog: Catalog, state: State, orders: Any,
                        dice: Any) -> Transition[Any, Any]:
        now, log = state, ()
        for order in orders.get(Side.SOVIET, ()):
            step = self.submit(catalog, now, order, dice)
            if step.violations:
                return Transition(state, violations=step.violations)
            now, log = step.state, (*log, *step.events)
        return Transition(now, log)

    def standing(self, state: State, side: int, standing: Any) -> State:
        pair = list(state.standing)
        pair[side] = standing
        return replace(state, standing=tuple(pair))

    def score(self, catalog: Catalog, state: State) -> answers.Score:
        return answers.Score((answers.ScoreLine("towns", 2, -4),), -4, "draw")

    def apply(self, catalog: Catalog, state: State, events: Any) -> State:
        raise NotImplementedError

    def checksum(self, state: State) -> str:
        return hashlib.sha256(repr(state).encode()).hexdigest()

    def check(self, catalog: Catalog, state: State) -> tuple[Violation, ...]:
        if state.turn >= 1:
            return ()
        return (Violation(Reason.INCOMPLETE, "WD 5", "turn", "Turn 0 is before the game."),)


class BrokenRules(StubRules):
    """Has a bug in its score."""

    def score(self, catalog: Catalog, state: State) -> answers.Score:
        raise ZeroDivisionError("a bug")


@cache
def stub_catalog() -> Catalog:
    """The catalog, read once."""
    return load_catalog(SCENARIO)


def stub_library(rules: StubRules | None = None) -> Library:
    """One scenario under the stub's rules."""
    game = StubRules() if rules is None else rules
    catalog = stub_catalog()
    return Library({game.id: game}, [
        Volume(game, SCENARIO, catalog.scenario.title, catalog, catalog.content_hash)])
