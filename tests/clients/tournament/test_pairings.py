"""Who meets whom, and which games follow from it: properties of every kind of tournament."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lovat_client.tournament.pairings import Round, gauntlet, round_robin, swiss_round
from lovat_client.tournament.results import GameResult, GameTask
from lovat_client.tournament.schedule import next_games, rounds_so_far, total
from lovat_client.tournament.terms import Terms

from .making import result, terms

NAMES = st.integers(2, 12).map(lambda number: [f"b{place}" for place in range(number)])


def played(given_terms: Terms, seed: int) -> tuple[list[GameTask], dict[str, GameResult]]:
    """A whole tournament with coins for games, round by round: all tasks in order, all results."""
    coins, results, tasks = Random(seed), {}, []
    while batch := next_games(given_terms, results):
        tasks += batch
        for task in coins.sample(batch, len(batch)):
            results[task.key] = result(task, coins.choice([0, 1, None]))
    return tasks, results


@given(NAMES)
def test_in_a_round_robin_each_meets_each_once(names: list[str]) -> None:
    met = [frozenset(pairing) for pairing in round_robin(names)]
    assert sorted(map(sorted, met)) == sorted(map(sorted, combinations(names, 2)))


@given(NAMES, st.data())
def test_in_a_gauntlet_the_champion_meets_each_once(names: list[str], data: st.DataObject) -> None:
    champion = data.draw(st.sampled_from(names))
    pairings = gauntlet(names, champion)
    assert {pairing.first for pairing in pairings} == {champion}
    assert [pairing.second for pairing in pairings] == [n for n in names if n != champion]


@given(NAMES, st.integers(0, 999))
def test_in_a_swiss_nobody_meets_twice_or_has_two_byes_while_it_can_be_helped(
    names: list[str], seed: int,
) -> None:
    coins, scores, rounds = Random(seed), dict.fromkeys(names, 0.0), list[Round]()
    for _ in range((len(names) - 1).bit_length()):
        rounds.append(swiss_round(names, scores, rounds))
        playing = [name for pairing in rounds[-1].pairings for name in pairing]
        assert sorted([*playing, *filter(None, [rounds[-1].bye])]) == sorted(names)
        for pairing in rounds[-1].pairings:
            scores[coins.choice(pairing)] += 1
    met = Counter(frozenset(pairing) for past in rounds for pairing in past.pairings)
    byes = Counter(past.bye for past in rounds if past.bye)
    assert max(met.values()) == 1
    assert not byes or max(byes.values()) == 1


@given(NAMES)
def test_a_swiss_longer_than_a_round_robin_still_pairs_everybody(names: list[str]) -> None:
    rounds: list[Round] = []
    for _ in range(len(names) + 3):
        rounds.append(swiss_round(names, {}, rounds))
        assert len(rounds[-1].pairings) == len(names) // 2
    byes = Counter(past.bye for past in rounds if past.bye)
    assert not byes or max(byes.values()) - min(byes[name] for name in names) <= 1


def test_in_a_swiss_those_of_like_score_meet() -> None:
    scores = {"a": 1.0, "b": 0.0, "c": 1.0, "d": 0.0}
    earlier = [Round(round_robin(["a", "b"]) + round_robin(["c", "d"]))]
    assert swiss_round(list("abcd"), scores, earlier).pairings == (("a", "c"), ("b", "d"))


@pytest.mark.parametrize("kind", ["round_robin", "gauntlet", "swiss"])
@given(number=st.integers(2, 7), pairs=st.integers(1, 3), seed=st.integers(0, 99))
def test_every_game_is_played_once_and_again_with_the_sides_swapped(
    kind: str, number: int, pairs: int, seed: int,
) -> None:
    given_terms = terms(*(f"b{place}" for place in range(number)), kind=kind, games=2 * pairs)
    tasks, results = played(given_terms, seed)
    assert len(tasks) == len(results) == total(given_terms)
    assert sorted(task.ordinal for task in tasks) == list(range(len(tasks)))
    by_seed: dict[str, list[GameTask]] = {}
    for task in tasks:
        by_seed.setdefault(task.dice_seed, []).append(task)
    for both in by_seed.values():
        first, second = both
        assert first.bots == second.bots[::-1]
        assert first.scenario == second.scenario
    assert next_games(given_terms, results) == []


@given(st.integers(3, 7), st.integers(0, 99), st.data())
def test_a_tournament_that_was_stopped_has_exactly_the_rest_to_play(
    number: int, seed: int, data: st.DataObject,
) -> None:
    """Whatever was finished when it stopped; a Swiss too is the same from its results alone."""
    given_terms = terms(*(f"b{place}" for place in range(number)), kind="swiss", games=2)
    tasks, results = played(given_terms, seed)
    last = rounds_so_far(given_terms, results)[:data.draw(st.integers(1, given_terms.rounds))]
    current = [task.key for task in tasks if task.round == len(last)]
    done = data.draw(st.sets(st.sampled_from(current), max_size=len(current) - 1))
    kept = {key: found for key, found in results.items()
            if found.round < len(last) or key in done}
    assert [task.key for task in next_games(given_terms, kept)] == [
        key for key in current if key not in done]


def test_tasks_and_results_survive_the_journey_as_json() -> None:
    task = next_games(terms("a", "b", victory={"purkayevs-attack": {"soviet": ["x"]}}), {})[0]
    assert GameTask.of_json(task.as_json()) == task
    done = result(task, 1, None)
    assert GameResult.of_json(done.as_json()) == done
