"""Bots at seats of hosted matches: a real arbiter that may be killed, real rules and processes."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import grpc
import pytest
from typer.testing import CliRunner

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2, rules_service_pb2
from lovat.white_death.v1 import overlays_pb2
from lovat_client.answering import REFUSALS, Fallback
from lovat_client.arbiter.player import MatchClient
from lovat_client.bots import BOTS, RandomBot
from lovat_client.bots.protocol import Advisor
from lovat_client.cli.app import app
from lovat_client.match import bot_random
from lovat_client.network import BotBrokeError, Played, Reports, SeatPlayer, seat_at
from lovat_client.sdk import LovatClient, LovatError
from lovat_client.sdk.server import child_environment

from .arbiter.playing import Hall, Table, illegal
from .arbiter.processes import ArbiterProcess, free_port, running
from .readme import PATIENCE, Terminals, blocks, chapter, until

TUTORIAL = chapter("clients/README.md", "A bot in twenty lines")


def made(name: str) -> Callable[[str], Any]:
    return lambda side: BOTS[name](bot_random(7, side))


class Playing:
    """A bot at a seat, in a thread of its own."""

    def __init__(self, address: str, token: str, make: Callable[[str], Any],
                 **settings: Any) -> None:
        self.result: Played | None = None
        self.error: Exception | None = None
        self._seat = seat_at(address, token)
        self._make = make
        self._settings = settings
        self._thread = threading.Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        try:
            self.result = SeatPlayer(self._seat, self._make, **self._settings).run()
        except Exception as error:
            self.error = error

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def plays_until(self, what: Callable[[], bool]) -> None:
        """Wait for a condition; what ends the bot before is raised."""
        until(lambda: what() or self.is_done)
        if self.is_done:
            self.wait()

    def wait(self) -> Played:
        self._thread.join(PATIENCE)
        assert self.is_done, "the bot ends with the match"
        self._seat.close()
        if self.error is not None:
            raise self.error
        assert self.result is not None
        return self.result


def version(seat: MatchClient) -> int:
    return seat.turn(without_listing=True).version


def both(hall: Hall, table: Table, soviet: Callable[[str], Any],
         german: Callable[[str], Any], **settings: Any) -> tuple[Playing, Playing]:
    return (Playing(hall.address, table.tokens["soviet"], soviet, **settings),
            Playing(hall.address, table.tokens["german"], german, **settings))


def test_two_bots_play_until_the_match_ends(hall: Hall, rules: str) -> None:
    table = hall.table()
    players = both(hall, table, made("greedy"), made("random"))
    until(lambda: version(table.seats["german"]) >= 20)
    table.seats["german"].resign()
    soviet, german = (player.wait() for player in players)
    assert soviet.match.result.ending == german.match.result.ending == play.ENDING_RESIGNED
    assert (soviet.side, german.side) == ("soviet", "german")
    header, entries = hall.lobby.replay(table.match_id)
    assert soviet.decisions + german.decisions >= len(entries) >= 20
    assert not any(entry.lapse for entry in entries)
    with LovatClient.connect(rules) as client:
        assert client.replay(header.start, [entry.record for entry in entries]).verified


def test_bots_outlive_an_arbiter_that_is_killed_but_not_for_ever(
    rules: str, tmp_path: Path,
) -> None:
    with running(str(tmp_path / "m.db"), rules, tmp_path / "log") as process, \
            Hall(process.address) as hall:
        table = hall.table()
        seat = table.seats["german"]
        told: list[str] = []
        reports = Reports(trouble=lambda error: told.append(error.code.name),
                          back=lambda: told.append("back"))
        players = both(hall, table, made("random"), made("random"), reports=reports)
        players[0].plays_until(lambda: version(seat) >= 6)
        process.kill()
        process.start()
        reached = version(seat)
        players[0].plays_until(lambda: version(seat) >= reached + 6)
        seat.resign()
        played = [player.wait() for player in players]
        entries = hall.lobby.replay(table.match_id)[1]
        assert [entry.record.version for entry in entries] == list(range(len(entries)))
        assert sum(one.decisions for one in played) >= len(entries)
        assert told, "somebody noticed"
        assert set(told) <= {"UNAVAILABLE", "CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED", "back"}
        assert "back" in told

        table = hall.table()
        player = Playing(hall.address, table.tokens["soviet"], made("random"), patience=0.5)
        seat = table.seats["german"]
        player.plays_until(lambda: seat.turn(without_listing=True).match.seats[0].connected)
        process.kill()
        with pytest.raises(LovatError) as error:
            player.wait()
        assert error.value.code is grpc.StatusCode.UNAVAILABLE


class Stubborn:
    """Says what is refused in every decision, or what cannot be read."""

    name = "stubborn"

    def __init__(self, order: core_pb2.Order) -> None:
        self.order = order
        self.asked = 0

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        return self.order

    def refused(self, order: core_pb2.Order, violations: Any) -> core_pb2.Order:
        self.asked += 1
        assert all(violation.message for violation in violations)
        return self.order


@pytest.mark.parametrize("order", [illegal(), core_pb2.Order()], ids=["illegal", "unreadable"])
def test_a_bot_that_gives_in_is_answered_for(hall: Hall, order: core_pb2.Order) -> None:
    table = hall.table()
    told: list[Fallback] = []
    bot = Stubborn(order)
    german = Playing(hall.address, table.tokens["german"], lambda _: bot,
                     reports=Reports(fallback=told.append))
    german.plays_until(lambda: version(table.seats["soviet"]) >= 1)
    table.seats["soviet"].resign()
    played = german.wait()
    assert [one.version for one in told][:1] == [0]
    assert told[0].kind == "sustain_garrison"
    assert (told[0].side, told[0].attempts) == ("german", REFUSALS + 1)
    assert told[0].violations
    assert not told[0].by_standing
    assert played.fallbacks == tuple(told)
    assert bot.asked == REFUSALS * len(told)


def test_a_match_that_counts_illegal_orders_gets_none(hall: Hall) -> None:
    table = hall.table(policy=play.Policy(illegal_limit=1, illegal=play.REMEDY_FORFEIT))
    german = Playing(hall.address, table.tokens["german"], lambda _: Stubborn(illegal()))
    german.plays_until(lambda: version(table.seats["soviet"]) >= 1)
    table.seats["soviet"].resign()
    played = german.wait()
    assert played.match.result.ending == play.ENDING_RESIGNED
    assert [seat.lapses for seat in played.match.seats] == [0, 0]
    assert len(played.fallbacks) >= 1


class Broken:
    name = "broken"

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def decide(self, view: Any, listing: Any, catalog: Any) -> Any:
        return self.answer() if callable(self.answer) else self.answer

    def refused(self, order: Any, violations: Any) -> Any:
        return order


@pytest.mark.parametrize(("answer", "said"), [
    (lambda: {}["no such key"], r"broke in decide at .*test_network_bot\.py:\d+: KeyError"),
    (None, "broke in decide.*None is no order"),
    (play.SideClock(), "broke in decide.*SideClock is not an order"),
])
def test_a_bot_that_breaks_ends_with_the_place(hall: Hall, answer: Any, said: str) -> None:
    table = hall.table()
    player = Playing(hall.address, table.tokens["german"], lambda _: Broken(answer))
    with pytest.raises(BotBrokeError, match=said):
        player.wait()
    assert version(table.seats["soviet"]) == 0, "the match waits"


class Curious(RandomBot):
    """Asks before every movement what it would come to, and for the zones of the enemy."""

    name = "curious"

    def __init__(self) -> None:
        super().__init__(Random(1))
        self.zones: list[int] = []
        self.forecasts: list[rules_service_pb2.PreviewCombatResponse] = []

    def advise(self, advisor: Advisor) -> None:
        self.advisor = advisor

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        order = super().decide(view, listing, catalog)
        if order.white_death.WhichOneof("order") == "move_and_declare":
            self.forecasts.append(self.advisor.preview(order))
            self.zones = list(self.advisor.overlay(core_pb2.OverlayQuery(
                white_death=overlays_pb2.OverlayQuery(
                    kind=overlays_pb2.OVERLAY_KIND_ZONE_OF_CONTROL,
                    whose=overlays_pb2.WHOSE_ENEMY))).white_death.hexes)
        return order


def test_an_advised_bot_asks_the_arbiter(hall: Hall) -> None:
    table = hall.table()
    bot = Curious()
    soviet, german = both(hall, table, lambda _: bot, made("random"))
    soviet.plays_until(lambda: bool(bot.zones))
    table.seats["german"].resign()
    soviet.wait()
    german.wait()
    assert len(bot.zones) > 10
    assert all(one.HasField("preview") or one.violations for one in bot.forecasts)


class Overtaken(RandomBot):
    """While it thinks, somebody else answers with the same token."""

    seat: MatchClient
    times = 0

    def decide(self, view: Any, listing: Any, catalog: Any) -> core_pb2.Order:
        order = super().decide(view, listing, catalog)
        if not self.times:
            self.times += 1
            assert not self.seat.submit(order, self.seat.turn().version).violations
        return order


def test_an_answer_that_came_from_elsewhere_is_no_error(hall: Hall) -> None:
    table = hall.table()
    bot = Overtaken(Random(1))
    bot.seat = table.seats["german"]
    german = Playing(hall.address, table.tokens["german"], lambda _: bot)
    german.plays_until(lambda: version(table.seats["soviet"]) >= 1)
    table.seats["soviet"].resign()
    played = german.wait()
    assert bot.times == 1
    assert played.match.result.ending == play.ENDING_RESIGNED


def test_a_bot_agrees_to_stop_and_to_go_on_but_not_to_a_draw(hall: Hall) -> None:
    table = hall.table()
    soviet = table.seats["soviet"]
    german = Playing(hall.address, table.tokens["german"], made("random"))
    until(lambda: soviet.turn(without_listing=True).decision.side == "soviet")
    assert soviet.abort().state == play.MATCH_STATE_RUNNING

    def state() -> int:
        return int(soviet.turn(without_listing=True).match.state)

    soviet.adjourn()
    until(lambda: state() == play.MATCH_STATE_ADJOURNED)
    soviet.resume()
    until(lambda: state() == play.MATCH_STATE_RUNNING)
    assert not german.is_done
    soviet.resign()
    assert german.wait().match.result.winner == "german"


def test_a_bot_without_a_seat_is_told(hall: Hall) -> None:
    with seat_at(hall.address, "") as nobody, pytest.raises(LovatError) as error:
        SeatPlayer(nobody, made("random"))
    assert error.value.code is grpc.StatusCode.NOT_FOUND
    with seat_at(hall.address, "x.soviet.wrong") as stranger, pytest.raises(LovatError) as error:
        SeatPlayer(stranger, made("random"))
    assert error.value.code is grpc.StatusCode.UNAUTHENTICATED
    assert "wrong" not in str(error.value)


# The command, as a process.

@pytest.fixture
def terminals(arbiter: ArbiterProcess, tmp_path: Path) -> Terminals:
    return Terminals(tmp_path, LOVAT_ARBITER=arbiter.address)


def test_a_bot_that_is_stopped_leaves_the_seat_and_comes_back(
    hall: Hall, terminals: Terminals,
) -> None:
    table = hall.table()
    token = table.tokens["german"]
    command = "exec lovat bot random --verbose"
    said = []
    for number, code in ((signal.SIGTERM, 143), (signal.SIGINT, 130)):
        with terminals.opened(command, LOVAT_TOKEN=token) as terminal:
            terminal.wait_for("random plays german in match")
            until(lambda: version(table.seats["soviet"]) >= 1)
            terminal.process.send_signal(number)
            said.append(terminal.wait())
        assert terminal.process.returncode == code, terminal.text
        assert "the bot has left; the seat is kept" in terminal.text
    assert "version 0: sustain garrison" in said[0]
    for text in said:
        assert token.rpartition(".")[2] not in text
        assert "Traceback" not in text


@pytest.mark.parametrize(("arguments", "said"), [
    ("random", "a bot needs the token of a seat, in LOVAT_TOKEN or by --token"),
    ("nobody", "there is no bot 'nobody'"),
    ("no_such_module:Bot", "there is no bot 'no_such_module:Bot': there is no module"),
    ("spoilt:Bot", "the bot 'spoilt:Bot' cannot be imported: ZeroDivisionError"),
    ("greedy_for_more:Bot", "cannot be made from its randomness alone: TypeError"),
    ("random", "the token has a space or another character that no token has"),
])
def test_what_cannot_be_started_is_one_line_of_error(
    hall: Hall, arbiter: ArbiterProcess, arguments: str, said: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "spoilt.py").write_text("1 / 0")
    (tmp_path / "greedy_for_more.py").write_text(
        "class Bot:\n    def __init__(self, random, more): pass\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    token = {"a bot": "", "the token": "not a token", "cannot be made": hall.table().tokens[
        "german"]}
    given = next((value for start, value in token.items() if said.startswith(start)), "x")
    result = CliRunner().invoke(app, ["bot", arguments], env={
        "LOVAT_ARBITER": arbiter.address, "LOVAT_TOKEN": given})
    assert result.exit_code == 1
    assert said in result.stderr
    assert result.stderr.count("\n") == 1
    assert "not a token" not in result.output


# The tutorial of clients/README.md, word by word.

@pytest.fixture
def tutorial(tmp_path: Path) -> Path:
    """A folder with the bot of the tutorial in it."""
    bot, game = blocks(TUTORIAL, "python")
    (tmp_path / "my_bots.py").write_text(bot)
    (tmp_path / "game.py").write_text(game)
    return tmp_path


def test_the_bot_of_the_tutorial_has_twenty_lines_and_plays(tutorial: Path) -> None:
    code = [line for line in (tutorial / "my_bots.py").read_text().splitlines() if line.strip()]
    assert len(code) <= 20
    done = subprocess.run([sys.executable, "game.py"], cwd=tutorial, env=child_environment(),
                          capture_output=True, text=True, check=False, timeout=600)
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\D+ -?\d+ [0-9a-f]{64} \d+$", done.stdout)


def test_the_bot_of_the_tutorial_plays_over_the_network(
    hall: Hall, arbiter: ArbiterProcess, tutorial: Path,
) -> None:
    match_id = hall.create(open=True).match.match_id
    hall.lobby.join(match_id, "Nobody", side="soviet")
    *_, command = blocks(TUTORIAL)[0].splitlines()
    with Terminals(tutorial, LOVAT_ARBITER=arbiter.address).opened(command) as terminal:
        terminal.wait_for(f"my_bots:Passive plays german in match {match_id}")
        terminal.wait_for("german did not answer sustain garrison at version 0 in 7 attempts")


@pytest.mark.soak
def test_the_bot_of_the_tutorial_plays_a_match_to_its_end(rules: str, tutorial: Path) -> None:
    port = free_port()
    terminals = Terminals(
        tutorial, LOVAT_SERVER=rules, LOVAT_ARBITER_PORT=str(port),
        LOVAT_ARBITER=f"127.0.0.1:{port}", LOVAT_ARBITER_DATABASE="matches.db")
    with terminals.opened(blocks(TUTORIAL)[0]) as terminal:
        said = terminal.wait(1200)
        until(lambda: terminal.text.count("the match is over: played to its end") == 2)
        assert terminal.process.returncode == 0, said
