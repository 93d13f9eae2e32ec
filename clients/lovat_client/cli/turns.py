"""`lovat match turn`, `submit`, `watch` and the ways to stop: a seat played in words."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lovat.play.v1 import match_service_pb2 as play

from .console import FAILED, OverlayOption, ServerOption, connected, fail, out
from .seat import (
    DEFAULT_ARBITER,
    ArbiterOption,
    JsonOption,
    MatchArgument,
    TokenOption,
    at_arbiter,
    at_seat,
    named,
)

if TYPE_CHECKING:
    from lovat.rules.v1 import core_pb2

    from ..arbiter.player import MatchClient
    from ..sdk import Catalog

WithdrawOption = Annotated[bool, typer.Option(
    "--withdraw", help="Take back that you have asked.")]
STANDARD_INPUT = "-"


def turn(
    match_id: MatchArgument = "",
    unit: Annotated[list[str] | None, typer.Option(
        "--unit", metavar="ID", show_default=False,
        help="Only this unit, with every hex that it can reach; may be given several times.")]
    = None,
    map_: Annotated[bool, typer.Option(
        "--map", help="Print the map as text, with the stacks that you can see.")] = False,
    region: Annotated[str | None, typer.Option(
        metavar="HEX-HEX", show_default=False,
        help="With --map, the part between two opposite corners, as 1815-2830.")] = None,
    zoc: Annotated[bool, typer.Option(
        "--zoc", help="Mark the zones of control of both sides on the maps.")] = False,
    svg: Annotated[Path | None, typer.Option(
        metavar="FILE", dir_okay=False, show_default=False,
        help="Draw the map as an SVG picture into this file.")] = None,
    json: JsonOption = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
) -> None:
    """Show your turn: what the match waits for, what you may order, the map as you see it.

    Without a token it is the spectators' turn, who are behind and see only fronts.
    """
    from .files import as_json
    from .listing import NEAREST, print_listing
    from .match_words import clocks_in_words
    from .show import corners
    from .words import decision_in_words

    part = corners(region)
    with at_arbiter(arbiter, token) as client:
        found = client.turn(named(match_id, token), units=unit or ())
        if json:
            typer.echo(as_json(found))
            return
        catalog = client.catalog(found.match.scenario)
    console = out()
    if not found.HasField("view"):
        fail(f"match {found.match.match_id} has nothing to show yet")
    if map_ or svg is not None:
        _draw(found, catalog, map_, svg, zoc, part)
    who = f"you are {found.side}" if found.side else "as spectators see it"
    console.print(f"match {found.match.match_id}, turn {found.view.white_death.turn}, version "
                  f"{found.version}: {who}", markup=False)
    for line in clocks_in_words(found.clocks):
        console.print(line, markup=False)
    if found.match.state == play.MATCH_STATE_RUNNING:
        console.print(f"waits for [bold]{decision_in_words(found.decision)}[/]")
    else:
        _state(found.match)
    if found.HasField("listing"):
        print_listing(console, found.listing, catalog, most_hexes=10_000 if unit else NEAREST)


def _draw(found: play.GetTurnResponse, catalog: Catalog, text: bool, svg: Path | None,
          zoc: bool, part: tuple[int, int] | None) -> None:
    from ..render import picture_of_view
    from ..render.svg import render_svg
    from ..render.text import render_text
    from ..render.zones import zones_of_control

    picture = picture_of_view(found.view.white_death)
    marked = zones_of_control(catalog.message, picture) if zoc else None
    if svg is not None:
        svg.write_text(render_svg(catalog.message, picture, zoc=marked, hex_numbers=True),
                       "utf-8")
        out().print(f"{svg}: {svg.stat().st_size // 1024} KB")
    if text:
        typer.echo(render_text(catalog.message, picture, zoc=marked, region=part))


def submit(
    order: Annotated[str, typer.Argument(
        metavar="ORDER", show_default=False,
        help="A file with the order: JSON as in lovat.white_death.v1.Order if its name ends in "
        ".json, text as in `lovat notation` if in .txt; or - for text from standard input.")],
    standing: Annotated[Path | None, typer.Option(
        metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="Standing orders of your side from now on, as JSON.")] = None,
    check: Annotated[bool, typer.Option(
        "--check", help="Only judge the order: no dice, nothing is done.")] = False,
    version: Annotated[int | None, typer.Option(
        min=0, show_default=False, help="Refuse unless the match is at this version.")] = None,
    events: Annotated[bool, typer.Option(
        "--events", help="Print everything that happened, die by die.")] = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Answer the decision that your seat is asked. A text may answer several, one after another.

    Exit code 1 and every broken rule if an order is refused. Text is read by a rules server:
    --server, or one that is started for it.
    """
    from .files import read_standing
    from .words import decision_in_words, print_violations

    console = out()
    said = read_standing(standing) if standing else None
    with at_seat(arbiter, token) as seat:
        now = seat.turn(without_listing=True)
        answers = _orders(order, now.match.scenario, server, overlay)
        for number, answer in enumerate(answers, 1):
            if number > 1 and now.decision.side != now.side:
                fail(f"order {number} of {len(answers)} was not given: the match now waits for "
                     f"{decision_in_words(now.decision)}")
            if check:
                judged = seat.validate(answer).violations
                if judged:
                    print_violations(console, judged)
                    raise typer.Exit(FAILED)
                console.print("[bold green]Legal.[/]" + (
                    f" The other {len(answers) - 1} depend on what it does."
                    if len(answers) > 1 else ""))
                return
            done = seat.submit(answer, now.version if version is None else version,
                               standing=said)
            if done.violations:
                print_violations(console, done.violations)
                raise typer.Exit(FAILED)
            _happened(done.happenings, events)
            console.print(f"version {done.version}, waits for "
                          f"{decision_in_words(done.decision)}")
            version, said = None, None
            now.version = done.version
            now.decision.CopyFrom(done.decision)


