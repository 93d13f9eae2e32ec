"""[WD 9.A-B, 10.A-B, 11.A, 15.A.4] Who fires in an assaulted hex, at whom, with what value."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from . import antitank_fire, artillery, bunkers, conventional_fire, morale
from .advance import assaulted_hexes, assaulters
from .answers import FireOption, FirerOption, SupportOption, TargetOption
from .conventional_fire import is_down_slope, kind_of
from .fire_allocation import Budget
from .orders import Fire
from .position import Position, momentary
from .terms import FireValue, HexIndex, Kind, Phase, Pool, Side, Status, UnitIndex


def firing_side(position: Position, phase: Phase) -> Side:
    """[WD 5] The non-phasing side in defensive fire, the phasing side in the assault."""
    return position.side.enemy if phase == Phase.DEFENSIVE_FIRE else position.side


@momentary
def units_firing(position: Position, hex_: HexIndex, phase: Phase) -> tuple[UnitIndex, ...]:
    """[WD 9.A, 10.A, 11.B.1, 14.B.1-2] Units that may take part in the fire in a hex.

    On the defence those in it that barrage has not shaken; in the assault those that still
    assault it and have fired no barrage.
    """
    if phase == Phase.ASSAULT:
        return tuple(index for index in assaulters(position, hex_)
                     if not position.units[index].status & Status.BARRAGED)
    return tuple(index for index in defenders(position, hex_)
                 if not position.units[index].status & Status.SHAKEN)


@momentary
def defenders(position: Position, hex_: HexIndex) -> tuple[UnitIndex, ...]:
    """[WD 9.B] Units of the non-phasing side in a hex, top first."""
    return tuple(index for index in position.stack(hex_)
                 if position.catalog.units[index].side != position.side)


@momentary
def units_fired_at(position: Position, hex_: HexIndex, phase: Phase) -> tuple[UnitIndex, ...]:
    """[WD 9.B, 10.B] Those that assault the hex, or those in it."""
    if phase == Phase.DEFENSIVE_FIRE:
        return assaulters(position, hex_)
    return defenders(position, hex_)


@momentary
def conventional_value(position: Position, index: UnitIndex, hex_: HexIndex,
                       phase: Phase) -> FireValue:
    """[WD 9.A, 9.C.1] A unit's conventional value in the fire in a hex, 0 if it has none.

    On the defence without the doubling of slopes, which depends on the hex fired into.
    """
    if phase == Phase.DEFENSIVE_FIRE:
        return conventional_fire.combat_value(position, index, assaulted=hex_)
    if conventional_fire.is_defensive_only(position, index):
        return 0
    return conventional_fire.combat_value(position, index, assaulted=hex_, into=hex_)


@momentary
def antitank_value(position: Position, index: UnitIndex, hex_: HexIndex,
                   phase: Phase) -> FireValue:
    """[WD 10.A, 10.C.1] A unit's antitank value: in the assault only AFV units have one."""
    if phase == Phase.DEFENSIVE_FIRE:
        return antitank_fire.antitank_value(position, index, assaulted=hex_)
    if kind_of(position, index) != Kind.AFV:
        return 0
    return antitank_fire.antitank_value(position, index, assaulted=hex_, into=hex_)


def has_choice(position: Position, index: UnitIndex, hex_: HexIndex, phase: Phase) -> bool:
    """[WD 10.D] A weapons unit that could fire either way, and must fire one way only."""
    return kind_of(position, index).is_weapons \
        and conventional_value(position, index, hex_, phase) > 0 \
        and antitank_value(position, index, hex_, phase) > 0


def conventional_firers(position: Position, fire: Fire, phase: Phase,
                        supporting: Collection[UnitIndex]) -> tuple[UnitIndex, ...]:
    """[WD 9.A, 10.D, 11.A.1] Units that fire conventionally under an order."""
    return tuple(
        index for index in units_firing(position, fire.hex, phase)
        if index not in supporting and conventional_value(position, index, fire.hex, phase) > 0
        and not (index in fire.antitank_weapons and has_choice(position, index, fire.hex, phase))
    )


def antitank_firers(position: Position, fire: Fire, phase: Phase,
                    supporting: Collection[UnitIndex]) -> tuple[UnitIndex, ...]:
    """[WD 10.A, 10.D, 11.A.1] Units that fire antitank under an order.

    NOTE(WD 10.D): a weapons unit without any conventional value has nothing to choose and fires
    antitank unnamed.
    """
    return tuple(
        index for index in units_firing(position, fire.hex, phase)
        if index not in supporting and antitank_value(position, index, fire.hex, phase) > 0
        and (index in fire.antitank_weapons or not has_choice(position, index, fire.hex, phase))
    )


