"""Faults of units and stacks that do not stop play but that play could not have brought about."""

from __future__ import annotations

from collections.abc import Iterator

from lovat_server.core.violations import Reason, Violation
from lovat_server.hexmap.grid import DIRECTIONS, board_of, hexes_of

from . import garrisons, stacking
from .catalog import Unit
from .opening import is_withheld
from .position import Position
from .set_up import enterable_board
from .state import UnitState
from .terms import IMPULSE_STATUS, OFF_MAP, DecisionKind, Mobility, Phase, Side, Status
from .travel import mobility_of
from .wording import hex_name, unit_name

_BEFORE_PLAY = (DecisionKind.NONE, DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP)
DRIVEN = 3
"""[WD 14.B] Hexes that a unit may be driven in an impulse, or a little more."""


def faults(position: Position) -> list[Violation]:
    """Every fault of a unit, unit by unit, then of the stacks, hex by hex."""
    found: list[Violation] = []
    for index, (unit, printed) in enumerate(
            zip(position.units, position.catalog.units, strict=True)):
        found.extend(_terrain(position, index, unit))
        found.extend(_arrival(position, index, unit, printed))
        found.extend(_garrison(position, index, unit, printed))
        found.extend(_statuses(position, index, unit, printed))
        found.extend(_row(position, index, unit))
    for hex_, stack in sorted(position.stacks().items()):
        found.extend(_stack(position, hex_, stack))
    return found


def _fault(position: Position, reason: Reason, clause: str, index: int, field: str,
           message: str) -> Violation:
    """`message` has a place for the unit's name."""
    name = unit_name(position.catalog, index)
    return Violation(reason, clause, f"units[{index}].{field}", message.format(unit=name),
                     {"unit": position.catalog.units[index].id})


# ---------------------------------------------------------------- where a unit stands

def _terrain(position: Position, index: int, unit: UnitState) -> Iterator[Violation]:
    """[WD 7, 13] A unit stands where it could have gone in some weather.

    NOTE(WD 20.A): the bridge that brought it into a river hex may have been destroyed since.
    """
    if unit.hex != OFF_MAP and not _standing_board(
            position, mobility_of(position, index)) >> unit.hex & 1:
        yield _fault(position, Reason.PROHIBITED_TERRAIN, "WD 7", index, "hex",
                     "{unit} stands in " + hex_name(position.catalog, unit.hex)
                     + ", which it could not enter from any side.")


def _standing_board(position: Position, mobility: Mobility) -> int:
    key = "standing", mobility
    board: int | None = position.memo.get(key)
    if board is None:
        catalog = position.catalog
        bridged = position.bridged() | board_of(catalog.scenario.bridges)
        if any(unit.status & Status.BRIDGED for unit in position.units):
            bridged |= catalog.map.river
        roads = 0
        for direction in DIRECTIONS:
            roads |= catalog.map.road[direction] | catalog.map.rail[direction]
        board = roads & ~catalog.map.river
        for thaw in (False, True):
            board |= enterable_board(catalog, mobility, thaw, bridged)
        position.memo[key] = board
    return board


def _arrival(position: Position, index: int, unit: UnitState,
             printed: Unit) -> Iterator[Violation]:
    """[WD 17, 25.3, Notes.IV] Nothing is on the map before it is due, and nothing set up is off it.

    A unit that the options leave out is withheld.
    """
    if unit.strength and "by_option" in printed.traits and not unit.status & Status.WITHHELD \
            and is_withheld(printed, position.options):
        yield _fault(position, Reason.NOT_AVAILABLE, "WD Notes.IV", index, "status",
                     "{unit} takes part, but the option that brings it was not chosen.")
        return
    if unit.hex != OFF_MAP:
        if unit.status & Status.WITHHELD:
            yield _fault(position, Reason.NOT_AVAILABLE, "WD 17.F", index, "hex",
                         "{unit} is on the map but has not been received.")
        elif _is_early(position, printed):
            yield _fault(position, Reason.NOT_AVAILABLE, "WD 17", index, "hex",
                         "{unit} is on the map but arrives on turn "
                         f"{printed.arrival_turn}, impulse {max(1, printed.arrival_impulse)}.")
        return
    if (unit.strength and printed.set_up and not unit.due and not printed.arrival_turn
            and not unit.status & Status.WITHHELD and not _is_before_set_up(position, printed)):
        yield _fault(position, Reason.INCOMPLETE, "WD 25.3", index, "hex",
                     "{unit} waits off the map but belongs to the set-up.")
    if (unit.strength != printed.strength and _is_early(position, printed)
            and not any(index in loss.units for loss in position.catalog.scenario.losses)):
        yield _fault(position, Reason.NOT_AVAILABLE, "WD 17", index, "strength",
                     "{unit} has lost strength points before its arrival on turn "
                     f"{printed.arrival_turn}.")


