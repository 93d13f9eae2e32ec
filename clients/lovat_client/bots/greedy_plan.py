"""The movement phase of the greedy bot: assaults first, then everybody to where he is of use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from heapq import nsmallest

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from .base import Offer
from .board import FAR, MAY_NOT_END, MP, Ends, follow, is_weapons
from .situation import Situation, Target, assaults_at_all

ROLES = 3
"""What a unit may go for: the railroad or the relief, the city, what stands in between."""

SIEGE = 1
FAST = (terms_pb2.MOBILITY_SKI, terms_pb2.MOBILITY_MOTORCYCLE, terms_pb2.MOBILITY_HORSE)
SOVIET_NERVE, TOWN_NERVE, GERMAN_NERVE = 3.0, 2.5, 1.25
"""The odds below which nobody assaults; the Soviets dare more for a town or a bunker."""

ENOUGH = 4.0
"""The odds at which no more are brought up."""

UNDER_FIRE = terms_pb2.MARK_FLAG_UNDER_FIRE
SIEGE_PRICE = 15.0
"""What all assaults together must promise to be worth the last point of supply of the siege."""

GUARDS = 4
"""How many units a railroad town is held by."""


class Plan:
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
        self.hope = 0.0
        self.busy: set[str] = set()
        self._merits: list[dict[int, float]] = []
        self._posts: dict[tuple[int, int], dict[int, float]] = {}

    def order(self) -> orders_pb2.MoveAndDeclare:
        """The whole phase."""
        if not self.now.is_soviet:
            self._man_towns()
        if self._may_assault():
            self._plan_assaults()
            if self.hope < self._price():
                self.assaults.clear()
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
        avoided = MAY_NOT_END | UNDER_FIRE
        for number, marks in zip(hexes, option.marks, strict=False):
            if marks & avoided:
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

    def _price(self) -> float:
        """What the assaults must promise: the last point of supply is kept for the siege guns."""
        besieged = self.now.is_soviet and self.now.supply(terms_pb2.POOL_SOVIET) == 1 and any(
            self._besieges(unit) for unit in self.now.deployed)
        return SIEGE_PRICE if besieged else 0.0

    def _plan_assaults(self) -> None:
        attackers = self._attackers()

        def promise(target: Target) -> tuple[float, int]:
            fire = sum(self.now.fire(unit, target.hex) for unit in attackers[target.hex])
            return -target.gain(fire, len(attackers[target.hex])), target.hex

        for target in sorted((self.now.targets[number] for number in attackers), key=promise):
            self._plan_assault(target, attackers[target.hex])

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
        """Vehicles do not assault woods or bunkers, nor the garrison out of its bunkers."""
        afv = self.board.units[unit].kind == terms_pb2.KIND_AFV
        if afv and (self.board.hexes[target].forest or target in self.now.bunkers):
            return True
        return not self.now.is_soviet and self.now.places.get(unit) in self.now.bunkers

    def _plan_assault(self, target: Target, units: list[str]) -> None:
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
        good = chosen and target.gain(fire, len(chosen)) > 0 and (
            target.count == 0 or target.odds(fire) >= self._nerve(target))
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
        self.hope += target.gain(fire, len(chosen))

    def _nerve(self, target: Target) -> float:
        if not self.now.is_soviet:
            return GERMAN_NERVE
        return TOWN_NERVE if self.board.hexes[target.hex].town else SOVIET_NERVE

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
        fields = self.fields()
        self._merits = [self._merit_of(field) for field in fields]

        def eagerness(unit: str) -> tuple[int, str]:
            start = self.now.places.get(unit, 0)
            return fields[self._role(unit)].get(start, FAR), unit

        for unit in sorted((unit for unit in self.options if unit not in self.busy),
                           key=eagerness):
            if self._besieges(unit):
                self._besiege(unit)
            elif is_weapons(self.board.units[unit]):
                self._move_guns(unit, fields[self._role(unit)])
            elif not self._stays(unit):
                self._move(unit, self._merits[self._role(unit)])

    def fields(self) -> list[dict[int, int]]:
        """For each role how far every hex is from what it goes for."""
        if self.now.is_soviet:
            return [self.now.goals(role) for role in range(ROLES)]
        relief = self.now.to_city if self.now.is_cut_off else self.now.threatened()
        prizes = self.board.prizes.keys() - set(self.now.places.values())
        between = self.board.field(prizes) if prizes and not self.now.is_cut_off else relief
        return [relief, self.board.field(self.board.railroad_towns), between]

    def _role(self, unit: str) -> int:
        """What a unit goes for, the same all game long: whole divisions keep together."""
        printed = self.board.units[unit]
        if printed.mobility in FAST:
            return 0
        if printed.range and not printed.divisional:
            return SIEGE
        return (sum(map(ord, printed.formation)) + self.shift) % ROLES

    def _man_towns(self) -> None:
        """Who holds one that counts stays there; the nearest go to those that too few hold."""
        towns = [*self.board.railroad_towns,
                 *(town for town in self.board.prizes if town not in self.now.enemy)]
        for town in towns:
            stack = self.ends.stack(town)
            self.busy.update(stack[:GUARDS])
            missing = GUARDS - len(stack)
            near = sorted((self.reach[unit][town], unit) for unit in self.options
                          if unit not in self.busy and town in self.reach[unit]
                          and self.now.places.get(unit, 0) not in towns
                          and assaults_at_all(self.board.units[unit]))
            for _, unit in near:
                if missing <= 0:
                    break
                if self.ends.take(unit, town):
                    self.marches[unit] = town
                    self.busy.add(unit)
                    missing -= 1

    def _besieges(self, unit: str) -> bool:
        """Whether these are guns that batter the bunkers of the city."""
        return (self.now.is_soviet and bool(self.board.units[unit].range)
                and bool(self.now.siege) and self._role(unit) == SIEGE)

    def _besiege(self, unit: str) -> None:
        """Up to half of the range from the bunker, out of the enemy's sight if it can be."""
        now, option, start = self.now, self.options[unit], self.now.places.get(unit, 0)
        near, reach = self.board.units[unit].range // 2, self.reach[unit]
        if start and unit in now.deployed and now.to_siege.get(start, FAR) <= near:
            return

        def badness(number: int) -> float:
            far = now.to_siege.get(number, FAR)
            return max(far - near, 0) + (6 if now.to_enemy.get(number, FAR) < 2 else 0)

        end = start if start and badness(start) <= 0 else self._go(
            unit, nsmallest(12, reach, key=badness), start)
        if not end or now.to_siege.get(end, FAR) > self.board.units[unit].range:
            return
        may = option.may_deploy if end == start else option.left - reach[end] >= MP
        if may:
            self.deploys.append(unit)

    def _stays(self, unit: str) -> bool:
        """A place worth holding is held, as long as nobody else holds it."""
        start = self.now.places.get(unit, 0)
        if not start:
            return False
        hex_ = self.board.hexes[start]
        if hex_.railroad_town or start in self.board.prizes or (
                self.now.is_soviet and start in self.board.city):
            return unit in self.ends.stack(start)[:1 if self.now.is_soviet else GUARDS]
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
