"""Counts of calls, in this process."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from threading import Lock


@dataclass(slots=True)
class Counter:
    """Calls of one method that ended with one code; times in milliseconds."""

    calls: int = 0
    total: float = 0.0
    longest: float = 0.0


class Metrics:
    """Safe for many threads."""

    def __init__(self) -> None:
        self._counters: dict[tuple[str, str], Counter] = defaultdict(Counter)
        self._lock = Lock()

    def count(self, method: str, code: str, milliseconds: float) -> None:
        with self._lock:
            counter = self._counters[method, code]
            counter.calls += 1
            counter.total += milliseconds
            counter.longest = max(counter.longest, milliseconds)

    def snapshot(self) -> dict[str, dict[str, float]]:
        """By "method code": calls, mean and longest milliseconds."""
        with self._lock:
            return {
                f"{method} {code}": {"calls": counter.calls,
                                     "mean": round(counter.total / counter.calls, 3),
                                     "longest": round(counter.longest, 3)}
                for (method, code), counter in sorted(self._counters.items())
            }
