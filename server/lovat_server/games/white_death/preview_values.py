"""Where the numbers of a preview come from: firers, multipliers, defences, columns."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from . import antitank_fire, artillery, barrage, bunkers, conventional_fire, morale
from . import engagement as eng
from . import fire as fires
from .barrage import Attack
from .conventional_fire import Multiplier, kind_of
from .events import Modifier
from .orders import Barrage, Fire
from .position import Position
from .preview_results import Step, Way
from .previews import AttackPreview, Factor, FireKind, FirerPreview
from .terms import FP, Cause, HexIndex, Kind, Phase, Pool, UnitIndex


def _factors(found: Iterable[Multiplier]) -> tuple[Factor, ...]:
    return tuple(Factor(*one) for one in found)


def firers(position: Position, phase: Phase, fire: Fire, supporting: Collection[UnitIndex],
           high: Collection[Pool]) -> tuple[FirerPreview, ...]:
    """[WD 9.C.1, 10.C.1, 11.A.2, 19] Everything that fires in a hex under an order.

    A kind of fire for which the hex has no target is left out.
    """
    targets = eng.units_fired_at(position, fire.hex, phase)
    soft = any(kind_of(position, index) != Kind.AFV for index in targets)
    hard = any(kind_of(position, index) == Kind.AFV for index in targets)
    found = []
    if soft:
        found += [_own(position, index, FireKind.CONVENTIONAL, fire.hex, phase)
                  for index in eng.conventional_firers(position, fire, phase, supporting)]
    if hard:
        found += [_own(position, index, FireKind.ANTITANK, fire.hex, phase)
                  for index in eng.antitank_firers(position, fire, phase, supporting)]
    for item in fire.support:
        paid = eng.is_high(position, item.unit, phase, high)
        unit = position.units[item.unit]
        found.append(FirerPreview(
            item.unit, unit.hex, FireKind.SUPPORT,
            artillery.support_factor(position, item.unit, high=paid) * FP, unit.strength,
            _factors(artillery.support_multipliers(position, item.unit, item.stack)),
            artillery.support_value(position, item.unit, item.stack, high=paid)))
    value = bunkers.fire_value(position, fire.hex, phase)
    if value:
        found.append(FirerPreview(-1, fire.hex, FireKind.BUNKER, FP, value // FP, (), value))
    return tuple(found)


def _own(position: Position, index: UnitIndex, kind: FireKind, hex_: HexIndex,
         phase: Phase) -> FirerPreview:
    if kind is FireKind.CONVENTIONAL:
        factor = conventional_fire.conventional_factor(position, index)
        value = eng.conventional_value(position, index, hex_, phase)
    else:
        factor = antitank_fire.antitank_factor(position, index)
        value = eng.antitank_value(position, index, hex_, phase)
    unit = position.units[index]
    into = hex_ if phase == Phase.ASSAULT else None
    return FirerPreview(
        index, unit.hex, kind, factor, unit.strength,
        _factors(conventional_fire.multipliers(position, index, assaulted=hex_, into=into)), value)


def barragers(position: Position, order: Barrage, hex_: HexIndex) -> tuple[FirerPreview, ...]:
    """[WD 11.B.2.a, 15.A.3] The units that barrage a hex."""
    found = []
    for fire in order.fires:
        for index in fire.units if fire.hex == hex_ else ():
            full = position.pool_of(index) in order.full_rockets
            unit = position.units[index]
            found.append(FirerPreview(
                index, unit.hex, FireKind.BARRAGE, position.catalog.units[index].barrage * FP,
                unit.strength, _factors(barrage.barrage_multipliers(
                    position, index, hex_, full_rockets=full)),
                barrage.barrage_value(position, index, hex_, full_rockets=full)))
    return tuple(found)


def attacks(position: Position, step: Step) -> tuple[AttackPreview, ...]:
    """[WD 9.C.3, 10.C.2, 11.B.2.b] The dice of a step: value, defence, column, modifiers."""
    charts = position.catalog.charts
    match step.way:
        case Way.CONVENTIONAL:
            defence = conventional_fire.defence_value(position, step.target)
            table, find = charts.conventional.names, conventional_fire.column
        case Way.ANTITANK:
            defence = antitank_fire.defence_value(position, step.target)
            table, find = charts.antitank.names, antitank_fire.column
        case Way.BARRAGE:
            return tuple(
                barrage_attack(position, attack, barrage.barrage_modifiers(
                    position, step.target, attack.sight)) for attack in step.barrages)
        case _:
            return ()
    places = ((value, find(position, value, defence)) for value in step.values)
    return tuple(AttackPreview(value, defence, "" if place is None else table[place])
                 for value, place in places)


def barrage_attack(position: Position, attack: Attack,
                   added: tuple[Modifier, ...]) -> AttackPreview:
    """[WD 11.B.2.b] One die of a barrage."""
    place = barrage.barrage_column(position, attack.value)
    name = "" if place is None else barrage.column_name(position, place)
    return AttackPreview(attack.value, 0, name, added)


def defences(position: Position, index: UnitIndex) -> tuple[Modifier, ...]:
    """[WD 9.C.2, 10.C.2, 12, 19, 24] What adds up to the defence value of a unit, in eighths."""
    printed = position.catalog.units[index]
    if kind_of(position, index) == Kind.AFV:
        whole = printed.defence * FP
        found = [Modifier("WD 10.C.2", "printed defence", whole)]
        less = antitank_fire.defence_value(position, index) - whole
        if less:
            found.append(Modifier("WD 12.C", "in or into a town or forest", less))
        return tuple(found)
    row = conventional_fire.defence_row(position, index)
    whole = position.catalog.charts.defence[row][kind_of(position, index)] * FP
    found = [Modifier("WD 19" if row == "bunker" else "WD 12", row.replace("_", " and "), whole)]
    less = conventional_fire.defence_value(position, index) - whole
    if less:
        found.append(Modifier("WD 24", "mounted charge", less))
    return tuple(found)


def conditions(position: Position, phase: Phase, hex_: HexIndex,
               index: UnitIndex) -> tuple[Modifier, ...]:
    """[WD 14.C] What is added to every check of a unit's morale, whatever the result."""
    fright = fires.fright_of(position, phase, hex_, index)
    return morale.modifiers(position, index, Cause.CONVENTIONAL, 0, fright=fright)


def is_below(position: Position, hex_: HexIndex, phase: Phase, index: UnitIndex) -> bool:
    """[WD 12.B] Units that fire at it on the defence do so down a slope."""
    return phase == Phase.DEFENSIVE_FIRE \
        and position.units[index].hex in eng.hexes_below(position, hex_, phase)
