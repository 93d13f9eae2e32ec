"""[WD 6.B.3, 9.A, 12.A, 15.A.1] Declaring assaults."""

from __future__ import annotations

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death.events import AssaultDeclared, SupplySpent
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Assault
from lovat_server.games.white_death.terms import (
    FP,
    ImpulseKind,
    Mobility,
    Pool,
    Side,
    Weather,
)

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


def ground(line: str, *extra, **more):
    names = {"forest", "town", "city", "creek", "river", "lake", "partial_lake", "road", "rail",
             "bunkers"}
    places = {name: more.pop(name) for name in names & set(more)}
    catalog = field([soviet("rifle"), soviet("second"), german("bn"), german("bn2"), *extra],
                    **places)
    return place(catalog, line, dice=(6,) * 30, **more)


def only(battle, hex_: int, ids: str):
    return refusals(battle, moves(assaults=(assault(battle, hex_, ids),)))


def facts_of(found) -> list[tuple[str, Reason, str]]:
    return [(violation.clause, violation.reason, violation.path) for violation in found]


@pytest.mark.rule("WD 6.B.3")
def test_an_assault_costs_one_point_of_each_unit():
    battle = ground("rifle 0505; second 0505; bn 0506")
    attack = assault(battle, 506, "rifle second")
    assert cost(battle, "rifle", assaults=(attack,)) == 1
    assert cost(battle, "second", assaults=(attack,)) == 1
    assert options(battle, "rifle").assaults == (at(506),)
    done = after(battle, moves(assaults=(attack,)))
    assert of_kind(done.events, AssaultDeclared) == [
        AssaultDeclared(at(506), units(battle, "rifle second"), ())]


@pytest.mark.rule("WD 6.B.3")
def test_a_unit_that_has_moved_pays_for_both():
    battle = ground("rifle 0503; bn 0506", declared=2)
    order = moves(march(battle, "rifle", 504, 505),
                  assaults=(assault(battle, 506, "rifle"),))
    assert cost(battle, "rifle", *order.actions, assaults=order.assaults) == 2
    far = ground("rifle 0502; bn 0506", declared=2)
    found = refusals(far, moves(march(far, "rifle", 503, 504, 505),
                                assaults=(assault(far, 506, "rifle"),)))
    assert facts_of(found) == [("WD 6.B.3", Reason.POINTS, "assaults[0].units[0]")]
    assert (found[0].facts["left"], found[0].facts["cost"]) == ("1/2", "1")


@pytest.mark.rule("WD 6.B.3")
def test_a_unit_stopped_by_a_zone_may_assault():
    battle = ground("rifle 0504; bn 0506")
    assert accepts(battle, moves(march(battle, "rifle", 505),
                                 assaults=(assault(battle, 506, "rifle"),)))


@pytest.mark.rule("WD 6.B.3", "WD 9.A", "WD 9.B")
@pytest.mark.parametrize(("line", "hex_", "ids", "clause", "reason", "seat"), [
    ("rifle 0504; bn 0506", 506, "rifle", "WD 6.B.3", Reason.NOT_ADJACENT, 0),
    ("rifle 0505; bn 0909", 506, "rifle", "WD 9.B", Reason.TARGET, 0),
    ("rifle 0505; second 0506; bn 0909", 506, "rifle", "WD 9.B", Reason.TARGET, 0),
    ("rifle 0505; bn 0506; bn2 0605", 506, "bn2", "WD 6.B.3", Reason.WRONG_SIDE, 0),
    ("rifle 0505; bn 0506", 506, "rifle rifle", "WD 6.B.3", Reason.DUPLICATE, 1),
    ("rifle 0505 halted; bn 0506", 506, "rifle", "WD 14.B.2", Reason.FIRER, 0),
    ("rifle 0505; bn 0506", 506, "second", "WD 6.B.3", Reason.NOT_AVAILABLE, 0),
])
def test_each_refusal_of_a_unit(line, hex_, ids, clause, reason, seat):
    found = only(ground(line), hex_, ids)
    assert facts_of(found) == [(clause, reason, f"assaults[0].units[{seat}]")]


