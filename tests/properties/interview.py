"""Everything a side can ask the server about a position, and what it is told, as bytes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple, NoReturn, Protocol

import grpc
from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import overlays_pb2
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Abandon,
    Arrange,
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    BuildBridge,
    DeclareImpulse,
    DefensiveFire,
    Deploy,
    Fire,
    March,
    MoveAndDeclare,
    Order,
    Rail,
    Refit,
    Replace,
    Replacement,
    Retreat,
    Route,
    Shot,
    Support,
)
from lovat_server.games.white_death.overlays import OverlayKind, Whose
from lovat_server.games.white_death.state import State
from lovat_server.games.white_death.terms import DecisionKind, ImpulseKind, Pool, Side
from lovat_server.service.dice_state import DiceMode, DiceState
from lovat_server.service.library import Library, Volume
from lovat_server.service.position import seal
from lovat_server.transport.codecs import Codecs
from lovat_server.transport.messages import game_part
from lovat_server.transport.positions import Positions
from lovat_server.transport.request_context import REQUEST_ID_KEY
from lovat_server.transport.rules_servicer import RulesServicer

from .concealed import Veil, only
from .listed import items
from .mutate import mutated
from .player import Played

_FOR_THE_HOST = ("position", "checksum", "dice_counter", "delta")
"""What an answer to an order tells the trusted host, who has the whole position."""


class Question(NamedTuple):
    """A call of RulesService about a position that is still to be filled in."""

    method: str
    request: Any


class Answer(NamedTuple):
    """What the side reads, or the status of a refusal; `size` is that of the whole message."""

    content: bytes
    size: int
    violations: int


class Server(Protocol):
    def ask(self, question: Question, position: core_pb2.Position) -> Answer: ...


class InProcess:
    """The real servicer without a network."""

    def __init__(self, library: Library) -> None:
        codecs = Codecs(library)
        self._servicer = RulesServicer(library, codecs)
        self._positions = Positions(library, codecs)

    def message(self, volume: Volume, state: State, dice: DiceState,
                version: int) -> core_pb2.Position:
        """A position as a host sends it."""
        message = core_pb2.Position()
        self._positions.write(message, seal(volume, state, dice, version))
        return message

    def ask(self, question: Question, position: core_pb2.Position) -> Answer:
        question.request.position.CopyFrom(position)
        context = _Context()
        try:
            answer = getattr(self._servicer, question.method)(question.request, context)
        except _AbortedError as aborted:
            return refusal(aborted.code, aborted.text, context.trailing)
        return told(answer)


class OverNetwork:
    """A server elsewhere."""

    def __init__(self, stub: Any) -> None:
        self._stub = stub

    def ask(self, question: Question, position: core_pb2.Position) -> Answer:
        question.request.position.CopyFrom(position)
        try:
            answer = getattr(self._stub, question.method)(question.request)
        except grpc.RpcError as error:
            call: Any = error
            return refusal(call.code(), call.details(), call.trailing_metadata())
        return told(answer)


def told(answer: Message) -> Answer:
    """An answer without what is for the host alone."""
    kept = type(answer)()
    kept.CopyFrom(answer)
    for name in _FOR_THE_HOST:
        if name in kept.DESCRIPTOR.fields_by_name:
            kept.ClearField(name)
    return Answer(kept.SerializeToString(deterministic=True), kept.ByteSize(),
                  len(getattr(answer, "violations", ())))


def refusal(code: grpc.StatusCode, text: str, trailing: Any) -> Answer:
    """A refused call, without the id that the server gives each one."""
    kept = sorted(tuple(item) for item in trailing if item[0] != REQUEST_ID_KEY)
    words = repr((code.name, text, kept)).encode()
    return Answer(words, len(words), 0)


class _AbortedError(Exception):
    def __init__(self, code: grpc.StatusCode, text: str) -> None:
        super().__init__(text)
        self.code = code
        self.text = text


class _Context:
    """As much of a call's context as a refusal needs."""

    trailing: tuple[tuple[str, str | bytes], ...] = ()

    def set_trailing_metadata(self, metadata: tuple[tuple[str, str | bytes], ...]) -> None:
        self.trailing = metadata

    def abort(self, code: grpc.StatusCode, text: str) -> NoReturn:
        raise _AbortedError(code, text)


