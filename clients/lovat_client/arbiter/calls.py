"""A call on its way in and out: who calls, a worker that does it, and what a refusal looks like."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import grpc
import structlog
from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from lovat.play.v1 import match_service_pb2 as play

from ..sdk.errors import STATUS_DETAILS
from .clock import TimeSource
from .errors import ArbiterError, malformed
from .limits import Caller, Limiter, Limits

WORKERS = 8

_LOG = structlog.get_logger("lovat.arbiter")
RequestT = TypeVar("RequestT", bound=Message)
ResponseT = TypeVar("ResponseT", bound=Message)
ResultT = TypeVar("ResultT")


@dataclass(frozen=True, slots=True)
class Entrance:
    """A call that was let in: its token, empty without one, and who makes it."""

    token: str
    caller: Caller


class Desk:
    """Where calls come in. The work itself may block and is done by worker threads."""

    def __init__(self, limits: Limits, now: TimeSource) -> None:
        self._workers = ThreadPoolExecutor(WORKERS, thread_name_prefix="arbiter")
        self.limiter = Limiter(limits, now)

    async def for_seat(self, context: Any, method: Callable[[str, RequestT], ResponseT],
                       request: RequestT) -> ResponseT:
        """A call that is made with a token, or by a spectator without one."""
        entrance = await self.enter(context)
        response = await self.call(context, entrance, lambda: method(entrance.token, request))
        self.limiter.trust(entrance.caller)
        return response

    async def for_all(self, context: Any, work: Callable[[], ResultT]) -> ResultT:
        """A call for which a token is not needed."""
        return await self.call(context, await self.enter(context), work)

    async def enter(self, context: Any) -> Entrance:
        """Let a call in and count it, or refuse it."""
        try:
            token = token_from(context.invocation_metadata())
            caller = Caller.of(context.peer(), token)
            self.limiter.admit(caller)
        except ArbiterError as error:
            await refuse(context, error)
            raise
        return Entrance(token, caller)

    async def call(self, context: Any, entrance: Entrance,
                   work: Callable[[], ResultT]) -> ResultT:
        """Have a worker do it; errors become a status, and only their kind is logged."""
        try:
            return await self.work(work)
        except ArbiterError as error:
            if error.reason == play.MATCH_ERROR_REASON_UNKNOWN_TOKEN:
                self.limiter.distrust(entrance.caller)
            await refuse(context, error)
            raise
        except Exception as error:
            _LOG.error("bug", fault=type(error).__name__, where=_place(error))
            await context.abort(grpc.StatusCode.INTERNAL, "internal error of the arbiter")
            raise

    async def work(self, work: Callable[[], ResultT]) -> ResultT:
        return await asyncio.get_running_loop().run_in_executor(self._workers, work)

    def close(self) -> None:
        self._workers.shutdown(wait=True, cancel_futures=True)


def token_from(metadata: Any) -> str:
    """The token of a call's `authorization: Bearer TOKEN`; empty without one."""
    for key, value in metadata or ():
        if key == "authorization":
            scheme, _, token = str(value).partition(" ")
            if scheme.lower() != "bearer" or not token.strip():
                raise malformed("authorization", "expected 'Bearer' and a token")
            return token.strip()
    return ""


async def refuse(context: Any, error: ArbiterError) -> None:
    """End the call with the error's status and details."""
    details: list[Message] = [error_details_pb2.ErrorInfo(reason=error.name, domain="lovat")]
    if error.fields:
        details.append(error_details_pb2.BadRequest(field_violations=[
            error_details_pb2.BadRequest.FieldViolation(
                field=field.field, description=field.description) for field in error.fields]))
    if error.retry_after is not None:
        delay = Duration()
        delay.FromMicroseconds(math.ceil(error.retry_after * 1e6))
        details.append(error_details_pb2.RetryInfo(retry_delay=delay))
    status = status_pb2.Status(code=error.code.value[0], message=error.message)
    for detail in details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    await context.abort(error.code, error.message,
                        ((STATUS_DETAILS, status.SerializeToString()),))


def _place(error: BaseException) -> str:
    """Where an error was raised; its own words may hold what nobody should read."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}" if trace else ""
