"""A real Dask scheduler with two workers, one of which is killed in the middle."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from lovat_client.sdk import LovatClient
from lovat_client.sdk.errors import ClientError
from lovat_client.sdk.server import child_environment
from lovat_client.tournament.dask_pool import DaskPool
from lovat_client.tournament.game import play_game
from lovat_client.tournament.local_pool import LocalPool
from lovat_client.tournament.results import GameResult
from lovat_client.tournament.run import Standing, run
from lovat_client.tournament.schedule import next_games
from lovat_client.tournament.store import TournamentStore

from .making import terms

pytest.importorskip("distributed", reason="Dask is not installed (extra `dask`)")


class Cluster:
    """A scheduler and two workers of one thread each, without nannies: killed is dead."""

    def __init__(self, folder: Path, stack: ExitStack) -> None:
        self._folder, self._stack = folder, stack
        self.processes: list[subprocess.Popen[bytes]] = []
        file = folder / "scheduler.json"
        self._start("dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                    "--scheduler-file", str(file))
        end = time.monotonic() + 30
        while not file.exists() or not file.read_text().strip():
            assert time.monotonic() < end
            time.sleep(0.05)
        self.scheduler = self.processes[0]
        self.address: str = json.loads(file.read_text())["address"]
        self.workers = [self._start("dask_worker", self.address, "--no-nanny", "--nthreads", "1",
                                    "--no-dashboard", "--host", "127.0.0.1",
                                    "--local-directory", str(folder)) for _ in range(2)]

    def kill(self, *numbers: int) -> None:
        """End workers by their process ids, without a chance to say anything."""
        for process in self.workers:
            if process.pid in numbers:
                process.kill()

    def _start(self, module: str, *options: str) -> subprocess.Popen[bytes]:
        log = self._stack.enter_context((self._folder / f"{module}.log").open("ab"))
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *options], stdout=log,
            stderr=log, env=child_environment(), cwd=self._folder)
        self.processes.append(process)
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


def number_of(result: GameResult) -> int:
    """The process id of the worker that played a game."""
    return int(result.worker.rpartition(":")[2])


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    with ExitStack() as stack:
        yield Cluster(tmp_path, stack)


def test_a_worker_killed_in_the_middle_costs_no_game_and_doubles_none(
    cluster: Cluster, store: TournamentStore, client: LovatClient, rules: str,
) -> None:
    given = terms("a=random", "b=greedy", games=6, limits={"decisions": 6})
    came: list[str] = []
    seen: set[int] = set()
    killed: set[int] = set()

    def kill_one(standing: Standing) -> None:
        """Once both have played, the one that did not play last: it is in the middle of a game."""
        if standing.last is None:
            return
        came.append(standing.last.key)
        playing = number_of(standing.last)
        seen.add(playing)
        if len(seen) == 2 and not killed:
            killed.update(seen - {playing})
            cluster.kill(*killed)

    with DaskPool(cluster.address, rules) as pool:
        results = run(store, given, pool, kill_one)
    expected = [task.key for task in next_games(given, {})]
    assert killed
    assert sorted(came) == sorted(expected) == sorted(results)
    assert {found.ending for found in results.values()} == {"adjudicated"}
    last = results[came[-1]]
    assert number_of(last) not in killed
    task = next(task for task in next_games(given, {}) if task.key == last.key)
    assert play_game(client, task).checksum == last.checksum


@pytest.mark.soak
def test_a_scheduler_that_is_lost_stops_the_run_and_keeps_what_was_finished(
    cluster: Cluster, store: TournamentStore, rules: str,
) -> None:
    given = terms("a=random", "b=random", games=4, limits={"decisions": 4})

    def kill(standing: Standing) -> None:
        if standing.finished == 1:
            cluster.scheduler.kill()

    with pytest.raises(ClientError, match="was lost"), DaskPool(cluster.address, rules) as pool:
        run(store, given, pool, kill)
    kept = store.results("test")
    assert 1 <= len(kept) < 4
    with LocalPool(1, rules) as local:
        results = run(store, given, local)
    assert len(results) == 4
    assert {key: results[key] for key in kept} == kept


def test_a_scheduler_that_is_not_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lovat_client.tournament.dask_pool._CONNECT_WITHIN", 1.0)
    with pytest.raises(ClientError, match="does not answer"), DaskPool("tcp://127.0.0.1:1"):
        pass
