"""`lovat web`: the table in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import fail

EPILOG = "Example: lovat web --port 8080, then open http://127.0.0.1:8080/"


def web(
    host: Annotated[str, typer.Option(
        envvar="LOVAT_WEB_HOST", help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(
        envvar="LOVAT_WEB_PORT", min=0, max=65535,
        help="Port to listen on; 0 takes a free one.")] = 8080,
    server: Annotated[str, typer.Option(
        "--server", envvar="LOVAT_SERVER", metavar="HOST:PORT|embedded",
        help="The rules server to ask; 'embedded' starts one.")] = "embedded",
    arbiter: Annotated[str, typer.Option(
        "--arbiter", envvar="LOVAT_ARBITER", metavar="HOST:PORT", show_default=False,
        help="The arbiter at which the page can take seats and watch.")] = "",
) -> None:
    """Play in a browser: hot-seat, against a bot, at an arbiter; watch replays."""
    try:
        from ..web.main import run
    except ModuleNotFoundError as error:
        fail(f"{error.name} is not installed; the web table needs it: pip install 'lovat[web]'")
    run(host, port, server, arbiter)
