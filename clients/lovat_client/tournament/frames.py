"""Messages between two processes: a kind (1 byte), a length (4 bytes, big-endian), the bytes.

Every wait has an end, and no message longer than the reader expects is ever read.
"""

from __future__ import annotations

import socket
import struct
import time

_HEADER = struct.Struct("!BI")
_AT_ONCE = 1 << 16
LONGEST = 64 * 1024 * 1024
"""Bytes of the longest message that a reader takes unless it says otherwise."""


class ChannelError(Exception):
    """A message did not get through."""


class ClosedError(ChannelError):
    """The other end is gone."""


class TimedOutError(ChannelError):
    """The other end did not read or answer in time."""


class TooLongError(ChannelError):
    """The message that has been announced is longer than the reader takes; `size` in bytes."""

    def __init__(self, kind: int, size: int) -> None:
        super().__init__(f"a message of {size} bytes")
        self.kind = kind
        self.size = size


class Channel:
    """One end of a connected stream socket. After an error it is of no more use."""

    def __init__(self, stream: socket.socket) -> None:
        self._socket = stream

    @classmethod
    def of_descriptor(cls, descriptor: int) -> Channel:
        """The end that was passed to this process by its number."""
        return cls(socket.socket(fileno=descriptor))

    def fileno(self) -> int:
        return self._socket.fileno()

    def close(self) -> None:
        self._socket.close()

    def send(self, kind: int, body: bytes = b"", seconds: float | None = None) -> None:
        """Write a message within so many seconds; None waits for ever. `ChannelError`."""
        self._socket.settimeout(seconds)
        try:
            self._socket.sendall(_HEADER.pack(kind, len(body)) + body)
        except TimeoutError:
            raise TimedOutError("the message was not read in time") from None
        except OSError as error:
            raise ClosedError(str(error)) from error

    def receive(self, seconds: float | None = None, most: int = LONGEST) -> tuple[int, bytes]:
        """The next message, its kind and its bytes, within so many seconds. `ChannelError`."""
        end = None if seconds is None else time.monotonic() + seconds
        kind, size = _HEADER.unpack(self._exactly(_HEADER.size, end))
        if size > most:
            raise TooLongError(kind, size)
        return kind, self._exactly(size, end)

    def _exactly(self, size: int, end: float | None) -> bytes:
        read = bytearray()
        while len(read) < size:
            left = None if end is None else end - time.monotonic()
            if left is not None and left <= 0:
                raise TimedOutError("no answer in time")
            self._socket.settimeout(left)
            try:
                piece = self._socket.recv(min(size - len(read), _AT_ONCE))
            except TimeoutError:
                raise TimedOutError("no answer in time") from None
            except OSError as error:
                raise ClosedError(str(error)) from error
            if not piece:
                raise ClosedError("the other end has closed")
            read += piece
        return bytes(read)


def pair() -> tuple[Channel, socket.socket]:
    """Two connected ends: one to keep, and the one to pass to a child and then to close."""
    kept, passed = socket.socketpair()
    return Channel(kept), passed