@pytest.mark.rule("WD 9.A")
def test_wdtc_c06_a_unit_with_a_factor_in_parentheses_does_not_assault():
    battle = ground("g 0505; bn 0506", guns(soviet("g"), range_=4))
    assert facts_of(only(battle, 506, "g")) == [
        ("WD 9.A", Reason.FIRER, "assaults[0].units[0]")]
    assert options(battle, "g") is None or options(battle, "g").assaults == ()


@pytest.mark.rule("WD 6.B.3")
def test_one_hex_a_unit_and_one_entry_a_hex():
    battle = ground("rifle 0505; second 0505; bn 0506; bn2 0504")
    both = moves(assaults=(assault(battle, 506, "rifle"), assault(battle, 504, "rifle")))
    assert facts_of(refusals(battle, both)) == [
        ("WD 6.B.3", Reason.DUPLICATE, "assaults[1].units[0]")]
    twice = moves(assaults=(assault(battle, 506, "rifle"), assault(battle, 506, "second")))
    assert facts_of(refusals(battle, twice)) == [
        ("WD 6.B.3", Reason.DUPLICATE, "assaults[1].hex")]
    none = moves(assaults=(Assault(at(506), ()),))
    assert facts_of(refusals(battle, none)) == [
        ("WD 6.B.3", Reason.INCOMPLETE, "assaults[0].units")]


@pytest.mark.rule("WD 6.B.3")
def test_a_unit_off_the_map_assaults_nothing():
    battle = ground("rifle 0505; bn 0506", soviet("late", arrival_turn=3, arrival_area="E"))
    assert facts_of(only(battle, 506, "late")) == [
        ("WD 6.B.3", Reason.NOT_AVAILABLE, "assaults[0].units[0]")]


@pytest.mark.rule("WD 12.A")
@pytest.mark.parametrize(("mobility", "places", "legal"), [
    (Mobility.TRACK, {"forest": "0506"}, False),
    (Mobility.TRACK, {"forest": "0506", "road": "0505-0506"}, True),
    (Mobility.TRACK, {"forest": "0506", "road": "0605-0506"}, False),
    (Mobility.LEG, {"forest": "0506"}, True),
    (Mobility.DRAFT, {"lake": "0505-0506"}, False),
    (Mobility.TRACK, {"lake": "0505-0506"}, True),
])
def test_prohibited_hexes_and_hexsides_are_not_assaulted(mobility, places, legal):
    unit_ = soviet("u", mobility=mobility)
    if mobility == Mobility.TRACK:
        unit_ = tanks(unit_)
    battle = ground("u 0505; bn 0506", unit_, **places)
    found = facts_of(only(battle, 506, "u"))
    assert found == ([] if legal else [
        ("WD 12.A", Reason.PROHIBITED_TERRAIN, "assaults[0].units[0]")])
    offer = options(battle, "u")
    assert (bool(offer) and at(506) in offer.assaults) is legal


@pytest.mark.rule("WD 12.A", "WD 13")
def test_thaw_closes_a_lake_hexside_to_tanks():
    battle = ground("u 0505; bn 0506", tanks(soviet("u")), lake="0505-0506",
                    weather=Weather.THAW)
    assert clauses(battle, moves(assaults=(assault(battle, 506, "u"),))) == ["WD 12.A"]


@pytest.mark.rule("WD 5")
def test_no_assault_in_a_pass():
    battle = ground("rifle 0505; bn 0506", kind=ImpulseKind.PASS, declared=1)
    assert facts_of(only(battle, 506, "rifle")) == [("WD 5", Reason.IMPULSE, "assaults")]


@pytest.mark.rule("WD E.19")
def test_the_soviets_may_assault_an_empty_bunker_and_the_germans_nothing_there():
    battle = ground("rifle 0505; bn 0909", city="0506", bunkers={506: 4})
    assert not only(battle, 506, "rifle")
    other = ground("rifle 0909; bn 0505", city="0506", bunkers={506: 4}, side=Side.GERMAN)
    assert facts_of(only(other, 506, "bn")) == [
        ("WD 9.B", Reason.TARGET, "assaults[0].units[0]")]


# ---------------------------------------------------------------- supply

