"""[WD 9-10, 14] Assaults counted out: defensive fire, then the assault by those that are left.

Defensive fire is apportioned before any of its dice fall, so that units of different hexes do not
bear on each other. The assault hangs on who is left only through the totals of an `Assailants`:
all cases of one total are followed up once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple, TypeVar

from . import engagement as eng
from . import fire, preview_values, sequence, ski, standing
from .advance import assaulted_hexes, assaulters
from .artillery import headquarters_of
from .battle import Battle
from .conventional_fire import is_charging, kind_of
from .events import PhaseBegan
from .orders import DefensiveFire, Fire, Pursue, RetreatBeforeCombat
from .position import Position
from .preview_results import Branch, Step, altered
from .preview_walk import (
    Add,
    Results,
    States,
    Tally,
    TooManyCasesError,
    Walk,
    Walked,
    steps_of,
)
from .previews import (
    AttackPreview,
    FirePreview,
    FirerPreview,
    HexPreview,
    Outcome,
    ResultChance,
    TargetPreview,
    Volley,
)
from .state import UnitState
from .terms import DecisionKind, HexIndex, Kind, Phase, Pool, UnitIndex

MOST_SEQUELS = 512
"""The most different remainders of an assault that are followed up."""

Key = TypeVar("Key")
Volleys = dict[UnitIndex, dict[tuple[AttackPreview, ...], Fraction]]


class Assailants(NamedTuple):
    """All of the units that still assault a hex that its assault fire hangs on.

    `hexes` may be supported; `divisions`, each with the hex of a unit of it, control (WD 11.A.1).
    `kept` are units one by one, that could support another assault.
    """

    any: bool = False
    conventional: int = 0
    antitank: int = 0
    afv: bool = False
    charging: bool = False
    hexes: frozenset[HexIndex] = frozenset()
    divisions: frozenset[tuple[HexIndex, str]] = frozenset()
    kept: States = ()

    def plus(self, other: Assailants) -> Assailants:
        return Assailants(
            self.any or other.any, self.conventional + other.conventional,
            self.antitank + other.antitank, self.afv or other.afv,
            self.charging or other.charging, self.hexes | other.hexes,
            self.divisions | other.divisions, tuple(sorted(self.kept + other.kept)))


NOBODY = Assailants()


# ---------------------------------------------------------------- whole assaults

def assaults(battle: Battle) -> tuple[HexPreview, ...]:
    """[WD 5.2-5.5] All assaults that have just been declared, fire on both sides by standing
    orders and without any barrage. The battle is moved on to the defensive fire."""
    _withdraw(battle)
    battle.record(PhaseBegan(Phase.DEFENSIVE_FIRE))
    order = fire.default_order(battle, Phase.DEFENSIVE_FIRE)
    assert isinstance(order, DefensiveFire)
    walk = Walk(battle, steps_of(battle, Phase.DEFENSIVE_FIRE, order.fires))
    found: dict[HexIndex, HexPreview] = {}
    for group in _linked(battle):
        found.update(_group(battle, walk, order, group))
    return tuple(found[hex_] for hex_ in assaulted_hexes(battle))


def _withdraw(battle: Battle) -> None:
    """[WD E.21-E] Retreats before combat and pursuits, as standing orders have them."""
    if ski.withdrawals(battle):
        sequence.decide(battle, DecisionKind.RETREAT_BEFORE_COMBAT, battle.side.enemy)
        leave = standing.answer(battle)
        assert isinstance(leave, RetreatBeforeCombat)
        ski.withdraw(battle, leave)
    if ski.pursuits(battle):
        sequence.decide(battle, DecisionKind.PURSUE, battle.side)
        follow = standing.answer(battle)
        assert isinstance(follow, Pursue)
        ski.pursue(battle, follow)


def _linked(battle: Battle) -> list[tuple[HexIndex, ...]]:
    """[WD 11.A.1] Assaulted hexes in groups: artillery that could support two of them, or that
    assaults one and could support another, makes their assault fire hang together."""
    hexes = assaulted_hexes(battle)
    groups = []
    for hex_ in hexes:
        support = {option.unit for option in eng.support_options(battle, hex_, Phase.ASSAULT)}
        groups.append(({hex_}, support, set(assaulters(battle, hex_))))
    joined: list[tuple[set[HexIndex], set[UnitIndex], set[UnitIndex]]] = []
    for group in groups:
        own = group
        apart = []
        for other in joined:
            if own[1] & (other[1] | other[2]) or other[1] & own[2]:
                own = own[0] | other[0], own[1] | other[1], own[2] | other[2]
            else:
                apart.append(other)
        joined = [*apart, own]
    return [tuple(hex_ for hex_ in hexes if hex_ in group[0]) for group in joined]


def _group(battle: Battle, walk: Walk, order: DefensiveFire,
           group: tuple[HexIndex, ...]) -> dict[HexIndex, HexPreview]:
    """One group of hexes whose assault fire hangs together."""
    first = {shown.hex: shown for shown in _defended(battle, walk, order.fires,
                                                     order.high_intensity, group)}
    able = {option.unit for hex_ in group
            for option in eng.support_options(battle, hex_, Phase.ASSAULT)}
    counting = _Counting(battle, group, able)
    try:
        walked = walk.walk(counting.start(walk), counting.add, group)
        if len(walked.tallies) > MOST_SEQUELS:
            raise TooManyCasesError
        sequels = {hex_: _Sequel() for hex_ in group}
        for tally, chance in walked.tallies.items():
            _follow(battle, walked.states[tally], chance, group, sequels)
    except TooManyCasesError:
        return {hex_: replace(first[hex_], truncated=True) for hex_ in group}
    return {hex_: _with_assault(battle, first[hex_], sequels[hex_]) for hex_ in group}


class _Counting:
    """Keeps one `Assailants` for each hex of a group, in its order."""

    def __init__(self, battle: Battle, group: tuple[HexIndex, ...], able: set[UnitIndex]) -> None:
        self._battle = battle
        self._group = group
        self._able = able
        self._known: dict[tuple[UnitIndex, UnitState], Assailants] = {}

    def start(self, walk: Walk) -> Tally:
        """Of the units that no defensive fire is directed at."""
        return tuple(
            _sum(self._of(index, self._battle.units[index], hex_)
                 for index in assaulters(self._battle, hex_) if index not in walk.targets)
            for hex_ in self._group)

    def add(self, tally: Tally, step: Step, branch: Branch) -> Tally:
        assert isinstance(tally, tuple)
        more = self._of(step.target, branch.state, step.hex)
        place = self._group.index(step.hex)
        return (*tally[:place], tally[place].plus(more), *tally[place + 1:])

    def _of(self, index: UnitIndex, state: UnitState, hex_: HexIndex) -> Assailants:
        key = index, state
        if key not in self._known:
            trial = altered(self._battle, ((index, state),))
            self._known[key] = _assailant(trial, index, hex_, self._able)
        return self._known[key]


def _assailant(position: Position, index: UnitIndex, hex_: HexIndex,
               able: set[UnitIndex]) -> Assailants:
    """[WD 9.A, 10.A, 11.A.1, 14.C.2] One unit's part in the assault of a hex."""
    if index not in assaulters(position, hex_):
        return NOBODY
    fires = index in eng.units_firing(position, hex_, Phase.ASSAULT)
    state = position.units[index]
    return Assailants(
        True,
        eng.conventional_value(position, index, hex_, Phase.ASSAULT) if fires else 0,
        eng.antitank_value(position, index, hex_, Phase.ASSAULT) if fires else 0,
        kind_of(position, index) == Kind.AFV, is_charging(position, index),
        frozenset({state.hex} if fires else ()),
        frozenset((state.hex, name) for name in headquarters_of(position, (index,))),
        ((index, state),) if index in able else ())


