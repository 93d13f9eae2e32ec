"""Replay files: what is written is read back, and nothing in them can change unnoticed."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from lovat.white_death.v1 import orders_pb2
from lovat_client.replay import (
    Header,
    ReplayFileError,
    ReplayWriter,
    confirm,
    read_replay,
    save,
    write_replay,
)
from lovat_client.sdk import LovatClient, Session

from .fake import SCENARIO, serving


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as (_, served):
        yield served


@pytest.fixture(scope="module")
def session(address: str) -> Iterator[Session]:
    with LovatClient.connect(address) as client:
        played = Session.create(client, SCENARIO, seed=7)
        while not played.is_over:
            played.submit(orders_pb2.DeclareImpulse(points=2))
        yield played


@pytest.fixture
def file(session: Session, tmp_path: Path) -> Path:
    path = tmp_path / "game.replay.jsonl"
    save(path, session)
    return path


def test_a_file_is_read_as_it_was_written(file: Path, session: Session) -> None:
    log = read_replay(file)
    assert log.header == Header.of(session)
    assert log.records == session.records
    assert log.checksum == session.position.checksum
    assert log.header.start.create.seed == "7"


def test_the_same_game_gives_the_same_bytes(file: Path, session: Session, tmp_path: Path) -> None:
    save(tmp_path / "again", session)
    assert (tmp_path / "again").read_bytes() == file.read_bytes()


def test_every_line_is_json(file: Path) -> None:
    lines = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    assert list(lines[0]) == ["header", "chain"]
    assert lines[0]["header"]["format"] == 1
    assert [next(iter(line)) for line in lines[1:-1]] == ["record"] * 4
    assert lines[-1]["end"]["records"] == 4


def line_of(text: bytes, place: int) -> int:
    """The line, from 1, that holds a byte; a line feed belongs to the line that it ends."""
    return text[:place].count(b"\n") + 1


@pytest.mark.parametrize("trial", range(50))
def test_a_flipped_byte_is_found_and_its_line_named(file: Path, trial: int) -> None:
    text = bytearray(file.read_bytes())
    chance = random.Random(trial)
    place = chance.randrange(len(text))
    text[place] ^= 1 << chance.randrange(8)
    file.write_bytes(text)
    with pytest.raises(ReplayFileError) as error:
        read_replay(file)
    assert error.value.line == line_of(file.read_bytes()[:place] + b"x", place)


@pytest.mark.parametrize("byte", [b"\n", b" ", b"\r"])
def test_a_line_feed_put_in_or_changed_is_found(file: Path, byte: bytes) -> None:
    text = file.read_bytes()
    for place in (index for index, char in enumerate(text) if char == 10):
        for damaged in (text[:place] + byte + text[place:], text[:place] + text[place + 1:]):
            file.write_bytes(damaged)
            with pytest.raises(ReplayFileError):
                read_replay(file)


def test_a_line_taken_out_or_put_in_twice_is_found(file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for place in range(len(lines)):
        for damaged in (lines[:place] + lines[place + 1:], lines[:place + 1] + lines[place:]):
            file.write_bytes(b"".join(damaged))
            with pytest.raises(ReplayFileError) as error:
                read_replay(file)
            assert error.value.line in (place + 1, place + 2)


def test_a_file_that_was_not_closed_says_so(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "open"
    writer = ReplayWriter(path, Header.of(session))
    writer.write(session.records[0])
    writer.__exit__(RuntimeError, RuntimeError("the game broke off"), None)
    with pytest.raises(ReplayFileError, match="ends before its closing line") as error:
        read_replay(path)
    assert error.value.line == 3


@pytest.mark.parametrize("content", [b"", b"\n", b"hello\n", b"{}\n", b"\xff\xfe\n"])
def test_something_else_is_no_replay_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(ReplayFileError) as error:
        read_replay(path)
    assert error.value.line == 1


def test_a_record_that_does_not_follow_is_found(session: Session, tmp_path: Path) -> None:
    path = tmp_path / "gap"
    write_replay(path, Header.of(session), [session.records[0], session.records[2]])
    with pytest.raises(ReplayFileError, match="does not begin where") as error:
        read_replay(path)
    assert error.value.line == 3


def test_a_true_game_is_confirmed(file: Path, address: str) -> None:
    with LovatClient.connect(address) as client:
        found = confirm(client, read_replay(file))
    assert found.is_confirmed
    assert found.records == 4
    assert found.is_dice_verified


def test_a_false_die_is_found_though_its_seal_is_whole(session: Session, tmp_path: Path,
                                                       address: str) -> None:
    path = tmp_path / "false"
    records = [type(record).FromString(record.SerializeToString()) for record in session.records]
    rolled = records[2].events[1].white_death.weather_rolled
    rolled.die = rolled.die % 6 + 1
    write_replay(path, Header.of(session), records)
    with LovatClient.connect(address) as client:
        found = confirm(client, read_replay(path))
    assert not found.is_confirmed
    assert found.records == 2
    assert found.problem.startswith("record 2 (line 4): events")


def test_a_game_of_other_data_is_not_played_at_all(session: Session, tmp_path: Path,
                                                   address: str) -> None:
    header = Header.of(session)
    other = Header(header.game, header.scenario, header.ruleset_version, "0" * 64,
                   header.checksum, header.start)
    path = tmp_path / "other"
    write_replay(path, other, session.records)
    with LovatClient.connect(address) as client:
        found = confirm(client, read_replay(path))
    assert "catalog" in found.problem
