"""[WD 4.C, E.4-C] What a side sees."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from lovat_server.games.white_death import visibility
from lovat_server.games.white_death.answers import EnemyStack, OwnUnit, View
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.orders import Assault, Choice, StandingOrders
from lovat_server.games.white_death.terms import Phase, Side
from lovat_server.hexmap.grid import hexes_of

from .field import at, field, german, guns, place, soviet


def battle_of(line: str, phasing: Side = Side.SOVIET, **more: Any) -> Battle:
    catalog = field(
        units=[german("bn"), german("top"), guns(german("art")), german("out", arrival_turn=5),
               soviet("reg"), soviet("scout"), guns(soviet("gun")),
               guns(soviet("rocket", traits="conspicuous"))], forest="0505")
    return place(catalog, line, phasing=phasing, **more)


def index(battle: Battle, ids: str) -> tuple[int, ...]:
    return tuple(battle.catalog.unit_index[id_] for id_ in ids.split())


def seen(battle: Battle, side: Side, hex_: int) -> EnemyStack:
    return next(stack for stack in visibility.view(battle, side).enemy if stack.hex == at(hex_))


@pytest.mark.rule("WD 4.C")
def test_only_the_top_counter_and_the_number() -> None:
    battle = battle_of("top 0404 1; bn 0404; art 0404 deployed; reg 0909")
    (top,) = index(battle, "top")
    assert visibility.view(battle, Side.SOVIET).enemy == (EnemyStack(at(404), 3, top),)


@pytest.mark.rule("WD 4.C")
def test_own_units_in_full_wherever_they_are() -> None:
    battle = battle_of("bn 0404 1; art 0404 deployed; reg 0909")
    view = visibility.view(battle, Side.GERMAN)
    assert view.own == tuple(OwnUnit(unit, battle.units[unit])
                             for unit in battle.catalog.side_units[Side.GERMAN])
    assert {unit.unit for unit in view.own} == set(index(battle, "bn top art out"))


@pytest.mark.rule("WD E.4-C")
def test_deployed_artillery_is_spotted_in_an_observed_hex() -> None:
    artillery = "top 0404; art 0404 deployed"
    for scout, found in (("0604", True), ("0406", True), ("0504", True), ("0704", False)):
        battle = battle_of(f"{artillery}; reg {scout}")
        assert seen(battle, Side.SOVIET, 404).deployed == (index(battle, "art") if found else ())
        assert seen(battle, Side.SOVIET, 404).revealed == ()
    battle = battle_of("top 0404; art 0404; reg 0604")
    assert seen(battle, Side.SOVIET, 404).deployed == ()        # concentrated


@pytest.mark.rule("WD 11.B.3.b")
def test_the_rocket_regiment_is_seen_from_a_hex_farther() -> None:
    for unit, found in (("gun", False), ("rocket", True)):
        battle = battle_of(f"reg 0404; {unit} 0404 deployed; bn 0704")
        assert seen(battle, Side.GERMAN, 404).deployed == (index(battle, unit) if found else ())


@pytest.mark.rule("WD E.4-C")
def test_nothing_is_spotted_through_a_forest() -> None:
    battle = battle_of("top 0504; art 0504 deployed; reg 0506")
    assert seen(battle, Side.SOVIET, 504).deployed == ()


@pytest.mark.rule("WD 4.C")
def test_an_assault_shows_the_hex_to_the_attacker() -> None:
    battle = battle_of("top 0404 2; bn 0404 1; art 0808; reg 0504; scout 0504",
                       phase=Phase.DEFENSIVE_FIRE)
    battle.assaults = (Assault(at(404), index(battle, "reg")),)
    stack = seen(battle, Side.SOVIET, 404)
    assert stack.revealed == tuple(OwnUnit(unit, battle.units[unit])
                                   for unit in index(battle, "top bn"))
    assert seen(battle, Side.SOVIET, 808).revealed == ()
    assert visibility.view(battle, Side.SOVIET).assaults == battle.assaults


@pytest.mark.rule("WD 4.C")
def test_an_assault_shows_the_assaulting_units_to_the_defender() -> None:
    battle = battle_of("top 0404; scout 0504; reg 0504 2")
    battle.assaults = (Assault(at(404), index(battle, "reg")),)
    stack = seen(battle, Side.GERMAN, 504)
    (reg,) = index(battle, "reg")
    assert stack.revealed == (OwnUnit(reg, battle.units[reg]),)
    assert (stack.count, stack.top) == (2, index(battle, "scout")[0])


@pytest.mark.rule("WD 4.C")
def test_what_was_shown_is_hidden_again_when_the_assault_is_over() -> None:
    battle = battle_of("top 0404; bn 0404; reg 0504")
    battle.assaults = (Assault(at(404), index(battle, "reg")),)
    assert seen(battle, Side.SOVIET, 404).revealed
    battle.assaults = ()
    assert seen(battle, Side.SOVIET, 404).revealed == ()


@pytest.mark.rule("WD 4.C")
def test_a_bunker_hex_without_units_has_no_stack() -> None:
    battle = battle_of("reg 0504")
    battle.assaults = (Assault(at(404), index(battle, "reg")),)
    assert visibility.view(battle, Side.SOVIET).enemy == ()


@pytest.mark.rule("WD 4.C")
def test_nothing_else_of_the_enemy_is_in_a_view() -> None:
    """Hidden facts may change and the view stays the same."""
    line = "top 0404; {} 0404 {}; reg 0909"
    plain, other = (battle_of(line.format("bn", "3")), battle_of(line.format("art", "1 isolated")))
    for battle in (plain, other):
        for unit in index(battle, "bn art"):
            if battle.units[unit].hex < 0:
                battle.units[unit] = battle.units[unit]._replace(strength=0)
    assert visibility.view(plain, Side.SOVIET) == visibility.view(other, Side.SOVIET)
    assert visibility.view(plain, Side.GERMAN) != visibility.view(other, Side.GERMAN)


@pytest.mark.rule("WD 4.C")
def test_tracks_are_public_and_standing_orders_are_not() -> None:
    mine, theirs = StandingOrders(pursue=Choice.NEVER), StandingOrders(sustain=Choice.NEVER)
    battle = battle_of("bn 0404; reg 0504", supply=(1, 2, 3), standing=(mine, theirs), turn=4)
    for side, orders in ((Side.SOVIET, mine), (Side.GERMAN, theirs)):
        view = visibility.view(battle, side)
        assert (view.side, view.supply, view.turn, view.standing) == (side, (1, 2, 3), 4, orders)
    same = {field_.name for field_ in fields(View)} - {"side", "own", "enemy", "standing"}
    soviet_view, german_view = (visibility.view(battle, side) for side in Side)
    for name in same:
        assert getattr(soviet_view, name) == getattr(german_view, name), name
    assert list(hexes_of(battle.occupied(Side.GERMAN))) == [at(404)]
