"""Servicers behind raw bytes.

The generated registration has grpc parse the request, and grpc answers INTERNAL when that fails.
Here the bytes come through as they are, so that a request that is no message of its type is
INVALID_ARGUMENT like any other malformed one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import grpc
from google.protobuf import message, message_factory

from lovat_server.core.errors import MalformedError

from .faults import refusal_of, refuse


def service_handler(descriptor: Any, servicer: Any) -> grpc.GenericRpcHandler:
    """All methods of a service. TypeError for a kind of method that is not provided for."""
    methods = {method.name: _method(method, servicer) for method in descriptor.methods}
    return grpc.method_handlers_generic_handler(descriptor.full_name, methods)


def _method(method: Any, servicer: Any) -> grpc.RpcMethodHandler:
    if method.server_streaming:
        raise TypeError(f"{method.full_name} streams its responses")
    request_class = message_factory.GetMessageClass(method.input_type)
    answer: Callable[[Any, grpc.ServicerContext], message.Message]
    answer = getattr(servicer, method.name)
    if method.client_streaming:
        def stream_handler(items: Iterator[bytes], context: grpc.ServicerContext) -> bytes:
            requests = (_parse(request_class, raw, f"requests[{number}]")
                        for number, raw in enumerate(items))
            return answer(requests, context).SerializeToString()
        return grpc.stream_unary_rpc_method_handler(stream_handler)

    def unary_handler(raw: bytes, context: grpc.ServicerContext) -> bytes:
        try:
            request = _parse(request_class, raw, "request")
        except MalformedError as error:
            refuse(context, refusal_of(error))
        return answer(request, context).SerializeToString()
    return grpc.unary_unary_rpc_method_handler(unary_handler)


def _parse(request_class: Any, raw: bytes, field: str) -> Any:
    try:
        return request_class.FromString(raw)
    except message.DecodeError:
        raise MalformedError(f"{field}: {len(raw)} bytes that are no "
                             f"{request_class.DESCRIPTOR.full_name}", field=field) from None
