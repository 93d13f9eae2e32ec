"""Bots for the page: `/lovat.web.v1.BotService/NAME`, one Connect method for each bot.

A method takes the contract's ListLegalOrdersRequest (position and side) and gives its SideOrders:
the one order with which the bot answers the pending decision, already found legal. No orders at
all mean that the side's standing orders are to play on. A bot sees the view and the listing of its
side, never the position.
"""

from __future__ import annotations

import asyncio
from typing import Any

from connectrpc.code import Code
from connectrpc.errors import ConnectError
from connectrpc.server import Endpoint

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import ListLegalOrdersRequest
from lovat.white_death.v1 import terms_pb2

from ..advice import PositionAdvisor
from ..answering import Violations, answer
from ..bots import BOTS, AdvisedBot, make_bot
from ..sdk.client import LovatClient
from ..sdk.errors import LovatError
from .relay import CODES, Service, method_info

SERVICE = "lovat.web.v1.BotService"


def bot_service(address: str) -> Service:
    """The bots, playing through the rules server at this address."""
    client = LovatClient.connect(address, timeout=60.0)
    return Service(SERVICE, [_endpoint(client, name) for name in BOTS])


def answer_for(client: LovatClient, name: str, position: core_pb2.Position,
               side: str) -> core_pb2.SideOrders:
    """What a bot says. The same position gives the same answer."""
    catalog = client.catalog(position.scenario)
    view, listing = client.view(position, side), client.legal(position, side)
    said = core_pb2.SideOrders(side=side)
    bot = make_bot(name, f"{position.checksum}-{side}")
    if isinstance(bot, AdvisedBot):
        bot.advise(PositionAdvisor(client, position, side))

    def submit(order: core_pb2.Order) -> Violations:
        found = client.validate(position, order).violations
        if not found:
            said.orders.append(order)
        return found

    answer(bot, view, listing, catalog.message, _kind_of(listing), submit)
    return said


def _kind_of(listing: core_pb2.Listing) -> str:
    """The decision that a listing is for, as `Decision.kind` names it."""
    name = terms_pb2.DecisionKind.Name(listing.white_death.decision.kind)
    return name.removeprefix("DECISION_KIND_").lower()


def _endpoint(client: LovatClient, name: str) -> Any:
    async def decide(request: ListLegalOrdersRequest, _: Any) -> core_pb2.SideOrders:
        try:
            return await asyncio.to_thread(answer_for, client, name, request.position, request.side)
        except LovatError as error:
            raise ConnectError(CODES.get(error.code, Code.UNKNOWN), str(error)) from None

    return Endpoint.unary(
        method_info(name, SERVICE, ListLegalOrdersRequest, core_pb2.SideOrders), decide)
