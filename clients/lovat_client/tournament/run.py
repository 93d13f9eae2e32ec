"""A whole tournament: round after round, until every game has a result in the database."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from .pool import Pool
from .results import GameResult
from .schedule import next_games, total
from .store import TournamentStore
from .terms import Terms, TermsError


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a tournament is; `last` is the game that has just been finished, if one has."""

    finished: int
    total: int
    last: GameResult | None = None


def run(
    store: TournamentStore, terms: Terms, pool: Pool,
    on_progress: Callable[[Standing], None] = lambda _: None,
) -> Mapping[str, GameResult]:
    """Play every game that has no result yet; the results of all, by key.

    May be stopped at any point and called again. `TermsError` if the terms cannot be played
    by, before anything is written; `TournamentError` if the name is taken; `ClientError` if
    nothing can be played any more: all finished games are kept.
    """
    found = pool.check(terms).found
    if found:
        raise TermsError("; ".join(found))
    store.enter(terms)
    results = store.results(terms.name)
    games = total(terms)
    on_progress(Standing(len(results), games))
    while tasks := next_games(terms, results):
        for result in pool.play(tasks):
            if store.record(terms.name, result):
                results[result.key] = result
            else:  # another run was faster: what it has written counts
                results = store.results(terms.name)
            on_progress(Standing(len(results), games, result))
    return store.results(terms.name)
