"""Judge a data folder, or an overlay over the server's own: everything wrong with it at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from lovat_server.games.white_death.catalog import BattleMap, Unit
from lovat_server.games.white_death.terms import Side, Size

from .arrival_loader import Formation, load_formations, load_supply
from .chart_loader import load_charts
from .counter_loader import UNPLACED, CounterRecord, load_counters
from .diff import TABLES
from .faults import Fault
from .folders import MAP, game_folder
from .loader import catalog_units, check_scenario_hexes
from .losses import units_for
from .map_loader import check_map, load_map
from .scenario_loader import NUMBERS, ScenarioRecord, load_scenarios
from .set_up_loader import bridges_name, load_set_up

PRINTED_TOTALS: Mapping[Side, int] = {Side.SOVIET: 179, Side.GERMAN: 198}
PRINTED_BUNKERS = 75
"""Strength points of the seven bunkers: six of 10 and one of 15 (WD 25)."""

_KNOWN = {table.name for table in TABLES} | {f"scenario_{number}.toml" for number in NUMBERS} | {
    "map/features.toml"}
_WORDS = {Size.COMPANY: "companies", Size.BATTALION: "battalions", Size.REGIMENT: "regiments",
          Size.BRIGADE: "brigades"}


def check_data(folder: Path) -> list[Fault]:
    """Every fault of a folder, in the order of files and lines; empty if it can be played.

    The folder is the server's own game folder or an overlay, which is judged together with what
    it leaves in place.
    """
    base = game_folder()
    if not folder.is_dir():
        return [Fault(str(folder), 0, "", "there is no such folder", "a folder")]
    overlay = None if folder.resolve() == base.resolve() else folder
    faults = [*_unknown_files(folder), *check_map(base / MAP, overlay)]
    battle_map = None if faults else load_map(base / MAP, overlay)
    counters = load_counters(base, overlay, faults)
    formations, _ = load_formations(base, overlay, faults)
    load_supply(base, overlay, faults)
    load_charts(base, overlay, faults)
    faults += check_totals(counters, formations)
    records = load_scenarios(base, overlay, faults)
    for record in records:
        units, _ = catalog_units(record, counters, formations, faults)
        faults += check_losses(record, units)
        if battle_map is not None:
            check_scenario_hexes(record, battle_map, faults)
            faults += _check_set_up(record, units, battle_map, base, overlay)
    return sorted(set(faults), key=lambda fault: (fault.file, fault.line, fault.column))


def check_totals(
    counters: Sequence[CounterRecord], formations: Mapping[str, Formation]
) -> Iterator[Fault]:
    """The counters of each formation by size against its printed count, and of each side."""
    placed = [counter for counter in counters if counter.unit.formation != UNPLACED]
    held: dict[str, Counter[Size]] = {name: Counter() for name in formations}
    for counter in placed:
        held.get(counter.unit.formation, Counter())[counter.unit.size] += 1
    for name, formation in formations.items():
        for size, word in _WORDS.items():
            if held[name][size] != formation.counts[size]:
                yield formation.row.fault(word, f"{name} has {held[name][size]} {word}",
                                          f"{formation.counts[size]}, as printed")
    sides = Counter(counter.unit.side for counter in placed
                    if "by_option" not in counter.unit.traits)
    for side, total in PRINTED_TOTALS.items():
        if sides[side] != total:
            file = counters[0].row.file if counters else "counters.csv"
            yield Fault(file, 0, "side", f"{sides[side]} {side.name.lower()} counters",
                        f"{total}, as printed")


def check_losses(record: ScenarioRecord, units: Iterable[Unit]) -> Iterator[Fault]:
    """The losses to date against the strength of what was there to lose."""
    there = [unit for unit in units if not unit.arrival_turn]
    table = record.table.table("losses")
    for loss in record.losses:
        able = units_for(loss, there)
        strength = sum(unit.strength for unit in able)
        side = table.table(loss.side.name.lower())
        if not able:
            yield side.locate(loss.formation, f"{loss.formation} has no {loss.kind} to lose",
                              "a formation and kind that are on the map")
        elif loss.points > strength or (loss.kind == "all" and loss.points != strength):
            yield side.locate(loss.formation,
                              f"{loss.points} strength points of {loss.kind} lost",
                              f"{'' if loss.kind == 'all' else 'at most '}{strength}")
    standing = sum(strength for _, strength in record.bunkers)
    gone = PRINTED_BUNKERS - standing
    if record.losses and not gone <= record.bunker_losses <= PRINTED_BUNKERS:
        yield table.locate("bunkers", f"{record.bunker_losses} strength points of bunkers lost",
                           f"{gone}, those of the vacated hexes, to {PRINTED_BUNKERS}")


def _check_set_up(
    record: ScenarioRecord, units: Sequence[Unit], battle_map: BattleMap, base: Path,
    overlay: Path | None,
) -> Iterator[Fault]:
    """Each unit of the standard set-up stands in its zone, and none is forgotten."""
    faults: list[Fault] = []
    places, _, rows = load_set_up(
        record.standard_set_up, base, overlay, battle_map.index, faults)
    yield from faults
    zones = {unit.id: unit.set_up for unit in units if unit.set_up}
    for unit, hex_ in places.items():
        zone = zones.get(unit)
        if zone is None:
            yield rows[unit].fault("unit", f"{unit!r} is not set up in {record.id}",
                                   "a unit with a set-up zone")
        elif not battle_map.areas.get(zone, 0) >> battle_map.index[hex_] & 1:
            yield rows[unit].fault("hex", f"{hex_} is outside {zone}", record.zones.get(zone, ""))
    if rows:
        for unit in sorted(zones.keys() - rows.keys() - _mortal(record, units)):
            yield Fault(str(base / record.standard_set_up), 0, "unit", f"{unit} has no hex",
                        f"a row for every unit that sets up in {record.id}")
        yield from _check_bridges(record, battle_map, base, overlay)


def _mortal(record: ScenarioRecord, units: Sequence[Unit]) -> set[str]:
    """The units that a listed loss can have eliminated."""
    return {unit.id for loss in record.losses for unit in units_for(loss, units)
            if unit.strength <= loss.points}


def _check_bridges(
    record: ScenarioRecord, battle_map: BattleMap, base: Path, overlay: Path | None
) -> Iterator[Fault]:
    """Each bridge of the standard set-up is that of a unit that may have built it, in its area."""
    bridges = record.soviet_bridges
    if bridges is None:
        return
    faults: list[Fault] = []
    places, _, rows = load_set_up(
        bridges_name(record.standard_set_up), base, overlay, battle_map.index, faults)
    yield from faults
    for unit, hex_ in places.items():
        if unit not in bridges.units:
            yield rows[unit].fault("unit", f"{unit!r} begins {record.id} without a bridge",
                                   " or ".join(bridges.units))
        elif not battle_map.areas.get(bridges.area, 0) >> battle_map.index[hex_] & 1:
            yield rows[unit].fault("hex", f"{hex_} is outside {bridges.area}",
                                   "a river hex that the scenario names")


def _unknown_files(folder: Path) -> Iterator[Fault]:
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.suffix in {".csv", ".toml"} and name not in _KNOWN:
            yield Fault(str(path), 0, "", "no table of that name is read",
                        f"one of {', '.join(sorted(_KNOWN))}")
