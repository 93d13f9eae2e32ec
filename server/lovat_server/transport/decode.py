"""Messages to domain values: one closure for each class, compiled once from its type hints.

A value that cannot be read raises `FieldError`, which gathers the path of its field on the way out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from operator import attrgetter
from typing import Any

from lovat_server.core.errors import MalformedError

from .names import Names
from .shapes import (
    REQUIRED,
    Choice,
    Enumeration,
    EnumTable,
    Field,
    Many,
    Record,
    Scalar,
    Shape,
    enum_table,
    fields_of,
    snake,
)

MAX_NUMBER = 1_000_000
MAX_TEXT = 256
MAX_ITEMS = 2_000

Decode = Callable[[Any, Names], Any]


class FieldError(Exception):
    """A value that cannot be read. `path` is relative to the message being read."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.path = path

    def within(self, place: str) -> FieldError:
        """The same fault, seen from one level further out."""
        joint = "" if not self.path or self.path[0] == "[" else "."
        self.path = f"{place}{joint}{self.path}"
        return self

    def at(self, place: str) -> MalformedError:
        """What the caller is told, with the path from the request down."""
        self.within(place)
        return MalformedError(f"{self.path}: {self.message}", field=self.path)


@dataclass(frozen=True)
class Decoders:
    """The decoders of one game.

    `overrides` replace the shape of a field; `records` replace the decoder of a class.
    `off_map` are hex fields that may be 0, `required` enum fields that must say something, and
    `defaulted` enums whose 0 on the wire is their 0 in the domain.
    """

    overrides: Mapping[tuple[type, str], Shape] = field(default_factory=dict)
    records: Mapping[type, Decode] = field(default_factory=dict)
    off_map: Callable[[type, str], bool] = lambda _cls, _name: False
    required: frozenset[tuple[type, str]] = frozenset()
    defaulted: frozenset[type[IntEnum]] = frozenset()
    _compiled: dict[type, Decode] = field(default_factory=dict, compare=False)

    def record(self, cls: type, descriptor: Any) -> Decode:
        """The decoder of a class. TypeError if its fields are not those of the message."""
        if cls in self.records:
            return self.records[cls]
        if cls not in self._compiled:
            self._compiled[cls] = _record(cls, self.fields(cls, descriptor))
        return self._compiled[cls]

    def fields(self, cls: type, descriptor: Any,
               without: frozenset[str] = frozenset()) -> list[tuple[str, Decode]]:
        """A reader of the whole message for each field, in the order of the constructor."""
        found = [item for item in fields_of(cls, self.overrides) if item.name not in without]
        missing = {item.name for item in found} ^ (set(descriptor.fields_by_name) - without)
        if missing:
            raise TypeError(f"{cls.__name__} and {descriptor.full_name} differ in {missing}")
        return [(item.name, self._field(cls, item, descriptor.fields_by_name[item.name]))
                for item in found]

    def choice(self, types: Iterable[type], descriptor: Any) -> Decode:
        """The decoder of a message that is one oneof over these classes."""
        (oneof,) = descriptor.oneofs
        by_field = {snake(cls.__name__): cls for cls in types}
        if set(by_field) != {item.name for item in oneof.fields}:
            raise TypeError(f"{descriptor.full_name} has not exactly {sorted(by_field)}")
        readers = {
            name: self.record(cls, descriptor.fields_by_name[name].message_type)
            for name, cls in by_field.items()
        }
        return _choice(oneof.name, readers)

    def _field(self, cls: type, item: Field, descriptor: Any) -> Decode:
        name, shape = item.name, item.shape
        convert = self._shape(cls, name, shape, descriptor)
        if isinstance(shape, Record | Choice):
            return _submessage(name, convert, item.default)
        return lambda message, names: convert(getattr(message, name), names)

    def _shape(self, cls: type, name: str, shape: Shape, descriptor: Any) -> Decode:
        if isinstance(shape, Many):
            if isinstance(shape.item, Many):
                (inner,) = descriptor.message_type.fields
                return _many(_inside(inner.name, self._shape(cls, name, shape.item, inner)), shape)
            return _many(self._shape(cls, name, shape.item, descriptor), shape)
        if isinstance(shape, Record):
            return self.record(shape.type, descriptor.message_type)
        if isinstance(shape, Choice):
            return self.choice(shape.types, descriptor.message_type)
        if isinstance(shape, Enumeration):
            table = enum_table(shape.type, descriptor.enum_type)
            zero = shape.type(0) if shape.type in self.defaulted else None
            return _enum(table, zero, must_say=(cls, name) in self.required)
        if shape is Scalar.HEX and self.off_map(cls, name):
            return _hex_or_off_map
        return _SCALARS[shape]


