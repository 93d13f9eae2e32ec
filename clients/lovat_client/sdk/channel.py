"""How a server is reached: the settings of every channel, plain or over TLS."""

from __future__ import annotations

import os
import ssl
from collections.abc import Sequence
from pathlib import Path

import grpc
import grpc.aio

from .errors import ClientError

MEBIBYTE = 1024 * 1024
LARGEST_ANSWER = 32 * MEBIBYTE

OPTIONS: tuple[tuple[str, int], ...] = (
    ("grpc.max_receive_message_length", LARGEST_ANSWER),
    ("grpc.max_send_message_length", -1),  # the server says what is too large, and says it better
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2000),
    ("grpc.enable_retries", 0),  # the client counts its own attempts
)
DEFAULT_TIMEOUT = 30.0
"""Seconds for one call, its repetitions included."""

REPLAY_TIMEOUT = 600.0
"""Seconds for a whole replay."""

SECURE = "grpcs://"
"""What an address begins with that is to be called over TLS ("grpcs://host:50051")."""

CA_VARIABLE = "LOVAT_TLS_CA"
"""The environment variable that names a file of certificates to be trusted for such addresses."""


def open_channel(address: str, *, ca: str | Path | None = None,
                 options: Sequence[tuple[str, int]] = OPTIONS) -> grpc.Channel:
    """A channel to "host:port", or over TLS to "grpcs://host:port".

    `ca` is a PEM file of the certificates to trust; without it the file that LOVAT_TLS_CA names, or
    the roots that gRPC brings. With a `ca` the channel is over TLS whatever the address begins
    with. ClientError if the file cannot be read.
    """
    target, credentials = _target(address, ca)
    if credentials is None:
        return grpc.insecure_channel(target, options=options)
    return grpc.secure_channel(target, credentials, options=options)


def open_async_channel(address: str, *, ca: str | Path | None = None,
                       options: Sequence[tuple[str, int]] = OPTIONS) -> grpc.aio.Channel:
    """As `open_channel`, for asyncio. Only within a running event loop."""
    target, credentials = _target(address, ca)
    if credentials is None:
        return grpc.aio.insecure_channel(target, options=options)
    return grpc.aio.secure_channel(target, credentials, options=options)


def _target(address: str,
            ca: str | Path | None) -> tuple[str, grpc.ChannelCredentials | None]:
    """What gRPC is to call, and with what credentials; None without TLS."""
    target = address.removeprefix(SECURE)
    if target == address and ca is None:
        return target, None
    file = ca if ca is not None else os.environ.get(CA_VARIABLE, "")
    return target, grpc.ssl_channel_credentials(_certificates(Path(file)) if file else None)


def _certificates(file: Path) -> bytes:
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ClientError(f"cannot read the certificates in {file}: {error.strerror}") from error
    try:
        ssl.create_default_context(cadata=content.decode("ascii"))
    except (ssl.SSLError, ValueError) as error:
        raise ClientError(f"{file} is no PEM file of certificates") from error
    return content
