"""What every bot shares: which decision is answered by which method, and giving in."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, catalog_pb2, orders_pb2, terms_pb2

from .board import Board
from .protocol import Listing, View, listing_of, view_of
from .prune import prune

Seen = answers_pb2.View
Offer = answers_pb2.Listing


class DecidingBot:
    """Answers every decision by the least that is legal; real bots override what they care about.

    All that is random comes from `random`: the same one gives the same game.
    """

    name = "still"

    def __init__(self, random: Random) -> None:
        self.random = random
        self._board: Board | None = None
        self._declarations: list[orders_pb2.DeclareImpulse] = []

    def decide(self, view: View, listing: Listing,
               catalog: catalog_pb2.Catalog) -> core_pb2.Order:
        """Answer the pending decision."""
        if self._board is None or self._board.catalog is not catalog:
            self._board = Board(catalog)
        seen, offer = view_of(view), listing_of(listing)
        kind = terms_pb2.DecisionKind.Name(offer.decision.kind)
        name = kind.removeprefix("DECISION_KIND_").lower()
        self._declarations = [
            orders_pb2.DeclareImpulse(points=option.least, kind=option.kind)
            for option in sorted(offer.declarations, key=lambda option: (
                option.kind != terms_pb2.IMPULSE_KIND_PASS, option.least))]
        order = core_pb2.Order()
        if name in orders_pb2.Order.DESCRIPTOR.fields_by_name:
            answer = getattr(self, name)(self._board, seen, offer)
            getattr(order.white_death, name).CopyFrom(answer)
        return order

    def refused(self, order: core_pb2.Order,
                violations: Iterable[core_pb2.Violation]) -> core_pb2.Order:
        """Drop what was refused; declare the least that was listed."""
        if order.white_death.WhichOneof("order") == "declare_impulse":
            least = core_pb2.Order()
            choice = self._declarations.pop(0) if self._declarations else (
                orders_pb2.DeclareImpulse(points=1, kind=terms_pb2.IMPULSE_KIND_PASS))
            least.white_death.declare_impulse.CopyFrom(choice)
            return least
        return prune(order, violations)

    def set_up(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.SetUp:
        """The documented set-up of the scenario."""
        return orders_pb2.SetUp(standard=True)

    def distribute_losses(self, _board: Board, _seen: Seen,
                          _offer: Offer) -> orders_pb2.DistributeLosses:
        """The documented distribution of the losses to date."""
        return orders_pb2.DistributeLosses(standard=True)

    def refit(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.Refit:
        """Which tank brigade is refitted."""
        return orders_pb2.Refit()

    def sustain_garrison(self, _board: Board, _seen: Seen,
                         _offer: Offer) -> orders_pb2.SustainGarrison:
        """Whether to buy the city out of isolation."""
        return orders_pb2.SustainGarrison(spend=False)

    def replace(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.Replace:
        """Who takes replacements and repairs."""
        return orders_pb2.Replace()

    def declare_impulse(self, _board: Board, _seen: Seen,
                        _offer: Offer) -> orders_pb2.DeclareImpulse:
        """How many points, and what for."""
        return self._declarations[0] if self._declarations else orders_pb2.DeclareImpulse()

    def move_and_declare(self, _board: Board, _seen: Seen,
                         _offer: Offer) -> orders_pb2.MoveAndDeclare:
        """Movement and assaults."""
        return orders_pb2.MoveAndDeclare()

    def retreat_before_combat(self, _board: Board, _seen: Seen,
                              _offer: Offer) -> orders_pb2.RetreatBeforeCombat:
        """Which ski units leave."""
        return orders_pb2.RetreatBeforeCombat()

    def pursue(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.Pursue:
        """Which ski units follow."""
        return orders_pb2.Pursue()

    def barrage(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.Barrage:
        """What the artillery fires at."""
        return orders_pb2.Barrage()

    def defensive_fire(self, _board: Board, _seen: Seen,
                       _offer: Offer) -> orders_pb2.DefensiveFire:
        """How the defender's fire is split; hexes not named are left to the standing orders."""
        return orders_pb2.DefensiveFire()

    def assault_fire(self, _board: Board, _seen: Seen,
                     _offer: Offer) -> orders_pb2.AssaultFire:
        """How the assaulting fire is split; hexes not named are left to the standing orders."""
        return orders_pb2.AssaultFire()

    def retreat(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.Retreat:
        """Where beaten units go; units not named are left to the standing orders."""
        return orders_pb2.Retreat()

    def advance(self, _board: Board, _seen: Seen, _offer: Offer) -> orders_pb2.Advance:
        """Who occupies what was won; hexes not named are left to the standing orders."""
        return orders_pb2.Advance()
