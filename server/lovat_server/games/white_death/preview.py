"""[WD 9-12, 14, 19] What fire or an assault would come to: every value, and exact chances.

Losses are those of fire and morale: what a retreat itself may cost (WD 14.C.1) depends on the
routes the owner chooses and is not in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from lovat_server.games.contract import Judgement

from . import barrage, fire, impulse, preview_assault, preview_results, preview_values, visibility
from . import engagement as eng
from .battle import Battle
from .catalog import Catalog
from .decisions import HANDLERS, wrong_decision
from .orders import AssaultFire, Barrage, DefensiveFire, MoveAndDeclare, Order
from .preview_results import Step, Way
from .preview_walk import TooManyCasesError, Walk, steps_of
from .previews import (
    BunkerPreview,
    HexPreview,
    Outcome,
    Preview,
    ResultChance,
)
from .state import State
from .terms import HexIndex, Phase, Side


def preview(catalog: Catalog, state: State, order: Order,
            side: int | None = None) -> Judgement[Preview]:
    """[WD 9-12, 14, 19] What an order of fire, or the assaults it declares, would come to.

    The order is judged as if it were given. For a `side` hexes whose contents it may not see are
    `unknown`, and a side that has nothing to decide is told nothing; without one everything is
    told. An order that fires nothing has no hexes.
    """
    if side is not None and side != state.decision.side:
        return Judgement((), Preview())
    battle = Battle(catalog, state)
    found = wrong_decision(battle, order)
    uncertain = False
    if not found and isinstance(order, MoveAndDeclare):
        phase, found = impulse.rehearse(battle, order)
        uncertain = phase.dice_needed
    elif not found:
        found = HANDLERS[battle.decision.kind].judge(battle, order)
    if found:
        return Judgement(tuple(found), Preview())
    match order:
        case MoveAndDeclare():
            hexes = tuple(dict.fromkeys(assault.hex for assault in order.assaults))
            if side is not None:
                # NOTE(WD 4.C): a hex is shown for an attack that is declared, not for a thought.
                return Judgement((), Preview(tuple(
                    HexPreview(hex_, unknown=True) for hex_ in hexes), uncertain))
            return Judgement((), Preview(preview_assault.assaults(battle), uncertain))
        case Barrage():
            return Judgement((), Preview(_barrage(battle, order, side)))
        case DefensiveFire():
            return Judgement((), Preview(_defensive(battle, order)))
        case AssaultFire():
            return Judgement((), Preview(_assault(battle, order)))
        case _:
            return Judgement((), Preview())


def _defensive(battle: Battle, order: DefensiveFire) -> tuple[HexPreview, ...]:
    fires = fire.complete(battle, Phase.DEFENSIVE_FIRE, order.fires, order.high_intensity)
    return preview_assault.defensive(battle, fires, order.high_intensity)


def _assault(battle: Battle, order: AssaultFire) -> tuple[HexPreview, ...]:
    fires = fire.complete(battle, Phase.ASSAULT, order.fires, ())
    supporting = eng.supporting_units(fires)
    found = []
    for one in fires:
        try:
            walked, vacated = preview_assault.assaulted(battle, one)
        except TooManyCasesError:
            found.append(HexPreview(one.hex, truncated=True))
            continue
        steps = steps_of(battle, Phase.ASSAULT, (one,))
        shown = preview_assault.fire_preview(
            battle, Phase.ASSAULT, one.hex,
            preview_values.firers(battle, Phase.ASSAULT, one, supporting, ()),
            walked.results, preview_assault.certain(battle, steps))
        found.append(HexPreview(one.hex, (shown,), vacated, defender_loss=shown.expected_loss))
    return tuple(found)


# ---------------------------------------------------------------- barrage

def _barrage(battle: Battle, order: Barrage, side: int | None) -> tuple[HexPreview, ...]:
    """[WD 11.B.2] Each barraged hex on its own: no barrage of one bears on another."""
    seen = None if side is None else visibility.revealed_units(battle, Side(side))
    found = []
    for hex_, attacks in barrage.attacks_of(battle, order).items():
        if seen is not None and not seen.issuperset(battle.stack(hex_)):
            found.append(HexPreview(hex_, unknown=True))
        else:
            found.append(_barraged(battle, order, hex_, attacks))
    return tuple(found)


def _barraged(battle: Battle, order: Barrage, hex_: HexIndex,
              attacks: Sequence[barrage.Attack]) -> HexPreview:
    steps = [Step(Phase.BARRAGE, hex_, Way.BARRAGE, index, barrages=tuple(attacks))
             for index in battle.stack(hex_)]
    walked = Walk(battle, steps).walk(False, preview_assault.still_there, (hex_,))
    shown = preview_assault.fire_preview(
        battle, Phase.BARRAGE, hex_, preview_values.barragers(battle, order, hex_),
        walked.results, preview_assault.certain(battle, steps))
    shown = replace(shown, bunkers=tuple(_bunkers(battle, hex_, attacks)))
    return HexPreview(hex_, (shown,), walked.tallies.get(False, Fraction(0)),
                      defender_loss=shown.expected_loss)


def _bunkers(battle: Battle, hex_: HexIndex,
             attacks: Sequence[barrage.Attack]) -> Iterable[BunkerPreview]:
    """[WD 11.B.2.b, 19] A bunker loses as many points as are called for."""
    place = battle.bunker_at(hex_)
    if place is None:
        return
    strength = battle.bunkers[place]
    added = barrage.bunker_modifiers(battle)
    chances = preview_results.barrage_hits(battle, attacks, strength, lambda _attack: added)
    yield BunkerPreview(
        strength,
        tuple(preview_values.barrage_attack(battle, attack, added) for attack in attacks),
        tuple(ResultChance(
            lost, Outcome.ELIMINATED if lost == strength else Outcome.NONE, chance)
            for lost, chance in sorted(chances.items())),
        sum((lost * chance for lost, chance in chances.items()), Fraction(0)),
        chances.get(strength, Fraction(0)))
