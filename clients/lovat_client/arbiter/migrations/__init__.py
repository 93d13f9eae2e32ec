"""The history of the arbiter's tables; `upgrade` brings any database up to date."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from sqlalchemy.engine import Connection, Engine

_LOCK = 0x6C6F766174  # any number, but the same for every arbiter


def configuration(connection: Connection) -> Config:
    """Alembic's settings for this folder and a connection."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def upgrade(engine: Engine) -> None:
    """Create or update the tables, all or nothing. Two arbiters that start together take turns."""
    with engine.connect() as plain:
        connection = plain.execution_options(lovat_immediate=True)
        with connection.begin():
            if engine.dialect.name == "postgresql":
                connection.execute(sa.select(sa.func.pg_advisory_xact_lock(_LOCK)))
            command.upgrade(configuration(connection), "head")
