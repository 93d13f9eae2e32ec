"""What one unit's fire phase can come to: exact chances, through the functions that resolve it.

The dice of an attack are counted out on the printed table; what each result does to the unit is
then carried out on a copy of the battle. Nothing is rolled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import IntEnum
from fractions import Fraction
from typing import NamedTuple

from lovat_server.core.dice import FACES

from . import antitank_fire, barrage, conventional_fire, morale
from .barrage import Attack
from .battle import Battle
from .events import Modifier
from .morale import Harm
from .orders import Assault
from .position import Position
from .previews import Outcome
from .state import UnitState
from .terms import Cause, FireValue, HexIndex, MoraleResult, Phase, UnitIndex

THROWS = FACES * FACES
_OUTCOMES = {
    MoraleResult.PASSED: Outcome.PASSED,
    MoraleResult.FAILED: Outcome.FAILED,
    MoraleResult.ROUTED: Outcome.ROUTED,
}


class Way(IntEnum):
    """How a unit comes under fire; `FRIGHT` is the check that fright alone calls for."""

    CONVENTIONAL = 0
    ANTITANK = 1
    BARRAGE = 2
    FRIGHT = 3


class Step(NamedTuple):
    """One unit's turn in the resolution of a phase. `hex` is the hex that is fought over."""

    phase: Phase
    hex: HexIndex
    way: Way
    target: UnitIndex
    values: tuple[FireValue, ...] = ()
    barrages: tuple[Attack, ...] = ()


class Branch(NamedTuple):
    """One way a step can go. `checked`: the fire called for a morale check, or eliminated.

    `routed` and `eliminated` are what it adds to the later checks of its hex; `left` says that
    the unit is gone or must go, `assaults` that it still assaults.
    """

    chance: Fraction
    lost: int
    outcome: Outcome
    checked: bool
    routed: int
    eliminated: int
    left: bool
    state: UnitState


def altered(battle: Battle, states: Iterable[tuple[UnitIndex, UnitState]],
            assaults: tuple[Assault, ...] | None = None) -> Battle:
    """A copy of the battle with these units in other states, and other assaults if given."""
    units = list(battle.units)
    for index, unit in states:
        units[index] = unit
    return Battle(battle.catalog, replace(
        battle.freeze(), units=tuple(units),
        assaults=battle.assaults if assaults is None else assaults))


def harm_chances(position: Position, step: Step) -> dict[Harm | None, Fraction]:
    """[WD 9.C.3-4, 10.C.2-3, 11.B.2.b] The chance of everything the dice of a step can do."""
    match step.way:
        case Way.CONVENTIONAL:
            return _conventional(position, step.target, step.values[0])
        case Way.ANTITANK:
            return _antitank(position, step.target, step.values)
        case Way.BARRAGE:
            most = position.units[step.target].strength
            hits = barrage_hits(
                position, step.barrages, most,
                lambda attack: barrage.barrage_modifiers(position, step.target, attack.sight))
            return _sum((barrage.harm(position, step.target, number), chance)
                        for number, chance in hits.items())
        case _:
            return {None: Fraction(1)}


def _conventional(position: Position, target: UnitIndex,
                  value: FireValue) -> dict[Harm | None, Fraction]:
    place = conventional_fire.column(position, value,
                                     conventional_fire.defence_value(position, target))
    if place is None:
        return {None: Fraction(1)}
    return _sum((conventional_fire.harm(position, target, place, die), Fraction(1, FACES))
                for die in range(1, FACES + 1))


def _antitank(position: Position, target: UnitIndex,
              values: Sequence[FireValue]) -> dict[Harm | None, Fraction]:
    defence = antitank_fire.defence_value(position, target)
    columns = (antitank_fire.column(position, value, defence) for value in values)
    places = tuple(place for place in columns if place is not None)
    hits = antitank_fire.loss_chances(position.catalog, places, position.units[target].strength)
    return _sum((antitank_fire.harm(position, target, number), chance)
                for number, chance in hits.items())


