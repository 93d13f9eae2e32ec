"""What the greedy bot makes of a view: who stands where, how strong, and what is worth taking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lovat.white_death.v1 import answers_pb2, catalog_pb2, terms_pb2

from .board import FAR, Board, is_weapons

CONFIDENCE = 3
"""The strength that a unit is taken to have if its stack has not been looked into."""

NEAR_CITY = 5


@dataclass(frozen=True)
class Target:
    """An enemy hex as it seems from outside."""

    hex: int
    count: int
    strength: int
    defence: int
    worth: float
    bunkered: bool

    def odds(self, fire: float) -> float:
        """Fire against each unit of the hex, over its defence."""
        return fire / (self.defence * max(self.count, 1))

    def gain(self, fire: float) -> float:
        """What an assault with this fire may be hoped to win, in tenths of a victory point."""
        if self.count == 0:
            return self.worth
        chance = min(self.odds(fire) / 3, 0.9)
        return chance * (self.worth + self.strength / 2) - self.risk()

    def risk(self) -> float:
        """What the defender's fire costs, in the same measure."""
        own = 10 if self.bunkered else 0
        return (self.strength + own) / 6


class Situation:
    """One view, with the questions of one decision answered once."""

    def __init__(self, board: Board, seen: answers_pb2.View) -> None:
        self.board = board
        self.seen = seen
        self.side = seen.side
        self.is_soviet = seen.side == terms_pb2.SIDE_SOVIET
        self.places = {unit.unit: unit.hex for unit in seen.own if unit.strength}
        self.strengths = {unit.unit: unit.strength for unit in seen.own}
        self.deployed = {unit.unit for unit in seen.own
                         if unit.status & terms_pb2.STATUS_FLAG_DEPLOYED}
        self.enemy = {stack.hex: stack for stack in seen.enemy}
        self.bunkers = {number for number, strength in
                        zip(board.bunkers, seen.bunkers, strict=False) if strength}
        self.beside_enemy = {other for number in self.enemy
                             for other in board.around.get(number, ())}

    @cached_property
    def to_enemy(self) -> dict[int, int]:
        """How far every hex is from the nearest enemy."""
        return self.board.field(self.enemy)

    @cached_property
    def targets(self) -> dict[int, Target]:
        """What may be assaulted, as it seems."""
        return self._targets()

    def supply(self, pool: int) -> int:
        """The supply points of a pool."""
        return self.seen.supply[pool - 1] if len(self.seen.supply) >= pool else 0

    def fire(self, unit: str, target: int) -> float:
        """What a unit adds to an assault."""
        return self.board.fire(self.board.units[unit], self.strengths.get(unit, 0), target)

    def goals(self, role: int) -> dict[int, int]:
        """How far every hex is from what a role goes for."""
        board = self.board
        standing = {number for number in self.places.values() if number}
        railroad = set(board.railroad_towns) - standing
        city = (self.bunkers | set(board.city)) & (set(self.enemy) | self.bunkers)
        if role == 0 and railroad:
            return board.field(railroad)
        if role == 1 and city:
            return board.field(city)
        outside = [number for number in self.enemy if number not in city]
        return board.field(outside or city or railroad or self.enemy)

    def threatened(self) -> dict[int, int]:
        """How far every hex is from the places that the enemy is nearest to taking."""
        board = self.board
        places = [number for number, hex_ in board.hexes.items() if hex_.town]
        worth = sorted(places, key=lambda number: (
            self.to_enemy.get(number, FAR) - 8 * board.hexes[number].railroad_town, number))
        return board.field(worth[:6])

    def _targets(self) -> dict[int, Target]:
        found = {number: self._target(number, stack) for number, stack in self.enemy.items()
                 if number in self.board.hexes}
        if self.is_soviet:
            for number in self.bunkers - set(found):
                if number not in self.places.values():
                    found[number] = Target(number, 0, 0, self.board.defence(number, True), 100,
                                           bunkered=True)
        return found

    def _target(self, number: int, stack: answers_pb2.EnemyStack) -> Target:
        board = self.board
        bunkered = self.is_soviet and number in self.bunkers
        if stack.revealed:
            strength = sum(unit.strength for unit in stack.revealed)
        else:
            top = board.units.get(stack.top)
            strength = (top.strength if top else CONFIDENCE) + CONFIDENCE * (stack.count - 1)
        hex_ = board.hexes[number]
        worth = 8.0 * stack.count + (100 if bunkered else 0) + (60 if hex_.railroad_town else 0)
        worth += 10 if hex_.town else 0
        return Target(number, stack.count, strength, board.defence(number, bunkered), worth,
                      bunkered)


def assaults_at_all(unit: catalog_pb2.Unit) -> bool:
    """Whether a unit is of use in an assault: guns are not."""
    return not is_weapons(unit) and not unit.defensive_only
