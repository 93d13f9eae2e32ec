"""What the greedy bot goes by: odds, the siege, the railroad towns, the last point of supply."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lovat.white_death.v1 import answers_pb2, catalog_pb2, orders_pb2, terms_pb2
from lovat_client.bots import make_bot, odds
from lovat_client.bots.board import Board
from lovat_client.bots.greedy_plan import Plan
from lovat_client.bots.situation import Situation, Target
from tests.clients.small_war import GERMAN, SOVIET, catalog, listing, view

MOVEMENT = terms_pb2.DECISION_KIND_MOVE_AND_DECLARE
BARRAGE = terms_pb2.DECISION_KIND_BARRAGE
STEPS = [0.0, 1 / 3, 1 / 2, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 20.0]


@pytest.fixture(scope="module")
def printed() -> catalog_pb2.Catalog:
    return catalog()


def moved(seen: answers_pb2.View, printed: catalog_pb2.Catalog,
          side: int = SOVIET) -> orders_pb2.MoveAndDeclare:
    order = make_bot("greedy", "1").decide(seen, listing(MOVEMENT, side), printed)
    return order.white_death.move_and_declare


def barraged(seen: answers_pb2.View, offer: answers_pb2.Listing,
             printed: catalog_pb2.Catalog) -> dict[int, list[str]]:
    order = make_bot("greedy", "1").decide(seen, offer, printed).white_death.barrage
    return {fire.hex: list(fire.units) for fire in order.fires}


def test_more_fire_never_costs_less() -> None:
    for one, two in pairwise(STEPS):
        assert odds.loss(one, 6) <= odds.loss(two, 6)
        assert odds.leaves(one) <= odds.leaves(two)
    assert odds.loss(0, 6) == odds.leaves(0) == 0


def test_nobody_loses_more_than_half_but_by_a_rout() -> None:
    assert odds.loss(20, 3, steady=True) == 1.5
    assert odds.loss(20, 3) > 1.5
    assert odds.loss(20, 1, steady=True) == 1


def test_who_is_sheltered_is_not_driven_out() -> None:
    strong, weak = (Target(504, 2, 6, 15, 100.0, is_german=True, bunker=left) for left in (3, 2))
    assert strong.is_sheltered
    assert not weak.is_sheltered
    assert weak.gain(120, 5) > strong.gain(120, 5) + 5


def test_the_siege_goes_on_where_it_was_begun(printed: catalog_pb2.Catalog) -> None:
    two = catalog_pb2.Catalog()
    two.CopyFrom(printed)
    two.bunkers.add(hex=205, strength=10)
    board, seen = Board(two), view()
    for left, siege in (([10, 9], 205), ([9, 10], 504), ([10, 10], 504), ([0, 10], 205),
                        ([0, 0], 0)):
        seen.bunkers[:] = left
        assert Situation(board, seen).siege == siege


def test_the_guns_batter_one_bunker_and_no_more_than_is_of_use(
    printed: catalog_pb2.Catalog,
) -> None:
    offer = listing(BARRAGE)
    del offer.barrages[:]
    for name, value in (("s-guns", 8 * 250), ("s-tank", 8 * 200), ("s-ski", 8 * 100)):
        offer.barrages.add(unit=name, hexes=[205, 504], values=[value, value],
                           observed=[True, True])
    fires = barraged(view(), offer, printed)
    assert fires[504] == ["s-guns"]
    assert sorted(fires[205]) == ["s-ski", "s-tank"]


def test_no_supply_goes_into_a_barrage_that_cannot_reach_the_siege(
    printed: catalog_pb2.Catalog,
) -> None:
    offer, seen = listing(BARRAGE), view()
    offer.barrages[0].hexes[:], offer.barrages[0].values[:] = [205], [1100]
    offer.barrages[0].observed[:] = [True]
    assert barraged(seen, offer, printed) == {}
    seen.bunkers[:] = [0]
    assert barraged(seen, offer, printed) == {205: ["s-guns"]}


def test_the_last_point_of_supply_is_kept_for_the_siege(printed: catalog_pb2.Catalog) -> None:
    made, seen = catalog_pb2.Catalog(), view()
    made.CopyFrom(printed)
    made.bunkers[0].hex = 101               # far from anybody but the guns
    next(unit for unit in made.units if unit.id == "s-guns").divisional = False
    del seen.enemy[1]
    seen.enemy[0].hex, seen.enemy[0].count = 503, 1
    seen.supply[0] = 2
    assert moved(seen, made).assaults
    seen.supply[0] = 1
    assert not moved(seen, made).assaults
    seen.bunkers[0] = 0
    assert moved(seen, made).assaults


def test_vehicles_do_not_assault_bunkers(printed: catalog_pb2.Catalog) -> None:
    seen = view()
    del seen.enemy[1]
    seen.enemy[0].count = 1
    for unit in seen.own:
        unit.strength = 14
    for bunker in (1, 0):
        seen.bunkers[0] = bunker
        (assault,) = moved(seen, printed).assaults
        assert assault.hex == 504
        assert ("s-tank" in assault.units) is (bunker == 0)


@pytest.mark.parametrize(("hex_", "fire", "assaults"), [
    (503, 17, []), (503, 18, [503]),    # three to one against 6 in the open
    (504, 24, []), (504, 25, [504]),    # five to two against 10 in a town
])
def test_the_soviets_assault_at_three_to_one_and_for_a_town_at_less(
    hex_: int, fire: int, assaults: list[int], printed: catalog_pb2.Catalog,
) -> None:
    seen = view()
    seen.bunkers[:] = [0]
    del seen.enemy[1], seen.own[:]
    seen.enemy[0].hex, seen.enemy[0].count = hex_, 1
    seen.own.add(unit="s-inf-1", hex=604, strength=fire)
    assert [assault.hex for assault in moved(seen, printed).assaults] == assaults


def test_who_holds_a_railroad_town_stays_there(printed: catalog_pb2.Catalog) -> None:
    seen = view(GERMAN)
    next(unit for unit in seen.own if unit.unit == "g-inf-1").hex = 205
    seen.enemy[0].hex, seen.enemy[0].count = 206, 1
    order = moved(seen, printed, GERMAN)
    assert all("g-inf-1" not in action.march.units for action in order.actions)
    assert all("g-inf-1" not in assault.units for assault in order.assaults)


def test_the_relief_of_the_city_goes_before_the_towns_that_count(
    printed: catalog_pb2.Catalog,
) -> None:
    made, seen = catalog_pb2.Catalog(), view(GERMAN)
    made.CopyFrom(printed)
    next(hex_ for hex_ in made.map.hexes if hex_.hex == 205).railroad_town = False
    made.scenario.victory.towns_held["Isotcha <west>"] = 5
    next(unit for unit in seen.own if unit.unit == "g-at").hex = 0

    def heads_for() -> list[int]:
        fields = Plan(Situation(Board(made), seen), answers_pb2.Listing(), 0).fields()
        return [min(field, key=field.__getitem__) for field in fields if field]

    assert heads_for()[-1] == 205
    garrison = next(unit for unit in seen.own if unit.unit == "g-inf-1")
    garrison.status = terms_pb2.STATUS_FLAG_ISOLATED
    assert set(heads_for()) == {504}


@pytest.mark.parametrize(("side", "assaults", "turn", "bunkers", "spends"), [
    (GERMAN, 3, 1, [10], False), (GERMAN, 4, 1, [10], True),
    (SOVIET, 3, 2, [10, 3], False), (SOVIET, 4, 2, [10, 3], True), (SOVIET, 4, 2, [0, 0], True),
    (SOVIET, 4, 2, [0, 3], False),      # kept for the siege of the last bunker
    (SOVIET, 4, 1, [10, 3], False),     # of the last two where turn 3 is the last
    (SOVIET, 4, 1, [10, 3, 1], True),
])
def test_supply_meets_a_general_attack(
    side: int, assaults: int, turn: int, bunkers: list[int], spends: bool,
    printed: catalog_pb2.Catalog,
) -> None:
    seen = view(side)
    seen.turn = turn
    seen.bunkers[:] = bunkers
    del seen.assaults[:]
    for number in range(assaults):
        seen.assaults.add(hex=101 + number, units=["g-inf-1"])
    order = make_bot("greedy", "1").decide(
        seen, listing(terms_pb2.DECISION_KIND_DEFENSIVE_FIRE, side), printed)
    assert bool(order.white_death.defensive_fire.high_intensity) is spends
