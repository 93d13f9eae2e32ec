"""Dice that can be replayed: a stream keyed by a secret, and dice written down beforehand."""

from __future__ import annotations

import hashlib
import hmac
from typing import Protocol

from .errors import MalformedError

FACES = 6
_LIMIT = 252  # the largest multiple of six that fits a byte: no modulo bias


class Dice(Protocol):
    """A source of six-sided dice. `counter` is the number of the next die."""

    @property
    def counter(self) -> int: ...

    def roll(self) -> int:
        """The next die, 1 to 6."""
        ...

    def rewind(self, counter: int) -> None:
        """Take back what was rolled since `counter` was the next die."""
        ...


class KeyedDice:
    """Die `n` is a function of the secret and `n` alone: HMAC-SHA256, bytes over 251 skipped."""

    __slots__ = ("_counter", "_secret")

    def __init__(self, secret: bytes, counter: int = 0) -> None:
        self._secret = secret
        self._counter = counter

    @property
    def counter(self) -> int:
        return self._counter

    def roll(self) -> int:
        block = 0
        message = self._counter.to_bytes(8, "big")
        self._counter += 1
        while True:
            digest = hmac.digest(self._secret, message + block.to_bytes(2, "big"), "sha256")
            for byte in digest:
                if byte < _LIMIT:
                    return byte % FACES + 1
            block += 1

    def rewind(self, counter: int) -> None:
        self._counter = counter


class ScriptedDice:
    """Dice rolled elsewhere, in order; for tests and for dice thrown at the table."""

    __slots__ = ("_counter", "_rolls")

    def __init__(self, rolls: tuple[int, ...], counter: int = 0) -> None:
        for place, roll in enumerate(rolls):
            if not 1 <= roll <= FACES:
                raise MalformedError(f"die {place} shows {roll}; a die shows 1 to {FACES}",
                                     field=f"dice.script[{place}]")
        self._rolls = rolls
        self._counter = counter

    @property
    def counter(self) -> int:
        return self._counter

    def roll(self) -> int:
        if self._counter >= len(self._rolls):
            raise MalformedError(
                f"die {self._counter} is needed but only {len(self._rolls)} are scripted",
                field="dice.script",
            )
        roll = self._rolls[self._counter]
        self._counter += 1
        return roll

    def rewind(self, counter: int) -> None:
        self._counter = counter


def commitment(secret: bytes) -> str:
    """What is published of a secret before play: its SHA-256 in hexadecimal."""
    return hashlib.sha256(secret).hexdigest()
