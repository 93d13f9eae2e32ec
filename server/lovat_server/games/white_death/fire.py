"""[WD 9, 10, 11.A, 15.A.4] The Defensive Fire and Assault Phases: orders listed and resolved.

NOTE(WD 9.A): in one hex conventional fire is resolved before antitank fire, each in the order of
its shots; hexes in the order they are named, then those left to the server as they were assaulted.
"""

from __future__ import annotations

from collections.abc import Collection

from lovat_server.core.violations import Reason, Violation

from . import antitank_fire, conventional_fire, fire_judging, morale
from . import engagement as eng
from .advance import assaulted_hexes
from .answers import FireOption, SupportOption
from .artillery import is_own_artillery
from .battle import Battle
from .conventional_fire import kind_of
from .events import SupplySpent
from .fire_allocation import Budget, antitank_targets, apportion, conventional_targets
from .orders import AssaultFire, Choice, DefensiveFire, Fire, FirePolicy, Shot, Support
from .position import Position
from .terms import Cause, FireValue, HexIndex, Kind, Phase, Pool, Side, UnitIndex
from .wording import hex_name

HIGH_INTENSITY_PRICE = 1


def options(position: Position, phase: Phase) -> tuple[FireOption, ...]:
    """[WD 9.A-B, 10.A-B] Every assaulted hex in which there can be fire, with all about it."""
    found = (eng.fire_option(position, hex_, phase) for hex_ in assaulted_hexes(position))
    return tuple(option for option in found if option is not None)


def has_fire(position: Position, phase: Phase) -> bool:
    """[WD 5, 14.C.2] Whether the phase needs an order: there is fire, or tank fright to check."""
    return any(eng.has_fire(position, hex_, phase)
               or eng.frights(position, hex_, phase) for hex_ in assaulted_hexes(position))


def high_intensity_pools(position: Position) -> tuple[Pool, ...]:
    """[WD 15.A.4, 15.D.2] Pools that may pay for printed support factors on the defence."""
    return eng.high_intensity_pools(position)


def judge(position: Position, phase: Phase,
          order: DefensiveFire | AssaultFire) -> list[Violation]:
    """[WD 9.A-C, 10.A-D, 11.A, 15.A.4, E.19] Every rule that orders of fire break."""
    found: list[Violation] = []
    high = order.high_intensity if isinstance(order, DefensiveFire) else ()
    supporting = eng.supporting_units(order.fires)
    assaulted = assaulted_hexes(position)
    named: set[int] = set()
    supported: set[int] = set()
    for place, fire in enumerate(order.fires):
        path = f"fires[{place}]"
        if fire.hex not in assaulted:
            found.append(Violation(Reason.TARGET, "WD 9.B", f"{path}.hex",
                                   f"No assault is declared on {_where(position, fire.hex)}."))
            continue
        if fire.hex in named:
            found.append(Violation(Reason.DUPLICATE, "WD 9.C.3", f"{path}.hex",
                                   f"{hex_name(position.catalog, fire.hex)} is named twice."))
            continue
        named.add(fire.hex)
        found.extend(fire_judging.judge_fire(position, phase, fire, supporting, supported, high,
                                             path))
    found.extend(_judge_intensity(position, high))
    return found


def _where(position: Position, hex_: HexIndex) -> str:
    on_map = 0 <= hex_ < position.catalog.map.grid.size
    return hex_name(position.catalog, hex_) if on_map else "a hex off the map"


def _judge_intensity(position: Position, pools: tuple[Pool, ...]) -> list[Violation]:
    """[WD 15.A.4, 15.D.2] Pools that cannot pay, or whose point would buy nothing."""
    found = []
    side = position.side.enemy
    allowed = high_intensity_pools(position)
    for place, pool in enumerate(pools):
        path, name = f"high_intensity[{place}]", pool.name.lower()
        facts = {"pool": name, "left": str(position.supply[pool])}
        if pool in pools[:place]:
            found.append(Violation(Reason.DUPLICATE, "WD 15.A.4", path,
                                   f"The pool {name} is named twice.", facts))
        elif (pool == Pool.SOVIET) != (side == Side.SOVIET):
            found.append(Violation(Reason.WRONG_SIDE, "WD 15.A.4", path,
                                   f"The pool {name} does not belong to the firing side.", facts))
        elif position.supply[pool] < HIGH_INTENSITY_PRICE:
            found.append(Violation(
                Reason.SUPPLY, "WD 15.A.4", path,
                f"High intensity support costs 1 supply point of the pool {name}, which has "
                f"{position.supply[pool]}.", facts))
        elif pool not in allowed:
            # NOTE(WD 15.D.2): a point that could raise no support factor is not spent.
            found.append(Violation(
                Reason.SUPPLY, "WD 15.D.2", path,
                f"No artillery paid for by the pool {name} could support any better for a point.",
                facts))
    return found


