"""When a call is made again.

Every call is a pure function or has a request id, so any may be, if nobody answered; and one that
a server did not begin, but asked for later (google.rpc.RetryInfo), may be then.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import grpc


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """How often and after what pauses a call is repeated; all times in seconds."""

    attempts: int = 4
    first_pause: float = 0.1
    factor: float = 2.0
    longest_pause: float = 2.0

    def pauses(self) -> Iterator[float]:
        """The pause before each further attempt."""
        pause = self.first_pause
        for _ in range(self.attempts - 1):
            yield min(pause, self.longest_pause)
            pause *= self.factor


NO_RETRY = RetryPolicy(attempts=1)


class Patience:
    """One call's deadline and remaining attempts."""

    def __init__(self, policy: RetryPolicy, timeout: float) -> None:
        self._pauses = policy.pauses()
        self._end = time.monotonic() + timeout

    @property
    def left(self) -> float:
        """Seconds to the deadline, never below a thousandth."""
        return max(self._end - time.monotonic(), 0.001)

    def pause_after(self, code: grpc.StatusCode,
                    retry_after: float | None = None) -> float | None:
        """How long to wait before trying again; None to give up.

        `retry_after` is what the server asked to wait at least, if it did.
        """
        asked = code is grpc.StatusCode.RESOURCE_EXHAUSTED and retry_after is not None
        if code is not grpc.StatusCode.UNAVAILABLE and not asked:
            return None
        pause = next(self._pauses, None)
        if pause is None:
            return None
        pause = max(pause, retry_after or 0.0)
        return pause if pause < self.left else None
