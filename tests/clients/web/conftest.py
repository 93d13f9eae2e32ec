"""Real parts, started once: a rules server, and a web table that knows no arbiter."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lovat_client.sdk import EmbeddedServer

from .processes import web_table


@pytest.fixture(scope="session")
def rules() -> Iterator[str]:
    """The address of a rules server."""
    with EmbeddedServer() as server:
        yield server.address


@pytest.fixture(scope="session")
def address(rules: str) -> Iterator[str]:
    """The address of the page."""
    pytest.importorskip("connectrpc", reason="the extra `web` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `web` is not installed")
    with web_table("--server", rules) as found:
        yield found
