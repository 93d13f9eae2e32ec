"""[WD 4.C, E.4-C] What a side may know of a position."""

from __future__ import annotations

from . import observation, victory
from .answers import EnemyStack, OwnUnit, View
from .position import Position
from .state import Bridge, is_deployed
from .terms import Side


def view(position: Position, side: Side) -> View:
    """[WD 4.C] The position as one side sees it."""
    return View(
        side=side,
        decision=position.decision,
        turn=position.turn,
        weather=position.weather,
        phasing=position.side,
        impulses=position.impulses,
        points=position.points,
        declared=position.declared,
        kind=position.kind,
        supply=position.supply,
        sustained=position.sustained,
        released=position.released,
        replacements=position.replacements,
        rail_moved=_own_rail(position, side),
        own=tuple(OwnUnit(index, position.units[index])
                  for index in position.catalog.side_units[side]),
        enemy=enemy_stacks(position, side),
        bunkers=tuple(position.bunkers),
        bridges=_bridges(position, side),
        assaults=position.assaults,
        retreats=position.retreats,
        vacated=position.vacated,
        score=victory.score(position),
        standing=position.standing[side],
        options=position.options,
    )


def _own_rail(position: Position, side: Side) -> tuple[int, int]:
    """[WD 4.C, 8] Strength points that a side has moved by rail; the enemy's tell what moved."""
    moved = position.rail_moved
    return (moved[0], 0) if side == Side.SOVIET else (0, moved[1])


def _bridges(position: Position, side: Side) -> tuple[Bridge, ...]:
    """[WD 4.C, 20.B] Every bridge; of those the enemy built not by whom."""
    own = frozenset(position.catalog.side_units[side])
    return tuple(bridge if bridge.builder in own else Bridge(bridge.hex)
                 for bridge in position.bridges)


def enemy_stacks(position: Position, side: Side) -> tuple[EnemyStack, ...]:
    """[WD 4.C, E.4-C] Every enemy stack: its hex, its size, its top counter, and what is seen.

    ERRATA(WD E.4-C): deployed artillery that is observed is seen as such wherever it lies in the
    stack.
    """
    shown = revealed_units(position, side)
    stacks = []
    for hex_, stack in sorted(position.stacks().items()):
        units = [index for index in stack if position.catalog.units[index].side != side]
        if units:
            stacks.append(EnemyStack(
                hex_, len(units), units[0], deployed_units(position, side, hex_, units),
                tuple(OwnUnit(index, position.units[index]) for index in units if index in shown)))
    return tuple(stacks)


def deployed_units(position: Position, side: Side, hex_: int,
                   units: list[int]) -> tuple[int, ...]:
    """[WD E.4-C, 11.B.3] The deployed artillery in an enemy stack, if the side observes its hex.

    In catalog order: where in the stack each lies is not seen.
    """
    deployed = sorted(index for index in units if is_deployed(position.units[index]))
    if deployed and observation.is_observed(position, side, hex_):
        return tuple(deployed)
    return ()


def revealed_units(position: Position, side: Side) -> frozenset[int]:
    """[WD 4.C] Enemy units that a declared assault shows, until the impulse ends.

    NOTE(WD 4.C): the attacker sees everything in the hex he assaults, the defender the units that
    assault it but not what stays behind with them.
    """
    shown: set[int] = set()
    for assault in position.assaults:
        if side == position.side:
            shown.update(index for index in position.stack(assault.hex)
                         if position.catalog.units[index].side != side)
        else:
            shown.update(assault.units)
    return frozenset(shown)
