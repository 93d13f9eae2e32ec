"""`lovat arbiter`: hosted matches for players who do not trust each other."""

from __future__ import annotations

import math
from pathlib import Path
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
    rate: Annotated[float, typer.Option(
        min=0, help="Calls a second of each seat, and of each host without one; 0 is no limit."
    )] = 100,
    watches: Annotated[int, typer.Option(
        min=0, help="Streams at a time of each seat, and of each host without one; 0 is no limit."
    )] = 50,
    matches: Annotated[int, typer.Option(
        min=0, help="Matches of each host that are not over; 0 is no limit.")] = 200,
    tls_cert: Annotated[Path | None, typer.Option(
        metavar="FILE", show_default=False,
        help="Serve over TLS with this certificate chain (PEM).")] = None,
    tls_key: Annotated[Path | None, typer.Option(
        metavar="FILE", show_default=False,
        help="Private key of the certificate (PEM, without a password).")] = None,
) -> None:
    """Run the arbiter, which keeps the one true position of every match, until it is stopped."""
    if math.isnan(rate):
        raise typer.BadParameter("nan is no number of calls", param_hint="--rate")
    from ..arbiter.limits import Limits
    from ..arbiter.main import run

    run(host, port, database, rules, Limits(rate=rate, watches=watches, matches=matches),
        tls_cert, tls_key)
