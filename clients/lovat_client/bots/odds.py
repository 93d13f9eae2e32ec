"""What conventional fire comes to on the average: a rule of thumb, not the table itself."""

from __future__ import annotations

from bisect import bisect_right

_COLUMNS = (1 / 3, 1 / 2, 1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0)
_LOSSES = (0.0, 0.0, 0.0, 0.17, 0.33, 0.33, 0.67, 1.0, 1.5, 2.0, 2.5)
_CHECKS = (0.0, 0.17, 0.33, 0.5, 0.5, 0.67, 0.83, 1.0, 1.0, 1.0, 1.0)
_FAILS = 0.4
_ROUTS = 0.15


def leaves(odds: float) -> float:
    """The chance that a unit under this fire has to leave its hex."""
    return _CHECKS[bisect_right(_COLUMNS, odds)] * _FAILS


def loss(odds: float, strength: float, *, steady: bool = False) -> float:
    """The strength points that a unit under this fire loses; `steady` ones never rout."""
    place = bisect_right(_COLUMNS, odds)
    routed = 0.0 if steady else _CHECKS[place] * _ROUTS
    return min(_LOSSES[place], max(strength / 2, 1.0) * _CHECKS[place]) + routed
