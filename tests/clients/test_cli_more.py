"""`lovat notation` and `lovat show --notation` against the real rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lovat_client.cli.app import app
from lovat_client.cli.files import read_position

SCENARIO = "purkayevs-attack"


@pytest.fixture
def game(lovat: Any) -> Path:
    lovat("new", "game.json", "--scenario", SCENARIO, "--seed", "7")
    return Path("game.json")


@pytest.mark.parametrize("command", ["read", "write"])
def test_notation_commands_explain_themselves(command: str) -> None:
    result = CliRunner().invoke(app, ["notation", command, "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert f"lovat notation {command}" in result.output


def test_show_prints_the_notation(lovat: Any, game: Path) -> None:
    text = lovat("show", str(game), "--notation").stdout
    assert text.startswith(f"scenario {SCENARIO}\nturn 1\n")
    assert text == lovat("notation", "write", str(game)).stdout
    lovat("show", str(game), "--notation", "--svg", "map.svg")
    assert "<svg" in Path("map.svg").read_text()


def test_the_notation_of_one_side_cannot_be_had(lovat: Any, game: Path) -> None:
    result = lovat("show", str(game), "--notation", "--side", "german", code=1)
    assert result.stderr.startswith("error: --notation is of the whole position")


def test_a_position_goes_to_text_and_back(lovat: Any, game: Path) -> None:
    assert "lines" in lovat("notation", "write", str(game), "game.txt").output
    text = lovat("notation", "read", "game.txt", "again.bin", "--seed", "7").output
    assert text.startswith(f"again.bin: {SCENARIO}, version 0, checksum ")
    assert "Faults" not in text
    assert read_position(Path("again.bin")).state.white_death == \
        read_position(game).state.white_death


def test_a_text_that_was_edited_tells_its_faults(lovat: Any, game: Path) -> None:
    lovat("notation", "write", str(game), "game.txt")
    lines = Path("game.txt").read_text().splitlines()
    lines.insert(2, "rail-moved soviet 30")
    Path("game.txt").write_text("\n".join(lines))
    text = lovat("notation", "read", "game.txt", "odd.json").output
    assert "Faults: 1 in the position; it can be played on all the same." in text
    assert "[WD 8] at rail_moved[0]: " in text
    Path("game.txt").write_text("\n".join(lines).replace("turn 1", "turn 9"))
    text = lovat("notation", "read", "game.txt", "odd.json").output
    assert "1 of them make play impossible" in text
    assert "[WD 25] at turn: " in text


def test_orders_go_to_text_and_back(lovat: Any, game: Path) -> None:
    Path("order.json").write_text(json.dumps(
        {"declare_impulse": {"points": 4, "kind": "IMPULSE_KIND_ACTION"}}))
    text = lovat("notation", "write", str(game), "--orders", "order.json").output
    assert text == "declare 4 action\n"
    Path("orders.txt").write_text(text + "move\n  deploy s-28-88-inf\n")
    told = lovat("notation", "read", "orders.txt", "said.json", "--orders",
                 "--scenario", SCENARIO).output
    assert told == "said.json: declare_impulse\nsaid.2.json: move_and_declare\n"
    assert json.loads(Path("said.json").read_text())["white_death"]["declare_impulse"] == {
        "points": 4, "kind": "IMPULSE_KIND_ACTION"}
    lovat("submit", str(game), "said.json", "--check", code=1)     # another decision is pending


def test_a_text_that_cannot_be_read_is_one_line_of_error(lovat: Any) -> None:
    Path("bad.txt").write_text(f"scenario {SCENARIO}\nturn one\n")
    result = lovat("notation", "read", "bad.txt", "out.json", code=1)
    assert result.stderr.startswith("error: ")
    assert "line 2, column 6" in result.stderr
    assert result.stderr.count("\n") == 1
    Path("bad.txt").write_bytes(b"\xff\xfe\x00")
    assert "is no text" in lovat("notation", "read", "bad.txt", "out.json", code=1).stderr
    assert not Path("out.json").exists()
