"""[WD 9.B-C, 10.B-D, 11.A.1, 21.D] Judging the fire ordered in one hex."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lovat_server.core.violations import Reason, Violation

from . import antitank_fire, artillery, conventional_fire
from . import engagement as eng
from .conventional_fire import kind_of
from .fire_allocation import Budget
from .orders import Fire, Shot
from .position import Position
from .terms import Kind, Phase, Pool, Side
from .wording import fire as points
from .wording import hex_name, unit_name

BELOW = -1


def judge_fire(position: Position, phase: Phase, fire: Fire, supporting: Collection[int],
               supported: set[int], high: Collection[Pool], path: str) -> list[Violation]:
    """[WD 9.B-C, 10.B-D, 11.A] Every rule that the fire in one hex breaks.

    `supporting` are all units the order names as support; `supported` those named so far.
    """
    found = _judge_support(position, phase, fire, supported, path)
    sound = not found
    found += _judge_weapons(position, phase, fire, supporting, path)
    # The value of faulty support is unknown, so the total is judged only without.
    budget = eng.conventional_budget(position, fire, phase, supporting, high) if sound else None
    found += _judge_conventional(position, phase, fire, budget, path)
    budget = eng.antitank_budget(position, fire, phase, supporting)
    found += _judge_antitank(position, phase, fire, budget, path)
    return found


# ---------------------------------------------------------------- support and weapons

def _judge_support(position: Position, phase: Phase, fire: Fire, supported: set[int],
                   path: str) -> list[Violation]:
    """[WD 11.A] Who supports which stack, under which headquarters."""
    found = []
    candidates = eng.headquarters(position, fire.hex, phase)
    controlling = fire.headquarters or (candidates[0] if len(candidates) == 1 else "")
    faults = _judge_headquarters(position, fire, candidates, path)
    found.extend(faults)
    side = eng.firing_side(position, phase)
    where = eng.stacks(position, fire.hex, phase)
    for seat, item in enumerate(fire.support):
        spot, name = f"{path}.support[{seat}]", unit_name(position.catalog, item.unit)
        facts = {"unit": position.catalog.units[item.unit].id}
        if position.catalog.units[item.unit].side != side:
            found.append(Violation(Reason.WRONG_SIDE, "WD 11.A", f"{spot}.unit",
                                   f"{name} does not belong to the firing side.", facts))
            continue
        if item.unit in supported:
            found.append(Violation(Reason.DUPLICATE, "WD 11.A", f"{spot}.unit",
                                   f"{name} is named as support twice.", facts))
            continue
        supported.add(item.unit)
        refusal = artillery.support_refusal(position, item.unit, phase)
        if refusal is not None:
            found.append(Violation(refusal.reason, refusal.clause, f"{spot}.unit",
                                   refusal.message, facts))
            continue
        if item.stack not in where:
            found.append(Violation(
                Reason.TARGET, "WD 11.A", f"{spot}.stack",
                f"{name} may not support there: no friendly stack fires in this combat from that "
                "hex.", facts))
            continue
        refusal = artillery.stack_refusal(position, item.unit, item.stack)
        if refusal is None and not faults:
            refusal = artillery.headquarters_refusal(
                position, item.unit,
                eng.command_of(position, fire.hex, phase, item.stack, controlling))
        if refusal is not None:
            found.append(Violation(refusal.reason, refusal.clause, spot, refusal.message, facts))
    if not faults:
        found.extend(_judge_one_stack(position, phase, fire, side, controlling, path))
    return found


def _judge_headquarters(position: Position, fire: Fire, candidates: Sequence[str],
                        path: str) -> list[Violation]:
    """[WD 11.A.1] One of the divisions involved, to be named if they are several."""
    if fire.headquarters and fire.headquarters not in candidates:
        return [Violation(
            Reason.HEADQUARTERS, "WD 11.A.1", f"{path}.headquarters",
            f"{fire.headquarters} has no unit in the fire in "
            f"{hex_name(position.catalog, fire.hex)} and cannot control it.",
            {"candidates": ", ".join(candidates)})]
    if fire.support and len(candidates) > 1 and not fire.headquarters:
        return [Violation(
            Reason.HEADQUARTERS, "WD 11.A.1", f"{path}.headquarters",
            f"Units of {' and '.join(candidates)} fire in "
            f"{hex_name(position.catalog, fire.hex)}: name one as controlling headquarters.",
            {"candidates": ", ".join(candidates)})]
    return []


def _judge_one_stack(position: Position, phase: Phase, fire: Fire, side: Side, controlling: str,
                     path: str) -> list[Violation]:
    """[WD 11.A.1] German artillery not of the division: one stack of it for each stack supported.

    NOTE(WD 11.A.1): a stack of artillery is what stands in one hex, of any divisions.
    """
    if side != Side.GERMAN:
        return []
    found = []
    sources: dict[int, int] = {}
    for seat, item in enumerate(fire.support):
        if position.catalog.units[item.unit].side != side \
                or artillery.is_own_artillery(
                    position, item.unit,
                    eng.command_of(position, fire.hex, phase, item.stack, controlling)):
            continue
        source = position.units[item.unit].hex
        if sources.setdefault(item.stack, source) != source:
            found.append(Violation(
                Reason.HEADQUARTERS, "WD 11.A.1", f"{path}.support[{seat}]",
                f"{unit_name(position.catalog, item.unit)} in "
                f"{hex_name(position.catalog, source)} may not support as well: artillery not of "
                f"the controlling division in {hex_name(position.catalog, sources[item.stack])} "
                "does, and only one such stack may.",
                {"unit": position.catalog.units[item.unit].id}))
    return found


def _judge_weapons(position: Position, phase: Phase, fire: Fire, supporting: Collection[int],
                   path: str) -> list[Violation]:
    """[WD 10.A, 10.D, 11.A.1] Units named to fire antitank instead of conventionally."""
    found = []
    firing = eng.units_firing(position, fire.hex, phase)
    for seat, index in enumerate(fire.antitank_weapons):
        name, spot = unit_name(position.catalog, index), f"{path}.antitank_weapons[{seat}]"
        facts = {"unit": position.catalog.units[index].id}
        if index in fire.antitank_weapons[:seat]:
            found.append(Violation(Reason.DUPLICATE, "WD 10.D", spot,
                                   f"{name} is named twice.", facts))
        elif index not in firing:
            found.append(Violation(
                Reason.FIRER, "WD 10.A", spot,
                f"{name} may not fire in {hex_name(position.catalog, fire.hex)} now.", facts))
        elif index in supporting:
            found.append(Violation(Reason.FIRER, "WD 11.A.1", spot,
                                   f"{name} supports and may not fire antitank as well.", facts))
        elif not kind_of(position, index).is_weapons:
            found.append(Violation(
                Reason.FIRER, "WD 10.D", spot,
                f"{name} is not a weapons unit and need not choose between kinds of fire.", facts))
        elif phase == Phase.ASSAULT:
            found.append(Violation(
                Reason.FIRER, "WD 10.A", spot,
                f"{name} is no AFV unit and fires antitank only when defending.", facts))
        elif eng.antitank_value(position, index, fire.hex, phase) == 0:
            found.append(Violation(Reason.FIRER, "WD 10.A", spot,
                                   f"{name} has no antitank factor.", facts))
    return found


# ---------------------------------------------------------------- shots

def _judge_conventional(position: Position, phase: Phase, fire: Fire, budget: Budget | None,
                        path: str) -> list[Violation]:
    """[WD 9.B, 9.C.3] Targets, the total, and the shelter of weapons units."""
    found: list[Violation] = []
    targets = eng.units_fired_at(position, fire.hex, phase)
    columns: dict[int, int] = {}
    for seat, shot in enumerate(fire.conventional):
        spot = f"{path}.conventional[{seat}]"
        fault = _judge_target(position, fire, shot, targets, spot, afv=False)
        if fault is None and shot.target in columns:
            fault = Violation(
                Reason.DUPLICATE, "WD 9.C.3", f"{spot}.target",
                f"{unit_name(position.catalog, shot.target)} may be fired at once a phase.",
                _facts(position, shot))
        if fault is not None:
            found.append(fault)
            continue
        found.extend(_judge_value(position, shot, spot, "WD 9.C.3"))
        place = conventional_fire.column(
            position, shot.value, conventional_fire.defence_value(position, shot.target))
        columns[shot.target] = BELOW if place is None else place
    if budget is not None:
        found.extend(_judge_total(position, phase, fire, fire.conventional, budget, path,
                                  ("conventional", "WD 9.C.3")))
    for seat, shot in enumerate(fire.conventional):
        if columns.get(shot.target) is not None and kind_of(position, shot.target).is_weapons:
            found.extend(_judge_weapons_target(position, shot, targets, columns,
                                               f"{path}.conventional[{seat}]"))
    return found


def _judge_weapons_target(position: Position, shot: Shot, targets: Sequence[int],
                          columns: dict[int, int], path: str) -> list[Violation]:
    """[WD 9.C.3] Every personnel unit of the hex is fired at, none at lower odds."""
    found = []
    name = unit_name(position.catalog, shot.target)
    hex_ = position.units[shot.target].hex
    for other in targets:
        if position.units[other].hex != hex_ or kind_of(position, other) != Kind.PERSONNEL:
            continue
        mate = unit_name(position.catalog, other)
        facts = {**_facts(position, shot), "personnel": position.catalog.units[other].id}
        if other not in columns:
            found.append(Violation(
                Reason.ALLOCATION, "WD 9.C.3", f"{path}.target",
                f"{name} may not be fired at: {mate} in the same hex is not.", facts))
        elif columns[other] < columns[shot.target]:
            names = position.catalog.charts.conventional.names
            lower = "under " + names[0] if columns[other] == BELOW else names[columns[other]]
            odds = names[columns[shot.target]]
            found.append(Violation(
                Reason.ALLOCATION, "WD 9.C.3", f"{path}.value",
                f"{name} is fired at on {odds} and {mate} in the same hex on {lower}: a weapons "
                "unit may not be fired at at higher odds than a personnel unit.",
                {**facts, "odds": odds, "limit": lower}))
    return found


def _judge_antitank(position: Position, phase: Phase, fire: Fire, budget: Budget,
                    path: str) -> list[Violation]:
    """[WD 10.B, 10.C.2, 21.D] Targets, the total, and the shelter of tank destroyers."""
    found: list[Violation] = []
    targets = eng.units_fired_at(position, fire.hex, phase)
    columns: dict[int, int] = {}
    for seat, shot in enumerate(fire.antitank):
        spot = f"{path}.antitank[{seat}]"
        fault = _judge_target(position, fire, shot, targets, spot, afv=True)
        if fault is not None:
            found.append(fault)
            continue
        found.extend(_judge_value(position, shot, spot, "WD 10.C.2"))
        place = antitank_fire.column(position, shot.value,
                                     antitank_fire.defence_value(position, shot.target))
        columns[shot.target] = max(columns.get(shot.target, BELOW),
                                   BELOW if place is None else place)
    found.extend(_judge_total(position, phase, fire, fire.antitank, budget, path,
                              ("antitank", "WD 10.C.2")))
    for target in columns:
        if antitank_fire.is_tank_destroyer(position, target):
            found.extend(_judge_tank_destroyer(position, target, targets, columns,
                                               f"{path}.antitank"))
    return found


def _judge_tank_destroyer(position: Position, target: int, targets: Sequence[int],
                          columns: dict[int, int], path: str) -> list[Violation]:
    """[WD 21.D] Every other AFV unit of the hex is fired at, at the same odds or higher.

    NOTE(WD 21.D): of several attacks on one unit the one at the highest odds is compared.
    """
    found = []
    name, hex_ = unit_name(position.catalog, target), position.units[target].hex
    for other in targets:
        if other == target or position.units[other].hex != hex_ \
                or kind_of(position, other) != Kind.AFV:
            continue
        if other in columns and columns[other] >= columns[target]:
            continue
        mate = unit_name(position.catalog, other)
        how = "is fired at at lower odds" if other in columns else "is not fired at"
        found.append(Violation(
            Reason.ALLOCATION, "WD 21.D", path,
            f"{name} is a tank destroyer and may not be fired at so: {mate} in the same hex {how}.",
            {"target": position.catalog.units[target].id,
             "other": position.catalog.units[other].id}))
    return found


def _judge_target(position: Position, fire: Fire, shot: Shot, targets: Sequence[int], path: str,
                  *, afv: bool) -> Violation | None:
    """[WD 9.B, 10.B] The unit can be fired at in this hex by this kind of fire."""
    name, clause = unit_name(position.catalog, shot.target), "WD 10.B" if afv else "WD 9.B"
    if shot.target not in targets:
        return Violation(
            Reason.TARGET, clause, f"{path}.target",
            f"{name} takes no part in the combat in {hex_name(position.catalog, fire.hex)}.",
            _facts(position, shot))
    if (kind_of(position, shot.target) == Kind.AFV) != afv:
        message = f"{name} is no AFV unit: antitank fire is at AFV units only." if afv \
            else f"{name} is an AFV unit and may not be fired at conventionally."
        return Violation(Reason.TARGET, clause, f"{path}.target", message, _facts(position, shot))
    return None


def _judge_value(position: Position, shot: Shot, path: str, clause: str) -> list[Violation]:
    if shot.value > 0:
        return []
    return [Violation(
        Reason.ALLOCATION, clause, f"{path}.value",
        f"A shot of {shot.value} eighths at {unit_name(position.catalog, shot.target)} is none.",
        _facts(position, shot))]


def _judge_total(position: Position, phase: Phase, fire: Fire, shots: Sequence[Shot],
                 budget: Budget, path: str, kind: tuple[str, str]) -> list[Violation]:
    """[WD 9.C.3, 10.C.2, 12.B] Shots add up to at most what fires; down a slope it fires double.

    A unit that takes no part in the combat is asked nothing, not even whether it stands below.
    """
    below = eng.hexes_below(position, fire.hex, phase)
    targets = eng.units_fired_at(position, fire.hex, phase)
    down = sum(shot.value for shot in shots
               if shot.target in targets and position.units[shot.target].hex in below)
    level = sum(shot.value for shot in shots) - down
    name, clause = kind
    if budget.covers(level, down):
        return []
    total = budget.own + budget.fixed
    slope = f", of which {points(down)} down a slope, where units fire double" if down else ""
    return [Violation(
        Reason.ALLOCATION, clause, f"{path}.{name}",
        f"The {name} shots in {hex_name(position.catalog, fire.hex)} add up to "
        f"{points(level + down)}{slope}; the {name} value there is {points(total)}.",
        {"asked": points(level + down), "total": points(total)})]


def _facts(position: Position, shot: Shot) -> dict[str, str]:
    return {"target": position.catalog.units[shot.target].id, "value": points(shot.value)}
