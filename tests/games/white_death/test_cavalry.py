"""[WD 24, 14.C.7] Mounted charges."""

from __future__ import annotations

from typing import Any

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death import (
    assault,
    cavalry,
    conventional_fire,
    engagement,
    morale,
    standing,
)
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.events import AssaultDeclared, MoraleChecked
from lovat_server.games.white_death.orders import Assault, MoveAndDeclare
from lovat_server.games.white_death.terms import FP, Cause, DecisionKind, Mobility, Phase, Side
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, guns, place, soviet, tanks
from .playing import after, clauses, refusals, units


def horse(id_: str) -> Any:
    return soviet(id_, type="cavalry", mobility=Mobility.HORSE, traits="cavalry")


def charging(line: str = "cav 0505; cav2 0604; rifle 0505; bn 0504", **more: Any) -> Battle:
    keys = {key: more.pop(key) for key in tuple(more) if key in ("forest", "town", "city")}
    catalog = field(
        units=[horse("cav"), horse("cav2"), soviet("rifle"), tanks(soviet("t34")),
               german("bn"), tanks(german("stug")), german("at", traits="steady"),
               guns(german("art")), german("lw")],
        **keys)
    return place(catalog, line, **more)


def charge(battle: Battle, hex_: int, ids: str, mounted: str) -> MoveAndDeclare:
    return MoveAndDeclare((), (Assault(at(hex_), units(battle, ids), units(battle, mounted)),))


# ---------------------------------------------------------------- the order

@pytest.mark.rule("WD 24")
def test_cavalry_charges_mounted_if_its_owner_says_so() -> None:
    battle = charging()
    assert refusals(battle, charge(battle, 504, "cav rifle", "cav")) == ()
    assert refusals(battle, charge(battle, 504, "cav rifle", "")) == ()
    done = after(battle, charge(battle, 504, "cav rifle", "cav"))
    assert [event for event in done.events if isinstance(event, AssaultDeclared)] == [
        AssaultDeclared(at(504), units(battle, "cav rifle"), units(battle, "cav"))]


@pytest.mark.rule("WD 24")
@pytest.mark.parametrize(("assaulting", "mounted"), [
    ("cav rifle", "rifle"),          # not cavalry
    ("rifle", "cav"),                # does not assault
    ("cav", "cav cav"),              # twice
])
def test_only_cavalry_that_assaults_the_hex_charges_it(assaulting: str, mounted: str) -> None:
    battle = charging()
    found = refusals(battle, charge(battle, 504, assaulting, mounted))
    assert [(v.reason, v.clause) for v in found] == [(Reason.SPECIAL_UNIT, "WD 24")]
    assert found[0].path.startswith("assaults[0].charge")


@pytest.mark.rule("WD 24")
@pytest.mark.parametrize("terrain", [{"town": "0504"}, {"forest": "0504"}, {"city": "0504"}])
def test_never_against_a_town_or_forest_hex(terrain: dict[str, str]) -> None:
    battle = charging(**terrain)
    assert clauses(battle, charge(battle, 504, "cav", "cav")) == ["WD 24"]
    assert clauses(battle, charge(battle, 504, "cav", "")) == []      # dismounted it may


@pytest.mark.rule("WD 24")
def test_out_of_a_forest_into_the_open() -> None:
    battle = charging(forest="0505")
    assert clauses(battle, charge(battle, 504, "cav", "cav")) == []


@pytest.mark.rule("WD 24")
def test_the_three_regiments_of_the_24th_division_may_charge() -> None:
    catalog = load_catalog("velikiye-luki-campaign")
    assert {unit.id for unit in catalog.units if "cavalry" in unit.traits} == {
        "s-24-18-cav", "s-24-56-cav", "s-24-70-cav"}


# ---------------------------------------------------------------- what a charge does

def declared(mounted: str, line: str = "cav 0505; cav2 0604; rifle 0505; bn 0504",
             assaulting: str = "cav rifle", **more: Any) -> Battle:
    battle = charging(line, phase=Phase.ASSAULT, decision=DecisionKind.ASSAULT_FIRE, **more)
    assault.declare(battle, charge(battle, 504, assaulting, mounted).assaults)
    return battle


