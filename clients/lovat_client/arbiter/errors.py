"""Why the arbiter refuses a call. No text in here ever names a token, a seed or a secret."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import grpc

from lovat.play.v1 import match_service_pb2 as play

from ..sdk.errors import FieldViolation

_PREFIX = "MATCH_ERROR_REASON_"
_CODE = grpc.StatusCode

CODES: Mapping[play.MatchErrorReason.ValueType, grpc.StatusCode] = MappingProxyType({
    play.MATCH_ERROR_REASON_MALFORMED: _CODE.INVALID_ARGUMENT,
    play.MATCH_ERROR_REASON_REUSED_REQUEST_ID: _CODE.INVALID_ARGUMENT,
    play.MATCH_ERROR_REASON_UNKNOWN_TOKEN: _CODE.UNAUTHENTICATED,
    play.MATCH_ERROR_REASON_NOT_YOUR_MATCH: _CODE.PERMISSION_DENIED,
    play.MATCH_ERROR_REASON_SEAT_NEEDED: _CODE.PERMISSION_DENIED,
    play.MATCH_ERROR_REASON_NO_SPECTATORS: _CODE.PERMISSION_DENIED,
    play.MATCH_ERROR_REASON_UNKNOWN: _CODE.NOT_FOUND,
    play.MATCH_ERROR_REASON_SEAT_TAKEN: _CODE.FAILED_PRECONDITION,
    play.MATCH_ERROR_REASON_NOT_RUNNING: _CODE.FAILED_PRECONDITION,
    play.MATCH_ERROR_REASON_NOT_YOUR_DECISION: _CODE.FAILED_PRECONDITION,
    play.MATCH_ERROR_REASON_NOT_OVER: _CODE.FAILED_PRECONDITION,
    play.MATCH_ERROR_REASON_STALE: _CODE.ABORTED,
    play.MATCH_ERROR_REASON_TOO_MANY: _CODE.RESOURCE_EXHAUSTED,
    play.MATCH_ERROR_REASON_RULES_UNAVAILABLE: _CODE.UNAVAILABLE,
})
"""The status that each reason comes with."""


class ArbiterError(Exception):
    """A call refused: why, in a code and a sentence, and the fields it is about.

    `retry_after` is the seconds after which the same call may do; None if time does not help.
    """

    def __init__(self, reason: play.MatchErrorReason.ValueType, message: str,
                 fields: tuple[FieldViolation, ...] = (), *,
                 retry_after: float | None = None) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.fields = fields
        self.retry_after = retry_after

    @property
    def code(self) -> grpc.StatusCode:
        return CODES[self.reason]

    @property
    def name(self) -> str:
        """The reason as google.rpc.ErrorInfo has it ("STALE")."""
        return play.MatchErrorReason.Name(self.reason).removeprefix(_PREFIX)


def malformed(field: str, description: str) -> ArbiterError:
    """A field that cannot be read."""
    return ArbiterError(play.MATCH_ERROR_REASON_MALFORMED, f"{field}: {description}",
                        (FieldViolation(field, description),))


def unknown_token() -> ArbiterError:
    return ArbiterError(play.MATCH_ERROR_REASON_UNKNOWN_TOKEN, "the token is not known")


def unknown_match() -> ArbiterError:
    return ArbiterError(play.MATCH_ERROR_REASON_UNKNOWN, "there is no such match")


def not_running(state: play.MatchState.ValueType) -> ArbiterError:
    name = play.MatchState.Name(state).removeprefix("MATCH_STATE_").lower()
    return ArbiterError(play.MATCH_ERROR_REASON_NOT_RUNNING, f"the match is {name}")


def stale(version: int) -> ArbiterError:
    """The version of the position is public: whoever is late learns where the match is."""
    return ArbiterError(play.MATCH_ERROR_REASON_STALE, f"the match is at version {version}")
