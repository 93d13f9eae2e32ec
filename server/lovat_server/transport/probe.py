"""`python -m lovat_server.transport.probe`: exit status 0 if the server on this host is serving.

Asks grpc.health.v1 at 127.0.0.1:$LOVAT_PORT (50051 if unset); made for a container's HEALTHCHECK.
"""

from __future__ import annotations

import os
import sys
from typing import Any

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc

DEFAULT_PORT = 50051
PATIENCE = 3.0  # seconds


def is_serving(target: str, timeout: float = PATIENCE) -> bool:
    """Whether the server at `target` ("host:port") answers SERVING within `timeout` seconds."""
    with grpc.insecure_channel(target) as channel:
        stub: Any = health_pb2_grpc.HealthStub(channel)  # the published types lack its methods
        try:
            answer = stub.Check(
                health_pb2.HealthCheckRequest(), timeout=timeout, wait_for_ready=True
            )
        except grpc.RpcError:
            return False
    return bool(answer.status == health_pb2.HealthCheckResponse.SERVING)


def main() -> int:
    port = os.environ.get("LOVAT_PORT") or DEFAULT_PORT
    return 0 if is_serving(f"127.0.0.1:{port}") else 1


if __name__ == "__main__":
    sys.exit(main())