def _is_early(position: Position, printed: Unit) -> bool:
    """[WD 17] The order of appearance brings the unit later than now."""
    if not printed.arrival_turn or printed.set_up:
        return False
    now = position.turn, position.impulses[printed.side]
    return now < (printed.arrival_turn, max(1, printed.arrival_impulse))


def _is_before_set_up(position: Position, printed: Unit) -> bool:
    kind, side = position.decision.kind, position.decision.side
    return kind in _BEFORE_PLAY and not (
        kind == DecisionKind.SET_UP and side == Side.SOVIET and printed.side == Side.GERMAN)


def _garrison(position: Position, index: int, unit: UnitState,
              printed: Unit) -> Iterator[Violation]:
    """[WD 22] A garrison that is held stands where it was set up, or where it was driven to.

    NOTE(WD 22): a retreat is no movement, so that a unit a few hexes away is no fault.
    """
    catalog = position.catalog
    city, town = garrisons.CITY in printed.traits, garrisons.TOWN in printed.traits
    if (unit.hex == OFF_MAP or not (city or town) or not catalog.scenario.garrisons
            or printed.set_up not in catalog.map.areas):
        return
    turns = position.turn - catalog.scenario.first_turn
    if turns > 0 and (town or position.released):
        return
    impulses = max(0, turns) * 20 + sum(max(0, count) for count in position.impulses)
    home = catalog.map.city if city else catalog.map.areas[printed.set_up]
    driven = DRIVEN * impulses
    if home and min(catalog.map.grid.distance(unit.hex, hex_)
                    for hex_ in hexes_of(home)) > driven:
        yield _fault(position, Reason.GARRISON, "WD 22", index, "hex",
                     "{unit} belongs to a garrison that is not released but stands in "
                     + hex_name(catalog, unit.hex) + ", farther away than it could be driven.")


# ---------------------------------------------------------------- what a unit has become

def _statuses(position: Position, index: int, unit: UnitState,
              printed: Unit) -> Iterator[Violation]:
    """Statuses that the unit, or the moment, does not allow."""
    status = unit.status
    if not status:
        return
    known = sum(Status)
    if status & ~known or status < 0:
        yield _fault(position, Reason.UNSPECIFIED, "WD 6.B", index, "status",
                     f"{{unit}} has status {status}; a status is a sum of known bits.")
        return
    for bit, reason, clause, text in _wrong_statuses(position, unit, printed):
        if status & bit:
            yield _fault(position, reason, clause, index, "status", f"{{unit}} {text}")


