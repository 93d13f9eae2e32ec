"""Stores for the tests of the arbiter: a SQLite file, and one PostgreSQL for all of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lovat_client.arbiter.migrations import upgrade
from lovat_client.arbiter.store import Store

from .processes import postgres


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL (extra `postgres`)")
    try:
        with postgres() as url:
            yield url
    except RuntimeError as error:
        pytest.skip(str(error))


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "matches.db")
    url: str = request.getfixturevalue("postgres_url")
    import psycopg

    with psycopg.connect(url) as connection:
        connection.execute("DROP SCHEMA public CASCADE")
        connection.execute("CREATE SCHEMA public")
    return url


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    opened = Store(database)
    upgrade(opened.engine)
    yield opened
    opened.close()
