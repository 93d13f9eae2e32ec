"""[WD 23, E.23] Optional: abandoned equipment, and new equipment."""

from __future__ import annotations

from typing import Any

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death import (
    abandonment,
    antitank_fire,
    artillery,
    assault,
    barrage,
    conventional_fire,
    engagement,
    morale,
    reinforcements,
    retreat,
    zones,
)
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    EquipmentAbandoned,
    RetreatRequired,
    UnitExited,
    UnitRetreated,
)
from lovat_server.games.white_death.orders import (
    Abandon,
    Deploy,
    Exit,
    MoveAndDeclare,
    Retreat,
    Route,
)
from lovat_server.games.white_death.state import Options, Pending
from lovat_server.games.white_death.terms import (
    FP,
    OFF_MAP,
    Cause,
    DecisionKind,
    ImpulseKind,
    Kind,
    Mobility,
    Phase,
    Side,
    Size,
    Status,
)
from lovat_server.games.white_death.travel import mobility_of
from lovat_server.hexmap.grid import hexes_of

from .field import at, field, german, guns, number, place, soviet
from .playing import accepts, after, clauses, cost, listing, march, moves, options, refusals, unit

IN_USE = Options(abandoned_equipment=True)
AREAS = {"S": "0512 0612", "SW": "0112 0111", "W": "0105 0106", "NW": "0101", "E": "1205 1206",
         "SE": "1112 1012", "NE": "1101", "S-OPEN": "0710", "SW-OPEN": "0310 0710"}


def catalog(**terrain: str) -> Catalog:
    return field(
        units=[
            guns(german("art")), guns(german("nebel", traits="rocket")),
            guns(german("aa"), barrage=0, range_=0, support=0)._replace(
                kind=Kind.LIGHT_WEAPONS, antitank=2 * FP, size=Size.COMPANY),
            german("bn"), german("holder"),
            guns(soviet("gun")), guns(soviet("katyusha", traits="conspicuous")),
            soviet("rifle"), soviet("enemy"),
        ],
        areas=AREAS, **terrain)


def playing(line: str, *, side: Side = Side.GERMAN, used: bool = True, terrain: Any = None,
            **more: Any) -> Battle:
    return place(catalog(**(terrain or {})), line, side=side,
                 options=IN_USE if used else Options(), **more)


def abandon(battle: Battle, *ids: str) -> Abandon:
    return Abandon(tuple(unit(battle, id_) for id_ in ids))


def leave(battle: Battle, *ids: str) -> MoveAndDeclare:
    return moves(Exit(tuple(unit(battle, id_) for id_ in ids)))


# ---------------------------------------------------------------- of one's own will

@pytest.mark.rule("WD 23")
def test_refused_where_the_rule_is_not_used() -> None:
    battle = playing("art 0505", used=False)
    found = refusals(battle, moves(abandon(battle, "art")))
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.SPECIAL_UNIT, "WD 23", "actions[0].units[0]")]
    assert "not in use" in found[0].message
    assert accepts(playing("art 0505"), moves(abandon(battle, "art")))


@pytest.mark.rule("WD 23")
@pytest.mark.parametrize(("side", "line", "id_"), [
    (Side.GERMAN, "bn 0505", "bn"), (Side.SOVIET, "katyusha 0505", "katyusha"),
    (Side.GERMAN, "art 0505 abandoned", "art"), (Side.GERMAN, "bn 0505", "art")])
def test_weapons_units_on_the_map_once_and_never_the_guards_rockets(side: Side, line: str,
                                                                    id_: str) -> None:
    battle = playing(line, side=side)
    assert clauses(battle, moves(abandon(battle, id_))) == ["WD 23"]


@pytest.mark.rule("WD 23")
def test_german_rockets_may_abandon_theirs() -> None:
    battle = playing("nebel 0505")
    assert accepts(battle, moves(abandon(battle, "nebel")))


@pytest.mark.rule("WD 23")
def test_even_in_a_pass_and_without_spending_points() -> None:
    battle = playing("art 0505", kind=ImpulseKind.PASS, declared=1)
    assert accepts(battle, moves(abandon(battle, "art")))
    battle = playing("art 0505")
    assert cost(battle, "art", abandon(battle, "art")) == 0


@pytest.mark.rule("WD 23")
def test_strength_stays_and_nothing_counts_as_lost() -> None:
    battle = playing("art 0505 2 deployed; bn 0505")
    before = battle.freeze()
    abandonment.abandon(battle, unit(battle, "art"))
    state = battle.units[unit(battle, "art")]
    assert battle.events == [EquipmentAbandoned(unit(battle, "art"))]
    assert (state.strength, state.status & Status.DEPLOYED) == (2, 0)
    assert battle.ledger.lost == (0, 0)
    assert replay(battle.catalog, before, battle.events) == battle.freeze()


