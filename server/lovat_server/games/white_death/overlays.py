"""Overlays for the map: hexes with a value each, from what the asking side can know.

A side does not know what lies under the top counter of an enemy stack. Every overlay is therefore
drawn from `seen_by`, a position that is made of nothing but the side's view.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import lru_cache
from typing import Annotated

from lovat_server.core.errors import MalformedError
from lovat_server.hexmap.grid import board_of, hexes_of
from lovat_server.hexmap.paths import reach

from . import garrisons, observation, rail, reachable, supply, travel, visibility, zones
from .catalog import Catalog
from .conventional_fire import is_defensive_only
from .opening import opening_state
from .position import Position
from .state import Options, UnitState
from .terms import MP, OFF_MAP, HexIndex, Mobility, Side, Status, Weather

MOST_POINTS = 10


class OverlayKind(IntEnum):
    """What an overlay shows."""

    NONE = 0
    ZONE_OF_CONTROL = 1
    SKI_ZONE = 2
    SUPPLY = 3
    ISOLATION = 4
    LINE_OF_SIGHT = 5
    OBSERVED = 6
    RAIL_NET = 7
    REACH = 8
    THREAT = 9


class Whose(IntEnum):
    """One of the two sides, seen from the side that asks."""

    DEFAULT = 0
    OWN = 1
    ENEMY = 2


@dataclass(frozen=True, slots=True)
class OverlayQuery:
    """`hex` and `unit` say where a line of sight starts, `unit` what moves; `points` in MP."""

    kind: OverlayKind
    whose: Whose = Whose.DEFAULT
    hex: HexIndex = OFF_MAP
    unit: Annotated[int, "unit_or_none"] = -1
    points: int = 0


@dataclass(frozen=True, slots=True)
class Overlay:
    """Hexes in order and a value for each; `side` is whom it is about."""

    kind: OverlayKind
    side: Side
    hexes: tuple[HexIndex, ...] = ()
    values: tuple[int, ...] = ()
    points: int = 0


def overlay(position: Position, side: Side, query: OverlayQuery) -> Overlay:
    """The overlay that a side asks for.

    MalformedError for a query that says too much or too little for its kind; what it names does
    not depend on what the side may not know.
    """
    _require(position.catalog, side, query)
    about = side.enemy if query.whose == Whose.ENEMY else side
    seen = seen_by(position, side)
    points = 0
    if query.kind in _WITH_POINTS:
        mover = about.enemy if query.kind == OverlayKind.THREAT else about
        points = query.points or _points_of(position, mover)
    if query.kind == OverlayKind.REACH:
        found = unit_reach(seen, query.unit, points)
    elif query.kind == OverlayKind.THREAT:
        found = threat(seen, about, points)
    elif query.kind == OverlayKind.LINE_OF_SIGHT and (query.unit >= 0 or query.hex != OFF_MAP):
        found = line_of_sight(seen, seen.units[query.unit].hex if query.unit >= 0 else query.hex)
    else:
        found = _WHOLE_SIDE[query.kind](seen, about)
    hexes = sorted(found)
    return Overlay(query.kind, about, tuple(hexes), tuple(found[hex_] for hex_ in hexes), points)


def seen_by(position: Position, side: Side) -> Position:
    """[WD 4.C] The position as far as a side can know it.

    Of the enemy there is the top counter of each stack as it is printed, artillery that is seen to
    be deployed, and the units that an assault shows.
    """
    catalog, enemy = position.catalog, side.enemy
    units = [UnitState() if printed.side == enemy else unit
             for unit, printed in zip(position.units, catalog.units, strict=True)]
    sizes: dict[int, int] = {}
    for stack in visibility.enemy_stacks(position, side):
        sizes[stack.hex] = stack.count
        units[stack.top] = UnitState(stack.hex, catalog.units[stack.top].strength)
        for rank, index in enumerate(stack.deployed, 1):
            units[index] = UnitState(stack.hex, catalog.units[index].strength,
                                     int(Status.DEPLOYED), 0 if index == stack.top else rank)
        for own in stack.revealed:
            units[own.unit] = own.state
    seen = Position(catalog, replace(position.freeze(), units=tuple(units)))
    seen.memo["sizes"] = sizes
    for ski_only in (False, True):
        # whatever rule asks for the enemy's zone finds the one that is seen
        seen.about[enemy]["zone", ski_only] = board_of(
            zone_counts(seen, enemy, ski_only=ski_only))
    return seen


# ---------------------------------------------------------------- zones

def zone_counts(seen: Position, side: Side, *, ski_only: bool = False) -> dict[int, int]:
    """[WD 3, 3.B] The hexes a side controls, with the number of hexes each is controlled from."""
    catalog = seen.catalog
    sizes: Mapping[int, int] = seen.memo.get("sizes", {})
    counts: dict[int, int] = {}
    for hex_, stack in seen.stacks().items():
        if catalog.units[stack[0]].side != side:
            continue
        board = 0
        for index in stack:
            mobility = travel.mobility_of(seen, index)
            if ski_only and mobility != Mobility.SKI:
                continue
            # a weapons company under which more is known to lie is not alone (WD 3)
            if zones.has_zone(seen, index) or sizes.get(hex_, 0) > 1:
                board |= zones.zone_masks(catalog, mobility, seen.thaw)[hex_]
        for end in hexes_of(board):
            counts[end] = counts.get(end, 0) + 1
    return counts


# ---------------------------------------------------------------- supply, rail

def supply_distances(seen: Position, side: Side) -> dict[int, int]:
    """[WD 15.B] Hexes to the road from where artillery would be in supply."""
    grid, free = seen.catalog.map.grid, supply.free_board(seen, side)
    reached = supply.road_board(seen, side)
    distances = dict.fromkeys(hexes_of(reached), 0)
    for distance in range(1, supply.SUPPLY_RANGE + 1):
        grown = grid.dilate(reached)
        for hex_ in hexes_of(grown):
            distances.setdefault(hex_, distance)
        reached = grown & free
    return distances


def isolated_hexes(seen: Position, side: Side) -> dict[int, int]:
    """[WD 15.C, 15.D.2] Where a unit would be isolated; not in a city that is bought out."""
    shut = (seen.catalog.map.grid.full & ~supply.open_board(seen, side)
            & ~seen.occupied(side.enemy))
    if side == Side.GERMAN and seen.sustained:
        shut &= ~seen.catalog.map.city
    return dict.fromkeys(hexes_of(shut), 1)


def rail_net(seen: Position, side: Side) -> dict[int, int]:
    """[WD 8] The rail hexes of a side's trains; 2 where every unit may entrain."""
    net, towns = rail.net_board(seen, side), seen.catalog.map.town
    return {hex_: 2 if towns >> hex_ & 1 else 1 for hex_ in hexes_of(net)}


