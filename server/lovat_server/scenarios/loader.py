"""The catalog of a scenario: everything printed that it needs, read from the data folder."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path

from lovat_server.core.errors import UnknownError
from lovat_server.games.white_death.catalog import (
    BattleMap,
    Bunker,
    Catalog,
    LossToDate,
    Scenario,
    Unit,
)
from lovat_server.games.white_death.terms import Side

from .arrival_loader import Formation, load_formations, load_supply
from .canonical import content_hash
from .chart_loader import load_charts
from .counter_loader import UNPLACED, CounterRecord, count_sources, load_counters
from .faults import DataError, Fault
from .folders import MAP, data_folder, game_folder, signature
from .losses import units_for
from .map_loader import check_map, load_map, map_provenance
from .rows import ProvenanceCount
from .scenario_loader import ScenarioRecord, load_scenarios
from .set_up_loader import bridges_name, load_set_up

WHOLE_BUNKER = 10
"""Strength of every bunker that a later scenario calls vacated."""

__all__ = ["catalog_units", "data_folder", "load_catalog", "load_scenario", "scenario_ids"]


def scenario_ids() -> tuple[str, ...]:
    """The ids of the scenarios, in the order of the rulebook."""
    folder = game_folder()
    return tuple(record.id for record in _scenarios(folder, None, signature(folder)))


def load_catalog(scenario_id: str, overlay: Path | None = None) -> Catalog:
    """The catalog of a scenario; rows of the overlay folder replace those with the same key.

    Read once for each state of the files. Raises `UnknownError` for an id that does not exist
    and `DataError` with every fault for data that cannot be loaded.
    """
    folder = game_folder()
    return _load(scenario_id, folder, overlay, signature(folder) + signature(overlay))


def load_scenario(scenario_id: str, overlay: Path | None = None) -> ScenarioRecord:
    """All a scenario's file says, the losses to date and what only its set-up needs among it."""
    folder = game_folder()
    records = _scenarios(folder, overlay, signature(folder) + signature(overlay))
    for record in records:
        if record.id == scenario_id:
            return record
    known = ", ".join(record.id for record in records)
    raise UnknownError(f"no scenario {scenario_id!r}; there are {known}", field="scenario_id")


@lru_cache(maxsize=16)
def _scenarios(folder: Path, overlay: Path | None, _state: str) -> tuple[ScenarioRecord, ...]:
    faults: list[Fault] = []
    records = load_scenarios(folder, overlay, faults)
    _refuse(faults)
    return records


@lru_cache(maxsize=16)
def _map(folder: Path, overlay: Path | None, _state: str) -> BattleMap:
    try:
        return load_map(folder / MAP, overlay)
    except ValueError as error:
        raise DataError(check_map(folder / MAP, overlay)) from error


@lru_cache(maxsize=32)
def _load(scenario_id: str, folder: Path, overlay: Path | None, state: str) -> Catalog:
    record = load_scenario(scenario_id, overlay)
    battle_map = _map(folder, overlay, state)
    faults: list[Fault] = []
    counters = load_counters(folder, overlay, faults)
    formations, arrival_sources = load_formations(folder, overlay, faults)
    charts, chart_sources = load_charts(folder, overlay, faults)
    arrivals, supply_sources = load_supply(folder, overlay, faults)
    places, place_sources, _ = load_set_up(
        record.standard_set_up, folder, overlay, battle_map.index, faults)
    bridges, bridge_sources, _ = load_set_up(
        bridges_name(record.standard_set_up) if record.soviet_bridges else "", folder, overlay,
        battle_map.index, faults)
    units, records = catalog_units(record, counters, formations, faults)
    check_scenario_hexes(record, battle_map, faults)
    _refuse(faults)
    sources = ProvenanceCount(map_provenance(folder / MAP, overlay))
    for part in (arrival_sources, chart_sources, supply_sources, place_sources, bridge_sources,
                 record.sources, count_sources(records)):
        sources.update(part)
    bunkers = tuple(Bunker(battle_map.index[hex_], strength) for hex_, strength in record.bunkers)
    scenario = _scenario(record, battle_map, places, bridges, units)
    return Catalog(
        scenario=scenario,
        map=battle_map,
        units=units,
        bunkers=bunkers,
        charts=charts,
        arrivals=arrivals,
        content_hash=content_hash(scenario, battle_map, units, bunkers, charts, arrivals),
        provenance=dict(sources),
        unit_index={unit.id: place for place, unit in enumerate(units)},
        side_units=tuple(tuple(place for place, unit in enumerate(units) if unit.side == side)
                         for side in Side),
    )


