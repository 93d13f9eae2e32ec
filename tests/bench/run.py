"""Speed of the server, measured against an echo of the same payload in the same server.

    python tests/bench/run.py [--json] [--rounds N] [--games SECONDS]

Starts a server of its own with one more handler: an echo that parses the same request, and
answers the response it was given, with the generated serialisers and nothing in between. Each
call and its echo are timed in turn, so that both meet the same load of the machine.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc

from lovat.rules.v1 import core_pb2, rules_service_pb2, rules_service_pb2_grpc
from lovat.white_death.v1 import orders_pb2, terms_pb2

ECHO = "lovat.bench.v1.Echo"
SCENARIO = "purkayevs-attack"
CAMPAIGN = "velikiye-luki-campaign"
MARCHES, ASSAULTS = 60, 10
MAY_NOT_END, STOPS = terms_pb2.MARK_FLAG_MAY_NOT_END, terms_pb2.MARK_FLAG_STOPS
LOADERS = 2
METHODS = ("SubmitOrders", "ListLegalOrders", "ResolveImpulse")
Rules = rules_service_pb2_grpc.RulesServiceStub


# ---------------------------------------------------------------- the server with an echo

def serve() -> None:
    from lovat_server.service.library import open_library
    from lovat_server.transport.config import Config
    from lovat_server.transport.logs import configure
    from lovat_server.transport.server import build_server

    configure("warning")
    server, port = build_server(open_library(None), Config(port=0), extra_handlers=(echo(),))
    server.start()
    print(json.dumps({"port": port}), flush=True)
    signal.sigwait({signal.SIGTERM, signal.SIGINT})
    server.stop(0)


def echo() -> grpc.GenericRpcHandler:
    """`Prime` keeps a response for a method; the method itself then answers it."""
    kept: dict[str, Any] = {}

    def prime(raw: bytes, context: grpc.ServicerContext) -> bytes:
        method = dict(context.invocation_metadata())["method"]
        kept[method] = response_class(method).FromString(raw)
        return b""

    def answering(method: str) -> grpc.RpcMethodHandler:
        return grpc.unary_unary_rpc_method_handler(
            lambda _request, _context: kept[method],
            request_deserializer=request_class(method).FromString,
            response_serializer=response_class(method).SerializeToString)

    handlers = {method: answering(method) for method in METHODS}
    handlers["Prime"] = grpc.unary_unary_rpc_method_handler(prime)
    return grpc.method_handlers_generic_handler(ECHO, handlers)


def request_class(method: str) -> Any:
    return getattr(rules_service_pb2, f"{method}Request")


def response_class(method: str) -> Any:
    return getattr(rules_service_pb2, f"{method}Response")


# ---------------------------------------------------------------- what is measured

class Bench:
    def __init__(self, address: str, rounds: int) -> None:
        self.channel = grpc.insecure_channel(
            address, options=(("grpc.max_receive_message_length", -1),))
        self.rules = Rules(self.channel)
        self.rounds = rounds

    def pair(self, method: str, requests: list[Any]) -> dict[str, float]:
        """Milliseconds of a call and of its echo, request by request in turn."""
        call = getattr(self.rules, method)
        response = call(requests[0])
        self.channel.unary_unary(f"/{ECHO}/Prime")(
            response.SerializeToString(), metadata=(("method", method),))
        mirror = self.channel.unary_unary(
            f"/{ECHO}/{method}", request_serializer=request_class(method).SerializeToString,
            response_deserializer=response_class(method).FromString)
        for request in requests[:20]:
            call(request)
            mirror(request)
        real, echoed = [], []
        for place in range(self.rounds):
            request = requests[place % len(requests)]
            echoed.append(_timed(mirror, request))
            real.append(_timed(call, request))
        base = statistics.median(echoed)
        return {
            "p50_ms": round(statistics.median(real), 3), "p99_ms": round(_p99(real), 3),
            "echo_p50_ms": round(base, 3), "echo_p99_ms": round(_p99(echoed), 3),
            "p50_over_echo": round(statistics.median(real) / base, 2),
            "p99_over_echo": round(_p99(real) / base, 2),
            "p99_over_p50": round(_p99(real) / statistics.median(real), 2),
            "request_bytes": requests[0].ByteSize(), "response_bytes": response.ByteSize(),
        }

    def create(self, scenario: str = SCENARIO) -> core_pb2.Position:
        return self.rules.CreateGame(rules_service_pb2.CreateGameRequest(
            scenario=scenario, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="bench",
            standard_set_up=True)).position

    def submit(self, position: core_pb2.Position, **order: Any) -> core_pb2.Position:
        response = self.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
            position=position, order=_order(**order)))
        assert not response.violations, response.violations
        return response.position

    def moving(self) -> core_pb2.Position:
        """The Soviet movement phase of the first impulse, five points declared."""
        return self.to_movement(self.create(), points=5)

    def to_movement(self, position: core_pb2.Position, points: int = 3) -> core_pb2.Position:
        """On to the next movement phase, with nothing done before it but what must be."""
        declared, position = self.to_declaration(position, points)
        return self.submit(position, **declared) if declared else position

    def to_declaration(
        self, position: core_pb2.Position, points: int,
    ) -> tuple[dict[str, Any], core_pb2.Position]:
        """On to the next declaration of an impulse, and what to declare there.

        Nothing is declared if a movement phase is on already.
        """
        least = {terms_pb2.DECISION_KIND_SUSTAIN_GARRISON: "sustain_garrison",
                 terms_pb2.DECISION_KIND_REPLACE: "replace", terms_pb2.DECISION_KIND_REFIT: "refit"}
        while True:
            state = position.state.white_death
            pending = state.decision.kind
            if pending == terms_pb2.DECISION_KIND_MOVE_AND_DECLARE:
                return {}, position
            if pending == terms_pb2.DECISION_KIND_DECLARE_IMPULSE:
                left = state.points[0 if state.side == terms_pb2.SIDE_SOVIET else 1]
                return {"declare_impulse": {"points": min(points, left),
                                            "kind": terms_pb2.IMPULSE_KIND_ACTION}}, position
            if pending in least:
                position = self.submit(position, **{least[pending]: {}})
            else:
                position = self.rules.ResolveImpulse(
                    rules_service_pb2.ResolveImpulseRequest(position=position)).position


def _order(**order: Any) -> core_pb2.Order:
    return core_pb2.Order(white_death=orders_pb2.Order(**order))


def _timed(call: Callable[[Any], Any], request: Any) -> float:
    start = time.perf_counter()
    call(request)
    return (time.perf_counter() - start) * 1e3


def _p99(times: list[float]) -> float:
    return sorted(times)[int(len(times) * 0.99)]


def path_to(option: Any, hex_: int) -> list[int]:
    previous = dict(zip(option.hexes, option.previous, strict=True))
    path = [hex_]
    while previous.get(path[0]) in previous:
        path.insert(0, previous[path[0]])
    return path


def march(option: Any, hex_: int) -> orders_pb2.Action:
    return orders_pb2.Action(march=orders_pb2.March(units=[option.unit],
                                                    path=path_to(option, hex_)))


def one_unit_moves(bench: Bench, position: core_pb2.Position,
                   mode: rules_service_pb2.ResponseMode.ValueType =
                   rules_service_pb2.RESPONSE_MODE_FULL) -> list[Any]:
    """Single marches of many units to many hexes, all from one position."""
    draw = random.Random(1)
    listing = bench.rules.ListLegalOrders(
        rules_service_pb2.ListLegalOrdersRequest(position=position)).listing.white_death
    requests = []
    for option in listing.units:
        ends = [hex_ for hex_, marks in zip(option.hexes, option.marks, strict=True)
                if not marks & MAY_NOT_END]
        requests.extend(rules_service_pb2.SubmitOrdersRequest(
            position=position, response_mode=mode,
            order=_order(move_and_declare={"actions": [march(option, draw.choice(ends))]}))
            for _ in range(3) if ends)
    return requests


def unseen(bench: Bench) -> list[Any]:
    """Listings the server has not searched before: in each some German unit stands elsewhere."""
    draw = random.Random(3)
    base = bench.submit(bench.moving(), move_and_declare={})
    base = bench.submit(base, declare_impulse={
        "points": 2, "kind": terms_pb2.IMPULSE_KIND_ACTION})
    units = bench.rules.ListLegalOrders(
        rules_service_pb2.ListLegalOrdersRequest(position=base)).listing.white_death.units
    requests = []
    while len(requests) <= bench.rounds:
        option = draw.choice(units)
        ends = [hex_ for hex_, marks in zip(option.hexes, option.marks, strict=True)
                if not marks & MAY_NOT_END]
        if ends:
            position = bench.submit(base, move_and_declare={
                "actions": [march(option, draw.choice(ends))]})
            requests.append(rules_service_pb2.ListLegalOrdersRequest(
                position=bench.to_movement(position)))
    return requests


def full_impulse(bench: Bench) -> list[Any]:
    """A whole impulse: every Soviet unit that can marches; the rest by standing orders."""
    draw = random.Random(2)
    position = bench.create()
    while position.state.white_death.decision.kind != terms_pb2.DECISION_KIND_DECLARE_IMPULSE:
        position = bench.submit(position, sustain_garrison={})
    declared = _order(declare_impulse={"points": 5, "kind": terms_pb2.IMPULSE_KIND_ACTION})
    moving = bench.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
        position=position, order=declared)).position
    actions, _ = marches(bench, moving, draw, closing_up=False)
    moves = _order(move_and_declare={"actions": actions})
    return [rules_service_pb2.ResolveImpulseRequest(
        position=position, orders=[core_pb2.SideOrders(side="soviet", orders=[declared, moves])])]


def campaign_impulse(bench: Bench) -> list[Any]:
    """An impulse of the campaign: 60 Soviet units march and others assault 10 hexes.

    The Soviets close up to the enemy and wait for reinforcements until there are enough of them.
    Fire, retreats and advances are left to the standing orders of both sides.
    """
    draw = random.Random(4)
    position = bench.create(CAMPAIGN)
    while True:
        declared, position = bench.to_declaration(position, points=5)
        moving = bench.submit(position, **declared)
        if moving.state.white_death.side == terms_pb2.SIDE_GERMAN:
            position = bench.submit(moving, move_and_declare={})
            continue
        moves, options = marches(bench, moving, draw, closing_up=False)
        assaults: dict[int, list[str]] = {}
        for option in options:
            hex_ = next((hex_ for hex_ in option.assaults
                         if hex_ in assaults or len(assaults) < ASSAULTS), None)
            if hex_ is not None:
                assaults.setdefault(hex_, []).append(option.unit)
        attackers = {unit for units in assaults.values() for unit in units}
        moves = [action for action in moves if action.march.units[0] not in attackers]
        if len(moves) >= MARCHES and len(assaults) == ASSAULTS:
            break
        closing, _ = marches(bench, moving, draw, closing_up=True)
        position = bench.submit(moving, move_and_declare={"actions": closing})
    order = _order(move_and_declare={"actions": moves[:MARCHES], "assaults": [
        {"hex": hex_, "units": units} for hex_, units in assaults.items()]})
    return [rules_service_pb2.ResolveImpulseRequest(
        position=position,
        orders=[core_pb2.SideOrders(side="soviet", orders=[_order(**declared), order])])]


def marches(bench: Bench, position: core_pb2.Position, draw: random.Random, *,
            closing_up: bool) -> tuple[list[Any], list[Any]]:
    """A march for each unit that has somewhere to go, no two to one hex; and the options."""
    options = bench.rules.ListLegalOrders(
        rules_service_pb2.ListLegalOrdersRequest(position=position)).listing.white_death.units
    actions, taken = [], set()
    for option in options:
        ends = [(hex_, marks) for hex_, marks in zip(option.hexes, option.marks, strict=True)
                if not marks & MAY_NOT_END and hex_ not in taken]
        close = [hex_ for hex_, marks in ends if marks & STOPS] if closing_up else []
        if ends:
            taken.add(end := draw.choice(close or [hex_ for hex_, _ in ends]))
            actions.append(march(option, end))
    return actions, list(options)


def games_per_minute(seconds: float) -> float:
    """Whole games of scenario I by the random player of the tests, in this process."""
    from tests.properties.player import play

    from lovat_server.scenarios.loader import load_catalog

    catalog = load_catalog(SCENARIO)
    start, games = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        for _ in play(catalog, games):
            pass
        games += 1
    return round(60 * games / (time.perf_counter() - start), 1)


def throughput(processes: int, request: Any, seconds: float) -> float:
    """Impulses a second of a server with so many processes, asked by as many clients as that.

    The clients send bytes and read bytes, so that what is measured is the server.
    """
    raw = request.SerializeToString()
    with started(["-m", "lovat_server.transport.main", "--port", "0", "--log-level", "error",
                  "--processes", str(processes)]) as (_, port):
        asking = [
            subprocess.Popen([sys.executable, __file__, "--load", str(port), str(seconds)],
                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment())
            for _ in range(LOADERS)
        ]
        answers = [client.communicate(raw)[0] for client in asking]
    return round(sum(int(answer) for answer in answers) / seconds, 1)


def load(port: int, seconds: float) -> None:
    """Ask the same impulse again and again over four connections; print how often it worked."""
    raw = sys.stdin.buffer.read()
    done = [0] * 4

    def ask(place: int) -> None:
        with grpc.insecure_channel(f"127.0.0.1:{port}", options=(
                ("grpc.use_local_subchannel_pool", 1),)) as channel:
            call = channel.unary_unary("/lovat.rules.v1.RulesService/ResolveImpulse")
            end = time.monotonic() + seconds
            while time.monotonic() < end:
                call(raw)
                done[place] += 1

    threads = [threading.Thread(target=ask, args=(place,)) for place in range(len(done))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print(sum(done))


def memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return round(int(line.split()[1]) / 1024, 1)
    raise OSError("no VmRSS in /proc")


def environment() -> dict[str, str]:
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join(str(root / part) for part in (".", "proto", "server", "clients"))
    return {**os.environ, "PYTHONPATH": path}


@contextmanager
def started(arguments: list[str]) -> Iterator[tuple[int, int]]:
    """A server process: its process id and its port."""
    with subprocess.Popen([sys.executable, *arguments], stdout=subprocess.PIPE, text=True,
                          env=environment()) as process:
        try:
            assert process.stdout is not None
            yield process.pid, json.loads(process.stdout.readline())["port"]
        finally:
            process.terminate()


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    with started([__file__, "--serve"]) as (pid, port):
        bench = Bench(f"127.0.0.1:{port}", rounds)
        position = bench.moving()
        impulse = full_impulse(bench)
        result: dict[str, Any] = {
            "position_bytes": position.ByteSize(),
            "submit_one_unit": bench.pair("SubmitOrders", one_unit_moves(bench, position)),
            "submit_one_unit_delta": bench.pair("SubmitOrders", one_unit_moves(
                bench, position, rules_service_pb2.RESPONSE_MODE_DELTA)),
            "list_whole_side": bench.pair("ListLegalOrders", [
                rules_service_pb2.ListLegalOrdersRequest(position=position)]),
            "list_whole_side_unseen": bench.pair("ListLegalOrders", unseen(bench)),
            "resolve_impulse": bench.pair("ResolveImpulse", impulse),
            "campaign_impulse": bench.pair("ResolveImpulse", campaign_impulse(bench)),
        }
        for _ in range(1000):
            bench.rules.GetView(rules_service_pb2.GetViewRequest(position=position,
                                                                 side="soviet"))
        result["server_memory_mb"] = memory_mb(pid)
    if seconds:
        result["random_games_per_minute"] = games_per_minute(seconds)
        one, two = (throughput(processes, impulse[0], seconds) for processes in (1, 2))
        result["impulses_per_second"] = {
            "one_process": one, "two_processes": two, "ratio": round(two / one, 2)}
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--rounds", type=int, default=300, help="calls of each kind")
    parser.add_argument("--games", type=float, default=10.0, help="seconds of random games")
    parser.add_argument("--load", nargs=2, help=argparse.SUPPRESS)
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.load:
        load(int(asked.load[0]), float(asked.load[1]))
        return
    if asked.serve:
        serve()
        return
    gc.disable()
    result = measure(asked.rounds, asked.games)
    if asked.json:
        print(json.dumps(result, indent=2))
        return
    for name, value in result.items():
        print(f"{name}: {value}")


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    main()
