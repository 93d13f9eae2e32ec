"""Several processes on one port: all answer, and one that dies is replaced."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest

from .wire import Wire

TRIES = 60


@pytest.fixture
def started() -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [sys.executable, "-m", "lovat_server.transport.main", "--port", "0", "--processes", "2",
         "--log-level", "error"],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    yield process
    process.terminate()
    process.communicate(timeout=30)


def children(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not listed.exists():
        pytest.skip("this kernel does not list the children of a process")
    return [int(pid) for pid in listed.read_text().split()]


def create(port: int) -> bool:
    with grpc.insecure_channel(f"127.0.0.1:{port}",
                               options=(("grpc.use_local_subchannel_pool", 1),)) as channel:
        try:
            Wire(channel).create()
        except grpc.RpcError:
            return False
        return True


def test_calls_go_on_when_a_process_is_killed(started: subprocess.Popen[str]) -> None:
    assert started.stdout
    port = json.loads(started.stdout.readline())["port"]
    before = children(started)
    assert len(before) == 2
    assert all(create(port) for _ in range(8))
    os.kill(before[0], signal.SIGKILL)
    for _ in range(TRIES):
        after = children(started)
        if len(after) == 2 and before[0] not in after:
            break
        time.sleep(0.25)
    assert before[1] in after
    assert before[0] not in after
    assert any(create(port) for _ in range(8))


def test_all_end_when_the_first_is_told_to(started: subprocess.Popen[str]) -> None:
    assert started.stdout
    started.stdout.readline()
    running = children(started)
    started.send_signal(signal.SIGTERM)
    assert started.wait(30) == 0
    assert not [pid for pid in running if Path(f"/proc/{pid}").exists()]
