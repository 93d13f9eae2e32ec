"""A game repeated from its log, and compared record by record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lovat_server.core.errors import LovatError

from .dice_state import DiceMode
from .position import Position
from .resolve import Outcome, SideOrders, resolve_impulse, submit


@dataclass(frozen=True, slots=True)
class Record:
    """One accepted call: what the position was, what was sent, what came of it.

    `impulse` tells a whole impulse from a single order; a single order is one entry of `orders`
    with one order.
    """

    version: int
    checksum_before: str
    dice_before: int
    impulse: bool
    orders: tuple[SideOrders, ...]
    events: tuple[Any, ...]
    checksum_after: str
    dice_after: int


@dataclass(frozen=True, slots=True)
class Divergence:
    """What the log says and what the rules give; an event, or None for an event that is not there.

    `record` counts from 0.
    """

    record: int
    field: str
    expected: Any
    actual: Any


class Replay:
    """A replay in progress. It stops at the first divergence and takes no more records."""

    def __init__(self, position: Position) -> None:
        self.position = position
        self.records = 0
        self.divergence: Divergence | None = None

    @property
    def has_keyed_dice(self) -> bool:
        """Whether nobody can have chosen the dice."""
        return self.position.dice.mode is not DiceMode.SCRIPTED

    def take(self, record: Record) -> bool:
        """Repeat one record; False, and `divergence` set, if it does not give what it says."""
        difference = self._repeat(record)
        if difference is not None:
            field, expected, actual = difference
            self.divergence = Divergence(self.records, field, expected, actual)
            return False
        self.records += 1
        return True

    def _repeat(self, record: Record) -> tuple[str, Any, Any] | None:
        before = self.position
        found = _first_difference((
            ("version", record.version, before.version),
            ("checksum_before", record.checksum_before, before.checksum),
            ("dice_before", record.dice_before, before.dice.counter),
        ))
        if found is not None:
            return found
        try:
            outcome = self._carry_out(record)
        except LovatError as error:
            return "orders", "orders that can be carried out", error.message
        if outcome is None:
            return "orders", "one order of the side that decides", "other orders"
        if outcome.violations:
            first = outcome.violations[0]
            return "orders", "orders that are accepted", f"[{first.clause}] {first.message}"
        found = _first_difference((
            *_pairs_of_events(record.events, outcome.events),
            ("dice_after", record.dice_after, outcome.position.dice.counter),
            ("checksum_after", record.checksum_after, outcome.position.checksum),
        ))
        if found is None:
            self.position = outcome.position
        return found

    def _carry_out(self, record: Record) -> Outcome | None:
        if record.impulse:
            return resolve_impulse(self.position, record.orders)
        if len(record.orders) != 1 or len(record.orders[0].orders) != 1:
            return None
        said = record.orders[0]
        if said.side != self.position.deciding_side:
            return None
        return submit(self.position, said.orders[0], said.standing)


def _pairs_of_events(logged: tuple[Any, ...],
                     given: tuple[Any, ...]) -> list[tuple[str, Any, Any]]:
    return [
        (f"events[{place}]",
         logged[place] if place < len(logged) else None,
         given[place] if place < len(given) else None)
        for place in range(max(len(logged), len(given)))
    ]


def _first_difference(
    fields: tuple[tuple[str, Any, Any], ...]
) -> tuple[str, Any, Any] | None:
    return next((field for field in fields if field[1] != field[2]), None)
