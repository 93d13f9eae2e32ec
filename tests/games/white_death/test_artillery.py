"""[WD 11, 15.A-B] Artillery: barrage and support."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import artillery, barrage, engagement, fire
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    BarrageFired,
    BunkerBarraged,
    BunkerReduced,
    MoraleChecked,
    StrengthLost,
    SupplySpent,
)
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    DefensiveFire,
    Fire,
    Shot,
    Support,
)
from lovat_server.games.white_death.terms import (
    FP,
    Cause,
    Kind,
    Phase,
    Pool,
    Side,
    Status,
)

from .field import at, field, german, guns, place, soviet, tanks

DEFENCE, ASSAULT = Phase.DEFENSIVE_FIRE, Phase.ASSAULT


def assault(catalog: Catalog, hex_: int, *ids: str) -> Assault:
    return Assault(at(hex_), tuple(catalog.unit_index[id_] for id_ in ids))


def units(battle: Battle, *ids: str) -> tuple[int, ...]:
    return tuple(battle.catalog.unit_index[id_] for id_ in ids)


def clauses(found) -> list[str]:
    return [violation.clause for violation in found]


def battery(line: str = "art 0404 4 deployed; bn 0406", *, barrage: int = 20, strength: int = 4,
            target=None, dice: tuple[int, ...] = (), **more) -> Battle:
    """Soviet artillery of one value against what stands in 0406, observed by a scout."""
    terrain = {name: more.pop(name) for name in ("town", "forest", "creek", "river", "bunkers")
               if name in more}
    catalog = field([guns(soviet("art"), barrage=barrage, range_=7)._replace(strength=strength),
                     soviet("scout"), target or german("bn"), german("bn2")], **terrain)
    return place(catalog, f"{line}; scout 0506", dice=dice, phase=Phase.BARRAGE, **more)


def at_0406(battle: Battle, *attacks: int) -> Barrage:
    return Barrage((BarrageFire(at(406), units(battle, "art"), tuple(v * FP for v in attacks)),))


@pytest.mark.rule("WD 11.B.2.a")
def test_wdtc_b01_eighty_as_sixty_and_twenty():
    battle = battery()
    assert barrage.judge_barrage(battle, at_0406(battle, 60, 20)) == []
    (violation,) = barrage.judge_barrage(battle, at_0406(battle, 60, 60))
    assert (violation.clause, violation.path) == ("WD 11.B.2.a", "fires[0].attacks")
    assert (violation.facts["asked"], violation.facts["total"]) == ("120", "80")
    assert barrage.judge_barrage(battle, at_0406(battle, 60, 20, 0))[0].path \
        == "fires[0].attacks[2]"


@pytest.mark.rule("WD 11.B.2.b")
@pytest.mark.parametrize(("value", "name"), [
    (31, None), (32, "4-9"), (79, "4-9"), (80, "10-19"), (159, "10-19"), (160, "20-29"),
    (240, "30-39"), (320, "40-49"), (400, "50-59"), (479, "50-59"), (480, "60+"), (9999, "60+"),
])
def test_wdtc_b01_columns_of_the_barrage_table(value, name):
    battle = battery()
    found = barrage.barrage_column(battle, value)
    assert (None if found is None else barrage.column_name(battle, found)) == name


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b01_a_value_of_three_rolls_no_die():
    battle = battery("art 0404 1 deployed; bn 0406", barrage=3)
    barrage.resolve_barrage(battle, at_0406(battle))
    (fired,) = [event for event in battle.events if isinstance(event, BarrageFired)]
    assert (fired.column, fired.die, fired.hits) == ("", 0, 0)
    assert battle.units[units(battle, "art")[0]].status & Status.BARRAGED


HEAVY = german("bn", kind=Kind.HEAVY_WEAPONS)
MODIFIERS = [
    (german("bn"), {"town": "0406"}, 5),
    (tanks(german("bn")), {"town": "0406", "bunkers": {406: 10}}, 6),
    (HEAVY, {"creek": "0406"}, -1), (german("bn"), {"forest": "0406"}, 3),
    (german("bn"), {"river": "0406"}, 0), (german("bn"), {}, 2), (HEAVY, {}, 0),
    (german("bn"), {"town": "0406", "bunkers": {406: 10}}, 12),
    (HEAVY, {"town": "0406", "bunkers": {406: 10}}, 10),
    (german("bn"), {"town": "0406", "river": "0406"}, 3),
    (german("bn"), {"forest": "0406", "creek": "0406"}, 2), (tanks(german("bn")), {}, 3),
]


@pytest.mark.rule("WD 11.B.2.b")
@pytest.mark.parametrize(("target", "terrain", "total"), MODIFIERS)
def test_wdtc_b02_modifiers_add_up(target, terrain, total):
    battle = battery(target=target, **terrain)
    found = barrage.barrage_modifiers(battle, units(battle, "bn")[0])
    assert sum(modifier.value for modifier in found) == total


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b02_a_bunker_has_its_own_modifier_and_nothing_else():
    battle = battery("art 0404 4 deployed", town="0406", river="0406", bunkers={406: 10},
                     dice=(1,))
    barrage.resolve_barrage(battle, at_0406(battle, 60))
    (fired,) = [event for event in battle.events if isinstance(event, BunkerBarraged)]
    assert [(m.name, m.value) for m in fired.modifiers] == [("bunker", 7)]


@pytest.mark.rule("WD 11.B.2.b")
@pytest.mark.parametrize(("die", "hits"), [(1, 3), (6, 1)])
def test_wdtc_b03_sixty_at_personnel_in_a_town(die, hits):
    battle = battery(town="0406", target=german("bn", strength=8), dice=(die, 1, 1))
    barrage.resolve_barrage(battle, at_0406(battle, 60))
    (fired,) = [event for event in battle.events if isinstance(event, BarrageFired)]
    assert (fired.column, fired.die, fired.hits) == ("60+", die, hits)
    assert battle.units[units(battle, "bn")[0]].strength == 8 - hits


@pytest.mark.rule("WD 11.B.2.b")
@pytest.mark.parametrize(("die", "hits"), [(1, 2), (6, 1)])
def test_wdtc_b03_sixty_at_a_bunker(die, hits):
    battle = battery("art 0404 4 deployed", bunkers={406: 10}, dice=(die,))
    barrage.resolve_barrage(battle, at_0406(battle, 60))
    assert battle.bunkers == [10 - hits]


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b03_a_modified_die_under_one_reads_one():
    battle = battery(river="0406", target=german("bn", kind=Kind.HEAVY_WEAPONS, strength=12),
                     dice=(1, 1, 1))
    barrage.resolve_barrage(battle, at_0406(battle, 60))
    assert [event.hits for event in battle.events if isinstance(event, BarrageFired)] == [6]


@pytest.mark.rule("WD 11.B.2.b")
@pytest.mark.parametrize(("strength", "lost"), [(3, 1), (4, 2), (1, 1), (2, 1), (8, 4)])
def test_wdtc_b04_barrage_takes_half_at_most(strength, lost):
    battle = battery(target=german("bn", strength=strength), dice=(1, 1, 1))
    barrage.resolve_barrage(battle, at_0406(battle, 60))      # die 1 + 2: 5 called for
    (loss,) = [event for event in battle.events if isinstance(event, StrengthLost)]
    assert (loss.points, loss.cause) == (lost, Cause.BARRAGE)


@pytest.mark.rule("WD 14.A.2")
def test_wdtc_b04_three_hit_for_four_checks_at_one():
    battle = battery(dice=(2, 1, 1))                            # 60+, 2 + 2: 4
    barrage.resolve_barrage(battle, at_0406(battle, 60))
    assert [event.hits for event in battle.events if isinstance(event, BarrageFired)] == [4]
    (check,) = [event for event in battle.events if isinstance(event, MoraleChecked)]
    assert [(m.clause, m.value) for m in check.modifiers] == [("WD 14.A.2", 1)]


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b04_a_bunker_hit_for_six_loses_six():
    battle = battery("art 0404 4 deployed", bunkers={406: 10}, barrage=60, dice=(1, 1, 1))
    barrage.resolve_barrage(battle, at_0406(battle, 60, 60, 60))
    (loss,) = [event for event in battle.events if isinstance(event, BunkerReduced)]
    assert loss.points == 6


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b04_two_attacks_make_one_check_and_half_in_all():
    battle = battery(dice=(6, 1, 1, 1), target=german("bn", strength=4))
    barrage.resolve_barrage(battle, at_0406(battle, 60, 20))
    assert [event.hits for event in battle.events if isinstance(event, BarrageFired)] == [2, 2]
    (loss,) = [event for event in battle.events if isinstance(event, StrengthLost)]
    assert loss.points == 2
    (check,) = [event for event in battle.events if isinstance(event, MoraleChecked)]
    assert check.modifiers[0].value == 2


@pytest.mark.rule("WD 11.B.2.b")
def test_two_barrages_of_one_hex_are_one_for_losses():
    catalog = field([guns(soviet("a"), barrage=60), guns(soviet("b"), barrage=60),
                     german("bn", strength=4), soviet("scout")])
    battle = place(catalog, "a 0404 1 deployed; b 0505 1 deployed; bn 0406; scout 0506",
                   dice=(1, 1, 1, 1), phase=Phase.BARRAGE)
    order = Barrage((BarrageFire(at(406), units(battle, "a")),
                     BarrageFire(at(406), units(battle, "b"))))
    assert barrage.judge_barrage(battle, order) == []
    barrage.resolve_barrage(battle, order)
    assert battle.units[units(battle, "bn")[0]].strength == 2
    assert len([event for event in battle.events if isinstance(event, MoraleChecked)]) == 1


@pytest.mark.rule("WD 11.B.3")
@pytest.mark.parametrize(("gun", "added"), [("0401", 3), ("0402", 2), ("0403", 2), ("0405", 0)])
def test_wdtc_b05_unobserved_fire(gun, added):
    catalog = field([guns(soviet("art"), barrage=20), german("bn")])
    battle = place(catalog, f"art {gun} 3 deployed; bn 0406", phase=Phase.BARRAGE)
    found = barrage.unobserved(battle, units(battle, "art"), at(406))
    assert sum(modifier.value for modifier in found) == added


@pytest.mark.rule("WD 11.B.2.a")
@pytest.mark.parametrize(("gun", "value"), [("0408", 20), ("0409", 40), ("0405", 20)])
def test_wdtc_b05_beyond_half_range_is_halved(gun, value):
    catalog = field([guns(soviet("art"), barrage=20, range_=7), german("bn")])
    battle = place(catalog, f"art {gun} 2 deployed; bn 0412")
    found = barrage.barrage_value(battle, units(battle, "art")[0], at(412), full_rockets=False)
    assert found == value * FP


@pytest.mark.rule("WD 11.B.2.a")
def test_wdtc_b05_beyond_the_printed_range_is_refused():
    catalog = field([guns(soviet("art"), barrage=20, range_=7), german("bn")])
    battle = place(catalog, "art 0404 2 deployed; bn 0412")
    order = Barrage((BarrageFire(at(412), units(battle, "art")),))
    (violation,) = barrage.judge_barrage(battle, order)
    assert (violation.clause, violation.path) == ("WD 11.B.2.a", "fires[0].units[0]")
    assert barrage.barrage_options(battle) == ()


@pytest.mark.rule("WD 11.B")
@pytest.mark.parametrize(("line", "clause"), [
    ("art 0404 4; bn 0406", "WD 6.B.2"), ("art 0404 4 deployed barraged; bn 0406", "WD 11.B"),
    ("art 0404 4 deployed unsupplied; bn 0406", "WD 15.B"),
    ("art 0404 4 deployed abandoned; bn 0406", "WD 23"), ("bn 0406", "WD 11"),
])
def test_wdtc_b06_who_may_not_fire_a_barrage(line, clause):
    battle = battery(line)
    assert clauses(barrage.judge_barrage(battle, at_0406(battle))) == [clause]
    assert barrage.barrage_options(battle) == ()


def supported(status: str, *, high: bool, **more) -> Battle:
    """A German battalion of one division assaulted, with a battery of it at distance 3."""
    catalog = field([german("bn", division="83"), guns(german("art", division="83"), support=2),
                     soviet("rifle")])
    return place(catalog, f"bn 0404; art 0401 3 {status}; rifle 0405",
                 assaults=(assault(catalog, 404, "rifle"),),
                 high_intensity=(False, high, False), phase=DEFENCE, **more)


def defend(battle: Battle, value: int, *pools: Pool) -> DefensiveFire:
    shot = Shot(units(battle, "rifle")[0], value * FP)
    return DefensiveFire((Fire(at(404), (shot,), support=(
        Support(units(battle, "art")[0], at(404)),)),), pools)


@pytest.mark.rule("WD 11.B.1")
def test_wdtc_b06_no_support_after_a_barrage():
    catalog = field([soviet("rifle", division="28"), guns(soviet("art", division="28")),
                     german("bn")])
    battle = place(catalog, "rifle 0405; art 0407 3 deployed barraged; bn 0404",
                   assaults=(assault(catalog, 404, "rifle"),))
    order = AssaultFire((Fire(at(404), support=(Support(units(battle, "art")[0], at(405)),)),))
    (violation,) = fire.judge(battle, ASSAULT, order)
    assert (violation.clause, violation.path) == ("WD 11.B.1", "fires[0].support[0].unit")


@pytest.mark.rule("WD 11.B.1")
def test_wdtc_b06_no_assault_fire_after_a_barrage():
    catalog = field([soviet("spg", barrage=4, range=6, support=2), german("bn")])
    battle = place(catalog, "spg 0405 3 deployed barraged; bn 0404",
                   assaults=(assault(catalog, 404, "spg"),))
    assert not fire.has_fire(battle, ASSAULT)


@pytest.mark.rule("WD 11.A")
def test_wdtc_b06_support_asks_for_deployment():
    battle = supported("", high=True)
    (violation,) = fire.judge(battle, DEFENCE, defend(battle, 9))
    assert violation.clause == "WD 6.B.2"


@pytest.mark.rule("WD 15.B")
def test_wdtc_b06_out_of_supply_the_support_factor_is_one():
    battle = supported("deployed unsupplied", high=True)
    assert fire.judge(battle, DEFENCE, defend(battle, 9 + 3)) == []
    assert clauses(fire.judge(battle, DEFENCE, defend(battle, 9 + 4))) == ["WD 9.C.3"]


@pytest.mark.rule("WD 15.A.4")
def test_wdtc_l01_without_a_point_every_support_factor_is_one():
    battle = supported("deployed", high=False)
    assert fire.judge(battle, DEFENCE, defend(battle, 9 + 3)) == []
    assert clauses(fire.judge(battle, DEFENCE, defend(battle, 9 + 6))) == ["WD 9.C.3"]
    assert fire.judge(battle, DEFENCE, defend(battle, 9 + 6, Pool.GERMAN)) == []
    assert fire.high_intensity_pools(battle) == (Pool.GERMAN,)


@pytest.mark.rule("WD 15.A.4")
def test_high_intensity_is_paid_once_and_needs_a_point():
    battle = supported("deployed", high=False, dice=(6, 6, 6))
    fire.resolve(battle, DEFENCE, defend(battle, 15, Pool.GERMAN))
    assert battle.supply == (9, 8, 9)
    assert battle.high_intensity == (False, True, False)
    assert battle.paid == (0, 0, 0)
    poor = supported("deployed", high=False, supply=(9, 0, 9))
    assert "WD 15.A.4" in clauses(fire.judge(poor, DEFENCE, defend(poor, 15, Pool.GERMAN)))
    assert fire.high_intensity_pools(poor) == ()


@pytest.mark.rule("WD 15.A.2")
@pytest.mark.parametrize(("paid", "spent"), [(0, 2), (1, 1), (2, 0)])
def test_wdtc_l01_assault_and_barrage_cost_two_in_all(paid, spent):
    battle = battery(paid=(paid, 0, 0), dice=(6, 1, 1))
    barrage.resolve_barrage(battle, at_0406(battle, 4))
    assert battle.supply[Pool.SOVIET] == 9 - spent
    assert sum(event.points for event in battle.events if isinstance(event, SupplySpent)) == spent


@pytest.mark.rule("WD 15.A.2")
def test_a_barrage_that_cannot_be_paid_is_refused_and_not_listed():
    battle = battery(supply=(1, 9, 9))
    (violation,) = barrage.judge_barrage(battle, at_0406(battle))
    assert violation.clause == "WD 15.A.2"
    assert barrage.barrage_options(battle) == ()


@pytest.mark.rule("WD 15.D.2")
def test_wdtc_l04_the_general_pool_does_not_pay_for_the_city():
    catalog = field([guns(german("art"), barrage=20), soviet("rifle")], city="0404")
    battle = place(catalog, "art 0404 3 deployed; rifle 0406", phasing=Side.GERMAN,
                   supply=(9, 9, 1), phase=Phase.BARRAGE)
    order = Barrage((BarrageFire(at(406), units(battle, "art")),))
    (violation,) = barrage.judge_barrage(battle, order)
    assert violation.clause == "WD 15.D.2"
    assert violation.facts["pool"] == "velikiye_luki"


@pytest.mark.rule("WD 15.D.2")
def test_wdtc_l04_nor_for_high_intensity_of_its_artillery():
    catalog = field([german("bn", division="83"), guns(german("art", division="83")),
                     soviet("rifle")], city="0404")
    battle = place(catalog, "bn 0404; art 0404 3 deployed; rifle 0405",
                   assaults=(assault(catalog, 404, "rifle"),))
    (violation,) = fire.judge(battle, DEFENCE, DefensiveFire((), (Pool.GERMAN,)))
    assert (violation.clause, violation.path) == ("WD 15.D.2", "high_intensity[0]")
    assert fire.judge(battle, DEFENCE, DefensiveFire((), (Pool.VELIKIYE_LUKI,))) == []


def rockets(*, town: str = "", **more) -> Battle:
    catalog = field([guns(german("rkt", traits="rocket"), barrage=20, range_=4),
                     guns(german("art"), barrage=20, range_=8), soviet("rifle", strength=7)],
                    city=town)
    return place(catalog, "rkt 0404 3 deployed; art 0404 3 deployed; rifle 0406",
                 phasing=Side.GERMAN, phase=Phase.BARRAGE, **more)


@pytest.mark.rule("WD 15.A.3")
@pytest.mark.parametrize(("pools", "total"), [((), 30 + 60), ((Pool.GERMAN,), 60 + 60)])
def test_wdtc_b07_german_rockets_at_two_points_and_at_three(pools, total):
    battle = rockets()
    both = units(battle, "rkt", "art")
    order = Barrage((BarrageFire(at(406), both, (total * FP,)),), pools)
    assert barrage.judge_barrage(battle, order) == []
    order = Barrage((BarrageFire(at(406), both, (total * FP + 1,)),), pools)
    assert clauses(barrage.judge_barrage(battle, order)) == ["WD 11.B.2.a"]


@pytest.mark.rule("WD 15.A.3")
def test_wdtc_b07_the_third_point():
    battle = rockets(dice=(6, 1, 1), paid=(0, 1, 0))
    order = Barrage((BarrageFire(at(406), units(battle, "rkt"), (4 * FP,)),), (Pool.GERMAN,))
    barrage.resolve_barrage(battle, order)
    assert battle.supply == (9, 7, 9)
    assert barrage.full_rocket_pools(rockets(supply=(9, 2, 9))) == ()
    assert clauses(barrage.judge_barrage(rockets(supply=(9, 2, 9)), order)) == ["WD 15.A.3"]


@pytest.mark.rule("WD 15.A.3")
def test_full_rockets_without_rockets_are_refused():
    battle = rockets()
    order = Barrage((BarrageFire(at(406), units(battle, "art")),), (Pool.GERMAN,))
    assert clauses(barrage.judge_barrage(battle, order)) == ["WD 15.A.3"]
    order = Barrage((BarrageFire(at(406), units(battle, "rkt")),), (Pool.VELIKIYE_LUKI,))
    assert clauses(barrage.judge_barrage(battle, order)) == ["WD 15.D.2"]


@pytest.mark.rule("WD 15.A.3")
def test_soviet_rockets_need_no_third_point():
    catalog = field([guns(soviet("rkt", traits="conspicuous"), barrage=20), german("bn")])
    battle = place(catalog, "rkt 0404 3 deployed; bn 0406")
    assert barrage.barrage_value(battle, 0, at(406), full_rockets=False) == 60 * FP
    assert barrage.full_rocket_pools(battle) == ()


def two_divisions(headquarters: str, gun: str = "art28") -> list[str]:
    """Regiments of 28 and 257 assault one hex; artillery of 28 or 257 supports 257's stack."""
    catalog = field([
        soviet("r28", division="28"), soviet("r257", division="257"), german("bn"),
        guns(soviet("art28", division="28")), guns(soviet("art257", division="257")),
        guns(soviet("army", division="3SA", divisional=False))])
    battle = place(catalog, "r28 0405; r257 0304; bn 0404; art28 0407 3 deployed; "
                            "art257 0407 3 deployed; army 0407 3 deployed",
                   assaults=(assault(catalog, 404, "r28", "r257"),))
    order = AssaultFire((Fire(at(404), support=(Support(units(battle, gun)[0], at(304)),),
                              headquarters=headquarters),))
    return clauses(fire.judge(battle, ASSAULT, order))


