"""lovat.play.v1.MatchService on a port.

The store and the rules server are asked by worker threads; streams are coroutines, so that a
thousand readers cost no thread. A stream looks for new events when the match has changed here,
and now and then, since another arbiter on the same database may have changed it.
"""

# ruff: noqa: N802  # a servicer's methods are named by the .proto

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Iterator
from typing import Any, TypeVar

import grpc
import grpc.aio
import structlog
from google.protobuf.message import Message
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from lovat.play.v1 import match_service_pb2 as play
from lovat.play.v1 import match_service_pb2_grpc as play_grpc
from lovat.rules.v1 import rules_service_pb2 as rules
from lovat.rules.v1.catalog_service_pb2_grpc import add_CatalogServiceServicer_to_server

from .calls import Desk, Entrance, refuse
from .catalogs import NAME as CATALOGS
from .catalogs import CatalogServicer
from .clock import TimeSource, system_time
from .disclosure import SPECTATORS
from .errors import ArbiterError
from .limits import UNLESS_SAID, Limits
from .referee import Referee
from .service import Service, Watch
from .store import Store

NAME = play.DESCRIPTOR.services_by_name["MatchService"].full_name
LARGEST_REQUEST = 1024 * 1024
TICK_SECONDS = 0.2
LOOK_SECONDS = 0.5
"""How long a stream waits at most before it looks for events of another arbiter."""

_LOG = structlog.get_logger("lovat.arbiter")
ResponseT = TypeVar("ResponseT", bound=Message)


class Bell:
    """Wakes the streams of a match when it has changed. Used in the loop, rung from anywhere."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, set[asyncio.Event]] = {}

    def ring(self, match_id: str) -> None:
        self._loop.call_soon_threadsafe(self._ring, match_id)

    def _ring(self, match_id: str) -> None:
        for event in self._waiting.get(match_id, ()):
            event.set()

    def listen(self, match_id: str) -> asyncio.Event:
        event = asyncio.Event()
        self._waiting.setdefault(match_id, set()).add(event)
        return event

    def leave(self, match_id: str, event: asyncio.Event) -> None:
        waiting = self._waiting.get(match_id, set())
        waiting.discard(event)
        if not waiting:
            self._waiting.pop(match_id, None)


class MatchServicer(play_grpc.MatchServiceServicer):
    """Takes calls apart and gives them to the service; made inside a running loop."""

    def __init__(self, store: Store, referee: Referee, desk: Desk,
                 now: TimeSource = system_time) -> None:
        self._now = now
        self._bell = Bell()
        self._desk = desk
        self._store = store
        self._referee = referee
        self.service = Service(store, referee, now, self._bell.ring)

    async def CreateMatch(self, request: play.CreateMatchRequest,
                          context: Any) -> play.CreateMatchResponse:
        entrance = await self._desk.enter(context)
        limiter, caller = self._desk.limiter, entrance.caller

        def create() -> play.CreateMatchResponse:
            response = self.service.create_match(
                request, lambda: limiter.may_create(caller, self._store.unfinished))
            limiter.created(caller, response.match.match_id)
            return response
        return await self._desk.call(context, entrance, create)

    async def JoinMatch(self, request: play.JoinMatchRequest,
                        context: Any) -> play.JoinMatchResponse:
        return await self._desk.for_all(context, lambda: self.service.join_match(request))

    async def GetTurn(self, request: play.GetTurnRequest, context: Any) -> play.GetTurnResponse:
        return await self._desk.for_seat(context, self.service.get_turn, request)

    async def ValidateOrders(self, request: play.ValidateOrdersRequest,
                             context: Any) -> play.ValidateOrdersResponse:
        return await self._desk.for_seat(context, self.service.inquiries.validate, request)

    async def PreviewCombat(self, request: play.PreviewCombatRequest,
                            context: Any) -> play.PreviewCombatResponse:
        return await self._desk.for_seat(context, self.service.inquiries.preview, request)

    async def QueryOverlay(self, request: play.QueryOverlayRequest,
                           context: Any) -> play.QueryOverlayResponse:
        return await self._desk.for_seat(context, self.service.inquiries.overlay, request)

    async def DescribeRule(self, request: rules.DescribeRuleRequest,
                           context: Any) -> rules.DescribeRuleResponse:
        return await self._desk.for_all(context, lambda: self._referee.describe_rule(request))

    async def SubmitOrders(self, request: play.SubmitOrdersRequest,
                           context: Any) -> play.SubmitOrdersResponse:
        return await self._desk.for_seat(context, self.service.submit_orders, request)

    async def Resign(self, request: play.ResignRequest, context: Any) -> play.ResignResponse:
        return await self._desk.for_seat(context, self.service.resign, request)

    async def Abort(self, request: play.AbortRequest, context: Any) -> play.AbortResponse:
        return await self._desk.for_seat(context, self.service.abort, request)

    async def Adjourn(self, request: play.AdjournRequest, context: Any) -> play.AdjournResponse:
        return await self._desk.for_seat(context, self.service.adjourn, request)

    async def Resume(self, request: play.ResumeRequest, context: Any) -> play.ResumeResponse:
        return await self._desk.for_seat(context, self.service.resume, request)

    async def ListMatches(self, request: play.ListMatchesRequest,
                          context: Any) -> play.ListMatchesResponse:
        return await self._desk.for_all(context, lambda: self.service.list_matches(request))

    async def GetReplay(self, request: play.GetReplayRequest,
                        context: Any) -> AsyncIterator[play.GetReplayResponse]:
        entrance = await self._desk.enter(context)
        messages = await self._desk.call(
            context, entrance, lambda: self.service.get_replay(entrance.token, request))
        while True:
            message = await self._desk.call(context, entrance, functools.partial(_next, messages))
            if message is None:
                return
            yield message

    async def WatchMatch(self, request: play.WatchMatchRequest,
                         context: Any) -> AsyncIterator[play.WatchMatchResponse]:
        entrance = await self._desk.enter(context)
        watch = await self._desk.call(
            context, entrance, lambda: self.service.open_watch(entrance.token, request))
        limiter, caller = self._desk.limiter, entrance.caller
        limiter.trust(caller)
        try:
            limiter.open_watch(caller)
        except ArbiterError as error:
            await refuse(context, error)
            raise
        self._note(watch, opened=True)
        try:
            async for event in self._events(context, entrance, watch):
                yield play.WatchMatchResponse(event=event)
        finally:
            limiter.close_watch(caller)
            self._note(watch, opened=False)

    async def tick_for_ever(self) -> None:
        """Have the service see to seats that fail, until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self._desk.work(self.service.tick)
            except ArbiterError as error:
                _LOG.warning("tick", reason=error.name)
            except Exception as error:
                _LOG.error("tick", fault=type(error).__name__)

    def close(self) -> None:
        self._desk.close()

    async def _events(self, context: Any, entrance: Entrance,
                      watch: Watch) -> AsyncIterator[play.MatchEvent]:
        changed = self._bell.listen(watch.match_id)
        try:
            while True:
                changed.clear()
                events, done = await self._desk.call(
                    context, entrance, functools.partial(self.service.read_watch, watch))
                for event in events:
                    yield event
                if done:
                    return
                if not events:
                    try:
                        await asyncio.wait_for(changed.wait(), LOOK_SECONDS)
                    except TimeoutError:
                        continue
        finally:
            self._bell.leave(watch.match_id, changed)

    def _note(self, watch: Watch, *, opened: bool) -> None:
        if watch.audience != SPECTATORS:
            presence = self.service.presence
            note = presence.opened if opened else presence.closed
            note((watch.match_id, watch.audience), self._now())


