"""[WD 10.E, 12.A, 15.A] Clauses that no other chapter's tests hold."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import supply
from lovat_server.games.white_death.events import HexVacated
from lovat_server.games.white_death.orders import (
    Advance,
    Assault,
    AssaultFire,
    Fire,
    Occupation,
    Shot,
)
from lovat_server.games.white_death.terms import FP, DecisionKind, Phase, Pool, Weather

from .field import at, field, german, number, place, soviet, tanks
from .playing import accepts, after, assault, clauses, moves, of_kind, unit

EITHER, WEST, EAST = 0, 1, 2     # banks a unit in a river hex came from


# Advance after antitank fire.

@pytest.mark.rule("WD 10.E")
def test_a_hex_cleared_by_antitank_fire_may_be_entered():
    """Five factors at a defence of 1 are 5:1; a 1 destroys two points, all that the tanks have."""
    catalog = field([tanks(soviet("t34", strength=5)), tanks(german("pz"), defence=1)])
    battle = place(
        catalog, "t34 0405; pz 0404 2", dice=(1,), phase=Phase.ASSAULT,
        decision=DecisionKind.ASSAULT_FIRE,
        assaults=(Assault(at(404), (catalog.unit_index["t34"],)),))
    fired = after(battle, AssaultFire((
        Fire(at(404), antitank=(Shot(catalog.unit_index["pz"], 5 * FP),)),)))
    assert fired.decision.kind == DecisionKind.ADVANCE
    assert of_kind(fired.events, HexVacated) == [HexVacated(at(404))]
    entered = after(fired, Advance((Occupation(at(404), (catalog.unit_index["t34"],)),)))
    assert number(entered.units[unit(entered, "t34")].hex) == 404


# Assault over a river in a thaw.

@pytest.mark.rule("WD 12.A")
@pytest.mark.rule("WD 16.B")
@pytest.mark.parametrize(("weather", "bridges", "bank", "refused"), [
    (Weather.THAW, "", EAST, ["WD 12.A"]), (Weather.THAW, "", WEST, []),
    (Weather.THAW, "0505", EAST, []), (Weather.FROST, "", EAST, []), (Weather.THAW, "", EITHER, []),
])
def test_tanks_in_a_river_do_not_assault_the_other_bank_in_a_thaw(weather, bridges, bank, refused):
    catalog = field([tanks(soviet("t34")), soviet("rifle"), german("bn")],
                    river=" ".join(f"05{row:02}" for row in range(1, 13)))
    battle = place(catalog, "t34 0505; rifle 0505; bn 0404", weather=weather, bridges=bridges)
    for name in ("t34", "rifle"):
        index = unit(battle, name)
        battle.units[index] = battle.units[index]._replace(bank=bank)
    assert clauses(battle, moves(assaults=(assault(battle, 404, "t34"),))) == refused
    assert accepts(battle, moves(assaults=(assault(battle, 404, "rifle"),)))


# Supply from turn to turn.

@pytest.mark.rule("WD 15.A")
@pytest.mark.rule("WD Chart.supply")
def test_supply_points_add_up_from_turn_to_turn():
    """Turn 4 brings the Soviets 3, by the errata, and the Germans 2; nothing caps what is kept."""
    battle = place(field([german("bn")], city="0606", road="0606-0506-0406-0306-0206-0106"),
                   "bn 0606", supply=(9, 9, 1), turn=4)
    supply.receive(battle)
    assert battle.supply[Pool.SOVIET] == 12
    assert battle.supply[Pool.GERMAN] == 11
