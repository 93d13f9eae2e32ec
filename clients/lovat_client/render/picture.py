"""What is drawn of a game at one moment, from a player's view or from a whole position."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, orders_pb2, state_pb2, terms_pb2


@dataclass(frozen=True)
class Piece:
    """One unit; `strength` is None where only the front of its counter is known."""

    unit: str
    strength: int | None = None
    deployed: bool = False
    isolated: bool = False


@dataclass(frozen=True)
class Stack:
    """The units of one hex; `pieces` are those that are known, the top one first."""

    hex: int
    count: int
    pieces: tuple[Piece, ...]

    @property
    def top(self) -> str:
        """The id of the unit on top; empty if it is not known."""
        return self.pieces[0].unit if self.pieces else ""

    @property
    def strength(self) -> int | None:
        """The strength of the whole stack; None if any of it is not known."""
        known = [piece.strength for piece in self.pieces if piece.strength is not None]
        return sum(known) if len(known) == self.count else None


@dataclass(frozen=True)
class Attack:
    """A declared assault; `origins` are the hexes that it comes from, as far as they are known."""

    hex: int
    origins: tuple[int, ...] = ()


@dataclass(frozen=True)
class Picture:
    """Everything that changes and can be drawn. Pairs are Soviet then German."""

    stacks: tuple[Stack, ...]
    bunkers: tuple[int, ...] = ()
    bridges: tuple[int, ...] = ()
    attacks: tuple[Attack, ...] = ()
    turn: int = 0
    weather: int = terms_pb2.WEATHER_UNSPECIFIED
    phasing: int = terms_pb2.SIDE_UNSPECIFIED
    decision: int = terms_pb2.DECISION_KIND_UNSPECIFIED
    impulses: tuple[int, ...] = (0, 0)
    points: tuple[int, ...] = (0, 0)
    declared: int = 0
    supply: tuple[int, ...] = (0, 0, 0)
    victory: int | None = None
    level: str = ""

    def at(self, number: int) -> Stack | None:
        """The stack of a hex, if there is one."""
        return next((stack for stack in self.stacks if stack.hex == number), None)


def picture_of_view(view: answers_pb2.View) -> Picture:
    """Draw what one side may know."""
    stacks = [*_stacks(view.own), *map(_enemy_stack, view.enemy)]
    known = [*view.own, *(unit for stack in view.enemy for unit in stack.revealed)]
    return Picture(
        stacks=_in_order(stacks),
        bunkers=tuple(view.bunkers),
        bridges=tuple(sorted(bridge.hex for bridge in view.bridges)),
        attacks=_attacks(view.assaults, known),
        turn=view.turn, weather=view.weather, phasing=view.phasing, decision=view.decision.kind,
        impulses=_filled(view.impulses, 2), points=_filled(view.points, 2),
        declared=view.declared, supply=_filled(view.supply, 3),
        victory=view.score.points if view.HasField("score") else None,
        level=view.score.level,
    )


def picture_of_position(
    position: core_pb2.Position | state_pb2.State, score: answers_pb2.Score | None = None,
) -> Picture:
    """Draw a whole position, as an umpire sees it."""
    state = position if isinstance(position, state_pb2.State) else position.state.white_death
    return Picture(
        stacks=_in_order(_stacks(state.units)),
        bunkers=tuple(state.bunkers),
        bridges=tuple(sorted(bridge.hex for bridge in state.bridges)),
        attacks=_attacks(state.assaults, state.units),
        turn=state.turn, weather=state.weather, phasing=state.side, decision=state.decision.kind,
        impulses=_filled(state.impulses, 2), points=_filled(state.points, 2),
        declared=state.declared, supply=_filled(state.supply, 3),
        victory=None if score is None else score.points,
        level="" if score is None else score.level,
    )


def _filled(values: Iterable[int], length: int) -> tuple[int, ...]:
    found = tuple(values)
    return found or (0,) * length


def _in_order(stacks: Iterable[Stack]) -> tuple[Stack, ...]:
    return tuple(sorted(stacks, key=lambda stack: stack.hex))


def _piece(unit: state_pb2.UnitState) -> Piece:
    return Piece(unit.unit, unit.strength,
                 deployed=bool(unit.status & terms_pb2.STATUS_FLAG_DEPLOYED),
                 isolated=bool(unit.status & terms_pb2.STATUS_FLAG_ISOLATED))


def _stacks(units: Iterable[state_pb2.UnitState]) -> list[Stack]:
    by_hex: dict[int, list[state_pb2.UnitState]] = defaultdict(list)
    for unit in units:
        if unit.hex and unit.strength:
            by_hex[unit.hex].append(unit)
    return [
        Stack(number, len(found), tuple(map(_piece, sorted(found, key=lambda unit: unit.rank))))
        for number, found in by_hex.items()
    ]


def _enemy_stack(stack: answers_pb2.EnemyStack) -> Stack:
    if stack.revealed:
        found = sorted(stack.revealed, key=lambda unit: unit.rank)
        return Stack(stack.hex, stack.count, tuple(map(_piece, found)))
    seen = [stack.top] if stack.top else []
    seen += [unit for unit in stack.deployed if unit != stack.top]
    pieces = tuple(Piece(unit, deployed=unit in stack.deployed) for unit in seen)
    return Stack(stack.hex, stack.count, pieces)


def _attacks(
    assaults: Iterable[orders_pb2.Assault], units: Iterable[state_pb2.UnitState],
) -> tuple[Attack, ...]:
    places = {unit.unit: unit.hex for unit in units}
    found = []
    for assault in assaults:
        origins = {places.get(unit, 0) for unit in assault.units} - {0}
        found.append(Attack(assault.hex, tuple(sorted(origins))))
    return tuple(sorted(found, key=lambda attack: attack.hex))
