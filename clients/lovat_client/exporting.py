"""Positions and logs as one JSON document for other programs.

    {
      "lovat": {"format": 1, "kind": "position" or "game"},
      "position": {...},            a lovat.rules.v1.Position
      "log": {                      of a game only
        "at": 3,                    how many records lead to the position
        "start": {...},             a lovat.rules.v1.ReplayStart
        "records": [{...}, ...],    each a lovat.rules.v1.LogRecord
        "checksum": "..."           of the position after the last record
      }
    }

All messages are protobuf JSON: fields are named as in the .proto, those at their default are left
out, 64-bit numbers are in quotes, bytes in base64. Keys are sorted, so that equal games give equal
bytes. A position holds the secret of its dice: do not show an export to players during play.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import ReplayStart

from .replay import ReplayLog
from .sdk.errors import ClientError

FORMAT = 1
MessageT = TypeVar("MessageT", bound=Message)


class ExportError(ClientError):
    """A document that cannot be read, or a position and a log that are not of one game."""


@dataclass(frozen=True, slots=True)
class ExportedLog:
    """A log. `at` of its records lead to the position it is exported with."""

    at: int
    start: ReplayStart
    records: tuple[core_pb2.LogRecord, ...]
    checksum: str


@dataclass(frozen=True, slots=True)
class Export:
    """What a document holds."""

    position: core_pb2.Position
    log: ExportedLog | None = None


def export_of(position: core_pb2.Position, replay: ReplayLog | None = None) -> Export:
    """A position, and the log of its game. `ExportError` if it is not in that log."""
    if replay is None:
        return Export(position)
    steps = [replay.header.checksum, *(record.checksum_after for record in replay.records)]
    if position.checksum not in steps:
        raise ExportError(
            f"the position (of {position.scenario}, version {position.version}, checksum "
            f"{position.checksum[:12] or 'missing'}) is not in the log of "
            f"{replay.header.scenario}; expected one of its {len(steps)} positions")
    return Export(position, ExportedLog(steps.index(position.checksum), replay.header.start,
                                        replay.records, replay.checksum))


def dumps(export: Export) -> str:
    """The document. Equal games give equal text."""
    document: dict[str, Any] = {
        "lovat": {"format": FORMAT, "kind": "game" if export.log else "position"},
        "position": _as_json(export.position)}
    if export.log is not None:
        document["log"] = {"at": export.log.at, "start": _as_json(export.log.start),
                           "records": [_as_json(record) for record in export.log.records],
                           "checksum": export.log.checksum}
    return json.dumps(document, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def loads(text: str) -> Export:
    """What `dumps` was given. `ExportError` names the part that cannot be read."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ExportError(f"this is no JSON: {error}") from None
    head = _member(document, "lovat", dict, "the document")
    if head.get("format") != FORMAT or head.get("kind") not in {"position", "game"}:
        raise ExportError(f"lovat: {json.dumps(head)[:100]}; expected format {FORMAT} and the kind "
                          "'position' or 'game'")
    position = _parse(_member(document, "position", dict, "the document"), core_pb2.Position(),
                      "position")
    if head["kind"] == "position":
        return Export(position)
    log = _member(document, "log", dict, "the document")
    records = tuple(_parse(record, core_pb2.LogRecord(), f"log.records[{number}]")
                    for number, record in enumerate(_member(log, "records", list, "log")))
    at = _member(log, "at", int, "log")
    if not 0 <= at <= len(records):
        raise ExportError(f"log.at: {at}; expected 0 to {len(records)}, the number of records")
    return Export(position, ExportedLog(
        at, _parse(_member(log, "start", dict, "log"), ReplayStart(), "log.start"), records,
        _member(log, "checksum", str, "log")))


def write_export(path: Path, export: Export) -> None:
    path.write_text(dumps(export), "utf-8")


def read_export(path: Path) -> Export:
    """`ExportError` if the file holds no export."""
    try:
        return loads(path.read_text("utf-8"))
    except UnicodeDecodeError as error:
        raise ExportError(f"{path}: this is no text: {error}") from None
    except ExportError as error:
        raise ExportError(f"{path}: {error}") from None


def _member(content: Any, key: str, kind: type, place: str) -> Any:
    value = content.get(key) if isinstance(content, dict) else None
    if not isinstance(value, kind) or isinstance(value, bool):
        words = {dict: "an object", list: "a list", int: "a whole number", str: "text"}[kind]
        raise ExportError(f"{place}: {key!r} is {type(value).__name__}; expected {words}")
    return value


def _as_json(message: Message) -> dict[str, Any]:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _parse(content: Any, message: MessageT, place: str) -> MessageT:
    try:
        return json_format.ParseDict(content, message)
    except (json_format.ParseError, TypeError, AttributeError, ValueError) as error:
        raise ExportError(f"{place}: {error}") from None