# ---------------------------------------------------------------- what is left of it

@pytest.mark.rule("WD 23")
def test_factors_and_kind() -> None:
    battle = playing("art 0505 2 abandoned; aa 0404 abandoned; enemy 0506")
    art, aa = unit(battle, "art"), unit(battle, "aa")
    assert conventional_fire.conventional_factor(battle, art) == FP
    assert antitank_fire.antitank_factor(battle, aa) == 0
    assert antitank_fire.antitank_factor(battle, art) == 0
    assert conventional_fire.kind_of(battle, art) == Kind.PERSONNEL
    assert conventional_fire.defence_value(battle, art) == 6 * FP
    assert mobility_of(battle, art) == Mobility.LEG
    assert not barrage.barrage_options(battle)
    assert artillery.support_refusal(battle, art, Phase.DEFENSIVE_FIRE) is not None


@pytest.mark.rule("WD 23")
@pytest.mark.rule("WD 9.A")
def test_it_fires_on_the_defence_only() -> None:
    battle = playing("art 0505 2 abandoned; enemy 0506")
    art = unit(battle, "art")
    refused = assault.refusal(battle, art, at(506))
    assert refused is not None
    assert refused[1] == "WD 9.A"
    assert engagement.conventional_value(battle, art, at(506), Phase.ASSAULT) == 0
    assert engagement.conventional_value(battle, art, at(505), Phase.DEFENSIVE_FIRE) == 2 * FP
    found = options(battle, "art")
    assert found is not None
    assert found.assaults == ()


@pytest.mark.rule("WD 23")
def test_it_does_not_deploy() -> None:
    battle = playing("art 0505 abandoned")
    assert clauses(battle, moves(Deploy((unit(battle, "art"),)))) == ["WD 6.B.2"]


@pytest.mark.rule("WD 23")
@pytest.mark.rule("WD 3.C")
def test_it_may_enter_enemy_zones_on_foot() -> None:
    line = "art 0504{}; enemy 0506"
    battle = playing(line.format(""))
    assert clauses(battle, moves(march(battle, "art", 505))) == ["WD 3.C"]
    assert accepts(battle, moves(abandon(battle, "art"), march(battle, "art", 505)))
    battle = playing(line.format(" abandoned"))
    assert cost(battle, "art", march(battle, "art", 505)) == 0.5
    assert clauses(battle, moves(march(battle, "art", 505, 605))) == ["WD 3"]    # and stops there
    listed = options(battle, "art")
    assert listed is not None
    assert at(505) in listed.hexes


@pytest.mark.rule("WD 23")
@pytest.mark.rule("WD 3.E")
def test_it_goes_and_controls_where_men_on_foot_can() -> None:
    terrain = {"forest": "0505"}
    battle = playing("art 0504", terrain=terrain)
    assert not zones.zone_board(battle, Side.GERMAN) >> at(505) & 1
    assert clauses(battle, moves(march(battle, "art", 505))) == ["WD 7"]
    battle = playing("art 0504 abandoned", terrain=terrain)
    assert zones.zone_board(battle, Side.GERMAN) >> at(505) & 1
    assert zones.zone_of(battle, unit(battle, "art")) >> at(505) & 1
    assert accepts(battle, moves(march(battle, "art", 505)))


@pytest.mark.rule("WD 23")
@pytest.mark.rule("WD 3")
def test_a_company_without_its_guns_has_a_zone_alone() -> None:
    for status, controls in (("", False), (" abandoned", True)):
        battle = playing(f"aa 0505{status}")
        assert zones.has_zone(battle, unit(battle, "aa")) is controls
        assert bool(zones.zone_board(battle, Side.GERMAN)) is controls


@pytest.mark.rule("WD 14.C.2")
@pytest.mark.rule("WD 23")
def test_guns_left_behind_steady_nobody() -> None:
    for status, steady in (("", True), (" abandoned", False)):
        plain = field(units=[guns(german("at", traits="steady")), german("bn")])
        battle = place(plain, f"at 0505{status}; bn 0505")
        assert morale.is_immune_to_fright(battle, battle.catalog.unit_index["bn"]) is steady


# ---------------------------------------------------------------- without being asked

@pytest.mark.rule("WD E.23")
@pytest.mark.parametrize("used", [True, False])
@pytest.mark.parametrize(("id_", "side"), [("art", Side.GERMAN), ("katyusha", Side.SOVIET),
                                           ("bn", Side.GERMAN)])
