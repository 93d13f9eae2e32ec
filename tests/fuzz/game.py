"""One fuzzed game: played on by random bots, and prodded at every decision."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import answers_pb2, catalog_pb2, orders_pb2, terms_pb2
from lovat_client.bots import make_bot

from .probe import Probe
from .spoil import Words, spoil

REFUSALS = 12
DECISIONS = 5000
_SIDES = {"soviet": terms_pb2.SIDE_SOVIET, "german": terms_pb2.SIDE_GERMAN}
_ASKING = ("GetView", "ListLegalOrders", "ScorePosition", "CheckPosition", "ResolveImpulse",
           "WriteNotation")


class FuzzedGame:
    """`until` says when to stop; the same seed prods a game in the same way."""

    def __init__(self, probe: Probe, catalog: catalog_pb2.Catalog, scenario: str, seed: str,
                 until: Callable[[], bool]) -> None:
        self.probe = probe
        self.catalog = catalog
        self.random = Random(f"fuzz {seed}")
        self.until = until
        self.words = Words([unit.id for unit in catalog.units],
                           [hex_.hex for hex_ in catalog.map.hexes])
        self.sides = {unit.id: unit.side for unit in catalog.units}
        self.bots = {side: make_bot("random", f"{seed} {side}") for side in _SIDES}
        created = probe.call("CreateGame", scenario=scenario, seed=seed[:60],
                             dice_mode=core_pb2.DICE_MODE_SEEDED, standard_set_up=True)
        self.position: core_pb2.Position = created.position
        self.account = self._account()

    def play(self) -> None:
        """To the end of the game or of the time."""
        for _ in range(DECISIONS):
            kind = self.position.state.white_death.decision.kind
            if kind == terms_pb2.DECISION_KIND_GAME_OVER:
                self.probe.counts["games"] += 1
                return
            if self.until():
                return
            self._decide()
        raise self.probe.find("dead end", f"no end after {DECISIONS} decisions", "ScorePosition",
                              position=self.position)

    def _decide(self) -> None:
        side = {value: key for key, value in _SIDES.items()}[
            self.position.state.white_death.decision.side]
        view = self.probe.call("GetView", position=self.position, side=side).view
        listing = self.probe.call("ListLegalOrders", position=self.position, side=side).listing
        self.probe.counts["decisions"] += 1
        if self.random.random() < 0.5:
            self._check_listed(listing.white_death)
        order = self.bots[side].decide(view, listing, self.catalog)
        if self.random.random() < 0.6:
            self._spoilt_order(order)
        if self.random.random() < 0.3:
            self._spoilt_position(order)
        if self.random.random() < 0.1:
            self._spoilt_bytes(order)
        self._advance(side, order)

    def _advance(self, side: str, order: core_pb2.Order) -> None:
        """The bot's order, or what it says instead when refused; at the last, standing orders."""
        for _ in range(REFUSALS):
            done = self.probe.call("SubmitOrders", position=self.position, order=order)
            if not done.violations:
                self._accept(done, "SubmitOrders", order=order)
                return
            self._check_refusal(done, order)
            order = self.bots[side].refused(order, done.violations)
        done = self.probe.call("ResolveImpulse", position=self.position)
        if done.violations:
            raise self.probe.find("dead end", done.violations[0].message, "ResolveImpulse",
                                  position=self.position)
        self._accept(done, "ResolveImpulse")

    def _accept(self, done: Any, method: str, **fields: Any) -> None:
        before, self.position = self.position, done.position
        for what, wrong in self._broken(before, done):
            if wrong:
                raise self.probe.find("invariant", what, method, position=before, **fields)

    def _broken(self, before: core_pb2.Position, done: Any) -> Iterator[tuple[str, bool]]:
        after = done.position
        yield "the version does not go up by one", after.version != before.version + 1
        yield "the checksum is not that of the position", done.checksum != after.checksum
        yield "the dice go back", after.state.dice.counter < before.state.dice.counter
        yield "nothing happened", not done.events
        yield "strength is not accounted for", self._account() != self.account
        stacks = defaultdict(set)
        for unit in after.state.white_death.units:
            if unit.hex:
                stacks[unit.hex].add(self.sides[unit.unit])
        yield "both sides stand in one hex", any(len(sides) > 1 for sides in stacks.values())

    def _account(self) -> tuple[int, ...]:
        """Strength left and lost, less what was replaced, side by side: what was printed."""
        state = self.position.state.white_death
        totals = [0, 0]
        for unit in state.units:
            totals[self.sides[unit.unit] - 1] += unit.strength
        lost, replaced = [*state.ledger.lost, 0, 0], [*state.ledger.replaced, 0, 0]
        return tuple(totals[side] + lost[side] - replaced[side] for side in range(2))

    # -- prodding ----------------------------------------------------------------------------

    def _check_listed(self, offer: answers_pb2.Listing) -> None:
        """Some listed items alone must be legal."""
        orders = list(_listed(offer, self.random))
        for order in self.random.sample(orders, min(4, len(orders))):
            self.probe.counts["listed"] += 1
            judged = self.probe.call("ValidateOrders", position=self.position, order=order)
            if judged.violations:
                raise self.probe.find("illegal listed order", judged.violations[0].message,
                                      "ValidateOrders", position=self.position, order=order)

    def _spoilt_order(self, order: core_pb2.Order) -> None:
        """Judged and submitted alike; refused with a clause or carried out."""
        spoilt = core_pb2.Order()
        spoilt.CopyFrom(order)
        spoil(spoilt, self.random, self.words, self.random.choice((1, 1, 2, 4)))
        self.probe.counts["orders"] += 1
        judged = self.probe.call("ValidateOrders", sound=False, position=self.position,
                                 order=spoilt)
        done = self.probe.call("SubmitOrders", sound=False, position=self.position, order=spoilt)
        fields = {"position": self.position, "order": spoilt}
        if (judged is None) != (done is None):
            raise self.probe.find("invariant", "judged and submitted are not read alike",
                                  "SubmitOrders", **fields)
        if judged is None:
            return
        if bool(judged.violations) != bool(done.violations):
            raise self.probe.find("invariant", "judged and submitted do not agree",
                                  "SubmitOrders", **fields)
        if done.violations:
            self._check_refusal(done, spoilt)
            return
        self.probe.counts["accepted"] += 1
        again = self.probe.call("SubmitOrders", **fields)
        if again.checksum != done.checksum:
            raise self.probe.find("invariant", "the same call gives another position",
                                  "SubmitOrders", **fields)

    def _check_refusal(self, done: Any, order: core_pb2.Order) -> None:
        bad = any(not violation.clause.startswith("WD ") or not violation.message
                  for violation in done.violations)
        if bad or done.checksum != self.position.checksum:
            raise self.probe.find(
                "invariant", "a refusal without clause, or that changes something",
                "SubmitOrders", position=self.position, order=order)

    def _spoilt_position(self, order: core_pb2.Order) -> None:
        """Any answer but a crash, and if it can be played on from, that too."""
        position = core_pb2.Position()
        position.CopyFrom(self.position)
        if self.random.random() < 0.9:
            position.checksum = ""
        spoil(position.state, self.random, self.words, self.random.choice((1, 1, 2, 5)))
        self.probe.counts["positions"] += 1
        for method in self.random.sample(_ASKING, 3):
            side = self.random.choice(list(_SIDES))
            fields = {"side": side} if method in ("GetView", "ListLegalOrders") else {}
            self.probe.call(method, sound=False, position=position, **fields)
        done = self.probe.call("SubmitOrders", sound=False, position=position, order=order)
        if done is not None and not done.violations:
            self.probe.call("ResolveImpulse", sound=False, position=done.position)

    def _spoilt_bytes(self, order: core_pb2.Order) -> None:
        whole = bytearray(rules_service_pb2.SubmitOrdersRequest(
            position=self.position, order=order).SerializeToString())
        for _ in range(self.random.choice((1, 3, 30))):
            whole[self.random.randrange(len(whole))] = self.random.randrange(256)
        self.probe.counts["bytes"] += 1
        self.probe.raw("SubmitOrders", bytes(whole), sound=False)


