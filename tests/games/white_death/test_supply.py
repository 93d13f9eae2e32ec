"""[WD 15, E.15] Supply points, tracing supply, isolation, Velikiye Luki."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from lovat_server.core.violations import Reason, Violation
from lovat_server.games.white_death import artillery, supply
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Arrival, Catalog
from lovat_server.games.white_death.events import GarrisonSustained, SupplyReceived, SupplyTraced
from lovat_server.games.white_death.orders import SustainGarrison
from lovat_server.games.white_death.terms import FP, OFF_MAP, Phase, Pool, Side, Status, Weather
from lovat_server.hexmap.grid import hexes_of

from .field import at, field, german, guns, number, place, soviet
from .playing import accepts, assault, moves, refusals

EAST_ROAD = "1206-1106-1006-0906-0806-0706"
RING = "r0 0603; r1 0606; r2 0305"
"""Three regiments whose zones take in the six hexes around 0505."""


def names(battle: Battle, units: tuple[int, ...]) -> set[str]:
    return {battle.catalog.units[index].id for index in units}


def isolated(battle: Battle) -> set[str]:
    return names(battle, supply.trace(battle)[0])


def supplied(battle: Battle) -> set[str]:
    return names(battle, supply.trace(battle)[1])


def with_german_points(catalog: Catalog, points: int) -> Catalog:
    """The German side, and so the city, is due this many points on turn 1."""
    german_turns = (Arrival(points, 0), *catalog.arrivals[Side.GERMAN][1:])
    return replace(catalog, arrivals=(catalog.arrivals[Side.SOVIET], german_turns))


# ---------------------------------------------------------------- isolation

def surrounding() -> Catalog:
    """Two German battalions, and Soviet regiments to put around one in 0505."""
    return field(units=[german("bn"), german("other"),
                        *(soviet(f"r{n}") for n in range(6))])


@pytest.mark.rule("WD 15.C")
def test_isolated_when_surrounded() -> None:
    assert isolated(place(surrounding(), f"bn 0505; {RING}")) == {"bn"}
    assert isolated(place(surrounding(), "bn 0505; r0 0603; r1 0606")) == set()


@pytest.mark.rule("WD 15.C")
def test_own_hex_may_be_in_an_enemy_zone() -> None:
    battle = place(surrounding(), "bn 0505; r0 0504")
    assert isolated(battle) == set()


@pytest.mark.rule("WD 15.C")
def test_a_friend_does_not_open_a_zone() -> None:
    # The friend in 0405 has a way out over 0406; the zone of 0305 lies in 0405 all the same.
    assert isolated(place(surrounding(), f"bn 0505; {RING}; other 0405")) == {"bn"}


@pytest.mark.rule("WD 15.C")
def test_on_a_friendly_edge_hex_no_path_is_needed() -> None:
    catalog = field(units=[german("bn"), *(soviet(f"r{n}") for n in range(3))])
    assert isolated(place(catalog, "bn 0105; r0 0104; r1 0106; r2 0205")) == set()
    catalog = field(units=[soviet("reg"), *(german(f"b{n}") for n in range(3))])
    ring = "b0 0104; b1 0106; b2 0305"
    assert isolated(place(catalog, f"reg 0105; {ring}")) == {"reg"}   # the west is German


@pytest.mark.rule("WD 15.B")
def test_the_soviet_edges_are_the_east_and_the_south_east() -> None:
    catalog = field(units=[soviet("reg"), *(german(f"b{n}") for n in range(3))],
                    areas={"SE": "0812 0912 1012 1112 1212"})
    ring = "b0 {0:02d}12; b1 {1:02d}12; b2 {2:02d}10"
    assert isolated(place(catalog, "reg 0912; " + ring.format(8, 10, 9))) == set()
    assert isolated(place(catalog, "reg 0512; " + ring.format(4, 6, 5))) == {"reg"}
    assert isolated(place(catalog, "reg 1206; b0 1205; b1 1207; b2 1106")) == set()


@pytest.mark.rule("WD 15.C")
def test_eliminated_and_waiting_units_are_not_isolated() -> None:
    catalog = field(units=[german("bn"), guns(german("art"), arrival_turn=3), guns(german("dead")),
                           soviet("reg")])
    battle = place(catalog, "reg 0505")
    art, dead = catalog.unit_index["art"], catalog.unit_index["dead"]
    battle.units[dead] = battle.units[dead]._replace(strength=0)
    assert (battle.units[dead].hex, battle.units[dead].status) == (OFF_MAP, Status.NONE)
    assert supply.trace(battle)[0] == ()
    assert supplied(battle) == {"art"}
    battle.units[art] = battle.units[art]._replace(status=Status.SUPPLIED)
    assert supplied(battle) == set()                 # known already


@pytest.mark.rule("WD E.15")
def test_wdtc_l06_isolation_is_fixed_for_the_impulse() -> None:
    battle = place(surrounding(), "bn 0505; r0 0603; r1 0606; r2 0909")
    supply.fix(battle)
    index, blocker = battle.catalog.unit_index["bn"], battle.catalog.unit_index["r2"]
    assert not battle.units[index].status & Status.ISOLATED
    battle.put(blocker, at(305))                     # the ring closes during the impulse
    assert not battle.units[index].status & Status.ISOLATED
    supply.fix(battle)                               # the next impulse begins
    assert battle.units[index].status & Status.ISOLATED
    battle.put(blocker, at(909))
    assert battle.units[index].status & Status.ISOLATED
    supply.fix(battle)
    assert not battle.units[index].status & Status.ISOLATED


@pytest.mark.rule("WD E.15")
def test_fixing_is_one_event_that_replays() -> None:
    battle = place(surrounding(), f"bn 0505; {RING}")
    before = battle.freeze()
    supply.fix(battle)
    assert battle.events == [SupplyTraced((battle.catalog.unit_index["bn"],), ())]
    assert replay(battle.catalog, before, battle.events) == battle.freeze()


# ---------------------------------------------------------------- tracing supply

def battery(hex_: int, more: str = "", **field_words: str) -> Battle:
    catalog = field(units=[guns(soviet("art")), german("bn"), german("pair"), german("town")],
                    road=EAST_ROAD, **field_words)   # type: ignore[arg-type]
    return place(catalog, f"art {hex_:04d} unsupplied; {more}")


@pytest.mark.rule("WD 15.B")
@pytest.mark.parametrize(("hex_", "supplied_there"), [
    (706, True), (606, True), (106, True), (109, True),
    (110, True), (102, True),                       # seven
    (111, False), (101, False), (112, False),       # eight, eight, nine
])
def test_wdtc_l02_seven_hexes_to_the_road(hex_: int, supplied_there: bool) -> None:
    battle = battery(hex_)
    field_grid = battle.catalog.map.grid
    road = [at(int(word)) for word in EAST_ROAD.split("-")]
    distance = min(field_grid.distance(at(hex_), other) for other in road)
    assert (distance <= 7) is supplied_there, distance
    assert (supplied(battle) == {"art"}) is supplied_there


@pytest.mark.rule("WD 15.B")
def test_the_road_must_be_free_to_the_edge() -> None:
    assert supplied(battery(206)) == {"art"}
    assert supplied(battery(206, "bn 1006")) == set()       # a unit on the road
    assert supplied(battery(206, "bn 1005")) == set()       # its zone on the road
    assert supplied(battery(206, "bn 1003")) == {"art"}
    assert supplied(battery(1006, "bn 0806")) == {"art"}    # cut farther in


@pytest.mark.rule("WD 15.B")
def test_the_way_to_the_road_must_be_free() -> None:
    assert supplied(battery(106)) == {"art"}                          # six hexes to 0706
    assert supplied(battery(106, "bn 0405; pair 0402; town 0408")) == set()   # a wall of zones
    assert supplied(battery(106, "bn 0405; town 0408")) == set()      # eight hexes around it
    assert supplied(battery(106, "bn 0405")) == {"art"}               # six over 0407
    assert supplied(battery(406, "bn 0403")) == {"art"}


@pytest.mark.rule("WD 15.B")
def test_the_own_hex_may_be_in_an_enemy_zone_for_supply() -> None:
    assert supplied(battery(606, "bn 0505")) == {"art"}


@pytest.mark.rule("WD 15.B")
def test_roads_side_by_side_are_not_joined() -> None:
    catalog = field(units=[guns(soviet("art")), german("bn")],
                    road="1206-1106-1006 1007-0907-0807")
    battle = place(catalog, "art 0112")
    assert {number(hex_) for hex_ in hexes_of(supply.road_board(battle, Side.SOVIET))} \
        == {1206, 1106, 1006}


@pytest.mark.rule("WD 15.B")
def test_railroads_and_roads_are_one_net_with_junctions() -> None:
    catalog = field(units=[guns(soviet("art")), german("bn"), german("second")],
                    road="1206-1106-1006-0906 0906-0907-0908", rail="0906-0805-0705 0908-0808",
                    areas={"E": ""})
    battle = place(catalog, "art 0112")
    full = {1206, 1106, 1006, 906, 907, 908, 808, 805, 705}

    def net(line: str) -> set[int]:
        battle = place(catalog, line)
        return {number(hex_) for hex_ in hexes_of(supply.road_board(battle, Side.SOVIET))}

    assert {number(hex_) for hex_ in hexes_of(supply.road_board(battle, Side.SOVIET))} == full
    assert net("bn 0704") == full - {705}                # its zone, not itself
    assert net("bn 0808") == {1206, 1106, 1006, 906, 907, 805, 705}
    assert net("bn 1206") == set()


@pytest.mark.rule("WD 15.B")
def test_a_ring_road_is_followed_both_ways() -> None:
    catalog = field(units=[guns(german("art")), soviet("reg")],
                    road="0106-0206-0306-0405-0505-0506-0406-0307-0206")
    cut = place(catalog, "art 0912; reg 0404")
    found = {number(hex_) for hex_ in hexes_of(supply.road_board(cut, Side.GERMAN))}
    assert found == {106, 206, 306, 307, 406, 506}


@pytest.mark.rule("WD 15.B")
def test_the_net_agrees_with_a_plain_walk() -> None:
    catalog = field(units=[guns(german("art")), *(soviet(f"r{n}") for n in range(4))],
                    road="0106-0206-0306-0405-0505-0506-0406-0307-0206 0506-0606-0707 0707-0807",
                    rail="0112-0111-0211 0405-0404-0403-0402-0401 0807-0907-1006")
    for line in ("r0 0608", "r0 0303", "r0 0506; r1 0211", "r0 0804", "r0 0109; r1 0707",
                 "r0 1212"):
        battle = place(catalog, line)
        free, grid = supply.free_board(battle, Side.GERMAN), catalog.map.grid
        reached = set(hexes_of(catalog.map.friendly_edge(Side.GERMAN) & free & road_hexes(catalog)))
        while True:
            more = {grid.neighbours[hex_][d] for hex_ in reached for d in range(6)
                    if (catalog.map.road[d] | catalog.map.rail[d]) >> hex_ & 1}
            grown = reached | {hex_ for hex_ in more if free >> hex_ & 1}
            if grown == reached:
                break
            reached = grown
        assert set(hexes_of(supply.road_board(battle, Side.GERMAN))) == reached, line


def road_hexes(catalog: Catalog) -> int:
    board = 0
    for direction in range(6):
        board |= catalog.map.road[direction] | catalog.map.rail[direction]
    return board


PLACES = (106, 107, 108, 204, 205, 206, 305, 307, 405, 408, 505, 506, 508, 604, 705, 709, 804, 1212)
"""On the roads of the next test, beside them, and far away."""


@pytest.mark.rule("WD 15.B")
@pytest.mark.rule("WD 15.C")
def test_what_was_traced_before_an_enemy_moved_decides_nothing() -> None:
    soviet_edge = [column * 100 + row for column in range(1, 13) for row in range(1, 13)
                   if column * 100 + row not in (105, 106)]
    catalog = field(units=[guns(german("art")), *(soviet(f"r{n}") for n in range(4))],
                    road="0106-0206-0306-0405-0505-0506-0406-0307-0206 0506-0606-0707-0807",
                    areas={"SE": " ".join(f"{hex_:04d}" for hex_ in soviet_edge)})
    assert set(hexes_of(catalog.map.friendly_edge(Side.GERMAN))) == {at(105), at(106)}
    regiments = [catalog.unit_index[f"r{n}"] for n in range(4)]
    chance, boards = random.Random(15), set()
    battle = place(catalog, "art 0707; r0 1212; r1 1212; r2 1212; r3 1212")
    for _ in range(150):
        battle.put(chance.choice(regiments), at(chance.choice(PLACES)))
        fresh = place(catalog, "art 0707; " + "; ".join(
            f"r{n} {number(battle.units[index].hex):04d}" for n, index in enumerate(regiments)))
        assert supply.trace(battle) == supply.trace(fresh)
        found = [supply.open_board(battle, Side.GERMAN), supply.supplied_board(battle, Side.GERMAN)]
        assert found == [supply.open_board(fresh, Side.GERMAN),
                         supply.supplied_board(fresh, Side.GERMAN)]
        boards.add(tuple(found))
    assert len(boards) > 30


# ---------------------------------------------------------------- Velikiye Luki

def city(line: str = "", dice: tuple[int, ...] = (), due: int = 2,
         weather: Weather = Weather.FROST, supply_: tuple[int, int, int] = (0, 0, 0)) -> Battle:
    """A city of two hexes on a road from the west edge, and Soviet regiments to cut it off."""
    catalog = field(
        units=[german("garrison"), guns(german("art")), german("out"), soviet("in"),
               *(soviet(f"r{n}") for n in range(4))],
        city="0505 0506", road="0105-0205-0305-0405-0505")
    return place(with_german_points(catalog, due), f"garrison 0505; art 0506; {line}", dice=dice,
                 weather=weather, supply=supply_)


CUT = "r0 0603; r1 0706; r2 0407; r3 0305"


@pytest.mark.rule("WD 15.D.1")
def test_supply_reaches_the_city_by_road() -> None:
    battle = city()
    assert supply.city_in_supply(battle)
    assert not supply.city_isolated(battle)
    supply.receive(battle)
    assert battle.supply == (4, 2, 2)
    assert battle.events == [SupplyReceived(Pool.SOVIET, 4, (), 4),
                             SupplyReceived(Pool.GERMAN, 2, (), 2),
                             SupplyReceived(Pool.VELIKIYE_LUKI, 2, (), 2)]


@pytest.mark.rule("WD 15.D.1")
@pytest.mark.parametrize(("weather", "dice", "received"), [
    (Weather.FROST, (1, 4), 2), (Weather.FROST, (4, 5), 1), (Weather.FROST, (5, 6), 0),
    (Weather.THAW, (4, 4), 2), (Weather.THAW, (5, 4), 1),
    (Weather.SNOW, (2, 2), 2), (Weather.SNOW, (2, 3), 1), (Weather.SNOW, (3, 4), 0),
])
def test_wdtc_l03_airdrop(weather: Weather, dice: tuple[int, ...], received: int) -> None:
    battle = city(CUT, dice, weather=weather)
    assert not supply.city_in_supply(battle)
    assert supply.city_isolated(battle)
    supply.receive(battle)
    assert battle.supply == (4, 2, received)
    assert battle.events[-1] == SupplyReceived(Pool.VELIKIYE_LUKI, 2, dice, received)


@pytest.mark.rule("WD 15.D.1")
def test_one_die_for_each_point_due() -> None:
    battle = city(CUT, (1, 6, 4), due=3)
    supply.receive(battle)
    assert battle.supply[Pool.VELIKIYE_LUKI] == 2
    assert battle.dice.counter == 3


@pytest.mark.rule("WD E.order")
@pytest.mark.parametrize(("turn", "soviet_points", "german_points"), [
    (1, 4, 2), (2, 3, 2), (5, 3, 3), (6, 3, 3), (7, 4, 3), (10, 4, 4), (13, 4, 4),
])
def test_points_of_the_turn(turn: int, soviet_points: int, german_points: int) -> None:
    battle = city(supply_=(1, 0, 2))
    battle.turn = turn
    supply.receive(battle)
    assert battle.supply == (1 + soviet_points, german_points, 2 + german_points)


@pytest.mark.rule("WD 15.D.1")
def test_a_city_hex_that_the_enemy_holds_carries_no_supply() -> None:
    assert supply.city_in_supply(city("in 0606"))
    battle = place(city().catalog, "in 0505; r0 0506")
    assert not supply.city_in_supply(battle)
    assert supply.city_isolated(battle)


@pytest.mark.rule("WD 15.D.2")
def test_the_city_is_bought_out_of_isolation() -> None:
    battle = city(CUT + "; out 0809", supply_=(0, 5, 1))
    assert {"garrison", "art"} <= isolated(battle)
    assert supply.may_sustain(battle)
    assert supply.is_worth_sustaining(battle)
    assert supply.judge_sustain(battle, SustainGarrison(True)) == []
    supply.resolve_sustain(battle, SustainGarrison(True))
    assert battle.events == [GarrisonSustained(1)]
    assert battle.supply == (0, 5, 0)
    assert not isolated(battle) & {"garrison", "art"}
    assert "art" not in supplied(battle)              # isolation only
    assert supply.city_isolated(battle)


@pytest.mark.rule("WD 15.D.2")
def test_only_units_in_the_city_are_bought_out() -> None:
    battle = place(surrounding(), f"bn 0505; {RING}", sustained=True)
    assert isolated(battle) == {"bn"}


@pytest.mark.rule("WD 15.D.2")
def test_wdtc_l04_the_general_pool_does_not_pay_for_the_city() -> None:
    battle = city(CUT + "; out 0809", supply_=(3, 5, 0))
    found = supply.judge_sustain(battle, SustainGarrison(True))
    assert [v.clause for v in found] == ["WD 15.D.2"]
    assert found[0].facts == {"needed": "1", "left": "0"}
    assert not supply.may_sustain(battle)
    assert supply.judge_sustain(battle, SustainGarrison(False)) == []
    inside, outside = (battle.catalog.unit_index[name] for name in ("garrison", "out"))
    assert supply.assault_pools(battle, (inside,)) == (Pool.VELIKIYE_LUKI,)
    found = supply.judge_assault(battle, (inside, outside), "assaults")
    assert [(v.reason, v.clause) for v in found] == [(Reason.SUPPLY, "WD 15.D.2")]
    assert found[0].message == ("An assault costs 1 supply point of the Velikiye Luki supply pool, "
                                "which has 0.")
    assert supply.judge_assault(battle, (outside,), "assaults") == []


@pytest.mark.rule("WD 15.D.2")
def test_the_city_pool_does_not_pay_for_others() -> None:
    battle = city("out 0809", supply_=(3, 0, 5))
    outside = battle.catalog.unit_index["out"]
    found = supply.judge_assault(battle, (outside,), "assaults")
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.SUPPLY, "WD 15.A.1", "assaults")]


@pytest.mark.rule("WD 15.D.2")
def test_nothing_to_buy_out() -> None:
    battle = place(city().catalog, "in 0505", supply=(0, 0, 4))
    assert not supply.may_sustain(battle)
    assert "No German unit" in supply.judge_sustain(battle, SustainGarrison(True))[0].message
    battle = city(supply_=(0, 0, 4))
    assert supply.may_sustain(battle)
    assert not supply.is_worth_sustaining(battle)
    battle.sustained = True
    assert "already" in supply.judge_sustain(battle, SustainGarrison(True))[0].message


@pytest.mark.rule("WD 15.D.2")
@pytest.mark.parametrize(("line", "points", "sustained", "message"), [
    ("garrison 0505", 4, True,
     "Velikiye Luki has already been bought out of isolation this turn."),
    ("garrison 0505", 0, False,
     "Buying Velikiye Luki out of isolation costs 1 supply point; the Velikiye Luki supply pool "
     "has 0."),
    ("garrison 0809", 1, False,
     "No German unit is in Velikiye Luki to be bought out of isolation."),
])
def test_why_the_city_is_not_bought_out(line: str, points: int, sustained: bool,
                                        message: str) -> None:
    battle = place(city().catalog, line, supply=(0, 0, points), sustained=sustained)
    facts = {"needed": "1", "left": str(points)}
    assert supply.judge_sustain(battle, SustainGarrison(True)) == [
        Violation(Reason.SUPPLY, "WD 15.D.2", "spend", message, facts)]


@pytest.mark.rule("WD 15.D.2")
def test_a_city_of_one_hex_is_worth_buying_out_when_that_hex_is_cut_off() -> None:
    catalog = field(units=[german("bn"), *(soviet(f"r{n}") for n in range(3))], city="0505")
    assert supply.is_worth_sustaining(place(catalog, f"bn 0505; {RING}"))
    assert not supply.is_worth_sustaining(place(catalog, "bn 0505; r0 0603; r1 0606"))


# ---------------------------------------------------------------- spending

@pytest.mark.rule("WD 15.A.1")
def test_wdtc_l01_assaults_cost_one_and_barrages_two_in_all() -> None:
    battle = city("out 0809", supply_=(3, 2, 1))
    inside, outside = (battle.catalog.unit_index[name] for name in ("garrison", "out"))
    assert supply.assault_pools(battle, (outside, outside)) == (Pool.GERMAN,)
    assert supply.assault_pools(battle, (inside, outside)) == (Pool.GERMAN, Pool.VELIKIYE_LUKI)
    assert supply.barrage_due(battle, Pool.GERMAN) == 2
    assert supply.barrage_due(battle, Pool.GERMAN, full_rockets=True) == 3
    battle.paid = (0, 1, 0)
    assert supply.assault_pools(battle, (outside,)) == ()
    assert supply.barrage_due(battle, Pool.GERMAN) == 1       # two in all, not three
    assert supply.barrage_due(battle, Pool.GERMAN, full_rockets=True) == 2
    battle.paid = (0, 2, 0)
    assert supply.barrage_due(battle, Pool.GERMAN) == 0
    assert supply.barrage_due(battle, Pool.GERMAN, full_rockets=True) == 1


@pytest.mark.rule("WD 15.A.4")
def test_wdtc_l01_support_without_a_point_has_a_factor_of_one() -> None:
    battle = place(city().catalog, "art 0809 3; out 0709; in 0609", phase=Phase.DEFENSIVE_FIRE)
    art, stack = battle.catalog.unit_index["art"], at(709)
    assert artillery.support_value(battle, art, stack, high=True) == 3 * 2 * FP
    assert artillery.support_value(battle, art, stack, high=False) == 3 * 1 * FP


@pytest.mark.rule("WD 15.A.3")
def test_only_german_rockets_cost_a_third_point() -> None:
    battle = city(supply_=(3, 2, 1))
    assert supply.barrage_due(battle, Pool.SOVIET, full_rockets=True) == 2
    assert supply.barrage_due(battle, Pool.VELIKIYE_LUKI, full_rockets=True) == 3


@pytest.mark.rule("WD 15.A.1")
def test_missing_points_name_the_pool() -> None:
    battle = city("r0 0909", supply_=(0, 2, 1))
    regiment = battle.catalog.unit_index["r0"]
    assert supply.missing_for_assault(battle, (regiment,)) == (Pool.SOVIET,)
    violation = supply.judge_assault(battle, (regiment,), "assaults")[0]
    assert violation.facts == {"pool": "soviet", "needed": "1", "left": "0"}
    assert violation.message == (
        "An assault costs 1 supply point of the Soviet supply pool, which has 0.")


@pytest.mark.rule("WD 15.A.2")
def test_the_refusal_for_want_of_points_counts_them() -> None:
    battle = city(supply_=(3, 1, 0))
    assert supply.short(battle, Pool.GERMAN, 2, "WD 15.A.2", "fires", "the barrage") == Violation(
        Reason.SUPPLY, "WD 15.A.2", "fires",
        "The barrage costs 2 supply points of the German supply pool, which has 1.",
        {"pool": "german", "needed": "2", "left": "1"})


@pytest.mark.rule("WD 15.D.2")
def test_wdtc_l04_an_assault_out_of_the_city_needs_a_point_of_the_city() -> None:
    catalog = city().catalog
    for pools, legal in (((9, 9, 0), False), ((9, 0, 1), True)):
        battle = place(catalog, "garrison 0505; in 0504", side=Side.GERMAN, supply=pools)
        order = moves(assaults=(assault(battle, 504, "garrison"),))
        assert accepts(battle, order) is legal
        if not legal:
            assert [(v.reason, v.clause) for v in refusals(battle, order)] == [
                (Reason.SUPPLY, "WD 15.D.2")]
