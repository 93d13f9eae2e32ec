"""A client and a store for the tests of tournaments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lovat_client.sdk import LovatClient
from lovat_client.tournament.store import TournamentStore


@pytest.fixture(scope="session")
def client(rules: str) -> Iterator[LovatClient]:
    with LovatClient.connect(rules) as connected:
        yield connected


@pytest.fixture
def store(tmp_path: Path) -> Iterator[TournamentStore]:
    with TournamentStore.open(str(tmp_path / "t.db")) as opened:
        yield opened
