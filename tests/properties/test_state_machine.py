"""A state machine for orders: whatever is done in whatever order, a position stays sound."""

from __future__ import annotations

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Order, StandingOrders
from lovat_server.games.white_death.terms import DecisionKind, Side
from lovat_server.scenarios.loader import load_catalog

from .mutate import mutated
from .player import RandomPlayer, choose, first_state

SEEDS = st.integers(0, 10_000)


class Orders(RuleBasedStateMachine):
    """Scenario I, with legal, spoilt and no orders at all in any succession."""

    @initialize(seed=SEEDS)
    def begin(self, seed: int) -> None:
        self.catalog = load_catalog("purkayevs-attack")
        created, self.dice = first_state(self.catalog, seed)
        self.state = created.state

    def is_over(self) -> bool:
        return self.state.decision.kind == DecisionKind.GAME_OVER

    def submit(self, order: Order) -> None:
        """Judging and submitting agree; what is refused changes nothing and rolls no die."""
        judged = WHITE_DEATH.judge(self.catalog, self.state, order)
        before = WHITE_DEATH.checksum(self.state)
        counter = self.dice.counter
        done = WHITE_DEATH.submit(self.catalog, self.state, order, self.dice)
        assert done.violations == judged.violations
        if done.violations:
            assert done.state == self.state
            assert done.events == ()
            assert self.dice.counter == counter
        else:
            assert done.events
            assert WHITE_DEATH.apply(self.catalog, self.state, done.events) == done.state
        assert WHITE_DEATH.checksum(self.state) == before
        self.state = done.state

    @rule(seed=SEEDS)
    def play_on(self, seed: int) -> None:
        if not self.is_over():
            order, _, _ = choose(RandomPlayer(Random(seed)), self.catalog, self.state)
            self.submit(order)

    @rule(seed=SEEDS)
    def play_a_spoilt_order(self, seed: int) -> None:
        if not self.is_over():
            random = Random(seed)
            order, _, _ = choose(RandomPlayer(random), self.catalog, self.state)
            self.submit(mutated(order, self.catalog, self.state, random))

    @rule()
    def leave_it_to_the_server(self) -> None:
        if not self.is_over():
            self.submit(standing.answer(Battle(self.catalog, self.state)))

    @rule()
    def resolve_the_impulse(self) -> None:
        if self.is_over():
            return
        done = WHITE_DEATH.resolve_impulse(self.catalog, self.state, {}, self.dice)
        assert not done.violations
        assert WHITE_DEATH.apply(self.catalog, self.state, done.events) == done.state
        self.state = done.state

    @rule(side=st.sampled_from(list(Side)),
          standing_=st.builds(StandingOrders))
    def change_standing_orders(self, side: Side, standing_: StandingOrders) -> None:
        self.state = WHITE_DEATH.standing(self.state, side, standing_)

    @rule(seed=SEEDS)
    def throw_other_dice(self, seed: int) -> None:
        self.dice = KeyedDice(f"other {seed}".encode())

    @invariant()
    def is_sound(self) -> None:
        if hasattr(self, "state"):
            assert WHITE_DEATH.check(self.catalog, self.state) == ()

    @invariant()
    def views_can_be_had(self) -> None:
        if hasattr(self, "state"):
            for side in Side:
                assert WHITE_DEATH.view(self.catalog, self.state, side).side == side


Orders.TestCase.settings = settings(
    max_examples=12, stateful_step_count=20, deadline=None,
    suppress_health_check=list(HealthCheck))
TestOrders = Orders.TestCase
