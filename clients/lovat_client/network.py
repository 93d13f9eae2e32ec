"""A bot at a seat of a hosted match: it outlives dropped streams and arbiters started again."""

from __future__ import annotations

import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import grpc
from google.protobuf.message import Message

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import catalog_pb2

from .answering import REFUSALS, Fallback, Violations, answer, unread
from .arbiter.player import MatchClient, new_request_id
from .arbiter.policy import default_orders
from .bots.protocol import AdvisedBot, Advisor, Bot, Listing, View
from .sdk.catalog import Catalog
from .sdk.channel import OPTIONS, open_channel
from .sdk.errors import ClientError, LovatError, MatchError
from .sdk.requests import as_order
from .sdk.retry import NO_RETRY

PATIENCE = 300.0
"""Seconds that an arbiter may be away before its bots give up."""

PAUSE = 0.3
"""Seconds between two attempts to reach it."""

_Code = grpc.StatusCode
_PASSING = (_Code.UNAVAILABLE, _Code.DEADLINE_EXCEEDED, _Code.CANCELLED, _Code.UNKNOWN)
_OVERTAKEN = (_Code.ABORTED, _Code.FAILED_PRECONDITION)
_KEEPALIVE = (
    ("grpc.keepalive_time_ms", 20_000),  # a stream of a machine that is gone ends after a while
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.http2.max_pings_without_data", 0),
)
ResultT = TypeVar("ResultT")


class BotBrokeError(ClientError):
    """A bot raised an error, or answered what is no order."""


class OvertakenError(Exception):
    """The decision is answered, or the match stopped, while the bot was thinking."""


@dataclass(frozen=True, slots=True)
class Reports:
    """Who is told what while a bot plays; every one may be left out.

    `decision` has the turn before each answer, `fallback` what a bot did not answer, `trouble`
    the first failed call of each time that the arbiter is away, `back` its end.
    """

    decision: Callable[[play.GetTurnResponse], None] = lambda _: None
    fallback: Callable[[Fallback], None] = lambda _: None
    trouble: Callable[[LovatError], None] = lambda _: None
    back: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Played:
    """A match that is over. `decisions` and `fallbacks` are of this bot since it came."""

    match: play.MatchInfo
    side: str
    decisions: int
    fallbacks: tuple[Fallback, ...]


def seat_at(address: str, token: str) -> MatchClient:
    """A seat whose calls fail at once when the arbiter is away: `SeatPlayer` repeats them.

    The address is one for `open_channel`, over TLS if it begins so. ClientError if the
    certificates to trust cannot be read.
    """
    return MatchClient(open_channel(address, options=(*OPTIONS, *_KEEPALIVE)), token,
                       retry=NO_RETRY)


class SeatPlayer:
    """Plays the seat of a client with a token.

    Every method raises `LovatError` for a call that is refused, or that nobody has answered for
    `patience` seconds. The bot is made by `make`, which is given the name of the side.
    """

    def __init__(self, seat: MatchClient, make: Callable[[str], Bot], *,
                 reports: Reports | None = None, patience: float = PATIENCE,
                 refusals: int = REFUSALS) -> None:
        self._reports = reports or Reports()
        self._line = _Line(self._reports, patience)
        self._seat = seat
        self._refusals = refusals
        self._fallbacks: list[Fallback] = []
        self._decisions = 0
        self.turn = self._now()
        self.catalog = self._printed()
        self._bot = _Asked(make(self.side))
        self._bot.advise(_SeatAdvisor(seat, self._line))

    @property
    def side(self) -> str:
        return self.turn.side

    def run(self) -> Played:
        """Answer every decision of the seat until the match is over.

        `BotBrokeError` if the bot does; `MatchError` if nothing at all answers a decision.
        """
        self._catch_up()
        while not self._is_over:
            try:
                self._follow()
            except LovatError as error:
                if not _is_passing(error):
                    raise
            self._line.rest()
            self._catch_up()
        return Played(self.turn.match, self.side, self._decisions, tuple(self._fallbacks))

    @property
    def _is_over(self) -> bool:
        return self.turn.match.state == play.MATCH_STATE_OVER

    @property
    def _is_asked(self) -> bool:
        """Whether the match waits for this seat."""
        return (self.turn.match.state == play.MATCH_STATE_RUNNING
                and self.turn.decision.side == self.side)

    def _follow(self) -> None:
        """One stream of events until it ends; whatever is older than the turn is passed over."""
        for event in self._seat.watch(after=self.turn.sequence, patience=0):
            if event.sequence > self.turn.sequence and self._concerns(event):
                self._catch_up()
            if self._is_over:
                return

    def _concerns(self, event: play.MatchEvent) -> bool:
        return (event.decision.side == self.side
                or event.WhichOneof("event") in ("started", "proposed", "resumed", "ended"))

    def _catch_up(self) -> None:
        """Look where the match is and answer whatever it waits for."""
        self.turn = self._now()
        self._agree()
        while self._is_asked:
            try:
                self._answer()
            except OvertakenError:
                self._line.rest()
            self.turn = self._now()

    def _now(self) -> play.GetTurnResponse:
        turn = self._line.keep_on(self._seat.turn)
        if not turn.side:
            raise MatchError("a bot needs a seat; the call has no token")
        return turn

    def _printed(self) -> Catalog:
        """The catalog that the match is played with; it never changes during a match."""
        match = self.turn.match
        catalog = self._line.keep_on(lambda: self._seat.catalog(match.scenario))
        if match.catalog_hash and catalog.content_hash != match.catalog_hash:
            raise MatchError(f"the match is played with catalog {match.catalog_hash[:12]} of "
                             f"{match.scenario}; the arbiter now has "
                             f"{catalog.content_hash[:12]}")
        return catalog

    def _answer(self) -> None:
        """Answer the pending decision. `OvertakenError` if something else has changed the match."""
        turn = self.turn
        self._reports.decision(turn)
        kind = turn.decision.kind
        given = answer(self._bot, turn.view, turn.listing, self.catalog.message, kind,
                       self._submit, refusals=self._refusals)
        self._decisions += 1
        if not given.refusal:
            return
        if not given.is_answered:
            standing = core_pb2.StandingOrders(white_death=turn.view.white_death.standing)
            if all(self._submit(order)
                   for order in default_orders(kind, turn.listing, standing)):
                raise MatchError(f"nothing answers {kind} of {self.side} at version "
                                 f"{turn.version}: {given.refusal[0].message}")
        fallback = Fallback(turn.version, self.side, kind, given.attempts, given.refusal,
                            not given.is_answered)
        self._fallbacks.append(fallback)
        self._reports.fallback(fallback)

    def _submit(self, order: core_pb2.Order) -> Violations:
        """Why an order is refused; one that the arbiter cannot read or take is refused too.

        Where the match counts illegal orders they are judged before they are given in.
        """
        request_id = new_request_id()
        try:
            if self.turn.match.policy.illegal_limit:
                found = self._line.keep_on(lambda: self._seat.validate(order)).violations
                if found:
                    return tuple(found)
            return tuple(self._line.keep_on(lambda: self._seat.submit(
                order, self.turn.version, request_id=request_id)).violations)
        except LovatError as error:
            if _is_passing(error):
                raise
            if error.code in _OVERTAKEN:
                raise OvertakenError from error
            if error.code in (_Code.NOT_FOUND, _Code.RESOURCE_EXHAUSTED):  # of the order alone
                return (core_pb2.Violation(message=error.message),)
            violations = unread(error)
            if not violations:
                raise
            return violations

    def _agree(self) -> None:
        """Stop for now, or go on, if the other side asks for it; no end without a winner."""
        asked = {proposal for seat in self.turn.match.seats if seat.side != self.side
                 for proposal in seat.proposals}
        for proposal, agree in ((play.PROPOSAL_ADJOURN, self._seat.adjourn),
                                (play.PROPOSAL_RESUME, self._seat.resume)):
            if proposal in asked:
                try:
                    self._line.keep_on(agree)
                except LovatError as error:
                    if error.code not in _OVERTAKEN:
                        raise
                self.turn = self._now()


