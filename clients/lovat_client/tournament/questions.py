"""What a bot in its own process asks before it answers, and what it is told.

The frames are those of `bot_host`: PREVIEW and OVERLAY from the bot, ADVICE or FAILED back. The
bot's end is an `Asker`, the other `answer`.
"""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2, rules_service_pb2

from .frames import Channel

if TYPE_CHECKING:
    from ..bots.protocol import Advisor
    from ..sdk.errors import LovatError

ADVICE, FAILED = 5, 6
"""To the host: the answer to its question, a PreviewCombatResponse or an Overlay; JSON of the
LovatError that came of it."""

PREVIEW, OVERLAY = 15, 16
"""From the host while a decision is pending: an Order; an OverlayQuery."""

QUESTIONS = (PREVIEW, OVERLAY)


class Asker:
    """The `bots.Advisor` of a bot in its own process; `lock` is held while a frame is under way.

    It answers while a decision `is_open`, at other times it raises RuntimeError.
    """

    def __init__(self, channel: Channel) -> None:
        self._channel = channel
        self.lock = threading.Lock()
        self.is_open = False

    def preview(self, order: core_pb2.Order) -> rules_service_pb2.PreviewCombatResponse:
        return rules_service_pb2.PreviewCombatResponse.FromString(self._ask(PREVIEW, order))

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        return core_pb2.Overlay.FromString(self._ask(OVERLAY, query))

    def _ask(self, kind: int, question: Message) -> bytes:
        body = question.SerializeToString()
        with self.lock:
            if not self.is_open:
                raise RuntimeError("no decision is pending that could be asked about")
            self._channel.send(kind, body)
            answer, content = self._channel.receive()
        if answer == FAILED:
            raise _error_of(content)
        return content


def answer(advisor: Advisor, kind: int, body: bytes) -> tuple[int, bytes]:
    """The frame that answers a question: ADVICE, or FAILED if the call failed.

    `DecodeError` if the body is not what its kind says.
    """
    from ..sdk.errors import LovatError

    order, query = core_pb2.Order(), core_pb2.OverlayQuery()
    (order if kind == PREVIEW else query).ParseFromString(body)
    try:
        said: Message = advisor.preview(order) if kind == PREVIEW else advisor.overlay(query)
    except LovatError as error:
        return FAILED, _json_of(error)
    return ADVICE, said.SerializeToString()


def _json_of(error: LovatError) -> bytes:
    return json.dumps({
        "rpc": error.rpc, "code": error.code.name, "message": error.message,
        "reason": error.reason, "metadata": dict(error.metadata),
        "retry_after": error.retry_after,
        "fields": [[item.field, item.description] for item in error.fields]}).encode()


def _error_of(body: bytes) -> LovatError:
    # Slow to import, and only a bot whose question fails needs it.
    import grpc

    from ..sdk.errors import FieldViolation, LovatError

    told = json.loads(body)
    return LovatError(
        told["rpc"], grpc.StatusCode[told["code"]], told["message"], reason=told["reason"],
        fields=tuple(FieldViolation(*item) for item in told["fields"]),
        metadata=told["metadata"], retry_after=told["retry_after"])
