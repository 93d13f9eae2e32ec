"""The other end of `bot_host`: asks a bot in its process, and tells what it did wrong."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self

from google.protobuf.message import DecodeError

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import ValidateOrdersResponse

from ..sdk.server import child_environment, module_command
from .bot_host import CATALOG, CRASHED, DECIDE, MISSING, ORDER, READY, REFUSED, START
from .frames import Channel, ChannelError, ClosedError, TimedOutError, TooLongError, pair
from .questions import PREVIEW, QUESTIONS, answer
from .results import CRASH, FLOOD, HANG, ILLEGAL
from .terms import BotEntry, Limits

if TYPE_CHECKING:
    from ..bots.protocol import Advisor

_HOST = "lovat_client.tournament.bot_host"
_ENDS_WITHIN = 2.0  # seconds that a closed process gets to be gone
_SHOWN = 3  # violations in a reason
_LEAST_TAKEN = 16 * 1024  # bytes of a message: a traceback may be longer than an order


class BotFaultError(Exception):
    """A bot has lost its game: how (`results.FAULTS`), and why in a sentence."""

    def __init__(self, bot: BotProcess, kind: str, reason: str) -> None:
        super().__init__(reason)
        self.bot = bot
        self.kind = kind
        self.reason = reason


class MissingBotError(BotFaultError):
    """There is no such bot to be made."""


class BotProcess:
    """One bot for one game. Start, wait for `ready`, ask; `close` at the end, whatever happened.

    Every method but `close` raises `BotFaultError`. `decisions`, `refusals`, `questions` and
    `seconds` count what it did; what it asks is answered in its own time.
    """

    def __init__(self, entry: BotEntry, seed: str, limits: Limits,
                 folders: Sequence[str] = ()) -> None:
        self.entry = entry
        self.decisions = 0
        self.refusals = 0
        self.questions = 0
        self.seconds = 0.0
        self._refused_here = 0
        self._asked_here = 0
        self._limits = limits
        self._spec = {"use": entry.use, "options": dict(entry.options), "seed": seed,
                      "folders": list(folders), "memory_mib": limits.memory_mib}
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> Self:
        """Start the process and ask for the bot, without waiting for either."""
        self._channel, passed = pair()
        with passed:
            self._process = subprocess.Popen(
                module_command(_HOST, [str(passed.fileno()), str(os.getpid())]),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                env=child_environment(), pass_fds=[passed.fileno()], start_new_session=True)
        self._say(START, json.dumps(self._spec).encode(), self._limits.start_seconds)
        return self

    def ready(self, catalog: bytes = b"") -> None:
        """Wait until the bot is made; then give it the catalog, serialised."""
        kind, body = self._hear(self._limits.start_seconds, "to be made")
        if kind != READY:
            self._blame(kind, body)
        self._say(CATALOG, catalog, self._limits.start_seconds)

    def decide(self, view: core_pb2.View, listing: core_pb2.Listing,
               advisor: Advisor) -> core_pb2.Order:
        """The answer to a decision; the advisor answers what it asks before."""
        seen = view.SerializeToString()
        self.decisions += 1
        self._refused_here = self._asked_here = 0
        return self._ask(DECIDE, len(seen).to_bytes(4, "big") + seen + listing.SerializeToString(),
                         advisor)

    def refused(self, violations: Sequence[core_pb2.Violation],
                advisor: Advisor) -> core_pb2.Order:
        """What it says instead of an order that was refused; at last it loses the game."""
        self.refusals += 1
        self._refused_here += 1
        limits = self._limits
        if self._refused_here > limits.refusals:
            told = "; ".join(_said(item) for item in violations[:_SHOWN])
            raise BotFaultError(self, ILLEGAL, f"refused {self._refused_here} times at one "
                                f"decision, the last time because: {told}")
        if self.refusals > limits.refusals_in_game:
            raise BotFaultError(self, FLOOD, f"{self.refusals} orders of the game refused; "
                                f"{limits.refusals_in_game} are allowed")
        return self._ask(REFUSED, ValidateOrdersResponse(violations=violations)
                         .SerializeToString(), advisor)

    def close(self) -> None:
        """End the process and whatever it has started in its session. Does nothing twice."""
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _ask(self, kind: int, body: bytes, advisor: Advisor) -> core_pb2.Order:
        limits, began = self._limits, time.monotonic()
        left = limits.decision_seconds
        if limits.game_seconds:
            left = min(left, limits.game_seconds - self.seconds)
            if left <= 0:
                raise BotFaultError(self, HANG, "has used up its "
                                    f"{limits.game_seconds:g} seconds for the game")
        end = began + left
        self._say(kind, body, left)
        try:
            said, content = self._hear(end - time.monotonic(), "to decide")
            while said in QUESTIONS:
                self._advise(advisor, said, content, end)
                said, content = self._hear(end - time.monotonic(), "to decide")
        finally:
            self.seconds += time.monotonic() - began
        if said != ORDER:
            self._blame(said, content)
        try:
            return core_pb2.Order.FromString(content)
        except DecodeError:
            raise BotFaultError(self, ILLEGAL, "sent bytes that are no order") from None

    def _advise(self, advisor: Advisor, kind: int, body: bytes, end: float) -> None:
        """Answer one question, unless it is one too many or none at all."""
        self.questions += 1
        self._asked_here += 1
        if self._asked_here > self._limits.questions:
            raise BotFaultError(self, FLOOD, f"asked {self._asked_here} questions about one "
                                f"decision; {self._limits.questions} are answered")
        try:
            told, content = answer(advisor, kind, body)
        except DecodeError:
            what = "an order to preview" if kind == PREVIEW else "an overlay"
            raise BotFaultError(self, ILLEGAL, f"asked for {what} in bytes that are "
                                "no such message") from None
        self._say(told, content, max(end - time.monotonic(), 0.001))

    def _say(self, kind: int, body: bytes, seconds: float) -> None:
        channel = self._channel
        if channel is None:
            raise BotFaultError(self, CRASH, "is not running")
        try:
            channel.send(kind, body, seconds)
        except TimedOutError:
            raise BotFaultError(self, HANG, f"read no question for {seconds:g} seconds") from None
        except ChannelError:
            self._gone()

    def _hear(self, seconds: float, what: str) -> tuple[int, bytes]:
        channel: Any = self._channel
        most = self._limits.order_bytes
        try:
            kind, body = channel.receive(max(seconds, 0.001), max(most, _LEAST_TAKEN))
        except TimedOutError:
            raise BotFaultError(self, HANG, f"took more than its time {what}, "
                                f"{self._time(what)} seconds") from None
        except TooLongError as error:
            kind, size = error.kind, error.size
        except ClosedError:
            self._gone()
        else:
            if kind not in (ORDER, *QUESTIONS) or len(body) <= most:
                return kind, body
            size = len(body)
        sent = "asked a question" if kind in QUESTIONS else "sent an order"
        raise BotFaultError(self, FLOOD, f"{sent} of {size} bytes; at most {most} are taken")

    def _time(self, what: str) -> str:
        limits = self._limits
        if what == "to be made":
            return f"{limits.start_seconds:g}"
        game = limits.game_seconds
        return f"{limits.decision_seconds:g}" + (f" and {game:g} for the game" if game else "")

    def _blame(self, kind: int, body: bytes) -> NoReturn:
        text = body.decode("utf-8", "replace")
        if kind == MISSING:
            raise MissingBotError(self, CRASH, text)
        raise BotFaultError(self, CRASH, text if kind == CRASHED else "answered out of turn")

    def _gone(self) -> NoReturn:
        """The process has ended, or has closed its end."""
        process: Any = self._process
        try:
            code = process.wait(_ENDS_WITHIN)
        except subprocess.TimeoutExpired:
            raise BotFaultError(self, CRASH, "closed its connection") from None
        how = f"by signal {-code}" if code < 0 else f"with exit code {code}"
        raise BotFaultError(self, CRASH, f"its process ended {how}")


def bot_seed(dice_seed: str, side: str) -> str:
    """The seed of a side's bot, from which that of the dice cannot be told."""
    return hashlib.sha256(f"bot|{dice_seed}|{side}".encode()).hexdigest()


def _said(violation: core_pb2.Violation) -> str:
    head = " ".join(part for part in (violation.clause, violation.order_path) if part)
    return f"{head}: {violation.message}" if head else violation.message
