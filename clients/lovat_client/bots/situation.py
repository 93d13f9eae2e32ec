"""What the greedy bot makes of a view: who stands where, how strong, and what is worth taking."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from lovat.white_death.v1 import answers_pb2, catalog_pb2, terms_pb2

from . import odds as odds_of
from .board import FAR, Board, is_weapons

CONFIDENCE = 3
"""The strength that a unit is taken to have if its stack has not been looked into."""

PROTECTING_BUNKER = 3
GERMAN_FACTOR, SOVIET_FACTOR = 3.0, 1.2
"""The conventional factor that a point of an unknown unit is taken to have."""

GERMAN_PRICE, SOVIET_PRICE = 1.0, 0.5
"""What a strength point is worth, in tenths of a victory point."""

OPEN_GROUND = 6

TENTHS = 10
GROUND, TOWN, RAILROAD, BUNKER = 4.0, 10.0, 60.0, 100.0
"""What it is worth to clear a hex, for its own sake and for what lies there, in that measure."""


RELIEF = 300.0
"""What it is worth to clear a hex beside a city that is cut off; less the farther away."""

ISOLATED = terms_pb2.STATUS_FLAG_ISOLATED


@dataclass(frozen=True)
class Target:
    """An enemy hex as it seems from outside; `bunker` is the strength that its bunker has left."""

    hex: int
    count: int
    strength: int
    defence: int
    worth: float
    is_german: bool
    bunker: int = 0

    @property
    def is_sheltered(self) -> bool:
        """Whether its units need not check their morale (WD 14.C.6)."""
        return self.bunker >= PROTECTING_BUNKER

    def odds(self, fire: float) -> float:
        """Fire against each unit of the hex, over its defence."""
        return fire / (self.defence * max(self.count, 1))

    def gain(self, fire: float, attackers: int) -> float:
        """What an assault with this fire may be hoped to win, in tenths of a victory point."""
        if self.count == 0:
            return self.worth
        odds = self.odds(fire)
        taken = odds_of.loss(odds, self.strength / self.count, steady=self.is_sheltered)
        cleared = 0.0 if self.is_sheltered else odds_of.leaves(odds) ** self.count
        price = GERMAN_PRICE if self.is_german else SOVIET_PRICE
        return price * self.count * taken + cleared * self.worth - self.risk(attackers)

    def risk(self, attackers: int) -> float:
        """What the defender's fire costs, in the same measure."""
        factor = GERMAN_FACTOR if self.is_german else SOVIET_FACTOR
        fire = factor * self.strength + self.bunker
        lost = odds_of.loss(fire / (OPEN_GROUND * max(attackers, 1)), CONFIDENCE)
        return attackers * lost * (SOVIET_PRICE if self.is_german else GERMAN_PRICE)


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
        self.bunkers = {number: strength for number, strength in
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

    @cached_property
    def siege(self) -> int:
        """The bunker that all Soviet guns batter: the weakest, of equals the nearest to them.

        0 if none stands.
        """
        guns = [self.places[name] for name in self.places
                if self.places[name] and self.board.units[name].range]

        def ease(number: int) -> tuple[int, int, int]:
            reach = sum(self.board.layout.distance(number, gun) for gun in guns)
            return self.bunkers[number], reach, number

        return min(self.bunkers, key=ease, default=0)

    @cached_property
    def to_siege(self) -> dict[int, int]:
        """How far every hex is from that bunker."""
        return self.board.field([self.siege])

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
        city = {number for number in (*self.bunkers, *board.city)
                if number in self.enemy or number in self.bunkers}
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

    @cached_property
    def is_cut_off(self) -> bool:
        """Whether the garrison of the city is isolated, or only supplied by air."""
        city = set(self.board.city)
        return not self.is_soviet and any(
            unit.hex in city and (self.seen.sustained or unit.status & ISOLATED)
            for unit in self.seen.own if unit.strength)

    @cached_property
    def to_city(self) -> dict[int, int]:
        """How far every hex is from the city."""
        return self.board.field(self.board.city)

    def _targets(self) -> dict[int, Target]:
        found = {number: self._target(number, stack) for number, stack in self.enemy.items()
                 if number in self.board.hexes}
        if self.is_soviet:
            standing = set(self.places.values())
            for number in self.bunkers.keys() - found.keys() - standing:
                found[number] = Target(number, 0, 0, self.board.defence(number, True), BUNKER,
                                       is_german=True)
        return found

    def _target(self, number: int, stack: answers_pb2.EnemyStack) -> Target:
        board = self.board
        bunker = self.bunkers.get(number, 0) if self.is_soviet else 0
        if stack.revealed:
            strength = sum(unit.strength for unit in stack.revealed)
        else:
            top = board.units.get(stack.top)
            strength = (top.strength if top else CONFIDENCE) + CONFIDENCE * (stack.count - 1)
        hex_ = board.hexes[number]
        worth = GROUND + (BUNKER if bunker else 0) + (RAILROAD if hex_.railroad_town else 0)
        worth += TOWN if hex_.town else 0
        worth += TENTHS * board.prizes.get(number, 0)
        worth += RELIEF / max(self.to_city.get(number, FAR), 1) if self.is_cut_off else 0
        return Target(number, stack.count, strength, board.defence(number, bool(bunker)), worth,
                      is_german=self.is_soviet, bunker=bunker)


def assaults_at_all(unit: catalog_pb2.Unit) -> bool:
    """Whether a unit is of use in an assault: guns are not."""
    return not is_weapons(unit) and not unit.defensive_only
