"""Cited cases of combat, artillery, morale and supply, by orders given as a client gives them."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from lovat_server.games.white_death import supply
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog, Unit
from lovat_server.games.white_death.events import (
    AntitankFired,
    BarrageFired,
    BunkerBarraged,
    BunkerReduced,
    ConventionalFired,
    MoraleChecked,
    StrengthLost,
    SupplySpent,
    UnitRetreated,
)
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    DefensiveFire,
    Fire,
    Order,
    Retreat,
    Route,
    Shot,
    Support,
)
from lovat_server.games.white_death.state import Pending
from lovat_server.games.white_death.terms import (
    FP,
    Cause,
    DecisionKind,
    Kind,
    Mobility,
    Phase,
    Pool,
    Side,
    Status,
)

from .field import at, field, german, guns, place, soviet, tanks
from .playing import accepts, after, clauses, march, moves, of_kind, unit, units
from .playing import assault as assault_of

HERE = 404


def targets(battle: Battle, values: Mapping[str, int]) -> tuple[Shot, ...]:
    """Shots in eighths of a point."""
    return tuple(Shot(unit(battle, id_), value) for id_, value in values.items())


def assaulting(catalog: Catalog, line: str, attackers: str, *, dice: tuple[int, ...] = (),
               **more: object) -> Battle:
    """Soviet units that assault 0404, at their fire."""
    return place(catalog, line, dice=dice, decision=DecisionKind.ASSAULT_FIRE, phase=Phase.ASSAULT,
                 assaults=(Assault(at(HERE), tuple(catalog.unit_index[id_]
                                                   for id_ in attackers.split())),),
                 **more)  # type: ignore[arg-type]


def defending(catalog: Catalog, line: str, attackers: str, *, dice: tuple[int, ...] = (),
              **more: object) -> Battle:
    """German units in 0404 that Soviet units assault, at their fire."""
    return place(catalog, line, dice=dice, decision=DecisionKind.DEFENSIVE_FIRE,
                 side=Side.GERMAN, phasing=Side.SOVIET, phase=Phase.DEFENSIVE_FIRE,
                 assaults=(Assault(at(HERE), tuple(catalog.unit_index[id_]
                                                   for id_ in attackers.split())),),
                 **more)  # type: ignore[arg-type]


def at_hex(battle: Battle, conventional: Mapping[str, int] | None = None,
           antitank: Mapping[str, int] | None = None, **more: object) -> AssaultFire:
    return AssaultFire((Fire(at(HERE), targets(battle, conventional or {}),
                             targets(battle, antitank or {}), **more),))  # type: ignore[arg-type]


def in_defence(battle: Battle, conventional: Mapping[str, int] | None = None,
               antitank: Mapping[str, int] | None = None, **more: object) -> DefensiveFire:
    return DefensiveFire(at_hex(battle, conventional, antitank, **more).fires)


def lost(battle: Battle, id_: str) -> int:
    """Strength points the unit has lost in the events of an order."""
    return sum(event.points for event in of_kind(battle.events, StrengthLost)
               if event.unit == unit(battle, id_))


def check_of(battle: Battle) -> int:
    """What is added to the dice of the one check that was made."""
    (check,) = of_kind(battle.events, MoraleChecked)
    return sum(modifier.value for modifier in check.modifiers)


# ---------------------------------------------------------------- C: conventional fire

@pytest.mark.rule("WD 9.C.4")
@pytest.mark.parametrize(("strength", "odds", "gone", "added"), [
    (3, 6, 1, 3),               # MC3: one point is lost, the check is at +3
    (4, 7, 2, 4),               # MC4: two points, +4
])
def test_wdtc_c03_half_is_lost_and_the_check_is_at_the_number(strength, odds, gone, added):
    catalog = field([soviet("r", strength=20), german("bn", strength=strength, morale=12)])
    battle = assaulting(catalog, "r 0405; bn 0404", "r", dice=(1, 1, 1))
    done = after(battle, at_hex(battle, {"bn": 6 * odds * FP}))
    assert (lost(done, "bn"), check_of(done)) == (gone, added)


@pytest.mark.rule("WD 9.C.4")
def test_wdtc_c03_a_last_point_is_lost_and_nobody_checks():
    catalog = field([soviet("r"), german("bn", strength=1)])
    battle = assaulting(catalog, "r 0405; bn 0404", "r", dice=(1,))
    done = after(battle, at_hex(battle, {"bn": 6 * FP}))
    assert done.units[unit(done, "bn")].strength == 0
    assert of_kind(done.events, MoraleChecked) == []


@pytest.mark.rule("WD 9.C.3")
@pytest.mark.parametrize(("shots", "broken"), [
    ({"bn": 6 * FP, "pak": 5 * FP}, []),                        # 1:1 and 1:1
    ({"bn": 6 * FP, "pak": 10 * FP}, ["WD 9.C.3"]),             # 1:1 and 2:1
    ({"pak": 5 * FP}, ["WD 9.C.3"]),                            # bn is not fired at
])
def test_wdtc_c05_weapons_behind_personnel(shots, broken):
    catalog = field([soviet("r", strength=9), german("bn"),
                     german("pak", kind=Kind.LIGHT_WEAPONS)])
    battle = assaulting(catalog, "r 0405; bn 0404; pak 0404", "r")
    assert clauses(battle, at_hex(battle, shots)) == broken


@pytest.mark.rule("WD 9.B")
@pytest.mark.rule("WD 10.D")
def test_wdtc_c07_who_fires_how_at_whom():
    pak = german("pak", kind=Kind.LIGHT_WEAPONS, conventional=FP, antitank=2 * FP,
                 defensive_only=True)
    catalog = field([tanks(soviet("t34")), soviet("r"), pak, tanks(german("pz"))])
    battle = assaulting(catalog, "t34 0405; r 0405; pak 0404; pz 0404", "t34 r")
    assert clauses(battle, at_hex(battle, {"pz": FP})) == ["WD 9.B"]
    both = at_hex(battle, {"pak": 18 * FP}, {"pz": 3 * FP})     # the tanks' 9 and their 3
    assert accepts(battle, both)
    assert clauses(battle, at_hex(battle, {"pak": 18 * FP + 1})) == ["WD 9.C.3"]
    held = defending(catalog, "t34 0405; r 0405; pak 0404", "t34 r")
    assert accepts(held, in_defence(held, {"r": 3 * FP}))
    aimed = {"antitank_weapons": (unit(held, "pak"),)}
    assert accepts(held, in_defence(held, antitank={"t34": 6 * FP}, **aimed))
    assert clauses(held, in_defence(held, {"r": FP}, {"t34": FP}, **aimed)) == ["WD 9.C.3"]
    assert clauses(held, in_defence(held, {"r": FP}, {"t34": FP})) == ["WD 10.C.2"]


@pytest.mark.rule("WD 21.A")
@pytest.mark.parametrize(("status", "terrain", "value"), [
    ("", {}, 8), (" isolated", {}, 4), ("", {"down": "0405-0404"}, 16)])
def test_wdtc_c08_close_combat_into_a_town(status, terrain, value):
    catalog = field([soviet("eng", conventional=2 * FP, strength=2, traits="close_combat"),
                     german("bn")], town="0404", **terrain)
    battle = assaulting(catalog, f"eng 0405{status}; bn 0404", "eng")
    assert accepts(battle, at_hex(battle, {"bn": value * FP}))
    assert clauses(battle, at_hex(battle, {"bn": value * FP + 1})) == ["WD 9.C.3"]


@pytest.mark.rule("WD 15.C")
def test_wdtc_c09_isolated_fire_at_heavy_weapons_in_the_open():
    catalog = field([soviet("r"), guns(german("art"))])
    battle = assaulting(catalog, "r 0405 3 isolated; art 0404", "r", dice=(6,))
    whole = 4 * FP + FP // 2
    done = after(battle, at_hex(battle, {"art": whole}))
    (fired,) = of_kind(done.events, ConventionalFired)
    assert (fired.value, fired.defence, fired.column) == (whole, 2 * FP, "2:1")
    assert clauses(battle, at_hex(battle, {"art": whole + 1})) == ["WD 9.C.3"]


# ---------------------------------------------------------------- A: antitank fire

@pytest.mark.rule("WD 12.C")
@pytest.mark.parametrize(("terrain", "defence"), [
    ({}, 2), ({"town": "0405"}, 1), ({"forest": "0405", "road": "0405-0404"}, 1),
    ({"town": "0404"}, 1), ({"forest": "0404", "road": "0405-0404"}, 1),
])
def test_wdtc_a02_the_defence_of_a_t70(terrain, defence):
    catalog = field([tanks(soviet("t70"), defence=2),
                     german("pak", kind=Kind.LIGHT_WEAPONS, antitank=2 * FP)], **terrain)
    battle = defending(catalog, "t70 0405; pak 0404", "t70", dice=(6,))
    aimed = {"antitank_weapons": (unit(battle, "pak"),)}
    done = after(battle, in_defence(battle, antitank={"t70": 2 * FP}, **aimed))
    assert [event.defence for event in of_kind(done.events, AntitankFired)] == [defence * FP]


def eight_against_four(*dice: int) -> Battle:
    catalog = field([tanks(soviet("t34"), antitank=2)._replace(strength=4),
                     tanks(german("pz"), morale=12)])
    return assaulting(catalog, "t34 0405; pz 0404", "t34", dice=dice)


@pytest.mark.rule("WD 10.C.2")
def test_wdtc_a03_two_attacks_of_four_and_two_dice():
    battle = eight_against_four(3, 4)
    order = AssaultFire((Fire(at(HERE), antitank=targets(battle, {"pz": 4 * FP}) * 2),))
    done = after(battle, order)
    assert [(event.column, event.die, event.hits)
            for event in of_kind(done.events, AntitankFired)] == [("1:1", 3, 0), ("1:1", 4, 0)]
    twice = AssaultFire((Fire(at(HERE), antitank=targets(battle, {"pz": 8 * FP}) * 2),))
    assert clauses(battle, twice) == ["WD 10.C.2"]


@pytest.mark.rule("WD 10.C.4")
def test_wdtc_a04_two_hits_are_one_check_at_two():
    battle = eight_against_four(1, 1, 1, 1)
    order = AssaultFire((Fire(at(HERE), antitank=targets(battle, {"pz": 4 * FP}) * 2),))
    done = after(battle, order)
    assert (lost(done, "pz"), check_of(done)) == (2, 2)


@pytest.mark.rule("WD 21.D")
def test_wdtc_a04_a_tank_destroyer_behind_another_afv():
    catalog = field([tanks(soviet("t34", strength=12)), tanks(german("pz")),
                     tanks(german("marder", traits="tank_destroyer"))])
    battle = assaulting(catalog, "t34 0405; pz 0404; marder 0404", "t34")
    for shots, broken in (({"marder": 4}, ["WD 21.D"]), ({"marder": 4, "pz": 3}, ["WD 21.D"]),
                          ({"marder": 4, "pz": 4}, [])):
        order = at_hex(battle, antitank={id_: value * FP for id_, value in shots.items()})
        assert clauses(battle, order) == broken


# ---------------------------------------------------------------- B: artillery

def barraging(line: str, *extra: Unit, dice: tuple[int, ...] = (), barrage: int = 20,
              range_: int = 7, strength: int = 4, side: Side = Side.SOVIET,
              trait: str = "", **more: object) -> Battle:
    """Artillery of one side at its barrage. Terrain among `more` is the map's."""
    terrain = {name: more.pop(name) for name in ("town", "forest", "creek", "river", "bunkers")
               if name in more}
    make = soviet if side == Side.SOVIET else german
    gun = guns(make("art", traits=trait), barrage=barrage, range_=range_)._replace(
        strength=strength)
    catalog = field([gun, *extra], **terrain)  # type: ignore[arg-type]
    return place(catalog, line, dice=dice, decision=DecisionKind.BARRAGE, side=side, phasing=side,
                 phase=Phase.BARRAGE, **more)  # type: ignore[arg-type]


