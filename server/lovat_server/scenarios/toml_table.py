"""TOML read with care: typed values, and the line a faulty key stands on."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lovat_server.core.provenance import Provenance

from .faults import Fault
from .rows import WORDS

T = TypeVar("T", str, int, bool)


@dataclass(frozen=True, slots=True)
class TomlTable:
    """A table of a TOML file: its values, the path of its keys, and the file it stands in."""

    file: str
    lines: tuple[str, ...]
    path: str
    values: Mapping[str, Any]
    faults: list[Fault]

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def fault(self, key: str, message: str, expected: str) -> None:
        """Report a fault at a key to the list of the reader."""
        self.faults.append(self.locate(key, message, expected))

    def locate(self, key: str, message: str, expected: str) -> Fault:
        """A fault at a key: at its first line at or after the heading of this table."""
        line = next((place + 1 for place in range(self._heading(), len(self.lines))
                     if self.lines[place].lstrip('[ "').startswith(key)), 0)
        column = f"{self.path}.{key}" if self.path else key
        return Fault(self.file, line, column, message, expected)

    def _heading(self) -> int:
        """The place of the line that opens this table, or the one around it."""
        path = self.path
        while path:
            name, _, number = path.removesuffix("]").partition("[")
            opening = f"[[{name}]]" if number else f"[{name}]"
            places = [place for place, text in enumerate(self.lines) if text.startswith(opening)]
            if len(places) > int(number or 0):
                return places[int(number or 0)]
            path = path.rpartition(".")[0]
        return 0

    def value(self, key: str, default: T, *, needed: bool = True) -> T:
        """The value of a key, of the type of the default; the default if there is none."""
        if key not in self.values:
            if needed:
                self.fault(key, "the key is missing", f"a value such as {default!r}")
            return default
        value = self.values[key]
        if type(value) is type(default):
            return value
        self.fault(key, f"{value!r} does not fit", f"a value such as {default!r}")
        return default

    def texts(self, key: str, *, needed: bool = False) -> tuple[str, ...]:
        return self._list(key, str, needed)

    def numbers(self, key: str, *, needed: bool = False) -> tuple[int, ...]:
        return self._list(key, int, needed)

    def provenance(self) -> Provenance:
        """Where the values of this table come from."""
        word = self.value("provenance", "")
        if word in WORDS:
            return Provenance(word)
        self.fault("provenance", f"{word!r} is no provenance", " or ".join(WORDS))
        return Provenance.RECONSTRUCTED

    def table(self, key: str) -> TomlTable:
        """The table under a key, empty if there is none."""
        value = self.values.get(key, {})
        if not isinstance(value, dict):
            self.fault(key, f"{value!r} is no table", f"[{key}]")
            value = {}
        return self._under(key, value)

    def tables(self, key: str) -> Iterator[TomlTable]:
        """The tables of an array of tables."""
        value = self.values.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.fault(key, f"{value!r} is no array of tables", f"[[{key}]]")
            return
        for place, item in enumerate(value):
            yield self._under(f"{key}[{place}]", item)

    def _under(self, key: str, values: Mapping[str, Any]) -> TomlTable:
        path = f"{self.path}.{key}" if self.path else key
        return TomlTable(self.file, self.lines, path, values, self.faults)

    def _list(self, key: str, kind: type[T], needed: bool) -> tuple[T, ...]:
        value = self.values.get(key)
        if value is None and not needed:
            return ()
        if not isinstance(value, list) or not all(type(item) is kind for item in value):
            self.fault(key, f"{value!r} does not fit", f"a list of {kind.__name__}")
            return ()
        return tuple(value)


def read_toml(path: Path, faults: list[Fault]) -> TomlTable:
    """The file as one table, empty if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
        values = tomllib.loads(text)
    except FileNotFoundError:
        faults.append(Fault(str(path), 0, "", "the file is missing", "a TOML file"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        faults.append(Fault(str(path), 0, "", str(error), "TOML"))
    else:
        return TomlTable(str(path), tuple(text.splitlines()), "", values, faults)
    return TomlTable(str(path), (), "", {}, faults)
