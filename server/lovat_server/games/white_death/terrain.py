"""[WD 7, 13, 16.B] What a step from hex to hex costs, for each mobility, weather and bridge.

A *node* is a hex, or for heavy units in a thaw a river hex reached from one bank:
``node = hex + size * bank`` with bank 0 either, 1 west, 2 east.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from math import gcd
from typing import NamedTuple

from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, hexes_of

from .catalog import Catalog
from .terms import MP, Mobility, Weather

BANKS = {"": 0, "W": 1, "E": 2}
HEAVY = (Mobility.DRAFT, Mobility.WHEEL, Mobility.TRACK)


class Step(NamedTuple):
    """One step that no rule forbids; `cost` is in 1/120 MP, `node` where it leads."""

    start: int
    end: int
    direction: int      # -1 when coming onto the map
    cost: int
    node: int
    leaves_zone: bool = False


class Steps(NamedTuple):
    """`edges[node]` are (node, cost) pairs in units of `quantum`/120 MP; prohibited ones left out.

    `to_hex[node]` are the same by the hex they lead to. `nodes` is how many nodes there are: the
    hexes, or three times as many where banks matter.
    """

    edges: tuple[tuple[tuple[int, int], ...], ...]
    to_hex: tuple[Mapping[int, Step], ...]
    quantum: int
    nodes: int


def row_of(catalog: Catalog, hex_: int, bridged: bool = False) -> str:
    """[WD 7] The one row of the chart that prices a hex not entered along a road."""
    field, bit = catalog.map, 1 << hex_
    if field.river & bit:
        return "road" if bridged else "river"
    if field.town & bit:
        return "town"
    if field.forest & bit:
        return "forest_creek" if field.creek & bit else "forest"
    return "creek" if field.creek & bit else "clear"


def has_road(catalog: Catalog, start: int, direction: int) -> bool:
    """[WD 7, 8] A road or railroad crosses this hexside."""
    field = catalog.map
    return bool((field.road[direction] | field.rail[direction]) >> start & 1)


def entry_cost(catalog: Catalog, mobility: Mobility, hex_: int, *, by_road: bool,
               bridged: bool) -> int | None:
    """[WD 7, 20, Chart.terrain] Cost to enter a hex from the map's edge or a neighbour.

    The hexside is not counted.
    """
    row = row_of(catalog, hex_, bridged)
    if by_road and row != "river":
        row = "road"
    return catalog.charts.movement[mobility][row].enter


@lru_cache(maxsize=1 << 17)
def step_cost(catalog: Catalog, mobility: Mobility, thaw: bool, start: int, direction: int,
              start_bridged: bool, end_bridged: bool) -> int | None:
    """[WD 7, 13, 16.A, Chart.terrain] Cost of one step in 1/120 MP, None if prohibited.

    Zones of control come on top.
    """
    field, chart = catalog.map, catalog.charts.movement[mobility]
    end = field.grid.neighbours[start][direction]
    if end == OUTSIDE:
        return None
    by_road = has_road(catalog, start, direction)
    cost = entry_cost(catalog, mobility, end, by_road=by_road, bridged=end_bridged)
    if cost is None:
        return None
    row = row_of(catalog, start, start_bridged)
    same_water = (field.river if row == "river" else field.creek) >> end & 1
    if row == "river" or (row in ("creek", "forest_creek") and not by_road):
        cost += 0 if same_water and not (row == "river" and end_bridged) else chart[row].leave
    if not by_road and field.lake_full[direction] >> start & 1:
        lake = chart["lake_thaw" if thaw else "lake_frozen"].enter
        if lake is None:
            return None
        cost += lake
    return cost


def needs_ice_die(catalog: Catalog, weather: Weather, start: int, direction: int) -> bool:
    """[WD 13.A-B, E.13] An AFV that crosses this hexside rolls for loss through the ice."""
    field = catalog.map
    if field.lake_full[direction] >> start & 1:
        return True
    # ERRATA(WD E.13): along a road or railroad a hexside with some lake is safe in a thaw.
    return weather == Weather.THAW and bool(field.lake_partial[direction] >> start & 1) \
        and not has_road(catalog, start, direction)


def tracks_banks(mobility: Mobility, thaw: bool) -> bool:
    """[WD 16.B] Whether a unit in a river hex must leave by the bank it came from."""
    return thaw and mobility in HEAVY


def bank_after(catalog: Catalog, start: int, bank: int, direction: int, bridged: int) -> int:
    """[WD 16.B] The bank a heavy unit is on in a thaw after a step; 0 off the river or bridged."""
    field = catalog.map
    end = field.grid.neighbours[start][direction]
    if not field.river >> end & 1 or bridged >> end & 1:
        return 0
    if field.river >> start & 1:
        return bank
    return BANKS[field.bank[end][(direction + 3) % 6]]


@lru_cache(maxsize=128)
def steps(catalog: Catalog, mobility: Mobility, thaw: bool, bridged: int) -> Steps:
    """Every step of a mobility; `bridged` is the board of hexes with a bridge."""
    base = _steps_without_bridges(catalog, mobility, thaw)
    if not bridged:
        return base
    edges, to_hex = list(base.edges), list(base.to_hex)
    size = catalog.map.grid.size
    for hex_ in hexes_of(catalog.map.grid.dilate(bridged)):
        for bank in range(base.nodes // size):
            node = hex_ + size * bank
            edges[node] = _edges(catalog, mobility, thaw, hex_, bank, bridged, base.quantum)
            to_hex[node] = _by_hex(catalog, hex_, edges[node], base.quantum)
    return Steps(tuple(edges), tuple(to_hex), base.quantum, base.nodes)


@lru_cache(maxsize=64)
def _steps_without_bridges(catalog: Catalog, mobility: Mobility, thaw: bool) -> Steps:
    size = catalog.map.grid.size
    banks = 3 if tracks_banks(mobility, thaw) else 1
    quantum = MP
    for cost in catalog.charts.movement[mobility].values():
        quantum = gcd(quantum, cost.enter or 0, cost.leave)
    edges = tuple(
        _edges(catalog, mobility, thaw, hex_, bank, 0, quantum)
        for bank in range(banks) for hex_ in range(size)
    )
    to_hex = tuple(_by_hex(catalog, node % size, of_node, quantum)
                   for node, of_node in enumerate(edges))
    return Steps(edges, to_hex, quantum, size * banks)


def _by_hex(catalog: Catalog, start: int, edges: Iterable[tuple[int, int]],
            quantum: int) -> dict[int, Step]:
    grid, found = catalog.map.grid, {}
    for node, cost in edges:
        end = node % grid.size
        found[end] = Step(start, end, grid.neighbours[start].index(end), cost * quantum, node)
    return found


def _edges(catalog: Catalog, mobility: Mobility, thaw: bool, hex_: int, bank: int, bridged: int,
           quantum: int) -> tuple[tuple[int, int], ...]:
    field = catalog.map
    size = field.grid.size
    banked = tracks_banks(mobility, thaw)
    on_river = bool(field.river >> hex_ & 1) and not bridged >> hex_ & 1
    result = []
    for direction in DIRECTIONS:
        end = field.grid.neighbours[hex_][direction]
        if end == OUTSIDE:
            continue
        cost = step_cost(catalog, mobility, thaw, hex_, direction, bool(bridged >> hex_ & 1),
                         bool(bridged >> end & 1))
        if cost is None:
            continue
        node = end
        if banked:
            leaves = on_river and not field.river >> end & 1
            if leaves and bank and BANKS[field.bank[hex_][direction]] != bank:
                continue
            node += size * bank_after(catalog, hex_, bank, direction, bridged)
        result.append((node, cost // quantum))
    return tuple(result)
