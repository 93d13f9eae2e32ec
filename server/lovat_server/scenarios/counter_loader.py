"""The counters: `counters.csv`, one row a counter, front and back, each part with its source."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import TRAITS, Unit
from lovat_server.games.white_death.terms import FP, Kind, Mobility, Side, Size

from .faults import Fault
from .rows import (
    WORDS,
    ProvenanceCount,
    Row,
    Table,
    one_of,
    provenance,
    read_table,
    units_of,
    whole,
    yes,
)

COUNTERS = Table("counters.csv", ("id",), (
    "id", "label", "side", "type", "size", "division", "divisional", "formation", "battalion",
    "regiment", "colour", "mobility", "kind", "strength", "conventional", "defensive_only",
    "antitank", "defence", "morale", "barrage", "range", "support", "traits", "kind_provenance",
    "identification_provenance", "strength_provenance", "mobility_provenance",
    "factors_provenance", "note",
))

UNPLACED = "unplaced"
"""The formation of a counter that no set-up and no arrival names; it is in no catalog."""

SIDES: Mapping[str, Side] = {"soviet": Side.SOVIET, "german": Side.GERMAN}
SIZES: Mapping[str, Size] = {size.name.lower(): size for size in Size}
MOBILITIES: Mapping[str, Mobility] = {mobility.name.lower(): mobility for mobility in Mobility}
KINDS: Mapping[str, Kind] = {
    "personnel": Kind.PERSONNEL, "light": Kind.LIGHT_WEAPONS, "heavy": Kind.HEAVY_WEAPONS,
    "afv": Kind.AFV,
}
COLOURS = ("russian", "estonian", "ski", "guards", "army", "luftwaffe", "abwehr", "ss",
           "axis_estonian")

PERSONNEL_TYPES = (
    "infantry", "mountain infantry", "armored infantry", "SMG", "paratroopers", "machinegun",
    "heavy infantry", "commandoes", "motorcycle", "cavalry", "ski", "engineer", "construction",
    "railroad construction", "bridge construction", "observation", "security", "police",
)
LIGHT_TYPES = ("antitank", "antiaircraft", "mortar", "mountain artillery")
HEAVY_TYPES = ("field artillery", "self-propelled field artillery", "rocket artillery",
               "heavy antiaircraft", "airborne artillery")
AFV_TYPES = (
    "PzKw II", "PzKw 38t", "PzKw III (short)", "PzKw III (long)", "PzKw IV", "StuG III (short)",
    "StuG III (long)", "Marder II", "T-34 (captured)", "T-60", "T-70", "T-34", "KV I", "SU-76",
    "SU-122",
)
TYPES: Mapping[str, Kind] = {
    **dict.fromkeys(PERSONNEL_TYPES, Kind.PERSONNEL),
    **dict.fromkeys(LIGHT_TYPES, Kind.LIGHT_WEAPONS),
    **dict.fromkeys(HEAVY_TYPES, Kind.HEAVY_WEAPONS),
    **dict.fromkeys(AFV_TYPES, Kind.AFV),
}
"""Every symbol and silhouette of the unit identification chart, and its kind of target."""

PARTS = ("kind", "identification", "strength", "mobility")
FACTORS = ("conventional", "antitank", "defence", "morale", "barrage", "range", "support")


@dataclass(frozen=True, slots=True)
class CounterRecord:
    """A counter as printed or reconstructed: `unit` has no set-up zone and no arrival yet."""

    unit: Unit
    sources: Mapping[str, Provenance]     # of each of PARTS and of the factors the unit has
    note: str
    row: Row


def load_counters(
    base: Path, overlay: Path | None, faults: list[Fault]
) -> tuple[CounterRecord, ...]:
    """Every counter of the folder, in the order of the file; faults are appended."""
    return tuple(read_counter(row, faults)
                 for row in read_table(COUNTERS, base, overlay, faults))


def count_sources(counters: tuple[CounterRecord, ...]) -> ProvenanceCount:
    """How many parts and factors of these counters have each provenance."""
    return ProvenanceCount(source for counter in counters for source in counter.sources.values())


def read_counter(row: Row, faults: list[Fault]) -> CounterRecord:
    """One row as a counter; what does not fit is a fault."""
    unit = Unit(
        id=row["id"],
        label=row["label"],
        side=SIDES[one_of(row, "side", tuple(SIDES), faults)],
        type=one_of(row, "type", tuple(TYPES), faults),
        size=SIZES[one_of(row, "size", tuple(SIZES), faults)],
        division=row["division"],
        divisional=yes(row, "divisional", faults),
        formation=row["formation"],
        battalion=row["battalion"],
        regiment=row["regiment"],
        colour=one_of(row, "colour", COLOURS, faults),
        mobility=MOBILITIES[one_of(row, "mobility", tuple(MOBILITIES), faults)],
        kind=KINDS[one_of(row, "kind", tuple(KINDS), faults)],
        strength=whole(row, "strength", faults, 1, 20),
        conventional=units_of(row, "conventional", FP, faults),
        defensive_only=yes(row, "defensive_only", faults),
        antitank=units_of(row, "antitank", FP, faults),
        defence=whole(row, "defence", faults, 0, 20),
        morale=whole(row, "morale", faults, 2, 12),
        barrage=whole(row, "barrage", faults, 0, 60),
        range=whole(row, "range", faults, 0, 40),
        support=whole(row, "support", faults, 0, 60),
        traits=frozenset(row["traits"].split()),
        set_up="", arrival_turn=0, arrival_impulse=0, arrival_area="",
    )
    _check_counter(unit, row, faults)
    return CounterRecord(unit, _sources(unit, row, faults), row["note"], row)


def _check_counter(unit: Unit, row: Row, faults: list[Fault]) -> None:
    """What one cell demands of another."""
    if not unit.id.startswith("s-" if unit.side == Side.SOVIET else "g-"):
        faults.append(row.fault("id", f"{unit.id!r} does not fit its side",
                                "s- for a Soviet unit, g- for a German one"))
    if TYPES[unit.type] != unit.kind:
        faults.append(row.fault("kind", f"{row['kind']} does not fit {unit.type}",
                                TYPES[unit.type].name.lower()))
    if unit.is_afv != (unit.defence > 0):
        faults.append(row.fault("defence", f"{unit.defence} for a unit of kind {row['kind']}",
                                "1 or more for an AFV, 0 for any other"))
    if unit.kind.is_weapons and not unit.defensive_only:
        faults.append(row.fault("defensive_only", "weapons with a factor without parentheses",
                                "yes"))
    if (unit.barrage > 0) != (unit.range > 0) or (unit.support > 0 and not unit.range):
        faults.append(row.fault("range", f"range {unit.range} beside barrage {unit.barrage} "
                                f"and support {unit.support}", "a range with every barrage"))
    if unknown := unit.traits - TRAITS:
        faults.append(row.fault("traits", f"{' '.join(sorted(unknown))} is unknown",
                                " or ".join(sorted(TRAITS))))
    if unit.divisional and not unit.division:
        faults.append(row.fault("divisional", "divisional without a division", "no"))


def _sources(unit: Unit, row: Row, faults: list[Fault]) -> dict[str, Provenance]:
    sources = {part: provenance(row, f"{part}_provenance", faults) for part in PARTS}
    first, *others = (text.strip() for text in row["factors_provenance"].split(";"))
    special = dict(text.partition(" ")[::2] for text in others)
    expected = f"{'/'.join(WORDS)}, then '; FACTOR {'/'.join(WORDS)}' for each exception"
    for factor in FACTORS:
        word = special.pop(factor, "")
        if not word and not _has(unit, factor):
            continue
        word = word or first
        if word in WORDS:
            sources[factor] = Provenance(word)
        else:
            faults.append(row.fault("factors_provenance", f"{word!r} is no provenance", expected))
    if special:
        faults.append(row.fault("factors_provenance", f"{next(iter(special))!r} is no factor",
                                expected))
    return sources


def _has(unit: Unit, factor: str) -> bool:
    if factor == "defence":
        return unit.is_afv
    return factor in {"conventional", "antitank", "morale"} or unit.is_artillery
