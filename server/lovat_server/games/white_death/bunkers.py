"""[WD 19, E.19] Bunkers: their fire, what barrage takes from them, capture."""

from __future__ import annotations

from .battle import Battle
from .events import BunkerDestroyed, BunkerReduced
from .position import Position
from .terms import FP, Phase, Side


def fire_value(position: Position, hex_: int, phase: Phase) -> int:
    """[WD 19, E.19] Conventional, and again antitank, value of the bunker in a hex.

    One point for each strength point left, manned or not, in defensive fire only.
    NOTE(WD 19): a bunker is no unit, so nothing isolates it and no slope doubles it.
    """
    place = position.bunker_at(hex_)
    if place is None or phase != Phase.DEFENSIVE_FIRE:
        return 0
    return position.bunkers[place] * FP


def is_closed_to(position: Position, side: Side, hex_: int) -> bool:
    """[WD E.19] A Soviet unit enters the hex of a standing bunker by assault only."""
    return side == Side.SOVIET and position.bunker_at(hex_) is not None


def reduce(battle: Battle, hex_: int, points: int) -> None:
    """[WD 11.B.2.b, 19] Barrage losses of a bunker, as many as are called for."""
    place = battle.bunker_at(hex_)
    if place is None or points <= 0:
        return
    battle.record(BunkerReduced(hex_, min(points, battle.bunkers[place])))
    if battle.bunkers[place] == 0:
        battle.record(BunkerDestroyed(hex_, captured=False))


def capture(battle: Battle, hex_: int) -> None:
    """[WD E.19] A Soviet unit occupies the hex: a bunker that still stands is destroyed."""
    if battle.bunker_at(hex_) is not None and battle.occupied(Side.SOVIET) >> hex_ & 1:
        battle.record(BunkerDestroyed(hex_, captured=True))
