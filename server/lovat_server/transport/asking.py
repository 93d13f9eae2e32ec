"""Questions that look at a position in their own way: overlays, previews of combat, faults."""

from __future__ import annotations

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat_server.core.errors import MalformedError
from lovat_server.service import inquire
from lovat_server.service.position import require_side

from .messages import game_part, prefixed, read_game_part, read_order, violations_of
from .positions import Positions


def query_overlay(request: rules_service_pb2.QueryOverlayRequest,
                  positions: Positions) -> rules_service_pb2.QueryOverlayResponse:
    """An overlay, as far as the side that asks can know it."""
    opened = positions.read(request)
    position, codec = opened.position, opened.codec
    side = require_side(position.volume, request.side, "side")
    if not request.HasField("query"):
        raise MalformedError("query: nothing is set here; it is required", field="query")
    query = read_game_part(request.query, codec, codec.decode_query, "query")
    try:
        found = inquire.overlay(position, side, query)
    except MalformedError as error:
        raise prefixed(error, f"query.{codec.game}") from None
    return rules_service_pb2.QueryOverlayResponse(
        overlay=game_part(core_pb2.Overlay, codec, codec.encode_overlay(found)))


def preview_combat(request: rules_service_pb2.PreviewCombatRequest,
                   positions: Positions) -> rules_service_pb2.PreviewCombatResponse:
    """What fire or an assault would come to."""
    opened = positions.read(request)
    position, codec = opened.position, opened.codec
    side = require_side(position.volume, request.side, "side") if request.side else None
    found = inquire.preview(position, read_order(request, "order", codec), side)
    if found.violations:
        return rules_service_pb2.PreviewCombatResponse(violations=violations_of(found.violations))
    return rules_service_pb2.PreviewCombatResponse(
        preview=game_part(core_pb2.Preview, codec, codec.encode_preview(found.receipt)))


def check_position(request: rules_service_pb2.CheckPositionRequest,
                   positions: Positions) -> rules_service_pb2.CheckPositionResponse:
    """Everything that is wrong with a position, whoever made it."""
    position, has_dice = positions.read_unchecked(request)
    return rules_service_pb2.CheckPositionResponse(
        faults=violations_of(inquire.faults(position)), blocking=inquire.blocking(position),
        checksum=position.checksum if has_dice else "")
