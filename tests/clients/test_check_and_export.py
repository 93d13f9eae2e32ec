"""`lovat check` and `lovat export`, and the document that other programs read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lovat.rules.v1 import core_pb2
from lovat_client import exporting, replay
from lovat_client.cli.app import app
from lovat_client.cli.files import read_position, write_position
from lovat_client.sdk import LovatClient, Session

SCENARIO = "purkayevs-attack"


@pytest.fixture(scope="module")
def session(address: str) -> Iterator[Session]:
    """A game with its first impulse played."""
    with LovatClient.connect(address) as client:
        found = Session.create(client, SCENARIO, seed=7, standard_set_up=True)
        found.resolve_impulse()
        found.resolve_impulse()
        yield found


@pytest.fixture
def game(lovat: Any) -> Path:
    lovat("new", "game.json", "--seed", "7")
    return Path("game.json")


def test_a_sound_position(lovat: Any, game: Path) -> None:
    checksum = read_position(game).checksum
    assert lovat("check", "game.json").stdout == f"game.json: sound; checksum {checksum}\n"
    position = read_position(game)
    position.state.ClearField("dice")
    position.checksum = ""
    write_position(Path("bare.bin"), position)
    assert lovat("check", "bare.bin").stdout == "bare.bin: sound; it has no dice\n"


def test_every_fault_is_told_in_words(lovat: Any, game: Path) -> None:
    position = read_position(game)
    position.state.white_death.turn = 9
    position.state.white_death.rail_moved[0] = 30
    write_position(game, position)
    text = lovat("check", "game.json", code=1).stdout
    assert text.startswith("Faults: 3 in the position; 1 of them make play impossible.\n")
    assert "[WD 25] at turn: " in text
    assert "[WD 8] at rail_moved[0]: " in text


def test_fields_that_cannot_be_read_are_told_line_by_line(lovat: Any, game: Path) -> None:
    position = read_position(game)
    position.state.white_death.units[3].hex = 9999
    position.state.white_death.units[7].status = 1 << 20
    write_position(game, position)
    lines = lovat("check", "game.json", code=1).stdout.splitlines()
    assert lines[0].startswith("Unreadable: 2 fields of the position; ")
    assert lines[1].startswith("  position.state.white_death.units[3].hex: ")
    assert lines[2].startswith("  position.state.white_death.units[7].status: ")
    assert "9999" in lines[1]


def test_another_failure_is_one_line(lovat: Any, game: Path) -> None:
    result = lovat("check", "game.json", "--server", "127.0.0.1:1", code=1)
    assert result.stderr.startswith("error: CheckPosition: UNAVAILABLE")
    assert result.stderr.count("\n") == 1


def test_a_position_comes_back_from_its_document(lovat: Any, game: Path) -> None:
    write_position(Path("game.bin"), read_position(game))
    assert lovat("export", "game.bin", "out.json").stdout.startswith("out.json: a position, ")
    export = exporting.read_export(Path("out.json"))
    assert export == exporting.Export(read_position(game))
    document = json.loads(Path("out.json").read_text())
    assert document["lovat"] == {"format": 1, "kind": "position"}
    assert document["position"] == json.loads(game.read_text())


def test_a_game_comes_back_from_its_document(lovat: Any, session: Session) -> None:
    replay.save(Path("game.replay.jsonl"), session)
    write_position(Path("game.bin"), session.position)
    text = lovat("export", "game.bin", "out.json", "--log", "game.replay.jsonl").stdout
    assert text.startswith("out.json: position 2 of a log of 2 records, ")
    export = exporting.read_export(Path("out.json"))
    assert export.position == session.position
    assert export.log is not None
    assert (export.log.at, export.log.start) == (2, session.start)
    assert export.log.records == tuple(session.records)
    assert export.log.checksum == session.position.checksum
    # Written again it is the same text, and its keys are sorted.
    document = Path("out.json").read_text()
    assert exporting.dumps(export) == document
    assert json.dumps(json.loads(document), indent=1, sort_keys=True,
                      ensure_ascii=False) + "\n" == document
    # The server confirms what was read back.
    assert session.client.replay(export.log.start, export.log.records).verified


def test_the_position_must_be_in_the_log(lovat: Any, session: Session, game: Path) -> None:
    replay.save(Path("game.replay.jsonl"), session)
    lovat("export", "game.json", "out.json", "--log", "game.replay.jsonl")
    log = exporting.read_export(Path("out.json")).log
    assert log is not None
    assert log.at == 0
    lovat("new", "other.json", "--seed", "8")
    result = lovat("export", "other.json", "no.json", "--log", "game.replay.jsonl", code=1)
    assert result.stderr.startswith(f"error: the position (of {SCENARIO}, version 0, checksum ")
    assert f"is not in the log of {SCENARIO}; expected one of its 3 positions" in result.stderr
    assert not Path("no.json").exists()
    result = lovat("export", "other.json", "no.bin", code=1)
    assert result.stderr == "error: no.bin: expected a name that ends in .json\n"


GOOD = {"lovat": {"format": 1, "kind": "game"}, "position": {"game": "white_death"},
        "log": {"at": 0, "start": {}, "records": [], "checksum": ""}}


def test_the_smallest_documents_are_read() -> None:
    export = exporting.loads(json.dumps(GOOD))
    assert export.position == core_pb2.Position(game="white_death")
    assert export.log is not None
    assert export.log.records == ()


@pytest.mark.parametrize(("text", "said"), [
    ("{", "this is no JSON"), ("[" * 100_000, "this is no JSON"),
    ("[]", "the document: 'lovat' is NoneType; expected an object"),
    ('{"lovat": {"format": 2, "kind": "game"}}', 'lovat: {"format": 2, "kind": "game"}; expected'),
    ('{"lovat": {"format": 1, "kind": "view"}}', "expected format 1 and the kind"),
    (json.dumps({**GOOD, "position": []}), "the document: 'position' is list; expected an object"),
    (json.dumps({**GOOD, "position": {"games": 1}}), "position: "),
    (json.dumps({**GOOD, "log": {}}), "log: 'records' is NoneType; expected a list"),
    (json.dumps({**GOOD, "log": {**GOOD["log"], "at": True}}), "log: 'at' is bool; expected a who"),
    (json.dumps({**GOOD, "log": {**GOOD["log"], "at": 1}}), "log.at: 1; expected 0 to 0"),
    (json.dumps({**GOOD, "log": {**GOOD["log"], "records": [{"version": "x"}]}}),
     "log.records[0]: "),
    (json.dumps({**GOOD, "log": {**GOOD["log"], "records": [3]}}), "log.records[0]: "),
])
def test_a_document_that_cannot_be_read(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "out.json"
    path.write_text(text)
    with pytest.raises(exporting.ExportError) as caught:
        exporting.read_export(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert said in str(caught.value)


def test_a_document_in_another_encoding(tmp_path: Path) -> None:
    path = tmp_path / "out.json"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(exporting.ExportError, match="this is no text"):
        exporting.read_export(path)


@pytest.mark.parametrize("command", ["check", "export"])
def test_the_commands_explain_themselves(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert f"lovat {command}" in result.output
