"""One scenario: `scenario_N.toml`, from its turns to its victory levels."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import Level, SetUpCount, Unit, VictorySchedule
from lovat_server.games.white_death.terms import Pool, Side

from .counter_loader import SIDES
from .faults import Fault
from .rows import ProvenanceCount
from .toml_table import TomlTable, read_toml

NUMBERS = range(1, 7)
SHARED = ("bridges", "bunkers", "zones", "set_up")
"""What a scenario with a `base` takes from it."""


@dataclass(frozen=True, slots=True)
class SetUpLine:
    """Units of these formations (and types, if any are named) set up in a zone."""

    side: Side
    formations: tuple[str, ...]        # "*" is every formation
    types: tuple[str, ...]
    zone: str

    def fits(self, unit: Unit) -> bool:
        return (self.side == unit.side
                and ("*" in self.formations or unit.formation in self.formations)
                and (not self.types or unit.type in self.types))


@dataclass(frozen=True, slots=True)
class Loss:
    """Strength points a formation has lost before the scenario, as listed (WD 25)."""

    side: Side
    formation: str
    kind: str
    points: int


@dataclass(frozen=True, slots=True)
class SovietBridges:
    """Engineer units that may begin with their bridge built, and the area of the map for it."""

    units: tuple[str, ...]
    area: str


@dataclass(frozen=True, slots=True)
class ScenarioRecord:
    """A scenario as its file says it. Hexes are printed numbers (CCRR).

    `losses`, `vacated` and `bunker_losses` are those of scenarios II to V; `bunkers` are the
    bunkers still standing, at printed strength, and `bunker_losses` counts those of vacated
    hexes too. `set_up_limits` and `set_up_counts` are demands on the set-up that are not a zone.
    """

    id: str
    title: str
    number: int
    first_turn: int
    last_turn: int
    garrisons: bool
    historical_result: str
    standard_set_up: str               # a CSV file, "" if there is none
    supply: tuple[int, int, int]       # by Pool
    bridges: tuple[int, ...]
    soviet_bridges: SovietBridges | None
    bunkers: tuple[tuple[int, int], ...]
    zones: Mapping[str, str]
    set_up: tuple[SetUpLine, ...]
    set_up_limits: Mapping[str, int]
    set_up_counts: tuple[SetUpCount, ...]
    losses: tuple[Loss, ...]
    bunker_losses: int
    vacated: tuple[int, ...]
    victory: VictorySchedule
    sources: ProvenanceCount
    table: TomlTable

    def zone_of(self, unit: Unit) -> str:
        """The set-up zone of a unit, "" if no line fits it."""
        return next((line.zone for line in self.set_up if line.fits(unit)), "")


def load_scenarios(
    base: Path, overlay: Path | None, faults: list[Fault]
) -> tuple[ScenarioRecord, ...]:
    """The six scenarios in order; a scenario file of the overlay replaces the whole file."""
    tables = {number: _file(number, base, overlay, faults) for number in NUMBERS}
    return tuple(_read_scenario(number, table, _with_base(table, tables))
                 for number, table in tables.items())


def _file(number: int, base: Path, overlay: Path | None, faults: list[Fault]) -> TomlTable:
    name = f"scenario_{number}.toml"
    replaced = overlay is not None and (overlay / name).is_file()
    return read_toml((overlay if replaced and overlay else base) / name, faults)


def _with_base(table: TomlTable, tables: Mapping[int, TomlTable]) -> TomlTable:
    """The table the shared parts are read from."""
    if "base" not in table:
        return table
    base = tables.get(table.value("base", 1))
    if base is None or "base" in base:
        table.fault("base", "no scenario to start from", "the number of one without a base")
        return table
    for key in SHARED:
        if key in table:
            table.fault(key, "stands here and in the base", f"no {key}, or no base")
    return base


def _read_scenario(number: int, table: TomlTable, shared: TomlTable) -> ScenarioRecord:
    if table.value("number", number) != number:
        table.fault("number", "does not fit the name of the file", str(number))
    first, last = table.value("first_turn", 1), table.value("last_turn", 1)
    if not 1 <= first <= last <= 13:
        table.fault("last_turn", f"turns {first} to {last}", "turns from 1 to 13 in order")
    bridges, zones, losses = shared.table("bridges"), shared.table("zones"), table.table("losses")
    return ScenarioRecord(
        id=table.value("id", ""),
        title=table.value("title", ""),
        number=number,
        first_turn=first,
        last_turn=last,
        garrisons=table.value("garrisons", False),
        historical_result=table.value("historical_result", ""),
        standard_set_up=table.value("standard_set_up", "", needed=False),
        supply=_supply(table.table("supply")),
        bridges=bridges.numbers("original", needed=True),
        soviet_bridges=_soviet_bridges(bridges),
        bunkers=_bunkers(shared.tables("bunkers")),
        zones={zone: zones.value(zone, "") for zone in zones.values},
        set_up=tuple(_set_up_line(row) for row in shared.tables("set_up")),
        set_up_limits={key: int(value) for key, value in table.table("set_up_limits").values.items()
                       if isinstance(value, int)},
        set_up_counts=tuple(
            SetUpCount(row.value("zone", ""), row.value("area", ""), row.value("count", 0))
            for row in table.tables("set_up_counts")),
        losses=_losses(losses),
        bunker_losses=losses.value("bunkers", 0, needed=bool(losses.values)),
        vacated=losses.numbers("vacated"),
        victory=_victory(table.table("victory")),
        sources=_sources(table, shared),
        table=table,
    )


def _bunkers(rows: Iterable[TomlTable]) -> tuple[tuple[int, int], ...]:
    found: dict[int, int] = {}
    for row in rows:
        hex_, strength = row.value("hex", 0), row.value("strength", 0)
        if hex_ in found:
            row.fault("hex", f"{hex_} has a bunker already", "one bunker in a hex")
        found[hex_] = strength
    return tuple(found.items())


def _supply(table: TomlTable) -> tuple[int, int, int]:
    soviet, german, city = (table.value(pool.name.lower(), 0) for pool in Pool)
    return soviet, german, city


def _soviet_bridges(bridges: TomlTable) -> SovietBridges | None:
    if "soviet" not in bridges:
        return None
    return SovietBridges(bridges.texts("soviet"), bridges.value("soviet_area", ""))


def _set_up_line(row: TomlTable) -> SetUpLine:
    side = row.value("side", "german")
    if side not in SIDES:
        row.fault("side", f"{side!r} is unknown", " or ".join(SIDES))
    return SetUpLine(SIDES.get(side, Side.GERMAN), row.texts("formations", needed=True),
                     row.texts("types"), row.value("zone", ""))


def _losses(table: TomlTable) -> tuple[Loss, ...]:
    found = []
    for name, side in SIDES.items():
        of_side = table.table(name)
        for formation in of_side.values:
            lost = of_side.table(formation)
            found += [Loss(side, formation, kind, lost.value(kind, 0)) for kind in lost.values]
    return tuple(found)


def _victory(table: TomlTable) -> VictorySchedule:
    towns = table.table("towns_held")
    levels = tuple(Level(row.value("lowest", 0), row.value("name", ""))
                   for row in table.tables("levels"))
    lowest = [level.lowest for level in levels]
    if not levels or lowest[0] != 0 or lowest != sorted(set(lowest)):
        table.fault("levels", f"levels from {lowest}", "levels from 0 upward")
    return VictorySchedule(
        german_losses_per_point=table.value("german_losses_per_point", 10),
        german_losses_threshold=table.value("german_losses_threshold", 0),
        soviet_losses_per_point=table.value("soviet_losses_per_point", 20),
        soviet_losses_threshold=table.value("soviet_losses_threshold", 0),
        bunker=table.value("bunker", 0),
        railroad_town=table.value("railroad_town", 0),
        isolated_losses_per_point=table.value("isolated_losses_per_point", 0),
        city_isolated=table.value("city_isolated", 0),
        towns_held={place: towns.value(place, 0) for place in towns.values},
        garrison_survivor=table.value("garrison_survivor", 0),
        levels=levels,
    )


def _sources(table: TomlTable, shared: TomlTable) -> ProvenanceCount:
    """One for the heading, each part, bunker, set-up line, count and listed loss."""
    sources: ProvenanceCount = Counter(
        part.provenance() for part in (table, table.table("supply"), shared.table("bridges"),
                                       table.table("victory")))
    sources.update(row.provenance() for key in ("bunkers", "set_up") for row in shared.tables(key))
    sources.update(row.provenance() for row in table.tables("set_up_counts"))
    if "set_up_limits" in table:
        sources[table.table("set_up_limits").provenance()] += 1
    if "losses" in table:
        losses = table.table("losses")
        derived = losses.table("derived")
        printed = losses.provenance()
        for loss in _losses(losses):
            sources[Provenance.DERIVED if loss.formation in derived else printed] += 1
    return sources
