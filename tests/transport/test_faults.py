"""Errors as status codes, and what the details say."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2, status_pb2

from lovat.rules.v1 import error_reason_pb2
from lovat_server.core.errors import (
    DivergenceError,
    LovatError,
    MalformedError,
    MismatchError,
    StaleError,
    UnknownError,
)
from lovat_server.transport.config import read_config
from lovat_server.transport.decode import FieldError
from lovat_server.transport.faults import DETAILS_KEY, Refusal, refusal_of, refuse
from lovat_server.transport.logs import configure
from lovat_server.transport.messages import prefixed
from lovat_server.transport.request_context import accept_request_id, request_id


class Context:
    """As much of a grpc context as a refusal needs."""

    def __init__(self) -> None:
        self.metadata: Any = None

    def set_trailing_metadata(self, metadata: Any) -> None:
        self.metadata = dict(metadata)

    def abort(self, code: grpc.StatusCode, details: str) -> None:
        raise RuntimeError(code, details)


@pytest.mark.parametrize(("error", "code"), [
    (MalformedError, grpc.StatusCode.INVALID_ARGUMENT),
    (UnknownError, grpc.StatusCode.NOT_FOUND),
    (MismatchError, grpc.StatusCode.FAILED_PRECONDITION),
    (StaleError, grpc.StatusCode.ABORTED),
])
def test_every_error_has_a_code_a_reason_and_a_field(
    error: type[LovatError], code: grpc.StatusCode
) -> None:
    refusal = refusal_of(error("words", field="position.version"))
    info, place = refusal.details
    assert refusal.code is code
    assert refusal.message == "words"
    assert isinstance(info, error_details_pb2.ErrorInfo)
    assert (info.domain, info.metadata["field"]) == ("lovat", "position.version")
    assert f"ERROR_REASON_{info.reason}" in dict(error_reason_pb2.ErrorReason.items())
    assert "position.version" in str(place)
    assert place.DESCRIPTOR.name == (
        "PreconditionFailure" if error is MismatchError else "BadRequest")


def test_an_error_of_no_known_kind_is_a_bug() -> None:
    assert refusal_of(DivergenceError("words")).code is grpc.StatusCode.INTERNAL


def test_a_message_is_kept_short() -> None:
    assert len(refusal_of(MalformedError("x" * 100_000)).message) == 1_000


def test_a_refusal_carries_its_details_and_the_request_id() -> None:
    context = Context()
    token = request_id.set("abc")
    with pytest.raises(RuntimeError):
        refuse(context, refusal_of(MalformedError("words", field="side")))  # type: ignore[arg-type]
    request_id.reset(token)
    status = status_pb2.Status.FromString(context.metadata[DETAILS_KEY])
    assert (status.code, status.message, len(status.details)) == (3, "words", 2)
    assert context.metadata["x-request-id"] == "abc"


def test_a_refusal_needs_no_details() -> None:
    context = Context()
    with pytest.raises(RuntimeError):
        refuse(context, Refusal(grpc.StatusCode.INTERNAL, "words"))  # type: ignore[arg-type]
    assert "x-request-id" not in context.metadata


def test_a_path_grows_from_the_inside() -> None:
    fault = FieldError("words").within("[1]").within("path").within("march").within("[2]")
    error = fault.within("actions").at("order.white_death")
    assert error.field == "order.white_death.actions[2].march.path[1]"
    assert error.message == f"{error.field}: words"


def test_a_prefix_keeps_the_kind_of_error() -> None:
    error = prefixed(StaleError("words", field="version"), "requests[0]")
    assert isinstance(error, StaleError)
    assert error.field == "requests[0].version"


@pytest.mark.parametrize(("given", "kept"), [
    ("abc", True), ("", False), (None, False), ("x" * 129, False), ("a\nb", False), (b"abc", False),
])
def test_a_request_id_is_kept_if_it_can_be(given: Any, kept: bool) -> None:
    assert (accept_request_id(given) == given) is kept
    assert accept_request_id(given)


class TestConfig:
    def test_arguments_come_before_the_environment(self) -> None:
        environment = {"LOVAT_HOST": "0.0.0.0", "LOVAT_PORT": "7", "LOVAT_LOG_LEVEL": "error"}
        config = read_config(["--port", "9"], environment)
        assert (config.host, config.port, config.log_level) == ("0.0.0.0", 9, "error")
        assert read_config([], {}).port == 50051

    @pytest.mark.parametrize("arguments", [
        ["--port", "70000"], ["--port", "x"], ["--workers", "0"], ["--log-level", "loud"],
        ["--max-message-bytes", "-1"],
    ])
    def test_nonsense_is_refused(
        self, arguments: list[str], capsys: pytest.CaptureFixture[str]
    ) -> None:
        with pytest.raises(SystemExit):
            read_config(arguments, {})
        assert arguments[0] in capsys.readouterr().err

    def test_a_log_level_must_exist(self) -> None:
        with pytest.raises(ValueError, match="loud"):
            configure("loud")
