"""WriteNotation and ReadNotation: positions and orders as text."""

from __future__ import annotations

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat_server.core.errors import LovatError, MalformedError
from lovat_server.service import notation
from lovat_server.service.create import DiceChoice
from lovat_server.service.library import Library

from .codecs import Codecs
from .creation import read_dice_mode
from .decode import MAX_ITEMS
from .messages import game_part, prefixed, read_game_part
from .positions import Positions

_POSITION = rules_service_pb2.NOTATION_KIND_POSITION
_ORDERS = rules_service_pb2.NOTATION_KIND_ORDERS


def write(request: rules_service_pb2.WriteNotationRequest, library: Library, codecs: Codecs,
          positions: Positions) -> rules_service_pb2.WriteNotationResponse:
    """The text of a position or of orders."""
    item = request.WhichOneof("item")
    if item is None:
        raise MalformedError("item: nothing is set here; expected position or orders",
                             field="item")
    if item == "position":
        return rules_service_pb2.WriteNotationResponse(
            text=notation.write_position(positions.read(request).position))
    try:
        return rules_service_pb2.WriteNotationResponse(
            text=_write_orders(request.orders, library, codecs))
    except LovatError as error:
        raise prefixed(error, "orders") from None


def _write_orders(said: rules_service_pb2.OrderText, library: Library, codecs: Codecs) -> str:
    volume = library.volume(said.scenario)
    codec = codecs.of(volume)
    if len(said.orders) > MAX_ITEMS:
        raise MalformedError(f"orders: {len(said.orders)} items; expected at most {MAX_ITEMS}",
                             field="orders")
    orders = [read_game_part(order, codec, codec.decode_order, f"orders[{place}]")
              for place, order in enumerate(said.orders)]
    return notation.write_orders(volume, orders)


def read(request: rules_service_pb2.ReadNotationRequest, library: Library, codecs: Codecs,
         positions: Positions) -> rules_service_pb2.ReadNotationResponse:
    """The position or the orders of a text."""
    if request.kind == _ORDERS:
        return _read_orders(request, library, codecs)
    if request.kind != _POSITION:
        raise MalformedError(f"kind: {request.kind or 'nothing'} is no kind of text; expected "
                             "NOTATION_KIND_POSITION or NOTATION_KIND_ORDERS", field="kind")
    dice = DiceChoice(read_dice_mode(request.dice_mode), request.seed, tuple(request.script))
    position = notation.read_position(library, request.text, request.scenario, dice)
    response = rules_service_pb2.ReadNotationResponse()
    positions.write_unchecked(response.position, position, "text")
    return response


def _read_orders(request: rules_service_pb2.ReadNotationRequest, library: Library,
                 codecs: Codecs) -> rules_service_pb2.ReadNotationResponse:
    if request.dice_mode or request.seed or request.script:
        raise MalformedError("dice_mode: orders have no dice; expected nothing here",
                             field="dice_mode")
    volume = library.volume(request.scenario)
    codec = codecs.of(volume)
    orders = notation.read_orders(volume, request.text)
    try:
        written = [game_part(core_pb2.Order, codec, codec.encode_order(order))
                   for order in orders]
    except (ValueError, OverflowError) as error:
        raise MalformedError(f"text: it has a number that no order can have ({error})",
                             field="text") from None
    return rules_service_pb2.ReadNotationResponse(orders=written)
