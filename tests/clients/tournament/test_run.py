"""Whole tournaments on real processes: finished, stopped, killed, gone on with."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from lovat_client.cli.app import app
from lovat_client.sdk.server import child_environment
from lovat_client.tournament.local_pool import LocalPool
from lovat_client.tournament.results import VOID
from lovat_client.tournament.run import Standing, run
from lovat_client.tournament.schedule import next_games, total
from lovat_client.tournament.store import TournamentError, TournamentStore
from lovat_client.tournament.terms import TermsError

from ..arbiter.processes import postgres
from .making import result, terms

TOML = """
name = "cup"
kind = "round_robin"
scenarios = ["purkayevs-attack"]
games = 2
[limits]
decisions = 3
[[bots]]
name = "random"
[[bots]]
name = "greedy"
[[bots]]
name = "broken"
use = "bad_bots:Crash"
"""


@pytest.fixture
def cup(tmp_path: Path) -> Path:
    """A file of terms with a bot beside it, as a user would have them."""
    (tmp_path / "bad_bots.py").write_text(
        (Path(__file__).parent / "bad_bots.py").read_text("utf-8"))
    file = tmp_path / "cup.toml"
    file.write_text(TOML)
    return file


def lovat(*arguments: str, code: int = 0) -> str:
    result_ = CliRunner().invoke(app, ["tournament", *arguments])
    assert result_.exit_code == code, result_.output
    return result_.output if code else result_.stdout


def descendants(of: int) -> list[int]:
    """The processes that were started by a process or its children, however deep."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                status = (entry / "stat").read_text()
            except OSError:
                continue
            parents[int(entry.name)] = int(status.rpartition(")")[2].split()[1])
    found, left = [], [of]
    while left:
        parent = left.pop()
        own = [process for process, its in parents.items() if its == parent]
        found += own
        left += own
    return found


