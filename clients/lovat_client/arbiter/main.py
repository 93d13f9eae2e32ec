"""Run an arbiter until told to stop.

The first line on standard output is a JSON object with `host` and `port`. SIGTERM and SIGINT let
running calls end first.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import structlog

from ..sdk.errors import ClientError
from .limits import UNLESS_SAID, Limits
from .migrations import upgrade
from .referee import Referee
from .server import Built, build
from .store import Store
from .tls import server_credentials

GRACE = 3.0
"""Seconds that running calls get after SIGTERM."""


def run(host: str, port: int, database: str, rules: str, limits: Limits = UNLESS_SAID,
        tls_cert: Path | None = None, tls_key: Path | None = None) -> None:
    """Serve until SIGTERM or SIGINT.

    `rules` is the address of a rules server, or EMBEDDED. Over TLS with a certificate and its key.
    ClientError if these will not do, or the database, the rules server or the port is not to be
    had.
    """
    structlog.configure(
        processors=[structlog.processors.add_log_level,
                    structlog.processors.TimeStamper(fmt="iso", utc=True),
                    structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(file=sys.stderr))
    try:
        credentials = server_credentials(tls_cert, tls_key)
        with contextlib.closing(open_store(database)) as store, Referee(rules) as referee:
            asyncio.run(_serve(lambda: build(
                store, referee, host, port, limits=limits, credentials=credentials), host))
    except OSError as error:
        raise ClientError(str(error)) from error


def open_store(database: str) -> Store:
    """The database, brought up to date. ClientError, without the URL's password, if it cannot."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        store = Store(database)
        upgrade(store.engine)
    except ModuleNotFoundError as error:
        raise ClientError(f"the driver {error.name} of the database is not installed "
                          "(for PostgreSQL: pip install 'lovat[postgres]')") from error
    except (SQLAlchemyError, ValueError, OSError) as error:
        said = getattr(error, "orig", None) or type(error).__name__
        raise ClientError(f"the database cannot be opened: {said}") from error
    return store


async def _serve(built: Callable[[], Awaitable[Built]], host: str) -> None:
    stop = asyncio.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    server, servicer, bound = await built()
    servicer.service.recover()
    await server.start()
    ticking = asyncio.create_task(servicer.tick_for_ever())
    print(json.dumps({"host": host, "port": bound}), flush=True)
    await stop.wait()
    ticking.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await ticking
    await server.stop(GRACE)
    servicer.close()
