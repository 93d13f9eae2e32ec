"""What a bot is: it sees one side's view and what is listed as legal, and answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import answers_pb2, catalog_pb2

View = core_pb2.View | answers_pb2.View
Listing = core_pb2.Listing | answers_pb2.Listing


class Bot(Protocol):
    """A player of one side in one game."""

    name: str

    def decide(self, view: View, listing: Listing,
               catalog: catalog_pb2.Catalog) -> core_pb2.Order:
        """Answer the pending decision."""
        ...

    def refused(self, order: core_pb2.Order,
                violations: Iterable[core_pb2.Violation]) -> core_pb2.Order:
        """Say something else after an order was refused; asked again and again it gives in."""
        ...


class Advisor(Protocol):
    """What a bot may ask about the pending decision; no answer tells more than its side may know.

    Errors are those of the call: `LovatError`, wherever the bot runs.
    """

    def preview(self, order: core_pb2.Order) -> rules_service_pb2.PreviewCombatResponse:
        """What fire, or the assaults of a movement order, would come to; exact, without dice."""
        ...

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        """Hexes of the map with a value each."""
        ...


@runtime_checkable
class AdvisedBot(Bot, Protocol):
    """A bot that asks before it answers; it is given its advisor before its first decision."""

    def advise(self, advisor: Advisor) -> None:
        """Take the advisor of one game, which is always about the decision then pending."""
        ...


def view_of(view: View) -> answers_pb2.View:
    """The game's own view, with or without the wrapper that every game shares."""
    return view.white_death if isinstance(view, core_pb2.View) else view


def listing_of(listing: Listing) -> answers_pb2.Listing:
    """The game's own listing, with or without the wrapper that every game shares."""
    return listing.white_death if isinstance(listing, core_pb2.Listing) else listing
