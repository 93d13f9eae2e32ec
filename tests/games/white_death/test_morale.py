"""[WD 14] Morale."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import fire, morale
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    Event,
    Modifier,
    MoraleChecked,
    PhaseBegan,
    RetreatRequired,
    StrengthLost,
    UnitEliminated,
    UnitHalted,
    UnitShaken,
)
from lovat_server.games.white_death.orders import Assault, AssaultFire, DefensiveFire, Fire, Shot
from lovat_server.games.white_death.terms import (
    FP,
    Cause,
    Kind,
    MoraleResult,
    Phase,
    Side,
    Weather,
)

from .field import at, field, german, place, soviet, tanks

PASSED, FAILED, ROUTED = MoraleResult
ASSAULT, DEFENCE, BARRAGE = Phase.ASSAULT, Phase.DEFENSIVE_FIRE, Phase.BARRAGE


def assault(catalog: Catalog, hex_: int, *ids: str, charge: bool = False) -> Assault:
    indices = tuple(catalog.unit_index[id_] for id_ in ids)
    return Assault(at(hex_), indices, indices if charge else ())


def kinds(battle: Battle) -> list[type]:
    return [type(event) for event in battle.events]


def checks(battle: Battle) -> list[MoraleChecked]:
    return [event for event in battle.events if isinstance(event, MoraleChecked)]


def checked(two: tuple[int, int], phase: Phase = ASSAULT, unit=None, **more) -> Battle:
    battle = place(field([unit or german("bn", strength=3)]), "bn 0404", dice=two, **more)
    morale.check(battle, 0, Cause.CONVENTIONAL, 0, phase)
    return battle


@pytest.mark.rule("WD 14")
@pytest.mark.parametrize(("total", "result"), [
    (2, PASSED), (7, PASSED), (8, PASSED), (9, FAILED), (10, FAILED), (11, ROUTED), (12, ROUTED),
])
def test_wdtc_r01_morale_eight(total, result):
    battle = checked((total // 2, total - total // 2))
    assert checks(battle)[0].result == result
    assert morale.outcome(total, 8) == result


@pytest.mark.rule("WD 14.B")
def test_wdtc_r01_infantry_that_routs_loses_one_more():
    battle = checked((5, 6))
    assert battle.units[0].strength == 2
    assert kinds(battle) == [MoraleChecked, StrengthLost, RetreatRequired]
    assert battle.events[1].cause == Cause.ROUT
    assert battle.events[2] == RetreatRequired(0, at(404), routed=True)


@pytest.mark.rule("WD 14.B")
def test_wdtc_r01_an_afv_that_routs_does_not():
    battle = checked((5, 6), unit=tanks(german("bn", strength=3)))
    assert battle.units[0].strength == 3
    assert kinds(battle) == [MoraleChecked, RetreatRequired]


@pytest.mark.rule("WD 14.B")
def test_the_last_point_lost_by_rout_eliminates():
    battle = checked((5, 6), unit=german("bn", strength=1))
    assert kinds(battle) == [MoraleChecked, StrengthLost, UnitEliminated]
    assert battle.retreats == ()


def added(battle: Battle, index: int = 0, **more) -> dict[str, int]:
    found = morale.modifiers(battle, index, Cause.CONVENTIONAL, 0, **more)
    return {modifier.clause: modifier.value for modifier in found}


@pytest.mark.rule("WD 14.C.5")
@pytest.mark.parametrize(("unit", "terrain", "weather", "expected"), [
    (german("bn"), {}, Weather.SNOW, {"WD 14.C.5": 1}),
    (german("bn"), {"town": "0404"}, Weather.SNOW, {}),
    (tanks(german("bn")), {}, Weather.SNOW, {}), (german("bn"), {}, Weather.FROST, {}),
    (german("bn"), {}, Weather.THAW, {}),
])
def test_wdtc_r02_snow(unit, terrain, weather, expected):
    assert added(place(field([unit], **terrain), "bn 0404", weather=weather)) == expected


@pytest.mark.rule("WD 14.C.3")
def test_wdtc_r02_all_modifiers_add_up():
    battle = place(field([german("bn")]), "bn 0404 3 isolated", weather=Weather.SNOW)
    assert added(battle, earlier=(2, 1)) == {
        "WD 14.C.3": 1, "WD 14.C.5": 1, "WD 14.C.4": 2, "WD 14.C.8": 1}


@pytest.mark.rule("WD 14.A")
@pytest.mark.rule("WD 14.C")
@pytest.mark.parametrize(("cause", "fright", "expected"), [
    (Cause.CONVENTIONAL, morale.TANK_FRIGHT, [
        ("WD 14.A.3", "combat result", 2), ("WD 14.C.2", "tank fright", 1)]),
    (Cause.CONVENTIONAL, morale.CAVALRY_CHARGE, [
        ("WD 14.A.3", "combat result", 2), ("WD 14.C.7", "cavalry charge", 1)]),
    (Cause.ANTITANK, "", [("WD 14.A.1", "strength lost to antitank fire", 2)]),
    (Cause.BARRAGE, "", [("WD 14.A.2", "strength lost to barrage", 2)]),
    (Cause.TANK_FRIGHT, "", []),
])
def test_every_modifier_is_named_with_its_clause(cause, fright, expected):
    battle = place(field([german("bn")]), "bn 0404 3 isolated", weather=Weather.SNOW)
    found = morale.modifiers(battle, 0, cause, 2, fright=fright, earlier=(3, 4))
    assert [(m.clause, m.name, m.value) for m in found] == [
        *expected, ("WD 14.C.3", "isolated", 1), ("WD 14.C.4", "routed in the hex", 3),
        ("WD 14.C.5", "snow", 1), ("WD 14.C.8", "eliminated in the hex", 4)]


@pytest.mark.rule("WD 14.C.4")
@pytest.mark.rule("WD 14.C.8")
def test_wdtc_r02_earlier_routs_and_eliminations_of_the_hex_count():
    catalog = field([soviet("rifle", strength=12), german("a", strength=1), german("b"),
                     german("c")])
    battle = place(catalog, "rifle 0405; a 0404; b 0404; c 0404",
                   dice=(1, 1, 6, 6, 1, 1, 1), phase=ASSAULT,
                   assaults=(assault(catalog, 404, "rifle"),))
    shots = tuple(Shot(catalog.unit_index[id_], 6 * FP) for id_ in "abc")
    fire.resolve(battle, ASSAULT, AssaultFire((Fire(at(404), shots),)))
    second, third = checks(battle)          # a is eliminated, b routs
    assert {m.clause: m.value for m in second.modifiers} == {"WD 14.A.3": 1, "WD 14.C.8": 1}
    assert {m.clause: m.value for m in third.modifiers} == {
        "WD 14.A.3": 1, "WD 14.C.8": 1, "WD 14.C.4": 1}


@pytest.mark.rule("WD 14.C.4")
def test_routs_in_another_hex_do_not_count():
    catalog = field([soviet("rifle", strength=12), soviet("rifle2", strength=12), german("a"),
                     german("b")])
    battle = place(catalog, "rifle 0405; rifle2 0406; a 0404; b 0407", dice=(1, 6, 6, 1, 1, 1),
                   assaults=(assault(catalog, 404, "rifle"), assault(catalog, 407, "rifle2")))
    fires = (Fire(at(404), (Shot(catalog.unit_index["a"], 6 * FP),)),
             Fire(at(407), (Shot(catalog.unit_index["b"], 6 * FP),)))
    fire.resolve(battle, ASSAULT, AssaultFire(fires))
    assert [m.clause for m in checks(battle)[1].modifiers] == ["WD 14.A.3"]


@pytest.mark.rule("WD 14.C.4")
@pytest.mark.rule("WD 14.C.8")
def test_routs_and_eliminations_add_up_by_hex_since_the_phase_began():
    def fallen(unit: int, hex_: int, cause: Cause) -> list[Event]:
        return [StrengthLost(unit, 1, cause, False), UnitEliminated(unit, at(hex_))]

    def fled(unit: int, hex_: int, *, routed: bool = True) -> list[Event]:
        return [RetreatRequired(unit, at(hex_), routed)]

    phase = [
        *fallen(0, 404, Cause.CONVENTIONAL), *fled(1, 404), *fallen(2, 404, Cause.ROUT),
        *fallen(3, 404, Cause.ANTITANK), *fled(4, 404), *fallen(5, 404, Cause.ROUT),
        *fled(6, 404), *fallen(7, 404, Cause.ROUT), *fallen(8, 404, Cause.CONVENTIONAL),
        *fled(9, 404, routed=False), StrengthLost(10, 1, Cause.CONVENTIONAL, False),
        *fled(11, 405), *fallen(12, 405, Cause.CONVENTIONAL), *fallen(13, 405, Cause.ROUT),
    ]
    assert morale.earlier_losses(phase, at(404)) == (6, 3)
    assert morale.earlier_losses(phase, at(405)) == (2, 1)
    assert morale.earlier_losses([*phase, PhaseBegan(ASSAULT), *fled(14, 404)], at(404)) == (1, 0)


@pytest.mark.rule("WD 14.C.4")
def test_a_rout_of_an_earlier_phase_is_no_longer_counted():
    battle = place(field([german("a"), german("b")]), "a 0404; b 0404", dice=(6, 6, 1, 1, 1, 1))
    morale.check(battle, 0, Cause.BARRAGE, 1, BARRAGE)
    morale.check(battle, 1, Cause.BARRAGE, 1, BARRAGE)
    battle.record(PhaseBegan(ASSAULT))
    morale.check(battle, 1, Cause.CONVENTIONAL, 1, ASSAULT)
    assert [{m.clause: m.value for m in check.modifiers} for check in checks(battle)] == [
        {"WD 14.A.2": 1}, {"WD 14.A.2": 1, "WD 14.C.4": 1}, {"WD 14.A.3": 1}]


@pytest.mark.rule("WD 14.A.2")
def test_barrage_losses_are_added_to_the_check():
    battle = place(field([german("bn", strength=6)]), "bn 0404", dice=(3, 4))
    morale.take(battle, 0, morale.Harm(Cause.BARRAGE, 2, 2), BARRAGE)
    added = (Modifier("WD 14.A.2", "strength lost to barrage", 2),)
    assert battle.events == [
        StrengthLost(0, 2, Cause.BARRAGE, isolated=False),
        MoraleChecked(0, Cause.BARRAGE, (3, 4), added, 8, FAILED), UnitShaken(0)]


@pytest.mark.rule("WD 25.VI.4")
@pytest.mark.parametrize("cut_off", [True, False])
def test_strength_lost_in_isolation_is_told_apart(cut_off):
    battle = place(field([german("bn")]), f"bn 0404 3 {'isolated' if cut_off else ''}")
    assert not morale.lose_strength(battle, 0, 1, Cause.CONVENTIONAL)
    assert battle.events == [StrengthLost(0, 1, Cause.CONVENTIONAL, isolated=cut_off)]


@pytest.mark.rule("WD 9.C.4")
def test_no_more_is_lost_than_there_is_and_nothing_is_no_loss():
    battle = place(field([german("bn")]), "bn 0404 2")
    assert not morale.lose_strength(battle, 0, 0, Cause.CONVENTIONAL)
    assert battle.events == []
    assert morale.lose_strength(battle, 0, 3, Cause.ANTITANK)
    assert battle.events == [StrengthLost(0, 2, Cause.ANTITANK, isolated=False),
                             UnitEliminated(0, at(404))]


@pytest.mark.rule("WD 14.B.1")
def test_wdtc_r03_failing_under_barrage_means_no_defensive_fire():
    battle = checked((4, 5), BARRAGE)
    assert kinds(battle) == [MoraleChecked, UnitShaken]
    catalog = field([german("bn"), soviet("rifle")])
    shaken = place(catalog, "bn 0404 3 shaken; rifle 0405",
                   assaults=(assault(catalog, 404, "rifle"),))
    assert not fire.has_fire(shaken, DEFENCE)


@pytest.mark.rule("WD 14.B.2")
def test_wdtc_r03_failing_under_defensive_fire_means_no_assault():
    battle = checked((4, 5), DEFENCE)
    assert kinds(battle) == [MoraleChecked, UnitHalted]
    catalog = field([german("bn"), soviet("rifle")])
    halted = place(catalog, "bn 0404; rifle 0405 3 halted",
                   assaults=(assault(catalog, 404, "rifle"),))
    assert not fire.has_fire(halted, ASSAULT)


@pytest.mark.rule("WD 14.B.3")
def test_wdtc_r03_failing_under_assault_means_retreat_without_loss():
    battle = checked((4, 5), ASSAULT)
    assert battle.events[1:] == [RetreatRequired(0, at(404), routed=False)]
    assert battle.units[0].strength == 3


@pytest.mark.rule("WD 14.B")
@pytest.mark.parametrize(("phase", "flags"), [
    (BARRAGE, [UnitShaken]), (DEFENCE, [UnitHalted]), (ASSAULT, []),
    (Phase.MOVEMENT, [UnitHalted]),
])
def test_a_rout_also_has_the_effect_of_its_phase(phase, flags):
    assert kinds(checked((6, 6), phase)) == [MoraleChecked, StrengthLost, *flags,
                                             RetreatRequired]


def frightened(value: int, dice: tuple[int, ...], target=None, line: str = "bn 0404",
               **terrain) -> Battle:
    """A T-34 battalion assaults what is in 0404 with one shot of `value` at bn."""
    catalog = field([tanks(soviet("t34", strength=12)), target or german("bn"),
                     german("pak", kind=Kind.LIGHT_WEAPONS, traits="steady"),
                     tanks(german("pz"))], **terrain)
    battle = place(catalog, f"t34 0405; {line}", dice=dice, phase=ASSAULT,
                   assaults=(assault(catalog, 404, "t34"),))
    shots = (Shot(catalog.unit_index["bn"], value * FP),) if value else ()
    fire.resolve(battle, ASSAULT, AssaultFire((Fire(at(404), shots),)))
    return battle


@pytest.mark.rule("WD 14.C.2")
@pytest.mark.parametrize(("value", "dice", "cause", "total"), [
    (0, (1, 1), Cause.TANK_FRIGHT, 0),               # nothing fired at it
    (6, (6, 1, 1), Cause.TANK_FRIGHT, 0),            # 1:1, die 6: no result
    (6, (3, 1, 1), Cause.CONVENTIONAL, 1),           # MC
    (6, (1, 1, 1), Cause.CONVENTIONAL, 2),           # MC1
])
def test_wdtc_r05_tank_fright_is_one_level_worse(value, dice, cause, total):
    (check,) = checks(frightened(value, dice))
    assert (check.cause, sum(m.value for m in check.modifiers)) == (cause, total)


@pytest.mark.rule("WD 14.C.2")
@pytest.mark.parametrize(("more", "terrain"), [
    ({"target": tanks(german("bn"))}, {}),
    ({"target": german("bn", kind=Kind.LIGHT_WEAPONS, traits="steady")}, {}),
    ({"line": "bn 0404; pak 0404"}, {}), ({"line": "bn 0404; pz 0404"}, {}),
    ({}, {"town": "0404"}),
])
def test_wdtc_r05_who_is_immune(more, terrain):
    assert checks(frightened(0, (), **more, **terrain)) == []


@pytest.mark.rule("WD 14.C.2")
def test_soviet_afvs_are_vulnerable():
    catalog = field([tanks(german("pz")), tanks(soviet("t34"))])
    battle = place(catalog, "pz 0404; t34 0405", phasing=Side.GERMAN, dice=(1, 1),
                   assaults=(assault(catalog, 405, "pz"),))
    fire.resolve(battle, ASSAULT, AssaultFire((Fire(at(405)),)))
    assert [check.cause for check in checks(battle)] == [Cause.TANK_FRIGHT]


@pytest.mark.rule("WD 14.C.2")
@pytest.mark.rule("WD 14.A.1")
@pytest.mark.parametrize(("die", "cause", "clauses"), [
    (1, Cause.ANTITANK, {"WD 14.A.1": 1, "WD 14.C.2": 1}), (6, Cause.TANK_FRIGHT, {}),
])
def test_a_soviet_afv_that_is_hit_checks_one_level_worse(die, cause, clauses):
    catalog = field([tanks(german("pz")), tanks(soviet("t34"), defence=3)])
    battle = place(catalog, "pz 0404; t34 0405", phasing=Side.GERMAN, dice=(die, 1, 1),
                   phase=ASSAULT, assaults=(assault(catalog, 405, "pz"),))
    shots = (Shot(catalog.unit_index["t34"], 3 * FP),)      # 1:1
    fire.resolve(battle, ASSAULT, AssaultFire((Fire(at(405), antitank=shots),)))
    (check,) = checks(battle)
    assert check.cause == cause
    assert {m.clause: m.value for m in check.modifiers} == clauses


@pytest.mark.rule("WD 14.C.2")
def test_a_halted_afv_frightens_nobody():
    catalog = field([tanks(soviet("t34")), soviet("rifle"), german("bn")])
    battle = place(catalog, "t34 0405 3 halted; rifle 0405; bn 0404",
                   assaults=(assault(catalog, 404, "t34", "rifle"),))
    fire.resolve(battle, ASSAULT, AssaultFire((Fire(at(404)),)))
    assert battle.events == []


@pytest.mark.rule("WD 14.C.2")
def test_attackers_under_defensive_fire_know_no_tank_fright():
    catalog = field([soviet("rifle"), tanks(german("pz"))])
    battle = place(catalog, "rifle 0405; pz 0404", assaults=(assault(catalog, 404, "rifle"),))
    fire.resolve(battle, DEFENCE, DefensiveFire((Fire(at(404)),)))
    assert battle.events == []


def garrison(strength: int, unit=None, *, out: bool = False) -> Battle:
    catalog = field([unit or german("bn", strength=4), soviet("rifle")], town="0404",
                    bunkers={404: 15})
    return place(catalog, "bn 0404; rifle 0405", dice=(1, 1), bunkers=(strength,),
                 phasing=Side.GERMAN,
                 assaults=(assault(catalog, 405, "bn"),) if out else ())


@pytest.mark.rule("WD 14.C.6")
@pytest.mark.parametrize(("strength", "exempt"), [(15, True), (3, True), (2, False), (0, False)])
def test_wdtc_r06_a_bunker_of_three_spares_its_garrison(strength, exempt):
    battle = garrison(strength)
    index = battle.catalog.unit_index["bn"]
    result = morale.check(battle, index, Cause.CONVENTIONAL, 1, ASSAULT)
    assert (result is None) is exempt
    assert (checks(battle) == []) is exempt


@pytest.mark.rule("WD 14.C.6")
def test_wdtc_r06_not_a_unit_that_assaults_out_of_it_nor_an_afv():
    battle = garrison(15, out=True)
    assert not morale.is_exempt(battle, battle.catalog.unit_index["bn"])
    battle = garrison(15, tanks(german("bn")))
    assert not morale.is_exempt(battle, battle.catalog.unit_index["bn"])


@pytest.mark.rule("WD 14.C.7")
@pytest.mark.parametrize(("line", "terrain", "clauses"), [
    ("bn 0404", {}, ["WD 14.C.7"]), ("bn 0404; pak 0404", {}, ["WD 14.C.7"]),
    ("bn 0404; pz 0404", {}, []), ("bn 0404", {"town": "0404"}, []),
    ("bn 0404", {"forest": "0404"}, []),
])
def test_a_mounted_charge_frightens_germans_in_the_open(line, terrain, clauses):
    catalog = field([soviet("cav", traits="cavalry", strength=12), german("bn"),
                     german("pak", kind=Kind.LIGHT_WEAPONS, traits="steady"),
                     tanks(german("pz"))], **terrain)
    battle = place(catalog, f"cav 0405; {line}", dice=(1, 1, 1, 1, 1),
                   assaults=(assault(catalog, 404, "cav", charge=True),))
    fire.resolve(battle, ASSAULT, AssaultFire((Fire(at(404), (
        Shot(catalog.unit_index["bn"], 30 * FP),)),)))
    first = next(check for check in checks(battle) if check.cause == Cause.CONVENTIONAL)
    assert [m.clause for m in first.modifiers if m.clause != "WD 14.A.3"] == clauses


@pytest.mark.rule("WD 14")
@pytest.mark.parametrize(("unit", "result", "throws"), [
    (german("bn"), 0, 3), (german("bn"), 1, 6), (german("bn", morale=12), 0, 0),
    (german("bn", morale=5), 4, 33),
])
def test_chances_of_a_rout(unit, result, throws):
    battle = place(field([unit]), "bn 0404")
    assert morale.rout_chances(battle, 0, Cause.CONVENTIONAL, (result,)) == (throws,)


@pytest.mark.rule("WD 14.C.2")
@pytest.mark.rule("WD 14.C.6")
def test_fright_and_bunkers_count_in_the_chance_of_a_rout():
    battle = place(field([german("bn")]), "bn 0404")
    assert morale.rout_chances(
        battle, 0, Cause.CONVENTIONAL, (0, 1), fright=morale.TANK_FRIGHT) == (6, 10)
    assert morale.rout_chances(garrison(15), 1, Cause.CONVENTIONAL, (1, 4)) == (0, 0)
