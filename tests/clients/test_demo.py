"""`lovat demo`: the same seed gives the same battle, and its replay file proves it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2, terms_pb2
from lovat_client.bots import BOTS
from lovat_client.cli.app import app
from lovat_client.cli.demo import PICTURE_NAME, REPLAY_NAME
from lovat_client.match import Progress, bot_random, play
from lovat_client.replay import confirm, read_replay, save, write_replay
from lovat_client.sdk import EmbeddedServer, LovatClient, MatchError, Session

from .fake import SCENARIO, serving


def lovat(*arguments: str, code: int = 0) -> str:
    result = CliRunner().invoke(app, list(arguments))
    assert result.exit_code == code, result.output
    return result.output if code else result.stdout


def told(text: str, what: str) -> str:
    found = re.search(rf"^{what}: (.*)$", text, re.MULTILINE)
    assert found is not None, text
    return found[1].strip()


@pytest.fixture(scope="module")
def battles(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Seed 7 twice, each on a fresh server, and seed 8: the folder and what was printed."""
    found = {}
    for name, seed in (("first", "7"), ("again", "7"), ("other", "8")):
        folder = tmp_path_factory.mktemp(name)
        found[name] = folder, lovat("demo", "--seed", seed, "--quiet", "--out", str(folder))
    return found


def test_the_same_seed_gives_the_same_battle(battles: dict[str, tuple[Path, str]]) -> None:
    (first, said), (again, repeated) = battles["first"], battles["again"]
    for what in ("final checksum", "level", "victory points"):
        assert told(said, what) == told(repeated, what)
    assert (first / REPLAY_NAME).read_bytes() == (again / REPLAY_NAME).read_bytes()
    assert (first / PICTURE_NAME).read_bytes() == (again / PICTURE_NAME).read_bytes()


def test_another_seed_gives_another_battle(battles: dict[str, tuple[Path, str]]) -> None:
    assert told(battles["first"][1], "final checksum") != told(
        battles["other"][1], "final checksum")


def test_the_battle_is_a_whole_one(battles: dict[str, tuple[Path, str]]) -> None:
    folder, said = battles["first"]
    log = read_replay(folder / REPLAY_NAME)
    assert log.checksum == told(said, "final checksum")
    last = log.records[-1].events[-2:]
    assert "game_ended" in {event.white_death.WhichOneof("event") for event in last}
    turns = {event.white_death.turn_began.turn for record in log.records
             for event in record.events
             if event.white_death.WhichOneof("event") == "turn_began"}
    assert max(turns) == 4


def test_the_replay_file_verifies_record_by_record(battles: dict[str, tuple[Path, str]]) -> None:
    folder, said = battles["first"]
    text = lovat("replay", str(folder / REPLAY_NAME), "--verbose")
    records = len(read_replay(folder / REPLAY_NAME).records)
    assert f"verified: {records} records, final checksum {told(said, 'final checksum')}" in text
    assert text.count(": ok ") == records


def test_a_flipped_byte_of_the_battle_is_found_and_named(
    battles: dict[str, tuple[Path, str]], tmp_path: Path
) -> None:
    damaged = tmp_path / REPLAY_NAME
    content = bytearray((battles["first"][0] / REPLAY_NAME).read_bytes())
    place = len(content) // 2
    content[place] ^= 1
    damaged.write_bytes(content)
    line = content[:place].count(b"\n") + 1
    assert f"error: line {line}: " in lovat("replay", str(damaged), code=1)


def test_a_false_die_is_found_though_its_seal_is_whole(
    battles: dict[str, tuple[Path, str]], tmp_path: Path
) -> None:
    log = read_replay(battles["first"][0] / REPLAY_NAME)
    number, place = next(
        (number, place) for number, record in enumerate(log.records)
        for place, event in enumerate(record.events)
        if event.white_death.WhichOneof("event") == "conventional_fired")
    fired = log.records[number].events[place].white_death.conventional_fired
    fired.die = fired.die % 6 + 1
    file = tmp_path / REPLAY_NAME
    write_replay(file, log.header, log.records)
    said = lovat("replay", str(file), code=1)
    assert f"record {number} (line {number + 2}): events[{place}]" in said


