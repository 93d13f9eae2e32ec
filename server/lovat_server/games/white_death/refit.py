"""[WD 18] On turn 10 one Soviet tank brigade may be refitted."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .battle import Battle
from .events import BrigadeRefitted
from .orders import Refit
from .position import Position
from .reinforcements import is_awaited
from .terms import Side

TURN = 10
MARK = "TB"


def units_of(position: Position, brigade: str) -> tuple[int, ...]:
    return tuple(index for index in position.catalog.side_units[Side.SOVIET]
                 if position.catalog.units[index].division == brigade)


def brigades(position: Position) -> tuple[str, ...]:
    """[WD 18] Tank brigades that may be refitted, in order of their marks.

    NOTE(WD 18): a brigade that was wholly lost counts, unless the option `strict_refit` is on;
    one that has yet to arrive does not.
    """
    marks = sorted({position.catalog.units[index].division
                    for index in position.catalog.side_units[Side.SOVIET]
                    if position.catalog.units[index].division.endswith(MARK)})
    return tuple(mark for mark in marks if _may_refit(position, units_of(position, mark)))


def _may_refit(position: Position, units: tuple[int, ...]) -> bool:
    if any(is_awaited(position, index) for index in units):
        return False
    in_play = any(position.units[index].hex >= 0 for index in units)
    return in_play or not position.options.strict_refit


def is_due(position: Position) -> bool:
    """[WD 18] The start of turn 10, with a brigade to refit."""
    return position.turn == TURN and bool(brigades(position))


def judge(position: Position, order: Refit) -> list[Violation]:
    """[WD 18]"""
    offered = brigades(position)
    if not order.brigade or order.brigade in offered:
        return []
    return [Violation(
        Reason.REPLACEMENT, "WD 18", "brigade",
        f"{order.brigade!r} is no tank brigade that may be refitted; these are: "
        + (", ".join(offered) or "none") + ".",
        {"brigade": order.brigade, "offered": ", ".join(offered)})]


def resolve(battle: Battle, order: Refit) -> None:
    """[WD 18] Out of play now, back at full strength on the next turn."""
    if not order.brigade:
        return
    units = units_of(battle, order.brigade)
    restored = sum(battle.catalog.units[index].strength - battle.units[index].strength
                   for index in units)
    battle.record(BrigadeRefitted(order.brigade, units, TURN + 1, restored))