def conventional_budget(position: Position, fire: Fire, phase: Phase,
                        supporting: Collection[UnitIndex], high: Collection[Pool]) -> Budget:
    """[WD 9.C.3, 11.A.2, 19] All conventional fire in a hex under an order."""
    own = sum(conventional_value(position, index, fire.hex, phase)
              for index in conventional_firers(position, fire, phase, supporting))
    support = sum(
        artillery.support_value(position, item.unit, item.stack,
                                high=is_high(position, item.unit, phase, high))
        for item in fire.support)
    return Budget(own, support + bunkers.fire_value(position, fire.hex, phase))


def antitank_budget(position: Position, fire: Fire, phase: Phase,
                    supporting: Collection[UnitIndex]) -> Budget:
    """[WD 10.C.2, 19] All antitank fire in a hex under an order."""
    own = sum(antitank_value(position, index, fire.hex, phase)
              for index in antitank_firers(position, fire, phase, supporting))
    return Budget(own, bunkers.fire_value(position, fire.hex, phase))


def hexes_below(position: Position, hex_: HexIndex, phase: Phase) -> tuple[HexIndex, ...]:
    """[WD 12.B] Hexes a defender fires down a slope into. An assault's values have it already."""
    if phase == Phase.ASSAULT:
        return ()
    return tuple(sorted({position.units[index].hex
                         for index in units_fired_at(position, hex_, phase)
                         if is_down_slope(position, hex_, position.units[index].hex)}))


def defence_of(position: Position, index: UnitIndex) -> FireValue:
    """[WD 9.C.2, 10.C.2] Defence against the one kind of fire that may be directed at a unit."""
    if kind_of(position, index) == Kind.AFV:
        return antitank_fire.defence_value(position, index)
    return conventional_fire.defence_value(position, index)


# ---------------------------------------------------------------- support

def stacks(position: Position, hex_: HexIndex, phase: Phase) -> tuple[HexIndex, ...]:
    """[WD 11.A] Stacks that may be supported in the fire in a hex.

    NOTE(WD 11.A): support adds to the fire of units; a stack none of which may fire has none.
    """
    return tuple(sorted({position.units[index].hex
                         for index in units_firing(position, hex_, phase)}))


@momentary
def headquarters(position: Position, hex_: HexIndex, phase: Phase) -> tuple[str, ...]:
    """[WD 11.A.1] Divisions and brigades of the attack or the defence, one of which controls it."""
    return artillery.headquarters_of(position, _involved(position, hex_, phase))


def _involved(position: Position, hex_: HexIndex, phase: Phase) -> tuple[UnitIndex, ...]:
    return assaulters(position, hex_) if phase == Phase.ASSAULT else defenders(position, hex_)


def commands_of(position: Position, hex_: HexIndex, phase: Phase,
                stack: HexIndex) -> tuple[str, ...]:
    """[WD 11.A.1] The divisions that a stack of the combat may count as; none if it has no unit
    of any.

    NOTE(WD 11.A.1): all units count as those of the controlling headquarters only where units of
    two or more divisions are involved. Where one division is, it supports the stacks that hold
    units of its own.
    """
    involved = headquarters(position, hex_, phase)
    if len(involved) > 1:
        return involved
    return artillery.headquarters_of(
        position, (index for index in _involved(position, hex_, phase)
                   if position.units[index].hex == stack))


def command_of(position: Position, hex_: HexIndex, phase: Phase, stack: HexIndex,
               controlling: str) -> str:
    """[WD 11.A.1] The division that a stack counts as under a controlling headquarters, or ""."""
    return controlling if controlling in commands_of(position, hex_, phase, stack) else ""


def is_high(position: Position, index: UnitIndex, phase: Phase, paid: Collection[Pool]) -> bool:
    """[WD 15.A.4, 15.D.2] Whether support has its printed factor as far as payment goes.

    The phasing side need not pay; each pool pays for its own artillery.
    """
    pool = position.pool_of(index)
    return phase == Phase.ASSAULT or pool in paid or position.high_intensity[pool]


def support_options(position: Position, hex_: HexIndex,
                    phase: Phase) -> tuple[SupportOption, ...]:
    """[WD 11.A] Every artillery unit that may support a stack in the fire in a hex."""
    where = stacks(position, hex_, phase)
    if not where:
        return ()
    commands = {stack: commands_of(position, hex_, phase, stack) or ("",) for stack in where}
    found = []
    for index in artillery.deployed(position, firing_side(position, phase)):
        if artillery.support_refusal(position, index, phase) is not None:
            continue
        for stack in where:
            if artillery.stack_refusal(position, index, stack) is None and not all(
                    artillery.headquarters_refusal(position, index, name)
                    for name in commands[stack]):
                value = artillery.support_value(position, index, stack, high=True)
                low = value if phase == Phase.ASSAULT or is_high(position, index, phase, ()) \
                    else artillery.support_value(position, index, stack, high=False)
                found.append(SupportOption(index, stack, value, low))
    return tuple(found)


