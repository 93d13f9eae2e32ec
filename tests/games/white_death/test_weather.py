"""[WD 16] The weather roll."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import weather
from lovat_server.games.white_death.events import WeatherRolled
from lovat_server.games.white_death.terms import Weather
from lovat_server.scenarios.loader import load_catalog

from .field import field, german, place

PRINTED = (
    "TTTFFFFFFFFFF",
    "TTFFFFFFFFFFF",
    "FFFFFFFFFFFFF",
    "FFFFFFFFFFFSS",
    "FFFFFFFFFFSSS",
    "FFSSSSSSSSSSS",
)
"""The printed chart: a row for each die, a letter for each turn."""


@pytest.mark.rule("WD 16")
@pytest.mark.parametrize(("turn", "die", "expected"), [
    (1, 2, Weather.THAW), (1, 6, Weather.FROST), (3, 6, Weather.SNOW), (11, 5, Weather.SNOW),
    (12, 4, Weather.SNOW), (9, 5, Weather.FROST), (3, 2, Weather.FROST), (11, 4, Weather.FROST),
])
def test_wdtc_l05_weather(turn: int, die: int, expected: Weather) -> None:
    battle = place(field(units=[german("bn")]), "bn 0505", dice=(die,), turn=turn)
    weather.roll(battle)
    assert battle.weather == expected
    assert battle.events == [WeatherRolled(die, expected)]
    assert battle.dice.counter == 1


@pytest.mark.rule("WD 16")
def test_every_cell_of_the_chart() -> None:
    catalog = load_catalog("velikiye-luki-campaign")
    letters = {Weather.FROST: "F", Weather.THAW: "T", Weather.SNOW: "S"}
    for die, row in enumerate(PRINTED, 1):
        found = "".join(letters[weather.weather_of(catalog, turn, die)] for turn in range(1, 14))
        assert found == row, die
