"""What a position file waits for."""

from __future__ import annotations

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import GetViewRequest

from ..sdk import LovatClient
from .console import fail


def pending(client: LovatClient, position: core_pb2.Position) -> core_pb2.Decision:
    """The decision that the position waits for, as the server reads it."""
    sides = next((game.sides for game in client.games() if game.id == position.game), None)
    if not sides:
        fail(f"the server has no game {position.game!r}")
    return client.rpc.get_view(GetViewRequest(position=position, side=sides[0])).decision
