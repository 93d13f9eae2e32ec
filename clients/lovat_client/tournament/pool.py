"""What plays games: somewhere, in any order, each of them to a result."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol, Self

from .check import Problems
from .results import GameResult, GameTask
from .terms import Terms


class Pool(Protocol):
    """A place to play games; to be used as a context.

    Every method raises `ClientError` if nothing can be played there any more.
    """

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def check(self, terms: Terms) -> Problems:
        """What is wrong with terms, seen from where the games will be played."""
        ...

    def play(self, tasks: Sequence[GameTask]) -> Iterator[GameResult]:
        """The results of all the games, each once, as they come."""
        ...
