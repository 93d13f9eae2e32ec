"""One rules server for all tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lovat_client.sdk import EmbeddedServer, LovatClient
from lovat_client.tournament.store import TournamentStore


@pytest.fixture(scope="session")
def rules() -> Iterator[str]:
    """The address of a rules server."""
    with EmbeddedServer() as server:
        yield server.address


@pytest.fixture(scope="session")
def client(rules: str) -> Iterator[LovatClient]:
    with LovatClient.connect(rules) as connected:
        yield connected


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TournamentStore]:
    with TournamentStore.open(str(tmp_path / "t.db")) as opened:
        yield opened
