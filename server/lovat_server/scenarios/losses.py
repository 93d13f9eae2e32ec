"""Losses to date (WD 25): which counters a listed loss may fall on, and how many points they have.

The lists name a formation and a kind, never a counter; the owner divides the points.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lovat_server.games.white_death.catalog import Unit
from lovat_server.games.white_death.terms import Kind, Side

from .scenario_loader import Loss

KINDS: Mapping[str, frozenset[str]] = {
    "infantry": frozenset({"infantry"}),
    "motorized infantry": frozenset({"infantry"}),
    "artillery": frozenset({"field artillery"}),
    "assault gun": frozenset({"StuG III (short)", "StuG III (long)"}),
    "tanks": frozenset({"T-60", "T-70", "T-34", "KV I"}),
    "Pz II": frozenset({"PzKw II"}),
    "Pz III": frozenset({"PzKw III (short)", "PzKw III (long)"}),
    "Pz IV": frozenset({"PzKw IV"}),
    "Pz 38t": frozenset({"PzKw 38t"}),
}
"""The counter types of a listed kind; a kind that is not here is the name of a type.

"any" and "all" are every unit, "personnel" every personnel unit of the formation.
"""

ALSO: Mapping[str, tuple[str, ...]] = {
    "RFSS Motorized Brigade": ("1 SS Motorized Brigade", "FKD SS Armored Infantry Battalion"),
    "46 Guards Rifle Division": ("46 Guards Rifle Division", "34 Tank Regiment"),
}
"""The formations behind a name of the lists that is not the name of one formation."""

NON_DIVISIONAL = "Non-divisional personnel"
GARRISON = "Velikiye Luki garrison"


def units_for(loss: Loss, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """The units of `units` the loss may fall on."""
    return tuple(unit for unit in units
                 if unit.side == loss.side and _in_formation(loss.formation, unit)
                 and _of_kind(loss.kind, unit))


def _in_formation(name: str, unit: Unit) -> bool:
    if name == NON_DIVISIONAL:
        return (unit.side == Side.GERMAN and not unit.division and unit.type != "ski"
                and unit.formation != GARRISON and unit.colour != "ss")
    names = ALSO.get(name, (name,))
    return any(unit.formation == part or unit.formation.startswith((f"{part}: ", f"{part} ("))
               for part in names)


def _of_kind(kind: str, unit: Unit) -> bool:
    if kind in {"any", "all"}:
        return True
    if kind == "personnel":
        return unit.kind == Kind.PERSONNEL
    return unit.type in KINDS.get(kind, frozenset({kind}))
