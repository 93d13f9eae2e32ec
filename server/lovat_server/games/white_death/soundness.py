"""What is wrong with a position, whoever made it: all of it, or what makes play impossible.

Nothing here raises for a position of the catalog, however odd its numbers are, and no position that
play can reach has a fault.
"""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from . import soundness_tracks, soundness_units
from .position import Position
from .terms import DecisionKind, Phase, Side
from .wording import hex_name, unit_name

_NEEDS_ASSAULTS = (DecisionKind.DEFENSIVE_FIRE, DecisionKind.ASSAULT_FIRE, DecisionKind.ADVANCE,
                   DecisionKind.RETREAT_BEFORE_COMBAT, DecisionKind.PURSUE)
_OPENS_TURN = (DecisionKind.REFIT, DecisionKind.SUSTAIN_GARRISON)
_OPENS_IMPULSE = (DecisionKind.REPLACE, DecisionKind.DECLARE_IMPULSE)
_PHASES = {
    DecisionKind.BARRAGE: (Phase.BARRAGE,),
    DecisionKind.DEFENSIVE_FIRE: (Phase.DEFENSIVE_FIRE,),
    DecisionKind.ASSAULT_FIRE: (Phase.ASSAULT,),
    DecisionKind.ADVANCE: (Phase.ASSAULT,),
    DecisionKind.RETREAT: (Phase.MOVEMENT, Phase.BARRAGE, Phase.DEFENSIVE_FIRE, Phase.ASSAULT),
}


def faults(position: Position) -> tuple[Violation, ...]:
    """Every fault, with its clause and place in the state; those that block play first."""
    return (*blocking_faults(position), *soundness_units.faults(position),
            *soundness_tracks.faults(position))


def blocking_faults(position: Position) -> tuple[Violation, ...]:
    """Faults of a position that cannot be played on at all."""
    return (*_units(position), *_bunkers(position), *_tracks(position), *_decision(position))


def is_playable(position: Position) -> bool:
    """The position may be played on, sound in all else or not."""
    return not blocking_faults(position)


def _units(position: Position) -> list[Violation]:
    catalog, found = position.catalog, []
    for place, (unit, printed) in enumerate(zip(position.units, catalog.units, strict=True)):
        if not 0 <= unit.strength <= printed.strength:
            found.append(Violation(
                Reason.UNSPECIFIED, "WD 18", f"units[{place}].strength",
                f"{unit_name(catalog, place)} has strength {unit.strength}; it is printed with "
                f"{printed.strength}."))
        if unit.hex >= 0 and not unit.strength:
            found.append(Violation(
                Reason.NOT_AVAILABLE, "WD 9.C.4", f"units[{place}].hex",
                f"{unit_name(catalog, place)} has no strength but stands in "
                f"{hex_name(catalog, unit.hex)}."))
    for hex_, stack in position.stacks().items():
        if len({catalog.units[index].side for index in stack}) > 1:
            found.append(Violation(
                Reason.ENEMY_OCCUPIED, "WD 6.A", f"units[{stack[0]}].hex",
                f"Units of both sides stand in {hex_name(catalog, hex_)}."))
    return found


def _bunkers(position: Position) -> list[Violation]:
    return [
        Violation(Reason.UNSPECIFIED, "WD 19", f"bunkers[{place}]",
                  f"The bunker in {hex_name(position.catalog, printed.hex)} has strength "
                  f"{strength}; it is printed with {printed.strength}.")
        for place, (strength, printed)
        in enumerate(zip(position.bunkers, position.catalog.bunkers, strict=True))
        if not 0 <= strength <= printed.strength
    ]


def _tracks(position: Position) -> list[Violation]:
    found = []
    scenario = position.catalog.scenario
    for side in Side:
        if not 0 <= position.points[side] <= 10:
            found.append(Violation(Reason.POINTS, "WD 5", f"points[{int(side)}]",
                                   f"A side has 0 to 10 movement points, not "
                                   f"{position.points[side]}."))
    if not 0 <= position.declared <= 10:
        found.append(Violation(Reason.IMPULSE, "WD 5", "declared",
                               f"An impulse spends 0 to 10 points, not {position.declared}."))
    if not scenario.first_turn <= position.turn <= scenario.last_turn:
        found.append(Violation(
            Reason.UNSPECIFIED, "WD 25", "turn",
            f"The scenario runs from turn {scenario.first_turn} to {scenario.last_turn}; this is "
            f"turn {position.turn}."))
    return found


def _decision(position: Position) -> list[Violation]:
    kind, found = position.decision.kind, []
    if kind == DecisionKind.NONE:
        found.append(Violation(Reason.INCOMPLETE, "WD 5", "decision", "No decision is pending."))
    declaring = Side.SOVIET if kind in _OPENS_TURN else position.side
    if kind in (*_OPENS_TURN, *_OPENS_IMPULSE) and not position.points[declaring]:
        found.append(Violation(
            Reason.POINTS, "WD 5", f"points[{int(declaring)}]",
            f"The {declaring.name.capitalize()} side is to declare an impulse but has no "
            "movement points left."))
    if kind in _NEEDS_ASSAULTS and not position.assaults:
        found.append(Violation(Reason.INCOMPLETE, "WD 5", "assaults",
                               f"{kind.name} is pending but no assault is declared."))
    if kind in _PHASES and position.phase not in _PHASES[kind]:
        found.append(Violation(Reason.INCOMPLETE, "WD 5", "phase",
                               f"{kind.name} is pending in phase {position.phase.name}."))
    for place, pending in enumerate(position.retreats):
        if position.units[pending.unit].hex != pending.hex or pending.hex < 0:
            found.append(Violation(
                Reason.RETREAT, "WD 14.B", f"retreats[{place}]",
                f"{unit_name(position.catalog, pending.unit)} must retreat from "
                f"{hex_name(position.catalog, pending.hex)} but is not there."))
    return found
