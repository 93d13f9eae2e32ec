"""A bot that reckons in victory points: it looks up what fire would come to before it fires.

What a scenario pays for decides where units go: the Soviets strike at one railroad town with all
that marches, hold what they have and let their guns lay siege to one bunker at a time; the
Germans fill the towns and fall back on them. Both assault where the expected exchange pays. Fire
is split as the advisor's previews say; without an advisor it is left to the standing orders.
"""

from __future__ import annotations

from random import Random

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import catalog_pb2, orders_pb2, overlays_pb2

from . import planner_fire
from .base import Offer, Seen
from .board import Board
from .greedy_bot import GreedyBot
from .planner_advice import Advice
from .planner_impulse import declaration
from .planner_missions import Intent
from .planner_moves import Moves
from .planner_odds import Odds
from .planner_picture import Memory, Picture
from .planner_travel import Travel
from .protocol import Advisor, Listing, View


class PlannerBot(GreedyBot):
    """Plans by expected victory points. What it does not plan it does as the greedy bot."""

    name = "planner"

    def __init__(self, random: Random) -> None:
        super().__init__(random)
        self.advice = Advice()
        self._memory = Memory()
        self._intent = Intent(shift=random.randrange(6))
        self._odds: Odds | None = None
        self._travel: Travel | None = None

    def advise(self, advisor: Advisor) -> None:
        """Ask this advisor about the decisions to come."""
        self.advice.take(advisor)

    def decide(self, view: View, listing: Listing,
               catalog: catalog_pb2.Catalog) -> core_pb2.Order:
        """Answer the pending decision."""
        self.advice.begin()
        return super().decide(view, listing, catalog)

    def declare_impulse(self, board: Board, seen: Seen,
                        offer: Offer) -> orders_pb2.DeclareImpulse:
        """As many points as the next step needs; a pass where waiting is worth more."""
        found = declaration(self._picture(board, seen), offer, self._intent)
        return found or super().declare_impulse(board, seen, offer)

    def move_and_declare(self, board: Board, seen: Seen,
                         offer: Offer) -> orders_pb2.MoveAndDeclare:
        """Assaults that pay first, then every unit on its mission."""
        now = self._picture(board, seen)
        zone = self.advice.overlay(overlays_pb2.OVERLAY_KIND_ZONE_OF_CONTROL,
                                   overlays_pb2.WHOSE_ENEMY)
        if zone is not None:
            now.enemy_zone = set(zone)
        return Moves(now, offer, self._intent).order()

    def barrage(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Barrage:
        """The guns of a siege keep to one bunker."""
        return planner_fire.barrage(self._picture(board, seen), offer, self._intent.bunker)

    def defensive_fire(self, board: Board, seen: Seen,
                       offer: Offer) -> orders_pb2.DefensiveFire:
        """As the previews of a few ways say."""
        return planner_fire.defensive_fire(self._picture(board, seen), offer, self.advice)

    def assault_fire(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.AssaultFire:
        """As the previews of a few ways say."""
        return planner_fire.assault_fire(self._picture(board, seen), offer, self.advice)

    def advance(self, board: Board, seen: Seen, offer: Offer) -> orders_pb2.Advance:
        """Into what counts with all who may; elsewhere nobody leaves a place that does."""
        now = self._picture(board, seen)
        order = orders_pb2.Advance()
        gone: set[str] = set()
        for option in sorted(offer.advances, key=lambda option: (
                -now.stakes.get(option.hex, 0.0), option.hex)):
            units: list[str] = []
            for unit in sorted(option.units, key=lambda unit: (-now.guard(unit), unit)):
                there = now.own_stack(option.hex)
                if unit not in gone and _may_leave(now, unit, option.hex, gone) \
                        and board.may_stack([*there, *units, unit]):
                    units.append(unit)
            gone.update(units)
            order.occupations.add(hex=option.hex, units=sorted(units))
        return order

    def _picture(self, board: Board, seen: Seen) -> Picture:
        if self._odds is None or self._travel is None:
            self._odds, self._travel = Odds(board.catalog.charts), Travel(board)
        self._memory.look(board, seen)
        return Picture(board, self._odds, self._travel, self._memory, seen)


def _may_leave(now: Picture, unit: str, end: int, gone: set[str]) -> bool:
    """Whether a unit does not give up more than it wins where it advances to."""
    start, worth = now.places.get(unit, 0), now.stakes.get(end, 0.0)
    if now.stakes.get(start, 0.0) > 0:
        return worth > 0 and any(other not in gone and other != unit
                                 for other in now.own_stack(start))
    cover = now.board.cover
    return worth > 0 or now.is_soviet or cover.get(start, 0) < cover.get(end, 0)
