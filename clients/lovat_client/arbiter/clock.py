"""Clocks: the time for one decision, the time for the game, the increment. All in seconds.

Times are Unix times, since they outlive the process that took them. Nothing here reads a clock
but `system_time`, which whoever keeps time may replace.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from lovat.play.v1 import match_service_pb2 as play

TimeSource = Callable[[], float]
"""Gives the Unix time in seconds."""

LONGEST = 366 * 86_400.0
"""The longest time that a match may set."""


def system_time() -> float:
    return time.time()


@dataclass(frozen=True, slots=True)
class Pending:
    """A decision that is waited for.

    `since` is when its clock was last started, `spent` what had passed of it before that, `bank`
    the side's time for the game when the decision arose.
    """

    since: float
    spent: float
    bank: float

    def elapsed(self, now: float) -> float:
        """Time used for this decision; never negative, even if the clock was set back."""
        return self.spent + max(0.0, now - self.since)


@dataclass(frozen=True, slots=True)
class Left:
    """What is left for a decision and for the game; None where there is no limit."""

    decision: float | None
    game: float | None

    @property
    def soonest(self) -> float | None:
        """What is left until something runs out."""
        limits = [limit for limit in (self.decision, self.game) if limit is not None]
        return min(limits, default=None)


def left(control: play.TimeControl, pending: Pending, now: float) -> Left:
    """What is left of a running clock; below zero once it has run out."""
    elapsed = pending.elapsed(now)
    return Left(
        control.decision_seconds - elapsed if control.decision_seconds else None,
        pending.bank - elapsed if control.game_seconds else None)


def bank_after(control: play.TimeControl, pending: Pending, now: float, *,
               answered: bool) -> float:
    """The side's time for the game after a decision; with the increment if it `answered` itself."""
    if not control.game_seconds:
        return pending.bank
    rest = max(0.0, pending.bank - pending.elapsed(now))
    return rest + control.increment_seconds if answered else rest
