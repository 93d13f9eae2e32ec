"""What the results say: standings, sides, who beat whom, faults. Pure."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from .ratings import Rating, rate
from .results import FAULTS, GameResult
from .schedule import rounds_so_far, total
from .terms import Terms


@dataclass(frozen=True, slots=True)
class Tally:
    """Counted games, and the victory points of those that no fault ended."""

    won: int
    drawn: int
    lost: int
    points: tuple[int, ...]

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def score(self) -> float:
        """Wins, and draws by half."""
        return self.won + self.drawn / 2

    @property
    def mean_points(self) -> float | None:
        return sum(self.points) / len(self.points) if self.points else None

    @property
    def points_error(self) -> float | None:
        """The standard error of the mean; None for fewer than two games."""
        number, mean = len(self.points), self.mean_points
        if number < 2 or mean is None:
            return None
        spread = sum((value - mean) ** 2 for value in self.points) / (number - 1)
        return math.sqrt(spread / number)


@dataclass(frozen=True, slots=True)
class BotLine:
    """A bot's place. `byes` are rounds of a Swiss without an opponent; seconds are wall time."""

    rating: Rating
    tally: Tally
    void: int
    byes: int
    faults: Mapping[str, int]
    refusals: int
    seconds_a_decision: float

    @property
    def bot(self) -> str:
        return self.rating.bot


@dataclass(frozen=True, slots=True)
class SideLine:
    """How a side of a scenario did, with one bot or (bot "") with all."""

    scenario: str
    side: str
    bot: str
    tally: Tally


@dataclass(frozen=True, slots=True)
class Summary:
    """Everything a report shows. `games` are in the order of the schedule."""

    terms: Terms
    games: tuple[GameResult, ...]
    total: int
    bots: tuple[BotLine, ...]
    sides: tuple[SideLine, ...]
    met: Mapping[tuple[str, str], Tally]

    @property
    def is_finished(self) -> bool:
        return len(self.games) >= self.total

    @property
    def faulty(self) -> tuple[GameResult, ...]:
        """Games that a fault or the server's failure ended."""
        return tuple(game for game in self.games if game.at_fault or not game.is_counted)


def summarise(terms: Terms, results: Mapping[str, GameResult]) -> Summary:
    """The summary of the games that are finished."""
    games = tuple(sorted(results.values(), key=lambda result: result.ordinal))
    counted = [game for game in games if game.is_counted]
    names = terms.bot_names
    byes = [round_.bye for round_ in rounds_so_far(terms, results) if round_.bye]
    bots = tuple(_bot_line(rating, games, byes.count(rating.bot))
                 for rating in rate(names, games, terms.rating))
    sides = []
    for scenario in terms.scenarios:
        played = [game for game in counted if game.scenario == scenario]
        for side in dict.fromkeys(seat.side for game in played for seat in game.seats):
            sides.append(SideLine(scenario, side, "", _tally(played, [side] * len(played))))
            for bot in names:
                own = [game for game in played if game.bot_of(side) == bot]
                if own:
                    sides.append(SideLine(scenario, side, bot, _tally(own, [side] * len(own))))
    met = {}
    for bot in names:
        for other in names:
            between = [game for game in counted if set(game.bots) == {bot, other}]
            if between:
                met[bot, other] = _tally(between, _sides(between, bot))
    return Summary(terms, games, total(terms), bots, tuple(sides), met)


def _bot_line(rating: Rating, games: Iterable[GameResult], byes: int) -> BotLine:
    own = [game for game in games if rating.bot in game.bots]
    counted = [game for game in own if game.is_counted]
    seats = [seat for game in own for seat in game.seats if seat.bot == rating.bot]
    decisions = sum(seat.decisions for seat in seats)
    lost = [game.ending for game in counted if game.bot_of(game.at_fault) == rating.bot]
    return BotLine(
        rating=rating, tally=_tally(counted, _sides(counted, rating.bot)),
        void=len(own) - len(counted), byes=byes,
        faults={kind: lost.count(kind) for kind in FAULTS if kind in lost},
        refusals=sum(seat.refusals for seat in seats),
        seconds_a_decision=sum(seat.seconds for seat in seats) / decisions if decisions else 0.0)


def _sides(games: Iterable[GameResult], bot: str) -> list[str]:
    """The side of a bot in each game."""
    return [next(seat.side for seat in game.seats if seat.bot == bot) for game in games]


def _tally(games: Sequence[GameResult], sides: Sequence[str]) -> Tally:
    """The games as seen from one side of each."""
    pairs = list(zip(games, sides, strict=True))
    return Tally(
        won=sum(game.winner == side for game, side in pairs),
        drawn=sum(not game.winner for game, _ in pairs),
        lost=sum(bool(game.winner) and game.winner != side for game, side in pairs),
        points=tuple(game.points for game, _ in pairs
                     if game.points is not None and not game.at_fault))
