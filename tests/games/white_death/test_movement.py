"""[WD 3, 6, 7, 13, 20] Movement: prices, zones, ice, bridges, thaw rivers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death.answers import Mark
from lovat_server.games.white_death.events import (
    AntitankFired,
    BridgeBuilt,
    IceTested,
    StrengthLost,
    UnitMoved,
)
from lovat_server.games.white_death.orders import FirePolicy, StandingOrders
from lovat_server.games.white_death.terms import (
    MP,
    DecisionKind,
    ImpulseKind,
    Kind,
    Mobility,
    Side,
    Size,
    Status,
    Weather,
)

from .field import at, field, german, guns, number, place, soviet, tanks
from .playing import (
    accepts,
    after,
    assault,
    build,
    clauses,
    cost,
    deploy,
    destroy,
    march,
    moves,
    of_kind,
    options,
    rail,
    refusals,
    submit,
    unit,
)


def mp(points: int, parts: int = 1) -> Fraction:
    return Fraction(points, parts)


ROAD = "0101-0102-0103-0104-0105-0106-0107-0108-0109-0110-0111-0112"


def mover(mobility: Mobility, **places: str):
    kind = Kind.AFV if mobility == Mobility.TRACK else Kind.PERSONNEL
    return field([soviet("u", mobility=mobility, kind=kind, defence=4)], **places)


@pytest.mark.rule("WD 7")
@pytest.mark.parametrize(("mobility", "price"), [
    (Mobility.LEG, mp(3, 2)), (Mobility.SKI, mp(3, 4)), (Mobility.DRAFT, mp(3)),
    (Mobility.WHEEL, mp(3, 2)), (Mobility.HORSE, mp(1)), (Mobility.TRACK, mp(3, 4)),
    (Mobility.MOTORCYCLE, mp(3, 2)),
])
def test_wdtc_m01_three_clear_hexes(mobility, price):
    battle = place(mover(mobility), "u 0404")
    assert cost(battle, "u", march(battle, "u", 405, 406, 407)) == price


@pytest.mark.rule("WD 7")
@pytest.mark.parametrize(("mobility", "hexes", "price"), [
    (Mobility.WHEEL, 10, mp(1)), (Mobility.TRACK, 8, mp(1)), (Mobility.HORSE, 6, mp(1)),
    (Mobility.LEG, 4, mp(1)), (Mobility.MOTORCYCLE, 10, mp(1)), (Mobility.DRAFT, 4, mp(1)),
    (Mobility.SKI, 4, mp(1)),
])
def test_wdtc_m02_along_a_road(mobility, hexes, price):
    battle = place(mover(mobility, road=ROAD), "u 0101")
    assert cost(battle, "u", march(battle, "u", *range(102, 102 + hexes))) == price


@pytest.mark.rule("WD 7")
@pytest.mark.parametrize(("mobility", "price"), [
    (Mobility.DRAFT, mp(6)), (Mobility.TRACK, mp(9, 4)), (Mobility.WHEEL, mp(9, 2)),
])
def test_wdtc_m03_creek_penalty_is_paid_on_leaving_the_creek(mobility, price):
    battle = place(mover(mobility, creek="0405 0406"), "u 0404")
    assert cost(battle, "u", march(battle, "u", 405, 406, 407)) == price


@pytest.mark.rule("WD 7")
def test_wdtc_m04_leg_units_pay_no_creek_penalty():
    battle = place(mover(Mobility.LEG, creek="0405 0406"), "u 0404")
    assert cost(battle, "u", march(battle, "u", 405, 406, 407)) == mp(3, 2)


@pytest.mark.rule("WD 7")
def test_wdtc_m05_tracks_enter_forest_by_road_only():
    off_road = place(mover(Mobility.TRACK, forest="0405"), "u 0404")
    found = refusals(off_road, moves(march(off_road, "u", 405)))
    assert [(v.clause, v.reason, v.path) for v in found] == [
        ("WD 7", Reason.PROHIBITED_TERRAIN, "actions[0].path[0]")]
    along = place(mover(Mobility.TRACK, forest="0405", road="0404-0405-0406"), "u 0404")
    assert cost(along, "u", march(along, "u", 405)) == mp(1, 8)
    across = place(mover(Mobility.TRACK, forest="0405", road="0505-0405-0406"), "u 0404")
    assert clauses(across, moves(march(across, "u", 405))) == ["WD 7"]


RIVER = " ".join(f"05{row:02d}" for row in range(1, 13))


@pytest.mark.rule("WD 20")
def test_wdtc_m06_bridge_hex_is_a_road_hex():
    catalog = mover(Mobility.WHEEL, river=RIVER, road="0405-0505-0605")
    bridged = place(catalog, "u 0405", bridges="0505")
    assert cost(bridged, "u", march(bridged, "u", 505)) == mp(1, 10)
    assert cost(bridged, "u", march(bridged, "u", 505, 605)) == mp(2, 10)
    bare = place(catalog, "u 0405")
    assert cost(bare, "u", march(bare, "u", 505)) == 2
    assert cost(bare, "u", march(bare, "u", 505, 605)) == 2 + 4 + mp(1, 10)


@pytest.mark.rule("WD 13")
def test_wdtc_m07_lake_hexsides():
    leg = mover(Mobility.LEG, lake="0404-0405")
    frozen, thaw = place(leg, "u 0404"), place(leg, "u 0404", weather=Weather.THAW)
    assert cost(frozen, "u", march(frozen, "u", 405)) == mp(1, 2)
    assert cost(thaw, "u", march(thaw, "u", 405)) == mp(3, 2)
    track = mover(Mobility.TRACK, lake="0404-0405")
    battle = place(track, "u 0404", dice=(1,))
    assert cost(battle, "u", march(battle, "u", 405)) == mp(5, 4)
    done = after(battle, moves(march(battle, "u", 405)))
    assert [event.die for event in of_kind(done.events, IceTested)] == [1]
    assert done.units[unit(done, "u")].strength == 2
    melted = place(track, "u 0404", weather=Weather.THAW)
    assert clauses(melted, moves(march(melted, "u", 405))) == ["WD 13"]


@pytest.mark.rule("WD 13.B", "WD E.13")
def test_partial_lakes_need_a_die_in_a_thaw_unless_by_road():
    track = mover(Mobility.TRACK, partial_lake="0404-0405")
    frost = place(track, "u 0404")
    assert not of_kind(list(submit(frost, moves(march(frost, "u", 405))).events), IceTested)
    thaw = place(track, "u 0404", weather=Weather.THAW, dice=(2,))
    assert cost(thaw, "u", march(thaw, "u", 405)) == mp(1, 4)
    assert of_kind(list(submit(thaw, moves(march(thaw, "u", 405))).events), IceTested)
    by_road = place(mover(Mobility.TRACK, partial_lake="0404-0405", road="0404-0405"), "u 0404",
                    weather=Weather.THAW)
    assert not of_kind(list(submit(by_road, moves(march(by_road, "u", 405))).events), IceTested)


@pytest.mark.rule("WD 13.A", "WD E.13")
def test_a_road_saves_no_die_over_a_full_lake_hexside():
    by_road = place(mover(Mobility.TRACK, lake="0404-0405", road="0404-0405"), "u 0404",
                    dice=(1,))
    done = after(by_road, moves(march(by_road, "u", 405)))
    assert [event.die for event in of_kind(done.events, IceTested)] == [1]


@pytest.mark.rule("WD 13.A")
@pytest.mark.parametrize("die", [2, 6])
def test_ice_breaks_on_a_one_only(die):
    battle = place(mover(Mobility.TRACK, lake="0404-0405"), "u 0404", dice=(die,))
    done = after(battle, moves(march(battle, "u", 405)))
    assert done.units[unit(done, "u")].strength == 3
    assert not of_kind(done.events, StrengthLost)


@pytest.mark.rule("WD 13.A")
def test_a_unit_lost_through_the_ice_goes_no_further():
    catalog = field([tanks(soviet("u", strength=1))], lake="0404-0405")
    battle = place(catalog, "u 0404", dice=(1,))
    done = after(battle, moves(march(battle, "u", 405), march(battle, "u", 406)))
    assert [number(event.path[-1]) for event in of_kind(done.events, UnitMoved)] == [405]
    assert done.units[unit(done, "u")].strength == 0


@pytest.mark.rule("WD 13")
@pytest.mark.parametrize(("mobility", "weather", "price"), [
    (Mobility.SKI, Weather.THAW, mp(1, 4)), (Mobility.MOTORCYCLE, Weather.SNOW, mp(1)),
    (Mobility.MOTORCYCLE, Weather.THAW, mp(3, 2)), (Mobility.HORSE, Weather.FROST, mp(2, 3)),
    (Mobility.HORSE, Weather.THAW, mp(4, 3)),
])
def test_every_mobility_across_a_lake(mobility, weather, price):
    battle = place(mover(mobility, lake="0404-0405"), "u 0404", weather=weather)
    assert cost(battle, "u", march(battle, "u", 405)) == price


@pytest.mark.rule("WD 13")
@pytest.mark.parametrize("mobility", [Mobility.DRAFT, Mobility.WHEEL])
def test_draft_and_wheels_never_cross_a_lake(mobility):
    battle = place(mover(mobility, lake="0404-0405"), "u 0404")
    assert clauses(battle, moves(march(battle, "u", 405))) == ["WD 13"]


@pytest.mark.rule("WD 3")
def test_wdtc_m08_from_zone_to_zone_costs_one_more():
    catalog = field([soviet("u"), german("a"), german("b")])
    battle = place(catalog, "u 0404; a 0304; b 0406")
    assert cost(battle, "u", march(battle, "u", 405)) == 1 + mp(1, 2)
    assert clauses(battle, moves(march(battle, "u", 405, 505))) == ["WD 3"]


@pytest.mark.rule("WD 3")
def test_wdtc_m09_a_zone_stops_whatever_friend_is_there():
    catalog = field([soviet("u", size=Size.BATTALION), soviet("friend", size=Size.BATTALION),
                     german("a")])
    battle = place(catalog, "u 0403; friend 0404; a 0405")
    assert clauses(battle, moves(march(battle, "u", 404, 504))) == ["WD 3"]
    again = moves(march(battle, "u", 404), march(battle, "u", 504))
    assert clauses(battle, again) == ["WD 3"]
    found = options(battle, "u")
    marks = dict(zip(map(number, found.hexes), found.marks, strict=True))
    assert marks[404] & Mark.STOPS


@pytest.mark.rule("WD 3.B")
def test_wdtc_m10_ski_units_pass_ordinary_zones():
    catalog = field([soviet("s", mobility=Mobility.SKI), german("a"),
                     german("k", mobility=Mobility.SKI)])
    battle = place(catalog, "s 0402; a 0504; k 1212")
    path = (403, 404, 405, 406)
    assert cost(battle, "s", march(battle, "s", *path)) == mp(4, 4) + 2
    skiers = place(catalog, "s 0402; k 0504; a 1212")
    assert clauses(skiers, moves(march(skiers, "s", *path))) == ["WD 3"]


@pytest.mark.rule("WD 3.B")
def test_ski_unit_pays_for_each_of_three_zone_hexes_left():
    catalog = field([soviet("s", mobility=Mobility.SKI), german("a"), german("b")])
    battle = place(catalog, "s 0402; a 0504; b 0505")
    assert cost(battle, "s", march(battle, "s", 403, 404, 405, 406)) == mp(4, 4) + 3


@pytest.mark.rule("WD 3.C")
def test_wdtc_m11_weapons_units_stay_out_of_zones():
    catalog = field([guns(soviet("g")), german("a")])
    battle = place(catalog, "g 0402; a 0405")
    found = refusals(battle, moves(march(battle, "g", 403, 404)))
    assert [(v.clause, v.path) for v in found] == [("WD 3.C", "actions[0].path[1]")]
    inside = place(catalog, "g 0404; a 0405")
    assert accepts(inside, moves())
    assert cost(inside, "g", march(inside, "g", 403)) == 1 + 1


@pytest.mark.rule("WD 3.A")
def test_wdtc_m12_tanks_are_fired_at_on_leaving_each_zone():
    catalog = field([tanks(soviet("t", morale=12)), german("a", antitank=16)])
    battle = place(catalog, "t 0403; a 0405", dice=(6,) * 12)
    order = moves(march(battle, "t", 404, 305, 205))
    events = list(submit(battle, order).events)
    fired = of_kind(events, AntitankFired)
    moved = of_kind(events, UnitMoved)
    assert {event.target for event in fired} == {unit(battle, "t")}
    assert [tuple(map(number, event.path)) for event in moved] == [(404,), (305,), (205,)]
    began = place(catalog, "t 0404; a 0405")
    free = march(began, "t", 403, pay_to_leave=True)
    assert cost(began, "t", free) == mp(1, 4) + 1
    assert not of_kind(list(submit(began, moves(free)).events), AntitankFired)


@pytest.mark.rule("WD 3.A")
@pytest.mark.parametrize(("strength", "dice", "left", "ends"), [
    (5, (6,), 5, [403, 402]),             # missed: both marches are made
    (5, (1, 1, 1), 4, [403, 402]),        # hit, but it passes its check
    (5, (1, 4, 4), 4, []),                # 8 + 1 is over 8: its movement has ended
    (1, (1,), 0, []),
])
def test_what_a_die_has_made_impossible_is_left_undone(strength, dice, left, ends):
    catalog = field([tanks(soviet("t", morale=8, strength=strength)),
                     german("a", antitank=16, strength=1)])
    battle = place(catalog, "t 0404; a 0405", dice=dice,
                   standing=(StandingOrders(), StandingOrders(fire=FirePolicy.EVEN)))
    done = after(battle, moves(march(battle, "t", 403), march(battle, "t", 402)))
    assert [number(event.path[-1]) for event in of_kind(done.events, UnitMoved)] == ends
    assert done.units[unit(done, "t")].strength == left
    assert done.units[unit(done, "t")].hex == (
        -1 if not left else at(402) if ends else at(404))


@pytest.mark.rule("WD 3.A")
@pytest.mark.parametrize(("policy", "shots"), [
    (FirePolicy.HIGHEST_LOSS, (12, 12, 12, 12)), (FirePolicy.EVEN, (48,))])
def test_fire_on_leaving_is_split_as_the_owner_s_standing_orders_say(policy, shots):
    """Six points at a defence of 4: four attacks at 1:3, or one at 1:1."""
    catalog = field([tanks(soviet("t", morale=12)), german("a", antitank=16)])
    battle = place(catalog, "t 0404; a 0405", dice=(6,) * 12,
                   standing=(StandingOrders(), StandingOrders(fire=policy)))
    fired = of_kind(list(submit(battle, moves(march(battle, "t", 403))).events), AntitankFired)
    assert tuple(event.value for event in fired) == shots


@pytest.mark.rule("WD 3.A")
def test_even_fire_under_one_to_three_is_no_fire():
    catalog = field([tanks(soviet("t", morale=12)), german("a", antitank=1)])
    battle = place(catalog, "t 0404; a 0405", dice=(1,) * 12,
                   standing=(StandingOrders(), StandingOrders(fire=FirePolicy.EVEN)))
    assert not of_kind(list(submit(battle, moves(march(battle, "t", 403))).events), AntitankFired)


@pytest.mark.rule("WD 3.A")
def test_only_an_afv_that_began_in_a_zone_may_pay_to_leave_it():
    catalog = field([tanks(soviet("t")), soviet("u"), german("a")])
    outside = place(catalog, "t 0403; u 0404; a 0405")
    order = moves(march(outside, "t", 404, pay_to_leave=True))
    assert [(v.clause, v.path) for v in refusals(outside, order)] == [
        ("WD 3.A", "actions[0].pay_to_leave")]
    walking = moves(march(outside, "u", 403, pay_to_leave=True))
    assert clauses(outside, walking) == ["WD 3.A"]


@pytest.mark.rule("WD 3.D", "WD 3.E")
def test_wdtc_m13_zones_and_towns_and_forest():
    catalog = field([soviet("u"), german("a")], town="0404")
    into = place(catalog, "u 0403; a 0405")
    assert cost(into, "u", march(into, "u", 404, 304)) == mp(3, 4)
    out_of = place(catalog, "u 0402; a 0404")
    assert clauses(out_of, moves(march(out_of, "u", 403, 503))) == ["WD 3"]
    wood = field([soviet("u"), tanks(german("t"))], forest="0404")
    no_road = place(wood, "u 0403; t 0405")
    assert accepts(no_road, moves(march(no_road, "u", 404, 304)))
    road = field([soviet("u"), tanks(german("t"))], forest="0404", road="0404-0405")
    by_road = place(road, "u 0403; t 0405")
    assert clauses(by_road, moves(march(by_road, "u", 404, 304))) == ["WD 3"]


@pytest.mark.rule("WD 3")
def test_a_german_weapons_company_alone_has_no_zone():
    catalog = field([soviet("u"), guns(german("at", size=Size.COMPANY)), german("i")])
    alone = place(catalog, "u 0403; at 0405")
    assert accepts(alone, moves(march(alone, "u", 404, 304)))
    stacked = place(catalog, "u 0403; at 0405; i 0405")
    assert clauses(stacked, moves(march(stacked, "u", 404, 304))) == ["WD 3"]


@pytest.mark.rule("WD 6.A", "WD 6.B.3")
def test_wdtc_m14_points_are_the_limit():
    catalog = field([soviet("u", mobility=Mobility.DRAFT), soviet("w"), german("a")])
    battle = place(catalog, "u 0401; w 0601; a 0605", declared=4)
    found = refusals(battle, moves(march(battle, "u", 402, 403, 404, 405, 406)))
    assert [v.clause for v in found if v.reason == Reason.POINTS] == ["WD 6.A"]
    assert "4 MP left" in found[0].message
    assert "costs 5" in found[0].message
    short = place(catalog, "w 0601; a 0605", declared=2)
    walked = march(short, "w", 602, 603, 604)
    assert cost(short, "w", walked) == mp(3, 2)
    order = moves(walked, assaults=(assault(short, 605, "w"),))
    assert [(v.clause, v.path) for v in refusals(short, order)] == [
        ("WD 6.B.3", "assaults[0].units[0]")]
    enough = place(catalog, "w 0602; a 0605", declared=2)
    order = moves(march(enough, "w", 603, 604), assaults=(assault(enough, 605, "w"),))
    assert accepts(enough, order)


@pytest.mark.rule("WD 20.A", "WD 20.B")
def test_wdtc_m16_engineers_and_bridges():
    catalog = field([german("e", traits="demolition close_combat"), german("b", traits="bridge")],
                    river=RIVER, road="0405-0505-0605")
    battle = place(catalog, "e 0405; b 0411", side=Side.GERMAN, bridges="0505")
    entering = march(battle, "e", 505)
    assert cost(battle, "e", entering, destroy(battle, "e")) == mp(1, 4) + 1
    done = after(battle, moves(entering, destroy(battle, "e")))
    assert done.bridges == ()
    assert clauses(battle, moves(destroy(battle, "e"))) == ["WD 20.A"]
    builds = moves(march(battle, "b", 511), build(battle, "b"))
    built = after(battle, builds)
    assert [number(event.hex) for event in of_kind(built.events, BridgeBuilt)] == [511]
    assert clauses(battle, moves(march(battle, "b", 511), build(battle, "b"),
                                 march(battle, "b", 512), build(battle, "b"))) == ["WD 20.B"]
    assert built.units[unit(built, "b")].status & Status.BRIDGED


@pytest.mark.rule("WD 20.A")
def test_only_engineers_and_construction_units_destroy_bridges():
    catalog = field([soviet("u")], river=RIVER)
    battle = place(catalog, "u 0505", bridges="0505")
    assert clauses(battle, moves(destroy(battle, "u"))) == ["WD 20.A"]
    assert clauses(battle, moves(build(battle, "u"))) == ["WD 20.B"]


@pytest.mark.rule("WD 16.B")
def test_wdtc_m17_thaw_rivers_are_left_by_the_same_bank():
    catalog = mover(Mobility.WHEEL, river=RIVER)
    battle = place(catalog, "u 0605", weather=Weather.THAW)
    assert accepts(battle, moves(march(battle, "u", 506, 606)))
    found = refusals(battle, moves(march(battle, "u", 506, 405)))
    assert [(v.clause, v.path) for v in found] == [("WD 16.B", "actions[0].path[1]")]
    frost = place(catalog, "u 0605")
    assert accepts(frost, moves(march(frost, "u", 506, 405)))
    waded = after(place(catalog, "u 0605", weather=Weather.THAW), moves(march(battle, "u", 506)))
    later = place(catalog, "", weather=Weather.THAW, units=tuple(waded.units))
    assert clauses(later, moves(march(later, "u", 405))) == ["WD 16.B"]
    assert accepts(later, moves(march(later, "u", 606)))


@pytest.mark.rule("WD 3.E", "WD 16.B")
def test_in_a_thaw_tanks_in_a_river_have_no_zone_on_the_bank_they_cannot_reach():
    catalog = field([soviet("u"), tanks(german("t"))], river=RIVER)
    state = place(catalog, "u 0405; t 0506", weather=Weather.THAW).freeze()
    banks = {"east": 2, "west": 1}
    for bank, stops in (("east", False), ("west", True)):
        tank = state.units[catalog.unit_index["t"]]._replace(bank=banks[bank])
        units = tuple(tank if index == catalog.unit_index["t"] else unit
                      for index, unit in enumerate(state.units))
        battle = place(catalog, "", weather=Weather.THAW, units=units)
        refused = clauses(battle, moves(march(battle, "u", 406, 306)))
        assert refused == (["WD 3"] if stops else [])


@pytest.mark.rule("WD 16.B")
def test_leg_units_cross_rivers_in_a_thaw():
    battle = place(mover(Mobility.LEG, river=RIVER), "u 0605", weather=Weather.THAW)
    assert cost(battle, "u", march(battle, "u", 506, 405)) == 1


@pytest.mark.rule("WD 6.A")
def test_nobody_enters_an_enemy_hex():
    battle = place(field([soviet("u"), german("a")]), "u 0404; a 0405")
    found = refusals(battle, moves(march(battle, "u", 405)))
    assert [(v.clause, v.reason) for v in found] == [("WD 6.A", Reason.ENEMY_OCCUPIED)]


@pytest.mark.rule("WD E.19")
def test_soviet_units_enter_a_bunker_hex_only_by_assault():
    catalog = field([soviet("u")], city="0405", bunkers={405: 10})
    battle = place(catalog, "u 0404")
    assert clauses(battle, moves(march(battle, "u", 405))) == ["WD E.19"]
    destroyed = place(catalog, "u 0404", bunkers=(0,))
    assert accepts(destroyed, moves(march(destroyed, "u", 405)))


@pytest.mark.rule("WD 6.B.2")
def test_deploying_costs_one_point_and_moving_concentrates():
    catalog = field([guns(soviet("g")), soviet("u")])
    battle = place(catalog, "g 0404; u 0406")
    assert cost(battle, "g", deploy(battle, "g")) == 1
    done = after(battle, moves(deploy(battle, "g")))
    assert done.units[unit(done, "g")].status & Status.DEPLOYED
    again = place(catalog, "g 0404 deployed; u 0406")
    assert clauses(again, moves(deploy(again, "g"))) == ["WD 6.B.2"]
    assert clauses(again, moves(deploy(again, "u"))) == ["WD 6.B.2"]
    moved = after(again, moves(march(again, "g", 405)))
    assert not moved.units[unit(moved, "g")].status & Status.DEPLOYED


@pytest.mark.rule("WD 4")
def test_wdtc_s04_stacks_may_be_passed_but_not_left_too_large():
    catalog = field([soviet("u"), soviet("v")])
    battle = place(catalog, "u 0404; v 0405")
    assert accepts(battle, moves(march(battle, "u", 405, 406)))
    found = refusals(battle, moves(march(battle, "u", 405)))
    assert [(v.clause, v.reason) for v in found] == [("WD 4.B", Reason.STACKING)]
    both = moves(march(battle, "u", 405), march(battle, "v", 406))
    assert accepts(battle, both)
    marks = dict(zip(map(number, options(battle, "u").hexes), options(battle, "u").marks,
                     strict=True))
    assert marks[405] & Mark.MAY_NOT_END
    assert not marks[406] & Mark.MAY_NOT_END


@pytest.mark.rule("WD 5")
def test_wdtc_i02_a_pass_moves_by_rail_only():
    catalog = field([soviet("u"), german("a")], rail=ROAD)
    battle = place(catalog, "u 1212; a 0405", kind=ImpulseKind.PASS, declared=1)
    assert clauses(battle, moves(march(battle, "u", 1211))) == ["WD 5"]
    ours = field([german("u"), soviet("a")], rail=ROAD)
    battle = place(ours, "u 0105; a 0405", kind=ImpulseKind.PASS, declared=1, side=Side.GERMAN)
    assert accepts(battle, moves(rail(battle, "u", 112)))
    close = place(ours, "u 0105; a 0205", kind=ImpulseKind.PASS, declared=1, side=Side.GERMAN)
    assert "WD 5" in clauses(close, moves(assaults=(assault(close, 205, "u"),)))


def test_every_refusal_says_where_and_changes_nothing():
    catalog = field([soviet("u"), german("a")])
    battle = place(catalog, "u 0404; a 0405")
    order = moves(march(battle, "a", 406), march(battle, "u", 405), march(battle, "u", 407),
                  march(battle, "u u", 403))
    found = refusals(battle, order)
    assert [v.path for v in found] == ["actions[0].units[0]", "actions[1].path[0]",
                                       "actions[2].path[0]", "actions[3].units[1]"]
    assert all(v.message.endswith(".") and v.clause.startswith("WD ") for v in found)
    before = battle.freeze()
    from lovat_server.games.white_death.game import WHITE_DEATH
    refused = WHITE_DEATH.submit(catalog, before, order, battle.dice)
    assert refused.state is before
    assert not refused.events


def test_listed_costs_are_the_costs_judged():
    catalog = field([soviet("u"), german("a")], forest="0404 0504", creek="0604 0605",
                    road="0405-0505-0605", lake="0402-0403")
    battle = place(catalog, "u 0403; a 0708", declared=3)
    found = options(battle, "u")
    previous = dict(zip(found.hexes, found.previous, strict=True))
    for hex_, price in zip(found.hexes, found.costs, strict=True):
        path = [hex_]
        while previous[path[0]] != at(403):
            path.insert(0, previous[path[0]])
        assert cost(battle, "u", march(battle, "u", *map(number, path))) == mp(price, MP)
    assert battle.decision.kind == DecisionKind.MOVE_AND_DECLARE
