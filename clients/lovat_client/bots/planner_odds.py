"""What fire may be hoped to do, from the printed tables: exact for one shot, quick for a guess."""

from __future__ import annotations

from typing import NamedTuple

from lovat.white_death.v1 import catalog_pb2, terms_pb2

_DIE = 6
_TWO_DICE = 36
_ABOVE = [sum(1 for one in range(1, 7) for two in range(1, 7) if one + two > total)
          for total in range(13)]
"""Of 36 throws of two dice those that are over a total."""


class Shot(NamedTuple):
    """What one shot does on average: strength lost, and the chances to fail and to rout."""

    loss: float
    fails: float
    routs: float


class Odds:
    """The tables of one catalog. Fire and defence values are in points."""

    def __init__(self, charts: catalog_pb2.Charts) -> None:
        self._conventional = [(column.numerator / column.denominator, tuple(column.results))
                              for column in charts.conventional]
        self._antitank = [(column.numerator / column.denominator, tuple(column.results))
                          for column in charts.antitank]
        self._barrage = [(column.lowest, tuple(column.results)) for column in charts.barrage]
        self._bunker = charts.barrage_modifiers.get("bunker", 0)
        self._known: dict[tuple[int, int, int, int, bool], Shot] = {}

    def conventional(self, fire: float, defence: float, strength: int, morale: int,
                     worse: int = 0, fright: bool = False) -> Shot:
        """A conventional shot at a unit; `worse` is added to every check of its morale."""
        place = -1
        for number, (ratio, _) in enumerate(self._conventional):
            if fire < ratio * defence - 1e-9:
                break
            place = number
        key = place, strength, morale, worse, fright
        known = self._known.get(key)
        if known is None:
            results = self._conventional[place][1] if place >= 0 else (-1,) * _DIE
            known = self._known[key] = _shot(results, strength, morale, worse, fright)
        return known

    def antitank(self, fire: float, defence: float) -> float:
        """The strength that an AFV loses by antitank fire, on average."""
        found = 0.0
        for ratio, results in self._antitank:
            if fire < ratio * max(defence, 0.5) - 1e-9:
                break
            found = sum(max(result, 0) for result in results) / _DIE
        return found

    def bunker_loss(self, fire: float) -> float:
        """The points that a bunker loses by a barrage of so much fire, split at the top column."""
        top = self._barrage[-1][0] if self._barrage else 0
        if not top:
            return 0.0
        full, rest = divmod(fire, top)
        return full * self._one_barrage(top) + self._one_barrage(rest)

    def _one_barrage(self, fire: float) -> float:
        results: tuple[int, ...] = ()
        for lowest, column in self._barrage:
            if fire >= lowest:
                results = column
        if not results:
            return 0.0
        dice = (min(max(die + self._bunker, 1), len(results)) for die in range(1, _DIE + 1))
        return sum(results[die - 1] for die in dice) / _DIE


def _shot(results: tuple[int, ...], strength: int, morale: int, worse: int,
          fright: bool) -> Shot:
    loss = fails = routs = 0.0
    for result in results:
        if result < 0 and not fright:
            continue
        lost = min(max(result, 0), max(strength // 2, 1))
        if lost >= strength:
            loss, fails = loss + strength, fails + 1
            continue
        added = worse + max(result, 0) + (fright and result >= 0)
        failed = _over(morale - added)
        routed = _over(morale - added + 2)
        loss += lost + routed
        fails += failed
        routs += routed
    return Shot(loss / _DIE, fails / _DIE, routs / _DIE)


def _over(total: int) -> float:
    return _ABOVE[min(max(total, 0), 12)] / _TWO_DICE


def is_afv(unit: catalog_pb2.Unit) -> bool:
    """Whether a unit is armour."""
    return unit.kind == terms_pb2.KIND_AFV
