"""Parts of requests and responses that several calls share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from lovat.rules.v1 import core_pb2
from lovat_server.core.errors import LovatError, MalformedError
from lovat_server.core.violations import Violation
from lovat_server.service.position import Position, require_side
from lovat_server.service.resolve import SideOrders

from .codecs import Codec
from .decode import MAX_ITEMS, FieldError

MAX_REQUEST_ID = 128

Part = TypeVar("Part")


def require_request_id(request_id: str) -> str:
    """MalformedError for an id that is too long to be echoed."""
    if len(request_id) > MAX_REQUEST_ID:
        raise MalformedError(f"request_id: {len(request_id)} characters; expected at most "
                             f"{MAX_REQUEST_ID}", field="request_id")
    return request_id


def read_game_part(message: Any, codec: Codec, decode: Callable[[Any], Any], path: str) -> Any:
    """What a message with one oneof over the games says, for the game of the codec.

    MalformedError if nothing or another game's is set, or if it cannot be read.
    """
    chosen = message.WhichOneof("game")
    if chosen != codec.game:
        raise MalformedError(f"{path}: {chosen or 'nothing'} is set here; expected {codec.game}",
                             field=path)
    try:
        return decode(getattr(message, chosen))
    except FieldError as fault:
        raise fault.at(f"{path}.{chosen}") from None


def read_order(request: Any, name: str, codec: Codec) -> Any:
    """The required order in a field of a request."""
    if not request.HasField(name):
        raise MalformedError(f"{name}: nothing is set here; it is required", field=name)
    return read_game_part(getattr(request, name), codec, codec.decode_order, name)


def read_standing(holder: Any, codec: Codec, path: str = "standing") -> Any:
    """The optional standing orders of a message, or None."""
    if not holder.HasField("standing"):
        return None
    return read_game_part(holder.standing, codec, codec.decode_standing, path)


def read_side_orders(items: Sequence[Any], position: Position, codec: Codec,
                     path: str = "orders") -> tuple[SideOrders, ...]:
    """What each side says. MalformedError names the place, `orders[0].orders[1]...`."""
    if len(items) > len(position.volume.game.sides):
        raise MalformedError(f"{path}: {len(items)} entries; expected at most one for each side",
                             field=path)
    return tuple(_read_side(item, position, codec, f"{path}[{place}]")
                 for place, item in enumerate(items))


def read_units(units: Sequence[str], codec: Codec) -> tuple[int, ...]:
    """The unit filter of a listing."""
    found = []
    for place, unit in enumerate(units):
        index = codec.names.unit_of.get(unit)
        if index is None:
            path = f"units[{place}]"
            raise MalformedError(f"{path}: {unit[:80]!r} is no unit of this scenario; expected "
                                 "the id of one", field=path)
        found.append(index)
    return tuple(found)


def violations_of(violations: Iterable[Violation]) -> Any:
    """A list of keyword arguments of `Violation` messages."""
    return [
        {"reason": int(violation.reason), "clause": violation.clause, "order_path": violation.path,
         "message": violation.message, "facts": dict(violation.facts)}
        for violation in violations
    ]


def events_of(events: Iterable[Any], codec: Codec) -> Any:
    """A list of keyword arguments of `GameEvent` messages."""
    return [{codec.game: codec.encode_event(event)} for event in events]


def game_part(message: type[Part], codec: Codec, fields: dict[str, Any]) -> Part:
    """A message with one oneof over the games, from the keyword arguments of the game's own."""
    parts: Any = {codec.game: fields}
    return message(**parts)


def decision_of(position: Position, codec: Codec) -> core_pb2.Decision:
    """What a position waits for."""
    return core_pb2.Decision(side=position.volume.game.sides[position.deciding_side],
                             kind=codec.decision_kind(position.state))


def prefixed(error: LovatError, prefix: str) -> LovatError:
    """The same error for a field that is nested in `prefix`."""
    field = f"{prefix}.{error.field}" if error.field else prefix
    return type(error)(f"{prefix}: {error.message}", field=field)


def _read_side(item: core_pb2.SideOrders, position: Position, codec: Codec,
               path: str) -> SideOrders:
    if len(item.orders) > MAX_ITEMS:
        raise MalformedError(f"{path}.orders: {len(item.orders)} items; expected at most "
                             f"{MAX_ITEMS}", field=f"{path}.orders")
    side = require_side(position.volume, item.side, f"{path}.side")
    orders = tuple(
        read_game_part(order, codec, codec.decode_order, f"{path}.orders[{place}]")
        for place, order in enumerate(item.orders)
    )
    return SideOrders(side, orders, read_standing(item, codec, f"{path}.standing"))
