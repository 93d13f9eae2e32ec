"""Tables of TOML or JSON, each value checked as it is taken."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from .errors import VassalError

_LONGEST = 1024 * 1024
FORMAT = 1


class Table:
    """A table of a file. Every value taken is checked; `done` complains of those not taken."""

    def __init__(self, file: Path, place: str, content: Mapping[str, Any]) -> None:
        self.file = file
        self.place = place
        self._content = content
        self._taken: set[str] = set()

    def has(self, key: str) -> bool:
        return key in self._content

    def text(self, key: str, default: str | None = None) -> str:
        value = self._take(key, default)
        if not isinstance(value, str):
            raise self.wrong(key, value, "text in quotes")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int | float) \
                or not math.isfinite(value) or abs(value) > 1e6:
            raise self.wrong(key, value, "a number of pixels")
        return float(value)

    def positive(self, key: str) -> float:
        value = self.number(key)
        if value < 1:
            raise self.wrong(key, self._content[key], "a number of pixels, at least 1")
        return value

    def whole(self, key: str, default: int | None = None) -> int:
        value = self._take(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or abs(value) > 1_000_000:
            raise self.wrong(key, value, "a whole number")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        value = self._take(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key, value, "true or false")
        return value

    def choice(self, key: str, choices: Iterable[Any], default: Any = None) -> Any:
        value = self._take(key, default)
        known = list(choices)
        if isinstance(value, bool) or value not in known:
            raise self.wrong(key, value, f"one of {', '.join(map(repr, known))}")
        return value

    def texts(self, key: str) -> list[str]:
        """A list of texts; empty if the key is absent."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.wrong(key, value, "a list of texts in quotes")
        return list(value)

    def pairs(self, key: str) -> dict[str, str]:
        """A table of texts; empty if the key is absent."""
        value = self._take(key, {})
        if not isinstance(value, dict):
            raise self.wrong(key, value, "a table")
        for name, item in value.items():
            if not isinstance(item, str):
                raise VassalError(self.file, f"{self.inside(key)}.{name}",
                                  f"{item!r}; expected text in quotes")
        return dict(value)

    def table(self, key: str) -> Table | None:
        """A table within; None if the key is absent."""
        value = self._take(key, None, needed=False)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(key, value, "a table")
        return Table(self.file, self.inside(key), value)

    def tables(self, key: str) -> list[Table]:
        """A list of tables within; empty if the key is absent."""
        value = self._take(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.wrong(key, value, "a list of tables")
        return [Table(self.file, f"{self.inside(key)}[{number}]", item)
                for number, item in enumerate(value)]

    def done(self) -> None:
        """Complain of keys that nobody asked for."""
        for key in self._content:
            if key not in self._taken:
                raise VassalError(self.file, self.place, f"there is no key {key!r} here; there are "
                                  f"{', '.join(sorted(self._taken))}")

    def inside(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def wrong(self, key: str, value: Any, expected: str) -> VassalError:
        return VassalError(self.file, self.inside(key), f"{value!r}; expected {expected}")

    def _take(self, key: str, default: Any, needed: bool = True) -> Any:
        self._taken.add(key)
        value = self._content.get(key, default)
        if value is None and needed:
            raise VassalError(self.file, self.place, f"the key {key!r} is missing")
        return value


def read_table(path: Path) -> Table:
    """The table that a whole file is: JSON if its name ends in .json, else TOML."""
    is_json = path.suffix.lower() == ".json"
    with path.open("rb") as stream:
        content = stream.read(_LONGEST + 1)
    if len(content) > _LONGEST:
        raise VassalError(path, "", f"it is longer than {_LONGEST} bytes, the most that is read")
    try:
        text = content.decode("utf-8")
        found = json.loads(text) if is_json else tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        raise VassalError(path, "", f"this is no {'JSON' if is_json else 'TOML'}: {error}"
                          ) from None
    if not isinstance(found, dict):
        raise VassalError(path, "", "expected a table (in JSON an object in braces)")
    table = Table(path, "", found)
    table.choice("format", [FORMAT])
    return table
