"""Everything legal for the pending decision, by the same predicates that judge orders."""

from __future__ import annotations

from . import (
    abandonment,
    advance,
    assault,
    barrage,
    bridges,
    cavalry,
    declaring,
    fire,
    impulse,
    losses_to_date,
    rail,
    reachable,
    refit,
    reinforcements,
    replacements,
    retreat,
    set_up,
    ski,
    stacking,
    supply,
)
from .answers import NOWHERE, Listing, Reach, UnitOptions
from .battle import Battle
from .catalog import Catalog
from .movement import MovementPhase
from .orders import MoveAndDeclare
from .state import State
from .terms import MP, OFF_MAP, DecisionKind, ImpulseKind, Phase
from .travel import closed_board


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
            return Listing(decision, barrages=barrage.barrage_options(battle),
                           full_rockets=barrage.full_rocket_pools(battle))
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
    options = []
    for index in battle.catalog.side_units[battle.side]:
        if units is not None and index not in units:
            continue
        if battle.units[index].hex == OFF_MAP and not reinforcements.is_due(battle, index):
            continue
        option = _unit_options(phase, index, index in busy)
        if option is not None:
            options.append(option)
    return tuple(options)


def _unit_options(phase: MovementPhase, index: int, busy: bool) -> UnitOptions | None:
    battle, left = phase.battle, phase.left(index)
    passing = battle.kind == ImpulseKind.PASS
    reach = _reach(phase, index, left)
    on_map = battle.units[index].hex != OFF_MAP
    enough = left >= MP and on_map
    targets = assault.targets(phase, index) if enough and not busy else ()
    option = UnitOptions(
        index, left, reach,
        rail=_rail(phase, index) if enough else (),
        assaults=targets,
        may_deploy=enough and not passing and phase.may_deploy(index),
        may_build_bridge=enough and not passing and not bridges.judge_build(battle, index, ""),
        may_destroy_bridge=enough and not passing
        and not bridges.judge_destroy(battle, index, ""),
        charges=tuple(hex_ for hex_ in targets if cavalry.may_charge(battle, index, hex_)),
        may_abandon=not abandonment.judge_abandon(battle, index, ""),
        may_exit=not passing and not abandonment.judge_exit(battle, index, ""),
    )
    return option if option != UnitOptions(index, left) else None


def _reach(phase: MovementPhase, index: int, left: int) -> Reach:
    """[WD 4, 6, 21.C] Where a unit can go, and where this one may not end."""
    battle = phase.battle
    if battle.kind == ImpulseKind.PASS or index in phase.ended:
        return NOWHERE
    found = reachable.from_where_it_stands(battle, index, left)
    if not found.hexes:
        return NOWHERE
    full = closed_board(battle, battle.side) | stacking.full_board(battle, (index,))
    return reachable.not_ending(found, full & found.board) if found.board & full else found


def _rail(phase: MovementPhase, index: int) -> tuple[int, ...]:
    """[WD 8] Hexes a unit may go to by rail and stop in."""
    battle = phase.battle
    strength = battle.units[index].strength
    if index in phase.ended or rail.strength_left(battle, battle.side) < strength:
        return ()
    return tuple(hex_ for hex_ in rail.destinations(battle, index)
                 if stacking.fits_with(battle, hex_, (index,)))