def test_a_rout_by_itself_leaves_no_equipment(used: bool, id_: str, side: Side) -> None:
    battle = playing(f"{id_} 0505 3", used=used, dice=(6, 6), side=side.enemy, phasing=side.enemy)
    index = unit(battle, id_)
    assert morale.check(battle, index, Cause.BARRAGE, 1, Phase.BARRAGE) is not None
    assert any(isinstance(event, RetreatRequired) for event in battle.events)
    assert not any(isinstance(event, EquipmentAbandoned) for event in battle.events)
    assert battle.units[index].strength == 2


@pytest.mark.rule("WD E.23")
@pytest.mark.parametrize("used", [True, False])
@pytest.mark.parametrize(("enemy", "through"), [("0603", True), ("1111", False)])
def test_a_rout_through_a_zone_leaves_the_equipment_and_another_does_not(
        used: bool, enemy: str, through: bool) -> None:
    terrain = {"forest": "0506 0404 0405 0604 0605"}         # one way out, by 0504
    battle = playing(f"art 0505 3; enemy {enemy}", used=used, dice=(6, 6), terrain=terrain,
                     side=Side.SOVIET, phasing=Side.SOVIET, phase=Phase.ASSAULT)
    index = unit(battle, "art")
    morale.check(battle, index, Cause.CONVENTIONAL, 1, Phase.ASSAULT)
    way = next(path for path in retreat.routes(battle, index)
               if retreat.passes_zone(battle, Side.GERMAN, path) is through)
    retreat.resolve(battle, Retreat((Route(index, way),)))
    assert battle.units[index].strength == 2 - through
    left = any(isinstance(event, EquipmentAbandoned) for event in battle.events)
    assert left is (used and through)


@pytest.mark.rule("WD E.23")
def test_a_failed_check_does_not() -> None:
    battle = playing("art 0505 3", dice=(4, 4), phasing=Side.SOVIET, side=Side.SOVIET)
    morale.check(battle, unit(battle, "art"), Cause.CONVENTIONAL, 1, Phase.ASSAULT)
    assert not battle.units[unit(battle, "art")].status & Status.ABANDONED


def retreating(line: str, *ids: str, used: bool = True, terrain: Any = None) -> Battle:
    battle = playing(line, used=used, decision=DecisionKind.RETREAT, phasing=Side.SOVIET,
                     phase=Phase.ASSAULT, terrain=terrain)
    battle.retreats = tuple(Pending(unit(battle, id_), battle.units[unit(battle, id_)].hex)
                            for id_ in ids)
    return battle


@pytest.mark.rule("WD E.23")
@pytest.mark.parametrize("used", [True, False])
def test_a_retreat_through_a_zone_leaves_the_equipment(used: bool) -> None:
    terrain = {"forest": "0506 0404 0405 0604 0605"}         # one way out, by 0504
    for enemy, through in (("0603", True), ("1111", False)):
        battle = retreating(f"art 0505 3; enemy {enemy}", "art", used=used, terrain=terrain)
        art = unit(battle, "art")
        path = retreat.routes(battle, art)[0]
        assert path[0] == at(504)
        assert retreat.passes_zone(battle, Side.GERMAN, path) is through
        retreat.resolve(battle, Retreat((Route(art, path),)))
        assert battle.units[art].strength == 3 - through
        assert bool(battle.units[art].status & Status.ABANDONED) is (used and through)


@pytest.mark.rule("WD 23")
def test_an_owner_may_leave_it_to_retreat_on_foot() -> None:
    """With its guns the unit cannot go into the forest; without them it can."""
    ring = "0504 0604 0605 0506 0405 0404 0606 0406"
    battle = retreating("art 0505 3; enemy 1111", "art", terrain={"forest": ring})
    art = unit(battle, "art")
    assert retreat.routes(battle, art) == ()
    on_foot = Retreat(abandon=(art,))
    assert retreat.judge(battle, on_foot) == []
    done = battle.fork()
    retreat.resolve(done, on_foot)
    assert any(isinstance(event, UnitRetreated) for event in done.events)
    assert done.units[art].strength == 3
    retreat.resolve(battle, Retreat())
    assert battle.units[art].strength == 0                # with them it has nowhere to go


@pytest.mark.rule("WD 23")
@pytest.mark.parametrize(("used", "id_"), [(False, "art"), (True, "bn"), (True, "nebel")])
def test_only_weapons_units_that_must_retreat_and_only_by_the_rule(used: bool, id_: str) -> None:
    battle = retreating("art 0505 3; bn 0505 3; nebel 0707", "art", "bn", used=used)
    found = retreat.judge(battle, Retreat(abandon=(unit(battle, id_),)))
    assert [v.clause for v in found] == ["WD 23"]


