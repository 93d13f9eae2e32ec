"""`lovat arbiter`: hosted matches for players who do not trust each other."""

from __future__ import annotations

from typing import Annotated

import typer

EPILOG = "Example: lovat arbiter --port 50052 --database matches.db --rules embedded"


def arbiter(
    host: Annotated[str, typer.Option(
        envvar="LOVAT_ARBITER_HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(
        envvar="LOVAT_ARBITER_PORT", min=0, max=65535,
        help="Port to listen on; 0 takes a free one.")] = 50052,
    database: Annotated[str, typer.Option(
        envvar="LOVAT_ARBITER_DATABASE", metavar="FILE|URL",
        help="A SQLite file, or a URL such as postgresql://user@host/name.")] = "lovat-matches.db",
    rules: Annotated[str, typer.Option(
        envvar="LOVAT_SERVER", metavar="HOST:PORT|embedded",
        help="The rules server to ask; 'embedded' starts one.")] = "embedded",
) -> None:
    """Run the arbiter, which keeps the one true position of every match, until it is stopped."""
    from ..arbiter.main import run

    run(host, port, database, rules)
