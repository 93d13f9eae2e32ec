"""A bot that plays sensibly, one impulse at a time.

The Soviets send fast units for the railroad, others against the city and the rest against what
stands in between; the Germans hold ground, close on what threatens the towns and strike back at
good odds. Both assault where the fire that they can bring promises more than it costs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import nsmallest
from random import Random

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from .base import DecidingBot, Offer, Seen
from .board import EIGHTHS, FAR, MAY_NOT_END, MP, Board, Ends, follow, is_weapons
from .situation import Situation, Target, assaults_at_all

ROLES = 3
FAST = (terms_pb2.MOBILITY_SKI, terms_pb2.MOBILITY_MOTORCYCLE, terms_pb2.MOBILITY_HORSE)
SOVIET_NERVE, GERMAN_NERVE = 0.45, 0.8
ENOUGH = 4.0
COLUMN_TOP = 60 * EIGHTHS
COLUMN_LOW = 4 * EIGHTHS
LEAST_BARRAGE = 16 * EIGHTHS


class GreedyBot(DecidingBot):
    """Takes the best that it sees now, and never looks ahead."""

    name = "greedy"

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self._shift = random.randrange(ROLES)
        self._stride = random.choice((3, 5, 5))

    def sustain_garrison(self, _board: Board, seen: Seen,
                         offer: Offer) -> orders_pb2.SustainGarrison:
        """Yes while a point is left for the guns."""
        supply = list(seen.supply)[2:3]
        return orders_pb2.SustainGarrison(spend=offer.may_sustain and supply > [1])

    def refit(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Refit:
        """The brigade that has lost most, if it has lost a third or more."""
        left = {unit.unit: unit.strength for unit in seen.own}
        lost: dict[str, int] = defaultdict(int)
        printed: dict[str, int] = defaultdict(int)
        for unit in board.catalog.units:
            if unit.division in offer.refits:
                lost[unit.division] += unit.strength - left.get(unit.id, 0)
                printed[unit.division] += unit.strength
        worst = max(lost, key=lambda name: (lost[name], name), default="")
        worth_it = bool(worst) and 3 * lost[worst] >= printed[worst]
        return orders_pb2.Refit(brigade=worst if worth_it else "")

    def replace(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Replace:
        """Fill up the units in play that miss most, then rebuild what is gone."""
        left = seen.replacements[seen.side - 1] if seen.replacements else 0
        order = orders_pb2.Replace()
        for option in sorted(offer.replacements, key=lambda option: (
                bool(option.hexes), -option.most, option.unit)):
            points = min(left, option.most)
            if points:
                order.replacements.add(unit=option.unit, points=points,
                                       hex=option.hexes[0] if option.hexes else 0)
                left -= points
        if offer.repairs:
            strongest = max(offer.repairs, key=lambda name: (board.units[name].antitank, name))
            order.repairs.append(strongest)
        return order

    def declare_impulse(self, board: Board, seen: Seen,
                        offer: Offer) -> orders_pb2.DeclareImpulse:
        """An action of a few points, so that the turn has two or three of them."""
        actions = [option for option in offer.declarations
                   if option.kind == terms_pb2.IMPULSE_KIND_ACTION]
        if not actions:
            return super().declare_impulse(board, seen, offer)
        option = actions[0]
        left = option.most
        points = left if left - self._stride < 3 else self._stride
        return orders_pb2.DeclareImpulse(
            points=max(option.least, min(points, option.most)), kind=option.kind)

    def move_and_declare(self, board: Board, seen: Seen,
                         offer: Offer) -> orders_pb2.MoveAndDeclare:
        """Assaults first, then everything else goes where it is of most use."""
        return _Plan(Situation(board, seen), offer, self._shift).order()

    def retreat_before_combat(self, board: Board, seen: Seen,
                              offer: Offer) -> orders_pb2.RetreatBeforeCombat:
        """Weak units leave open ground for where the enemy is farthest."""
        order = orders_pb2.RetreatBeforeCombat()
        now = Situation(board, seen)
        ends = Ends(board, now.places)
        for option in offer.withdrawals:
            hex_ = board.hexes.get(now.places.get(option.unit, 0))
            if hex_ is None or hex_.town or now.strengths[option.unit] > 2:
                continue
            for end in sorted(option.hexes, key=lambda end: (-now.to_enemy.get(end, FAR), end)):
                if ends.take(option.unit, end):
                    order.withdrawals.add(unit=option.unit, hex=end)
                    break
        return order

    def pursue(self, board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Pursue:
        """All who can follow do."""
        order = orders_pb2.Pursue()
        gone: set[str] = set()
        for option in offer.pursuits:
            units: list[str] = []
            for unit in option.units:
                if unit not in gone and board.may_stack([*units, unit]):
                    units.append(unit)
            gone.update(units)
            if units and option.targets:
                order.pursuits.add(hex=option.hex, units=units, target=option.targets[0])
        return order

    def barrage(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Barrage:
        """Mass the guns on what is assaulted, on bunkers and on tall stacks."""
        now = Situation(board, seen)
        merit = {number: self._merit(now, number)
                 for option in offer.barrages for number in option.hexes}
        total: dict[int, float] = defaultdict(float)
        for option in offer.barrages:
            for number, value, seen_there in zip(
                    option.hexes, option.values, option.observed, strict=False):
                total[number] += value * (1 if seen_there else 0.4)
        fires: dict[int, list[str]] = defaultdict(list)
        values: dict[int, int] = defaultdict(int)
        for option in offer.barrages:
            worth = {number: min(total[number], COLUMN_TOP * 2) * merit[number]
                     for number in option.hexes}
            if worth:
                best = max(worth, key=lambda number: (worth[number], -number))
                fires[best].append(option.unit)
                values[best] += option.values[list(option.hexes).index(best)]
        order = orders_pb2.Barrage()
        for number, units in sorted(fires.items()):
            if values[number] >= LEAST_BARRAGE:
                order.fires.add(hex=number, units=units, attacks=_split(values[number]))
        return order

    @staticmethod
    def _merit(now: Situation, number: int) -> float:
        target = now.targets.get(number)
        merit = 1.0 + (target.count if target else 0)
        if any(assault.hex == number for assault in now.seen.assaults):
            merit *= 3
        if now.is_soviet and number in now.bunkers:
            merit *= 2
        return merit


class _Plan:
    """The movement phase of one impulse in the making."""

    def __init__(self, now: Situation, offer: Offer, shift: int) -> None:
        self.now = now
        self.board = now.board
        self.shift = shift
        self.options = {option.unit: option for option in offer.units
                        if option.unit in now.strengths}
        self.ends = Ends(self.board, now.places)
        self.reach = {unit: self._reach(option) for unit, option in self.options.items()}
        self.marches: dict[str, int] = {}
        self.deploys: list[str] = []
        self.assaults: dict[int, list[str]] = {}
        self.busy: set[str] = set()
        self._merits: list[dict[int, float]] = []
        self._posts: dict[tuple[int, int], dict[int, float]] = {}

    def order(self) -> orders_pb2.MoveAndDeclare:
        """The whole phase."""
        if self._may_assault():
            self._plan_assaults()
        self._plan_moves()
        order = orders_pb2.MoveAndDeclare()
        for unit, end in self.marches.items():
            option = self.options[unit]
            before = dict(zip(option.hexes, option.previous, strict=False))
            path = follow(before, self.now.places.get(unit, 0), end)
            order.actions.add().march.CopyFrom(orders_pb2.March(units=[unit], path=path))
        for unit in self.deploys:
            order.actions.add().deploy.units.append(unit)
        for number, units in sorted(self.assaults.items()):
            order.assaults.add(hex=number, units=sorted(units))
        return order

    def _reach(self, option: answers_pb2.UnitOptions) -> dict[int, int]:
        """Where a unit may end, and what it costs to get there."""
        start = self.now.places.get(option.unit, 0)
        hexes = list(option.hexes)
        found = dict(zip(hexes, option.costs, strict=False))
        for number, marks in zip(hexes, option.marks, strict=False):
            if marks & MAY_NOT_END:
                found.pop(number, None)
        if start:
            found[start] = 0
        return found

    # ------------------------------------------------------------ assaults

    def _may_assault(self) -> bool:
        if self.now.seen.kind == terms_pb2.IMPULSE_KIND_PASS:
            return False
        if self.now.is_soviet:
            return self.now.supply(terms_pb2.POOL_SOVIET) > 0
        return self.now.supply(terms_pb2.POOL_GERMAN) > 0

    def _plan_assaults(self) -> None:
        attackers = self._attackers()
        nerve = SOVIET_NERVE if self.now.is_soviet else GERMAN_NERVE

        def promise(target: Target) -> tuple[float, int]:
            fire = sum(self.now.fire(unit, target.hex) for unit in attackers[target.hex])
            return -target.gain(fire), target.hex

        for target in sorted((self.now.targets[number] for number in attackers), key=promise):
            self._plan_assault(target, attackers[target.hex], nerve)

    def _attackers(self) -> dict[int, list[str]]:
        """For every enemy hex the units that can be beside it with a point left to assault."""
        found: dict[int, list[str]] = defaultdict(list)
        near = {number: [other for other in self.board.around[number] if other in self.now.targets]
                for number in self.now.beside_enemy | {
                    other for bunker in self.now.bunkers for other in self.board.around[bunker]}}
        for unit, reach in self.reach.items():
            if not assaults_at_all(self.board.units[unit]):
                continue
            left = self.options[unit].left - MP
            targets = set(self.options[unit].assaults) & self.now.targets.keys()
            for number, cost in reach.items():
                if cost <= left and number in near:
                    targets.update(near[number])
            for number in targets:
                if not self._is_shut_in(unit, number):
                    found[number].append(unit)
        return found

    def _is_shut_in(self, unit: str, target: int) -> bool:
        """Vehicles do not assault into woods, nor the garrison out of its bunkers."""
        afv = self.board.units[unit].kind == terms_pb2.KIND_AFV
        if afv and self.board.hexes[target].forest:
            return True
        return not self.now.is_soviet and self.now.places.get(unit) in self.now.bunkers

    def _plan_assault(self, target: Target, units: list[str], nerve: float) -> None:
        """Bring up the strongest, the nearest first, until it is enough; else leave it be."""
        chosen: list[str] = []
        taken: list[tuple[str, int]] = []
        fire = 0.0
        free = [unit for unit in units if unit not in self.busy]
        for unit in sorted(free, key=lambda unit: (
                -self.now.fire(unit, target.hex), self._nearness(unit, target.hex), unit)):
            if target.odds(fire) >= ENOUGH or (target.count == 0 and chosen):
                break
            value = self.now.fire(unit, target.hex)
            if not value and target.count:
                continue
            start = self.ends.place(unit)
            end = self._post(unit, target.hex)
            if end:
                taken.append((unit, start))
                chosen.append(unit)
                fire += value
        good = chosen and target.gain(fire) > 0 and (
            target.count == 0 or target.odds(fire) >= nerve)
        if not good:
            for unit, start in reversed(taken):
                self.ends.give_back(unit, start)
            return
        for unit in chosen:
            self.busy.add(unit)
            end = self.ends.place(unit)
            if end != self.now.places.get(unit, 0):
                self.marches[unit] = end
        self.assaults[target.hex] = chosen

    def _nearness(self, unit: str, target: int) -> int:
        start = self.now.places.get(unit, 0)
        return self.board.layout.distance(start, target) if start else FAR

    def _post(self, unit: str, target: int) -> int:
        """Take a place beside the target; 0 if there is none."""
        left, reach = self.options[unit].left - MP, self.reach[unit]
        start = self.now.places.get(unit, 0)
        beside = [number for number in self.board.around[target]
                  if number in reach and reach[number] <= left]
        beside.sort(key=lambda number: (
            number != start, -self.board.defence(number), reach[number], number))
        return next((number for number in beside if self.ends.take(unit, number)), 0)

    # ------------------------------------------------------------ movement

    def _plan_moves(self) -> None:
        fields = self._fields()
        self._merits = [self._merit_of(field) for field in fields]

        def eagerness(unit: str) -> tuple[int, str]:
            start = self.now.places.get(unit, 0)
            return fields[self._role(unit)].get(start, FAR), unit

        for unit in sorted((unit for unit in self.options if unit not in self.busy),
                           key=eagerness):
            if is_weapons(self.board.units[unit]):
                self._move_guns(unit, fields[self._role(unit)])
            elif not self._stays(unit):
                self._move(unit, self._merits[self._role(unit)])

    def _fields(self) -> list[dict[int, int]]:
        if self.now.is_soviet:
            return [self.now.goals(role) for role in range(ROLES)]
        guard = self.now.threatened()
        return [guard, guard, guard]

    def _role(self, unit: str) -> int:
        """What a unit goes for, the same all game long: whole divisions keep together."""
        printed = self.board.units[unit]
        if printed.mobility in FAST:
            return 0
        if printed.range:
            return 1
        return (sum(map(ord, printed.formation)) + self.shift) % ROLES

    def _stays(self, unit: str) -> bool:
        """A place worth holding is held, as long as nobody else holds it."""
        start = self.now.places.get(unit, 0)
        if not start:
            return False
        hex_ = self.board.hexes[start]
        if hex_.railroad_town or (self.now.is_soviet and start in self.board.city):
            return self.ends.stack(start)[:1] == [unit]
        if self.now.is_soviet:
            return False
        in_cover = hex_.town or hex_.forest
        return start in self.now.bunkers or (in_cover and self.now.to_enemy.get(start, FAR) <= 3)

    def _merit_of(self, field: dict[int, int]) -> dict[int, float]:
        """How bad it is to end in each hex: far from the goal, in the open, beside the enemy."""
        danger = 0.4 if self.now.is_soviet else 2.5
        cover, beside = self.board.cover, self.now.beside_enemy
        return {number: field.get(number, FAR) - 0.15 * cover[number]
                + (danger if number in beside else 0) for number in cover}

    def _move(self, unit: str, merit: dict[int, float]) -> None:
        reach = self.reach[unit]
        start = self.now.places.get(unit, 0)
        best = nsmallest(12, reach, key=merit.__getitem__)
        if start and merit[start] - 0.3 <= merit[best[0]]:
            return
        self._go(unit, best, start)

    def _move_guns(self, unit: str, field: dict[int, int]) -> None:
        """Guns deploy where they reach something, and else go where they will."""
        now, option = self.now, self.options[unit]
        start = now.places.get(unit, 0)
        span = self.board.units[unit].range
        in_range = bool(span) and bool(start) and now.to_enemy.get(start, FAR) <= span
        if in_range and unit in now.deployed:
            return
        if in_range and option.may_deploy:
            self.deploys.append(unit)
            return
        if now.beside_enemy and start in now.beside_enemy and not span:
            return
        reach = self.reach[unit]
        wish = max(2, span // 2) if span else 2

        key = (self._role(unit), wish)
        if key not in self._posts:
            self._posts[key] = self._posts_of(field, wish)
        end = self._go(unit, nsmallest(12, reach, key=self._posts[key].__getitem__), start)
        left = option.left - reach.get(end, 0)
        if span and end and left >= MP and now.to_enemy.get(end, FAR) <= span:
            self.deploys.append(unit)

    def _posts_of(self, field: dict[int, int], wish: int) -> dict[int, float]:
        """How bad each hex is for guns that want to be so far from the enemy."""
        found = {}
        for number in self.board.cover:
            distance = self.now.to_enemy.get(number, FAR)
            found[number] = (abs(distance - wish) + 0.2 * min(field.get(number, FAR), 40)
                             + (6 if distance < 2 else 0))
        return found

    def _go(self, unit: str, ends: Iterable[int], start: int) -> int:
        for end in ends:
            if end == start:
                return start
            if self.ends.take(unit, end):
                self.marches[unit] = end
                return end
        return start


def _split(value: int) -> list[int]:
    """Barrage in attacks of the highest column; what is left over joins the last if it is small."""
    if value < COLUMN_TOP + COLUMN_LOW:
        return []
    attacks = [COLUMN_TOP] * (value // COLUMN_TOP)
    rest = value % COLUMN_TOP
    if rest >= COLUMN_LOW:
        return [*attacks, rest]
    attacks[-1] += rest
    return attacks
