"""CheckPosition over the wire: positions that nobody but their maker has vouched for."""

from __future__ import annotations

from random import Random

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat_client.sdk import LovatClient
from tests.transport.wire import Wire, refused

Request = rules_service_pb2.CheckPositionRequest


def check(wire: Wire, position: core_pb2.Position) -> rules_service_pb2.CheckPositionResponse:
    return wire.rules.CheckPosition(Request(position=position))


def test_a_position_of_the_server_is_sound(real: Wire) -> None:
    position = real.create()
    answer = check(real, position)
    assert not answer.faults
    assert not answer.blocking
    assert answer.checksum == position.checksum


def test_every_fault_of_an_edited_position_at_once(real: Wire) -> None:
    position = real.create()
    state = position.state.white_death
    soviet = next(row for row in state.units if row.unit == "s-28-88-inf")
    german = next(row for row in state.units if row.unit.startswith("g-") and row.hex)
    soviet.hex, soviet.rank, soviet.status = german.hex, 99, 1
    state.rail_moved[0] = 30
    state.turn = 9
    answer = check(real, position)
    clauses = {fault.clause for fault in answer.faults}
    assert {"WD 6.A", "WD 6.B.2", "WD 8", "WD 25"} <= clauses
    assert answer.blocking == 2
    assert {fault.clause for fault in answer.faults[:2]} == {"WD 6.A", "WD 25"}
    assert any(fault.order_path == "rail_moved[0]" for fault in answer.faults)
    # the other calls say the same, as far as play is impossible
    position.checksum = ""
    told = refused(real.rules.ScorePosition,
                   rules_service_pb2.ScorePositionRequest(position=position))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert told.field == f"position.state.white_death.{answer.faults[0].order_path}"
    soundness = LovatClient(real.channel).check(position)
    assert (soundness.is_sound, soundness.is_playable) == (False, False)
    assert list(soundness.faults) == list(answer.faults)


def test_checksum_version_and_dice_are_not_asked_for(real: Wire) -> None:
    position = real.create()
    position.state.white_death.rail_moved[0] = 3
    position.checksum = "0" * 64
    answer = check(real, position)
    assert not answer.faults
    position.checksum = answer.checksum           # now it is as the server itself would have it
    assert real.rules.ScorePosition(
        rules_service_pb2.ScorePositionRequest(position=position)).HasField("score")
    position.state.ClearField("dice")
    position.version = 0
    without = check(real, position)
    assert not without.faults
    assert without.checksum == ""


def test_several_unreadable_fields_are_named_together(real: Wire) -> None:
    position = real.create()
    state = position.state.white_death
    state.units[3].hex = 9999
    state.units[7].status = 1 << 20
    state.decision.kind = 99  # type: ignore[assignment]
    state.vacated.append(4343)
    del state.supply[:]
    state.supply.append(1)
    position.state.dice.ClearField("secret")
    with pytest.raises(grpc.RpcError) as caught:
        check(real, position)
    assert caught.value.code() is grpc.StatusCode.INVALID_ARGUMENT
    named = []
    for detail in rpc_status.from_call(caught.value).details:
        bad = error_details_pb2.BadRequest()
        if detail.Unpack(bad):
            named = [item.field for item in bad.field_violations]
    path = "position.state."
    assert named == [
        f"{path}white_death.units[3].hex", f"{path}white_death.units[7].status",
        f"{path}white_death.supply", f"{path}white_death.decision.kind",
        f"{path}white_death.vacated[0]", f"{path}dice.secret"]


def test_rows_that_are_not_the_catalogs_are_named_once(real: Wire) -> None:
    position = real.create()
    rows = position.state.white_death.units
    rows[4].CopyFrom(rows[3])
    told = refused(real.rules.CheckPosition, Request(position=position))
    assert told.field == "position.state.white_death.units[4].unit"
    del rows[100:]
    told = refused(real.rules.CheckPosition, Request(position=position))
    assert told.field == "position.state.white_death.units"


def test_what_is_no_position_of_this_server(real: Wire) -> None:
    position = real.create()
    position.catalog_hash = "x"
    told = refused(real.rules.CheckPosition, Request(position=position))
    assert told.code is grpc.StatusCode.FAILED_PRECONDITION
    told = refused(real.rules.CheckPosition, Request())
    assert (told.code, told.field) == (grpc.StatusCode.INVALID_ARGUMENT, "position")


def test_any_readable_position_is_answered(real: Wire) -> None:
    """Numbers anywhere in what can be read; never a status, and play is refused where it blocks."""
    random = Random(3)
    good = real.create()
    hexes = [row.hex for row in good.state.white_death.units]
    for _ in range(60):
        position = core_pb2.Position()
        position.CopyFrom(good)
        position.checksum = ""
        state = position.state.white_death
        for row in random.sample(list(state.units), 20):
            row.hex = random.choice(hexes)
            row.status = random.randrange(512)
            row.rank = random.randrange(5)
            row.bank = random.randrange(3)
            row.due = random.randrange(15)
            row.strength = random.randrange(row.strength + 1)
        state.phase = random.randrange(5)  # type: ignore[assignment]
        state.decision.kind = random.randrange(1, 16)  # type: ignore[assignment]
        state.turn = random.randrange(8)
        answer = check(real, position)
        assert answer.faults
        request = rules_service_pb2.ScorePositionRequest(position=position)
        if answer.blocking:
            told = refused(real.rules.ScorePosition, request)
            assert told.code is grpc.StatusCode.INVALID_ARGUMENT
        else:
            real.rules.ScorePosition(request)
