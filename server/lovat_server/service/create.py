"""The first position of a scenario."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lovat_server.core.errors import MalformedError

from .dice_state import DiceMode, DiceState, scripted, seeded, server_keyed
from .library import Volume
from .position import Position, seal


@dataclass(frozen=True, slots=True)
class DiceChoice:
    """How the dice of a new game are to be made; `seed` or `script` only as the mode needs."""

    mode: DiceMode = DiceMode.SERVER_KEYED
    seed: str = ""
    script: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Created:
    position: Position
    events: tuple[Any, ...]


def new_secret() -> bytes:
    """A secret of 32 bytes from the system's own source of randomness."""
    return secrets.token_bytes(32)


def create_game(volume: Volume, options: Any, dice: DiceChoice, *, standard_set_up: bool,
                draw_secret: Callable[[], bytes] = new_secret) -> Created:
    """The position before the first decision, at version 0, and what happened before it.

    MalformedError for a seed or script that does not fit the mode or is used up.
    """
    state_of_dice = fresh_dice(dice, draw_secret)
    rolling = state_of_dice.open()
    try:
        transition = volume.game.create(volume.catalog, options, rolling,
                                        standard_set_up=standard_set_up)
    except MalformedError as error:
        raise MalformedError(error.message, field=error.field.removeprefix("dice.")) from error
    if transition.violations:
        first = transition.violations[0]
        raise MalformedError(f"the scenario cannot begin so: {first.message}",
                             field="standard_set_up")
    return Created(seal(volume, transition.state, state_of_dice.after(rolling), 0),
                   transition.events)


def fresh_dice(choice: DiceChoice, draw_secret: Callable[[], bytes]) -> DiceState:
    """Dice of which none has been rolled. MalformedError for a seed or script that does not fit."""
    if choice.seed and choice.mode is not DiceMode.SEEDED:
        raise MalformedError("a seed is for a seeded game only", field="seed")
    if choice.script and choice.mode is not DiceMode.SCRIPTED:
        raise MalformedError("a script is for a scripted game only", field="script")
    if choice.mode is DiceMode.SEEDED:
        return seeded(choice.seed)
    if choice.mode is DiceMode.SCRIPTED:
        return scripted(choice.script)
    return server_keyed(draw_secret())
