"""The words of the text form: one line read word by word, and each word written as it is read.

A line is words between white space; ``;``, ``:``, ``@`` and ``,`` are words of their own, and
``#`` opens a comment. Every fault found in reading is a `MalformedError` that names the line, the
column, the word, and what was expected; what cannot be written is a `ValueError`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from enum import IntEnum
from functools import lru_cache
from typing import Final, TypeVar

from lovat_server.core.errors import MalformedError

from .catalog import Catalog
from .terms import FP, HexIndex, UnitIndex

T = TypeVar("T")
E = TypeVar("E", bound=IntEnum)

LIMIT: Final = 1_000_000
"""Numbers are written with six digits or fewer."""

CHARGE: Final = "charge"

_WORD = re.compile(r"[^\s;:@,]+|[;:@,]")
_PLAIN = re.compile(r"[!-~]+")
_MARKS = re.compile(r"[;:@,#]")
_INTEGER = re.compile(r"-?[0-9]{1,6}")
_FRACTION = re.compile(r"(-?)([0-9]{1,6})/([0-9]{1,6})")
_HEX = re.compile(r"[0-9]{4}")
_SHOWN = 40


class Line:
    """One line of a text, read from left to right. Lines and columns are counted from 1."""

    __slots__ = ("_place", "_text", "number", "words")

    def __init__(self, number: int, text: str) -> None:
        self.number = number
        self._text = text
        self._place = 0
        self.words = _WORD.findall(text.partition("#")[0])
        self.words.append("")

    def __bool__(self) -> bool:
        """There is a word in the line."""
        return len(self.words) > 1

    def peek(self) -> str:
        """The next word, "" at the end of the line."""
        word: str = self.words[self._place]
        return word

    def step(self) -> None:
        """Go past the next word, which is there."""
        self._place += 1

    def skip(self, word: str) -> bool:
        """Go past the next word if it is this one."""
        if self.peek() != word:
            return False
        self._place += 1
        return True

    def expect(self, word: str) -> None:
        """Go past this word."""
        if not self.skip(word):
            raise self.fault(repr(word))

    def end(self) -> None:
        """Nothing is left in the line."""
        if self.peek():
            raise self.fault("the end of the line")

    def clauses(self) -> Iterator[None]:
        """Once for each part of the line between ``;``; each must be read to its end."""
        yield
        while self.skip(";"):
            yield
        self.end()

    def fault(self, expected: str) -> MalformedError:
        """What is wrong with the next word: it is not what was expected."""
        columns = [match.start() + 1 for match in _WORD.finditer(self._text.partition("#")[0])]
        word = self.peek()
        if word:
            column, found = columns[self._place], shown(word)
        else:
            column, found = len(self._text.partition("#")[0].rstrip()) + 1, "the line ends"
        return MalformedError(f"line {self.number}, column {column}: {found}: expected {expected}",
                              field=f"line {self.number}")

    def integer(self, expected: str) -> int:
        """A whole number of six digits or fewer."""
        word = self.peek()
        if not _INTEGER.fullmatch(word):
            raise self.fault(expected)
        self._place += 1
        return int(word)

    def choice(self, words: Mapping[str, T], what: str) -> T:
        """One of these words."""
        word = self.peek()
        if word not in words:
            raise self.fault(f"{what}: {', '.join(words)}" if words else "the end of the line")
        self._place += 1
        return words[word]

    def mark(self, what: str) -> str:
        """The mark of a division or brigade: any word."""
        word = self.peek()
        if not _PLAIN.fullmatch(word) or _MARKS.search(word):
            raise self.fault(what)
        self._place += 1
        return word

    def fire(self) -> int:
        """Points such as ``12``, ``4 1/2`` or ``3/8``, in eighths."""
        expected = "fire points in eighths, such as 12 or 4 1/2"
        word = self.peek()
        if _INTEGER.fullmatch(word):
            self._place += 1
            eighths = abs(int(word)) * FP
            if _FRACTION.fullmatch(self.peek()):
                eighths += self._eighths(expected)
        elif _FRACTION.fullmatch(word):
            eighths = abs(self._eighths(expected, signed=True))
        else:
            raise self.fault(expected)
        if eighths >= LIMIT * FP:
            self._place -= 1
            raise self.fault(expected)
        return -eighths if word.startswith("-") else eighths

    def _eighths(self, expected: str, *, signed: bool = False) -> int:
        match = _FRACTION.fullmatch(self.peek())
        if match is None or (match[1] and not signed):
            raise self.fault(expected)
        top, bottom = int(match[2]), int(match[3])
        if not bottom or top * FP % bottom:
            raise self.fault(expected)
        self._place += 1
        return top * FP // bottom

    def hex(self, catalog: Catalog) -> HexIndex:
        """The hex with a printed number."""
        word = self.peek()
        found = catalog.map.index.get(int(word)) if _HEX.fullmatch(word) else None
        if found is None:
            raise self.fault(f"a hex of the map, {hex_word(catalog, 0)} to "
                             f"{hex_word(catalog, catalog.map.grid.size - 1)}")
        self._place += 1
        return found

    def hexes(self, catalog: Catalog, *stops: str) -> tuple[HexIndex, ...]:
        """Hexes up to the end of the line or one of these words."""
        found = []
        while (word := self.peek()) and word not in stops:
            found.append(self.hex(catalog))
        return tuple(found)

    def unit(self, catalog: Catalog) -> UnitIndex:
        """The unit with an id."""
        word = self.peek()
        found = catalog.unit_index.get(word)
        if found is None:
            near = get_close_matches(word[:_SHOWN], catalog.unit_index, n=1, cutoff=0.7)
            raise self.fault("a unit of the scenario" + (f", perhaps {near[0]}" if near else ""))
        self._place += 1
        return found

    def units(self, catalog: Catalog, *stops: str) -> tuple[UnitIndex, ...]:
        """Units up to the end of the line or one of these words."""
        found = []
        while (word := self.peek()) and word not in stops:
            found.append(self.unit(catalog))
        return tuple(found)


def lines(text: str) -> Iterator[Line]:
    """The lines of a text that hold a word."""
    for number, line in enumerate(text.split("\n"), 1):
        read = Line(number, line)
        if read:
            yield read


def text_end(text: str, expected: str) -> MalformedError:
    """The text is over and something is missing."""
    number = text.count("\n") + 1
    return MalformedError(f"line {number}, column 1: the text ends: expected {expected}",
                          field=f"line {number}")


def shown(word: str) -> str:
    """A word as it is quoted in a message, not too long."""
    return repr(word if len(word) <= _SHOWN else word[:_SHOWN] + "...")


def words_of(kinds: type[E]) -> dict[str, E]:
    """The members of an enumeration by their words, in order."""
    return {word_of(kind): kind for kind in kinds}


def word_of(kind: IntEnum) -> str:
    """``move-and-declare`` for MOVE_AND_DECLARE."""
    return dashed(kind.name.lower())


def dashed(name: str) -> str:
    """``snow-visibility`` for snow_visibility."""
    return name.replace("_", "-")


def integer_word(value: int) -> str:
    """A whole number. Raises ValueError beyond six digits."""
    if not -LIMIT < value < LIMIT:
        raise ValueError(f"{value} cannot be written: expected six digits at most")
    return str(int(value))


def fire_word(eighths: int) -> str:
    """Fire points in eighths as ``12``, ``4 1/2`` or ``3/8``."""
    whole, rest = divmod(abs(eighths), FP)
    sign = "-" if eighths < 0 else ""
    words = [integer_word(whole)] if whole or not rest else []
    if rest:
        bottom = FP
        while rest % 2 == 0:
            rest, bottom = rest // 2, bottom // 2
        words.append(f"{rest}/{bottom}")
    return sign + " ".join(words)


def hex_word(catalog: Catalog, hex_: HexIndex) -> str:
    """The printed number of a hex. Raises ValueError if it is off the map."""
    if not 0 <= hex_ < catalog.map.grid.size:
        raise ValueError(f"hex index {hex_}: expected 0 to {catalog.map.grid.size - 1}")
    return f"{catalog.map.numbers[hex_]:04d}"


def hex_words(catalog: Catalog, hexes: Iterable[HexIndex]) -> str:
    return " ".join(hex_word(catalog, hex_) for hex_ in hexes)


def unit_word(catalog: Catalog, index: UnitIndex) -> str:
    """The id of a unit. Raises ValueError if there is no such unit."""
    if not 0 <= index < len(catalog.units):
        raise ValueError(f"unit {index}: expected 0 to {len(catalog.units) - 1}")
    word = plain(catalog.units[index].id)
    if word == CHARGE:
        raise ValueError(f"no unit can be written whose id is {CHARGE!r}")
    return word


def unit_words(catalog: Catalog, units: Iterable[UnitIndex]) -> str:
    return " ".join(unit_word(catalog, index) for index in units)


@lru_cache(maxsize=2048)
def plain(word: str) -> str:
    """The word itself. Raises ValueError if it would not be read back as one word."""
    if not _PLAIN.fullmatch(word) or _MARKS.search(word):
        raise ValueError(f"{word!r} cannot be written: expected one word without ; : @ , #")
    return word


def spoken(*words: str) -> str:
    """The words that are not empty, with a space between."""
    return " ".join(word for word in words if word)
