"""[WD 4] How many units may end in one hex."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from lovat_server.core.violations import Reason, Violation

from .catalog import Catalog, Unit
from .position import Position
from .terms import Side, Size

CLAUSES = ("WD 4.B", "WD 4.A")
"""The clause of each side."""

GERMAN_LIMIT = 3
GERMAN_LIMIT_ONE_DIVISION = 4


class _Class(NamedTuple):
    """What stacking asks of a counter: two of one class are the same to it."""

    side: Side
    size: Size
    division: str        # of a division or brigade (WD 2), else ""
    battalion: str       # of a German company, else ""
    engineer: bool       # Soviet engineer brigade
    independent: bool    # Soviet non-divisional artillery
    rifle_artillery: bool


def fits(catalog: Catalog, units: Sequence[int]) -> bool:
    """[WD 4] Whether these units, all of one side, may stand in one hex together."""
    if len(units) < 2:
        return True
    of_unit = _classes(catalog)[0]
    return _fits(catalog, tuple(sorted([of_unit[index] for index in units])))


def fits_with(position: Position, hex_: int, units: Sequence[int]) -> bool:
    """[WD 4] Whether units may join their own side's units in a hex, or be there already."""
    return fits(position.catalog, _together(position, hex_, units))


def full_board(position: Position, units: Sequence[int]) -> int:
    """[WD 4] The hexes held by their own side in which these units may not end together."""
    if not units:
        return 0
    catalog = position.catalog
    of_unit = _classes(catalog)[0]
    key = "full", tuple(units)
    known: int | None = position.memo.get(key)
    if known is not None:
        return known
    side = catalog.units[units[0]].side
    joining = [of_unit[index] for index in units]
    board = 0
    for hex_, stack in position.stacks().items():
        if catalog.units[stack[0]].side != side:
            continue
        present = [of_unit[index] for index in stack if index not in units]
        if present and not _fits(catalog, tuple(sorted(joining + present))):
            board |= 1 << hex_
    position.memo[key] = board
    return board


def reason(position: Position, hex_: int, units: Sequence[int]) -> str:
    """[WD 4] A sentence that says why units may not end in a hex."""
    catalog = position.catalog
    there = _together(position, hex_, units)
    side = catalog.units[there[0]].side if there else Side.SOVIET
    where = f"{catalog.map.numbers[hex_]:04d}"
    if side == Side.SOVIET:
        return (f"{_names(catalog, there)} may not stack in {where}: a Soviet hex holds one "
                "brigade, or two non-divisional artillery units, or a regiment and a battalion of "
                "one division, or two battalions, and one engineer brigade besides.")
    whole, loose = _german_parts([_classify(catalog.units[index]) for index in there])
    count = len(whole) + len(loose) // 2
    return (f"{_names(catalog, there)} may not stack in {where}: they are {count} battalion "
            "equivalents; a German hex holds three, or four of one division or brigade, and one "
            "company besides.")


def violation(position: Position, hex_: int, units: Sequence[int], path: str) -> Violation:
    """[WD 4] The stack that these units would overfill, as a violation."""
    catalog = position.catalog
    there = _together(position, hex_, units)
    side = catalog.units[there[0]].side if there else Side.SOVIET
    return Violation(
        Reason.STACKING, CLAUSES[side], path, reason(position, hex_, units),
        {"hex": f"{catalog.map.numbers[hex_]:04d}",
         "units": ", ".join(catalog.units[index].id for index in there)},
    )


def _together(position: Position, hex_: int, units: Sequence[int]) -> list[int]:
    present = position.stack(hex_)
    if not present or not units:
        return list(units) or list(present)
    printed = position.catalog.units
    side = printed[units[0]].side
    return [*units, *(index for index in present
                      if index not in units and printed[index].side == side)]


def _names(catalog: Catalog, units: Iterable[int]) -> str:
    labels = [catalog.units[index].label for index in units]
    return labels[0] if len(labels) == 1 else ", ".join(labels[:-1]) + " and " + labels[-1]


def _classify(unit: Unit) -> _Class:
    brigade = unit.side == Side.SOVIET and unit.size == Size.BRIGADE
    return _Class(
        unit.side, unit.size, unit.division if unit.divisional else "",
        unit.battalion if unit.side == Side.GERMAN and unit.size == Size.COMPANY else "",
        brigade and unit.type == "engineer",
        unit.side == Side.SOVIET and unit.is_artillery and not unit.divisional,
        "rifle_artillery" in unit.traits,
    )


