"""Where every unit is to go: what is held, what is struck at, what the guns lay siege to."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from statistics import mean
from typing import NamedTuple

from lovat.white_death.v1 import answers_pb2, terms_pb2

from .board import FAR, MP, Board, is_weapons
from .planner_picture import Picture
from .planner_travel import NEVER

OBSERVERS = 3
"""Infantry that the Soviets keep beside the bunker that their guns fire at."""

_TURN = 10 * MP
_HOPELESS = 4 * _TURN
_HOME, _SAFE = 4, 3  # hexes that guns keep to the bunkers, and away from the enemy
_SIEGE = 9  # hexes from a bunker within which guns are taken to lay siege to it
_ENOUGH, _ENOUGH_AFAR, _AFAR = 30.0, 16.0, 10
"""Fire points that hold a town when the enemy is near, or so many hexes away."""

_RING_SHARE = 3  # one in so many of a strike stays about what is held already


class Mission(NamedTuple):
    """`goals` are hexes to be in, any of them; `holds` says that the unit stays there."""

    goals: tuple[int, ...]
    holds: bool = False


@dataclass(slots=True)
class Intent:
    """What the planner is after from one impulse to the next: a town and a bunker; 0 for none."""

    town: int = 0
    bunker: int = 0
    shift: int = 0
    seen_held: set[int] = field(default_factory=set)


def missions(now: Picture, options: Mapping[str, answers_pb2.UnitOptions],
             intent: Intent) -> dict[str, Mission]:
    """What every unit that may do something is to do."""
    movable = sorted(options)
    return _soviet(now, movable, intent) if now.is_soviet else _german(now, movable)


def approach(now: Picture, unit: str, mission: Mission) -> dict[int, int]:
    """What it costs a unit to come from each hex to where its mission is."""
    return now.way_to(now.board.units[unit].mobility, mission.goals)


def eta(now: Picture, unit: str, mission: Mission) -> int:
    """What a unit still has to pay to be where its mission is, in 1/120 MP; NEVER if it cannot."""
    way, start = approach(now, unit, mission), now.places.get(unit, 0)
    if start:
        return way.get(start, NEVER)
    return min((way.get(number, NEVER) + cost for number, cost in now.reach[unit].items()),
               default=NEVER) if unit in now.reach else NEVER


def ring(board: Board, numbers: Iterable[int]) -> tuple[int, ...]:
    """The hexes around some hexes, without them."""
    inside = set(numbers)
    return tuple(sorted({other for number in inside for other in board.around[number]} - inside))


def within(board: Board, number: int, distance: int) -> list[int]:
    """The hexes at most so far from a hex, itself left out."""
    return [other for other in board.hexes
            if 0 < board.layout.distance(number, other) <= distance]


# ---------------------------------------------------------------- the Germans

def _german(now: Picture, movable: list[str]) -> dict[str, Mission]:
    board = now.board
    found: dict[str, Mission] = {}
    guns, field_units = [], []
    for unit in movable:
        start = now.places.get(unit, 0)
        if start in now.bunkers or (start and board.hexes[start].city
                                    and "garrison_city" in board.units[unit].traits):
            found[unit] = Mission((start,), holds=True)
        elif board.units[unit].range:
            guns.append(unit)
        else:
            field_units.append(unit)
    holds = german_holds(now)
    free = _fill(now, holds, field_units, movable, found)
    outer = [number for number in ring(board, holds) if number not in now.enemy]
    lost = [number for number in now.stakes if number in now.enemy]
    relief = ring(board, board.city) if board.catalog.scenario.victory.city_isolated else ()
    prey = _prey(now)
    for place, unit in enumerate(free):
        if lost:
            found[unit] = Mission(tuple(lost))
        elif prey:
            found[unit] = Mission(prey)
        elif relief and place % 2:
            found[unit] = Mission(relief)
        else:
            found[unit] = Mission(tuple(outer) or tuple(holds))
    rear = _gun_posts(now, holds)
    for unit in guns:
        posts = _counter_posts(now, prey, board.units[unit].range)
        found[unit] = Mission(posts or rear or tuple(holds))
    return found


def _prey(now: Picture) -> tuple[int, ...]:
    """Where enemy guns stand that a bunker is in range of, or soon will be."""
    if not now.bunkers:
        return ()
    near = now.board.field(now.bunkers)
    return tuple(sorted(number for number in now.guns if near.get(number, FAR) <= _SIEGE))


def _counter_posts(now: Picture, prey: tuple[int, ...], span: int) -> tuple[int, ...]:
    """Hexes about the bunkers from which guns reach those that lay siege, away from the enemy."""
    if not prey:
        return ()
    near, home = now.board.field(prey), now.board.field(now.bunkers)
    safe = [number for number in near if home.get(number, FAR) <= _HOME
            and now.to_enemy.get(number, FAR) >= _SAFE and number not in now.bunkers]
    for reach in (max(span // 2, 2), span):
        posts = tuple(sorted(number for number in safe if near[number] <= reach))
        if posts:
            return posts
    return ()


def german_holds(now: Picture) -> list[int]:
    """The hexes to be held outside the city, the dearest and most threatened first."""
    board = now.board
    return sorted((number for number in now.stakes
                   if number not in now.bunkers and not board.hexes[number].city
                   and number not in now.enemy),
                  key=lambda number: (-now.stakes[number], now.to_enemy.get(number, FAR), number))


def _fill(now: Picture, holds: list[int], units: list[str], movable: list[str],
          found: dict[str, Mission]) -> list[str]:
    """Give every hold as many as may stack, in turn, the nearest first; who is left over."""
    board = now.board
    members = {number: [unit for unit in now.own_stack(number)
                        if unit not in movable or (unit in units)] for number in holds}
    for number in holds:
        for unit in members[number]:
            if unit in units:
                found[unit] = Mission((number,), holds=True)
    free = [unit for unit in units if unit not in found]
    growing = list(holds)
    while growing and free:
        for number in list(growing):
            enough = _ENOUGH if now.to_enemy.get(number, FAR) < _AFAR else _ENOUGH_AFAR
            if sum(now.guard(unit) for unit in members[number]) >= enough:
                growing.remove(number)
                continue
            able = [unit for unit in free
                    if now.guard(unit) >= 1 and board.may_stack([*members[number], unit])]
            best = min(able, key=lambda unit: (
                eta(now, unit, Mission((number,))) - 30 * now.guard(unit), unit), default="")
            if not best or eta(now, best, Mission((number,))) > _HOPELESS:
                growing.remove(number)
                continue
            members[number].append(best)
            found[best] = Mission((number,), holds=True)
            free.remove(best)
    return free


def _gun_posts(now: Picture, holds: list[int]) -> tuple[int, ...]:
    """Hexes near what is held, and not beside the enemy."""
    board = now.board
    near = {other for number in holds for other in within(board, number, 2)}
    return tuple(sorted(number for number in near - set(holds)
                        if number not in now.beside_enemy and number not in now.enemy
                        and not board.hexes[number].forest))


# ---------------------------------------------------------------- the Soviets

def _soviet(now: Picture, movable: list[str], intent: Intent) -> dict[str, Mission]:
    board = now.board
    found: dict[str, Mission] = {}
    guns = [unit for unit in movable if board.units[unit].range]
    rest = [unit for unit in movable if not board.units[unit].range]
    for number in now.rail_held:
        for unit in now.own_stack(number):
            if unit in rest:
                found[unit] = Mission((number,), holds=True)
    rest = [unit for unit in rest if unit not in found]
    _choose_bunker(now, guns, intent)
    if intent.bunker and guns:
        siege = tuple(number for number in within(board, intent.bunker, 1)
                      if number not in now.closed)
        near = sorted((unit for unit in rest if board.units[unit].size >= terms_pb2.SIZE_REGIMENT
                       and not board.units[unit].range),
                      key=lambda unit: (eta(now, unit, Mission(siege)), unit))
        for unit in near[:OBSERVERS]:
            found[unit] = Mission(siege)
        posts = _siege_posts(now, intent.bunker)
        for unit in guns:
            found[unit] = Mission(posts[board.units[unit].range])
    choose_town(now, intent)
    for place, unit in enumerate(unit for unit in rest if unit not in found):
        if now.rail_held and (not intent.town or place % _RING_SHARE == 0):
            found[unit] = Mission(ring(board, now.rail_held))
        elif intent.town:
            found[unit] = Mission((intent.town,))
        else:
            found[unit] = Mission(tuple(now.enemy) or tuple(now.stakes))
    for unit in guns:
        found.setdefault(unit, Mission(tuple(now.stakes) or tuple(now.enemy)))
    return found


def choose_town(now: Picture, intent: Intent) -> None:
    """The railroad town that is struck at: near and weakly held; kept until it is taken."""
    open_towns = [number for number in now.board.railroad_towns
                  if number in now.stakes and number not in now.rail_held]
    if intent.town in open_towns:
        current = _town_price(now, intent.town)
        better = min((_town_price(now, number) for number in open_towns), default=current)
        if current <= better + 6:
            return
    intent.town = min(open_towns, key=lambda number: (_town_price(now, number), number), default=0)


def _town_price(now: Picture, number: int) -> float:
    """How hard a town is to take: its garrison, and the way of the quicker half to it."""
    board = now.board
    ways = sorted(
        min(eta(now, unit, Mission((number,))), _HOPELESS) / MP for unit, start in
        now.places.items() if start and not is_weapons(board.units[unit]))
    way = mean(ways[:max(len(ways) // 2, 1)]) if ways else 0.0
    return sum(foe.fire for foe in now.foes(number)) * 0.5 + way


def _choose_bunker(now: Picture, guns: list[str], intent: Intent) -> None:
    """The bunker that the guns fire at until nothing is left of it."""
    if intent.bunker in now.bunkers:
        return
    layout = now.board.layout
    places = [now.places[unit] for unit in guns if now.places.get(unit)]

    def price(number: int) -> tuple[float, int]:
        far = mean(layout.distance(number, place) for place in places) if places else 0.0
        return now.bunkers[number] + far, number

    intent.bunker = min(now.bunkers, key=price, default=0)


def _siege_posts(now: Picture, bunker: int) -> dict[int, tuple[int, ...]]:
    """By range, where guns of it fire at full value at a bunker, and are not in a zone."""
    board = now.board
    spans = {unit.range for unit in board.units.values() if unit.range}
    found = {}
    for span in sorted(spans):
        near = within(board, bunker, max(span // 2, 1))
        found[span] = tuple(number for number in near if number not in now.beside_enemy
                            and number not in now.closed)
        if not found[span]:
            found[span] = tuple(within(board, bunker, span))
    return found
