"""What belongs to the request that a thread is working on."""

from __future__ import annotations

import secrets
from contextvars import ContextVar

REQUEST_ID_KEY = "x-request-id"
_MAX_LENGTH = 128

request_id: ContextVar[str] = ContextVar("request_id", default="")
"""The id of the current call, as its metadata gave it or as the server made it up."""


def accept_request_id(given: str | bytes | None) -> str:
    """The caller's id if it is printable and not too long, else a new one."""
    if isinstance(given, str) and 0 < len(given) <= _MAX_LENGTH and given.isprintable():
        return given
    return secrets.token_hex(8)
