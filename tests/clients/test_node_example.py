"""The seat in Node, as its README has it: installed from its lock, at a real arbiter."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from lovat.play.v1 import match_service_pb2 as play

from .arbiter.playing import Hall
from .arbiter.processes import ArbiterProcess
from .readme import ROOT, Terminals

EXAMPLE = ROOT / "clients" / "examples" / "node"
MOST_DECISIONS = 4
NO_REGISTRY = ("ENOTFOUND", "EAI_AGAIN", "ECONNREFUSED", "ECONNRESET", "ETIMEDOUT", "ENETUNREACH",
               "E403", "E503")


def node_version() -> int:
    """The major version of Node; 0 if there is none."""
    node = shutil.which("node")
    if node is None:
        return 0
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    found = re.match(r"v(\d+)", said)
    return int(found[1]) if found else 0


pytestmark = [
    pytest.mark.skipif(node_version() < 20, reason="there is no Node 20 or newer on PATH"),
    pytest.mark.skipif(shutil.which("npm") is None, reason="there is no npm on PATH"),
]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example with its packages, as the lock file has them."""
    folder = tmp_path_factory.mktemp("node") / "example"
    shutil.copytree(EXAMPLE, folder, ignore=shutil.ignore_patterns("node_modules"))
    done = subprocess.run(
        ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries", "1"],
        cwd=folder, capture_output=True, text=True, check=False, timeout=600)
    if done.returncode != 0 and any(word in done.stderr for word in NO_REGISTRY):
        pytest.skip(f"the npm registry is not to be had: {done.stderr.strip().splitlines()[0]}")
    assert done.returncode == 0, done.stderr
    return folder


def node(example: Path, *arguments: str) -> str:
    return " ".join(["node", str(example / "index.js"), "--proto", str(ROOT / "proto"), *arguments])


def match_against_a_bot(hall: Hall) -> tuple[str, str]:
    """An open match of which the Germans are taken: its id and their token."""
    created = hall.create(open=True)
    token = hall.lobby.join(created.match.match_id, "Bot", side="german").token
    return created.match.match_id, token


def test_a_seat_is_taken_and_played(example: Path, arbiter: ArbiterProcess,
                                    tmp_path: Path) -> None:
    terminals = Terminals(tmp_path, LOVAT_ARBITER=arbiter.address)
    with Hall(arbiter.address) as hall:
        match_id, token = match_against_a_bot(hall)
        with terminals.opened("exec lovat bot random", LOVAT_TOKEN=token) as bot:
            said = terminals.run(node(example, "--decisions", str(MOST_DECISIONS), match_id))
            with hall.connect(token) as german:
                info = german.turn(without_listing=True).match
                german.resign()
            assert bot.wait()
            assert bot.process.returncode == 0
        entries = hall.lobby.replay(match_id)[1]
    assert [seat.player for seat in info.seats] == ["Node", "Bot"]
    assert f"soviet in match {match_id}, purkayevs-attack" in said
    assert f"decisions: {MOST_DECISIONS}\n" in said
    answered = [entry.record.orders[0].side for entry in entries]
    assert answered.count("soviet") == MOST_DECISIONS
    told = re.findall(r"^version (\d+): (\w+)$", said, re.MULTILINE)
    assert [entry.record.version for entry in entries
            if entry.record.orders[0].side == "soviet"] == [int(version) for version, _ in told]


@pytest.mark.soak
def test_a_match_is_played_to_its_end(example: Path, arbiter: ArbiterProcess,
                                      tmp_path: Path) -> None:
    terminals = Terminals(tmp_path, LOVAT_ARBITER=arbiter.address)
    with Hall(arbiter.address) as hall:
        match_id, token = match_against_a_bot(hall)
        with terminals.opened("exec lovat bot random", LOVAT_TOKEN=token) as bot:
            said = terminals.run(node(example, match_id))
            assert "the match is over: played to its end" in bot.wait()
        result = hall.lobby.turn(match_id).match.result
    assert result.ending == play.ENDING_PLAYED
    score = result.score.white_death
    assert re.search(rf"^over: ENDING_PLAYED \w* {score.points} {score.level}$", said, re.MULTILINE)


def test_what_cannot_be_played_is_one_line_of_error(example: Path, arbiter: ArbiterProcess,
                                                    tmp_path: Path) -> None:
    terminals = Terminals(tmp_path, LOVAT_ARBITER=arbiter.address)
    command = node(example) + " 2>&1"
    assert terminals.run(command, code=1) == (
        "error: expected a token in LOVAT_TOKEN, or the id of an open match\n")
    assert terminals.run(command, code=1, LOVAT_TOKEN="x.soviet.y") == (
        "error: the token is not known\n")


def test_no_packages_are_committed_or_shipped() -> None:
    assert "node_modules/" in (ROOT / ".gitignore").read_text("utf-8").splitlines()
    lock = (EXAMPLE / "package-lock.json").read_text("utf-8")
    assert lock.count('"integrity"') > 10