# ---------------------------------------------------------------- what is left to the server

def default_order(position: Position, phase: Phase) -> DefensiveFire | AssaultFire:
    """[WD 9.C.3, 15.A.4] The whole order that the side's standing orders give.

    High intensity is paid for by pools whose artillery it makes support better, unless the side
    never wants it.
    """
    if phase == Phase.ASSAULT:
        return AssaultFire(complete(position, phase, (), ()))
    standing = position.standing[eng.firing_side(position, phase)]
    pools = () if standing.high_intensity == Choice.NEVER else high_intensity_pools(position)
    fires = complete(position, phase, (), pools)
    used = {position.pool_of(unit) for unit in eng.supporting_units(fires)}
    return DefensiveFire(fires, tuple(pool for pool in pools if pool in used))


def complete(position: Position, phase: Phase, fires: tuple[Fire, ...],
             high: Collection[Pool]) -> tuple[Fire, ...]:
    """[WD 9.C.3] Fires named by the owner, and by standing orders those of the other hexes."""
    named = {fire.hex for fire in fires}
    rest = [hex_ for hex_ in assaulted_hexes(position) if hex_ not in named]
    policy = position.standing[eng.firing_side(position, phase)].fire
    busy = set(eng.supporting_units(fires)) | eng.all_firing(position, phase)
    chosen: list[Fire] = []
    for hex_ in rest:
        fire = _default_support(position, phase, hex_, high, busy)
        busy |= eng.supporting_units((fire,))
        supporting = eng.supporting_units((*fires, *chosen, fire))
        chosen.append(_default_shots(position, phase, fire, supporting, high, policy))
    return (*fires, *chosen)


def _default_support(position: Position, phase: Phase, hex_: HexIndex, high: Collection[Pool],
                     busy: Collection[UnitIndex]) -> Fire:
    """[WD 11.A.1] All support of the controlling division, then one stack of other artillery for
    each supported stack.

    Under the headquarters with the most support of its own. Each unit supports the stack it
    gives most to, of its own division if there is one; units with fire of their own this phase do
    not support.
    """
    offers = [one for one in eng.support_offered(position, hex_, phase) if one.unit not in busy]
    if not offers:
        return Fire(hex_)
    headquarters = eng.headquarters(position, hex_, phase)

    def worth(offer: SupportOption) -> int:
        return offer.value if eng.is_high(position, offer.unit, phase, high) else offer.low

    def is_own(offer: SupportOption, name: str) -> bool:
        return is_own_artillery(position, offer.unit, name) \
            and name in eng.commands_of(position, hex_, phase, offer.stack)

    def rank(offer: SupportOption) -> tuple[bool, int]:
        return any(is_own(offer, name) for name in headquarters), worth(offer)

    best: dict[int, SupportOption] = {}
    for offer in offers:
        if offer.unit not in best or rank(offer) > rank(best[offer.unit]):
            best[offer.unit] = offer
    own: list[SupportOption] = []
    controlling = ""
    for name in headquarters:
        mine = [offer for offer in best.values() if is_own(offer, name)]
        if sum(map(worth, mine)) > sum(map(worth, own)) or not controlling:
            own, controlling = mine, name
    others = [] if eng.firing_side(position, phase) == Side.SOVIET \
        else [offer for offer in best.values() if offer not in own]
    chosen = own + _one_stack_each(position, others, {o: worth(o) for o in others})
    support = tuple(Support(offer.unit, offer.stack) for offer in chosen)
    return Fire(hex_, support=support,
                headquarters=controlling if support and len(headquarters) > 1 else "")


def _one_stack_each(position: Position, offers: list[SupportOption],
                    worth: dict[SupportOption, int]) -> list[SupportOption]:
    """[WD 11.A.1] For each supported stack the hex of artillery that gives it most."""
    groups: dict[tuple[int, int], list[SupportOption]] = {}
    for offer in offers:
        groups.setdefault((offer.stack, position.units[offer.unit].hex), []).append(offer)
    best: dict[int, list[SupportOption]] = {}
    for (stack, _), group in sorted(groups.items()):
        if stack not in best or sum(worth[o] for o in group) > sum(worth[o] for o in best[stack]):
            best[stack] = group
    return [offer for group in best.values() for offer in group]


