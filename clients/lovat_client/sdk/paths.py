"""Paths out of a legal listing: `UnitOptions` names for every hex only the hex before it."""

from __future__ import annotations

from dataclasses import dataclass

from lovat.white_death.v1 import answers_pb2, terms_pb2


@dataclass(frozen=True, slots=True)
class Reach:
    """One hex that a unit can reach: `cost` in 1/120 MP, `marks` the sum of MarkFlag bits."""

    hex: int
    cost: int
    previous: int
    marks: int

    @property
    def may_end(self) -> bool:
        return not self.marks & terms_pb2.MARK_FLAG_MAY_NOT_END

    @property
    def stops(self) -> bool:
        return bool(self.marks & terms_pb2.MARK_FLAG_STOPS)

    @property
    def is_under_fire(self) -> bool:
        return bool(self.marks & terms_pb2.MARK_FLAG_UNDER_FIRE)

    @property
    def is_on_ice(self) -> bool:
        return bool(self.marks & terms_pb2.MARK_FLAG_ICE)


def reachable(options: answers_pb2.UnitOptions) -> dict[int, Reach]:
    """Every hex that the unit can reach, by hex number, in the order of the listing.

    ValueError if the four lists of the options are not of one length.
    """
    rows = zip(options.hexes, options.costs, options.previous, options.marks, strict=True)
    return {hex_: Reach(hex_, cost, previous, marks) for hex_, cost, previous, marks in rows}


def path_to(options: answers_pb2.UnitOptions, hex_: int) -> list[int]:
    """The hexes entered on the cheapest way to `hex_`, as `March.path` wants them.

    The hex that the unit starts from is left out; an entry hex is the first. KeyError if the
    unit cannot reach `hex_`; ValueError if the listing goes in a circle.
    """
    before = dict(zip(options.hexes, options.previous, strict=True))
    path = [hex_]
    while (last := before[path[-1]]) in before:
        path.append(last)
        if len(path) > len(before):
            raise ValueError(f"the listing of {options.unit} goes in a circle at {last:04d}")
    return path[::-1]
