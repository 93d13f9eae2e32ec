"""What the planner makes of a view: who stands where, what he knows of the enemy, what it is worth.

Everything is reckoned in victory points of the scenario, from the side that looks.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from lovat.white_death.v1 import answers_pb2, catalog_pb2, terms_pb2

from .board import EIGHTHS, Board, is_weapons
from .planner_odds import Odds
from .planner_travel import Travel

UNKNOWN_STRENGTH: dict[int, int] = {terms_pb2.SIDE_SOVIET: 5, terms_pb2.SIDE_GERMAN: 3}
UNKNOWN_FIRE: dict[int, float] = {terms_pb2.SIDE_SOVIET: 1.0, terms_pb2.SIDE_GERMAN: 2.5}
MORALE = 8
FIRM_BUNKER = 3
"""The strength from which a bunker frees those in it from checks of their morale (WD 14.C.6)."""

_LOSS_WORTH = 0.05  # victory points a strength point is worth where the scenario counts none
_IMPULSES_A_TURN = 3
_BARRAGES_A_TURN = 1.5
_SALVO = 180.0  # the points of a barrage by which the worth of one is reckoned
_BUNKER = 10.0


@dataclass(frozen=True, slots=True)
class Foe:
    """One unit of an enemy stack; `printed` is None for one that has never been seen."""

    printed: catalog_pb2.Unit | None
    strength: int
    fire: float
    """Its conventional fire on the defence, in points."""

    @property
    def is_afv(self) -> bool:
        return self.printed is not None and self.printed.kind == terms_pb2.KIND_AFV

    @property
    def antitank(self) -> float:
        """Its antitank fire, in points."""
        return self.printed.antitank * self.strength / EIGHTHS if self.printed else 1.0

    @property
    def barrage(self) -> float:
        """Its barrage value, in points."""
        return self.printed.barrage * self.strength if self.printed is not None else 0.0

    @property
    def is_weapons(self) -> bool:
        return self.printed is not None and is_weapons(self.printed)

    @property
    def morale(self) -> int:
        return self.printed.morale if self.printed is not None else MORALE


@dataclass(slots=True)
class Memory:
    """What has been seen of the enemy so far: unit, hex, strength. One for a whole game."""

    known: dict[str, tuple[int, int]] = field(default_factory=dict)
    is_begun: bool = False

    def look(self, board: Board, seen: answers_pb2.View) -> None:
        """Take in a view. The documented set-up is what is expected before the first."""
        if not self.is_begun:
            self.is_begun = True
            for placed in board.catalog.scenario.standard_set_up:
                printed = board.units.get(placed.unit)
                if printed is not None and printed.side != seen.side:
                    self.known[placed.unit] = placed.hex, printed.strength
        for stack in seen.enemy:
            for unit in stack.revealed:
                self.known[unit.unit] = stack.hex, unit.strength
            for name in (stack.top, *stack.deployed):
                if name in board.units:
                    strength = self.known.get(name, (0, board.units[name].strength))[1]
                    self.known[name] = stack.hex, strength

    def stack(self, board: Board, stack: answers_pb2.EnemyStack, side: int) -> list[Foe]:
        """Who is in an enemy stack, as far as can be told; as many as it has units."""
        if stack.revealed:
            return [_foe(board.units[unit.unit], unit.strength) for unit in stack.revealed]
        names = [stack.top, *(name for name in sorted(stack.deployed) if name != stack.top)]
        names += sorted(name for name, (hex_, _) in self.known.items()
                        if hex_ == stack.hex and name not in names)
        found = [_foe(board.units[name], self.known.get(name, (0, 1))[1] or 1)
                 for name in names[:stack.count] if name in board.units]
        strength, fire = UNKNOWN_STRENGTH[side], UNKNOWN_FIRE[side]
        while len(found) < stack.count:
            found.append(Foe(None, strength, strength * fire))
        return found


def _foe(printed: catalog_pb2.Unit, strength: int) -> Foe:
    fire = 0.0 if not printed.conventional else printed.conventional * strength / EIGHTHS
    return Foe(printed, strength, fire)


class Picture:
    """One view, with the questions of one decision answered once.

    `reach` is set in the movement phase: by unit where it may end, and what that costs.
    """

    def __init__(self, board: Board, odds: Odds, travel: Travel, memory: Memory,
                 seen: answers_pb2.View) -> None:
        self.board = board
        self.odds = odds
        self.travel = travel
        self.memory = memory
        self.seen = seen
        self.side = seen.side
        self.is_soviet = seen.side == terms_pb2.SIDE_SOVIET
        self.foes_side = (terms_pb2.SIDE_GERMAN if self.is_soviet else terms_pb2.SIDE_SOVIET)
        self.states = {unit.unit: unit for unit in seen.own if unit.strength}
        self.places = {unit.unit: unit.hex for unit in seen.own if unit.strength}
        self.strengths = {unit.unit: unit.strength for unit in seen.own}
        self.enemy = {stack.hex: stack for stack in seen.enemy if stack.hex in board.hexes}
        self.bunkers = {number: strength for number, strength in
                        zip(board.bunkers, seen.bunkers, strict=False) if strength}
        self.thaw = seen.weather == terms_pb2.WEATHER_THAW
        self.bridges = frozenset(bridge.hex for bridge in seen.bridges)
        self.reach: Mapping[str, Mapping[int, int]] = {}
        self._foes: dict[int, list[Foe]] = {}
        self._fields: dict[tuple[int, tuple[int, ...]], dict[int, int]] = {}

    # ------------------------------------------------------------ places

    def own_stack(self, number: int) -> list[str]:
        """The own units in a hex."""
        return self._own_stacks.get(number, [])

    @cached_property
    def _own_stacks(self) -> dict[int, list[str]]:
        found: dict[int, list[str]] = {}
        for unit, number in self.places.items():
            if number:
                found.setdefault(number, []).append(unit)
        return found

    @cached_property
    def enemy_zone(self) -> set[int]:
        """Hexes beside enemy units, towns left out (WD 3.D); an overlay says it more exactly."""
        return {other for number in self.enemy for other in self.board.around[number]
                if not self.board.hexes[other].town}

    @cached_property
    def beside_enemy(self) -> set[int]:
        """Hexes from which an enemy unit may be assaulted, and that it may assault."""
        return {other for number in self.enemy for other in self.board.around[number]}

    @cached_property
    def to_enemy(self) -> dict[int, int]:
        """How many hexes every hex is from the nearest enemy."""
        return self.board.field(self.enemy)

    @cached_property
    def closed(self) -> set[int]:
        """Hexes that own units cannot move into."""
        return set(self.enemy) | (set(self.bunkers) if self.is_soviet else set())

    def way_to(self, mobility: int, goals: Iterable[int]) -> dict[int, int]:
        """What it costs a kind of unit to come to the nearest goal, from every hex."""
        key = mobility, tuple(sorted(set(goals)))
        if key not in self._fields:
            self._fields[key] = self.travel.field(
                mobility, key[1], thaw=self.thaw, bridges=self.bridges, closed=self.closed,
                zone=self.enemy_zone)
        return self._fields[key]

    def foes(self, number: int) -> list[Foe]:
        """Who is in an enemy hex, as far as can be told."""
        if number not in self._foes:
            stack = self.enemy.get(number)
            self._foes[number] = [] if stack is None else self.memory.stack(
                self.board, stack, self.foes_side)
        return self._foes[number]

    def supply(self, pool: int) -> int:
        """The supply points of a pool."""
        return self.seen.supply[pool - 1] if len(self.seen.supply) >= pool else 0

    @property
    def pool(self) -> int:
        """The pool that pays for the units in the field."""
        return terms_pb2.POOL_SOVIET if self.is_soviet else terms_pb2.POOL_GERMAN

    def is_garrison(self, unit: str) -> bool:
        """Whether a unit stands in the city and so lives on its pool."""
        hex_ = self.board.hexes.get(self.places.get(unit, 0))
        return not self.is_soviet and hex_ is not None and hex_.city

    # ------------------------------------------------------------ what it is worth

    @cached_property
    def own_loss(self) -> float:
        """Victory points that one own strength point is worth."""
        return self._loss(self.is_soviet)

    @cached_property
    def enemy_loss(self) -> float:
        """Victory points that one enemy strength point is worth."""
        return self._loss(not self.is_soviet)

    def _loss(self, of_soviet: bool) -> float:
        schedule = self.board.catalog.scenario.victory
        each = schedule.soviet_losses_per_point if of_soviet else schedule.german_losses_per_point
        return 1 / each if each else _LOSS_WORTH

    @cached_property
    def turns_left(self) -> int:
        """Turns after this one."""
        return max(0, self.board.catalog.scenario.last_turn - self.seen.turn)

    @cached_property
    def impulses_left(self) -> int:
        """About how many Soviet impulses the game still has."""
        points = self.seen.points[0] if self.seen.points else 0
        return min(1 + points // 2, 6) + _IMPULSES_A_TURN * self.turns_left

    @cached_property
    def stakes(self) -> dict[int, float]:
        """What it is worth to hold a hex to the end rather than have the enemy hold it."""
        scenario, found = self.board.catalog.scenario, {}
        for number in self.board.railroad_towns:
            found[number] = scenario.victory.railroad_town * float(self.impulses_left)
        for number in self.bunkers:
            found[number] = found.get(number, 0.0) + scenario.victory.bunker
        for name, points in scenario.victory.towns_held.items():
            for hex_ in self.board.catalog.map.hexes:
                if hex_.name == name:
                    found[hex_.hex] = found.get(hex_.hex, 0.0) + points
        if scenario.victory.city_isolated:
            for number in self.board.city:
                found.setdefault(number, 2.0)
        return {number: worth for number, worth in found.items() if worth > 0}

    @cached_property
    def guns(self) -> dict[int, float]:
        """Hexes of known enemy guns, with the barrage value in each."""
        found = {number: sum(foe.barrage for foe in self.foes(number)) for number in self.enemy}
        return {number: value for number, value in found.items() if value > 0}

    def point_worth(self, foe: Foe) -> float:
        """Victory points that one strength point of an enemy unit is worth.

        For the Germans those of guns count for the bunkers that they would still shoot to pieces.
        """
        if self.is_soviet or not self.bunkers or not foe.barrage:
            return self.enemy_loss
        schedule = self.board.catalog.scenario.victory
        share = self.odds.bunker_loss(_SALVO) / _SALVO * foe.barrage / foe.strength
        return self.enemy_loss + share * schedule.bunker / _BUNKER * _BARRAGES_A_TURN * (
            self.turns_left + 0.5)

    @cached_property
    def rail_held(self) -> list[int]:
        """Railroad towns with own units in them."""
        return [number for number in self.board.railroad_towns if self.own_stack(number)]

    def defence(self, foe: Foe, number: int) -> float:
        """The defence value of an enemy unit that is no AFV in its hex, in points."""
        bunkered = self.is_soviet and number in self.bunkers
        if foe.is_weapons:
            return 15 if bunkered else 7 if self.board.hexes[number].town else 3.5
        return self.board.defence(number, bunkered)

    def can_fire(self, unit: str) -> bool:
        """Whether a unit adds fire to an assault."""
        printed = self.board.units[unit]
        return not printed.defensive_only and bool(printed.conventional) \
            and not is_weapons(printed)

    def fire(self, unit: str, target: int) -> float:
        """What a unit adds to an assault of a hex, in points."""
        halved = self.states[unit].status & terms_pb2.STATUS_FLAG_ISOLATED
        value = self.board.fire(self.board.units[unit], self.strengths[unit], target)
        return value / 2 if halved else value

    def guard(self, unit: str) -> float:
        """What a unit adds to the defence of the hex it stands in, in points."""
        printed = self.board.units[unit]
        return printed.conventional * self.strengths.get(unit, 0) / EIGHTHS