def wait_for(what: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def test_killed_again_and_again_every_game_finishes_exactly_once(
    cup: Path, tmp_path: Path, rules: str,
) -> None:
    database = str(tmp_path / "cup.db")
    command = [sys.executable, "-m", "lovat_client.cli.app", "tournament", "run", str(cup),
               "--database", database, "--processes", "2", "--server", rules]
    before: dict[str, object] = {}
    with TournamentStore.open(database) as store:
        for wanted in (1, 4):
            process = subprocess.Popen(command, env=child_environment(), cwd=tmp_path,
                                       stdout=subprocess.PIPE)
            wait_for(lambda wanted=wanted: len(store.results("cup")) >= wanted)
            family = descendants(process.pid)
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()
            assert family
            wait_for(lambda family=family: not any(
                Path(f"/proc/{child}").exists() for child in family), 10)
            now = store.results("cup")
            assert {key: now[key] for key in before} == before
            before = dict(now)
        assert len(before) < 6
        said = lovat("resume", "cup", "--database", database, "--server", rules,
                     "--report", str(tmp_path / "report"))
        results = store.results("cup")
        assert {key: results[key] for key in before} == before
        assert len(results) == total(store.terms("cup")) == 6
        assert sum(found.ending == "crash" for found in results.values()) == 4
        assert "6 of 6 games are finished" in said
        assert "no idea" in said
        assert run_again(cup, database, rules) == results
    rows = list(csv.DictReader((tmp_path / "report" / "standings.csv").open(newline="")))
    assert rows[-1]["bot"] == "broken"
    assert rows[-1]["crash"] == "4"
    assert (tmp_path / "report" / "report.html").stat().st_size > 5_000


def run_again(cup: Path, database: str, rules: str) -> object:
    """The results after running a finished tournament once more."""
    lovat("run", str(cup), "--database", database, "--server", rules)
    with TournamentStore.open(database) as store:
        return store.results("cup")


def test_terms_that_changed_are_refused_and_names_listed(
    cup: Path, tmp_path: Path, rules: str,
) -> None:
    database = str(tmp_path / "cup.db")
    with TournamentStore.open(database) as store:
        store.enter(terms("a", "b", name="cup"))
        with pytest.raises(TournamentError, match="with other terms"):
            store.enter(terms("a", "b", name="cup", seed="2"))
    assert "other terms" in lovat("run", str(cup), "--database", database, "--server", rules,
                                  code=1)
    assert "cup: 0 of 2 games" in lovat("list", "--database", database)
    assert "there are cup" in " ".join(
        lovat("report", "spring", "--database", database, code=1).split())
    assert "0 of 2 games are finished" in lovat("report", "cup", "--database", database)


def test_what_no_game_can_be_played_by_is_said_before_the_first(
    store: TournamentStore, rules: str,
) -> None:
    wrong = terms("good=random", "bad=no.such:bot", scenarios=["purkayevs-attack", "moonbase"],
                  victory={"purkayevs-attack": {"soviet": ["Total Victory"]}})
    with LocalPool(1, rules) as pool, pytest.raises(TermsError) as error:
        run(store, wrong, pool)
    for said in ("no scenario 'moonbase'", "no level 'Total Victory'", "no module 'no'"):
        assert said in str(error.value)
    assert store.entries() == []


def test_a_server_that_is_not_there_stops_the_run_and_keeps_what_was_finished(
    store: TournamentStore,
) -> None:
    with LocalPool(1, "127.0.0.1:1") as pool, pytest.raises(Exception, match="cannot be reached"):
        run(store, terms("a", "b"), pool)


def test_a_worker_that_dies_is_replaced_and_a_game_that_kills_three_is_void(
    store: TournamentStore, rules: str,
) -> None:
    short = terms("a=random", "b=random", limits={"decisions": 2}, games=4)
    with LocalPool(1, rules) as pool:
        def kill_worker(standing: Standing) -> None:
            if standing.finished == 1:
                worker = pool._workers[0]._process
                assert worker is not None
                worker.kill()

        results = run(store, short, pool, kill_worker)
    assert sorted(found.ending for found in results.values()) == ["adjudicated"] * 4
    assert len({found.worker for found in results.values()}) == 2

    with LocalPool(1, rules) as pool:
        playing = pool.play(next_games(terms("a=random", "b=random"), {})[:1])
        answer = []
        waiter = threading.Thread(target=lambda: answer.extend(playing))
        waiter.start()
        killed: set[int] = set()
        while waiter.is_alive():
            process = pool._workers[0]._process
            if process is not None and process.pid not in killed:
                killed.add(process.pid)
                os.kill(process.pid, signal.SIGKILL)
            waiter.join(0.01)
    assert [(found.ending, found.winning_bot) for found in answer] == [(VOID, "")]
    assert "3 times" in answer[0].reason


def test_a_swiss_goes_round_by_round_with_a_bye(store: TournamentStore, rules: str) -> None:
    bots = [f"{name}=random" for name in "abc"]
    swiss = terms(*bots, kind="swiss", limits={"decisions": 1})
    with LocalPool(2, rules) as pool:
        results = run(store, swiss, pool)
    assert [found.round for found in results.values()] == [1, 1, 2, 2]


def test_a_result_is_written_once(store: TournamentStore) -> None:
    given = terms("a", "b")
    store.enter(given)
    task = next_games(given, {})[0]
    first = result(task, 0, None)
    assert store.record("test", first)
    assert not store.record("test", result(task, 1))
    assert store.results("test") == {task.key: first}


def test_the_pool_starts_and_ends_its_own_servers(store: TournamentStore) -> None:
    with LocalPool(1) as pool:
        run(store, terms("a=random", "b=random", limits={"decisions": 1}), pool)
        family = descendants(os.getpid())
        worker = pool._workers[0]._process
        assert worker is not None
        assert len(descendants(worker.pid)) == 1
    assert not [child for child in family if child in descendants(os.getpid())
                and child == worker.pid]
    wait_for(lambda: not Path(f"/proc/{worker.pid}").exists(), 5)


def test_ctrl_c_stops_in_the_middle_of_a_game_and_says_how_to_go_on(
    cup: Path, tmp_path: Path, rules: str,
) -> None:
    database = str(tmp_path / "cup.db")
    with TournamentStore.open(database) as store:
        process = subprocess.Popen(
            [sys.executable, "-m", "lovat_client.cli.app", "tournament", "run", str(cup),
             "--database", database, "--server", rules],
            env=child_environment(), cwd=tmp_path, stdout=subprocess.PIPE, text=True)
        wait_for(lambda: bool(store.results("cup")))
        family = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "lovat tournament resume cup" in " ".join(said.split())
    assert not [child for child in family if Path(f"/proc/{child}").exists()]


def test_postgresql_keeps_results_too() -> None:
    pytest.importorskip("psycopg", reason="the driver of PostgreSQL (extra `postgres`)")
    try:
        with postgres() as url, TournamentStore.open(url) as store:
            test_a_result_is_written_once(store)
            task = next_games(terms("a", "b"), {})[1]
            odd = replace(result(task, None, -5), reason="a \0 and \N{SNOWMAN}" * 900)
            assert store.record("test", odd)
            assert store.results("test")[task.key].points == -5
            assert [entry.finished for entry in store.entries()] == [2]
            assert store.terms("test") == terms("a", "b")
    except RuntimeError as error:
        pytest.skip(str(error))
