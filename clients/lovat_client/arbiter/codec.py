"""Messages as they are written down: deterministic protobuf bytes, compressed where large."""

from __future__ import annotations

import hashlib
import zlib
from typing import TypeVar

from google.protobuf.message import Message
from google.protobuf.timestamp_pb2 import Timestamp

MessageT = TypeVar("MessageT", bound=Message)


def packed(message: Message) -> bytes:
    return zlib.compress(message.SerializeToString(deterministic=True))


def unpacked(kind: type[MessageT], data: bytes) -> MessageT:
    return kind.FromString(zlib.decompress(data))


def digest(message: Message) -> bytes:
    """What tells two requests apart."""
    return hashlib.sha256(message.SerializeToString(deterministic=True)).digest()


def timestamp(time: float) -> Timestamp:
    """A Unix time in seconds, to the microsecond."""
    return Timestamp(seconds=int(time), nanos=int(time % 1 * 1e6) * 1000)
