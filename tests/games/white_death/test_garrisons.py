"""[WD 22] Garrisons and their release."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death import advance, garrisons
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import GarrisonRolled, TownGarrisonsReleased
from lovat_server.games.white_death.orders import Advance, Assault, Occupation
from lovat_server.games.white_death.terms import DecisionKind, Side
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, number, place
from .playing import accepts, march, moves, refusals

LINE = "city 0505; town 0202; free 0808"


def held(*, garrison_rule: bool = True) -> Catalog:
    catalog = field(units=[german("city", traits="garrison_city"),
                           german("town", traits="garrison_town"), german("free")],
                    city="0505 0506", town="0202")
    return replace(catalog, scenario=replace(catalog.scenario, garrisons=garrison_rule,
                                             last_turn=13))


def on(turn: int, *dice: int, line: str = LINE, released: bool = False) -> Battle:
    return place(held(), line, turn=turn, dice=dice, side=Side.GERMAN, phasing=Side.GERMAN,
                 released=released, decision=DecisionKind.MOVE_AND_DECLARE)


def index(battle: Battle, id_: str) -> int:
    return battle.catalog.unit_index[id_]


@pytest.mark.rule("WD 22")
@pytest.mark.parametrize(("turn", "die", "released"), [
    (2, 1, True), (2, 2, False), (3, 2, True), (3, 3, False), (4, 3, True), (4, 4, False),
    (5, 4, True), (5, 5, False), (6, 5, True), (6, 6, False),
])
def test_wdtc_v01_release_die(turn: int, die: int, released: bool) -> None:
    battle = on(turn, die)
    garrisons.roll(battle)
    assert battle.released is released
    assert battle.events[-1] == GarrisonRolled(die, turn - 1, released)


@pytest.mark.rule("WD 22")
@pytest.mark.parametrize("turn", [7, 8, 13])
def test_wdtc_v01_every_face_releases_from_turn_seven(turn: int) -> None:
    battle = on(turn)
    garrisons.roll(battle)
    assert battle.released
    assert battle.events == [GarrisonRolled(0, 6, True)]
    assert battle.dice.counter == 0


@pytest.mark.rule("WD 22")
def test_wdtc_v01_inside_the_city_and_out_of_it() -> None:
    battle = on(2)
    city = index(battle, "city")
    assert garrisons.may_move(battle, city)
    allowed = garrisons.allowed_board(battle, city)
    assert allowed is not None
    assert allowed >> at(506) & 1                  # moving inside
    assert not allowed >> at(504) & 1              # leaving
    violation = garrisons.violation(battle, city, "actions[0].path[0]")
    assert (violation.reason, violation.clause) == (Reason.GARRISON, "WD 22")
    assert "may not leave the city" in violation.message
    assert garrisons.allowed_board(on(3, released=True), city) is None


@pytest.mark.rule("WD 22")
def test_no_garrison_moves_on_the_first_turn() -> None:
    battle = on(1)
    for id_, may in (("city", False), ("town", False), ("free", True)):
        unit = index(battle, id_)
        assert garrisons.may_move(battle, unit) is may
        expected = None if may else 1 << battle.units[unit].hex
        assert garrisons.allowed_board(battle, unit) == expected
    assert "first turn" in garrisons.violation(battle, index(battle, "city"), "x").message


@pytest.mark.rule("WD 22")
def test_the_first_turn_has_no_die() -> None:
    battle = on(1)
    garrisons.roll(battle)
    assert battle.events == []
    assert not battle.released


@pytest.mark.rule("WD 22")
def test_the_towns_are_free_on_turn_two() -> None:
    battle = on(2, 6)
    garrisons.roll(battle)
    assert battle.events[0] == TownGarrisonsReleased(2)
    assert garrisons.may_move(battle, index(battle, "town"))
    assert garrisons.allowed_board(battle, index(battle, "town")) is None
    battle = on(3, 6)
    garrisons.roll(battle)
    assert battle.events == [GarrisonRolled(6, 2, False)]


@pytest.mark.rule("WD 22")
def test_no_die_after_the_release() -> None:
    battle = on(4, released=True)
    garrisons.roll(battle)
    assert battle.events == []
    assert battle.released


@pytest.mark.rule("WD 22")
def test_a_unit_driven_out_is_not_held() -> None:
    battle = on(3, line="city 0504")
    assert garrisons.allowed_board(battle, index(battle, "city")) is None


@pytest.mark.rule("WD 22")
def test_other_scenarios_have_no_garrisons() -> None:
    battle = place(held(garrison_rule=False), LINE)
    garrisons.roll(battle)
    assert battle.events == []
    assert garrisons.may_move(battle, index(battle, "city"))
    assert garrisons.allowed_board(battle, index(battle, "city")) is None


@pytest.mark.rule("WD 22")
def test_the_garrisons_of_the_first_scenario() -> None:
    catalog = load_catalog("purkayevs-attack")
    by_zone: dict[str, set[str]] = {}
    for unit in catalog.units:
        for trait in unit.traits & {"garrison_city", "garrison_town"}:
            by_zone.setdefault(unit.set_up, set()).add(trait)
    assert by_zone == {"CITY": {"garrison_city"}, "I-NOWO": {"garrison_town"},
                       "I-ISOTCHA": {"garrison_town"}}
    assert catalog.scenario.garrisons
    assert all(unit.traits & {"garrison_city", "garrison_town"} for unit in catalog.units
               if unit.set_up in by_zone)


@pytest.mark.rule("WD 22")
def test_wdtc_v01_orders_of_a_garrison() -> None:
    battle = on(2)
    assert accepts(battle, moves(march(battle, "city", 506)))
    found = refusals(battle, moves(march(battle, "city", 506, 507)))
    assert [(v.reason, v.clause) for v in found] == [(Reason.GARRISON, "WD 22")]
    assert accepts(battle, moves(march(battle, "town", 203)))
    assert accepts(on(2, released=True), moves(march(battle, "city", 506, 507)))
    for id_, hex_ in (("city", 506), ("town", 203)):
        found = refusals(on(1), moves(march(battle, id_, hex_)))
        assert [v.reason for v in found] == [Reason.GARRISON]


@pytest.mark.rule("WD 22")
@pytest.mark.parametrize(("turn", "released", "hex_", "goes"), [
    (2, False, 504, False), (2, True, 504, True), (2, False, 506, True), (1, False, 506, False),
])
def test_a_held_garrison_does_not_advance_out_of_the_city(turn, released, hex_, goes) -> None:
    """It assaults a hex outside and one inside; what it empties it enters only inside."""
    battle = on(turn, line="city 0505; free 0405", released=released)
    battle.assaults = tuple(Assault(at(target), (index(battle, "city"),))
                            for target in (504, 506))
    advance.note_vacated(battle)
    assert (at(hex_) in battle.vacated) is goes
    battle.vacated = (at(504), at(506))
    order = Advance((Occupation(at(hex_), (index(battle, "city"),)),))
    found = advance.judge(battle, order)
    assert [(v.reason, v.clause, v.path) for v in found] == (
        [] if goes else [(Reason.GARRISON, "WD 22", "occupations[0].units[0]")])
    assert (hex_ in {number(option.hex) for option in advance.options(battle)}) is goes
