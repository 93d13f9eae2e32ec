"""What can go wrong on the way to the server and back.

A refused order is none of these: it is an answer (`results.Outcome`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import grpc
from google.protobuf.message import DecodeError, Message
from google.rpc import error_details_pb2, status_pb2

STATUS_DETAILS = "grpc-status-details-bin"


class ClientError(Exception):
    """Anything that a tool should tell its user in one line."""


class ServerStartError(ClientError):
    """A server of one's own did not start, or could not be asked whether it is ready."""


class DeltaError(ClientError):
    """A change that does not belong to the position it was to be applied to."""


class MatchError(ClientError):
    """A game between bots that cannot go on."""


class ReplayFileError(ClientError):
    """A replay file that is damaged; `line` is its first bad line, from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """A field of the request that cannot be read ("order.white_death.declare_impulse.points")."""

    field: str
    description: str


class LovatError(ClientError):
    """A call that failed: its status and the google.rpc details that came with it.

    `code` is the status, `reason` the ErrorReason without its prefix ("MALFORMED"; "" if the
    server sent none), `fields` what BadRequest names, `metadata` that of ErrorInfo, `rpc` the
    name of the call ("SubmitOrders"), `retry_after` the seconds after which RetryInfo says that
    the call may be made again (None if it says nothing).
    """

    def __init__(
        self, rpc: str, code: grpc.StatusCode, message: str, *, reason: str = "",
        fields: tuple[FieldViolation, ...] = (), metadata: Mapping[str, str] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(_sentence(rpc, code, message, fields))
        self.rpc = rpc
        self.code = code
        self.message = message
        self.reason = reason
        self.fields = fields
        self.metadata: Mapping[str, str] = dict(metadata or {})
        self.retry_after = retry_after


def error_from(rpc: str, error: grpc.RpcError) -> LovatError:
    """The typed error of a failed call, of `grpc` or of `grpc.aio`."""
    call: Any = error  # the failed call is the error itself; the published type lacks its methods
    code, message = call.code(), call.details() or ""
    reason, metadata, retry_after = "", {}, None
    fields: tuple[FieldViolation, ...] = ()
    status = _status(call.trailing_metadata())
    for detail in status.details if status is not None else ():
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        later = error_details_pb2.RetryInfo()
        if _unpacks(detail, info):
            reason, metadata = info.reason, dict(info.metadata)
        elif _unpacks(detail, bad):
            fields = tuple(FieldViolation(violation.field, violation.description)
                           for violation in bad.field_violations)
        elif _unpacks(detail, later):
            retry_after = later.retry_delay.ToTimedelta().total_seconds()
    return LovatError(rpc, code, message, reason=reason, fields=fields, metadata=metadata,
                      retry_after=retry_after)


def _status(trailing: Any) -> Any:
    for key, value in trailing or ():
        if key == STATUS_DETAILS:
            try:
                return status_pb2.Status.FromString(value)
            except DecodeError:
                return None
    return None


def _unpacks(detail: Any, into: Message) -> bool:
    try:
        return bool(detail.Is(into.DESCRIPTOR)) and bool(detail.Unpack(into))
    except DecodeError:
        return False


def _sentence(rpc: str, code: grpc.StatusCode, message: str,
              fields: tuple[FieldViolation, ...]) -> str:
    text = f"{rpc}: {code.name}: {message or 'no details'}"
    named = [f"{field.field}: {field.description}" for field in fields
             if field.field not in message or field.description not in message]
    return f"{text} ({'; '.join(named)})" if named else text
