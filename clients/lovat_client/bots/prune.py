"""Drops the parts of an order that were refused, so that the rest may stand.

A violation names its place in the order (`actions[3].path[2]`, with or without the name of the
decision before it). What is dropped is the smallest part that an order can be without: a unit of
an assault, but a whole march. Every refusal makes an order smaller, down to the empty one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, cast

from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2

Step = tuple[str, int]

# The repeated fields whose entries an order can be without, one by one.
_PARTS = {
    "actions", "assaults", "units", "fires", "conventional", "antitank", "antitank_weapons",
    "support", "replacements", "repairs", "withdrawals", "pursuits", "routes", "occupations",
    "high_intensity", "full_rockets", "placements", "bridges", "casualties", "bunkers", "charge",
    "abandon",
}
# Messages that mean nothing once this field of theirs is empty.
_HEARTS = dict.fromkeys(("Assault", "Rail", "Deploy", "March", "Pursuit", "Occupation",
                         "BarrageFire", "Abandon", "Exit"), "units")
_STEP = re.compile(r"([a-z_]+)(?:\[(\d+)\])?")


def prune(order: core_pb2.Order, violations: Iterable[core_pb2.Violation]) -> core_pb2.Order:
    """The order without what the violations name; the empty order if they name nothing in it."""
    pruned = core_pb2.Order()
    pruned.CopyFrom(order)
    answer = answer_of(pruned)
    if answer is None:
        return pruned
    before = answer.SerializeToString(deterministic=True)
    found = list(violations)
    doomed = {place for each in found for place in _places(answer, each)}
    for place in sorted(doomed, key=lambda place: [(name, -index) for name, index in place]):
        _drop(answer, place)
    _tidy(answer)
    if answer.SerializeToString(deterministic=True) == before:
        clear(answer)
    return pruned


def answer_of(order: core_pb2.Order) -> Message | None:
    """The message inside an order that answers its decision."""
    kind = order.white_death.WhichOneof("order")
    return cast(Message, getattr(order.white_death, kind)) if kind else None


def clear(answer: Message) -> None:
    """Make an answer the empty one of its kind."""
    answer.Clear()
    answer.SetInParent()
    if isinstance(answer, (orders_pb2.SetUp, orders_pb2.DistributeLosses)):
        answer.standard = True


def _steps(path: str) -> list[tuple[str, int | None]]:
    return [(name, int(index) if index else None) for name, index in _STEP.findall(path)]


def _places(answer: Message, violation: core_pb2.Violation) -> list[tuple[Step, ...]]:
    """The places in the answer that a violation dooms."""
    place = _place(answer, violation.order_path)
    if place:
        return [place]
    return _named(answer, set(violation.facts.values()), _field(answer, violation.order_path))


def _place(answer: Message, path: str) -> tuple[Step, ...]:
    """The innermost part on the path that the answer can be without."""
    steps = _steps(path)
    while steps and steps[0][0] not in answer.DESCRIPTOR.fields_by_name:
        steps = steps[1:]
    here: Any = answer
    walked: list[Step] = []
    part = 0
    for name, index in steps:
        if not isinstance(here, Message) or name not in here.DESCRIPTOR.fields_by_name:
            break
        if index is None:
            here = getattr(here, name)
            if not isinstance(here, Message):
                break
            walked.append((name, -1))
            continue
        field = getattr(here, name)
        if index >= len(field):
            break
        walked.append((name, index))
        if name in _PARTS and not _is_joint(here, name):
            part = len(walked)
        here = field[index]
    return tuple(walked[:part])


def _is_joint(holder: Message, name: str) -> bool:
    """Units that march or go by rail together are refused together."""
    return name == "units" and holder.DESCRIPTOR.name in ("March", "Rail")


def _field(answer: Message, path: str) -> str:
    """The name of a whole list of the answer, where the path ends with one."""
    names = [name for name, _ in _steps(path) if name in answer.DESCRIPTOR.fields_by_name]
    return names[0] if names else ""


def _named(answer: Message, words: set[str], only: str) -> list[tuple[Step, ...]]:
    """For a violation of no one place: the parts that speak of the units or hexes of its facts."""
    found: list[tuple[Step, ...]] = []
    for field in answer.DESCRIPTOR.fields:
        if field.name not in _PARTS or (only and field.name != only):
            continue
        parts = getattr(answer, field.name)
        said = [index for index, part in enumerate(parts) if words & _words(part)]
        if only and not said:
            said = list(range(len(parts)))
        found += [((field.name, index),) for index in said]
    return found


def _words(part: Any) -> set[str]:
    if not isinstance(part, Message):
        return {str(part)}
    found: set[str] = set()
    for field, value in part.ListFields():
        if field.name in ("path", "value", "attacks", "points"):
            if field.name == "path":
                found |= {str(value[-1]), f"{value[-1]:04d}"}
            continue
        values = [value] if isinstance(value, (str, int, Message)) else list(value)
        for each in values:
            found |= _words(each)
            if isinstance(each, int):
                found.add(f"{each:04d}")
    return found


def _drop(answer: Message, place: tuple[Step, ...]) -> None:
    here: Any = answer
    for name, index in place[:-1]:
        field = getattr(here, name)
        if index >= 0 and index >= len(field):
            return
        here = field if index < 0 else field[index]
    name, index = place[-1]
    field = getattr(here, name)
    if index < len(field):
        del field[index]


def _tidy(message: Message) -> None:
    """Drop the assaults, barrages and the like that no unit is left for."""
    if isinstance(message, orders_pb2.BarrageFire):
        message.ClearField("attacks")
    for field, value in message.ListFields():
        if field.message_type is None:
            continue
        if isinstance(value, Message):
            _tidy(value)
            continue
        for index in reversed(range(len(value))):
            _tidy(value[index])
            if _is_hollow(value[index]):
                del value[index]


def _is_hollow(part: Message) -> bool:
    if isinstance(part, orders_pb2.Action):
        kind = part.WhichOneof("action")
        return kind is None or _is_hollow(getattr(part, kind))
    heart = _HEARTS.get(part.DESCRIPTOR.name)
    return heart is not None and not getattr(part, heart)
