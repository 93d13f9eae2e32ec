"""lovat.play.v1.MatchService on a port.

The store and the rules server are asked by worker threads; streams are coroutines, so that a
thousand readers cost no thread. A stream looks for new events when the match has changed here,
and now and then, since another arbiter on the same database may have changed it.
"""

# ruff: noqa: N802  # a servicer's methods are named by the .proto

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import grpc
import grpc.aio
import structlog
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from lovat.play.v1 import match_service_pb2 as play
from lovat.play.v1 import match_service_pb2_grpc as play_grpc

from ..sdk.errors import STATUS_DETAILS
from .clock import TimeSource, system_time
from .disclosure import SPECTATORS
from .errors import ArbiterError, malformed
from .referee import Referee
from .service import Service, Watch
from .store import Store

NAME = play.DESCRIPTOR.services_by_name["MatchService"].full_name
LARGEST_REQUEST = 1024 * 1024
MOST_STREAMS = 1000
WORKERS = 8
TICK_SECONDS = 0.2
LOOK_SECONDS = 0.5
"""How long a stream waits at most before it looks for events of another arbiter."""

_LOG = structlog.get_logger("lovat.arbiter")
RequestT = TypeVar("RequestT", bound=Message)
ResponseT = TypeVar("ResponseT", bound=Message)
ResultT = TypeVar("ResultT")


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

    def __init__(self, store: Store, referee: Referee, now: TimeSource = system_time) -> None:
        self._now = now
        self._bell = Bell()
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="arbiter")
        self._streams = 0
        self.service = Service(store, referee, now, self._bell.ring)

    async def CreateMatch(self, request: play.CreateMatchRequest,
                          context: Any) -> play.CreateMatchResponse:
        return await self._call(context, lambda: self.service.create_match(request))

    async def JoinMatch(self, request: play.JoinMatchRequest,
                        context: Any) -> play.JoinMatchResponse:
        return await self._call(context, lambda: self.service.join_match(request))

    async def GetTurn(self, request: play.GetTurnRequest, context: Any) -> play.GetTurnResponse:
        return await self._for_seat(context, self.service.get_turn, request)

    async def ValidateOrders(self, request: play.ValidateOrdersRequest,
                             context: Any) -> play.ValidateOrdersResponse:
        return await self._for_seat(context, self.service.validate_orders, request)

    async def SubmitOrders(self, request: play.SubmitOrdersRequest,
                           context: Any) -> play.SubmitOrdersResponse:
        return await self._for_seat(context, self.service.submit_orders, request)

    async def Resign(self, request: play.ResignRequest, context: Any) -> play.ResignResponse:
        return await self._for_seat(context, self.service.resign, request)

    async def Abort(self, request: play.AbortRequest, context: Any) -> play.AbortResponse:
        return await self._for_seat(context, self.service.abort, request)

    async def Adjourn(self, request: play.AdjournRequest, context: Any) -> play.AdjournResponse:
        return await self._for_seat(context, self.service.adjourn, request)

    async def Resume(self, request: play.ResumeRequest, context: Any) -> play.ResumeResponse:
        return await self._for_seat(context, self.service.resume, request)

    async def ListMatches(self, request: play.ListMatchesRequest,
                          context: Any) -> play.ListMatchesResponse:
        return await self._call(context, lambda: self.service.list_matches(request))

    async def GetReplay(self, request: play.GetReplayRequest,
                        context: Any) -> AsyncIterator[play.GetReplayResponse]:
        token = await self._token(context)
        messages = await self._call(context, lambda: self.service.get_replay(token, request))
        while True:
            message = await self._call(context, functools.partial(_next, messages))
            if message is None:
                return
            yield message

    async def WatchMatch(self, request: play.WatchMatchRequest,
                         context: Any) -> AsyncIterator[play.WatchMatchResponse]:
        if self._streams >= MOST_STREAMS:
            await _refuse(context, ArbiterError(play.MATCH_ERROR_REASON_TOO_MANY,
                                                "too many streams are open; try again later"))
        token = await self._token(context)
        self._streams += 1
        watch: Watch | None = None
        try:
            watch = await self._call(context, lambda: self.service.open_watch(token, request))
            self._note(watch, opened=True)
            async for event in self._events(context, watch):
                yield play.WatchMatchResponse(event=event)
        finally:
            self._streams -= 1
            if watch is not None:
                self._note(watch, opened=False)

    async def tick_for_ever(self) -> None:
        """Have the service see to seats that fail, until cancelled."""
        while True:
            await asyncio.sleep(TICK_SECONDS)
            try:
                await self._work(self.service.tick)
            except ArbiterError as error:
                _LOG.warning("tick", reason=error.name)
            except Exception as error:
                _LOG.error("tick", fault=type(error).__name__)

    def close(self) -> None:
        self._workers.shutdown(wait=True, cancel_futures=True)

    async def _events(self, context: Any, watch: Watch) -> AsyncIterator[play.MatchEvent]:
        changed = self._bell.listen(watch.match_id)
        try:
            while True:
                changed.clear()
                events, done = await self._call(
                    context, functools.partial(self.service.read_watch, watch))
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

    async def _for_seat(self, context: Any, method: Callable[[str, RequestT], ResponseT],
                        request: RequestT) -> ResponseT:
        token = await self._token(context)
        return await self._call(context, lambda: method(token, request))

    async def _token(self, context: Any) -> str:
        try:
            return token_from(context.invocation_metadata())
        except ArbiterError as error:
            await _refuse(context, error)
            raise

    async def _call(self, context: Any, work: Callable[[], ResultT]) -> ResultT:
        """Have a worker do it; errors become a status, and only their kind is logged."""
        try:
            return await self._work(work)
        except ArbiterError as error:
            await _refuse(context, error)
            raise
        except Exception as error:
            _LOG.error("bug", fault=type(error).__name__, where=_place(error))
            await context.abort(grpc.StatusCode.INTERNAL, "internal error of the arbiter")
            raise

    async def _work(self, work: Callable[[], ResultT]) -> ResultT:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)


