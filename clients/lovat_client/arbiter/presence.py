"""Who was heard of when, and whose stream is open. Forgotten when the arbiter ends."""

from __future__ import annotations

import threading
from dataclasses import dataclass

Seat = tuple[str, str]
"""A match id and the name of a side."""


@dataclass(slots=True)
class _Trace:
    heard: float = float("-inf")
    streams: int = 0
    broken: float | None = None


class Presence:
    """What is known of the seats' connections. Times are Unix times; safe between threads."""

    def __init__(self) -> None:
        self._traces: dict[Seat, _Trace] = {}
        self._lock = threading.Lock()

    def heard(self, seat: Seat, now: float) -> None:
        """The seat has called."""
        with self._lock:
            trace = self._traces.setdefault(seat, _Trace())
            trace.heard = now
            trace.broken = None

    def opened(self, seat: Seat, now: float) -> None:
        """The seat watches."""
        with self._lock:
            trace = self._traces.setdefault(seat, _Trace())
            trace.streams += 1
            trace.heard = now
            trace.broken = None

    def closed(self, seat: Seat, now: float) -> None:
        """One of the seat's streams has ended."""
        with self._lock:
            trace = self._traces.setdefault(seat, _Trace())
            trace.streams -= 1
            if trace.streams == 0:
                trace.broken = now

    def is_connected(self, seat: Seat) -> bool:
        with self._lock:
            trace = self._traces.get(seat)
            return trace is not None and trace.streams > 0

    def was_heard_since(self, seat: Seat, since: float) -> bool:
        """Whether the seat has called after that, or is watching."""
        with self._lock:
            trace = self._traces.get(seat)
            return trace is not None and (trace.heard > since or trace.streams > 0)

    def away_for(self, seat: Seat, since: float, now: float) -> float | None:
        """Seconds since its stream broke or since it has to decide; None if it is not away."""
        with self._lock:
            trace = self._traces.get(seat)
            if trace is None or trace.broken is None:
                return None
            return now - max(trace.broken, since)

    def forget(self, match_id: str) -> None:
        """Drop what is known of a match that is over and that nobody watches."""
        with self._lock:
            for seat in [seat for seat, trace in self._traces.items()
                         if seat[0] == match_id and trace.streams <= 0]:
                del self._traces[seat]
