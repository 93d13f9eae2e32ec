"""A seeded supply of malformed requests, each with the field that must be named."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from lovat.rules.v1 import core_pb2, rules_service_pb2
from tests.transport.stub_rules import SCENARIO

UNITS = ("", "nobody", "NaN", "-1", "Infinity", "null", "0", "s-28-88-inf\x00", "é" * 40, "9" * 500)
HEXES = (0, 1, 99, 4343, 4100, 9999, 65_536, 2**31, 2**32 - 1)
HUGE = (1_000_001, 2**31, 2**32 - 1)
ENUMS = (-1, 99, 2**31 - 1, -(2**31))
SIDES = ("NaN", "Soviet", "french", "soviet ", "0", "\x00")

Edit = Callable[[Random, Any], str | None]


@dataclass(frozen=True)
class Malformed:
    """`field` is what the answer must name, None if bytes have none."""

    name: str
    method: str
    data: bytes
    field: str | None


class Spoiler:
    """Spoils good requests about one position, the same way for the same seed."""

    def __init__(self, position: core_pb2.Position, seed: int) -> None:
        self._position = position
        self._random = Random(seed)
        self._kinds = [
            *((f"order: {edit.__name__}", self._of_order(edit)) for edit in ORDER_EDITS),
            *((f"position: {edit.__name__}", self._of_position(edit)) for edit in POSITION_EDITS),
            *((f"call: {edit.__name__}", self._of_call(edit)) for edit in CALL_EDITS),
            ("truncated", self._truncated), ("random bytes", self._random_bytes),
            ("flipped byte of the position", self._flipped), ("too big", self._too_big),
        ]

    def requests(self, count: int) -> Iterator[Malformed]:
        for number in range(count):
            name, make = self._kinds[number % len(self._kinds)]
            method, data, field = make()
            yield Malformed(f"{number} {name}", method, data, field)

    def good(self) -> rules_service_pb2.SubmitOrdersRequest:
        request = rules_service_pb2.SubmitOrdersRequest(position=self._position)
        request.order.white_death.move_and_declare.SetInParent()
        return request

    def _of_order(self, edit: Edit) -> Callable[[], tuple[str, bytes, str | None]]:
        def make() -> tuple[str, bytes, str | None]:
            request = self.good()
            field = edit(self._random, request.order.white_death)
            path = f"order.white_death.{field}" if field else "order.white_death"
            method = self._random.choice(("SubmitOrders", "ValidateOrders", "ResolveImpulse"))
            if method == "ResolveImpulse":
                said = core_pb2.SideOrders(side="soviet", orders=[request.order])
                resolve = rules_service_pb2.ResolveImpulseRequest(
                    position=self._position, orders=[said])
                return method, resolve.SerializeToString(), f"orders[0].orders[0]{path[5:]}"
            return method, request.SerializeToString(), path
        return make

    def _of_position(self, edit: Edit) -> Callable[[], tuple[str, bytes, str | None]]:
        def make() -> tuple[str, bytes, str | None]:
            request = self.good()
            field = edit(self._random, request.position)
            method = self._random.choice(
                ("SubmitOrders", "ValidateOrders", "ScorePosition", "ResolveImpulse", "GetView"))
            return method, request.SerializeToString(), f"position.{field}"
        return make

    def _of_call(self, edit: Any) -> Callable[[], tuple[str, bytes, str | None]]:
        def make() -> tuple[str, bytes, str | None]:
            method, request, field = edit(self._random, self._position)
            return method, request.SerializeToString(), field
        return make

    def _truncated(self) -> tuple[str, bytes, str | None]:
        data = self.good().SerializeToString()
        return "SubmitOrders", data[:self._random.randrange(len(data))], None

    def _random_bytes(self) -> tuple[str, bytes, str | None]:
        method = self._random.choice(("SubmitOrders", "CreateGame", "GetView", "ListLegalOrders"))
        return method, self._random.randbytes(self._random.randrange(2_000)), None

    def _flipped(self) -> tuple[str, bytes, str | None]:
        data = bytearray(rules_service_pb2.ScorePositionRequest(
            position=self._position).SerializeToString())
        data[self._random.randrange(len(data))] ^= 1 << self._random.randrange(8)
        return "ScorePosition", bytes(data), None

    def _too_big(self) -> tuple[str, bytes, str | None]:
        request = self.good()
        rows = request.position.state.white_death.units
        chunk = list(rows)
        for _ in range(1_000):
            rows.extend(chunk)
        return "SubmitOrders", request.SerializeToString(), None


def nothing_set(_random: Random, order: Any) -> str | None:
    order.Clear()
    return ""


def action_without_kind(random: Random, order: Any) -> str | None:
    place = random.randrange(5)
    for _ in range(place):
        order.move_and_declare.actions.add().deploy.SetInParent()
    order.move_and_declare.actions.add()
    return f"move_and_declare.actions[{place}]"


def unknown_mover(random: Random, order: Any) -> str | None:
    order.move_and_declare.actions.add().march.units.append(random.choice(UNITS))
    return "move_and_declare.actions[0].march.units[0]"


def wrong_hex_on_the_way(random: Random, order: Any) -> str | None:
    order.move_and_declare.actions.add().march.path.extend((1430, random.choice(HEXES)))
    return "move_and_declare.actions[0].march.path[1]"


def wrong_destination(random: Random, order: Any) -> str | None:
    order.move_and_declare.actions.add().rail.destination = random.choice(HEXES)
    return "move_and_declare.actions[0].rail.destination"


def wrong_assault(random: Random, order: Any) -> str | None:
    order.move_and_declare.assaults.add(hex=1430)
    order.move_and_declare.assaults.add(hex=random.choice(HEXES))
    return "move_and_declare.assaults[1].hex"


def huge_declaration(random: Random, order: Any) -> str | None:
    order.declare_impulse.points = random.choice(HUGE)
    order.declare_impulse.kind = 1
    return "declare_impulse.points"


def negative_declaration(_random: Random, order: Any) -> str | None:
    # declare_impulse { points: -1 }, which no generated code would write
    order.ParseFromString(b"\x22\x0b\x08" + b"\xff" * 9 + b"\x01")
    return "declare_impulse.points"


def wrong_kind(random: Random, order: Any) -> str | None:
    order.declare_impulse.points = 1
    order.declare_impulse.kind = random.choice((0, *ENUMS))
    return "declare_impulse.kind"


def huge_shot(random: Random, order: Any) -> str | None:
    fire = order.defensive_fire.fires.add(hex=1430)
    fire.conventional.add(target="s-none", value=random.choice(HUGE))
    return "defensive_fire.fires[0].conventional[0].target"


def huge_attack(random: Random, order: Any) -> str | None:
    order.barrage.fires.add(hex=1430).attacks.extend((8, random.choice(HUGE)))
    return "barrage.fires[0].attacks[1]"


def wrong_pool(random: Random, order: Any) -> str | None:
    order.barrage.full_rockets.append(random.choice((0, *ENUMS)))
    return "barrage.full_rockets[0]"


def long_headquarters(random: Random, order: Any) -> str | None:
    order.assault_fire.fires.add(hex=1430, headquarters="x" * random.randrange(257, 9_999))
    return "assault_fire.fires[0].headquarters"


def too_many_placements(_random: Random, order: Any) -> str | None:
    for _ in range(2_001):
        order.set_up.placements.add()
    return "set_up.placements"


def unknown_retreat(random: Random, order: Any) -> str | None:
    order.retreat.routes.add(unit=random.choice(UNITS))
    return "retreat.routes[0].unit"


def no_form(_random: Random, position: Any) -> str | None:
    position.ClearField("state")
    return "state"


def no_game_state(_random: Random, position: Any) -> str | None:
    position.state.ClearField("white_death")
    return "state"


def no_dice(_random: Random, position: Any) -> str | None:
    position.state.ClearField("dice")
    return "state.dice"


def wrong_dice_mode(random: Random, position: Any) -> str | None:
    position.state.dice.mode = random.choice((0, *ENUMS))
    return "state.dice.mode"


def wrong_secret(random: Random, position: Any) -> str | None:
    position.state.dice.secret = random.choice((b"", b"x" * 65, b"x" * 9_999))
    return "state.dice.secret"


def wrong_die(random: Random, position: Any) -> str | None:
    position.state.dice.Clear()
    position.state.dice.mode = core_pb2.DICE_MODE_SCRIPTED
    position.state.dice.script.extend((6, random.choice((0, 7, 2**32 - 1))))
    return "state.dice.script[1]"


def huge_counter(random: Random, position: Any) -> str | None:
    position.state.dice.counter = random.choice((10_000_001, 2**63, 2**64 - 1))
    return "state.dice.counter"


def huge_version(random: Random, position: Any) -> str | None:
    position.version = random.choice((2**32 + 1, 2**63, 2**64 - 1))
    return "version"


def wrong_names(random: Random, position: Any) -> str | None:
    name = random.choice(("game", "scenario", "ruleset_version", "catalog_hash"))
    setattr(position, name, random.choice(("", "NaN", "x" * 5_000)))
    return name


def wrong_checksum(random: Random, position: Any) -> str | None:
    position.checksum = random.choice(("0", "NaN", "f" * 64, "x" * 100_000))
    return "checksum"


def unknown_row(random: Random, position: Any) -> str | None:
    place = random.randrange(200)
    position.state.white_death.units[place].unit = random.choice(UNITS)
    return f"state.white_death.units[{place}].unit"


def double_row(random: Random, position: Any) -> str | None:
    place = random.randrange(1, 200)
    rows = position.state.white_death.units
    rows[place].CopyFrom(rows[place - 1])
    return f"state.white_death.units[{place}].unit"


def missing_rows(random: Random, position: Any) -> str | None:
    del position.state.white_death.units[random.randrange(200):]
    return "state.white_death.units"


def wrong_row(random: Random, position: Any) -> str | None:
    place = random.randrange(200)
    name, values = random.choice((
        ("hex", HEXES[1:]), ("strength", (50, 2**32 - 1)), ("status", (512, 2**32 - 1)),
        ("rank", HUGE), ("bank", (3, 2**32 - 1))))
    setattr(position.state.white_death.units[place], name, random.choice(values))
    return f"state.white_death.units[{place}].{name}"


def wrong_pair(random: Random, position: Any) -> str | None:
    name = random.choice(("supply", "points", "impulses", "paid", "rail_moved"))
    values = getattr(position.state.white_death, name)
    del values[:]
    values.extend([1] * random.choice((1, 4, 100)))
    return f"state.white_death.{name}"


def wrong_decision(random: Random, position: Any) -> str | None:
    name = random.choice(("kind", "side"))
    setattr(position.state.white_death.decision, name, random.choice((0, *ENUMS)))
    return f"state.white_death.decision.{name}"


def wrong_vacated(random: Random, position: Any) -> str | None:
    position.state.white_death.vacated.append(random.choice(HEXES))
    return "state.white_death.vacated[0]"


Call = tuple[str, Any, str | None]


def wrong_side(random: Random, position: Any) -> Call:
    return "GetView", rules_service_pb2.GetViewRequest(
        position=position, side=random.choice(("", *SIDES))), "side"


def listing_of_a_wrong_side(random: Random, position: Any) -> Call:
    return "ListLegalOrders", rules_service_pb2.ListLegalOrdersRequest(
        position=position, side=random.choice(SIDES)), "side"


def listing_of_unknown_units(random: Random, position: Any) -> Call:
    return "ListLegalOrders", rules_service_pb2.ListLegalOrdersRequest(
        position=position, units=[random.choice(UNITS)]), "units[0]"


def listing_after_an_empty_draft(_random: Random, position: Any) -> Call:
    return "ListLegalOrders", rules_service_pb2.ListLegalOrdersRequest(
        position=position, draft={}), "draft"


def wrong_page(random: Random, position: Any) -> Call:
    token = random.choice(("NaN", "-1.", f"9999999.{position.checksum[:16]}",
                           f"-1.{position.checksum[:16]}", f"²3.{position.checksum[:16]}", "0.x"))
    return "ListLegalOrders", rules_service_pb2.ListLegalOrdersRequest(
        position=position, page_size=10, page_token=token), "page_token"


def no_order(random: Random, position: Any) -> Call:
    kind = random.choice(({}, {"order": {}}))
    return "SubmitOrders", rules_service_pb2.SubmitOrdersRequest(position=position, **kind), "order"


def empty_standing_orders(_random: Random, position: Any) -> Call:
    request = rules_service_pb2.SubmitOrdersRequest(position=position, standing={})
    request.order.white_death.move_and_declare.SetInParent()
    return "SubmitOrders", request, "standing"


def wrong_standing_orders(random: Random, position: Any) -> Call:
    said = core_pb2.SideOrders(side="german")
    said.standing.white_death.advance = random.choice(ENUMS)
    return "ResolveImpulse", rules_service_pb2.ResolveImpulseRequest(
        position=position, orders=[said]), "orders[0].standing.white_death.advance"


def one_side_twice(_random: Random, position: Any) -> Call:
    return "ResolveImpulse", rules_service_pb2.ResolveImpulseRequest(
        position=position, orders=[{"side": "german"}, {"side": "german"}]), "orders[1].side"


def three_sides(_random: Random, position: Any) -> Call:
    return "ResolveImpulse", rules_service_pb2.ResolveImpulseRequest(
        position=position, orders=[{"side": "german"}] * 3), "orders"


def stale(random: Random, position: Any) -> Call:
    request = rules_service_pb2.SubmitOrdersRequest(
        position=position, expected_version=random.choice((7, 2**64 - 1)))
    return "SubmitOrders", request, "expected_version"


def wrong_mode(random: Random, position: Any) -> Call:
    return "SubmitOrders", rules_service_pb2.SubmitOrdersRequest(
        position=position, response_mode=random.choice(ENUMS)), "response_mode"


def long_request_id(_random: Random, position: Any) -> Call:
    return "SubmitOrders", rules_service_pb2.SubmitOrdersRequest(
        position=position, request_id="x" * 129), "request_id"


def no_position(random: Random, _position: Any) -> Call:
    method = random.choice(("GetView", "ListLegalOrders", "ValidateOrders", "SubmitOrders",
                            "ResolveImpulse", "ScorePosition"))
    return method, rules_service_pb2.ScorePositionRequest(), "position"


def wrong_creation(random: Random, _position: Any) -> Call:
    fields, field = random.choice((
        ({"scenario": "NaN"}, "scenario"), ({"scenario": ""}, "scenario"),
        ({"dice_mode": 9}, "dice_mode"), ({"dice_mode": -1}, "dice_mode"),
        ({"dice_mode": 1}, "seed"), ({"dice_mode": 1, "seed": "x" * 65}, "seed"),
        ({"dice_mode": 2, "seed": "7"}, "seed"), ({"script": [1]}, "script"),
        ({"dice_mode": 3, "script": [1, 7]}, "script[1]"),
        ({"dice_mode": 3, "script": [1] * 10_001}, "script"),
        ({"request_id": "x" * 129}, "request_id"),
    ))
    return "CreateGame", rules_service_pb2.CreateGameRequest(
        **{"scenario": SCENARIO, **fields}), field


ORDER_EDITS: tuple[Edit, ...] = (
    nothing_set, action_without_kind, unknown_mover, wrong_hex_on_the_way, wrong_destination,
    wrong_assault, huge_declaration, negative_declaration, wrong_kind, huge_shot, huge_attack,
    wrong_pool, long_headquarters, too_many_placements, unknown_retreat)
POSITION_EDITS: tuple[Edit, ...] = (
    no_form, no_game_state, no_dice, wrong_dice_mode, wrong_secret, wrong_die, huge_counter,
    huge_version, wrong_names, wrong_checksum, unknown_row, double_row, missing_rows, wrong_row,
    wrong_pair, wrong_decision, wrong_vacated)
CALL_EDITS: tuple[Callable[[Random, Any], Call], ...] = (
    wrong_side, listing_of_a_wrong_side, listing_of_unknown_units, listing_after_an_empty_draft,
    wrong_page, no_order, empty_standing_orders, wrong_standing_orders, one_side_twice,
    three_sides, stale, wrong_mode, long_request_id, no_position, wrong_creation)