def questions(volume: Volume, codecs: Codecs, played: Played, side: Side, veil: Veil,
              random: Random) -> Iterator[Question]:
    """What a curious side asks. That of its own decision only when it decides."""
    catalog, state = volume.catalog, played.state
    name, codec = volume.game.sides[side], codecs.of(volume)
    ids = [unit.id for unit in catalog.units]
    rules = rules_service_pb2

    yield Question("GetView", rules.GetViewRequest(side=name))
    yield Question("GetView", rules.GetViewRequest(side="french"))
    yield Question("ScorePosition", rules.ScorePositionRequest())
    yield Question("ListLegalOrders", rules.ListLegalOrdersRequest(side=name))
    yield from _overlays(name, ids, catalog.side_units[side], veil, random)
    if state.decision.side != side:
        sent = game_part(core_pb2.Order, codec, codec.encode_order(played.order))
        yield Question("PreviewCombat", rules.PreviewCombatRequest(side=name, order=sent))
        return

    spied = random.sample(veil.hidden, min(2, len(veil.hidden)))
    asked = [ids[index] for index in (*random.sample(catalog.side_units[side], 3), *spied)]
    yield Question("ListLegalOrders", rules.ListLegalOrdersRequest(side=name, units=asked))
    yield Question("ListLegalOrders", rules.ListLegalOrdersRequest(
        side=name, page_size=random.randint(1, 9)))
    yield Question("ListLegalOrders", rules.ListLegalOrdersRequest(
        side=name, page_size=5, page_token="5.0123456789abcdef"))
    for number, order in enumerate(_orders(catalog, played, veil, random)):
        sent = game_part(core_pb2.Order, codec, codec.encode_order(order))
        yield Question("ValidateOrders", rules.ValidateOrdersRequest(order=sent))
        if number % 2 == 0:
            yield Question("PreviewCombat", rules.PreviewCombatRequest(side=name, order=sent))
        if number % 3 == 0 and isinstance(order, MoveAndDeclare):
            yield Question("ListLegalOrders", rules.ListLegalOrdersRequest(
                side=name, draft=sent, units=asked))
        if number % 3 == 1 and WHITE_DEATH.judge(catalog, state, order).violations:
            yield Question("SubmitOrders", rules.SubmitOrdersRequest(order=sent, request_id="x"))


def _overlays(name: str, ids: list[str], own: tuple[int, ...], veil: Veil,
              random: Random) -> Iterator[Question]:
    kinds = [kind for kind in OverlayKind if kind != OverlayKind.NONE]
    for kind in random.sample(kinds, 2):
        whose = random.choice(tuple(Whose))
        fields: Any = {"kind": int(kind), "whose": int(whose)}
        query = overlays_pb2.OverlayQuery(**fields)
        if kind == OverlayKind.REACH:
            query.unit = ids[random.choice(own)]
        yield _overlay(name, query)
    if veil.hidden:
        yield _overlay(name, overlays_pb2.OverlayQuery(
            kind=overlays_pb2.OVERLAY_KIND_REACH, unit=ids[random.choice(veil.hidden)]))


def _overlay(name: str, query: overlays_pb2.OverlayQuery) -> Question:
    return Question("QueryOverlay", rules_service_pb2.QueryOverlayRequest(
        side=name, query=core_pb2.OverlayQuery(white_death=query)))


def _orders(catalog: Catalog, played: Played, veil: Veil, random: Random) -> Iterator[Order]:
    """What was ordered, what was listed, both with changes, and all with the enemy named in it."""
    state, hidden = played.state, only(played.state, veil.hidden + veil.outside[:3])
    listed = [order for order, _ in items(catalog, state, played.listing, random, 1)]
    given = [_shortened(played.order, random), *random.sample(listed, min(3, len(listed)))]
    yield from given
    for _ in range(3):
        yield mutated(random.choice(given), catalog, state, random)
    for _ in range(4):
        yield mutated(random.choice(given), catalog, hidden, random)
    if veil.hidden:
        yield _spying(played, random.choice(veil.hidden), random)
    yield DeclareImpulse(1, ImpulseKind.ACTION) \
        if state.decision.kind != DecisionKind.DECLARE_IMPULSE else Refit("28")


def _spying(played: Played, spied: int, random: Random) -> Order:
    """An order that names a hidden unit wherever it might be told something of it."""
    hexes = [unit.hex for unit in played.state.units if unit.hex >= 0]
    where = random.choice(hexes)
    fires = []
    for option in played.listing.fires:
        offered = tuple(Support(offer.unit, offer.stack) for offer in option.support[:1])
        stack = offered[0].stack if offered else where
        fires.append(Fire(option.hex, (Shot(spied, 400),), (Shot(spied, 400),), (spied,),
                          (*offered, Support(spied, stack)), (*option.headquarters, "")[0]))
    match played.state.decision.kind:
        case DecisionKind.DEFENSIVE_FIRE:
            return DefensiveFire(tuple(fires))
        case DecisionKind.ASSAULT_FIRE:
            return AssaultFire(tuple(fires))
        case DecisionKind.BARRAGE:
            return Barrage((BarrageFire(where, (spied,)),), (Pool.VELIKIYE_LUKI,))
        case DecisionKind.RETREAT:
            return Retreat((Route(spied, (where,)), Route(spied, ())), (spied,))
        case DecisionKind.REPLACE:
            return Replace((Replacement(spied, 1, where), Replacement(spied, 1)), (spied,))
        case _:
            return MoveAndDeclare(
                (March((spied,), (where,)), Rail((spied,), where), Deploy((spied,)),
                 BuildBridge(spied), Arrange(where, (spied,)), Abandon((spied,))),
                (Assault(where, (spied,)),))


def _shortened(order: Order, random: Random) -> Order:
    """At most three actions of a whole side's movement, and its assaults."""
    if isinstance(order, MoveAndDeclare) and len(order.actions) > 3:
        start = random.randrange(len(order.actions) - 2)
        return MoveAndDeclare(order.actions[start:start + 3], order.assaults)
    return order


def other_dice(random: Random) -> DiceState:
    return DiceState(DiceMode.SERVER_KEYED, random.randbytes(32), random.randrange(10_000))
