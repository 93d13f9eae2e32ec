"""An arbiter in this process whose match is put into any position, and what is read of it."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import grpc

from lovat.play.v1 import match_service_pb2 as play
from lovat.play.v1.match_service_pb2_grpc import MatchServiceStub
from lovat.rules.v1 import core_pb2, event_pb2
from lovat.rules.v1 import rules_service_pb2 as rules_pb2
from lovat_client.arbiter.codec import packed, unpacked
from lovat_client.arbiter.limits import Limits
from lovat_client.arbiter.main import open_store
from lovat_client.arbiter.referee import Referee
from lovat_client.arbiter.server import build
from lovat_client.arbiter.service import Service
from lovat_client.arbiter.store import Match, Store
from lovat_client.sdk import LovatClient

from .playing import SIDES, request

NOW = 1_000_000.0
UNLIMITED = Limits(rate=0, watches=0, matches=0, streams=0)


class Reply(NamedTuple):
    """What a call gave: the messages as bytes and their lengths, or the whole refusal."""

    content: tuple[bytes, ...]
    sizes: tuple[int, ...]
    violations: int = 0


class Loop:
    """An event loop in a thread, for servers that live between two `await`s of nobody."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()

    def run(self, coroutine: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(120)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(30)
        self.loop.close()


@dataclass(frozen=True)
class Mould:
    """A match that has begun, in a database file of which copies are made."""

    database: Path
    match_id: str
    tokens: dict[str, str]

    @classmethod
    def cast(cls, folder: Path, referee: Referee, scenario: str) -> Mould:
        database = folder / f"{scenario}.db"
        store = open_store(str(database))
        service = Service(store, referee, lambda: NOW)
        created = service.create_match(request(
            scenario=scenario, open=True, dice=play.MATCH_DICE_SEEDED, seed="mould",
            spectating=play.Spectating(delay=1)))
        match_id = created.match.match_id
        tokens = {side: service.join_match(play.JoinMatchRequest(
            match_id=match_id, side=side, player=side)).token for side in SIDES}
        store.close()
        return cls(database, match_id, tokens)


class Served:
    """A copy of the match in a position of its own, behind a real port."""

    def __init__(self, mould: Mould, store: Store, stub: Any) -> None:
        self._mould = mould
        self._store = store
        self._stub = stub

    @property
    def match(self) -> Match:
        match = self._store.load(self._mould.match_id)
        assert match is not None
        return match

    def truth(self, version: int) -> list[event_pb2.GameEvent]:
        """What happened in answer to the position with this version, as the log has it."""
        (row,) = self._store.records(self._mould.match_id, version - 1, 1)
        return list(unpacked(core_pb2.LogRecord, row.record).events)

    def ask(self, reader: str, method: str, message: Any) -> Reply:
        """Call as a side, or as a spectator for ""."""
        try:
            answer = getattr(self._stub, method)(
                message, metadata=self._metadata(reader), timeout=120)
            if method == "GetReplay":
                return _reply(list(answer))
        except grpc.RpcError as error:
            return refusal(error)
        return _reply([answer])

    def turn(self, side: str) -> play.GetTurnResponse:
        answer: play.GetTurnResponse = self._stub.GetTurn(
            play.GetTurnRequest(), metadata=self._metadata(side), timeout=120)
        return answer

    def watch(self, reader: str, last: int = 0) -> Reply:
        """The stream up to the event with this number, or to its end."""
        stream = self._stub.WatchMatch(play.WatchMatchRequest(
            match_id=self._mould.match_id, with_views=True), metadata=self._metadata(reader),
            timeout=120)
        messages = []
        try:
            for message in stream:
                messages.append(message)
                if message.event.sequence == last:
                    break
        except grpc.RpcError as error:
            return refusal(error)
        finally:
            stream.cancel()
        return _reply(messages)

    def _metadata(self, reader: str) -> tuple[tuple[str, str], ...]:
        return (("authorization", f"Bearer {self._mould.tokens[reader]}"),) if reader else ()


def _reply(messages: list[Any]) -> Reply:
    return Reply(tuple(each.SerializeToString(deterministic=True) for each in messages),
                 tuple(each.ByteSize() for each in messages),
                 sum(len(getattr(each, "violations", ())) for each in messages))


def refusal(error: grpc.RpcError) -> Reply:
    """A refused call, with all that came with it."""
    call: Any = error
    words = repr((call.code(), call.details(), sorted(map(tuple, call.trailing_metadata()))))
    return Reply((words.encode(),), (len(words),))


@contextlib.contextmanager
def serving(loop: Loop, mould: Mould, copy: Path, referee: Referee, client: LovatClient,
            position: core_pb2.Position) -> Iterator[Served]:
    """The match of a mould, in another position, on a free port."""
    shutil.copy(mould.database, copy)
    store = Store(str(copy))
    _put(store, mould.match_id, referee, client, position)
    server, servicer, port = loop.run(build(store, referee, "127.0.0.1", 0, lambda: NOW,
                                            UNLIMITED))
    loop.run(server.start())
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            yield Served(mould, store, MatchServiceStub(channel))
    finally:
        loop.run(server.stop(None))
        servicer.close()
        store.close()
        for path in copy.parent.glob(f"{copy.name}*"):
            path.unlink()


def _put(store: Store, match_id: str, referee: Referee, client: LovatClient,
         position: core_pb2.Position) -> None:
    before = store.load(match_id)
    assert before is not None
    disclosure = referee.disclosure(position.scenario, position.catalog_hash)
    seats, decision = [], core_pb2.Decision()
    for seat in before.seats:
        seen = client.rpc.get_view(rules_pb2.GetViewRequest(position=position, side=seat.side))
        seats.append(replace(seat, view=packed(disclosure.view(seen.view, seat.side))))
        decision = seen.decision
    row = replace(before.row, position=packed(position), version=position.version,
                  decision_side=decision.side, decision_kind=decision.kind)
    assert store.commit(before, Match(row, tuple(seats)))
