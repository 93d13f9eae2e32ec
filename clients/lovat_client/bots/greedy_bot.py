"""A bot that plays sensibly, one impulse at a time.

The Soviets send fast units for the railroad, others against the city and the rest against what
stands in between; their guns batter one bunker after the other, and the last point of supply is
theirs. The Germans man the railroad towns, hold ground, and march to the relief of the city once it
is cut off. Both assault where the fire that they can bring promises more than it costs.
"""

from __future__ import annotations

from collections import defaultdict
from random import Random

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from .base import DecidingBot, Offer, Seen
from .board import EIGHTHS, FAR, Board, Ends
from .greedy_plan import ROLES, Plan
from .situation import Situation

COLUMN_TOP = 60 * EIGHTHS
COLUMN_LOW = 4 * EIGHTHS
LEAST_BARRAGE = 20 * EIGHTHS
GENERAL_ATTACK = 4
"""The assaulted hexes from which on the guns of the defence are given a point of supply."""
LEAST_SIEGE, MOST_SIEGE = 48 * EIGHTHS, 4 * COLUMN_TOP
"""A bunker is fired at with so much at least, and with no more guns once it is so much."""


class GreedyBot(DecidingBot):
    """Takes the best that it sees now, and never looks ahead."""

    name = "greedy"

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self._shift = random.randrange(ROLES)
        self._stride = random.choice((3, 5, 5))

    def sustain_garrison(self, _board: Board, seen: Seen,
                         offer: Offer) -> orders_pb2.SustainGarrison:
        """Yes while a point is left for the guns."""
        supply = list(seen.supply)[2:3]
        return orders_pb2.SustainGarrison(spend=offer.may_sustain and supply > [1])

    def refit(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Refit:
        """The brigade that has lost most, if it has lost a third or more."""
        left = {unit.unit: unit.strength for unit in seen.own}
        lost: dict[str, int] = defaultdict(int)
        printed: dict[str, int] = defaultdict(int)
        for unit in board.catalog.units:
            if unit.division in offer.refits:
                lost[unit.division] += unit.strength - left.get(unit.id, 0)
                printed[unit.division] += unit.strength
        worst = max(lost, key=lambda name: (lost[name], name), default="")
        worth_it = bool(worst) and 3 * lost[worst] >= printed[worst]
        return orders_pb2.Refit(brigade=worst if worth_it else "")

    def replace(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Replace:
        """Fill up the units in play that miss most, then rebuild what is gone."""
        left = seen.replacements[seen.side - 1] if seen.replacements else 0
        order = orders_pb2.Replace()
        for option in sorted(offer.replacements, key=lambda option: (
                bool(option.hexes), -option.most, option.unit)):
            points = min(left, option.most)
            if points:
                order.replacements.add(unit=option.unit, points=points,
                                       hex=option.hexes[0] if option.hexes else 0)
                left -= points
        if offer.repairs:
            strongest = max(offer.repairs, key=lambda name: (board.units[name].antitank, name))
            order.repairs.append(strongest)
        return order

    def declare_impulse(self, board: Board, seen: Seen,
                        offer: Offer) -> orders_pb2.DeclareImpulse:
        """An action of a few points, so that the turn has two or three of them."""
        actions = [option for option in offer.declarations
                   if option.kind == terms_pb2.IMPULSE_KIND_ACTION]
        if not actions:
            return super().declare_impulse(board, seen, offer)
        option = actions[0]
        left = option.most
        points = left if left - self._stride < 3 else self._stride
        return orders_pb2.DeclareImpulse(
            points=max(option.least, min(points, option.most)), kind=option.kind)

    def move_and_declare(self, board: Board, seen: Seen,
                         offer: Offer) -> orders_pb2.MoveAndDeclare:
        """Assaults first, then everything else goes where it is of most use."""
        return Plan(Situation(board, seen), offer, self._shift).order()

    def retreat_before_combat(self, board: Board, seen: Seen,
                              offer: Offer) -> orders_pb2.RetreatBeforeCombat:
        """Weak units leave open ground for where the enemy is farthest."""
        order = orders_pb2.RetreatBeforeCombat()
        now = Situation(board, seen)
        ends = Ends(board, now.places)
        for option in offer.withdrawals:
            hex_ = board.hexes.get(now.places.get(option.unit, 0))
            if hex_ is None or hex_.town or now.strengths[option.unit] > 2:
                continue
            for end in sorted(option.hexes, key=lambda end: (-now.to_enemy.get(end, FAR), end)):
                if ends.take(option.unit, end):
                    order.withdrawals.add(unit=option.unit, hex=end)
                    break
        return order

    def pursue(self, board: Board, _seen: Seen, offer: Offer) -> orders_pb2.Pursue:
        """All who can follow do."""
        order = orders_pb2.Pursue()
        gone: set[str] = set()
        for option in offer.pursuits:
            units: list[str] = []
            for unit in option.units:
                if unit not in gone and board.may_stack([*units, unit]):
                    units.append(unit)
            gone.update(units)
            if units and option.targets:
                order.pursuits.add(hex=option.hex, units=units, target=option.targets[0])
        return order

    def barrage(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Barrage:
        """Mass the guns on what is assaulted, on bunkers and on tall stacks."""
        now = Situation(board, seen)
        merit = {number: self._merit(now, number)
                 for option in offer.barrages for number in option.hexes}
        total: dict[int, float] = defaultdict(float)
        for option in offer.barrages:
            for number, value, seen_there in zip(
                    option.hexes, option.values, option.observed, strict=False):
                total[number] += value * (1 if seen_there else 0.4)
        fires: dict[int, list[str]] = defaultdict(list)
        values: dict[int, int] = defaultdict(int)
        for option in sorted(offer.barrages, key=lambda option: (
                -_value_at(option, now.siege), option.unit)):
            worth = {number: min(total[number], COLUMN_TOP * 2) * merit[number]
                     for number in option.hexes
                     if number not in now.bunkers
                     or (total[number] >= LEAST_SIEGE and values[number] < MOST_SIEGE)}
            if worth:
                best = max(worth, key=lambda number: (worth[number], -number))
                fires[best].append(option.unit)
                values[best] += _value_at(option, best)
        order = orders_pb2.Barrage()
        for number, units in sorted(fires.items()):
            if values[number] >= LEAST_BARRAGE:
                order.fires.add(hex=number, units=units, attacks=_split(values[number]))
        if now.is_soviet and now.siege and now.siege not in [fire.hex for fire in order.fires]:
            return orders_pb2.Barrage()     # the supply is better spent once the guns are up
        return order

    def defensive_fire(self, board: Board, seen: Seen,
                       offer: Offer) -> orders_pb2.DefensiveFire:
        """Left to the standing orders, but for the supply that meets a general attack.

        The Soviets give none while one bunker is left, but keep it to fire at that twice in a turn;
        while two are left too, as long as two more turns give the time to take both.
        """
        left = sum(map(bool, seen.bunkers))
        has_time = board.catalog.scenario.last_turn - seen.turn >= 2
        is_saved = seen.side == terms_pb2.SIDE_SOVIET and (left == 1 or (left == 2 and has_time))
        if is_saved or len(seen.assaults) < GENERAL_ATTACK:
            return orders_pb2.DefensiveFire()
        return orders_pb2.DefensiveFire(high_intensity=offer.high_intensity)

    @staticmethod
    def _merit(now: Situation, number: int) -> float:
        target = now.targets.get(number)
        merit = 1.0 + (target.count if target else 0)
        if any(assault.hex == number for assault in now.seen.assaults):
            merit *= 3
        if now.is_soviet and number == now.siege:
            merit *= 8
        return merit


def _value_at(option: answers_pb2.BarrageOption, number: int) -> int:
    """The value of a unit's barrage at a hex; 0 out of its range."""
    return next((value for hex_, value in zip(option.hexes, option.values, strict=False)
                 if hex_ == number), 0)


def _split(value: int) -> list[int]:
    """Barrage in attacks of the highest column; what is left over joins the last if it is small."""
    if value < COLUMN_TOP + COLUMN_LOW:
        return []
    attacks = [COLUMN_TOP] * (value // COLUMN_TOP)
    rest = value % COLUMN_TOP
    if rest >= COLUMN_LOW:
        return [*attacks, rest]
    attacks[-1] += rest
    return attacks
