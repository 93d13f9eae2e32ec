"""Positions between their message and the domain, converted again only where they changed."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from threading import Lock
from typing import Any

from google.protobuf.unknown_fields import UnknownFieldSet

from lovat.rules.v1 import core_pb2
from lovat_server.core.errors import MalformedError, MismatchError
from lovat_server.service.dice_state import MAX_SCRIPT, MAX_SECRET, DiceMode, DiceState
from lovat_server.service.library import Library, Volume
from lovat_server.service.position import Position, require_checksum, require_playable, seal

from .codecs import Codec, Codecs
from .decode import FieldError

CACHED_STATES = 256
_MAX_COUNTER = 10_000_000
_MAX_VERSION = 2**32
_MODES = {int(mode): mode for mode in DiceMode}


@dataclass(frozen=True, slots=True)
class Opened:
    """A position as it came: in domain terms, its codec, and the message of its state."""

    position: Position
    codec: Codec
    message: Any


@dataclass(frozen=True, slots=True)
class _Known:
    state: Any
    checksum: str


class Positions:
    """Reads and writes positions; remembers the states that came or went last."""

    def __init__(self, library: Library, codecs: Codecs, capacity: int = CACHED_STATES) -> None:
        self._library = library
        self._codecs = codecs
        self._capacity = capacity
        self._known: OrderedDict[tuple[str, bytes], _Known] = OrderedDict()
        self._lock = Lock()

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
        body = getattr(form, volume.game.id)
        key = volume.content_hash, body.SerializeToString(deterministic=True)
        known = self._recall(key)
        fresh = known is None
        if known is None:
            known = _read_state(volume, codec, body, key[1])
        position = seal(volume, known.state, dice, message.version, known.checksum)
        require_checksum(position, message.checksum)
        if fresh:
            require_playable(position)
            self._remember(key, known)
        return Opened(position, codec, body)

    def write(self, target: core_pb2.Position, position: Position,
              opened: Opened | None = None) -> None:
        """Fill an empty message with a position; `opened` is the one that it came from."""
        volume, codec = position.volume, self._codecs.of(position.volume)
        self._fill(target, position)
        body = getattr(target.state, volume.game.id)
        body.SetInParent()
        if opened is None:
            codec.write_state(body, position.state, None)
        else:
            body.CopyFrom(opened.message)
            codec.write_state(body, position.state, opened.position.state)
        key = volume.content_hash, body.SerializeToString(deterministic=True)
        self._remember(key, _Known(position.state, position.state_checksum))

    def write_unchecked(self, target: core_pb2.Position, position: Position, path: str) -> None:
        """Fill an empty message with a position that may have faults, and do not remember it.

        MalformedError, of the field `path`, for a value that no message of a position may have.
        """
        codec = self._codecs.of(position.volume)
        try:
            self._fill(target, position)
            body = getattr(target.state, position.volume.game.id)
            body.SetInParent()
            codec.write_state(body, position.state, None)
            codec.decode_state(body)
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
        """Know the position when it comes back, though it was not sent as a whole.

        The message it was opened from is brought up to date in place; it is of no more use.
        """
        opened.codec.write_state(opened.message, position.state, opened.position.state)
        key = position.volume.content_hash, opened.message.SerializeToString(deterministic=True)
        self._remember(key, _Known(position.state, position.state_checksum))

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
        known = _read_state(volume, codec, body, body.SerializeToString(deterministic=True))
        return (seal(volume, known.state, dice, message.version, known.checksum),
                form.HasField("dice"))

    @staticmethod
    def _fill(target: core_pb2.Position, position: Position) -> None:
        """All but the game's own state."""
        volume = position.volume
        target.game = volume.game.id
        target.scenario = volume.scenario
        target.ruleset_version = volume.game.ruleset_version
        target.catalog_hash = volume.content_hash
        target.version = position.version
        target.checksum = position.checksum
        _write_dice(target.state.dice, position.dice)

    def _recall(self, key: tuple[str, bytes]) -> _Known | None:
        with self._lock:
            known = self._known.get(key)
            if known is not None:
                self._known.move_to_end(key)
            return known

    def _remember(self, key: tuple[str, bytes], known: _Known) -> None:
        with self._lock:
            self._known[key] = known
            self._known.move_to_end(key)
            if len(self._known) > self._capacity:
                self._known.popitem(last=False)


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


def _read_state(volume: Volume, codec: Codec, body: Any, raw: bytes) -> _Known:
    path = f"position.state.{volume.game.id}"
    try:
        state = codec.decode_state(body)
    except FieldError as fault:
        raise fault.at(path) from None
    plain = type(body).FromString(raw)
    plain.DiscardUnknownFields()
    if len(raw) != plain.ByteSize():
        raise _unknown_fields(path)
    return _Known(state, volume.game.checksum(state))


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
