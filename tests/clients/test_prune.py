"""What is refused is dropped, and an order that is refused for ever ends as the empty one."""

from __future__ import annotations

import pytest

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2
from lovat_client.bots.prune import answer_of, prune

Orders = orders_pb2


def movement() -> core_pb2.Order:
    order = core_pb2.Order()
    phase = order.white_death.move_and_declare
    phase.actions.add().march.CopyFrom(Orders.March(units=["a", "b"], path=[101, 102]))
    phase.actions.add().rail.CopyFrom(Orders.Rail(units=["c"], destination=205))
    phase.actions.add().deploy.units.extend(["d", "e"])
    phase.actions.add().march.CopyFrom(Orders.March(units=["f"], path=[301, 302]))
    phase.assaults.add(hex=504, units=["a", "f"])
    phase.assaults.add(hex=505, units=["g"])
    return order


def violation(path: str, **facts: str) -> core_pb2.Violation:
    return core_pb2.Violation(order_path=path, facts=facts)


def phase_of(order: core_pb2.Order) -> orders_pb2.MoveAndDeclare:
    return order.white_death.move_and_declare


def test_a_march_goes_as_a_whole() -> None:
    for path in ("actions[0]", "actions[0].march.path[1]", "actions[0].march.units[1]",
                 "move_and_declare.actions[0].march.path", "actions[0].path[2]",
                 "white_death.move_and_declare.actions[0]"):
        left = phase_of(prune(movement(), [violation(path)]))
        assert [action.WhichOneof("action") for action in left.actions] == [
            "rail", "deploy", "march"], path
        assert len(left.assaults) == 2


def test_units_that_deploy_or_assault_go_one_by_one() -> None:
    left = phase_of(prune(movement(), [violation("actions[2].deploy.units[0]"),
                                       violation("assaults[0].units[1]")]))
    assert list(left.actions[2].deploy.units) == ["e"]
    assert list(left.assaults[0].units) == ["a"]


def test_an_assault_without_units_goes_too() -> None:
    left = phase_of(prune(movement(), [violation("assaults[1].units[0]")]))
    assert [assault.hex for assault in left.assaults] == [504]
    left = phase_of(prune(movement(), [violation("actions[2].deploy.units[0]"),
                                       violation("actions[2].deploy.units[1]")]))
    assert len(left.actions) == 3


def test_many_violations_are_dropped_at_once_whatever_their_order() -> None:
    paths = ["actions[0]", "actions[3].march.path[0]", "actions[1].rail.destination",
             "actions[0].march.units[0]", "actions[0].march.units[1]"]
    for order in (paths, paths[::-1]):
        left = phase_of(prune(movement(), map(violation, order)))
        assert [action.WhichOneof("action") for action in left.actions] == ["deploy"]


def test_a_violation_of_the_whole_drops_what_its_facts_name() -> None:
    left = phase_of(prune(movement(), [violation("", hex="0302")]))
    assert len(left.actions) == 3
    assert len(left.assaults) == 2
    left = phase_of(prune(movement(), [violation("assaults", unit="g")]))
    assert [assault.hex for assault in left.assaults] == [504]


def test_a_list_that_is_refused_goes_whole() -> None:
    left = phase_of(prune(movement(), [violation("assaults")]))
    assert not left.assaults
    assert len(left.actions) == 4


def test_what_nothing_in_the_order_answers_empties_it() -> None:
    left = prune(movement(), [violation("nowhere[3]")])
    assert left.white_death.WhichOneof("order") == "move_and_declare"
    assert phase_of(left) == orders_pb2.MoveAndDeclare()


def test_shots_go_one_by_one_and_a_whole_fire_by_its_hex() -> None:
    order = core_pb2.Order()
    fire = order.white_death.assault_fire.fires.add(hex=504, headquarters="28")
    fire.conventional.add(target="x", value=8)
    fire.conventional.add(target="y", value=9)
    order.white_death.assault_fire.fires.add(hex=505)
    left = prune(order, [violation("fires[0].conventional[1].value")])
    assert [shot.target for shot in left.white_death.assault_fire.fires[0].conventional] == ["x"]
    left = prune(order, [violation("assault_fire.fires[0].headquarters")])
    assert [each.hex for each in left.white_death.assault_fire.fires] == [505]


def test_a_barrage_with_fewer_guns_is_one_attack() -> None:
    order = core_pb2.Order()
    order.white_death.barrage.fires.add(hex=504, units=["a", "b"], attacks=[480, 100])
    left = prune(order, [violation("fires[0].units[0]")]).white_death.barrage
    assert list(left.fires[0].units) == ["b"]
    assert not left.fires[0].attacks


def test_a_set_up_becomes_the_standard_one() -> None:
    order = core_pb2.Order()
    order.white_death.set_up.placements.add(unit="a", hex=101)
    left = prune(order, [violation("somewhere")])
    assert left.white_death.set_up == orders_pb2.SetUp(standard=True)


@pytest.mark.parametrize("path", ["", "actions[0]", "assaults[0].units[0]", "actions[9]", "x"])
def test_refusing_for_ever_ends_at_the_empty_order(path: str) -> None:
    order = movement()
    for _ in range(20):
        smaller = prune(order, [violation(path)])
        if smaller == order:
            break
        assert smaller.ByteSize() < order.ByteSize()
        order = smaller
    assert answer_of(order) == orders_pb2.MoveAndDeclare()


def test_the_order_given_is_left_as_it_was() -> None:
    order = movement()
    prune(order, [violation("actions[0]")])
    assert order == movement()