@pytest.mark.rule("WD 11.A.1")
def test_wdtc_b08_soviet_support_is_for_the_controlling_division():
    assert two_divisions("28") == []
    assert two_divisions("257") == ["WD 11.A.1"]
    assert two_divisions("257", "art257") == []
    assert two_divisions("") == ["WD 11.A.1"]
    assert two_divisions("381") == ["WD 11.A.1"]
    assert two_divisions("28", "army") == ["WD 11.A.1"]


@pytest.mark.rule("WD 11.A.1")
@pytest.mark.parametrize(("stack", "sappers", "broken"), [
    (405, "3SA", []),              # the stack of the division itself
    (304, "3SA", ["WD 11.A.1"]),   # army troops by themselves: no unit of the division there
    (304, "257", []),              # a second division: all count as units of the headquarters
])
def test_one_division_supports_only_stacks_with_units_of_its_own(stack, sappers, broken):
    catalog = field([soviet("r28", division="28"), german("bn"),
                     soviet("eng", division=sappers, divisional=sappers == "257"),
                     guns(soviet("art28", division="28"))])
    battle = place(catalog, "r28 0405; eng 0304; bn 0404; art28 0306 3 deployed",
                   assaults=(assault(catalog, 404, "r28", "eng"),))
    art = units(battle, "art28")[0]
    named = "28" if sappers == "257" else ""
    order = AssaultFire((Fire(at(404), support=(Support(art, at(stack)),), headquarters=named),))
    assert clauses(fire.judge(battle, ASSAULT, order)) == broken
    offered = {option.stack for option in engagement.support_options(battle, at(404), ASSAULT)}
    assert (at(stack) not in offered) is bool(broken)
    default = fire.default_order(battle, ASSAULT)
    assert fire.judge(battle, ASSAULT, default) == []
    assert [item.unit for item in default.fires[0].support] == [art]


