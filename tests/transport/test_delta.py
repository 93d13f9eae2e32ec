"""Response mode DELTA: what has changed, applied by the client, is the position in full."""

from __future__ import annotations

from random import Random
from typing import Any

import grpc
import pytest

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import orders_pb2, state_pb2
from lovat_client.sdk import DeltaError, LovatClient, Session, apply_delta
from lovat_server.games.white_death import standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.orders import DeclareImpulse, StandingOrders
from lovat_server.service.library import Volume, open_library
from lovat_server.service.position import seal
from lovat_server.transport.codecs import Codecs
from lovat_server.transport.positions import Positions
from lovat_server.transport.white_death_codec import WhiteDeathCodec
from tests.properties.player import RandomPlayer, choose
from tests.transport.wire import Wire, declare, refused

FULL = rules_service_pb2.RESPONSE_MODE_FULL
EVENTS = rules_service_pb2.RESPONSE_MODE_EVENTS
DELTA = rules_service_pb2.RESPONSE_MODE_DELTA
SUBMITS = 200


def submit(wire: Wire, position: core_pb2.Position, order: core_pb2.Order, mode: int,
           **fields: Any) -> rules_service_pb2.SubmitOrdersResponse:
    return wire.rules.SubmitOrders(rules_service_pb2.SubmitOrdersRequest(
        position=position, order=order, response_mode=mode, **fields))


def said(**order: Any) -> core_pb2.Order:
    return core_pb2.Order(white_death=orders_pb2.Order(**order))


def declaring(wire: Wire) -> core_pb2.Position:
    """Before the first impulse is declared."""
    return submit(wire, wire.create(), said(sustain_garrison={}), FULL).position


def raw(position: core_pb2.Position) -> bytes:
    return position.SerializeToString(deterministic=True)


@pytest.fixture(scope="module")
def volume() -> Volume:
    return open_library().volume("woehlers-response")


class Orders:
    """Orders of random players, and now and then those that standing orders give."""

    def __init__(self, volume: Volume) -> None:
        self._catalog = volume.catalog
        self._codec = WhiteDeathCodec(volume.catalog)
        self._random = Random(5)
        self._player = RandomPlayer(self._random, bold=0.2)

    def give(self, position: core_pb2.Position) -> core_pb2.Order:
        state = self._codec.decode_state(position.state.white_death)
        order: Any = standing.answer(Battle(self._catalog, state))
        if isinstance(order, DeclareImpulse) or self._random.random() < 0.4:
            order, _, _ = choose(self._player, self._catalog, state)
        return said(**self._codec.encode_order(order))


