"""kill -9 at any moment loses no acknowledged order.

Two players play as fast as they can while the arbiter is killed again and again; each keeps what
was acknowledged to it. In the end the arbiter's log must hold exactly that, in that order.
"""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path
from random import Random

import pytest

from lovat.play.v1 import match_service_pb2 as play
from lovat_client.arbiter.player import new_request_id, records_of
from lovat_client.sdk import LovatClient, LovatError

from .playing import Hall, Table, orders_for
from .processes import ArbiterProcess, running


class Players:
    """Both seats, in a thread of their own; `acknowledged` is by version of the position before."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall
        self.tables = [self._new_table()]
        self.acknowledged: list[dict[int, play.SubmitOrdersResponse]] = [{}]
        self.repeated = 0
        self.fault: BaseException | None = None
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(90)
        assert not self._thread.is_alive()
        if self.fault is not None:
            raise self.fault

    def wait_for_an_order(self) -> None:
        """Until one more has been acknowledged, so that each kill is in the middle of play."""
        before, end = self.count, time.monotonic() + 90
        while self.count == before and self.fault is None and time.monotonic() < end:
            time.sleep(0.01)
        if self.fault is not None:
            raise self.fault

    @property
    def count(self) -> int:
        return sum(len(each) for each in self.acknowledged)

    def _new_table(self) -> Table:
        return self._hall.table(dice=play.MATCH_DICE_SEEDED, seed="crash")

    def _run(self) -> None:
        try:
            while not self._stop.is_set():
                self._decide()
        except BaseException as error:
            self.fault = error

    def _decide(self) -> None:
        table, known = self.tables[-1], self.acknowledged[-1]
        side, turn = table.deciding()
        if turn.match.state == play.MATCH_STATE_OVER:
            self.tables.append(self._new_table())
            self.acknowledged.append({})
            return
        assert turn.version == len(known), "an acknowledged order is not in the position"
        seat = table.seats[side]
        for order in orders_for(turn, Random(turn.version)):
            request_id = new_request_id()
            answer = seat.submit(order, turn.version, request_id=request_id)
            again = seat.submit(order, turn.version, request_id=request_id)
            assert again == answer, "the same request id has another answer"
            self.repeated += 1
            if not answer.violations:
                known[turn.version] = answer
                return


def crash(process: ArbiterProcess, rules: str, times: int) -> None:
    random = Random(9)
    with Hall(process.address) as hall:
        players = Players(hall)
        players.start()
        for _ in range(times):
            players.wait_for_an_order()
            time.sleep(random.uniform(0.0, 0.3))
            process.kill()
            process.start()
        players.stop()
        assert players.count >= times
        for table, known in zip(players.tables, players.acknowledged, strict=True):
            check(hall, table, known, rules)


def check(hall: Hall, table: Table, known: dict[int, play.SubmitOrdersResponse],
          rules: str) -> None:
    """The log and the stream are what was acknowledged, and the rules repeat them."""
    with contextlib.suppress(LovatError):  # the last match may have been played to its end
        table.seats["soviet"].resign()
    header, entries = hall.lobby.replay(table.match_id)
    assert [entry.record.version for entry in entries] == sorted(known) \
        == list(range(len(entries)))
    assert [entry.sequence for entry in entries] \
        == [known[version].sequence for version in sorted(known)]
    events = list(table.seats["soviet"].watch())
    assert [event.sequence for event in events] == list(range(1, len(events) + 1))
    told = {event.version - 1: event.ordered.happenings for event in events
            if event.HasField("ordered") and event.ordered.side == "soviet"}
    for version, happenings in told.items():
        assert list(happenings) == list(known[version].happenings)
    with LovatClient.connect(rules) as client:
        verdict = client.replay(header.start, records_of(entries))
    assert verdict.verified, verdict.divergence


def test_kills_lose_nothing(rules: str, tmp_path: Path) -> None:
    with running(str(tmp_path / "m.db"), rules, tmp_path / "log") as process:
        crash(process, rules, 4)


def test_kills_lose_nothing_on_postgresql(rules: str, postgres_url: str, tmp_path: Path) -> None:
    with running(postgres_url, rules, tmp_path / "log") as process:
        crash(process, rules, 2)


@pytest.mark.soak
def test_a_hundred_kills_lose_nothing(rules: str, tmp_path: Path) -> None:
    with running(str(tmp_path / "m.db"), rules, tmp_path / "log") as process:
        crash(process, rules, 100)
