"""Bots answer every decision with what is listed, and the same seed plays the same game."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, catalog_pb2, orders_pb2, terms_pb2
from lovat_client.bots import BOTS, make_bot
from lovat_client.bots.board import MAY_NOT_END, Board, Ends, path_to
from lovat_client.bots.greedy_bot import _split
from lovat_client.hexes import Layout
from lovat_client.match import play
from lovat_client.sdk.server import EmbeddedServer
from tests.clients.small_war import COLUMNS, GERMAN, ROWS, SOVIET, catalog, listing, view

KINDS = [number for name, number in terms_pb2.DecisionKind.items()
         if name not in ("DECISION_KIND_UNSPECIFIED", "DECISION_KIND_GAME_OVER")]
MOVEMENT = terms_pb2.DECISION_KIND_MOVE_AND_DECLARE


@pytest.fixture(scope="module")
def printed() -> catalog_pb2.Catalog:
    return catalog()


def decided(name: str, seed: str, kind: int, side: int,
            printed: catalog_pb2.Catalog) -> core_pb2.Order:
    return make_bot(name, seed).decide(view(side), listing(kind, side), printed)


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("side", [SOVIET, GERMAN])
@pytest.mark.parametrize("kind", KINDS)
def test_every_decision_is_answered_in_kind(
    name: str, side: int, kind: int, printed: catalog_pb2.Catalog,
) -> None:
    wanted = terms_pb2.DecisionKind.Name(kind).removeprefix("DECISION_KIND_").lower()
    for seed in "abcd":
        order = decided(name, seed, kind, side, printed)
        assert order.white_death.WhichOneof("order") == wanted


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("side", [SOVIET, GERMAN])
def test_the_same_seed_decides_the_same(
    name: str, side: int, printed: catalog_pb2.Catalog,
) -> None:
    for kind in KINDS:
        assert (decided(name, "7", kind, side, printed)
                == decided(name, "7", kind, side, printed))


def test_another_seed_decides_otherwise(printed: catalog_pb2.Catalog) -> None:
    found = {decided("random", str(seed), MOVEMENT, SOVIET, printed).SerializeToString(
        deterministic=True) for seed in range(8)}
    assert len(found) > 4


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("side", [SOVIET, GERMAN])
def test_marches_are_paths_to_listed_ends_and_stacks_are_legal(
    name: str, side: int, printed: catalog_pb2.Catalog,
) -> None:
    board, layout = Board(printed), Layout(COLUMNS, ROWS)
    offer = {option.unit: option for option in listing(MOVEMENT, side).units}
    for seed in range(30):
        places = {unit.unit: unit.hex for unit in view(side).own}
        order = decided(name, str(seed), MOVEMENT, side, printed).white_death.move_and_declare
        for action in order.actions:
            if action.WhichOneof("action") != "march":
                continue
            (unit,) = action.march.units
            path, option = list(action.march.path), offer[unit]
            allowed = {number for number, marks in zip(option.hexes, option.marks, strict=True)
                       if not marks & MAY_NOT_END}
            assert path[-1] in allowed
            start = [places[unit]] if places[unit] else []
            steps = [*start, *path]
            assert all(layout.distance(one, other) == 1
                       for one, other in pairwise(steps))
            places[unit] = path[-1]
        for number in set(places.values()) - {0}:
            assert board.may_stack([unit for unit, hex_ in places.items() if hex_ == number])


@pytest.mark.parametrize("name", BOTS)
def test_no_unit_is_given_two_things_to_do(name: str, printed: catalog_pb2.Catalog) -> None:
    for seed in range(30):
        order = decided(name, str(seed), MOVEMENT, SOVIET, printed).white_death.move_and_declare
        assaulting = [unit for assault in order.assaults for unit in assault.units]
        assert len(assaulting) == len(set(assaulting))
        marching = [unit for action in order.actions for unit in action.march.units]
        assert len(marching) == len(set(marching))


def test_wrapped_messages_are_understood(printed: catalog_pb2.Catalog) -> None:
    seen, offer = core_pb2.View(), core_pb2.Listing()
    seen.white_death.CopyFrom(view())
    offer.white_death.CopyFrom(listing(MOVEMENT))
    assert (make_bot("greedy", "1").decide(seen, offer, printed)
            == decided("greedy", "1", MOVEMENT, SOVIET, printed))


@pytest.mark.parametrize("name", BOTS)
@pytest.mark.parametrize("kind", KINDS)
def test_refusals_come_to_an_end(
    name: str, kind: int, printed: catalog_pb2.Catalog,
) -> None:
    bot = make_bot(name, "3")
    order = bot.decide(view(), listing(kind), printed)
    refusal = [core_pb2.Violation(order_path="actions[0]")]
    seen = []
    for _ in range(40):
        seen.append(order.SerializeToString(deterministic=True))
        order = bot.refused(order, refusal)
    assert seen[-1] == seen[-2]


def test_a_refused_declaration_becomes_the_least(printed: catalog_pb2.Catalog) -> None:
    bot = make_bot("greedy", "3")
    order = bot.decide(view(), listing(terms_pb2.DECISION_KIND_DECLARE_IMPULSE), printed)
    assert order.white_death.declare_impulse.kind == terms_pb2.IMPULSE_KIND_ACTION
    order = bot.refused(order, [core_pb2.Violation()])
    assert order.white_death.declare_impulse == orders_pb2.DeclareImpulse(
        points=1, kind=terms_pb2.IMPULSE_KIND_PASS)
    order = bot.refused(order, [core_pb2.Violation()])
    assert order.white_death.declare_impulse.points == 3


def test_greedy_takes_an_empty_bunker(printed: catalog_pb2.Catalog) -> None:
    seen = view()
    del seen.enemy[0]
    order = make_bot("greedy", "1").decide(seen, listing(MOVEMENT), printed)
    assert 504 in [assault.hex for assault in order.white_death.move_and_declare.assaults]


def test_greedy_assaults_what_is_weak_and_not_what_is_strong(
    printed: catalog_pb2.Catalog,
) -> None:
    seen = view()
    del seen.enemy[1]
    seen.enemy[0].count = 1
    seen.bunkers[0] = 0
    weak = make_bot("greedy", "1").decide(seen, listing(MOVEMENT), printed)
    assert 504 in [assault.hex for assault in weak.white_death.move_and_declare.assaults]
    seen.bunkers[0] = 10
    seen.enemy[0].count = 7
    strong = make_bot("greedy", "1").decide(seen, listing(MOVEMENT), printed)
    assert 504 not in [assault.hex for assault in strong.white_death.move_and_declare.assaults]


def test_greedy_does_not_assault_without_supply(printed: catalog_pb2.Catalog) -> None:
    seen = view()
    del seen.enemy[0]
    seen.supply[0] = 0
    order = make_bot("greedy", "1").decide(seen, listing(MOVEMENT), printed)
    assert not order.white_death.move_and_declare.assaults


def test_greedy_deploys_guns_that_reach_and_masses_their_barrage(
    printed: catalog_pb2.Catalog,
) -> None:
    seen = view()
    guns = next(unit for unit in seen.own if unit.unit == "s-guns")
    guns.status = 0
    order = make_bot("greedy", "1").decide(seen, listing(MOVEMENT), printed)
    deployed = [unit for action in order.white_death.move_and_declare.actions
                for unit in action.deploy.units]
    assert deployed == ["s-guns"]
    order = make_bot("greedy", "1").decide(
        seen, listing(terms_pb2.DECISION_KIND_BARRAGE), printed)
    (fire,) = order.white_death.barrage.fires
    assert (fire.hex, list(fire.attacks)) == (504, [480, 480, 140])


@pytest.mark.parametrize(("value", "attacks"), [
    (100, []), (480, []), (511, []), (512, [480, 32]), (970, [480, 490]), (1000, [480, 480, 40]),
])
def test_a_barrage_is_split_at_the_last_column(value: int, attacks: list[int]) -> None:
    assert _split(value) == attacks


def test_a_path_is_read_back_from_previous() -> None:
    option = answers_pb2.UnitOptions(hexes=[102, 103, 104], previous=[101, 102, 103])
    assert path_to(option, 101, 104) == [102, 103, 104]
    entering = answers_pb2.UnitOptions(hexes=[801, 701], previous=[0, 801])
    assert path_to(entering, 0, 701) == [801, 701]


def test_stacking_of_both_sides(printed: catalog_pb2.Catalog) -> None:
    board = Board(printed)
    assert board.may_stack(["s-inf-1", "s-bn"])
    assert not board.may_stack(["s-inf-1", "s-inf-2"])
    assert board.may_stack(["s-bn", "s-ski"])
    assert not board.may_stack(["s-inf-1", "s-ski"])
    assert board.may_stack(["g-inf-1", "g-inf-2", "g-new", "g-at"])
    ends = Ends(board, {"s-inf-1": 604, "s-inf-2": 603})
    assert not ends.take("s-inf-1", 603)
    assert ends.take("s-inf-1", 605)
    ends.give_back("s-inf-1", 604)
    assert (ends.place("s-inf-1"), ends.stack(605)) == (604, [])


def test_there_is_no_bot_of_another_name() -> None:
    with pytest.raises(KeyError):
        make_bot("clairvoyant", "1")


@pytest.mark.parametrize(("soviet", "german"), [
    ("greedy", "random"), pytest.param("random", "greedy", marks=pytest.mark.soak)])
def test_bots_finish_a_game_on_a_real_server(soviet: str, german: str) -> None:
    with EmbeddedServer() as server, server.connect() as client:
        bots = {"soviet": make_bot(soviet, "5-soviet"), "german": make_bot(german, "5-german")}
        result = play(client, "purkayevs-attack", "5", bots)
    assert result.session.is_over
    assert result.fallbacks == ()
    assert sum(result.refusals.values()) * 10 <= len(result.records)
