"""[WD 11.B] Barrage: which units, at what, with what effect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lovat_server.core.violations import Reason, Violation

from . import bunkers, morale, observation, supply
from .answers import BarrageOption
from .artillery import (
    Refusal,
    deployed,
    distance_to,
    indirect_refusal,
    is_beyond_half,
    range_refusal,
)
from .battle import Battle
from .conventional_fire import Multiplier, kind_of, most_lost, multiplied
from .events import BarrageFired, BunkerBarraged, Modifier, SupplySpent
from .orders import Barrage, BarrageFire
from .position import Position
from .terms import FP, Cause, Kind, Phase, Pool, Side, Status
from .wording import fire as points
from .wording import hex_name, unit_name

BARRAGE_FAR = Multiplier("WD 11.B.2.a", "beyond half range", 1, 2)
FEW_ROCKETS = Multiplier("WD 15.A.3", "rockets without the third point", 1, 2)


def barrage_refusal(position: Position, index: int) -> Refusal | None:
    """[WD 11.B, 15.B] Why a unit may not fire any barrage now."""
    printed, unit = position.catalog.units[index], position.units[index]
    name = unit_name(position.catalog, index)
    if printed.side != position.side:
        return Refusal(Reason.WRONG_SIDE, "WD 11.B",
                       f"{name} does not belong to the phasing side, which alone fires barrages.")
    found = indirect_refusal(position, index)
    if found is not None:
        return found
    if printed.barrage == 0:
        return Refusal(Reason.FIRER, "WD 11", f"{name} has no barrage factor.")
    if unit.status & Status.BARRAGED:
        return Refusal(Reason.NOT_AVAILABLE, "WD 11.B",
                       f"{name} has already fired a barrage this impulse.")
    if not unit.status & Status.SUPPLIED:
        return Refusal(Reason.SUPPLY, "WD 15.B",
                       f"{name} is out of supply and may not fire a barrage.")
    return None


def is_barrage_target(position: Position, hex_: int) -> bool:
    """[WD 11.B, 19] A hex with enemy units, or for the Soviets one with a bunker."""
    if not 0 <= hex_ < position.catalog.map.grid.size:
        return False
    return position.has_enemy(position.side, hex_) or (
        position.side == Side.SOVIET and position.bunker_at(hex_) is not None)


def barrage_value(position: Position, index: int, hex_: int, *, full_rockets: bool) -> int:
    """[WD 11.B.2.a, 15.A.3] Factor times strength; halved beyond half range, and again for
    German rockets without the third point. In eighths."""
    value = position.catalog.units[index].barrage * position.units[index].strength * FP
    return multiplied(value, barrage_multipliers(position, index, hex_,
                                                 full_rockets=full_rockets))


def barrage_multipliers(position: Position, index: int, hex_: int, *,
                        full_rockets: bool) -> tuple[Multiplier, ...]:
    """[WD 11.B.2.a, 15.A.3] What multiplies a unit's barrage of a hex."""
    found = []
    if is_beyond_half(position, index, distance_to(position, index, hex_)):
        found.append(BARRAGE_FAR)
    if "rocket" in position.catalog.units[index].traits and not full_rockets:
        found.append(FEW_ROCKETS)
    return tuple(found)


def barrage_column(position: Position, value: int) -> int | None:
    """[WD 11.B.2.b, Chart.barrage] The column of one attack, None under the first."""
    found = None
    for place, lowest in enumerate(position.catalog.charts.barrage_columns):
        if value >= lowest * FP:
            found = place
    return found


def column_name(position: Position, place: int) -> str:
    """A column as printed: "4-9", "60+"."""
    columns = position.catalog.charts.barrage_columns
    if place + 1 == len(columns):
        return f"{columns[place]}+"
    return f"{columns[place]}-{columns[place + 1] - 1}"


def barrage_result(position: Position, place: int, total: int) -> int:
    """[WD 11.B.2.b, Chart.barrage] Points called for by a modified die; under 1 reads 1."""
    rows = position.catalog.charts.barrage
    return rows[min(max(total, 1), len(rows)) - 1][place]


