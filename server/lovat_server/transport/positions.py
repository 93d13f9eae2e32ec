"""Positions between their message and the domain, converted again only where they changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any, Generic, TypeVar

from google.protobuf.unknown_fields import UnknownFieldSet

from lovat.rules.v1 import core_pb2
from lovat_server.core.errors import MalformedError, MismatchError
from lovat_server.service.dice_state import MAX_SCRIPT, MAX_SECRET, DiceMode, DiceState
from lovat_server.service.library import Library, Volume
from lovat_server.service.position import Position, require_checksum, require_playable, seal

from .codecs import Codec, Codecs
from .decode import FieldError

CACHED = 256
"""Positions that are remembered, and those that are expected."""

Key = TypeVar("Key")
Value = TypeVar("Value")

_MAX_COUNTER = 10_000_000
_MAX_VERSION = 2**32
_MODES = {int(mode): mode for mode in DiceMode}


@dataclass(frozen=True, slots=True)
class Opened:
    """A position as it came: in domain terms, its codec, the message of its state, all its bytes.
    """

    position: Position
    codec: Codec
    message: Any
    sent: bytes


@dataclass(frozen=True, slots=True)
class _Expected:
    """A position that was not sent as a whole; `sent` are the bytes of the one `before` it."""

    position: Position
    before: Any
    sent: bytes


class Positions:
    """Reads and writes positions; remembers those that came or went last, by what was sent.

    A position that went as a delta is written out only when it comes back, if ever it does.
    """

    def __init__(self, library: Library, codecs: Codecs, capacity: int = CACHED) -> None:
        self._library = library
        self._codecs = codecs
        self._known: _Latest[bytes, Position] = _Latest(capacity)
        self._expected: _Latest[str, _Expected] = _Latest(capacity)

    def read(self, request: Any) -> Opened:
        """The position of a request, checked.

        MalformedError for what cannot be read, UnknownError and MismatchError as
        `Library.admit`, MismatchError for a wrong checksum.
        """
        if not request.HasField("position"):
            raise MalformedError("position: nothing is set here; it is required", field="position")
        return self.read_message(request.position)

    def read_message(self, message: core_pb2.Position) -> Opened:
        """As `read`, of the position itself; every field is named from `position` down."""
        sent = message.SerializeToString(deterministic=True)
        position = self._known.recall(sent) or self._settle(message.checksum, sent)
        if position is None:
            position = self._read_new(message)
            self._known.remember(sent, position)
        return Opened(position, self._codecs.of(position.volume),
                      getattr(message.state, position.volume.game.id), sent)

    def _read_new(self, message: core_pb2.Position) -> Position:
        form = _state_of(message)
        volume = self._library.admit(message.game, message.scenario, message.ruleset_version,
                                     message.catalog_hash)
        codec = self._codecs.of(volume)
        if form.WhichOneof("game") != volume.game.id:
            raise MalformedError(f"position.state: expected {volume.game.id} to be set",
                                 field="position.state")
        if message.version > _MAX_VERSION:
            raise MalformedError(f"position.version: {message.version} is too big",
                                 field="position.version")
        dice = _read_dice(form)
        _require_known_fields(message, form)
        state = _read_state(volume, codec, getattr(form, volume.game.id))
        position = seal(volume, state, dice, message.version)
        require_checksum(position, message.checksum)
        require_playable(position)
        return position

    def write(self, target: core_pb2.Position, position: Position,
              opened: Opened | None = None) -> None:
        """Fill an empty message with a position; `opened` is the one that it came from."""
        if opened is None:
            self._write(target, position, None, None)
        else:
            self._write(target, position, opened.message, opened.position.state)
        self._known.remember(target.SerializeToString(deterministic=True), position)

    def write_unchecked(self, target: core_pb2.Position, position: Position, path: str) -> None:
        """Fill an empty message with a position that may have faults, and do not remember it.

        MalformedError, of the field `path`, for a value that no message of a position may have.
        """
        try:
            self._write(target, position, None, None)
            self._codecs.of(position.volume).decode_state(
                getattr(target.state, position.volume.game.id))
        except (ValueError, OverflowError) as error:
            raise _malformed(path, f"it has a number that no position can have ({error})") from None
        except FieldError as fault:
            raise _malformed(path, f"{fault.path}: {fault.message}") from None

    def write_delta(self, target: core_pb2.PositionDelta, position: Position,
                    opened: Opened) -> None:
        """Fill an empty message with what has changed since the position that was opened."""
        before = opened.position
        target.version_before = before.version
        target.checksum_before = before.checksum
        target.version = position.version
        target.checksum = position.checksum
        target.dice_counter = position.dice.counter
        body = getattr(target, position.volume.game.id)
        body.SetInParent()
        opened.codec.write_delta(body, position.state, before.state)

    def expect(self, position: Position, opened: Opened) -> None:
        """Know the position when it comes back, though it was not sent as a whole."""
        self._expected.remember(position.checksum, _Expected(
            position, opened.position.state, opened.sent))

    def _settle(self, checksum: str, sent: bytes) -> Position | None:
        """The expected position of this checksum if it is what was sent; None otherwise."""
        expected = self._expected.recall(checksum)
        if expected is None:
            return None
        position, whole = expected.position, core_pb2.Position()
        form = core_pb2.Position.FromString(expected.sent).state
        self._write(whole, position, getattr(form, position.volume.game.id), expected.before)
        if whole.SerializeToString(deterministic=True) != sent:
            return None
        self._known.remember(sent, position)
        return position

    def read_unchecked(self, request: Any) -> tuple[Position, bool]:
        """The position of a request, sound or not, and whether it came with dice.

        As `read`, but a checksum is not compared and dice may be missing; the MalformedError for
        what cannot be read names every such field.
        """
        if not request.HasField("position"):
            raise _malformed("position", "nothing is set here; it is required")
        message = request.position
        form = _state_of(message)
        volume = self._library.admit(message.game, message.scenario, message.ruleset_version,
                                     message.catalog_hash)
        codec = self._codecs.of(volume)
        if form.WhichOneof("game") != volume.game.id:
            raise _malformed("position.state", f"expected {volume.game.id} to be set")
        body, path = getattr(form, volume.game.id), f"position.state.{volume.game.id}"
        wrong = [fault.at(path) for fault in codec.unreadable(body)]
        dice = DiceState(DiceMode.SCRIPTED)
        if message.version > _MAX_VERSION:
            wrong.insert(0, _malformed("position.version", f"{message.version} is too big"))
        if form.HasField("dice"):
            try:
                dice = _read_dice(form)
            except MalformedError as error:
                wrong.append(error)
        if wrong:
            raise MalformedError(wrong[0].message, field=wrong[0].field, others=wrong[1:])
        _require_known_fields(message, form)
        return (seal(volume, _read_state(volume, codec, body), dice, message.version),
                form.HasField("dice"))

    def _write(self, target: core_pb2.Position, position: Position, message: Any,
               before: Any) -> None:
        """Fill an empty message; `message` has the state `before`, both are None if there is none.
        """
        volume = position.volume
        target.game = volume.game.id
        target.scenario = volume.scenario
        target.ruleset_version = volume.game.ruleset_version
        target.catalog_hash = volume.content_hash
        target.version = position.version
        target.checksum = position.checksum
        _write_dice(target.state.dice, position.dice)
        body = getattr(target.state, volume.game.id)
        body.SetInParent()
        if message is not None:
            body.CopyFrom(message)
        self._codecs.of(volume).write_state(body, position.state, before)


class _Latest(Generic[Key, Value]):
    """So many values by key; the one that was not asked for longest goes first."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._values: OrderedDict[Key, Value] = OrderedDict()
        self._lock = Lock()

    def recall(self, key: Key) -> Value | None:
        with self._lock:
            value = self._values.get(key)
            if value is not None:
                self._values.move_to_end(key)
            return value

    def remember(self, key: Key, value: Value) -> None:
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            if len(self._values) > self._capacity:
                self._values.popitem(last=False)


