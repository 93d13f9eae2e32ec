"""`lovat match` against a real arbiter, and the README's match played from its words alone."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from google.protobuf import json_format
from typer.testing import CliRunner

from lovat.play.v1 import match_service_pb2 as play
from lovat_client.cli import seat
from lovat_client.cli.app import app

from .arbiter.playing import Hall
from .arbiter.processes import ArbiterProcess, free_port
from .readme import Terminals, blocks, chapter, until

CHAPTER = chapter("README.md", "Play a match")
COMMANDS = ("create", "list", "join", "show", "replay", "turn", "submit", "watch", "resign",
            "abort", "adjourn", "resume")


class Lovat:
    """The command line at an arbiter; `token` is sent with every command."""

    def __init__(self, arbiter: str, rules: str) -> None:
        self.environment = {"LOVAT_ARBITER": arbiter, "LOVAT_SERVER": rules, "COLUMNS": "160",
                            "LOVAT_TOKEN": "", "LOVAT_INVITATION": ""}
        self.token = ""

    def __call__(self, *arguments: str, code: int = 0, said: str | None = None) -> Any:
        result = CliRunner().invoke(app, ["match", *arguments], input=said, env={
            **self.environment, "LOVAT_TOKEN": self.token})
        assert result.exit_code == code, result.output
        assert "Traceback" not in result.output
        return result

    def error(self, *arguments: str, said: str | None = None) -> str:
        """The one line of error of a command that fails."""
        text: str = self(*arguments, code=1, said=said).stderr
        assert text.startswith("error: ")
        assert text.count("\n") == 1
        return text


@pytest.fixture
def lovat(arbiter: ArbiterProcess, rules: str, tmp_path: Path,
          monkeypatch: pytest.MonkeyPatch) -> Lovat:
    monkeypatch.chdir(tmp_path)
    return Lovat(arbiter.address, rules)


@pytest.fixture
def seats(lovat: Lovat) -> Callable[..., dict[str, str]]:
    """Opens a match and takes both seats; the tokens by side."""
    def take(*options: str) -> dict[str, str]:
        created = json.loads(lovat("create", "--json", *options).stdout)
        match_id = created["match"]["match_id"]
        return {one["side"]: lovat("join", match_id, "--player", one["side"].title(),
                                   "--invitation", one["invitation"]).stdout.strip()
                for one in created["invitations"]}
    return take


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(command: str) -> None:
    result = CliRunner().invoke(app, ["match", command, "--help"], terminal_width=200)
    assert result.exit_code == 0
    assert f"Example: lovat match {command}" in result.output or (
        f"lovat match {command}" in result.output)


def test_a_match_is_opened_listed_and_joined(lovat: Lovat) -> None:
    text = lovat("create", "--name", "An evening", "--decision-seconds", "60",
                 "--illegal-limit", "5", "--illegal", "forfeit").stdout
    match_id = re.match(r"match (\w+) 'An evening': purkayevs-attack, waiting\n", text)
    assert match_id is not None
    invitations = dict(re.findall(r"invitation of (\w+): (\S+)", text))
    assert set(invitations) == {"soviet", "german"}
    assert "soviet: free, by invitation" in text
    assert "clocks: 60 seconds a decision" in text
    assert match_id[0].strip() in lovat("list", "--state", "waiting").stdout
    assert "there are no such matches" in lovat("list", "--scenario", "no-such").stdout
    policy = json.loads(lovat("show", match_id[1], "--json").stdout)["policy"]
    assert (policy["illegal"], policy["illegal_limit"], policy["late"]) == (
        "REMEDY_FORFEIT", 5, "REMEDY_DEFAULT_ORDER")
    assert "the invitation is not for a seat" in lovat.error(
        "join", match_id[1], "--player", "Anna")
    joined = lovat("join", match_id[1], "--player", "Anna", "--invitation",
                   invitations["german"])
    assert re.fullmatch(rf"{match_id[1]}\.german\.\S+\n", joined.stdout), "nothing but the token"
    assert "Anna has the german seat" in joined.stderr
    assert joined.stdout.strip() not in joined.stderr
    assert "german: Anna" in lovat("show", match_id[1]).stdout


def test_the_only_open_match_needs_no_id(lovat: Lovat) -> None:
    match_id = json.loads(lovat("create", "--open", "--json").stdout)["match"]["match_id"]
    first = lovat("join", "--player", "Anna", "--side", "soviet").stdout
    assert first.startswith(f"{match_id}.soviet.")
    lovat("create", "--open", "--unlisted")
    assert lovat("join", "--player", "Ben").stdout.startswith(f"{match_id}.german.")
    assert "no open match waits for players" in lovat.error("join", "--player", "Eve")
    for _ in range(2):
        lovat("create", "--open")
    assert "2 open matches wait for players, name one" in lovat.error("join", "--player", "Eve")


def test_a_turn_is_shown_and_played_in_words(lovat: Lovat, seats: Any) -> None:
    tokens = seats("--seed", "7")
    lovat.token = tokens["soviet"]
    waiting = lovat("turn").stdout
    assert "turn 1, version 0: you are soviet\nwaits for German: sustain garrison\n" in waiting
    assert "german decides now" in lovat.error("submit", "-", said="declare 4 action")

    lovat.token = tokens["german"]
    assert "may be bought out of isolation" in lovat("turn").stdout
    assert "Legal." in lovat("submit", "-", "--check", said="sustain-garrison no").stdout
    done = lovat("submit", "-", "--version", "0", said="sustain-garrison no").stdout
    assert "version 1, waits for Soviet: declare impulse" in done
    assert "waits for Soviet: declare impulse (version 1)" in lovat("show").stdout

    lovat.token = tokens["soviet"]
    assert "it is your turn, soviet: declare impulse" in lovat(
        "watch", "--new", "--until-turn").stdout
    refused = lovat("submit", "-", said="declare 400 action", code=1).stdout
    assert "Refused: 1 rule is broken; nothing has changed." in refused
    assert re.search(r"\[WD [^]]+\] at points", refused)
    Path("order.json").write_text(json.dumps(
        {"declare_impulse": {"points": 4, "kind": "IMPULSE_KIND_ACTION"}}))
    assert "Legal." in lovat("submit", "order.json", "--check").stdout
    Path("orders.txt").write_text("declare 4 action\nmove\n")
    done = lovat("submit", "orders.txt", "--events").stdout
    assert "version 2, waits for Soviet: move and declare" in done
    assert "version 3, waits for" in done
    assert "impulse declared: " in done


def test_a_turn_is_drawn_as_text_and_as_a_picture(lovat: Lovat, seats: Any) -> None:
    tokens = seats()
    lovat.token = tokens["german"]
    shown = lovat("turn", "--map", "--region", "1820-2624", "--svg", "map.svg", "--zoc").stdout
    assert "Purkayev's Attack | turn 1" in shown
    assert "Velikiye Luki" in shown
    assert "<svg" in Path("map.svg").read_text()
    found = json_format.Parse(lovat("turn", "--json").stdout, play.GetTurnResponse())
    assert (found.side, found.decision.kind) == ("german", "sustain_garrison")
    assert "expected two hexes" in lovat.error("turn", "--region", "here")
    match_id, lovat.token = found.match.match_id, ""
    assert "nothing to show yet" in lovat.error("turn", match_id)


def test_a_unit_is_listed_with_every_hex(lovat: Lovat, seats: Any) -> None:
    tokens = seats("--seed", "7")
    lovat.token = tokens["german"]
    lovat("submit", "-", said="sustain-garrison no")
    lovat.token = tokens["soviet"]
    lovat("submit", "-", said="declare 4 action")
    found = json_format.Parse(lovat("turn", "--json").stdout, play.GetTurnResponse())
    unit = next(option for option in found.listing.white_death.units if len(option.hexes) > 8)
    assert "more" in lovat("turn").stdout
    alone = lovat("turn", "--unit", unit.unit, "--json").stdout
    listed = json_format.Parse(alone, play.GetTurnResponse()).listing.white_death
    assert [option.unit for option in listed.units] == [unit.unit]
    assert "and" not in lovat("turn", "--unit", unit.unit).stdout.partition("Movement")[2]


def test_a_match_is_watched_and_resigned_and_kept(lovat: Lovat, seats: Any) -> None:
    tokens = seats("--seed", "7")
    lovat.token = tokens["german"]
    lovat("submit", "-", said="sustain-garrison yes")
    assert "the log and the dice are shown after the end" in lovat.error("replay", "g.jsonl")
    aborted = CliRunner().invoke(app, ["match", "resign"], input="n\n", env={
        **lovat.environment, "LOVAT_TOKEN": lovat.token})
    assert aborted.exit_code == 1
    assert "Give up the match as german?" in aborted.output
    over = lovat("resign", "--yes").stdout
    assert "the match is over: ended by a resignation; soviet wins" in over
    assert "soviet wins" in lovat("turn").stdout
    lovat.token = ""
    match_id = tokens["german"].partition(".")[0]
    told = lovat("watch", match_id).stdout
    assert [line[0] for line in told.splitlines() if re.match(r"\d+\. ", line)] == list("12345")
    assert "1. Soviet takes the soviet seat" in told
    assert "4. German: sustain garrison" in told
    assert "  waits for Soviet: declare impulse" in told
    assert "5. the match is over: ended by a resignation; soviet wins" in told
    assert "unit placed: " in lovat("watch", match_id, "--events").stdout
    assert lovat("watch", match_id, "--after", "4").stdout.startswith("5. the match is over")
    assert "g.jsonl: 1 records" in lovat("replay", "g.jsonl", match_id).stdout
    checked = CliRunner().invoke(app, ["replay", "g.jsonl"], env=lovat.environment)
    assert "verified: 1 records" in checked.stdout


def test_clocks_are_shown_and_what_the_arbiter_did_for_a_late_seat(
    lovat: Lovat, seats: Any, hall: Hall,
) -> None:
    tokens = seats("--decision-seconds", "0.3", "--game-seconds", "3600")
    lovat.token = tokens["german"]
    seat = hall.connect(tokens["german"])
    until(lambda: seat.turn(without_listing=True).version >= 1)
    shown = lovat("show").stdout
    assert re.search(r"clock of german: .*\d+ seconds for the game", shown)
    assert re.search(r"german: German, .*lapses \d", shown)
    lovat("resign", "--yes")
    assert re.search(r"\. German: sustain garrison \(by the arbiter: german .*\)",
                     lovat("watch").stdout)


def test_seats_agree_to_stop_and_to_go_on_and_to_end(lovat: Lovat, seats: Any) -> None:
    tokens = seats()
    lovat.token = tokens["soviet"]
    assert "soviet: Soviet, asks to stop for now" in lovat("adjourn").stdout
    assert "asks" not in lovat("adjourn", "--withdraw").stdout
    lovat("adjourn")
    lovat.token = tokens["german"]
    assert "adjourned" in lovat("adjourn").stdout
    assert "the match is adjourned" in lovat.error("submit", "-", said="sustain-garrison no")
    assert "german: German, asks to go on" in lovat("resume").stdout
    lovat.token = tokens["soviet"]
    assert "running" in lovat("resume").stdout
    lovat("abort")
    lovat.token = tokens["german"]
    assert "ended by agreement, without a winner" in lovat("abort").stdout
    assert "soviet asks to end without a winner" in lovat("watch").stdout


@pytest.mark.parametrize(("arguments", "said"), [
    (("show",), "this needs the id of a match, or a seat's token"),
    (("show", "nowhere"), "there is no such match"),
    (("submit", "-"), "this needs the token of a seat"),
    (("resign", "--yes"), "this needs the token of a seat"),
    (("join", "nowhere", "--player", "Anna"), "there is no such match"),
    (("join", "nowhere"), "--player is needed"),
    (("create", "--scenario", "nowhere"), "nowhere"),
    (("create", "--seed", "7" * 65), "seed"),
    (("create", "--option", "no_such=true"), "there is no option 'no_such'"),
    (("create", "--decision-seconds", "1e30"), "time_control.decision_seconds"),
    (("show", "x", "--token", "spoilt by a space"), "the token has a space"),
    (("show", "--token", "x.soviet.secret"), "the token is not known"),
])
def test_what_cannot_be_done_is_one_line_of_error(
    lovat: Lovat, arguments: tuple[str, ...], said: str,
) -> None:
    text = lovat.error(*arguments)
    assert said in text
    assert "secret" not in text
    assert "spoilt by" not in text


@pytest.mark.parametrize(("file", "text", "said"), [
    ("order.txt", "march on", "line 1, column 1"),
    ("order.txt", "# nothing", "the text has no order in it"),
    ("order.json", "{", "order.json is no JSON"),
    ("order.json", '{"march": 1}', "order.json is no Order"),
    ("order.bin", "what is this?", "order.bin is no Order"),
])
def test_an_order_that_cannot_be_read_is_one_line_of_error(
    lovat: Lovat, seats: Any, file: str, text: str, said: str,
) -> None:
    lovat.token = seats()["german"]
    Path(file).write_text(text)
    assert said in lovat.error("submit", file)
    assert "there is no file elsewhere" in lovat.error("submit", "elsewhere")


def test_an_order_for_a_decision_that_is_over_is_not_carried_out(lovat: Lovat, seats: Any) -> None:
    lovat.token = seats()["german"]
    assert "the match is at version 0" in lovat.error(
        "submit", "-", "--version", "3", said="sustain-garrison no")
    assert "order 2 of 2 was not given: the match now waits for Soviet" in lovat.error(
        "submit", "-", said="sustain-garrison no\ndeclare 4 action")


def test_an_arbiter_that_does_not_answer_is_waited_for_and_named(
    lovat: Lovat, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seat, "PATIENCE", 0.5)
    monkeypatch.setattr(seat, "NOTICE", 0.2)
    address = f"127.0.0.1:{free_port()}"
    text = lovat("show", "x", "--arbiter", address, code=1).stderr
    notice, error = text.splitlines()
    assert notice == f"no answer yet from the arbiter at {address}; trying for 0.5 seconds"
    assert error.startswith("error: GetTurn: UNAVAILABLE")


# "Play a match" of the README, command by command.

@pytest.fixture
def terminals(rules: str, tmp_path: Path) -> Terminals:
    """Terminals in which the arbiter is the one that the commands start."""
    port = free_port()
    return Terminals(
        tmp_path, LOVAT_SERVER=rules, LOVAT_ARBITER_PORT=str(port),
        LOVAT_ARBITER=f"127.0.0.1:{port}", LOVAT_ARBITER_DATABASE="matches.db")


def token_of(terminals: Terminals, match: str) -> str:
    """What the second terminal has in LOVAT_TOKEN: the first line takes the seat."""
    join, *_ = match.splitlines()
    return terminals.run(f'{join}\necho "$LOVAT_TOKEN"').strip()


def test_a_match_begins_from_the_words_of_the_readme(terminals: Terminals) -> None:
    host, anna, rest = blocks(CHAPTER)
    with terminals.opened(host) as first:
        first.wait_for("Ben has the soviet seat")
        token = token_of(terminals, anna)
        said = terminals.run("\n".join(anna.splitlines()[1:]), LOVAT_TOKEN=token)
        assert "version 0: you are german\nwaits for German: sustain garrison" in said
        assert "version 1, waits for Soviet: declare impulse" in said
        assert "it is your turn, german: " in said
        assert "Purkayev's Attack | turn 1" in said
        bot, *keep = rest.splitlines()
        with terminals.opened(f"exec {bot} --verbose", LOVAT_TOKEN=token) as second:
            until(lambda: second.text.count("version ") >= 3)
            second.process.send_signal(signal.SIGTERM)
            assert "the bot has left" in second.wait()
        terminals.run("lovat match resign --yes", LOVAT_TOKEN=token)
        assert "ended by a resignation; soviet wins" in first.wait()
        assert "verified: " in terminals.run("\n".join(keep), LOVAT_TOKEN=token)
        assert first.process.returncode == 0


@pytest.mark.soak
def test_a_match_is_played_to_its_end_from_the_words_of_the_readme(terminals: Terminals) -> None:
    host, anna, rest = blocks(CHAPTER)
    with terminals.opened(host) as first:
        first.wait_for("Ben has the soviet seat")
        said = terminals.run(anna + rest)
        for words in ("the match is over: played to its end", "level: ", "verified: "):
            assert words in said
        assert re.search(r"evening.replay.jsonl: \d+ records of purkayevs-attack\n", said)
        ended = first.wait()
        assert re.findall(r"level: .*", ended) == re.findall(r"level: .*", said)
        assert first.process.returncode == 0