def catalog_units(
    record: ScenarioRecord, counters: Iterable[CounterRecord],
    formations: Mapping[str, Formation], faults: list[Fault],
) -> tuple[tuple[Unit, ...], tuple[CounterRecord, ...]]:
    """The units that can meet a scenario, by side and id, and their counters in the same order.

    A formation that came before the first turn is set up in its zone; one that comes up to the
    last turn arrives; a later one is left out. No line of the set-up for a unit is a fault.
    """
    found: list[tuple[Unit, CounterRecord]] = []
    for counter in counters:
        unit = counter.unit
        if unit.formation == UNPLACED:
            continue
        formation = formations.get(unit.formation)
        if formation is None:
            faults.append(counter.row.fault(
                "formation", f"{unit.formation!r} is in no set-up and no arrival",
                f"a formation of arrivals.csv, or {UNPLACED}"))
        elif formation.turn < record.first_turn:
            zone = record.zone_of(unit)
            if not zone:
                faults.append(record.table.locate(
                    "set_up", f"no zone for {unit.id} of {unit.formation}",
                    "a line that fits it"))
            found.append((unit._replace(set_up=zone), counter))
        elif formation.turn <= record.last_turn:
            found.append((unit._replace(
                arrival_turn=formation.turn, arrival_impulse=formation.impulse,
                arrival_area=formation.area), counter))
    found.sort(key=lambda pair: (pair[0].side, pair[0].id))
    return tuple(unit for unit, _ in found), tuple(counter for _, counter in found)


def check_scenario_hexes(
    record: ScenarioRecord, battle_map: BattleMap, faults: list[Fault]
) -> None:
    """Every bunker, bridge and set-up zone of the scenario must be on the map."""
    table = record.table
    for hex_ in (*record.bridges, *record.vacated, *(hex_ for hex_, _ in record.bunkers)):
        if hex_ not in battle_map.index:
            faults.append(table.locate("hex", f"{hex_} is no hex of the map",
                                       "a column and a row, such as 2122"))
    areas = {line.zone for line in record.set_up} | set(record.zones)
    areas.update(count.area for count in record.set_up_counts)
    if record.soviet_bridges:
        areas.add(record.soviet_bridges.area)
    for area in sorted(areas):
        if area not in battle_map.areas:
            faults.append(table.locate("zones", f"the map has no area {area!r}",
                                       "an area of map/areas.csv"))
    for zone in (*(line.zone for line in record.set_up),
                 *(count.zone for count in record.set_up_counts)):
        if zone not in record.zones:
            faults.append(table.locate("zones", f"no wording for {zone!r}",
                                       "a line under [zones]"))


def _scenario(
    record: ScenarioRecord, battle_map: BattleMap, places: Mapping[str, int],
    standard_bridges: Mapping[str, int], units: tuple[Unit, ...],
) -> Scenario:
    place_of = {unit.id: place for place, unit in enumerate(units)}
    losses = tuple(
        LossToDate(loss.side, loss.formation, loss.kind, loss.points,
                   tuple(place_of[unit.id] for unit in units_for(loss, units) if unit.set_up))
        for loss in record.losses
    )
    bridges = record.soviet_bridges
    limits = record.set_up_limits
    return Scenario(
        id=record.id,
        title=record.title,
        first_turn=record.first_turn,
        last_turn=record.last_turn,
        bridges=tuple(battle_map.index[hex_] for hex_ in record.bridges),
        supply=record.supply,
        garrisons=record.garrisons,
        victory=record.victory,
        historical_result=record.historical_result,
        zones=record.zones,
        standard_set_up={unit: battle_map.index[hex_] for unit, hex_ in places.items()},
        losses=losses,
        bunker_losses=record.bunker_losses - sum(WHOLE_BUNKER for _ in record.vacated),
        garrison_in_bunkers=bool(record.vacated),
        personnel_in_bunkers=bool(limits.get("personnel_in_each_bunker_hex", 0)),
        artillery_east=limits.get("soviet_artillery_east_of_lowatj", 0),
        set_up_counts=record.set_up_counts,
        bridge_builders=tuple(place_of[id_] for id_ in bridges.units) if bridges else (),
        bridge_area=bridges.area if bridges else "",
        standard_bridges={place_of[unit]: battle_map.index[hex_]
                          for unit, hex_ in standard_bridges.items() if unit in place_of},
    )


def _refuse(faults: list[Fault]) -> None:
    if faults:
        raise DataError(faults)
