"""[WD 14.B, 14.C.1, 4] Retreats."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import retreat, zones
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.events import (
    EquipmentAbandoned,
    StrengthLost,
    UnitEliminated,
    UnitRetreated,
)
from lovat_server.games.white_death.orders import Retreat, Route
from lovat_server.games.white_death.state import Options, Pending
from lovat_server.games.white_death.terms import Cause, Mobility, Side, Weather

from .field import GRID, at, field, german, guns, number, place, soviet, tanks


def retreating(line: str, *ids: str, units=(), **more) -> Battle:
    """German units that must retreat, Soviet ones around them."""
    terrain = {name: more.pop(name) for name in ("forest", "town", "lake", "road", "bunkers")
               if name in more}
    catalog = field([*units, *(soviet(f"r{n}") for n in range(1, 7))], **terrain)
    pending = tuple(
        Pending(catalog.unit_index[id_], at(int(entry.split()[1])))
        for id_ in ids for entry in line.split("; ") if entry.split()[0] == id_)
    return place(catalog, line, retreats=pending, **more)


def ends(battle: Battle, id_: str = "bn") -> set[int]:
    return {number(path[-1]) for path in retreat.routes(battle, battle.catalog.unit_index[id_])}


def route(battle: Battle, id_: str, *path: int) -> Route:
    return Route(battle.catalog.unit_index[id_], tuple(at(hex_) for hex_ in path))


BN = [german("bn"), german("bn2")]


@pytest.mark.rule("WD 14.B")
def test_a_retreat_ends_two_hexes_away_and_as_far_from_enemies_as_can_be():
    battle = retreating("bn 0606; r1 0607", "bn", units=BN)
    assert ends(battle) == {604, 505, 705, 405, 805}
    for path in retreat.routes(battle, battle.catalog.unit_index["bn"]):
        assert len(path) == 2
        assert GRID.distance(at(606), path[-1]) == 2


@pytest.mark.rule("WD 14.B")
def test_an_end_nearer_to_the_enemy_than_another_of_its_kind_is_refused():
    battle = retreating("bn 0606; r1 0607", "bn", units=BN)
    order = Retreat((route(battle, "bn", 706, 806),))
    (violation,) = retreat.judge(battle, order)
    assert (violation.clause, violation.path) == ("WD 14.B", "routes[0].path")
    assert "2 hexes from the nearest enemy" in violation.message


@pytest.mark.rule("WD 14.B")
@pytest.mark.parametrize("path", [
    (605,), (605, 604, 603), (607, 608), (604, 603), (605, 606), (505, 605), (),
])
def test_other_lengths_and_broken_paths_are_refused(path):
    battle = retreating("bn 0606; r1 0608", "bn", units=BN)
    (violation,) = retreat.judge(battle, Retreat((route(battle, "bn", *path),)))
    assert violation.path == "routes[0].path"


@pytest.mark.rule("WD 14.B")
def test_every_listed_route_is_accepted():
    battle = retreating("bn 0606; r1 0607; r2 0506", "bn", units=BN)
    (option,) = retreat.options(battle)
    assert option.hex == at(606)
    for path in option.paths:
        assert retreat.judge(battle, Retreat((Route(option.unit, path),))) == []


@pytest.mark.rule("WD 14.B")
def test_units_that_need_not_retreat_and_units_named_twice_are_refused():
    battle = retreating("bn 0606; bn2 0101; r1 0607", "bn", units=BN)
    order = Retreat((route(battle, "bn2", 102, 103), route(battle, "bn", 605, 604),
                     route(battle, "bn", 605, 604)))
    found = retreat.judge(battle, order)
    assert [(violation.path, violation.clause) for violation in found] == [
        ("routes[0].unit", "WD 14.B"), ("routes[2].unit", "WD 14.B")]


@pytest.mark.rule("WD 14.C.1")
def test_wdtc_r04_a_zone_that_is_passed_costs_one_point():
    battle = retreating("bn 0606; r1 0607; r2 0505; r3 0705", "bn", units=BN)
    index = battle.catalog.unit_index["bn"]
    retreat.resolve(battle, Retreat())
    moved = [event for event in battle.events if isinstance(event, UnitRetreated)]
    assert len(moved) == 1
    assert moved[0].through_zone
    passed = [hex_ for hex_ in moved[0].path if retreat.passes_zone(battle, Side.GERMAN, (hex_,))]
    assert len(passed) == 1
    losses = [event for event in battle.events if isinstance(event, StrengthLost)]
    assert [(loss.points, loss.cause) for loss in losses] == [(1, Cause.RETREAT_THROUGH_ZONE)]
    assert battle.units[index].strength == 2
    assert battle.retreats == ()


@pytest.mark.rule("WD 14.C.1")
def test_wdtc_r04_a_retreat_that_would_end_in_a_zone_goes_on():
    # Everything two hexes away is in some zone: the six regiments stand three hexes out.
    ring = "r1 0306; r2 0408; r3 0504; r4 0709; r5 0804; r6 0907"
    battle = retreating(f"bn 0606; {ring}", "bn", units=BN)
    bn = battle.catalog.unit_index["bn"]
    zone = zones.zone_board(battle, Side.SOVIET)
    grid = battle.catalog.map.grid
    assert all(zone >> hex_ & 1 for hex_ in range(grid.size)
               if grid.distance(at(606), hex_) == 2)
    lengths = {len(path) for path in retreat.routes(battle, bn)}
    assert len(lengths) == 1
    assert min(lengths) > 2
    assert all(not zone >> at(end) & 1 for end in ends(battle))
    retreat.resolve(battle, Retreat())
    assert not zone >> battle.units[bn].hex & 1
    assert battle.units[bn].strength == 2


@pytest.mark.rule("WD 14.C.1")
def test_wdtc_r04_two_zones_cost_one_point_once():
    # In a corner: both hexes at two are in zones, as is the one before; 0303 is free.
    battle = retreating("bn 0101; r1 0201; r2 0104", "bn", units=BN)
    index = battle.catalog.unit_index["bn"]
    routes = retreat.routes(battle, index)
    assert all(number(path[0]) == 102 for path in routes)
    assert {tuple(number(hex_) for hex_ in path) for path in routes} == {(102, 202, 303)}
    (violation,) = retreat.judge(battle, Retreat((route(battle, "bn", 102, 202),)))
    assert violation.path == "routes[0].path"
    passed = [hex_ for hex_ in routes[0] if retreat.passes_zone(battle, Side.GERMAN, (hex_,))]
    assert len(passed) == 2
    retreat.resolve(battle, Retreat())
    assert battle.units[index].strength == 2


@pytest.mark.rule("WD 14.C.1")
def test_wdtc_r04_without_a_legal_end_the_unit_is_eliminated():
    battle = retreating("bn 0101; r1 0201; r2 0102", "bn", units=BN)
    index = battle.catalog.unit_index["bn"]
    assert retreat.routes(battle, index) == ()
    assert retreat.options(battle)[0].paths == ()
    assert retreat.judge(battle, Retreat((Route(index, ()),))) == []
    retreat.resolve(battle, Retreat())
    assert battle.events == [
        StrengthLost(index, 3, Cause.NO_RETREAT, False), UnitEliminated(index, at(101))]


@pytest.mark.rule("WD 14.C.1")
def test_the_last_point_is_lost_on_the_way():
    battle = retreating("bn 0606 1; r1 0607; r2 0505; r3 0705", "bn", units=BN)
    index = battle.catalog.unit_index["bn"]
    retreat.resolve(battle, Retreat())
    assert battle.units[index].strength == 0
    assert not [event for event in battle.events if isinstance(event, UnitRetreated)]


@pytest.mark.rule("WD 14.B")
def test_the_default_prefers_a_route_without_zones():
    battle = retreating("bn 0606; r1 0607; r2 0507", "bn", units=BN)
    retreat.resolve(battle, Retreat())
    (moved,) = [event for event in battle.events if isinstance(event, UnitRetreated)]
    assert not moved.through_zone


@pytest.mark.rule("WD 14.B")
def test_the_default_goes_to_the_own_edge_then_to_the_lowest_number():
    # Without enemies every end is as good: the German edge nearest to 0604 is the northern one.
    battle = retreating("bn 0604", "bn", units=BN)
    retreat.resolve(battle, Retreat())
    assert number(battle.units[battle.catalog.unit_index["bn"]].hex) == 602


@pytest.mark.rule("WD 14.B")
def test_a_zone_is_passed_only_where_no_free_route_is_as_far():
    # Through 0507 or 0707, in the zone of r1, no end is farther than those of the free routes.
    battle = retreating("bn 0606; r1 0607", "bn", units=BN)
    for path in retreat.routes(battle, battle.catalog.unit_index["bn"]):
        assert not retreat.passes_zone(battle, Side.GERMAN, path)
    (violation,) = retreat.judge(battle, Retreat((route(battle, "bn", 507, 407),)))
    assert violation.clause == "WD 14.B"


@pytest.mark.rule("WD 4")
def test_a_full_hex_is_no_end():
    full = [german(f"x{n}") for n in range(3)]
    battle = retreating("bn 0606; r1 0607; x0 0604; x1 0604; x2 0604", "bn", units=[*BN, *full])
    assert 604 not in ends(battle)
    (violation,) = retreat.judge(battle, Retreat((route(battle, "bn", 605, 604),)))
    assert violation.clause == "WD 4"


@pytest.mark.rule("WD 4")
def test_a_later_retreat_finds_the_hexes_earlier_ones_have_filled():
    two = [german(f"x{n}") for n in range(2)]
    battle = retreating("bn 0606; bn2 0606; r1 0607; x0 0604; x1 0604", "bn", "bn2",
                        units=[*BN, *two])
    north = (605, 604)
    one = route(battle, "bn", *north)
    assert retreat.judge(battle, Retreat((one,))) == []
    (violation,) = retreat.judge(battle, Retreat((one, route(battle, "bn2", *north))))
    assert (violation.clause, violation.path) == ("WD 4", "routes[1].path")


@pytest.mark.rule("WD 14.B")
@pytest.mark.parametrize(("unit", "terrain"), [
    (tanks(german("bn")), {"forest": "0605 0505 0705"}),
    (german("bn", mobility=Mobility.DRAFT),
     {"lake": "0606-0605 0606-0506 0606-0706"}),
])
def test_a_unit_does_not_retreat_where_it_could_not_go(unit, terrain):
    battle = retreating("bn 0606; r1 0608", "bn", units=[unit], **terrain)
    closed = {605, 505, 705} if "forest" in terrain else {605, 506, 706}
    for path in retreat.routes(battle, battle.catalog.unit_index["bn"]):
        assert number(path[0]) not in closed


@pytest.mark.rule("WD E.19")
def test_soviet_units_do_not_retreat_into_a_bunker():
    catalog = field([soviet("rifle"), german("bn")], bunkers={605: 10, 604: 10})
    battle = place(catalog, "rifle 0606; bn 0607",
                   retreats=(Pending(catalog.unit_index["rifle"], at(606)),))
    for path in retreat.routes(battle, catalog.unit_index["rifle"]):
        assert not {605, 604} & {number(hex_) for hex_ in path}


@pytest.mark.rule("WD E.23")
@pytest.mark.parametrize("used", [True, False])
def test_guns_that_retreat_through_a_zone_are_left_behind_by_optional_rule(used):
    battle = retreating("art 0606; r1 0607; r2 0505; r3 0705", "art",
                        units=[guns(german("art"))], options=Options(abandoned_equipment=used))
    retreat.resolve(battle, Retreat())
    assert any(isinstance(event, EquipmentAbandoned) for event in battle.events) is used


@pytest.mark.rule("WD 23")
def test_guns_may_be_left_behind_to_retreat_on_foot():
    lakes = {"lake": "0606-0605 0606-0506 0606-0706 0606-0607 0606-0507 0606-0707"}
    battle = retreating("art 0606; r1 0608", "art", units=[guns(german("art"))], **lakes,
                        options=Options(abandoned_equipment=True), weather=Weather.FROST)
    art = battle.catalog.unit_index["art"]
    assert retreat.routes(battle, art) == ()
    order = Retreat((route(battle, "art", 605, 604),), (art,))
    assert retreat.judge(battle, order) == []
    retreat.resolve(battle, order)
    assert number(battle.units[art].hex) == 604
    plain = retreating("art 0606; r1 0608", "art", units=[guns(german("art"))], **lakes)
    assert [v.path for v in retreat.judge(plain, Retreat((), (art,)))] == ["abandon[0]"]


@pytest.mark.rule("WD 14.B")
def test_retreats_replay():
    battle = retreating("bn 0606; bn2 0606; r1 0607; r2 0505; r3 0705", "bn", "bn2", units=BN)
    state = battle.freeze()
    retreat.resolve(battle, Retreat())
    assert replay(battle.catalog, state, battle.events) == battle.freeze()
    assert battle.retreats == ()
