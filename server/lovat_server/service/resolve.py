"""Orders carried out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lovat_server.core.errors import MalformedError
from lovat_server.core.violations import Violation
from lovat_server.games.contract import Transition

from .dice_state import DiceState
from .position import Position, seal


@dataclass(frozen=True, slots=True)
class SideOrders:
    """What one side says: orders for its decisions in turn, and new standing orders or None."""

    side: int
    orders: tuple[Any, ...] = ()
    standing: Any = None


@dataclass(frozen=True, slots=True)
class Outcome:
    """With violations `position` is the old one, unchanged, and there are no events."""

    position: Position
    events: tuple[Any, ...] = ()
    violations: tuple[Violation, ...] = ()


def submit(position: Position, order: Any, standing: Any = None) -> Outcome:
    """Answer the pending decision and run on to the next one.

    `standing` replaces the standing orders of the deciding side first. MalformedError if
    scripted dice are used up.
    """
    volume, state = position.volume, position.state
    if standing is not None:
        state = volume.game.standing(state, position.deciding_side, standing)
    dice = position.dice.open()
    try:
        transition = volume.game.submit(volume.catalog, state, order, dice)
    except MalformedError as error:
        raise _in_position(error) from error
    return _outcome(position, transition, position.dice.after(dice))


def resolve_impulse(position: Position, sides: Sequence[SideOrders]) -> Outcome:
    """Answer decisions from each side's orders, then its standing orders, to the impulse's end.

    MalformedError for two entries of one side, or if scripted dice are used up.
    """
    volume, state = position.volume, position.state
    orders: dict[int, tuple[Any, ...]] = {}
    for place, said in enumerate(sides):
        if said.side in orders:
            raise MalformedError(f"{volume.game.sides[said.side]!r} has an entry already; "
                                 "expected one entry for each side", field=f"orders[{place}].side")
        orders[said.side] = said.orders
        if said.standing is not None:
            state = volume.game.standing(state, said.side, said.standing)
    dice = position.dice.open()
    try:
        transition = volume.game.resolve_impulse(volume.catalog, state, orders, dice)
    except MalformedError as error:
        raise _in_position(error) from error
    return _outcome(position, transition, position.dice.after(dice))


def _outcome(position: Position, transition: Transition[Any, Any], dice: DiceState) -> Outcome:
    if transition.violations:
        return Outcome(position, violations=transition.violations)
    after = seal(position.volume, transition.state, dice, position.version + 1)
    return Outcome(after, transition.events)


def _in_position(error: MalformedError) -> MalformedError:
    prefix = "position.state." if error.field.startswith("dice.") else ""
    return MalformedError(error.message, field=prefix + error.field)
