"""`lovat options`, and options of a game as the command line takes them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from .console import OverlayOption, ServerOption, connected, fail, out

if TYPE_CHECKING:
    from lovat.white_death.v1 import state_pb2

EPILOG = "Example: lovat new game.json --option strict_refit=true"

GameOptions = Annotated[list[str] | None, typer.Option(
    "--option", metavar="NAME=VALUE", show_default=False,
    help="A reading of the rulebook, true or false; may be given more than once. "
    "'lovat options' lists them.")]

_VALUES = {"true": True, "yes": True, "on": True, "1": True,
           "false": False, "no": False, "off": False, "0": False}


def read_options(given: Sequence[str] | None) -> state_pb2.Options | None:
    """The options named, None if none is. Stops the command at the first that cannot be read."""
    from lovat.white_death.v1 import state_pb2

    known = state_pb2.Options.DESCRIPTOR.fields_by_name
    chosen: dict[str, bool] = {}
    for text in given or ():
        written, _, value = text.partition("=")
        name = written.strip().replace("-", "_")
        if name not in known:
            fail(f"--option {text}: there is no option {written!r}; there are "
                 f"{', '.join(known)}")
        if value.strip().lower() not in _VALUES:
            fail(f"--option {text}: expected {written}=true or {written}=false, not {value!r}")
        if name in chosen:
            fail(f"--option {text}: {name} is given twice")
        chosen[name] = _VALUES[value.strip().lower()]
    return state_pb2.Options(**chosen) if chosen else None


def options(
    scenario: Annotated[str, typer.Option(help="Id of the scenario.")] = "purkayevs-attack",
    json: Annotated[bool, typer.Option("--json", help="Print the list as JSON.")] = False,
    server: ServerOption = None,
    overlay: OverlayOption = None,
) -> None:
    """List the options of a game: name, default, clause, and what each does."""
    from rich.markup import escape

    with connected(server, overlay) as client:
        listed = client.catalog(scenario).message.options
    if json:
        from json import dumps

        typer.echo(dumps([{"name": option.name, "default": option.default_value,
                           "clause": option.clause, "description": option.description}
                          for option in listed], indent=2))
        return
    console = out()
    for option in listed:
        default = "true" if option.default_value else "false"
        console.print(f"[bold]{escape(option.name)}[/] ({escape(option.clause)}), "
                      f"default {default}")
        console.print(f"  {escape(option.description)}")
