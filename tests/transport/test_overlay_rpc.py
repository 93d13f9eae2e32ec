"""QueryOverlay over the wire."""

from __future__ import annotations

from typing import Any

import grpc
import pytest

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import overlays_pb2, terms_pb2
from lovat_client.sdk import LovatClient
from tests.transport.wire import Wire, refused

KINDS = [kind for kind in overlays_pb2.OverlayKind.values()
         if kind not in (0, overlays_pb2.OVERLAY_KIND_REACH)]
RIFLES = "s-28-88-inf"


def request(position: core_pb2.Position, side: str = "soviet",
            **query: Any) -> rules_service_pb2.QueryOverlayRequest:
    return rules_service_pb2.QueryOverlayRequest(
        position=position, side=side,
        query=core_pb2.OverlayQuery(white_death=overlays_pb2.OverlayQuery(**query)))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_for_either_side(real: Wire, kind: int) -> None:
    position = real.create()
    for side, number in (("soviet", terms_pb2.SIDE_SOVIET), ("german", terms_pb2.SIDE_GERMAN)):
        for whose, about in ((0, number), (1, number), (2, 3 - number)):
            found = real.rules.QueryOverlay(
                request(position, side, kind=kind, whose=whose)).overlay.white_death
            assert (found.kind, found.side) == (kind, about)
            assert len(found.hexes) == len(found.values)
            assert list(found.hexes) == sorted(set(found.hexes))
            assert all(hex_ // 100 and hex_ % 100 for hex_ in found.hexes)


def test_the_reach_of_a_unit_and_what_it_sees(real: Wire) -> None:
    client, position = LovatClient(real.channel), real.create()
    row = next(row for row in position.state.white_death.units if row.unit == RIFLES)
    reach = client.overlay(position, "soviet", overlays_pb2.OVERLAY_KIND_REACH, unit=RIFLES,
                           points=3).white_death
    assert reach.points == 3
    assert reach.hexes
    assert max(reach.values) <= 3 * 120
    assert row.hex not in reach.hexes
    seen = client.overlay(position, "soviet", overlays_pb2.OVERLAY_KIND_LINE_OF_SIGHT,
                          unit=RIFLES).white_death
    assert seen == client.overlay(position, "soviet", overlays_pb2.OVERLAY_KIND_LINE_OF_SIGHT,
                                  hex_=row.hex).white_death
    assert dict(zip(seen.hexes, seen.values, strict=True))[row.hex] == 0


def test_the_enemy_is_asked_about_by_one_word(real: Wire) -> None:
    client, position = LovatClient(real.channel), real.create()
    kind = overlays_pb2.OVERLAY_KIND_SUPPLY
    assert client.overlay(position, "soviet", kind, enemy=True).white_death.side == \
        terms_pb2.SIDE_GERMAN


BAD = (
    ({"kind": 0}, "kind"), ({"kind": 99}, "kind"), ({"kind": 8}, "unit"),
    ({"kind": 8, "unit": "nobody"}, "unit"), ({"kind": 8, "unit": "g-i-138-mtn"}, "unit"),
    ({"kind": 5, "hex": 9999}, "hex"), ({"kind": 3, "hex": 1430}, "hex"),
    ({"kind": 3, "unit": RIFLES}, "unit"), ({"kind": 3, "whose": 7}, "whose"),
    ({"kind": 8, "unit": RIFLES, "whose": 2}, "whose"), ({"kind": 9, "points": 11}, "points"),
    ({"kind": 9, "points": 2**31}, "points"), ({"kind": 3, "points": 1}, "points"),
)


@pytest.mark.parametrize(("query", "field"), BAD)
def test_a_bad_query_names_its_field(real: Wire, query: dict[str, Any], field: str) -> None:
    told = refused(real.rules.QueryOverlay, request(real.create(), **query))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert told.field == f"query.white_death.{field}"


def test_a_query_needs_a_side_and_a_game(real: Wire) -> None:
    position = real.create()
    for asked, field in (
        (request(position, "french", kind=1), "side"),
        (rules_service_pb2.QueryOverlayRequest(position=position, side="soviet"), "query"),
        (rules_service_pb2.QueryOverlayRequest(position=position, side="soviet", query={}),
         "query"),
        (rules_service_pb2.QueryOverlayRequest(side="soviet"), "position"),
    ):
        told = refused(real.rules.QueryOverlay, asked)
        assert (told.code, told.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)
