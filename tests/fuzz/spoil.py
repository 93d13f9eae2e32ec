"""Messages with something in them changed: a word, a number, an entry too many or too few."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

_NUMBERS = (0, 1, 2, 3, 7, 99, 1001, 2021, 4343, 65_536, 2**31 - 1, 2**32 - 1)
_WORDS = ("", "nobody", "NaN", "-1", "é" * 40, "\x00", "9" * 400, "soviet", "german")
_INTEGERS = {
    FieldDescriptor.CPPTYPE_INT32: (-(2**31), 2**31 - 1),
    FieldDescriptor.CPPTYPE_UINT32: (0, 2**32 - 1),
    FieldDescriptor.CPPTYPE_INT64: (-(2**63), 2**63 - 1),
    FieldDescriptor.CPPTYPE_UINT64: (0, 2**64 - 1),
}
_HEX_FIELDS = {"hex", "hexes", "path", "destination", "stack", "vacated", "target"}
Place = tuple[Message, Any]


class Words(NamedTuple):
    """Names and numbers that mean something in a message."""

    units: list[str]
    hexes: list[int]


def spoil(message: Message, random: Random, words: Words, changes: int = 1) -> None:
    """Change a message in place, mostly in what it says, seldom in what it leaves unsaid."""
    for _ in range(changes):
        places = list(_places(message, said=random.random() < 0.9))
        if not places:
            continue
        holder, field = random.choice(places)
        _change(holder, field, random, words)


def _places(message: Message, *, said: bool) -> Iterator[Place]:
    """Every field of the message and of those in it; of long lists only the first entries.

    With `said`, fields that are set, and no message that stands alone in its field.
    """
    for field in message.DESCRIPTOR.fields:
        value = getattr(message, field.name)
        single = field.message_type is not None and not _is_list(value)
        if not said or (not single and value):
            yield message, field
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        inner = list(value) if _is_list(value) else [value]
        for entry in inner[:40]:
            yield from _places(entry, said=said)


def _is_list(value: Any) -> bool:
    return not isinstance(value, Message)


def _change(holder: Message, field: Any, random: Random, words: Words) -> None:
    value = getattr(holder, field.name)
    if field.message_type is not None and not _is_list(value):
        if holder.HasField(field.name) and random.random() < 0.6:
            holder.ClearField(field.name)
        else:
            getattr(holder, field.name).SetInParent()
    elif field.message_type is not None:
        _reshape_messages(value, random)
    elif _is_repeated(value):
        _reshape_values(value, field, random, words)
    else:
        setattr(holder, field.name, _value(field, value, random, words))


def _is_repeated(value: Any) -> bool:
    return not isinstance(value, str | bytes | int | float | bool)


def _reshape_messages(entries: Any, random: Random) -> None:
    if not entries or random.random() < 0.3:
        entries.add()
    elif random.random() < 0.5:
        entries.add().CopyFrom(random.choice(list(entries)))
    else:
        del entries[random.randrange(len(entries))]


def _reshape_values(values: Any, field: Any, random: Random, words: Words) -> None:
    found = list(values)
    if not found or random.random() < 0.3:
        found.append(_value(field, found[-1] if found else field.default_value or 0, random,
                            words))
    elif random.random() < 0.5:
        place = random.randrange(len(found))
        found[place] = _value(field, found[place], random, words)
    elif random.random() < 0.5:
        found.append(random.choice(found))
    else:
        del found[random.randrange(len(found))]
    del values[:]
    values.extend(value for value in found if not (value == [] or value is None))


def _value(field: Any, value: Any, random: Random, words: Words) -> Any:
    kind = field.cpp_type
    if kind == FieldDescriptor.CPPTYPE_STRING:
        if field.type == FieldDescriptor.TYPE_BYTES:
            return random.randbytes(random.randrange(40))
        return random.choice(words.units if random.random() < 0.8 else _WORDS)
    if kind == FieldDescriptor.CPPTYPE_BOOL:
        return not value
    if kind == FieldDescriptor.CPPTYPE_ENUM:
        return random.choice([*field.enum_type.values_by_number, 99])
    if kind in _INTEGERS:
        lowest, highest = _INTEGERS[kind]
        if field.name in _HEX_FIELDS and random.random() < 0.8:
            return random.choice(words.hexes)
        number = int(value or 0)
        near = (number + 1, number - 1, 2 * number, number + 100, number - 100, number // 2)
        chosen = random.choice(near) if random.random() < 0.7 else random.choice(_NUMBERS)
        return min(max(chosen, lowest), highest)
    return random.choice((0.0, -1.0, 1e300, float("nan"), float("inf")))
