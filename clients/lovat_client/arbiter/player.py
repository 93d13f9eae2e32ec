"""A player's connection to an arbiter, or a spectator's: repeats what nobody answered.

    with MatchClient.connect("host:50052", token) as seat:
        turn = seat.turn()
        if turn.HasField("listing"):
            seat.submit(order, turn.version)
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import grpc

from lovat.play.v1 import match_service_pb2 as play
from lovat.play.v1.match_service_pb2_grpc import MatchServiceStub
from lovat.rules.v1 import catalog_service_pb2 as catalogs
from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules
from lovat.rules.v1.catalog_service_pb2_grpc import CatalogServiceStub

from ..sdk.catalog import Catalog
from ..sdk.channel import DEFAULT_TIMEOUT, open_channel
from ..sdk.errors import error_from
from ..sdk.requests import OrderLike, StandingLike, as_order, as_standing
from ..sdk.retry import Patience, RetryPolicy

ResponseT = TypeVar("ResponseT")

PATIENT = RetryPolicy(attempts=10_000, longest_pause=0.3)
"""Goes on until the call's time is over: an arbiter that is started again takes some seconds."""


class MatchClient:
    """One seat of one match if it has a token, else a spectator of any.

    Every method raises `LovatError` if the call fails; refused orders are answers. A call that
    nobody answered (UNAVAILABLE) is repeated within `timeout` seconds, with the same request id.
    """

    def __init__(self, channel: grpc.Channel, token: str = "", *,
                 timeout: float = DEFAULT_TIMEOUT, retry: RetryPolicy | None = None) -> None:
        self.channel = channel
        self.stub = MatchServiceStub(channel)
        self.catalog_stub = CatalogServiceStub(channel)
        self._catalogs: dict[str, Catalog] = {}
        self._metadata = (("authorization", f"Bearer {token}"),) if token else ()
        self._timeout = timeout
        self._retry = retry or PATIENT

    @classmethod
    def connect(cls, address: str, token: str = "", *, timeout: float = DEFAULT_TIMEOUT,
                retry: RetryPolicy | None = None, ca: str | Path | None = None) -> Self:
        """At "host:port", or over TLS at "grpcs://host:port"; `ca` is a file of the certificates
        to trust. Over a network a token is safe with TLS only.
        """
        return cls(open_channel(address, ca=ca), token, timeout=timeout, retry=retry)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.channel.close()

    def create(self, request: play.CreateMatchRequest) -> play.CreateMatchResponse:
        """Open a match. A random request id is set if there is none."""
        request.request_id = request.request_id or new_request_id()
        return self._call("CreateMatch", self.stub.CreateMatch, request)

    def join(self, match_id: str, player: str, *, side: str = "",
             invitation: str = "") -> play.JoinMatchResponse:
        """Take a seat; its token is in the answer, and a `MatchClient` of the seat needs it."""
        return self._call("JoinMatch", self.stub.JoinMatch, play.JoinMatchRequest(
            match_id=match_id, player=player, side=side, invitation=invitation,
            request_id=new_request_id()))

    def turn(self, match_id: str = "", *, draft: OrderLike | None = None,
             units: Iterable[str] = (), without_listing: bool = False) -> play.GetTurnResponse:
        """What the seat, or a spectator, may know now, and what it may order."""
        return self._call("GetTurn", self.stub.GetTurn, play.GetTurnRequest(
            match_id=match_id, draft=None if draft is None else as_order(draft), units=units,
            without_listing=without_listing))

    def validate(self, order: OrderLike) -> play.ValidateOrdersResponse:
        """Whether an order would be accepted now."""
        return self._call("ValidateOrders", self.stub.ValidateOrders,
                          play.ValidateOrdersRequest(order=as_order(order)))

    def preview(self, order: OrderLike) -> rules.PreviewCombatResponse:
        """What fire would come to, as far as the seat may know; only while the seat decides."""
        answer = self._call("PreviewCombat", self.stub.PreviewCombat,
                            play.PreviewCombatRequest(order=as_order(order)))
        return rules.PreviewCombatResponse(
            violations=answer.violations,
            preview=answer.preview if answer.HasField("preview") else None)

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        """Hexes of the map with a value each, as far as the seat may know them."""
        return self._call("QueryOverlay", self.stub.QueryOverlay,
                          play.QueryOverlayRequest(query=query)).overlay

    def catalog(self, scenario: str) -> Catalog:
        """Map, counters and charts of a scenario; fetched again only if they have changed."""
        known = self._catalogs.get(scenario)
        response = self._call("GetCatalog", self.catalog_stub.GetCatalog,
                              catalogs.GetCatalogRequest(
                                  scenario=scenario,
                                  known_hash=known.content_hash if known else ""))
        if known is None or not response.unchanged:
            known = self._catalogs[scenario] = Catalog.of(response)
        return known

    def describe_rule(self, clause: str) -> rules.DescribeRuleResponse:
        """What the rules server takes a clause ("WD 9.C.3") to say."""
        return self._call("DescribeRule", self.stub.DescribeRule,
                          rules.DescribeRuleRequest(clause=clause))

    def submit(self, order: OrderLike, version: int, *, standing: StandingLike | None = None,
               request_id: str = "") -> play.SubmitOrdersResponse:
        """Answer the pending decision of the position with this version."""
        return self._call("SubmitOrders", self.stub.SubmitOrders, play.SubmitOrdersRequest(
            order=as_order(order), expected_version=version, standing=as_standing(standing),
            request_id=request_id or new_request_id()))

    def resign(self) -> play.MatchInfo:
        return self._call("Resign", self.stub.Resign, play.ResignRequest()).match

    def abort(self, *, withdraw: bool = False) -> play.MatchInfo:
        return self._call("Abort", self.stub.Abort, play.AbortRequest(withdraw=withdraw)).match

    def adjourn(self, *, withdraw: bool = False) -> play.MatchInfo:
        return self._call("Adjourn", self.stub.Adjourn,
                          play.AdjournRequest(withdraw=withdraw)).match

    def resume(self, *, withdraw: bool = False) -> play.MatchInfo:
        return self._call("Resume", self.stub.Resume, play.ResumeRequest(withdraw=withdraw)).match

    def matches(self, request: play.ListMatchesRequest | None = None) -> list[play.MatchInfo]:
        """All listed matches that the request is for, newest first."""
        asked = play.ListMatchesRequest()
        found: list[play.MatchInfo] = []
        if request is not None:
            asked.CopyFrom(request)
        while True:
            page = self._call("ListMatches", self.stub.ListMatches, asked)
            found += page.matches
            if not page.next_page_token:
                return found
            asked.page_token = page.next_page_token

    def watch(self, match_id: str = "", *, after: int = 0, with_views: bool = False,
              patience: float = DEFAULT_TIMEOUT) -> Iterator[play.MatchEvent]:
        """Every event after that number, until the match is over.

        A stream that breaks is opened again behind the last event; `LovatError` only after
        `patience` seconds without an arbiter, or if the call is refused.
        """
        end = time.monotonic() + patience
        while True:
            request = play.WatchMatchRequest(match_id=match_id, after_sequence=after,
                                             with_views=with_views)
            stream = self.stub.WatchMatch(request, metadata=self._metadata)
            try:
                for response in stream:
                    after = response.event.sequence
                    end = time.monotonic() + patience
                    yield response.event
                return
            except grpc.RpcError as error:
                failure = error_from("WatchMatch", error)
                lost = failure.code is grpc.StatusCode.UNAVAILABLE
                pause = max(0.1, failure.retry_after or 0.0)
                if not (lost or failure.retry_after is not None) \
                        or time.monotonic() + pause > end:
                    raise failure from error
                time.sleep(pause)
            finally:
                stream.cancel()  # also when the reader stops before the end

    def replay(self, match_id: str = "") -> tuple[play.ReplayHeader, list[play.ReplayEntry]]:
        """The whole log of a match that is over."""
        try:
            first, *rest = self.stub.GetReplay(play.GetReplayRequest(match_id=match_id),
                                               metadata=self._metadata)
        except grpc.RpcError as error:
            raise error_from("GetReplay", error) from error
        return first.header, [message.entry for message in rest]

    def _call(self, name: str, method: Callable[..., ResponseT], request: Any) -> ResponseT:
        patience = Patience(self._retry, self._timeout)
        while True:
            try:
                return method(request, timeout=patience.left, metadata=self._metadata)
            except grpc.RpcError as error:
                failure = error_from(name, error)
                pause = patience.pause_after(failure.code, failure.retry_after)
                if pause is None:
                    raise failure from error
                time.sleep(pause)


def new_request_id() -> str:
    return uuid.uuid4().hex


def records_of(entries: list[play.ReplayEntry]) -> list[core_pb2.LogRecord]:
    """The records of a replay, for `LovatClient.replay`."""
    return [entry.record for entry in entries]
