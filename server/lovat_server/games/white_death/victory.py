"""[WD 25] Victory points and the level of victory."""

from __future__ import annotations

from collections.abc import Sequence

from lovat_server.hexmap.grid import board_of, hexes_of

from .answers import Score, ScoreLine
from .battle import Battle
from .catalog import Level
from .events import RailroadScored
from .position import Position
from .supply import city_isolated
from .terms import Side
from .zones import has_zone


def railroad_hexes(position: Position) -> tuple[int, ...]:
    """[WD 25] Town hexes of the north-south railroad that the Soviets hold.

    NOTE(WD 25): held by a Soviet unit in the hex, or by having been the last to pass through it
    while no German unit that exerts a zone of control stands in it.
    """
    towns = position.catalog.map.railroad_towns
    held = (position.occupied(Side.SOVIET) | position.railroad_held) & towns
    if not held:
        return ()
    return tuple(hex_ for hex_ in hexes_of(held)
                 if not any(_is_german(position, index) and has_zone(position, index)
                            for index in position.stack(hex_)))


def score_railroad(battle: Battle) -> None:
    """[WD 25] The points of a Soviet impulse that ends, for the railroad towns held.

    NOTE(WD 25): "per impulse" is once for each Soviet impulse.
    """
    hexes = railroad_hexes(battle)
    each = battle.catalog.scenario.victory.railroad_town
    if hexes and each:
        battle.record(RailroadScored(hexes, each * len(hexes)))


def score(position: Position) -> Score:
    """[WD 25.4] Every line of the scenario's schedule, as if the game ended now."""
    schedule, ledger = position.catalog.scenario.victory, position.ledger
    german, soviet = ledger.lost[Side.GERMAN], ledger.lost[Side.SOVIET]
    lines = [
        ScoreLine("German strength points eliminated", german,
                  _groups(german, schedule.german_losses_threshold,
                          schedule.german_losses_per_point)),
        ScoreLine("Soviet strength points eliminated", soviet,
                  -_groups(soviet, schedule.soviet_losses_threshold,
                           schedule.soviet_losses_per_point)),
    ]
    if schedule.isolated_losses_per_point:
        isolated = ledger.isolated[Side.GERMAN]
        lines.append(ScoreLine("Isolated German strength points eliminated", isolated,
                               _groups(isolated, 0, schedule.isolated_losses_per_point)))
    bunkers = sum(not strength for strength in position.bunkers)
    lines.append(ScoreLine("Bunkers destroyed or captured", bunkers, bunkers * schedule.bunker))
    if schedule.railroad_town:
        lines.append(ScoreLine("Railroad town hexes held, by impulse",
                               ledger.railroad // schedule.railroad_town, ledger.railroad))
    for place, points in schedule.towns_held.items():
        held = int(holds_town(position, place))
        lines.append(ScoreLine(f"{place} held", held, held * points))
    if schedule.city_isolated:
        cut_off = int(city_isolated(position))
        lines.append(ScoreLine("Velikiye Luki isolated", cut_off, cut_off * schedule.city_isolated))
    if schedule.garrison_survivor:
        left = garrison_strength(position)
        lines.append(ScoreLine("Strength points of the Velikiye Luki garrison left", left,
                               left * schedule.garrison_survivor))
    # NOTE(WD 25.4): the schedules begin at 0; a sum below counts as 0.
    points = max(0, sum(line.points for line in lines))
    return Score(tuple(lines), points, level(schedule.levels, points))


def level(levels: Sequence[Level], points: int) -> str:
    """[WD 25.4] The level of victory that a number of points reaches; under 0 counts as 0."""
    reached = levels[0].name
    for step in levels:
        if step.lowest <= max(0, points):
            reached = step.name
    return reached


def holds_town(position: Position, place: str) -> bool:
    """[WD 25 scenario II] The Soviets hold a town at the end.

    NOTE(WD 25 scenario II): a Soviet unit stands in one of its hexes and no German unit in any.
    """
    hexes = board_of(hex_ for hex_, name in position.catalog.map.names.items() if name == place)
    return bool(hexes & position.occupied(Side.SOVIET)) \
        and not hexes & position.occupied(Side.GERMAN)


def garrison_strength(position: Position) -> int:
    """[WD 25 scenario V] Strength left to the units that began in Velikiye Luki."""
    return sum(position.units[index].strength for index in position.catalog.side_units[Side.GERMAN]
               if "garrison_city" in position.catalog.units[index].traits)


def _groups(count: int, threshold: int, size: int) -> int:
    """[WD 25.4] Whole groups above a threshold."""
    return max(0, count - threshold) // size


def _is_german(position: Position, index: int) -> bool:
    return position.catalog.units[index].side == Side.GERMAN
