"""WriteNotation and ReadNotation over the wire."""

from __future__ import annotations

from typing import Any

import grpc
import pytest
from hypothesis import HealthCheck, given, settings

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import orders_pb2
from lovat_client.sdk import LovatClient
from lovat_server.games.white_death.notation import write_state
from lovat_server.games.white_death.state import State
from lovat_server.service.create import DiceChoice
from lovat_server.service.dice_state import DiceMode
from lovat_server.service.library import open_library
from lovat_server.service.notation import MAX_TEXT, read_position
from tests.properties.strategies import states
from tests.transport.stub_rules import SCENARIO, stub_catalog
from tests.transport.wire import Wire, declare, march, refused

Read = rules_service_pb2.ReadNotationRequest
Write = rules_service_pb2.WriteNotationRequest
POSITION = rules_service_pb2.NOTATION_KIND_POSITION
ORDERS = rules_service_pb2.NOTATION_KIND_ORDERS


@pytest.fixture
def client(real: Wire) -> LovatClient:
    return LovatClient(real.channel)


def test_a_position_comes_back_from_its_text(real: Wire, client: LovatClient) -> None:
    position = real.create()
    text = client.write_position(position)
    assert text.startswith(f"scenario {SCENARIO}\n")
    again = client.read_position(text, seed="7")
    assert again.state.white_death == position.state.white_death
    assert (again.version, again.scenario) == (0, SCENARIO)
    assert client.write_position(again) == text
    assert client.check(again).is_sound


def test_a_position_that_is_read_has_fresh_dice(real: Wire, client: LovatClient) -> None:
    text = client.write_position(real.create())
    seeded, other = client.read_position(text, seed="a"), client.read_position(text, seed="b")
    assert seeded == client.read_position(text, seed="a")
    assert seeded.state.dice.secret != other.state.dice.secret
    assert seeded.state.dice.counter == 0
    keyed = client.read_position(text)
    assert keyed.state.dice.mode == core_pb2.DICE_MODE_SERVER_KEYED
    assert keyed.state.dice.secret != client.read_position(text).state.dice.secret
    scripted = client.read_position(text, script=(1, 2, 3))
    assert list(scripted.state.dice.script) == [1, 2, 3]
    # and it is played on at once
    assert client.resolve_impulse(seeded).is_accepted


def test_a_position_with_faults_is_read_and_not_played(
    real: Wire, client: LovatClient
) -> None:
    text = client.write_position(real.create()).replace("turn 1\n", "turn 9\n")
    position = client.read_position(text, seed="7")
    assert position.state.white_death.turn == 9
    soundness = client.check(position)
    assert not soundness.is_playable
    told = refused(real.rules.ScorePosition,
                   rules_service_pb2.ScorePositionRequest(position=position))
    assert told.field == "position.state.white_death.turn"


def test_orders_come_back_from_their_text(client: LovatClient) -> None:
    orders = [declare(4), march("s-28-88-inf", 3122, 3021)]
    text = client.write_orders(SCENARIO, orders)
    assert text.splitlines()[0] == "declare 4 action"
    assert client.read_orders(SCENARIO, text) == orders
    assert client.read_orders(SCENARIO, "") == []


BAD_TEXTS = (
    ({"text": "turn one", "scenario": SCENARIO}, "text", "line 1, column 6"),
    ({"text": f"scenario {SCENARIO}\nturn 1\n"}, "text", "expected a line 'decision'"),
    ({"text": "turn 1\n"}, "scenario", "names no scenario"),
    ({"text": "scenario\n"}, "scenario", "names no scenario"),
    ({"text": "scenario elsewhere\n"}, "text", "there is no scenario"),
    ({"text": "", "scenario": "elsewhere"}, "scenario", "there is no scenario"),
    ({"text": "#" * (MAX_TEXT + 1)}, "text", "characters"),
    ({"text": "x", "kind": 0}, "kind", "no kind of text"),
    ({"text": "x", "kind": 7}, "kind", "no kind of text"),
    ({"text": "x", "kind": ORDERS}, "scenario", "there is no scenario"),
    ({"text": "jump", "kind": ORDERS, "scenario": SCENARIO}, "text", "line 1, column 1"),
    ({"text": "x", "kind": ORDERS, "scenario": SCENARIO, "seed": "7"}, "dice_mode", "no dice"),
)


