"""The White Death counters: totals, printed counts, errata, ratings and their sources."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import Unit
from lovat_server.games.white_death.terms import FP, Kind, Mobility, Side, Size
from lovat_server.scenarios.arrival_loader import Formation, load_formations
from lovat_server.scenarios.counter_loader import UNPLACED, CounterRecord, load_counters
from lovat_server.scenarios.faults import Fault
from lovat_server.scenarios.folders import game_folder


@cache
def counters() -> dict[str, CounterRecord]:
    faults: list[Fault] = []
    found = {counter.unit.id: counter for counter in load_counters(game_folder(), None, faults)}
    assert not faults
    return found


@cache
def formations() -> dict[str, Formation]:
    faults: list[Fault] = []
    found, _ = load_formations(game_folder(), None, faults)
    assert not faults
    return found


def placed() -> list[Unit]:
    """Every counter that a set-up or an order of appearance brings."""
    return [counter.unit for counter in counters().values()
            if counter.unit.formation != UNPLACED and "by_option" not in counter.unit.traits]


def unit(unit_id: str) -> Unit:
    return counters()[unit_id].unit


def with_trait(trait: str) -> set[str]:
    return {unit.id for unit in placed() if trait in unit.traits}


def test_there_are_377_counters_179_soviet_and_198_german():
    assert len(placed()) == 377
    assert Counter(unit.side for unit in placed()) == {Side.SOVIET: 179, Side.GERMAN: 198}


@pytest.mark.rule("WD Notes.IV")
def test_one_rocket_battalion_is_named_but_comes_by_option_only():
    others = [counter.unit.label for counter in counters().values()
              if counter.unit not in placed()]
    assert others == ["III/1L"]
    third, second = formations()["III/1 Lehr Rocket Battalion"], \
        formations()["II/1 Lehr Rocket Battalion"]
    assert (third.turn, third.impulse, third.area) == (second.turn, second.impulse, second.area)
    assert third.condition == "option"


@pytest.mark.parametrize(("side", "sizes", "kinds", "strength"), [
    (Side.SOVIET, {Size.REGIMENT: 55, Size.BRIGADE: 5, Size.BATTALION: 119},
     {Kind.PERSONNEL: 92, Kind.LIGHT_WEAPONS: 1, Kind.HEAVY_WEAPONS: 59, Kind.AFV: 27}, 790),
    (Side.GERMAN, {Size.BATTALION: 136, Size.COMPANY: 62},
     {Kind.PERSONNEL: 115, Kind.LIGHT_WEAPONS: 25, Kind.HEAVY_WEAPONS: 38, Kind.AFV: 20}, 518),
])
def test_sizes_kinds_and_strength_of_a_side_add_up(side, sizes, kinds, strength):
    own = [unit for unit in placed() if unit.side == side]
    assert Counter(unit.size for unit in own) == sizes
    assert Counter(unit.kind for unit in own) == kinds
    assert sum(unit.strength for unit in own) == strength


@pytest.mark.parametrize("name", list(formations()))
def test_a_formation_has_its_printed_count_of_counters(name):
    held = Counter(counter.unit.size for counter in counters().values()
                   if counter.unit.formation == name)
    assert {size: count for size, count in formations()[name].counts.items() if count} == held


@pytest.mark.parametrize(("name", "turn", "impulse", "area"), [
    ("28 Rifle Division", 0, 0, ""),
    ("381 Rifle Division", 1, 2, "E"),
    ("1 Ski-Jaeger Battalion", 1, 2, "SW"),
    ("8 Panzer Division", 3, 2, "NW"),
    ("360 Rifle Division", 4, 1, "SE"),
    ("1 SS Motorized Brigade", 5, 1, "S"),
    ("1077 Guards Rifle Regiment", 8, 1, "NE"),
    ("331 Infantry Division: remainder", 11, 1, "W"),
])
def test_a_formation_arrives_as_the_order_of_appearance_says(name, turn, impulse, area):
    formation = formations()[name]
    assert (formation.turn, formation.impulse, formation.area) == (turn, impulse, area)


def test_the_optional_reinforcements_are_35_counters():
    optional = {name for name, formation in formations().items()
                if formation.condition not in ("", "option")}
    held = Counter(unit.side for unit in placed() if unit.formation in optional)
    assert held == {Side.SOVIET: 20, Side.GERMAN: 15}


@pytest.mark.rule("WD 22")
def test_the_garrison_of_the_city_is_sixteen_battalions():
    garrison = [unit for unit in placed() if "garrison_city" in unit.traits]
    assert [unit.size for unit in garrison] == [Size.BATTALION] * 16


def test_the_errata_are_applied():
    assert unit("s-257-iii-793-art").strength == 2
    assert unit("g-i-55-rkt").barrage == 20
    assert (unit("g-2-66-afv").label, unit("g-2-66-afv").type) == ("2/66", "T-34 (captured)")
    assert (unit("s-68-mc").label, unit("s-68-mc").mobility) == ("68", Mobility.MOTORCYCLE)
    assert unit("s-334-1124-inf").division == "334"
    assert unit("g-3-iii-112-art").formation == "3 Mountain Division"


def test_an_erratum_and_a_printed_value_are_marked_on_the_very_value():
    rocket = counters()["g-i-55-rkt"].sources
    assert rocket["barrage"] == Provenance.ERRATA
    assert rocket["morale"] == Provenance.RECONSTRUCTED
    tank = counters()["s-2-33tb-afv"].sources
    assert tank["defence"] == Provenance.PRINTED
    assert tank["antitank"] == Provenance.RECONSTRUCTED
    assert counters()["s-257-iii-793-art"].sources["strength"] == Provenance.ERRATA
    assert counters()["s-3sa-eng"].sources["strength"] == Provenance.PRINTED


def test_the_only_printed_factors_are_the_t_70_s_defence_and_the_missing_support():
    printed = {(counter.unit.type, part) for counter in counters().values()
               for part in ("conventional", "antitank", "defence", "morale", "barrage", "range",
                            "support")
               if counter.sources.get(part) == Provenance.PRINTED}
    assert {part for _, part in printed} == {"defence", "support"}
    assert {kind for kind, part in printed if part == "defence"} == {"T-70"}


def test_every_counter_says_where_each_part_and_factor_comes_from():
    for counter in counters().values():
        wanted = {"kind", "identification", "strength", "mobility", "conventional", "antitank",
                  "morale"}
        if counter.unit.is_afv:
            wanted.add("defence")
        if counter.unit.is_artillery:
            wanted |= {"barrage", "range", "support"}
        assert wanted <= counter.sources.keys(), counter.unit.id


@pytest.mark.rule("WD 9.A")
def test_weapons_units_fire_conventionally_only_in_defence():
    for each in placed():
        assert each.defensive_only == each.kind.is_weapons, each.id


@pytest.mark.rule("WD 11.A.1")
def test_non_divisional_soviet_artillery_has_no_support_factor():
    guns = [each for each in placed() if each.side == Side.SOVIET and each.is_artillery]
    assert {each.divisional for each in guns if each.support == 0} == {False}
    assert {each.divisional for each in guns if each.support > 0} == {True}
    assert {each.id for each in guns if not each.divisional} == {
        "s-603-mor", "s-613-art", "s-3sa-rkt", "s-3sa-art", "s-5s-art", "s-2mc-art", "s-8e-art"}


@pytest.mark.rule("WD 2")
def test_corps_and_army_troops_are_not_divisional_and_attached_battalions_have_no_division():
    for each in placed():
        corps = each.division in {"3SA", "2MC", "5S", "8E"}
        assert each.divisional == (bool(each.division) and not corps), each.id
    assert unit("g-ii-47-art").division == ""
    assert unit("s-46-1-34-afv").divisional


@pytest.mark.rule("WD 21.A")
def test_close_combat_units():
    assert {unit(each).type for each in with_trait("close_combat")} == {
        "SMG", "engineer", "commandoes", "paratroopers"}
    assert "close_combat" not in unit("g-3-br-bri").traits


@pytest.mark.rule("WD 20.B")
def test_five_units_may_build_a_bridge():
    assert with_trait("bridge") == {"s-3sa-eng", "s-5s-eng", "s-2mc-eng", "s-8e-eng",
                                    "g-3-br-bri"}


@pytest.mark.rule("WD 20.A")
def test_engineers_and_construction_units_may_destroy_one():
    assert {unit(each).type for each in with_trait("demolition")} == {
        "engineer", "construction", "railroad construction"}


@pytest.mark.rule("WD 21.B")
def test_the_infantry_of_the_331st_is_three_regiments_of_two():
    regiments = Counter(unit(each).regiment for each in with_trait("one_regiment"))
    assert regiments == {"557": 2, "558": 2, "559": 2}


@pytest.mark.rule("WD 21.C")
def test_four_brandenburg_companies_and_a_company_of_captured_tanks():
    assert with_trait("commando") == {"g-12-803-cdo", "g-9-803-cdo", "g-10-803-cdo",
                                      "g-11-803-cdo"}
    assert with_trait("captured_t34") == {"g-2-66-afv"}


@pytest.mark.rule("WD 21.D")
def test_there_are_four_tank_destroyer_units():
    assert Counter(unit(each).type for each in with_trait("tank_destroyer")) == {
        "Marder II": 1, "SU-76": 2, "SU-122": 1}


@pytest.mark.rule("WD 14.C.2")
def test_german_afvs_antitank_guns_and_the_heavy_antiaircraft_battalion_are_steady():
    for each in placed():
        steady = each.side == Side.GERMAN and (
            each.is_afv or each.type in {"antitank", "heavy antiaircraft"})
        assert ("steady" in each.traits) == steady, each.id


@pytest.mark.rule("WD 18")
def test_replacements_are_for_soviet_personnel_and_german_army_and_ski_personnel():
    for each in placed():
        able = each.kind == Kind.PERSONNEL and (
            each.side == Side.SOVIET or each.colour in {"army", "ski"})
        assert ("replaceable" in each.traits) == able, each.id
    assert not {"g-43-pol", "g-12-803-cdo", "g-i-6lw-inf", "g-hv-rfss"} & with_trait(
        "replaceable")


@pytest.mark.rule("WD E.4-B")
def test_each_rifle_division_has_three_artillery_battalions_that_are_one_regiment():
    divisions = Counter(unit(each).division for each in with_trait("rifle_artillery"))
    assert len(divisions) == 15
    assert set(divisions.values()) == {3}


@pytest.mark.rule("WD 4.A")
def test_companies_of_one_battalion_are_known_as_such():
    battalions = Counter(each.battalion for each in placed() if each.battalion)
    assert battalions == {"1SJ": 4, "3SJ": 4, "5SJ": 4, "6SJ": 4, "8SJ": 4, "AAW": 3, "2 AT": 3,
                          "20 AT": 3, "I/15": 4, "18": 4, "185": 2, "III/803": 4}


@pytest.mark.rule("WD 3.B")
def test_ski_antitank_companies_are_ski_coloured_and_horse_drawn():
    company = unit("g-at-1sj")
    assert (company.colour, company.mobility) == ("ski", Mobility.DRAFT)


def test_factors_follow_the_rating_rules():
    rifle = unit("s-28-88-inf")
    assert (rifle.conventional, rifle.antitank, rifle.morale) == (FP, FP // 4, 7)
    assert unit("s-21-59g-inf").morale == 9
    assert unit("s-7e-27-inf").morale == 6
    assert unit("g-331-i-557-inf").morale == 5
    assert unit("g-795-sec").morale == 5
    mortar = unit("s-603-mor")
    assert (mortar.barrage, mortar.range, mortar.support) == (4, 3, 0)
    heavy = unit("g-833-art")
    assert (heavy.barrage, heavy.range, heavy.support) == (8, 10, 4)
    flak = unit("g-aa-6lw-haa")
    assert (flak.antitank, flak.range) == (3 * FP, 9)
