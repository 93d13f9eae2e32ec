"""What the commands about hosted matches share: the arbiter, the token, the connection."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from .console import fail

if TYPE_CHECKING:
    from ..arbiter.player import MatchClient

DEFAULT_ARBITER = "127.0.0.1:50052"
PATIENCE = 60.0
"""Seconds that a command waits for an arbiter that does not answer."""

NOTICE = 10.0
"""Seconds after which it says so."""

ArbiterOption = Annotated[str, typer.Option(
    "--arbiter", metavar="HOST:PORT", envvar="LOVAT_ARBITER",
    help="The arbiter to ask; over TLS if it begins with grpcs://.")]
TokenOption = Annotated[str, typer.Option(
    "--token", metavar="TOKEN", envvar="LOVAT_TOKEN", show_default=False,
    help="The token of the seat, as `lovat match join` prints it. Better given by LOVAT_TOKEN: "
    "others on this machine can read a command line.")]
MatchArgument = Annotated[str, typer.Argument(
    metavar="[MATCH]", show_default=False,
    help="Id of the match; not needed with a token, which is of one match.")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")]


@contextlib.contextmanager
def at_arbiter(arbiter: str, token: str = "") -> Iterator[MatchClient]:
    """A connection to an arbiter, of a seat if there is a token; it is waited for a while."""
    import grpc
    from rich.console import Console

    from ..arbiter.player import MatchClient

    with MatchClient.connect(arbiter, checked(token), timeout=PATIENCE) as client:
        try:
            grpc.channel_ready_future(client.channel).result(NOTICE)
        except grpc.FutureTimeoutError:
            Console(stderr=True, highlight=False, soft_wrap=True).print(
                f"no answer yet from the arbiter at {arbiter}; trying for {PATIENCE:g} seconds",
                markup=False)
        yield client


def at_seat(arbiter: str, token: str) -> contextlib.AbstractContextManager[MatchClient]:
    """As `at_arbiter`, for what only a seat may do."""
    if not token:
        fail("this needs the token of a seat, in LOVAT_TOKEN or by --token; "
             "`lovat match join` gives one")
    return at_arbiter(arbiter, token)


def named(match_id: str, token: str) -> str:
    """The id of a match; empty if the token says which."""
    if not match_id and not token:
        fail("this needs the id of a match, or a seat's token in LOVAT_TOKEN; "
             "`lovat match list` has the ids")
    return match_id


def checked(token: str) -> str:
    """A token that can be sent. Its words are never in the error."""
    token = token.strip()
    if not all("!" <= letter <= "~" for letter in token):
        fail("the token has a space or another character that no token has; "
             "copy it again as `lovat match join` printed it")
    return token
