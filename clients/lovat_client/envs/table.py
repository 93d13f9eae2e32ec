"""What a composer may know and ask while it answers one decision; nothing of the other side's."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from functools import cached_property
from typing import Any

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, orders_pb2

from ..sdk.catalog import Catalog
from ..sdk.requests import OrderLike, as_order
from ..sdk.session import Session
from .actions import Choice, Menu

Composing = Generator[Menu, Choice, OrderLike]
"""Yields what may be said next, is sent what was said, and returns the whole order."""

Steps = Generator[Menu, Choice, None]


def entry(entries: Any, hex_: int) -> Any:
    """The entry of a repeated field for a hex, added if there is none."""
    for found in entries:
        if found.hex == hex_:
            return found
    return entries.add(hex=hex_)


class Table:
    """The pending decision: its listing, fetched once, and questions about a draft.

    Every question is one call; `LovatError` if it fails.
    """

    def __init__(self, session: Session, catalog: Catalog, view: answers_pb2.View) -> None:
        self.session = session
        self.catalog = catalog
        self.view = view
        self.side = session.decision.side
        self.kind = session.decision.kind
        self._judged: dict[bytes, bool] = {}

    @cached_property
    def listing(self) -> answers_pb2.Listing:
        """Everything legal before anything is said."""
        return self.session.legal(self.side).white_death

    def movement(self, draft: orders_pb2.MoveAndDeclare,
                 units: Iterable[str] = ()) -> dict[str, answers_pb2.UnitOptions]:
        """What units may do after a draft, by unit; of all if none are named."""
        listing = self.session.legal(self.side, draft=draft, units=units).white_death
        return {option.unit: option for option in listing.units}

    def allows(self, order: OrderLike) -> bool:
        """Whether the server would accept an order as it stands; asked once for each."""
        whole: core_pb2.Order = as_order(order)
        key = whole.SerializeToString(deterministic=True)
        if key not in self._judged:
            self._judged[key] = self.session.validate(whole).is_legal
        return self._judged[key]
