"""[WD 22] Garrisons that may not leave yet."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from . import wording
from .battle import Battle
from .events import GarrisonRolled, TownGarrisonsReleased
from .position import Position
from .terms import OFF_MAP

ALWAYS_RELEASED_TURN = 7
"""From this turn on the number needed is on every face."""

CITY = "garrison_city"
TOWN = "garrison_town"


def needed(turn: int) -> int:
    """[WD 22] The highest die that releases Velikiye Luki: 1 on turn 2, 2 on turn 3, and so on."""
    return min(turn - 1, 6)


def roll(battle: Battle) -> None:
    """[WD 22] The releases at the beginning of a turn, and the die for Velikiye Luki.

    NOTE(WD 22): no die is thrown where every face releases, nor once the city is released.
    """
    turn, first = battle.turn, battle.catalog.scenario.first_turn
    if not battle.catalog.scenario.garrisons or turn == first:
        return
    if turn == first + 1:
        battle.record(TownGarrisonsReleased(turn))
    if battle.released:
        return
    die = 0 if turn >= ALWAYS_RELEASED_TURN else battle.dice.roll()
    battle.record(GarrisonRolled(die, needed(turn), die <= needed(turn)))


def may_move(position: Position, index: int) -> bool:
    """[WD 22] Not on the first turn, for any garrison unit.

    NOTE(WD 22): the clause holds all three garrisons still on the first turn and then says that
    the city's may move inside the city until it is released. The first turn goes before: the
    freedom inside the city begins with turn 2. Standing still is no bar to firing, assaulting or
    deploying, nor to a retreat; an advance after combat is a move like any other.
    """
    return not (_is_garrison(position, index)
                and position.turn == position.catalog.scenario.first_turn)


def allowed_board(position: Position, index: int) -> int | None:
    """[WD 22] The hexes a unit may move in; None if nothing holds it.

    NOTE(WD 22): a unit of the city garrison that was driven out of the city is no longer held.
    """
    if not _is_garrison(position, index):
        return None
    hex_ = position.units[index].hex
    if position.turn == position.catalog.scenario.first_turn:
        return 1 << hex_
    if CITY in position.catalog.units[index].traits and not position.released \
            and position.in_city(index):
        return position.catalog.map.city
    return None


def holds_back(position: Position, index: int, hex_: int) -> bool:
    """[WD 22] A unit that may not move into a hex because it is of a garrison."""
    within = allowed_board(position, index)
    return within is not None and not within >> hex_ & 1


def violation(position: Position, index: int, path: str) -> Violation:
    """[WD 22] A garrison unit that would go where it may not, as a violation."""
    name = wording.unit_name(position.catalog, index)
    if not may_move(position, index):
        message = f"{name} belongs to a garrison, which may not be moved on the first turn."
    else:
        message = (f"{name} belongs to the garrison of Velikiye Luki, which is not released and "
                   "may not leave the city.")
    return Violation(Reason.GARRISON, "WD 22", path, message,
                     {"unit": position.catalog.units[index].id, "turn": str(position.turn)})


def _is_garrison(position: Position, index: int) -> bool:
    return (position.catalog.scenario.garrisons
            and position.units[index].hex != OFF_MAP
            and not position.catalog.units[index].traits.isdisjoint((CITY, TOWN)))
