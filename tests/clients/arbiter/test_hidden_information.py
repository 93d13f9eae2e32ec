"""[WD 4.C, E.4-C] Exchanging what the rules hide from a side changes no byte that it is sent.

What is hidden, and how it is exchanged, is in `tests.properties.concealed`; what a side asks, in
`tests.properties.interview`. Here it asks the arbiter, over the network, as a seat with its token,
and so do spectators: turns, judgements, previews, overlays, refused orders, refused calls, streams,
lists. Then the game goes on in both positions with the same orders and the same dice: as long as
nobody fights and both positions are the same to the side, all that is told of it is the same too.
(Which decisions come up is public: who sees that the enemy is not asked for a barrage knows that he
has none to fire. So the two positions must wait for the same decision to be the same.)
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.message import DecodeError

from lovat.play.v1 import match_service_pb2 as play_pb2
from lovat.rules.v1 import core_pb2
from lovat_client.arbiter.disclosure import COMBAT, FIRE
from lovat_client.arbiter.referee import Referee
from lovat_client.sdk import LovatClient
from lovat_server.games.white_death.state import Options
from lovat_server.games.white_death.terms import DecisionKind, Side
from lovat_server.service.dice_state import DiceState
from lovat_server.service.library import Library, Volume, open_library
from lovat_server.transport.codecs import Codecs
from lovat_server.transport.messages import game_part
from lovat_server.transport.positions import Positions
from tests.properties.concealed import Veil, facts
from tests.properties.interview import InProcess, Question, other_dice, questions
from tests.properties.player import Played, play

from .playing import illegal, orders_for
from .served import Loop, Mould, Reply, Served, serving

SCENARIOS = ("purkayevs-attack", "final-relief-attempt", "woehlers-response",
             "first-relief-attempt", "second-relief-attempt", "velikiye-luki-campaign")
TWINS = 4
"""Permutations of one position for one side; with every other one the game goes on."""

EACH = 16
"""Permutations of positions of one game."""

QUESTIONS = 12
"""Of what can be asked of one position, so many are; when soaking all."""

SOAK_GAMES = 24
VERSION = 7
STEPS = 4
"""Decisions for which a game goes on after a permutation."""

LOUD = FIRE | COMBAT | {"strength_lost", "unit_eliminated", "unit_retreated", "unit_withdrew"}
"""Events of combat, in which the rules show more than before it."""


@lru_cache(maxsize=1)
def library() -> Library:
    return open_library()


@lru_cache(maxsize=1)
def codecs() -> Codecs:
    return Codecs(library())


def positions(volume: Volume, number: int, count: int) -> list[Played]:
    """Decisions of one game, of as many kinds as come up."""
    options = Options(abandoned_equipment=number % 2 == 1, snow_visibility=number % 5 == 4)
    kinds: dict[DecisionKind, list[Played]] = {}
    for played in play(volume.catalog, 5000 + number, bold=(0.3, 0.5, 0.7)[number % 3],
                       most=24 + 12 * (number % 4), options=options):
        kinds.setdefault(played.state.decision.kind, []).append(played)
    random = Random(number)
    chosen: list[Played] = []
    while len(chosen) < count and any(kinds.values()):
        for found in kinds.values():
            if found and len(chosen) < count:
                chosen.append(found.pop(random.randrange(len(found))))
    return chosen


class Bench:
    """What all permutations need: a rules server, a loop, and a folder for databases."""

    def __init__(self, rules: str, folder: Path) -> None:
        self.client = LovatClient.connect(rules)
        self.referee = Referee(rules)
        self.loop = Loop()
        self.folder = folder
        self.host = InProcess(library())
        self._moulds: dict[str, Mould] = {}

    def close(self) -> None:
        self.loop.close()
        self.referee.close()
        self.client.close()

    def mould(self, scenario: str) -> Mould:
        if scenario not in self._moulds:
            self._moulds[scenario] = Mould.cast(self.folder, self.referee, scenario)
        return self._moulds[scenario]

    def serving(self, volume: Volume, name: str, position: core_pb2.Position) -> Any:
        return serving(self.loop, self.mould(volume.catalog.scenario.id),
                       self.folder / f"{name}.db", self.referee, self.client, position)


@pytest.fixture(scope="module")
def bench(rules: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    opened = Bench(rules, tmp_path_factory.mktemp("hidden"))
    yield opened
    opened.close()


# ---------------------------------------------------------------- what is asked

Call = tuple[str, str, Any]
"""Who calls what: a side or "" for a spectator, the method, the message."""


def calls(asked: list[Question], side: str, match_id: str) -> Iterator[Call]:
    """What a curious seat and a curious spectator ask; nothing of it is accepted as an order."""
    for number, question in enumerate(asked):
        yield from _at_the_arbiter(question, side, number)
    here = {"match_id": match_id}
    spoilt = play_pb2.SubmitOrdersRequest(
        **here, order=illegal(), expected_version=VERSION, request_id="illegal")
    for reader in (side, ""):
        yield reader, "GetTurn", play_pb2.GetTurnRequest(**here)
        yield reader, "ValidateOrders", play_pb2.ValidateOrdersRequest(**here, order=illegal())
        yield reader, "PreviewCombat", play_pb2.PreviewCombatRequest(**here, order=illegal())
        yield reader, "SubmitOrders", spoilt
        yield reader, "SubmitOrders", spoilt
        spoilt_again = play_pb2.SubmitOrdersRequest()
        spoilt_again.CopyFrom(spoilt)
        spoilt_again.expected_version += 1
        yield reader, "SubmitOrders", spoilt_again
        spoilt_again.request_id = "stale"
        yield reader, "SubmitOrders", spoilt_again
        yield reader, "QueryOverlay", play_pb2.QueryOverlayRequest(**here)
        yield reader, "GetReplay", play_pb2.GetReplayRequest(**here)
        yield reader, "ListMatches", play_pb2.ListMatchesRequest()
        yield reader, "ListMatches", play_pb2.ListMatchesRequest(
            state=play_pb2.MATCH_STATE_RUNNING, page_size=1)


def _at_the_arbiter(question: Question, side: str, number: int) -> Iterator[Call]:
    """The same question to the arbiter, as far as it takes it."""
    asked = question.request
    match question.method:
        case "ListLegalOrders":
            draft = asked.draft if asked.HasField("draft") else None
            yield side, "GetTurn", play_pb2.GetTurnRequest(draft=draft, units=asked.units)
        case "ValidateOrders":
            yield side, "ValidateOrders", play_pb2.ValidateOrdersRequest(order=asked.order)
        case "PreviewCombat":
            yield side, "PreviewCombat", play_pb2.PreviewCombatRequest(order=asked.order)
        case "QueryOverlay":
            yield side, "QueryOverlay", play_pb2.QueryOverlayRequest(query=asked.query)
        case "SubmitOrders":
            yield side, "SubmitOrders", play_pb2.SubmitOrdersRequest(
                order=asked.order, expected_version=VERSION, request_id=f"ask-{number}")


def answers(served: Served, side: str, asked: list[Call]) -> list[tuple[Call, Reply]]:
    """What is told, and in the end the streams so far."""
    told = [(call, served.ask(*call)) for call in asked]
    last = served.match.row.sequence
    return [*told, ((side, "WatchMatch", last), served.watch(side, last)),
            (("", "WatchMatch", last), served.watch("", last - 1))]


# ---------------------------------------------------------------- the property

class Trial:
    """One position and one side, and what is the same to it."""

    def __init__(self, bench: Bench, volume: Volume, played: Played, side: Side,
                 random: Random, most: int) -> None:
        self.bench = bench
        self.volume = volume
        self.played = played
        self.side = side
        self.name = volume.game.sides[side]
        self.random = random
        self.most = most
        self.veil = Veil(volume.catalog, played.state, side)
        self.seen: Counter[str] = Counter()

    def run(self, count: int) -> Counter[str]:
        """Permute the position `count` times."""
        all_of_them = list(questions(
            self.volume, codecs(), self.played, self.side, self.veil, self.random))
        some = self.random.sample(all_of_them, min(self.most, len(all_of_them)))
        asked = list(calls(some, self.name,
                           self.bench.mould(self.volume.catalog.scenario.id).match_id))
        with self._served("first", self.played.state, other_dice(self.random)) as served:
            expected = answers(served, self.name, asked)
        for _ in range(count):
            state = self.veil.permuted(self.random)
            with self._served("other", state, other_dice(self.random)) as served:
                found = answers(served, self.name, asked)
            for (call, before), (_, after) in zip(expected, found, strict=True):
                assert after == before, self._difference(call, before, after)
                self.seen[call[1]] += 1
                self.seen["violations"] += before.violations
            if self.seen["permutations"] % 2 == 0:
                self._play_on(state)
            self.seen["permutations"] += 1
        return self.seen

    def _served(self, name: str, state: Any, dice: DiceState) -> Any:
        position = self.bench.host.message(self.volume, state, dice, VERSION)
        return self.bench.serving(self.volume, name, position)

    def _play_on(self, state: Any) -> None:
        """The same orders in both positions, until they are no longer the same to the side."""
        dice = other_dice(self.random)
        with self._served("one", self.played.state, dice) as one, \
                self._served("two", state, dice) as two:
            good = one.match.row.sequence
            order = game_part(core_pb2.Order, codecs().of(self.volume),
                              codecs().of(self.volume).encode_order(self.played.order))
            for step in range(STEPS):
                if not self._step(one, two, order, step):
                    ends = {self.name: good, "": good - 1}
                    break
                self.seen["steps"] += 1
                row = one.match.row
                good = row.sequence
                order = next(orders_for(one.turn(row.decision_side), None))
            else:
                self._both(one, two, self.name, "Resign", play_pb2.ResignRequest())
                ends = {self.name: 0, "": 0}
            for reader, last in ends.items():
                told = one.watch(reader, last), two.watch(reader, last)
                assert told[0] == told[1], self._difference((reader, "WatchMatch", last), *told)
                self.seen["events"] += len(told[0].sizes)

    def _step(self, one: Served, two: Served, order: core_pb2.Order, number: int) -> bool:
        """Whether both took the order and are still the same to the side, which is then told so."""
        row = one.match.row
        request = play_pb2.SubmitOrdersRequest(
            order=order, expected_version=row.version, request_id=f"step-{number}")
        told = [served.ask(row.decision_side, "SubmitOrders", request) for served in (one, two)]
        taken = [served.match.row.version > row.version for served in (one, two)]
        if row.decision_side == self.name:
            assert taken[0] == taken[1], self._difference(
                (self.name, "SubmitOrders", request), *told)
        if not all(taken) or self._differ(one, two, row.version):
            return False
        if row.decision_side == self.name:
            assert told[0] == told[1], self._difference(
                (self.name, "SubmitOrders", request), *told)
        for reader in (self.name, ""):
            self._both(one, two, reader, "GetTurn",
                       play_pb2.GetTurnRequest(match_id=row.match_id))
        return True

    def _both(self, one: Served, two: Served, *call: Any) -> None:
        """The same call to both must have the same answer."""
        told = one.ask(*call), two.ask(*call)
        assert told[0] == told[1], self._difference(call, *told)

    def _differ(self, one: Served, two: Served, version: int) -> bool:
        """Whether there was combat, or the side has seen something that is not the same in both."""
        truths = [[event.white_death for event in served.truth(version)] for served in (one, two)]
        if any(event.WhichOneof("event") in LOUD for truth in truths for event in truth):
            self.seen["fights"] += 1
            return True
        if _rolled(truths[0]) != _rolled(truths[1]):
            self.seen["other reserves"] += 1
            return True
        reader = Positions(library(), codecs())
        known = [facts(self.volume.catalog, reader.read_message(served.match.row.head)
                       .position.state, self.side) for served in (one, two)]
        waiting = [served.match.row.decision for served in (one, two)]
        self.seen["shown"] += known[0] != known[1]
        self.seen["asked otherwise"] += waiting[0] != waiting[1]
        return known[0] != known[1] or waiting[0] != waiting[1]

    def _difference(self, call: Call, before: Reply, after: Reply) -> str:
        changed = difflib.unified_diff(_lines(call[1], before), _lines(call[1], after), lineterm="")
        return "\n".join((f"{self.name} in {self.played.state.decision.kind.name} calls {call}:",
                          *changed))


def _lines(method: str, reply: Reply) -> list[str]:
    """An answer to be read by people; a refusal is text."""
    kind = getattr(play_pb2, f"{method}Response")
    lines = []
    for part in reply.content:
        try:
            lines += str(kind.FromString(part)).splitlines()
        except DecodeError:
            lines.append(part.decode("utf-8", "replace"))
    return lines


def _rolled(truth: list[Any]) -> list[tuple[str, int]]:
    """The dice for optional formations, which are rolled before everybody's eyes."""
    return [(event.reserve_rolled.formation, event.reserve_rolled.die) for event in truth
            if event.HasField("reserve_rolled")]


def check_game(bench: Bench, number: int, count: int, most: int) -> Counter[str]:
    volume = library().volume(SCENARIOS[number % len(SCENARIOS)])
    pairs = [(played, side) for played in positions(volume, number, -(-count // TWINS))
             for side in Side]
    Random(number).shuffle(pairs)
    seen: Counter[str] = Counter()
    for place, (played, side) in enumerate(pairs):
        wanted = min(TWINS, count - seen["permutations"])
        if wanted:
            trial = Trial(bench, volume, played, side, Random(1000 * number + place), most)
            seen += trial.run(wanted)
    assert seen["permutations"] == count
    return seen


@pytest.mark.rule("WD 4.C")
@pytest.mark.parametrize("number", range(2))
def test_what_is_hidden_changes_nothing_that_is_told(bench: Bench, number: int) -> None:
    seen = check_game(bench, number, EACH, QUESTIONS)
    assert seen["violations"] > EACH
    assert seen["steps"] > EACH // 2
    assert seen["events"] > EACH


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SOAK_GAMES))
def test_what_is_hidden_changes_nothing_that_is_told_400_times(bench: Bench, number: int) -> None:
    print(check_game(bench, 100 + number, EACH, 1000))
