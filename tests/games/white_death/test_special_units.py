"""[WD 21] The 331st Division, and Brandenburg companies among the enemy."""

from __future__ import annotations

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death.answers import Mark
from lovat_server.games.white_death.events import (
    AntitankFired,
    CommandosTested,
    ConventionalFired,
    MoraleChecked,
    UnitEliminated,
    UnitMoved,
    UnitStopped,
)
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.special_units import led_units
from lovat_server.games.white_death.terms import (
    FP,
    DecisionKind,
    Kind,
    Phase,
    Side,
    Size,
)
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, guns, place, soviet, tanks
from .playing import (
    accepts,
    after,
    assault,
    clauses,
    cost,
    march,
    moves,
    of_kind,
    options,
    refusals,
    unit,
    units,
)


def commando(id_: str = "bb", **printed):
    return german(id_, size=Size.COMPANY, traits="commando close_combat", strength=2, **printed)


def raid(line: str, *dice: int, counters=(), **places):
    catalog = field([soviet("rifle"), soviet("other"), commando(), commando("bb2"),
                     german("bn"), german("bn2"), *counters], **places)
    return place(catalog, line, side=Side.GERMAN, dice=dice)


# ---------------------------------------------------------------- 331st Division

def regiment(id_: str, number: str):
    return german(id_, traits="one_regiment", regiment=number, division="331")


def division(line: str):
    catalog = field([soviet("rifle"), soviet("other"), regiment("a1", "557"),
                     regiment("a2", "557"), regiment("b1", "558"), regiment("c1", "559"),
                     german("pioneers", division="331"), german("bn")])
    return place(catalog, line, side=Side.GERMAN)


@pytest.mark.rule("WD 21.B")
def test_wdtc_v02_a_second_regiment_of_the_331st_may_not_assault():
    battle = division("rifle 0505; other 0509; a1 0506; a2 0605; b1 0510; c1 0609")
    one = assault(battle, 505, "a1 a2")
    assert accepts(battle, moves(assaults=(one,)))
    found = refusals(battle, moves(assaults=(one, assault(battle, 509, "b1 c1"))))
    assert [(v.clause, v.reason, v.path) for v in found] == [
        ("WD 21.B", Reason.SPECIAL_UNIT, "assaults[1].units[0]"),
        ("WD 21.B", Reason.SPECIAL_UNIT, "assaults[1].units[1]")]
    assert found[0].facts == {"regiment": "558", "assaulting": "557"}


@pytest.mark.rule("WD 21.B")
def test_wdtc_v02_nor_in_the_same_assault():
    battle = division("rifle 0505; a1 0506; b1 0605")
    found = refusals(battle, moves(assaults=(assault(battle, 505, "a1 b1"),)))
    assert [(v.clause, v.path) for v in found] == [("WD 21.B", "assaults[0].units[1]")]


@pytest.mark.rule("WD 21.B")
def test_wdtc_v02_other_units_of_the_division_assault_with_it():
    battle = division("rifle 0505; a1 0506; pioneers 0605; bn 0506")
    assert accepts(battle, moves(assaults=(assault(battle, 505, "a1 pioneers bn"),)))


@pytest.mark.rule("WD 21.B")
def test_wdtc_v02_the_three_regiments_as_printed():
    catalog = load_catalog("velikiye-luki-campaign")
    held = [unit_ for unit_ in catalog.units if "one_regiment" in unit_.traits]
    assert {unit_.regiment for unit_ in held} == {"557", "558", "559"}
    assert len({unit_.division for unit_ in held}) == 1
    assert all(unit_.side == Side.GERMAN for unit_ in held)


# ---------------------------------------------------------------- infiltration

@pytest.mark.rule("WD 21.C")
@pytest.mark.parametrize(("die", "found_out"), [(1, True), (2, False), (6, False)])
def test_wdtc_v03_commandos_entering_a_soviet_hex_are_discovered_on_a_one(die, found_out):
    battle = raid("rifle 0505; bb 0504", die, 6, 6, 6, 6)
    done = after(battle, moves(march(battle, "bb", 505, 506)))
    tested = of_kind(done.events, CommandosTested)
    assert tested[0] == CommandosTested((unit(battle, "bb"),), at(505), die, 0, found_out)
    assert done.units[unit(done, "bb")].hex == at(504 if found_out else 506)


@pytest.mark.rule("WD 21.C")
@pytest.mark.parametrize(("die", "found_out"), [(1, True), (2, True), (3, True), (4, False)])
def test_wdtc_v03_two_other_units_along_are_discovered_on_one_to_three(die, found_out):
    battle = raid("rifle 0505; bb 0504; bn 0504; bn2 0504", die, 6, 6, 6, 6)
    done = after(battle, moves(march(battle, "bb bn bn2", 505, 506)))
    tested = of_kind(done.events, CommandosTested)
    assert (tested[0].led, tested[0].discovered) == (2, found_out)
    where = at(504 if found_out else 506)
    assert {done.units[index].hex for index in units(done, "bb bn bn2")} == {where}


