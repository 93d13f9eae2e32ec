"""Games on a Dask cluster: `dask scheduler`, any number of `dask worker ADDR`, on any machines.

Each worker needs Lovat and the bots installed; each of its threads has a lane of its own. A task is
named by the digest of the terms and the key of the game, and what it does depends on nothing
else: it may be run again when a worker dies, and two runs that ask for the same one share it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any, Self

from ..sdk.errors import ClientError
from .check import Problems
from .game import void_game
from .lane import ATTEMPTS, StoppedError, borrowed_lane
from .results import GameResult, GameTask
from .terms import Terms

_CONNECT_WITHIN = 20.0
_WORKER_WITHIN = 30.0


def play_task(task_json: str, server: str) -> str:
    """Run by a worker: a GameTask to a GameResult, both JSON."""
    with borrowed_lane(server) as lane:
        return lane.play(GameTask.of_json(task_json)).as_json()


def check_task(terms_json: str, server: str) -> str:
    """Run by a worker: Terms to Problems, both JSON."""
    with borrowed_lane(server) as lane:
        return lane.check(terms_json).as_json()


class DaskPool:
    """The workers of the scheduler at an address ("tcp://host:8786").

    `server` is a rules server that all of them ask; without it each worker starts its own.
    `ClientError` if distributed is not installed, or nobody answers.
    """

    def __init__(self, scheduler: str, server: str = "") -> None:
        self._scheduler = scheduler
        self._server = server
        self._client: Any = None

    def __enter__(self) -> Self:
        try:
            from distributed import Client
        except ModuleNotFoundError as error:
            raise ClientError("--scheduler needs Dask: pip install 'lovat[dask]'") from error
        try:
            self._client = Client(self._scheduler, timeout=_CONNECT_WITHIN, set_as_default=False)
            self._client.wait_for_workers(1, timeout=_WORKER_WITHIN)
        except (OSError, TimeoutError, ValueError) as error:
            self.__exit__()
            raise ClientError(f"the scheduler {self._scheduler} has no workers or does not "
                              f"answer: {error}") from error
        return self

    def __exit__(self, *_: object) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def check(self, terms: Terms) -> Problems:
        future = self._client.submit(check_task, terms.as_json(), self._server, pure=False)
        return Problems.of_json(self._result(future))

    def play(self, tasks: Sequence[GameTask]) -> Iterator[GameResult]:
        from distributed import as_completed

        by_key = {}
        futures = []
        for task in tasks:
            text = task.as_json()
            name = hashlib.sha256(text.encode()).hexdigest()[:16]
            future = self._client.submit(play_task, text, self._server,
                                         key=f"lovat-{task.key}-{name}", retries=ATTEMPTS - 1)
            by_key[future.key] = task
            futures.append(future)
        left = as_completed(futures, loop=self._client.loop)
        futures.clear()
        for future in left:
            task = by_key[future.key]
            try:
                text = self._result(future)
            except ClientError:
                raise
            except Exception as error:  # KilledWorker, or a fault of the worker
                yield void_game(task, ("", ""), f"the workers failed at it: {error}")
            else:
                yield GameResult.of_json(text)
            future.release()

    def _result(self, future: Any) -> str:
        """What a future gives. `ClientError` if the cluster is lost or no server is there."""
        try:
            return str(future.result())
        except (CancelledError, OSError) as error:
            if isinstance(error, OSError) and future.status == "error":
                raise StoppedError(f"a worker failed: {error}") from error
            raise StoppedError(f"the scheduler {self._scheduler} was lost: {error}") from error
