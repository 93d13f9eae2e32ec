"""Advisors of bots that are run by whoever holds the position."""

from __future__ import annotations

from dataclasses import dataclass

from lovat.rules.v1 import core_pb2, rules_service_pb2

from .sdk.client import LovatClient
from .sdk.session import Session


@dataclass(frozen=True, slots=True)
class PositionAdvisor:
    """The `bots.Advisor` of one side about one position."""

    client: LovatClient
    position: core_pb2.Position
    side: str

    def preview(self, order: core_pb2.Order) -> rules_service_pb2.PreviewCombatResponse:
        return self.client.rpc.preview_combat(rules_service_pb2.PreviewCombatRequest(
            position=self.position, order=order, side=self.side))

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        return self.client.rpc.query_overlay(rules_service_pb2.QueryOverlayRequest(
            position=self.position, side=self.side, query=query)).overlay


@dataclass(frozen=True, slots=True)
class SessionAdvisor:
    """The `bots.Advisor` of one side of a game, about the position where it stands."""

    session: Session
    side: str

    def preview(self, order: core_pb2.Order) -> rules_service_pb2.PreviewCombatResponse:
        return self._now.preview(order)

    def overlay(self, query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        return self._now.overlay(query)

    @property
    def _now(self) -> PositionAdvisor:
        return PositionAdvisor(self.session.client, self.session.position, self.side)