@pytest.mark.rule("WD 21.C")
def test_wdtc_v03_captured_tanks_count_as_brandenburgers():
    t34 = tanks(german("t34", size=Size.COMPANY, traits="captured_t34"))
    battle = raid("rifle 0505; bb 0504; t34 0504; bn 0504", counters=(t34,))
    assert led_units(battle, units(battle, "bb t34")) == 0
    assert led_units(battle, units(battle, "bb bb2 t34 bn")) == 1


@pytest.mark.rule("WD 21.C")
def test_every_hex_of_the_enemy_or_his_zone_has_a_die_of_its_own():
    battle = raid("rifle 0506; bb 0503", 2, 3, 4)
    done = after(battle, moves(march(battle, "bb", 504, 505, 506, 507)))
    tested = of_kind(done.events, CommandosTested)
    assert [(event.hex, event.die) for event in tested] == [
        (at(505), 2), (at(506), 3), (at(507), 4)]


@pytest.mark.rule("WD 21.C", "WD 3.D")
def test_no_die_where_no_zone_reaches():
    battle = raid("rifle 0506; bb 0504", town="0505")
    done = after(battle, moves(march(battle, "bb", 505)))
    assert not of_kind(done.events, CommandosTested)


@pytest.mark.rule("WD 21.C")
def test_discovered_in_a_zone_the_column_stops_there_without_a_fight():
    battle = raid("rifle 0506; bb 0504; bn 0504", 2)
    done = after(battle, moves(march(battle, "bb bn", 505, 605, 705)))
    assert {done.units[index].hex for index in units(done, "bb bn")} == {at(505)}
    assert {event.clause for event in of_kind(done.events, UnitStopped)} == {"WD 21.C"}
    assert not of_kind(done.events, ConventionalFired)


@pytest.mark.rule("WD 21.C")
def test_a_discovered_column_goes_no_further_in_the_phase():
    battle = raid("rifle 0506; bb 0504", 1)
    done = after(battle, moves(march(battle, "bb", 505), march(battle, "bb", 405)))
    assert done.units[unit(done, "bb")].hex == at(505)


@pytest.mark.rule("WD 21.C")
def test_discovered_among_the_enemy_it_is_attacked_once_and_thrown_back():
    battle = raid("rifle 0505; other 0505; bb 0504", 1, 6)
    done = after(battle, moves(march(battle, "bb", 505, 506)))
    fired = of_kind(done.events, ConventionalFired)
    assert len(fired) == 1
    assert fired[0].phase == Phase.MOVEMENT
    assert set(fired[0].firers) == set(units(battle, "rifle other"))
    assert fired[0].value <= 2 * 9 * FP
    assert fired[0].target == unit(battle, "bb")
    assert done.units[unit(done, "bb")].hex == at(504)
    assert not of_kind(done.events, AntitankFired)


@pytest.mark.rule("WD 21.C", "WD 14.B")
def test_the_discovered_attack_may_rout_the_column():
    battle = raid("rifle 0505; bb 0504; bn 1111", 1, 1, 6, 6)
    done = after(battle, moves(march(battle, "bb", 505, 506)))
    assert of_kind(done.events, MoraleChecked)
    assert done.decision.kind == DecisionKind.RETREAT or of_kind(done.events, UnitEliminated)


@pytest.mark.rule("WD 21.C")
def test_led_guns_are_attacked_only_with_the_infantry():
    battle = raid("rifle 0505; bb 0504; g 0504", 1, 6, 6,
                  counters=(guns(german("g", size=Size.COMPANY), range_=4),), road="0504-0505-0506")
    done = after(battle, moves(march(battle, "bb g", 505, 506)))
    targets = [event.target for event in of_kind(done.events, ConventionalFired)]
    assert unit(battle, "bb") in targets
    assert {done.units[index].hex for index in units(done, "bb g")} == {at(504)}


@pytest.mark.rule("WD 21.C", "WD 6.A")
def test_thrown_back_from_one_enemy_hex_into_another_it_goes_on_to_a_free_one():
    battle = raid("rifle 0505; other 0506; bb 0503", 5, 5, 1, 6)
    done = after(battle, moves(march(battle, "bb", 504, 505, 506, 507)))
    assert [event.discovered for event in of_kind(done.events, CommandosTested)] == [
        False, False, True]
    assert done.units[unit(done, "bb")].hex == at(504)
    assert of_kind(done.events, ConventionalFired)[0].firers == (unit(battle, "other"),)
    assert "WD 6.A" not in {v.clause for v in WHITE_DEATH.check(done.catalog, done.freeze())}