def _listed(offer: answers_pb2.Listing, random: Random) -> Iterator[core_pb2.Order]:
    """Items of a listing as orders: one hex of each unit, and what needs no choice."""
    def order(**fields: Any) -> core_pb2.Order:
        found = core_pb2.Order()
        found.white_death.CopyFrom(orders_pb2.Order(**fields))
        return found

    def moves(**fields: Any) -> core_pb2.Order:
        return order(move_and_declare=orders_pb2.MoveAndDeclare(
            actions=[orders_pb2.Action(**fields)]))

    for option in offer.declarations:
        yield order(declare_impulse=orders_pb2.DeclareImpulse(
            points=random.randint(option.least, option.most), kind=option.kind))
    for unit in offer.units:
        for hex_ in unit.assaults:
            yield order(move_and_declare=orders_pb2.MoveAndDeclare(
                assaults=[orders_pb2.Assault(hex=hex_, units=[unit.unit])]))
        if unit.rail:
            yield moves(rail=orders_pb2.Rail(units=[unit.unit],
                                             destination=random.choice(list(unit.rail))))
        if unit.may_deploy:
            yield moves(deploy=orders_pb2.Deploy(units=[unit.unit]))
        path = _path(unit, random)
        if path:
            yield moves(march=orders_pb2.March(units=[unit.unit], path=path))
    for leaving in offer.withdrawals:
        yield order(retreat_before_combat=orders_pb2.RetreatBeforeCombat(withdrawals=[
            orders_pb2.Withdrawal(unit=leaving.unit, hex=random.choice(list(leaving.hexes)))]))
    for guns in offer.barrages:
        yield order(barrage=orders_pb2.Barrage(fires=[orders_pb2.BarrageFire(
            hex=random.choice(list(guns.hexes)), units=[guns.unit])]))
    for beaten in offer.retreats:
        if beaten.paths:
            path = random.choice(list(beaten.paths)).hexes
            yield order(retreat=orders_pb2.Retreat(routes=[
                orders_pb2.Route(unit=beaten.unit, path=path)]))
    for won in offer.advances:
        if won.units:
            yield order(advance=orders_pb2.Advance(occupations=[orders_pb2.Occupation(
                hex=won.hex, units=[random.choice(list(won.units))])]))


def _path(unit: answers_pb2.UnitOptions, random: Random) -> list[int]:
    ends = [hex_ for hex_, mark in zip(unit.hexes, unit.marks, strict=True)
            if not mark & terms_pb2.MARK_FLAG_MAY_NOT_END]
    if not ends:
        return []
    before = dict(zip(unit.hexes, unit.previous, strict=True))
    path = [random.choice(ends)]
    while before.get(path[-1], 0) in before:
        path.append(before[path[-1]])
    return path[::-1]
