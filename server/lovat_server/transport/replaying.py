"""ReplayGame: a stream of log records against the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf import text_format

from lovat.rules.v1 import core_pb2, event_pb2, rules_service_pb2
from lovat_server.core.errors import LovatError, MalformedError
from lovat_server.service.create import create_game
from lovat_server.service.dice_state import DiceMode
from lovat_server.service.library import Library
from lovat_server.service.position import Position
from lovat_server.service.replay import Divergence, Record, Replay

from .codecs import Codec, Codecs
from .creation import read_creation
from .messages import game_part, prefixed, read_game_part, read_side_orders
from .positions import Positions

MAX_EVENTS = 20_000
_MAX_SHOWN = 500
_START = -1


def replay(requests: Iterator[rules_service_pb2.ReplayGameRequest], library: Library,
           codecs: Codecs, positions: Positions) -> rules_service_pb2.ReplayGameResponse:
    """The verdict on a log; nothing after the first divergence is read.

    MalformedError names the message (`requests[3].record.events[0]...`).
    """
    first = next(requests, None)
    if first is None or first.WhichOneof("item") != "start":
        raise MalformedError("requests[0].start: nothing is set here; a replay begins with its "
                             "start", field="requests[0].start")
    try:
        start = _begin(first.start, library, codecs, positions)
    except LovatError as error:
        raise prefixed(error, "requests[0].start") from None
    if isinstance(start, Divergence):
        return _response(None, start, codecs, positions)
    running = Replay(start)
    codec = codecs.of(start.volume)
    for number, request in enumerate(requests, 1):
        path = f"requests[{number}].record"
        if request.WhichOneof("item") != "record":
            raise MalformedError(f"{path}: nothing is set here; after the start come records",
                                 field=path)
        try:
            record = _read_record(request.record, running.position, codec)
        except LovatError as error:
            raise prefixed(error, path) from None
        if not running.take(record):
            break
    return _response(running, running.divergence, codecs, positions)


def _begin(start: rules_service_pb2.ReplayStart, library: Library, codecs: Codecs,
           positions: Positions) -> Position | Divergence:
    given = positions.read(start).position if start.HasField("position") else None
    if not start.HasField("create"):
        if given is None:
            raise MalformedError("position: nothing is set here; it is required without `create`",
                                 field="position")
        return given
    try:
        asked = read_creation(start.create, library, codecs)
        keyed = asked.dice.mode is DiceMode.SERVER_KEYED
        if keyed and given is None:
            raise MalformedError("dice_mode: a server-keyed game cannot be created twice; its "
                                 "first position is required", field="dice_mode")
        secret = given.dice.secret if given is not None else b""
        made = create_game(asked.volume, asked.options, asked.dice,
                           standard_set_up=asked.standard_set_up, draw_secret=lambda: secret)
    except LovatError as error:
        raise prefixed(error, "create") from None
    if given is not None and given.checksum != made.position.checksum:
        return Divergence(_START, "position.checksum", given.checksum, made.position.checksum)
    return made.position


def _read_record(record: core_pb2.LogRecord, position: Position, codec: Codec) -> Record:
    if len(record.events) > MAX_EVENTS:
        raise MalformedError(f"events: {len(record.events)} items; expected at most {MAX_EVENTS}",
                             field="events")
    return Record(
        version=record.version,
        checksum_before=record.checksum_before,
        dice_before=record.dice_before,
        impulse=record.impulse,
        orders=read_side_orders(record.orders, position, codec),
        events=tuple(read_game_part(event, codec, codec.decode_event, f"events[{place}]")
                     for place, event in enumerate(record.events)),
        checksum_after=record.checksum_after,
        dice_after=record.dice_after,
    )


def _response(running: Replay | None, divergence: Divergence | None, codecs: Codecs,
              positions: Positions) -> rules_service_pb2.ReplayGameResponse:
    response = rules_service_pb2.ReplayGameResponse(verified=divergence is None)
    codec = None
    if running is not None:
        response.records = running.records
        response.dice_verified = running.has_keyed_dice
        codec = codecs.of(running.position.volume)
        positions.write(response.position, running.position)
    if divergence is not None:
        response.divergence.record = divergence.record
        response.divergence.field = divergence.field
        response.divergence.expected = _shown(divergence.expected, codec)
        response.divergence.actual = _shown(divergence.actual, codec)
    return response


def _shown(value: Any, codec: Codec | None) -> str:
    if value is None:
        return "nothing"
    if codec is None or isinstance(value, str | int):
        return str(value)[:_MAX_SHOWN]
    event = game_part(event_pb2.GameEvent, codec, codec.encode_event(value))
    return text_format.MessageToString(event, as_one_line=True)[:_MAX_SHOWN]
