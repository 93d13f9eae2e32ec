"""The services of the contract over Connect and gRPC-Web, each call passed on to a gRPC server.

Everything is read from the descriptors: an RPC added to the contract needs no line here.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

import grpc
import grpc.aio
from connectrpc.code import Code
from connectrpc.compat import google_protobuf_binary_codec
from connectrpc.errors import ConnectError, ErrorDetail
from connectrpc.method import IdempotencyLevel, MethodInfo, StreamType
from connectrpc.request import RequestContext
from connectrpc.server import ConnectASGIApplication, Endpoint
from google.protobuf import json_format, message_factory
from google.protobuf.descriptor import MethodDescriptor, ServiceDescriptor
from google.protobuf.message import DecodeError, Message
from google.rpc import status_pb2
from protobuf.wkt import Any as AnyMessage

from ..sdk.channel import DEFAULT_TIMEOUT, open_async_channel
from ..sdk.errors import STATUS_DETAILS

PASSED_ON = ("authorization",)
"""The headers of the browser that the server behind gets; no others are its business."""

LONGEST_UNARY = 120.0

CODES: Mapping[grpc.StatusCode, Code] = {
    code: Code[{"CANCELLED": "CANCELED"}.get(code.name, code.name)]
    for code in grpc.StatusCode if code is not grpc.StatusCode.OK}


class JsonCodec:
    """Protobuf JSON on one line."""

    def name(self) -> str:
        return "json"

    def encode(self, message: Message) -> bytes:
        return json_format.MessageToJson(message, indent=None).encode()

    def decode(self, data: bytes | bytearray, message_class: type[Any]) -> Any:
        message = message_class()
        try:
            return json_format.Parse(bytes(data) or b"{}", message, ignore_unknown_fields=True)
        except json_format.ParseError as error:
            raise ConnectError(Code.INVALID_ARGUMENT, str(error)) from None


class Service(ConnectASGIApplication[None]):
    """One Connect service made of endpoints; `path` is where its methods lie."""

    def __init__(self, name: str, endpoints: Iterable[Any]) -> None:
        self._path = f"/{name}"
        found: Mapping[str, Any] = {
            f"/{name}/{endpoint.method.name}": endpoint for endpoint in endpoints}
        super().__init__(service=None, endpoints=lambda _: found,
                         read_max_bytes=32 * 1024 * 1024,
                         codecs=[google_protobuf_binary_codec(), JsonCodec()])

    @property
    def path(self) -> str:
        return self._path


def open_channel(address: str) -> grpc.aio.Channel:
    """A channel for `relay`. Only within a running event loop."""
    return open_async_channel(address)


def relay(service: ServiceDescriptor, channel: grpc.aio.Channel) -> Service:
    """Pass every call of a service on. RPCs that stream requests are no use to a browser."""
    return Service(service.full_name, [
        _endpoint(method, channel) for method in service.methods if not method.client_streaming])


def method_info(name: str, service: str, request: type[Any], response: type[Any],
                stream: StreamType = StreamType.UNARY) -> MethodInfo[Any, Any]:
    """What connectrpc wants to know of a method."""
    return MethodInfo(name=name, service_name=service, input=request, output=response,
                      idempotency_level=IdempotencyLevel.UNKNOWN, stream_type=stream)


def as_connect_error(error: grpc.RpcError) -> ConnectError:
    """The same failure for the browser, with its google.rpc details."""
    call: Any = error
    details = []
    for key, value in call.trailing_metadata() or ():
        if key == STATUS_DETAILS:
            try:
                held = status_pb2.Status.FromString(value)
            except DecodeError:
                continue
            details = [ErrorDetail(AnyMessage(type_url=detail.type_url, value=detail.value))
                       for detail in held.details]
    return ConnectError(CODES.get(call.code(), Code.UNKNOWN), call.details() or "", details)


def _endpoint(method: MethodDescriptor, channel: grpc.aio.Channel) -> Any:
    request: Any = message_factory.GetMessageClass(method.input_type)
    response: Any = message_factory.GetMessageClass(method.output_type)
    path = f"/{method.containing_service.full_name}/{method.name}"
    info = method_info(
        method.name, method.containing_service.full_name, request, response,
        StreamType.SERVER_STREAM if method.server_streaming else StreamType.UNARY)
    if method.server_streaming:
        stream_call = channel.unary_stream(path, request.SerializeToString, response.FromString)

        async def stream(message: Any, context: RequestContext[Any, Any]) -> AsyncIterator[Any]:
            call = stream_call(message, metadata=_metadata(context))
            try:
                async for answer in call:
                    yield answer
            except grpc.aio.AioRpcError as error:
                raise as_connect_error(error) from None
            finally:
                call.cancel()

        return Endpoint.server_stream(info, stream)
    unary_call = channel.unary_unary(path, request.SerializeToString, response.FromString)

    async def unary(message: Any, context: RequestContext[Any, Any]) -> Any:
        left = context.timeout_ms
        timeout = DEFAULT_TIMEOUT if left is None else min(left / 1000, LONGEST_UNARY)
        try:
            return await unary_call(message, metadata=_metadata(context), timeout=timeout)
        except grpc.aio.AioRpcError as error:
            raise as_connect_error(error) from None

    return Endpoint.unary(info, unary)


def _metadata(context: RequestContext[Any, Any]) -> list[tuple[str, str]]:
    found = ((name, context.request_headers.get(name)) for name in PASSED_ON)
    return [(name, value) for name, value in found if value]
