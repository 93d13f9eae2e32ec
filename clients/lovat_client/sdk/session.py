"""A game in progress as a client keeps it: the current position, and the log that proves it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Self

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import (
    RESPONSE_MODE_DELTA,
    RESPONSE_MODE_FULL,
    CreateGameRequest,
    CreateGameResponse,
    ReplayStart,
)
from lovat.white_death.v1 import state_pb2

from .aio import AsyncLovatClient
from .client import LovatClient
from .requests import (
    OrderLike,
    OrdersLike,
    StandingLike,
    as_order,
    as_side_orders,
    as_standing,
    create_request,
)
from .results import Judgement, Outcome

GAME_OVER = "game_over"


class Head:
    """The position that a game stands at, and every record that led to it.

    The log is only ever added to; refused orders leave no trace in it. With `delta` the server
    sends only what has changed and the position is brought up to date here.
    """

    def __init__(self, request: CreateGameRequest, created: CreateGameResponse, *,
                 delta: bool = False) -> None:
        self.created = created
        self.position = created.position
        self.decision = created.decision
        self._request = request
        self._records: list[core_pb2.LogRecord] = []
        self._mode = RESPONSE_MODE_DELTA if delta else RESPONSE_MODE_FULL

    @property
    def records(self) -> tuple[core_pb2.LogRecord, ...]:
        """The log so far, one record for each accepted call."""
        return tuple(self._records)

    @property
    def start(self) -> ReplayStart:
        """Where a replay of this game begins.

        The first position is in it only where the request does not give it again, which is
        when the server drew the secret of the dice.
        """
        keyed = self._request.dice_mode not in (core_pb2.DICE_MODE_SEEDED,
                                                core_pb2.DICE_MODE_SCRIPTED)
        return ReplayStart(create=self._request,
                           position=self.created.position if keyed else None)

    @property
    def is_over(self) -> bool:
        return self.decision.kind == GAME_OVER

    def spoken(self, order: OrderLike, standing: StandingLike | None) -> core_pb2.SideOrders:
        """One order of the deciding side, as the log keeps it."""
        return core_pb2.SideOrders(side=self.decision.side, orders=[as_order(order)],
                                   standing=as_standing(standing))

    def take(self, outcome: Outcome, orders: Iterable[core_pb2.SideOrders], *,
             impulse: bool) -> Outcome:
        """Go on to the new position and log how; a refusal changes nothing."""
        if outcome.position is None:
            return outcome
        before = self.position
        self._records.append(core_pb2.LogRecord(
            version=before.version,
            checksum_before=before.checksum,
            dice_before=before.state.dice.counter,
            impulse=impulse,
            orders=orders,
            events=outcome.events,
            checksum_after=outcome.checksum,
            dice_after=outcome.dice_counter,
        ))
        self.position, self.decision = outcome.position, outcome.decision
        return outcome


class Session(Head):
    """A game played through a `LovatClient`. Every method raises `LovatError` if a call fails."""

    def __init__(self, client: LovatClient, request: CreateGameRequest,
                 created: CreateGameResponse, *, delta: bool = False) -> None:
        super().__init__(request, created, delta=delta)
        self.client = client

    @classmethod
    def create(
        cls, client: LovatClient, scenario: str, *, seed: str | int | None = None,
        script: Sequence[int] = (), standard_set_up: bool = False,
        options: state_pb2.Options | None = None, delta: bool = False,
    ) -> Self:
        """Create a game and keep it; the arguments are those of `LovatClient.create_game`.

        With `delta` answers are short: only what has changed is sent.
        """
        request = create_request(scenario, seed, script, standard_set_up, options, "")
        return cls(client, request, client.rpc.create_game(request), delta=delta)

    def view(self, side: str = "") -> core_pb2.View:
        """What a side may know; the deciding side if none is named."""
        return self.client.view(self.position, side or self.decision.side)

    def legal(self, side: str = "", *, draft: OrderLike | None = None,
              units: Iterable[str] = ()) -> core_pb2.Listing:
        return self.client.legal(self.position, side, draft=draft, units=units)

    def validate(self, order: OrderLike) -> Judgement:
        return self.client.validate(self.position, order)

    def submit(self, order: OrderLike, *, standing: StandingLike | None = None) -> Outcome:
        """Answer the pending decision; if it is accepted, go on to the new position."""
        said = self.spoken(order, standing)
        outcome = self.client.submit(self.position, order, standing=standing,
                                     response_mode=self._mode)
        return self.take(outcome, [said], impulse=False)

    def resolve_impulse(self, orders: OrdersLike = ()) -> Outcome:
        """Play the impulse to its end; if it is accepted, go on to the new position."""
        said = as_side_orders(orders)
        outcome = self.client.resolve_impulse(self.position, said, response_mode=self._mode)
        return self.take(outcome, said, impulse=True)

    def score(self) -> core_pb2.Score:
        return self.client.score(self.position)


class AsyncSession(Head):
    """A game played through an `AsyncLovatClient`, method for method as `Session`."""

    def __init__(self, client: AsyncLovatClient, request: CreateGameRequest,
                 created: CreateGameResponse, *, delta: bool = False) -> None:
        super().__init__(request, created, delta=delta)
        self.client = client

    @classmethod
    async def create(
        cls, client: AsyncLovatClient, scenario: str, *, seed: str | int | None = None,
        script: Sequence[int] = (), standard_set_up: bool = False,
        options: state_pb2.Options | None = None, delta: bool = False,
    ) -> Self:
        request = create_request(scenario, seed, script, standard_set_up, options, "")
        return cls(client, request, await client.rpc.create_game(request), delta=delta)

    async def view(self, side: str = "") -> core_pb2.View:
        return await self.client.view(self.position, side or self.decision.side)

    async def legal(self, side: str = "", *, draft: OrderLike | None = None,
                    units: Iterable[str] = ()) -> core_pb2.Listing:
        return await self.client.legal(self.position, side, draft=draft, units=units)

    async def validate(self, order: OrderLike) -> Judgement:
        return await self.client.validate(self.position, order)

    async def submit(self, order: OrderLike, *, standing: StandingLike | None = None) -> Outcome:
        said = self.spoken(order, standing)
        outcome = await self.client.submit(self.position, order, standing=standing,
                                           response_mode=self._mode)
        return self.take(outcome, [said], impulse=False)

    async def resolve_impulse(self, orders: OrdersLike = ()) -> Outcome:
        said = as_side_orders(orders)
        outcome = await self.client.resolve_impulse(self.position, said,
                                                    response_mode=self._mode)
        return self.take(outcome, said, impulse=True)

    async def score(self) -> core_pb2.Score:
        return await self.client.score(self.position)
