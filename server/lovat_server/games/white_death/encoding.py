"""The canonical encoding of a position, and its checksum."""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import fields, is_dataclass
from functools import lru_cache
from itertools import chain
from typing import Any

from .state import State

_TAIL = tuple(field.name for field in fields(State) if field.name != "units")


def checksum(state: State) -> str:
    """SHA-256, in hexadecimal, of units as little-endian 32-bit numbers and the rest as text."""
    rows = array("i", chain.from_iterable(state.units))
    if rows.itemsize != 4:
        rows = array("l", rows)
    digest = hashlib.sha256(_little_endian(rows))
    digest.update("\n".join(f"{name}={_plain(getattr(state, name))}" for name in _TAIL).encode())
    return digest.hexdigest()


def _little_endian(rows: array[int]) -> bytes:
    probe = array("i", [1])
    if probe.tobytes()[0] != 1:
        rows = array(rows.typecode, rows)
        rows.byteswap()
    return rows.tobytes()


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