def _wrong_statuses(position: Position, unit: UnitState,
                    printed: Unit) -> Iterator[tuple[int, Reason, str, str]]:
    """Bits that may not be set, each with what is wrong with it."""
    on_map = unit.hex != OFF_MAP
    if not printed.is_artillery:
        yield (Status.DEPLOYED, Reason.DEPLOYMENT, "WD 6.B.2",
               "is deployed but is no artillery.")
        yield (Status.SUPPLIED, Reason.SUPPLY, "WD 15.B",
               "is marked as supplied artillery but is no artillery.")
        yield Status.BARRAGED, Reason.FIRER, "WD 11.B", "has fired a barrage but is no artillery."
    elif not on_map:
        yield Status.DEPLOYED, Reason.DEPLOYMENT, "WD 6.B.2", "is deployed but not on the map."
    if not on_map:
        yield Status.ISOLATED, Reason.SUPPLY, "WD 15.C", "is isolated but not on the map."
        yield (int(IMPULSE_STATUS), Reason.NOT_AVAILABLE, "WD 14.B",
               "has fired or failed its morale this impulse but is not on the map.")
    if not unit.strength:
        yield (int(Status.SUPPLIED | Status.ABANDONED), Reason.NOT_AVAILABLE, "WD 9.C.4",
               "is eliminated but has a status of units in play.")
    if position.phase == Phase.NONE:
        yield (int(IMPULSE_STATUS), Reason.IMPULSE, "WD 5",
               "has fired or failed its morale in an impulse, but none is being played.")
    if "bridge" not in printed.traits:
        yield Status.BRIDGED, Reason.BRIDGE, "WD 20.B", "has built a bridge but has none to build."
    if not position.options.abandoned_equipment:
        yield (Status.ABANDONED, Reason.UNSPECIFIED, "WD 23",
               "has abandoned its equipment, but the game is played without that rule.")
    elif not printed.kind.is_weapons:
        yield (Status.ABANDONED, Reason.UNSPECIFIED, "WD 23",
               "has abandoned its equipment but is no weapons unit.")
    else:
        yield (int(Status.ABANDONED | Status.DEPLOYED)
               if unit.status & Status.ABANDONED and unit.status & Status.DEPLOYED else 0,
               Reason.DEPLOYMENT, "WD 23", "is deployed without its equipment.")
    if not is_withheld(printed, position.options):
        yield (Status.WITHHELD, Reason.NOT_AVAILABLE, "WD 17.F",
               "is withheld but is no optional reinforcement.")


def _row(position: Position, index: int, unit: UnitState) -> Iterator[Violation]:
    """[WD 4.C, 16.B, 18] Bank, rank and the turn of return."""
    if not 0 <= unit.bank <= 2:
        yield _fault(position, Reason.UNSPECIFIED, "WD 16.B", index, "bank",
                     f"{{unit}} came from bank {unit.bank}; a bank is 0, 1 or 2.")
    elif unit.bank and (unit.hex == OFF_MAP or not position.catalog.map.river >> unit.hex & 1):
        yield _fault(position, Reason.UNSPECIFIED, "WD 16.B", index, "bank",
                     "{unit} has a bank that it came from but is not in a river hex.")
    if unit.rank < 0:
        yield _fault(position, Reason.UNSPECIFIED, "WD 4.C", index, "rank",
                     f"{{unit}} has rank {unit.rank} in its stack; the top has the lowest, from 0.")
    if unit.due and (unit.due < 0 or unit.hex != OFF_MAP or not unit.strength):
        yield _fault(position, Reason.NOT_AVAILABLE, "WD 18", index, "due",
                     f"{{unit}} is to come back on turn {unit.due} but does not wait outside.")


# ---------------------------------------------------------------- stacks

def _stack(position: Position, hex_: int, stack: list[int]) -> Iterator[Violation]:
    """[WD 4] Stacking of each side's units, and one rank for each."""
    catalog = position.catalog
    ranks: set[int] = set()
    for index in stack:
        if position.units[index].rank in ranks:
            yield _fault(position, Reason.DUPLICATE, "WD 4.C", index, "rank",
                         "{unit} has the rank of another unit in " + hex_name(catalog, hex_) + ".")
        ranks.add(position.units[index].rank)
    # NOTE(WD 4, 14.B): a unit that was routed on its way leaves before stacking is asked
    leaving = {pending.unit for pending in position.retreats}
    for side in Side:
        units = [index for index in stack
                 if catalog.units[index].side == side and index not in leaving]
        if units and not stacking.fits(catalog, units):
            yield stacking.violation(position, hex_, units, f"units[{units[0]}].hex")
    soviet = [index for index in stack if catalog.units[index].side == Side.SOVIET]
    if soviet and position.bunker_at(hex_) is not None:
        yield _fault(position, Reason.ENEMY_OCCUPIED, "WD E.19", soviet[0], "hex",
                     "{unit} stands in " + hex_name(catalog, hex_)
                     + ", where a bunker stands that its entry would have destroyed.")
