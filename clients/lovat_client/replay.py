"""Replay files: a game as lines of JSON, each sealed by a chain of SHA-256.

    {"header":{...},"chain":"<64 hex digits>"}     line 1: what was played, and how it began
    {"record":{...},"chain":"..."}                 one accepted call a line, protobuf JSON
    {"end":{"records":41,"checksum":"..."},"chain":"..."}

A line's chain is the SHA-256 of the chain before it (64 zeros for the header), a line feed, and
every byte of the line before `,"chain":"`. So no byte of a file can change without its line being
found. The chain holds no secret: that the log is a true game is shown by `confirm`, which has a
server repeat it.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import ReplayGameResponse, ReplayStart

from .sdk.client import LovatClient
from .sdk.errors import ReplayFileError
from .sdk.session import Head

FORMAT = 1
MessageT = TypeVar("MessageT", bound=Message)
_FIRST = "0" * 64
_SEAL = re.compile(rb'^(?P<body>\{.*),"chain":"(?P<chain>[0-9a-f]{64})"\}$', re.DOTALL)


@dataclass(frozen=True, slots=True)
class Header:
    """What a file is of. `checksum` is that of the first position."""

    game: str
    scenario: str
    ruleset_version: str
    catalog_hash: str
    checksum: str
    start: ReplayStart
    format: int = FORMAT

    @classmethod
    def of(cls, head: Head) -> Header:
        first = head.created.position
        return cls(first.game, first.scenario, first.ruleset_version, first.catalog_hash,
                   first.checksum, head.start)


@dataclass(frozen=True, slots=True)
class ReplayLog:
    """A whole file, its chain checked. `checksum` is that of the last position."""

    header: Header
    records: tuple[core_pb2.LogRecord, ...]
    checksum: str


@dataclass(frozen=True, slots=True)
class Confirmation:
    """What a server says of a log. `problem` is one line about the first difference, "" if none.

    `records` were repeated exactly. `is_dice_verified` is False for dice that were thrown
    elsewhere, which prove nothing.
    """

    records: int
    problem: str
    is_dice_verified: bool

    @property
    def is_confirmed(self) -> bool:
        return not self.problem


class ReplayWriter:
    """Writes a file line by line; `close` seals it with the checksum of the last position.

    A file that is not closed has no last line, and `read_replay` says so.
    """

    def __init__(self, path: Path, header: Header) -> None:
        self._file: BinaryIO = path.open("wb")
        self._chain = _FIRST
        self._records = 0
        self._checksum = header.checksum
        self._write({"header": {
            "format": header.format, "game": header.game, "scenario": header.scenario,
            "ruleset_version": header.ruleset_version, "catalog_hash": header.catalog_hash,
            "checksum": header.checksum, "start": _as_json(header.start)}})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if error is None:
            self.close()
        else:
            self._file.close()

    def write(self, record: core_pb2.LogRecord) -> None:
        """Add the next record."""
        self._write({"record": _as_json(record)})
        self._records += 1
        self._checksum = record.checksum_after

    def close(self) -> None:
        if not self._file.closed:
            self._write({"end": {"records": self._records, "checksum": self._checksum}})
            self._file.close()

    def _write(self, value: Mapping[str, Any]) -> None:
        body = json.dumps(value, separators=(",", ":"), ensure_ascii=False)[:-1].encode()
        self._chain = _next_chain(self._chain, body)
        self._file.write(body + b',"chain":"' + self._chain.encode() + b'"}\n')


def write_replay(path: Path, header: Header, records: Iterable[core_pb2.LogRecord]) -> None:
    """Write a whole file."""
    with ReplayWriter(path, header) as writer:
        for record in records:
            writer.write(record)


def save(path: Path, head: Head) -> None:
    """Write the game that a session has played so far."""
    write_replay(path, Header.of(head), head.records)


def read_replay(path: Path) -> ReplayLog:
    """Read and check a file. `ReplayFileError` names the first line that is damaged.

    Checked are the chain, the form of every line, and that each record begins at the checksum
    where the one before it ended.
    """
    lines = path.read_bytes().split(b"\n")
    last = lines.pop()
    header: Header | None = None
    records: list[core_pb2.LogRecord] = []
    checksum = ""
    end: Mapping[str, Any] | None = None
    for number, value in _sealed(lines):
        if end is not None:
            raise ReplayFileError(number, "nothing may follow the closing line")
        kind, content = next(iter(value.items()))
        if (kind == "header") != (number == 1):
            raise ReplayFileError(number, "the first line, and no other, is the header")
        if kind == "header":
            header = _header(content)
            checksum = header.checksum
        elif kind == "record":
            record = _record(number, content)
            if record.checksum_before != checksum:
                raise ReplayFileError(number, "this record does not begin where the line before "
                                              f"it ended: {record.checksum_before or 'nothing'}, "
                                              f"not {checksum}")
            records.append(record)
            checksum = record.checksum_after
        elif kind == "end":
            end = content
            if content != {"records": len(records), "checksum": checksum}:
                raise ReplayFileError(number, "the closing line does not count the records or "
                                              "does not have the checksum of the last one")
        else:
            raise ReplayFileError(number, f"a line of unknown kind {kind!r}")
    if last:
        raise ReplayFileError(len(lines) + 1, "the line is broken off")
    if header is None or end is None:
        raise ReplayFileError(len(lines) + 1, "the file ends before its closing line")
    return ReplayLog(header, tuple(records), checksum)


def confirm(client: LovatClient, log: ReplayLog) -> Confirmation:
    """Have a server repeat the game. A difference is an answer; `LovatError` if a call fails."""
    problem = _mismatch(client, log.header)
    if problem:
        return Confirmation(0, problem, False)
    verdict = client.replay(log.header.start, log.records)
    return Confirmation(verdict.records, _difference(verdict, log), verdict.dice_verified)


def _mismatch(client: LovatClient, header: Header) -> str:
    """Why this server cannot repeat the game at all."""
    versions = {game.id: game.ruleset_version for game in client.games()}
    hashes = {scenario.id: scenario.content_hash for scenario in client.scenarios()}
    for word, name, wanted, known in (
        ("ruleset", header.game, header.ruleset_version, versions),
        ("catalog", header.scenario, header.catalog_hash, hashes),
    ):
        if name not in known:
            return f"the server has no {name!r}"
        if known[name] != wanted:
            return (f"the game was played with {word} {wanted} of {name!r}; "
                    f"the server has {known[name]}")
    return ""


def _difference(verdict: ReplayGameResponse, log: ReplayLog) -> str:
    if verdict.HasField("divergence"):
        found = verdict.divergence
        place = (f"record {found.record} (line {found.record + 2})" if found.record >= 0
                 else "the start (line 1)")
        return f"{place}: {found.field} is {found.expected} in the file, {found.actual} here"
    if not verdict.verified or verdict.records != len(log.records):
        return f"the server repeated {verdict.records} of {len(log.records)} records"
    if verdict.HasField("position") and verdict.position.checksum != log.checksum:
        return (f"the last position: checksum is {log.checksum} in the file, "
                f"{verdict.position.checksum} here")
    return ""


def _sealed(lines: list[bytes]) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Every line with its number from 1, its seal checked."""
    chain = _FIRST
    for number, line in enumerate(lines, 1):
        match = _SEAL.match(line)
        if match is None:
            raise ReplayFileError(number, "this is no sealed line of a replay file")
        chain = _next_chain(chain, match["body"])
        if match["chain"] != chain.encode():
            raise ReplayFileError(number, "the line is not as it was written (its seal is "
                                          f"{match['chain'][:12].decode()}..., "
                                          f"expected {chain[:12]}...)")
        try:
            value = json.loads(match["body"] + b"}")
        except ValueError as error:
            raise ReplayFileError(number, f"this is no JSON: {error}") from None
        if not isinstance(value, dict) or len(value) != 1:
            raise ReplayFileError(number, "a line is one header, record or end")
        yield number, value