# ---------------------------------------------------------------- sight

def line_of_sight(seen: Position, start: int) -> dict[int, int]:
    """[WD 11.B.3.b] The hexes seen from a hex, itself among them, with their distance."""
    if start == OFF_MAP:
        return {}
    return dict(_sight(seen.catalog, seen.options, seen.weather, start))


@lru_cache(maxsize=8192)
def _sight(catalog: Catalog, options: Options, weather: Weather,
           start: int) -> tuple[tuple[int, int], ...]:
    """All that a line of sight depends on; no unit is in its way."""
    ground, grid = _ground(catalog, options, weather), catalog.map.grid
    return tuple(
        (hex_, grid.distance(start, hex_))
        for hex_ in hexes_of(grid.within(start, observation.HIGH_SIGHT))
        if grid.distance(start, hex_) <= observation.sight_limit(ground, start, hex_)
        and observation.has_line_of_sight(ground, start, hex_))


@lru_cache(maxsize=16)
def _ground(catalog: Catalog, options: Options, weather: Weather) -> Position:
    """The map in some weather, with nothing on it."""
    return Position(catalog, replace(opening_state(catalog, options), weather=weather))


def observed(seen: Position, side: Side) -> dict[int, int]:
    """[WD 11.B.3, E.4-C] The hexes a side sees, with the number of hexes each is seen from.

    A deployed Guards rocket regiment that only its own conspicuousness shows is in it too.
    """
    counts: dict[int, int] = {}
    for start in hexes_of(seen.occupied(side)):
        for hex_, _ in _sight(seen.catalog, seen.options, seen.weather, start):
            counts[hex_] = counts.get(hex_, 0) + 1
    for hex_ in hexes_of(seen.occupied(side.enemy)):
        if observation.conspicuous_bonus(seen, side, hex_):
            starts = {seen.units[index].hex
                      for index in observation.observers(seen, side, hex_)}
            if starts:
                counts[hex_] = len(starts)
    return counts


# ---------------------------------------------------------------- movement

