"""`lovat bot`: a bot plays a seat of a hosted match."""

from __future__ import annotations

import os
import secrets
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from .console import fail, out
from .seat import DEFAULT_ARBITER, ArbiterOption, TokenOption, checked

if TYPE_CHECKING:
    from lovat.play.v1 import match_service_pb2 as play

    from ..answering import Fallback
    from ..bots.protocol import Bot
    from ..network import Reports
    from ..sdk.errors import LovatError

EPILOG = "Example: LOVAT_TOKEN=$(lovat match join --player Ben) lovat bot greedy"


def bot(
    name: Annotated[str, typer.Argument(
        metavar="NAME", show_default=False,
        help="A bot that comes with Lovat, such as random or greedy, or your own as "
        "module:Class, found in this folder or on PYTHONPATH.")],
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
    seed: Annotated[str | None, typer.Option(
        show_default=False, help="Any text: the same seed and match give the same answers. "
        "Without one a secret is drawn, so that nobody can foretell the bot.")] = None,
    patience: Annotated[float, typer.Option(
        min=0, help="Seconds that the arbiter may be away before the bot gives up.")] = 300.0,
    verbose: Annotated[bool, typer.Option(
        "--verbose", "-v", help="Print a line for every decision.")] = False,
) -> None:
    """Have a bot play the seat of a token until the match is over.

    It outlives dropped connections and an arbiter that is started again. Ctrl-C or SIGTERM stops
    the bot, not the match: started again it goes on where the match is.
    """
    from ..network import SeatPlayer, seat_at
    from .match_words import seats_in_words

    if not token:
        fail("a bot needs the token of a seat, in LOVAT_TOKEN or by --token; "
             "`lovat match join` gives one")
    console = out()
    make = _maker(name, secrets.token_hex(16) if seed is None else seed)
    left: int | str | None
    with seat_at(arbiter, checked(token)) as seat:
        try:
            player = SeatPlayer(seat, make, reports=_reports(console, arbiter, patience, verbose),
                                patience=patience)
            match = player.turn.match
            console.print(f"{name} plays {player.side} in match {match.match_id}, "
                          f"{match.scenario}: {seats_in_words(match)}", markup=False)
            played = player.run()
        except KeyboardInterrupt:
            left = 130
        except SystemExit as error:  # of SIGTERM, as the command line takes it
            left = error.code
        else:
            left = None
            _conclude(console, played.match, played.decisions)
    if left is not None:
        console.print("the bot has left; the seat is kept, and the same command goes on")
        raise typer.Exit(left if isinstance(left, int) else 1)


def _maker(name: str, seed: str) -> Callable[[str], Bot]:
    """Makes the bot for a side; the factory is looked for at once."""
    from ..match import bot_random
    from ..sdk.errors import ClientError
    from ..tournament.bot_host import NoFactoryError, find_factory

    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        factory = find_factory(name)
    except NoFactoryError as error:
        from ..bots import BOTS

        fail(f"there is no bot {name!r}: {error}; there are {', '.join(sorted(BOTS))}, "
             "or your own as module:Class")
    except Exception as error:
        fail(f"the bot {name!r} cannot be imported: {type(error).__name__}: {error}")

    def make(side: str) -> Bot:
        try:
            return factory(bot_random(seed, side))  # type: ignore[no-any-return]
        except Exception as error:
            raise ClientError(f"the bot {name!r} cannot be made from its randomness alone: "
                              f"{type(error).__name__}: {error}") from error

    return make


def _reports(console: Console, arbiter: str, patience: float, verbose: bool) -> Reports:
    from ..network import Reports
    from .match_words import fallback_in_words
    from .words import kind_in_words

    warnings = Console(stderr=True, highlight=False, soft_wrap=True)
    shown: list[int] = [0]

    def decision(turn: play.GetTurnResponse) -> None:
        seen = turn.view.white_death
        if verbose:
            console.print(f"turn {seen.turn}, version {turn.version}: "
                          f"{kind_in_words(turn.decision.kind)}", markup=False)
        elif seen.turn > shown[0]:
            console.print(f"turn {seen.turn}")
            shown[0] = seen.turn

    def fallback(one: Fallback) -> None:
        console.print(fallback_in_words(one), markup=False)

    def trouble(error: LovatError) -> None:
        warnings.print(f"no answer from the arbiter at {arbiter} ({error.code.name}); trying "
                       f"again for {patience:g} seconds", markup=False)

    def back() -> None:
        warnings.print(f"the arbiter at {arbiter} answers again", markup=False)

    return Reports(decision, fallback, trouble, back)


def _conclude(console: Console, match: play.MatchInfo, decisions: int) -> None:
    from .match_words import result_in_words

    console.print(f"decisions: {decisions}")
    for line in result_in_words(match.result):
        console.print(line, markup=False)
