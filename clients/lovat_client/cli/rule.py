"""`lovat rule`: what a clause of a rulebook means to the server."""

from __future__ import annotations

from typing import Annotated

import typer

from .console import ServerOption, connected, out

EPILOG = "Example: lovat rule 'WD 9.C.3'"


def rule(
    clause: Annotated[list[str], typer.Argument(
        metavar="CLAUSE", show_default=False,
        help="The clause as a refusal cites it: WD 9.C.3, or 9.C.3 alone.")],
    tests: Annotated[bool, typer.Option(
        "--tests", help="Also name the functions and tests behind it.")] = False,
    json: Annotated[bool, typer.Option("--json", help="Print the answer as JSON.")] = False,
    server: ServerOption = None,
) -> None:
    """Say how the server reads a clause, and which tests hold it to that."""
    from rich.markup import escape

    from .files import as_json

    with connected(server, None) as client:
        found = client.describe_rule(" ".join(clause))
    if json:
        typer.echo(as_json(found))
        return
    console = out()
    console.print(f"[bold]{escape(found.clause)}[/]  {escape(found.rule)}")
    console.print(escape(found.reading))
    if found.parts:
        console.print(f"parts: {escape(', '.join(found.parts))}")
    if found.describes_components:
        console.print("describes components; there is nothing to test")
    elif tests:
        for title, names in (("functions", found.functions), ("tests", found.tests)):
            for name in names:
                console.print(f"  {title[:-1]} {escape(name)}")
    else:
        console.print(f"held by {len(found.tests)} test{'s' * (len(found.tests) != 1)} "
                      "(--tests names them)")