def test_two_hundred_deltas_give_the_positions_in_full(real: Wire, volume: Volume) -> None:
    random, orders = Random(5), Orders(volume)
    position: core_pb2.Position | None = None
    shares = []
    for number in range(SUBMITS):
        if position is None:
            position = real.rules.CreateGame(rules_service_pb2.CreateGameRequest(
                scenario=volume.scenario, dice_mode=core_pb2.DICE_MODE_SEEDED, seed=str(number),
                standard_set_up=True)).position
        fields: dict[str, Any] = {}
        if random.random() < 0.1:
            fields["standing"] = {"white_death": {"withdraw": random.randrange(3)}}
        order = orders.give(position)
        full = submit(real, position, order, FULL, **fields)
        brief = submit(real, position, order, DELTA, **fields)
        assert not full.violations
        assert not brief.HasField("position")
        assert not full.HasField("delta")
        after = apply_delta(position, brief.delta)
        assert raw(after) == raw(full.position)
        assert after.checksum == full.checksum == brief.checksum
        assert (brief.events, brief.decision, brief.version, brief.dice_counter) == (
            full.events, full.decision, full.version, full.dice_counter)
        assert brief.delta.checksum_before == position.checksum
        shares.append(brief.delta.ByteSize() / full.position.ByteSize())
        position = None if full.decision.kind == "game_over" else after
    assert sorted(shares)[SUBMITS // 2] < 0.25


def test_an_impulse_comes_as_a_delta_too(real: Wire) -> None:
    position = real.create()
    for _ in range(8):
        answers = [real.rules.ResolveImpulse(rules_service_pb2.ResolveImpulseRequest(
            position=position, response_mode=mode)) for mode in (FULL, DELTA)]
        assert raw(apply_delta(position, answers[1].delta)) == raw(answers[0].position)
        position = answers[0].position


def test_an_empty_list_and_a_zero_are_changes(real: Wire, volume: Volume) -> None:
    """What goes back to its default is named in `changed` and has no value."""
    position = submit(real, declaring(real), declare(), FULL).position
    delta = submit(real, position, said(move_and_declare={}), DELTA).delta
    assert {"declared", "kind", "phase", "side", "decision"} <= set(delta.white_death.changed)
    assert delta.white_death.values.declared == 0
    after = apply_delta(position, delta)
    assert after.state.white_death.declared == 0
    assert position.state.white_death.declared == 3         # the old one stays


def test_pairs_that_are_left_out_stay_left_out(real: Wire) -> None:
    """A caller may leave a pair of zeros out; a delta applies to that all the same."""
    position = submit(real, declaring(real), declare(), FULL).position
    position.ClearField("checksum")
    for name in ("rail_moved", "paid", "replacements"):
        position.state.white_death.ClearField(name)
    full, brief = (submit(real, position, said(move_and_declare={}), mode)
                   for mode in (FULL, DELTA))
    assert raw(apply_delta(position, brief.delta)) == raw(full.position)


def test_a_refusal_has_no_delta(real: Wire) -> None:
    answer = submit(real, declaring(real), declare(11), DELTA)
    assert answer.violations
    assert not answer.HasField("delta")


def test_the_server_knows_a_position_that_it_sent_as_a_delta(real: Wire) -> None:
    """Nothing is read or checked a second time, and what it knows is what was sent."""
    library = open_library()
    codec = WhiteDeathCodec(library.volume("purkayevs-attack").catalog)
    positions = Positions(library, Codecs(library))
    message = real.create()
    opened = positions.read_message(message)
    after = opened.position.volume.game.standing(
        opened.position.state, 0, StandingOrders(withdraw=2))  # type: ignore[arg-type]
    new = seal(opened.position.volume, after, opened.position.dice, 1)
    delta = core_pb2.PositionDelta()
    positions.write_delta(delta, new, opened)
    before = core_pb2.Position()
    before.CopyFrom(message)
    positions.expect(new, opened)
    sent = apply_delta(before, delta)
    assert positions.read_message(sent).position.state is after
    assert codec.decode_state(sent.state.white_death) == after


def test_a_position_that_comes_back_altered_is_read_anew(real: Wire) -> None:
    """Its checksum alone does not make it the one that the server expects."""
    position = declaring(real)
    after = apply_delta(position, submit(real, position, declare(), DELTA).delta)
    after.state.white_death.points[0] += 1
    with pytest.raises(grpc.RpcError) as caught:
        real.rules.GetView(rules_service_pb2.GetViewRequest(position=after, side="soviet"))
    assert caught.value.code() == grpc.StatusCode.FAILED_PRECONDITION
    after.state.white_death.points[0] -= 1
    assert real.rules.GetView(rules_service_pb2.GetViewRequest(
        position=after, side="soviet")).version == after.version


@pytest.mark.parametrize(("field", "value"), [
    ("version_before", 9), ("checksum_before", "0" * 64)])
def test_a_delta_of_another_position_is_refused(real: Wire, field: str, value: Any) -> None:
    position = declaring(real)
    delta = submit(real, position, declare(), DELTA).delta
    setattr(delta, field, value)
    with pytest.raises(DeltaError, match="the change is to version"):
        apply_delta(position, delta)


def test_a_delta_that_a_client_cannot_understand_is_refused(real: Wire) -> None:
    position = declaring(real)
    delta = submit(real, position, declare(), DELTA).delta
    unknown = core_pb2.PositionDelta()
    unknown.CopyFrom(delta)
    unknown.white_death.changed.append("moon")
    with pytest.raises(DeltaError, match="moon"):
        apply_delta(position, unknown)
    stranger = core_pb2.PositionDelta()
    stranger.CopyFrom(delta)
    stranger.white_death.units.append(state_pb2.UnitState(unit="nobody"))
    with pytest.raises(DeltaError, match="nobody"):
        apply_delta(position, stranger)
    stranger.ClearField("white_death")
    with pytest.raises(DeltaError, match="different games"):
        apply_delta(position, stranger)


def test_an_unknown_mode_names_those_there_are(real: Wire) -> None:
    told = refused(real.rules.SubmitOrders, rules_service_pb2.SubmitOrdersRequest(
        position=real.create(), order=declare(), response_mode=9))
    assert (told.code, told.field) == (grpc.StatusCode.INVALID_ARGUMENT, "response_mode")
    assert "RESPONSE_MODE_DELTA" in told.message


def test_a_session_plays_on_deltas(real: Wire) -> None:
    client = LovatClient(real.channel)
    whole = Session.create(client, "purkayevs-attack", seed=7, standard_set_up=True)
    brief = Session.create(client, "purkayevs-attack", seed=7, standard_set_up=True, delta=True)
    for session in (whole, brief):
        assert session.submit(said(sustain_garrison={})).is_accepted
        assert session.submit(declare()).is_accepted
        assert session.submit(declare()).is_refused
        for _ in range(6):
            assert session.resolve_impulse().is_accepted
    assert raw(whole.position) == raw(brief.position)
    assert whole.records == brief.records
    assert client.replay(brief.start, brief.records).verified
