"""[WD 9.D, 10.E, 14.B, E.11-C, E.19] Advance."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lovat_server.games.white_death import advance
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import BunkerDestroyed, HexVacated, UnitAdvanced
from lovat_server.games.white_death.orders import (
    Advance,
    Assault,
    Choice,
    Occupation,
    StandingOrders,
)
from lovat_server.games.white_death.terms import Side

from .field import at, field, german, place, soviet


def assault(catalog: Catalog, hex_: int, *ids: str) -> Assault:
    return Assault(at(hex_), tuple(catalog.unit_index[id_] for id_ in ids))


def emptied(line: str = "big 0405 7; small 0304 2; bn 0101", *, standing=None, **more) -> Battle:
    """Regiments big and small of one army have assaulted 0404."""
    bunkers = more.pop("bunkers", None)
    catalog = field([soviet("big", strength=7), soviet("small"), soviet("idle"), german("bn")],
                    bunkers=bunkers)
    if standing is not None:
        more["standing"] = (standing, StandingOrders())
    battle = place(catalog, line, assaults=(assault(catalog, 404, "big", "small"),), **more)
    advance.note_vacated(battle)
    return battle


def occupy(battle: Battle, hex_: int, *ids: str) -> Advance:
    return Advance((Occupation(at(hex_), tuple(battle.catalog.unit_index[i] for i in ids)),))


def advanced(battle: Battle) -> list[str]:
    return [battle.catalog.units[event.unit].id for event in battle.events
            if isinstance(event, UnitAdvanced)]


@pytest.mark.rule("WD 9.D")
@pytest.mark.rule("WD E.11-C")
def test_an_emptied_hex_is_noted_once_whatever_emptied_it():
    battle = emptied()
    advance.note_vacated(battle)
    assert battle.events == [HexVacated(at(404))]
    (option,) = advance.options(battle)
    assert option.units == tuple(battle.catalog.unit_index[id_] for id_ in ("big", "small"))


@pytest.mark.rule("WD 9.D")
@pytest.mark.parametrize("line", [
    "big 0405 7; small 0304 2; bn 0404",                    # still held
    "big 0405 7 halted; small 0304 2 halted; bn 0101",      # nobody still assaults
    "big 0407 7; bn 0101",                                  # routed away, the other eliminated
])
def test_no_advance(line):
    battle = emptied(line)
    assert battle.events == []
    assert advance.options(battle) == ()


@pytest.mark.rule("WD 14.B.2")
def test_a_halted_unit_does_not_advance():
    battle = emptied("big 0405 7 halted; small 0304 2; bn 0101")
    found = advance.judge(battle, occupy(battle, 404, "big"))
    assert [(v.clause, v.path) for v in found] == [("WD 9.D", "occupations[0].units[0]")]
    assert advance.judge(battle, occupy(battle, 404, "small")) == []


@pytest.mark.rule("WD 9.D")
def test_only_units_that_assaulted_the_hex_advance():
    battle = emptied("big 0405 7; small 0304 2; idle 0403; bn 0101")
    assert [v.path for v in advance.judge(battle, occupy(battle, 404, "idle"))] \
        == ["occupations[0].units[0]"]
    assert [v.path for v in advance.judge(battle, occupy(battle, 403, "big"))] \
        == ["occupations[0].hex"]
    assert [v.path for v in advance.judge(battle, occupy(battle, 404, "big", "big"))] \
        == ["occupations[0].units[1]"]


@pytest.mark.rule("WD 4")
def test_stacking_limits_the_advance():
    battle = emptied()          # two regiments never stack
    found = advance.judge(battle, occupy(battle, 404, "big", "small"))
    assert [(v.clause, v.path) for v in found] == [("WD 4.B", "occupations[0].units")]


@pytest.mark.rule("WD 9.D")
def test_by_default_as_many_as_may_stack_strongest_first():
    battle = emptied()
    advance.resolve(battle, Advance())
    assert advanced(battle) == ["big"]
    battle = emptied("big 0405 1; small 0304 3; bn 0101")
    advance.resolve(battle, Advance())
    assert advanced(battle) == ["small"]


@pytest.mark.rule("WD 9.D")
def test_a_side_may_stay():
    battle = emptied()
    advance.resolve(battle, occupy(battle, 404))
    assert advanced(battle) == []
    battle = emptied(standing=replace(StandingOrders(), advance=Choice.NEVER))
    advance.resolve(battle, Advance())
    assert advanced(battle) == []
    advance.resolve(battle, occupy(battle, 404, "small"))
    assert advanced(battle) == ["small"]


@pytest.mark.rule("WD E.19")
def test_a_soviet_unit_that_enters_destroys_the_bunker():
    battle = emptied(bunkers={404: 10})
    advance.resolve(battle, Advance())
    assert battle.events[-1] == BunkerDestroyed(at(404), captured=True)
    assert battle.bunkers == [0]


@pytest.mark.rule("WD E.19")
def test_a_bunker_nobody_enters_stands():
    battle = emptied(bunkers={404: 10})
    advance.resolve(battle, occupy(battle, 404))
    assert battle.bunkers == [10]


@pytest.mark.rule("WD 9.D")
def test_germans_advance_too():
    catalog = field([german("a"), german("b"), soviet("rifle")])
    battle = place(catalog, "a 0405; b 0304; rifle 0101", phasing=Side.GERMAN,
                   assaults=(assault(catalog, 404, "a", "b"),))
    advance.note_vacated(battle)
    advance.resolve(battle, Advance())
    assert advanced(battle) == ["a", "b"]
