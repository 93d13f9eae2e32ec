"""The rules server as the arbiter asks it: by address, or one of the arbiter's own.

Every position goes to the rules server and comes back; no player ever sees one. What the server
says about a broken request is passed on only where it is about what the player sent.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

import grpc

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import catalog_service_pb2 as catalogs
from lovat.rules.v1 import core_pb2, event_pb2
from lovat.rules.v1 import rules_service_pb2 as rules

from ..sdk.catalog import SIDE_NAMES
from ..sdk.client import LovatClient
from ..sdk.errors import LovatError
from ..sdk.results import Judgement, Outcome
from ..sdk.server import EmbeddedServer
from ..sdk.session import GAME_OVER
from .disclosure import Disclosure
from .errors import ArbiterError

EMBEDDED = "embedded"
"""The address that stands for a server of the arbiter's own."""

_OF_THE_PLAYER = ("order", "standing", "draft", "units", "options", "scenario", "seed", "side",
                  "query", "clause", "game", "known_hash")
_BUSY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED,
         grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.CANCELLED)
ResultT = TypeVar("ResultT")


class RefereeError(Exception):
    """The rules server answered what it never should; a bug of it or of the arbiter."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A game created: how, its first position, and what happened before the first decision."""

    start: rules.ReplayStart
    position: core_pb2.Position
    events: tuple[event_pb2.GameEvent, ...]
    decision: core_pb2.Decision
    sides: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Printed:
    """Of a scenario: what may be told to whom, and the names of its levels of victory."""

    disclosure: Disclosure
    levels: tuple[str, ...]


class Referee:
    """Asks the rules server. Methods may be called from any thread.

    They raise `ArbiterError` (MALFORMED, UNKNOWN, RULES_UNAVAILABLE), or `RefereeError`.
    """

    def __init__(self, address: str) -> None:
        self._own = EmbeddedServer(bound=True) if address == EMBEDDED else None
        self._client = (LovatClient.connect(address) if self._own is None
                        else self._own.start().connect())
        self._printed: dict[str, Printed] = {}
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._client.close()
        if self._own is not None:
            self._own.stop()

    def create(self, request: rules.CreateGameRequest) -> Opening:
        """Create a seeded game. The commitment to its dice is checked before anybody relies on it.
        """
        created = _asked(lambda: self._client.rpc.create_game(request))
        dice = created.position.state.dice
        if hashlib.sha256(dice.secret).hexdigest() != dice.commitment:
            raise RefereeError("the rules server does not commit itself to its dice")
        games = {game.id: game for game in _asked(self._client.games)}
        return Opening(
            start=rules.ReplayStart(create=request, position=created.position),
            position=created.position, events=tuple(created.events), decision=created.decision,
            sides=tuple(games[created.position.game].sides))

    def disclosure(self, scenario: str, content_hash: str) -> Disclosure:
        """Who owns which counter of a scenario, and so who may know what."""
        return self.printed(scenario, content_hash).disclosure

    def printed(self, scenario: str, content_hash: str) -> Printed:
        """What the arbiter must know of the catalog that a match is played with."""
        key = f"{scenario} {content_hash}"
        with self._lock:
            known = self._printed.get(key)
        if known is not None:
            return known
        catalog = _asked(lambda: self._client.catalog(scenario))
        if catalog.content_hash != content_hash:
            raise ArbiterError(
                play.MATCH_ERROR_REASON_RULES_UNAVAILABLE,
                "the rules server now has another catalog than this match is played with")
        owners: Mapping[str, str] = {unit.id: SIDE_NAMES.get(unit.side, "")
                                     for unit in catalog.message.units}
        made = Printed(Disclosure(owners),
                       tuple(level.name for level in catalog.scenario.victory.levels))
        with self._lock:
            return self._printed.setdefault(key, made)

    def view(self, position: core_pb2.Position, side: str) -> core_pb2.View:
        return _asked(lambda: self._client.view(position, side))

    def listing(self, position: core_pb2.Position, side: str, draft: core_pb2.Order | None,
                units: Iterable[str]) -> core_pb2.Listing:
        named = list(units)
        return _asked(lambda: self._client.legal(position, side, draft=draft, units=named))

    def validate(self, position: core_pb2.Position, order: core_pb2.Order) -> Judgement:
        return _asked(lambda: self._client.validate(position, order))

    def preview(self, position: core_pb2.Position, order: core_pb2.Order,
                side: str) -> rules.PreviewCombatResponse:
        """What an order would come to, as far as a side may know."""
        request = rules.PreviewCombatRequest(position=position, order=order, side=side)
        return _asked(lambda: self._client.rpc.preview_combat(request))

    def overlay(self, position: core_pb2.Position, side: str,
                query: core_pb2.OverlayQuery) -> core_pb2.Overlay:
        """Hexes with values, as far as a side can know them."""
        request = rules.QueryOverlayRequest(position=position, side=side, query=query)
        return _asked(lambda: self._client.rpc.query_overlay(request).overlay)

    def describe_rule(self, request: rules.DescribeRuleRequest) -> rules.DescribeRuleResponse:
        return _asked(lambda: self._client.rpc.describe_rule(request))

    def list_games(self, request: catalogs.ListGamesRequest) -> catalogs.ListGamesResponse:
        return _asked(lambda: self._client.rpc.list_games(request))

    def list_scenarios(self, request: catalogs.ListScenariosRequest
                       ) -> catalogs.ListScenariosResponse:
        return _asked(lambda: self._client.rpc.list_scenarios(request))

    def get_catalog(self, request: catalogs.GetCatalogRequest) -> catalogs.GetCatalogResponse:
        return _asked(lambda: self._client.rpc.get_catalog(request))

    def submit(self, position: core_pb2.Position, order: core_pb2.Order,
               standing: core_pb2.StandingOrders | None = None) -> Outcome:
        return _asked(lambda: self._client.submit(position, order, standing=standing))

    def resolve_impulse(self, position: core_pb2.Position) -> Outcome:
        """Both sides' standing orders to the end of the impulse."""
        return _asked(lambda: self._client.resolve_impulse(position))

    def score(self, position: core_pb2.Position) -> core_pb2.Score:
        return _asked(lambda: self._client.score(position))


def is_over(decision: core_pb2.Decision) -> bool:
    return decision.kind == GAME_OVER


def _asked(call: Callable[[], ResultT]) -> ResultT:
    try:
        return call()
    except LovatError as error:
        raise _passed_on(error) from error


def _passed_on(error: LovatError) -> Exception:
    """The error for the player. Only what is about his own words keeps the server's words."""
    own = tuple(field for field in error.fields
                if field.field.split(".")[0].split("[")[0] in _OF_THE_PLAYER)
    if error.code is grpc.StatusCode.INVALID_ARGUMENT and own:
        text = "; ".join(field.description if field.field in field.description
                         else f"{field.field}: {field.description}" for field in own)
        return ArbiterError(play.MATCH_ERROR_REASON_MALFORMED, text, own)
    if error.code is grpc.StatusCode.NOT_FOUND:
        return ArbiterError(play.MATCH_ERROR_REASON_UNKNOWN, error.message)
    if error.code in _BUSY:
        return ArbiterError(play.MATCH_ERROR_REASON_RULES_UNAVAILABLE,
                            "the rules server does not answer; nothing has changed")
    return RefereeError(f"{error.rpc}: {error.code.name} {error.reason}")
