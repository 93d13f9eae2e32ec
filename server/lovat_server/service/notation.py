"""Positions and orders as text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lovat_server.core.errors import MalformedError, UnknownError

from .create import DiceChoice, fresh_dice, new_secret
from .library import Library, Volume
from .position import Position, seal

MAX_TEXT = 256 * 1024


def write_position(position: Position) -> str:
    """The text of a position. MalformedError if it has a value that the text cannot say."""
    try:
        return position.volume.game.write_state(position.volume.catalog, position.state)
    except ValueError as error:
        raise MalformedError(str(error), field="position.state") from error


def write_orders(volume: Volume, orders: Sequence[Any]) -> str:
    """The text of orders. MalformedError if they have a value that the text cannot say."""
    try:
        return volume.game.write_orders(volume.catalog, orders)
    except ValueError as error:
        raise MalformedError(str(error), field="orders") from error


def read_position(library: Library, text: str, scenario: str, dice: DiceChoice,
                  draw_secret: Callable[[], bytes] = new_secret) -> Position:
    """The position of a text, at version 0 and with fresh dice, sound or not.

    MalformedError for a text or dice that cannot be read, UnknownError for the scenario, which
    the text itself names if `scenario` is empty.
    """
    _require_short(text)
    volume = _volume_of(library, text, scenario)
    try:
        state = volume.game.read_state(volume.catalog, text)
    except MalformedError as error:
        raise _in_text(error) from error
    return seal(volume, state, fresh_dice(dice, draw_secret), 0)


def read_orders(volume: Volume, text: str) -> tuple[Any, ...]:
    """The orders of a text. MalformedError if it cannot be read."""
    _require_short(text)
    try:
        return volume.game.read_orders(volume.catalog, text)
    except MalformedError as error:
        raise _in_text(error) from error


def _volume_of(library: Library, text: str, scenario: str) -> Volume:
    if scenario:
        return library.volume(scenario)
    named = next(filter(None, (game.scenario_of(text) for game in library.games())), "")
    if not named:
        raise MalformedError("the text names no scenario, and the request none either",
                             field="scenario")
    try:
        return library.volume(named)
    except UnknownError as error:
        raise UnknownError(error.message, field="text") from error


def _require_short(text: str) -> None:
    if len(text) > MAX_TEXT:
        raise MalformedError(f"{len(text)} characters; expected at most {MAX_TEXT}", field="text")


def _in_text(error: MalformedError) -> MalformedError:
    """The line and the column are in the message."""
    return MalformedError(error.message, field="text")
