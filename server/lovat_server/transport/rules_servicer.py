"""RulesService: questions and orders, one call at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lovat.rules.v1 import core_pb2, rules_service_pb2, rules_service_pb2_grpc
from lovat_server.core.errors import MalformedError
from lovat_server.service import create, describe, inquire, resolve
from lovat_server.service.library import Library
from lovat_server.service.position import require_side, require_version

from . import asking, noting
from .codecs import Codecs
from .creation import read_creation
from .faults import guarded
from .messages import (
    decision_of,
    events_of,
    game_part,
    read_order,
    read_side_orders,
    read_standing,
    read_units,
    require_request_id,
    violations_of,
)
from .positions import Opened, Positions
from .replaying import replay

_FULL = (rules_service_pb2.RESPONSE_MODE_UNSPECIFIED, rules_service_pb2.RESPONSE_MODE_FULL)
_MODES = (*_FULL, rules_service_pb2.RESPONSE_MODE_EVENTS, rules_service_pb2.RESPONSE_MODE_DELTA)


class RulesServicer(rules_service_pb2_grpc.RulesServiceServicer):
    """Keeps nothing between calls but converted states, which change no answer."""

    def __init__(self, library: Library, codecs: Codecs) -> None:
        self._library = library
        self._codecs = codecs
        self._positions = Positions(library, codecs)

    @guarded
    def CreateGame(
        self, request: rules_service_pb2.CreateGameRequest
    ) -> rules_service_pb2.CreateGameResponse:
        asked = read_creation(request, self._library, self._codecs)
        created = create.create_game(asked.volume, asked.options, asked.dice,
                                     standard_set_up=asked.standard_set_up)
        codec = self._codecs.of(asked.volume)
        response = rules_service_pb2.CreateGameResponse(
            events=events_of(created.events, codec),
            decision=decision_of(created.position, codec), request_id=request.request_id)
        self._positions.write(response.position, created.position)
        return response

    @guarded
    def GetView(
        self, request: rules_service_pb2.GetViewRequest
    ) -> rules_service_pb2.GetViewResponse:
        opened = self._positions.read(request)
        position, codec = opened.position, opened.codec
        side = require_side(position.volume, request.side, "side")
        view = codec.encode_view(inquire.view(position, side))
        return rules_service_pb2.GetViewResponse(
            view=game_part(core_pb2.View, codec, view), decision=decision_of(position, codec),
            version=position.version)

    @guarded
    def ListLegalOrders(
        self, request: rules_service_pb2.ListLegalOrdersRequest
    ) -> rules_service_pb2.ListLegalOrdersResponse:
        opened = self._positions.read(request)
        position, codec = opened.position, opened.codec
        side = (require_side(position.volume, request.side, "side") if request.side
                else position.deciding_side)
        draft = read_order(request, "draft", codec) if request.HasField("draft") else None
        page = inquire.legal(position, side, draft, read_units(request.units, codec),
                             inquire.Page(request.page_size, request.page_token))
        listing = {} if page.listing is None else codec.encode_listing(page.listing)
        return rules_service_pb2.ListLegalOrdersResponse(
            listing=game_part(core_pb2.Listing, codec, listing),
            next_page_token=page.next_token, total_units=page.total_units)

    @guarded
    def ValidateOrders(
        self, request: rules_service_pb2.ValidateOrdersRequest
    ) -> rules_service_pb2.ValidateOrdersResponse:
        opened = self._positions.read(request)
        codec = opened.codec
        judgement = inquire.judge(opened.position, read_order(request, "order", codec))
        if judgement.violations:
            return rules_service_pb2.ValidateOrdersResponse(
                violations=violations_of(judgement.violations))
        receipt = codec.encode_receipt(judgement.receipt)
        return rules_service_pb2.ValidateOrdersResponse(
            receipt=game_part(core_pb2.Receipt, codec, receipt))

    @guarded
    def SubmitOrders(
        self, request: rules_service_pb2.SubmitOrdersRequest
    ) -> rules_service_pb2.SubmitOrdersResponse:
        _require_resolvable(request)
        opened = self._positions.read(request)
        _require_expected(request, opened)
        order = read_order(request, "order", opened.codec)
        outcome = resolve.submit(opened.position, order, read_standing(request, opened.codec))
        response = rules_service_pb2.SubmitOrdersResponse(**_outcome(outcome, opened, request))
        self._write_position(response, outcome, opened, request)
        return response

    @guarded
    def ResolveImpulse(
        self, request: rules_service_pb2.ResolveImpulseRequest
    ) -> rules_service_pb2.ResolveImpulseResponse:
        _require_resolvable(request)
        opened = self._positions.read(request)
        _require_expected(request, opened)
        orders = read_side_orders(request.orders, opened.position, opened.codec)
        outcome = resolve.resolve_impulse(opened.position, orders)
        response = rules_service_pb2.ResolveImpulseResponse(**_outcome(outcome, opened, request))
        self._write_position(response, outcome, opened, request)
        return response

    @guarded
    def ScorePosition(
        self, request: rules_service_pb2.ScorePositionRequest
    ) -> rules_service_pb2.ScorePositionResponse:
        opened = self._positions.read(request)
        codec = opened.codec
        score = codec.encode_score(inquire.score(opened.position))
        return rules_service_pb2.ScorePositionResponse(
            score=game_part(core_pb2.Score, codec, score))

    @guarded
    def DescribeRule(
        self, request: rules_service_pb2.DescribeRuleRequest
    ) -> rules_service_pb2.DescribeRuleResponse:
        found = describe.describe(self._library, request.clause)
        return rules_service_pb2.DescribeRuleResponse(
            game=found.game, clause=found.clause.id, rule=found.clause.rule,
            reading=found.clause.reading, functions=found.clause.functions,
            tests=found.clause.tests, parts=found.parts,
            describes_components=not found.clause.tests)

    @guarded
    def QueryOverlay(
        self, request: rules_service_pb2.QueryOverlayRequest
    ) -> rules_service_pb2.QueryOverlayResponse:
        return asking.query_overlay(request, self._positions)

    @guarded
    def PreviewCombat(
        self, request: rules_service_pb2.PreviewCombatRequest
    ) -> rules_service_pb2.PreviewCombatResponse:
        return asking.preview_combat(request, self._positions)

    @guarded
    def CheckPosition(
        self, request: rules_service_pb2.CheckPositionRequest
    ) -> rules_service_pb2.CheckPositionResponse:
        return asking.check_position(request, self._positions)

    @guarded
    def WriteNotation(
        self, request: rules_service_pb2.WriteNotationRequest
    ) -> rules_service_pb2.WriteNotationResponse:
        return noting.write(request, self._library, self._codecs, self._positions)

    @guarded
    def ReadNotation(
        self, request: rules_service_pb2.ReadNotationRequest
    ) -> rules_service_pb2.ReadNotationResponse:
        return noting.read(request, self._library, self._codecs, self._positions)

    @guarded
    def ReplayGame(
        self, request: Iterator[rules_service_pb2.ReplayGameRequest]
    ) -> rules_service_pb2.ReplayGameResponse:
        return replay(request, self._library, self._codecs, self._positions)

    def _write_position(self, response: Any, outcome: resolve.Outcome, opened: Opened,
                        request: Any) -> None:
        if outcome.violations:
            return
        if request.response_mode in _FULL:
            self._positions.write(response.position, outcome.position, opened)
            return
        if request.response_mode == rules_service_pb2.RESPONSE_MODE_DELTA:
            self._positions.write_delta(response.delta, outcome.position, opened)
        self._positions.expect(outcome.position, opened)


def _require_resolvable(request: Any) -> None:
    require_request_id(request.request_id)
    if request.response_mode not in _MODES:
        raise MalformedError(
            f"response_mode: {request.response_mode} is no mode; expected "
            "RESPONSE_MODE_FULL, RESPONSE_MODE_EVENTS or RESPONSE_MODE_DELTA",
            field="response_mode")


def _require_expected(request: Any, opened: Opened) -> None:
    expected = request.expected_version if request.HasField("expected_version") else None
    require_version(opened.position, expected)


def _outcome(outcome: resolve.Outcome, opened: Opened, request: Any) -> dict[str, Any]:
    """Keyword arguments of the response, all but the position."""
    position = outcome.position
    return {
        "violations": violations_of(outcome.violations),
        "events": events_of(outcome.events, opened.codec),
        "decision": decision_of(position, opened.codec),
        "version": position.version,
        "checksum": position.checksum,
        "dice_counter": position.dice.counter,
        "request_id": request.request_id,
    }
