"""`lovat submit` and `lovat impulse`: orders carried out, or every rule that they break."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .console import FAILED, OverlayOption, PositionArgument, ServerOption, connected, out

if TYPE_CHECKING:
    from lovat.rules.v1 import core_pb2

    from ..sdk import Outcome

OutOption = Annotated[Path | None, typer.Option(
    "--out", "-o", metavar="FILE", dir_okay=False, show_default=False,
    help="Where the new position goes; by default game.json is followed by game.v1.json.")]
EventsOption = Annotated[bool, typer.Option("--events", help="Print every event, die by die.")]

SUBMIT_EPILOG = """Example: echo '{"declare_impulse": {"points": 3, "kind": "IMPULSE_KIND_ACTION"}}'
> order.json; lovat submit game.json order.json"""
IMPULSE_EPILOG = "Example: lovat impulse game.json orders.json --events"


def submit(
    position: PositionArgument,
    order: Annotated[Path, typer.Argument(
        metavar="ORDER", exists=True, dir_okay=False, show_default=False,
        help="The order as JSON, as in lovat.white_death.v1.Order.")],
    new_position: OutOption = None,
    standing: Annotated[Path | None, typer.Option(
        metavar="FILE", exists=True, dir_okay=False, show_default=False,
        help="Standing orders of the deciding side, as JSON.")] = None,
    check: Annotated[bool, typer.Option(
        "--check", help="Only judge the order: no dice, no new position.")] = False,
    events: EventsOption = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Answer the pending decision. Exit code 1 and every broken rule if the order is refused."""
    from .files import read_order, read_position, read_standing
    from .words import print_violations

    given, answer = read_position(position), read_order(order)
    said = read_standing(standing) if standing else None
    with connected(server, overlay) as client:
        if check:
            judgement = client.validate(given, answer)
            if not judgement.is_legal:
                print_violations(out(), judgement.violations)
                raise typer.Exit(FAILED)
            out().print("[bold green]Legal.[/]")
            return
        outcome = client.submit(given, answer, standing=said)
    _conclude(position, new_position, outcome, events)


def impulse(
    position: PositionArgument,
    orders: Annotated[Path | None, typer.Argument(
        metavar="[ORDERS]", exists=True, dir_okay=False, show_default=False,
        help="Orders of both sides as JSON, a list of lovat.rules.v1.SideOrders; without them "
        "standing orders play the impulse.")] = None,
    new_position: OutOption = None,
    events: EventsOption = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """Play a whole impulse, from the orders of both sides and then their standing orders."""
    from .files import read_position, read_side_orders

    given = read_position(position)
    said: list[core_pb2.SideOrders] = read_side_orders(orders) if orders else []
    with connected(server, overlay) as client:
        outcome = client.resolve_impulse(given, said)
    _conclude(position, new_position, outcome, events)


def _conclude(old: Path, new: Path | None, outcome: Outcome, every_event: bool) -> None:
    """Write and tell what came of orders; exit code 1 if they were refused."""
    from .files import next_path, write_position
    from .words import decision_in_words, print_events, print_violations

    console = out()
    if outcome.position is None:
        print_violations(console, outcome.violations)
        raise typer.Exit(FAILED)
    path = new or next_path(old, outcome.version)
    write_position(path, outcome.position)
    print_events(console, outcome.events, every_event)
    console.print(f"{path}: version {outcome.version}, checksum {outcome.checksum}\n"
                  f"waits for {decision_in_words(outcome.decision)}")
