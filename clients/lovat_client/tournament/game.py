"""One game of a tournament, from the standard set-up to its end or to the first fault."""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import grpc

from lovat.rules.v1 import core_pb2

from ..advice import SessionAdvisor
from ..sdk.client import LovatClient
from ..sdk.errors import LovatError, MatchError
from ..sdk.session import Session
from ..winners import table_of, winner_by
from .bot_process import BotFaultError, BotProcess, bot_seed
from .results import ADJUDICATED, FLOOD, PLAYED, VOID, GameResult, GameTask, SeatResult

Violations = Sequence[core_pb2.Violation]

_OF_THE_ORDER = (grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.NOT_FOUND)
"""What only an order can be blamed for: the position comes from the server itself."""


def worker_name() -> str:
    """This process, as results name it."""
    return f"{socket.gethostname()}:{os.getpid()}"


def sides_of(client: LovatClient, scenario: str) -> tuple[str, str]:
    """The two sides of a scenario's game. `MatchError` if it is not known or has not two."""
    game = next((info.game for info in client.scenarios() if info.id == scenario), None)
    if game is None:
        raise MatchError(f"there is no scenario {scenario!r}")
    sides = next((list(info.sides) for info in client.games() if info.id == game), [])
    if len(sides) != 2:
        raise MatchError(f"a tournament is for two sides; {game} has {', '.join(sides) or 'none'}")
    return sides[0], sides[1]


def play_game(client: LovatClient, task: GameTask) -> GameResult:
    """Play a game. Whatever a bot does is in the result; `LovatError` if the server fails.

    The game ends with the scenario, or when `turns` have been played or the decisions of the
    limits made: then the score so far decides it as if it were the last. The first fault of a
    bot ends it too, and the other side has won.
    """
    started, began = time.time(), time.monotonic()
    sides = sides_of(client, task.scenario)
    bots = {side: BotProcess(entry, bot_seed(task.dice_seed, side), task.limits, task.folders)
            for side, entry in zip(sides, task.bots, strict=True)}
    with contextlib.ExitStack() as stack:
        fault: BotFaultError | None = None
        table: _Game | None = None
        try:
            for bot in bots.values():
                stack.enter_context(bot)
            catalog = client.catalog(task.scenario)
            table = _Game(Session.create(client, task.scenario, seed=task.dice_seed,
                                         standard_set_up=True), bots, task)
            for bot in bots.values():
                bot.ready(catalog.message.SerializeToString())
            table.play()
        except BotFaultError as error:
            fault = error
        score = table.session.score().white_death if table is not None else None
        levels = [level.name for level in client.catalog(task.scenario).scenario.victory.levels]
    at_fault = next((side for side, bot in bots.items() if fault and fault.bot is bot), "")
    if at_fault:
        winner = next(side for side in sides if side != at_fault)
    else:
        winner = winner_by(dict(task.winning) or table_of(sides, levels),
                           score.level if score else "")
    first, second = (
        SeatResult(side, bot.entry.name, bot.decisions, bot.refusals, round(bot.seconds, 3))
        for side, bot in bots.items())
    return GameResult(
        key=task.key, ordinal=task.ordinal, round=task.round, scenario=task.scenario,
        dice_seed=task.dice_seed,
        ending=fault.kind if fault else ADJUDICATED if table and table.is_stopped else PLAYED,
        winner=winner, at_fault=at_fault,
        reason=fault.reason if fault else table.why if table else "",
        level=score.level if score else "", points=score.points if score else None,
        turn=table.turn if table else 0,
        decisions=len(table.session.records) if table else 0,
        checksum=table.session.position.checksum if table else "",
        started=started, seconds=round(time.monotonic() - began, 3), worker=worker_name(),
        seats=(first, second))


def void_game(task: GameTask, sides: tuple[str, str], reason: str) -> GameResult:
    """A game that could not be played, through no fault of a bot."""
    first, second = (SeatResult(side, bot.name, 0, 0, 0.0)
                     for side, bot in zip(sides, task.bots, strict=True))
    return GameResult(
        key=task.key, ordinal=task.ordinal, round=task.round, scenario=task.scenario,
        dice_seed=task.dice_seed, ending=VOID, winner="", at_fault="", reason=reason, level="",
        points=None, turn=0, decisions=0, checksum="", started=time.time(), seconds=0.0,
        worker=worker_name(), seats=(first, second))


@dataclass(slots=True)
class _Game:
    session: Session
    bots: Mapping[str, BotProcess]
    task: GameTask
    turn: int = 0
    why: str = field(default="")

    @property
    def is_stopped(self) -> bool:
        """Whether a limit of the terms ended the game before its end."""
        return bool(self.why)

    def play(self) -> None:
        """Decision by decision. `BotFaultError` for a bot, `LovatError` for the server."""
        session, task = self.session, self.task
        advisors = {side: SessionAdvisor(session, side) for side in self.bots}
        first_turn = 0
        while not session.is_over:
            side = session.decision.side
            bot, advisor = self.bots[side], advisors[side]
            view = session.view(side)
            turn = view.white_death.turn
            first_turn = first_turn or turn
            if task.turns and turn >= first_turn + task.turns:
                self.why = f"stopped after {task.turns} turns"
                return
            self.turn = turn
            if len(session.records) >= task.limits.decisions:
                self.why = f"stopped after {task.limits.decisions} decisions"
                return
            found = self._submit(bot, bot.decide(view, session.legal(side), advisor))
            while found:
                found = self._submit(bot, bot.refused(found, advisor))

    def _submit(self, bot: BotProcess, order: core_pb2.Order) -> Violations:
        """Why an order is refused; one that the server cannot read is refused too.

        One that it does not take for its size is a flood.
        """
        try:
            return self.session.submit(order).violations
        except LovatError as error:
            if (error.code is grpc.StatusCode.RESOURCE_EXHAUSTED
                    and order.ByteSize() > self.session.position.ByteSize()):
                raise BotFaultError(bot, FLOOD, f"sent an order of {order.ByteSize()} bytes that "
                                    f"the server does not take: {error.message}") from error
            if error.code not in _OF_THE_ORDER:
                raise
            unread = [item for item in error.fields if item.field.startswith("order")]
            if not unread:
                return (core_pb2.Violation(message=error.message),)
            return tuple(core_pb2.Violation(
                order_path=item.field.removeprefix("order.").removeprefix("white_death."),
                message=item.description) for item in unread)
