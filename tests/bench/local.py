"""The SDK's client with the server in the same process: messages, but no socket between them."""

from __future__ import annotations

from typing import Any, NoReturn

import grpc

from lovat_client.sdk.client import Calls, LovatClient
from lovat_client.sdk.errors import error_from
from lovat_server.service.library import Library
from lovat_server.transport.catalog_servicer import CatalogServicer
from lovat_server.transport.codecs import Codecs
from lovat_server.transport.rules_servicer import RulesServicer


class LocalClient(LovatClient):
    """Plays the same games as a client over the network, call by call."""

    def __init__(self, library: Library) -> None:
        self.rpc = _LocalCalls(library)
        self._known = {}

    def close(self) -> None:
        """There is nothing to close."""


class _LocalCalls(Calls):

    def __init__(self, library: Library) -> None:
        codecs = Codecs(library)
        self._catalog: Any = CatalogServicer(library, codecs)
        self._rules: Any = RulesServicer(library, codecs)

    def _call(self, name: str, method: Any, request: Any) -> Any:
        try:
            return method(request, _Context())
        except grpc.RpcError as error:
            raise error_from(name, error) from error


class _Failure(grpc.RpcError):
    """A call that was ended, with what a client asks of one."""

    def __init__(self, code: grpc.StatusCode, details: str, trailing: Any) -> None:
        super().__init__(details)
        self.code = lambda: code
        self.details = lambda: details
        self.trailing_metadata = lambda: trailing


class _Context:
    """As much of a call's context as an error needs."""

    def __init__(self) -> None:
        self._trailing: Any = ()

    def set_trailing_metadata(self, trailing: Any) -> None:
        self._trailing = trailing

    def abort(self, code: grpc.StatusCode, details: str) -> NoReturn:
        raise _Failure(code, details, self._trailing)