def test_a_game_of_secret_dice_verifies_from_its_first_position(tmp_path: Path) -> None:
    with EmbeddedServer() as server, server.connect() as client:
        session = Session.create(client, "purkayevs-attack", standard_set_up=True)
        for _ in range(3):
            assert session.resolve_impulse().is_accepted
        save(tmp_path / REPLAY_NAME, session)
        found = confirm(client, read_replay(tmp_path / REPLAY_NAME))
    assert (found.problem, found.records, found.is_dice_verified) == ("", 3, True)


def test_the_picture_is_a_picture(battles: dict[str, tuple[Path, str]]) -> None:
    root = ElementTree.parse(battles["first"][0] / PICTURE_NAME).getroot()
    assert root.tag.endswith("svg")


@pytest.mark.parametrize(("soviet", "german"), [
    ("random", "greedy"), pytest.param("random", "random", marks=pytest.mark.soak)])
def test_any_bots_may_meet(soviet: str, german: str) -> None:
    steps: list[Progress] = []
    with EmbeddedServer() as server, server.connect() as client:
        result = play(client, "purkayevs-attack", 3, {
            "soviet": BOTS[soviet](bot_random(3, "soviet")),
            "german": BOTS[german](bot_random(3, "german"))}, steps.append)
    assert result.bots == {"soviet": soviet, "german": german}
    assert result.level
    total = sum(line.points for line in result.score.white_death.lines)
    assert result.points == max(0, total), "a sum under 0 counts as 0"
    assert result.checksum == result.records[-1].checksum_after
    assert [step.turn for step in steps] == sorted(step.turn for step in steps)
    assert {step.last_turn for step in steps} == {4}


# What a match does with a bot that does not answer legally.

class Stubborn:
    """Declares too much; after `gives_in` refusals it declares one point, if ever."""

    name = "stubborn"

    def __init__(self, gives_in: int) -> None:
        self.left = self.gives_in = gives_in

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        self.left = self.gives_in
        return self._declare(99)

    def refused(self, order: Any, violations: Any) -> core_pb2.Order:
        self.left -= 1
        assert [violation.order_path for violation in violations] == ["declare_impulse.points"]
        return self._declare(1 if self.left == 0 else 99)

    def _declare(self, points: int) -> core_pb2.Order:
        return core_pb2.Order(white_death=orders_pb2.Order(
            declare_impulse=orders_pb2.DeclareImpulse(
                points=points, kind=terms_pb2.IMPULSE_KIND_ACTION)))


def test_a_refused_bot_is_asked_again_and_then_answered_for() -> None:
    with serving() as (_, address), LovatClient.connect(address) as client:
        result = play(client, SCENARIO, 7, {"soviet": Stubborn(2), "german": Stubborn(0)},
                      refusals=3)
    assert result.refusals == {"soviet": 4, "german": 6}
    assert [(found.side, found.kind, found.attempts, found.by_standing)
            for found in result.fallbacks] == [("german", "declare_impulse", 4, False)] * 2
    assert result.fallbacks[0].violations[0].clause == "WD 5"
    assert [record.orders[0].orders[0].white_death.declare_impulse.points
            for record in result.records] == [1, 1, 1, 1]
    assert result.level == "Draw"


class Mute(Stubborn):
    """Says nothing that can be read."""

    name = "mute"

    def _declare(self, points: int) -> core_pb2.Order:
        return core_pb2.Order()

    def refused(self, order: Any, violations: Any) -> core_pb2.Order:
        assert [violation.order_path for violation in violations] == ["white_death"]
        return order


def test_a_bot_that_cannot_be_read_is_answered_for_too() -> None:
    with serving() as (_, address), LovatClient.connect(address) as client:
        result = play(client, SCENARIO, 7, {"soviet": Mute(1), "german": Stubborn(1)})
    assert [found.side for found in result.fallbacks] == ["soviet"] * 2


def test_a_side_without_a_bot_cannot_play() -> None:
    with serving() as (_, address), LovatClient.connect(address) as client, \
            pytest.raises(MatchError, match="no bot plays the side 'german'"):
        play(client, SCENARIO, 7, {"soviet": Stubborn(1)})


def test_the_randomness_of_a_bot_is_that_of_its_seed_and_side() -> None:
    assert bot_random(7, "soviet").random() == bot_random("7", "soviet").random()
    assert bot_random(7, "soviet").random() != bot_random(7, "german").random()
