"""The `lovat` command line: every command against a small server, and real processes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2
from lovat_client.cli.app import app
from lovat_client.cli.files import next_path, read_position
from lovat_client.replay import save
from lovat_client.sdk import EmbeddedServer, LovatClient, Session
from lovat_client.sdk.server import child_environment

from .fake import SCENARIO, serving

COMMANDS = ("demo", "serve", "new", "options", "show", "legal", "submit", "impulse", "preview",
            "score", "rule", "replay", "arbiter", "web")
LOVAT = [sys.executable, "-m", "lovat_client.cli.app"]


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with serving() as (_, served):
        yield served


@pytest.fixture
def game(lovat: Any) -> Path:
    lovat("new", "game.json", "--scenario", SCENARIO, "--seed", "7")
    return Path("game.json")


def order(name: str, content: object) -> str:
    Path(name).write_text(json.dumps(content))
    return name


def one_line_of_error(result: Any) -> str:
    text: str = result.stderr
    assert text.startswith("error: ")
    assert text.count("\n") == 1
    return text


def run_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*LOVAT, *arguments], env=child_environment(), capture_output=True,
                          text=True, timeout=120, check=False)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert f"lovat {command}" in result.output


@pytest.mark.parametrize("command", ["check", "diff"])
def test_data_commands_explain_themselves(command: str) -> None:
    result = CliRunner().invoke(app, ["data", command, "--help"], terminal_width=200)
    assert f"lovat data {command}" in result.output


def test_a_position_may_be_json_or_binary(lovat: Any) -> None:
    for name in ("game.json", "game.bin"):
        assert "waits for Soviet: declare impulse" in lovat(
            "new", name, "--scenario", SCENARIO, "--seed", "7").output
    assert read_position(Path("game.json")) == read_position(Path("game.bin"))
    assert json.loads(Path("game.json").read_text())["scenario"] == SCENARIO


def test_legal_is_readable_or_json(lovat: Any, game: Path) -> None:
    text = lovat("legal", str(game)).output
    assert "Soviet: declare impulse (version 0)" in text
    assert "1 to 3 MP" in text
    assert "1 Rifle" in text
    listing = json.loads(lovat("legal", str(game), "--json").stdout)
    assert len(listing["white_death"]["units"]) == 5


@pytest.mark.parametrize("content", [
    {"declare_impulse": {"points": 3, "kind": "IMPULSE_KIND_ACTION"}},
    {"white_death": {"declare_impulse": {"points": 3, "kind": "IMPULSE_KIND_ACTION"}}},
    {"whiteDeath": {"declareImpulse": {"points": 3, "kind": "IMPULSE_KIND_ACTION"}}},
])
def test_submit_writes_the_new_position(lovat: Any, game: Path, content: object) -> None:
    text = lovat("submit", str(game), order("order.json", content)).output
    assert "game.v1.json: version 1" in text
    assert "waits for German: declare impulse" in text
    assert "impulse declared 1, weather rolled 1" in text
    assert read_position(Path("game.v1.json")).version == 1


def test_events_are_told_one_by_one_on_request(lovat: Any, game: Path) -> None:
    said = order("order.json", {"declare_impulse": {"points": 3}})
    text = lovat("submit", str(game), said, "--events", "--out", "next.bin").output
    assert "weather rolled: die=" in text
    assert read_position(Path("next.bin")).version == 1


def test_a_refusal_names_clause_place_and_facts(lovat: Any, game: Path) -> None:
    said = order("order.json", {"declare_impulse": {"points": 11}})
    for arguments in (("submit", str(game), said), ("submit", "--check", str(game), said)):
        text = lovat(*arguments, code=1).output
        assert "[WD 5] at declare_impulse.points: 11 points are not left; 10 are." in text
        assert "left 10, points 11" in text
    assert not Path("game.v1.json").exists()
    assert "Legal" in lovat("submit", "--check", str(game), order(
        "order.json", {"declare_impulse": {"points": 10}})).output


def test_an_impulse_is_played_from_orders_or_without(lovat: Any, game: Path) -> None:
    lovat("impulse", str(game))
    said = order("orders.json", [{"side": "german", "orders": [
        {"white_death": {"declare_impulse": {"points": 11}}}]}])
    lovat("impulse", "game.v1.json", said, code=1)
    said = order("orders.json", {"orders": [{"side": "german", "orders": [
        {"white_death": {"declare_impulse": {"points": 2}}}]}]})
    assert "version 2" in lovat("impulse", "game.v1.json", said).output
    assert Path("game.v2.json").exists()


def test_a_position_keeps_its_name_from_version_to_version() -> None:
    assert next_path(Path("a/game.json"), 1) == Path("a/game.v1.json")
    assert next_path(Path("a/game.v1.json"), 2) == Path("a/game.v2.json")


def test_score_is_told_line_by_line(lovat: Any, game: Path) -> None:
    text = lovat("score", str(game)).output
    assert "counted" in text
    assert "level: Draw" in text
    assert json.loads(lovat("score", str(game), "--json").stdout)["white_death"]["level"] == "Draw"


def played(address: str, path: Path) -> Path:
    with LovatClient.connect(address) as client:
        session = Session.create(client, SCENARIO, seed=7)
        while not session.is_over:
            session.submit(orders_pb2.DeclareImpulse(points=2))
        save(path, session)
    return path


def test_replay_confirms_record_by_record(lovat: Any, address: str, tmp_path: Path) -> None:
    file = played(address, tmp_path / "game.replay.jsonl")
    text = lovat("replay", str(file)).output
    assert "verified: 4 records, final checksum" in text
    assert "record 0" not in text
    text = lovat("replay", str(file), "--verbose").output
    assert [line.split(":")[0] for line in text.splitlines() if line.startswith("record")] == [
        "record 0", "record 1", "record 2", "record 3"]
    assert "record 0: ok  soviet declare impulse, 2 events, dice 0 to 1" in text


def test_replay_names_the_damaged_line(lovat: Any, address: str, tmp_path: Path) -> None:
    file = played(address, tmp_path / "game.replay.jsonl")
    text = bytearray(file.read_bytes())
    text[text.index(b"\n") + 40] ^= 4
    file.write_bytes(text)
    assert one_line_of_error(lovat("replay", str(file), code=1)).startswith("error: line 2: ")


# Errors are one line.

def test_a_server_that_is_not_there_is_one_line(lovat: Any, game: Path) -> None:
    line = one_line_of_error(lovat("score", str(game), "--server", "127.0.0.1:1", code=1))
    assert "UNAVAILABLE" in line


def test_an_unknown_scenario_is_one_line(lovat: Any) -> None:
    line = one_line_of_error(lovat("new", "x.json", "--scenario", "nowhere", code=1))
    assert "NOT_FOUND: there is no scenario 'nowhere'" in line


@pytest.mark.parametrize(("name", "content"), [
    ("x.json", b"{"), ("x.json", b"[1]"), ("x.json", b"{\"nothing\": 1}"), ("x.json", b"{}"),
    ("x.json", b"\xff\xfe"), ("x.bin", b"\xff\xff\xff"), ("x.bin", b""),
])
def test_a_file_that_is_no_position_is_one_line(lovat: Any, name: str, content: bytes) -> None:
    Path(name).write_bytes(content)
    assert name in one_line_of_error(lovat("legal", name, code=1))


@pytest.mark.parametrize("content", ["{", "[]", "\"x\"", '{"declare_impulse": {"points": -1}}',
                                     '{"no_such_order": {}}', '{"declare_impulse": 3}'])
def test_a_file_that_is_no_order_is_one_line(lovat: Any, game: Path, content: str) -> None:
    Path("order.json").write_text(content)
    assert "order.json" in one_line_of_error(lovat("submit", str(game), "order.json", code=1))


def test_a_malformed_order_is_one_line(lovat: Any, game: Path) -> None:
    line = one_line_of_error(lovat("submit", str(game), order("o.json", {"barrage": {}}), code=1))
    assert "INVALID_ARGUMENT" in line
    assert "order.white_death: nothing is set here" in line


def test_an_overlay_needs_a_server_of_ones_own(lovat: Any, game: Path) -> None:
    result = lovat("score", str(game), "--overlay", ".", code=1)
    assert "--overlay" in one_line_of_error(result)


def test_an_unknown_bot_or_layer_is_one_line(lovat: Any, game: Path) -> None:
    assert "no bot 'clever'" in one_line_of_error(lovat("demo", "--soviet", "clever", code=1))
    assert "there is no gold" in one_line_of_error(
        lovat("show", str(game), "--layers", "gold", code=1))


def test_a_file_that_cannot_be_written_is_one_line(lovat: Any) -> None:
    line = one_line_of_error(
        lovat("new", "no/such/folder/x.json", "--scenario", SCENARIO, code=1))
    assert "no/such/folder/x.json" in line


# Real processes.

def test_the_program_starts_in_a_process_of_its_own() -> None:
    done = run_process("--help")
    assert done.returncode == 0
    assert "demo" in done.stdout
    done = run_process("score", "no-such-file.json")
    assert done.returncode == 2
    assert "no-such-file.json" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_fault_of_the_program_is_one_line_too(tmp_path: Path) -> None:
    code = ("from lovat_client.cli import console, app, score\n"
            "import lovat_client.cli.files as files\n"
            "files.read_position = lambda path: 1 / 0\n"
            "app.main()\n")
    file = tmp_path / "x.json"
    file.write_text("{}")
    done = subprocess.run([sys.executable, "-c", code, "score", str(file)],
                          env=child_environment(), capture_output=True, text=True, check=False)
    assert done.returncode == 70
    assert done.stderr.startswith("error: this is a fault in lovat itself, ZeroDivisionError")
    assert done.stderr.count("\n") == 1


def test_data_are_checked_and_compared(tmp_path: Path) -> None:
    done = run_process("data", "check")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "no faults" in done.stdout
    (tmp_path / "counters.csv").write_text("id,strength\nnobody,x\n")
    done = run_process("data", "check", str(tmp_path))
    assert done.returncode == 1
    assert "counters.csv" in done.stdout
    assert "Traceback" not in done.stderr
    done = run_process("data", "diff", str(tmp_path / "missing"))
    assert done.returncode == 2


def test_an_overlay_is_told_value_by_value(tmp_path: Path) -> None:
    charts = tmp_path / "charts"
    charts.mkdir()
    own = Path(__file__).parents[2] / "scenarios" / "white_death" / "charts" / "movement.csv"
    lines = own.read_text("utf-8").splitlines()
    changed = [line.replace("clear,1/4,", "clear,1/3,") for line in lines[:2]]
    (charts / "movement.csv").write_text("\n".join(changed) + "\n")
    done = run_process("data", "diff", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "charts/movement.csv clear ski: 1/4 -> 1/3" in done.stdout
    assert "1 value changed" in done.stdout


def test_serve_runs_until_it_is_told_to_stop() -> None:
    process = subprocess.Popen([*LOVAT, "serve", "--port", "0", "--log-level", "error"],
                               env=child_environment(), stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        port = json.loads(process.stdout.readline())["port"]
        with LovatClient.connect(f"127.0.0.1:{port}") as client:
            assert client.games()
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
    finally:
        process.kill()


def test_a_command_that_is_told_to_stop_leaves_no_server(tmp_path: Path) -> None:
    process = subprocess.Popen([*LOVAT, "demo", "--quiet", "--out", str(tmp_path)],
                               env=child_environment(), stdout=subprocess.DEVNULL)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    if not children.exists():
        process.kill()
        pytest.skip("this system does not tell a process's children")
    try:
        until = time.monotonic() + 30
        while not children.read_text().strip() and time.monotonic() < until:
            time.sleep(0.05)
        server = int(children.read_text().split()[0])
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 128 + signal.SIGTERM
        assert not Path(f"/proc/{server}").exists()
    finally:
        process.kill()


def test_a_game_is_played_from_the_command_line(tmp_path: Path,
                                                monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str, code: int = 0) -> str:
        result = CliRunner().invoke(app, list(arguments), env={"COLUMNS": "160"})
        assert result.exit_code == code, result.output
        return result.output if code else result.stdout

    with EmbeddedServer() as server:
        monkeypatch.setenv("LOVAT_SERVER", server.address)
        run("new", "g.json", "--seed", "7")
        assert "German: sustain garrison" in run("legal", "g.json")
        run("submit", "g.json", order("o.json", {"sustain_garrison": {}}))
        text = run("submit", "g.v1.json", order("o.json", {"move_and_declare": {}}), code=1)
        assert "at the whole order" in text
        run("submit", "g.v1.json", order("o.json", {
            "declare_impulse": {"points": 4, "kind": "IMPULSE_KIND_ACTION"}}))
        listing = json.loads(run("legal", "g.v2.json", "--json"))["white_death"]
        unit = listing["units"][0]["unit"]
        text = run("legal", "g.v2.json", "--unit", unit)
        assert unit in text
        assert "more" not in text
        assert "version 3" in run("impulse", "g.v2.json")
        for side in ((), ("--side", "german")):
            text = run("show", "g.v3.json", "--svg", "map.svg", "--zoc", *side,
                       "--region", "1815-2830")
            assert "Purkayev's Attack" in text
            assert "Zones:" in text
            assert Path("map.svg").read_text("utf-8").rstrip().endswith("</svg>")
        assert run("show", "g.v3.json", "--no-text", "--svg", "map.svg").startswith("map.svg:")
        assert "1815-2830" in run("show", "g.v3.json", "--region", "18", code=1)
        assert "side" in run("show", "g.v3.json", "--side", "finnish", code=1)
        assert "level: German Victory" in run("score", "g.v3.json")


def test_an_order_may_be_in_binary(lovat: Any, game: Path) -> None:
    said = core_pb2.Order()
    said.white_death.declare_impulse.points = 2
    Path("order.bin").write_bytes(said.SerializeToString())
    assert "version 1" in lovat("submit", str(game), "order.bin").output
