"""A server of one's own: a process on a free port of this machine, ended with the `with` block."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

from .client import LovatClient
from .errors import ServerStartError

MODULE = "lovat_server.transport.main"
GUARDED = "lovat_client.guarded_server"
"""The same server, given the process id with which it is to end."""

HOST = "127.0.0.1"
START_WITHIN = 60.0
STOP_WITHIN = 10.0
_SHOWN = 3  # lines of a failed server's log


def child_environment() -> dict[str, str]:
    """The environment of a child that is to find the same modules as this process."""
    seen = [str(Path(entry).resolve()) if entry else os.getcwd() for entry in sys.path]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(dict.fromkeys(seen)),
            "PYTHONUNBUFFERED": "1"}


def module_command(module: str, options: Sequence[str]) -> list[str]:
    """How a module is run in a child, with `child_environment`: never from the current folder."""
    return [sys.executable, "-P", "-m", module, *options]


def wait_until_serving(address: str, timeout: float) -> None:
    """Wait for grpc.health.v1 to say SERVING; `ServerStartError` after `timeout` seconds."""
    end = time.monotonic() + timeout
    with grpc.insecure_channel(address) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # the published type lacks its methods
        problem = "not serving"
        while (left := end - time.monotonic()) > 0:
            try:
                answer = stub.Check(health_pb2.HealthCheckRequest(), timeout=left,
                                    wait_for_ready=True)
            except grpc.RpcError as error:
                call: Any = error
                problem = f"{call.code().name}: {call.details()}"
                if call.code() is grpc.StatusCode.UNIMPLEMENTED:
                    break
            else:
                if answer.status == health_pb2.HealthCheckResponse.SERVING:
                    return
            time.sleep(0.05)
    raise ServerStartError(f"the server at {address} is not ready: {problem}")


class EmbeddedServer:
    """A rules server in a process of its own, on a free port, for one program's use.

        with EmbeddedServer() as server, server.connect() as client:
            client.games()

    `overlay` is a folder of data that replace the server's own; `options` are further options of
    its command line. A `bound` server ends with this process even if that is killed; on Linux with
    the thread that starts it, which must last. `start` (or `with`) raises `ServerStartError` with
    the end of the server's log if it does not come up.
    """

    def __init__(self, *, overlay: Path | None = None, options: Sequence[str] = (),
                 start_within: float = START_WITHIN, module: str = MODULE,
                 bound: bool = False) -> None:
        self._options = ["--host", HOST, "--port", "0", "--log-level", "warning", *options]
        if overlay is not None:
            self._options += ["--overlay", str(overlay)]
        self._module = GUARDED if bound else module
        if bound:
            self._options.append(str(os.getpid()))
        self._start_within = start_within
        self._process: subprocess.Popen[bytes] | None = None
        self._log: IO[bytes] | None = None
        self._address = ""

    @property
    def address(self) -> str:
        """"host:port" of the running server."""
        if not self._address:
            raise ServerStartError("the server has not been started")
        return self._address

    @property
    def process_id(self) -> int:
        if self._process is None:
            raise ServerStartError("the server has not been started")
        return self._process.pid

    def connect(self, **settings: Any) -> LovatClient:
        """A client of this server; the settings are those of `LovatClient.connect`."""
        return LovatClient.connect(self.address, **settings)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.stop()

    def start(self) -> Self:
        """Start the process and wait until it serves."""
        end = time.monotonic() + self._start_within
        self._log = tempfile.TemporaryFile()  # noqa: SIM115  # closed by stop
        try:
            self._process = subprocess.Popen(
                module_command(self._module, self._options), stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=self._log, env=child_environment())
            address = self._announced_address(end)
            wait_until_serving(address, max(end - time.monotonic(), 0.1))
        except BaseException:
            self.stop()
            raise
        self._address = address
        return self

    def stop(self) -> None:
        """End the process: politely, then by force. Does nothing if it has ended."""
        process, self._process, self._address = self._process, None, ""
        if process is not None and process.poll() is None:
            process.terminate()
            try:
                process.wait(STOP_WITHIN)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._log is not None:
            self._log.close()
            self._log = None

    def _announced_address(self, end: float) -> str:
        """What the server says in a line of JSON with its port; the rest of its output is read."""
        process = self._process
        if process is None or process.stdout is None:
            raise ServerStartError("the server has not been started")
        said: queue.Queue[Mapping[str, Any] | None] = queue.Queue()
        threading.Thread(target=_listen, args=(process.stdout, said), daemon=True).start()
        try:
            line = said.get(timeout=max(end - time.monotonic(), 0.1))
        except queue.Empty:
            raise ServerStartError(
                f"the server did not name its port within {self._start_within:g} seconds"
                f"{self._end_of_log()}") from None
        if line is None:
            code = process.wait()
            raise ServerStartError(
                f"the server ended with exit code {code} before it served{self._end_of_log()}")
        return f"{HOST}:{line['port']}"

    def _end_of_log(self) -> str:
        if self._log is None:
            return ""
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return f": {' | '.join(line.strip() for line in lines[-_SHOWN:])}" if lines else ""


def _listen(stream: IO[bytes], said: queue.Queue[Mapping[str, Any] | None]) -> None:
    """Put the first line of JSON with a port into the queue, None at the end; read all else."""
    with stream:
        for line in stream:
            try:
                value = json.loads(line)
            except ValueError:
                continue
            if isinstance(value, dict) and isinstance(value.get("port"), int):
                said.put(value)
        said.put(None)