def _orders(order: str, scenario: str, server: str | None,
            overlay: Path | None) -> Sequence[core_pb2.Order]:
    """The orders of a file or of standard input."""
    from .files import read_order

    path = Path(order)
    if order == STANDARD_INPUT:
        text = sys.stdin.read()
    elif not path.is_file():
        fail(f"there is no file {order}")
    elif path.suffix.lower() != ".txt":
        return [read_order(path)]
    else:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            fail(f"{path} is no text")
    with connected(server, overlay) as client:
        found = list(client.read_orders(scenario, text))
    if not found:
        fail("the text has no order in it")
    return found


def _happened(happenings: Iterable[play.Happening], every: bool) -> None:
    from .match_words import happenings_in_words

    console = out()
    for line in happenings_in_words(happenings, every=every):
        console.print(line, markup=False)


def watch(
    match_id: MatchArgument = "",
    after: Annotated[int, typer.Option(
        min=0, help="Number of the last event that you know.")] = 0,
    new: Annotated[bool, typer.Option(
        "--new", help="Only what happens from now on.")] = False,
    until_turn: Annotated[bool, typer.Option(
        "--until-turn", help="End as soon as your seat has to decide.")] = False,
    events: Annotated[bool, typer.Option(
        "--events", help="Print everything that happens, die by die.")] = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
) -> None:
    """Tell what happens in a match, event by event, until it is over or Ctrl-C.

    A connection that breaks is opened again behind the last event. Without a token it is what
    spectators may know, who are behind.
    """
    from .match_words import match_event_in_words

    console = out()
    with at_arbiter(arbiter, token) as client:
        now = client.turn(named(match_id, token), without_listing=True)
        if until_turn and not now.side:
            fail("--until-turn needs the token of a seat, in LOVAT_TOKEN or by --token")
        if new:
            after = now.sequence
        if until_turn and _is_asked(now) and after >= now.sequence:
            _your_turn(now)
            return
        for event in client.watch(match_id, after=after):
            for line in match_event_in_words(event, every=events):
                console.print(line, markup=False)
            if until_turn and event.sequence >= now.sequence:
                now = client.turn(without_listing=True)
                if _is_asked(now) and event.sequence >= now.sequence:
                    _your_turn(now)
                    return


def _your_turn(now: play.GetTurnResponse) -> None:
    from .words import kind_in_words

    out().print(f"it is your turn, {now.side}: {kind_in_words(now.decision.kind)}")


def _is_asked(now: play.GetTurnResponse) -> bool:
    return now.match.state == play.MATCH_STATE_RUNNING and now.decision.side == now.side


def resign(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask whether you mean it.")]
    = False,
    arbiter: ArbiterOption = DEFAULT_ARBITER,
    token: TokenOption = "",
) -> None:
    """Give up: the other side wins."""
    with at_seat(arbiter, token) as seat:
        if not yes:
            side = seat.turn(without_listing=True).side
            typer.confirm(f"Give up the match as {side}?", abort=True)
        _state(seat.resign())


def abort(withdraw: WithdrawOption = False, arbiter: ArbiterOption = DEFAULT_ARBITER,
          token: TokenOption = "") -> None:
    """Ask to end the match without a winner; it ends when both seats have asked."""
    _propose(arbiter, token, lambda seat: seat.abort(withdraw=withdraw))


def adjourn(withdraw: WithdrawOption = False, arbiter: ArbiterOption = DEFAULT_ARBITER,
            token: TokenOption = "") -> None:
    """Ask to stop for now; the match and its clocks stop when both seats have asked."""
    _propose(arbiter, token, lambda seat: seat.adjourn(withdraw=withdraw))


def resume(withdraw: WithdrawOption = False, arbiter: ArbiterOption = DEFAULT_ARBITER,
           token: TokenOption = "") -> None:
    """Ask to go on with an adjourned match; it goes on when both seats have asked."""
    _propose(arbiter, token, lambda seat: seat.resume(withdraw=withdraw))


def _propose(arbiter: str, token: str,
             ask: Callable[[MatchClient], play.MatchInfo]) -> None:
    with at_seat(arbiter, token) as seat:
        _state(ask(seat))


def _state(match: play.MatchInfo) -> None:
    from .match_words import match_in_words

    console = out()
    for line in match_in_words(match):
        console.print(line, markup=False)


COMMANDS: Sequence[tuple[Callable[..., Any], str, str]] = (
    (turn, "turn", "Example: lovat match turn --map --region 1815-2830"),
    (submit, "submit", "Example: echo 'declare 4 action' | lovat match submit -"),
    (watch, "watch", "Example: lovat match watch --new --until-turn"),
    (resign, "resign", "Example: lovat match resign --yes"),
    (abort, "abort", "Example: lovat match abort"),
    (adjourn, "adjourn", "Example: lovat match adjourn"),
    (resume, "resume", "Example: lovat match resume"),
)
"""The commands, their names and their last lines of help."""
