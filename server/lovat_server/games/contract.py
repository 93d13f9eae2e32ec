"""What a game must offer so that the server can host it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from lovat_server.core.dice import Dice
from lovat_server.core.violations import Violation

StateT = TypeVar("StateT")
EventT = TypeVar("EventT")
ReceiptT_co = TypeVar("ReceiptT_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Judgement(Generic[ReceiptT_co]):
    """All violations of an order; if there are none, the receipt says how it was understood."""

    violations: tuple[Violation, ...]
    receipt: ReceiptT_co


@dataclass(frozen=True, slots=True)
class Transition(Generic[StateT, EventT]):
    """A new state and what led to it; with violations the state is the old one, unchanged."""

    state: StateT
    events: tuple[EventT, ...] = ()
    violations: tuple[Violation, ...] = ()


class Game(Protocol):
    """One game's rules. Catalogs, states and orders are the game's own types.

    Sides are small integers in the order of `sides`. No method reads a clock, a file or a
    global random source; the same arguments give the same result in any process.
    """

    id: str
    title: str
    ruleset_version: str
    sides: tuple[str, ...]

    def create(self, catalog: Any, options: Any, dice: Dice, *,
               standard_set_up: bool) -> Transition[Any, Any]:
        """The position before the first decision."""
        ...

    def view(self, catalog: Any, state: Any, side: int) -> Any:
        """What a side may know."""
        ...

    def listing(self, catalog: Any, state: Any, draft: Any,
                units: frozenset[int] | None) -> Any:
        """Everything legal for the pending decision, after a draft; only for `units` if given."""
        ...

    def judge(self, catalog: Any, state: Any, order: Any) -> Judgement[Any]:
        """Every rule an order breaks. No dice."""
        ...

    def preview(self, catalog: Any, state: Any, order: Any,
                side: int | None) -> Judgement[Any]:
        """What fire or an assault would come to, exactly, as far as `side` may know; no dice.

        All of it if `side` is None.
        """
        ...

    def submit(self, catalog: Any, state: Any, order: Any, dice: Dice) -> Transition[Any, Any]:
        """Answer the pending decision and run on to the next one."""
        ...

    def resolve_impulse(self, catalog: Any, state: Any, orders: Mapping[int, Sequence[Any]],
                        dice: Dice) -> Transition[Any, Any]:
        """Answer decisions from each side's orders, then its standing orders, to impulse's end."""
        ...

    def standing(self, state: Any, side: int, standing: Any) -> Any:
        """The state with a side's standing orders replaced."""
        ...

    def score(self, catalog: Any, state: Any) -> Any:
        """Victory points line by line, and the level."""
        ...

    def apply(self, catalog: Any, state: Any, events: Sequence[Any]) -> Any:
        """The state after events, without any rule."""
        ...

    def checksum(self, state: Any) -> str:
        """SHA-256 of the game's own canonical encoding, in hexadecimal."""
        ...

    def check(self, catalog: Any, state: Any) -> tuple[Violation, ...]:
        """Faults that make a state impossible to play on."""
        ...

    def faults(self, catalog: Any, state: Any) -> tuple[Violation, ...]:
        """All that is wrong with a state; those that make it impossible to play on first."""
        ...

    def overlay(self, catalog: Any, state: Any, side: int, query: Any) -> Any:
        """Hexes with values, from what a side may know. MalformedError names a bad field."""
        ...

    def write_state(self, catalog: Any, state: Any) -> str:
        """A state as text. ValueError if it has a value that the text cannot say."""
        ...

    def scenario_of(self, text: str) -> str:
        """The scenario that the text of a state names, "" if it names none."""
        ...

    def read_state(self, catalog: Any, text: str) -> Any:
        """The state of a text. MalformedError names the line, the column and the word."""
        ...

    def write_orders(self, catalog: Any, orders: Sequence[Any]) -> str:
        """Orders as text. ValueError if they have a value that the text cannot say."""
        ...

    def read_orders(self, catalog: Any, text: str) -> tuple[Any, ...]:
        """The orders of a text. MalformedError names the line, the column and the word."""
        ...
