"""[WD 25.3] Set-up."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import pytest

from lovat_server.core.violations import Reason, Violation
from lovat_server.games.white_death import set_up, stacking
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import BridgeBuilt, UnitPlaced
from lovat_server.games.white_death.orders import Placement, SetUp
from lovat_server.games.white_death.state import Bridge, Decision, State, UnitState
from lovat_server.games.white_death.terms import DecisionKind, Mobility, Side, Size, Status
from lovat_server.hexmap.grid import hexes_of
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, guns, number, place, soviet, tanks

AREAS = {"G": "0303 0304 0404 0606", "S": "0305 0404 0505 0506 0606 0808", "R": "0808"}


def catalog(**more: Any) -> Catalog:
    return field(
        units=[german("g1", set_up="G"), german("g2", set_up="G"), german("g3", set_up="G"),
               german("g4", set_up="G"), tanks(german("panzer", set_up="G")),
               german("later", set_up="", arrival_turn=3, arrival_area="W"),
               soviet("s1", set_up="S"), soviet("s2", set_up="S"),
               tanks(soviet("t34", set_up="S"))],
        areas=AREAS, **{"forest": "0404 0505", **more})


def setting_up(side: Side = Side.GERMAN, line: str = "", **more: Any) -> Battle:
    return place(catalog(**more), line, decision=DecisionKind.SET_UP, side=side)


def order(battle: Battle, line: str) -> SetUp:
    """"g1 0303; g2 0304" as an order."""
    placements = []
    for entry in filter(None, (part.strip() for part in line.split(";"))):
        id_, hex_ = entry.split()
        placements.append(Placement(battle.catalog.unit_index[id_], at(int(hex_))))
    return SetUp(tuple(placements))


def judged(battle: Battle, line: str) -> list[Violation]:
    return set_up.judge(battle, order(battle, line))


GERMANS = "g1 0303; g2 0303; g3 0303; g4 0304; panzer 0304"


@pytest.mark.rule("WD 25")
def test_a_whole_set_up_is_accepted_and_resolved() -> None:
    battle = setting_up()
    before = battle.freeze()
    wanted = order(battle, GERMANS)
    assert set_up.judge(battle, wanted) == []
    set_up.resolve(battle, wanted)
    assert len(battle.events) == 5
    assert battle.events[0] == UnitPlaced(battle.catalog.unit_index["g1"], at(303))
    assert [battle.catalog.units[index].id for index in battle.stack(at(303))] == ["g1", "g2", "g3"]
    assert replay(battle.catalog, before, battle.events) == battle.freeze()


@pytest.mark.rule("WD 25")
def test_every_unit_exactly_once() -> None:
    found = judged(setting_up(), "g1 0303; g2 0303; g4 0304")
    assert [(v.reason, v.facts["units"]) for v in found] == [(Reason.INCOMPLETE, "g3, panzer")]
    assert "2 of 5 units" in found[0].message
    found = judged(setting_up(), GERMANS + "; g1 0304")
    assert [(v.reason, v.path) for v in found] == [(Reason.DUPLICATE, "placements[5].unit")]


@pytest.mark.rule("WD 25")
def test_only_units_that_are_set_up() -> None:
    found = judged(setting_up(), GERMANS + "; later 0303; s1 0305")
    assert [(v.reason, v.path) for v in found] == [
        (Reason.NOT_AVAILABLE, "placements[5].unit"), (Reason.WRONG_SIDE, "placements[6].unit")]
    battle = setting_up()
    dead = battle.catalog.unit_index["g4"]
    battle.units[dead] = UnitState()
    assert judged(battle, "g1 0303; g2 0303; g3 0303; panzer 0304") == []
    assert judged(battle, GERMANS)[0].reason == Reason.NOT_AVAILABLE


@pytest.mark.rule("WD 25")
def test_inside_the_area() -> None:
    found = judged(setting_up(), GERMANS.replace("g4 0304", "g4 0305"))
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.SET_UP_AREA, "WD 25", "placements[3].hex")]
    assert found[0].facts["hex"] == "0305"


@pytest.mark.rule("WD 25")
def test_not_in_prohibited_terrain() -> None:
    found = judged(setting_up(), GERMANS.replace("panzer 0304", "panzer 0404"))
    assert [(v.reason, v.path) for v in found] == [
        (Reason.PROHIBITED_TERRAIN, "placements[4].hex")]
    assert judged(setting_up(), GERMANS.replace("g4 0304", "g4 0404")) == []   # on foot it may
    assert judged(setting_up(road="0404-0304"),
                  GERMANS.replace("panzer 0304", "panzer 0404")) == []         # along the road


@pytest.mark.rule("WD 4")
def test_within_stacking() -> None:
    found = judged(setting_up(), GERMANS.replace("g4 0304", "g4 0303"))
    assert [(v.reason, v.clause) for v in found] == [(Reason.STACKING, "WD 4.A")]


@pytest.mark.rule("WD 25")
def test_soviets_keep_out_of_german_hexes_and_zones() -> None:
    german_line = "g1 0404; g2 0606"
    battle = setting_up(Side.SOVIET, german_line)
    assert judged(battle, "s1 0506; s2 0808; t34 0506")[0].reason == Reason.ZONE_OF_CONTROL
    found = judged(battle, "s1 0404; s2 0808; t34 0808")
    assert found[0].reason == Reason.ENEMY_OCCUPIED
    found = judged(battle, "s1 0505; s2 0808; t34 0305")
    assert [v.reason for v in found] == [Reason.ZONE_OF_CONTROL] * 1 + [Reason.ZONE_OF_CONTROL]
    found = judged(battle, "s1 0808; s2 0808; t34 0808")
    assert [v.reason for v in found] == [Reason.STACKING]
    # The Germans set up first; Soviet zones mean nothing to them.
    battle = setting_up(Side.GERMAN, "s1 0305; s2 0505")
    assert judged(battle, GERMANS) == []


@pytest.mark.rule("WD E.19")
def test_soviets_keep_out_of_bunker_hexes() -> None:
    battle = setting_up(Side.SOVIET, bunkers={808: 10})
    found = judged(battle, "s1 0808; s2 0506; t34 0606")
    assert [(v.reason, v.clause) for v in found] == [(Reason.ENEMY_OCCUPIED, "WD E.19")]


@pytest.mark.rule("WD 25")
def test_options_are_what_is_accepted() -> None:
    for side, line in ((Side.GERMAN, ""), (Side.SOVIET, "g1 0404; g2 0606; g4 0304")):
        battle = setting_up(side, line)
        options = set_up.options(battle)
        assert [option.unit for option in options] == list(set_up.units_to_place(battle, side))
        for option in options:
            id_ = battle.catalog.units[option.unit].id
            for hex_ in hexes_of(battle.catalog.map.grid.full):
                found = judged(battle, f"{id_} {number(hex_):04d}")
                alone = [v for v in found if v.reason != Reason.INCOMPLETE]
                assert (alone == []) is (hex_ in option.hexes), (id_, number(hex_))


# ---------------------------------------------------------------- what a scenario asks besides

def limited(**scenario: Any) -> Catalog:
    plain = field(
        units=[german("inside", set_up="CITY", traits="garrison_city"),
               guns(german("gun", set_up="CITY", traits="garrison_city")),
               soviet("eng", set_up="S", size=Size.BRIGADE, type="engineer", divisional=False),
               guns(soviet("art", set_up="S")), guns(soviet("heavy", set_up="S"))],
        city="0505 0506 0606", bunkers={505: 10, 506: 10, 606: 10}, river="0801 0802 0803",
        areas={"CITY": "0505 0506 0606", "S": "0707 1010 1111", "EAST-BANK": "1010 1111",
               "BRIDGES": "0801 0802"})
    return replace(plain, scenario=replace(plain.scenario, **scenario))


@pytest.mark.rule("WD 25 scenario II")
def test_the_garrison_sets_up_in_standing_bunkers_only() -> None:
    battle = place(limited(garrison_in_bunkers=True), "", side=Side.GERMAN)
    battle.bunkers[1] = 0
    assert judged(battle, "inside 0505; gun 0606") == []
    assert [v.reason for v in judged(battle, "inside 0506; gun 0606")] == [Reason.SET_UP_AREA]
    assert set_up.options(battle)[0].hexes == (at(505), at(606))
    assert judged(place(limited(), "", side=Side.GERMAN), "inside 0506; gun 0606") == []


@pytest.mark.rule("WD 25 scenario V")
def test_a_personnel_unit_in_every_bunker_hex() -> None:
    battle = place(limited(garrison_in_bunkers=True, personnel_in_bunkers=True), "",
                   side=Side.GERMAN)
    battle.bunkers = [10, 0, 3]
    found = judged(battle, "inside 0505; gun 0606")
    assert [(v.reason, v.facts) for v in found] == [(Reason.INCOMPLETE, {"hex": "0606"})]
    battle.bunkers = [10, 0, 0]
    assert judged(battle, "inside 0505; gun 0505") == []


@pytest.mark.rule("WD 25 scenario III")
@pytest.mark.parametrize(("heavy", "legal"), [("0707", False), ("1111", True)])
def test_soviet_artillery_east_of_the_lowatj(heavy: str, legal: bool) -> None:
    battle = place(limited(artillery_east=2), "", side=Side.SOVIET)
    found = judged(battle, f"eng 1010; art 1010; heavy {heavy}")
    assert (found == []) is legal
    if not legal:
        assert found[0].facts == {"units": "1", "needed": "2"}


@pytest.mark.rule("WD 25 scenario II")
def test_a_bridge_to_begin_with() -> None:
    plain = limited()
    builder = plain.unit_index["eng"]
    bridging = limited(bridge_builders=(builder,), bridge_area="BRIDGES")
    battle = place(bridging, "", side=Side.SOVIET, bridges="0802")
    units = order(battle, "eng 1010; art 1010; heavy 1111").placements
    assert [(option.unit, option.hexes) for option in set_up.bridge_options(battle)] == [
        (builder, (at(801),))]

    def with_bridges(*bridges: tuple[str, int]) -> SetUp:
        return SetUp(units, bridges=tuple(Placement(battle.catalog.unit_index[id_], at(hex_))
                                          for id_, hex_ in bridges))

    assert set_up.judge(battle, with_bridges()) == []
    good = with_bridges(("eng", 801))
    assert set_up.judge(battle, good) == []
    for bad, reason in ((with_bridges(("eng", 802)), Reason.BRIDGE),      # a bridge is there
                        (with_bridges(("eng", 803)), Reason.BRIDGE),      # not in the area
                        (with_bridges(("art", 801)), Reason.BRIDGE),      # no builder
                        (with_bridges(("eng", 801), ("eng", 801)), Reason.DUPLICATE)):
        assert [v.reason for v in set_up.judge(battle, bad)] == [reason]
    set_up.resolve(battle, good)
    assert battle.events[-1] == BridgeBuilt(builder, at(801))
    assert battle.units[builder].status & Status.BRIDGED
    assert set_up.bridge_options(place(plain, "", side=Side.SOVIET)) == ()


# ---------------------------------------------------------------- the standard set-up

@cache
def campaign(scenario: str) -> Catalog:
    return load_catalog(scenario)


def opening(scenario: str, side: Side) -> Battle:
    real = campaign(scenario)
    return Battle(real, State(
        turn=1, units=tuple(UnitState(strength=unit.strength) for unit in real.units),
        bunkers=tuple(bunker.strength for bunker in real.bunkers),
        bridges=tuple(Bridge(hex_) for hex_ in real.scenario.bridges), supply=(0, 0, 0),
        decision=Decision(DecisionKind.SET_UP, side)))


@pytest.mark.rule("WD 25 scenario I")
@pytest.mark.parametrize("scenario", ["purkayevs-attack", "velikiye-luki-campaign"])
def test_the_standard_set_up_is_legal(scenario: str) -> None:
    battle = opening(scenario, Side.GERMAN)
    for side in (Side.GERMAN, Side.SOVIET):
        battle.decision = Decision(DecisionKind.SET_UP, side)
        assert set_up.judge(battle, SetUp(standard=True)) == []
        set_up.resolve(battle, SetUp(standard=True))
    placed = [index for index, unit in enumerate(battle.catalog.units) if unit.set_up]
    assert all(battle.units[index].hex >= 0 for index in placed)
    assert all(stacking.fits(battle.catalog, stack) for stack in battle.stacks().values())


@pytest.mark.rule("WD 25")
def test_standard_or_placements_but_not_both() -> None:
    battle = opening("purkayevs-attack", Side.GERMAN)
    given = set_up.standard_placements(battle, Side.GERMAN)
    assert set_up.judge(battle, SetUp(given)) == []
    assert [v.reason for v in set_up.judge(battle, SetUp(given, standard=True))] == [
        Reason.DUPLICATE]


@pytest.mark.rule("WD 25")
def test_a_scenario_without_a_standard_set_up() -> None:
    found = set_up.judge(setting_up(), SetUp(standard=True))
    assert [(v.reason, v.path) for v in found] == [(Reason.NOT_AVAILABLE, "standard")]
    battle = setting_up()
    places = {"g1": at(303), "g2": at(304), "g3": at(303), "g4": at(304), "panzer": at(304)}
    with_places = replace(battle.catalog, scenario=replace(battle.catalog.scenario,
                                                           standard_set_up=places))
    battle = place(with_places, "", decision=DecisionKind.SET_UP, side=Side.GERMAN)
    assert set_up.judge(battle, SetUp(standard=True)) == []


@pytest.mark.rule("WD 7")
def test_hexes_no_side_of_which_may_be_crossed() -> None:
    battle = setting_up(forest="0404", river="0606", road="0404-0304")
    legs, tracks = (set_up.enterable_board(battle.catalog, mobility, False, 0)
                    for mobility in (Mobility.LEG, Mobility.TRACK))
    assert legs == battle.catalog.map.grid.full
    assert tracks == battle.catalog.map.grid.full        # the road leads into the forest
    battle = setting_up(forest="0404")
    tracks = set_up.enterable_board(battle.catalog, Mobility.TRACK, False, 0)
    assert tracks == battle.catalog.map.grid.full & ~(1 << at(404))
