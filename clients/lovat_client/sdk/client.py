"""The synchronous client: `rpc` has one method an RPC; the client itself is the convenient way."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import grpc

from lovat.rules.v1 import catalog_service_pb2 as catalogs
from lovat.rules.v1 import core_pb2
from lovat.rules.v1 import rules_service_pb2 as rules
from lovat.rules.v1.catalog_service_pb2_grpc import CatalogServiceStub
from lovat.rules.v1.rules_service_pb2_grpc import RulesServiceStub
from lovat.white_death.v1 import overlays_pb2, state_pb2

from .catalog import Catalog
from .channel import DEFAULT_TIMEOUT, REPLAY_TIMEOUT, open_channel
from .errors import error_from
from .requests import (
    OrderLike,
    OrdersLike,
    StandingLike,
    as_order,
    create_request,
    impulse_request,
    legal_request,
    merge_listing,
    order_text_request,
    overlay_request,
    read_orders_request,
    read_position_request,
    replay_messages,
    submit_request,
)
from .results import (
    Forecast,
    Judgement,
    Outcome,
    Soundness,
    forecast_of,
    judgement_of,
    outcome_of,
    soundness_of,
)
from .retry import Patience, RetryPolicy

RequestT = TypeVar("RequestT")
ResponseT = TypeVar("ResponseT")


class Calls:
    """One method an RPC, message in and message out. Every method raises `LovatError`."""

    def __init__(self, channel: grpc.Channel, timeout: float, retry: RetryPolicy) -> None:
        self._catalog = CatalogServiceStub(channel)
        self._rules = RulesServiceStub(channel)
        self._timeout = timeout
        self._retry = retry

    def list_games(self, request: catalogs.ListGamesRequest) -> catalogs.ListGamesResponse:
        return self._call("ListGames", self._catalog.ListGames, request)

    def list_scenarios(
        self, request: catalogs.ListScenariosRequest
    ) -> catalogs.ListScenariosResponse:
        return self._call("ListScenarios", self._catalog.ListScenarios, request)

    def get_catalog(self, request: catalogs.GetCatalogRequest) -> catalogs.GetCatalogResponse:
        return self._call("GetCatalog", self._catalog.GetCatalog, request)

    def create_game(self, request: rules.CreateGameRequest) -> rules.CreateGameResponse:
        return self._call("CreateGame", self._rules.CreateGame, request)

    def get_view(self, request: rules.GetViewRequest) -> rules.GetViewResponse:
        return self._call("GetView", self._rules.GetView, request)

    def list_legal_orders(
        self, request: rules.ListLegalOrdersRequest
    ) -> rules.ListLegalOrdersResponse:
        return self._call("ListLegalOrders", self._rules.ListLegalOrders, request)

    def validate_orders(
        self, request: rules.ValidateOrdersRequest
    ) -> rules.ValidateOrdersResponse:
        return self._call("ValidateOrders", self._rules.ValidateOrders, request)

    def preview_combat(
        self, request: rules.PreviewCombatRequest
    ) -> rules.PreviewCombatResponse:
        return self._call("PreviewCombat", self._rules.PreviewCombat, request)

    def submit_orders(self, request: rules.SubmitOrdersRequest) -> rules.SubmitOrdersResponse:
        return self._call("SubmitOrders", self._rules.SubmitOrders, request)

    def resolve_impulse(
        self, request: rules.ResolveImpulseRequest
    ) -> rules.ResolveImpulseResponse:
        return self._call("ResolveImpulse", self._rules.ResolveImpulse, request)

    def score_position(self, request: rules.ScorePositionRequest) -> rules.ScorePositionResponse:
        return self._call("ScorePosition", self._rules.ScorePosition, request)

    def describe_rule(self, request: rules.DescribeRuleRequest) -> rules.DescribeRuleResponse:
        return self._call("DescribeRule", self._rules.DescribeRule, request)

    def query_overlay(self, request: rules.QueryOverlayRequest) -> rules.QueryOverlayResponse:
        return self._call("QueryOverlay", self._rules.QueryOverlay, request)

    def check_position(
        self, request: rules.CheckPositionRequest
    ) -> rules.CheckPositionResponse:
        return self._call("CheckPosition", self._rules.CheckPosition, request)

    def write_notation(
        self, request: rules.WriteNotationRequest
    ) -> rules.WriteNotationResponse:
        return self._call("WriteNotation", self._rules.WriteNotation, request)

    def read_notation(self, request: rules.ReadNotationRequest) -> rules.ReadNotationResponse:
        return self._call("ReadNotation", self._rules.ReadNotation, request)

    def replay_game(
        self, requests: Iterable[rules.ReplayGameRequest], timeout: float = REPLAY_TIMEOUT
    ) -> rules.ReplayGameResponse:
        """Never repeated, since its stream is read only once."""
        try:
            return self._rules.ReplayGame(iter(requests), timeout=timeout)
        except grpc.RpcError as error:
            raise error_from("ReplayGame", error) from error

    def _call(
        self, name: str, method: grpc.UnaryUnaryMultiCallable[RequestT, ResponseT],
        request: RequestT,
    ) -> ResponseT:
        patience = Patience(self._retry, self._timeout)
        while True:
            try:
                return method(request, timeout=patience.left)
            except grpc.RpcError as error:
                failure = error_from(name, error)
                pause = patience.pause_after(failure.code, failure.retry_after)
                if pause is None:
                    raise failure from error
                time.sleep(pause)


class LovatClient:
    """A connection to a rules server. Closes with `close` or at the end of a `with` block.

    Every method raises `LovatError` if the call fails; refused orders are answers. Calls that
    nobody answered (UNAVAILABLE) are repeated within the deadline: all of them are pure.
    """

    def __init__(self, channel: grpc.Channel, *, timeout: float = DEFAULT_TIMEOUT,
                 retry: RetryPolicy | None = None) -> None:
        self.channel = channel
        self.rpc = Calls(channel, timeout, retry or RetryPolicy())
        self._known: dict[str, Catalog] = {}

    @classmethod
    def connect(cls, address: str, *, timeout: float = DEFAULT_TIMEOUT,
                retry: RetryPolicy | None = None, ca: str | Path | None = None) -> Self:
        """A client of the server at "host:port", or over TLS at "grpcs://host:port".

        `timeout` is seconds for each call, `ca` a file of the certificates to trust (`channel`).
        """
        return cls(open_channel(address, ca=ca), timeout=timeout, retry=retry)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.channel.close()

    def games(self) -> list[catalogs.GameInfo]:
        """Every game of the server, sorted by id."""
        return list(self.rpc.list_games(catalogs.ListGamesRequest()).games)

    def scenarios(self, game: str = "") -> list[catalogs.ScenarioInfo]:
        """The scenarios of one game or of all, sorted by id."""
        return list(self.rpc.list_scenarios(catalogs.ListScenariosRequest(game=game)).scenarios)

    def catalog(self, scenario: str) -> Catalog:
        """Map, counters and charts of a scenario; fetched again only if they have changed."""
        known = self._known.get(scenario)
        response = self.rpc.get_catalog(catalogs.GetCatalogRequest(
            scenario=scenario, known_hash=known.content_hash if known else ""))
        if known is None or not response.unchanged:
            known = self._known[scenario] = Catalog.of(response)
        return known

    def create_game(
        self, scenario: str, *, seed: str | int | None = None, script: Sequence[int] = (),
        standard_set_up: bool = False, options: state_pb2.Options | None = None,
        request_id: str = "",
    ) -> rules.CreateGameResponse:
        """The first position. Dice by `seed` or `script` if given, else by the server's secret."""
        return self.rpc.create_game(
            create_request(scenario, seed, script, standard_set_up, options, request_id))

    def view(self, position: core_pb2.Position, side: str) -> core_pb2.View:
        """What a side may know."""
        return self.rpc.get_view(rules.GetViewRequest(position=position, side=side)).view

    def legal(
        self, position: core_pb2.Position, side: str = "", *, draft: OrderLike | None = None,
        units: Iterable[str] = (), page_size: int = 0,
    ) -> core_pb2.Listing:
        """Everything legal for the pending decision: all pages, `page_size` units a call."""
        request = legal_request(position, side, draft, units, page_size)
        whole: core_pb2.Listing | None = None
        while True:
            page = self.rpc.list_legal_orders(request)
            if whole is None:
                whole = page.listing
            else:
                merge_listing(whole, page.listing)
            if not page.next_page_token:
                return whole
            request.page_token = page.next_page_token

    def validate(self, position: core_pb2.Position, order: OrderLike) -> Judgement:
        """Every rule an order breaks, or the order as understood. Rolls no dice."""
        return judgement_of(self.rpc.validate_orders(
            rules.ValidateOrdersRequest(position=position, order=as_order(order))))

    def preview(
        self, position: core_pb2.Position, order: OrderLike, side: str = "",
    ) -> Forecast:
        """What fire, or the assaults of a movement order, would come to; exact, without dice.

        For a `side` with what it may know only; without one with everything.
        """
        return forecast_of(self.rpc.preview_combat(
            rules.PreviewCombatRequest(position=position, order=as_order(order), side=side)))

    def submit(
        self, position: core_pb2.Position, order: OrderLike, *,
        standing: StandingLike | None = None, request_id: str = "",
        response_mode: rules.ResponseMode.ValueType = rules.RESPONSE_MODE_FULL,
    ) -> Outcome:
        """Answer the pending decision and run on to the next one."""
        return outcome_of(self.rpc.submit_orders(
            submit_request(position, order, standing, request_id, response_mode)), position)

    def resolve_impulse(
        self, position: core_pb2.Position, orders: OrdersLike = (), *, request_id: str = "",
        response_mode: rules.ResponseMode.ValueType = rules.RESPONSE_MODE_FULL,
    ) -> Outcome:
        """Answer all decisions to the end of the impulse, from orders and standing orders."""
        return outcome_of(self.rpc.resolve_impulse(
            impulse_request(position, orders, request_id, response_mode)), position)

    def score(self, position: core_pb2.Position) -> core_pb2.Score:
        """The victory points, line by line, and the level."""
        return self.rpc.score_position(rules.ScorePositionRequest(position=position)).score

    def describe_rule(self, clause: str) -> rules.DescribeRuleResponse:
        """What the server takes a clause ("WD 9.C.3") to say, and the tests that hold it."""
        return self.rpc.describe_rule(rules.DescribeRuleRequest(clause=clause))

    def overlay(
        self, position: core_pb2.Position, side: str, kind: overlays_pb2.OverlayKind.ValueType, *,
        enemy: bool = False, hex_: int = 0, unit: str = "", points: int = 0,
    ) -> core_pb2.Overlay:
        """Hexes with values as one side can know them; with `enemy` they are about the other."""
        request = overlay_request(position, side, kind, enemy, hex_, unit, points)
        return self.rpc.query_overlay(request).overlay

    def check(self, position: core_pb2.Position) -> Soundness:
        """Everything that is wrong with a position that somebody else made or edited."""
        return soundness_of(self.rpc.check_position(
            rules.CheckPositionRequest(position=position)))

    def write_position(self, position: core_pb2.Position) -> str:
        """The text of a position."""
        request = rules.WriteNotationRequest(position=position)
        return self.rpc.write_notation(request).text

    def write_orders(self, scenario: str, orders: Iterable[OrderLike]) -> str:
        """The text of orders of one side."""
        request = order_text_request(scenario, orders)
        return self.rpc.write_notation(request).text

    def read_position(
        self, text: str, *, scenario: str = "", seed: str | int | None = None,
        script: Sequence[int] = (),
    ) -> core_pb2.Position:
        """The position of a text, at version 0, with fresh dice as in `create_game`."""
        request = read_position_request(text, scenario, seed, script)
        return self.rpc.read_notation(request).position

    def read_orders(self, scenario: str, text: str) -> list[core_pb2.Order]:
        """The orders of a text."""
        request = read_orders_request(text, scenario)
        return list(self.rpc.read_notation(request).orders)

    def replay(
        self, start: rules.ReplayStart, records: Iterable[core_pb2.LogRecord], *,
        timeout: float = REPLAY_TIMEOUT,
    ) -> rules.ReplayGameResponse:
        """Repeat a game from its log; `records` may be any iterator and is read as it is sent."""
        return self.rpc.replay_game(replay_messages(start, records), timeout)
