"""[WD 5.1] How many points an impulse may spend."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .answers import PointsOption
from .orders import DeclareImpulse
from .position import Position
from .terms import ImpulseKind, Side

LEAST_SOVIET_ACTION = 3
PASS = 1


def options(position: Position) -> tuple[PointsOption, ...]:
    """[WD 5, Chart.points] An action of the least allowed to all that is left, or a pass of one."""
    left = position.points[position.side]
    least = min(LEAST_SOVIET_ACTION, left) if position.side == Side.SOVIET else 1
    return (PointsOption(ImpulseKind.ACTION, least, left),
            PointsOption(ImpulseKind.PASS, PASS, PASS))


def judge(position: Position, order: DeclareImpulse) -> list[Violation]:
    """[WD 5] Within `options`."""
    for option in options(position):
        if option.kind == order.kind:
            if option.least <= order.points <= option.most:
                return []
            side = position.side.name.capitalize()
            bounds = str(option.least) if option.least == option.most else \
                f"{option.least} to {option.most}"
            return [Violation(
                Reason.IMPULSE, "WD 5", "points",
                f"A {side} {order.kind.name.lower()} impulse spends {bounds} movement points, "
                f"not {order.points}.",
                {"points": str(order.points), "least": str(option.least),
                 "most": str(option.most)})]
    return [Violation(Reason.IMPULSE, "WD 5", "kind", "An impulse is an action or a pass.")]