@pytest.mark.rule("WD 21.C", "WD 6.A")
def test_thrown_back_at_once_it_has_not_moved():
    battle = raid("rifle 0505; bb 0504", 1, 6)
    done = after(battle, moves(march(battle, "bb", 505, 506)))
    assert not of_kind(done.events, UnitMoved)
    assert done.units[unit(done, "bb")].hex == at(504)


@pytest.mark.rule("WD 21.C")
def test_it_may_not_end_among_the_enemy():
    battle = raid("rifle 0505; bb 0504")
    found = refusals(battle, moves(march(battle, "bb", 505)))
    assert [(v.clause, v.reason, v.path) for v in found] == [
        ("WD 21.C", Reason.ENEMY_OCCUPIED, "actions[0].path[0]")]
    offer = options(battle, "bb")
    marks = dict(zip(offer.hexes, offer.marks, strict=True))
    assert marks[at(505)] & Mark.MAY_NOT_END
    assert not marks[at(506)] & Mark.MAY_NOT_END


@pytest.mark.rule("WD 21.C", "WD 4.A")
def test_a_column_is_one_legal_stack():
    battle = raid("rifle 0909; bb 0504; bn 0504; bn2 0504; x 0504; y 0504",
                  counters=(german("x"), german("y")))
    found = refusals(battle, moves(march(battle, "bb bn bn2 x y", 505)))
    assert ("WD 21.C", "actions[0].units") in [(v.clause, v.path) for v in found]


@pytest.mark.rule("WD 21.C", "WD 6.A")
def test_other_units_do_not_pass_the_enemy_alone():
    battle = raid("rifle 0505; bb 0504; bn 0504")
    assert clauses(battle, moves(march(battle, "bn", 505, 506))) == ["WD 6.A"]
    assert accepts(battle, moves(march(battle, "bb bn", 505, 506)))


@pytest.mark.rule("WD 21.C", "WD 3", "WD 3.C")
def test_a_led_column_neither_stops_nor_pays_for_zones():
    light = german("pak", size=Size.COMPANY, kind=Kind.LIGHT_WEAPONS)
    battle = raid("rifle 0506; bb 0405; bn 0405; pak 0405", counters=(light,))
    column = march(battle, "bb bn pak", 505, 605, 705)
    for name in ("bb", "bn", "pak"):
        assert cost(battle, name, column) == 3 * cost(battle, "bb", march(battle, "bb", 404))


@pytest.mark.rule("WD 21.C", "WD 3.A")
def test_led_tanks_are_not_fired_on():
    t34 = tanks(german("t34", size=Size.COMPANY, traits="captured_t34"))
    battle = raid("rifle 0506; bb 0405; t34 0405", 6, 6, counters=(t34,))
    done = after(battle, moves(march(battle, "bb t34", 505, 605)))
    assert not of_kind(done.events, AntitankFired)
    assert {done.units[index].hex for index in units(done, "bb t34")} == {at(605)}


@pytest.mark.rule("WD 21.C")
def test_judging_rolls_no_dice_and_takes_the_column_through():
    battle = raid("rifle 0505; bb 0504")
    judged = WHITE_DEATH.judge(battle.catalog, battle.freeze(),
                               moves(march(battle, "bb", 505, 506)))
    assert not judged.violations
    assert judged.receipt.units == (unit(battle, "bb"),)


@pytest.mark.rule("WD 21.C")
def test_a_commando_may_pass_and_then_assault_from_the_rear():
    battle = raid("rifle 0505; bb 0504", 6, 6, 6)
    done = after(battle, moves(march(battle, "bb", 505, 506),
                               assaults=(assault(battle, 505, "bb"),)))
    assert done.assaults[0].units == (unit(battle, "bb"),)


@pytest.mark.rule("WD 21.C")
def test_an_assault_that_a_discovery_has_made_impossible_is_not_made():
    battle = raid("rifle 0506; other 0511; bb 0505; bn 1111", 1, 6)
    order = moves(march(battle, "bb", 506, 507, 508, 509, 510),
                  assaults=(assault(battle, 511, "bb"),))
    done = after(battle, order)
    assert done.assaults == ()
    assert done.supply == battle.supply


@pytest.mark.rule("WD 21.C")
def test_the_brandenburgers_as_printed():
    catalog = load_catalog("velikiye-luki-campaign")
    held = [unit_ for unit_ in catalog.units if "commando" in unit_.traits]
    assert {unit_.label for unit_ in held} == {"9/803", "10/803", "11/803", "12/803"}
    assert all(unit_.side == Side.GERMAN and unit_.size == Size.COMPANY
               and "close_combat" in unit_.traits for unit_ in held)
    assert sum("captured_t34" in unit_.traits for unit_ in catalog.units) == 1
    assert sum("tank_destroyer" in unit_.traits for unit_ in catalog.units) == 4
