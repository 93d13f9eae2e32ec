"""A web table that knows no arbiter, started once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .processes import web_table


@pytest.fixture(scope="session")
def address(rules: str) -> Iterator[str]:
    """The address of the page."""
    pytest.importorskip("connectrpc", reason="the extra `web` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `web` is not installed")
    with web_table("--server", rules) as found:
        yield found
