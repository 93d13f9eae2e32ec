"""`lovat-server`: serve until told to stop.

The first line on standard output is a JSON object with `host` and `port`, so that whoever starts
the server on port 0 can find it. SIGTERM and SIGINT let running calls end first.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import Sequence
from threading import Event

import structlog

from lovat_server.core.errors import LovatError
from lovat_server.service.library import open_library

from .config import Config, read_config
from .logs import configure
from .metrics import Metrics
from .processes import supervise
from .server import build_server
from .tls import server_credentials


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0 after a signal, 1 if the data, the certificate or the port will not do."""
    config = read_config(arguments, os.environ)
    configure(config.log_level)
    try:
        server_credentials(config.tls_cert, config.tls_key)  # what will not do is said at once
        if config.processes > 1:
            return supervise(config, lambda port: _announce(config, port))
        serve(config)
    except (LovatError, OSError) as error:
        print(f"lovat-server: {error}", file=sys.stderr)
        return 1
    return 0


def serve(config: Config) -> None:
    """Serve until SIGTERM or SIGINT. LovatError for bad data, OSError for the port."""
    log = structlog.get_logger("lovat")
    stop = Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda _number, _frame: stop.set())
    metrics = Metrics()
    server, port = build_server(open_library(config.overlay), config, metrics=metrics)
    server.start()
    _announce(config, port)
    log.info("serving", host=config.host, port=port)
    stop.wait()
    log.info("stopping", grace=config.grace)
    server.stop(config.grace).wait()
    log.info("stopped", calls=metrics.snapshot())


def _announce(config: Config, port: int) -> None:
    if config.port_file is not None:
        partial = config.port_file.with_name(config.port_file.name + ".partial")
        partial.write_text(f"{port}\n", encoding="ascii")
        partial.replace(config.port_file)  # whoever waits for the file never sees half of it
    print(json.dumps({"host": config.host, "port": port}), flush=True)


if __name__ == "__main__":
    sys.exit(main())
