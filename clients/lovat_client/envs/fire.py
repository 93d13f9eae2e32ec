"""Fire word by word: in each assaulted hex who supports, and which unit takes all fire of a kind.

All conventional fire of a hex goes at one unit and all antitank fire at one AFV unit. Finer
splits are left to the standing orders, as is every hex that is not named.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable

from lovat.white_death.v1 import answers_pb2, orders_pb2

from .actions import PAY, Choice, Menu, Verb
from .table import Composing, Steps, Table

FireOrder = orders_pb2.DefensiveFire | orders_pb2.AssaultFire


def defensive_fire(table: Table) -> Composing:
    """Pools that pay for printed support may be named before the hexes."""
    order = orders_pb2.DefensiveFire()
    yield from _fires(table, order, order)
    return order


def assault_fire(table: Table) -> Composing:
    order = orders_pb2.AssaultFire()
    yield from _fires(table, order, None)
    return order


def _fires(table: Table, order: FireOrder, paying: orders_pb2.DefensiveFire | None) -> Steps:
    offers = {option.hex: option for option in table.listing.fires}
    pools = {} if paying is None else {PAY[pool]: pool for pool in table.listing.high_intensity}
    while offers:
        choice = yield Menu("fire", verbs=(Verb.STANDING, *pools), hexes=offers,
                            aimed=[fire.hex for fire in order.fires])
        if choice.verb == Verb.STANDING:
            return
        if choice.hex:
            yield from _Fire(table, order, offers.pop(choice.hex)).compose()
            pools = {}      # a point paid later would change what has been said
        elif paying is not None and choice.verb is not None:
            paying.high_intensity.append(pools.pop(choice.verb))


class _Fire:
    """The fire in one hex, the last of the order."""

    def __init__(self, table: Table, order: FireOrder, option: answers_pb2.FireOption) -> None:
        self.table = table
        self.order = order
        self.option = option
        self.fire = order.fires.add(hex=option.hex)
        busy = {item.unit for fire in order.fires for item in fire.support}
        self.guns: dict[str, list[int]] = {}
        for offer in option.support:
            if offer.unit not in busy:
                self.guns.setdefault(offer.unit, []).append(offer.stack)

    def menu(self, stage: str, *, units: Iterable[str] = (), hexes: Iterable[int] = (),
             unit: str = "") -> Menu:
        named = [item.unit for item in self.fire.support]
        named += [shot.target for shot in (*self.fire.conventional, *self.fire.antitank)]
        return Menu(stage, verbs=(Verb.STAY,), units=units, hexes=hexes, unit=unit,
                    focus=self.option.hex, named=named,
                    aimed=[fire.hex for fire in self.order.fires])

    def compose(self) -> Steps:
        """Support first, since the value of a shot depends on it, then at most a shot a kind.

        A hex in which no shot is named is left to the standing orders.
        """
        while True:
            shots = self.shots()
            has_fired = bool(self.fire.conventional or self.fire.antitank)
            guns = () if has_fired else tuple(self.guns)
            choice = Choice(verb=Verb.STAY)
            if shots or guns:
                choice = yield self.menu("fire in hex", units=(*guns, *shots))
            if choice.verb == Verb.STAY:
                if not has_fired:
                    del self.order.fires[-1]
                return
            if choice.unit in shots:
                self.fire.CopyFrom(shots[choice.unit])
            else:
                yield from self.support(choice.unit)

    def support(self, unit: str) -> Steps:
        ends = {}
        for stack in self.guns.pop(unit):
            found = self.supported(unit, stack)
            if found is not None:
                ends[stack] = found
        if ends:
            choice = yield self.menu("support", hexes=ends, unit=unit)
            if choice.hex:
                self.fire.CopyFrom(ends[choice.hex])

    def supported(self, unit: str, stack: int) -> orders_pb2.Fire | None:
        """The fire with the support added, under the first headquarters that allows it."""
        named = [self.fire.headquarters] if self.fire.headquarters else ["",
                                                                        *self.option.headquarters]
        for headquarters in named:
            trial = orders_pb2.Fire()
            trial.CopyFrom(self.fire)
            trial.support.add(unit=unit, stack=stack)
            trial.headquarters = headquarters
            if self.is_legal(trial):
                return trial
        return None

    def shots(self) -> dict[str, orders_pb2.Fire]:
        """The fire with each shot that may be added, by its target."""
        found = {}
        for target in self.option.targets:
            if self.fire.antitank if target.afv else self.fire.conventional:
                continue
            shot = self.shot(target)
            if shot is not None:
                found[target.unit] = shot
        return found

    def shot(self, target: answers_pb2.TargetOption) -> orders_pb2.Fire | None:
        """All fire of the kind at the target: with support as paid for, or else as it is free."""
        for paid in (True, False) if self.fire.support and not target.afv else (True,):
            trial = orders_pb2.Fire()
            trial.CopyFrom(self.fire)
            if target.afv:
                value = self.antitank(trial)
                trial.antitank.add(target=target.unit, value=value)
            else:
                value = self.conventional(paid)
                trial.conventional.add(target=target.unit, value=value)
            if value and self.is_legal(trial):
                return trial
        return None

    def conventional(self, paid: bool) -> int:
        """All conventional fire of the hex and its support, in eighths of a fire point."""
        free = [firer for firer in self.option.firers if firer.unit not in self.supporting()]
        chosen = {(item.unit, item.stack) for item in self.fire.support}
        support = [offer.value if paid else offer.low for offer in self.option.support
                   if (offer.unit, offer.stack) in chosen]
        return self.option.bunker + sum(firer.conventional for firer in free) + sum(support)

    def antitank(self, trial: orders_pb2.Fire) -> int:
        """All antitank fire, in eighths; weapons join it where there is nothing else to fire at."""
        free = [firer for firer in self.option.firers if firer.unit not in self.supporting()]
        value = self.option.bunker + sum(firer.antitank for firer in free if not firer.choice)
        if all(target.afv for target in self.option.targets):
            weapons = [firer for firer in free if firer.choice]
            trial.antitank_weapons.extend(firer.unit for firer in weapons)
            value += sum(firer.antitank for firer in weapons)
        return value

    def supporting(self) -> set[str]:
        return {item.unit for fire in self.order.fires for item in fire.support}

    def is_legal(self, fire: orders_pb2.Fire) -> bool:
        trial = copy.deepcopy(self.order)
        trial.fires[-1].CopyFrom(fire)
        return self.table.allows(trial)
