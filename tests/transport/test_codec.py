"""Every order, event, answer and state survives the wire, and says what it cannot read."""

from __future__ import annotations

from dataclasses import replace
from enum import IntEnum
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lovat.rules.v1 import core_pb2, error_reason_pb2
from lovat.white_death.v1 import (
    answers_pb2,
    events_pb2,
    orders_pb2,
    state_pb2,
    terms_pb2,
)
from lovat_server.core.dice import ScriptedDice
from lovat_server.core.violations import Reason
from lovat_server.games.white_death import answers, events, orders, terms
from lovat_server.games.white_death import state as states
from lovat_server.service.dice_state import DiceMode
from lovat_server.transport import shapes, white_death_codec
from lovat_server.transport.decode import FieldError
from lovat_server.transport.shapes import Choice, Enumeration, Many, Record, Scalar, enum_table
from tests.transport.stub_rules import StubRules, stub_catalog

CATALOG = stub_catalog()
CODEC = white_death_codec.WhiteDeathCodec(CATALOG)
UNITS, HEXES = len(CATALOG.units), len(CATALOG.map.numbers)
QUICK = settings(max_examples=60, deadline=None,
                 suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
SIGNED = {(events.Modifier, "value"), (events.ConventionalFired, "modifier"),
          (events.GameEnded, "points")}


def values(cls: type, name: str, shape: shapes.Shape) -> st.SearchStrategy[Any]:
    decoders = white_death_codec.DECODERS
    match shape:
        case Many(item, length):
            sizes = {"max_size": 4} if length is None else {"min_size": length, "max_size": length}
            return st.lists(values(cls, name, item), **sizes).map(tuple)
        case Record(type_):
            return records(type_)
        case Choice(types):
            return st.one_of([records(type_) for type_ in types])
        case Enumeration(type_):
            members = [member for member in type_
                       if member or (cls, name) not in decoders.required]
            return st.sampled_from(members)
        case Scalar.UNIT:
            return st.integers(0, UNITS - 1)
        case Scalar.UNIT_OR_NONE:
            return st.integers(-1, UNITS - 1)
        case Scalar.HEX:
            return st.integers(-1 if decoders.off_map(cls, name) else 0, HEXES - 1)
        case Scalar.BOARD:
            return st.integers(0, (1 << HEXES) - 1)
        case Scalar.BOOL:
            return st.booleans()
        case Scalar.STR:
            return st.text(max_size=20)
        case _:
            return st.integers(-5 if (cls, name) in SIGNED else 0, 1_000_000)


def records(cls: type) -> st.SearchStrategy[Any]:
    if cls is states.UnitState:
        return st.just(states.UnitState())
    fields = shapes.fields_of(cls, white_death_codec.DECODERS.overrides)
    return st.builds(cls, **{field.name: values(cls, field.name, field.shape) for field in fields})


def any_of(union: Any) -> st.SearchStrategy[Any]:
    return st.one_of([records(cls) for cls in get_args(union)])


@st.composite
def whole_states(draw: st.DrawFn) -> states.State:
    rest = draw(records_without_units())
    rows = draw(st.lists(st.tuples(st.integers(-1, HEXES - 1), st.integers(0, 20),
                                   st.integers(0, 511), st.integers(0, 9), st.integers(0, 2)),
                         min_size=8, max_size=8))
    units = tuple(
        states.UnitState(hex_, min(strength, unit.strength), status, rank, bank)
        for unit, (hex_, strength, status, rank, bank)
        in zip(CATALOG.units, rows * (UNITS // 8 + 1), strict=False))
    bunkers = tuple(bunker.strength for bunker in CATALOG.bunkers)
    return replace(rest, units=units, bunkers=bunkers)


def records_without_units() -> st.SearchStrategy[states.State]:
    fields = shapes.fields_of(states.State, white_death_codec.DECODERS.overrides)
    return st.builds(states.State, **{
        field.name: st.just(()) if field.name in ("units", "bunkers")
        else values(states.State, field.name, field.shape) for field in fields})


def state_message(state: states.State) -> state_pb2.State:
    message = state_pb2.State()
    CODEC.write_state(message, state, None)
    return state_pb2.State.FromString(message.SerializeToString())


def start() -> states.State:
    return StubRules().create(CATALOG, states.Options(), ScriptedDice((3,)),
                              standard_set_up=True).state


class TestRoundTrips:
    @QUICK
    @given(any_of(orders.Order))
    def test_every_order_comes_back_as_it_was(self, order: Any) -> None:
        raw = orders_pb2.Order(**CODEC.encode_order(order)).SerializeToString()
        assert CODEC.decode_order(orders_pb2.Order.FromString(raw)) == order

    @settings(QUICK, max_examples=150)
    @given(any_of(events.Event))
    def test_every_event_comes_back_as_it_was(self, event: Any) -> None:
        raw = events_pb2.Event(**CODEC.encode_event(event)).SerializeToString()
        assert CODEC.decode_event(events_pb2.Event.FromString(raw)) == event

    @QUICK
    @given(whole_states())
    def test_every_state_comes_back_as_it_was(self, state: states.State) -> None:
        assert CODEC.decode_state(state_message(state)) == state

    @QUICK
    @given(whole_states(), whole_states(), st.integers(0, UNITS - 1))
    def test_a_patched_message_is_the_message_written_anew(
        self, before: states.State, other: states.State, place: int
    ) -> None:
        units = (*before.units[:place], *other.units[place:])
        for after in (other, replace(before, units=units, standing=other.standing)):
            patched = state_message(before)
            CODEC.write_state(patched, after, before)
            assert CODEC.decode_state(patched) == after

    @QUICK
    @given(records(orders.StandingOrders))
    def test_standing_orders_come_back_as_they_were(self, standing: Any) -> None:
        fields = white_death_codec.ENCODERS.record(
            orders.StandingOrders, orders_pb2.StandingOrders.DESCRIPTOR)(standing, CODEC.names)
        assert CODEC.decode_standing(orders_pb2.StandingOrders(**fields)) == standing

    @QUICK
    @given(records(answers.Listing))
    def test_a_listing_has_hexes_by_number_and_units_by_id(self, listing: Any) -> None:
        message = answers_pb2.Listing(**CODEC.encode_listing(listing))
        for option, sent in zip(listing.units, message.units, strict=True):
            assert sent.unit == CATALOG.units[option.unit].id
            assert list(sent.hexes) == [CATALOG.map.numbers[hex_] for hex_ in option.hexes]
            assert list(sent.costs) == list(option.costs)
        for retreat, sent in zip(listing.retreats, message.retreats, strict=True):
            assert [len(path.hexes) for path in sent.paths] == [len(p) for p in retreat.paths]

    @pytest.mark.parametrize("cls", [answers.View, answers.Receipt, answers.Score])
    def test_answers_can_be_encoded(self, cls: type) -> None:
        encode = getattr(CODEC, f"encode_{cls.__name__.lower()}")

        @QUICK
        @given(records(cls))
        def check(value: Any) -> None:
            getattr(answers_pb2, cls.__name__)(**encode(value))
        check()

    def test_a_position_is_small(self) -> None:
        assert state_message(start()).ByteSize() < 10_000


class TestEnumerations:
    @pytest.mark.parametrize(("member", "number"), [
        (terms.Side.SOVIET, terms_pb2.SIDE_SOVIET),
        (terms.Side.GERMAN, terms_pb2.SIDE_GERMAN),
        (terms.Pool.VELIKIYE_LUKI, terms_pb2.POOL_VELIKIYE_LUKI),
        (terms.Size.COMPANY, terms_pb2.SIZE_COMPANY),
        (terms.Weather.FROST, terms_pb2.WEATHER_FROST),
        (terms.ImpulseKind.NONE, terms_pb2.IMPULSE_KIND_UNSPECIFIED),
        (terms.ImpulseKind.PASS, terms_pb2.IMPULSE_KIND_PASS),
        (terms.DecisionKind.GAME_OVER, terms_pb2.DECISION_KIND_GAME_OVER),
        (terms.MoraleResult.ROUTED, terms_pb2.MORALE_RESULT_ROUTED),
        (orders.FirePolicy.HIGHEST_LOSS, terms_pb2.FIRE_POLICY_HIGHEST_LOSS),
        (orders.Choice.DEFAULT, terms_pb2.CHOICE_UNSPECIFIED),
        (orders.Choice.ALWAYS, terms_pb2.CHOICE_ALWAYS),
    ])
    def test_a_value_has_its_number_on_the_wire(self, member: IntEnum, number: int) -> None:
        descriptor = terms_pb2.DESCRIPTOR.enum_types_by_name[type(member).__name__]
        table = enum_table(type(member), descriptor)
        assert table.to_wire[member] == number
        assert table.from_wire[number] is member

    @pytest.mark.parametrize("cls", [
        terms.Side, terms.Pool, terms.Mobility, terms.Kind, terms.Size, terms.Weather,
        terms.ImpulseKind, terms.DecisionKind, terms.Cause, terms.Phase, terms.MoraleResult,
        orders.FirePolicy, orders.Choice])
    def test_every_enumeration_has_the_members_of_the_wire(self, cls: type[IntEnum]) -> None:
        table = enum_table(cls, terms_pb2.DESCRIPTOR.enum_types_by_name[cls.__name__])
        assert set(table.from_wire.values()) == set(cls)

    def test_members_that_differ_are_refused_at_start(self) -> None:
        with pytest.raises(TypeError, match="Side"):
            enum_table(terms.Side, terms_pb2.DESCRIPTOR.enum_types_by_name["Pool"])

    def test_bits_have_the_same_values(self) -> None:
        for flags, sent, prefix in (
            (terms.Status, terms_pb2.StatusFlag, "STATUS_FLAG_"),
            (answers.Mark, terms_pb2.MarkFlag, "MARK_FLAG_"),
        ):
            for flag in filter(None, flags):
                assert sent.Value(prefix + flag.name) == flag

    def test_reasons_and_dice_modes_have_the_same_values(self) -> None:
        assert {reason.name: reason.value for reason in Reason} == {
            name.removeprefix("VIOLATION_REASON_"): number
            for name, number in error_reason_pb2.ViolationReason.items()}
        for mode in DiceMode:
            assert core_pb2.DiceMode.Value(f"DICE_MODE_{mode.name}") == mode


class TestFaults:
    @pytest.mark.parametrize(("fields", "path"), [
        ({}, ""),
        ({"declare_impulse": {"points": 3}}, "declare_impulse.kind"),
        ({"declare_impulse": {"points": 2**32 - 1, "kind": 1}}, "declare_impulse.points"),
        ({"declare_impulse": {"points": 3, "kind": 9}}, "declare_impulse.kind"),
        ({"move_and_declare": {"actions": [{}]}}, "move_and_declare.actions[0]"),
        ({"move_and_declare": {"actions": [{"deploy": {}}, {"march": {"units": ["nobody"]}}]}},
         "move_and_declare.actions[1].march.units[0]"),
        ({"move_and_declare": {"actions": [{"march": {"path": [1430, 9999]}}]}},
         "move_and_declare.actions[0].march.path[1]"),
        ({"move_and_declare": {"assaults": [{"hex": 0}]}}, "move_and_declare.assaults[0].hex"),
        ({"barrage": {"full_rockets": [1, 0]}}, "barrage.full_rockets[1]"),
        ({"assault_fire": {"fires": [{"hex": 1430, "headquarters": "x" * 999}]}},
         "assault_fire.fires[0].headquarters"),
        ({"retreat": {"routes": [{"unit": ""}]}}, "retreat.routes[0].unit"),
        ({"replace": {"repairs": ["NaN"]}}, "replace.repairs[0]"),
    ])
    def test_an_order_that_cannot_be_read_names_its_field(
        self, fields: dict[str, Any], path: str
    ) -> None:
        with pytest.raises(FieldError) as caught:
            CODEC.decode_order(orders_pb2.Order(**fields))
        assert caught.value.path == path
        assert "expected" in caught.value.message

    @pytest.mark.parametrize(("spoil", "path"), [
        (lambda m: m.units.pop(), "units"),
        (lambda m: m.units.add(unit=m.units[0].unit), "units"),
        (lambda m: setattr(m.units[3], "unit", m.units[2].unit), "units[3].unit"),
        (lambda m: setattr(m.units[3], "unit", "nobody"), "units[3].unit"),
        (lambda m: setattr(m.units[4], "strength", 99), "units[4].strength"),
        (lambda m: setattr(m.units[4], "hex", 4444), "units[4].hex"),
        (lambda m: setattr(m.units[4], "status", 512), "units[4].status"),
        (lambda m: setattr(m.units[4], "rank", 2**32 - 1), "units[4].rank"),
        (lambda m: setattr(m.units[4], "bank", 3), "units[4].bank"),
        (lambda m: setattr(m.units[4], "due", 100), "units[4].due"),
        (lambda m: m.bunkers.append(1), "bunkers"),
        (lambda m: m.bunkers.__setitem__(0, 99), "bunkers[0]"),
        (lambda m: m.supply.append(1), "supply"),
        (lambda m: m.ClearField("decision"), "decision"),
        (lambda m: m.decision.ClearField("kind"), "decision.kind"),
        (lambda m: m.ClearField("weather"), "weather"),
        (lambda m: m.railroad_held.append(7), "railroad_held[0]"),
        (lambda m: m.standing.pop(), "standing"),
        (lambda m: setattr(m.bridges[0], "builder", "nobody"), "bridges[0].builder"),
    ])
    def test_a_state_that_cannot_be_read_names_its_field(self, spoil: Any, path: str) -> None:
        message = state_message(start())
        spoil(message)
        with pytest.raises(FieldError) as caught:
            CODEC.decode_state(message)
        assert caught.value.path == path

    def test_a_class_that_is_not_its_message_is_refused_at_start(self) -> None:
        with pytest.raises(TypeError, match="differ"):
            white_death_codec.DECODERS.fields(orders.March, orders_pb2.Rail.DESCRIPTOR)
        with pytest.raises(TypeError, match="shape"):
            shapes.shape_of(dict[str, int])


def test_the_catalog_has_every_hex_unit_and_chart() -> None:
    message = CODEC.encode_catalog()
    assert [unit.id for unit in message.units] == [unit.id for unit in CATALOG.units]
    assert [hex_.hex for hex_ in message.map.hexes] == list(CATALOG.map.numbers)
    roads = sum(board.bit_count() for board in CATALOG.map.road)
    assert 2 * sum(side.road for side in message.map.hexsides) == roads
    assert sum(side.down for side in message.map.hexsides) == sum(
        board.bit_count() for board in CATALOG.map.down)
    assert len(message.charts.movement) == sum(map(len, CATALOG.charts.movement))
    assert {tuple(column.results) for column in message.charts.antitank}
    assert message.scenario.standard_set_up
    assert sum(message.provenance.values()) > 0
