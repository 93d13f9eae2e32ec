"""[WD 25] The position a scenario starts from, before anything is set up."""

from __future__ import annotations

from .catalog import Catalog, Unit
from .state import Bridge, Decision, Options, State, UnitState
from .terms import DecisionKind, Side, Status


def opening_state(catalog: Catalog, options: Options) -> State:
    """[WD 25] Every unit outside at full strength, bunkers whole, original bridges standing.

    Supply is what was accumulated before the first turn (WD 15.A).
    """
    scenario = catalog.scenario
    return State(
        turn=scenario.first_turn,
        units=tuple(
            UnitState(strength=unit.strength,
                      status=int(Status.WITHHELD) if is_withheld(unit, options) else 0)
            for unit in catalog.units),
        bunkers=tuple(bunker.strength for bunker in catalog.bunkers),
        bridges=tuple(Bridge(hex_) for hex_ in scenario.bridges),
        supply=scenario.supply,
        decision=Decision(DecisionKind.NONE, Side.GERMAN),
        options=options,
        released=not scenario.garrisons,
    )


def is_withheld(unit: Unit, options: Options) -> bool:
    """[WD 17.F, Notes.IV] A unit that a die may yet bring, or that the options leave out.

    NOTE(WD Notes.IV): III/1 Lehr is named among the rocket battalions, but no order of appearance
    brings it: left out, or by the option `third_lehr_battalion` with II/1 on turn 3.
    """
    return "optional" in unit.traits or (
        "by_option" in unit.traits and not options.third_lehr_battalion)
