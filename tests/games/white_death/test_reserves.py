"""[WD 17.F] 7th Flieger Division and the Soviet answer to it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lovat_server.core.dice import ScriptedDice
from lovat_server.games.white_death import reserves, sequence
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.events import ReserveRolled
from lovat_server.games.white_death.opening import opening_state
from lovat_server.games.white_death.state import Options
from lovat_server.games.white_death.terms import Side, Status
from lovat_server.scenarios.loader import load_catalog

V, VI = "final-relief-attempt", "velikiye-luki-campaign"
FIRST = "g-7f-iii-1f-para"


def starting(turn: int = 12, begun: tuple[int, int] = (1, 0), *, dice: tuple[int, ...] = (),
             scenario: str = V) -> Battle:
    """The position before an impulse of a late turn, with all that may come still outside."""
    catalog = load_catalog(scenario)
    state = replace(opening_state(catalog, Options()), turn=turn, impulses=begun)
    return Battle(catalog, state, ScriptedDice(dice))


def rolls(battle: Battle) -> list[tuple[str, int, bool, int]]:
    return [(event.formation, event.die, event.received, len(event.units))
            for event in battle.events if isinstance(event, ReserveRolled)]


def held(battle: Battle) -> set[str]:
    """Formations of which dice still withhold something."""
    printed = battle.catalog.units
    return {printed[index].formation for index, unit in enumerate(battle.units)
            if unit.status & Status.WITHHELD and "optional" in printed[index].traits}


SOVIET = {"47 Nevel Rifle Division", "54 Rifle Brigade", "334 Rifle Division",
          "24 Cavalry Division"}


@pytest.mark.rule("WD 17.F")
@pytest.mark.parametrize("scenario", [V, VI])
@pytest.mark.parametrize("die", [1, 2, 3, 4, 5])
def test_on_one_to_five_a_single_battalion_comes(scenario: str, die: int) -> None:
    battle = starting(dice=(die,), scenario=scenario)
    sequence.begin_impulse(battle, Side.GERMAN)
    assert rolls(battle) == [("7 Flieger Division", die, False, 14)]
    assert held(battle) == {"7 Flieger Division", *SOVIET}
    assert not battle.units[battle.catalog.unit_index[FIRST]].status & Status.WITHHELD
    sequence.begin_impulse(battle, Side.SOVIET)          # nothing for the Soviets, and no dice
    assert len(rolls(battle)) == 1


@pytest.mark.rule("WD 17.F")
def test_on_a_six_the_whole_division_comes() -> None:
    battle = starting(dice=(6,))
    before = battle.freeze()
    sequence.begin_impulse(battle, Side.GERMAN)
    assert rolls(battle) == [("7 Flieger Division", 6, True, 14)]
    assert held(battle) == SOVIET
    assert reserves.is_flieger_committed(battle)
    assert replay(battle.catalog, before, battle.events) == battle.freeze()


@pytest.mark.rule("WD 17.F")
@pytest.mark.parametrize(("turn", "begun", "side"), [
    (11, (1, 0), Side.GERMAN), (13, (1, 0), Side.GERMAN),
    (12, (1, 1), Side.GERMAN), (12, (0, 0), Side.SOVIET)])
def test_one_die_at_the_first_german_impulse_of_turn_twelve(turn: int, begun: tuple[int, int],
                                                            side: Side) -> None:
    battle = starting(turn, begun)
    sequence.begin_impulse(battle, side)
    assert rolls(battle) == []


@pytest.mark.rule("WD 17.F")
@pytest.mark.parametrize("dice", [(1, 4, 5), (4, 5, 6), (6, 6, 6), (2, 3, 4), (5, 1, 6)])
def test_the_soviet_dice_at_their_next_impulse(dice: tuple[int, int, int]) -> None:
    battle = starting(dice=(6, *dice))
    sequence.begin_impulse(battle, Side.GERMAN)
    battle.events.clear()
    sequence.begin_impulse(battle, Side.SOVIET)
    names = ("54 Rifle Brigade", "24 Cavalry Division", "334 Rifle Division")
    assert rolls(battle) == [
        (name, die, die <= 4, size) for name, die, size in zip(names, dice, (4, 4, 6), strict=True)
    ] + [("47 Nevel Rifle Division", 0, True, 6)]
    assert held(battle) == {name for name, die in zip(names, dice, strict=True) if die > 4}


@pytest.mark.rule("WD 17.F")
def test_the_soviet_dice_are_rolled_once() -> None:
    battle = starting(dice=(6, 5, 5, 5))
    sequence.begin_impulse(battle, Side.GERMAN)
    for _ in range(3):
        sequence.begin_impulse(battle, Side.SOVIET)
    assert len(rolls(battle)) == 5
    assert held(battle) == SOVIET - {"47 Nevel Rifle Division"}


@pytest.mark.rule("WD 17.F")
def test_the_soviet_dice_wait_for_the_next_turn_if_no_impulse_is_left() -> None:
    battle = starting(dice=(6, 1, 1, 1))
    sequence.begin_impulse(battle, Side.GERMAN)
    battle.turn, battle.impulses = 13, (0, 0)
    sequence.begin_impulse(battle, Side.SOVIET)
    assert [formation for formation, *_ in rolls(battle)][1:] == [
        "54 Rifle Brigade", "24 Cavalry Division", "334 Rifle Division",
        "47 Nevel Rifle Division"]
    assert held(battle) == set()


@pytest.mark.rule("WD 17.F")
def test_a_scenario_without_optional_formations_rolls_nothing() -> None:
    battle = starting(12, (1, 0), scenario="first-relief-attempt")
    assert not reserves.is_flieger_committed(battle)
    for side in (Side.GERMAN, Side.SOVIET):
        sequence.begin_impulse(battle, side)
    assert rolls(battle) == []
