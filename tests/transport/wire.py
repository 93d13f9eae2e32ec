"""A client for tests: stubs, raw calls, and what a failed call said."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from lovat.rules.v1 import (
    catalog_service_pb2_grpc,
    core_pb2,
    rules_service_pb2,
    rules_service_pb2_grpc,
)
from tests.transport.stub_rules import SCENARIO


@dataclass(frozen=True)
class Failure:
    code: grpc.StatusCode
    message: str
    reason: str
    field: str


class Wire:
    def __init__(self, channel: grpc.Channel) -> None:
        self.channel = channel
        self.rules = rules_service_pb2_grpc.RulesServiceStub(channel)
        self.catalogs = catalog_service_pb2_grpc.CatalogServiceStub(channel)

    def raw(self, method: str, data: bytes) -> bytes:
        """Call a RulesService method with any bytes."""
        call = self.channel.unary_unary(f"/lovat.rules.v1.RulesService/{method}")
        return call(data)

    def create(self, *, seed: str = "7", **fields: Any) -> core_pb2.Position:
        """A game with the standard set-up and seeded dice."""
        return self.created(seed=seed, **fields).position

    def created(self, *, seed: str = "7", **fields: Any) -> rules_service_pb2.CreateGameResponse:
        return self.rules.CreateGame(rules_service_pb2.CreateGameRequest(
            scenario=SCENARIO, dice_mode=core_pb2.DICE_MODE_SEEDED, seed=seed,
            standard_set_up=True, **fields))


def failure(error: grpc.RpcError) -> Failure:
    """What the details of a failed call say."""
    status = rpc_status.from_call(error)
    reason = field = ""
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        bad = error_details_pb2.BadRequest()
        unmet = error_details_pb2.PreconditionFailure()
        if detail.Unpack(info):
            assert info.domain == "lovat"
            reason = info.reason
        elif detail.Unpack(bad):
            field = bad.field_violations[0].field
        elif detail.Unpack(unmet):
            field = unmet.violations[0].subject
    return Failure(error.code(), error.details(), reason, field)


def refused(call: Any, *arguments: Any) -> Failure:
    """The failure of a call that must fail."""
    with pytest.raises(grpc.RpcError) as caught:
        call(*arguments)
    return failure(caught.value)


def declare(points: int = 3) -> core_pb2.Order:
    order = core_pb2.Order()
    order.white_death.declare_impulse.points = points
    order.white_death.declare_impulse.kind = 1
    return order


def march(unit: str, *path: int) -> core_pb2.Order:
    order = core_pb2.Order()
    action = order.white_death.move_and_declare.actions.add()
    action.march.units.append(unit)
    action.march.path.extend(path)
    return order