def barrage_of(battle: Battle, hex_: int, *attacks: int, full: tuple[Pool, ...] = ()) -> Barrage:
    return Barrage((BarrageFire(at(hex_), (unit(battle, "art"),),
                                tuple(value * FP for value in attacks)),), full)


@pytest.mark.rule("WD 11.B.2.a")
def test_wdtc_b01_eighty_is_sixty_and_twenty():
    battle = barraging("art 0404 4 deployed; s 0405; bn 0406", soviet("s"),
                       german("bn", morale=12), dice=(6, 6, 1, 1))
    done = after(battle, barrage_of(battle, 406, 60, 20))
    assert [event.column for event in of_kind(done.events, BarrageFired)] == ["60+", "20-29"]
    assert clauses(battle, barrage_of(battle, 406, 60, 60)) == ["WD 11.B.2.a"]


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b01_three_reaches_no_column():
    battle = barraging("art 0404 deployed; s 0405; bn 0406", soviet("s"), german("bn"),
                       barrage=3, strength=1)
    (fired,) = of_kind(after(battle, barrage_of(battle, 406)).events, BarrageFired)
    assert (fired.value, fired.column, fired.die, fired.hits) == (3 * FP, "", 0, 0)


@pytest.mark.rule("WD 11.B.2.b")
@pytest.mark.parametrize(("terrain", "strength", "die", "result"), [
    ({"town": "0406"}, 6, 1, 3), ({"town": "0406"}, 6, 6, 1),      # 6 and 11
    ({"river": "0406"}, 6, 1, 6),                                  # 1 + 2 - 2 reads 1
])
def test_wdtc_b03_sixty_at_a_personnel_unit(terrain, strength, die, result):
    battle = barraging("art 0404 4 deployed; s 0405; bn 0406", soviet("s"),
                       german("bn", strength=strength, morale=12), dice=(die, 1, 1), **terrain)
    (fired,) = of_kind(after(battle, barrage_of(battle, 406, 60)).events, BarrageFired)
    assert fired.hits == result