@momentary
def support_offered(position: Position, hex_: HexIndex,
                    phase: Phase) -> tuple[SupportOption, ...]:
    """[WD 11.A] As `support_options`, none where only AFVs can be fired at."""
    return support_options(position, hex_, phase) if _has_target(position, hex_, phase) else ()


def _has_target(position: Position, hex_: HexIndex, phase: Phase, *, afv: bool = False) -> bool:
    return any((kind_of(position, index) == Kind.AFV) is afv
               for index in units_fired_at(position, hex_, phase))


@momentary
def high_intensity_pools(position: Position) -> tuple[Pool, ...]:
    """[WD 15.A.4, 15.D.2] Pools with a point left whose artillery could support better for it."""
    pools = {
        position.pool_of(option.unit)
        for hex_ in assaulted_hexes(position)
        for option in support_offered(position, hex_, Phase.DEFENSIVE_FIRE)
        if option.value > option.low
    }
    return tuple(pool for pool in sorted(pools)
                 if position.supply[pool] > 0 and not position.high_intensity[pool])


# ---------------------------------------------------------------- what may be ordered

def has_fire(position: Position, hex_: HexIndex, phase: Phase) -> bool:
    """[WD 9.A-B, 10.A-B, 11.A, 19] Some target in a hex can be fired at by the kind of fire it
    takes."""
    bunker = bunkers.fire_value(position, hex_, phase) > 0
    units = units_firing(position, hex_, phase)
    return (_has_target(position, hex_, phase) and (
                bunker or any(conventional_value(position, index, hex_, phase) for index in units)
                or bool(support_offered(position, hex_, phase)))
            ) or (_has_target(position, hex_, phase, afv=True) and (
                bunker or any(antitank_value(position, index, hex_, phase) for index in units)))


def fire_option(position: Position, hex_: HexIndex, phase: Phase) -> FireOption | None:
    """[WD 9.A-B, 10.A-B, 11.A, 19] The fire in one hex, or None if none can be directed."""
    if not has_fire(position, hex_, phase):
        return None
    firers = tuple(
        FirerOption(index, conventional_value(position, index, hex_, phase),
                    antitank_value(position, index, hex_, phase),
                    has_choice(position, index, hex_, phase))
        for index in units_firing(position, hex_, phase))
    targets = tuple(
        TargetOption(index, defence_of(position, index), kind_of(position, index) == Kind.AFV)
        for index in units_fired_at(position, hex_, phase))
    return FireOption(hex_, firers, targets, support_offered(position, hex_, phase),
                      headquarters(position, hex_, phase),
                      bunkers.fire_value(position, hex_, phase))


def fright(position: Position, index: UnitIndex, hex_: HexIndex) -> str:
    """[WD 14.C.2, 14.C.7] The clause of the fright that holds a unit in an assaulted hex, or "".

    NOTE(WD 14.C.2): the AFV, or the cavalry, must itself assault the hex, and not be halted. Both
    together are one level of fright.
    """
    if morale.is_exempt(position, index):
        return ""
    attackers = assaulters(position, hex_)
    if any(kind_of(position, other) == Kind.AFV for other in attackers) \
            and not morale.is_immune_to_fright(position, index):
        return morale.TANK_FRIGHT
    if any(conventional_fire.is_charging(position, other) for other in attackers) \
            and morale.fears_cavalry(position, index):
        return morale.CAVALRY_CHARGE
    return ""


def frights(position: Position, hex_: HexIndex, phase: Phase) -> dict[UnitIndex, str]:
    """[WD 14.C.2, 14.C.7] Defenders of a hex that fright holds, top first; in the assault only."""
    if phase != Phase.ASSAULT:
        return {}
    found = {index: fright(position, index, hex_) for index in defenders(position, hex_)}
    return {index: clause for index, clause in found.items() if clause}


def all_firing(position: Position, phase: Phase) -> frozenset[UnitIndex]:
    """Units that have fire of their own in some assaulted hex."""
    return frozenset(
        index for hex_ in assaulted_hexes(position)
        for index in units_firing(position, hex_, phase)
        if conventional_value(position, index, hex_, phase)
        or antitank_value(position, index, hex_, phase))


def supporting_units(fires: Iterable[Fire]) -> frozenset[UnitIndex]:
    """[WD 11.A.1] Units named as support: they fire in no other way this phase."""
    return frozenset(item.unit for fire in fires for item in fire.support)
