"""[WD 9-11, 15.A.4] Orders of the Defensive Fire and Assault Phases, and fire by default."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import pytest

from lovat_server.games.white_death import antitank_fire, conventional_fire, fire
from lovat_server.games.white_death import fire_allocation as allocation
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    AntitankFired,
    ConventionalFired,
    SupplySpent,
)
from lovat_server.games.white_death.fire_allocation import Budget
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Choice,
    DefensiveFire,
    Fire,
    FirePolicy,
    Shot,
    StandingOrders,
    Support,
)
from lovat_server.games.white_death.terms import FP, Kind, Phase, Pool, Side

from .field import at, field, german, guns, place, soviet, tanks

DEFENCE, ASSAULT = Phase.DEFENSIVE_FIRE, Phase.ASSAULT


def assault(catalog: Catalog, hex_: int, *ids: str) -> Assault:
    return Assault(at(hex_), tuple(catalog.unit_index[id_] for id_ in ids))


def shot(battle: Battle, id_: str, value: int) -> Shot:
    return Shot(battle.catalog.unit_index[id_], value * FP)


def melee(**more) -> Battle:
    """Rifles and tanks on 0405 and 0304 assault a mixed German stack in 0404."""
    dice = more.pop("dice", ())
    terrain = {name: more.pop(name) for name in ("down", "town") if name in more}
    catalog = field([
        soviet("rifle", strength=6), soviet("rifle2", strength=6), tanks(soviet("t34", strength=5)),
        german("bn"), german("bn2"), tanks(german("pz")),
        german("pak", kind=Kind.LIGHT_WEAPONS, antitank=2 * FP, strength=2),
        guns(german("arko"), support=2)], **terrain)
    return place(catalog, "rifle 0405; rifle2 0304; t34 0405; bn 0404; bn2 0404; pz 0404; "
                          "pak 0404; arko 0402 3 deployed", dice=dice,
                 assaults=(assault(catalog, 404, "rifle", "rifle2", "t34"),), **more)


@pytest.mark.rule("WD 9.A")
@pytest.mark.rule("WD 10.A")
def test_what_is_listed_for_the_defence():
    battle = melee()
    (option,) = fire.options(battle, DEFENCE)
    index = battle.catalog.unit_index
    firers = {battle.catalog.units[f.unit].id: (f.conventional, f.antitank, f.choice)
              for f in option.firers}
    assert firers == {"bn": (72, 12, False), "bn2": (72, 12, False), "pz": (72, 24, False),
                      "pak": (48, 32, True)}
    targets = {battle.catalog.units[t.unit].id: (t.defence, t.afv) for t in option.targets}
    assert targets == {"rifle": (48, False), "rifle2": (48, False), "t34": (32, True)}
    assert [(s.unit, s.stack, s.value, s.low) for s in option.support] == [
        (index["arko"], at(404), 48, 24)]
    assert (option.hex, option.bunker, option.headquarters) == (at(404), 0, ())


@pytest.mark.rule("WD 9.A")
def test_what_is_listed_for_the_assault():
    (option,) = fire.options(battle := melee(), ASSAULT)
    firers = {battle.catalog.units[f.unit].id: (f.conventional, f.antitank)
              for f in option.firers}
    assert firers == {"rifle": (144, 0), "rifle2": (144, 0), "t34": (120, 40)}
    assert {battle.catalog.units[t.unit].id for t in option.targets} == {
        "bn", "bn2", "pz", "pak"}


@pytest.mark.rule("WD 9.C.3")
def test_all_violations_come_at_once_with_their_places():
    battle = melee()
    order = AssaultFire((
        Fire(at(404), (shot(battle, "bn", 60), shot(battle, "bn", 1), shot(battle, "pz", 5),
                       shot(battle, "pak", 40), shot(battle, "rifle", 5)),
             (shot(battle, "bn", 1), shot(battle, "pz", 6)), antitank_weapons=(0,)),
        Fire(at(404)), Fire(at(808))))
    found = fire.judge(battle, ASSAULT, order)
    assert [(v.path, v.clause) for v in found] == [
        ("fires[0].antitank_weapons[0]", "WD 10.D"),
        ("fires[0].conventional[1].target", "WD 9.C.3"),
        ("fires[0].conventional[2].target", "WD 9.B"),
        ("fires[0].conventional[4].target", "WD 9.B"),
        ("fires[0].conventional", "WD 9.C.3"),
        ("fires[0].conventional[3].target", "WD 9.C.3"),
        ("fires[0].antitank[0].target", "WD 10.B"),
        ("fires[0].antitank", "WD 10.C.2"),
        ("fires[1].hex", "WD 9.C.3"),
        ("fires[2].hex", "WD 9.B"),
    ]
    assert all(v.message.endswith(".") for v in found)


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize(("value", "legal"), [(51, True), (52, False), (0, False), (-1, False)])
def test_the_total_is_a_limit(value, legal):
    battle = melee()
    order = AssaultFire((Fire(at(404), (shot(battle, "bn", value),)),))
    assert (fire.judge(battle, ASSAULT, order) == []) is legal


@pytest.mark.rule("WD 9.B")
def test_a_named_hex_without_shots_holds_its_fire():
    battle = melee()
    order = DefensiveFire((Fire(at(404)),))
    assert fire.judge(battle, DEFENCE, order) == []
    fire.resolve(battle, DEFENCE, order)
    assert battle.events == []


@pytest.mark.rule("WD 9.A")
def test_conventional_fire_comes_first_then_antitank_in_the_order_of_the_first_shots():
    battle = melee(dice=(6, 6, 6, 6))
    order = DefensiveFire((Fire(at(404), (shot(battle, "rifle2", 2), shot(battle, "rifle", 2)),
                                (shot(battle, "t34", 2), shot(battle, "t34", 1))),))
    assert fire.judge(battle, DEFENCE, order) == []
    fire.resolve(battle, DEFENCE, order)
    index = battle.catalog.unit_index
    assert [(type(event), event.target) for event in battle.events] == [
        (ConventionalFired, index["rifle2"]), (ConventionalFired, index["rifle"]),
        (AntitankFired, index["t34"]), (AntitankFired, index["t34"])]
    assert set(battle.events[0].firers) == {index[id_] for id_ in ("bn", "bn2", "pz", "pak")}
    assert set(battle.events[2].firers) == {index[id_] for id_ in ("bn", "bn2", "pz")}


@pytest.mark.rule("WD 11.A.1")
def test_a_supporting_unit_of_the_hex_fires_no_other_way():
    catalog = field([soviet("rifle"), german("bn"), guns(german("art"), support=2)])
    battle = place(catalog, "rifle 0405; bn 0404; art 0404 3 deployed",
                   high_intensity=(False, True, False),
                   assaults=(assault(catalog, 404, "rifle"),))
    art = catalog.unit_index["art"]

    def judged(value: int, *support: Support) -> list[str]:
        order = DefensiveFire((Fire(at(404), (shot(battle, "rifle", value),), support=support),))
        return [v.clause for v in fire.judge(battle, DEFENCE, order)]

    assert judged(12) == []                                # 9 and its own 3
    assert judged(15, Support(art, at(404))) == []         # 9 and 6 of support
    assert judged(18, Support(art, at(404))) == ["WD 9.C.3"]
    assert judged(9, Support(art, at(404)), Support(art, at(404))) == ["WD 11.A"]
    assert judged(9, Support(art, at(405))) == ["WD 11.A"]
    assert judged(9, Support(catalog.unit_index["rifle"], at(404))) == ["WD 11.A"]


def brute_force(battle: Battle, units: list[str], value: int) -> Fraction:
    """The highest mean loss of any conventional apportionment, tried one by one."""
    catalog, index = battle.catalog, battle.catalog.unit_index
    ratios = catalog.charts.conventional.ratios
    losses = {(id_, column): allocation.conventional_loss(battle, index[id_], column)
              for id_ in units for column in range(len(ratios))}
    best = Fraction(0)
    for columns in product([None, *range(len(ratios))], repeat=len(units)):
        cost, loss, personnel, weapons = 0, Fraction(0), [], []
        for id_, column in zip(units, columns, strict=True):
            kind = conventional_fire.kind_of(battle, index[id_])
            (weapons if kind.is_weapons else personnel).append(-1 if column is None else column)
            if column is None:
                continue
            numerator, denominator = ratios[column]
            defence = conventional_fire.defence_value(battle, index[id_])
            cost += -(-defence * numerator // denominator)
            loss += losses[id_, column]
        if any(w > -1 for w in weapons) and (
                min(personnel, default=99) == -1 or max(weapons) > min(personnel, default=99)):
            continue
        if cost <= value:
            best = max(best, loss)
    return best


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize("value", [8, 48, 100, 160, 280, 400, 900])
@pytest.mark.parametrize("strengths", [(3, 3, 2), (1, 8, 4), (5, 2, 1)])
def test_the_default_has_the_highest_mean_loss_within_the_limits(value, strengths):
    catalog = field([german("a"), german("b"), german("pak", kind=Kind.LIGHT_WEAPONS)])
    battle = place(catalog, "; ".join(
        f"{id_} 0404 {strength}" for id_, strength in zip(("a", "b", "pak"), strengths,
                                                          strict=True)))
    targets = allocation.conventional_targets(battle, range(3), ())
    shots = allocation.apportion(targets, Budget(value), FirePolicy.HIGHEST_LOSS)
    assert sum(one.value for one in shots) <= value
    loss = Fraction(0)
    for one in shots:
        column = conventional_fire.column(
            battle, one.value, conventional_fire.defence_value(battle, one.target))
        assert column is not None
        loss += allocation.conventional_loss(battle, one.target, column)
    assert loss == brute_force(battle, ["a", "b", "pak"], value)


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize("policy", list(FirePolicy))
@pytest.mark.parametrize("phase", [DEFENCE, ASSAULT])
@pytest.mark.parametrize("terrain", [{}, {"down": "0404-0405"}, {"town": "0404"}])
def test_what_the_server_chooses_is_legal(policy, phase, terrain):
    standing = StandingOrders(fire=policy)
    battle = melee(standing=(standing, standing), **terrain)
    order = fire.default_order(battle, phase)
    assert fire.judge(battle, phase, order) == []
    assert order.fires[0].conventional
    assert order.fires[0].antitank


@pytest.mark.rule("WD 9.C.3")
def test_even_fire_is_at_one_column():
    standing = StandingOrders(fire=FirePolicy.EVEN)
    battle = melee(standing=(standing, standing))
    (ordered,) = fire.default_order(battle, ASSAULT).fires
    columns = {conventional_fire.column(battle, one.value, conventional_fire.defence_value(
        battle, one.target)) for one in ordered.conventional}
    assert len(columns) == 1
    assert len(ordered.conventional) == 3


@pytest.mark.rule("WD 21.D")
def test_the_server_shelters_tank_destroyers():
    catalog = field([tanks(soviet("t34", strength=12)), tanks(german("pz"), defence=6),
                     tanks(german("marder", traits="tank_destroyer"), defence=1)])
    battle = place(catalog, "t34 0405; pz 0404; marder 0404",
                   assaults=(assault(catalog, 404, "t34"),))
    order = fire.default_order(battle, ASSAULT)
    assert fire.judge(battle, ASSAULT, order) == []
    assert {one.target for one in order.fires[0].antitank} == {
        catalog.unit_index["pz"], catalog.unit_index["marder"]}


@pytest.mark.rule("WD 10.C.3")
def test_the_default_against_afvs_prefers_fewer_attacks_for_the_same_loss():
    catalog = field([tanks(soviet("t34")), tanks(german("pz", strength=6), defence=4)])
    battle = place(catalog, "t34 0404; pz 0405")
    targets = allocation.antitank_targets(battle, (catalog.unit_index["pz"],), (), 32)
    (one,) = allocation.apportion(targets, Budget(32), FirePolicy.HIGHEST_LOSS)
    assert one.value == 32
    assert antitank_fire.expected_loss(catalog, (1,), 6) == Fraction(1, 3)


@pytest.mark.rule("WD 11.A.1")
def test_the_server_adds_own_support_then_one_stack_of_other_artillery():
    own, other = {"division": "83"}, {"division": "8"}
    catalog = field([german("bn", **own), guns(german("a83", **own)), guns(german("a8", **other)),
                     guns(german("b8", **other)), guns(german("arko")), soviet("rifle")])
    battle = place(catalog, "bn 0404; a83 0402 3 deployed; a8 0403 3 deployed; "
                            "arko 0403 2 deployed; b8 0303 3 deployed; rifle 0405",
                   assaults=(assault(catalog, 404, "rifle"),))
    order = fire.default_order(battle, DEFENCE)
    assert {catalog.units[item.unit].id for item in order.fires[0].support} == {
        "a83", "a8", "arko"}
    assert order.high_intensity == (Pool.GERMAN,)
    assert fire.judge(battle, DEFENCE, order) == []


@pytest.mark.rule("WD 11.A.1")
def test_the_server_names_the_headquarters_with_the_most_support():
    catalog = field([soviet("r28", division="28"), soviet("r257", division="257"),
                     guns(soviet("a28", division="28"), support=1),
                     guns(soviet("a257", division="257"), support=3), german("bn")])
    battle = place(catalog, "r28 0405; r257 0304; a28 0407 3 deployed; a257 0406 3 deployed; "
                            "bn 0404", assaults=(assault(catalog, 404, "r28", "r257"),))
    order = fire.default_order(battle, ASSAULT)
    assert order.fires[0].headquarters == "257"
    assert [catalog.units[item.unit].id for item in order.fires[0].support] == ["a257"]
    assert fire.judge(battle, ASSAULT, order) == []


@pytest.mark.rule("WD 15.A.4")
@pytest.mark.parametrize(("choice", "supply", "pools"), [
    (Choice.DEFAULT, (9, 9, 9), (Pool.GERMAN,)), (Choice.NEVER, (9, 9, 9), ()),
    (Choice.DEFAULT, (9, 0, 9), ()), (Choice.ALWAYS, (9, 1, 9), (Pool.GERMAN,)),
])
def test_the_server_pays_for_high_intensity_if_it_adds_fire(choice, supply, pools):
    standing = StandingOrders(high_intensity=choice)
    battle = melee(supply=supply, standing=(standing, standing))
    assert fire.default_order(battle, DEFENCE).high_intensity == pools


@pytest.mark.rule("WD 15.A.4")
@pytest.mark.parametrize(("pools", "clauses"), [
    ((Pool.GERMAN,), []), ((Pool.GERMAN, Pool.GERMAN), ["WD 15.A.4"]),
    ((Pool.SOVIET,), ["WD 15.A.4"]), ((Pool.VELIKIYE_LUKI,), ["WD 15.D.2"]),
])
def test_pools_of_high_intensity(pools, clauses):
    found = fire.judge(melee(), DEFENCE, DefensiveFire((), pools))
    assert [violation.clause for violation in found] == clauses


@pytest.mark.rule("WD 12.B")
@pytest.mark.parametrize(("level", "down", "covered"), [
    (10, 0, True), (11, 0, False), (0, 16, True), (0, 18, True), (0, 19, False), (2, 16, True),
    (3, 16, False), (6, 8, True), (7, 8, False), (1, 17, True), (2, 17, False),
])
def test_own_fire_doubles_down_a_slope_and_support_does_not(level, down, covered):
    assert Budget(8, 2).covers(level, down) is covered


@pytest.mark.rule("WD 9.C")
@pytest.mark.parametrize("phase", [DEFENCE, ASSAULT])
def test_fire_replays(phase):
    battle = melee(dice=(1, 2, 3, 4, 5, 6) * 20)
    state = battle.freeze()
    fire.resolve(battle, phase, fire.default_order(battle, phase))
    assert battle.events
    assert any(isinstance(event, SupplySpent) for event in battle.events) is (phase == DEFENCE)
    assert replay(battle.catalog, state, battle.events) == battle.freeze()


@pytest.mark.rule("WD 21.C")
def test_units_that_discover_commandos_attack_once():
    catalog = field([german("co", traits="commando", strength=2), soviet("rifle")])
    battle = place(catalog, "co 0404; rifle 0405", dice=(6,), phasing=Side.GERMAN)
    fire.discovered_attack(battle, (catalog.unit_index["co"],), at(405))
    (fired,) = [event for event in battle.events if isinstance(event, ConventionalFired)]
    assert (fired.phase, fired.column) == (Phase.MOVEMENT, "1.5:1")