@pytest.mark.rule("WD 11.B.2.b")
def test_wdtc_b03_weapons_on_a_river_read_one():
    battle = barraging("art 0404 4 deployed; s 0405; gun 0406", soviet("s"),
                       guns(german("gun", strength=12, morale=12)), dice=(1, 1, 1), river="0406")
    (fired,) = of_kind(after(battle, barrage_of(battle, 406, 60)).events, BarrageFired)
    assert (sum(modifier.value for modifier in fired.modifiers), fired.hits) == (-2, 6)


@pytest.mark.rule("WD 19")
@pytest.mark.parametrize(("die", "result"), [(1, 2), (6, 1)])
def test_wdtc_b03_sixty_at_a_bunker_in_a_town(die, result):
    battle = barraging("art 0404 4 deployed; s 0405", soviet("s"), german("bn"), dice=(die,),
                       town="0406", bunkers={406: 10})
    done = after(battle, barrage_of(battle, 406, 60))
    (fired,) = of_kind(done.events, BunkerBarraged)
    assert (sum(modifier.value for modifier in fired.modifiers), fired.hits) == (7, result)
    assert done.bunkers == [10 - result]


@pytest.mark.rule("WD 11.B.2.c")
def test_wdtc_b04_half_at_most_one_check_and_a_bunker_all():
    battle = barraging("art 0404 4 deployed; s 0405; bn 0406 3", soviet("s"),
                       german("bn", morale=12), dice=(2, 1, 1))
    done = after(battle, barrage_of(battle, 406, 60))             # 2 + 2 at 60+: four
    assert (lost(done, "bn"), check_of(done)) == (1, 1)
    battle = barraging("art 0404 4 deployed; s 0405; bn 0406 6", soviet("s"),
                       german("bn", morale=12), dice=(6, 6, 1, 1))
    done = after(battle, barrage_of(battle, 406, 40, 40))         # 8 at 40-49: one, twice
    assert (lost(done, "bn"), check_of(done)) == (2, 2)
    battle = barraging("art 0404 9 deployed", german("bn"), dice=(1, 1, 1), strength=9,
                       bunkers={406: 10})
    done = after(battle, barrage_of(battle, 406, 60, 60, 60))
    assert [event.points for event in of_kind(done.events, BunkerReduced)] == [6]


