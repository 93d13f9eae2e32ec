"""White Death on the wire: orders, events and answers."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

from lovat.white_death.v1 import (
    answers_pb2,
    catalog_pb2,
    events_pb2,
    orders_pb2,
    overlays_pb2,
    state_pb2,
)
from lovat_server.games.white_death import answers, events, orders, overlays, state
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.previews import Preview

from .decode import Decoders, FieldError
from .encode import Encoders
from .names import Names, names_of
from .shapes import Scalar, Shape
from .white_death_catalog import catalog_message
from .white_death_preview import encode_preview
from .white_death_state import StateCodec, encode_own_unit

_OVERRIDES: Mapping[tuple[type, str], Shape] = {
    (state.Bridge, "builder"): Scalar.UNIT_OR_NONE,
    (state.State, "railroad_held"): Scalar.BOARD,
}


def _may_be_off_map(cls: type, name: str) -> bool:
    return cls.__module__ == events.__name__ or (cls, name) in (
        (orders.Replacement, "hex"), (overlays.OverlayQuery, "hex"))


DECODERS = Decoders(
    overrides=_OVERRIDES,
    off_map=_may_be_off_map,
    required=frozenset({(orders.DeclareImpulse, "kind"), (state.Decision, "kind"),
                        (overlays.OverlayQuery, "kind")}),
    defaulted=frozenset({orders.FirePolicy}),
)


@lru_cache(maxsize=1024)
def _reach_message(reach: answers.Reach, names: Names) -> Any:
    """Thousands of numbers that most calls of a phase repeat: written once, then copied."""
    numbers = names.hex_numbers
    return answers_pb2.UnitOptions(
        hexes=map(numbers.__getitem__, reach.hexes), costs=reach.costs,
        previous=map(numbers.__getitem__, reach.previous), marks=reach.marks)


def _encode_unit_options(options: answers.UnitOptions, names: Names) -> Any:
    message = answers_pb2.UnitOptions()
    message.CopyFrom(_reach_message(options.reach, names))
    message.unit = names.unit_ids[options.unit]
    message.left = options.left
    message.rail.extend(names.hex_numbers[hex_] for hex_ in options.rail)
    message.assaults.extend(names.hex_numbers[hex_] for hex_ in options.assaults)
    message.may_deploy = options.may_deploy
    message.may_build_bridge = options.may_build_bridge
    message.may_destroy_bridge = options.may_destroy_bridge
    message.charges.extend(names.hex_numbers[hex_] for hex_ in options.charges)
    message.may_abandon = options.may_abandon
    message.may_exit = options.may_exit
    return message


ENCODERS = Encoders(overrides=_OVERRIDES, records={
    answers.OwnUnit: encode_own_unit, answers.UnitOptions: _encode_unit_options})

_decode_order = DECODERS.choice(get_args(orders.Order), orders_pb2.Order.DESCRIPTOR)
_decode_event = DECODERS.choice(get_args(events.Event), events_pb2.Event.DESCRIPTOR)
_decode_standing = DECODERS.record(orders.StandingOrders, orders_pb2.StandingOrders.DESCRIPTOR)
_decode_options = DECODERS.record(state.Options, state_pb2.Options.DESCRIPTOR)
_decode_query = DECODERS.record(overlays.OverlayQuery, overlays_pb2.OverlayQuery.DESCRIPTOR)
_encode_overlay = ENCODERS.record(overlays.Overlay, overlays_pb2.Overlay.DESCRIPTOR)
_encode_order = ENCODERS.choice(get_args(orders.Order), orders_pb2.Order.DESCRIPTOR)
_encode_event = ENCODERS.choice(get_args(events.Event), events_pb2.Event.DESCRIPTOR)
_encode_view = ENCODERS.record(answers.View, answers_pb2.View.DESCRIPTOR)
_encode_listing = ENCODERS.record(answers.Listing, answers_pb2.Listing.DESCRIPTOR)
_encode_receipt = ENCODERS.record(answers.Receipt, answers_pb2.Receipt.DESCRIPTOR)
_encode_score = ENCODERS.record(answers.Score, answers_pb2.Score.DESCRIPTOR)
_states = StateCodec(DECODERS, ENCODERS)


class WhiteDeathCodec:
    """The codec of one catalog. Decoders take a message and raise `decode.FieldError`.

    Encoders give keyword arguments of the message, see `encode`.
    """

    game = "white_death"

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self.names: Names = names_of([unit.id for unit in catalog.units], catalog.map.numbers)

    def decode_order(self, message: Any) -> Any:
        return _decode_order(message, self.names)

    def decode_standing(self, message: Any) -> Any:
        return _decode_standing(message, self.names)

    def decode_options(self, message: Any) -> Any:
        return _decode_options(message, self.names)

    def decode_event(self, message: Any) -> Any:
        return _decode_event(message, self.names)

    def decode_state(self, message: Any) -> state.State:
        return _states.decode(message, self._catalog, self.names)

    def decode_query(self, message: Any) -> overlays.OverlayQuery:
        query: overlays.OverlayQuery = _decode_query(message, self.names)
        return query

    def unreadable(self, message: Any) -> list[FieldError]:
        """Every row and field of a state that cannot be read."""
        return _states.unreadable(message, self._catalog, self.names)

    def default_options(self) -> state.Options:
        return state.Options()

    def encode_order(self, order: Any) -> dict[str, Any]:
        result: dict[str, Any] = _encode_order(order, self.names)
        return result

    def encode_event(self, event: Any) -> dict[str, Any]:
        result: dict[str, Any] = _encode_event(event, self.names)
        return result

    def encode_view(self, view: answers.View) -> dict[str, Any]:
        result: dict[str, Any] = _encode_view(view, self.names)
        return result

    def encode_listing(self, listing: answers.Listing) -> dict[str, Any]:
        result: dict[str, Any] = _encode_listing(listing, self.names)
        return result

    def encode_receipt(self, receipt: answers.Receipt) -> dict[str, Any]:
        result: dict[str, Any] = _encode_receipt(receipt, self.names)
        return result

    def encode_score(self, score: answers.Score) -> dict[str, Any]:
        result: dict[str, Any] = _encode_score(score, self.names)
        return result

    def encode_preview(self, preview: Preview) -> dict[str, Any]:
        return encode_preview(preview, self.names)

    def encode_overlay(self, overlay: overlays.Overlay) -> dict[str, Any]:
        result: dict[str, Any] = _encode_overlay(overlay, self.names)
        return result

    def write_delta(self, target: Any, value: state.State, before: state.State) -> None:
        """Fill the empty `StateDelta` that leads from `before` to `value`."""
        _states.write_delta(target, value, before, self.names)

    def write_state(self, target: Any, value: state.State, before: state.State | None) -> None:
        """Bring the message `target`, which holds `before` (None: nothing), to `value`."""
        _states.write(target, value, before, self.names)

    def decision_kind(self, value: state.State) -> str:
        """The name of the order that answers the pending decision."""
        return value.decision.kind.name.lower()

    def encode_catalog(self) -> catalog_pb2.Catalog:
        return catalog_message(self._catalog)