def _record(cls: type, readers: list[tuple[str, Decode]]) -> Decode:
    def decode(message: Any, names: Names) -> Any:
        values: list[Any] = []
        try:
            for _, read in readers:
                values.append(read(message, names))
        except FieldError as fault:
            raise fault.within(readers[len(values)][0]) from None
        return cls(*values)
    return decode


def _submessage(name: str, convert: Decode, default: Any) -> Decode:
    def decode(message: Any, names: Names) -> Any:
        if message.HasField(name):
            return convert(getattr(message, name), names)
        if default is REQUIRED:
            raise FieldError("nothing is set here; it is required")
        return default
    return decode


def _choice(oneof: str, readers: Mapping[str, Decode]) -> Decode:
    def decode(message: Any, names: Names) -> Any:
        chosen = message.WhichOneof(oneof)
        if chosen is None:
            raise FieldError(f"nothing is set here; expected one of {', '.join(readers)}")
        try:
            return readers[chosen](getattr(message, chosen), names)
        except FieldError as fault:
            raise fault.within(chosen) from None
    return decode


def _many(item: Decode, shape: Many) -> Decode:
    lookup = _LOOKUPS.get(item)

    def decode(values: Any, names: Names) -> tuple[Any, ...]:
        if len(values) > MAX_ITEMS:
            raise FieldError(f"{len(values)} items; expected at most {MAX_ITEMS}")
        if lookup is not None:      # a march has many hexes: three times as fast as one by one
            try:
                return tuple(map(lookup(names).__getitem__, values))
            except KeyError:
                pass                # the fault is told below, with its place
        result: list[Any] = []
        try:
            for value in values:
                result.append(item(value, names))
        except FieldError as fault:
            raise fault.within(f"[{len(result)}]") from None
        return tuple(result)

    length = shape.length
    if length is None:
        return decode
    zeros = (False if shape.item is Scalar.BOOL else 0,) * length
    may_be_empty = isinstance(shape.item, Scalar)

    def decode_exactly(values: Any, names: Names) -> tuple[Any, ...]:
        if not values and may_be_empty:
            return zeros
        if len(values) != length:
            raise FieldError(f"{len(values)} items; expected {length}")
        return decode(values, names)
    return decode_exactly


def _inside(name: str, item: Decode) -> Decode:
    def decode(message: Any, names: Names) -> Any:
        try:
            return item(getattr(message, name), names)
        except FieldError as fault:
            raise fault.within(name) from None
    return decode


def _enum(table: EnumTable, zero: IntEnum | None, *, must_say: bool) -> Decode:
    members = dict(table.from_wire)
    if zero is not None:
        members[0] = zero
    if must_say:
        members.pop(0, None)

    def decode(value: int, _names: Names) -> IntEnum:
        member = members.get(value)
        if member is None:
            raise FieldError(f"{value or 'nothing'} is no value here; "
                             f"expected one of {', '.join(table.names)}")
        return member
    return decode


def _number(value: int, _names: Names) -> int:
    if not -MAX_NUMBER <= value <= MAX_NUMBER:
        raise FieldError(f"{value} is too big; expected at most {MAX_NUMBER}")
    return value


def _bool(value: bool, _names: Names) -> bool:
    return value


def _text(value: str, _names: Names) -> str:
    if len(value) > MAX_TEXT:
        raise FieldError(f"{len(value)} characters; expected at most {MAX_TEXT}")
    return value


def _unit(value: str, names: Names) -> int:
    unit = names.unit_of.get(value)
    if unit is None:
        raise FieldError(f"{value[:80]!r} is no unit of this scenario; expected the id of one")
    return unit


def _unit_or_none(value: str, names: Names) -> int:
    return _unit(value, names) if value else -1


def _hex(value: int, names: Names) -> int:
    hex_ = names.hex_of.get(value)
    if hex_ is None:
        raise FieldError(f"{value} is no hex of the map; expected a printed number such as "
                         f"{names.hex_numbers[0]:04}")
    return hex_


def _hex_or_off_map(value: int, names: Names) -> int:
    return _hex(value, names) if value else -1


def _board(values: Any, names: Names) -> int:
    board = 0
    for place, value in enumerate(values):
        try:
            board |= 1 << _hex(value, names)
        except FieldError as fault:
            raise fault.within(f"[{place}]") from None
    return board


_SCALARS: Mapping[Scalar, Decode] = {
    Scalar.INT: _number,
    Scalar.FIRE: _number,
    Scalar.MOVEMENT: _number,
    Scalar.BOOL: _bool,
    Scalar.STR: _text,
    Scalar.UNIT: _unit,
    Scalar.UNIT_OR_NONE: _unit_or_none,
    Scalar.HEX: _hex,
    Scalar.BOARD: _board,
}

_LOOKUPS: Mapping[Decode, Callable[[Names], Mapping[Any, int]]] = {
    _hex: attrgetter("hex_of"),
    _unit: attrgetter("unit_of"),
}