@pytest.mark.rule("WD 11.B.3")
@pytest.mark.parametrize(("gun", "added"), [(401, 3), (402, 2)])
def test_wdtc_b05_unobserved_at_five_and_at_four(gun, added):
    battle = barraging(f"art 0{gun} 4 deployed; bn 0406", german("bn", morale=12, strength=9),
                       dice=(6, 1, 1))
    (fired,) = of_kind(after(battle, barrage_of(battle, 406)).events, BarrageFired)
    assert [(m.clause, m.value) for m in fired.modifiers if m.clause == "WD 11.B.3"] == [
        ("WD 11.B.3", added)]


@pytest.mark.rule("WD 11.B.2.a")
@pytest.mark.parametrize(("hex_", "value"), [(407, 80), (408, 40)])
def test_wdtc_b05_half_beyond_half_range(hex_, value):
    battle = barraging(f"art 0404 4 deployed; bn 0{hex_}", german("bn"))
    assert accepts(battle, barrage_of(battle, hex_, value))
    assert clauses(battle, barrage_of(battle, hex_, value + 1)) == ["WD 11.B.2.a"]


@pytest.mark.rule("WD 11.B.2.a")
def test_wdtc_b05_eight_hexes_are_out_of_range():
    battle = barraging("art 0404 4 deployed; bn 0412", german("bn"))
    assert clauses(battle, barrage_of(battle, 412)) == ["WD 11.B.2.a"]
    near = barraging("art 0404 4 deployed; bn 0411", german("bn"))
    assert accepts(near, barrage_of(near, 411))


