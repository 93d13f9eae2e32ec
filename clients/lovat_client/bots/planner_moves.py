"""The movement phase put together: assaults, then every unit on its way."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import nsmallest

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from .board import MAY_NOT_END, MP, Ends, follow, is_weapons
from .planner_assaults import Assaults
from .planner_missions import Intent, Mission, approach, eta, missions
from .planner_picture import Picture
from .planner_travel import NEVER

RAIL_MOST = 25
"""Strength points that a side may move by rail in a turn (WD 8)."""

_WORTH_MOVING = 0.2  # MP nearer that make a march worth it
_WORTH_THE_TRAIN = 2 * MP
_TRIED = 16
_NEARLY_THERE = 5 * MP


class Moves:
    """One movement order in the making."""

    def __init__(self, now: Picture, offer: answers_pb2.Listing, intent: Intent) -> None:
        self.now = now
        self.board = now.board
        self.intent = intent
        self.options: dict[str, answers_pb2.UnitOptions] = {
            option.unit: option for option in offer.units if option.unit in now.states}
        self.ends = Ends(self.board, now.places)
        self.reach = {unit: self._reach(option) for unit, option in self.options.items()}
        self.missions: dict[str, Mission] = {}
        self.marches: dict[str, int] = {}
        self.deploys: list[str] = []
        self.trains: dict[str, int] = {}
        self.assaults: Assaults | None = None

    def order(self) -> orders_pb2.MoveAndDeclare:
        """The whole phase."""
        self.now.reach = self.reach
        self.missions = missions(self.now, self.options, self.intent)
        is_pass = self.now.seen.kind == terms_pb2.IMPULSE_KIND_PASS
        if not is_pass and self.now.supply(self.now.pool):
            self._assault()
        self._move(is_pass)
        return self._written()

    def _reach(self, option: answers_pb2.UnitOptions) -> dict[int, int]:
        """Where a unit may end, and what it costs to get there."""
        start = self.now.places.get(option.unit, 0)
        found = {number: cost for number, cost, marks in
                 zip(option.hexes, option.costs, option.marks, strict=False)
                 if not marks & MAY_NOT_END}
        if start:
            found[start] = 0
        return found

    # ------------------------------------------------------------ assaults

    def _assault(self) -> None:
        now = self.now
        stuck = {unit for unit in self.options if now.is_garrison(unit)}
        stuck |= self._holders()
        self.assaults = Assaults(now, self.options, self.reach, self.ends, stuck)
        self.assaults.plan()
        for unit, post in self.assaults.posts.items():
            if post != now.places.get(unit, 0):
                self.marches[unit] = post

    def _holders(self) -> set[str]:
        """Units that hold a place, with the Germans also those that are nearly there."""
        now = self.now
        return {unit for unit, mission in self.missions.items() if mission.holds and (
            now.places.get(unit) in mission.goals
            or (not now.is_soviet and eta(now, unit, mission) <= _NEARLY_THERE))}

    # ------------------------------------------------------------ movement

    def _move(self, is_pass: bool) -> None:
        now = self.now
        busy = set(self.assaults.posts) if self.assaults else set()
        ways = {unit: approach(now, unit, mission) for unit, mission in self.missions.items()}

        def turn(unit: str) -> tuple[bool, bool, int, str]:
            start = now.places.get(unit, 0)
            return (not bool(self.board.units[unit].range), not self.missions[unit].holds,
                    ways[unit].get(start, NEVER), unit)

        for unit in sorted((unit for unit in self.missions if unit not in busy), key=turn):
            if self._by_rail(unit, ways[unit]) or is_pass:
                continue
            if self.board.units[unit].range:
                self._move_gun(unit, ways[unit])
            else:
                self._march(unit, ways[unit])

    def _march(self, unit: str, way: Mapping[int, int]) -> int:
        """Go where the rest of the way is least; where the unit ends, 0 for outside."""
        start, reach = self.now.places.get(unit, 0), self.reach[unit]
        if start and self.missions[unit].holds and start in self.missions[unit].goals:
            return start
        price = self._price(unit, way)
        best = nsmallest(_TRIED, reach, key=lambda number: (price(number), number))
        for end in best:
            if end == start or (start and price(start) - price(end) < _WORTH_MOVING):
                return start
            if self.ends.take(unit, end):
                self.marches[unit] = end
                return end
        return start

    def _price(self, unit: str, way: Mapping[int, int]):  # type: ignore[no-untyped-def]
        now, cover = self.now, self.board.cover
        weapons = is_weapons(self.board.units[unit])
        danger = 0.3 if now.is_soviet else 1.5
        if weapons:
            danger = 4.0

        def price(number: int) -> float:
            left = way.get(number, NEVER)
            found = left / MP - 0.04 * cover[number]
            if number in now.beside_enemy and (left or weapons):
                found += danger
            return found

        return price

    def _move_gun(self, unit: str, way: Mapping[int, int]) -> None:
        """Guns go where they are wanted and deploy there."""
        now, option = self.now, self.options[unit]
        start = now.places.get(unit, 0)
        is_deployed = bool(now.states[unit].status & terms_pb2.STATUS_FLAG_DEPLOYED)
        if start and not way.get(start, NEVER):
            if not is_deployed and option.may_deploy:
                self.deploys.append(unit)
            return
        end = self._march(unit, way)
        arrived = (end and not way.get(end, NEVER)
                   and option.left - self.reach[unit].get(end, 0) >= MP)
        waits = (end == start and option.may_deploy and not is_deployed
                 and self._has_target(unit))
        if arrived or waits:
            self.deploys.append(unit)

    def _has_target(self, unit: str) -> bool:
        """Whether a gun reaches something where it stands."""
        return self.now.to_enemy.get(self.now.places[unit], NEVER) <= self.board.units[unit].range

    def _by_rail(self, unit: str, way: Mapping[int, int]) -> bool:
        """Go by train where that saves much of the way."""
        option, now = self.options[unit], self.now
        if not option.rail or unit in self.marches:
            return False
        moved = now.seen.rail_moved[now.side - 1] if len(now.seen.rail_moved) > 1 else 0
        moved += sum(now.strengths[other] for other in self.trains)
        if moved + now.strengths[unit] > RAIL_MOST:
            return False
        reach = self.reach[unit]
        on_foot = min((way.get(number, NEVER) for number in reach), default=NEVER)
        best = min(option.rail, key=lambda number: (way.get(number, NEVER), number))
        if way.get(best, NEVER) > on_foot - _WORTH_THE_TRAIN or not self.ends.take(unit, best):
            return False
        self.trains[unit] = best
        return True

    # ------------------------------------------------------------ the order

    def _written(self) -> orders_pb2.MoveAndDeclare:
        order = orders_pb2.MoveAndDeclare()
        for unit, end in self.marches.items():
            option = self.options[unit]
            before = dict(zip(option.hexes, option.previous, strict=False))
            path = follow(before, self.now.places.get(unit, 0), end)
            order.actions.add().march.CopyFrom(orders_pb2.March(units=[unit], path=path))
        for unit, end in self.trains.items():
            order.actions.add().rail.CopyFrom(orders_pb2.Rail(units=[unit], destination=end))
        for unit in self.deploys:
            order.actions.add().deploy.units.append(unit)
        if self.assaults:
            for number, units in sorted(self.assaults.chosen.items()):
                order.assaults.add(hex=number, units=sorted(units))
        return order
