"""[WD 3, 6.A, 7, 13, 16.B, 22] Why a path is refused, in a sentence."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .position import Position
from .travel import Refusal
from .wording import hex_name, unit_name

REFUSALS = {
    "adjacent": (Reason.NOT_ADJACENT,
                 "{unit} cannot step from {start} to {hex}: they do not touch."),
    "stopped": (Reason.ZONE_OF_CONTROL,
                "{unit} must stop in {start}, which is in an enemy zone of control."),
    "terrain": (Reason.PROHIBITED_TERRAIN, "{unit} may not enter {hex} from {start}."),
    "lake": (Reason.PROHIBITED_TERRAIN, "{unit} may not cross the lake from {start} to {hex}."),
    "bank": (Reason.PROHIBITED_TERRAIN,
             "In a thaw {unit} must leave the river at {start} on the bank it came from, "
             "not to {hex}."),
    "enemy": (Reason.ENEMY_OCCUPIED, "{unit} may not enter {hex}, which holds enemy units."),
    "bunker": (Reason.ENEMY_OCCUPIED, "{unit} may enter the bunker hex {hex} only by assault."),
    "zone": (Reason.ZONE_OF_CONTROL,
             "{unit} is a weapons unit and may not enter {hex}, in an enemy zone of control."),
    "garrison": (Reason.GARRISON, "{unit} is in a garrison and may not go to {hex} yet."),
    "early": (Reason.NOT_AVAILABLE, "{unit} does not arrive yet."),
    "entry": (Reason.ENTRY_AREA, "{unit} may not come onto the map at {hex}."),
    "closed": (Reason.PROHIBITED_TERRAIN, "{unit} may not enter {hex}."),
}


def violation(position: Position, index: int, hexes: tuple[int, ...], refusal: Refusal,
              path: str) -> Violation:
    """The refusal of a walk along `hexes`, at its place in the order."""
    catalog, place = position.catalog, refusal.place
    start = hexes[place - 1] if place else position.units[index].hex
    reason, sentence = REFUSALS[refusal.why]
    facts = {"unit": catalog.units[index].id, "from": hex_name(catalog, start),
             "to": hex_name(catalog, hexes[place])}
    return Violation(reason, refusal.clause, f"{path}.path[{place}]", sentence.format(
        unit=unit_name(catalog, index), start=facts["from"], hex=facts["to"]), facts)