@pytest.mark.rule("WD 11.B.1")
def test_wdtc_b06_barrage_asks_deployment_and_supply():
    for line, clause in (("art 0404 4; bn 0406", "WD 6.B.2"),
                         ("art 0404 4 deployed unsupplied; bn 0406", "WD 15.B")):
        battle = barraging(line, german("bn"))
        assert clauses(battle, barrage_of(battle, 406)) == [clause]


@pytest.mark.rule("WD 11.B.1")
def test_wdtc_b06_no_support_in_the_impulse_of_a_barrage():
    catalog = field([soviet("r", division="28"), guns(soviet("art", division="28")),
                     german("bn", morale=12), german("far", morale=12)])
    battle = place(catalog, "r 0405; art 0407 3 deployed; bn 0404; far 0409",
                   dice=(6,) * 9, decision=DecisionKind.BARRAGE, phase=Phase.BARRAGE,
                   assaults=(Assault(at(HERE), (catalog.unit_index["r"],)),))
    supported = AssaultFire((Fire(at(HERE), support=(Support(unit(battle, "art"), at(405)),)),))
    for order, broken in ((Barrage(), []), (barrage_of(battle, 409), ["WD 11.B.1"])):
        held = after(battle, order)
        assert held.decision.kind == DecisionKind.DEFENSIVE_FIRE
        quiet = after(held, DefensiveFire((Fire(at(HERE)),)))
        assert quiet.decision.kind == DecisionKind.ASSAULT_FIRE
        assert clauses(quiet, supported) == broken


@pytest.mark.rule("WD 15.A.3")
@pytest.mark.parametrize(("full", "value", "spent"), [((), 40, 2), ((Pool.GERMAN,), 80, 3)])
def test_wdtc_b07_german_rockets_for_two_points_or_three(full, value, spent):
    battle = barraging("art 0404 4 deployed; r 0406; bn 0405", soviet("r", morale=12),
                       german("bn"), side=Side.GERMAN, trait="rocket", dice=(6, 1, 1))
    assert clauses(battle, barrage_of(battle, 406, value + 1, full=full)) == ["WD 11.B.2.a"]
    done = after(battle, barrage_of(battle, 406, full=full))
    (fired,) = of_kind(done.events, BarrageFired)
    assert fired.value == value * FP
    assert [(event.pool, event.points) for event in of_kind(done.events, SupplySpent)] == [
        (Pool.GERMAN, spent)]


