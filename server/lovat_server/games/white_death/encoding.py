"""The canonical encoding of a position, and its checksum."""

from __future__ import annotations

import hashlib
import struct
from dataclasses import fields, is_dataclass
from functools import lru_cache
from operator import attrgetter
from typing import Any

from .state import State

_TAIL = tuple(field.name for field in fields(State) if field.name != "units")
_VALUES = attrgetter(*_TAIL)


_PACK = struct.Struct("<6i").pack


def checksum(state: State) -> str:
    """SHA-256, in hexadecimal, of units as little-endian 32-bit numbers and the rest as text."""
    digest = hashlib.sha256(b"".join(_rows(state)))
    digest.update("\n".join([f"{name}={_plain(value)}" for name, value
                             in zip(_TAIL, _VALUES(state), strict=True)]).encode())
    return digest.hexdigest()


def _rows(state: State) -> list[bytes]:
    """A row for each unit; those of units unchanged since the state before are taken from it."""
    known = state.known
    if known.rows is None:
        before = known.before
        if before is None or before.rows is None:
            known.rows = [_PACK(*unit) for unit in state.units]
        else:
            known.rows = before.rows.copy()
            for index in before.changed:
                known.rows[index] = _PACK(*state.units[index])
            known.before = before._replace(rows=None)
    return known.rows


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
