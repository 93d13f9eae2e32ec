"""How much one caller may ask: calls by time, streams and unfinished matches at a time.

A caller is a seat, by its token, or whoever has none, by the host that the call comes from. A token
that has not yet been found right is counted for its host too, so that guessing costs the guesser.
All of it is kept in memory, and nothing of a token but a hash.
"""

from __future__ import annotations

import hashlib
import ipaddress
import threading
from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import dataclass
from urllib.parse import unquote

from lovat.play.v1 import match_service_pb2 as play

from .clock import TimeSource
from .errors import ArbiterError

BURST_SECONDS = 5.0
"""A caller who was quiet may at once make the calls of so many seconds."""

MOST_BUCKETS = 10_000
"""When so many callers are kept, those who have been quiet are forgotten."""

LATER = 5.0
"""Seconds after which to try for a stream again when all together are too many."""

_IPV6_HOST_BITS = 64


@dataclass(frozen=True, slots=True)
class Limits:
    """Of one caller: `rate` is calls a second, the others are numbers at a time; 0 is no limit.

    `streams` is of all callers together.
    """

    rate: float = 100.0
    watches: int = 50
    matches: int = 200
    streams: int = 1000


UNLESS_SAID = Limits()


@dataclass(frozen=True, slots=True)
class Caller:
    """Who calls: the host, and a hash of the token, empty without one."""

    host: str
    token: str = ""

    @classmethod
    def of(cls, peer: str, token: str) -> Caller:
        """The caller of a call that came from a peer as gRPC writes it."""
        hashed = hashlib.sha256(token.encode()).hexdigest() if token else ""
        return cls(host_of(peer), hashed)

    @property
    def name(self) -> str:
        """What tells one caller from another."""
        return self.token or self.host


@dataclass(slots=True)
class _Bucket:
    """Calls that a caller may still make at a `time`; `trusted` once its token was right."""

    calls: float
    time: float
    trusted: bool = False


class Limiter:
    """Counts. Safe between threads; a clock that is set back gives and takes nothing."""

    def __init__(self, limits: Limits, now: TimeSource) -> None:
        self._limits = limits
        self._now = now
        self._most = max(1.0, limits.rate * BURST_SECONDS)
        self._buckets: dict[str, _Bucket] = {}
        self._watches: Counter[str] = Counter()
        self._matches: dict[str, set[str]] = {}
        self._lock = threading.Lock()

    def admit(self, caller: Caller) -> None:
        """Count a call. TOO_MANY, with the time to wait, if it is one too many."""
        if not self._limits.rate:
            return
        with self._lock:
            now = self._now()
            own = self._bucket(caller.name, now)
            asked = [own]
            if caller.token and not own.trusted:
                asked.append(self._bucket(caller.host, now))
            least = min(bucket.calls for bucket in asked)
            if least < 1.0:
                raise too_many(f"more than {self._limits.rate:g} calls a second",
                               (1.0 - least) / self._limits.rate)
            for bucket in asked:
                bucket.calls -= 1.0

    def trust(self, caller: Caller) -> None:
        """The caller's token was right."""
        with self._lock:
            if caller.token and caller.token in self._buckets:
                self._buckets[caller.token].trusted = True

    def distrust(self, caller: Caller) -> None:
        """The caller's token was wrong: there is nothing to be kept of it."""
        with self._lock:
            if caller.token:
                self._buckets.pop(caller.token, None)

    def open_watch(self, caller: Caller) -> None:
        """Count a stream, until `close_watch`. TOO_MANY if it is one too many."""
        limits = self._limits
        with self._lock:
            if limits.watches and self._watches[caller.name] >= limits.watches:
                raise too_many(f"more than {limits.watches} streams at a time")
            if limits.streams and self._watches.total() >= limits.streams:
                raise too_many("too many streams are open here; try again later", LATER)
            self._watches[caller.name] += 1

    def close_watch(self, caller: Caller) -> None:
        with self._lock:
            self._watches[caller.name] -= 1
            if self._watches[caller.name] <= 0:
                del self._watches[caller.name]

    def may_create(self, caller: Caller,
                   unfinished: Callable[[Collection[str]], Collection[str]]) -> None:
        """TOO_MANY if the matches that the host has created and that are not over are enough.

        `unfinished` gives those of some matches that are not over.
        """
        with self._lock:
            made = set(self._matches.get(caller.host, ()))
        if not self._limits.matches or len(made) < self._limits.matches:
            return
        left = set(unfinished(made))
        with self._lock:
            self._matches[caller.host] -= made - left
        if len(left) >= self._limits.matches:
            raise too_many(f"more than {self._limits.matches} matches that are not over")

    def created(self, caller: Caller, match_id: str) -> None:
        if self._limits.matches:
            with self._lock:
                self._matches.setdefault(caller.host, set()).add(match_id)

    def _bucket(self, name: str, now: float) -> _Bucket:
        """The caller's bucket as it is now."""
        bucket = self._buckets.get(name)
        if bucket is None:
            if len(self._buckets) >= MOST_BUCKETS:
                self._forget(now)
            bucket = self._buckets[name] = _Bucket(self._most, now)
        self._fill(bucket, now)
        return bucket

    def _fill(self, bucket: _Bucket, now: float) -> None:
        passed = max(0.0, now - bucket.time)
        bucket.calls = min(self._most, bucket.calls + passed * self._limits.rate)
        bucket.time = now

    def _forget(self, now: float) -> None:
        """Drop the full buckets, which say no more than new ones; if that is few, the fullest."""
        for bucket in self._buckets.values():
            self._fill(bucket, now)
        fullest = sorted(self._buckets, key=lambda name: -self._buckets[name].calls)
        for place, name in enumerate(fullest):
            if place >= len(fullest) // 4 and self._buckets[name].calls < self._most:
                break
            del self._buckets[name]


def host_of(peer: str) -> str:
    """The host in gRPC's name of a peer ("ipv4:10.0.0.1:5000"); of IPv6 the network of the host."""
    kind, _, address = unquote(peer).partition(":")
    host = address.rpartition(":")[0].strip("[]")
    if kind not in ("ipv4", "ipv6"):
        return kind
    try:
        found = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(found, ipaddress.IPv6Address):
        if found.ipv4_mapped is not None:
            return str(found.ipv4_mapped)
        return str(ipaddress.ip_network((found, 128 - _IPV6_HOST_BITS), strict=False))
    return str(found)


def too_many(what: str, retry_after: float | None = None) -> ArbiterError:
    """The refusal of what is over a limit, and in how many seconds it is not."""
    return ArbiterError(play.MATCH_ERROR_REASON_TOO_MANY, what, retry_after=retry_after)