@pytest.mark.rule("WD 15.A.1")
def test_any_number_of_assaults_costs_one_supply_point():
    battle = ground("rifle 0505; second 0511; bn 0506; bn2 0510", supply=(1, 0, 0))
    order = moves(assaults=(assault(battle, 506, "rifle"), assault(battle, 510, "second")))
    judged = WHITE_DEATH.judge(battle.catalog, battle.freeze(), order)
    assert (judged.violations, judged.receipt.supply) == ((), (1, 0, 0))
    done = after(battle, order)
    assert of_kind(done.events, SupplySpent) == [SupplySpent(Pool.SOVIET, 1, False)]


@pytest.mark.rule("WD 15.A.1")
def test_without_a_point_no_assault():
    battle = ground("rifle 0505; bn 0506", supply=(0, 9, 9))
    found = only(battle, 506, "rifle")
    assert [(v.clause, v.reason, v.path, v.facts) for v in found] == [
        ("WD 15.A.1", Reason.SUPPLY, "assaults",
         {"pool": "soviet", "needed": "1", "left": "0"})]
    offer = options(battle, "rifle")
    assert offer.assaults == ()


@pytest.mark.rule("WD 15.D.2")
@pytest.mark.parametrize(("supply", "inside", "outside"), [
    ((9, 1, 0), False, True), ((9, 0, 1), True, False), ((9, 1, 1), True, True),
])
def test_wdtc_l04_each_pool_pays_for_its_own_units(supply, inside, outside):
    battle = ground("rifle 0505; bn 0506; second 0909; bn2 0910", city="0506", supply=supply,
                    side=Side.GERMAN)
    city = only(battle, 505, "bn")
    open_ = only(battle, 909, "bn2")
    assert [v.clause for v in city] == ([] if inside else ["WD 15.D.2"])
    assert [v.clause for v in open_] == ([] if outside else ["WD 15.A.1"])
    both = refusals(battle, moves(assaults=(assault(battle, 505, "bn"),
                                            assault(battle, 909, "bn2"))))
    assert len(both) == (not inside) + (not outside)


@pytest.mark.rule("WD 15.A.1", "WD 15.D.2")
def test_both_pools_pay_where_both_assault():
    battle = ground("rifle 0505; bn 0506; bn2 0504", city="0506", side=Side.GERMAN,
                    supply=(9, 3, 3))
    done = after(battle, moves(assaults=(assault(battle, 505, "bn bn2"),)))
    assert done.supply == (9, 2, 2)


# ---------------------------------------------------------------- all together

@pytest.mark.rule("WD 6.B.3")
def test_every_fault_is_told_at_once():
    battle = ground("rifle 0505; second 0303; bn 0506", supply=(0, 9, 9), declared=1)
    order = moves(march(battle, "rifle", 605),
                  assaults=(assault(battle, 506, "rifle second bn"),))
    found = facts_of(refusals(battle, order))
    assert ("WD 6.B.3", Reason.NOT_ADJACENT, "assaults[0].units[1]") in found
    assert ("WD 6.B.3", Reason.WRONG_SIDE, "assaults[0].units[2]") in found
    assert any(clause == "WD 15.A.1" for clause, _, _ in found)


@pytest.mark.rule("WD 6.B.3")
def test_what_is_listed_after_a_draft():
    battle = ground("rifle 0503; second 0505; bn 0506", declared=2)
    draft = moves(march(battle, "rifle", 504, 505))
    assert options(battle, "rifle").assaults == ()
    assert options(battle, "rifle", draft).assaults == (at(506),)
    busy = moves(assaults=(assault(battle, 506, "second"),))
    offer = options(battle, "second", busy)
    assert offer is None or offer.assaults == ()


@pytest.mark.rule("WD 3.A", "WD 6.B.3")
def test_an_assault_of_a_unit_lost_on_the_way_is_left_out():
    gun = german("pak", antitank=30 * FP)
    battle = ground("u 0505; bn 0511; pak 0604", tanks(soviet("u"), strength=1), gun)
    order = moves(march(battle, "u", 506, 507, 508, 509, 510),
                  assaults=(assault(battle, 511, "u"),))
    battle.dice = type(battle.dice)((1,) * 12)
    done = after(battle, order)
    assert done.units[unit(done, "u")].strength == 0
    assert (done.assaults, done.supply) == ((), battle.supply)
