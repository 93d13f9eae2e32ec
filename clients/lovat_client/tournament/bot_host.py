"""A bot in a process of its own: `python -m lovat_client.tournament.bot_host FD PARENT`.

It reads questions from the socket FD and writes answers to it (`frames`; the kinds are below).
What the bot prints goes nowhere. The fence is one against mistakes, not against malice: the bot
may do whatever the user may who runs the tournament.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import random
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from google.protobuf.message import Message

from lovat.rules.v1 import core_pb2
from lovat.rules.v1.rules_service_pb2 import ValidateOrdersResponse
from lovat.white_death.v1 import catalog_pb2

from ..bots import BOTS, AdvisedBot
from ..kinship import die_with
from .frames import Channel, ChannelError
from .questions import Asker

START = 1
"""To the host: JSON of use, options, seed, folders, memory_mib. Answered by READY or CRASHED."""

CATALOG = 2
"""To the host: a white_death Catalog. Not answered."""

DECIDE = 3
"""To the host: length of the View (4 bytes), View, Listing. Answered by ORDER or CRASHED."""

REFUSED = 4
"""To the host: a ValidateOrdersResponse with the violations of its last order. As DECIDE.

Before its answer to either the host may ask, as `questions` says.
"""

READY, ORDER, CRASHED, MISSING = 11, 12, 13, 14
"""From the host: nothing; an Order; why it broke, in UTF-8; there is no such factory."""

_SHOWN = 2_000  # characters of a traceback


class NoFactoryError(Exception):
    """The import path leads nowhere."""


def find_factory(use: str) -> Callable[..., Any]:
    """A bot that comes with Lovat, or what an import path names. `NoFactoryError`."""
    if use in BOTS:
        return BOTS[use]
    module, _, path = use.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for name in path.split("."):
            found = getattr(found, name)
    except ModuleNotFoundError as error:
        if error.name is None or not (module + ".").startswith(error.name + "."):
            raise
        raise NoFactoryError(f"there is no module {error.name!r}") from error
    except AttributeError as error:
        raise NoFactoryError(f"{use}: {error}") from error
    if not callable(found):
        raise NoFactoryError(f"{use} cannot be called")
    return found  # type: ignore[no-any-return]


def make(spec: Mapping[str, Any]) -> Any:
    """The bot: the factory is given its randomness and the options."""
    sys.path.extend(spec["folders"])
    return find_factory(spec["use"])(random.Random(spec["seed"]), **spec["options"])


def serve(channel: Channel) -> None:
    """Answer questions until the other end closes or the bot breaks."""
    bot: Any = None
    catalog = catalog_pb2.Catalog()
    last = core_pb2.Order()
    asker = Asker(channel)
    while True:
        kind, body = channel.receive()
        try:
            if kind == START:
                spec = json.loads(body)
                _limit_memory(spec["memory_mib"])
                bot = make(spec)
                if isinstance(bot, AdvisedBot):
                    bot.advise(asker)
                channel.send(READY)
                continue
            if kind == CATALOG:
                catalog = catalog_pb2.Catalog.FromString(body)
                continue
            asker.is_open = True
            if kind == DECIDE:
                size = 4 + int.from_bytes(body[:4], "big")
                last = _order(bot.decide(core_pb2.View.FromString(body[4:size]),
                                         core_pb2.Listing.FromString(body[size:]), catalog))
            else:
                found = tuple(ValidateOrdersResponse.FromString(body).violations)
                last = _order(bot.refused(last, found))
            answer = last.SerializeToString()
        except ChannelError:
            raise
        except NoFactoryError as error:
            channel.send(MISSING, str(error).encode())
            return
        except BaseException as error:  # a bot that calls sys.exit has broken too
            channel.send(CRASHED, _told(error).encode("utf-8", "replace"))
            return
        with asker.lock:  # a thread that the bot has left may be asking
            asker.is_open = False
            channel.send(ORDER, answer)


def _order(answer: Any) -> core_pb2.Order:
    """The answer in its envelope, as an order of the game or one of its kinds may also be."""
    if isinstance(answer, core_pb2.Order):
        return answer
    from ..sdk.requests import as_order  # the SDK is slow to import, and few bots need it

    if not isinstance(answer, Message):
        raise TypeError(f"the bot answered {answer!r:.100}, which is no order")
    return as_order(answer)


def _told(error: BaseException) -> str:
    """The error, and where in the bot it was raised."""
    try:
        head = f"{type(error).__name__}: {error}"
        where = "".join(traceback.format_tb(error.__traceback__)[1:])
    except Exception:  # of a __str__ of the bot's own
        return type(error).__name__
    return f"{head[:_SHOWN]}\n{where[-_SHOWN:]}".strip()


def _limit_memory(mib: int) -> None:
    """Have whatever needs more address space end in a MemoryError; nothing on Windows."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        if mib:
            resource.setrlimit(resource.RLIMIT_AS, (mib << 20, mib << 20))


def main() -> None:
    descriptor, parent = (int(argument) for argument in sys.argv[1:])
    die_with(parent)
    with contextlib.suppress(ChannelError):
        serve(Channel.of_descriptor(descriptor))
    os._exit(0)  # whatever threads the bot has left


if __name__ == "__main__":
    main()
