"""Everything legal for the pending decision, by the same predicates that judge orders."""

from __future__ import annotations

from collections.abc import Iterable

from lovat_server.hexmap.grid import board_of
from lovat_server.hexmap.paths import Reach

from . import (
    advance,
    artillery,
    assault,
    bridges,
    declaring,
    fire,
    impulse,
    losses_to_date,
    rail,
    refit,
    reinforcements,
    replacements,
    retreat,
    set_up,
    ski,
    stacking,
    supply,
)
from .answers import Listing, Mark, UnitOptions
from .battle import Battle
from .catalog import Catalog
from .movement import MovementPhase
from .orders import MoveAndDeclare
from .state import State
from .terms import MP, OFF_MAP, DecisionKind, ImpulseKind, Phase
from .terrain import needs_ice_die
from .travel import Manner, closed_board, is_waiting, manner_of, reach_of, terms_for


def listing(catalog: Catalog, state: State, draft: MoveAndDeclare | None = None,
            units: frozenset[int] | None = None) -> Listing:
    """What may be ordered now; in the movement phase after a draft, and only for `units`.

    The draft's own violations are not reported here; what it cannot do is left out.
    """
    battle = Battle(catalog, state)
    decision = state.decision
    match decision.kind:
        case DecisionKind.DISTRIBUTE_LOSSES:
            return Listing(decision, losses=losses_to_date.options(battle))
        case DecisionKind.REFIT:
            return Listing(decision, refits=refit.brigades(battle))
        case DecisionKind.SET_UP:
            return Listing(decision, placements=set_up.options(battle),
                           bridges=set_up.bridge_options(battle))
        case DecisionKind.SUSTAIN_GARRISON:
            return Listing(decision, may_sustain=supply.may_sustain(battle))
        case DecisionKind.REPLACE:
            return Listing(decision, replacements=replacements.options(battle),
                           repairs=replacements.repairs(battle))
        case DecisionKind.DECLARE_IMPULSE:
            return Listing(decision, declarations=declaring.options(battle))
        case DecisionKind.MOVE_AND_DECLARE:
            return Listing(decision, units=_movement(battle, draft or MoveAndDeclare(), units))
        case DecisionKind.RETREAT_BEFORE_COMBAT:
            return Listing(decision, withdrawals=ski.withdrawals(battle))
        case DecisionKind.PURSUE:
            return Listing(decision, pursuits=ski.pursuits(battle))
        case DecisionKind.BARRAGE:
            return Listing(decision, barrages=artillery.barrage_options(battle),
                           full_rockets=artillery.full_rocket_pools(battle))
        case DecisionKind.DEFENSIVE_FIRE:
            return Listing(decision, fires=fire.options(battle, Phase.DEFENSIVE_FIRE),
                           high_intensity=fire.high_intensity_pools(battle))
        case DecisionKind.ASSAULT_FIRE:
            return Listing(decision, fires=fire.options(battle, Phase.ASSAULT))
        case DecisionKind.RETREAT:
            return Listing(decision, retreats=retreat.options(battle))
        case DecisionKind.ADVANCE:
            return Listing(decision, advances=advance.options(battle))
        case _:
            return Listing(decision)


def _movement(battle: Battle, draft: MoveAndDeclare,
              units: frozenset[int] | None) -> tuple[UnitOptions, ...]:
    """[WD 5.2, 6] Options of the phasing units, in catalog order."""
    phase, _ = impulse.rehearse(battle, MoveAndDeclare(draft.actions))
    busy = {index for declared in draft.assaults for index in declared.units}
    known: dict[object, _Found] = {}
    options = []
    for index in battle.catalog.side_units[battle.side]:
        if units is not None and index not in units:
            continue
        if battle.units[index].hex == OFF_MAP and not reinforcements.is_due(battle, index):
            continue
        option = _unit_options(phase, index, index in busy, known)
        if option is not None:
            options.append(option)
    return tuple(options)


def _unit_options(phase: MovementPhase, index: int, busy: bool,
                  known: dict[object, _Found]) -> UnitOptions | None:
    battle, left = phase.battle, phase.left(index)
    passing = battle.kind == ImpulseKind.PASS
    found = _NOWHERE
    if not passing and index not in phase.ended:
        found = _reach(battle, index, left, known)
    on_map = battle.units[index].hex != OFF_MAP
    enough = left >= MP and on_map
    option = UnitOptions(
        index, left, found.hexes, found.costs, found.previous, _marks(battle, index, found),
        rail=_rail(phase, index) if enough else (),
        assaults=assault.targets(phase, index) if enough and not busy else (),
        may_deploy=enough and not passing and phase.may_deploy(index),
        may_build_bridge=enough and not passing and not bridges.judge_build(battle, index, ""),
        may_destroy_bridge=enough and not passing
        and not bridges.judge_destroy(battle, index, ""),
    )
    return option if found.hexes or option.rail or option.assaults or option.may_deploy \
        or option.may_build_bridge or option.may_destroy_bridge else None