def unit_reach(seen: Position, index: int, points: int) -> dict[int, int]:
    """[WD 6, 17.C] What a unit can reach with so many points, as far as its side can tell."""
    unit = seen.units[index]
    if not unit.strength:
        return {}
    found = reachable.from_where_it_stands(seen, index, points * MP)
    return dict(zip(found.hexes, found.costs, strict=True))


def threat(seen: Position, side: Side, points: int) -> dict[int, int]:
    """[WD 6.B.3, 9.A] The hexes that a side's enemy could assault with so many points.

    Units that travel alike are searched for together. A unit may assault where it could go by
    itself; those whose factor is in parentheses do not.
    """
    catalog, enemy = seen.catalog, side.enemy
    alike: dict[tuple[object, ...], list[int]] = {}
    for index in catalog.side_units[enemy]:
        if seen.units[index].hex == OFF_MAP or is_defensive_only(seen, index):
            continue
        key = (travel.mobility_of(seen, index), travel.manner_of(seen, index),
               garrisons.allowed_board(seen, index))
        alike.setdefault(key, []).append(index)
    costs: dict[int, int] = {}
    for units in alike.values():
        _add_threat(seen, side, units, points, costs)
    return costs


def _add_threat(seen: Position, side: Side, units: Sequence[int], points: int,
                costs: dict[int, int]) -> None:
    """Lower `costs` to what the nearest of some units that travel alike would pay."""
    terms = travel.terms_for(seen, units[0], travel.manner_of(seen, units[0]))
    edges, quantum = terms.steps.edges, terms.steps.quantum
    size, held = seen.catalog.map.grid.size, seen.occupied(side)
    starts = sorted({travel.node_of(seen, index) for index in units})
    found = reach(edges, [(node, 0) for node in starts], (points - 1) * MP // quantum,
                  terms.closed, terms.stop, terms.toll, MP // quantum)
    for node, cost in found.cost.items():
        if held >> node % size & 1:        # a commando may pass here but not end here
            continue
        price = cost * quantum + MP
        for end, _ in edges[node % size]:
            if price < costs.get(end % size, price + 1):
                costs[end % size] = price


def _points_of(position: Position, side: Side) -> int:
    """The points of an impulse where the query names none."""
    if side == position.side and position.declared:
        return min(position.declared, MOST_POINTS)
    return min(position.points[side], MOST_POINTS) or MOST_POINTS


# ---------------------------------------------------------------- queries

_WHOLE_SIDE: Mapping[OverlayKind, Callable[[Position, Side], dict[int, int]]] = {
    OverlayKind.ZONE_OF_CONTROL: zone_counts,
    OverlayKind.SKI_ZONE: lambda seen, side: zone_counts(seen, side, ski_only=True),
    OverlayKind.SUPPLY: supply_distances,
    OverlayKind.ISOLATION: isolated_hexes,
    OverlayKind.LINE_OF_SIGHT: observed,
    OverlayKind.OBSERVED: observed,
    OverlayKind.RAIL_NET: rail_net,
}
_WITH_POINTS = (OverlayKind.REACH, OverlayKind.THREAT)
_WITH_UNIT = (OverlayKind.REACH, OverlayKind.LINE_OF_SIGHT)


def _require(catalog: Catalog, side: Side, query: OverlayQuery) -> None:
    """MalformedError for a query that does not fit its kind."""
    kind = query.kind.name
    if query.unit >= 0:
        if query.kind not in _WITH_UNIT:
            raise MalformedError(f"{kind} is not about a unit; expected none", field="unit")
        if catalog.units[query.unit].side != side:
            raise MalformedError(f"{catalog.units[query.unit].id!r} belongs to the other side; "
                                 "expected a unit of the side that asks", field="unit")
        if query.whose == Whose.ENEMY:
            raise MalformedError("a unit is named, which is one's own; expected WHOSE_OWN",
                                 field="whose")
    elif query.kind == OverlayKind.REACH:
        raise MalformedError("nothing is set here; REACH is about a unit", field="unit")
    if query.hex != OFF_MAP and (query.kind != OverlayKind.LINE_OF_SIGHT or query.unit >= 0):
        raise MalformedError("a hex is for LINE_OF_SIGHT without a unit; expected none",
                             field="hex")
    if query.points and query.kind not in _WITH_POINTS:
        raise MalformedError(f"{kind} spends no points; expected 0", field="points")
    if not 0 <= query.points <= MOST_POINTS:
        raise MalformedError(f"{query.points} is too much for an impulse; expected 1 to "
                             f"{MOST_POINTS}", field="points")
