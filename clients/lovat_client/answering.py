"""How a decision gets its answer from a bot: asked again when refused, answered for in the end."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import grpc

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import catalog_pb2

from .bots.protocol import Bot
from .safe_orders import safe_orders
from .sdk.errors import LovatError

REFUSALS = 6
"""How often a bot may answer a refusal before the safest order is given for it."""

Violations = tuple[core_pb2.Violation, ...]
Submit = Callable[[core_pb2.Order], Violations]
"""Gives an order in and says why it is refused; nothing if it was carried out."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a decision was answered. `attempts` are the bot's orders.

    `refusal` is why the last of them was refused, empty if it was accepted; `is_answered` says
    that it, or a safe order after it, was.
    """

    attempts: int
    refusal: Violations
    is_answered: bool


@dataclass(frozen=True, slots=True)
class Fallback:
    """A decision that a bot did not answer legally: how often it tried, and why it was refused.

    `version` is that of the position. `by_standing` says that even the safest orders were
    refused, so that the side's standing orders answered.
    """

    version: int
    side: str
    kind: str
    attempts: int
    violations: Violations
    by_standing: bool = False


def answer(bot: Bot, view: core_pb2.View, listing: core_pb2.Listing,
           catalog: catalog_pb2.Catalog, kind: str, submit: Submit, *,
           refusals: int = REFUSALS) -> Answer:
    """Ask a bot until an order of its is accepted, or `refusals` more were not.

    Then the safe orders for a decision of this kind are tried in turn.
    """
    order = bot.decide(view, listing, catalog)
    found = submit(order)
    attempts = 1
    while found and attempts <= refusals:
        order = bot.refused(order, found)
        found = submit(order)
        attempts += 1
    return Answer(attempts, found, not found or any(
        not submit(safe) for safe in safe_orders(kind, listing)))


def unread(error: LovatError) -> Violations:
    """What a failed call says of an order that cannot be read; nothing if it is about other things.
    """
    if error.code is not grpc.StatusCode.INVALID_ARGUMENT:
        return ()
    return tuple(
        core_pb2.Violation(
            order_path=field.field.removeprefix("order.").removeprefix("white_death."),
            message=field.description)
        for field in error.fields if field.field.startswith("order"))
