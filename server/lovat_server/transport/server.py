"""The server: all services on one port."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import grpc
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection

from lovat.rules.v1 import catalog_service_pb2, rules_service_pb2
from lovat_server.service.library import Library

from .catalog_servicer import CatalogServicer
from .codecs import Codecs
from .config import Config
from .handlers import service_handler
from .interceptors import CallInterceptor
from .metrics import Metrics
from .rules_servicer import RulesServicer
from .tls import server_credentials

CATALOG = catalog_service_pb2.DESCRIPTOR.services_by_name["CatalogService"]
RULES = rules_service_pb2.DESCRIPTOR.services_by_name["RulesService"]


COLLECT_AFTER = (20_000, 20, 50)
"""A call makes some thousands of small values and no circles: the collector may look less often."""


def build_server(
    library: Library, config: Config, extra_handlers: Sequence[grpc.GenericRpcHandler] = (),
    metrics: Metrics | None = None,
) -> tuple[grpc.Server, int]:
    """A server that is bound but not started, and its port.

    Health and reflection are on; `extra_handlers` are served beside the product's own. OSError
    if the port is taken or the certificate of the settings will not do.
    """
    credentials = server_credentials(config.tls_cert, config.tls_key)
    server = grpc.server(
        ThreadPoolExecutor(config.workers, thread_name_prefix="lovat"),
        interceptors=[CallInterceptor(Metrics() if metrics is None else metrics)],
        options=(
            ("grpc.max_receive_message_length", config.max_message_bytes),
            ("grpc.max_send_message_length", -1),
            ("grpc.so_reuseport", int(config.reuse_port)),
        ),
        maximum_concurrent_rpcs=config.max_concurrent,
    )
    codecs = Codecs(library)
    server.add_generic_rpc_handlers((
        service_handler(CATALOG, CatalogServicer(library, codecs)),
        service_handler(RULES, RulesServicer(library, codecs)),
        *extra_handlers,
    ))
    status = health.HealthServicer()
    names = (CATALOG.full_name, RULES.full_name)
    for name in ("", *names):
        status.set(name, health_pb2.HealthCheckResponse.SERVING)
    health_pb2_grpc.add_HealthServicer_to_server(status, server)
    reflection.enable_server_reflection(
        (*names, health.SERVICE_NAME, reflection.SERVICE_NAME), server)
    try:
        address = f"{config.host}:{config.port}"
        port = (server.add_insecure_port(address) if credentials is None
                else server.add_secure_port(address, credentials))
    except RuntimeError as error:
        raise OSError(f"cannot listen on {config.host}:{config.port}: {error}") from error
    # catalogs and codecs live as long as the process: the collector need not look at them again
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    return server, port