@pytest.mark.parametrize(("fields", "field", "words"), BAD_TEXTS)
def test_what_cannot_be_read_is_named(
    real: Wire, fields: dict[str, Any], field: str, words: str
) -> None:
    told = refused(real.rules.ReadNotation, Read(**{"kind": POSITION, **fields}))
    assert told.code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)
    assert told.field == field
    assert words in told.message


@pytest.mark.parametrize(("fields", "field"), [
    ({"dice_mode": 9}, "dice_mode"), ({"dice_mode": 1}, "seed"), ({"seed": "7"}, "seed"),
    ({"dice_mode": 3, "script": [7]}, "script[0]")])
def test_dice_that_cannot_be_made(real: Wire, client: LovatClient, fields: dict[str, Any],
                                  field: str) -> None:
    text = client.write_position(real.create())
    told = refused(real.rules.ReadNotation, Read(text=text, kind=POSITION, **fields))
    assert (told.code, told.field) == (grpc.StatusCode.INVALID_ARGUMENT, field)


@pytest.mark.parametrize("words", [
    "points soviet -1", "turn 999999", "ledger lost soviet -4", "paid soviet -1 german 0"])
def test_a_number_that_no_position_can_have(
    real: Wire, client: LovatClient, words: str
) -> None:
    lines = [line for line in client.write_position(real.create()).splitlines()
             if line.split()[:1] != words.split()[:1]]
    told_or_read: Any
    request = Read(text="\n".join([*lines[:1], words, *lines[1:]]), kind=POSITION)
    if words.startswith("turn"):
        told_or_read = real.rules.ReadNotation(request)
        assert told_or_read.position.state.white_death.turn == 999_999
        return
    told_or_read = refused(real.rules.ReadNotation, request)
    assert (told_or_read.code, told_or_read.field) == (grpc.StatusCode.INVALID_ARGUMENT, "text")


def test_what_cannot_be_written_is_named(real: Wire) -> None:
    order = core_pb2.Order(white_death=orders_pb2.Order(refit={"brigade": "two words"}))
    for request, field in (
        (Write(), "item"), (Write(position={}), "position.state"),
        (Write(orders={"scenario": "elsewhere"}), "orders.scenario"),
        (Write(orders={"scenario": SCENARIO, "orders": [{}]}), "orders.orders[0]"),
        (Write(orders={"scenario": SCENARIO, "orders": [order]}), "orders.orders"),
    ):
        told = refused(real.rules.WriteNotation, request)
        assert told.code in (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)
        assert told.field == field


@settings(max_examples=40, deadline=None, suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture])
@given(state=states(stub_catalog()))
def test_any_text_is_read_or_refused(real: Wire, state: State) -> None:
    """Never INTERNAL, whatever the numbers are."""
    text = write_state(stub_catalog(), state)
    code = grpc.StatusCode.OK
    try:
        answer = real.rules.ReadNotation(Read(text=text, kind=POSITION))
        real.rules.CheckPosition(rules_service_pb2.CheckPositionRequest(position=answer.position))
    except grpc.RpcError as error:
        code = error.code()
    assert code in (grpc.StatusCode.OK, grpc.StatusCode.INVALID_ARGUMENT)


def test_the_service_reads_without_a_network() -> None:
    library = open_library()
    volume = library.volume(SCENARIO)
    text = write_state(volume.catalog, read_position(
        library, f"scenario {SCENARIO}\nturn 1\ndecision set-up german\nsupply soviet 0",
        "", DiceChoice(DiceMode.SEEDED, "7")).state)
    assert text.startswith("scenario")
