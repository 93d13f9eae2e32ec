"""The Python SDK: typed clients, a session that keeps the log, the catalog, an own server.

    from lovat_client.sdk import EmbeddedServer, LovatClient, Session

    with EmbeddedServer() as server, LovatClient.connect(server.address) as client:
        session = Session.create(client, "purkayevs-attack", seed=7, standard_set_up=True)
        print(session.decision.side, session.decision.kind)
"""

from __future__ import annotations

from .aio import AsyncLovatClient
from .catalog import Catalog
from .client import LovatClient
from .delta import apply_delta
from .errors import (
    ClientError,
    DeltaError,
    FieldViolation,
    LovatError,
    MatchError,
    ReplayFileError,
    ServerStartError,
)
from .paths import path_to, reachable
from .results import Forecast, Judgement, Outcome, Soundness
from .retry import RetryPolicy
from .server import EmbeddedServer
from .session import AsyncSession, Session

__all__ = [
    "AsyncLovatClient",
    "AsyncSession",
    "Catalog",
    "ClientError",
    "DeltaError",
    "EmbeddedServer",
    "FieldViolation",
    "Forecast",
    "Judgement",
    "LovatClient",
    "LovatError",
    "MatchError",
    "Outcome",
    "ReplayFileError",
    "RetryPolicy",
    "ServerStartError",
    "Session",
    "Soundness",
    "apply_delta",
    "path_to",
    "reachable",
]