Built = tuple[grpc.aio.Server, MatchServicer, int]
"""A server, its servicer and its port."""


async def build(store: Store, referee: Referee, host: str, port: int,
                now: TimeSource = system_time, limits: Limits = UNLESS_SAID,
                credentials: grpc.ServerCredentials | None = None
                ) -> Built:
    """A server that is bound but not started, its servicer, and its port.

    Over TLS if there are credentials. OSError if the port is taken.
    """
    server = grpc.aio.server(options=(
        ("grpc.max_receive_message_length", LARGEST_REQUEST),
        ("grpc.max_send_message_length", -1),
        ("grpc.so_reuseport", 0),
        ("grpc.keepalive_time_ms", 20_000),  # finds out that a reader's machine is gone
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ))
    desk = Desk(limits, now)
    servicer = MatchServicer(store, referee, desk, now)
    play_grpc.add_MatchServiceServicer_to_server(servicer, server)
    add_CatalogServiceServicer_to_server(CatalogServicer(referee, desk), server)
    status = health.aio.HealthServicer()
    for name in ("", NAME, CATALOGS):
        await status.set(name, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    reflection.enable_server_reflection(
        (NAME, CATALOGS, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    try:
        bound = (server.add_insecure_port(f"{host}:{port}") if credentials is None
                 else server.add_secure_port(f"{host}:{port}", credentials))
    except RuntimeError as error:
        raise OSError(f"cannot listen on {host}:{port}: {error}") from error
    return server, servicer, bound


def _next(messages: Iterator[ResponseT]) -> ResponseT | None:
    return next(messages, None)

