"""White Death as the server hosts it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lovat_server.core.dice import Dice
from lovat_server.core.violations import Reason, Violation
from lovat_server.games.contract import Judgement, Transition

from . import (
    encoding,
    impulse,
    listing,
    notation,
    notation_words,
    overlays,
    preview,
    sequence,
    soundness,
    standing,
    victory,
    visibility,
)
from .answers import Listing, Receipt, Score, View
from .battle import Battle, replay
from .catalog import Catalog
from .decisions import HANDLERS, order_type, wrong_decision
from .events import Event, ImpulseEnded
from .opening import opening_state
from .orders import Barrage, DeclareImpulse, MoveAndDeclare, Order, StandingOrders
from .overlays import Overlay, OverlayQuery
from .previews import Preview
from .state import Options, State
from .terms import DecisionKind, Side

MOST_DECISIONS = 64
OPENING = (DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP)


class WhiteDeath:
    """[WD] Implements `games.contract.Game`."""

    id = "white_death"
    title = "White Death"
    ruleset_version = "1"
    sides: tuple[str, ...] = ("soviet", "german")

    def create(self, catalog: Catalog, options: Options, dice: Dice, *,
               standard_set_up: bool) -> Transition[State, Event]:
        """[WD 25] The position before the German set-up, or after the standard set-up of both."""
        battle = Battle(catalog, opening_state(catalog, options), dice)
        sequence.begin(battle)
        while standard_set_up and battle.decision.kind in OPENING:
            HANDLERS[battle.decision.kind].resolve(battle, standing.answer(battle))
        return Transition(battle.freeze(), tuple(battle.events))

    def view(self, catalog: Catalog, state: State, side: int) -> View:
        return visibility.view(Battle(catalog, state), Side(side))

    def listing(self, catalog: Catalog, state: State, draft: Order | None,
                units: frozenset[int] | None) -> Listing:
        moves = draft if isinstance(draft, MoveAndDeclare) else None
        return listing.listing(catalog, state, moves, units)

    def judge(self, catalog: Catalog, state: State, order: Order) -> Judgement[Receipt]:
        battle = Battle(catalog, state)
        found = wrong_decision(battle, order)
        if found:
            return Judgement(tuple(found), Receipt())
        if isinstance(order, MoveAndDeclare):
            phase, found = impulse.rehearse(battle, order)
            return Judgement(tuple(found), Receipt() if found else impulse.receipt(phase, order))
        found = HANDLERS[battle.decision.kind].judge(battle, order)
        return Judgement(tuple(found), Receipt())

    def preview(self, catalog: Catalog, state: State, order: Order,
                side: int | None) -> Judgement[Preview]:
        return preview.preview(catalog, state, order, side)

    def submit(self, catalog: Catalog, state: State, order: Order,
               dice: Dice) -> Transition[State, Event]:
        battle = Battle(catalog, state)
        found = wrong_decision(battle, order)
        if found:
            return Transition(state, violations=tuple(found))
        if isinstance(order, MoveAndDeclare):
            return self._move(battle, state, order, dice)
        handler = HANDLERS[battle.decision.kind]
        found = handler.judge(battle, order)
        if found:
            return Transition(state, violations=tuple(found))
        battle.dice = dice
        handler.resolve(battle, order)
        return Transition(battle.freeze(), tuple(battle.events))

    def _move(self, battle: Battle, state: State, order: MoveAndDeclare,
              dice: Dice) -> Transition[State, Event]:
        battle.dice, counter = dice, dice.counter
        found = impulse.carry_out(battle, order, state)
        if found:
            dice.rewind(counter)
            return Transition(state, violations=tuple(found))
        sequence.after_movement(battle)
        return Transition(battle.freeze(), tuple(battle.events))

    def resolve_impulse(self, catalog: Catalog, state: State,
                        orders: Mapping[int, Sequence[Order]],
                        dice: Dice) -> Transition[State, Event]:
        """[WD 5] To the end of the impulse; with any violation nothing happens at all."""
        queues = {side: list(enumerate(queue)) for side, queue in orders.items()}
        events: list[Event] = []
        now = state
        for _ in range(MOST_DECISIONS):
            side = now.decision.side
            queue = queues.get(side, [])
            wanted = order_type(now.decision.kind)
            if wanted is None:
                break
            given = next((entry for entry in queue if isinstance(entry[1], wanted)), None)
            if given is not None:
                queue.remove(given)
            place, order = given or (-1, standing.answer(Battle(catalog, now)))
            step = self.submit(catalog, now, order, dice)
            if step.violations:
                return Transition(state, violations=tuple(
                    _within(violation, self.sides[side], place) for violation in step.violations))
            events.extend(step.events)
            now = step.state
            if any(isinstance(event, ImpulseEnded) for event in step.events):
                break
        left = _unanswered(queues, self.sides)
        return Transition(state, violations=left) if left else Transition(now, tuple(events))

    def standing(self, state: State, side: int, standing: StandingOrders) -> State:
        both = list(state.standing)
        both[side] = standing
        return replace(state, standing=(both[0], both[1]))

    def score(self, catalog: Catalog, state: State) -> Score:
        return victory.score(Battle(catalog, state))

    def apply(self, catalog: Catalog, state: State, events: Sequence[Event]) -> State:
        return replay(catalog, state, events)

    def checksum(self, state: State) -> str:
        return encoding.checksum(state)

    def check(self, catalog: Catalog, state: State) -> tuple[Violation, ...]:
        return soundness.blocking_faults(Battle(catalog, state))

    def faults(self, catalog: Catalog, state: State) -> tuple[Violation, ...]:
        return soundness.faults(Battle(catalog, state))

    def overlay(self, catalog: Catalog, state: State, side: int,
                query: OverlayQuery) -> Overlay:
        return overlays.overlay(Battle(catalog, state), Side(side), query)

    def write_state(self, catalog: Catalog, state: State) -> str:
        return notation.write_state(catalog, state)

    def scenario_of(self, text: str) -> str:
        return next((line.words[1] for line in notation_words.lines(text)
                     if line.words[0] == notation.SCENARIO), "")

    def read_state(self, catalog: Catalog, text: str) -> State:
        return notation.read_state(catalog, text)

    def write_orders(self, catalog: Catalog, orders: Sequence[Order]) -> str:
        return notation.write_orders(catalog, orders)

    def read_orders(self, catalog: Catalog, text: str) -> tuple[Order, ...]:
        return notation.read_orders(catalog, text)


def _within(violation: Violation, side: str, place: int) -> Violation:
    where = f"{side}.orders[{place}]" if place >= 0 else f"{side}.standing"
    return replace(violation, path=f"{where}.{violation.path}" if violation.path else where)


def _unanswered(queues: Mapping[int, Sequence[tuple[int, Order]]],
                sides: tuple[str, ...]) -> tuple[Violation, ...]:
    """Orders of the phasing side for which no decision came up, though dice play no part in it."""
    return tuple(
        Violation(Reason.WRONG_DECISION, "WD 5", f"{sides[side]}.orders[{place}]",
                  f"No decision for {type(order).__name__} came up in this impulse.",
                  {"order": type(order).__name__})
        for side, queue in queues.items() for place, order in queue
        if isinstance(order, DeclareImpulse | MoveAndDeclare | Barrage)
    )


WHITE_DEATH = WhiteDeath()