def barrage_hits(position: Position, attacks: Iterable[Attack], most: int,
                 added: Callable[[Attack], tuple[Modifier, ...]]) -> dict[int, Fraction]:
    """[WD 11.B.2.b] The chance of each number of hits by all attacks; more than `most` read so."""
    chances = {0: Fraction(1)}
    for attack in attacks:
        place = barrage.barrage_column(position, attack.value)
        if place is None:
            continue
        total = sum(modifier.value for modifier in added(attack))
        after: dict[int, Fraction] = {}
        for hits, chance in chances.items():
            for die in range(1, FACES + 1):
                number = min(hits + barrage.barrage_result(position, place, die + total), most)
                after[number] = after.get(number, Fraction(0)) + chance / FACES
        chances = after
    return chances


def _sum(parts: Iterable[tuple[Harm | None, Fraction]]) -> dict[Harm | None, Fraction]:
    found: dict[Harm | None, Fraction] = {}
    for harm, chance in parts:
        found[harm] = found.get(harm, Fraction(0)) + chance
    return found


def branches(battle: Battle, step: Step, harms: Mapping[Harm | None, Fraction],
             earlier: tuple[int, int], fright: str) -> tuple[Branch, ...]:
    """[WD 9.C.4-5, 10.C.3-4, 11.B.2, 14] Every way a step can go from here.

    `battle` has the states that matter to it; `earlier` are the units routed and eliminated
    before in its hex. It is left as it was.
    """
    found: list[Branch] = []
    for harm, chance in harms.items():
        if harm is None:
            found.append(_branch(battle, battle, step, chance, Outcome.NONE, checked=False))
        else:
            found.extend(_harmed(battle, step, harm, chance, earlier, fright))
    return tuple(found)


def fright_branches(battle: Battle, step: Step, earlier: tuple[int, int]) -> tuple[Branch, ...]:
    """[WD 14.C.2, 14.C.7] Every way the check goes that fright alone calls for."""
    return tuple(_checked(battle, battle, step, Harm(Cause.TANK_FRIGHT, 0, 0), Fraction(1),
                          earlier, ""))


def _harmed(battle: Battle, step: Step, harm: Harm, chance: Fraction, earlier: tuple[int, int],
            fright: str) -> list[Branch]:
    trial = battle.fork()
    if morale.lose_strength(trial, step.target, harm.lost, harm.cause):
        return [_branch(battle, trial, step, chance, Outcome.ELIMINATED, checked=True)]
    return _checked(battle, trial, step, harm, chance, earlier, fright)


def _checked(battle: Battle, trial: Battle, step: Step, harm: Harm, chance: Fraction,
             earlier: tuple[int, int], fright: str) -> list[Branch]:
    if morale.is_exempt(trial, step.target):
        return [_branch(battle, trial, step, chance, Outcome.NONE, checked=True)]
    added = sum(modifier.value for modifier in morale.modifiers(
        trial, step.target, harm.cause, harm.number, fright=fright, earlier=earlier))
    printed = trial.catalog.units[step.target].morale
    found = []
    for result, throws in morale.throws(printed, added).items():
        if throws:
            done = trial.fork()
            morale.suffer(done, step.target, result, step.phase)
            found.append(_branch(battle, done, step, chance * throws / THROWS,
                                 _OUTCOMES[result], checked=True))
    return found


def _branch(before: Battle, after: Battle, step: Step, chance: Fraction, outcome: Outcome, *,
            checked: bool) -> Branch:
    unit, old = after.units[step.target], before.units[step.target]
    # The events of a fork begin with it: a first loss, if any, was made on another.
    routed, eliminated = (0, 0) if after is before \
        else morale.earlier_losses(after.events, old.hex)
    left = unit.strength == 0 or any(p.unit == step.target for p in after.retreats)
    if unit.strength == 0:
        outcome = Outcome.ELIMINATED
    return Branch(chance, old.strength - unit.strength, outcome, checked, routed, eliminated,
                  left, unit)
