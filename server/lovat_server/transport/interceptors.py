"""What happens around every call: its id, its deadline, its line in the log, its count."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any

import grpc
import structlog

from .faults import Refusal, refuse
from .metrics import Metrics
from .request_context import REQUEST_ID_KEY, accept_request_id, request_id

_LATE = Refusal(grpc.StatusCode.DEADLINE_EXCEEDED, "the deadline passed before the call began")


class CallInterceptor(grpc.ServerInterceptor):
    """Wraps handlers that answer once; those that stream (health, reflection) pass as they are."""

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._log = structlog.get_logger("lovat")

    def intercept_service(
        self, continuation: Callable[[Any], Any], handler_call_details: Any
    ) -> Any:
        handler = continuation(handler_call_details)
        if handler is None or handler.response_streaming:
            return handler
        given = next((value for key, value in handler_call_details.invocation_metadata or ()
                      if key == REQUEST_ID_KEY), None)
        wrap = (grpc.stream_unary_rpc_method_handler if handler.request_streaming
                else grpc.unary_unary_rpc_method_handler)
        inner = handler.stream_unary if handler.request_streaming else handler.unary_unary
        return wrap(
            self._wrapped(inner, handler_call_details.method, accept_request_id(given)),
            request_deserializer=handler.request_deserializer,
            response_serializer=handler.response_serializer,
        )

    def _wrapped(self, inner: Callable[[Any, Any], Any], method: str,
                 call_id: str) -> Callable[[Any, Any], Any]:
        def call(request: Any, context: Any) -> Any:
            started = perf_counter()
            token = request_id.set(call_id)
            code = grpc.StatusCode.OK
            try:
                left = context.time_remaining()
                if left is not None and left <= 0:
                    refuse(context, _LATE)
                context.set_trailing_metadata(((REQUEST_ID_KEY, call_id),))
                return inner(request, context)
            except BaseException:
                code = context.code() or grpc.StatusCode.UNKNOWN
                raise
            finally:
                milliseconds = (perf_counter() - started) * 1000
                request_id.reset(token)
                self._metrics.count(method, code.name, milliseconds)
                self._log.info("call", method=method, code=code.name, request_id=call_id,
                               milliseconds=round(milliseconds, 3))
        return call
