"""[WD 25.2] Losses to date: what is accepted, what is refused, the standard distribution."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import cache

import pytest

from lovat_server.core.violations import Reason, Violation
from lovat_server.games.white_death import losses_to_date
from lovat_server.games.white_death.answers import LossOption
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import LossToDate
from lovat_server.games.white_death.events import BunkerReduced, StrengthLost, UnitEliminated
from lovat_server.games.white_death.opening import opening_state
from lovat_server.games.white_death.orders import BunkerCasualty, Casualty, DistributeLosses
from lovat_server.games.white_death.state import Decision, Options, State
from lovat_server.games.white_death.terms import OFF_MAP, Cause, DecisionKind, Side
from lovat_server.scenarios.loader import load_catalog, load_scenario
from lovat_server.scenarios.losses import units_for

from .field import at, field, german, guns, place, soviet
from .playing import after, listing, refusals

II, III, IV, V = ("woehlers-response", "first-relief-attempt", "second-relief-attempt",
                  "final-relief-attempt")
LATER = (II, III, IV, V)


@cache
def opened(scenario: str) -> State:
    return opening_state(load_catalog(scenario), Options())


def asked(scenario: str, side: Side) -> Battle:
    """The scenario where a side divides its losses; the German losses fall first."""
    battle = Battle(load_catalog(scenario), opened(scenario))
    battle.decision = Decision(DecisionKind.DISTRIBUTE_LOSSES, side)
    return battle


def small(side: Side = Side.GERMAN) -> Battle:
    """Six points of infantry among g1, g2 and g3, two of g-art, three of a bunker; Soviets one."""
    plain = field(
        units=[german("g1"), german("g2"), german("g3"), german("free"), guns(german("g-art")),
               soviet("s1"), soviet("s2")],
        city="0505 0606", bunkers={505: 10, 606: 15})
    index = plain.unit_index
    losses = (
        LossToDate(Side.GERMAN, "Division", "infantry", 6,
                   tuple(index[id_] for id_ in ("g1", "g2", "g3"))),
        LossToDate(Side.GERMAN, "Division", "artillery", 2, (index["g-art"],)),
        LossToDate(Side.SOVIET, "Brigade", "infantry", 1, (index["s1"], index["s2"])),
    )
    catalog = replace(plain, scenario=replace(plain.scenario, losses=losses, bunker_losses=3))
    return place(catalog, "", decision=DecisionKind.DISTRIBUTE_LOSSES, side=side)


GOOD = "g1 2; g2 2; g3 2; g-art 2"
BUNKERS = "0505 1; 0606 2"


def order(battle: Battle, line: str, bunkers: str = BUNKERS) -> DistributeLosses:
    """"g1 2; g2 2" and "0505 1" as an order."""
    def parts(text: str) -> list[list[str]]:
        return [entry.split() for entry in text.split(";") if entry.strip()]

    return DistributeLosses(
        tuple(Casualty(battle.catalog.unit_index[id_], int(points))
              for id_, points in parts(line)),
        tuple(BunkerCasualty(at(int(hex_)), int(points)) for hex_, points in parts(bunkers)))


def judged(battle: Battle, line: str, bunkers: str = BUNKERS) -> list[Violation]:
    return losses_to_date.judge(battle, order(battle, line, bunkers))


# ---------------------------------------------------------------- what a player may order

@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("line", [GOOD, "g1 3; g2 3; g-art 2", "g-art 2; g3 1; g2 3; g1 2"])
def test_points_fall_on_the_units_of_a_line_as_the_owner_likes(line: str) -> None:
    assert judged(small(), line) == []


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize(("line", "kind", "given"), [
    ("g1 2; g2 2; g3 1; g-art 2", "infantry", "5"),
    ("g1 3; g2 3; g3 1; g-art 2", "infantry", "7"),
    ("g1 2; g2 2; g3 2; g-art 1", "artillery", "1"),
    ("g1 2; g2 2; g3 2", "artillery", "0"),
])
def test_each_line_is_wholly_divided_and_no_more(line: str, kind: str, given: str) -> None:
    found = judged(small(), line)
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.ALLOCATION, "WD 25.2", "casualties")]
    assert (found[0].facts["kind"], found[0].facts["given"]) == (kind, given)


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize(("line", "reason", "path"), [
    (GOOD + "; s1 1", Reason.WRONG_SIDE, "casualties[4].unit"),
    (GOOD + "; g1 1", Reason.DUPLICATE, "casualties[4].unit"),
    (GOOD + "; free 1", Reason.NOT_AVAILABLE, "casualties[4].unit"),
    ("g1 4; g2 2; g-art 2", Reason.ALLOCATION, "casualties[0].points"),
    ("g1 0; g2 3; g3 3; g-art 2", Reason.ALLOCATION, "casualties[0].points"),
    ("g1 -1; g2 3; g3 3; g-art 2", Reason.ALLOCATION, "casualties[0].points"),
])
def test_own_units_of_the_lists_once_each_and_no_more_than_they_have(
    line: str, reason: Reason, path: str
) -> None:
    assert [(v.reason, v.path) for v in judged(small(), line)] == [(reason, path)]


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize(("bunkers", "path"), [
    ("", "bunkers"), ("0505 2", "bunkers"), ("0505 2; 0606 2", "bunkers"),
    ("0505 1; 0404 2", "bunkers[1].hex"), ("0505 1; 0505 2", "bunkers[1].hex"),
    ("0505 10", "bunkers[0].points"), ("0505 0; 0606 3", "bunkers[0].points"),
])
def test_losses_of_bunkers_that_stand(bunkers: str, path: str) -> None:
    assert [v.path for v in judged(small(), GOOD, bunkers)] == [path]
    assert judged(small(), GOOD, "0606 3") == []


@pytest.mark.rule("WD 25.2")
def test_the_soviets_divide_no_bunkers() -> None:
    battle = small(Side.SOVIET)
    assert judged(battle, "s2 1", "") == []
    assert [v.path for v in judged(battle, "s2 1", "0505 3")] == ["bunkers"]
    assert [v.reason for v in judged(battle, "s1 1; g1 1", "")] == [Reason.WRONG_SIDE]


@pytest.mark.rule("WD 25.2")
def test_the_standard_distribution_stands_alone() -> None:
    battle = small()
    assert losses_to_date.judge(battle, DistributeLosses(standard=True)) == []
    mixed = replace(order(battle, GOOD), standard=True)
    assert [v.reason for v in losses_to_date.judge(battle, mixed)] == [Reason.DUPLICATE]


@pytest.mark.rule("WD 25.2")
def test_what_is_listed_for_the_side_that_decides() -> None:
    battle = small()
    index = battle.catalog.unit_index
    assert listing(battle).losses == (
        LossOption("Division", "infantry", 6, (index["g1"], index["g2"], index["g3"])),
        LossOption("Division", "artillery", 2, (index["g-art"],)),
        LossOption("Velikiye Luki", "bunkers", 3, (), (at(505), at(606))),
    )
    assert [option.formation for option in listing(small(Side.SOVIET)).losses] == ["Brigade"]


@pytest.mark.rule("WD 25.2")
def test_losses_are_booked_and_units_without_strength_are_gone() -> None:
    battle = small()
    before = battle.freeze()
    losses_to_date.resolve(battle, order(battle, "g1 3; g2 3; g-art 2"))
    index = battle.catalog.unit_index
    assert battle.events == [
        StrengthLost(index["g1"], 3, Cause.TO_DATE, False), UnitEliminated(index["g1"], OFF_MAP),
        StrengthLost(index["g2"], 3, Cause.TO_DATE, False), UnitEliminated(index["g2"], OFF_MAP),
        StrengthLost(index["g-art"], 2, Cause.TO_DATE, False),
        BunkerReduced(at(505), 1), BunkerReduced(at(606), 2),
    ]
    assert battle.units[index["g-art"]].strength == 1
    assert battle.bunkers == [9, 13]
    assert battle.ledger.lost == (0, 8)
    assert replay(battle.catalog, before, battle.events) == battle.freeze()


@pytest.mark.rule("WD 25.2")
def test_the_sides_divide_one_after_the_other_and_then_set_up() -> None:
    battle = small()
    assert [v.reason for v in refusals(battle, DistributeLosses())] == [Reason.ALLOCATION] * 3
    done = after(battle, order(battle, GOOD))
    assert done.decision == Decision(DecisionKind.DISTRIBUTE_LOSSES, Side.SOVIET)
    done = after(done, DistributeLosses(standard=True))
    assert done.decision == Decision(DecisionKind.SET_UP, Side.GERMAN)


@pytest.mark.rule("WD 25.2")
def test_the_standard_takes_from_whoever_has_most_left() -> None:
    battle = small()
    index = battle.catalog.unit_index
    assert losses_to_date.standard(battle) == DistributeLosses(
        tuple(Casualty(index[id_], 2) for id_ in ("g-art", "g1", "g2", "g3")),
        (BunkerCasualty(at(606), 3),))
    assert losses_to_date.standard(small(Side.SOVIET)) == DistributeLosses(
        (Casualty(index["s1"], 1),))


# ---------------------------------------------------------------- scenarios II to V

LINES = [(scenario, loss.side, place) for scenario in LATER
         for place, loss in enumerate(load_catalog(scenario).scenario.losses)]


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("scenario", LATER)
def test_the_lines_of_a_scenario_share_no_unit(scenario: str) -> None:
    named = Counter(index for loss in load_catalog(scenario).scenario.losses
                    for index in loss.units)
    assert set(named.values()) == {1}


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("scenario", LATER)
@pytest.mark.parametrize("side", list(Side))
def test_the_standard_distribution_is_accepted_as_an_order(scenario: str, side: Side) -> None:
    battle = asked(scenario, side)
    standard = losses_to_date.standard(battle)
    assert standard.casualties
    assert losses_to_date.judge(battle, standard) == []


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize(("scenario", "side", "line"), LINES)
def test_every_listed_line_must_be_met(scenario: str, side: Side, line: int) -> None:
    """A point too few on one line is refused, and a point on a unit of no line."""
    battle = asked(scenario, side)
    standard = losses_to_date.standard(battle)
    loss = battle.catalog.scenario.losses[line]
    there = [casualty for casualty in standard.casualties if casualty.unit in loss.units]
    assert sum(casualty.points for casualty in there) == loss.points
    fewer = tuple(casualty for casualty in standard.casualties if casualty != there[0])
    found = losses_to_date.judge(battle, replace(standard, casualties=fewer))
    assert [(v.reason, v.facts["formation"], v.facts["kind"]) for v in found] == [
        (Reason.ALLOCATION, loss.formation, loss.kind)]


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize(("scenario", "german", "soviet", "bunkers"), [
    (II, 52, 72, 2), (III, 86, 106, 12), (IV, 117, 168, 14), (V, 152, 186, 13)])
def test_sums_of_the_standard_distribution(scenario: str, german: int, soviet: int,
                                           bunkers: int) -> None:
    """The bunkers that stand lose what is listed less ten for each that was vacated."""
    battle = asked(scenario, Side.GERMAN)
    for side in (Side.GERMAN, Side.SOVIET):
        battle.decision = Decision(DecisionKind.DISTRIBUTE_LOSSES, side)
        losses_to_date.resolve(battle, DistributeLosses(standard=True))
    printed = battle.catalog.units
    assert battle.ledger.lost == (soviet, german)
    assert sum(unit.strength for unit in printed) - sum(
        unit.strength for unit in battle.units) == soviet + german
    whole = sum(bunker.strength for bunker in battle.catalog.bunkers)
    assert whole - sum(battle.bunkers) == bunkers
    assert bunkers + 10 * len(load_scenario(scenario).vacated) == \
        load_scenario(scenario).bunker_losses
    assert min(battle.bunkers) > 0


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("scenario", LATER)
def test_the_standard_distribution_spreads_and_empties_only_the_city(scenario: str) -> None:
    """Of one line no two units outside the city differ by more than their strengths make them."""
    battle = asked(scenario, Side.GERMAN)
    for side in (Side.GERMAN, Side.SOVIET):
        battle.decision = Decision(DecisionKind.DISTRIBUTE_LOSSES, side)
        losses_to_date.resolve(battle, DistributeLosses(standard=True))
    for loss in battle.catalog.scenario.losses:
        left = [battle.units[index].strength for index in loss.units]
        if loss.formation == "Velikiye Luki garrison":
            assert sum(0 < strength < battle.catalog.units[index].strength for index, strength
                       in zip(loss.units, left, strict=True)) <= 1
        else:
            hit = [strength for index, strength in zip(loss.units, left, strict=True)
                   if strength < battle.catalog.units[index].strength]
            assert max(hit) - min(hit) <= 1
            assert max(left) <= max(hit) + 1


@pytest.mark.rule("WD 25 scenario II")
def test_one_point_of_each_assault_gun_company() -> None:
    battle = asked(II, Side.GERMAN)
    standard = losses_to_date.standard(battle)
    first, second = (battle.catalog.unit_index[id_] for id_ in ("g-1-185-afv", "g-2-185-afv"))
    lost = {casualty.unit: casualty.points for casualty in standard.casualties}
    assert (lost[first], lost[second]) == (1, 1)
    others = [casualty for casualty in standard.casualties
              if casualty.unit not in (first, second)]
    uneven = (*others, Casualty(first, 2))
    assert len(losses_to_date.judge(battle, replace(standard, casualties=uneven))) == 2


@pytest.mark.rule("WD 25 scenario IV")
def test_the_184th_tank_brigade_is_gone() -> None:
    battle = asked(IV, Side.SOVIET)
    losses_to_date.resolve(battle, DistributeLosses(standard=True))
    assert [battle.units[index].strength for index, unit in enumerate(battle.catalog.units)
            if unit.division == "184TB"] == [0, 0, 0]


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("scenario", ["purkayevs-attack", "velikiye-luki-campaign"])
def test_no_losses_where_none_are_listed(scenario: str) -> None:
    battle = Battle(load_catalog(scenario), opened(scenario))
    assert not any(losses_to_date.are_due(battle, side) for side in Side)


@pytest.mark.rule("WD 25.2")
def test_a_line_falls_only_on_units_that_were_there_before_the_scenario() -> None:
    for scenario in LATER:
        catalog = load_catalog(scenario)
        for line, loss in zip(catalog.scenario.losses, load_scenario(scenario).losses,
                              strict=True):
            able = {unit.id for unit in units_for(loss, catalog.units)}
            named = {catalog.units[index].id for index in line.units}
            assert named <= able
            assert all(catalog.units[index].set_up for index in line.units)
