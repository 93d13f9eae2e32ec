"""Real processes: arbiters that may be killed, and a PostgreSQL of the test's own."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from lovat_client.arbiter.player import MatchClient
from lovat_client.sdk.server import child_environment


class ArbiterProcess:
    """An arbiter in a process of its own. Started again, it takes the same port."""

    def __init__(self, database: str, rules: str, log: Path, *options: str) -> None:
        self.database = database
        self.rules = rules
        self.log = log
        self.options = options
        self.port = 0
        self._process: subprocess.Popen[str] | None = None
        self._stderr: IO[bytes] | None = None

    @property
    def address(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        self._stderr = self.log.open("ab")
        self._process = subprocess.Popen(
            [sys.executable, "-m", "lovat_client.arbiter", "--port", str(self.port),
             "--database", self.database, "--rules", self.rules, *self.options],
            stdout=subprocess.PIPE, stderr=self._stderr, text=True, env=child_environment())
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self.log.read_text()
        self.port = json.loads(line)["port"]

    def kill(self) -> None:
        """End it without a chance to say anything: kill -9."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._reap()

    def stop(self) -> None:
        """End it politely, if it has not ended."""
        if self._process is not None:
            self._process.terminate()
            self._reap()

    def connect(self, token: str = "", **settings: float) -> MatchClient:
        return MatchClient.connect(self.address, token, **settings)

    def _reap(self) -> None:
        process, self._process = self._process, None
        assert process is not None
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()
        if self._stderr is not None:
            self._stderr.close()


@contextlib.contextmanager
def running(database: str, rules: str, log: Path, *options: str) -> Iterator[ArbiterProcess]:
    arbiter = ArbiterProcess(database, rules, log, *options)
    arbiter.start()
    try:
        yield arbiter
    finally:
        arbiter.stop()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def postgres_binaries() -> Path | None:
    """The folder of the newest PostgreSQL on this machine, with initdb and postgres."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/initdb")]
    if not found and (on_path := shutil.which("initdb")):
        found = [Path(on_path).resolve().parent]
    found = [folder for folder in found if (folder / "postgres").exists()]
    return max(found, key=lambda folder: folder.parent.name, default=None)


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The URL of a PostgreSQL of one's own, in a temporary folder on a free port.

    PostgreSQL refuses to run as root; then it runs as `nobody`. RuntimeError if it cannot.
    """
    binaries = postgres_binaries()
    if binaries is None:
        raise RuntimeError("there is no PostgreSQL on this machine")
    user = "nobody" if os.getuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="lovat-pg-", dir="/tmp"))
    try:
        if user is not None:
            shutil.chown(folder, user)
        done = subprocess.run(
            [binaries / "initdb", "-D", folder / "data", "-U", "lovat", "-A", "trust", "-E", "UTF8",
             "--no-sync"], user=user, capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode != 0:
            raise RuntimeError(f"initdb: {done.stderr.strip()}")
        port = free_port()
        server = subprocess.Popen(
            [binaries / "postgres", "-D", folder / "data", "-p", str(port), "-h", "127.0.0.1",
             "-k", folder], user=user, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            cwd=folder)
        try:
            _wait_for(binaries, port, server)
            yield f"postgresql://lovat@127.0.0.1:{port}/postgres"
        finally:
            server.send_signal(signal.SIGINT)  # fast shutdown
            server.wait(30)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait_for(binaries: Path, port: int, server: subprocess.Popen[bytes]) -> None:
    for _ in range(200):
        if server.poll() is not None:
            raise RuntimeError("PostgreSQL ended before it served")
        ready = subprocess.run([binaries / "pg_isready", "-h", "127.0.0.1", "-p", str(port)],
                               capture_output=True, check=False)
        if ready.returncode == 0:
            return
        time.sleep(0.1)
    raise RuntimeError("PostgreSQL did not come up")
