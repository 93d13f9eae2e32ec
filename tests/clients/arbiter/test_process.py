"""The arbiter as a program: with a rules server of its own, and when it cannot begin."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lovat_client.sdk.server import child_environment, wait_until_serving

from .playing import Hall
from .processes import running


def test_it_may_bring_its_own_rules_server(tmp_path: Path) -> None:
    with running(str(tmp_path / "m.db"), "embedded", tmp_path / "log") as process:
        wait_until_serving(process.address, 20)
        with Hall(process.address) as hall:
            assert len(list(hall.table().play(3))) == 3
    assert "Traceback" not in (tmp_path / "log").read_text()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc")
def test_its_own_rules_server_does_not_outlive_it(tmp_path: Path) -> None:
    with running(str(tmp_path / "m.db"), "embedded", tmp_path / "log") as process:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        assert len(children) == 1
        assert "lovat_server" in Path(f"/proc/{children[0]}/cmdline").read_text()
        process.kill()
        end = time.monotonic() + 30
        while _runs(children[0]) and time.monotonic() < end:
            time.sleep(0.02)
        assert not _runs(children[0])


def _runs(child: str) -> bool:
    """Whether a process is there; one that is dead and that nobody has reaped is not."""
    try:
        stat = Path(f"/proc/{child}/stat").read_text()
    except FileNotFoundError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def test_a_port_that_is_taken_ends_it_with_a_sentence(rules: str, tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = subprocess.run(
            [sys.executable, "-m", "lovat_client.arbiter", "--port", str(taken.getsockname()[1]),
             "--database", str(tmp_path / "m.db"), "--rules", rules],
            capture_output=True, text=True, check=False, timeout=60, env=child_environment())
    assert done.returncode != 0
    assert "cannot listen on" in done.stderr
