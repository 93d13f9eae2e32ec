"""White Death's catalog on the wire."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lovat.white_death.v1 import catalog_pb2
from lovat_server.core.tables import OddsTable
from lovat_server.games.white_death.catalog import (
    BattleMap,
    Catalog,
    Charts,
    Scenario,
    Unit,
    VictorySchedule,
)
from lovat_server.games.white_death.game_options import OPTIONS
from lovat_server.games.white_death.terms import Side
from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, hexes_of, opposite

_NO_EFFECT = -1
_BANKS = {"": 0, "W": 1, "E": 2}


def catalog_message(catalog: Catalog) -> catalog_pb2.Catalog:
    """The whole catalog; about 70 KB."""
    numbers = catalog.map.numbers
    return _message(catalog_pb2.Catalog, {
        "scenario": _scenario(catalog.scenario, numbers),
        "map": _map(catalog.map),
        "units": [_unit(unit) for unit in catalog.units],
        "bunkers": [{"hex": numbers[bunker.hex], "strength": bunker.strength}
                    for bunker in catalog.bunkers],
        "charts": _charts(catalog.charts),
        "arrivals": [
            {"side": side + 1, "turn": turn, "supply": arrival.supply,
             "replacements": arrival.replacements}
            for side in Side
            for turn, arrival in enumerate(catalog.arrivals[side], 1)
        ],
        "provenance": {source.value: count for source, count in catalog.provenance.items()},
        "options": [{"name": option.name, "default_value": option.default,
                     "clause": option.clause, "description": option.description}
                    for option in OPTIONS],
    })


def _message(cls: Any, fields: Mapping[str, Any]) -> Any:
    return cls(**fields)


def _scenario(scenario: Scenario, numbers: tuple[int, ...]) -> dict[str, Any]:
    return {
        "id": scenario.id,
        "title": scenario.title,
        "first_turn": scenario.first_turn,
        "last_turn": scenario.last_turn,
        "bridges": [numbers[hex_] for hex_ in scenario.bridges],
        "supply": list(scenario.supply),
        "garrisons": scenario.garrisons,
        "victory": _victory(scenario.victory),
        "historical_result": scenario.historical_result,
        "zones": dict(scenario.zones),
        "standard_set_up": [{"unit": unit, "hex": numbers[hex_]}
                            for unit, hex_ in sorted(scenario.standard_set_up.items())],
    }


def _victory(victory: VictorySchedule) -> dict[str, Any]:
    fields = {name: getattr(victory, name) for name in VictorySchedule.__slots__}
    fields["towns_held"] = dict(victory.towns_held)
    fields["levels"] = [level._asdict() for level in victory.levels]
    return fields


def _map(battle_map: BattleMap) -> dict[str, Any]:
    grid, numbers = battle_map.grid, battle_map.numbers
    return {
        "columns": grid.columns,
        "rows": grid.rows,
        "even_high": grid.even_high,
        "hexes": [_hex(battle_map, hex_) for hex_ in range(grid.size)],
        "hexsides": list(_hexsides(battle_map)),
        "areas": [{"name": name, "hexes": [numbers[hex_] for hex_ in hexes_of(board)]}
                  for name, board in sorted(battle_map.areas.items())],
    }


def _hex(battle_map: BattleMap, hex_: int) -> dict[str, Any]:
    boards = {
        "forest": battle_map.forest, "town": battle_map.town, "creek": battle_map.creek,
        "river": battle_map.river, "high": battle_map.high, "city": battle_map.city,
        "railroad_town": battle_map.railroad_towns,
    }
    banks = battle_map.bank[hex_] if battle_map.bank else ()
    return {
        "hex": battle_map.numbers[hex_],
        "name": battle_map.names.get(hex_, ""),
        "banks": [_BANKS[bank] for bank in banks],
        **{name: True for name, board in boards.items() if board >> hex_ & 1},
    }


def _hexsides(battle_map: BattleMap) -> Iterator[dict[str, Any]]:
    features = {"road": battle_map.road, "rail": battle_map.rail,
                "lake_full": battle_map.lake_full, "lake_partial": battle_map.lake_partial}
    grid = battle_map.grid
    for hex_ in range(grid.size):
        for direction in DIRECTIONS:
            other = grid.neighbours[hex_][direction]
            down = bool(battle_map.down[direction] >> hex_ & 1)
            up = other != OUTSIDE and battle_map.down[opposite(direction)] >> other & 1
            if up or not (down or direction < opposite(direction) or other == OUTSIDE):
                continue  # told of the hex on the other side
            found = {name: True for name, boards in features.items()
                     if boards[direction] >> hex_ & 1}
            if found or down:
                yield {"hex": battle_map.numbers[hex_], "direction": direction + 1,
                       "down": down, **found}


def _unit(unit: Unit) -> dict[str, Any]:
    return {
        **unit._asdict(),
        "side": unit.side + 1,
        "mobility": unit.mobility + 1,
        "kind": unit.kind + 1,
        "size": int(unit.size),
        "traits": sorted(unit.traits),
    }


def _charts(charts: Charts) -> dict[str, Any]:
    return {
        "movement": [
            {"mobility": mobility + 1, "terrain": terrain, "leave": cost.leave,
             **({} if cost.enter is None else {"enter": cost.enter})}
            for mobility, costs in enumerate(charts.movement)
            for terrain, cost in costs.items()
        ],
        "defence": [
            {"terrain": terrain, "personnel": personnel, "light": light, "heavy": heavy}
            for terrain, (personnel, light, heavy) in charts.defence.items()
        ],
        "conventional": _columns(charts.conventional),
        "antitank": _columns(charts.antitank),
        "barrage": [
            {"lowest": lowest, "results": [row[place] for row in charts.barrage]}
            for place, lowest in enumerate(charts.barrage_columns)
        ],
        "barrage_modifiers": dict(charts.barrage_modifiers),
        "weather": [{"turn": turn, "weather": [weather + 1 for weather in row]}
                    for turn, row in enumerate(charts.weather, 1)],
    }


def _columns(table: OddsTable[Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "numerator": ratio[0], "denominator": ratio[1],
         "results": [_cell(row[place]) for row in table.rows]}
        for place, (name, ratio) in enumerate(zip(table.names, table.ratios, strict=True))
    ]


def _cell(cell: tuple[int] | int | None) -> int:
    if cell is None:
        return _NO_EFFECT
    return cell[0] if isinstance(cell, tuple) else cell
