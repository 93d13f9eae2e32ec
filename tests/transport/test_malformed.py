"""Nothing that can be sent makes the server stumble, and every fault of a field is named."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from lovat.rules.v1 import rules_service_pb2
from lovat_server.transport.white_death_codec import WhiteDeathCodec
from tests.transport.spoilers import CALL_EDITS, ORDER_EDITS, POSITION_EDITS, Malformed, Spoiler
from tests.transport.stub_rules import stub_catalog
from tests.transport.wire import Failure, Wire, failure

COUNT = 510
FITTING = {
    grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.ABORTED,
    grpc.StatusCode.RESOURCE_EXHAUSTED,
}


@pytest.fixture(params=["stub", "real"])
def wire(request: pytest.FixtureRequest) -> Wire:
    served: Wire = request.getfixturevalue(request.param)
    return served


def told(wire: Wire, spoilt: Malformed) -> Failure | None:
    try:
        wire.raw(spoilt.method, spoilt.data)
    except grpc.RpcError as error:
        return failure(error)
    return None


def complaints(wire: Wire, requests: Iterator[Malformed]) -> Iterator[str]:
    for spoilt in requests:
        answer = told(wire, spoilt)
        if answer is None:
            yield f"{spoilt.name}: was accepted"
        elif answer.code not in FITTING:
            yield f"{spoilt.name}: {answer.code} {answer.message}"
        elif spoilt.field is not None and answer.field != spoilt.field:
            yield f"{spoilt.name}: names {answer.field!r}, not {spoilt.field!r}"
        elif spoilt.field is None and "too big" in spoilt.name:
            if answer.code is not grpc.StatusCode.RESOURCE_EXHAUSTED:
                yield f"{spoilt.name}: {answer.code}"
        elif not answer.message:
            yield f"{spoilt.name}: says nothing"


def test_five_hundred_malformed_requests_are_refused_and_the_server_goes_on(wire: Wire) -> None:
    position = wire.create()
    spoiler = Spoiler(position, seed=20_421_124)
    found = list(complaints(wire, spoiler.requests(COUNT)))
    assert not found, "\n".join(found)
    assert wire.create() == position
    answer = wire.rules.ScorePosition(rules_service_pb2.ScorePositionRequest(position=position))
    assert answer.HasField("score")


def test_every_kind_of_spoiling_is_met() -> None:
    kinds = len(ORDER_EDITS) + len(POSITION_EDITS) + len(CALL_EDITS) + 4
    assert max(500, 9 * kinds) <= COUNT


@pytest.mark.parametrize("kind", ["create", "position"])
def test_a_stream_of_nonsense_is_refused(wire: Wire, kind: str) -> None:
    call = wire.channel.stream_unary("/lovat.rules.v1.RulesService/ReplayGame")
    start = rules_service_pb2.ReplayGameRequest(start={"position": wire.create()})
    if kind == "create":
        start = rules_service_pb2.ReplayGameRequest(start={"create": {"scenario": "NaN"}})
    for items in ([b"\xff\xff"], [start.SerializeToString(), b"\x0a\xff"], [b""],
                  [start.SerializeToString()[:-3]]):
        with pytest.raises(grpc.RpcError) as caught:
            call(iter(items))
        answer = failure(caught.value)
        assert answer.code in FITTING
        assert answer.field.startswith("requests[")


def test_a_flip_anywhere_in_a_position_is_noticed_or_says_the_same(wire: Wire) -> None:
    """Every byte of the envelope and the dice, and a sample of the rows."""
    good = rules_service_pb2.ScorePositionRequest(position=wire.create()).SerializeToString()
    places = [*range(600), *range(600, len(good) - 400, 97), *range(len(good) - 400, len(good))]
    codec = WhiteDeathCodec(stub_catalog())
    for place in places:
        data = bytearray(good)
        data[place] ^= 1
        answer = told(wire, Malformed("flip", "ScorePosition", bytes(data), None))
        if answer is not None:
            assert answer.code in FITTING
        else:
            # number 0 of an enumeration may stand for its default
            before, after = (rules_service_pb2.ScorePositionRequest.FromString(raw).position
                             for raw in (good, bytes(data)))
            assert codec.decode_state(before.state.white_death) == codec.decode_state(
                after.state.white_death)
            after.state.white_death.CopyFrom(before.state.white_death)
            assert before == after
