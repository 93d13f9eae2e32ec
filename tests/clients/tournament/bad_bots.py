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

import grpc
import pytest

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2, overlays_pb2
from lovat_client.bots import RandomBot
from lovat_client.sdk.errors import LovatError
from lovat_client.tournament.questions import PREVIEW

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


class Asks(RandomBot):
    """Asks a question before every answer; what it is told makes no difference."""

    def __init__(self, random: Random, times: int = 1) -> None:
        super().__init__(random)
        self.times = times

    def advise(self, advisor: Any) -> None:
        self.advisor = advisor

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        order = super().decide(view, listing, catalog)
        for _ in range(self.times):
            answer = self.advisor.preview(order)
            assert answer.violations or answer.HasField("preview")
        zones = core_pb2.OverlayQuery(white_death=overlays_pb2.OverlayQuery(
            kind=overlays_pb2.OVERLAY_KIND_ZONE_OF_CONTROL))
        found = self.advisor.overlay(zones).white_death
        assert len(found.hexes) == len(found.values) > 10
        return order


class AsksNonsense(Asks):
    """Asks for an overlay that there is not: the error is the bot's to live with."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        with pytest.raises(LovatError) as caught:
            self.advisor.overlay(core_pb2.OverlayQuery())
        assert caught.value.rpc == "QueryOverlay"
        assert caught.value.code is grpc.StatusCode.INVALID_ARGUMENT
        assert caught.value.fields
        assert all(item.field.startswith("query") for item in caught.value.fields)
        return RandomBot.decide(self, view, listing, catalog)


class AsksGibberish(Asks):
    """Bytes that are no question."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        self.advisor._channel.send(PREVIEW, b"\xff\xff what?")
        self.advisor._channel.receive()
        raise AssertionError


class AsksAtLength(Asks):
    """One question of several megabytes."""

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        self.advisor.preview(Floods.decide(self, view, listing, catalog))  # type: ignore[arg-type]
        raise AssertionError


class AsksTooEarly(Asks):
    """Asks before there is a decision."""

    def advise(self, advisor: Any) -> None:
        advisor.preview(core_pb2.Order())


class SleepsAfterAsking(Asks):
    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        order = super().decide(view, listing, catalog)
        time.sleep(600)
        return order
