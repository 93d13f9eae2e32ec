"""Which enemy hexes to assault, from where and with whom: by what it costs and what it wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from lovat.white_death.v1 import answers_pb2, terms_pb2

from .board import FAR, MP, Ends, is_weapons
from .planner_odds import is_afv
from .planner_picture import FIRM_BUNKER, Picture

LOSS_A_POINT = 0.25
"""Strength that a point of defensive fire costs for each point of defence it is set against."""

HALTED_A_POINT = 1.2
"""Assaulting fire that is lost to it in the same measure: the halted, the routed, the dead."""

_DOOM = 0.45  # how often a beaten unit that is all but surrounded is eliminated
_MIGHT = 0.35  # what of the worth of a position the odds of one assault are trusted with
_IN_COVER = 8
_EXPOSED = 0.12  # what is lost of those who go into the open for an assault, when it is over
_SILENT = 0.4  # what of guns that must leave counts as lost
_SUPPLY = 0.15  # victory points a supply point is kept for


class Promise(NamedTuple):
    """What an assault is expected to come to; `value` in victory points for the side."""

    value: float
    vacated: float
    own_loss: float
    enemy_loss: float


class Assaults:
    """The assaults of one movement phase. `chosen` has units by hex, `posts` where they go."""

    def __init__(self, now: Picture, options: Mapping[str, answers_pb2.UnitOptions],
                 reach: Mapping[str, Mapping[int, int]], ends: Ends,
                 stuck: Collection[str] = ()) -> None:
        self.now = now
        self.options = options
        self.reach = reach
        self.ends = ends
        self.stuck = set(stuck)
        self.chosen: dict[int, list[str]] = {}
        self.promises: dict[int, Promise] = {}
        self.posts: dict[str, int] = {}

    def plan(self) -> None:
        """Choose the assaults, the most promising first."""
        attackers = self._attackers()
        order = sorted(attackers, key=lambda number: (
            -self._hope(number, attackers[number]), number))
        for number in order:
            self._try(number, [unit for unit in attackers[number] if unit not in self.posts])
        if self.chosen and sum(one.value for one in self.promises.values()) < _SUPPLY:
            self._undo()

    def promise(self, number: int, units: Collection[str],
                posts: Mapping[str, int]) -> Promise:
        """What it comes to if these units assault a hex from these hexes."""
        now, board = self.now, self.now.board
        foes = now.foes(number)
        bunker = now.bunkers.get(number, 0) if now.is_soviet else 0
        stake = now.stakes.get(number, 0.0)
        if not foes and not bunker:
            return Promise(stake, 1.0, 0.0, 0.0)
        fire = sum(now.fire(unit, number) for unit in units)
        against = sum(foe.fire for foe in foes) + bunker
        cover = _cover(now, units, posts)
        own_loss = min(LOSS_A_POINT * against / cover,
                       sum(now.strengths[unit] for unit in units) * 0.5)
        tanks = [unit for unit in units if is_afv(board.units[unit])]
        if tanks:
            antitank = bunker + sum(foe.antitank for foe in foes)
            own_loss += sum(now.odds.antitank(antitank / len(tanks), board.units[unit].defence)
                            for unit in tanks)
        fire = max(fire - HALTED_A_POINT * against / cover, fire * 0.3)
        if not foes:
            return Promise(stake - own_loss * now.own_loss, 0.95, own_loss, 0.0)
        afvs = [foe for foe in foes if foe.is_afv]
        soft = [foe for foe in foes if not foe.is_afv]
        hex_ = board.hexes[number]
        fright = not hex_.town and any(is_afv(board.units[unit]) for unit in units) \
            and now.is_soviet
        worse = int(now.seen.weather == terms_pb2.WEATHER_SNOW and not hex_.town)
        shut = self._shut_in(number, posts)
        vacated, loss, won = 1.0, 0.0, 0.0
        total = sum(now.defence(foe, number) for foe in soft) or 1.0
        firm = bunker >= FIRM_BUNKER
        for foe in soft:
            shot = now.odds.conventional(
                fire * now.defence(foe, number) / total, now.defence(foe, number),
                foe.strength, foe.morale, worse, fright)
            if firm:
                vacated *= 0.02
                lost = shot.loss - shot.routs
            else:
                vacated *= shot.fails
                lost = min(shot.loss + shot.fails * shut * foe.strength * _DOOM, foe.strength)
                if foe.barrage:  # guns that leave are silent for a while
                    lost = max(lost, shot.fails * foe.strength * _SILENT)
            loss += lost
            won += lost * now.point_worth(foe)
        if afvs:
            antitank = sum(board.units[unit].antitank * now.strengths[unit] / 8
                           for unit in units if is_afv(board.units[unit]))
            for foe in afvs:
                hurt = now.odds.antitank(antitank / len(afvs),
                                         foe.printed.defence if foe.printed else 3)
                loss += hurt
                won += hurt * now.enemy_loss
                vacated *= 0.3 * min(hurt, 1)
        exposed = sum(now.strengths[unit] for unit in units
                      if posts.get(unit) != now.places.get(unit, 0)
                      and board.cover[posts[unit]] < _IN_COVER)
        value = (vacated * stake * _MIGHT + won - own_loss * now.own_loss
                 - exposed * now.own_loss * _EXPOSED)
        return Promise(value, vacated, own_loss, loss)

    # ------------------------------------------------------------ who can

    def _attackers(self) -> dict[int, list[str]]:
        """For every enemy hex the units that can be beside it with a point left to assault."""
        now, board = self.now, self.now.board
        goals = set(now.enemy)
        if now.is_soviet:
            goals |= set(now.bunkers)
        near = {other: [number for number in board.around[other] if number in goals]
                for goal in goals for other in board.around[goal]}
        found: dict[int, list[str]] = defaultdict(list)
        for unit, reach in self.reach.items():
            if unit in self.stuck or not now.can_fire(unit) or is_weapons(board.units[unit]):
                continue
            left = self.options[unit].left - MP
            targets = set(self.options[unit].assaults) & goals
            for number, cost in reach.items():
                if cost <= left and number in near:
                    targets.update(near[number])
            for number in targets:
                if not (is_afv(board.units[unit]) and board.hexes[number].forest):
                    found[number].append(unit)
        return found

    def _hope(self, number: int, units: Collection[str]) -> float:
        """A first guess, with all who could come."""
        most = sorted((self.now.fire(unit, number) for unit in units), reverse=True)[:8]
        against = sum(foe.fire for foe in self.now.foes(number)) + 1
        worth = self.now.stakes.get(number, 0.5) + sum(
            foe.strength * self.now.point_worth(foe) for foe in self.now.foes(number))
        return worth * min(sum(most) / against / 3, 1.5)

    def _try(self, number: int, units: list[str]) -> None:
        """Bring units up one by one and keep as many as promise most."""
        now = self.now
        taken: list[tuple[str, int]] = []
        posts: dict[str, int] = {}
        best, best_count, fall = Promise(0.0, 0.0, 0.0, 0.0), 0, 0
        for unit in sorted(units, key=lambda unit: (
                -now.fire(unit, number), self._nearness(unit, number), unit)):
            if not now.fire(unit, number) and now.enemy.get(number):
                continue
            start = self.ends.place(unit)
            post = self._post(unit, number, posts)
            if not post:
                continue
            taken.append((unit, start))
            posts[unit] = post
            found = self.promise(number, [name for name, _ in taken], posts)
            if found.value > best.value + 1e-6:
                best, best_count, fall = found, len(taken), 0
            else:
                fall += 1
                if fall > 6:
                    break
        for unit, start in reversed(taken[best_count:]):
            self.ends.give_back(unit, start)
            del posts[unit]
        if not best_count:
            return
        self.promises[number] = best
        self.chosen[number] = [unit for unit, _ in taken[:best_count]]
        self.posts.update(posts)

    def _undo(self) -> None:
        for unit in reversed(list(self.posts)):
            self.ends.give_back(unit, self.now.places.get(unit, 0))
        self.chosen.clear()
        self.promises.clear()
        self.posts.clear()

    def _nearness(self, unit: str, target: int) -> int:
        start = self.now.places.get(unit, 0)
        return self.now.board.layout.distance(start, target) if start else FAR

    def _post(self, unit: str, target: int, posts: Mapping[str, int]) -> int:
        """Take a place beside the target, best one that closes its ways out; 0 if none is free."""
        now, board = self.now, self.now.board
        left, reach = self.options[unit].left - MP, self.reach[unit]
        start = now.places.get(unit, 0)
        standing = set(self.options[unit].assaults)
        beside = [number for number in board.around[target]
                  if number in reach and reach[number] <= left
                  and (number != start or target in standing)]
        used = set(posts.values())
        beside.sort(key=lambda number: (
            -min((board.layout.distance(number, other) for other in used), default=0),
            -board.cover[number], number != start, reach[number], number))
        return next((number for number in beside if self.ends.take(unit, number)), 0)

    def _shut_in(self, number: int, posts: Mapping[str, int]) -> float:
        """How much of a hex's surroundings the assault controls: 0 to 1."""
        board, around = self.now.board, self.now.board.around[number]
        used = set(posts.values()) | {other for other in around if self.now.own_stack(other)}
        held = used | {other for post in used for other in board.around[post]
                       if not board.hexes[other].town}
        share = sum(1 for other in around if other in held) / max(len(around), 1)
        return max(0.0, share * 2 - 1)


def _cover(now: Picture, units: Collection[str], posts: Mapping[str, int]) -> float:
    """The mean defence value of those who assault."""
    values = [now.board.cover.get(posts.get(unit, 0), 6) for unit in units]
    return sum(values) / len(values) if values else 6.0
