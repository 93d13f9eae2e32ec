"""Servicers called with messages, without a network."""

from __future__ import annotations

from typing import Any

import grpc
import grpc_testing
import pytest

from lovat.rules.v1 import catalog_service_pb2, core_pb2, rules_service_pb2
from lovat_server.transport.catalog_servicer import CatalogServicer
from lovat_server.transport.codecs import Codecs
from lovat_server.transport.positions import Positions
from lovat_server.transport.rules_servicer import RulesServicer
from lovat_server.transport.server import CATALOG, RULES
from tests.transport.stub_rules import SCENARIO, BrokenRules, stub_library
from tests.transport.wire import declare

Answer = tuple[Any, grpc.StatusCode, str]


class Bench:
    def __init__(self, library: Any) -> None:
        codecs = Codecs(library)
        self._server = grpc_testing.server_from_dictionary(
            {CATALOG: CatalogServicer(library, codecs), RULES: RulesServicer(library, codecs)},
            grpc_testing.strict_real_time())

    def call(self, service: Any, name: str, request: Any) -> Answer:
        rpc = self._server.invoke_unary_unary(service.methods_by_name[name], (), request, None)
        response, _, code, details = rpc.termination()
        return response, code, details

    def stream(self, service: Any, name: str, requests: list[Any]) -> Answer:
        rpc = self._server.invoke_stream_unary(service.methods_by_name[name], (), None)
        for request in requests:
            rpc.send_request(request)
        rpc.requests_closed()
        response, _, code, details = rpc.termination()
        return response, code, details

    def create(self) -> core_pb2.Position:
        response, code, _ = self.call(RULES, "CreateGame", rules_service_pb2.CreateGameRequest(
            scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="7"))
        assert code is grpc.StatusCode.OK
        return response.position


@pytest.fixture
def bench() -> Bench:
    return Bench(stub_library())


def test_a_servicer_answers_messages_with_messages(bench: Bench) -> None:
    response, code, _ = bench.call(
        CATALOG, "GetCatalog", catalog_service_pb2.GetCatalogRequest(scenario=SCENARIO))
    assert code is grpc.StatusCode.OK
    assert response.white_death.scenario.id == SCENARIO


def test_an_order_is_carried_out(bench: Bench) -> None:
    response, code, _ = bench.call(RULES, "SubmitOrders", rules_service_pb2.SubmitOrdersRequest(
        position=bench.create(), order=declare()))
    assert code is grpc.StatusCode.OK
    assert response.position.version == 1


def test_an_error_is_a_status_with_a_sentence(bench: Bench) -> None:
    _, code, details = bench.call(
        RULES, "SubmitOrders", rules_service_pb2.SubmitOrdersRequest(order=declare()))
    assert code is grpc.StatusCode.INVALID_ARGUMENT
    assert details.startswith("position: ")


def test_a_stream_is_read_to_its_verdict(bench: Bench) -> None:
    start = rules_service_pb2.ReplayGameRequest(start={"position": bench.create()})
    response, code, _ = bench.stream(RULES, "ReplayGame", [start])
    assert code is grpc.StatusCode.OK
    assert (response.verified, response.records) == (True, 0)


def test_a_bug_is_internal() -> None:
    bench = Bench(stub_library(BrokenRules()))
    _, code, details = bench.call(RULES, "ScorePosition", rules_service_pb2.ScorePositionRequest(
        position=bench.create()))
    assert code is grpc.StatusCode.INTERNAL
    assert "division" not in details


class TestPositionCache:
    def test_a_state_that_was_seen_is_not_converted_again(self, bench: Bench) -> None:
        library = stub_library()
        positions = Positions(library, Codecs(library))
        message = bench.create()
        first, second = positions.read_message(message), positions.read_message(message)
        assert first.position.state is second.position.state

    def test_a_state_that_was_sent_is_known_when_it_comes_back(self, bench: Bench) -> None:
        library = stub_library()
        positions = Positions(library, Codecs(library))
        position = positions.read_message(bench.create()).position
        sent = core_pb2.Position()
        positions.write(sent, position)
        assert positions.read_message(sent).position.state is position.state

    def test_old_states_are_forgotten(self, bench: Bench) -> None:
        library = stub_library()
        positions = Positions(library, Codecs(library), capacity=2)
        message = bench.create()
        message.checksum = ""
        first = positions.read_message(message).position.state
        for turn in (2, 3):
            message.state.white_death.turn = turn
            positions.read_message(message)
        message.state.white_death.turn = 1
        again = positions.read_message(message).position.state
        assert again is not first
        assert again == first

    def test_a_message_that_is_altered_after_it_was_sent_does_no_harm(self, bench: Bench) -> None:
        library = stub_library()
        positions = Positions(library, Codecs(library))
        position = positions.read_message(bench.create()).position
        sent = core_pb2.Position()
        positions.write(sent, position)
        untouched = core_pb2.Position()
        untouched.CopyFrom(sent)
        sent.state.white_death.turn = 5
        assert positions.read_message(untouched).position.state.turn == 1