def _default_shots(position: Position, phase: Phase, fire: Fire,
                   supporting: Collection[UnitIndex], high: Collection[Pool],
                   policy: FirePolicy) -> Fire:
    """[WD 9.C.3, 10.C.2, 10.D] Shots by a policy.

    Weapons units that may fire either way fire antitank where nothing but AFVs can be fired at.
    """
    targets = eng.units_fired_at(position, fire.hex, phase)
    hard = [index for index in targets if kind_of(position, index) == Kind.AFV]
    if len(hard) == len(targets):
        weapons = tuple(index for index in eng.units_firing(position, fire.hex, phase)
                        if eng.has_choice(position, index, fire.hex, phase))
        fire = Fire(fire.hex, antitank_weapons=weapons)
    below = eng.hexes_below(position, fire.hex, phase)
    conventional: tuple[Shot, ...] = ()
    antitank: tuple[Shot, ...] = ()
    if len(hard) < len(targets):
        budget = eng.conventional_budget(position, fire, phase, supporting, high)
        conventional = apportion(
            conventional_targets(position, targets, below,
                                 eng.frights(position, fire.hex, phase)), budget, policy)
    if hard:
        budget = eng.antitank_budget(position, fire, phase, supporting)
        antitank = apportion(
            antitank_targets(position, hard, below, 2 * budget.own + budget.fixed),
            budget, policy)
    return Fire(fire.hex, conventional, antitank, fire.antitank_weapons, fire.support,
                fire.headquarters)


# ---------------------------------------------------------------- resolution

def resolve(battle: Battle, phase: Phase, order: DefensiveFire | AssaultFire) -> None:
    """[WD 9.C, 10.C, 14.C.2, 15.A.4] Pay, apportion what is left to the server, then fire."""
    high = order.high_intensity if isinstance(order, DefensiveFire) else ()
    fires = complete(battle, phase, order.fires, high)
    supporting = eng.supporting_units(fires)
    for pool in high:
        if not battle.high_intensity[pool]:
            battle.record(SupplySpent(pool, HIGH_INTENSITY_PRICE, high_intensity=True))
    for fire in fires:
        _resolve_hex(battle, phase, fire, supporting)


def _resolve_hex(battle: Battle, phase: Phase, fire: Fire,
                 supporting: Collection[UnitIndex]) -> None:
    checked: set[int] = set()
    soft = eng.conventional_firers(battle, fire, phase, supporting)
    firers = soft + tuple(item.unit for item in fire.support)
    hard = eng.antitank_firers(battle, fire, phase, supporting)
    for shot in fire.conventional:
        fright = fright_of(battle, phase, fire.hex, shot.target)
        if conventional_fire.resolve(battle, phase, firers, shot.target, shot.value,
                                     fright=fright):
            checked.add(shot.target)
    for target, shots in antitank_attacks(fire).items():
        fright = fright_of(battle, phase, fire.hex, target)
        if antitank_fire.resolve(battle, phase, hard, target, shots, fright=fright):
            checked.add(target)
    # NOTE(WD 14.C.2): "following combat": units that fire made check nothing check last, from
    # the top of the stack.
    for index in eng.frights(battle, fire.hex, phase):
        if index not in checked and fright_of(battle, phase, fire.hex, index):
            morale.check(battle, index, Cause.TANK_FRIGHT, 0, phase)


def antitank_attacks(fire: Fire) -> dict[UnitIndex, list[FireValue]]:
    """[WD 10.C.3] All attacks on each AFV, in the order of the first on it."""
    values: dict[UnitIndex, list[FireValue]] = {}
    for shot in fire.antitank:
        values.setdefault(shot.target, []).append(shot.value)
    return values


def fright_of(position: Position, phase: Phase, hex_: HexIndex, index: UnitIndex) -> str:
    """[WD 14.C.2, 14.C.7] The clause of the fright that holds a unit in this phase, or ""."""
    return eng.fright(position, index, hex_) if phase == Phase.ASSAULT else ""


def discovered_attack(battle: Battle, units: tuple[UnitIndex, ...], hex_: HexIndex) -> None:
    """[WD 21.C] Units in a hex that commandos were discovered in attack them conventionally.

    NOTE(WD 21.C): one attack on the column where it stands, in the hex it came from, with the
    units' defensive values, apportioned as their owner's standing orders say.
    """
    firers = [index for index in battle.stack(hex_) if index not in units]
    targets = [index for index in units if battle.units[index].strength > 0]
    if not firers or not targets:
        return
    side = battle.catalog.units[firers[0]].side
    below = {battle.units[index].hex for index in targets
             if conventional_fire.is_down_slope(battle, hex_, battle.units[index].hex)}
    budget = Budget(sum(conventional_fire.combat_value(battle, index, assaulted=hex_)
                        for index in firers))
    shots = apportion(conventional_targets(battle, targets, below), budget,
                      battle.standing[side].fire)
    for shot in shots:
        conventional_fire.resolve(battle, Phase.MOVEMENT, firers, shot.target, shot.value)
