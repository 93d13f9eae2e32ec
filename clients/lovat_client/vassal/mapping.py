"""Which piece of a VASSAL module is which unit of the catalog.

A mapping is a file of TOML, or of JSON if its name ends in .json. Every part is optional:

    format = 1
    ignore = ["Turn marker", "Control *"]  # names of pieces that are no units; * and ? as in files

    [units]                                # by the name of the piece
    "I/55 Werfer" = "g-i-55-rkt"

    [[pieces]]                             # by name, image and gpid: all that are given must fit
    image = "rifle_7.png"
    gpid = "212"
    unit = "s-28-88-inf"

    [strength]                             # where a piece shows its strength
    property = "Steps_Level"               # a Marker, Dynamic Property, Text Label or Layer
    counts = "lost"                        # what it counts: points that are "left" or "lost"
    from = 1                               # the value that means none

    [[status]]                             # a bit of UnitState.status, in small letters
    flag = "deployed"
    property = "Deployed_Active"
    value = "true"

A piece is looked for under `pieces`, then under `units`, then under `ignore`; then its name may be
the id of a unit, or its label if no other unit has that label. So without a file the module itself
must name its pieces like that, and every unit is at the strength that the base position says.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from lovat.white_death.v1 import catalog_pb2, terms_pb2

from .commands import Piece
from .errors import VassalError
from .files import Table, read_table

_PREFIX = "STATUS_FLAG_"
FLAGS = {name.removeprefix(_PREFIX).lower(): number
         for name, number in terms_pb2.StatusFlag.items() if number}
_KEYS = ("name", "image", "gpid")
IGNORED = ""
"""What `Mapping.unit` says of a piece that is no unit."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A piece known by some of its name, image and gpid. The place in the file is for errors."""

    keys: tuple[tuple[str, str], ...]
    unit: str
    place: str

    def fits(self, piece: Piece) -> bool:
        return all(getattr(piece, key) == value for key, value in self.keys)


@dataclass(frozen=True, slots=True)
class StrengthRule:
    """Where a piece shows its strength."""

    property: str
    counts_lost: bool
    none: int


@dataclass(frozen=True, slots=True)
class StatusRule:
    """A bit of the status that a property with this value sets."""

    flag: int
    property: str
    value: str


@dataclass(frozen=True, slots=True)
class Mapping:
    """What a file says of pieces and units; all of it empty without a file."""

    file: str = ""
    rules: tuple[Rule, ...] = ()
    units: tuple[tuple[str, str], ...] = ()
    ignore: tuple[str, ...] = ()
    strength: StrengthRule | None = None
    status: tuple[StatusRule, ...] = ()

    def finder(self, units: Iterable[catalog_pb2.Unit]) -> Finder:
        """What finds the unit of a piece among these. `VassalError` names an unknown unit."""
        return Finder(self, list(units))


class Finder:
    """Finds the unit of a piece."""

    def __init__(self, mapping: Mapping, units: list[catalog_pb2.Unit]) -> None:
        known = {unit.id for unit in units}
        for place, id_ in (*((f"units.{name}", id_) for name, id_ in mapping.units),
                           *((f"{rule.place}.unit", rule.unit) for rule in mapping.rules)):
            if id_ not in known:
                raise VassalError(mapping.file, place, f"{id_!r} is no unit of the scenario; "
                                                       "expected the id of one")
        self._mapping = mapping
        self._named = dict(mapping.units)
        labels: dict[str, list[str]] = {}
        for unit in units:
            labels.setdefault(unit.label, []).append(unit.id)
        self._own = {label: ids[0] for label, ids in labels.items() if label and len(ids) == 1}
        self._own |= {id_: id_ for id_ in known}

    def unit(self, piece: Piece) -> str | None:
        """The id of its unit; IGNORED if it is none, None if nothing is said of it."""
        for rule in self._mapping.rules:
            if rule.fits(piece):
                return rule.unit
        if piece.name in self._named:
            return self._named[piece.name]
        if any(fnmatch.fnmatchcase(piece.name, pattern) for pattern in self._mapping.ignore):
            return IGNORED
        return self._own.get(piece.name)

    def strength(self, piece: Piece, printed: int) -> int | None:
        """The strength that a piece shows; None if it shows none. ValueError says what is odd."""
        rule = self._mapping.strength
        if rule is None or rule.property not in piece.properties:
            return None
        value = piece.properties[rule.property].strip()
        if not value.removeprefix("-").isdecimal() or len(value) > 6:
            raise ValueError(f"its {rule.property} is {value[:20]!r}; expected a whole number")
        counted = int(value) - rule.none
        strength = printed - counted if rule.counts_lost else counted
        if not 1 <= strength <= printed:
            raise ValueError(f"its {rule.property} is {value}, which is a strength of {strength}; "
                             f"expected 1 to {printed}")
        return strength

    def status(self, piece: Piece) -> int:
        """The sum of the bits that its properties set."""
        flags = 0
        for rule in self._mapping.status:
            if piece.properties.get(rule.property) == rule.value:
                flags |= rule.flag
        return flags


def read_mapping(path: Path) -> Mapping:
    """Read a mapping. `VassalError` names the key, its value and what was expected."""
    table = read_table(path)
    rules = []
    for entry in table.tables("pieces"):
        said = [(key, entry.text(key, "")) for key in _KEYS]
        keys = tuple((key, value) for key, value in said if value)
        if not keys:
            raise VassalError(path, entry.place, "it says of no piece; expected a name, an image "
                                                 "or a gpid")
        rules.append(Rule(keys, entry.text("unit"), entry.place))
        entry.done()
    found = Mapping(
        file=str(path), rules=tuple(rules), units=tuple(table.pairs("units").items()),
        ignore=tuple(table.texts("ignore")), strength=_strength(table.table("strength")),
        status=tuple(_status(entry) for entry in table.tables("status")))
    table.done()
    return found


def _strength(table: Table | None) -> StrengthRule | None:
    if table is None:
        return None
    rule = StrengthRule(table.text("property"),
                        table.choice("counts", ["left", "lost"], "left") == "lost",
                        table.whole("from", 0))
    table.done()
    return rule


def _status(table: Table) -> StatusRule:
    rule = StatusRule(FLAGS[table.choice("flag", FLAGS)], table.text("property"),
                      table.text("value"))
    table.done()
    return rule
