"""Errors as gRPC status, with details that a program can read."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import NoReturn, TypeVar

import grpc
import structlog
from google.protobuf import any_pb2
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2

from lovat_server.core.errors import (
    LovatError,
    MalformedError,
    MismatchError,
    StaleError,
    UnknownError,
)

from .request_context import REQUEST_ID_KEY, request_id

DOMAIN = "lovat"
DETAILS_KEY = "grpc-status-details-bin"
_MAX_MESSAGE = 1_000
_MAX_OTHER = 120
_MAX_FIELDS = 20
_LOG = structlog.get_logger("lovat")

Servicer = TypeVar("Servicer")
Request = TypeVar("Request")
Response = TypeVar("Response")


@dataclass(frozen=True, slots=True)
class Refusal:
    """A status with its details."""

    code: grpc.StatusCode
    message: str
    details: tuple[Message, ...] = ()


_KINDS: tuple[tuple[type[LovatError], grpc.StatusCode, str], ...] = (
    (MalformedError, grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED"),
    (UnknownError, grpc.StatusCode.NOT_FOUND, "UNKNOWN"),
    (MismatchError, grpc.StatusCode.FAILED_PRECONDITION, "MISMATCH"),
    (StaleError, grpc.StatusCode.ABORTED, "STALE"),
)

_BUG = Refusal(grpc.StatusCode.INTERNAL, "internal error; the server's log has it under the "
               "request id")


def refusal_of(error: LovatError) -> Refusal:
    """The status of an error a caller caused: the reason, the field and a sentence."""
    text = error.message[:_MAX_MESSAGE]
    for kind, code, reason in _KINDS:
        if isinstance(error, kind):
            facts = {"field": error.field} if error.field else {}
            info = error_details_pb2.ErrorInfo(reason=reason, domain=DOMAIN, metadata=facts)
            return Refusal(code, text, (info, _place(error, reason, text)))
    return _BUG


def refuse(context: grpc.ServicerContext, refusal: Refusal) -> NoReturn:
    """End the call with this status. Never returns: grpc raises."""
    status = status_pb2.Status(code=refusal.code.value[0], message=refusal.message)
    for detail in refusal.details:
        packed = any_pb2.Any()
        packed.Pack(detail)
        status.details.append(packed)
    metadata: list[tuple[str, str | bytes]] = [(DETAILS_KEY, status.SerializeToString())]
    if request_id.get():
        metadata.append((REQUEST_ID_KEY, request_id.get()))
    context.set_trailing_metadata(tuple(metadata))
    context.abort(refusal.code, refusal.message)
    raise AssertionError("abort returns never")


def guarded(
    method: Callable[[Servicer, Request], Response],
) -> Callable[[Servicer, Request, grpc.ServicerContext], Response]:
    """A method of a servicer whose errors become status codes; INTERNAL only for a bug, logged."""
    @functools.wraps(method)
    def call(self: Servicer, request: Request, context: grpc.ServicerContext) -> Response:
        try:
            return method(self, request)
        except LovatError as error:
            refusal = refusal_of(error)
        except grpc.RpcError:  # the caller has gone
            raise
        except Exception:
            _LOG.exception("bug", method=method.__name__, request_id=request_id.get())
            refusal = _BUG
        refuse(context, refusal)
    return call


def _place(error: LovatError, reason: str, text: str) -> Message:
    if isinstance(error, MismatchError):
        return error_details_pb2.PreconditionFailure(violations=[
            error_details_pb2.PreconditionFailure.Violation(
                type=reason, subject=error.field, description=text)])
    others = error.others[:_MAX_FIELDS] if isinstance(error, MalformedError) else ()
    return error_details_pb2.BadRequest(field_violations=[
        error_details_pb2.BadRequest.FieldViolation(field=field, description=description)
        for field, description in ((error.field, text), *(
            (other.field, other.message[:_MAX_OTHER]) for other in others))])
