"""`lovat serve`: the rules server in the foreground."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import OverlayOption

EPILOG = "Example: lovat serve --port 50051 --overlay my-data"


def serve(
    context: typer.Context,
    host: Annotated[str, typer.Option(envvar="LOVAT_HOST", help="Address to listen on.")]
    = "127.0.0.1",
    port: Annotated[int, typer.Option(
        envvar="LOVAT_PORT", min=0, max=65535, help="Port to listen on; 0 takes a free one.")]
    = 50051,
    overlay: OverlayOption = None,
) -> None:
    """Run the rules server until it is stopped; further options are passed on to it."""
    import signal
    import subprocess

    from ..sdk.server import MODULE, child_environment, module_command

    options = ["--host", host, "--port", str(port)]
    if overlay is not None:
        options += ["--overlay", str(overlay)]
    process = subprocess.Popen(module_command(MODULE, [*options, *context.args]),
                               env=child_environment())
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda received, _: process.send_signal(received))
    raise typer.Exit(process.wait())
