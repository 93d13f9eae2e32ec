"""Cheapest paths over small integer costs: a bucket queue (Dial's algorithm)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Reach:
    """What a search found: cheapest `cost` and `previous` node of each node, in order found.

    A starting node has itself as its previous node.
    """

    __slots__ = ("cost", "previous")

    def __init__(self, cost: dict[int, int], previous: dict[int, int]) -> None:
        self.cost = cost
        self.previous = previous

    def path(self, node: int) -> list[int]:
        """Nodes from just after the start to `node`."""
        nodes = []
        while self.previous[node] != node:
            nodes.append(node)
            node = self.previous[node]
        nodes.reverse()
        return nodes


def reach(edges: Sequence[Sequence[tuple[int, int]]], starts: Iterable[tuple[int, int]],
          limit: int, closed: bytes | bytearray, stop: bytes | bytearray,
          toll: bytes | bytearray, fee: int, *, entering: bool = False) -> Reach:
    """Every node whose cheapest cost from the starts is at most `limit`.

    `edges[node]` are (node, cost) pairs with costs of 0 or more; `starts` are (node, cost) pairs.
    `closed`, `stop` and `toll` have a byte for each node: not to be entered; entered but not
    left, unless it is a start; left for `fee` more. With `entering` a start that stops is not
    left either: it is where the path comes onto the map.
    """
    beyond = limit + 1
    buckets: list[list[int]] = [[] for _ in range(beyond)]
    cost = [beyond] * len(edges)
    previous = [0] * len(edges)
    found: list[int] = []
    begun = set()
    for node, price in starts:
        if price < cost[node]:
            if cost[node] == beyond:
                found.append(node)
            cost[node] = price
            previous[node] = node
            if not entering:
                begun.add(node)
            buckets[price].append(node)
    for level, bucket in enumerate(buckets):
        for node in bucket:
            if cost[node] != level or (stop[node] and node not in begun):
                continue
            base = level + fee if toll[node] else level
            for end, price in edges[node]:
                total = base + price
                if total < cost[end] and not closed[end]:
                    if cost[end] == beyond:
                        found.append(end)
                    cost[end] = total
                    previous[end] = node
                    buckets[total].append(end)
    return Reach({node: cost[node] for node in found}, {node: previous[node] for node in found})
