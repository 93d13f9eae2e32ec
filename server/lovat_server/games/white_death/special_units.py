"""[WD 21] Brandenburg infiltration and the limit of the 331st Division."""

from __future__ import annotations

from functools import lru_cache

from lovat_server.core.violations import Reason, Violation

from . import stacking, zones
from .battle import Battle
from .catalog import Catalog
from .events import CommandosTested
from .orders import Assault, March
from .position import Position
from .wording import hex_name, unit_name


def is_infiltration(position: Position, units: tuple[int, ...]) -> bool:
    """[WD 21.C] A Brandenburg company marches, alone or at the head of a column."""
    return not _commandos(position.catalog).isdisjoint(units)


@lru_cache(maxsize=64)
def _commandos(catalog: Catalog) -> frozenset[int]:
    return frozenset(index for index, unit in enumerate(catalog.units) if "commando" in unit.traits)


def led_units(position: Position, units: tuple[int, ...]) -> int:
    """[WD 21.C, E.counters] Units of a column that are not Brandenburgers or captured T-34s."""
    return sum(not position.catalog.units[index].traits & {"commando", "captured_t34"}
               for index in units)


def challenges(position: Position, units: tuple[int, ...], hex_: int) -> bool:
    """[WD 21.C] Entering this hex calls for a discovery die."""
    side = position.catalog.units[units[0]].side
    return position.has_enemy(side, hex_) or \
        bool(zones.zone_board(position, side.enemy) >> hex_ & 1)


def is_challenged(position: Position, action: March) -> bool:
    """[WD 21.C] Some hex of the path calls for a discovery die."""
    return any(challenges(position, action.units, hex_) for hex_ in action.path)


def judge_infiltration(position: Position, action: March, path: str) -> list[Violation]:
    """[WD 21.C] A column is one legal stack and does not end among the enemy."""
    if not is_infiltration(position, action.units):
        return []
    catalog = position.catalog
    found = []
    if not stacking.fits(catalog, action.units):
        found.append(Violation(Reason.STACKING, "WD 21.C", f"{path}.units",
                               "The column is more than may stack in one hex."))
    end = action.path[-1]
    if position.has_enemy(catalog.units[action.units[0]].side, end):
        found.append(Violation(
            Reason.ENEMY_OCCUPIED, "WD 21.C", f"{path}.path[{len(action.path) - 1}]",
            f"{unit_name(catalog, action.units[0])} may pass through {hex_name(catalog, end)} but "
            "may not end its movement there: it holds enemy units."))
    return found


def test_column(battle: Battle, units: tuple[int, ...], path: tuple[int, ...]) -> int | None:
    """[WD 21.C] One die for each hex of the path that holds the enemy or his zone.

    Returns the place in the path where the column is discovered, None if it never is.
    """
    led = led_units(battle, units)
    for place, hex_ in enumerate(path):
        if challenges(battle, units, hex_):
            die = battle.dice.roll()
            discovered = die - led <= 1
            battle.record(CommandosTested(units, hex_, die, led, discovered))
            if discovered:
                return place
    return None


def judge_regiments(position: Position, assaults: tuple[Assault, ...],
                    path: str) -> list[Violation]:
    """[WD 21.B] Only one infantry regiment of the 331st Division assaults in one impulse."""
    regiments: dict[str, str] = {}
    for place, assault in enumerate(assaults):
        for seat, index in enumerate(assault.units):
            printed = position.catalog.units[index]
            if "one_regiment" in printed.traits:
                regiments.setdefault(printed.regiment, f"{path}[{place}].units[{seat}]")
    first, *others = regiments or [""]
    return [
        Violation(Reason.SPECIAL_UNIT, "WD 21.B", regiments[regiment],
                  f"Regiment {regiment} may not assault in the impulse in which regiment {first} "
                  "does: one infantry regiment of the 331st Division at a time.",
                  {"regiment": regiment, "assaulting": first})
        for regiment in others
    ]