@pytest.mark.rule("WD 11.A.1")
def test_wdtc_b08_support_for_another_division_by_order():
    catalog = field([soviet("r28", division="28"), soviet("r257", division="257"), german("bn"),
                     guns(soviet("art28", division="28"))])
    battle = assaulting(catalog, "r28 0405; r257 0304; bn 0404; art28 0407 3 deployed",
                        "r28 r257")
    support = {"support": (Support(unit(battle, "art28"), at(304)),)}
    assert clauses(battle, at_hex(battle, headquarters="257", **support)) == ["WD 11.A.1"]
    assert accepts(battle, at_hex(battle, headquarters="28", **support))
    alone = assaulting(catalog, "r257 0304; bn 0404; art28 0407 3 deployed", "r257")
    assert clauses(alone, at_hex(alone, **support)) == ["WD 11.A.1"]


# ---------------------------------------------------------------- R: morale and retreat

@pytest.mark.rule("WD 14.B")
@pytest.mark.parametrize(("dice", "must", "gone"), [
    ((2, 6), False, 0), ((3, 6), True, 0), ((4, 6), True, 0), ((5, 6), True, 1)])
def test_wdtc_r01_eight_passes_and_eleven_routs(dice, must, gone):
    catalog = field([soviet("r"), german("bn", morale=8)])
    battle = assaulting(catalog, "r 0405; bn 0404", "r", dice=(2, *dice))     # 1:1, die 2: MC
    done = after(battle, at_hex(battle, {"bn": 6 * FP}))
    assert (done.decision.kind == DecisionKind.RETREAT) is must
    assert lost(done, "bn") == gone


@pytest.mark.rule("WD 14.B")
def test_wdtc_r01_an_afv_routs_without_another_loss():
    catalog = field([tanks(soviet("t34"), antitank=2), tanks(german("pz"), morale=8)])
    battle = assaulting(catalog, "t34 0405; pz 0404", "t34", dice=(1, 6, 6))
    done = after(battle, at_hex(battle, antitank={"pz": 4 * FP}))
    assert (done.decision.kind, lost(done, "pz")) == (DecisionKind.RETREAT, 1)


@pytest.mark.rule("WD 14.B.1")
def test_wdtc_r03_failed_under_barrage_fires_no_defensive_fire():
    catalog = field([soviet("r"), guns(soviet("art"), barrage=20), german("bn", strength=4),
                     german("calm", strength=4, morale=12)])
    line = "r 0405; art 0407 3 deployed; bn 0404; calm 0404"
    battle = place(catalog, line, dice=(4, 4, 4, 6, 1, 1), decision=DecisionKind.BARRAGE,
                   phase=Phase.BARRAGE,
                   assaults=(Assault(at(HERE), (catalog.unit_index["r"],)),))
    held = after(battle, Barrage((BarrageFire(at(HERE), (unit(battle, "art"),),
                                              (20 * FP,)),)))
    assert lost(held, "bn") == 1                                  # 4 + 2 at 20-29, then 8 + 1
    assert held.decision.kind == DecisionKind.DEFENSIVE_FIRE
    assert held.units[unit(held, "bn")].hex == at(HERE)           # no retreat
    own = held.units[unit(held, "calm")].strength * 3 * FP
    assert accepts(held, in_defence(held, {"r": own}))
    assert clauses(held, in_defence(held, {"r": own + 1})) == ["WD 9.C.3"]


@pytest.mark.rule("WD 14.B.2")
def test_wdtc_r03_failed_under_defensive_fire_does_not_assault():
    catalog = field([soviet("r", morale=8), soviet("q", morale=12), german("bn")])
    battle = defending(catalog, "r 0405; q 0304; bn 0404", "r q", dice=(2, 4, 5))
    shaken = after(battle, in_defence(battle, {"r": 6 * FP}))     # MC, 9 fails
    assert shaken.decision.kind == DecisionKind.ASSAULT_FIRE
    assert shaken.units[unit(shaken, "r")].hex == at(405)
    assert accepts(shaken, at_hex(shaken, {"bn": 9 * FP}))        # q alone
    assert clauses(shaken, at_hex(shaken, {"bn": 9 * FP + 1})) == ["WD 9.C.3"]