def _state_of(message: core_pb2.Position) -> core_pb2.GameState:
    if message.WhichOneof("form") is None:
        raise MalformedError("position.state: nothing is set here; it is required",
                             field="position.state")
    return message.state


def _require_known_fields(message: core_pb2.Position, form: core_pb2.GameState) -> None:
    # a byte that was flipped in transit may turn a field, the checksum too, into an unknown one
    for part, path in ((message, "position"), (form, "position.state"),
                       (form.dice, "position.state.dice")):
        if len(UnknownFieldSet(part)):
            raise _unknown_fields(path)


def _unknown_fields(path: str) -> MismatchError:
    return MismatchError(f"{path}: has fields that this server does not know", field=path)


def _read_state(volume: Volume, codec: Codec, body: Any) -> Any:
    path = f"position.state.{volume.game.id}"
    try:
        state = codec.decode_state(body)
    except FieldError as fault:
        raise fault.at(path) from None
    raw = body.SerializeToString(deterministic=True)
    plain = type(body).FromString(raw)
    plain.DiscardUnknownFields()
    if len(raw) != plain.ByteSize():
        raise _unknown_fields(path)
    return state


def _read_dice(form: core_pb2.GameState) -> DiceState:
    path = "position.state.dice"
    if not form.HasField("dice"):
        raise MalformedError(f"{path}: nothing is set here; it is required", field=path)
    dice = form.dice
    mode = _MODES.get(dice.mode)
    if mode is None:
        raise _malformed(f"{path}.mode", f"{dice.mode or 'nothing'} is no mode of a position")
    scripted = mode is DiceMode.SCRIPTED
    if bool(dice.secret) is scripted or len(dice.secret) > MAX_SECRET:
        raise _malformed(f"{path}.secret", f"{len(dice.secret)} bytes; expected "
                         + ("none for scripted dice" if scripted else f"1 to {MAX_SECRET}"))
    if dice.script and (not scripted or len(dice.script) > MAX_SCRIPT):
        raise _malformed(f"{path}.script", f"{len(dice.script)} dice; expected "
                         + (f"at most {MAX_SCRIPT}" if scripted else "none for keyed dice"))
    for place, roll in enumerate(dice.script):
        if not 1 <= roll <= 6:
            raise _malformed(f"{path}.script[{place}]", f"{roll} is no die; expected 1 to 6")
    most = len(dice.script) if scripted else _MAX_COUNTER
    if dice.counter > most:
        raise _malformed(f"{path}.counter", f"{dice.counter} is too big; expected at most {most}")
    state = DiceState(mode, dice.secret, dice.counter, tuple(dice.script))
    if dice.commitment and dice.commitment != state.commitment:
        raise _malformed(f"{path}.commitment", "is not the SHA-256 of the secret")
    return state


def _write_dice(target: core_pb2.DiceState, dice: DiceState) -> None:
    target.mode = dice.mode.value  # type: ignore[assignment]
    target.secret = dice.secret
    target.counter = dice.counter
    target.script.extend(dice.script)
    target.commitment = dice.commitment


def _malformed(path: str, message: str) -> MalformedError:
    return MalformedError(f"{path}: {message}", field=path)
