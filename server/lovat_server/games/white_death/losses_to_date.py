"""[WD 25.2] Losses to date: divided by their owner among the units they may fall on."""

from __future__ import annotations

from lovat_server.core.violations import Reason, Violation

from .answers import LossOption
from .battle import Battle
from .catalog import LossToDate
from .events import BunkerReduced, StrengthLost, UnitEliminated
from .orders import BunkerCasualty, Casualty, DistributeLosses
from .position import Position
from .terms import OFF_MAP, Cause, Side
from .wording import hex_name, unit_name


def are_due(position: Position, side: Side) -> bool:
    """[WD 25.2] The scenario lists losses of the side, or of bunkers for the German."""
    scenario = position.catalog.scenario
    return any(loss.side == side for loss in scenario.losses) or (
        side == Side.GERMAN and scenario.bunker_losses > 0)


def options(position: Position) -> tuple[LossOption, ...]:
    """[WD 25.2] Every loss that the deciding side must divide."""
    side, scenario = position.decision.side, position.catalog.scenario
    listed = [LossOption(loss.formation, loss.kind, loss.points, loss.units)
              for loss in scenario.losses if loss.side == side]
    if side == Side.GERMAN and scenario.bunker_losses:
        listed.append(LossOption("Velikiye Luki", "bunkers", scenario.bunker_losses, (),
                                 tuple(bunker.hex for bunker in position.catalog.bunkers)))
    return tuple(listed)


def standard(position: Position) -> DistributeLosses:
    """The documented distribution: point by point, each from the unit with most strength left.

    Ties go to the unit that stands first in the catalog. Bunkers likewise. Where the garrison of
    the city must find room in its bunker hexes, its losses empty one unit after the other instead.
    """
    side = position.decision.side
    left = {index: unit.strength for index, unit in enumerate(position.units)}
    for loss in position.catalog.scenario.losses:
        if loss.side == side:
            (_empty if _is_crowded(position, loss) else _spread)(left, loss)
    casualties = tuple(
        Casualty(index, position.units[index].strength - strength)
        for index, strength in left.items() if strength < position.units[index].strength)
    return DistributeLosses(casualties, _standard_bunkers(position, side))


def _is_crowded(position: Position, loss: LossToDate) -> bool:
    """[WD 25.3] The units of the line must all set up in the bunker hexes of the city."""
    catalog = position.catalog
    return catalog.scenario.garrison_in_bunkers and all(
        catalog.map.areas[catalog.units[index].set_up] == catalog.map.areas["CITY"]
        for index in loss.units)


def _empty(left: dict[int, int], loss: LossToDate) -> None:
    due = loss.points
    for index in loss.units:
        taken = min(due, left[index])
        left[index] -= taken
        due -= taken


def _spread(left: dict[int, int], loss: LossToDate) -> None:
    for _ in range(loss.points):
        most = max(loss.units, key=lambda index: (left[index], -index))
        left[most] -= 1


def _standard_bunkers(position: Position, side: Side) -> tuple[BunkerCasualty, ...]:
    if side != Side.GERMAN:
        return ()
    left = list(position.bunkers)
    for _ in range(position.catalog.scenario.bunker_losses):
        left[max(range(len(left)), key=lambda place: (left[place], -place))] -= 1
    return tuple(BunkerCasualty(bunker.hex, position.bunkers[place] - left[place])
                 for place, bunker in enumerate(position.catalog.bunkers)
                 if left[place] < position.bunkers[place])


def judge(position: Position, order: DistributeLosses) -> list[Violation]:
    """[WD 25.2] Every listed loss wholly divided among its units, and nothing more."""
    if order.standard:
        if order.casualties or order.bunkers:
            return [Violation(
                Reason.DUPLICATE, "WD 25.2", "casualties",
                "The standard distribution was asked for; no other may be given with it.")]
        return []
    found: list[Violation] = []
    given: dict[int, int] = {}
    for place, casualty in enumerate(order.casualties):
        found.extend(_judge_casualty(position, casualty, given, f"casualties[{place}]"))
        given[casualty.unit] = casualty.points
    found = found or _judge_totals(position, given)
    found.extend(_judge_bunkers(position, order.bunkers))
    return found


