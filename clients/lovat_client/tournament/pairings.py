"""Who meets whom. Pure functions: the same names and scores give the same pairings.

A pairing is two different names, in no order of merit: each of its games is played twice, with
the sides swapped.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

_PATIENCE = 20_000
"""Steps of the search for a round without a repeated pairing."""


class Pairing(NamedTuple):
    """Two bots that meet."""

    first: str
    second: str


@dataclass(frozen=True, slots=True)
class Round:
    """The pairings of a round, and who has none: a bye counts as a won pairing."""

    pairings: tuple[Pairing, ...]
    bye: str = ""


def round_robin(names: Sequence[str]) -> tuple[Pairing, ...]:
    """Each meets each once, in the order of the names."""
    return tuple(Pairing(*both) for both in combinations(names, 2))


def gauntlet(names: Sequence[str], champion: str) -> tuple[Pairing, ...]:
    """The champion meets each other once."""
    return tuple(Pairing(champion, name) for name in names if name != champion)


def swiss_round(names: Sequence[str], scores: Mapping[str, float],
                earlier: Sequence[Round]) -> Round:
    """The next round: those of like score meet, nobody twice while that can be helped.

    Names are in the order that breaks ties. The bye, if the number is odd, goes to the lowest of
    those who have had the fewest. Only when no round without a repetition is left, or none is
    found in a long search, do the closest of those meet who have met least.
    """
    ranked = sorted(names, key=lambda name: (-scores.get(name, 0.0), names.index(name)))
    byes = [past.bye for past in earlier]
    met: dict[frozenset[str], int] = {}
    for past in earlier:
        for pairing in past.pairings:
            met[frozenset(pairing)] = met.get(frozenset(pairing), 0) + 1
    candidates = [""]
    if len(ranked) % 2:
        fewest = min(byes.count(name) for name in ranked)
        candidates = [name for name in reversed(ranked) if byes.count(name) == fewest]
    for bye in candidates:
        playing = [name for name in ranked if name != bye]
        found = _without_repetition(playing, met)
        if found is not None:
            return Round(tuple(found), bye)
    bye = candidates[0]
    return Round(tuple(_least_repeated([name for name in ranked if name != bye], met)), bye)


def _without_repetition(ranked: list[str],
                        met: Collection[frozenset[str]]) -> list[Pairing] | None:
    """Pair from the top with the nearest that was not met; None if it cannot be or takes long."""
    steps = 0

    def pair(left: list[str]) -> list[Pairing] | None:
        nonlocal steps
        if not left:
            return []
        first, rest = left[0], left[1:]
        for place, second in enumerate(rest):
            steps += 1
            if steps > _PATIENCE:
                return None
            if frozenset((first, second)) in met:
                continue
            others = pair(rest[:place] + rest[place + 1:])
            if others is not None:
                return [Pairing(first, second), *others]
        return None

    return pair(ranked)


def _least_repeated(ranked: list[str], met: Mapping[frozenset[str], int]) -> list[Pairing]:
    left, found = list(ranked), []
    while left:
        first = left.pop(0)
        second = min(left, key=lambda name: met.get(frozenset((first, name)), 0))
        left.remove(second)
        found.append(Pairing(first, second))
    return found
