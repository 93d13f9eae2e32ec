"""[WD 4.C, E.4-C] Exchanging what the rules hide from a side changes no byte of what it is told."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from random import Random
from typing import Any

import pytest

from lovat_server.games.white_death.state import Options
from lovat_server.games.white_death.terms import DecisionKind, Side
from lovat_server.service.library import Library, Volume, open_library
from lovat_server.transport.codecs import Codecs

from .concealed import Veil
from .interview import Answer, InProcess, Server, other_dice, questions
from .player import Played, play

GAMES = 6
EACH = 50
SOAK_GAMES = 40
PERMUTATIONS = 3
"""Of one position for one side."""

SCENARIOS = ("purkayevs-attack", "woehlers-response", "final-relief-attempt")


@lru_cache(maxsize=1)
def library() -> Library:
    return open_library()


@lru_cache(maxsize=1)
def codecs() -> Codecs:
    return Codecs(library())


def positions(volume: Volume, game: int, count: int) -> list[Played]:
    """Decisions of one game, of as many kinds as come up, from its beginning or further on."""
    options = Options(abandoned_equipment=game % 2 == 1)
    most = 30 + 15 * (game % 4)
    kinds: dict[DecisionKind, list[Played]] = {}
    for played in play(volume.catalog, 3000 + game, bold=(0.3, 0.5, 0.7)[game % 3], most=most,
                       options=options):
        kinds.setdefault(played.state.decision.kind, []).append(played)
    random = Random(game)
    chosen: list[Played] = []
    while len(chosen) < count and any(kinds.values()):
        for found in kinds.values():
            if found and len(chosen) < count:
                chosen.append(found.pop(random.randrange(len(found))))
    return chosen


def check_game(game: int, count: int) -> Counter[str]:
    """Permute `count` times; how many permutations and answers, by kind."""
    volume = library().volume(SCENARIOS[game % len(SCENARIOS)])
    seen: Counter[str] = Counter()
    sides = [(played, side) for played in positions(volume, game, -(-count // PERMUTATIONS))
             for side in Side]
    Random(game).shuffle(sides)
    server = InProcess(library())
    for number, (played, side) in enumerate(sides):
        wanted = min(PERMUTATIONS, count - seen["permutations"])
        seen += check_position(volume, played, side, wanted, server, server,
                               Random(1000 * game + number))
    assert seen["permutations"] == count
    return seen


def check_position(volume: Volume, played: Played, side: Side, count: int, host: InProcess,
                   server: Server, random: Random) -> Counter[str]:
    seen: Counter[str] = Counter()
    veil = Veil(volume.catalog, played.state, side)
    asked = list(questions(volume, codecs(), played, side, veil, random))
    first = host.message(volume, played.state, other_dice(random), 7)
    expected = [server.ask(question, first) for question in asked]
    for _ in range(count):
        state = veil.permuted(random)
        position = host.message(volume, state, other_dice(random), 7)
        for question, before in zip(asked, expected, strict=True):
            answer = server.ask(question, position)
            assert answer == before, _difference(played, side, question.request, before, answer)
            seen[question.method] += 1
            seen["refused"] += bool(answer.violations)
        seen["permutations"] += 1
        seen["moved"] += sum(old != new for old, new in zip(
            played.state.units, state.units, strict=True))
        seen[played.state.decision.kind.name] += 1
    return seen


def _difference(played: Played, side: Side, request: Any, before: Answer,
                after: Answer) -> str:
    asked = type(request)()
    asked.CopyFrom(request)
    asked.ClearField("position")
    return f"{side.name} in {played.state.decision.kind.name} asks {asked}: {before} -> {after}"


@pytest.mark.rule("WD 4.C")
@pytest.mark.parametrize("game", range(GAMES))
def test_what_is_hidden_changes_no_answer(game: int) -> None:
    seen = check_game(game, EACH)
    print(dict(seen))


@pytest.mark.soak
@pytest.mark.parametrize("game", range(SOAK_GAMES))
def test_what_is_hidden_changes_no_answer_2000_times(game: int) -> None:
    check_game(100 + game, EACH)