@pytest.mark.rule("WD 14.B.3")
def test_wdtc_r03_failed_under_assault_goes_two_hexes_back():
    catalog = field([soviet("r"), german("bn", morale=8)])
    battle = assaulting(catalog, "r 0405; bn 0404", "r", dice=(2, 4, 5))
    done = after(battle, at_hex(battle, {"bn": 6 * FP}))
    assert done.decision.kind == DecisionKind.RETREAT
    gone = after(done, Retreat())
    (moved,) = of_kind(gone.events, UnitRetreated)
    assert len(moved.path) == 2
    assert gone.units[unit(gone, "bn")].strength == 3


def falling_back(line: str) -> Battle:
    """A battalion in 0606 that must retreat; the forest leaves draft guns one lane, 06 north."""
    catalog = field([german("bn", mobility=Mobility.DRAFT), *(soviet(f"r{n}") for n in range(3))],
                    forest="0505 0506 0507 0607 0705 0706 0707 0504 0704 0503 0703 0502 0702")
    return place(catalog, f"bn 0606; {line}", decision=DecisionKind.RETREAT, side=Side.GERMAN,
                 phasing=Side.SOVIET, phase=Phase.ASSAULT,
                 retreats=(Pending(catalog.unit_index["bn"], at(606)),))


@pytest.mark.rule("WD 14.C.1")
def test_wdtc_r04_two_zones_are_one_point_by_order():
    battle = falling_back("r0 0505; r1 0505")                     # 0605 is theirs
    done = after(battle, Retreat())
    (moved,) = of_kind(done.events, UnitRetreated)
    assert (moved.path[0], moved.through_zone) == (at(605), True)
    assert lost(done, "bn") == 1


@pytest.mark.rule("WD 14.C.1")
def test_wdtc_r04_on_past_a_zone_or_lost():
    battle = falling_back("r0 0504")                              # 0604 and 0603 are in its zone
    assert clauses(battle, Retreat((Route(unit(battle, "bn"), (at(605), at(604))),))) == [
        "WD 14.B"]
    done = after(battle, Retreat())
    (moved,) = of_kind(done.events, UnitRetreated)
    assert moved.path == (at(605), at(604), at(603), at(602))
    assert lost(done, "bn") == 1
    shut = falling_back("r0 0605")                                # no way out
    done = after(shut, Retreat())
    assert done.units[unit(done, "bn")].strength == 0
    assert of_kind(done.events, UnitRetreated) == []


@pytest.mark.rule("WD 14.C.2")
@pytest.mark.parametrize(("shots", "dice", "cause", "added"), [
    ({}, (1, 1), Cause.TANK_FRIGHT, 0),                           # combat asked for no check
    ({"bn": 6 * FP}, (3, 1, 1), Cause.CONVENTIONAL, 1),           # MC
    ({"bn": 6 * FP}, (1, 1, 1), Cause.CONVENTIONAL, 2),           # MC1
])
@pytest.mark.parametrize("guarded", [False, True])
def test_wdtc_r05_tanks_make_it_one_level_worse(shots, dice, cause, added, guarded):
    catalog = field([tanks(soviet("t34")), german("bn", morale=12),
                     german("pak", kind=Kind.LIGHT_WEAPONS, traits="steady")])
    line = "t34 0405; bn 0404" + ("; pak 0404" if guarded else "")
    battle = assaulting(catalog, line, "t34", dice=dice)
    done = after(battle, at_hex(battle, shots))
    checks = of_kind(done.events, MoraleChecked)
    if guarded:
        assert [(check.cause, sum(m.value for m in check.modifiers)) for check in checks] == (
            [(cause, added - 1)] if shots else [])
    else:
        assert [(check.cause, sum(m.value for m in check.modifiers)) for check in checks] == [
            (cause, added)]


@pytest.mark.rule("WD 14.C.6")
@pytest.mark.parametrize(("left", "checks"), [(3, 0), (2, 1)])
def test_wdtc_r06_a_bunker_of_three_and_of_two(left, checks):
    catalog = field([soviet("r", strength=9), german("bn", morale=12)], town="0404",
                    bunkers={HERE: 10})
    battle = assaulting(catalog, "r 0405; bn 0404", "r", dice=(2, 1, 1))
    battle.bunkers = [left]
    done = after(battle, at_hex(battle, {"bn": 15 * FP}))         # 1:1, die 2: MC
    assert len(of_kind(done.events, MoraleChecked)) == checks


