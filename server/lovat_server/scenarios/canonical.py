"""The content of a catalog as one text that does not depend on files, and its hash."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import fields, is_dataclass
from enum import Enum
from typing import Any

from lovat_server.hexmap.grid import Grid


def content_hash(*parts: object) -> str:
    """SHA-256, in hexadecimal, over the canonical form of the parts in order."""
    text = json.dumps([canonical(part) for part in parts], separators=(",", ":"),
                      ensure_ascii=True, sort_keys=True)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def canonical(value: object) -> Any:
    """Plain lists, dicts, texts and numbers; a set in order, a mapping with text keys."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, Grid):
        return [value.columns, value.rows, value.even_high]
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        return {str(canonical(key)): canonical(item) for key, item in value.items()}
    if isinstance(value, Set):
        return sorted(canonical(item) for item in value)
    if isinstance(value, Sequence):
        return [canonical(item) for item in value]
    if is_dataclass(value):
        return {part.name: canonical(getattr(value, part.name)) for part in fields(value)}
    raise TypeError(f"no canonical form of {type(value).__name__}")
