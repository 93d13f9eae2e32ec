"""Random games with spoilt orders and positions against a real server.

    python -m tests.fuzz --seconds 60 --seed 7

Looks for a crash, an internal error, a dead end, a listed order that is refused, a broken
invariant and a slow call. Stops at the first find, prints a Python file that shows it again, and
ends with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

import grpc

from lovat_client.sdk.client import LovatClient
from lovat_client.sdk.errors import ServerStartError
from lovat_client.sdk.server import EmbeddedServer

from .finds import Find, reproduction
from .game import FuzzedGame
from .probe import Probe


@contextmanager
def channel() -> Iterator[grpc.Channel]:
    """A server in a process of its own; in a thread of this one where none can be started."""
    try:
        server = EmbeddedServer().start()
    except ServerStartError as error:
        print(f"in process: {error}", file=sys.stderr)
        with _in_process() as found:
            yield found
        return
    try:
        with grpc.insecure_channel(server.address) as found:
            yield found
    finally:
        server.stop()


@contextmanager
def _in_process() -> Iterator[grpc.Channel]:
    from lovat_server.service.library import open_library
    from lovat_server.transport.config import Config
    from lovat_server.transport.server import build_server

    server, port = build_server(open_library(), Config(port=0, workers=2))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as found:
        yield found
    server.stop(None).wait()


def fuzz(seconds: float, seed: int, limit: float) -> tuple[Find | None, Probe]:
    """Games one after the other until the time is up or something is found."""
    with channel() as found:
        client = LovatClient(found)
        names = [scenario.id for scenario in client.scenarios("white_death")]
        catalogs = {name: client.catalog(name).message for name in names}
        probe = Probe(found, limit)
        end = time.monotonic() + seconds
        random = Random(seed)
        number = 0
        while time.monotonic() < end:
            name = random.choice([names[number % len(names)], "purkayevs-attack"])
            game_seed = f"{seed}-{number}"
            number += 1
            try:
                FuzzedGame(probe, catalogs[name], name, game_seed,
                           lambda: time.monotonic() >= end).play()
            except Find as find:
                return replace(find, seed=f"{seed}, game {number}, scenario {name}"), probe
        return None, probe


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=5, help="seconds that a call may take")
    parser.add_argument("--out", type=Path, help="a file for what is found, beside printing it")
    options = parser.parse_args(arguments)
    find, probe = fuzz(options.seconds, options.seed, options.limit)
    counts = ", ".join(f"{count} {name}" for name, count in sorted(probe.counts.items()))
    taken, method = probe.slowest
    print(f"# {counts}; slowest call {taken:.2f} s ({method or 'none'})")
    if find is None:
        print("# nothing found")
        return 0
    text = reproduction(find)
    print(text)
    print(f"# {find} (seed {find.seed})", file=sys.stderr)
    if options.out:
        options.out.write_text(text, encoding="utf-8")
    return 1


if __name__ == "__main__":
    raise SystemExit(main())
