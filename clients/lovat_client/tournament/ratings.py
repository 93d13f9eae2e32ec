"""Ratings by OpenSkill (Bradley-Terry, full pairing).

A rating is a bell curve: `mu` its middle, `sigma` its width, both in points of OpenSkill, where
everybody begins at 25 and 25/3. The order of the bots is by mu - 3 sigma, which a bot is better
than with a certainty of 99.9%. Void games count for nothing, a game lost by a fault as a lost
one. OpenSkill takes later games for better evidence than earlier ones, which is wrong of bots that
do not learn: the games are rated in twenty orders, and the ratings are the means.

By "game", each game is one comparison. By "pair", the two games of one dice seed are: the bot
with more wins of the two is better, and if both have as many, the one that scored more victory
points with the first side (in White Death the Soviets, who earn them). That tells bots apart in
scenarios that one side nearly always wins.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from .results import GameResult

_ORDERS = 10
"""Orders of the games; each is taken forward and backward."""


@dataclass(frozen=True, slots=True)
class Rating:
    """What is believed of a bot's strength after its games."""

    bot: str
    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        return self.mu - 3 * self.sigma

    @property
    def low(self) -> float:
        """The lower end of the 95% interval."""
        return self.mu - 1.96 * self.sigma

    @property
    def high(self) -> float:
        return self.mu + 1.96 * self.sigma


def rate(bots: Sequence[str], results: Iterable[GameResult], by: str = "game") -> list[Rating]:
    """The ratings of the bots, the best first; the results may come in any order."""
    from openskill.models import BradleyTerryFull

    model: Any = BradleyTerryFull()
    sums = {bot: [0.0, 0.0] for bot in bots}
    shuffler, games = Random("orders"), list(comparisons(results, by))
    for _ in range(_ORDERS):
        shuffler.shuffle(games)
        for order in (games, games[::-1]):
            held: dict[str, Any] = {bot: model.rating(name=bot) for bot in bots}
            for first, second, ranks in order:
                (held[first],), (held[second],) = model.rate(
                    [[held[first]], [held[second]]], ranks=ranks)
            for bot, rating in held.items():
                sums[bot][0] += rating.mu
                sums[bot][1] += rating.sigma
    found = [Rating(bot, mu / _ORDERS / 2, sigma / _ORDERS / 2)
             for bot, (mu, sigma) in sums.items()]
    return sorted(found, key=lambda rating: (-rating.ordinal, bots.index(rating.bot)))


def comparisons(results: Iterable[GameResult],
                by: str) -> Iterator[tuple[str, str, list[int]]]:
    """Two bots and their ranks, the lower the better, for each comparison."""
    counted = sorted((result for result in results if result.is_counted),
                     key=lambda result: result.ordinal)
    if by == "game":
        for result in counted:
            first, second = result.bots
            yield first, second, _ranks(result.score(first), result.score(second))
        return
    pairs: dict[tuple[str, str], list[GameResult]] = {}
    for result in counted:
        pairs.setdefault((result.scenario, result.dice_seed), []).append(result)
    for both in pairs.values():
        if len(both) == 2:
            first, second = both[0].bots
            ranks = _ranks(*(sum(result.score(bot) for result in both)
                             for bot in (first, second)))
            points = both[0].points, both[1].points
            if ranks == [0, 0] and points[0] is not None and points[1] is not None:
                ranks = _ranks(points[0], points[1])
            yield first, second, ranks


def _ranks(first: float, second: float) -> list[int]:
    return [0 if first >= second else 1, 0 if second >= first else 1]
