"""One game of a tournament: what is to be played, and what came of it. Both travel as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any, Self

from .terms import BotEntry, Limits

PLAYED, ADJUDICATED = "played", "adjudicated"
CRASH, HANG, ILLEGAL, FLOOD = "crash", "hang", "illegal", "flood"
VOID = "void"
FAULTS = (CRASH, HANG, ILLEGAL, FLOOD)
"""What a bot can lose a game by, other than on the map."""

ENDINGS = (PLAYED, ADJUDICATED, *FAULTS, VOID)
"""How a game can end: at its end, by a limit of the terms, by a fault, or without a result.

A game is void when neither bot can be blamed: the rules server failed at it again and again.
"""


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to be played; `key` is its own in the tournament.

    `bots` has the bot of the first side of the scenario's game, then that of the second.
    `winning` are (side, levels) pairs, empty to go by the names of the levels. `turns` 0 plays
    to the end.
    """

    key: str
    ordinal: int
    round: int
    scenario: str
    dice_seed: str
    bots: tuple[BotEntry, BotEntry]
    limits: Limits
    turns: int = 0
    winning: tuple[tuple[str, tuple[str, ...]], ...] = ()
    folders: tuple[str, ...] = ()

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Self:
        """What `as_json` wrote."""
        content: dict[str, Any] = json.loads(text)
        first, second = (BotEntry(**bot) for bot in content["bots"])
        return cls(**{**content, "bots": (first, second), "limits": Limits(**content["limits"]),
                      "winning": tuple((side, tuple(levels))
                                       for side, levels in content["winning"]),
                      "folders": tuple(content["folders"])})


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one bot did: decisions answered, orders refused, seconds of wall time it took."""

    side: str
    bot: str
    decisions: int
    refusals: int
    seconds: float


@dataclass(frozen=True, slots=True)
class GameResult:
    """A finished game.

    `winner` and `at_fault` are sides; "" for a draw or void, and where nobody is to blame.
    `points`, `level` and `checksum` are of the last position; None and "" if there is none.
    `started` is Unix time, `seconds` wall time, `worker` where it was played.
    """

    key: str
    ordinal: int
    round: int
    scenario: str
    dice_seed: str
    ending: str
    winner: str
    at_fault: str
    reason: str
    level: str
    points: int | None
    turn: int
    decisions: int
    checksum: str
    started: float
    seconds: float
    worker: str
    seats: tuple[SeatResult, SeatResult]

    def as_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def of_json(cls, text: str) -> Self:
        """What `as_json` wrote."""
        content: dict[str, Any] = json.loads(text)
        first, second = (SeatResult(**seat) for seat in content["seats"])
        return cls(**{**content, "seats": (first, second)})

    @property
    def is_counted(self) -> bool:
        """Whether it says something about the bots."""
        return self.ending != VOID

    @property
    def bots(self) -> tuple[str, str]:
        return self.seats[0].bot, self.seats[1].bot

    def bot_of(self, side: str) -> str:
        """The bot of a side; "" for none."""
        return next((seat.bot for seat in self.seats if side and seat.side == side), "")

    @property
    def winning_bot(self) -> str:
        """"" for a draw or void."""
        return self.bot_of(self.winner)

    def score(self, bot: str) -> float:
        """1 won, 0 lost, a half for a draw and for a void game."""
        if not self.winner:
            return 0.5
        return float(self.winning_bot == bot)
