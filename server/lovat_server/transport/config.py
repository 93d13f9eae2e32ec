"""Settings of the server: command line first, then environment, then these defaults."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .logs import LEVELS

MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Config:
    """`port` 0 takes a free one. `overlay` is a data folder that replaces printed rows.

    `reuse_port` lets other processes serve the same port. With `tls_cert` and `tls_key` it is
    served over TLS.
    """

    host: str = "127.0.0.1"
    port: int = 50051
    workers: int = 8
    overlay: Path | None = None
    max_message_bytes: int = 4 * MEBIBYTE
    max_concurrent: int = 256
    log_level: str = "info"
    port_file: Path | None = None
    grace: float = 5.0
    processes: int = 1
    reuse_port: bool = False
    tls_cert: Path | None = None
    tls_key: Path | None = None


def read_config(arguments: Sequence[str] | None, environment: Mapping[str, str]) -> Config:
    """The settings; exits with a usage message for an argument that makes no sense."""
    default = Config()
    parser = argparse.ArgumentParser(
        prog="lovat-server", description="The Lovat rules server: gRPC, without state.",
        formatter_class=argparse.ArgumentDefaultsHelpFormatter)
    parser.add_argument("--host", default=environment.get("LOVAT_HOST", default.host),
                        help="address to listen on")
    parser.add_argument("--port", type=_count, help="port to listen on, 0 for a free one",
                        default=environment.get("LOVAT_PORT", default.port))
    parser.add_argument("--workers", type=_positive, default=default.workers,
                        help="threads that answer calls")
    parser.add_argument("--overlay", type=Path, default=environment.get("LOVAT_OVERLAY"),
                        help="folder whose data replace those of the game")
    parser.add_argument("--max-message-bytes", type=_positive, default=default.max_message_bytes,
                        help="largest request")
    parser.add_argument("--max-concurrent", type=_positive, default=default.max_concurrent,
                        help="calls at a time; more are refused")
    parser.add_argument("--log-level", choices=LEVELS,
                        default=environment.get("LOVAT_LOG_LEVEL", default.log_level))
    parser.add_argument("--port-file", type=Path, default=None,
                        help="file to write the port to once the server is up")
    parser.add_argument("--grace", type=float, default=default.grace,
                        help="seconds that running calls get after SIGTERM")
    parser.add_argument("--processes", type=_positive, default=default.processes,
                        help="processes that share the port, one a core")
    parser.add_argument("--reuse-port", action="store_true",
                        help="let other processes serve the same port")
    parser.add_argument("--tls-cert", type=Path, metavar="FILE", default=None,
                        help="serve over TLS with this certificate chain (PEM)")
    parser.add_argument("--tls-key", type=Path, metavar="FILE", default=None,
                        help="private key of the certificate (PEM, without a password)")
    return Config(**vars(parser.parse_args(arguments)))


def _count(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65_535:
        raise argparse.ArgumentTypeError(f"{number} is no port; expected 0 to 65535")
    return number


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is too small; expected at least 1")
    return number
