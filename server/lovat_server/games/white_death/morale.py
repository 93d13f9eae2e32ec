"""[WD 14] Morale checks: when, with what modifiers, and what follows from them.

Also the one way to lose strength, which every kind of fire shares.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from .battle import Battle
from .events import (
    Event,
    Modifier,
    MoraleChecked,
    PhaseBegan,
    RetreatRequired,
    StrengthLost,
    UnitEliminated,
    UnitHalted,
    UnitShaken,
)
from .position import Position
from .terms import Cause, MoraleResult, Phase, Side, Status, Weather

ROUT_MARGIN = 3
PROTECTING_BUNKER = 3

# What the result itself adds, by the kind of fire: its clause and name.
_FROM_RESULT = {
    Cause.CONVENTIONAL: ("WD 14.A.3", "combat result"),
    Cause.ANTITANK: ("WD 14.A.1", "strength lost to antitank fire"),
    Cause.BARRAGE: ("WD 14.A.2", "strength lost to barrage"),
}


TANK_FRIGHT, CAVALRY_CHARGE = "WD 14.C.2", "WD 14.C.7"
_FRIGHT = {TANK_FRIGHT: "tank fright", CAVALRY_CHARGE: "cavalry charge"}


def lose_strength(battle: Battle, index: int, points: int, cause: Cause) -> bool:
    """Take strength points off a unit; True if that eliminates it."""
    unit = battle.units[index]
    points = min(points, unit.strength)
    if points <= 0:
        return False
    battle.record(StrengthLost(index, points, cause, bool(unit.status & Status.ISOLATED)))
    if battle.units[index].strength > 0:
        return False
    battle.record(UnitEliminated(index, unit.hex))
    return True


class Harm(NamedTuple):
    """What a fire does to a unit: points lost, and the number its morale check is made at."""

    cause: Cause
    lost: int
    number: int


def take(battle: Battle, index: int, harm: Harm, phase: Phase, *, fright: str = "") -> None:
    """[WD 9.C.4-5, 10.C.3-4, 11.B.2.b-c] Losses first; a unit that is left checks its morale."""
    if not lose_strength(battle, index, harm.lost, harm.cause):
        check(battle, index, harm.cause, harm.number, phase, fright=fright)


def is_exempt(position: Position, index: int) -> bool:
    """[WD 14.C.6, 19] A bunker of three points or more spares its garrison every check.

    AFV units and units that assault out of the hex are not spared.
    """
    unit, printed = position.units[index], position.catalog.units[index]
    place = position.bunker_at(unit.hex)
    if place is None or printed.side != Side.GERMAN or printed.is_afv:
        return False
    if position.bunkers[place] < PROTECTING_BUNKER:
        return False
    return not any(index in assault.units for assault in position.assaults)


def is_steady(position: Position, index: int) -> bool:
    """[WD 14.C.2] A German AFV, antitank or heavy antiaircraft unit with its equipment."""
    printed = position.catalog.units[index]
    if position.units[index].status & Status.ABANDONED or printed.side != Side.GERMAN:
        return False
    return printed.is_afv or "steady" in printed.traits


def is_immune_to_fright(position: Position, index: int) -> bool:
    """[WD 14.C.2] Steady, stacked with a steady unit, or in a town hex."""
    hex_ = position.units[index].hex
    if position.catalog.map.town >> hex_ & 1:
        return True
    return any(is_steady(position, other) for other in position.stack(hex_))


def fears_cavalry(position: Position, index: int) -> bool:
    """[WD 14.C.7] A German unit in the open, in a stack without any AFV."""
    hex_, field = position.units[index].hex, position.catalog.map
    if position.catalog.units[index].side != Side.GERMAN or (field.town | field.forest) >> hex_ & 1:
        return False
    return not any(position.catalog.units[other].is_afv for other in position.stack(hex_))


def earlier_losses(events: Sequence[Event], hex_: int) -> tuple[int, int]:
    """[WD 14.C.4, 14.C.8] Units of a hex routed and eliminated so far in the phase.

    NOTE(WD 14.C.8): a unit that its own rout eliminates counts once, as routed.
    """
    routed = eliminated = 0
    after: Event | None = None
    for event in reversed(events):
        if isinstance(event, PhaseBegan):
            break
        if isinstance(event, RetreatRequired) and event.routed and event.hex == hex_:
            routed += 1
        if isinstance(event, StrengthLost) and isinstance(after, UnitEliminated) \
                and after.hex == hex_:
            if event.cause == Cause.ROUT:
                routed += 1
            else:
                eliminated += 1
        after = event
    return routed, eliminated


def modifiers(position: Position, index: int, cause: Cause, result: int, *, fright: str = "",
              earlier: tuple[int, int] = (0, 0)) -> tuple[Modifier, ...]:
    """[WD 14.A, 14.C] Everything that is added to the dice of one check; nothing that is 0.

    `result` is the number of the MC result, or the strength points really lost. `fright` is the
    clause of fright that adds one level to a check that fire called for (WD 14.C.2, 14.C.7).
    """
    unit, printed = position.units[index], position.catalog.units[index]
    found = []
    if cause in _FROM_RESULT:
        clause, name = _FROM_RESULT[cause]
        found.append(Modifier(clause, name, result))
        if fright:
            found.append(Modifier(fright, _FRIGHT[fright], 1))
    # NOTE(WD 14.C.2): the check that fright alone calls for has no modifier of combat; those of
    # the unit's condition hold for every check.
    if unit.status & Status.ISOLATED:
        found.append(Modifier("WD 14.C.3", "isolated", 1))
    found.append(Modifier("WD 14.C.4", "routed in the hex", earlier[0]))
    if position.weather == Weather.SNOW and not printed.is_afv \
            and not position.catalog.map.town >> unit.hex & 1:
        found.append(Modifier("WD 14.C.5", "snow", 1))
    found.append(Modifier("WD 14.C.8", "eliminated in the hex", earlier[1]))
    return tuple(modifier for modifier in found if modifier.value)


def outcome(total: int, morale: int) -> MoraleResult:
    """[WD 14] Equal or under passes, one or two over fails, three or more routs."""
    if total <= morale:
        return MoraleResult.PASSED
    return MoraleResult.ROUTED if total >= morale + ROUT_MARGIN else MoraleResult.FAILED


@lru_cache(maxsize=1 << 8)
def throws(morale: int, added: int) -> Mapping[MoraleResult, int]:
    """[WD 14] How many of the 36 throws of two dice give each result, modifiers of `added`."""
    counts = dict.fromkeys(MoraleResult, 0)
    for first in range(1, 7):
        for second in range(1, 7):
            counts[outcome(first + second + added, morale)] += 1
    return counts


def rout_chances(position: Position, index: int, cause: Cause, results: Iterable[int], *,
                 fright: str = "") -> tuple[int, ...]:
    """[WD 14] How many of the 36 throws of two dice rout a unit, nothing earlier counted.

    For each number of the MC result; `cause` is one whose check adds that number (WD 14.A).
    """
    if is_exempt(position, index):
        return tuple(0 for _ in results)
    printed = position.catalog.units[index].morale
    added = sum([m.value for m in modifiers(position, index, cause, 0, fright=fright)])
    return tuple([throws(printed, added + result)[MoraleResult.ROUTED] for result in results])


def check(battle: Battle, index: int, cause: Cause, result: int, phase: Phase, *,
          fright: str = "") -> MoraleResult | None:
    """[WD 11.B.2.c, 14, 14.B] Roll a check and carry out what follows; None if the unit is exempt.

    A check of the movement phase (WD 3.A) ends movement, which is left to the caller; its rout
    is that of the defensive fire phase.
    """
    if is_exempt(battle, index):
        return None
    hex_ = battle.units[index].hex
    added = modifiers(battle, index, cause, result, fright=fright,
                      earlier=earlier_losses(battle.events, hex_))
    dice = battle.dice.roll(), battle.dice.roll()
    printed = battle.catalog.units[index].morale
    total = sum(dice) + sum(modifier.value for modifier in added)
    found = outcome(total, printed)
    battle.record(MoraleChecked(index, cause, dice, added, printed, found))
    suffer(battle, index, found, phase)
    return found


def suffer(battle: Battle, index: int, found: MoraleResult, phase: Phase) -> None:
    """[WD 14.B] What follows from the result of a check; nothing if it was passed."""
    hex_ = battle.units[index].hex
    if found == MoraleResult.FAILED:
        _fail(battle, index, hex_, phase)
    elif found == MoraleResult.ROUTED:
        _rout(battle, index, hex_, phase)


def _fail(battle: Battle, index: int, hex_: int, phase: Phase) -> None:
    """[WD 14.B.1-3] No defensive fire after a barrage, no assault after defensive fire, and
    two hexes back after an assault."""
    if phase == Phase.BARRAGE:
        battle.record(UnitShaken(index))
    elif phase == Phase.DEFENSIVE_FIRE:
        battle.record(UnitHalted(index))
    elif phase == Phase.ASSAULT:
        battle.record(RetreatRequired(index, hex_, routed=False))


def _rout(battle: Battle, index: int, hex_: int, phase: Phase) -> None:
    """[WD 14.B] One more strength point, unless an AFV, and a retreat of two hexes."""
    if not battle.catalog.units[index].is_afv and lose_strength(battle, index, 1, Cause.ROUT):
        return
    if phase == Phase.BARRAGE:
        battle.record(UnitShaken(index))
    elif phase in (Phase.MOVEMENT, Phase.DEFENSIVE_FIRE):
        battle.record(UnitHalted(index))
    battle.record(RetreatRequired(index, hex_, routed=True))
