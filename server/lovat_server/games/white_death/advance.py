"""[WD 9.D, 10.E, 14.B, E.11-C, E.19] Advance into a hex that assault or barrage has emptied."""

from __future__ import annotations

from collections.abc import Sequence

from lovat_server.core.violations import Reason, Violation

from . import bunkers, garrisons, stacking
from .answers import HexUnitsOption
from .battle import Battle
from .events import HexVacated, UnitAdvanced
from .orders import Advance, Choice
from .position import Position, momentary
from .terms import OFF_MAP, Status
from .wording import hex_name, unit_name


@momentary
def assaulters(position: Position, hex_: int) -> tuple[int, ...]:
    """[WD 9.A, 14.B.2] Units that still assault a hex: alive, adjacent to it, not halted."""
    return tuple([index for assault in position.assaults if assault.hex == hex_
                  for index in assault.units if _assaults(position, index, hex_)])


def _assaults(position: Position, index: int, hex_: int) -> bool:
    unit = position.units[index]
    return unit.strength > 0 and not unit.status & Status.HALTED \
        and unit.hex in position.catalog.map.grid.neighbours[hex_] and unit.hex != OFF_MAP


@momentary
def assaulted_hexes(position: Position) -> tuple[int, ...]:
    """[WD 6.B.3] Hexes under assault, in the order they were declared, each once."""
    return tuple(dict.fromkeys(
        assault.hex for assault in position.assaults
        if any(_assaults(position, index, assault.hex) for index in assault.units)))


def candidates(position: Position, hex_: int) -> tuple[int, ...]:
    """[WD 9.D, 22, E.11-C, E.19] Units that may advance into an assaulted hex without enemies.

    Only those that assaulted it, and that can stack with what is there; whether they fired, and
    what emptied the hex, does not matter.
    """
    if position.has_enemy(position.side, hex_):
        return ()
    return tuple(index for index in assaulters(position, hex_)
                 if not garrisons.holds_back(position, index, hex_)
                 and stacking.fits(position.catalog, (*position.stack(hex_), index)))


def note_vacated(battle: Battle) -> None:
    """[WD 9.D, 10.E, 14.B, E.11-C, E.19] Record each hex that may now be occupied, once."""
    for hex_ in assaulted_hexes(battle):
        if hex_ not in battle.vacated and candidates(battle, hex_):
            battle.record(HexVacated(hex_))


def options(position: Position) -> tuple[HexUnitsOption, ...]:
    """[WD 9.D] Every vacated hex with the units that may occupy it."""
    found = ((hex_, candidates(position, hex_)) for hex_ in position.vacated)
    return tuple(HexUnitsOption(hex_, units) for hex_, units in found if units)


def judge(position: Position, order: Advance) -> list[Violation]:
    """[WD 9.D, 4] Within what is offered, and within stacking."""
    found: list[Violation] = []
    seen: set[int] = set()
    hexes: set[int] = set()
    for place, occupation in enumerate(order.occupations):
        path, hex_ = f"occupations[{place}]", occupation.hex
        where = hex_name(position.catalog, hex_)
        if hex_ not in position.vacated:
            found.append(Violation(Reason.ADVANCE, "WD 9.D", f"{path}.hex",
                                   f"{where} was not emptied by an assault or a barrage."))
            continue
        if hex_ in hexes:
            found.append(Violation(Reason.DUPLICATE, "WD 9.D", f"{path}.hex",
                                   f"{where} is named twice."))
        hexes.add(hex_)
        found.extend(_judge_units(position, hex_, occupation.units, seen, path))
    return found


def _judge_units(position: Position, hex_: int, units: Sequence[int], seen: set[int],
                 path: str) -> list[Violation]:
    found = []
    where = hex_name(position.catalog, hex_)
    able = assaulters(position, hex_)
    for seat, index in enumerate(units):
        name = unit_name(position.catalog, index)
        if index in seen:
            found.append(Violation(Reason.DUPLICATE, "WD 9.D", f"{path}.units[{seat}]",
                                   f"{name} is named twice."))
        elif index not in able:
            found.append(Violation(
                Reason.ADVANCE, "WD 9.D", f"{path}.units[{seat}]",
                f"{name} does not assault {where} and may not advance into it.",
                {"unit": position.catalog.units[index].id}))
        elif garrisons.holds_back(position, index, hex_):
            found.append(garrisons.violation(position, index, f"{path}.units[{seat}]"))
        seen.add(index)
    if not found and units and not stacking.fits_with(position, hex_, units):
        found.append(stacking.violation(position, hex_, units, f"{path}.units"))
    return found


def default_units(position: Position, hex_: int) -> tuple[int, ...]:
    """[WD 9.D] By standing orders: as many as may stack, strongest first, or nobody."""
    if position.standing[position.side].advance == Choice.NEVER:
        return ()
    chosen: list[int] = []
    there = position.stack(hex_)
    for index in sorted(candidates(position, hex_),
                        key=lambda index: (-position.units[index].strength, index)):
        if stacking.fits(position.catalog, (*there, *chosen, index)):
            chosen.append(index)
    return tuple(chosen)


def resolve(battle: Battle, order: Advance) -> None:
    """[WD 9.D, E.19] Units enter; a bunker that Soviet units enter is destroyed.

    A hex that is named takes just the units named, none if there are none.
    """
    named = {occupation.hex: occupation.units for occupation in order.occupations}
    for hex_ in battle.vacated:
        units = named[hex_] if hex_ in named else default_units(battle, hex_)
        for index in units:
            battle.record(UnitAdvanced(index, battle.units[index].hex, hex_))
        if units:
            bunkers.capture(battle, hex_)
