"""Position and order files: protobuf JSON if the name ends in .json, else protobuf binary."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import ResolveImpulseRequest
from lovat.white_death.v1 import orders_pb2

from .console import fail

MessageT = TypeVar("MessageT", bound=Message)


def read_position(path: Path) -> core_pb2.Position:
    """A position; one line of error if the file holds none."""
    position = _read(path, core_pb2.Position())
    if not position.game or not position.HasField("state"):
        fail(f"{path} holds no position")
    return position


def write_position(path: Path, position: core_pb2.Position) -> None:
    if is_json(path):
        path.write_text(as_json(position) + "\n", "utf-8")
    else:
        path.write_bytes(position.SerializeToString(deterministic=True))


def next_path(path: Path, version: int) -> Path:
    """Where the position after `path` goes by default: game.json, game.v1.json, game.v2.json."""
    stem = re.sub(r"\.v\d+$", "", path.stem)
    return path.with_name(f"{stem}.v{version}{path.suffix}")


def read_order(path: Path) -> core_pb2.Order:
    """An order: of a game ({"declare_impulse": ...}) or in its envelope ({"white_death": ...})."""
    if not is_json(path):
        return _read(path, core_pb2.Order())
    content = _json(path)
    if isinstance(content, dict) and content.keys() & {"white_death", "whiteDeath"}:
        return _parse(path, content, core_pb2.Order())
    return core_pb2.Order(white_death=_parse(path, content, orders_pb2.Order()))


def read_standing(path: Path) -> core_pb2.StandingOrders:
    """Standing orders, of a game or in their envelope."""
    content = _json(path)
    if isinstance(content, dict) and content.keys() & {"white_death", "whiteDeath"}:
        return _parse(path, content, core_pb2.StandingOrders())
    return core_pb2.StandingOrders(
        white_death=_parse(path, content, orders_pb2.StandingOrders()))


def read_side_orders(path: Path) -> list[core_pb2.SideOrders]:
    """Orders of both sides: a list of SideOrders, or an object with `orders`."""
    content = _json(path)
    if isinstance(content, list):
        content = {"orders": content}
    return list(_parse(path, content, ResolveImpulseRequest()).orders)


def as_json(message: Message) -> str:
    """A message as readable JSON, fields named as in the .proto."""
    return json_format.MessageToJson(message, preserving_proto_field_name=True, indent=1,
                                     ensure_ascii=False)


def is_json(path: Path) -> bool:
    return path.suffix.lower() == ".json"


def _read(path: Path, message: MessageT) -> MessageT:
    if is_json(path):
        return _parse(path, _json(path), message)
    try:
        message.ParseFromString(path.read_bytes())
    except DecodeError:
        fail(f"{path} is no {message.DESCRIPTOR.name} in protobuf binary; "
             "a file of JSON is named .json")
    return message


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except ValueError as error:
        fail(f"{path} is no JSON: {error}")


def _parse(path: Path, content: Any, message: MessageT) -> MessageT:
    if not isinstance(content, dict):
        fail(f"{path} is no {message.DESCRIPTOR.name}: expected an object in braces")
    try:
        return json_format.ParseDict(content, message)
    except (json_format.ParseError, TypeError, AttributeError, ValueError) as error:
        fail(f"{path} is no {message.DESCRIPTOR.name}: {error}")
