"""Composers tried at a position: any word that a menu has, and the orders that come of them."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import numpy as np

from lovat.white_death.v1 import terms_pb2
from lovat_client.envs import ActionIndex, Choice, Menu, Verb
from lovat_client.envs.composing import compose
from lovat_client.envs.table import Composing, Table
from lovat_client.sdk import LovatClient, Session
from lovat_client.sdk.requests import OrderLike

LAST = (Verb.DONE, Verb.STANDING, Verb.STAY)


class Talk:
    """What can be said at the pending decision of a session."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.catalog = session.client.catalog(session.position.scenario)
        self.actions = ActionIndex(self.catalog)
        self.view = session.view().white_death

    @classmethod
    def at(cls, client: LovatClient, text: str) -> Talk:
        """At a position written as text."""
        position = client.read_position(text, seed=1)
        session = Session.create(client, position.scenario, seed=1, standard_set_up=True)
        decision = position.state.white_death.decision
        session.position = position
        session.decision.side = terms_pb2.Side.Name(decision.side)[5:].lower()
        session.decision.kind = terms_pb2.DecisionKind.Name(decision.kind)[14:].lower()
        return cls(session)

    def words(self, menu: Menu) -> list[Choice]:
        mask = self.actions.mask(menu)
        return [self.actions.choice(int(action)) for action in np.flatnonzero(mask)]

    def composer(self) -> Composing:
        return compose(Table(self.session, self.catalog, self.view))

    def menu(self, said: Sequence[Choice]) -> Menu:
        """What may be said after these words."""
        composer = self.composer()
        menu = next(composer)
        for word in said:
            menu = composer.send(word)
        return menu

    def order(self, said: Sequence[Choice]) -> OrderLike:
        """The order that comes of these words, and then of the soonest end."""
        composer = self.composer()
        try:
            menu = next(composer)
            for word in said:
                assert word in self.words(menu), (menu.stage, word)
                menu = composer.send(word)
            while True:
                left = self.words(menu)
                menu = composer.send(next((word for word in left if word.verb in LAST), left[0]))
        except StopIteration as end:
            order: OrderLike = end.value
            return order

    def wander(self, random: Random) -> tuple[OrderLike, list[Menu], list[Choice]]:
        """An order by words drawn at random, with every menu on the way and what was said to it."""
        composer = self.composer()
        menus: list[Menu] = []
        said: list[Choice] = []
        try:
            menu = next(composer)
            while True:
                words = self.words(menu)
                going_on = [word for word in words if word.verb not in LAST]
                menus.append(menu)
                said.append(random.choice(going_on if going_on and random.random() < 0.8
                                          else words))
                menu = composer.send(said[-1])
        except StopIteration as end:
            order: OrderLike = end.value
            return order, menus, said