def _judge_casualty(position: Position, casualty: Casualty, given: dict[int, int],
                    path: str) -> list[Violation]:
    index, name = casualty.unit, unit_name(position.catalog, casualty.unit)
    if position.catalog.units[index].side != position.decision.side:
        return [Violation(Reason.WRONG_SIDE, "WD 25.2", f"{path}.unit",
                          f"{name} belongs to the other side.")]
    if index in given:
        return [Violation(Reason.DUPLICATE, "WD 25.2", f"{path}.unit", f"{name} is named twice.")]
    if not any(index in loss.units for loss in position.catalog.scenario.losses):
        return [Violation(Reason.NOT_AVAILABLE, "WD 25.2", f"{path}.unit",
                          f"No listed loss may fall on {name}.")]
    strength = position.units[index].strength
    if not 1 <= casualty.points <= strength:
        return [Violation(
            Reason.ALLOCATION, "WD 25.2", f"{path}.points",
            f"{name} has {strength} strength points; it cannot lose {casualty.points}.",
            {"points": str(casualty.points), "strength": str(strength)})]
    return []


def _judge_bunkers(position: Position, bunkers: tuple[BunkerCasualty, ...]) -> list[Violation]:
    due = position.catalog.scenario.bunker_losses if position.decision.side == Side.GERMAN else 0
    found, seen = [], set()
    for place, casualty in enumerate(bunkers):
        path, where = f"bunkers[{place}]", hex_name(position.catalog, casualty.hex)
        bunker = position.bunker_at(casualty.hex)
        if bunker is None or casualty.hex in seen:
            found.append(Violation(Reason.TARGET, "WD 25.2", f"{path}.hex",
                                   f"No bunker stands in {where}, or it is named twice."))
            continue
        seen.add(casualty.hex)
        if not 1 <= casualty.points < position.bunkers[bunker]:
            found.append(Violation(
                Reason.ALLOCATION, "WD 25.2", f"{path}.points",
                f"The bunker in {where} has {position.bunkers[bunker]} strength points and is not "
                f"among those vacated; it cannot lose {casualty.points}."))
    total = sum(casualty.points for casualty in bunkers)
    if not found and total != due:
        found.append(Violation(
            Reason.ALLOCATION, "WD 25.2", "bunkers",
            f"The bunkers that stand have lost {due} strength points, not {total}.",
            {"due": str(due), "given": str(total)}))
    return found


def _judge_totals(position: Position, given: dict[int, int]) -> list[Violation]:
    """[WD 25.2] The listed lines share no units."""
    found = []
    for loss in position.catalog.scenario.losses:
        if loss.side != position.decision.side:
            continue
        total = sum(given.get(index, 0) for index in loss.units)
        if total != loss.points:
            found.append(Violation(
                Reason.ALLOCATION, "WD 25.2", "casualties",
                f"{loss.formation} has lost {loss.points} strength points of {loss.kind}, "
                f"not {total}.",
                {"formation": loss.formation, "kind": loss.kind, "due": str(loss.points),
                 "given": str(total)}))
    return found


def resolve(battle: Battle, order: DistributeLosses) -> None:
    """[WD 25.2]"""
    chosen = standard(battle) if order.standard else order
    for casualty in chosen.casualties:
        battle.record(StrengthLost(casualty.unit, casualty.points, Cause.TO_DATE, False))
        if not battle.units[casualty.unit].strength:
            battle.record(UnitEliminated(casualty.unit, OFF_MAP))
    for bunker in chosen.bunkers:
        battle.record(BunkerReduced(bunker.hex, bunker.points))
