"""Games on the processors of this machine: worker processes, each with a lane of its own.

Every worker is served by a thread here, which starts it again if it ends. A game at which three
workers in a row have ended is void.
"""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from typing import Any, Self

from ..sdk.server import child_environment, module_command
from .check import Problems
from .frames import Channel, ChannelError, pair
from .game import void_game
from .lane import ATTEMPTS, CHECK, DONE, PLAY, StoppedError
from .results import GameResult, GameTask
from .terms import Terms

_WORKER = "lovat_client.tournament.lane"
_ENDS_WITHIN = 15.0  # seconds that a worker gets to end its server

Job = tuple[int, str, GameTask | None]
"""Kind, JSON, and the task itself if it is a game."""


class LocalPool:
    """Worker processes, and a rules server for each; or one for all, by its address."""

    def __init__(self, processes: int, server: str = "") -> None:
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str | Exception] = queue.SimpleQueue()
        self._workers: list[_Worker] = [_Worker(self._jobs, self._answers, server)
                                        for _ in range(processes)]

    def __enter__(self) -> Self:
        for worker in self._workers:
            worker.start()
        return self

    def __exit__(self, *_: object) -> None:
        """End the workers, in the middle of a game if need be."""
        for worker in self._workers:
            worker.stop()
        for _worker in self._workers:
            self._jobs.put(None)  # one for each, whoever takes it
        for worker in self._workers:
            worker.join()

    def check(self, terms: Terms) -> Problems:
        self._jobs.put((CHECK, terms.as_json(), None))
        return Problems.of_json(self._answer())

    def play(self, tasks: Sequence[GameTask]) -> Iterator[GameResult]:
        for task in tasks:
            self._jobs.put((PLAY, task.as_json(), task))
        for _ in tasks:
            yield GameResult.of_json(self._answer())

    def _answer(self) -> str:
        answer = self._answers.get()
        if isinstance(answer, Exception):
            raise answer
        return answer


class _Worker(threading.Thread):
    """The thread that serves one worker process; it lasts as long as the pool."""

    def __init__(self, jobs: queue.SimpleQueue[Job | None],
                 answers: queue.SimpleQueue[str | Exception], server: str) -> None:
        super().__init__(daemon=True)
        self._jobs, self._answers, self._server = jobs, answers, server
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: Channel | None = None
        self._stopping = False

    def stop(self) -> None:
        """Have the process end; the thread goes on to the end of the jobs."""
        self._stopping = True
        process = self._process
        if process is not None:
            process.terminate()

    def run(self) -> None:
        while (job := self._jobs.get()) is not None:
            if self._stopping:
                continue
            try:
                self._answers.put(self._done(*job))
            except Exception as error:
                self._answers.put(error)
        self._end()

    def _done(self, kind: int, body: str, task: GameTask | None) -> str:
        """Have a job done; by another process if this one ends at it."""
        for _ in range(ATTEMPTS):
            try:
                channel: Any = self._channel or self._begin()
                channel.send(kind, body.encode())
                answer, content = channel.receive()
            except ChannelError:
                self._end()
                if self._stopping:
                    raise StoppedError("stopped") from None
            else:
                if answer != DONE:
                    raise StoppedError(content.decode())
                return str(content.decode())
        if task is None:
            raise StoppedError(f"the worker process ended {ATTEMPTS} times")
        return void_game(task, ("", ""),
                         f"the worker process ended {ATTEMPTS} times").as_json()

    def _begin(self) -> Channel:
        channel, passed = pair()
        with passed:
            self._process = subprocess.Popen(
                module_command(_WORKER, [str(passed.fileno()), str(os.getpid()), self._server]),
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, env=child_environment(),
                pass_fds=[passed.fileno()], start_new_session=True)
        self._channel = channel
        if self._stopping:  # before there was a process to be ended
            self._process.terminate()
        return channel

    def _end(self) -> None:
        channel, self._channel = self._channel, None
        if channel is not None:
            channel.close()
        process, self._process = self._process, None
        if process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_ENDS_WITHIN)
            process.kill()
            process.wait()
