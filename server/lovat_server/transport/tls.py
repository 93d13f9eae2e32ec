"""TLS for the server: a certificate and its private key, checked before anybody calls."""

from __future__ import annotations

import ssl
from pathlib import Path

import grpc


def server_credentials(cert: Path | None, key: Path | None) -> grpc.ServerCredentials | None:
    """The certificate chain and its private key, two PEM files; None without both.

    OSError for one without the other, for a file that cannot be read, and for two that do not
    belong together.
    """
    if cert is None and key is None:
        return None
    if cert is None or key is None:
        raise OSError("--tls-cert and --tls-key belong together")
    chain, secret = _read("--tls-cert", cert), _read("--tls-key", key)
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password="")
    except (ssl.SSLError, ValueError) as error:
        raise OSError(f"{cert} and {key} are no PEM files of a certificate and its private key "
                      "without a password") from error
    return grpc.ssl_server_credentials([(secret, chain)])


def _read(option: str, file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise OSError(f"{option}: cannot read {file}: {error.strerror}") from error
