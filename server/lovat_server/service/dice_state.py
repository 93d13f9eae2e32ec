"""Where the dice of a game stand between two requests."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from enum import IntEnum

from lovat_server.core.dice import Dice, KeyedDice, ScriptedDice, commitment
from lovat_server.core.errors import MalformedError

MAX_SECRET = 64
MAX_SEED = 64
MAX_SCRIPT = 10_000


class DiceMode(IntEnum):
    SEEDED = 1
    SERVER_KEYED = 2
    SCRIPTED = 3


@dataclass(frozen=True, slots=True)
class DiceState:
    """`secret` keys a seeded or server-keyed stream; `script` is the dice of a scripted one."""

    mode: DiceMode
    secret: bytes = b""
    counter: int = 0
    script: tuple[int, ...] = ()

    @property
    def commitment(self) -> str:
        """What may be published before play; empty if scripted."""
        return "" if self.mode is DiceMode.SCRIPTED else commitment(self.secret)

    def open(self) -> Dice:
        """The dice, ready to roll the next one. MalformedError if the script has a bad die."""
        if self.mode is DiceMode.SCRIPTED:
            return ScriptedDice(self.script, self.counter)
        return KeyedDice(self.secret, self.counter)

    def after(self, dice: Dice) -> DiceState:
        """The state after what `dice` has rolled since `open`."""
        return self if dice.counter == self.counter else replace(self, counter=dice.counter)


def seeded(seed: str) -> DiceState:
    """Dice that depend on the seed alone. MalformedError for an empty or overlong seed."""
    if not 1 <= len(seed) <= MAX_SEED:
        raise MalformedError(f"a seeded game needs a seed of 1 to {MAX_SEED} characters, "
                             f"not {len(seed)}", field="seed")
    return DiceState(DiceMode.SEEDED, hashlib.sha256(seed.encode()).digest())


def server_keyed(secret: bytes) -> DiceState:
    """Dice keyed by a secret that the server has drawn."""
    return DiceState(DiceMode.SERVER_KEYED, secret)


def scripted(rolls: tuple[int, ...]) -> DiceState:
    """Dice rolled elsewhere. MalformedError for a die that is not 1 to 6, or too many."""
    if len(rolls) > MAX_SCRIPT:
        raise MalformedError(f"a script has at most {MAX_SCRIPT} dice, not {len(rolls)}",
                             field="script")
    for place, roll in enumerate(rolls):
        if not 1 <= roll <= 6:
            raise MalformedError(f"a die shows 1 to 6, not {roll}", field=f"script[{place}]")
    return DiceState(DiceMode.SCRIPTED, script=rolls)
