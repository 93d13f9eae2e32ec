"""How far it is for a unit to a goal, in movement points, over roads and through zones."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from heapq import heappop, heappush

from lovat.white_death.v1 import catalog_pb2, terms_pb2

from .board import FAR, MP, Board

NEVER = FAR * MP
"""The cost of a way that does not exist, in 1/120 MP."""

_STOP = 2 * MP  # what it costs to be stopped by a zone and to leave it again
_STOPS: dict[int, int] = {terms_pb2.MOBILITY_SKI: MP, terms_pb2.MOBILITY_TRACK: MP // 10}


class Travel:
    """The map as a graph for each kind of mobility; built as far as it is asked for."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._costs: dict[tuple[int, str], catalog_pb2.TerrainCost] = {
            (row.mobility, row.terrain): row for row in board.catalog.charts.movement}
        self._ways: set[tuple[int, int]] = set()
        self._lakes: dict[tuple[int, int], bool] = {}
        for side in board.catalog.map.hexsides:
            other = board.layout.neighbour(side.hex, side.direction - 1)
            for pair in ((side.hex, other), (other, side.hex)):
                if side.road or side.rail:
                    self._ways.add(pair)
                if side.lake_full or side.lake_partial:
                    self._lakes[pair] = side.lake_full
        self._graphs: dict[tuple[int, bool, frozenset[int]], dict[int, list[tuple[int, int]]]] = {}

    def field(self, mobility: int, goals: Iterable[int], *, thaw: bool = False,
              bridges: frozenset[int] = frozenset(), closed: Collection[int] = (),
              zone: Collection[int] = (), most: int = NEVER) -> dict[int, int]:
        """What it costs from every hex to the nearest goal, up to `most`; others are left out.

        A hex of `closed` is not entered, one of `zone` costs the stop besides; goals cost nothing
        to be at, wherever they are.
        """
        graph = self._graph(mobility, thaw, bridges)
        stop = _STOPS.get(mobility, _STOP)
        found = {goal: 0 for goal in goals if goal in graph}
        queue = [(0, goal) for goal in found]
        while queue:
            spent, here = heappop(queue)
            if spent > found[here]:
                continue
            if spent > most:
                break
            toll = spent + (stop if here in zone and spent else 0)
            for before, cost in graph[here]:
                if before in closed:
                    continue
                total = toll + cost
                if total < found.get(before, NEVER):
                    found[before] = total
                    heappush(queue, (total, before))
        return found

    def _graph(self, mobility: int, thaw: bool,
               bridges: frozenset[int]) -> dict[int, list[tuple[int, int]]]:
        """For every hex those it may be entered from, and what that costs."""
        key = mobility, thaw, bridges
        if key not in self._graphs:
            if len(self._graphs) > 40:
                self._graphs.clear()
            self._graphs[key] = {
                number: [(other, cost) for other in self._board.around[number]
                         if (cost := self._step(mobility, other, number, thaw, bridges))]
                for number in self._board.hexes}
        return self._graphs[key]

    def _step(self, mobility: int, start: int, end: int, thaw: bool,
              bridges: frozenset[int]) -> int:
        """What one step costs; 0 if it cannot be made."""
        before, after = self._board.hexes[start], self._board.hexes[end]
        by_road = (start, end) in self._ways
        heavy = mobility in (terms_pb2.MOBILITY_DRAFT, terms_pb2.MOBILITY_WHEEL,
                             terms_pb2.MOBILITY_TRACK)
        if after.river and end not in bridges:
            if heavy and thaw:
                return 0
            terrain = "river"
        elif by_road or (after.river and end in bridges):
            terrain = "road"
        else:
            terrain = _terrain(after)
        row = self._costs.get((mobility, terrain))
        if row is None or not row.HasField("enter"):
            return 0
        cost = row.enter
        if start not in bridges and ((before.river and not after.river)
                                     or (before.creek and not after.creek and not by_road)):
            water = self._costs.get((mobility, "river" if before.river else "creek"))
            cost += water.leave if water else 0
        if (start, end) in self._lakes and not by_road:
            lake = self._costs.get((mobility, "lake_thaw" if thaw else "lake_frozen"))
            if lake is None or not lake.HasField("enter"):
                return 0
            cost += lake.enter
        return cost


def _terrain(hex_: catalog_pb2.MapHex) -> str:
    if hex_.town:
        return "town"
    if hex_.forest:
        return "forest_creek" if hex_.creek else "forest"
    return "creek" if hex_.creek else "clear"
