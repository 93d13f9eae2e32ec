"""Several server processes on one port: the kernel deals the connections out among them.

A Python process answers on one core; a call is a function of its request alone, so that any
process may answer it. A process that ends before it was told to is started again.
"""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event

import structlog

from .config import Config

MODULE = "lovat_server.transport.main"
LOOK_EVERY = 0.2
RESTARTS = 10
"""A process that keeps ending is a fault of the machine or of the data; then all end."""


def supervise(config: Config, announce: Callable[[int], None]) -> int:
    """Run `config.processes` servers until SIGTERM or SIGINT; exit status 1 if they cannot run.

    `announce` is called once with the port, when all of them serve. OSError for the port.
    """
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    with _reserved(config) as held:
        port = held.getsockname()[1]
        children = [_start(config, port) for _ in range(config.processes)]
        try:
            if not all(child.wait_until_serving() for child in children):
                return 1
            announce(port)
            return 0 if _watch(config, port, children, stop) else 1
        finally:
            for child in children:
                child.end(config.grace)


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[str]

    def wait_until_serving(self) -> bool:
        """Whether its first line came; no line means that it has ended."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        return bool(line) and "port" in json.loads(line)

    def end(self, grace: float) -> None:
        self.process.terminate()
        try:
            self.process.wait(grace + 5)
        except subprocess.TimeoutExpired:
            self.process.kill()


def _watch(config: Config, port: int, children: list[_Child], stop: Event) -> bool:
    """Start again what ends; False if that does not help."""
    log, restarts = structlog.get_logger("lovat"), 0
    while not stop.wait(LOOK_EVERY):
        for place, child in enumerate(children):
            code = child.process.poll()
            if code is None:
                continue
            restarts += 1
            log.error("a server process has ended", exit_status=code, restarts=restarts)
            if restarts > RESTARTS:
                return False
            time.sleep(LOOK_EVERY)
            children[place] = _start(config, port)
            children[place].wait_until_serving()
    return True


def _reserved(config: Config) -> socket.socket:
    """The port, held so that every process can bind it and nobody else can."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    held = socket.socket(family, socket.SOCK_STREAM)
    held.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
    held.bind((config.host.strip("[]"), config.port))
    return held


def _start(config: Config, port: int) -> _Child:
    options = ["--host", config.host, "--port", str(port), "--reuse-port",
               "--workers", str(config.workers),
               "--max-message-bytes", str(config.max_message_bytes),
               "--max-concurrent", str(config.max_concurrent),
               "--log-level", config.log_level, "--grace", str(config.grace)]
    if config.overlay is not None:
        options += ["--overlay", str(config.overlay)]
    if config.tls_cert is not None:
        options += ["--tls-cert", str(config.tls_cert)]
    if config.tls_key is not None:
        options += ["--tls-key", str(config.tls_key)]
    return _Child(subprocess.Popen([sys.executable, "-m", MODULE, *options],
                                   stdout=subprocess.PIPE, text=True))
