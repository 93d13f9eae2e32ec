"""One rules server for all environments of these tests."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lovat_client.sdk import EmbeddedServer


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """The address of a rules server."""
    with EmbeddedServer() as server:
        yield server.address
