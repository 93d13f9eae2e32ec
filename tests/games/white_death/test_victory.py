"""[WD 25.4] Victory points and levels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lovat_server.games.white_death import victory
from lovat_server.games.white_death.answers import Score
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import RailroadScored, UnitMoved
from lovat_server.games.white_death.state import Ledger
from lovat_server.games.white_death.terms import Size
from lovat_server.hexmap.grid import board_of
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, guns, place, soviet

SCENARIOS = ("purkayevs-attack", "woehlers-response", "first-relief-attempt",
             "second-relief-attempt", "final-relief-attempt", "velikiye-luki-campaign")

MARGINAL, TACTICAL, STRATEGIC = "Marginal Victory", "Tactical Victory", "Strategic Victory"
MIDDLE = [(0, f"German {STRATEGIC}"), (10, f"German {STRATEGIC}"), (11, f"German {TACTICAL}"),
          (20, f"German {TACTICAL}"), (21, f"German {MARGINAL}"), (30, f"German {MARGINAL}"),
          (31, f"Soviet {MARGINAL}"), (40, f"Soviet {MARGINAL}"), (41, f"Soviet {TACTICAL}"),
          (50, f"Soviet {TACTICAL}"), (51, f"Soviet {STRATEGIC}"), (-7, f"German {STRATEGIC}")]
LATE = [(0, f"German {STRATEGIC}"), (20, f"German {STRATEGIC}"), (21, f"German {TACTICAL}"),
        (30, f"German {TACTICAL}"), (31, f"German {MARGINAL}"), (40, f"German {MARGINAL}"),
        (41, f"Soviet {MARGINAL}"), (50, f"Soviet {MARGINAL}"), (51, f"Soviet {TACTICAL}"),
        (60, f"Soviet {TACTICAL}"), (61, f"Soviet {STRATEGIC}"), (-1, f"German {STRATEGIC}")]
FIRST = [(0, "German Victory"), (10, "German Victory"), (11, f"Soviet {MARGINAL}"),
         (20, f"Soviet {MARGINAL}"), (21, f"Soviet {TACTICAL}"), (30, f"Soviet {TACTICAL}"),
         (31, f"Soviet {STRATEGIC}"), (40, f"Soviet {STRATEGIC}"),
         (41, "Soviet Overwhelming Victory"), (99, "Soviet Overwhelming Victory")]
LEVELS = dict(zip(SCENARIOS, (FIRST, LATE, MIDDLE, MIDDLE, MIDDLE, LATE), strict=True))


def catalog(**schedule: Any) -> Catalog:
    plain = field(
        units=[german("bn"), guns(german("company", size=Size.COMPANY)),
               german("mate", size=Size.COMPANY), german("in", traits="garrison_city"),
               soviet("reg"), soviet("second")],
        town="0404 0405", railroad_towns="0404 0405", city="0808", bunkers={808: 10, 809: 15})
    levels = load_catalog("purkayevs-attack").scenario.victory.levels
    victory_schedule = replace(plain.scenario.victory, levels=levels, **schedule)
    return replace(plain, scenario=replace(plain.scenario, victory=victory_schedule))


def points(score: Score) -> dict[str, int]:
    return {line.name: line.points for line in score.lines}


@pytest.mark.rule("WD 25 scenario I")
def test_wdtc_v05_scenario_one() -> None:
    battle = place(catalog(), "reg 0404", ledger=Ledger(lost=(39, 43)))
    battle.bunkers[0] = 0
    for _ in range(2):
        victory.score_railroad(battle)
    score = victory.score(battle)
    assert [line.points for line in score.lines] == [4, -1, 10, 10]
    assert [line.count for line in score.lines] == [43, 39, 1, 2]
    assert (score.points, score.level) == (23, "Soviet Tactical Victory")
    assert load_catalog("purkayevs-attack").scenario.victory == battle.catalog.scenario.victory


@pytest.mark.rule("WD 25.4")
@pytest.mark.parametrize(("scenario", "points_", "name"), [
    (scenario, points_, name) for scenario, rows in LEVELS.items() for points_, name in rows
])
def test_levels_of_every_scenario(scenario: str, points_: int, name: str) -> None:
    levels = load_catalog(scenario).scenario.victory.levels
    assert victory.level(levels, points_) == name


@pytest.mark.rule("WD 25.4")
@pytest.mark.parametrize(("lost", "expected"), [
    ((0, 0), (0, 0)), ((0, 9), (0, 0)), ((0, 10), (1, 0)), ((19, 19), (1, 0)), ((20, 20), (2, -1)),
])
def test_groups_of_losses(lost: tuple[int, int], expected: tuple[int, int]) -> None:
    score = victory.score(place(catalog(), "", ledger=Ledger(lost=lost)))
    assert tuple(line.points for line in score.lines[:2]) == expected


@pytest.mark.rule("WD 25 scenario II")
@pytest.mark.parametrize(("lost", "expected"), [
    ((80, 50), (0, 0)), ((99, 59), (0, 0)), ((100, 60), (1, -1)), ((120, 71), (2, -2)),
])
def test_only_losses_above_the_threshold_count(lost: tuple[int, int],
                                               expected: tuple[int, int]) -> None:
    with_thresholds = catalog(german_losses_threshold=50, soviet_losses_threshold=80)
    score = victory.score(place(with_thresholds, "", ledger=Ledger(lost=lost)))
    assert tuple(line.points for line in score.lines[:2]) == expected


@pytest.mark.rule("WD 25.4")
def test_a_sum_under_zero_counts_as_zero() -> None:
    score = victory.score(place(catalog(), "", ledger=Ledger(lost=(60, 0))))
    assert [line.points for line in score.lines] == [0, -3, 0, 0]
    assert (score.points, score.level) == (0, "German Victory")


@pytest.mark.rule("WD 25.4")
def test_replaced_strength_stays_lost() -> None:
    ledger = Ledger(lost=(0, 10), replaced=(0, 10))
    assert victory.score(place(catalog(), "", ledger=ledger)).points == 1


@pytest.mark.rule("WD 25 scenario VI")
def test_isolated_losses_count_again() -> None:
    ledger = Ledger(lost=(0, 35), isolated=(40, 29))
    battle = place(catalog(isolated_losses_per_point=10), "", ledger=ledger)
    assert points(victory.score(battle))["Isolated German strength points eliminated"] == 2
    assert victory.score(battle).points == 5
    assert len(victory.score(place(catalog(), "", ledger=ledger)).lines) == 4


@pytest.mark.rule("WD 25 scenario II")
def test_the_city_isolated_at_the_end() -> None:
    schedule = catalog(city_isolated=20)
    assert points(victory.score(place(schedule, "in 0808")))["Velikiye Luki isolated"] == 0
    held = place(schedule, "reg 0808")
    assert points(victory.score(held))["Velikiye Luki isolated"] == 20


@pytest.mark.rule("WD 25 scenario II")
def test_towns_held_at_the_end() -> None:
    schedule = catalog(towns_held={"Kostelewo": 5})
    named = replace(schedule, map=replace(schedule.map, names={at(404): "Kostelewo",
                                                               at(405): "Kostelewo"}))

    def held(line: str) -> int:
        return points(victory.score(place(named, line)))["Kostelewo held"]

    assert held("") == 0
    assert held("bn 0404") == 0
    assert held("reg 0405") == 5
    assert held("reg 0405; bn 0404") == 0


@pytest.mark.rule("WD 25 scenario II")
def test_the_towns_of_the_second_scenario_are_on_the_map() -> None:
    real = load_catalog("woehlers-response")
    assert set(real.scenario.victory.towns_held) == {"Guschtschino", "Tschernosjom", "Kostelewo"}
    assert set(real.scenario.victory.towns_held) <= set(real.map.names.values())


@pytest.mark.rule("WD 25 scenario V")
def test_survivors_of_the_garrison() -> None:
    battle = place(catalog(garrison_survivor=-1), "in 0808 2; reg 0303",
                   ledger=Ledger(lost=(0, 50)))
    assert points(victory.score(battle))["Strength points of the Velikiye Luki garrison left"] == -2
    assert victory.score(battle).points == 3


# ---------------------------------------------------------------- the railroad

def held(battle: Battle) -> tuple[int, ...]:
    return victory.railroad_hexes(battle)


@pytest.mark.rule("WD 25")
def test_railroad_towns_held_or_passed_last() -> None:
    battle = place(catalog(), "reg 0403; bn 0909")
    assert held(battle) == ()
    index = battle.catalog.unit_index["reg"]
    battle.record(UnitMoved(index, at(403), (at(404), at(304)), 0))
    assert held(battle) == (at(404),)                   # passed and left
    battle.record(UnitMoved(index, at(304), (at(404), at(405)), 0))
    assert held(battle) == (at(404), at(405))
    victory.score_railroad(battle)
    assert battle.events[-1] == RailroadScored((at(404), at(405)), 10)
    assert battle.ledger.railroad == 10
    german_unit = battle.catalog.unit_index["bn"]
    battle.record(UnitMoved(german_unit, at(909), (at(404), at(403)), 0))
    assert held(battle) == (at(405),)                   # a German was the last to pass


@pytest.mark.rule("WD 25")
def test_a_german_in_the_hex_bars_it_if_he_has_a_zone() -> None:
    passed = board_of((at(404),))
    assert held(place(catalog(), "bn 0404", railroad_held=passed)) == ()
    assert held(place(catalog(), "company 0404", railroad_held=passed)) == (at(404),)
    assert held(place(catalog(), "company 0404; mate 0404", railroad_held=passed)) == ()


@pytest.mark.rule("WD 25")
def test_nothing_is_recorded_where_nothing_is_held() -> None:
    battle = place(catalog(), "bn 0404; reg 0303")
    victory.score_railroad(battle)
    assert battle.events == []


@pytest.mark.rule("WD 25")
def test_bunkers_count_once_destroyed() -> None:
    battle = place(catalog(bunker=5), "")
    assert victory.score(battle).points == 0
    battle.bunkers = [0, 1]
    assert victory.score(battle).points == 5
    battle.bunkers = [0, 0]
    assert victory.score(battle).points == 10
