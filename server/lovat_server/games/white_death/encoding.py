"""The canonical encoding of a position, and its checksum."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from .state import Encoded, State

_TAIL = tuple(field.name for field in fields(State) if field.name != "units")
_VALUES = attrgetter(*_TAIL)


_ROW = struct.Struct("<6i")


def checksum(state: State) -> str:
    """SHA-256, in hexadecimal, of units as little-endian 32-bit numbers and the rest as text."""
    known = state.known
    if known.encoded is None:
        before = known.before
        if before is None or before.encoded is None:
            known.encoded = _encode(state)
        else:
            known.encoded = _encode_again(state, before.encoded, before.changed)
            known.before = before._replace(encoded=None)
    digest = hashlib.sha256(known.encoded.rows)
    digest.update("\n".join(known.encoded.texts).encode())
    return digest.hexdigest()


def _encode(state: State) -> Encoded:
    values = _VALUES(state)
    return Encoded(b"".join([_ROW.pack(*unit) for unit in state.units]), values,
                   [_text(name, value) for name, value in zip(_TAIL, values, strict=True)])


def _encode_again(state: State, then: Encoded, changed: Iterable[int]) -> Encoded:
    """As `_encode`, with what is the same as in the state before taken from there."""
    rows, values = bytearray(then.rows), _VALUES(state)
    for index in changed:
        _ROW.pack_into(rows, index * _ROW.size, *state.units[index])
    texts = [
        text if value is old else _text(name, value)
        for name, value, old, text in zip(_TAIL, values, then.values, then.texts, strict=True)
    ]
    return Encoded(bytes(rows), values, texts)


def _text(name: str, value: Any) -> str:
    return f"{name}={_plain(value)}"


@lru_cache(maxsize=8192)
def _plain(value: Any) -> str:
    """Numbers, nested in parentheses, in the order of their fields; options by name."""
    if is_dataclass(value):
        return "(" + ",".join(
            f"{field.name}={_plain(getattr(value, field.name))}" for field in fields(value)) + ")"
    if isinstance(value, tuple):
        return "(" + ",".join(map(_plain, value)) + ")"
    if isinstance(value, str):
        return repr(value)
    return str(int(value))