@pytest.mark.rule("WD 23")
def test_the_guards_rockets_do_not_leave_theirs_to_retreat() -> None:
    battle = playing("katyusha 0505 3", decision=DecisionKind.RETREAT, side=Side.SOVIET,
                     phasing=Side.GERMAN, phase=Phase.ASSAULT)
    index = unit(battle, "katyusha")
    battle.retreats = (Pending(index, at(505)),)
    assert [v.clause for v in retreat.judge(battle, Retreat(abandon=(index,)))] == ["WD 23"]


# ---------------------------------------------------------------- new equipment

@pytest.mark.rule("WD 23")
@pytest.mark.parametrize(("side", "id_", "hex_", "away"), [
    (Side.GERMAN, "art", "0105", 2), (Side.GERMAN, "art", "0512", 2),
    (Side.GERMAN, "art", "0101", 2), (Side.SOVIET, "gun", "1205", 3),
    (Side.SOVIET, "gun", "1112", 3), (Side.SOVIET, "katyusha", "1101", 3)])
def test_it_leaves_at_an_entry_area_and_is_away(side: Side, id_: str, hex_: str,
                                                away: int) -> None:
    battle = playing(f"{id_} {hex_} 2 abandoned", side=side, turn=4)
    done = after(battle, leave(battle, id_))
    index = unit(battle, id_)
    assert UnitExited(index, at(int(hex_)), 4 + away) in done.events
    state = done.units[index]
    assert (state.hex, state.strength, state.due) == (OFF_MAP, 2, 4 + away)
    assert not state.status & Status.ABANDONED
    assert done.ledger.lost == (0, 0)


@pytest.mark.rule("WD 23")
@pytest.mark.parametrize(("line", "id_"), [
    ("art 0105", "art"),                       # has its equipment
    ("art 0505 abandoned", "art"),             # not at an entry area
    ("art 1205 abandoned", "art"),             # at one of the enemy's
    ("nebel 0105 abandoned", "nebel"),         # German rockets
    ("bn 0105", "bn")])
def test_who_may_not_leave_the_map(line: str, id_: str) -> None:
    battle = playing(line)
    found = refusals(battle, leave(battle, id_))
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.ENTRY_AREA, "WD 23", "actions[0].units[0]")]


@pytest.mark.rule("WD 23")
def test_it_may_march_to_the_area_and_leave_in_one_impulse_but_not_in_a_pass() -> None:
    battle = playing("art 0205 2 abandoned")
    order = moves(march(battle, "art", 106), Exit((unit(battle, "art"),)))
    assert accepts(battle, order)
    battle = playing("art 0105 abandoned", kind=ImpulseKind.PASS, declared=1)
    assert clauses(battle, leave(battle, "art")) == ["WD 5"]


@pytest.mark.rule("WD 23")
@pytest.mark.parametrize(("side", "id_", "hex_", "turn", "areas"), [
    (Side.GERMAN, "art", "0105", 6, "S SW W NW"), (Side.SOVIET, "gun", "1205", 7, "E SE NE")])
def test_it_comes_back_with_new_equipment_at_its_strength(side: Side, id_: str, hex_: str,
                                                          turn: int, areas: str) -> None:
    battle = playing(f"{id_} {hex_} 2 abandoned; holder 0710", side=side, turn=4)
    index = unit(battle, id_)
    battle = after(battle, leave(battle, id_))
    battle.turn, battle.impulses = turn - 1, (4, 4)
    assert not reinforcements.is_due(battle, index)
    battle.turn, battle.impulses = turn, (1, 1)
    battle.touch()
    assert reinforcements.is_due(battle, index)
    expected = {hex_ for area in areas.split() for hex_ in AREAS[area].split()}
    assert {f"{number(hex_):04d}" for hex_ in
            hexes_of(reinforcements.entry_hexes(battle, index))} == expected
    assert mobility_of(battle, index) == Mobility.DRAFT
    assert conventional_fire.kind_of(battle, index) == Kind.HEAVY_WEAPONS
    assert battle.units[index].strength == 2


@pytest.mark.rule("WD 23")
def test_back_on_the_map_it_is_an_ordinary_unit_again() -> None:
    battle = playing("art 0105 2 abandoned; holder 0710", turn=4)
    battle = after(battle, leave(battle, "art"))
    index = unit(battle, "art")
    again = playing("holder 0710", turn=6, impulses=(1, 1))
    again.units[index] = battle.units[index]
    done = after(again, moves(march(again, "art", 105)))
    assert done.units[index].hex == at(105)
    assert done.units[index].due == 0
    assert listing(again).units
