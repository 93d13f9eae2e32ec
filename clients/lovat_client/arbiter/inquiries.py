"""What a seat may ask about the position, which changes nothing: would it be legal, what would it
come to, what lies where."""

from __future__ import annotations

from collections.abc import Iterable

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2

from .errors import ArbiterError, malformed, not_running
from .referee import Referee
from .seating import Seating
from .store import Match


class Inquiries:
    """Answers with what the asking side may know. Raises `ArbiterError` and what `Referee` does."""

    def __init__(self, seating: Seating, referee: Referee) -> None:
        self._seating = seating
        self._referee = referee

    def validate(self, token: str,
                 request: play.ValidateOrdersRequest) -> play.ValidateOrdersResponse:
        match, side = self._deciding(token, request)
        judgement = self._referee.validate(match.row.head, request.order)
        return play.ValidateOrdersResponse(
            violations=self.for_player(match, side, judgement.violations, request.order),
            receipt=judgement.receipt, version=match.row.version)

    def preview(self, token: str,
                request: play.PreviewCombatRequest) -> play.PreviewCombatResponse:
        match, side = self._deciding(token, request)
        forecast = self._referee.preview(match.row.head, request.order, side)
        return play.PreviewCombatResponse(
            violations=self.for_player(match, side, forecast.violations, request.order),
            preview=forecast.preview if forecast.HasField("preview") else None,
            version=match.row.version)

    def overlay(self, token: str,
                request: play.QueryOverlayRequest) -> play.QueryOverlayResponse:
        match, side = self._seating.identify_seat(token, request.match_id)
        if not request.HasField("query"):
            raise malformed("query", "is required")
        overlay = self._referee.overlay(match.row.head, side, request.query)
        return play.QueryOverlayResponse(overlay=overlay, version=match.row.version)

    def for_player(self, match: Match, side: str, violations: Iterable[core_pb2.Violation],
                   order: core_pb2.Order) -> list[core_pb2.Violation]:
        """The violations of an order without what they would tell of counters unknown to a side."""
        disclosure = self._referee.disclosure(match.row.scenario, match.row.info.catalog_hash)
        return disclosure.violations(violations, side, match.seat(side).known, order)

    def _deciding(self, token: str,
                  request: play.ValidateOrdersRequest | play.PreviewCombatRequest
                  ) -> tuple[Match, str]:
        match, side = self._seating.identify_seat(token, request.match_id)
        require_decision(match, side)
        if not request.HasField("order"):
            raise malformed("order", "is required")
        return match, side


def require_decision(match: Match, side: str) -> None:
    """NOT_RUNNING or NOT_YOUR_DECISION unless a side has to decide now."""
    if match.row.state != play.MATCH_STATE_RUNNING:
        raise not_running(play.MatchState.ValueType(match.row.state))
    if match.row.decision_side != side:
        raise ArbiterError(play.MATCH_ERROR_REASON_NOT_YOUR_DECISION,
                           f"{match.row.decision_side} decides now")
