"""[WD 8] Rail movement."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lovat_server.core.violations import Reason, Violation
from lovat_server.games.white_death import rail
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.terms import ImpulseKind, Side
from lovat_server.hexmap.grid import hexes_of

from .field import at, field, german, guns, number, place, soviet, tanks
from .playing import accepts, after, cost, moves, refusals
from .playing import rail as entrain

LINE = "0106-0206-0307-0407-0508-0608-0709"
TOWNS = "0206 0508"


def catalog(**printed: Any) -> Catalog:
    return field(
        units=[german("bn"), german("big", strength=26), german("limit", strength=25),
               guns(german("art")), tanks(german("panzer")), german("held", traits="garrison_city"),
               soviet("reg"), guns(soviet("gun")), soviet("other")],
        **{"rail": LINE, "town": TOWNS, **printed})


def on(line: str, side: Side = Side.GERMAN, **printed: Any) -> Battle:
    return place(catalog(**printed), line, side=side, phasing=side)


def reached(battle: Battle, id_: str) -> dict[int, tuple[int, ...]]:
    found = rail.destinations(battle, battle.catalog.unit_index[id_])
    return {number(hex_): tuple(number(step) for step in way) for hex_, way in found.items()}


def judged(battle: Battle, ids: str, destination: int) -> list[Violation]:
    units = [battle.catalog.unit_index[id_] for id_ in ids.split()]
    return rail.judge(battle, units, at(destination), "actions[0]")


@pytest.mark.rule("WD 8")
def test_wdtc_m15_infantry_entrains_on_an_open_rail_hex() -> None:
    battle = on("bn 0407")
    assert judged(battle, "bn", 106) == []
    assert reached(battle, "bn") == {
        307: (307,), 206: (307, 206), 106: (307, 206, 106),
        508: (508,), 608: (508, 608), 709: (508, 608, 709)}


@pytest.mark.rule("WD 8")
@pytest.mark.parametrize("id_", ["art", "panzer"])
def test_wdtc_m15_weapons_and_afv_only_in_towns(id_: str) -> None:
    found = judged(on(f"{id_} 0407"), id_, 206)
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.RAIL, "WD 8", "actions[0].units[0]")]
    assert "only in a town" in found[0].message
    battle = on(f"{id_} 0508")
    assert judged(battle, id_, 206) == []
    assert reached(battle, id_) == {206: (407, 307, 206)}
    found = judged(battle, id_, 407)                      # nor may they detrain there
    assert [(v.reason, v.path) for v in found] == [(Reason.RAIL, "actions[0].destination")]


@pytest.mark.rule("WD 8")
def test_wdtc_m15_no_path_through_an_enemy_zone() -> None:
    battle = on("bn 0106; reg 0306")            # its zone takes in 0307; 0206 is a town
    assert reached(battle, "bn") == {206: (206,)}
    found = judged(battle, "bn", 407)
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.RAIL, "WD 8", "actions[0].destination")]
    assert judged(battle, "bn", 307)[0].reason == Reason.ZONE_OF_CONTROL
    assert judged(battle, "bn", 306)[0].reason == Reason.RAIL


@pytest.mark.rule("WD 8")
def test_wdtc_m15_twenty_five_strength_points_a_turn() -> None:
    battle = on("limit 0407; big 0307; bn 0206 1")
    assert judged(battle, "limit", 106) == []
    found = judged(battle, "big", 106)
    assert [(v.reason, v.facts) for v in found] == [
        (Reason.RAIL, {"strength": "26", "left": "25", "limit": "25"})]
    assert len(judged(battle, "limit bn", 106)) == 1       # the 26th
    battle.rail_moved = (25, 24)
    assert judged(battle, "bn", 106) == []
    assert rail.strength_left(battle, Side.GERMAN) == 1
    battle.rail_moved = (0, 25)
    assert [v.facts["left"] for v in judged(battle, "bn", 106)] == ["0"]


@pytest.mark.rule("WD 8")
def test_the_line_must_run_back_to_a_friendly_edge() -> None:
    battle = on("bn 0508; reg 0307")
    found = judged(battle, "bn", 608)
    assert [(v.reason, v.path) for v in found] == [(Reason.RAIL, "actions[0].units[0]")]
    assert "does not run back" in found[0].message
    # Cut in both directions only one end need be open.
    battle = on("bn 0407; reg 0709")
    assert judged(battle, "bn", 508) == []
    assert reached(battle, "bn").keys() == {106, 206, 307, 508}     # 0608 lies in the zone


@pytest.mark.rule("WD 8")
def test_no_unit_entrains_in_an_enemy_zone() -> None:
    assert "does not run back" in judged(on("bn 0307; reg 0306"), "bn", 206)[0].message
    assert judged(on("bn 0206; reg 0306"), "bn", 106) == []         # no zone reaches a town


@pytest.mark.rule("WD 8")
def test_the_edges_of_the_sides() -> None:
    battle = on("reg 0407; bn 0101", Side.SOVIET)
    assert reached(battle, "reg") == {}                    # the west edge is German
    east = "1206-1106-1006-0906"
    battle = on("reg 1006; bn 0101", Side.SOVIET, rail=east)
    assert set(reached(battle, "reg")) == {1206, 1106, 906}
    battle = on("bn 1006; reg 0101", Side.GERMAN, rail=east)
    assert reached(battle, "bn") == {}                     # the east edge is Soviet
    south = "1012-1011-1010"
    battle = on("reg 1010; bn 0101", Side.SOVIET, rail=south, areas={"SE": "1012"})
    assert reached(battle, "reg") == {}                    # nor is the south-east, for trains
    battle = on("bn 1010; reg 0101", Side.GERMAN, rail=south, areas={"SE": "1012"})
    assert set(reached(battle, "bn")) == {1012, 1011}


@pytest.mark.rule("WD 8")
def test_roads_are_no_railroads() -> None:
    battle = on("bn 0407", rail="0106-0206", road="0206-0307-0407")
    assert reached(battle, "bn") == {}
    assert "no railroad is there" in judged(battle, "bn", 206)[0].message
    battle = on("bn 0106", rail="0106-0206", road="0206-0307-0407")
    assert set(reached(battle, "bn")) == {206}


@pytest.mark.rule("WD 8")
def test_the_shortest_way_of_two() -> None:
    ring = "0106-0206-0306-0405-0505-0506-0406-0307-0206"
    battle = on("bn 0206", rail=ring)
    assert reached(battle, "bn")[406] == (307, 406)
    assert reached(battle, "bn")[405] == (306, 405)
    assert reached(battle, "bn")[506] == (307, 406, 506)


@pytest.mark.rule("WD E.19")
def test_soviet_trains_enter_no_bunker_hex() -> None:
    east = "1206-1106-1006-0906"
    battle = on("reg 1206; bn 0101", Side.SOVIET, rail=east, bunkers={1006: 10})
    assert set(reached(battle, "reg")) == {1106}
    assert judged(battle, "reg", 1006)[0].clause == "WD E.19"
    battle.bunkers[0] = 0
    assert set(reached(battle, "reg")) == {1106, 1006, 906}


@pytest.mark.rule("WD 22")
def test_garrisons_by_rail() -> None:
    held = catalog(city="0307 0407")
    held = replace(held, scenario=replace(held.scenario, garrisons=True))
    battle = place(held, "held 0307", side=Side.GERMAN, phasing=Side.GERMAN, turn=1)
    assert judged(battle, "held", 407)[0].reason == Reason.GARRISON
    battle.turn = 2
    assert reached(battle, "held") == {407: (407,)}
    assert judged(battle, "held", 206)[0].reason == Reason.GARRISON
    battle.released = True
    assert judged(battle, "held", 206) == []


@pytest.mark.rule("WD 23")
def test_weapons_without_equipment_entrain_anywhere() -> None:
    assert judged(on("art 0407 abandoned"), "art", 307) == []


@pytest.mark.rule("WD 8")
def test_other_refusals() -> None:
    battle = on("bn 0407; reg 0101")
    assert judged(battle, "reg", 407)[0].reason == Reason.WRONG_SIDE
    assert judged(battle, "big", 407)[0].reason == Reason.NOT_AVAILABLE
    assert judged(battle, "", 407)[0].reason == Reason.INCOMPLETE
    assert [v.reason for v in judged(battle, "bn bn", 307)] == [Reason.DUPLICATE]
    assert "already" in judged(battle, "bn", 407)[0].message
    battle = on("bn 0407; reg 0206")
    assert judged(battle, "bn", 307)[0].reason == Reason.RAIL


@pytest.mark.rule("WD 8")
def test_every_destination_listed_is_accepted_and_no_other() -> None:
    battle = on("bn 0307; art 0206; panzer 0508; reg 0609; other 0305")
    for id_ in ("bn", "art", "panzer"):
        listed = rail.destinations(battle, battle.catalog.unit_index[id_])
        for hex_ in hexes_of(battle.catalog.map.grid.full):
            assert (judged(battle, id_, number(hex_)) == []) is (hex_ in listed)


@pytest.mark.rule("WD 8")
def test_wdtc_m15_orders_by_rail() -> None:
    battle = on("bn 0407; art 0407; limit 0307")
    assert cost(battle, "bn", entrain(battle, "bn", 106)) == 1
    assert accepts(battle, moves(entrain(battle, "bn", 106)))
    found = refusals(battle, moves(entrain(battle, "art", 206)))
    assert [(v.reason, v.clause) for v in found] == [(Reason.RAIL, "WD 8")]
    # The 26th strength point of the turn, in a second order of the same phase.
    both = moves(entrain(battle, "limit", 206), entrain(battle, "bn", 106))
    assert [v.facts["left"] for v in refusals(battle, both)] == ["0"]
    done = after(battle, moves(entrain(battle, "limit", 206)))
    assert done.rail_moved == (0, 25)
    assert done.units[battle.catalog.unit_index["limit"]].hex == at(206)


@pytest.mark.rule("WD 5")
def test_trains_run_in_a_pass() -> None:
    battle = place(catalog(), "bn 0407", side=Side.GERMAN, phasing=Side.GERMAN, declared=1,
                   kind=ImpulseKind.PASS)
    assert accepts(battle, moves(entrain(battle, "bn", 106)))
