"""[WD 17.F] Formations that may or may not be committed."""

from __future__ import annotations

from .battle import Battle
from .events import ReserveRolled
from .position import Position
from .terms import Side, Status

TURN = 12
FLIEGER = "7 Flieger Division"
AUTOMATIC = "47 Nevel Rifle Division"
ROLLED = ("54 Rifle Brigade", "24 Cavalry Division", "334 Rifle Division")
COMES_ON = 4
"""Highest die on which a rolled Soviet formation is received."""


def withheld(position: Position, formation: str) -> tuple[int, ...]:
    """Units of a formation that have not been received."""
    return tuple(index for index, unit in enumerate(position.units)
                 if unit.status & Status.WITHHELD
                 and position.catalog.units[index].formation == formation)


def is_flieger_committed(position: Position) -> bool:
    """[WD 17.F] The whole of 7th Flieger Division was received."""
    return not withheld(position, FLIEGER) and any(
        unit.formation == FLIEGER and "optional" in unit.traits for unit in position.catalog.units)


def roll(battle: Battle) -> None:
    """[WD 17.F, Order] At an impulse's start: the German die of turn 12, Soviet dice after a 6."""
    if battle.side == Side.GERMAN:
        if battle.turn == TURN and battle.impulses[Side.GERMAN] == 1:
            units = withheld(battle, FLIEGER)
            if units:
                die = battle.dice.roll()
                battle.record(ReserveRolled(FLIEGER, die, die == 6, units))
    elif withheld(battle, AUTOMATIC) and is_flieger_committed(battle):
        for formation in ROLLED:
            die = battle.dice.roll()
            battle.record(ReserveRolled(formation, die, die <= COMES_ON,
                                        withheld(battle, formation)))
        battle.record(ReserveRolled(AUTOMATIC, 0, True, withheld(battle, AUTOMATIC)))
