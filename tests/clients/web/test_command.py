"""`lovat web` as a command: started, stopped, and without what it needs."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lovat_client.cli.app import app
from lovat_client.sdk.server import child_environment

WEB = [sys.executable, "-m", "lovat_client.cli.app", "web"]


def children_of(process_id: int) -> list[int]:
    """The processes that a process has started, as far as the machine tells."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(fields[1]) == process_id:
            found.append(int(path.parent.name))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc")
def test_it_ends_with_its_own_rules_server() -> None:
    process = subprocess.Popen([*WEB, "--port", "0"], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=child_environment())
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    with urllib.request.urlopen(address, timeout=30) as response:
        assert response.status == 200
    children = children_of(process.pid)
    assert children
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=30)
    assert "Traceback" not in errors
    assert not [child for child in children if Path(f"/proc/{child}").exists()]


def test_a_port_that_is_taken_is_named_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run([*WEB, "--port", str(port), "--server", "127.0.0.1:1"],
                              capture_output=True, text=True, env=child_environment(),
                              check=False, timeout=60)
    assert done.returncode == 1
    assert f"127.0.0.1:{port} cannot be listened on" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_without_the_extra_it_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("lovat_client.web")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    result = CliRunner().invoke(app, ["web"])
    assert result.exit_code == 1
    assert "pip install 'lovat[web]'" in result.output
