"""A real rules server, started once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lovat_client.sdk import EmbeddedServer


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    with EmbeddedServer() as server:
        yield server.address
