"""A game that is played word by word: the session, the composer of the pending decision, views."""

from __future__ import annotations

from lovat.white_death.v1 import answers_pb2

from ..sdk.catalog import Catalog
from ..sdk.client import LovatClient
from ..sdk.errors import MatchError
from ..sdk.requests import OrderLike
from ..sdk.session import Session
from .actions import Choice, Menu
from .composing import compose
from .table import Composing, Table

AGENTS = ("soviet", "german")
"""The sides, in the order of every pair."""


class Game:
    """One game from its standard set-up. Views are fetched once for each side and position.

    `menu` is what `side` may say next, None when the game is over. `LovatError` if a call fails.
    """

    def __init__(self, client: LovatClient, catalog: Catalog, seed: int) -> None:
        self.catalog = catalog
        self.session = Session.create(client, catalog.scenario.id, seed=seed,
                                      standard_set_up=True, delta=True)
        self.menu: Menu | None = None
        self._composer: Composing | None = None
        self._views: dict[str, answers_pb2.View] = {}
        self._go_on(None)

    @property
    def is_over(self) -> bool:
        return self.session.is_over

    @property
    def side(self) -> str:
        """Whose words are awaited; "" when the game is over."""
        return "" if self.is_over else self.session.decision.side

    @property
    def kind(self) -> str:
        """What is decided, by the name of the order that answers it."""
        return self.session.decision.kind

    @property
    def version(self) -> int:
        """Grows with every order; drafts leave it as it is."""
        return self.session.position.version

    def view(self, side: str) -> answers_pb2.View:
        if side not in self._views:
            self._views[side] = self.session.view(side).white_death
        return self._views[side]

    def score(self) -> tuple[tuple[int, int], int]:
        """The turn and the impulse of it, and the victory points, which either side may know."""
        view = next(iter(self._views.values()), None) or self.view(self._anyone())
        return (view.turn, sum(view.impulses)), view.score.points

    def say(self, choice: Choice) -> None:
        """Say one thing that is on the menu, and go on to the next menu."""
        self._go_on(choice)

    def _anyone(self) -> str:
        return self.side or AGENTS[0]

    def _go_on(self, choice: Choice | None) -> None:
        """Until somebody has a choice: decisions without one are answered as they come."""
        order = None if choice is None else self._next(choice)
        while order is not None or (self._composer is None and not self.is_over):
            if order is not None:
                self._submit(order)
            order = None if self.is_over else self._open()

    def _open(self) -> OrderLike | None:
        """Open the pending decision."""
        self._composer = compose(Table(self.session, self.catalog, self.view(self.side)))
        return self._next(None)

    def _next(self, choice: Choice | None) -> OrderLike | None:
        """The next menu, or else the order, which is then whole."""
        if self._composer is None:
            raise MatchError("the game is over: nothing more can be said")
        try:
            self.menu = next(self._composer) if choice is None else self._composer.send(choice)
        except StopIteration as whole:
            self.menu = self._composer = None
            order: OrderLike = whole.value
            return order
        return None

    def _submit(self, order: OrderLike) -> None:
        before = self.session.decision
        outcome = self.session.submit(order)
        if outcome.is_refused:
            raise MatchError(f"{before.kind} of {before.side} was refused: "
                             f"{outcome.violations[0].message}")
        self._views.clear()
