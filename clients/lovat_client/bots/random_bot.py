"""A bot that takes anything that is listed, at random."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import TypeVar

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from .base import DecidingBot, Offer, Seen
from .board import MAY_NOT_END, Board, Ends, path_to

Item = TypeVar("Item")


class RandomBot(DecidingBot):
    """Random-legal: each choice is a listed one, and the whole is mostly legal too."""

    name = "random"

    def sustain_garrison(self, _board: Board, _seen: Seen,
                         offer: Offer) -> orders_pb2.SustainGarrison:
        """A coin."""
        return orders_pb2.SustainGarrison(spend=offer.may_sustain and self._chance(50))

    def refit(self, _board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Refit:
        """Any brigade, or none."""
        brigades = ["", *offer.refits]
        return orders_pb2.Refit(brigade=self.random.choice(brigades))

    def replace(self, _board: Board, seen: Seen, offer: Offer) -> orders_pb2.Replace:
        """Random units, until the points run out."""
        left = seen.replacements[seen.side - 1] if seen.replacements else 0
        order = orders_pb2.Replace()
        for option in self._shuffled(offer.replacements):
            if left and option.most and self._chance(70):
                points = self.random.randint(1, min(left, option.most))
                hex_ = self.random.choice(list(option.hexes)) if option.hexes else 0
                order.replacements.add(unit=option.unit, points=points, hex=hex_)
                left -= points
        if offer.repairs and self._chance(80):
            order.repairs.append(self.random.choice(list(offer.repairs)))
        return order

    def declare_impulse(self, board: Board, seen: Seen,
                        offer: Offer) -> orders_pb2.DeclareImpulse:
        """Mostly an action, of any number of points."""
        actions = [option for option in offer.declarations
                   if option.kind == terms_pb2.IMPULSE_KIND_ACTION]
        options = actions if actions and self._chance(85) else list(offer.declarations)
        if not options:
            return super().declare_impulse(board, seen, offer)
        option = self.random.choice(options)
        return orders_pb2.DeclareImpulse(
            points=self.random.randint(option.least, option.most), kind=option.kind)

    def move_and_declare(self, board: Board, seen: Seen,
                         offer: Offer) -> orders_pb2.MoveAndDeclare:
        """Some units march, a few go by rail, guns deploy, and some of the rest assault."""
        order = orders_pb2.MoveAndDeclare()
        places = {unit.unit: unit.hex for unit in seen.own if unit.strength}
        ends = Ends(board, places)
        assaults: dict[int, list[str]] = defaultdict(list)
        for option in self._shuffled(offer.units):
            start = places.get(option.unit, 0)
            if self._chance(6) and option.rail and self._rail(option, ends, order):
                continue
            if self._chance(50) and self._march(option, start, ends, order):
                continue
            if option.may_deploy and self._chance(60):
                order.actions.add().deploy.units.append(option.unit)
            elif option.may_build_bridge and self._chance(50):
                order.actions.add().build_bridge.unit = option.unit
            elif option.may_destroy_bridge and self._chance(10):
                order.actions.add().destroy_bridge.unit = option.unit
            elif option.assaults and self._chance(60):
                assaults[self.random.choice(list(option.assaults))].append(option.unit)
        for number, units in sorted(assaults.items()):
            order.assaults.add(hex=number, units=sorted(units))
        return order

    def retreat_before_combat(self, _board: Board, _seen: Seen,
                              offer: Offer) -> orders_pb2.RetreatBeforeCombat:
        """Some leave, anywhere."""
        order = orders_pb2.RetreatBeforeCombat()
        for option in offer.withdrawals:
            if option.hexes and self._chance(40):
                order.withdrawals.add(unit=option.unit,
                                      hex=self.random.choice(list(option.hexes)))
        return order

    def pursue(self, board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Pursue:
        """Most follow."""
        order = orders_pb2.Pursue()
        targets = {option.hex: list(option.targets) for option in offer.pursuits}
        for hex_, units in self._followers(board, offer.pursuits):
            if targets[hex_]:
                order.pursuits.add(hex=hex_, units=units,
                                   target=self.random.choice(targets[hex_]))
        return order

    def barrage(self, _board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Barrage:
        """Some guns fire, at anything."""
        order = orders_pb2.Barrage()
        fires: dict[int, list[str]] = defaultdict(list)
        if self._chance(60):
            for option in offer.barrages:
                if option.hexes and self._chance(60):
                    fires[self.random.choice(list(option.hexes))].append(option.unit)
        for number, units in sorted(fires.items()):
            order.fires.add(hex=number, units=units)
        if fires:
            order.full_rockets.extend(pool for pool in offer.full_rockets if self._chance(30))
        return order

    def defensive_fire(self, board: Board, _seen: Seen,
                       offer: Offer) -> orders_pb2.DefensiveFire:
        """Mostly left to the standing orders."""
        return orders_pb2.DefensiveFire(
            fires=self._fires(board, offer.fires),
            high_intensity=[pool for pool in offer.high_intensity if self._chance(20)])

    def assault_fire(self, board: Board, _seen: Seen, offer: Offer) -> orders_pb2.AssaultFire:
        """Mostly left to the standing orders."""
        return orders_pb2.AssaultFire(fires=self._fires(board, offer.fires))

    def retreat(self, _board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Retreat:
        """Any route that is listed."""
        order = orders_pb2.Retreat()
        for option in offer.retreats:
            if option.paths and self._chance(70):
                path = self.random.choice(list(option.paths))
                order.routes.add(unit=option.unit, path=path.hexes)
        return order

    def advance(self, board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Advance:
        """Most advance."""
        order = orders_pb2.Advance()
        for hex_, units in self._followers(board, offer.advances):
            order.occupations.add(hex=hex_, units=units)
        return order

    def _chance(self, percent: int) -> bool:
        return self.random.randrange(100) < percent

    def _shuffled(self, items: Iterable[Item]) -> list[Item]:
        found = list(items)
        self.random.shuffle(found)
        return found

    def _march(self, option: answers_pb2.UnitOptions, start: int, ends: Ends,
               order: orders_pb2.MoveAndDeclare) -> bool:
        hexes = [number for number, marks in zip(option.hexes, option.marks, strict=False)
                 if not marks & MAY_NOT_END and number != start]
        if not hexes:
            return False
        end = self.random.choice(hexes)
        if not ends.take(option.unit, end):
            return False
        order.actions.add().march.CopyFrom(orders_pb2.March(
            units=[option.unit], path=path_to(option, start, end)))
        return True

    def _rail(self, option: answers_pb2.UnitOptions, ends: Ends,
              order: orders_pb2.MoveAndDeclare) -> bool:
        end = self.random.choice(list(option.rail))
        if not ends.take(option.unit, end):
            return False
        order.actions.add().rail.CopyFrom(orders_pb2.Rail(units=[option.unit], destination=end))
        return True

    def _followers(
        self, board: Board,
        options: Iterable[answers_pb2.HexUnitsOption] | Iterable[answers_pb2.PursuitOption],
    ) -> list[tuple[int, list[str]]]:
        found = []
        gone: set[str] = set()
        for option in options:
            units: list[str] = []
            for unit in self._shuffled(option.units):
                if (unit not in gone and self._chance(75)
                        and board.may_stack([*units, unit])):
                    units.append(unit)
            if units:
                gone.update(units)
                found.append((option.hex, sorted(units)))
        return found

    def _fires(
        self, board: Board, options: Iterable[answers_pb2.FireOption],
    ) -> list[orders_pb2.Fire]:
        return [self._fire(board, option) for option in options if self._chance(30)]

    def _fire(self, board: Board, option: answers_pb2.FireOption) -> orders_pb2.Fire:
        """All fire at one soft target and one AFV: that breaks no limit of WD 9.C.3."""
        fire = orders_pb2.Fire(hex=option.hex)
        soft = [target for target in option.targets if not target.afv]
        personnel = [target for target in soft if target.unit in board.units
                     and board.units[target.unit].kind == terms_pb2.KIND_PERSONNEL]
        armour = [target for target in option.targets if target.afv]
        value = option.bunker + sum(firer.conventional for firer in option.firers)
        against_armour = option.bunker + sum(
            firer.antitank for firer in option.firers if not firer.choice)
        if soft and value:
            target = self.random.choice(personnel or soft)
            fire.conventional.add(target=target.unit, value=value)
        if armour and against_armour:
            fire.antitank.add(target=self.random.choice(armour).unit, value=against_armour)
        if option.headquarters:
            fire.headquarters = self.random.choice(list(option.headquarters))
        return fire
