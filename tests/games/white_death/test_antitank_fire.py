"""[WD 10, 3.A, 21.D] Antitank fire."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lovat_server.games.white_death import antitank_fire as af
from lovat_server.games.white_death import engagement, fire
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    AntitankFired,
    MoraleChecked,
    RetreatRequired,
    StrengthLost,
    UnitEliminated,
    UnitHalted,
)
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Fire,
    FirePolicy,
    Shot,
    StandingOrders,
)
from lovat_server.games.white_death.terms import FP, Cause, Kind, Phase, Side

from .field import at, field, german, place, soviet, tanks

DEFENCE, ASSAULT = Phase.DEFENSIVE_FIRE, Phase.ASSAULT


def assault(catalog: Catalog, hex_: int, *ids: str) -> Assault:
    return Assault(at(hex_), tuple(catalog.unit_index[id_] for id_ in ids))


def pak(id_: str, **printed):
    return german(id_, kind=Kind.LIGHT_WEAPONS, type="antitank", antitank=2 * FP, **printed)


@pytest.mark.rule("WD 10.C.2")
@pytest.mark.parametrize(("attack", "defence", "column"), [
    (8, 4, "2:1"), (16, 4, "3:1"), (2, 4, "1:3"), (19, 4, "3:1"), (20, 4, "5:1"), (24, 4, "6:1"),
    (100, 4, "6:1"), (4, 4, "1:1"), (7, 4, "1:1"), (1, 4, None), (2, 6, "1:3"), (12, 4, "3:1"),
])
def test_wdtc_a01_odds(attack, defence, column):
    catalog = field([tanks(soviet("t34"))])
    found = af.column(place(catalog, "t34 0404"), attack * FP, defence * FP)
    assert (None if found is None else catalog.charts.antitank.names[found]) == column


@pytest.mark.rule("WD 10.C.3")
@pytest.mark.parametrize(("value", "die", "hits"), [
    (20, 1, 2), (4, 3, 0), (24, 6, 1), (12, 4, 1), (12, 5, 0), (24, 2, 2), (24, 3, 1), (2, 1, 1),
    (2, 2, 0), (8, 3, 1), (8, 4, 0), (20, 6, 0),
])
def test_wdtc_a01_results(value, die, hits):
    catalog = field([tanks(soviet("t34", strength=6))])
    battle = place(catalog, "t34 0404", dice=(die, 1, 1))
    assert af.resolve(battle, DEFENCE, (), 0, (value * FP,)) == (hits > 0)
    assert battle.events[0].hits == hits
    assert battle.units[0].strength == 6 - hits


@pytest.mark.rule("WD 10.C.2")
@pytest.mark.rule("WD 12.C")
@pytest.mark.parametrize(("terrain", "value"), [
    ({}, 2), ({"town": "0404"}, 1), ({"forest": "0404", "road": "0404-0405"}, 1),
    ({"town": "0405"}, 1), ({"forest": "0405", "road": "0404-0405"}, 1),
    ({"town": "0404 0405"}, 1), ({"town": "0403"}, 2),
])
def test_wdtc_a02_a_t70_in_or_assaulting_into_town_or_forest(terrain, value):
    catalog = field([tanks(soviet("t70"), defence=2), german("bn")], **terrain)
    battle = place(catalog, "t70 0404; bn 0405", assaults=(assault(catalog, 405, "t70"),))
    assert af.defence_value(battle, catalog.unit_index["t70"]) == value * FP


@pytest.mark.rule("WD 12.C")
def test_defence_never_falls_below_one():
    battle = place(field([tanks(soviet("t60"), defence=1)], town="0404"), "t60 0404")
    assert af.defence_value(battle, 0) == FP


def tank_fight(*, dice: tuple[int, ...] = (), strength: int = 3):
    """Eight points of antitank value against an AFV of defence 4."""
    catalog = field([tanks(soviet("t34", strength=8)), tanks(german("pz"))])
    return place(catalog, f"t34 0405; pz 0404 {strength}", dice=dice,
                 assaults=(assault(catalog, 404, "t34"),))


@pytest.mark.rule("WD 10.C.2")
def test_wdtc_a03_eight_against_four_is_two_attacks_at_one_to_one():
    battle = tank_fight(dice=(2, 2, 1, 1))
    pz = battle.catalog.unit_index["pz"]
    order = AssaultFire((Fire(at(404), antitank=(Shot(pz, 4 * FP), Shot(pz, 4 * FP))),))
    assert fire.judge(battle, ASSAULT, order) == []
    fire.resolve(battle, ASSAULT, order)
    fired = [event for event in battle.events if isinstance(event, AntitankFired)]
    t34 = battle.catalog.unit_index["t34"]
    assert fired == [AntitankFired(ASSAULT, (t34,), pz, 4 * FP, 4 * FP, "1:1", 2, 1)] * 2


@pytest.mark.rule("WD 10.C.2")
def test_wdtc_a03_two_attacks_at_two_to_one_are_refused():
    battle = tank_fight()
    pz = battle.catalog.unit_index["pz"]
    order = AssaultFire((Fire(at(404), antitank=(Shot(pz, 8 * FP), Shot(pz, 8 * FP))),))
    (violation,) = fire.judge(battle, ASSAULT, order)
    assert (violation.clause, violation.path) == ("WD 10.C.2", "fires[0].antitank")
    assert (violation.facts["asked"], violation.facts["total"]) == ("16", "8")


@pytest.mark.rule("WD 10.C.4")
def test_wdtc_a04_one_check_with_the_total_lost():
    battle = tank_fight(dice=(1, 1, 1, 1))
    pz = battle.catalog.unit_index["pz"]
    af.resolve(battle, ASSAULT, (), pz, (4 * FP, 4 * FP))
    (loss,) = [event for event in battle.events if isinstance(event, StrengthLost)]
    assert (loss.points, loss.cause) == (2, Cause.ANTITANK)
    (check,) = [event for event in battle.events if isinstance(event, MoraleChecked)]
    assert [(m.clause, m.value) for m in check.modifiers] == [("WD 14.A.1", 2)]


@pytest.mark.rule("WD 10.C.3")
def test_no_die_falls_once_the_target_is_destroyed():
    battle = tank_fight(dice=(1,), strength=1)
    pz = battle.catalog.unit_index["pz"]
    assert af.resolve(battle, ASSAULT, (), pz, (4 * FP, 4 * FP))
    assert battle.units[pz].strength == 0
    assert isinstance(battle.events[-1], UnitEliminated)


@pytest.mark.rule("WD 10.C.2")
def test_no_die_falls_under_one_to_three():
    battle = tank_fight()
    pz = battle.catalog.unit_index["pz"]
    assert not af.resolve(battle, ASSAULT, (0,), pz, (10,))
    assert battle.events == [AntitankFired(ASSAULT, (0,), pz, 10, 4 * FP, "", 0, 0)]


@pytest.mark.rule("WD 21.D")
@pytest.mark.parametrize(("values", "clauses"), [
    ({"marder": 4}, ["WD 21.D"]), ({"marder": 4, "pz": 4}, []), ({"marder": 4, "pz": 8}, []),
    ({"marder": 4, "pz": 3}, ["WD 21.D"]), ({"pz": 4}, []),
])
def test_wdtc_a04_a_tank_destroyer_is_sheltered_by_other_afvs(values, clauses):
    catalog = field([tanks(soviet("t34", strength=12)), tanks(german("pz")),
                     tanks(german("marder", traits="tank_destroyer"))])
    battle = place(catalog, "t34 0405; pz 0404; marder 0404",
                   assaults=(assault(catalog, 404, "t34"),))
    shots = tuple(Shot(catalog.unit_index[id_], value * FP) for id_, value in values.items())
    found = fire.judge(battle, ASSAULT, AssaultFire((Fire(at(404), antitank=shots),)))
    assert [violation.clause for violation in found] == clauses


@pytest.mark.rule("WD 10.A")
def test_only_afvs_fire_antitank_in_the_assault():
    catalog = field([pak("pak"), german("bn"), tanks(german("pz")), tanks(soviet("t34"))])
    battle = place(catalog, "pak 0404; bn 0404; pz 0404; t34 0405", phasing=Side.GERMAN)
    values = {id_: engagement.antitank_value(battle, catalog.unit_index[id_], at(405), ASSAULT)
              for id_ in ("pak", "bn", "pz")}
    assert values == {"pak": 0, "bn": 0, "pz": 3 * FP}
    defending = {id_: engagement.antitank_value(battle, catalog.unit_index[id_], at(404), DEFENCE)
                 for id_ in ("pak", "bn", "pz")}
    assert defending == {"pak": 6 * FP, "bn": 3 * FP // 2, "pz": 3 * FP}


@pytest.mark.rule("WD 10.A")
def test_antitank_weapons_named_in_the_assault_are_refused():
    catalog = field([german("pak", kind=Kind.LIGHT_WEAPONS, antitank=2 * FP),
                     tanks(soviet("t34"))])
    battle = place(catalog, "pak 0404; t34 0405", phasing=Side.GERMAN,
                   assaults=(assault(catalog, 405, "pak"),))
    order = AssaultFire((Fire(at(405), antitank_weapons=(catalog.unit_index["pak"],)),))
    (violation,) = fire.judge(battle, ASSAULT, order)
    assert violation.clause == "WD 10.A"


@pytest.mark.rule("WD 10.B")
def test_no_antitank_fire_at_anything_but_an_afv():
    battle = place(catalog := field([tanks(soviet("t34")), german("bn")]), "t34 0405; bn 0404",
                   assaults=(assault(catalog, 404, "t34"),))
    order = AssaultFire((Fire(at(404), antitank=(Shot(catalog.unit_index["bn"], FP),)),))
    (violation,) = fire.judge(battle, ASSAULT, order)
    assert (violation.clause, violation.path) == ("WD 10.B", "fires[0].antitank[0].target")


@pytest.mark.rule("WD 10.C.1")
@pytest.mark.rule("WD 12.B")
@pytest.mark.rule("WD 15.C")
@pytest.mark.parametrize(("status", "terrain", "value"), [
    ("", {}, 12), ("isolated", {}, 6), ("", {"down": "0404-0405"}, 24),
    ("isolated", {"down": "0404-0405"}, 12), ("abandoned", {}, 0),
])
def test_antitank_values_are_exact(status, terrain, value):
    battle = place(field([german("bn")], **terrain), f"bn 0404 3 {status}")
    assert af.antitank_value(battle, 0, assaulted=at(404), into=at(405)) == value


def leaving(dice: tuple[int, ...] = (), firers: str = "pak 0404; rifle 0406", strength: int = 5):
    catalog = field([pak("pak"), pak("pak2"), german("bn"), soviet("rifle"),
                     tanks(soviet("t34", strength=strength))])
    return place(catalog, f"t34 0405; {firers}", dice=dice, phase=Phase.MOVEMENT)


@pytest.mark.rule("WD 3.A")
def test_wdtc_m12_units_whose_zone_is_left_fire_at_once():
    battle = leaving((6, 6, 6, 6, 6), "pak 0404; bn 0404; pak2 0303")
    t34 = battle.catalog.unit_index["t34"]
    assert not af.fire_on_leaving(battle, t34, at(405))
    fired = [event for event in battle.events if isinstance(event, AntitankFired)]
    assert {event.firers for event in fired} == {
        tuple(battle.catalog.unit_index[id_] for id_ in ("bn", "pak"))}
    assert sum(event.value for event in fired) == 6 * FP + 3 * FP // 2
    assert all(event.phase == Phase.MOVEMENT for event in fired)


@pytest.mark.rule("WD 3.A")
def test_an_unstacked_german_weapons_company_has_no_zone_and_does_not_fire():
    catalog = field([pak("pak")._replace(size=1), tanks(soviet("t34"))])
    battle = place(catalog, "pak 0404; t34 0405")
    assert not af.fire_on_leaving(battle, catalog.unit_index["t34"], at(405))
    assert battle.events == []


@pytest.mark.rule("WD 3.A")
@pytest.mark.rule("WD 12.B")
def test_an_afv_that_leaves_is_fired_at_down_the_slope_with_double_value():
    catalog = field([pak("high"), pak("level"), tanks(soviet("t34", strength=5))],
                    down="0404-0405")
    battle = place(catalog, "high 0404; level 0406; t34 0405", dice=(6,) * 13,
                   phase=Phase.MOVEMENT)
    assert not af.fire_on_leaving(battle, catalog.unit_index["t34"], at(405))
    assert sum(event.value for event in battle.events) == (12 + 6) * FP


@pytest.mark.rule("WD 3.A")
@pytest.mark.rule("WD 10.C.1")
def test_the_least_antitank_value_fires_and_none_does_not():
    catalog = field([pak("pak"), german("inf", antitank=FP // 4), german("hq", antitank=0),
                     tanks(soviet("t34", strength=5))])
    battle = place(catalog, "pak 0404; inf 0404 1 isolated; hq 0404; t34 0405", dice=(6,) * 13,
                   phase=Phase.MOVEMENT)
    index = catalog.unit_index
    assert not af.fire_on_leaving(battle, index["t34"], at(405))
    assert {event.firers for event in battle.events} == {(index["inf"], index["pak"])}
    assert sum(event.value for event in battle.events) == 6 * FP + 1


@pytest.mark.rule("WD 3.A")
@pytest.mark.parametrize(("strength", "fired"), [(3, [6 * FP]), (1, [2 * FP])])
def test_fire_that_is_to_be_even_is_one_attack_at_an_afv_that_leaves(strength, fired):
    catalog = field([pak("pak", strength=strength), tanks(soviet("t34"), defence=5)])
    battle = place(catalog, "pak 0404; t34 0405", dice=(6,), phase=Phase.MOVEMENT,
                   standing=(StandingOrders(), StandingOrders(fire=FirePolicy.EVEN)))
    assert not af.fire_on_leaving(battle, catalog.unit_index["t34"], at(405))
    assert [event.value for event in battle.events] == fired


@pytest.mark.rule("WD 3.A")
def test_even_fire_that_does_not_reach_one_to_three_is_not_fired():
    catalog = field([german("bn", strength=1), tanks(soviet("t34"))])
    battle = place(catalog, "bn 0404; t34 0405", phase=Phase.MOVEMENT,
                   standing=(StandingOrders(), StandingOrders(fire=FirePolicy.EVEN)))
    assert not af.fire_on_leaving(battle, catalog.unit_index["t34"], at(405))
    assert battle.events == []


@pytest.mark.rule("WD 3.A")
def test_the_failure_of_one_afv_does_not_stop_the_next():
    catalog = field([pak("pak", strength=1), tanks(soviet("a")), tanks(soviet("b"))])
    battle = place(catalog, "pak 0404; a 0405; b 0405", dice=(1, 4, 4, 1, 1, 1),
                   phase=Phase.MOVEMENT)
    index = catalog.unit_index
    assert af.fire_on_leaving(battle, index["a"], at(405))          # hit, and 8 + 1 is over 8
    assert not af.fire_on_leaving(battle, index["b"], at(405))      # hit, but it passes


@pytest.mark.rule("WD 3.A")
@pytest.mark.parametrize(("two", "stops", "halts", "retreats"), [
    ((1, 1), False, 0, 0), ((4, 4), True, 0, 0), ((6, 6), True, 1, 1),
])
def test_morale_of_a_moving_afv(two, stops, halts, retreats):
    battle = leaving((1, 6, 6, 6, *two), "pak 0404; bn 0404")   # four attacks at 1:3, one hits
    t34 = battle.catalog.unit_index["t34"]
    assert len(af.best_split(battle, t34, 7 * FP + FP // 2)) == 5
    battle = leaving((1, 6, 6, 6, 6, *two), "pak 0404; bn 0404")
    assert af.fire_on_leaving(battle, t34, at(405)) is stops
    kinds = [type(event) for event in battle.events]
    assert (kinds.count(UnitHalted), kinds.count(RetreatRequired)) == (halts, retreats)
    assert battle.units[t34].strength == 4


@pytest.mark.rule("WD 3.A")
def test_a_destroyed_afv_stops():
    battle = leaving((1,), strength=1)
    t34 = battle.catalog.unit_index["t34"]
    assert af.fire_on_leaving(battle, t34, at(405))
    assert battle.units[t34].strength == 0


@pytest.mark.rule("WD 10.C.3")
def test_expected_losses_are_exact():
    catalog = field([tanks(soviet("t34"))])
    names = catalog.charts.antitank.names
    means = [af.expected_loss(catalog, (place_,), 8) for place_ in range(len(names))]
    assert means == [Fraction(n, 6) for n in (1, 2, 3, 4, 6, 8)]
    assert af.expected_loss(catalog, (5,), 1) == 1
    assert af.expected_loss(catalog, (1, 1), 1) == 1 - Fraction(4, 6) ** 2


@pytest.mark.rule("WD 10.C.2")
@pytest.mark.parametrize(("value", "strength", "shots"), [
    (10, 5, ()),                # under 1:3
    (11, 5, (11,)),             # 1:3 of defence 4
    (21, 5, (21,)),
    (22, 5, (11, 11)),          # two chances in six
    (32, 5, (32,)),             # 1:1 has as many in one attack
    (33, 5, (11, 11, 11)),
    (23, 5, (12, 11)),          # the eighths that do not divide go to the first
    (35, 5, (12, 12, 11)),
])
def test_the_best_split_of_one_pool(value, strength, shots):
    catalog = field([tanks(soviet("t34", strength=strength))])
    battle = place(catalog, "t34 0404")
    assert af.best_split(battle, 0, value) == shots


@pytest.mark.rule("WD 10.C.2")
def test_the_server_divides_a_pool_into_24_attacks_at_most():
    battle = place(field([tanks(soviet("t34", strength=30))]), "t34 0404")
    assert af.best_split(battle, 0, 30 * 11) == (14,) * 18 + (13,) * 6
