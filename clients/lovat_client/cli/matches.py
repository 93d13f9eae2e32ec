"""`lovat match`: matches at an arbiter, opened, joined, looked at, kept as a file."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from lovat.play.v1 import match_service_pb2 as play

from . import turns
from .console import fail, out
from .options import GameOptions, read_options
from .seat import (
    DEFAULT_ARBITER,
    ArbiterOption,
    JsonOption,
    MatchArgument,
    TokenOption,
    at_arbiter,
    named,
)

matches = typer.Typer(
    no_args_is_help=True,
    help="Hosted matches: open one, take a seat, play your turns in words, watch, keep the "
    "replay. The arbiter is named by --arbiter or LOVAT_ARBITER, your seat by LOVAT_TOKEN.")


class State(StrEnum):
    """Where a match stands, as the command line has it."""

    WAITING = "waiting"
    RUNNING = "running"
    ADJOURNED = "adjourned"
    OVER = "over"

    @property
    def number(self) -> play.MatchState.ValueType:
        return play.MatchState.Value(f"MATCH_STATE_{self.name}")


class Remedy(StrEnum):
    """What is done about a seat that fails."""

    DEFAULT_ORDER = "default"
    FORFEIT = "forfeit"
    WAIT = "wait"


RemedyOption = Remedy | None


def _remedy(remedy: RemedyOption) -> play.Remedy.ValueType:
    return play.REMEDY_UNSPECIFIED if remedy is None else play.Remedy.Value(
        f"REMEDY_{remedy.name}")


@matches.command(epilog="Example: lovat match create --open --name 'An evening'")
def create(
    scenario: Annotated[str, typer.Option(help="Id of the scenario.")] = "purkayevs-attack",
    name: Annotated[str, typer.Option(show_default=False, help="What to call the match.")] = "",
    open_: Annotated[bool, typer.Option(
        "--open", help="Anybody may take a free seat; else each seat needs its invitation.")]
    = False,
    unlisted: Annotated[bool, typer.Option(
        "--unlisted", help="Keep it out of `lovat match list`.")] = False,
    free_set_up: Annotated[bool, typer.Option(
        "--free-set-up", help="Let both sides set up by orders instead of the standard set-up."
    )] = False,
    option: GameOptions = None,
    seed: Annotated[str, typer.Option(
        show_default=False, help="Dice from this text: whoever knows it can foretell every die. "
        "Without it the arbiter draws a secret and shows it after the end.")] = "",
    decision_seconds: Annotated[float, typer.Option(
        min=0, help="Time for one decision; 0 for no limit.")] = 0,
    game_seconds: Annotated[float, typer.Option(
        min=0, help="Time of a side for all its decisions; 0 for no limit.")] = 0,
    increment_seconds: Annotated[float, typer.Option(
        min=0, help="Added to a side's time after each of its decisions.")] = 0,
    late: Annotated[RemedyOption, typer.Option(
        show_default=False, help="For a decision not answered in time (else: default).")] = None,
    out_of_time: Annotated[RemedyOption, typer.Option(
        show_default=False, help="For the time of the game used up (else: forfeit).")] = None,
    silent: Annotated[RemedyOption, typer.Option(
        show_default=False, help="For a late seat of which nothing was heard (else: default).")]
    = None,
    crashed: Annotated[RemedyOption, typer.Option(
        show_default=False, help="For a seat that lost its connection (else: default).")] = None,
    illegal: Annotated[RemedyOption, typer.Option(
        show_default=False, help="For too many illegal orders (else: default).")] = None,
    crashed_seconds: Annotated[float, typer.Option(
        min=0, help="How long a seat that lost its connection may stay away; 0 for as long as "
        "its clock allows.")] = 0,
    illegal_limit: Annotated[int, typer.Option(
        min=0, max=2**32 - 1,
        help="Refused orders for one decision that are too many; 0 for no limit.")] = 0,
    forfeit_after: Annotated[int, typer.Option(
        min=0, max=2**32 - 1,
        help="Failures of any kind with which a seat loses; 0 for no limit.")] = 0,
    no_spectators: Annotated[bool, typer.Option(
        "--no-spectators", help="Show nothing to people without a seat until the end.")] = False,
    spectator_delay: Annotated[int, typer.Option(
        min=0, max=100_000, help="Events that spectators are behind; 0 for the arbiter's "
        "default.")] = 0,
    json: JsonOption = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
) -> None:
    """Open a match with a free seat for each side. It starts when the last one is taken.

    Prints the id, and unless the match is open one invitation for each side: whoever has an
    invitation can take that seat, once. Nobody is shown it again.
    """
    from lovat.rules.v1 import core_pb2

    options = read_options(option)
    request = play.CreateMatchRequest(
        scenario=scenario,
        options=core_pb2.Options(white_death=options) if options is not None else None,
        standard_set_up=not free_set_up, name=name,
        time_control=play.TimeControl(
            decision_seconds=decision_seconds, game_seconds=game_seconds,
            increment_seconds=increment_seconds),
        policy=play.Policy(
            late=_remedy(late), out_of_time=_remedy(out_of_time), silent=_remedy(silent),
            crashed=_remedy(crashed), illegal=_remedy(illegal), crashed_seconds=crashed_seconds,
            illegal_limit=illegal_limit, forfeit_after=forfeit_after),
        spectating=play.Spectating(forbidden=no_spectators, delay=spectator_delay),
        dice=play.MATCH_DICE_SEEDED if seed else play.MATCH_DICE_COMMIT_REVEAL, seed=seed,
        open=open_, unlisted=unlisted)
    with at_arbiter(arbiter) as client:
        created = client.create(request)
    if json:
        _print_json(created)
        return
    _tell(created.match)
    for invitation in created.invitations:
        typer.echo(f"  invitation of {invitation.side}: {invitation.invitation}")


@matches.command("list", epilog="Example: lovat match list --state waiting")
def list_(
    state: Annotated[State | None, typer.Option(
        show_default=False, help="Only matches in this state.")] = None,
    scenario: Annotated[str, typer.Option(
        show_default=False, help="Only matches of this scenario.")] = "",
    json: JsonOption = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
) -> None:
    """List the matches of an arbiter, newest first."""
    with at_arbiter(arbiter) as client:
        found = client.matches(play.ListMatchesRequest(
            state=state.number if state else play.MATCH_STATE_UNSPECIFIED, scenario=scenario))
    if json:
        _print_json(play.ListMatchesResponse(matches=found))
        return
    for match in found:
        _tell(match)
    if not found:
        out().print("there are no such matches")


@matches.command(epilog="Example: export LOVAT_TOKEN=$(lovat match join --player Anna)")
def join(
    match_id: Annotated[str, typer.Argument(
        metavar="[MATCH]", show_default=False,
        help="Id of the match; without it the only open match that waits for players.")] = "",
    player: Annotated[str, typer.Option(
        show_default=False, help="Your name, for the other side to see.")] = "",
    side: Annotated[str, typer.Option(
        show_default=False, help="The side to play (soviet or german); without it that of the "
        "invitation, or any that is free.")] = "",
    invitation: Annotated[str, typer.Option(
        envvar="LOVAT_INVITATION", show_default=False,
        help="The invitation that `lovat match create` printed; an open match needs none.")] = "",
    arbiter: ArbiterOption = DEFAULT_ARBITER,
) -> None:
    """Take a seat. The token, and nothing else, goes to standard output.

    Whoever has the token plays the seat, and it is never shown again: keep it in LOVAT_TOKEN.
    """
    if not player:
        fail("--player is needed: your name, for the other side to see")
    with at_arbiter(arbiter) as client:
        seat = client.join(match_id or _only_open(client.matches(
            play.ListMatchesRequest(state=play.MATCH_STATE_WAITING))),
            player, side=side, invitation=invitation)
    from .match_words import seats_in_words

    Console(stderr=True, highlight=False, soft_wrap=True).print(
        f"{player} has the {seat.side} seat of match {seat.match.match_id}, "
        f"{seat.match.scenario}: {seats_in_words(seat.match)}", markup=False)
    typer.echo(seat.token)


def _only_open(waiting: list[play.MatchInfo]) -> str:
    """The id of the one match that anybody may join."""
    found = [match.match_id for match in waiting if match.open]
    if len(found) != 1:
        fail("no open match waits for players; name one that you are invited to" if not found
             else f"{len(found)} open matches wait for players, name one: {', '.join(found)}")
    return found[0]


@matches.command(epilog="Example: lovat match show 1f0a6a6c8f8c4b52")
def show(
    match_id: MatchArgument = "",
    json: JsonOption = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
) -> None:
    """Show where a match stands: seats, clocks, whose decision, how it ended."""
    from .match_words import clocks_in_words
    from .words import decision_in_words

    with at_arbiter(arbiter, token) as client:
        turn = client.turn(named(match_id, token), without_listing=True)
    if json:
        _print_json(turn.match)
        return
    _tell(turn.match)
    console = out()
    if turn.match.state == play.MATCH_STATE_RUNNING and turn.decision.kind:
        behind = "" if turn.side else ", as spectators are told"
        console.print(f"  waits for {decision_in_words(turn.decision)} "
                      f"(version {turn.version}{behind})")
    for line in clocks_in_words(turn.clocks):
        console.print(f"  {line}", markup=False)


@matches.command(epilog="Example: lovat match replay game.replay.jsonl && "
                 "lovat replay game.replay.jsonl")
def replay(
    file: Annotated[Path, typer.Argument(
        metavar="FILE", dir_okay=False, show_default=False, help="The replay file to write.")],
    match_id: MatchArgument = "",
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
) -> None:
    """Keep a match that is over as a replay file, with every die and the secret behind them."""
    from ..arbiter.player import records_of
    from ..replay import Header, write_replay

    with at_arbiter(arbiter, token) as client:
        header, entries = client.replay(named(match_id, token))
    first = header.start.position
    write_replay(file, Header(
        first.game, first.scenario, first.ruleset_version, first.catalog_hash, first.checksum,
        header.start), records_of(entries))
    out().print(f"{file}: {len(entries)} records of {first.scenario}")


def _tell(match: play.MatchInfo) -> None:
    from .match_words import match_in_words

    console = out()
    for line in match_in_words(match):
        console.print(line, markup=False)


def _print_json(message: play.MatchInfo | play.ListMatchesResponse
                | play.CreateMatchResponse) -> None:
    from .files import as_json

    typer.echo(as_json(message))


for command, name, epilog in turns.COMMANDS:
    matches.command(name, epilog=epilog)(command)
