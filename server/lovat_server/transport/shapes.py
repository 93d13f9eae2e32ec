"""What the fields of a domain class are, read from its type hints.

The wire mirrors the domain: a message has the name of its class, a field the name of its
attribute, a oneof field the name of its class in snake case. What an integer stands for is in its
annotation (`Annotated[int, "unit"]`); see `Scalar`.
"""

from __future__ import annotations

import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields, is_dataclass
from enum import Enum, IntEnum
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

REQUIRED: Any = MISSING
"""Default of a field that has none."""


class Scalar(Enum):
    """How one value is written: numbers of the domain that stand for something become its name.

    A UNIT is a unit id, UNIT_OR_NONE may be empty for -1, a HEX is its printed number with 0 for
    -1, a BOARD is the list of its hexes' numbers; FIRE (1/8 point) and MOVEMENT (1/120 MP) stay
    integers.
    """

    INT = "int"
    BOOL = "bool"
    STR = "str"
    UNIT = "unit"
    UNIT_OR_NONE = "unit_or_none"
    HEX = "hex"
    BOARD = "board"
    FIRE = "fire"
    MOVEMENT = "movement"


@dataclass(frozen=True, slots=True)
class Enumeration:
    type: type[IntEnum]


@dataclass(frozen=True, slots=True)
class Record:
    """A nested dataclass or NamedTuple."""

    type: type


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several records: a oneof."""

    types: tuple[type, ...]


@dataclass(frozen=True, slots=True)
class Many:
    """A tuple: of any length, or of exactly `length`."""

    item: Shape
    length: int | None = None


Shape = Scalar | Enumeration | Record | Choice | Many


@dataclass(frozen=True, slots=True)
class Field:
    name: str
    shape: Shape
    default: Any = REQUIRED


def fields_of(cls: type, overrides: Mapping[tuple[type, str], Shape]) -> tuple[Field, ...]:
    """The fields of a dataclass or NamedTuple in the order of its constructor."""
    hints = get_type_hints(cls, include_extras=True)
    defaults: Mapping[str, Any]
    if is_dataclass(cls):
        defaults = {field.name: field.default for field in fields(cls)}
        names = [field.name for field in fields(cls)]
    else:
        names = list(cls._fields)  # type: ignore[attr-defined]
        defaults = cls._field_defaults  # type: ignore[attr-defined]
    return tuple(
        Field(name, overrides.get((cls, name)) or shape_of(hints[name]),
              defaults.get(name, REQUIRED))
        for name in names
    )


def shape_of(hint: Any) -> Shape:
    """The shape of a type hint. TypeError for a hint that has none on the wire."""
    origin = get_origin(hint)
    if origin is Annotated:
        return Scalar(hint.__metadata__[0])
    if origin is tuple:
        items = get_args(hint)
        if len(items) == 2 and items[1] is Ellipsis:
            return Many(shape_of(items[0]))
        if len(set(items)) == 1:
            return Many(shape_of(items[0]), len(items))
    if origin in (Union, types.UnionType):
        return Choice(get_args(hint))
    if isinstance(hint, type):
        if issubclass(hint, IntEnum):
            return Enumeration(hint)
        if hint in (int, bool, str):
            return Scalar(hint.__name__)
        if is_dataclass(hint) or hasattr(hint, "_fields"):
            return Record(hint)
    raise TypeError(f"{hint!r} has no shape on the wire")


def snake(name: str) -> str:
    """MoveAndDeclare -> move_and_declare."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


@dataclass(frozen=True, slots=True)
class EnumTable:
    """Domain value <-> number on the wire.

    Number 0 of the wire says nothing. A domain whose 0 says nothing either has the same numbers;
    a domain without a 0 too; any other is moved up by one.
    """

    to_wire: Mapping[int, int]
    from_wire: Mapping[int, IntEnum]
    names: tuple[str, ...]


_SAYS_NOTHING = {"NONE", "DEFAULT", "UNSPECIFIED"}


def enum_table(cls: type[IntEnum], descriptor: Any) -> EnumTable:
    """The table of one enum. TypeError if the two do not have the same members."""
    zero = next((member for member in cls if member == 0), None)
    shift = 1 if zero is not None and zero.name not in _SAYS_NOTHING else 0
    prefix = snake(descriptor.name).upper() + "_"
    wire = {value.name.removeprefix(prefix): value.number for value in descriptor.values}
    domain = {"UNSPECIFIED" if member + shift == 0 else member.name: member + shift
              for member in cls}
    if {"UNSPECIFIED": 0, **domain} != wire:
        raise TypeError(f"{cls.__name__} {domain} is not {descriptor.full_name} {wire}")
    return EnumTable(
        {int(member): member + shift for member in cls},
        {member + shift: member for member in cls},
        tuple(prefix + name for name, number in sorted(wire.items(), key=lambda item: item[1])
              if number),
    )