def _next_chain(chain: str, body: bytes) -> str:
    return hashlib.sha256(chain.encode() + b"\n" + body).hexdigest()


def _header(content: Any) -> Header:
    try:
        if content["format"] != FORMAT:
            raise ReplayFileError(1, f"format {content['format']!r} is unknown; "
                                     f"this program reads format {FORMAT}")
        start = _from_json(content["start"], ReplayStart())
        return Header(
            game=str(content["game"]), scenario=str(content["scenario"]),
            ruleset_version=str(content["ruleset_version"]),
            catalog_hash=str(content["catalog_hash"]), checksum=str(content["checksum"]),
            start=start)
    except (KeyError, TypeError, json_format.ParseError) as error:
        raise ReplayFileError(1, f"the header cannot be read: {error}") from None


def _record(number: int, content: Any) -> core_pb2.LogRecord:
    try:
        return _from_json(content, core_pb2.LogRecord())
    except (TypeError, json_format.ParseError) as error:
        raise ReplayFileError(number, f"the record cannot be read: {error}") from None


def _as_json(message: Message) -> dict[str, Any]:
    return json_format.MessageToDict(message, preserving_proto_field_name=True)


def _from_json(content: Any, message: MessageT) -> MessageT:
    return json_format.ParseDict(content, message)


__all__ = ["FORMAT", "Confirmation", "Header", "ReplayFileError", "ReplayLog",
           "ReplayWriter", "confirm", "read_replay", "save", "write_replay"]
