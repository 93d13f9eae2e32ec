"""[WD 19, E.19] Bunkers."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import advance, bunkers, fire
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.events import BunkerDestroyed, BunkerReduced, ConventionalFired
from lovat_server.games.white_death.orders import (
    Advance,
    Assault,
    AssaultFire,
    DefensiveFire,
    Fire,
    Shot,
)
from lovat_server.games.white_death.terms import FP, Phase, Side

from .field import at, field, german, place, soviet, tanks

DEFENCE, ASSAULT = Phase.DEFENSIVE_FIRE, Phase.ASSAULT


def attacked(strength: int = 7, line: str = "", dice: tuple[int, ...] = ()) -> Battle:
    """A rifle regiment and a T-34 battalion assault the hex of a bunker."""
    catalog = field([soviet("rifle", strength=7), tanks(soviet("t34")), german("bn")],
                    town="0404", bunkers={404: 15})
    units = tuple(catalog.unit_index[id_] for id_ in ("rifle", "t34"))
    return place(catalog, f"rifle 0405; t34 0405; {line}", bunkers=(strength,), dice=dice,
                 assaults=(Assault(at(404), units),))


@pytest.mark.rule("WD 19")
@pytest.mark.parametrize(("strength", "phase", "value"), [
    (7, DEFENCE, 7), (15, DEFENCE, 15), (1, DEFENCE, 1), (0, DEFENCE, 0), (7, ASSAULT, 0),
])
def test_a_bunker_fires_a_point_for_each_point_on_the_defence(strength, phase, value):
    assert bunkers.fire_value(attacked(strength), at(404), phase) == value * FP
    assert bunkers.fire_value(attacked(strength), at(403), phase) == 0


@pytest.mark.rule("WD E.19")
def test_an_unmanned_bunker_fires_conventionally_and_antitank():
    battle = attacked()
    assert fire.has_fire(battle, DEFENCE)
    (option,) = fire.options(battle, DEFENCE)
    assert (option.firers, option.bunker) == ((), 7 * FP)
    rifle, t34 = (battle.catalog.unit_index[id_] for id_ in ("rifle", "t34"))
    order = DefensiveFire((Fire(at(404), (Shot(rifle, 7 * FP),), (Shot(t34, 7 * FP),)),))
    assert fire.judge(battle, DEFENCE, order) == []
    order = DefensiveFire((Fire(at(404), (Shot(rifle, 8 * FP),), (Shot(t34, 8 * FP),)),))
    assert [v.clause for v in fire.judge(battle, DEFENCE, order)] == ["WD 9.C.3", "WD 10.C.2"]


@pytest.mark.rule("WD E.19")
def test_a_bunker_adds_to_its_garrison():
    battle = attacked(line="bn 0404")
    rifle = battle.catalog.unit_index["rifle"]
    order = DefensiveFire((Fire(at(404), (Shot(rifle, 16 * FP),)),))
    assert fire.judge(battle, DEFENCE, order) == []


@pytest.mark.rule("WD E.19")
def test_nothing_is_fired_at_an_unmanned_bunker_and_survivors_take_it():
    battle = attacked()
    assert not fire.has_fire(battle, ASSAULT)
    fire.resolve(battle, ASSAULT, AssaultFire())
    assert [event for event in battle.events if isinstance(event, ConventionalFired)] == []
    advance.note_vacated(battle)
    advance.resolve(battle, Advance())
    assert battle.events[-1] == BunkerDestroyed(at(404), captured=True)


@pytest.mark.rule("WD 19")
def test_barrage_losses_destroy_a_bunker_at_last():
    battle = attacked(7)
    bunkers.reduce(battle, at(404), 6)
    assert battle.events == [BunkerReduced(at(404), 6)]
    bunkers.reduce(battle, at(404), 6)
    assert battle.events[1:] == [BunkerReduced(at(404), 1), BunkerDestroyed(at(404), False)]
    assert battle.bunker_at(at(404)) is None
    bunkers.reduce(battle, at(404), 6)
    assert len(battle.events) == 3


@pytest.mark.rule("WD E.19")
def test_only_soviet_units_are_kept_out_and_only_while_it_stands():
    battle = attacked(1)
    assert bunkers.is_closed_to(battle, Side.SOVIET, at(404))
    assert not bunkers.is_closed_to(battle, Side.GERMAN, at(404))
    assert not bunkers.is_closed_to(attacked(0), Side.SOVIET, at(404))
