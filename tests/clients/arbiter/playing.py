"""Players for tests: two seats of a match, and orders that make things happen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from types import TracebackType
from typing import Any, Self

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2, terms_pb2
from lovat_client.arbiter.player import MatchClient
from lovat_client.arbiter.policy import default_orders
from lovat_client.sdk.paths import path_to, reachable

SCENARIO = "purkayevs-attack"
SIDES = ("soviet", "german")


@dataclass
class Table:
    """A match with a client for each seat, and the tokens."""

    match_id: str
    seats: dict[str, MatchClient]
    tokens: dict[str, str]

    def deciding(self) -> tuple[str, play.GetTurnResponse]:
        """The side that decides and its turn."""
        turn = self.seats[SIDES[0]].turn(without_listing=True)
        side = turn.decision.side
        return side, self.seats[side].turn()

    def play(self, count: int, random: Random | None = None) -> Iterator[play.SubmitOrdersResponse]:
        """Answer so many decisions, or all to the end of the game."""
        for _ in range(count):
            side, turn = self.deciding()
            if turn.match.state != play.MATCH_STATE_RUNNING:
                return
            yield decide(self.seats[side], turn, random)


class Hall:
    """Opens matches at an arbiter and closes all connections in the end."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.lobby = MatchClient.connect(address)
        self._stack = contextlib.ExitStack()
        self._stack.enter_context(self.lobby)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self._stack.close()

    def create(self, **fields: Any) -> play.CreateMatchResponse:
        return self.lobby.create(request(**fields))

    def table(self, **fields: Any) -> Table:
        """A match that has begun."""
        created = self.create(**fields)
        tokens = {}
        for invitation in created.invitations:
            tokens[invitation.side] = self.lobby.join(
                created.match.match_id, f"{invitation.side} player", side=invitation.side,
                invitation=invitation.invitation).token
        seats = {side: self.connect(token) for side, token in tokens.items()}
        return Table(created.match.match_id, seats, tokens)

    def connect(self, token: str = "") -> MatchClient:
        return self._stack.enter_context(MatchClient.connect(self.address, token))


def request(**fields: Any) -> play.CreateMatchRequest:
    return play.CreateMatchRequest(
        **{"scenario": SCENARIO, "standard_set_up": True, "name": "a match", **fields})


def decide(seat: MatchClient, turn: play.GetTurnResponse,
           random: Random | None = None) -> play.SubmitOrdersResponse:
    """Answer a decision somehow: with `random` as boldly as may be, else as safely."""
    for order in orders_for(turn, random):
        answer = seat.submit(order, turn.version)
        if not answer.violations:
            return answer
    raise AssertionError(f"nothing answers {turn.decision.kind}")


def orders_for(turn: play.GetTurnResponse, random: Random | None) -> Iterator[core_pb2.Order]:
    """Orders to be tried in turn; the last ones are always accepted."""
    kind, listing = turn.decision.kind, turn.listing.white_death
    if random is not None and kind == "declare_impulse":
        best = max(listing.declarations, key=lambda option: option.most)
        yield wrapped(declare_impulse=orders_pb2.DeclareImpulse(
            points=min(best.most, random.randint(4, 8)), kind=best.kind))
    if random is not None and kind == "move_and_declare":
        for marches in (12, 4, 1):
            yield wrapped(move_and_declare=bold_move(listing, random, marches))
    if random is not None and kind == "barrage" and listing.barrages:
        option = random.choice(list(listing.barrages))
        fire = orders_pb2.BarrageFire(hex=random.choice(list(option.hexes)), units=[option.unit])
        yield wrapped(barrage=orders_pb2.Barrage(fires=[fire]))
    standing = core_pb2.StandingOrders(white_death=turn.view.white_death.standing)
    yield from default_orders(kind, turn.listing, standing)


def bold_move(listing: Any, random: Random, marches: int) -> orders_pb2.MoveAndDeclare:
    """Some units march somewhere, all others that can assault do; the marches may not agree."""
    order = orders_pb2.MoveAndDeclare()
    able = [option for option in listing.units if option.hexes]
    moved = set()
    for option in random.sample(able, min(marches, len(able))):
        ends = [hex_ for hex_, reach in reachable(option).items() if reach.may_end]
        if ends:
            end = random.choice(ends)
            moved.add(option.unit)
            order.actions.add().march.CopyFrom(orders_pb2.March(
                units=[option.unit], path=path_to(option, end)))
    targets: dict[int, list[str]] = {}
    for option in listing.units:
        if option.unit not in moved and option.assaults:
            targets.setdefault(option.assaults[0], []).append(option.unit)
    for hex_, units in list(targets.items())[:marches]:
        order.assaults.add(hex=hex_, units=units)
    return order


def wrapped(**kind: Any) -> core_pb2.Order:
    return core_pb2.Order(white_death=orders_pb2.Order(**kind))


def illegal() -> core_pb2.Order:
    """An order that is refused whenever an impulse is not being declared, and then too."""
    return wrapped(declare_impulse=orders_pb2.DeclareImpulse(
        points=10_000, kind=terms_pb2.IMPULSE_KIND_ACTION))
