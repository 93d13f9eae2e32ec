"""[WD 15] Supply points, tracing supply, isolation, Velikiye Luki."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import DIRECTIONS, board_of, hexes_of

from .battle import Battle
from .catalog import Catalog
from .events import GarrisonSustained, SupplyReceived, SupplyTraced
from .orders import SustainGarrison
from .position import Position
from .terms import Pool, Side, Status, Weather
from .zones import zone_board

SUPPLY_RANGE = 7
"""[WD 15.B] Hexes from artillery to the road."""

ASSAULT_PRICE = 1
BARRAGE_PRICE = 2
ROCKET_PRICE = 3
SUSTAIN_PRICE = 1

POOL_NAMES = ("the Soviet supply pool", "the German supply pool", "the Velikiye Luki supply pool")

AIRDROP = {Weather.FROST: 4, Weather.THAW: 4, Weather.SNOW: 2}
"""[WD 15.D.1] The highest die that brings a point in by air."""


# ---------------------------------------------------------------- tracing

def free_board(position: Position, side: Side) -> int:
    """[WD 15.B-C] Hexes that a path of a side may use: no enemy unit, no enemy zone.

    NOTE(WD 15): friendly units do not open an enemy zone (WD 3). A bunker is no unit and has no
    zone (WD 19, E.19), so an empty one does not close its hex. Terrain and rivers without a
    bridge do not matter to a path or to a road.
    """
    about = position.about[side.enemy]
    board: int | None = about.get("free to the enemy")
    if board is None:
        board = about["free to the enemy"] = position.catalog.map.grid.full & ~(
            position.occupied(side.enemy) | zone_board(position, side.enemy))
    return board


def open_board(position: Position, side: Side) -> int:
    """[WD 15.C] Hexes where a unit of the side is not isolated.

    NOTE(WD 15.C): the hex a unit stands in may be in an enemy zone, the hexes after it may not.
    On a friendly edge hex no path is needed.
    """
    return _flood(position, side, position.catalog.map.grid.full)


def _flood(position: Position, side: Side, wanted: int) -> int:
    """[WD 15.C] At least those hexes of `wanted` where a unit of the side is not isolated.

    The hexes reached so far are kept step by step: what was reached before the enemy came in the
    way is still open, and the flood goes on from there.
    """
    hints, edge = position.hints[side.enemy], _edge(position.catalog, side)
    dilate, free = position.catalog.map.grid.dilate, free_board(position, side)
    reached: list[int] = list(hints.get("flood", ()))
    while reached and reached[-1] & ~free:
        reached.pop()
    grown = dilate(reached[-1]) | edge if reached else edge
    while wanted & ~grown:
        new = grown & free
        if reached and new == reached[-1]:
            break
        reached.append(new)
        grown = dilate(new) | edge
    hints["flood"] = reached
    return grown


def road_board(position: Position, side: Side) -> int:
    """[WD 15.B] Road and railroad hexes that run back to a friendly edge uninterrupted.

    NOTE(WD 15.B): roads and railroads are one net. A road reaches the edge in every edge hex that
    it enters.
    """
    net = _net(position.catalog, side)
    return _joined(position.catalog, side, net.board & ~free_board(position, side))


@lru_cache(maxsize=512)
def _joined(catalog: Catalog, side: Side, blocked: int) -> int:
    """[WD 15.B] What is left of the net with these hexes of it interrupted."""
    net = _net(catalog, side)
    if not blocked:
        return net.joined
    board = 0
    waiting = [hex_ for hex_ in net.seeds if not blocked >> hex_ & 1]
    found = set(waiting)
    for node in waiting:            # grows while it is walked
        board |= 1 << node
        for run in net.runs[node]:
            if run.board & blocked:
                for hex_ in run.hexes:
                    if blocked >> hex_ & 1:
                        break
                    board |= 1 << hex_
            else:
                board |= run.board
                if run.hexes[-1] not in found:
                    found.add(run.hexes[-1])
                    waiting.append(run.hexes[-1])
    return board


def supplied_board(position: Position, side: Side) -> int:
    """[WD 15.B] Hexes from which artillery of the side traces supply.

    NOTE(WD 15.B): as for isolation, the unit's own hex may be in an enemy zone. The road hex is
    the last of the seven.
    """
    known: int | None = position.about[side.enemy].get("supplied to the enemy")
    if known is None:
        free, road, hints = free_board(position, side), road_board(position, side), \
            position.hints[side.enemy]
        free_then, road_then, supplied = hints.get("supplied to the enemy", (0, None, 0))
        if road != road_then or (free ^ free_then) & supplied:
            dilate, supplied = position.catalog.map.grid.dilate, road
            for _ in range(SUPPLY_RANGE - 1):
                supplied = dilate(supplied) & free
            supplied = dilate(supplied)
            hints["supplied to the enemy"] = free, road, supplied
        known = position.about[side.enemy]["supplied to the enemy"] = supplied
    return known


def trace(position: Position) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """[WD 15.B-D] The isolated units and the artillery in supply, of both sides.

    NOTE(WD 15.C): a unit that waits outside the map is neither isolated nor out of supply; one
    that is known to be in supply there need not be named again.
    NOTE(WD 15.D.2): the point spent for the city saves from isolation only. Artillery there still
    needs a road for its barrages (WD 15.B).
    """
    isolated: list[int] = []
    supplied: list[int] = []
    for side in Side:
        held = position.occupied(side)
        if side == Side.GERMAN and position.sustained:
            held &= ~position.catalog.map.city
        for hex_ in hexes_of(held & ~_flood(position, side, held)):
            isolated += position.stack(hex_)
        supplied += _supplied_artillery(position, side)
    return tuple(sorted(isolated)), tuple(supplied)


def _supplied_artillery(position: Position, side: Side) -> tuple[int, ...]:
    board, guns = supplied_board(position, side), artillery_of(position.catalog, side)
    states = [position.units[index] for index in guns]
    hints = position.hints[side]
    supplied: tuple[int, ...]
    board_then, states_then, supplied = hints.get("supplied artillery", (0, None, ()))
    if board != board_then or states != states_then:
        supplied = tuple(
            index for index, unit in zip(guns, states, strict=True)
            if ((board >> unit.hex & 1) if unit.hex >= 0 else (
                unit.strength and not unit.status & Status.SUPPLIED))
        )
        hints["supplied artillery"] = board, states, supplied
    return supplied


def fix(battle: Battle) -> None:
    """[WD E.15] The status of every unit at the beginning of an impulse, fixed for its length."""
    isolated, supplied = trace(battle)
    battle.record(SupplyTraced(isolated, supplied))


def city_in_supply(position: Position) -> bool:
    """[WD 15.D.1] A supply route runs from some hex of the city that no Soviet unit holds."""
    city = position.catalog.map.city & ~position.occupied(Side.SOVIET)
    return bool(city & supplied_board(position, Side.GERMAN))


def city_isolated(position: Position) -> bool:
    """[WD 15.C, 25] No German path runs from any hex of the city to a friendly edge.

    NOTE(WD 25 scenario II): a city that the Soviets hold entirely has not been relieved either.
    """
    city = position.catalog.map.city & ~position.occupied(Side.SOVIET)
    return not city & open_board(position, Side.GERMAN)


@lru_cache(maxsize=64)
def _edge(catalog: Catalog, side: Side) -> int:
    return catalog.map.friendly_edge(side)


@lru_cache(maxsize=64)
def artillery_of(catalog: Catalog, side: Side) -> tuple[int, ...]:
    """[WD 11] Units of a side capable of indirect fire, in catalog order."""
    return tuple(index for index in catalog.side_units[side] if catalog.units[index].is_artillery)


class _Run(NamedTuple):
    """A stretch of road from a node, left out, to the next node, the last of `hexes`."""

    board: int
    hexes: tuple[int, ...]


class _Net(NamedTuple):
    """All roads and railroads. Nodes are the hexes on the edge and those where roads meet or end.

    `joined` is what is joined to the friendly edge hexes, the `seeds`, when nothing interrupts.
    """

    board: int
    joined: int
    seeds: tuple[int, ...]
    runs: Mapping[int, tuple[_Run, ...]]


@lru_cache(maxsize=64)
def _net(catalog: Catalog, side: Side) -> _Net:
    field = catalog.map
    board = 0
    for direction in DIRECTIONS:
        board |= field.road[direction] | field.rail[direction]
    roads = {
        hex_: [field.grid.neighbours[hex_][direction] for direction in DIRECTIONS
               if (field.road[direction] | field.rail[direction]) >> hex_ & 1]
        for hex_ in hexes_of(board)
    }
    seeds = tuple(hexes_of(board & _edge(catalog, side)))
    nodes = {hex_ for hex_, others in roads.items() if len(others) != 2} | set(seeds)
    runs: dict[int, tuple[_Run, ...]] = {}
    for node in nodes:
        from_node = []
        for hex_ in roads[node]:
            hexes = [node, hex_]
            while hexes[-1] not in nodes:
                hexes.append(next(other for other in roads[hexes[-1]] if other != hexes[-2]))
            from_node.append(_Run(board_of(hexes[1:]), tuple(hexes[1:])))
        runs[node] = tuple(from_node)
    joined = set(seeds)
    waiting = list(seeds)
    for node in waiting:            # grows while it is walked
        for other in roads[node]:
            if other not in joined:
                joined.add(other)
                waiting.append(other)
    return _Net(board, board_of(joined), seeds, runs)


# ---------------------------------------------------------------- receiving

def receive(battle: Battle) -> None:
    """[WD 15.A, 15.D.1, Order, E.order, Chart.supply] The supply of the turn, Velikiye Luki's too.

    ERRATA(WD E.order): the Soviet points of turns 2 to 6 are those of the errata.
    """
    arrivals = battle.catalog.arrivals
    soviet = arrivals[Side.SOVIET][battle.turn - 1].supply
    german = arrivals[Side.GERMAN][battle.turn - 1].supply
    battle.record(SupplyReceived(Pool.SOVIET, soviet, (), soviet))
    battle.record(SupplyReceived(Pool.GERMAN, german, (), german))
    if city_in_supply(battle):
        battle.record(SupplyReceived(Pool.VELIKIYE_LUKI, german, (), german))
        return
    dice = tuple(battle.dice.roll() for _ in range(german))
    received = sum(die <= AIRDROP[battle.weather] for die in dice)
    battle.record(SupplyReceived(Pool.VELIKIYE_LUKI, german, dice, received))


# ---------------------------------------------------------------- the city bought out

def may_sustain(position: Position) -> bool:
    """[WD 15.D.2] Troops in the city may avoid isolation this turn for a point of its own.

    NOTE(WD 15.D.2): the point may be spent before the city is cut off.
    """
    return (not position.sustained and position.supply[Pool.VELIKIYE_LUKI] >= SUSTAIN_PRICE
            and any(_city_units(position)))


def is_worth_sustaining(position: Position) -> bool:
    """[WD 15.D.2] Some troops in the city are isolated as things stand."""
    open_ = open_board(position, Side.GERMAN)
    return may_sustain(position) and any(
        not open_ >> position.units[index].hex & 1 for index in _city_units(position))


def judge_sustain(position: Position, order: SustainGarrison) -> list[Violation]:
    """[WD 15.D.2] What stands against spending the point."""
    if not order.spend or may_sustain(position):
        return []
    left = position.supply[Pool.VELIKIYE_LUKI]
    if position.sustained:
        message = "Velikiye Luki has already been bought out of isolation this turn."
    elif left < SUSTAIN_PRICE:
        message = (f"Buying Velikiye Luki out of isolation costs {SUSTAIN_PRICE} supply point; "
                   f"{POOL_NAMES[Pool.VELIKIYE_LUKI]} has {left}.")
    else:
        message = "No German unit is in Velikiye Luki to be bought out of isolation."
    return [Violation(Reason.SUPPLY, "WD 15.D.2", "spend", message,
                      {"needed": str(SUSTAIN_PRICE), "left": str(left)})]


def resolve_sustain(battle: Battle, order: SustainGarrison) -> None:
    """[WD 15.D.2] The point is spent if the order says so."""
    if order.spend:
        battle.record(GarrisonSustained(SUSTAIN_PRICE))


def _city_units(position: Position) -> Iterable[int]:
    return (index for index in position.catalog.side_units[Side.GERMAN] if position.in_city(index))


# ---------------------------------------------------------------- spending

def pools_of(position: Position, units: Iterable[int]) -> tuple[Pool, ...]:
    """[WD 15.D.2] The pools that pay for what these units do from where they stand."""
    return tuple(sorted({position.pool_of(index) for index in units}))


def assault_pools(position: Position, units: Iterable[int]) -> tuple[Pool, ...]:
    """[WD 15.A.1, 15.D.2] The pools that owe a point for assaults by these units, however many."""
    return tuple(pool for pool in pools_of(position, units)
                 if position.paid[pool] < ASSAULT_PRICE)


def missing_for_assault(position: Position, units: Iterable[int]) -> tuple[Pool, ...]:
    """[WD 15.A.1, 15.D.2] The pools that cannot pay; one never pays for another."""
    return tuple(pool for pool in assault_pools(position, units)
                 if position.supply[pool] < ASSAULT_PRICE)


def judge_assault(position: Position, units: Iterable[int], path: str) -> list[Violation]:
    """[WD 15.A.1, 15.D.2] A violation for each pool that cannot pay for assaults by these units."""
    return [short(position, pool, ASSAULT_PRICE, "WD 15.A.1", path, "an assault")
            for pool in missing_for_assault(position, units)]


def barrage_due(position: Position, pool: Pool, *, full_rockets: bool = False) -> int:
    """[WD 15.A.2-3] What a pool still owes for barrages: 2 in all, 3 with full German rockets.

    The point of the assault counts towards them.
    """
    price = ROCKET_PRICE if full_rockets and pool != Pool.SOVIET else BARRAGE_PRICE
    return max(0, price - position.paid[pool])


def short(position: Position, pool: Pool, needed: int, clause: str, path: str,
          what: str) -> Violation:
    """[WD 15.A, 15.D.2] A pool that has too few points for something, as a violation."""
    left = position.supply[pool]
    clause = "WD 15.D.2" if pool == Pool.VELIKIYE_LUKI else clause
    return Violation(
        Reason.SUPPLY, clause, path,
        f"{what[:1].upper()}{what[1:]} costs {_points(needed)} of "
        f"{POOL_NAMES[pool]}, which has {left}.",
        {"pool": pool.name.lower(), "needed": str(needed), "left": str(left)},
    )


def _points(count: int) -> str:
    return "1 supply point" if count == 1 else f"{count} supply points"
