"""A game between two bots through the API alone; each bot sees its own side's view and listing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random

from lovat.rules.v1 import core_pb2

from .advice import SessionAdvisor
from .answering import REFUSALS, Fallback, Violations, answer, unread
from .bots.protocol import AdvisedBot, Bot
from .sdk.catalog import Catalog
from .sdk.client import LovatClient
from .sdk.errors import LovatError, MatchError
from .sdk.session import Session

LONGEST = 20_000
"""Decisions after which a game is taken for one that cannot end."""


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a game stands before a decision; turns count from `first_turn` to `last_turn`.

    `impulses` are those begun this turn by both sides together, `decisions` all of the game.
    """

    first_turn: int
    last_turn: int
    turn: int
    impulses: int
    side: str
    kind: str
    decisions: int


@dataclass(frozen=True, slots=True)
class MatchResult:
    """A finished game. `session` has its first and last position and the log between."""

    score: core_pb2.Score
    session: Session
    bots: Mapping[str, str]
    fallbacks: tuple[Fallback, ...]
    refusals: Mapping[str, int]

    @property
    def checksum(self) -> str:
        """The checksum of the last position."""
        return self.session.position.checksum

    @property
    def level(self) -> str:
        return self.score.white_death.level

    @property
    def points(self) -> int:
        """The victory points, which may be negative."""
        return self.score.white_death.points

    @property
    def records(self) -> tuple[core_pb2.LogRecord, ...]:
        return self.session.records


def bot_random(seed: str | int, side: str) -> Random:
    """The randomness of one side's bot; the same seed gives the same bot in any process."""
    return Random(f"{seed}-{side}")


def play(
    client: LovatClient, scenario: str, seed: str | int, bots: Mapping[str, Bot],
    on_progress: Callable[[Progress], None] = lambda _: None, *, refusals: int = REFUSALS,
) -> MatchResult:
    """Play a scenario from its standard set-up to its end; `bots` are by name of the side.

    `MatchError` if a side has no bot or a decision can be answered by nothing at all;
    `LovatError` if a call fails.
    """
    catalog = client.catalog(scenario)
    session = Session.create(client, scenario, seed=seed, standard_set_up=True)
    table = _Table(session, catalog, bots, refusals)
    for side, bot in bots.items():
        if isinstance(bot, AdvisedBot):
            bot.advise(SessionAdvisor(session, side))
    while not session.is_over:
        if len(session.records) >= LONGEST:
            raise MatchError(f"the game has not ended after {LONGEST} decisions")
        table.decide(on_progress)
    return MatchResult(
        score=session.score(), session=session,
        bots={side: bot.name for side, bot in bots.items()},
        fallbacks=tuple(table.fallbacks), refusals=dict(table.refused))


@dataclass(slots=True)
class _Table:
    session: Session
    catalog: Catalog
    bots: Mapping[str, Bot]
    patience: int
    fallbacks: list[Fallback] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)

    def decide(self, on_progress: Callable[[Progress], None]) -> None:
        """Have the bot of the deciding side answer one decision."""
        session, side = self.session, self.session.decision.side
        bot = self.bots.get(side)
        if bot is None:
            raise MatchError(f"no bot plays the side {side!r}; "
                             f"there are bots for {', '.join(self.bots) or 'none'}")
        view = session.view(side)
        on_progress(self._progress(view))
        decision, version = session.decision, session.position.version
        given = answer(bot, view, session.legal(side), self.catalog.message, decision.kind,
                       self._submit, refusals=self.patience)
        if given.attempts > 1:
            self.refused[side] = self.refused.get(side, 0) + given.attempts - 1
        if not given.is_answered:
            last = session.resolve_impulse()
            if last.is_refused:
                raise MatchError(f"nothing answers {decision.kind} of {side} at version {version}: "
                                 f"{last.violations[0].message}")
        if given.refusal:
            self.fallbacks.append(Fallback(version, side, decision.kind, given.attempts,
                                           given.refusal, not given.is_answered))

    def _submit(self, order: core_pb2.Order) -> Violations:
        """Why a bot's order is refused; an order that cannot be read is refused too."""
        try:
            return self.session.submit(order).violations
        except LovatError as error:
            found = unread(error)
            if not found:
                raise
            return found

    def _progress(self, view: core_pb2.View) -> Progress:
        seen, scenario = view.white_death, self.catalog.scenario
        return Progress(
            first_turn=scenario.first_turn, last_turn=scenario.last_turn, turn=seen.turn,
            impulses=sum(seen.impulses), side=self.session.decision.side,
            kind=self.session.decision.kind, decisions=len(self.session.records))
