"""[WD E.21-E] Ski units: retreat before combat, and pursuit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death import standing
from lovat_server.games.white_death.events import UnitAdvanced, UnitPursued, UnitWithdrew
from lovat_server.games.white_death.orders import (
    Advance,
    Choice,
    Occupation,
    Pursue,
    Pursuit,
    RetreatBeforeCombat,
    StandingOrders,
    Withdrawal,
)
from lovat_server.games.white_death.terms import DecisionKind, Mobility, Side, Size

from .field import at, field, german, place, soviet
from .playing import (
    after,
    assault,
    clauses,
    listing,
    moves,
    of_kind,
    refusals,
    unit,
    units,
)

SKI = Mobility.SKI


def skirmish(line: str, *, extra=(), **places):
    """Soviet leg and ski battalions against German ski and leg battalions."""
    catalog = field([
        soviet("rifle"), soviet("skis", mobility=SKI, size=Size.BATTALION),
        soviet("skis2", mobility=SKI, size=Size.BATTALION),
        soviet("skis3", mobility=SKI, size=Size.BATTALION),
        german("jaeger", mobility=SKI), german("jaeger2", mobility=SKI), german("bn"), *extra],
        **places)
    return place(catalog, line, dice=(6,) * 30)


def assaulted(line: str, attackers: str, hex_: int = 506, **more):
    battle = skirmish(line, **more)
    return after(battle, moves(assaults=(assault(battle, hex_, attackers),)))


def leave(battle, *pairs: tuple[str, int]) -> RetreatBeforeCombat:
    return RetreatBeforeCombat(tuple(Withdrawal(unit(battle, id_), at(hex_))
                                     for id_, hex_ in pairs))


def follow(battle, ids: str, hex_: int, target: int) -> Pursue:
    return Pursue((Pursuit(at(hex_), units(battle, ids), at(target)),))


def offered(battle) -> dict[int, set[int]]:
    return {option.unit: set(option.hexes) for option in listing(battle).withdrawals}


# ---------------------------------------------------------------- retreat before combat

@pytest.mark.rule("WD E.21-E")
def test_an_assaulted_ski_unit_may_leave_by_one_hex():
    battle = assaulted("rifle 0505; jaeger 0506; bn 0506", "rifle")
    assert (battle.decision.kind, battle.decision.side) == (
        DecisionKind.RETREAT_BEFORE_COMBAT, Side.GERMAN)
    assert offered(battle) == {unit(battle, "jaeger"): {
        at(hex_) for hex_ in (507, 405, 406, 605, 606)}}
    done = after(battle, leave(battle, ("jaeger", 507)))
    assert of_kind(done.events, UnitWithdrew) == [
        UnitWithdrew(unit(battle, "jaeger"), at(506), at(507))]
    assert done.units[unit(done, "jaeger")].hex == at(507)
    assert done.decision.kind == DecisionKind.DEFENSIVE_FIRE


@pytest.mark.rule("WD E.21-E")
def test_a_zone_of_leg_units_does_not_hold_it_but_one_of_ski_units_does():
    battle = assaulted("rifle 0505; skis 0407; jaeger 0506", "rifle")
    hexes = offered(battle)[unit(battle, "jaeger")]
    assert at(405) in hexes          # in the zone of the rifle regiment
    assert not hexes & {at(406), at(507), at(407)}
    assert clauses(battle, leave(battle, ("jaeger", 507))) == ["WD E.21-E"]


@pytest.mark.rule("WD E.21-E")
@pytest.mark.parametrize(("who", "where"), [
    ("jaeger", 508), ("jaeger", 505), ("jaeger", 506), ("bn", 507), ("jaeger2", 910),
    ("rifle", 504),
])
def test_refused_withdrawals(who, where):
    battle = assaulted("rifle 0505; jaeger 0506; bn 0506; jaeger2 0909", "rifle")
    found = refusals(battle, leave(battle, (who, where)))
    assert [(v.clause, v.reason, v.path) for v in found] == [
        ("WD E.21-E", Reason.RETREAT, "withdrawals[0].hex")]


@pytest.mark.rule("WD E.21-E")
def test_it_retreats_once_only():
    battle = assaulted("rifle 0505; jaeger 0506", "rifle")
    found = refusals(battle, leave(battle, ("jaeger", 507), ("jaeger", 508)))
    assert [(v.reason, v.path) for v in found] == [(Reason.DUPLICATE, "withdrawals[1].unit")]


@pytest.mark.rule("WD E.21-E", "WD 4.A")
def test_it_may_not_overfill_the_hex_it_goes_to():
    extra = (german("x"), german("y"), german("z"))
    battle = assaulted("rifle 0505; jaeger 0506; jaeger2 0506; x 0507; y 0507", "rifle",
                       extra=extra)
    assert clauses(battle, leave(battle, ("jaeger", 507))) == []
    found = refusals(battle, leave(battle, ("jaeger", 507), ("jaeger2", 507)))
    assert [v.path for v in found] == ["withdrawals[1].hex"]


@pytest.mark.rule("WD E.21-E", "WD E.19")
def test_a_soviet_ski_unit_does_not_retreat_into_a_bunker():
    catalog = field([soviet("skis", mobility=SKI), german("bn")], city="0507",
                    bunkers={507: 5})
    battle = place(catalog, "skis 0506; bn 0505", side=Side.GERMAN, dice=(6,) * 9)
    battle = after(battle, moves(assaults=(assault(battle, 506, "bn"),)))
    assert at(507) not in offered(battle)[unit(battle, "skis")]


@pytest.mark.rule("WD E.21-E")
def test_only_units_of_an_assaulted_hex_are_asked():
    battle = assaulted("rifle 0505; bn 0506; jaeger 0407", "rifle")
    assert battle.decision.kind == DecisionKind.DEFENSIVE_FIRE


# ---------------------------------------------------------------- pursuit

@pytest.mark.rule("WD E.21-E")
def test_assaulting_ski_units_may_follow_into_a_hex_wholly_left():
    # The German leaves into the zone of leg units only: both ski units stand behind him.
    battle = assaulted("rifle 0605; skis 0505; jaeger 0506", "rifle skis")
    battle = after(battle, leave(battle, ("jaeger", 507)))
    assert (battle.decision.kind, battle.decision.side) == (DecisionKind.PURSUE, Side.SOVIET)
    found = listing(battle).pursuits
    assert [(option.hex, option.units, option.targets) for option in found] == [
        (at(506), (unit(battle, "skis"),), (at(507),))]
    done = after(battle, follow(battle, "skis", 506, 507))
    assert of_kind(done.events, UnitPursued) == [
        UnitPursued(unit(battle, "skis"), at(505), at(506), at(507))]
    assert {a.hex: a.units for a in done.assaults} == {
        at(506): (unit(done, "rifle"),), at(507): (unit(done, "skis"),)}
    assert done.decision.kind == DecisionKind.DEFENSIVE_FIRE
    assert [option.hex for option in listing(done).fires] == [at(507)]


@pytest.mark.rule("WD E.21-E", "WD 9.D")
def test_the_others_advance_into_the_hex_after_the_pursuit_is_fought():
    foot = soviet("foot", size=Size.BATTALION)
    battle = assaulted("rifle 0605; foot 0605; skis 0505; jaeger 0506", "rifle foot skis",
                       extra=(foot,))
    battle = after(battle, leave(battle, ("jaeger", 507)))
    battle = after(battle, follow(battle, "skis", 506, 507))
    while battle.decision.kind != DecisionKind.ADVANCE:
        assert not battle.vacated
        battle = after(battle, standing.answer(battle))
    # A regiment may not stack with a battalion that is not of its division.
    won = {option.hex: option.units for option in listing(battle).advances}
    assert won[at(506)] == (unit(battle, "foot"),)
    done = after(battle, Advance((Occupation(at(506), units(battle, "foot")),)))
    assert done.units[unit(done, "foot")].hex == at(506)


@pytest.mark.rule("WD E.21-E", "WD 9.D")
def test_without_pursuit_those_who_assaulted_advance():
    battle = assaulted("rifle 0605; jaeger 0506", "rifle")
    battle = after(battle, leave(battle, ("jaeger", 507)))
    assert battle.decision.kind == DecisionKind.ADVANCE
    done = after(battle, Advance((Occupation(at(506), (unit(battle, "rifle"),)),)))
    assert of_kind(done.events, UnitAdvanced) == [
        UnitAdvanced(unit(battle, "rifle"), at(605), at(506))]


@pytest.mark.rule("WD E.21-E")
def test_there_is_no_pursuit_while_the_hex_is_held():
    battle = assaulted("skis 0505; jaeger 0506; bn 0506", "skis")
    battle = after(battle, leave(battle, ("jaeger", 507)))
    assert battle.decision.kind == DecisionKind.DEFENSIVE_FIRE


@pytest.mark.rule("WD E.21-E")
@pytest.mark.parametrize(("ids", "hex_", "target", "path", "reason"), [
    ("rifle", 506, 507, "pursuits[0].units[0]", Reason.ADVANCE),
    ("skis3", 506, 507, "pursuits[0].units[0]", Reason.ADVANCE),
    ("skis skis", 506, 507, "pursuits[0].units[1]", Reason.ADVANCE),
    ("skis", 506, 606, "pursuits[0].target", Reason.TARGET),
    ("skis", 505, 507, "pursuits[0].hex", Reason.ADVANCE),
])
def test_refused_pursuits(ids, hex_, target, path, reason):
    battle = assaulted("rifle 0605; skis 0505; skis3 0303; jaeger 0506", "rifle skis")
    battle = after(battle, leave(battle, ("jaeger", 507)))
    found = refusals(battle, follow(battle, ids, hex_, target))
    assert [(v.clause, v.reason, v.path) for v in found] == [("WD E.21-E", reason, path)]


@pytest.mark.rule("WD E.21-E", "WD 4.B")
@pytest.mark.parametrize("apart", [False, True])
def test_pursuers_stack_together_however_they_are_named(apart):
    battle = assaulted("skis 0505; skis2 0505; skis3 0605; jaeger 0506", "skis skis2 skis3")
    battle = after(battle, leave(battle, ("jaeger", 507)))
    together = follow(battle, "skis skis2 skis3", 506, 507)
    order = Pursue(tuple(Pursuit(at(506), (index,), at(507))
                         for index in together.pursuits[0].units)) if apart else together
    found = refusals(battle, order)
    assert [(v.clause, v.path) for v in found] == [
        ("WD 4", "pursuits[2].units" if apart else "pursuits[0].units")]
    assert clauses(battle, follow(battle, "skis skis2", 506, 507)) == []


@pytest.mark.rule("WD E.21-E")
def test_two_ways_out_may_be_followed_both():
    battle = assaulted("skis 0505; skis2 0505; jaeger 0506; jaeger2 0506", "skis skis2")
    battle = after(battle, leave(battle, ("jaeger", 507), ("jaeger2", 606)))
    assert [option.targets for option in listing(battle).pursuits] == [(at(507), at(606))]
    order = Pursue((Pursuit(at(506), units(battle, "skis"), at(507)),
                    Pursuit(at(506), units(battle, "skis2"), at(606))))
    done = after(battle, order)
    assert {a.hex: a.units for a in done.assaults if a.units} == {
        at(507): units(done, "skis"), at(606): units(done, "skis2")}


@pytest.mark.rule("WD E.21-E")
def test_a_pursuer_joins_an_assault_that_is_there_already():
    battle = skirmish("rifle 0407; skis 0505; jaeger 0506; bn 0507")
    battle = after(battle, moves(assaults=(assault(battle, 506, "skis"),
                                           assault(battle, 507, "rifle"))))
    battle = after(battle, leave(battle, ("jaeger", 507)))
    done = after(battle, follow(battle, "skis", 506, 507))
    assert {a.hex: a.units for a in done.assaults if a.units} == {
        at(507): units(done, "rifle skis")}


# ---------------------------------------------------------------- left to the server

@pytest.mark.rule("WD E.21-E")
@pytest.mark.parametrize(("choice", "leaves"), [
    (Choice.DEFAULT, False), (Choice.NEVER, False), (Choice.ALWAYS, True)])
def test_standing_orders_decide_on_withdrawal(choice, leaves):
    battle = assaulted("rifle 0505; jaeger 0506", "rifle")
    battle.standing = (StandingOrders(), replace(StandingOrders(), withdraw=choice))
    done = after(battle, standing.answer(battle))
    assert (done.units[unit(done, "jaeger")].hex != at(506)) is leaves


@pytest.mark.rule("WD E.21-E")
@pytest.mark.parametrize(("choice", "follows"), [
    (Choice.DEFAULT, True), (Choice.NEVER, False), (Choice.ALWAYS, True)])
def test_standing_orders_decide_on_pursuit(choice, follows):
    battle = assaulted("skis 0505; jaeger 0506", "skis")
    battle = after(battle, leave(battle, ("jaeger", 507)))
    battle.standing = (replace(StandingOrders(), pursue=choice), StandingOrders())
    done = after(battle, standing.answer(battle))
    assert (done.units[unit(done, "skis")].hex == at(506)) is follows