@pytest.mark.rule("WD 11.A.1")
def test_german_artillery_not_of_the_division_is_one_stack():
    own, other = {"division": "83"}, {"division": "8"}
    catalog = field([german("bn", **own), guns(german("a83", **own)), guns(german("b83", **own)),
                     guns(german("a8", **other)), guns(german("arko")), guns(german("far8",
                                                                                    **other)),
                     soviet("rifle")])
    battle = place(catalog, "bn 0404; a83 0402 3 deployed; b83 0304 3 deployed; "
                            "a8 0403 3 deployed; arko 0403 3 deployed; far8 0303 3 deployed; "
                            "rifle 0405", assaults=(assault(catalog, 404, "rifle"),))

    def judged(*ids: str) -> list[str]:
        support = tuple(Support(index, at(404)) for index in units(battle, *ids))
        return clauses(fire.judge(battle, DEFENCE, DefensiveFire((Fire(at(404),
                                                                       support=support),))))

    assert judged("a83", "b83", "a8", "arko") == []
    assert judged("a83", "b83", "far8") == []
    assert judged("a8", "far8") == ["WD 11.A.1"]


@pytest.mark.rule("WD 11.A.2")
@pytest.mark.parametrize(("gun", "value"), [("0407", 6), ("0408", 3), ("0410", 3)])
def test_support_beyond_half_range_is_halved(gun, value):
    catalog = field([guns(german("art"), support=2, range_=6)])
    battle = place(catalog, f"art {gun} 3 deployed")
    assert artillery.support_value(battle, 0, at(404), high=True) == value * FP


