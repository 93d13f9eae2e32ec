"""Every way a phase of fire can go, counted out together, as the units of a hex bear on each other.

Units of one hex are taken in the order in which they are resolved. Of what went before, a unit is
touched by three things only: how many were routed and how many eliminated in its hex (WD 14.C.4,
14.C.8), and whether steady and AFV units still stand there (WD 14.C.2, 14.C.7). Cases that agree
in these, and in the `Tally` that the caller keeps, are one case from there on.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from . import engagement as eng
from . import fire, morale, preview_results
from .advance import assaulters
from .battle import Battle
from .conventional_fire import is_charging, kind_of
from .orders import Fire
from .position import Position
from .preview_results import Branch, Step, Way
from .previews import Outcome
from .state import UnitState
from .terms import HexIndex, Kind, Phase, UnitIndex

MOST_CASES = 2048
"""The most cases that are kept apart at one time; a question that needs more is cut short."""

Tally = Hashable
Add = Callable[[Tally, Step, Branch], Tally]
Results = dict[tuple[int, Outcome], Fraction]
States = tuple[tuple[UnitIndex, UnitState], ...]


class TooManyCasesError(Exception):
    """More than `MOST_CASES` cases would have to be kept apart."""


class _Note(NamedTuple):
    """What is remembered of a unit in a hex where fright may hold."""

    unit: UnitIndex
    checked: bool
    eliminated: bool


class _Case(NamedTuple):
    earlier: tuple[int, int]
    notes: tuple[_Note, ...]
    tally: Tally


@dataclass(slots=True)
class Walked:
    """`results` of each unit alone; the chance of each tally, and units' states that give it."""

    results: dict[UnitIndex, Results] = field(default_factory=dict)
    tallies: dict[Tally, Fraction] = field(default_factory=dict)
    states: dict[Tally, States] = field(default_factory=dict)

    def note(self, unit: UnitIndex, found: Mapping[tuple[int, Outcome], int],
             part: int) -> None:
        """Add what a step has shown of a unit, in parts of the whole."""
        for key, weight in found.items():
            own = self.results.setdefault(unit, {})
            own[key] = own.get(key, Fraction(0)) + Fraction(weight, part)


def steps_of(position: Position, phase: Phase, fires: Iterable[Fire]) -> list[Step]:
    """[WD 9.C, 10.C, 14.C.2] The turns of a phase in the order in which `fire.resolve` takes them.

    Where fright may hold every defender has a turn for it at last; most come to nothing.
    """
    steps = []
    for one in fires:
        steps += [Step(phase, one.hex, Way.CONVENTIONAL, shot.target, (shot.value,))
                  for shot in one.conventional]
        steps += [Step(phase, one.hex, Way.ANTITANK, target, tuple(values))
                  for target, values in fire.antitank_attacks(one).items()]
        if phase == Phase.ASSAULT and _frighten(position, one.hex):
            steps += [Step(phase, one.hex, Way.FRIGHT, index)
                      for index in eng.defenders(position, one.hex)]
    return steps


def _frighten(position: Position, hex_: HexIndex) -> bool:
    return any(kind_of(position, index) == Kind.AFV or is_charging(position, index)
               for index in assaulters(position, hex_))