class _Found:
    """Where units that travel alike from one hex can go."""

    __slots__ = ("board", "costs", "hexes", "marks", "previous")

    def __init__(self, hexes: Iterable[int], costs: Iterable[int], previous: Iterable[int],
                 marks: Iterable[int]) -> None:
        self.hexes = tuple(hexes)
        self.costs = tuple(costs)
        self.previous = tuple(previous)
        self.marks = tuple(marks)
        self.board = board_of(self.hexes)


_NOWHERE = _Found((), (), (), ())


def _reach(battle: Battle, index: int, left: int, known: dict[object, _Found]) -> _Found:
    manner = manner_of(battle, index)
    terms = terms_for(battle, index, manner)
    unit = battle.units[index]
    waiting = is_waiting(battle, index)
    key = (unit.hex, unit.bank, id(terms), left, battle.catalog.units[index].formation
           if waiting else "")
    found = known.get(key)
    if found is None:
        found = known[key] = _search(battle, index, left, manner)
    return found


def _search(battle: Battle, index: int, left: int, manner: Manner) -> _Found:
    terms = terms_for(battle, index, manner)
    size, quantum = battle.catalog.map.grid.size, terms.steps.quantum
    reach = reach_of(battle, index, left, manner)
    here = battle.units[index].hex
    if terms.steps.nodes != size:
        reach = _by_hex(reach, size)
    cost, previous = reach.cost, reach.previous
    cost.pop(here, None)
    stop = terms.stop
    dice = _dice_marks(battle, reach, terms.zone) if manner == Manner.AFV else {}
    return _Found(
        cost, [price * quantum for price in cost.values()],
        [OFF_MAP if previous[hex_] == hex_ else previous[hex_] for hex_ in cost],
        [stop[hex_] | dice[hex_] for hex_ in cost] if dice else [stop[hex_] for hex_ in cost],
    )


def _by_hex(reach: Reach, size: int) -> Reach:
    """[WD 16.B] Of the nodes of one river hex, the cheapest."""
    cost: dict[int, int] = {}
    previous: dict[int, int] = {}
    for node, price in sorted(reach.cost.items(), key=lambda item: (item[1], item[0])):
        if node % size not in cost:
            cost[node % size] = price
            previous[node % size] = reach.previous[node] % size
    return Reach(cost, previous)


def _dice_marks(battle: Battle, reach: Reach, zone: bytes) -> dict[int, int]:
    """[WD 3.A, 13] Whether fire or an ice die is met on the way to each hex."""
    grid = battle.catalog.map.grid
    marks: dict[int, int] = {}
    for hex_, _ in sorted(reach.cost.items(), key=lambda item: (item[1], item[0])):
        before = reach.previous[hex_]
        mark = marks.get(before, 0)
        direction = grid.direction(before, hex_)
        if before != hex_ and direction is not None:
            mark |= Mark.UNDER_FIRE if zone[before] else 0
            if needs_ice_die(battle.catalog, battle.weather, before, direction):
                mark |= Mark.ICE
        marks[hex_] = int(mark)
    return marks


def _marks(battle: Battle, index: int, found: _Found) -> tuple[int, ...]:
    """[WD 4, 21.C] The marks of a search, and where this unit may not end."""
    if not found.hexes:
        return ()
    full = closed_board(battle, battle.side) | stacking.full_board(battle, (index,))
    if not found.board & full:
        return found.marks
    return tuple(mark | Mark.MAY_NOT_END if full >> hex_ & 1 else mark
                 for hex_, mark in zip(found.hexes, found.marks, strict=True))


def _rail(phase: MovementPhase, index: int) -> tuple[int, ...]:
    """[WD 8] Hexes a unit may go to by rail and stop in."""
    battle = phase.battle
    strength = battle.units[index].strength
    if index in phase.ended or rail.strength_left(battle, battle.side) < strength:
        return ()
    return tuple(hex_ for hex_ in rail.destinations(battle, index)
                 if stacking.fits_with(battle, hex_, (index,)))
