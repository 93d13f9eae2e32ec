"""The advisor as the planner uses it: so many questions a decision, none if nobody answers."""

from __future__ import annotations

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import overlays_pb2, preview_pb2

from .protocol import Advisor

PREVIEWS = 6
"""Previews that are asked for at most about one decision."""

OVERLAYS = 2
"""Overlays that are asked for at most about one decision."""


class Advice:
    """Counts what is asked. Without an advisor every answer is None.

    `asked` is the number of questions of the game so far.
    """

    def __init__(self) -> None:
        self._advisor: Advisor | None = None
        self._previews = self._overlays = 0
        self.asked = 0

    def take(self, advisor: Advisor) -> None:
        """Ask this advisor from now on."""
        self._advisor = advisor

    def begin(self) -> None:
        """A new decision: the count begins again."""
        self._previews = self._overlays = 0

    @property
    def is_there(self) -> bool:
        """Whether there is anybody to ask, and a preview left of this decision."""
        return self._advisor is not None and self._previews < PREVIEWS

    def preview(self, order: core_pb2.Order) -> preview_pb2.Preview | None:
        """What an order would come to; None if it is refused, or nobody says."""
        if self._advisor is None or self._previews >= PREVIEWS:
            return None
        self._previews += 1
        self.asked += 1
        try:
            answer = self._advisor.preview(order)
        except Exception as error:
            _expected(error)
            return None
        if answer.violations or not answer.HasField("preview"):
            return None
        return answer.preview.white_death

    def overlay(self, kind: int, whose: int, points: int = 0) -> dict[int, int] | None:
        """The value of every hex of an overlay; None if nobody says."""
        if self._advisor is None or self._overlays >= OVERLAYS:
            return None
        self._overlays += 1
        self.asked += 1
        query = core_pb2.OverlayQuery()
        query.white_death.CopyFrom(overlays_pb2.OverlayQuery(
            kind=kind, whose=whose, points=points))  # type: ignore[arg-type]
        try:
            found = self._advisor.overlay(query).white_death
        except Exception as error:
            _expected(error)
            return None
        return dict(zip(found.hexes, found.values, strict=False))


def _expected(error: Exception) -> None:
    """Raise what is no failed call."""
    from ..sdk.errors import LovatError  # slow to import: bots start without it

    if not isinstance(error, LovatError):
        raise error