class Walk:
    """All cases of one phase. `steps` may be of several hexes; those of units that stand in one
    hex are taken in their order, one hex of theirs after the other."""

    def __init__(self, battle: Battle, steps: Sequence[Step]) -> None:
        self._battle = battle
        self.targets = frozenset(step.target for step in steps)
        self._groups: dict[HexIndex, list[Step]] = {}
        for step in steps:
            self._groups.setdefault(battle.units[step.target].hex, []).append(step)
        self._harms = {step: preview_results.harm_chances(battle, step) for step in steps}
        self._known: dict[tuple[Step, tuple[int, int], tuple[_Note, ...]],
                          tuple[Branch, ...]] = {}

    def walk(self, tally: Tally, add: Add, hexes: Iterable[HexIndex]) -> Walked:
        """Count out the fights over `hexes`, from a tally of what cannot change.

        TooManyCasesError if there are too many cases.
        """
        asked = frozenset(hexes)
        walked = Walked(tallies={tally: Fraction(1)}, states={tally: ()})
        for steps in self._groups.values():
            if any(step.hex in asked for step in steps):
                self._group(steps, walked, add, asked)
        return walked

    def _group(self, steps: Sequence[Step], walked: Walked, add: Add,
               asked: frozenset[HexIndex]) -> None:
        """Take the units of one hex in turn. Chances are whole numbers of a common `part`."""
        feared = frozenset(step.target for step in steps if step.way is Way.FRIGHT)
        part = math.lcm(*(chance.denominator for chance in walked.tallies.values()))
        cases = {_Case((0, 0), (), tally): int(chance * part)
                 for tally, chance in walked.tallies.items()}
        states = {_Case((0, 0), (), tally): known for tally, known in walked.states.items()}
        for step in steps:
            ways = {case: self._branches(step, case) for case in cases
                    if step.way is not Way.FRIGHT or not _has_checked(case, step.target)}
            finer = math.lcm(*(branch.chance.denominator
                               for branches in ways.values() for branch in branches))
            part *= finer
            grown: dict[_Case, int] = {}
            reached: dict[_Case, States] = {}
            found: dict[tuple[int, Outcome], int] = {}
            for case, weight in cases.items():
                if case not in ways:
                    grown[case] = grown.get(case, 0) + weight * finer
                    reached.setdefault(case, states[case])
                    continue
                for branch in ways[case]:
                    chance = branch.chance
                    share = weight * chance.numerator * (finer // chance.denominator)
                    waits = step.way is not Way.FRIGHT and step.target in feared \
                        and not branch.checked
                    counts = step.hex in asked and not waits
                    if counts:
                        key = branch.lost, branch.outcome
                        found[key] = found.get(key, 0) + share
                    now = self._after(case, step, branch, feared, add if counts else None)
                    grown[now] = grown.get(now, 0) + share
                    if now not in reached:
                        own = ((step.target, branch.state),) if counts else ()
                        reached[now] = states[case] + own
                if len(grown) > MOST_CASES:
                    raise TooManyCasesError
            walked.note(step.target, found, part)
            cases, states = grown, reached
        walked.tallies, walked.states = {}, {}
        for case, weight in cases.items():
            walked.tallies[case.tally] = walked.tallies.get(case.tally, Fraction(0)) \
                + Fraction(weight, part)
            walked.states.setdefault(case.tally, states[case])

    def _branches(self, step: Step, case: _Case) -> tuple[Branch, ...]:
        key = step, case.earlier, case.notes
        found = self._known.get(key)
        if found is None:
            battle = self._noted(case.notes)
            fright = fire.fright_of(battle, step.phase, step.hex, step.target)
            if step.way is Way.FRIGHT and fright:
                found = preview_results.fright_branches(battle, step, case.earlier)
            else:
                found = preview_results.branches(battle, step, self._harms[step], case.earlier,
                                                 fright)
            self._known[key] = found
        return found

    def _noted(self, notes: tuple[_Note, ...]) -> Battle:
        """The battle as the notes have it."""
        states = [(note.unit, UnitState()) for note in notes if note.eliminated]
        return preview_results.altered(self._battle, states) if states else self._battle

    def _after(self, case: _Case, step: Step, branch: Branch, feared: frozenset[UnitIndex],
               add: Add | None) -> _Case:
        earlier = case.earlier[0] + branch.routed, case.earlier[1] + branch.eliminated
        notes = case.notes
        if feared:
            guards = self._battle.catalog.units[step.target].is_afv \
                or morale.is_steady(self._battle, step.target)
            note = _Note(step.target, step.target in feared and branch.checked,
                         guards and branch.state.strength == 0)
            notes = tuple(old for old in notes if old.unit != step.target)
            if any(note[1:]):
                notes = tuple(sorted((*notes, note)))
        tally = case.tally if add is None else add(case.tally, step, branch)
        return _Case(earlier, notes, tally)


def _has_checked(case: _Case, unit: UnitIndex) -> bool:
    return any(note.unit == unit and note.checked for note in case.notes)
