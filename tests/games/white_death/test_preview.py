"""[WD 9-12, 14, 19] Previews of combat: exact chances, and seeded resolutions beside them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Hashable
from fractions import Fraction

import pytest

from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import preview_assault, preview_walk
from lovat_server.games.white_death.events import BunkerReduced
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    DeclareImpulse,
    Fire,
    MoveAndDeclare,
    Order,
    Shot,
)
from lovat_server.games.white_death.previews import FireKind, HexPreview, Outcome, Preview
from lovat_server.games.white_death.terms import (
    FP,
    DecisionKind,
    ImpulseKind,
    Phase,
    Side,
    Weather,
)

from . import attacks
from .attacks import ATTACKS, Attack, Seen, read
from .chi_square import statistic, tail
from .field import Battle, at, field, german, guns, place, soviet, tanks

NONE, PASSED, FAILED, ROUTED, ELIMINATED = Outcome
LEVEL = 0.001
EACH, EACH_WHOLE, EACH_SOAK = 600, 100, 10_000    # a whole assault takes longest


def told(battle: Battle, order: Order, side: Side | None = None) -> Preview:
    judged = WHITE_DEATH.preview(battle.catalog, battle.freeze(), order, side)
    assert not judged.violations, judged.violations
    return judged.receipt


def results(shown: HexPreview, unit: int, fire: int = 0) -> dict[tuple[int, Outcome], Fraction]:
    target = next(target for target in shown.fires[fire].targets if target.unit == unit)
    return {(found.lost, found.outcome): found.chance for found in target.results}


def assault_at_one_to_one(*battalions: str) -> tuple[Battle, AssaultFire]:
    """A regiment of value 30 at battalions of strength 3 and morale 8 in the open, 6 at each."""
    catalog = field([soviet("rifle", strength=10), *(german(id_) for id_ in battalions)])
    index = catalog.unit_index
    battle = place(catalog, "rifle 0405; " + "; ".join(f"{id_} 0404" for id_ in battalions),
                   decision=DecisionKind.ASSAULT_FIRE, phase=Phase.ASSAULT,
                   assaults=(Assault(at(404), (index["rifle"],)),))
    shots = tuple(Shot(index[id_], 6 * FP) for id_ in battalions)
    return battle, AssaultFire((Fire(at(404), shots),))


# 1:1 reads MC1, MC, MC and three times nothing. Two dice are 8 or less 26 times of 36, 9 or 10
# seven times, 11 or 12 three times; with 1 added 21, 9 and 6 times.

@pytest.mark.rule("WD 9.C.4")
@pytest.mark.rule("WD 14.B")
def test_one_battalion_at_one_to_one() -> None:
    battle, order = assault_at_one_to_one("bn")
    (shown,) = told(battle, order).hexes
    assert results(shown, battle.catalog.unit_index["bn"]) == {
        (0, NONE): Fraction(1, 2),
        (0, PASSED): Fraction(26, 108), (0, FAILED): Fraction(7, 108),
        (1, ROUTED): Fraction(3, 108),
        (1, PASSED): Fraction(21, 216), (1, FAILED): Fraction(9, 216),
        (2, ROUTED): Fraction(6, 216),
    }
    assert shown.vacated == Fraction(35, 216)
    assert shown.defender_loss == Fraction(6 + 30 + 12, 216)
    (target,) = shown.fires[0].targets
    (volley,) = target.volleys
    (attack,) = volley.attacks
    assert (volley.chance, attack.value, attack.defence, attack.column) \
        == (1, 6 * FP, 6 * FP, "1:1")
    assert [(m.clause, m.name, m.value) for m in target.defences] == [("WD 12", "clear", 6 * FP)]


@pytest.mark.rule("WD 14.C.4")
def test_a_rout_weighs_on_the_next_unit_of_the_hex() -> None:
    """The first is routed 12 times of 216; with 1 more the second passes 21 or 15 of 36."""
    battle, order = assault_at_one_to_one("b1", "b2")
    (shown,) = told(battle, order).hexes
    second = results(shown, battle.catalog.unit_index["b2"])
    assert second[0, PASSED] == Fraction(1, 3) * (
        Fraction(204, 216) * Fraction(26, 36) + Fraction(12, 216) * Fraction(21, 36))
    first_routs, first_fails = Fraction(12, 216), Fraction(23, 216)
    leaves_then = Fraction(1, 3) * Fraction(15, 36) + Fraction(1, 6) * Fraction(21, 36)
    assert shown.vacated == first_routs * leaves_then + first_fails * Fraction(35, 216)


@pytest.mark.rule("WD 5")
@pytest.mark.rule("WD 14.B.2")
def test_a_whole_assault_of_nine_against_nine() -> None:
    """9 against 6 is 1.5:1 for both: MC1, MC1, MC. A regiment that has lost 1 fires 6, 1:1."""
    catalog = field([soviet("rifle"), german("bn")])
    battle = place(catalog, "rifle 0405; bn 0404")
    order = MoveAndDeclare((), (Assault(at(404), (catalog.unit_index["rifle"],)),))
    (shown,) = told(battle, order).hexes
    leaves = Fraction(40, 216)      # MC1 twice: 15 of 36; MC once: 10 of 36
    assert shown.repelled == leaves
    intact, hurt = Fraction(134, 216), Fraction(42, 216)
    assert shown.vacated == intact * leaves + hurt * Fraction(35, 216)
    defended, assaulted = shown.fires
    assert (defended.phase, assaulted.phase) == (Phase.DEFENSIVE_FIRE, Phase.ASSAULT)
    (target,) = assaulted.targets
    assert [(volley.chance, volley.attacks[0].column) for volley in target.volleys] \
        == [(intact, "1.5:1"), (hurt, "1:1")]
    assert shown.attacker_loss == defended.expected_loss > 0


@pytest.mark.rule("WD 10.C.3")
@pytest.mark.rule("WD 14.A.1")
def test_two_antitank_attacks_add_up() -> None:
    """At 1:3 an X falls once in six; of two attacks none hits 25, one 10, both 1 of 36."""
    catalog = field([tanks(soviet("t34", strength=4), antitank=1), tanks(german("pz", strength=3),
                                                                         defence=6)])
    index = catalog.unit_index
    battle = place(catalog, "t34 0405; pz 0404", decision=DecisionKind.ASSAULT_FIRE,
                   phase=Phase.ASSAULT, assaults=(Assault(at(404), (index["t34"],)),))
    order = AssaultFire((Fire(at(404), (), (Shot(index["pz"], 2 * FP),) * 2),))
    (shown,) = told(battle, order).hexes
    found = results(shown, index["pz"])
    assert found[0, NONE] == Fraction(25, 36)
    assert sum(chance for (lost, _), chance in found.items() if lost == 1) == Fraction(10, 36)
    assert found[1, PASSED] == Fraction(10, 36) * Fraction(21, 36)
    assert found[2, ROUTED] == Fraction(1, 36) * Fraction(10, 36)      # 9 or more


@pytest.mark.rule("WD 14.C.5")
def test_snow_and_isolation_are_named() -> None:
    battle, order = assault_at_one_to_one("bn")
    battle.weather = Weather.SNOW
    (shown,) = told(battle, order).hexes
    (target,) = shown.fires[0].targets
    assert [(m.clause, m.value) for m in target.conditions] == [("WD 14.C.5", 1)]
    assert results(shown, target.unit)[0, PASSED] == Fraction(1, 3) * Fraction(21, 36)


@pytest.mark.rule("WD 14.C.2")
def test_fright_alone_calls_for_a_check() -> None:
    """No shot: two dice against 8, with nothing added."""
    catalog = field([tanks(soviet("t34")), german("bn")])
    battle = place(catalog, "t34 0405; bn 0404", decision=DecisionKind.ASSAULT_FIRE,
                   phase=Phase.ASSAULT,
                   assaults=(Assault(at(404), (catalog.unit_index["t34"],)),))
    (shown,) = told(battle, AssaultFire((Fire(at(404)),))).hexes
    assert results(shown, catalog.unit_index["bn"]) == {
        (0, PASSED): Fraction(26, 36), (0, FAILED): Fraction(7, 36), (1, ROUTED): Fraction(3, 36)}


@pytest.mark.rule("WD 11.B.2.b")
def test_a_barrage_says_every_modifier() -> None:
    attack = attacks.barrage_of_a_bunker()
    (shown,) = told(attack.battle, attack.order).hexes
    (fire,) = shown.fires
    assert [firer.value for firer in fire.firers] == [30 * FP, 30 * FP]
    (bunker,) = fire.bunkers
    assert bunker.attacks[0].column == "60+"
    assert [m.name for m in bunker.attacks[0].modifiers] == ["bunker"]
    assert [m.name for m in fire.targets[0].volleys[0].attacks[0].modifiers] \
        == ["personnel", "bunker", "town"]
    assert sum(found.chance for found in bunker.results) == 1
    assert shown.repelled == 0


# ---------------------------------------------------------------- beside seeded resolutions

@pytest.mark.parametrize("make", ATTACKS)
def test_chances_add_up_and_an_answer_is_the_same_twice(make: Callable[[], Attack]) -> None:
    attack = make()
    shown = told(attack.battle, attack.order)
    assert shown.hexes
    assert told(make().battle, attack.order) == shown
    for hex_ in shown.hexes:
        assert not hex_.truncated
        assert 0 <= hex_.vacated <= 1
        assert 0 <= hex_.repelled <= 1
        for fire in hex_.fires:
            for firer in fire.firers:
                value = Fraction(firer.factor * firer.strength)
                for factor in firer.factors:
                    value *= Fraction(factor.numerator, factor.denominator)
                assert value == firer.value
            for target in fire.targets:
                assert sum(found.chance for found in target.results) == 1
                assert sum(volley.chance for volley in target.volleys) <= 1
                for volley in target.volleys:
                    for one in volley.attacks:
                        assert one.defence == sum(m.value for m in target.defences)
            assert fire.expected_loss == sum(t.expected_loss for t in fire.targets)
            assert fire.expected_loss == sum(
                found.lost * found.chance for t in fire.targets for found in t.results)


@pytest.mark.parametrize("make", ATTACKS)
def test_ten_thousand_resolutions_agree(make: Callable[[], Attack]) -> None:
    attack = make()
    agree(attack, EACH_WHOLE if attack.phase == Phase.MOVEMENT else EACH)


@pytest.mark.soak
@pytest.mark.parametrize("make", ATTACKS)
def test_two_hundred_thousand_resolutions_agree(make: Callable[[], Attack]) -> None:
    agree(make(), EACH_SOAK)


def agree(attack: Attack, times: int) -> None:
    """Every result of every unit, bunkers, hexes vacated and assaults repelled, by chi-square.

    The level is that of the whole attack: each of its questions has an equal part of it.
    """
    shown = told(attack.battle, attack.order)
    chances: dict[Hashable, dict[Hashable, Fraction]] = {}
    for hex_ in shown.hexes:
        chances["vacated", hex_.hex] = {True: hex_.vacated, False: 1 - hex_.vacated}
        if hex_.fires[0].phase == Phase.DEFENSIVE_FIRE:
            chances["repelled", hex_.hex] = {True: hex_.repelled, False: 1 - hex_.repelled}
        for fire in hex_.fires:
            for target in fire.targets:
                chances[fire.phase, target.unit] = {
                    (found.lost, found.outcome): found.chance for found in target.results}
            for bunker in fire.bunkers:
                chances["bunker", hex_.hex] = {
                    found.lost: found.chance for found in bunker.results}
    if attack.phase == Phase.DEFENSIVE_FIRE:
        chances = {key: value for key, value in chances.items()
                   if not (isinstance(key, tuple) and key[0] == "vacated")}
    counts: dict[Hashable, Counter[Hashable]] = {key: Counter() for key in chances}
    name = f"{attack.phase.name} {attack.order}"
    dice = KeyedDice(hashlib.sha256(name.encode()).digest())
    for _ in range(times):
        for key, cell in seen(attack, attack.resolve(dice), chances).items():
            counts[key][cell] += 1
    worst = min(tail(*statistic(chances[key], counts[key])) for key in chances)
    print(f"{times} times, {len(chances)} questions, lowest tail {worst:.4f}")
    assert worst * len(chances) > LEVEL


def seen(attack: Attack, events: list, asked: dict) -> dict:
    """The cell of each question that one resolution falls into."""
    phases = read(events, attack.phase)
    nothing = Seen({}, {}, set(), set())
    found: dict[Hashable, Hashable] = {}
    for key in asked:
        kind, place_ = key
        if kind == "bunker":
            found[key] = sum(event.points for event in events
                             if isinstance(event, BunkerReduced))
        elif kind == "repelled":
            found[key] = not assaulting(attack, place_, phases)
        elif kind == "vacated":
            last = phases.get(Phase.BARRAGE if attack.phase == Phase.BARRAGE else Phase.ASSAULT,
                              nothing)
            units = attack.battle.stack(place_)
            found[key] = last.left.issuperset(units) and (
                attack.phase == Phase.BARRAGE or assaulting(attack, place_, phases))
        else:
            own = phases.get(kind, nothing)
            found[key] = own.lost.get(place_, 0), own.outcomes.get(place_, NONE)
    return found


def assaulting(attack: Attack, hex_: int, phases: dict[Phase, Seen]) -> bool:
    """Somebody still assaults the hex after the defensive fire."""
    declared = attack.order.assaults if isinstance(attack.order, MoveAndDeclare) \
        else attack.battle.assaults
    halted = phases[Phase.DEFENSIVE_FIRE].halted if Phase.DEFENSIVE_FIRE in phases else set()
    return any(set(assault.units) - halted for assault in declared if assault.hex == hex_)


def test_the_tail_of_chi_square_is_that_of_the_tables() -> None:
    for value, degrees, level in (("10.828", 1, 0.001), ("13.816", 2, 0.001),
                                  ("16.266", 3, 0.001), ("29.588", 10, 0.001),
                                  ("31.264", 11, 0.001), ("3.841", 1, 0.05)):
        assert tail(Fraction(value), degrees) == pytest.approx(level, rel=1e-3)


# ---------------------------------------------------------------- who is told what

def test_a_side_is_not_told_what_is_in_a_hex_it_only_thinks_of() -> None:
    attack = attacks.whole_assault()
    assert told(attack.battle, attack.order, Side.SOVIET).hexes \
        == (HexPreview(at(404), unknown=True),)
    assert told(attack.battle, attack.order, Side.GERMAN) == Preview()


def test_a_barrage_of_hidden_units_is_unknown_and_of_assaulted_ones_told() -> None:
    attack = attacks.barrage_of_a_stack()
    (hidden,) = told(attack.battle, attack.order, Side.SOVIET).hexes
    assert hidden == HexPreview(at(406), unknown=True)
    attack.battle.assaults = (Assault(at(406), (attack.battle.catalog.unit_index["scout"],)),)
    assert told(attack.battle, attack.order, Side.SOVIET) == told(attack.battle, attack.order)


@pytest.mark.parametrize("make", [attacks.fire_at_a_stack, attacks.assault_of_a_stack])
def test_fire_in_a_declared_assault_is_told_to_who_decides(make: Callable[[], Attack]) -> None:
    attack = make()
    side = attack.battle.decision.side
    assert told(attack.battle, attack.order, side) == told(attack.battle, attack.order)
    assert told(attack.battle, attack.order, side.enemy) == Preview()


# ---------------------------------------------------------------- limits and refusals

def test_too_many_cases_are_said_to_be_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = attacks.whole_assault_with_tanks()
    (whole,) = told(attack.battle, attack.order).hexes
    monkeypatch.setattr(preview_assault, "MOST_SEQUELS", 4)
    (short,) = told(attack.battle, attack.order).hexes
    assert short.truncated
    assert short.fires == whole.fires[:1]
    assert (short.repelled, short.attacker_loss) == (whole.repelled, whole.attacker_loss)
    assert short.vacated == 0


def test_so_are_those_of_an_assault_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    attack = attacks.assault_by_tanks_that_frighten()
    monkeypatch.setattr(preview_walk, "MOST_CASES", 2)
    assert told(attack.battle, attack.order).hexes == (HexPreview(at(404), truncated=True),)


def test_a_refused_order_has_violations_and_no_preview() -> None:
    battle, _ = assault_at_one_to_one("bn")
    order = AssaultFire((Fire(at(404), (Shot(battle.catalog.unit_index["bn"], 99 * FP),)),))
    judged = WHITE_DEATH.preview(battle.catalog, battle.freeze(), order, None)
    assert [violation.clause for violation in judged.violations] == ["WD 9.C.3"]
    assert judged.receipt == Preview()


def test_an_order_that_fires_nothing_has_no_hexes() -> None:
    catalog = field([soviet("rifle"), german("bn")])
    moving = place(catalog, "rifle 0405; bn 0404")
    assert told(moving, MoveAndDeclare()) == Preview()
    deciding = place(catalog, "rifle 0405; bn 0404", decision=DecisionKind.DECLARE_IMPULSE)
    assert told(deciding, DeclareImpulse(3, ImpulseKind.ACTION)) == Preview()


def test_dice_of_the_movement_are_said_to_come_first() -> None:
    from .playing import march

    catalog = field([tanks(soviet("t34")), german("bn", antitank=FP), german("b2")])
    battle = place(catalog, "t34 0405; bn 0404; b2 0606")
    order = MoveAndDeclare((march(battle, "t34", 506),),
                           (Assault(at(606), (catalog.unit_index["t34"],)),))
    shown = told(battle, order)
    assert shown.uncertain_movement
    assert [hex_.hex for hex_ in shown.hexes] == [at(606)]


def test_support_and_bunkers_are_named() -> None:
    attack = attacks.fire_with_support_from_a_bunker()
    (shown,) = told(attack.battle, attack.order).hexes
    assert [firer.kind for firer in shown.fires[0].firers] \
        == [FireKind.CONVENTIONAL, FireKind.SUPPORT, FireKind.BUNKER]


def test_a_barrage_of_a_bunker_alone_has_no_targets() -> None:
    catalog = field([guns(soviet("art"), barrage=20), soviet("scout")], bunkers={406: 2})
    battle = place(catalog, "art 0404 3 deployed; scout 0506", decision=DecisionKind.BARRAGE,
                   phase=Phase.BARRAGE)
    order = Barrage((BarrageFire(at(406), (catalog.unit_index["art"],)),))
    (shown,) = told(battle, order, Side.SOVIET).hexes
    assert shown.fires[0].targets == ()
    assert shown.fires[0].bunkers[0].expected_loss > 0
    assert ELIMINATED in {found.outcome for found in shown.fires[0].bunkers[0].results}