@pytest.mark.rule("WD 24")
def test_the_defence_of_who_charges_is_halved() -> None:
    for mounted, halves in (("", ()), ("cav", ("cav",))):
        battle = declared(mounted)
        for id_ in ("cav", "rifle"):
            value = conventional_fire.defence_value(battle, battle.catalog.unit_index[id_])
            assert value == (3 if id_ in halves else 6) * FP
    battle = declared("cav", forest="0505")
    assert conventional_fire.defence_value(battle, battle.catalog.unit_index["cav"]) == 4 * FP


@pytest.mark.rule("WD 14.C.7")
@pytest.mark.parametrize(("line", "feared"), [
    ("cav 0505; rifle 0505; bn 0504", True),
    ("cav 0505; rifle 0505; bn 0504; at 0504", True),       # antitank guns do not steady it
    ("cav 0505; rifle 0505; bn 0504; stug 0504", False),    # armour does
    ("cav 0505; rifle 0505; bn 0504; art 0504", True),
])
def test_a_charge_frightens_germans_without_armour(line: str, feared: bool) -> None:
    battle = declared("cav", line)
    bn = battle.catalog.unit_index["bn"]
    frightened = engagement.frights(battle, at(504), Phase.ASSAULT)
    assert (frightened.get(bn) == morale.CAVALRY_CHARGE) is feared
    assert engagement.frights(declared("", line), at(504), Phase.ASSAULT) == {}


@pytest.mark.rule("WD 14.C.7")
def test_no_fright_in_a_town_or_forest() -> None:
    for terrain in ({"town": "0504"}, {"forest": "0504"}):
        battle = charging(**terrain)
        assert not morale.fears_cavalry(battle, battle.catalog.unit_index["bn"])
    battle = charging()
    assert morale.fears_cavalry(battle, battle.catalog.unit_index["bn"])
    assert not morale.fears_cavalry(battle, battle.catalog.unit_index["rifle"])


@pytest.mark.rule("WD 14.C.7")
def test_a_halted_charge_frightens_nobody() -> None:
    battle = declared("cav", "cav 0505 halted; rifle 0505; bn 0504")
    assert engagement.frights(battle, at(504), Phase.ASSAULT) == {}


@pytest.mark.rule("WD 14.C.7")
@pytest.mark.rule("WD 14.C.2")
def test_armour_and_cavalry_together_are_one_level() -> None:
    battle = declared("cav", "cav 0505; t34 0604; bn 0504", "cav t34")
    bn = battle.catalog.unit_index["bn"]
    added = morale.modifiers(battle, bn, Cause.CONVENTIONAL, 1,
                             fright=engagement.fright(battle, bn, at(504)))
    assert sum(modifier.value for modifier in added) == 2
    assert [modifier.clause for modifier in added] == ["WD 14.A.3", "WD 14.C.2"]


@pytest.mark.rule("WD 14.C.7")
def test_a_charge_alone_calls_for_a_check() -> None:
    """No result from the fire: an unmodified check, as for tanks."""
    battle = charging(phase=Phase.MOVEMENT, dice=(6,) * 2 + (1,) * 20)
    done = after(battle, charge(battle, 504, "cav", "cav"))
    while done.decision.kind in (DecisionKind.DEFENSIVE_FIRE, DecisionKind.ASSAULT_FIRE):
        done = after(done, standing.answer(done))
        checks = [event for event in done.events if isinstance(event, MoraleChecked)
                  and done.catalog.units[event.unit].side == Side.GERMAN]
        if checks:
            assert any(modifier.clause == "WD 14.C.7" for modifier in checks[0].modifiers) or \
                checks[0].cause == Cause.TANK_FRIGHT
            return
    pytest.fail("no check was made")


@pytest.mark.rule("WD 24")
def test_may_charge() -> None:
    battle = charging(forest="0404")
    index = battle.catalog.unit_index
    assert cavalry.may_charge(battle, index["cav"], at(504))
    assert not cavalry.may_charge(battle, index["cav"], at(404))
    assert not cavalry.may_charge(battle, index["rifle"], at(504))
