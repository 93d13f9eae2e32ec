"""[WD 16] The weather of the turn."""

from __future__ import annotations

from .battle import Battle
from .catalog import Catalog
from .events import WeatherRolled
from .terms import Weather


def weather_of(catalog: Catalog, turn: int, die: int) -> Weather:
    """[WD 16, Chart.weather] The chart's cell for a turn and a die."""
    return catalog.charts.weather[turn - 1][die - 1]


def roll(battle: Battle) -> None:
    """[WD 16] The Soviet player's die at the beginning of the turn."""
    die = battle.dice.roll()
    battle.record(WeatherRolled(die, weather_of(battle.catalog, battle.turn, die)))
