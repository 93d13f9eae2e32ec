"""Run the web table until it is stopped."""

from __future__ import annotations

import contextlib
import socket

import uvicorn

from ..sdk.errors import ClientError
from ..sdk.server import EmbeddedServer
from .app import Table

EMBEDDED = "embedded"
GRACE = 3


def run(host: str, port: int, server: str, arbiter: str) -> None:
    """Serve until SIGTERM or SIGINT; the first line on standard output names the page.

    `server` is the address of a rules server, or EMBEDDED; `arbiter` an address, or empty.
    ClientError if the port or the rules server is not to be had.
    """
    with contextlib.ExitStack() as stack:
        listening = stack.enter_context(_listen(host, port))
        if server == EMBEDDED:
            server = stack.enter_context(EmbeddedServer()).address
        bound = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        print(f"Lovat's table: http://{shown}:{bound}/", flush=True)
        config = uvicorn.Config(
            Table(server, arbiter), log_level="warning", access_log=False, lifespan="on",
            timeout_graceful_shutdown=GRACE, server_header=False)
        uvicorn.Server(config).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    """A socket that takes connections from now on, so that a page never meets a closed door."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(64)
    except OSError as error:
        listening.close()
        raise ClientError(f"{host}:{port} cannot be listened on: {error.strerror}") from error
    return listening