def _sum(parts: Iterable[Assailants]) -> Assailants:
    total = NOBODY
    for part in parts:
        total = total.plus(part)
    return total


class _Sequel:
    """The assault of one hex over all that defensive fire may leave of it."""

    def __init__(self) -> None:
        self.happens = Fraction(0)
        self.vacated = Fraction(0)
        self.results: dict[UnitIndex, Results] = {}
        self.volleys: Volleys = {}
        self.known: dict[tuple[Fire, bool, bool], tuple[Walked, Fraction, Volleys]] = {}

    def count(self, battle: Battle, one: Fire, chance: Fraction) -> None:
        attackers = assaulters(battle, one.hex)
        key = (Fire(one.hex, one.conventional, one.antitank),
               any(kind_of(battle, index) == Kind.AFV for index in attackers),
               any(is_charging(battle, index) for index in attackers))
        if key not in self.known:
            steps = steps_of(battle, Phase.ASSAULT, (one,))
            self.known[key] = (*assaulted(battle, one), certain(battle, steps))
        walked, vacated, volleys = self.known[key]
        self.happens += chance
        self.vacated += chance * vacated
        for unit, results in walked.results.items():
            _mix(self.results.setdefault(unit, {}), results, chance)
        for unit, attacks in volleys.items():
            _mix(self.volleys.setdefault(unit, {}), attacks, chance)


def _mix(into: dict[Key, Fraction], parts: Mapping[Key, Fraction], chance: Fraction) -> None:
    for key, part in parts.items():
        into[key] = into.get(key, Fraction(0)) + chance * part


def _follow(battle: Battle, states: States, chance: Fraction, group: tuple[HexIndex, ...],
            sequels: Mapping[HexIndex, _Sequel]) -> None:
    """The assault fire of a group, given what the defensive fire has left."""
    trial = altered(battle, states, tuple(a for a in battle.assaults if a.hex in group))
    trial.record(PhaseBegan(Phase.ASSAULT))
    for one in fire.default_order(trial, Phase.ASSAULT).fires:
        sequels[one.hex].count(trial, one, chance)


