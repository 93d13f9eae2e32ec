"""[WD 9, 12] Conventional fire."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import conventional_fire as cf
from lovat_server.games.white_death import engagement, fire
from lovat_server.games.white_death.assault import refusal
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    ConventionalFired,
    MoraleChecked,
    RetreatRequired,
    StrengthLost,
    UnitHalted,
)
from lovat_server.games.white_death.orders import Assault, AssaultFire, DefensiveFire, Fire, Shot
from lovat_server.games.white_death.terms import FP, Cause, Kind, Phase, Side, Status

from .field import at, field, german, guns, place, soviet, tanks

DEFENCE, ASSAULT = Phase.DEFENSIVE_FIRE, Phase.ASSAULT


def assault(catalog: Catalog, hex_: int, *ids: str) -> Assault:
    return Assault(at(hex_), tuple(catalog.unit_index[id_] for id_ in ids))


def light(unit, **printed):
    return unit._replace(kind=Kind.LIGHT_WEAPONS, type="antiaircraft", **printed)


def heavy(unit, **printed):
    return unit._replace(kind=Kind.HEAVY_WEAPONS, type="heavy antiaircraft", **printed)


def odds(attack: int, defence: int) -> str:
    catalog = field([soviet("rifle")])
    battle = place(catalog, "rifle 0404")
    column = cf.column(battle, attack * FP, defence * FP)
    return "no effect" if column is None else catalog.charts.conventional.names[column]


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize(("attack", "defence", "column"), [
    (29, 10, "2:1"), (9, 6, "1.5:1"), (8, 6, "1:1"), (5, 10, "1:2"), (2, 6, "1:3"),
    (1, 6, "no effect"), (42, 6, "7+:1"), (100, 6, "7+:1"),
])
def test_wdtc_c01_odds_are_rounded_for_the_defender(attack, defence, column):
    assert odds(attack, defence) == column


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize(("ratio", "column"), [
    ((1, 3), "1:3"), ((1, 2), "1:2"), ((1, 1), "1:1"), ((3, 2), "1.5:1"), ((2, 1), "2:1"),
    ((3, 1), "3:1"), ((4, 1), "4:1"), ((5, 1), "5:1"), ((6, 1), "6:1"), ((7, 1), "7+:1"),
])
def test_each_column_begins_at_its_exact_ratio(ratio, column):
    catalog = field([soviet("rifle")])
    battle = place(catalog, "rifle 0404")
    attack, defence = ratio[0] * 24, ratio[1] * 24
    names = catalog.charts.conventional.names
    assert names[cf.column(battle, attack, defence)] == column
    below = cf.column(battle, attack - 1, defence)
    assert below is None if column == "1:3" else names[below] == names[names.index(column) - 1]


@pytest.mark.rule("WD 9.C.4")
@pytest.mark.parametrize(("value", "die", "result"), [
    (42, 1, 4), (18, 4, 0), (6, 4, -1), (2, 1, 0), (12, 5, -1), (24, 6, 0), (36, 6, 1), (9, 2, 1),
])
def test_wdtc_c02_results_of_the_table(value, die, result):
    catalog = field([german("bn", strength=8)])
    battle = place(catalog, "bn 0404", dice=(die, 1, 1))
    cf.resolve(battle, DEFENCE, (), 0, value * FP)
    (fired,) = [event for event in battle.events if isinstance(event, ConventionalFired)]
    assert (fired.value, fired.defence) == (value * FP, 6 * FP)
    assert (fired.die, fired.modifier) == (die, result)


@pytest.mark.rule("WD 9.C.4")
@pytest.mark.parametrize(("strength", "value", "lost", "added"), [
    (3, 36, 1, 3),      # 6:1, die 1: MC3
    (4, 42, 2, 4),      # 7+:1, die 1: MC4
    (2, 42, 1, 4), (8, 42, 4, 4), (5, 42, 2, 4), (8, 36, 3, 3),
])
def test_wdtc_c03_at_most_half_is_lost_and_the_check_is_at_the_printed_number(
        strength, value, lost, added):
    catalog = field([german("bn", strength=strength)])
    battle = place(catalog, "bn 0404", dice=(1, 1, 1))
    cf.resolve(battle, DEFENCE, (), 0, value * FP)
    (loss,) = [event for event in battle.events if isinstance(event, StrengthLost)]
    assert (loss.points, loss.cause) == (lost, Cause.CONVENTIONAL)
    (check,) = [event for event in battle.events if isinstance(event, MoraleChecked)]
    assert [modifier.value for modifier in check.modifiers] == [added]
    assert battle.units[0].strength == strength - lost


@pytest.mark.rule("WD 9.C.4")
@pytest.mark.parametrize(("strength", "number", "lost"), [
    (1, 1, 1), (1, 4, 1), (2, 4, 1), (3, 3, 1), (8, 3, 3), (8, 4, 4), (1, 0, 0),
])
def test_what_a_result_takes(strength, number, lost):
    assert cf.loss(strength, number) == lost


@pytest.mark.rule("WD 9.C.4")
def test_wdtc_c03_the_last_strength_point_is_lost_without_a_check():
    catalog = field([german("bn", strength=1)])
    battle = place(catalog, "bn 0404", dice=(1,))
    cf.resolve(battle, DEFENCE, (), 0, 6 * FP)      # 1:1, die 1: MC1
    assert battle.units[0].strength == 0
    assert not [event for event in battle.events if isinstance(event, MoraleChecked)]


@pytest.mark.rule("WD 9.C.4")
def test_an_mc_without_number_takes_nothing_and_checks_without_modifier():
    catalog = field([german("bn", strength=1)])
    battle = place(catalog, "bn 0404", dice=(3, 1, 1))
    cf.resolve(battle, DEFENCE, (), 0, 6 * FP)
    assert battle.units[0].strength == 1
    assert battle.events[-1].modifiers == ()


@pytest.mark.rule("WD 9.C.3")
def test_no_die_falls_under_one_to_three():
    catalog = field([german("bn")])
    battle = place(catalog, "bn 0404")
    assert not cf.resolve(battle, DEFENCE, (), 0, 2 * FP - 1)
    assert battle.events == [ConventionalFired(DEFENCE, (), 0, 15, 48, "", 0, -1)]


TERRAINS = {
    "clear": {}, "creek": {"creek": "0404"}, "river": {"river": "0404"},
    "forest": {"forest": "0404"}, "town": {"town": "0404"}, "bunker": {"bunkers": {404: 10}},
}


@pytest.mark.rule("WD 9.C.2")
@pytest.mark.parametrize(("terrain", "personnel", "heavies", "lights"), [
    ("clear", 6, 2, 5), ("creek", 5, 2, 3), ("river", 4, 2, 2), ("forest", 8, 3, 5),
    ("town", 10, 7, 7), ("bunker", 15, 15, 15),
])
def test_wdtc_c04_defence_by_kind_and_terrain(terrain, personnel, heavies, lights):
    catalog = field([german("bn"), heavy(german("flak")), light(german("pak"))],
                    **TERRAINS[terrain])
    battle = place(catalog, "bn 0404; flak 0404; pak 0404")
    values = [cf.defence_value(battle, catalog.unit_index[id_]) for id_ in ("bn", "flak", "pak")]
    assert values == [personnel * FP, heavies * FP, lights * FP]


@pytest.mark.rule("WD 12")
@pytest.mark.parametrize(("terrain", "value"), [
    ({"river": "0404", "town": "0404"}, 10), ({"river": "0404", "forest": "0404"}, 8),
    ({"river": "0404", "creek": "0404"}, 5), ({"forest": "0404", "creek": "0404"}, 7),
    ({"town": "0404", "bunkers": {404: 1}}, 15),
    ({"forest": "0404", "creek": "0404", "town": "0404"}, 10),
])
def test_wdtc_c04_the_best_terrain_counts_alone(terrain, value):
    battle = place(field([german("bn")], **terrain), "bn 0404")
    assert cf.defence_value(battle, 0) == value * FP


@pytest.mark.rule("WD 12.D")
def test_a_unit_that_assaults_out_of_a_bunker_uses_the_town():
    catalog = field([german("bn"), german("stays"), soviet("rifle")], town="0404",
                    bunkers={404: 10})
    battle = place(catalog, "bn 0404; stays 0404; rifle 0405", phasing=Side.GERMAN,
                   assaults=(assault(catalog, 405, "bn"),))
    assert cf.defence_value(battle, catalog.unit_index["bn"]) == 10 * FP
    assert cf.defence_value(battle, catalog.unit_index["stays"]) == 15 * FP


@pytest.mark.rule("WD 24")
def test_a_mounted_charge_halves_the_defence():
    catalog = field([soviet("cav", traits="cavalry"), soviet("on_foot", traits="cavalry"),
                     german("bn")], forest="0405")
    index = catalog.unit_index
    order = Assault(at(404), (index["cav"], index["on_foot"]), (index["cav"],))
    battle = place(catalog, "cav 0405; on_foot 0405; bn 0404", assaults=(order,))
    assert cf.defence_value(battle, index["cav"]) == 4 * FP
    assert cf.defence_value(battle, index["on_foot"]) == 8 * FP


def stack_under_assault(dice: tuple[int, ...] = ()) -> Battle:
    """A rifle regiment of value 30 against a battalion, a second one and light weapons."""
    catalog = field([soviet("rifle", strength=10), german("bn"), german("bn2"),
                     light(german("pak"))])
    return place(catalog, "rifle 0405; bn 0404; bn2 0404; pak 0404", phase=ASSAULT, dice=dice,
                 assaults=(assault(catalog, 404, "rifle"),))


def shots(battle: Battle, **values: int) -> tuple[Shot, ...]:
    return tuple(Shot(battle.catalog.unit_index[id_], value * FP) for id_, value in values.items())


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize(("values", "faults"), [
    ({"bn": 6, "bn2": 6, "pak": 5}, []),                 # all at 1:1
    ({"bn": 9, "bn2": 9, "pak": 5}, []),
    ({"bn": 6, "bn2": 6, "pak": 8}, [2, 2]),             # 1.5:1 against 1:1, twice
    ({"bn": 9, "bn2": 6, "pak": 8}, [2]),
    ({"bn": 6, "pak": 5}, [1]),                          # bn2 is spared
    ({"pak": 5}, [0, 0]),
    ({"bn": 6}, []),
    ({"bn": 1, "bn2": 1, "pak": 2}, [2, 2]),             # personnel under 1:3
])
def test_wdtc_c05_weapons_are_sheltered_by_personnel(values, faults):
    battle = stack_under_assault()
    order = AssaultFire((Fire(at(404), shots(battle, **values)),))
    found = fire.judge(battle, ASSAULT, order)
    assert [violation.clause for violation in found] == ["WD 9.C.3"] * len(faults)
    assert [int(violation.path.split("[")[2].split("]")[0]) for violation in found] == faults


@pytest.mark.rule("WD 9.C.3")
def test_wdtc_c05_the_refusal_names_units_and_odds():
    battle = stack_under_assault()
    order = AssaultFire((Fire(at(404), shots(battle, bn=9, bn2=6, pak=8)),))
    (violation,) = fire.judge(battle, ASSAULT, order)
    assert violation.path == "fires[0].conventional[2].value"
    assert "pak" in violation.message
    assert "bn2" in violation.message
    assert (violation.facts["odds"], violation.facts["limit"]) == ("1.5:1", "1:1")


@pytest.mark.rule("WD 9.A")
def test_wdtc_c06_a_factor_in_parentheses_fires_on_the_defence_only():
    catalog = field([german("guns", defensive_only=True), soviet("rifle")])
    battle = place(catalog, "guns 0404; rifle 0405", phasing=Side.GERMAN, side=Side.GERMAN)
    index = catalog.unit_index["guns"]
    refused = refusal(battle, index, at(405))
    assert refused is not None
    assert refused[1] == "WD 9.A"
    assert engagement.conventional_value(battle, index, at(405), ASSAULT) == 0
    assert engagement.conventional_value(battle, index, at(404), DEFENCE) == 9 * FP


@pytest.mark.rule("WD 9.B")
def test_wdtc_c07_no_conventional_fire_at_an_afv():
    catalog = field([soviet("rifle"), tanks(german("pz"))])
    battle = place(catalog, "rifle 0405; pz 0404", assaults=(assault(catalog, 404, "rifle"),))
    order = AssaultFire((Fire(at(404), shots(battle, pz=6)),))
    (violation,) = fire.judge(battle, ASSAULT, order)
    assert (violation.clause, violation.path) == ("WD 9.B", "fires[0].conventional[0].target")


@pytest.mark.rule("WD 10.D")
def test_wdtc_c07_an_afv_fires_both_ways_in_one_phase():
    catalog = field([tanks(soviet("t34")), german("bn"), tanks(german("pz"))])
    battle = place(catalog, "t34 0405; bn 0404; pz 0404",
                   assaults=(assault(catalog, 404, "t34"),))
    index = catalog.unit_index
    order = AssaultFire((Fire(at(404), (Shot(index["bn"], 9 * FP),),
                              (Shot(index["pz"], 3 * FP),)),))
    assert fire.judge(battle, ASSAULT, order) == []


@pytest.mark.rule("WD 10.D")
def test_wdtc_c07_a_weapons_unit_fires_one_way_only():
    catalog = field([soviet("rifle"), tanks(soviet("t34")), light(german("pak"), antitank=2 * FP)])
    battle = place(catalog, "rifle 0405; t34 0405; pak 0404",
                   assaults=(assault(catalog, 404, "rifle", "t34"),))
    index = catalog.unit_index
    soft, hard = (Shot(index["rifle"], 9 * FP),), (Shot(index["t34"], 6 * FP),)
    both = DefensiveFire((Fire(at(404), soft, hard, (index["pak"],)),))
    (violation,) = fire.judge(battle, DEFENCE, both)
    assert (violation.clause, violation.path) == ("WD 9.C.3", "fires[0].conventional")
    both = DefensiveFire((Fire(at(404), soft, hard),))
    (violation,) = fire.judge(battle, DEFENCE, both)
    assert (violation.clause, violation.path) == ("WD 10.C.2", "fires[0].antitank")
    for one in (Fire(at(404), soft), Fire(at(404), (), hard, (index["pak"],))):
        assert fire.judge(battle, DEFENCE, DefensiveFire((one,))) == []


@pytest.mark.rule("WD 21.A")
@pytest.mark.parametrize(("terrain", "status", "value"), [
    ({"town": "0404"}, "", 8), ({"town": "0404"}, "isolated", 4),
    ({"town": "0404", "down": "0405-0404"}, "", 16), ({}, "", 4),
    ({"forest": "0404"}, "", 8), ({"town": "0405"}, "", 8), ({"down": "0404-0405"}, "", 4),
    ({"down": "0405-0404"}, "isolated", 4),
])
def test_wdtc_c08_close_combat_isolation_and_slopes_multiply(terrain, status, value):
    catalog = field([soviet("smg", strength=2, conventional=2 * FP, traits="close_combat"),
                     german("bn")], **terrain)
    battle = place(catalog, f"smg 0405 2 {status}; bn 0404")
    index = catalog.unit_index["smg"]
    assert engagement.conventional_value(battle, index, at(404), ASSAULT) == value * FP


@pytest.mark.rule("WD 21.A")
def test_a_defender_is_not_in_the_terrain_of_those_who_assault_it():
    catalog = field([german("sturm", traits="close_combat"), soviet("rifle")], forest="0405")
    battle = place(catalog, "sturm 0404; rifle 0405")
    assert cf.combat_value(battle, catalog.unit_index["sturm"], assaulted=at(404)) == 9 * FP


@pytest.mark.rule("WD 12.B")
@pytest.mark.rule("WD 15.C")
@pytest.mark.rule("WD 21.A")
def test_every_multiplier_is_named_with_its_clause():
    catalog = field([soviet("smg", traits="close_combat"), german("bn")], town="0404",
                    down="0405-0404")
    battle = place(catalog, "smg 0405 3 isolated; bn 0404")
    assert cf.multipliers(battle, catalog.unit_index["smg"], assaulted=at(404), into=at(404)) == (
        ("WD 21.A", "close combat", 2, 1), ("WD 12.B", "down a slope", 2, 1),
        ("WD 15.C", "isolated", 1, 2))
    assert cf.multipliers(battle, catalog.unit_index["bn"], assaulted=at(404), into=at(405)) == ()


@pytest.mark.rule("WD 15.C")
def test_wdtc_c09_isolated_values_keep_their_halves():
    catalog = field([soviet("rifle", strength=3), heavy(german("flak"))])
    battle = place(catalog, "rifle 0405 3 isolated; flak 0404")
    value = engagement.conventional_value(battle, catalog.unit_index["rifle"], at(404), ASSAULT)
    assert value == 4 * FP + FP // 2
    defence = cf.defence_value(battle, catalog.unit_index["flak"])
    assert catalog.charts.conventional.names[cf.column(battle, value, defence)] == "2:1"


@pytest.mark.rule("WD 12.B")
def test_a_defender_fires_double_down_the_slope_and_plain_elsewhere():
    catalog = field([german("bn"), soviet("low"), soviet("level")], down="0404-0405")
    battle = place(catalog, "bn 0404; low 0405; level 0403",
                   assaults=(assault(catalog, 404, "low", "level"),))
    index = catalog.unit_index

    def judged(low: int, level: int) -> list[str]:
        shots_ = tuple(Shot(index[id_], value * FP)
                       for id_, value in (("low", low), ("level", level)) if value)
        order = DefensiveFire((Fire(at(404), shots_),))
        return [violation.clause for violation in fire.judge(battle, DEFENCE, order)]

    assert judged(18, 0) == []
    assert judged(19, 0) == ["WD 9.C.3"]
    assert judged(0, 9) == []
    assert judged(0, 10) == ["WD 9.C.3"]
    assert judged(8, 5) == []
    assert judged(8, 6) == ["WD 9.C.3"]


@pytest.mark.rule("WD 23")
def test_abandoned_weapons_are_personnel_with_a_defensive_factor_of_one():
    catalog = field([guns(german("art"))])
    battle = place(catalog, "art 0404 3 abandoned")
    assert cf.kind_of(battle, 0) == Kind.PERSONNEL
    assert cf.combat_value(battle, 0, assaulted=at(404)) == 3 * FP
    assert cf.is_defensive_only(battle, 0)
    assert battle.units[0].status & Status.ABANDONED


@pytest.mark.rule("WD 23")
def test_a_factor_without_parentheses_gets_them_once_the_equipment_is_abandoned():
    catalog = field([light(german("kept")), light(german("left"))])
    battle = place(catalog, "kept 0404; left 0404 3 abandoned")
    values = [(cf.is_defensive_only(battle, index), cf.conventional_factor(battle, index))
              for index in (catalog.unit_index["kept"], catalog.unit_index["left"])]
    assert values == [(False, 3 * FP), (True, FP)]


@pytest.mark.rule("WD 9.C.5")
@pytest.mark.parametrize(("phase", "follows"), [(DEFENCE, UnitHalted), (ASSAULT, RetreatRequired)])
def test_a_check_that_conventional_fire_calls_for_has_the_effect_of_its_phase(phase, follows):
    battle = place(field([german("bn")]), "bn 0404", dice=(3, 4, 5))     # MC, and 9 is over 8
    assert cf.resolve(battle, phase, (), 0, 6 * FP)
    assert [type(event) for event in battle.events] == [ConventionalFired, MoraleChecked, follows]
