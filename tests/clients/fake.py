"""A tiny rules server on a real port: a game of declarations that counts to four.

A declaration of more than ten points is refused; every accepted one rolls a die that only the
seed and the number of the die decide. It keeps to the contract, so that the clients can be tried
against faults that the real server does not have.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Iterator
from concurrent import futures
from typing import Any

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from lovat.rules.v1 import catalog_service_pb2 as catalogs
from lovat.rules.v1 import catalog_service_pb2_grpc, core_pb2, event_pb2, rules_service_pb2_grpc
from lovat.rules.v1 import error_reason_pb2 as reasons
from lovat.rules.v1 import rules_service_pb2 as rules
from lovat.white_death.v1 import answers_pb2, catalog_pb2, events_pb2, state_pb2, terms_pb2

GAME, SCENARIO = "white_death", "count-to-four"
LENGTH = 4
SIDES = ("soviet", "german")
CATALOG = catalog_pb2.Catalog(
    scenario=catalog_pb2.Scenario(id=SCENARIO, title="Count to Four", first_turn=1, last_turn=2),
    map=catalog_pb2.BattleMap(columns=20, rows=20),
    units=[catalog_pb2.Unit(id=f"s-{n}", label=f"{n} Rifle", side=terms_pb2.SIDE_SOVIET,
                            strength=3) for n in range(1, 6)],
)
HASH = hashlib.sha256(CATALOG.SerializeToString(deterministic=True)).hexdigest()


def die(secret: bytes, number: int) -> int:
    return hashlib.sha256(secret + number.to_bytes(8, "big")).digest()[0] % 6 + 1


def seal(secret: bytes, mode: core_pb2.DiceMode.ValueType, version: int,
         total: int) -> core_pb2.Position:
    over = version >= LENGTH
    side = terms_pb2.SIDE_UNSPECIFIED if over else terms_pb2.Side.ValueType(1 + version % 2)
    state = state_pb2.State(
        turn=1 + version // 2, declared=total, side=side,
        decision=state_pb2.Decision(
            side=side, kind=terms_pb2.DECISION_KIND_GAME_OVER if over
            else terms_pb2.DECISION_KIND_DECLARE_IMPULSE))
    position = core_pb2.Position(
        game=GAME, scenario=SCENARIO, ruleset_version="1", catalog_hash=HASH, version=version,
        state=core_pb2.GameState(white_death=state, dice=core_pb2.DiceState(
            mode=mode, secret=secret, counter=version)))
    position.checksum = hashlib.sha256(position.SerializeToString(deterministic=True)).hexdigest()
    return position


def decision(position: core_pb2.Position) -> core_pb2.Decision:
    if position.version >= LENGTH:
        return core_pb2.Decision(kind="game_over")
    return core_pb2.Decision(side=SIDES[position.version % 2], kind="declare_impulse")


class FakeRules(rules_service_pb2_grpc.RulesServiceServicer,
                catalog_service_pb2_grpc.CatalogServiceServicer):
    """`unavailable` calls fail before any is answered; `calls` counts them all by name."""

    def __init__(self) -> None:
        self.unavailable = 0
        self.calls: Counter[str] = Counter()

    def _arrive(self, name: str, context: Any) -> None:
        self.calls[name] += 1
        if self.unavailable:
            self.unavailable -= 1
            context.abort(grpc.StatusCode.UNAVAILABLE, "try again")

    def ListGames(self, request: Any, context: Any) -> catalogs.ListGamesResponse:
        self._arrive("ListGames", context)
        return catalogs.ListGamesResponse(games=[catalogs.GameInfo(
            id=GAME, title="White Death", ruleset_version="1", sides=SIDES)])

    def ListScenarios(self, request: Any, context: Any) -> catalogs.ListScenariosResponse:
        self._arrive("ListScenarios", context)
        return catalogs.ListScenariosResponse(scenarios=[catalogs.ScenarioInfo(
            id=SCENARIO, game=GAME, title="Count to Four", content_hash=HASH)])

    def GetCatalog(self, request: Any, context: Any) -> catalogs.GetCatalogResponse:
        self._arrive("GetCatalog", context)
        same = request.known_hash == HASH
        return catalogs.GetCatalogResponse(
            game=GAME, scenario=SCENARIO, content_hash=HASH, unchanged=same,
            white_death=None if same else CATALOG)

    def CreateGame(self, request: Any, context: Any) -> rules.CreateGameResponse:
        self._arrive("CreateGame", context)
        if request.scenario != SCENARIO:
            context.abort_with_status(rpc_status.to_status(status_pb2.Status(
                code=code_pb2.NOT_FOUND, message=f"there is no scenario {request.scenario!r}",
                details=[_packed(error_details_pb2.ErrorInfo(
                    reason="UNKNOWN", domain="lovat", metadata={"field": "scenario"}))])))
        secret = hashlib.sha256(request.seed.encode()).digest()
        position = seal(secret, request.dice_mode, 0, 0)
        return rules.CreateGameResponse(position=position, decision=decision(position),
                                        request_id=request.request_id)

    def GetView(self, request: Any, context: Any) -> rules.GetViewResponse:
        self._arrive("GetView", context)
        view = answers_pb2.View(turn=request.position.state.white_death.turn,
                                impulses=[request.position.version, 0])
        return rules.GetViewResponse(view=core_pb2.View(white_death=view),
                                     decision=decision(request.position),
                                     version=request.position.version)

    def ListLegalOrders(self, request: Any, context: Any) -> rules.ListLegalOrdersResponse:
        """Five units with a hex each, `page_size` on a page, and the declarations on every one."""
        self._arrive("ListLegalOrders", context)
        first = int(request.page_token or 0)
        last = first + (request.page_size or 5)
        listing = answers_pb2.Listing(
            declarations=[answers_pb2.PointsOption(
                kind=terms_pb2.IMPULSE_KIND_PASS, least=1, most=3)],
            units=[answers_pb2.UnitOptions(unit=f"s-{n}", left=120, hexes=[100 + n], costs=[60],
                                           previous=[101], marks=[0])
                   for n in range(1, 6)][first:last])
        return rules.ListLegalOrdersResponse(
            listing=core_pb2.Listing(white_death=listing), total_units=5,
            next_page_token=str(last) if last < 5 else "")

    def ValidateOrders(self, request: Any, context: Any) -> rules.ValidateOrdersResponse:
        self._arrive("ValidateOrders", context)
        found = self._judge(request.order)
        return rules.ValidateOrdersResponse(
            violations=found, receipt=None if found else core_pb2.Receipt(
                white_death=answers_pb2.Receipt(units=["s-1"], spent=[120])))

    def SubmitOrders(self, request: Any, context: Any) -> rules.SubmitOrdersResponse:
        self._arrive("SubmitOrders", context)
        if not request.order.white_death.HasField("declare_impulse"):
            context.abort_with_status(rpc_status.to_status(status_pb2.Status(
                code=code_pb2.INVALID_ARGUMENT, message="the order cannot be read",
                details=[
                    _packed(error_details_pb2.BadRequest(field_violations=[
                        error_details_pb2.BadRequest.FieldViolation(
                            field="order.white_death", description="nothing is set here")])),
                    _packed(error_details_pb2.ErrorInfo(reason="MALFORMED", domain="lovat"))])))
        return self._submit(request.position, request.order)

    def ResolveImpulse(self, request: Any, context: Any) -> rules.ResolveImpulseResponse:
        self._arrive("ResolveImpulse", context)
        order = core_pb2.Order()
        order.white_death.declare_impulse.points = 1
        for said in request.orders:
            order = said.orders[0] if said.orders else order
        done = self._submit(request.position, order)
        return rules.ResolveImpulseResponse.FromString(done.SerializeToString())

    def ScorePosition(self, request: Any, context: Any) -> rules.ScorePositionResponse:
        self._arrive("ScorePosition", context)
        total = request.position.state.white_death.declared
        score = answers_pb2.Score(
            lines=[answers_pb2.ScoreLine(name="counted", count=total, points=total)],
            points=total, level="Draw")
        return rules.ScorePositionResponse(score=core_pb2.Score(white_death=score))

    def ReplayGame(self, requests: Any, context: Any) -> rules.ReplayGameResponse:
        self._arrive("ReplayGame", context)
        start = next(requests).start
        position = seal(hashlib.sha256(start.create.seed.encode()).digest(),
                        start.create.dice_mode, 0, 0)
        if start.HasField("position"):
            position = start.position
        count = 0
        for request in requests:
            record = request.record
            done = self._submit(position, record.orders[0].orders[0])
            for name, wanted, given in (("events", list(record.events), list(done.events)),
                                        ("checksum_after", record.checksum_after, done.checksum)):
                if wanted != given:
                    return rules.ReplayGameResponse(records=count, divergence=rules.Divergence(
                        record=count, field=name, expected=str(wanted), actual=str(given)))
            position = done.position
            count += 1
        return rules.ReplayGameResponse(verified=True, records=count, position=position,
                                        dice_verified=True)

    def _judge(self, order: core_pb2.Order) -> list[core_pb2.Violation]:
        points = order.white_death.declare_impulse.points
        if points <= 10:
            return []
        return [core_pb2.Violation(
            reason=reasons.VIOLATION_REASON_POINTS, clause="WD 5",
            order_path="declare_impulse.points", message=f"{points} points are not left; 10 are.",
            facts={"points": str(points), "left": "10"})]

    def _submit(self, position: core_pb2.Position,
                order: core_pb2.Order) -> rules.SubmitOrdersResponse:
        found = self._judge(order)
        if found:
            return rules.SubmitOrdersResponse(
                violations=found, decision=decision(position), version=position.version,
                checksum=position.checksum, dice_counter=position.version)
        dice, state = position.state.dice, position.state.white_death
        rolled = die(dice.secret, dice.counter)
        declared = order.white_death.declare_impulse.points
        after = seal(dice.secret, dice.mode, position.version + 1,
                     state.declared + declared + rolled)
        events = [event_pb2.GameEvent(white_death=event) for event in (
            events_pb2.Event(impulse_declared=events_pb2.ImpulseDeclared(
                side=state.side, points=declared)),
            events_pb2.Event(weather_rolled=events_pb2.WeatherRolled(
                die=rolled, weather=terms_pb2.WEATHER_FROST)))]
        return rules.SubmitOrdersResponse(
            position=after, events=events, decision=decision(after), version=after.version,
            checksum=after.checksum, dice_counter=after.version)


def _packed(message: Any) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed


@contextlib.contextmanager
def serving() -> Iterator[tuple[FakeRules, str]]:
    """The fake and its address, for the length of a block."""
    fake = FakeRules()
    server = grpc.server(futures.ThreadPoolExecutor(4))
    rules_service_pb2_grpc.add_RulesServiceServicer_to_server(fake, server)
    catalog_service_pb2_grpc.add_CatalogServiceServicer_to_server(fake, server)
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield fake, f"127.0.0.1:{port}"
    finally:
        server.stop(None)