def unobserved(position: Position, firers: Sequence[int], hex_: int) -> tuple[Modifier, ...]:
    """[WD 11.B.3, Chart.modifiers] One for every two hexes, or part, from the farthest firer."""
    if observation.is_observed_for_all(position, firers, hex_):
        return ()
    farthest = max(distance_to(position, index, hex_) for index in firers)
    each = position.catalog.charts.barrage_modifiers["unobserved"]
    return (Modifier("WD 11.B.3", "unobserved", each * (-(-farthest // 2))),)


def barrage_modifiers(position: Position, target: int,
                      sight: tuple[Modifier, ...] = ()) -> tuple[Modifier, ...]:
    """[WD 11.B.2.b, Chart.modifiers] What is added to the die at one unit, all of it together.

    An AFV has nothing of a bunker.
    """
    chart, field = position.catalog.charts.barrage_modifiers, position.catalog.map
    hex_, kind = position.units[target].hex, kind_of(position, target)
    names = []
    if kind == Kind.PERSONNEL:
        names.append("personnel")
    if kind == Kind.AFV:
        names.append("afv")
    elif position.bunker_at(hex_) is not None:
        names.append("bunker")
    for name, board in (("town", field.town), ("forest", field.forest), ("creek", field.creek),
                        ("river", field.river)):
        if board >> hex_ & 1:
            names.append(name)
    return tuple(Modifier("WD 11.B.2.b", name, chart[name]) for name in names) + sight


def bunker_modifiers(position: Position) -> tuple[Modifier, ...]:
    """[WD 11.B.2.b, Chart.modifiers] A bunker has its own modifier and no other.

    NOTE(WD 11.B.2.b): that leaves out the one for unobserved fire too.
    """
    value = position.catalog.charts.barrage_modifiers["bunker"]
    return (Modifier("WD 11.B.2.b", "bunker", value),)


def barrage_options(position: Position) -> tuple[BarrageOption, ...]:
    """[WD 11.B] Units that may fire, the hexes they reach, and their value there.

    Values take German rockets in full where the pool can pay for it.
    """
    guns = deployed(position, position.side)
    targets = _targets(position) if guns else ()
    options = []
    for index in guns:
        pool = position.pool_of(index)
        if barrage_refusal(position, index) is not None \
                or position.supply[pool] < supply.barrage_due(position, pool):
            continue
        hexes = tuple(hex_ for hex_ in targets
                      if range_refusal(position, index, hex_, "WD 11.B.2.a") is None)
        if not hexes:
            continue
        full = pool in full_rocket_pools(position)
        options.append(BarrageOption(
            index, hexes,
            tuple(barrage_value(position, index, hex_, full_rockets=full) for hex_ in hexes),
            tuple(observation.is_observed_for(position, index, hex_) for hex_ in hexes)))
    return tuple(options)


def _targets(position: Position) -> tuple[int, ...]:
    hexes = set(position.stacks()) | {b.hex for b in position.catalog.bunkers}
    return tuple(sorted(hex_ for hex_ in hexes if is_barrage_target(position, hex_)))


def full_rocket_pools(position: Position) -> tuple[Pool, ...]:
    """[WD 15.A.3] Pools of rocket artillery that may fire and that can pay the third point."""
    if position.side != Side.GERMAN:
        return ()
    pools = {
        position.pool_of(index) for index in position.catalog.side_units[Side.GERMAN]
        if "rocket" in position.catalog.units[index].traits
        and barrage_refusal(position, index) is None
    }
    return tuple(pool for pool in sorted(pools) if position.supply[pool]
                 >= supply.barrage_due(position, pool, full_rockets=True))


def _total(position: Position, fire: BarrageFire, full_rockets: Sequence[Pool]) -> int:
    return sum(barrage_value(position, index, fire.hex,
                             full_rockets=position.pool_of(index) in full_rockets)
               for index in fire.units)


def judge_barrage(position: Position, order: Barrage) -> list[Violation]:
    """[WD 11.B, 15.A.2-3, 15.D.2] Every rule that barrages break."""
    found: list[Violation] = []
    seen: set[int] = set()
    for place, fire in enumerate(order.fires):
        path = f"fires[{place}]"
        where = hex_name(position.catalog, fire.hex) \
            if 0 <= fire.hex < position.catalog.map.grid.size else "off the map"
        target = is_barrage_target(position, fire.hex)
        if not target:
            found.append(Violation(Reason.TARGET, "WD 11.B", f"{path}.hex",
                                   f"{where} holds nothing to barrage."))
        if not fire.units:
            found.append(Violation(Reason.INCOMPLETE, "WD 11.B", f"{path}.units",
                                   f"The barrage of {where} names no unit."))
        sound = True
        for seat, index in enumerate(fire.units):
            refusal = barrage_refusal(position, index)
            if refusal is None and index in seen:
                refusal = Refusal(Reason.DUPLICATE, "WD 11.B",
                                  f"{unit_name(position.catalog, index)} may barrage one hex only.")
            if refusal is None and target:
                refusal = range_refusal(position, index, fire.hex, "WD 11.B.2.a")
            seen.add(index)
            if refusal is not None:
                sound = False
                found.append(Violation(refusal.reason, refusal.clause, f"{path}.units[{seat}]",
                                       refusal.message, _unit_facts(position, index)))
        if target and sound:
            found.extend(_judge_attacks(position, fire, order.full_rockets, path))
    found.extend(_judge_supply(position, order))
    return found


def _unit_facts(position: Position, index: int) -> dict[str, str]:
    return {"unit": position.catalog.units[index].id}


def _judge_attacks(position: Position, fire: BarrageFire, full_rockets: Sequence[Pool],
                   path: str) -> list[Violation]:
    """[WD 11.B.2.a] Attacks of one barrage: each something, together at most the total."""
    found = []
    for seat, value in enumerate(fire.attacks):
        if value <= 0:
            found.append(Violation(Reason.ALLOCATION, "WD 11.B.2.a", f"{path}.attacks[{seat}]",
                                   f"An attack of {points(value)} is no attack."))
    asked, total = sum(fire.attacks), _total(position, fire, full_rockets)
    if asked > total:
        found.append(Violation(
            Reason.ALLOCATION, "WD 11.B.2.a", f"{path}.attacks",
            f"The attacks on {hex_name(position.catalog, fire.hex)} add up to {points(asked)}; "
            f"the barrage value is {points(total)}.",
            {"asked": points(asked), "total": points(total)}))
    return found


def _firing_pools(position: Position, order: Barrage) -> tuple[Pool, ...]:
    return supply.pools_of(position, (index for fire in order.fires for index in fire.units
                                      if barrage_refusal(position, index) is None))


def _judge_supply(position: Position, order: Barrage) -> list[Violation]:
    """[WD 15.A.2-3, 15.D.2] Each pool pays for its own units; rockets in full are German."""
    found = []
    rockets = {position.pool_of(index) for fire in order.fires for index in fire.units
               if "rocket" in position.catalog.units[index].traits
               and barrage_refusal(position, index) is None}
    for place, pool in enumerate(order.full_rockets):
        path = f"full_rockets[{place}]"
        if pool in order.full_rockets[:place]:
            found.append(Violation(Reason.DUPLICATE, "WD 15.A.3", path,
                                   f"The pool {pool.name.lower()} is named twice."))
        elif pool not in rockets:
            # NOTE(WD 15.D.2): a point is never spent for units of another pool, nor for none.
            clause = "WD 15.D.2" if rockets else "WD 15.A.3"
            found.append(Violation(
                Reason.SUPPLY, clause, path,
                f"No German rocket artillery that fires is paid for by the pool "
                f"{pool.name.lower()}.", {"pool": pool.name.lower()}))
    for pool in _firing_pools(position, order):
        full = pool in order.full_rockets
        due = supply.barrage_due(position, pool, full_rockets=full)
        if position.supply[pool] < due:
            clause = "WD 15.A.3" if full else "WD 15.A.2"
            found.append(supply.short(position, pool, due, clause, "fires", "the barrage"))
    return found


def barrage_price(position: Position, order: Barrage) -> tuple[tuple[Pool, int], ...]:
    """[WD 15.A.2-3] Points each pool pays on top of what it has paid this impulse."""
    return tuple(
        (pool, due) for pool in _firing_pools(position, order)
        if (due := supply.barrage_due(position, pool, full_rockets=pool in order.full_rockets))
    )


class Attack(NamedTuple):
    """One barrage attack: who fires, with what value, how well the hex is seen."""

    firers: tuple[int, ...]
    value: int
    sight: tuple[Modifier, ...]


def resolve_barrage(battle: Battle, order: Barrage) -> None:
    """[WD 11.B.2, 14.A.2, E.11-C] Pay, then resolve hex by hex in the order of its first barrage.

    NOTE(WD 11.B.2.b): all barrages of a hex are one barrage for losses and morale. Its units are
    resolved from the top of the stack, each with all its dice, losses and check; the bunker last,
    so that the garrison is as safe as before the phase.
    """
    attacks = attacks_of(battle, order)
    for pool, due in barrage_price(battle, order):
        battle.record(SupplySpent(pool, due, high_intensity=False))
    for hex_, against in attacks.items():
        for target in tuple(battle.stack(hex_)):
            _barrage_unit(battle, hex_, target, against)
        _barrage_bunker(battle, hex_, against)


def attacks_of(position: Position, order: Barrage) -> dict[int, list[Attack]]:
    """[WD 11.B.2.a-b] The attacks on each hex, in the order of its first barrage."""
    attacks: dict[int, list[Attack]] = {}
    for fire in order.fires:
        values = fire.attacks or (_total(position, fire, order.full_rockets),)
        sight = unobserved(position, fire.units, fire.hex)
        attacks.setdefault(fire.hex, []).extend(
            Attack(fire.units, value, sight) for value in values)
    return attacks


def harm(position: Position, target: int, hits: int) -> morale.Harm | None:
    """[WD 11.B.2.b-c] What the barrage of a phase does to a unit, None for no hit."""
    lost = min(hits, most_lost(position.units[target].strength))
    return morale.Harm(Cause.BARRAGE, lost, lost) if lost else None


def _barrage_unit(battle: Battle, hex_: int, target: int, attacks: Sequence[Attack]) -> None:
    hits = 0
    for attack in attacks:
        added = barrage_modifiers(battle, target, attack.sight)
        name, die, result = _roll(battle, attack, added)
        battle.record(BarrageFired(attack.firers, hex_, target, attack.value, name, die, added,
                                   result))
        hits += result
    found = harm(battle, target, hits)
    if found is not None:
        morale.take(battle, target, found, Phase.BARRAGE)


def _barrage_bunker(battle: Battle, hex_: int, attacks: Sequence[Attack]) -> None:
    if battle.bunker_at(hex_) is None:
        return
    hits = 0
    for attack in attacks:
        added = bunker_modifiers(battle)
        name, die, result = _roll(battle, attack, added)
        battle.record(BunkerBarraged(attack.firers, hex_, attack.value, name, die, added, result))
        hits += result
    bunkers.reduce(battle, hex_, hits)


def _roll(battle: Battle, attack: Attack, added: tuple[Modifier, ...]) -> tuple[str, int, int]:
    """[WD 11.B.2.b] Column, die and result of one attack at one target; no die under the table."""
    place = barrage_column(battle, attack.value)
    if place is None:
        return "", 0, 0
    die = battle.dice.roll()
    total = die + sum(modifier.value for modifier in added)
    return column_name(battle, place), die, barrage_result(battle, place, total)
