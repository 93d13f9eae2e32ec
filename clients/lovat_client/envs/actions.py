"""The fixed numbering of actions: verbs, numbers, hexes, units, in this order.

Verbs, numbers and hexes have the same index in every scenario of one map; units follow the
catalog of the scenario.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lovat.white_death.v1 import terms_pb2

from ..sdk.catalog import Catalog

NUMBERS = 20
"""Numbers that can be said: 1 to this."""


class Verb(IntEnum):
    """Words that are neither a unit, a hex nor a number. Their values never change."""

    DONE = 0              # the order is whole; what it does not name is not done
    STANDING = 1          # the order is whole; the rest is left to the standing orders
    STAY = 2              # leave the chosen unit or hex as it is
    PASS = 3              # declare a pass
    YES = 4               # spend the point that sustains the garrison
    DEPLOY = 5
    BUILD_BRIDGE = 6
    DESTROY_BRIDGE = 7
    RAIL = 8              # by rail; a hex follows
    CHARGE = 9            # assault mounted; a hex follows
    REPAIR = 10           # an AFV; a unit follows
    PAY_SOVIET = 11       # a supply point of this pool
    PAY_GERMAN = 12
    PAY_CITY = 13


PAY: Mapping[int, Verb] = {
    terms_pb2.POOL_SOVIET: Verb.PAY_SOVIET, terms_pb2.POOL_GERMAN: Verb.PAY_GERMAN,
    terms_pb2.POOL_VELIKIYE_LUKI: Verb.PAY_CITY}
"""The verb that pays from each pool."""


class Choice(NamedTuple):
    """What one action says; the one field that is set."""

    verb: Verb | None = None
    number: int = 0
    hex: int = 0
    unit: str = ""

    def __str__(self) -> str:
        if self.verb is not None:
            return self.verb.name
        if self.hex:
            return f"hex {self.hex:04d}"
        return f"unit {self.unit}" if self.unit else f"number {self.number}"


@dataclass(frozen=True, slots=True)
class Menu:
    """What may be said next, and the draft that it would be added to.

    `unit` and `focus` are the unit and the hex that is being spoken of. Of the draft, `named` are
    the units that it has orders for, `places` where it puts them, `spent` what they spend in 1/120
    MP, and `aimed` the hexes that it assaults, fires at or enters.
    """

    stage: str
    verbs: Iterable[Verb] = ()
    numbers: Iterable[int] = ()
    hexes: Iterable[int] = ()
    units: Iterable[str] = ()
    unit: str = ""
    focus: int = 0
    named: Iterable[str] = ()
    places: Mapping[str, int] = field(default_factory=dict)
    spent: Mapping[str, int] = field(default_factory=dict)
    aimed: Iterable[int] = ()


class ActionIndex:
    """Actions of one scenario to numbers and back. `size` is N of the `Discrete(N)`."""

    def __init__(self, catalog: Catalog) -> None:
        self.columns, self.rows = catalog.layout.columns, catalog.layout.rows
        self.first_number = len(Verb)
        self.first_hex = self.first_number + NUMBERS
        self.first_unit = self.first_hex + self.columns * self.rows
        self._units = list(catalog.units)
        self._seat = {unit: place for place, unit in enumerate(self._units)}
        self.size = self.first_unit + len(self._units)

    def verb(self, verb: Verb) -> int:
        return int(verb)

    def number(self, number: int) -> int:
        """ValueError if the number cannot be said."""
        if not 1 <= number <= NUMBERS:
            raise ValueError(f"{number} is not a number from 1 to {NUMBERS}")
        return self.first_number + number - 1

    def hex(self, hex_: int) -> int:
        """ValueError if the hex is not on the map."""
        column, row = divmod(hex_, 100)
        if not (1 <= column <= self.columns and 1 <= row <= self.rows):
            raise ValueError(f"{hex_:04d} is not a hex from 0101 to {self.columns:02d}"
                             f"{self.rows:02d}")
        return self.first_hex + (column - 1) * self.rows + row - 1

    def unit(self, unit: str) -> int:
        """ValueError if the scenario has no such unit."""
        if unit not in self._seat:
            raise ValueError(f"{unit!r} is not a unit of the scenario")
        return self.first_unit + self._seat[unit]

    def choice(self, action: int) -> Choice:
        """What an action says. ValueError if there is no such action."""
        if not 0 <= action < self.size:
            raise ValueError(f"{action} is not an action; actions are 0 to {self.size - 1}")
        if action < self.first_number:
            return Choice(verb=Verb(action))
        if action < self.first_hex:
            return Choice(number=action - self.first_number + 1)
        if action < self.first_unit:
            column, row = divmod(action - self.first_hex, self.rows)
            return Choice(hex=(column + 1) * 100 + row + 1)
        return Choice(unit=self._units[action - self.first_unit])

    def mask(self, menu: Menu | None) -> NDArray[np.int8]:
        """1 for every action on the menu, 0 for all others; numbers over `NUMBERS` are left out."""
        mask = np.zeros(self.size, dtype=np.int8)
        if menu is not None:
            wanted = [self.verb(verb) for verb in menu.verbs]
            wanted += [self.number(number) for number in menu.numbers if number <= NUMBERS]
            wanted += [self.hex(hex_) for hex_ in menu.hexes]
            wanted += [self.unit(unit) for unit in menu.units]
            mask[wanted] = 1
        return mask