class _Line:
    """Repeats calls that nobody answered until the patience is over."""

    def __init__(self, reports: Reports, patience: float) -> None:
        self._reports = reports
        self._patience = patience
        self._away_since: float | None = None

    def rest(self, seconds: float | None = None) -> None:
        """Wait, for what the arbiter asked at least."""
        time.sleep(max(PAUSE, seconds or 0.0))

    def keep_on(self, call: Callable[[], ResultT]) -> ResultT:
        """The call's result, however often it must be made. Any of them may be repeated."""
        while True:
            try:
                result = call()
            except LovatError as error:
                if not _is_passing(error):
                    raise
                self._missed(error)
                self.rest(error.retry_after)
            else:
                if self._away_since is not None:
                    self._away_since = None
                    self._reports.back()
                return result

    def _missed(self, error: LovatError) -> None:
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            self._reports.trouble(error)
        if now - self._away_since >= self._patience:
            raise error


class _SeatAdvisor:
    """The `bots.Advisor` of a seat: what it says is of the decision pending at the arbiter."""

    def __init__(self, seat: MatchClient, line: _Line) -> None:
        self._seat = seat
        self._line = line

    def preview(self, order: core_pb2.Order) -> rules_service_pb2.PreviewCombatResponse:
        return self._line.keep_on(lambda: self._seat.preview(order))

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        return self._line.keep_on(lambda: self._seat.overlay(query))


class _Asked:
    """A bot whose errors are told from those of the calls, and whose answers are orders."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.name = getattr(bot, "name", type(bot).__name__)

    def advise(self, advisor: Advisor) -> None:
        """Give the bot its advisor, if it takes one."""
        if isinstance(self.bot, AdvisedBot):
            try:
                self.bot.advise(advisor)
            except Exception as error:
                raise self._broken("advise", error) from error

    def decide(self, view: View, listing: Listing,
               catalog: catalog_pb2.Catalog) -> core_pb2.Order:
        return self._order("decide", lambda: self.bot.decide(view, listing, catalog))

    def refused(self, order: core_pb2.Order,
                violations: Iterable[core_pb2.Violation]) -> core_pb2.Order:
        return self._order("refused", lambda: self.bot.refused(order, violations))

    def _order(self, method: str, ask: Callable[[], core_pb2.Order]) -> core_pb2.Order:
        try:
            said = ask()
            if not isinstance(said, Message):
                raise TypeError(f"{said!r:.100} is no order")
            return as_order(said)
        except LovatError as error:
            if error.code in _OVERTAKEN:
                raise OvertakenError from error
            if _is_passing(error):
                raise
            raise BotBrokeError(f"the bot {self.name} broke in {method}: {error}") from error
        except Exception as error:
            raise self._broken(method, error) from error

    def _broken(self, method: str, error: Exception) -> BotBrokeError:
        return BotBrokeError(f"the bot {self.name} broke in {method}{_place(error)}: "
                             f"{type(error).__name__}: {error}")


def _is_passing(error: LovatError) -> bool:
    """Whether the same call may succeed a little later."""
    return (error.code in _PASSING or error.reason == "TOO_MANY"
            or error.retry_after is not None)


def _place(error: BaseException) -> str:
    """Where in the bot an error was raised; nothing if it was not in the bot."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename != __file__]
    return f" at {frames[-1].filename}:{frames[-1].lineno}" if frames else ""