def token_from(metadata: Any) -> str:
    """The token of a call's `authorization: Bearer TOKEN`; empty without one."""
    for key, value in metadata or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            if scheme.lower() != "bearer" or not token.strip():
                raise malformed("authorization", "expected 'Bearer' and a token")
            return token.strip()
    return ""


async def build(store: Store, referee: Referee, host: str, port: int,
                now: TimeSource = system_time) -> tuple[grpc.aio.Server, MatchServicer, int]:
    """A server that is bound but not started, its servicer, and its port.

    OSError if the port is taken.
    """
    server = grpc.aio.server(options=(
        ("grpc.max_receive_message_length", LARGEST_REQUEST),
        ("grpc.max_send_message_length", -1),
        ("grpc.so_reuseport", 0),
        ("grpc.keepalive_time_ms", 20_000),  # finds out that a reader's machine is gone
        ("grpc.keepalive_timeout_ms", 10_000),
        ("grpc.http2.min_ping_interval_without_data_ms", 5_000),
    ))
    servicer = MatchServicer(store, referee, now)
    play_grpc.add_MatchServiceServicer_to_server(servicer, server)
    status = health.aio.HealthServicer()
    for name in ("", NAME):
        await status.set(name, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    reflection.enable_server_reflection(
        (NAME, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    try:
        bound = server.add_insecure_port(f"{host}:{port}")
    except RuntimeError as error:
        raise OSError(f"cannot listen on {host}:{port}: {error}") from error
    return server, servicer, bound


async def _refuse(context: Any, error: ArbiterError) -> None:
    """End the call with the error's status and details."""
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=error.name, domain="lovat")]
    if error.fields:
        details.append(error_details_pb2.BadRequest(field_violations=[
            error_details_pb2.BadRequest.FieldViolation(
                field=field.field, description=field.description) for field in error.fields]))
    status = status_pb2.Status(code=error.code.value[0], message=error.message)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    await context.abort(error.code, error.message,
                        ((STATUS_DETAILS, status.SerializeToString()),))


def _next(messages: Iterator[ResponseT]) -> ResponseT | None:
    return next(messages, None)


def _place(error: BaseException) -> str:
    """Where an error was raised; its own words may hold what nobody should read."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
