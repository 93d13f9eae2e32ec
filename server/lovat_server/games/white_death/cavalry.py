"""[WD 24] Mounted charges."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .orders import Assault
from .position import Position
from .wording import hex_name, unit_name


def may_charge(position: Position, index: int, hex_: int) -> bool:
    """[WD 24] A cavalry regiment, against a hex that is neither town nor forest."""
    field = position.catalog.map
    return "cavalry" in position.catalog.units[index].traits and \
        not (field.town | field.forest) >> hex_ & 1


def judge(position: Position, assault: Assault, path: str) -> list[Violation]:
    """[WD 24] Only cavalry regiments that assault the hex charge it, each named once."""
    found = []
    for place, index in enumerate(assault.charge):
        name, where = unit_name(position.catalog, index), hex_name(position.catalog, assault.hex)
        if index not in assault.units or index in assault.charge[:place]:
            why = f"{name} does not assault {where}, or is named twice."
        elif may_charge(position, index, assault.hex):
            continue
        else:
            why = (f"{name} may not charge {where}: only cavalry regiments charge, and never a "
                   "town or forest hex.")
        found.append(Violation(Reason.SPECIAL_UNIT, "WD 24", f"{path}.charge[{place}]", why))
    return found
