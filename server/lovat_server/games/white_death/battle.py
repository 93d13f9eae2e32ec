"""A position while it is being played: the only way to change it is to record an event."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NoReturn

from lovat_server.core.dice import Dice

from .catalog import Catalog
from .changes import apply
from .events import Event
from .position import Position
from .state import State


class NoDice:
    """Stands in where no rule may roll; a roll is a mistake of the caller."""

    counter = 0

    def roll(self) -> NoReturn:
        raise RuntimeError("a die was rolled while an order was only being judged")

    def rewind(self, _counter: int) -> None:
        """Nothing was rolled."""


class Battle(Position):
    """A position with dice to roll and the `events` recorded so far."""

    def __init__(self, catalog: Catalog, state: State, dice: Dice | None = None) -> None:
        super().__init__(catalog, state)
        self.dice: Dice = dice or NoDice()
        self.events: list[Event] = []

    def record(self, event: Event) -> None:
        """Let something happen."""
        self.events.append(event)
        apply(self, event)

    def fork(self) -> Battle:
        """A copy to try things out on, without dice and without the events so far."""
        return Battle(self.catalog, self.freeze())


def replay(catalog: Catalog, state: State, events: Iterable[Event]) -> State:
    """The state after events, without any rule."""
    battle = Battle(catalog, state)
    for event in events:
        battle.record(event)
    return battle.freeze()
