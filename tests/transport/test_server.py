"""A server on a free port: every call, and what goes with it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import traceback
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from lovat.rules.v1 import catalog_service_pb2, core_pb2, rules_service_pb2
from lovat.white_death.v1 import orders_pb2
from lovat_server.transport import faults
from lovat_server.transport.config import Config
from lovat_server.transport.main import main
from lovat_server.transport.metrics import Metrics
from lovat_server.transport.server import build_server
from tests.transport.stub_rules import SCENARIO, BrokenRules, stub_library
from tests.transport.wire import Wire, declare, march, refused

Submit = rules_service_pb2.SubmitOrdersRequest


def submit(wire: Wire, position: core_pb2.Position, order: core_pb2.Order,
           **fields: Any) -> rules_service_pb2.SubmitOrdersResponse:
    return wire.rules.SubmitOrders(Submit(position=position, order=order, **fields))


def moving(wire: Wire) -> core_pb2.Position:
    return submit(wire, wire.create(), declare()).position


def record(before: core_pb2.Position, orders: core_pb2.SideOrders, answer: Any, *,
           impulse: bool = False) -> core_pb2.LogRecord:
    return core_pb2.LogRecord(
        version=before.version, checksum_before=before.checksum,
        dice_before=before.state.dice.counter, impulse=impulse, orders=[orders],
        events=answer.events, checksum_after=answer.checksum, dice_after=answer.dice_counter)


class TestAround:
    def test_health_names_every_service(self, stub: Wire) -> None:
        health = health_pb2_grpc.HealthStub(stub.channel)
        for name in ("", "lovat.rules.v1.RulesService", "lovat.rules.v1.CatalogService"):
            answer = health.Check(health_pb2.HealthCheckRequest(service=name))
            assert answer.status == health_pb2.HealthCheckResponse.SERVING

    def test_reflection_lists_every_service(self, stub: Wire) -> None:
        ask = reflection_pb2.ServerReflectionRequest(list_services="")
        answer = next(reflection_pb2_grpc.ServerReflectionStub(stub.channel)
                      .ServerReflectionInfo(iter([ask])))
        names = {service.name for service in answer.list_services_response.service}
        assert names >= {"lovat.rules.v1.RulesService", "lovat.rules.v1.CatalogService",
                         "grpc.health.v1.Health"}

    def test_a_request_id_comes_back(self, stub: Wire) -> None:
        _, call = stub.catalogs.ListGames.with_call(
            catalog_service_pb2.ListGamesRequest(), metadata=(("x-request-id", "abc"),))
        assert ("x-request-id", "abc") in [tuple(item) for item in call.trailing_metadata()]

    def test_a_call_without_an_id_gets_one(self, stub: Wire) -> None:
        _, call = stub.catalogs.ListGames.with_call(catalog_service_pb2.ListGamesRequest())
        assert dict(call.trailing_metadata())["x-request-id"]

    def test_a_bug_is_internal_without_details(self, monkeypatch: pytest.MonkeyPatch) -> None:
        logged: list[str] = []

        class Log:
            def exception(self, event: str, **facts: str) -> None:
                logged.append(f"{event} {facts['method']} {traceback.format_exc()}")

        monkeypatch.setattr(faults, "_LOG", Log())
        metrics = Metrics()
        server, port = build_server(stub_library(BrokenRules()), Config(port=0), metrics=metrics)
        server.start()
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            wire = Wire(channel)
            position = wire.create()
            told = refused(wire.rules.ScorePosition,
                           rules_service_pb2.ScorePositionRequest(position=position))
            wire.create()
        server.stop(None).wait()
        assert told.code is grpc.StatusCode.INTERNAL
        assert "ZeroDivision" not in told.message
        (line,) = logged
        assert line.startswith("bug ScorePosition ")
        assert "ZeroDivisionError" in line
        counted = metrics.snapshot()
        assert counted["/lovat.rules.v1.RulesService/CreateGame OK"]["calls"] == 2
        assert counted["/lovat.rules.v1.RulesService/ScorePosition INTERNAL"]["calls"] == 1

    def test_extra_handlers_are_served_beside_the_product(self) -> None:
        echo = grpc.method_handlers_generic_handler("bench.Echo", {
            "Echo": grpc.unary_unary_rpc_method_handler(lambda raw, _context: raw)})
        server, port = build_server(stub_library(), Config(port=0), extra_handlers=(echo,))
        server.start()
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            assert channel.unary_unary("/bench.Echo/Echo")(b"abc") == b"abc"
        server.stop(None).wait()

    def test_a_taken_port_is_an_error(self) -> None:
        library = stub_library()
        first, port = build_server(library, Config(port=0))
        with pytest.raises(OSError, match="cannot listen"):
            build_server(library, Config(port=port))
        first.stop(None).wait()


class TestCatalogs:
    def test_games_and_scenarios_are_listed(self, stub: Wire) -> None:
        (game,) = stub.catalogs.ListGames(catalog_service_pb2.ListGamesRequest()).games
        assert (game.id, list(game.sides)) == ("white_death", ["soviet", "german"])
        listed = stub.catalogs.ListScenarios(
            catalog_service_pb2.ListScenariosRequest(game="white_death"))
        assert [scenario.id for scenario in listed.scenarios] == [SCENARIO]

    def test_a_known_catalog_is_not_sent_again(self, stub: Wire) -> None:
        first = stub.catalogs.GetCatalog(
            catalog_service_pb2.GetCatalogRequest(scenario=SCENARIO))
        assert len(first.white_death.map.hexes) == first.white_death.map.columns * \
            first.white_death.map.rows
        again = stub.catalogs.GetCatalog(catalog_service_pb2.GetCatalogRequest(
            scenario=SCENARIO, known_hash=first.content_hash))
        assert again.unchanged
        assert not again.HasField("white_death")

    def test_an_unknown_game_or_scenario_is_not_found(self, stub: Wire) -> None:
        for call, request in (
            (stub.catalogs.GetCatalog, catalog_service_pb2.GetCatalogRequest(scenario="x")),
            (stub.catalogs.ListScenarios, catalog_service_pb2.ListScenariosRequest(game="x")),
            (stub.rules.CreateGame, rules_service_pb2.CreateGameRequest(scenario="x")),
        ):
            told = refused(call, request)
            assert told.code is grpc.StatusCode.NOT_FOUND
            assert told.reason == "UNKNOWN"
            assert told.field in ("scenario", "game")


class TestPositions:
    def test_the_same_seed_gives_the_same_game(self, stub: Wire) -> None:
        assert stub.create(seed="7") == stub.create(seed="7")
        assert stub.create(seed="7").checksum != stub.create(seed="8").checksum

    def test_a_server_keyed_game_has_a_secret_and_its_commitment(self, stub: Wire) -> None:
        request = rules_service_pb2.CreateGameRequest(scenario=SCENARIO)
        dice = [stub.rules.CreateGame(request).position.state.dice for _ in range(2)]
        assert dice[0].mode == core_pb2.DICE_MODE_SERVER_KEYED
        assert len(dice[0].secret) == 32
        assert dice[0].secret != dice[1].secret
        assert len(dice[0].commitment) == 64

    def test_scripted_dice_are_used_in_order_and_run_out(self, stub: Wire) -> None:
        created = stub.rules.CreateGame(rules_service_pb2.CreateGameRequest(
            scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SCRIPTED, script=[5, 2],
            standard_set_up=True))
        assert created.events[1].white_death.weather_rolled.die == 5
        position = submit(stub, created.position, declare()).position
        unit = position.state.white_death.units[0].unit
        answer = submit(stub, position, march(unit, 1430))
        assert answer.events[0].white_death.ice_tested.die == 2
        position = submit(stub, answer.position, declare()).position
        told = refused(stub.rules.SubmitOrders, Submit(position=position, order=march(unit, 1430)))
        assert (told.code, told.field) == (grpc.StatusCode.INVALID_ARGUMENT,
                                           "position.state.dice.script")

    @pytest.mark.parametrize(("spoil", "field"), [
        (lambda p: setattr(p, "version", 5), "position.checksum"),
        (lambda p: setattr(p, "checksum", "0" * 64), "position.checksum"),
        (lambda p: setattr(p.state.dice, "counter", 9), "position.checksum"),
        (lambda p: setattr(p.state.white_death, "turn", 2), "position.checksum"),
        (lambda p: setattr(p.state.white_death.units[0], "hex", 1430), "position.checksum"),
        (lambda p: setattr(p, "ruleset_version", "0"), "position.ruleset_version"),
        (lambda p: setattr(p, "catalog_hash", "0"), "position.catalog_hash"),
    ])
    def test_a_position_that_was_changed_is_a_mismatch(
        self, stub: Wire, spoil: Any, field: str
    ) -> None:
        position = stub.create()
        spoil(position)
        told = refused(stub.rules.ScorePosition,
                       rules_service_pb2.ScorePositionRequest(position=position))
        assert (told.code, told.reason, told.field) == (
            grpc.StatusCode.FAILED_PRECONDITION, "MISMATCH", field)

    def test_fields_of_a_newer_server_are_a_mismatch(self, stub: Wire) -> None:
        position = stub.create()
        body = position.state.white_death.SerializeToString() + b"\xa2\x1f\x03abc"
        position.state.white_death.ParseFromString(body)
        told = refused(stub.rules.ScorePosition,
                       rules_service_pb2.ScorePositionRequest(position=position))
        assert told.code is grpc.StatusCode.FAILED_PRECONDITION

    def test_a_position_without_checksum_is_played_if_it_is_sound(self, stub: Wire) -> None:
        position = stub.create()
        position.checksum = ""
        position.state.white_death.units[0].hex = 1430
        assert submit(stub, position, declare()).position.version == 1
        position.state.white_death.turn = 0
        told = refused(stub.rules.SubmitOrders, Submit(position=position, order=declare()))
        assert (told.code, told.field) == (
            grpc.StatusCode.INVALID_ARGUMENT, "position.state.white_death.turn")


class TestCalls:
    def test_a_view_has_no_dice(self, stub: Wire) -> None:
        position = stub.create()
        answer = stub.rules.GetView(
            rules_service_pb2.GetViewRequest(position=position, side="german"))
        assert answer.view.white_death.own[0].unit == next(
            row.unit for row in position.state.white_death.units if row.unit.startswith("g-"))
        assert position.state.dice.secret not in answer.SerializeToString()
        assert position.checksum.encode() not in answer.SerializeToString()

    def test_a_listing_comes_in_pages(self, stub: Wire) -> None:
        position = moving(stub)
        seen: list[str] = []
        request = rules_service_pb2.ListLegalOrdersRequest(position=position, page_size=40)
        while True:
            answer = stub.rules.ListLegalOrders(request)
            seen += [option.unit for option in answer.listing.white_death.units]
            if not answer.next_page_token:
                break
            request.page_token = answer.next_page_token
        assert len(seen) == len(set(seen)) == answer.total_units > 80

    def test_a_listing_can_be_of_some_units(self, stub: Wire) -> None:
        position = moving(stub)
        unit = position.state.white_death.units[3].unit
        answer = stub.rules.ListLegalOrders(rules_service_pb2.ListLegalOrdersRequest(
            position=position, side="soviet", units=[unit, unit]))
        (option,) = answer.listing.white_death.units
        assert (option.unit, list(option.costs), answer.total_units) == (unit, [120, 240], 1)

    def test_the_side_that_does_not_decide_gets_an_empty_listing(self, stub: Wire) -> None:
        answer = stub.rules.ListLegalOrders(rules_service_pb2.ListLegalOrdersRequest(
            position=moving(stub), side="german"))
        assert answer.listing.white_death.ByteSize() == 0

    def test_an_order_is_validated_without_dice(self, stub: Wire) -> None:
        position = moving(stub)
        unit = position.state.white_death.units[0].unit
        good = stub.rules.ValidateOrders(rules_service_pb2.ValidateOrdersRequest(
            position=position, order=march(unit, 1430)))
        assert good.receipt.white_death.spent == [120]
        bad = stub.rules.ValidateOrders(rules_service_pb2.ValidateOrdersRequest(
            position=position, order=march(unit, 1430, 1431, 1432, 1433)))
        (violation,) = bad.violations
        assert (violation.clause, violation.order_path, violation.facts["limit"]) == (
            "WD 6.A", "actions[0].path[3]", "3")
        assert not bad.HasField("receipt")

    def test_an_order_gives_the_next_position(self, stub: Wire) -> None:
        position = moving(stub)
        row = position.state.white_death.units[5]
        answer = submit(stub, position, march(row.unit, 1430, 1431), expected_version=1,
                        request_id="r")
        after = answer.position.state.white_death
        assert after.units[5].hex == 1431
        assert (answer.position.version, answer.version, answer.request_id) == (2, 2, "r")
        assert answer.position.state.dice.counter == answer.dice_counter == 2
        assert (answer.decision.side, answer.decision.kind) == ("soviet", "declare_impulse")
        assert [event.white_death.WhichOneof("event") for event in answer.events] == [
            "ice_tested", "unit_moved", "impulse_ended"]
        assert answer.position.ByteSize() < 25_000
        # nothing else has changed
        after.units[5].hex = row.hex
        assert list(after.units) == list(position.state.white_death.units)

    def test_events_alone_are_enough_if_asked(self, stub: Wire) -> None:
        answer = submit(stub, stub.create(), declare(), response_mode=2)
        full = submit(stub, stub.create(), declare())
        assert not answer.HasField("position")
        assert (answer.checksum, list(answer.events)) == (full.position.checksum,
                                                          list(full.events))

    def test_a_refused_order_changes_nothing(self, stub: Wire) -> None:
        position = stub.create()
        answer = submit(stub, position, core_pb2.Order(white_death={"advance": {}}))
        assert answer.violations[0].reason == 1
        assert (answer.version, answer.checksum) == (0, position.checksum)
        assert not answer.HasField("position")
        assert not answer.events

    def test_a_stale_version_is_aborted(self, stub: Wire) -> None:
        told = refused(stub.rules.SubmitOrders,
                       Submit(position=stub.create(), order=declare(), expected_version=3))
        assert (told.code, told.reason, told.field) == (
            grpc.StatusCode.ABORTED, "STALE", "expected_version")

    def test_standing_orders_are_kept(self, stub: Wire) -> None:
        standing = core_pb2.StandingOrders(white_death={"pursue": 1})
        answer = submit(stub, stub.create(), declare(), standing=standing)
        assert answer.position.state.white_death.standing[0].pursue == 1
        answer = stub.rules.ResolveImpulse(rules_service_pb2.ResolveImpulseRequest(
            position=answer.position,
            orders=[core_pb2.SideOrders(side="german", standing=standing)]))
        assert [pair.pursue for pair in answer.position.state.white_death.standing] == [1, 1]

    def test_an_impulse_is_one_call(self, stub: Wire) -> None:
        position = stub.create()
        unit = position.state.white_death.units[0].unit
        answer = stub.rules.ResolveImpulse(rules_service_pb2.ResolveImpulseRequest(
            position=position,
            orders=[core_pb2.SideOrders(side="soviet", orders=[declare(), march(unit, 1430)])]))
        assert answer.position.version == 1
        assert answer.events[-1].white_death.HasField("impulse_ended")

    def test_a_score_is_counted(self, stub: Wire) -> None:
        answer = stub.rules.ScorePosition(
            rules_service_pb2.ScorePositionRequest(position=stub.create()))
        assert answer.score.white_death.points == -4


    def test_many_callers_at_once_get_the_answers_of_one(self, stub: Wire) -> None:
        position = moving(stub)
        orders = [march(row.unit, 1430) for row in position.state.white_death.units[:12]] * 4
        alone = [submit(stub, position, order) for order in orders]
        with ThreadPoolExecutor(8) as pool:
            together = list(pool.map(lambda order: submit(stub, position, order), orders))
        assert together == alone


class TestReplay:
    def log(self, wire: Wire) -> list[rules_service_pb2.ReplayGameRequest]:
        """A start, two single orders and one impulse."""
        position = wire.create()
        unit = position.state.white_death.units[0].unit
        start = rules_service_pb2.ReplayStart(
            position=position, create=rules_service_pb2.CreateGameRequest(
                scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="7",
                standard_set_up=True))
        log = [rules_service_pb2.ReplayGameRequest(start=start)]
        for order in (declare(), march(unit, 1430)):
            answer = submit(wire, position, order)
            log.append(rules_service_pb2.ReplayGameRequest(record=record(
                position, core_pb2.SideOrders(side="soviet", orders=[order]), answer)))
            position = answer.position
        said = core_pb2.SideOrders(side="soviet", orders=[declare(), march(unit, 1431)])
        answer = wire.rules.ResolveImpulse(
            rules_service_pb2.ResolveImpulseRequest(position=position, orders=[said]))
        log.append(rules_service_pb2.ReplayGameRequest(
            record=record(position, said, answer, impulse=True)))
        return log

    def test_a_true_log_is_verified(self, stub: Wire) -> None:
        verdict = stub.rules.ReplayGame(iter(self.log(stub)))
        assert verdict.verified
        assert (verdict.records, verdict.dice_verified) == (3, True)
        assert verdict.position.version == 3

    @pytest.mark.parametrize(("number", "spoil", "field"), [
        (1, lambda r: setattr(r, "checksum_before", "0"), "checksum_before"),
        (1, lambda r: setattr(r, "version", 7), "version"),
        (2, lambda r: setattr(r, "dice_before", 7), "dice_before"),
        (2, lambda r: setattr(r.events[0].white_death.ice_tested, "die", 9), "events[0]"),
        (2, lambda r: r.events.pop(), "events[2]"),
        (2, lambda r: r.events.add().white_death.turn_began.SetInParent(), "events[3]"),
        (2, lambda r: setattr(r, "checksum_after", "0"), "checksum_after"),
        (3, lambda r: setattr(r, "dice_after", 1), "dice_after"),
        (3, lambda r: r.orders[0].orders.pop(), "events[1]"),
        (2, lambda r: r.orders[0].orders.pop(), "orders"),
        (2, lambda r: r.orders[0].orders[0].CopyFrom(declare()), "orders"),
        (2, lambda r: setattr(r.orders[0], "side", "german"), "orders"),
    ])
    def test_the_first_divergence_is_named(
        self, stub: Wire, number: int, spoil: Any, field: str
    ) -> None:
        log = self.log(stub)
        spoil(log[number].record)
        verdict = stub.rules.ReplayGame(iter(log))
        assert not verdict.verified
        assert (verdict.divergence.record, verdict.divergence.field) == (number - 1, field)
        assert verdict.divergence.expected != verdict.divergence.actual
        assert verdict.records == number - 1

    def test_a_false_start_is_named(self, stub: Wire) -> None:
        log = self.log(stub)
        log[0].start.create.seed = "8"
        verdict = stub.rules.ReplayGame(iter(log))
        assert (verdict.verified, verdict.divergence.record) == (False, -1)
        assert verdict.divergence.field == "position.checksum"

    def test_a_log_may_begin_with_creation_alone_or_a_position_alone(self, stub: Wire) -> None:
        for field in ("position", "create"):
            log = self.log(stub)
            log[0].start.ClearField(field)
            assert stub.rules.ReplayGame(iter(log)).verified

    def test_a_log_out_of_shape_is_malformed(self, stub: Wire) -> None:
        log = self.log(stub)
        server_keyed = rules_service_pb2.ReplayGameRequest(start={"create": {"scenario": SCENARIO}})
        spoilt = rules_service_pb2.ReplayGameRequest()
        spoilt.CopyFrom(log[2])
        spoilt.record.events[0].white_death.ice_tested.unit = "nobody"
        for items, field in (
            ([], "requests[0].start"),
            (log[1:], "requests[0].start"),
            ([log[0], log[0]], "requests[1].record"),
            ([rules_service_pb2.ReplayGameRequest(start={})], "requests[0].start.position"),
            ([server_keyed], "requests[0].start.create.dice_mode"),
            ([log[0], log[1], spoilt],
             "requests[2].record.events[0].white_death.ice_tested.unit"),
        ):
            told = refused(stub.rules.ReplayGame, iter(items))
            assert (told.code, told.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)


class TestRealRules:
    """The same calls with White Death behind them: from set-up into the first turn."""

    def test_every_scenario_can_be_created_seen_and_scored(self, real: Wire) -> None:
        listed = real.catalogs.ListScenarios(catalog_service_pb2.ListScenariosRequest()).scenarios
        assert SCENARIO in [scenario.id for scenario in listed]
        order_fields = orders_pb2.Order.DESCRIPTOR.fields_by_name
        for scenario in listed:
            catalog = real.catalogs.GetCatalog(
                catalog_service_pb2.GetCatalogRequest(scenario=scenario.id))
            assert catalog.content_hash == scenario.content_hash
            created = real.rules.CreateGame(rules_service_pb2.CreateGameRequest(
                scenario=scenario.id, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="7"))
            position = created.position
            assert created.decision.kind in order_fields
            assert position.ByteSize() < 25_000
            for side in ("soviet", "german"):
                view = real.rules.GetView(
                    rules_service_pb2.GetViewRequest(position=position, side=side)).view
                assert view.white_death.own
            score = real.rules.ScorePosition(
                rules_service_pb2.ScorePositionRequest(position=position)).score
            assert score.white_death.level

    def test_a_listed_march_is_accepted_and_the_log_is_verified(self, real: Wire) -> None:
        position = real.create()
        log = [rules_service_pb2.ReplayGameRequest(start={"position": position})]
        marched = 0
        for _ in range(12):
            side = decision(real, position).side
            order, is_march = next_order(real, position)
            judged = real.rules.ValidateOrders(rules_service_pb2.ValidateOrdersRequest(
                position=position, order=order))
            assert not judged.violations
            answer = submit(real, position, order)
            assert not answer.violations
            log.append(rules_service_pb2.ReplayGameRequest(record=record(
                position, core_pb2.SideOrders(side=side, orders=[order]), answer)))
            position = answer.position
            assert position.ByteSize() < 25_000
            marched += is_march
            if marched == 2:
                break
        assert marched == 2
        verdict = real.rules.ReplayGame(iter(log))
        assert verdict.verified, verdict.divergence
        assert verdict.position == position

    def test_an_impulse_of_standing_orders_is_resolved_and_replayed(self, real: Wire) -> None:
        position = real.create()
        start = rules_service_pb2.ReplayGameRequest(start={"position": position})
        said = core_pb2.SideOrders(side="german", standing={"white_death": {"sustain": 1}})
        answer = real.rules.ResolveImpulse(
            rules_service_pb2.ResolveImpulseRequest(position=position, orders=[said]))
        assert not answer.violations
        assert any(event.white_death.HasField("impulse_ended") for event in answer.events)
        verdict = real.rules.ReplayGame(iter([start, rules_service_pb2.ReplayGameRequest(
            record=record(position, said, answer, impulse=True))]))
        assert verdict.verified, verdict.divergence

    def test_a_broken_rule_is_cited_in_place(self, real: Wire) -> None:
        position = real.create()
        while decision(real, position).kind != "move_and_declare":
            position = submit(real, position, next_order(real, position)[0]).position
        enemy = next(row.unit for row in position.state.white_death.units
                     if row.unit.startswith("g-") and row.hex)
        answer = submit(real, position, march(enemy, 1430))
        assert not answer.HasField("position")
        assert answer.violations
        assert answer.violations[0].clause.startswith("WD ")
        assert answer.violations[0].order_path.startswith("actions[0]")
        impulse = real.rules.ResolveImpulse(rules_service_pb2.ResolveImpulseRequest(
            position=position, orders=[{"side": "soviet", "orders": [march(enemy, 1430)]}]))
        assert impulse.violations[0].order_path.startswith("soviet.orders[0].actions[0]")


def decision(wire: Wire, position: core_pb2.Position) -> core_pb2.Decision:
    return wire.rules.GetView(rules_service_pb2.GetViewRequest(
        position=position, side="soviet")).decision


def next_order(wire: Wire, position: core_pb2.Position) -> tuple[core_pb2.Order, bool]:
    """The least that answers the decision; in movement the first march that is listed."""
    listing = wire.rules.ListLegalOrders(
        rules_service_pb2.ListLegalOrdersRequest(position=position)).listing.white_death
    kind = decision(wire, position).kind
    if kind == "declare_impulse":
        option = next(item for item in listing.declarations if item.kind == 1)
        return declare(option.most), False
    order = core_pb2.Order()
    getattr(order.white_death, kind).SetInParent()
    if kind != "move_and_declare":
        return order, False
    for option in listing.units:
        known = set(option.hexes)
        for hex_, before, marks in zip(option.hexes, option.previous, option.marks, strict=True):
            if before and before not in known and not marks & 2:
                return march(option.unit, hex_), True
    return order, False


class TestProcess:
    @pytest.fixture
    def process(self, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
        started = subprocess.Popen(
            [sys.executable, "-m", "lovat_server.transport.main", "--port", "0",
             "--port-file", str(tmp_path / "port")],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        yield started
        started.kill()
        started.communicate()

    def test_it_says_its_port_and_ends_in_peace(
        self, process: subprocess.Popen[str], tmp_path: Path
    ) -> None:
        assert process.stdout
        said = json.loads(process.stdout.readline())
        assert (tmp_path / "port").read_text() == f"{said['port']}\n"
        with grpc.insecure_channel(f"{said['host']}:{said['port']}") as channel:
            Wire(channel).create()
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=20)
        assert process.returncode == 0
        lines = [json.loads(line) for line in log.splitlines()]
        assert [line["event"] for line in lines] == ["serving", "call", "stopping", "stopped"]
        assert lines[1]["code"] == "OK"
        assert lines[1]["request_id"]

    def test_an_overlay_that_cannot_be_read_is_an_exit_status(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        (tmp_path / "counters.csv").write_text("nonsense\n")
        assert main(["--port", "0", "--overlay", str(tmp_path)]) == 1
        assert "counters.csv" in capsys.readouterr().err
