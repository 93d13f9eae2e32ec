"""Real servers that the tests of the clients share, and the command line in front of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from lovat_client.cli.app import app
from lovat_client.sdk import EmbeddedServer

from .arbiter.playing import Hall
from .arbiter.processes import ArbiterProcess, running


@pytest.fixture(scope="session")
def rules() -> Iterator[str]:
    """The address of a rules server."""
    with EmbeddedServer() as server:
        yield server.address


@pytest.fixture(scope="session")
def address(rules: str) -> str:
    return rules


@pytest.fixture
def lovat(address: str, tmp_path: Path,
          monkeypatch: pytest.MonkeyPatch) -> Callable[..., Result]:
    """Runs a command in an empty folder with the server at `address`; `code` is its exit code."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOVAT_SERVER", address)

    def run(*arguments: str, code: int = 0) -> Result:
        result = CliRunner().invoke(app, list(arguments))
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result

    return run


@pytest.fixture(scope="module")
def arbiter(rules: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArbiterProcess]:
    """An arbiter process on a SQLite file."""
    folder = tmp_path_factory.mktemp("arbiter")
    with running(str(folder / "matches.db"), rules, folder / "log") as process:
        yield process


@pytest.fixture
def hall(arbiter: ArbiterProcess) -> Iterator[Hall]:
    with Hall(arbiter.address) as opened:
        yield opened
