"""A lane: a rules server with games played on it one after the other. Also the worker process.

`python -m lovat_client.tournament.lane FD PARENT [ADDRESS]` is a worker of the local pool: it
reads tasks from the socket FD and answers each with its result.
"""

from __future__ import annotations

import atexit
import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

import grpc

from ..kinship import die_with
from ..leaving import leave_on
from ..sdk.client import LovatClient
from ..sdk.errors import ClientError, LovatError, ServerStartError
from ..sdk.server import EmbeddedServer
from .frames import Channel, ChannelError
from .game import play_game, sides_of, void_game
from .results import GameResult, GameTask

if TYPE_CHECKING:
    from .check import Problems

PLAY, CHECK = 1, 2
"""To a worker: JSON of a GameTask; JSON of Terms. Answered by DONE or STOPPED."""

DONE, STOPPED = 11, 12
"""From a worker: JSON of the answer; why it can play no more, in UTF-8."""

ATTEMPTS = 3
"""How often a game is begun at which the rules server fails."""



class StoppedError(ClientError):
    """Games cannot be played at all: the rules server is not there."""


class Lane:
    """A rules server, by address or its own, which is started at the first game."""

    def __init__(self, server: str = "") -> None:
        self._address = server
        self._server: EmbeddedServer | None = None
        self._client: LovatClient | None = None

    def close(self) -> None:
        """End the server, if it is the lane's own. The next game starts another."""
        client, self._client = self._client, None
        if client is not None:
            client.close()
        server, self._server = self._server, None
        if server is not None:
            server.stop()

    def client(self) -> LovatClient:
        """A client of the server. `ServerStartError` if it does not start."""
        if self._client is None:
            if self._address:
                self._client = LovatClient.connect(self._address)
            else:
                self._server = EmbeddedServer(bound=True).start()
                self._client = self._server.connect()
        return self._client

    def play(self, task: GameTask) -> GameResult:
        """Play a game, again on a fresh server if the server fails, in the end as void.

        `StoppedError` if there is no server to be had.
        """
        problem: ClientError | None = None
        for _ in range(ATTEMPTS):
            try:
                return play_game(self.client(), task)
            except (LovatError, ServerStartError) as error:
                problem = error
                self.close()
        if isinstance(problem, LovatError) and problem.code is not grpc.StatusCode.UNAVAILABLE:
            with contextlib.suppress(LovatError, ServerStartError):
                return void_game(task, sides_of(self.client(), task.scenario),
                                 f"the rules server failed {ATTEMPTS} times: {problem}")
        raise StoppedError(f"the rules server cannot be reached: {problem}")

    def check(self, terms_json: str) -> Problems:
        """What is wrong with terms that only a server and the bots can tell."""
        from .check import check
        from .terms import terms_of_json

        try:
            return check(self.client(), terms_of_json(terms_json))
        except (LovatError, ServerStartError) as error:
            self.close()
            raise StoppedError(f"the rules server cannot be reached: {error}") from error


_idle: dict[str, list[Lane]] = {}
_lock = threading.Lock()


@atexit.register
def _close_idle() -> None:
    for lanes in _idle.values():
        for lane in lanes:
            lane.close()


@contextlib.contextmanager
def borrowed_lane(server: str) -> Iterator[Lane]:
    """A lane of this process that nobody else uses now; kept for the next user afterwards."""
    with _lock:
        lanes = _idle.setdefault(server, [])
        lane = lanes.pop() if lanes else Lane(server)
    try:
        yield lane
    finally:
        with _lock:
            lanes.append(lane)


def work(channel: Channel, lane: Lane) -> None:
    """Play what is asked for until the other end closes."""
    while True:
        kind, body = channel.receive()
        try:
            if kind == PLAY:
                answer = lane.play(GameTask.of_json(body.decode())).as_json()
            else:
                answer = lane.check(body.decode()).as_json()
        except ClientError as error:
            channel.send(STOPPED, str(error).encode())
        else:
            channel.send(DONE, answer.encode())


def main() -> None:
    descriptor, parent, server = int(sys.argv[1]), int(sys.argv[2]), "".join(sys.argv[3:4])
    die_with(parent)
    leave_on(signal.SIGTERM)
    lane = Lane(server)
    try:
        with contextlib.suppress(ChannelError, KeyboardInterrupt):
            work(Channel.of_descriptor(descriptor), lane)
    finally:
        lane.close()


if __name__ == "__main__":
    main()
