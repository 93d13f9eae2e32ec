"""[WD 6] The movement phase: actions in their order, and what each unit has spent on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from lovat_server.core.violations import Reason, Violation

from . import abandonment, bridges, rail, refusals, special_units, stacking
from .antitank_fire import fire_on_leaving
from .battle import Battle
from .events import (
    IceTested,
    StackArranged,
    StrengthLost,
    UnitDeployed,
    UnitEliminated,
    UnitMoved,
    UnitRailed,
    UnitStopped,
)
from .fire import discovered_attack
from .orders import (
    Abandon,
    Action,
    Arrange,
    BuildBridge,
    Deploy,
    DestroyBridge,
    Exit,
    March,
    Rail,
)
from .state import is_eliminated
from .terms import MP, OFF_MAP, Cause, ImpulseKind, Status
from .terrain import Step, needs_ice_die
from .travel import Manner, Walk, manner_of, terms_for, walk
from .wording import hex_name, points, unit_name


def units_of(action: Action) -> tuple[int, ...]:
    """The units an action names, in its order."""
    return (action.unit,) if isinstance(action, BuildBridge | DestroyBridge) else action.units


class MovementPhase:
    """The movement phase while its actions are done on a battle.

    `spent` is in 1/120 MP. Judge an action against what went before, then perform it: with dice
    where `chance` is True, else as if no die ever went against the mover.
    """

    def __init__(self, battle: Battle, *, chance: bool) -> None:
        self.battle = battle
        self.chance = chance
        self.spent: dict[int, int] = {}
        self.came_from: dict[int, list[int]] = {}     # hexes a unit has been in this phase
        self.moved_by: dict[int, int] = {}            # the action that last moved a unit
        self.ended: set[int] = set()                  # may not move further
        self.dice_needed = False
        self.went_otherwise = False                   # a die went against the mover
        self.legal = 0                                # actions found legal before one did
        self.walked: dict[tuple[int, tuple[int, ...]], Walk] = {}   # of the march judged last

    # -- judging -----------------------------------------------------------------------------

    def left(self, index: int) -> int:
        """[WD 6.A] What a unit may still spend, in 1/120 MP."""
        return self.battle.declared * MP - self.spent.get(index, 0)

    def judge(self, action: Action, path: str) -> list[Violation]:
        """[WD 5, 6, 8, 20, 23] Every rule that one action breaks now."""
        battle = self.battle
        if isinstance(action, Arrange):
            return self._judge_arrange(action, path)
        single = isinstance(action, BuildBridge | DestroyBridge)
        found = self._judge_units(units_of(action), path, single=single)
        if battle.kind == ImpulseKind.PASS and not isinstance(action, Rail | Abandon):
            found.append(Violation(Reason.IMPULSE, "WD 5", path,
                                   "A pass allows barrage and rail movement only."))
        if found:
            return found
        match action:
            case March():
                return self._judge_march(action, path)
            case Rail():
                return self._judge_rail(action, path)
            case BuildBridge():
                return bridges.judge_build(battle, action.unit, path) or \
                    self.judge_points(action.unit, MP, path, "WD 20.B")
            case DestroyBridge():
                return bridges.judge_destroy(battle, action.unit, path) or \
                    self.judge_points(action.unit, MP, path, "WD 20.A")
        judges: dict[type, Callable[[int, str], list[Violation]]] = {
            Deploy: self._judge_deploy, Abandon: partial(abandonment.judge_abandon, battle),
            Exit: partial(abandonment.judge_exit, battle)}
        return [violation for place, index in enumerate(action.units)
                for violation in judges[type(action)](index, f"{path}.units[{place}]")]

    def judge_points(self, index: int, cost: int, path: str, clause: str) -> list[Violation]:
        """[WD 6.A-B] No unit spends more than the impulse has."""
        left = self.left(index)
        if cost <= left:
            return []
        name = unit_name(self.battle.catalog, index)
        return [Violation(
            Reason.POINTS, clause, path,
            f"{name} has {points(left)} MP left; this costs {points(cost)}.",
            {"left": points(left), "cost": points(cost),
             "unit": self.battle.catalog.units[index].id})]

    def may_deploy(self, index: int) -> bool:
        """[WD 6.B.2]"""
        return not self._judge_deploy(index, "")

    def _judge_units(self, units: tuple[int, ...], path: str, *, single: bool) -> list[Violation]:
        battle, found = self.battle, []
        if not units:
            found.append(Violation(Reason.INCOMPLETE, "WD 6.A", f"{path}.units",
                                   "The action names no unit."))
        for place, index in enumerate(units):
            if battle.catalog.units[index].side != battle.side:
                reason, why = Reason.WRONG_SIDE, "does not belong to the phasing side."
            elif is_eliminated(battle.units[index]):
                reason, why = Reason.NOT_AVAILABLE, "has been eliminated."
            elif index in units[:place]:
                reason, why = Reason.DUPLICATE, "is named twice."
            else:
                continue
            where = f"{path}.unit" if single else f"{path}.units[{place}]"
            found.append(Violation(reason, "WD 6.A", where,
                                   f"{unit_name(battle.catalog, index)} {why}"))
        return found

    def _judge_march(self, action: March, path: str) -> list[Violation]:
        battle, catalog = self.battle, self.battle.catalog
        found = []
        self.walked.clear()
        if not action.path:
            return [Violation(Reason.INCOMPLETE, "WD 6.A", f"{path}.path", "The path is empty.")]
        starts = {battle.units[index].hex for index in action.units}
        if len(starts) > 1:
            found.append(Violation(
                Reason.NOT_AVAILABLE, "WD 6.A", f"{path}.units",
                "Units that march together must start from one hex, not "
                + ", ".join(sorted(hex_name(catalog, hex_) for hex_ in starts)) + "."))
            return found
        for place, index in enumerate(action.units):
            where = f"{path}.units[{place}]"
            if index in self.ended:
                found.append(Violation(
                    Reason.ZONE_OF_CONTROL, "WD 3", where,
                    f"{unit_name(catalog, index)} has ended its movement for this phase."))
                continue
            walked = walk(battle, index, action.path, self._manner(action, index))
            self.walked[index, action.path] = walked
            if walked.refusal is not None:
                found.append(refusals.violation(battle, index, action.path, walked.refusal, path))
            cost = sum([step.cost for step in walked.steps]) \
                + self._buy_off(action, index, walked.steps)
            found.extend(self.judge_points(index, cost, where, "WD 6.A"))
            if action.pay_to_leave and not self._may_buy_off(index):
                found.append(Violation(
                    Reason.ZONE_OF_CONTROL, "WD 3.A", f"{path}.pay_to_leave",
                    f"{unit_name(catalog, index)} may pay to leave an enemy zone of control only "
                    "as an AFV unit that began the phase in one."))
        found.extend(special_units.judge_infiltration(battle, action, path))
        return found

    def _manner(self, action: March, index: int) -> Manner:
        if special_units.is_infiltration(self.battle, action.units):
            return Manner.INFILTRATING
        return manner_of(self.battle, index)

    def _may_buy_off(self, index: int) -> bool:
        """[WD 3.A] An AFV unit that has not moved and stands in an enemy zone."""
        battle = self.battle
        if index in self.came_from or battle.units[index].hex == OFF_MAP:
            return False
        manner = manner_of(battle, index)
        return manner == Manner.AFV and bool(
            terms_for(battle, index, manner).zone[battle.units[index].hex])

    def _buy_off(self, action: March, index: int, steps: Sequence[Step]) -> int:
        wanted = action.pay_to_leave and self._may_buy_off(index)
        return MP if wanted and steps and steps[0].leaves_zone else 0

    def _judge_rail(self, action: Rail, path: str) -> list[Violation]:
        found = rail.judge(self.battle, action.units, action.destination, path)
        for place, index in enumerate(action.units):
            where = f"{path}.units[{place}]"
            if index in self.ended:
                found.append(Violation(
                    Reason.ZONE_OF_CONTROL, "WD 3", where,
                    f"{unit_name(self.battle.catalog, index)} has ended its movement."))
            found.extend(self.judge_points(index, MP, where, "WD 8"))
        return found

    def _judge_deploy(self, index: int, path: str) -> list[Violation]:
        battle = self.battle
        printed, unit = battle.catalog.units[index], battle.units[index]
        name = unit_name(battle.catalog, index)
        if not printed.is_artillery or unit.status & Status.ABANDONED:
            return [Violation(Reason.DEPLOYMENT, "WD 6.B.2", path,
                              f"{name} is not capable of indirect fire and does not deploy.")]
        if unit.hex == OFF_MAP:
            return [Violation(Reason.NOT_AVAILABLE, "WD 6.B.2", path, f"{name} is off the map.")]
        if unit.status & Status.DEPLOYED:
            return [Violation(Reason.DEPLOYMENT, "WD 6.B.2", path, f"{name} is deployed already.")]
        return self.judge_points(index, MP, path, "WD 6.B.2")

    def _judge_arrange(self, action: Arrange, path: str) -> list[Violation]:
        """[WD 4.C] The owner may order a stack of his own."""
        stack = self.battle.stack(action.hex)
        if sorted(stack) == sorted(action.units) and stack \
                and self.battle.catalog.units[stack[0]].side == self.battle.side:
            return []
        return [Violation(Reason.STACKING, "WD 4.C", f"{path}.units",
                          f"The units named are not the phasing side's whole stack in "
                          f"{hex_name(self.battle.catalog, action.hex)}.")]

    def judge_stacking(self) -> list[Violation]:
        """[WD 4] Limits at the end of the phase, where this phase has put units.

        Each violation is placed at the last action that brought a unit there.
        """
        battle = self.battle
        last = {battle.units[index].hex: place for index, place in self.moved_by.items()}
        return [
            stacking.violation(battle, hex_, battle.stack(hex_), f"actions[{place}]")
            for hex_, place in sorted(last.items())
            if hex_ >= 0 and not stacking.fits(battle.catalog, battle.stack(hex_))
        ]

    # -- performing --------------------------------------------------------------------------

    def perform(self, action: Action, place: int) -> None:
        """Do an action that was judged and found legal; `place` is its place in the order."""
        battle = self.battle
        if isinstance(action, March | Rail):
            for index in action.units:
                self.moved_by.pop(index, None)
                self.moved_by[index] = place
        match action:
            case March():
                self._march(action)
            case Rail():
                for index in action.units:
                    self._rail(index, action.destination)
            case Deploy():
                for index in action.units:
                    self._spend(index, MP)
                    battle.record(UnitDeployed(index))
            case BuildBridge():
                self._spend(action.unit, MP)
                bridges.build(battle, action.unit)
            case DestroyBridge():
                self._spend(action.unit, MP)
                bridges.destroy(battle, action.unit)
            case Arrange():
                battle.record(StackArranged(action.hex, action.units))
            case Abandon():
                for index in action.units:
                    abandonment.abandon(battle, index)
            case Exit():
                for index in action.units:
                    abandonment.leave(battle, index)

    def _spend(self, index: int, cost: int) -> None:
        self.spent[index] = self.spent.get(index, 0) + cost

    def _rail(self, index: int, destination: int) -> None:
        battle = self.battle
        unit = battle.units[index]
        path = rail.destinations(battle, index)[destination]
        self._spend(index, MP)
        self.came_from.setdefault(index, []).append(unit.hex)
        battle.record(UnitRailed(index, unit.hex, path, unit.strength))

    def _march(self, action: March) -> None:
        if special_units.is_infiltration(self.battle, action.units) and \
                special_units.is_challenged(self.battle, action):
            self.dice_needed = True
            if self.chance:
                self._infiltrate(action)
                return
        for index in action.units:
            self._travel(index, action)

    def _infiltrate(self, action: March) -> None:
        """[WD 21.C] A discovered column stops; among the enemy it is attacked and thrown back.

        NOTE(WD 21.C): where the hex it came from holds the enemy too, it goes on back along its
        path to the first that does not.
        """
        battle = self.battle
        found_at = special_units.test_column(battle, action.units, action.path)
        self.went_otherwise |= found_at is not None
        if found_at is None:
            for index in action.units:
                self._travel(index, action)
            return
        hex_ = action.path[found_at]
        among_enemy = battle.has_enemy(battle.side, hex_)
        kept = found_at + 1
        while kept and battle.has_enemy(battle.side, action.path[kept - 1]):
            kept -= 1
        gone = replace(action, path=action.path[:kept])
        for index in action.units:
            self._travel(index, gone)
        if among_enemy:
            discovered_attack(battle, action.units, hex_)
        for index in action.units:
            self._stop(index, "WD 21.C")

    def _travel(self, index: int, action: March) -> None:
        """[WD 3.A, 6.A, 13] One unit along its path, with the dice met on the way."""
        walked = self.walked.pop((index, action.path), None)
        if walked is None:
            walked = walk(self.battle, index, action.path, self._manner(action, index))
        paid = self._buy_off(action, index, walked.steps)
        run = Run(self, index, paid)
        if not self.battle.catalog.units[index].is_afv:
            run.take(walked.steps)
        elif not self._drive(run, walked.steps, self._manner(action, index)):
            return
        run.pause()
        if walked.stopped:
            self.ended.add(index)

    def _drive(self, run: Run, steps: Sequence[Step], manner: Manner) -> bool:
        """[WD 3.A, 13] The steps of an AFV, with its dice; False if it does not get to the end."""
        battle, index, paid = self.battle, run.index, run.cost > 0
        for place, step in enumerate(steps):
            if manner == Manner.AFV and step.leaves_zone and not (paid and place == 0):
                self.dice_needed = True
                if self.chance:
                    run.pause()
                    strength = battle.units[index].strength
                    stopped = fire_on_leaving(battle, index, step.start)
                    self.went_otherwise |= battle.units[index].strength < strength
                    if stopped:
                        self._stop(index, "WD 3.A")
                        return False
            run.take((step,))
            if step.direction >= 0 and needs_ice_die(
                    battle.catalog, battle.weather, step.start, step.direction):
                self.dice_needed = True
                if self.chance:
                    run.pause()
                    if self._ice(index, step):
                        return False
        return True

    def _stop(self, index: int, clause: str) -> None:
        self.ended.add(index)
        if not is_eliminated(self.battle.units[index]):
            self.battle.record(UnitStopped(index, self.battle.units[index].hex, clause))

    def _ice(self, index: int, step: Step) -> bool:
        """[WD 13.A-B] One die for the hexside; True if the unit is lost."""
        battle = self.battle
        die = battle.dice.roll()
        battle.record(IceTested(index, step.start, step.end, die))
        if die > 1:
            return False
        self.went_otherwise = True
        unit = battle.units[index]
        battle.record(StrengthLost(index, 1, Cause.ICE, bool(unit.status & Status.ISOLATED)))
        if battle.units[index].strength:
            return False
        battle.record(UnitEliminated(index, step.end))
        return True


class Run:
    """Steps of one unit that are recorded together as one event."""

    def __init__(self, phase: MovementPhase, index: int, cost: int) -> None:
        self.phase = phase
        self.index = index
        self.cost = cost
        self.start = phase.battle.units[index].hex
        self.path: list[int] = []

    def take(self, steps: Sequence[Step]) -> None:
        self.path += [step.end for step in steps]
        self.cost += sum([step.cost for step in steps])

    def pause(self) -> None:
        """Record the steps so far, if any."""
        if not self.path:
            return
        phase = self.phase
        phase._spend(self.index, self.cost)
        phase.came_from.setdefault(self.index, []).extend([self.start, *self.path[:-1]])
        phase.battle.record(UnitMoved(self.index, self.start, tuple(self.path), self.cost))
        self.start, self.path, self.cost = self.path[-1], [], 0