@pytest.mark.rule("WD 11.A.2")
def test_support_beyond_the_range_is_refused():
    battle = place(field([guns(german("art"), range_=6)]), "art 0411 3 deployed")
    refusal = artillery.stack_refusal(battle, 0, at(404))
    assert refusal is not None
    assert refusal.clause == "WD 11.A.2"
    assert artillery.stack_refusal(battle, 0, at(405)) is None


@pytest.mark.rule("WD 11.B")
def test_all_violations_of_a_barrage_come_at_once():
    battle = battery("art 0404 4; bn 0406; bn2 0408")
    (art, scout) = units(battle, "art", "scout")
    order = Barrage((BarrageFire(at(407), (art,)), BarrageFire(at(406), (art, scout)),
                     BarrageFire(at(408), ())), (Pool.GERMAN,))
    found = barrage.judge_barrage(battle, order)
    assert [violation.path for violation in found] == [
        "fires[0].hex", "fires[0].units[0]", "fires[1].units[0]", "fires[1].units[1]",
        "fires[2].units", "full_rockets[0]"]


@pytest.mark.rule("WD 11.B")
def test_every_listed_barrage_is_accepted_and_replays():
    battle = battery(dice=(3, 1, 1))
    for option in barrage.barrage_options(battle):
        for hex_, value in zip(option.hexes, option.values, strict=True):
            order = Barrage((BarrageFire(hex_, (option.unit,), (value,)),))
            assert barrage.judge_barrage(battle, order) == []
    state = battle.freeze()
    barrage.resolve_barrage(battle, at_0406(battle))
    assert replay(battle.catalog, state, battle.events) == battle.freeze()
