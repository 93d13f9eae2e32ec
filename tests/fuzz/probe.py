"""Calls of the rules service that must end in an answer or a refusal, and in time."""

from __future__ import annotations

import time
from collections import Counter
from typing import Any

import grpc
from google.protobuf.message import Message

from lovat.rules.v1 import rules_service_pb2

from .finds import Find

DEADLINE = 60.0
REFUSALS = {
    grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND,
    grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.OUT_OF_RANGE,
    grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.ABORTED,
}


class Probe:
    """`limit` is the longest a call may take, in seconds. Raises `Find`."""

    def __init__(self, channel: grpc.Channel, limit: float) -> None:
        self.channel = channel
        self.limit = limit
        self.counts: Counter[str] = Counter()
        self.slowest = 0.0, ""

    def raw(self, method: str, data: bytes, *, sound: bool) -> bytes | None:
        """The bytes of the answer; None if the call was refused, which a `sound` one never is."""
        self.counts["calls"] += 1
        begun = time.perf_counter()
        try:
            answer: bytes = self.channel.unary_unary(f"/lovat.rules.v1.RulesService/{method}")(
                data, timeout=DEADLINE)
        except grpc.RpcError as error:
            call: Any = error
            code, details = call.code(), call.details()
            if code not in REFUSALS:
                raise Find("crash" if code == grpc.StatusCode.UNAVAILABLE else code.name.lower(),
                           f"{code.name}: {details}", method, data) from error
            if sound:
                raise Find("refused", f"{code.name}: {details}", method, data) from error
            self.counts[code.name] += 1
            return None
        taken = time.perf_counter() - begun
        self.slowest = max(self.slowest, (taken, method))
        if taken > self.limit:
            raise Find("slow", f"{taken:.2f} s, over {self.limit:g} s", method, data)
        return answer

    def call(self, method: str, *, sound: bool = True, **fields: Any) -> Any:
        """The answer as a message; None if refused."""
        request: Message = getattr(rules_service_pb2, f"{method}Request")(**fields)
        answer = self.raw(method, request.SerializeToString(deterministic=True), sound=sound)
        if answer is None:
            return None
        return getattr(rules_service_pb2, f"{method}Response").FromString(answer)

    @staticmethod
    def find(kind: str, message: str, method: str, **fields: Any) -> Find:
        """Something wrong with the answer to a call."""
        request: Message = getattr(rules_service_pb2, f"{method}Request")(**fields)
        return Find(kind, message, method, request.SerializeToString(deterministic=True))
