"""A position: the state of a game with all that is needed to play on from it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Protocol

from lovat_server.core.errors import MalformedError, MismatchError, StaleError

from .dice_state import DiceState
from .library import Volume


class _Decision(Protocol):
    @property
    def side(self) -> int: ...


class _Decides(Protocol):
    @property
    def decision(self) -> _Decision: ...


@dataclass(frozen=True, slots=True)
class Position:
    """A state in its volume, with its dice and version; `checksum` binds everything."""

    volume: Volume
    state: Any
    dice: DiceState
    version: int
    checksum: str

    @property
    def deciding_side(self) -> int:
        """The side whose decision is pending."""
        state: _Decides = self.state
        return state.decision.side


def seal(volume: Volume, state: Any, dice: DiceState, version: int) -> Position:
    """The position with its checksum."""
    text = "\n".join((
        "lovat position 1", volume.game.id, volume.scenario, volume.game.ruleset_version,
        volume.content_hash, str(version), volume.game.checksum(state), dice.mode.name,
        dice.secret.hex(), str(dice.counter), "".join(map(str, dice.script)),
    ))
    checksum = hashlib.sha256(text.encode()).hexdigest()
    return Position(volume, state, dice, version, checksum)


def require_checksum(position: Position, checksum: str) -> None:
    """MismatchError unless the checksum that came with a position is empty or its own."""
    if checksum and checksum != position.checksum:
        raise MismatchError(
            f"the checksum is {checksum[:80]!r} but this position has {position.checksum!r}; "
            "a position must be sent back as the server gave it", field="position.checksum")


def require_playable(position: Position) -> None:
    """MalformedError naming the first fault of a state that cannot be played on."""
    faults = position.volume.game.check(position.volume.catalog, position.state)
    if faults:
        first, more = faults[0], len(faults) - 1
        path = f"position.state.{position.volume.game.id}"
        raise MalformedError(
            first.message + (f" (and {more} more faults)" if more else ""),
            field=f"{path}.{first.path}" if first.path else path)


def require_version(position: Position, expected: int | None) -> None:
    """StaleError unless the position is at the expected version, if one is expected."""
    if expected is not None and expected != position.version:
        raise StaleError(f"the position is at version {position.version}, not {expected}",
                         field="expected_version")


def require_side(volume: Volume, name: str, field: str) -> int:
    """The number of a side. MalformedError for a name that is no side of the game."""
    try:
        return volume.game.sides.index(name)
    except ValueError:
        sides = " or ".join(map(repr, volume.game.sides))
        raise MalformedError(f"{name[:80]!r} is no side; expected {sides}", field=field) from None
