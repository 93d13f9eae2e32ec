"""[WD 23] Optional: abandoned equipment, and getting new equipment."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .battle import Battle
from .events import EquipmentAbandoned, UnitExited
from .position import Position
from .reinforcements import RETURN_AREAS
from .terms import OFF_MAP, Side, Status
from .wording import hex_name, unit_name

AWAY = {Side.GERMAN: 2, Side.SOVIET: 3}
"""Turns until a unit that left the map is back with new equipment."""


def judge_abandon(position: Position, index: int, path: str) -> list[Violation]:
    """[WD 23] Any weapons unit may, the Guards rocket regiment apart, if the rule is used."""
    printed, unit = position.catalog.units[index], position.units[index]
    name = unit_name(position.catalog, index)
    why = ""
    if not position.options.abandoned_equipment:
        why = f"{name} may not abandon its equipment: that optional rule is not in use."
    elif not printed.kind.is_weapons:
        why = f"{name} is not a weapons unit and has no equipment to abandon."
    elif unit.status & Status.ABANDONED:
        why = f"{name} has abandoned its equipment already."
    elif "conspicuous" in printed.traits:
        why = f"{name} may not abandon its equipment of its own will."
    elif unit.hex == OFF_MAP:
        why = f"{name} is not on the map."
    return [Violation(Reason.SPECIAL_UNIT, "WD 23", path, why)] if why else []


def abandon(battle: Battle, index: int) -> None:
    """[WD 23]"""
    battle.record(EquipmentAbandoned(index))


def must_abandon(position: Position, index: int) -> bool:
    """[WD E.23] A weapons unit that has routed or retreated through an enemy zone.

    NOTE(WD E.23): the erratum puts "through an enemy ZOC" behind both verbs, as 14.C.1 does, where
    the body of the rule had a rout by itself: a rout past no zone leaves nothing behind.
    """
    printed, unit = position.catalog.units[index], position.units[index]
    return (position.options.abandoned_equipment and printed.kind.is_weapons
            and not unit.status & Status.ABANDONED)


def judge_exit(position: Position, index: int, path: str) -> list[Violation]:
    """[WD 23] A unit without equipment, at a friendly entry area; German rockets never."""
    printed, unit = position.catalog.units[index], position.units[index]
    name = unit_name(position.catalog, index)
    areas = [position.catalog.map.areas[area] for area in RETURN_AREAS[printed.side]]
    why = ""
    if not unit.status & Status.ABANDONED:
        why = f"{name} has its equipment and does not leave the map."
    elif "rocket" in printed.traits:
        why = f"{name} is German rocket artillery and cannot be re-equipped."
    elif unit.hex == OFF_MAP or not any(area >> unit.hex & 1 for area in areas):
        why = f"{name} is at {hex_name(position.catalog, unit.hex)}, not at a friendly entry area."
    return [Violation(Reason.ENTRY_AREA, "WD 23", path, why)] if why else []


def leave(battle: Battle, index: int) -> None:
    """[WD 23] Back re-equipped, at the strength it has, two turns later or three if Soviet."""
    side = battle.catalog.units[index].side
    battle.record(UnitExited(index, battle.units[index].hex, battle.turn + AWAY[side]))
