"""Domain values to messages: one closure for each class, compiled once from its type hints.

An encoder gives the keyword arguments of its message, nested messages as nested dictionaries,
which protobuf builds in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any

from .names import Names
from .shapes import (
    Choice,
    Enumeration,
    Many,
    Record,
    Scalar,
    Shape,
    enum_table,
    fields_of,
    snake,
)

Encode = Callable[[Any, Names], Any]


@dataclass(frozen=True)
class Encoders:
    """The encoders of one game.

    `overrides` replace the shape of a field; `records` replace the encoder of a class.
    """

    overrides: Mapping[tuple[type, str], Shape] = field(default_factory=dict)
    records: Mapping[type, Encode] = field(default_factory=dict)
    _compiled: dict[type, Encode] = field(default_factory=dict, compare=False)

    def record(self, cls: type, descriptor: Any) -> Encode:
        """The encoder of a class. TypeError if its fields are not those of the message."""
        if cls in self.records:
            return self.records[cls]
        if cls not in self._compiled:
            self._compiled[cls] = _record(self.fields(cls, descriptor))
        return self._compiled[cls]

    def fields(self, cls: type, descriptor: Any,
               without: frozenset[str] = frozenset()) -> list[tuple[str, Encode | None, bool]]:
        """Name, encoder of the value and whether a false value must be sent, field by field.

        No encoder: the value goes as it is.
        """
        found = [item for item in fields_of(cls, self.overrides) if item.name not in without]
        missing = {item.name for item in found} ^ (set(descriptor.fields_by_name) - without)
        if missing:
            raise TypeError(f"{cls.__name__} and {descriptor.full_name} differ in {missing}")
        return [
            (item.name, self._shape(item.shape, descriptor.fields_by_name[item.name]),
             _false_says_something(item.shape))
            for item in found
        ]

    def choice(self, types: Iterable[type], descriptor: Any) -> Encode:
        """The encoder of a message that is one oneof over these classes."""
        writers: dict[type, tuple[str, Encode]] = {}
        for cls in types:
            name = snake(cls.__name__)
            item = descriptor.fields_by_name[name]
            writers[cls] = name, self.record(cls, item.message_type)

        def encode(value: Any, names: Names) -> dict[str, Any]:
            name, write = writers[type(value)]
            return {name: write(value, names)}
        return encode

    def _shape(self, shape: Shape, descriptor: Any) -> Encode | None:
        if isinstance(shape, Many):
            if isinstance(shape.item, Many):
                (inner,) = descriptor.message_type.fields
                return _wrapped(inner.name, self._shape(shape.item, inner))
            if shape.item in _LISTS:
                return _LISTS[shape.item]
            return _many(self._shape(shape.item, descriptor))
        if isinstance(shape, Record):
            return self.record(shape.type, descriptor.message_type)
        if isinstance(shape, Choice):
            return self.choice(shape.types, descriptor.message_type)
        if isinstance(shape, Enumeration):
            numbers = enum_table(shape.type, descriptor.enum_type).to_wire
            return lambda value, _names: numbers[value]
        return _SCALARS.get(shape)


def _record(writers: list[tuple[str, Encode | None, bool]]) -> Encode:
    def encode(value: Any, names: Names) -> dict[str, Any]:
        result = {}
        for name, write, always in writers:
            item = getattr(value, name)
            if item or always:
                result[name] = item if write is None else write(item, names)
        return result
    return encode


def _many(item: Encode | None) -> Encode | None:
    if item is None:
        return None
    return lambda values, names: [item(value, names) for value in values]


def _wrapped(inner: str, item: Encode | None) -> Encode:
    return lambda values, names: [
        {inner: value if item is None else item(value, names)} for value in values
    ]


def _false_says_something(shape: Shape) -> bool:
    return isinstance(shape, Enumeration | Record | Choice) or shape in (
        Scalar.UNIT, Scalar.UNIT_OR_NONE, Scalar.HEX)


def _unit(value: int, names: Names) -> str:
    return names.unit_ids[value]


def _units(values: Iterable[int], names: Names) -> list[str]:
    ids = names.unit_ids
    return [ids[value] for value in values]


def _unit_or_none(value: int, names: Names) -> str:
    return names.unit_ids[value] if value >= 0 else ""


def _hex(value: int, names: Names) -> int:
    return names.hex_numbers[value]


def _hexes(values: Sequence[int], names: Names) -> Sequence[int]:
    # a listing has thousands: this is twice as fast as a comprehension
    if len(values) > 1:
        return itemgetter(*values)(names.hex_numbers)
    return [names.hex_numbers[value] for value in values]


def _board(value: int, names: Names) -> list[int]:
    numbers = []
    while value:
        low = value & -value
        numbers.append(names.hex_numbers[low.bit_length() - 1])
        value ^= low
    return numbers


_SCALARS: Mapping[Scalar, Encode] = {
    Scalar.UNIT: _unit,
    Scalar.UNIT_OR_NONE: _unit_or_none,
    Scalar.HEX: _hex,
    Scalar.BOARD: _board,
}

_LISTS: Mapping[Shape, Encode] = {Scalar.UNIT: _units, Scalar.HEX: _hexes}
