"""Running servers, one with the real rules and one with the stub's."""

from __future__ import annotations

from collections.abc import Iterator

import grpc
import pytest

from lovat_server.service.library import Library, open_library
from lovat_server.transport.config import Config
from lovat_server.transport.logs import configure
from lovat_server.transport.server import build_server
from tests.transport.stub_rules import stub_library
from tests.transport.wire import Wire

configure("error")


def serve(library: Library) -> Iterator[Wire]:
    server, port = build_server(library, Config(port=0, workers=4))
    server.start()
    with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
        yield Wire(channel)
    server.stop(None).wait()


@pytest.fixture(scope="session")
def stub() -> Iterator[Wire]:
    yield from serve(stub_library())


@pytest.fixture(scope="session")
def real() -> Iterator[Wire]:
    yield from serve(open_library())