def _with_assault(battle: Battle, shown: HexPreview, sequel: _Sequel) -> HexPreview:
    """The preview of a hex with its assault; `firers` are those before the defensive fire."""
    for unit, results in sequel.results.items():
        rest = 1 - sum(results.values(), Fraction(0))
        if rest:
            _mix(sequel.results[unit], {(0, Outcome.NONE): rest}, Fraction(1))
    nominal = next((one for one in fire.default_order(battle, Phase.ASSAULT).fires
                    if one.hex == shown.hex), Fire(shown.hex))
    second = fire_preview(
        battle, Phase.ASSAULT, shown.hex,
        preview_values.firers(battle, Phase.ASSAULT, nominal,
                              eng.supporting_units((nominal,)), ()),
        sequel.results, sequel.volleys)
    return replace(shown, fires=(*shown.fires, second), vacated=sequel.vacated,
                   defender_loss=second.expected_loss)


# ---------------------------------------------------------------- one phase

def defensive(battle: Battle, fires: Sequence[Fire],
              high: tuple[Pool, ...]) -> tuple[HexPreview, ...]:
    """[WD 9.A, 10.A, 14.B.2] Defensive fire as it is ordered."""
    walk = Walk(battle, steps_of(battle, Phase.DEFENSIVE_FIRE, fires))
    return _defended(battle, walk, fires, high, tuple(one.hex for one in fires))


def _defended(battle: Battle, walk: Walk, fires: Sequence[Fire], high: tuple[Pool, ...],
              hexes: tuple[HexIndex, ...]) -> tuple[HexPreview, ...]:
    phase, supporting = Phase.DEFENSIVE_FIRE, eng.supporting_units(fires)
    found = []
    for one in fires:
        if one.hex not in hexes:
            continue
        untouched = any(i not in walk.targets for i in assaulters(battle, one.hex))
        walked = walk.walk(untouched, _still_assaulting(battle), (one.hex,))
        shown = fire_preview(
            battle, phase, one.hex, preview_values.firers(battle, phase, one, supporting, high),
            walked.results, certain(battle, steps_of(battle, phase, (one,))))
        found.append(HexPreview(one.hex, (shown,),
                                repelled=walked.tallies.get(False, Fraction(0)),
                                attacker_loss=shown.expected_loss))
    return tuple(found)


def _still_assaulting(battle: Battle) -> Add:
    """[WD 14.B.2] Whether a unit still assaults the hex."""
    known: dict[tuple[UnitIndex, UnitState], bool] = {}

    def add(tally: Tally, step: Step, branch: Branch) -> Tally:
        key = step.target, branch.state
        if key not in known:
            trial = altered(battle, (key,))
            known[key] = step.target in assaulters(trial, step.hex)
        return tally is True or known[key]
    return add


def still_there(tally: Tally, _step: Step, branch: Branch) -> Tally:
    """Whether some unit stays in the hex."""
    return tally is True or not branch.left


def assaulted(battle: Battle, one: Fire) -> tuple[Walked, Fraction]:
    """[WD 9.A, 10.A, 14.B.3, 14.C.2] Assault fire in a hex, and the chance that it is vacated.

    TooManyCasesError if there are too many cases.
    """
    steps = steps_of(battle, Phase.ASSAULT, (one,))
    touched = {step.target for step in steps}
    stays = any(index not in touched for index in eng.defenders(battle, one.hex))

    walked = Walk(battle, steps).walk(stays, still_there, (one.hex,))
    return walked, walked.tallies.get(False, Fraction(0))


# ---------------------------------------------------------------- as it is told

def certain(position: Position, steps: Iterable[Step]) -> Volleys:
    """The attacks of steps that will be taken as they are."""
    found: Volleys = {}
    for step in steps:
        attacks = preview_values.attacks(position, step)
        if attacks:
            found[step.target] = {attacks: Fraction(1)}
    return found


def fire_preview(position: Position, phase: Phase, hex_: HexIndex,
                 firers: tuple[FirerPreview, ...], results: Mapping[UnitIndex, Results],
                 volleys: Volleys) -> FirePreview:
    """Targets in the order in which they are resolved; those that nothing can befall left out."""
    targets = tuple(
        _target(position, phase, hex_, unit, own, volleys.get(unit, {}))
        for unit, own in results.items()
        if unit in volleys or set(own) != {(0, Outcome.NONE)})
    return FirePreview(phase, firers, targets, (),
                       sum((target.expected_loss for target in targets), Fraction(0)))


def _target(position: Position, phase: Phase, hex_: HexIndex, unit: UnitIndex, results: Results,
            volleys: Mapping[tuple[AttackPreview, ...], Fraction]) -> TargetPreview:
    return TargetPreview(
        unit, position.units[unit].strength,
        () if phase == Phase.BARRAGE else preview_values.defences(position, unit),
        preview_values.is_below(position, hex_, phase, unit), position.catalog.units[unit].morale,
        preview_values.conditions(position, phase, hex_, unit),
        tuple(Volley(chance, attacks) for attacks, chance in sorted(
            volleys.items(), key=lambda item: (-item[1], [a.value for a in item[0]]))),
        tuple(ResultChance(lost, outcome, chance)
              for (lost, outcome), chance in sorted(results.items()) if chance),
        sum((lost * chance for (lost, _), chance in results.items()), Fraction(0)))
