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
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import grpc

from lovat.rules.v1 import core_pb2, rules_service_pb2, rules_service_pb2_grpc
from lovat.white_death.v1 import orders_pb2, terms_pb2

ECHO = "lovat.bench.v1.Echo"
SCENARIO = "purkayevs-attack"
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
            lambda request, context: kept[method],
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

    def create(self) -> core_pb2.Position:
        return self.rules.CreateGame(rules_service_pb2.CreateGameRequest(
            scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SEEDED, seed="bench",
            standard_set_up=True)).position

    def submit(self, position: core_pb2.Position, **order: Any) -> core_pb2.Position:
        response = self.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
            position=position, order=_order(**order)))
        assert not response.violations, response.violations
        return response.position

    def moving(self) -> core_pb2.Position:
        """The Soviet movement phase of the first impulse, all ten points declared."""
        position = self.create()
        while True:
            pending = position.state.white_death.decision.kind
            if pending == terms_pb2.DECISION_KIND_MOVE_AND_DECLARE:
                return position
            if pending == terms_pb2.DECISION_KIND_SUSTAIN_GARRISON:
                position = self.submit(position, sustain_garrison={})
            else:
                position = self.submit(position, declare_impulse={
                    "points": 10, "kind": terms_pb2.IMPULSE_KIND_ACTION})


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


def one_unit_moves(bench: Bench, position: core_pb2.Position) -> list[Any]:
    """Single marches of many units to many hexes, all from one position."""
    draw = random.Random(1)
    listing = bench.rules.ListLegalOrders(
        rules_service_pb2.ListLegalOrdersRequest(position=position)).listing.white_death
    requests = []
    for option in listing.units:
        ends = [hex_ for hex_, marks in zip(option.hexes, option.marks, strict=True)
                if not marks & 2]
        requests.extend(rules_service_pb2.SubmitOrdersRequest(
            position=position,
            order=_order(move_and_declare={"actions": [march(option, draw.choice(ends))]}))
            for _ in range(3) if ends)
    return requests


def full_impulse(bench: Bench) -> list[Any]:
    """A whole impulse: every Soviet unit that can marches; the rest by standing orders."""
    draw = random.Random(2)
    position = bench.create()
    while position.state.white_death.decision.kind != terms_pb2.DECISION_KIND_DECLARE_IMPULSE:
        position = bench.submit(position, sustain_garrison={})
    declared = _order(declare_impulse={"points": 5, "kind": terms_pb2.IMPULSE_KIND_ACTION})
    listing = bench.rules.ListLegalOrders(rules_service_pb2.ListLegalOrdersRequest(
        position=bench.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
            position=position, order=declared)).position)).listing.white_death
    actions, taken = [], set()
    for option in listing.units:
        ends = [hex_ for hex_, marks in zip(option.hexes, option.marks, strict=True)
                if not marks & 2 and hex_ not in taken]
        if ends:
            taken.add(end := draw.choice(ends))
            actions.append(march(option, end))
    moves = _order(move_and_declare={"actions": actions})
    return [rules_service_pb2.ResolveImpulseRequest(
        position=position, orders=[core_pb2.SideOrders(side="soviet", orders=[declared, moves])])]


def games_per_minute(seconds: float) -> float:
    """Whole games of scenario I by standing orders and random moves, in this process."""
    from tests.properties.player import play_random_game
    start, games = time.perf_counter(), 0
    while time.perf_counter() - start < seconds:
        play_random_game(games)
        games += 1
    return round(60 * games / (time.perf_counter() - start), 1)


def memory_mb(pid: int) -> float:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return round(int(line.split()[1]) / 1024, 1)
    raise OSError("no VmRSS in /proc")


def measure(rounds: int, seconds: float) -> dict[str, Any]:
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join(str(root / part) for part in (".", "proto", "server", "clients"))
    with subprocess.Popen([sys.executable, __file__, "--serve"], stdout=subprocess.PIPE,
                          text=True, env={**os.environ, "PYTHONPATH": path}) as process:
        try:
            assert process.stdout is not None
            port = json.loads(process.stdout.readline())["port"]
            bench = Bench(f"127.0.0.1:{port}", rounds)
            position = bench.moving()
            result: dict[str, Any] = {
                "position_bytes": position.ByteSize(),
                "submit_one_unit": bench.pair("SubmitOrders", one_unit_moves(bench, position)),
                "list_whole_side": bench.pair("ListLegalOrders", [
                    rules_service_pb2.ListLegalOrdersRequest(position=position)]),
                "resolve_impulse": bench.pair("ResolveImpulse", full_impulse(bench)),
            }
            for _ in range(1000):
                bench.rules.GetView(rules_service_pb2.GetViewRequest(position=position,
                                                                     side="soviet"))
            result["server_memory_mb"] = memory_mb(process.pid)
        finally:
            process.terminate()
    if seconds:
        result["random_games_per_minute"] = games_per_minute(seconds)
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print JSON only")
    parser.add_argument("--rounds", type=int, default=300, help="calls of each kind")
    parser.add_argument("--games", type=float, default=10.0, help="seconds of random games")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
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