@lru_cache(maxsize=64)
def _classes(catalog: Catalog) -> tuple[tuple[int, ...], tuple[_Class, ...]]:
    """The number of each unit's class, and the classes by number."""
    found: dict[_Class, int] = {}
    of_unit = tuple(found.setdefault(_classify(unit), len(found)) for unit in catalog.units)
    return of_unit, tuple(found)


@lru_cache(maxsize=1 << 16)
def _fits(catalog: Catalog, numbers: tuple[int, ...]) -> bool:
    by_number = _classes(catalog)[1]
    classes = [by_number[number] for number in numbers]
    if len(classes) < 2:
        return True
    if classes[0].side == Side.SOVIET:
        return _soviet_fits(classes)
    return _german_fits(classes)


def _german_parts(classes: list[_Class]) -> tuple[list[str], list[str]]:
    """[WD 4.A] Divisions of the battalions and of companies taken as one; of the loose companies.

    NOTE(WD 4.A): "all of the companies of a single battalion" are those of it that are in the
    hex: part of a battalion is never more than the whole, so that losing a company overfills no
    hex.
    """
    whole = [entry.division for entry in classes if entry.size != Size.COMPANY]
    loose = []
    present = Counter(entry.battalion for entry in classes if entry.battalion)
    counted = set()
    for entry in classes:
        if entry.size != Size.COMPANY:
            continue
        if present[entry.battalion] < 2:
            loose.append(entry.division)
        elif entry.battalion not in counted:
            counted.add(entry.battalion)
            whole.append(entry.division)
    return whole, loose


def _german_fits(classes: list[_Class]) -> bool:
    """[WD 4.A] Three battalion equivalents, or four of one division or brigade; one company more.

    NOTE(WD 4.A): the company besides may be of any division. A company that has no second to
    make up an equivalent counts as one all the same, so that taking a unit out of a legal stack
    leaves a legal stack.
    """
    whole, loose = _german_parts(classes)
    count = len(whole) + len(loose) // 2       # one loose company is the one besides
    if count <= GERMAN_LIMIT:
        return True
    if count > GERMAN_LIMIT_ONE_DIVISION:
        return False
    if not loose:
        return _one_division(whole)
    return any(_one_division(whole + loose[:place] + loose[place + 1:])
               for place in range(len(loose)))


def _one_division(divisions: list[str]) -> bool:
    return bool(divisions) and bool(divisions[0]) and len(set(divisions)) == 1


def _soviet_fits(classes: list[_Class]) -> bool:
    """[WD 4.B, E.4-B] One of the four kinds of stack, with or without an engineer brigade."""
    engineers = [entry for entry in classes if entry.engineer]
    if len(engineers) > 2:
        return False
    # NOTE(WD 4.B): an engineer brigade may itself be the single brigade of the hex, so a second
    # may join it; but not where anything else stands.
    rest = [entry for entry in classes if not entry.engineer] + engineers[1:]
    return (
        len(rest) < 2
        or _is_one_brigade(rest)
        or (len(rest) == 2 and all(entry.independent for entry in rest))
        or (len(rest) == 2 and all(entry.size == Size.BATTALION for entry in rest))
        or _is_regiment_and_battalion(rest)
    )


def _is_one_brigade(classes: list[_Class]) -> bool:
    """[WD 4.B] Any units of a single brigade. Brigades are marked SB, TB, MB or RB."""
    division = classes[0].division
    return division.endswith("B") and all(entry.division == division for entry in classes)


def _is_regiment_and_battalion(classes: list[_Class]) -> bool:
    """[WD 4.B, E.4-B] A regiment and a battalion, both of one division.

    ERRATA(WD E.4-B): the three artillery battalions of a rifle division are one regiment.
    NOTE(WD E.4-B): each of them is still a battalion by itself, so that one may join a rifle
    regiment; two of them are part of the artillery regiment and may not. The battalions of the
    34th Tank Regiment and of the 389th Tank Destroyer Regiment are battalions, not a regiment.
    """
    division = classes[0].division
    if not division or any(entry.division != division for entry in classes):
        return False
    regiments = sum(entry.size == Size.REGIMENT for entry in classes)
    battalions = sum(entry.size == Size.BATTALION for entry in classes)
    guns = sum(entry.rifle_artillery for entry in classes)
    if regiments + battalions != len(classes):
        return False
    if regiments:
        return regiments == 1 and battalions <= 1
    return guns <= 3 and battalions - guns <= 1
