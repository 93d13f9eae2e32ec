"""[WD 14.B, 14.C.1, 4] Retreats: legal routes, the owner's routes, the route by default.

NOTE(WD 14.B): a retreat goes one hex away and then two, along hexes the unit could enter. It
ends there if it may; if no such end is outside enemy zones and within stacking, it goes on, never
nearer than two hexes, for the least number of hexes that gives one. A route is
legal if no other ends farther from the nearest enemy unit without passing more enemy zones: the
owner may spare the unit the loss of passing one, or take it for the sake of distance.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import board_of, hexes_of

from . import abandonment, morale, stacking, terrain
from .answers import RetreatOption
from .battle import Battle
from .catalog import Catalog
from .events import UnitRetreated
from .orders import Retreat
from .position import Position
from .terms import Cause, Side
from .travel import closed_board, mobility_of, node_of
from .wording import hex_name, unit_name
from .zones import zone_board

DISTANCE = 2


class _Route(NamedTuple):
    path: tuple[int, ...]
    through_zone: bool
    gap: int        # from its end to the nearest enemy unit


def routes(position: Position, index: int) -> tuple[tuple[int, ...], ...]:
    """[WD 14.B, 14.C.1] Every legal route of a unit from where it stands, best first.

    Best is: no zone passed, then far from enemies, then close to the side's own map edge, then
    the lower hex number.
    """
    return tuple(route.path for route in _routes(position, index))


def passes_zone(position: Position, side: Side, path: tuple[int, ...]) -> bool:
    """[WD 14.C.1] A hex of the route is in an enemy zone; friends there change nothing."""
    return bool(zone_board(position, side.enemy) & board_of(path))


def _routes(position: Position, index: int) -> list[_Route]:
    side = position.catalog.units[index].side
    found = [
        _Route(path, passes_zone(position, side, path), _gap(position, side, path[-1]))
        for path in _shortest(position, index)
    ]
    best = _best_gaps(found)
    edge = _edge_distance(position.catalog, side)
    legal = [route for route in found if route.gap >= best[route.through_zone]]
    numbers = position.catalog.map.numbers
    legal.sort(key=lambda route: (
        route.through_zone, -route.gap, edge[route.path[-1]], numbers[route.path[-1]],
        [numbers[hex_] for hex_ in route.path]))
    return legal


def _best_gaps(found: list[_Route]) -> tuple[int, int]:
    """The distance from enemies that a route without enemy zones must reach, and one with."""
    without = max((route.gap for route in found if not route.through_zone), default=0)
    return without, max((route.gap for route in found), default=0)


def _shortest(position: Position, index: int) -> list[tuple[int, ...]]:
    """[WD 14.B, 14.C.1] Routes of the least number of hexes, two or more, to a legal end."""
    grid, start = position.catalog.map.grid, position.units[index].hex
    side = position.catalog.units[index].side
    steps = terrain.steps(position.catalog, mobility_of(position, index), position.thaw,
                          position.bridged())
    closed = closed_board(position, side) | 1 << start
    zone = zone_board(position, side.enemy)
    first = node_of(position, index)
    layer: dict[int, list[tuple[int, ...]]] = {first: [()]}
    seen = {first}
    length = 0
    while layer:
        length += 1
        grown: dict[int, list[tuple[int, ...]]] = {}
        for node, paths in layer.items():
            for end, _ in steps.edges[node]:
                hex_ = end % grid.size
                distance = grid.distance(start, hex_)
                if end in seen or closed >> hex_ & 1 or (
                        distance != length if length <= DISTANCE else distance < DISTANCE):
                    continue
                grown.setdefault(end, []).extend((*path, hex_) for path in paths)
        seen.update(grown)
        if length >= DISTANCE:
            ends = {hex_ for node in grown if not zone >> (hex_ := node % grid.size) & 1
                    and stacking.fits_with(position, hex_, (index,))}
            ended = [path for paths in grown.values() for path in paths if path[-1] in ends]
            if ended:
                return list(dict.fromkeys(ended))
        layer = grown
    return []


def _gap(position: Position, side: Side, hex_: int) -> int:
    """Distance to the nearest enemy unit, 0 if there is none."""
    key = "rings", side
    rings: tuple[int, ...] = position.memo.get(key) or (position.occupied(side.enemy),)
    distance = 0
    while rings[0] and not rings[distance] >> hex_ & 1:
        distance += 1
        if distance == len(rings):
            rings = (*rings, position.catalog.map.grid.dilate(rings[-1]))
    position.memo[key] = rings
    return distance


@lru_cache(maxsize=16)
def _edge_distance(catalog: Catalog, side: Side) -> tuple[int, ...]:
    """Distance of each hex from the edge its side is supplied from."""
    grid = catalog.map.grid
    reached = catalog.map.friendly_edge(side)
    distances = [0] * grid.size
    distance = 0
    while reached != grid.full and reached:
        grown = grid.dilate(reached)
        distance += 1
        for hex_ in hexes_of(grown & ~reached):
            distances[hex_] = distance
        reached = grown
    return tuple(distances)


def options(position: Position) -> tuple[RetreatOption, ...]:
    """[WD 14.B] Every unit that must retreat, with its legal routes as things stand now."""
    return tuple(RetreatOption(pending.unit, pending.hex, routes(position, pending.unit))
                 for pending in position.retreats)


def judge(battle: Battle, order: Retreat) -> list[Violation]:
    """[WD 14.B, 14.C.1] Each route after the ones before it. Units not named take the default."""
    trial = battle.fork()
    must = {pending.unit for pending in battle.retreats}
    found = _judge_abandon(battle, order, must)
    for index in order.abandon:
        if index in must and abandonment.must_abandon(trial, index):
            abandonment.abandon(trial, index)
    seen: set[int] = set()
    for place, route in enumerate(order.routes):
        path, name = f"routes[{place}]", unit_name(battle.catalog, route.unit)
        facts = {"unit": battle.catalog.units[route.unit].id}
        if route.unit in seen:
            found.append(Violation(Reason.DUPLICATE, "WD 14.B", f"{path}.unit",
                                   f"{name} is named twice.", facts))
            continue
        seen.add(route.unit)
        if route.unit not in must:
            found.append(Violation(Reason.RETREAT, "WD 14.B", f"{path}.unit",
                                   f"{name} need not retreat.", facts))
            continue
        fault = _fault(trial, route.unit, route.path)
        if fault is not None:
            clause, message = fault
            found.append(Violation(Reason.RETREAT, clause, f"{path}.path", message, facts))
        _carry_out(trial, route.unit, route.path if fault is None else None)
    return found


def _judge_abandon(position: Position, order: Retreat, must: set[int]) -> list[Violation]:
    """[WD 23] Weapons units that leave their equipment to retreat on foot."""
    found = []
    for place, index in enumerate(order.abandon):
        path = f"abandon[{place}]"
        if index in must:
            found.extend(abandonment.judge_abandon(position, index, path))
        else:
            found.append(Violation(
                Reason.RETREAT, "WD 23", path,
                f"{unit_name(position.catalog, index)} need not retreat.",
                {"unit": position.catalog.units[index].id}))
    return found


def _fault(position: Position, index: int, path: tuple[int, ...]) -> tuple[str, str] | None:
    """[WD 14.B] Why a route is not legal."""
    legal = _routes(position, index)
    if path in [route.path for route in legal] or not (path or legal):
        return None
    name = unit_name(position.catalog, index)
    if not legal:
        return "WD 14.C.1", f"{name} has no legal retreat and is eliminated; name no path for it."
    if not path:
        return "WD 14.B", f"{name} must retreat; the path names no hex."
    side = position.catalog.units[index].side
    end, length = path[-1], len(legal[0].path)
    where = hex_name(position.catalog, end)
    if len(path) != length:
        return "WD 14.B", f"{name} retreats {length} hexes; the path has {len(path)}."
    if zone_board(position, side.enemy) >> end & 1:
        return "WD 14.C.1", f"{name} may not end in {where}, in an enemy zone of control."
    if stacking.full_board(position, (index,)) >> end & 1:
        return "WD 4", f"{name} may not end in {where}: {stacking.reason(position, end, (index,))}"
    kind = passes_zone(position, side, path)
    gap = _best_gaps(legal)[kind]
    own = _gap(position, side, end)
    if path in _shortest(position, index):
        return "WD 14.B", (f"{name} would end in {where}, {own} hexes from the nearest enemy unit;"
                           f" it can retreat to {gap} hexes.")
    return "WD 14.B", (f"{name} may not retreat along that path: each hex must be one it can "
                       "enter, without enemies, and the second two hexes away.")


def resolve(battle: Battle, order: Retreat) -> None:
    """[WD 14.B, 23] The routes named, in that order; then the others by default."""
    for index in dict.fromkeys(order.abandon):
        abandonment.abandon(battle, index)
    for route in order.routes:
        _carry_out(battle, route.unit, route.path)
    for pending in battle.retreats:
        _carry_out(battle, pending.unit, None)


def _carry_out(battle: Battle, index: int, path: tuple[int, ...] | None) -> None:
    """[WD 14.B, 14.C.1, E.23] One retreat; `path` None takes the best route.

    NOTE(WD 14.C.1): a unit that its last strength point leaves on the way is lost where it began.
    NOTE(WD 13): ice is rolled for movement only, not for a retreat.
    """
    unit = battle.units[index]
    legal = routes(battle, index)
    if path is None and legal:
        path = legal[0]
    if not path:
        morale.lose_strength(battle, index, unit.strength, Cause.NO_RETREAT)
        return
    through = passes_zone(battle, battle.catalog.units[index].side, path)
    if through and unit.strength == 1:
        morale.lose_strength(battle, index, 1, Cause.RETREAT_THROUGH_ZONE)
        return
    battle.record(UnitRetreated(index, unit.hex, path, through))
    if through:
        morale.lose_strength(battle, index, 1, Cause.RETREAT_THROUGH_ZONE)
        if abandonment.must_abandon(battle, index):
            # ERRATA(WD E.23): by optional rule 23 a rout or retreat through an enemy zone leaves
            # the equipment behind.
            abandonment.abandon(battle, index)
