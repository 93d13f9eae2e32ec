"""Bots that break every rule a bot can break, and odd ones that break none.

They are found by import path, as a user's own would be.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable
from random import Random
from typing import Any

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2
from lovat_client.bots import RandomBot

not_callable = 3


class Crash(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        raise ValueError("no idea\nwhat to do")


class UnspeakableError(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


class Unspeakable(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        raise UnspeakableError


class Leaves(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        sys.exit(0)


class Vanishes(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        os._exit(3)


class Dies(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        os.kill(os.getpid(), signal.SIGSEGV)
        time.sleep(60)
        raise AssertionError


class Silent(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> Any:
        return None


class Hog(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        bytearray(64 << 30)
        raise AssertionError


class Breaks(RandomBot):
    def __init__(self, random: Random, **options: Any) -> None:
        raise OSError("no book of openings")


class Sleeps(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        time.sleep(600)
        raise AssertionError


class Spins(RandomBot):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True:
            pass


class SlowToStart(RandomBot):
    def __init__(self, random: Random) -> None:
        time.sleep(600)


class Slow(RandomBot):
    """Never over the time of a decision, but over that of the game."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        time.sleep(1.3)
        return super().decide(view, listing, catalog)


class Greedy(RandomBot):
    """Asks for more points than there are, and again."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        return core_pb2.Order(white_death=orders_pb2.Order(
            declare_impulse=orders_pb2.DeclareImpulse(points=100_000)))

    def refused(self, order: core_pb2.Order,
                violations: Iterable[core_pb2.Violation]) -> core_pb2.Order:
        assert list(violations)
        return order


class Empty(Greedy):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        return core_pb2.Order()


class Stranger(Greedy):
    """Moves units that there are not."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        return core_pb2.Order(white_death=orders_pb2.Order(
            retreat=orders_pb2.Retreat(routes=[orders_pb2.Route(unit="nobody", path=[101])])))


class Stutters(RandomBot):
    """Says something wrong before anything right."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        self.meant = super().decide(view, listing, catalog)
        return core_pb2.Order()

    def refused(self, order: core_pb2.Order,
                violations: Iterable[core_pb2.Violation]) -> core_pb2.Order:
        return self.meant


class Floods(RandomBot):
    """One order of several megabytes."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        route = orders_pb2.Route(unit="x" * 1000)
        return core_pb2.Order(white_death=orders_pb2.Order(
            retreat=orders_pb2.Retreat(routes=[route] * 5000)))


class Noisy(RandomBot):
    """Prints and starts processes, but plays."""

    def __init__(self, random: Random, lines: int) -> None:
        super().__init__(random)
        self.lines = lines

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        print("so many words\n" * self.lines, flush=True)
        os.write(1, b"more words")
        os.write(2, b"more words")
        return super().decide(view, listing, catalog)


class Terse(RandomBot):
    """Answers with the game's own order, without the envelope: that is allowed."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> Any:
        return super().decide(view, listing, catalog).white_death