# ---------------------------------------------------------------- L: supply

def spent(battle: Battle) -> int:
    return sum(event.points for event in of_kind(battle.events, SupplySpent))


@pytest.mark.rule("WD 15.A.2")
def test_wdtc_l01_one_point_for_assaults_and_two_with_a_barrage():
    catalog = field([soviet("r"), guns(soviet("art")), german("bn")])
    battle = place(catalog, "r 0405; art 0407 3 deployed; bn 0404", supply=(2, 9, 9),
                   dice=(6,) * 9)
    moved = after(battle, moves(assaults=(assault_of(battle, HERE, "r"),)))
    assert (spent(moved), moved.supply[Pool.SOVIET]) == (1, 1)
    fired = after(moved, barrage_of(moved, HERE))
    assert (spent(fired), fired.supply[Pool.SOVIET]) == (1, 0)


@pytest.mark.rule("WD 15.A.4")
@pytest.mark.parametrize(("paid", "factor"), [((), 1), ((Pool.GERMAN,), 2)])
def test_wdtc_l01_defensive_support_with_a_point_and_without(paid, factor):
    catalog = field([soviet("r"), german("bn"), guns(german("art"), support=2)])
    battle = defending(catalog, "r 0405; bn 0404; art 0402 3 deployed", "r")
    support = (Support(unit(battle, "art"), at(HERE)),)
    whole = (9 + 3 * factor) * FP

    def order(value: int) -> Order:
        fires = in_defence(battle, {"r": value}, support=support).fires
        return DefensiveFire(fires, paid)

    assert accepts(battle, order(whole))
    assert clauses(battle, order(whole + 1)) == ["WD 9.C.3"]


@pytest.mark.rule("WD 15.D.2")
def test_wdtc_l04_the_city_s_guns_are_not_paid_for_by_the_general_pool():
    battle = barraging("art 0404 4 deployed; r 0406", soviet("r"), german("bn"),
                       side=Side.GERMAN, supply=(9, 9, 1), town="0404")
    assert accepts(battle, barrage_of(battle, 406))               # a town, not the city
    catalog = field([guns(german("art"), barrage=20, range_=7), soviet("r")], city="0404")
    inside = place(catalog, "art 0404 3 deployed; r 0406", decision=DecisionKind.BARRAGE,
                   side=Side.GERMAN, phasing=Side.GERMAN, phase=Phase.BARRAGE, supply=(9, 9, 1))
    assert clauses(inside, barrage_of(inside, 406)) == ["WD 15.D.2"]
    assert units(inside, "art r") == (1, 0)


@pytest.mark.rule("WD E.15")
def test_wdtc_l06_a_ring_closed_by_a_move_counts_from_the_next_impulse():
    catalog = field([*(soviet(f"r{n}", morale=12) for n in range(4)), german("bn", morale=12)])
    line = "bn 0505; r0 0603; r1 0606; r3 0506; "
    closed = place(catalog, line + "r2 0305")
    supply.fix(closed)
    assert closed.units[unit(closed, "bn")].status & Status.ISOLATED
    battle = place(catalog, line + "r2 0104", dice=(6,) * 20)
    supply.fix(battle)
    assert not battle.units[unit(battle, "bn")].status & Status.ISOLATED
    ring = moves(march(battle, "r2", 204, 305), assaults=(assault_of(battle, 505, "r3"),))
    held = after(battle, ring)
    assert held.decision.kind == DecisionKind.DEFENSIVE_FIRE

    def shot(value: int) -> DefensiveFire:
        return DefensiveFire((Fire(at(505), targets(held, {"r3": value})),))

    assert accepts(held, shot(9 * FP))                            # three at three, not halved
    assert clauses(held, shot(9 * FP + 1)) == ["WD 9.C.3"]
    fired = after(held, shot(9 * FP))
    done = after(fired, AssaultFire((Fire(at(505)),)))
    assert (done.side, done.decision.kind) == (Side.GERMAN, DecisionKind.DECLARE_IMPULSE)
    assert done.units[unit(done, "bn")].status & Status.ISOLATED
