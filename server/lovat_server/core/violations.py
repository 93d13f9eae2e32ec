"""A broken rule: which clause, where in the order, in words and as facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum


class Reason(IntEnum):
    """Why an order is refused; stable codes that a program may branch on."""

    UNSPECIFIED = 0
    WRONG_DECISION = 1        # the order answers a decision that is not pending
    WRONG_SIDE = 2            # a unit, pool or choice of the other side
    NOT_AVAILABLE = 3         # eliminated, not yet arrived, not on the map, already used
    POINTS = 4                # more movement points than are left
    PROHIBITED_TERRAIN = 5
    ZONE_OF_CONTROL = 6
    ENEMY_OCCUPIED = 7
    NOT_ADJACENT = 8
    STACKING = 9
    SET_UP_AREA = 10
    ENTRY_AREA = 11
    RAIL = 12
    BRIDGE = 13
    DEPLOYMENT = 14
    SUPPLY = 15
    RANGE = 16
    TARGET = 17               # nothing there to fire at, or it may not be fired at
    ALLOCATION = 18           # fire apportioned against the limits
    FIRER = 19                # the unit may not fire so now
    HEADQUARTERS = 20
    RETREAT = 21
    ADVANCE = 22
    REPLACEMENT = 23
    GARRISON = 24
    SPECIAL_UNIT = 25
    DUPLICATE = 26            # the same unit, hex or target twice
    INCOMPLETE = 27           # something that must be said is missing
    IMPULSE = 28              # points declared, or an action not allowed in a pass
    TOO_MANY = 29


@dataclass(frozen=True, slots=True)
class Violation:
    """One broken rule.

    `clause` as it is cited ("WD 9.C.3"), `path` the place in the order ("moves[3].path[2]"),
    `message` one full sentence, `facts` the values behind it as strings.
    """

    reason: Reason
    clause: str
    path: str
    message: str
    facts: Mapping[str, str] = field(default_factory=dict)
