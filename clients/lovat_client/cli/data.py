"""`lovat data`: the data a server plays by, checked and compared."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

data = typer.Typer(
    no_args_is_help=True,
    help="Check a folder of data, or list what an overlay folder changes.")


@data.command(epilog="Example: lovat data check my-data")
def check(
    folder: Annotated[Path | None, typer.Argument(
        metavar="[DIR]", exists=True, file_okay=False, show_default=False,
        help="An overlay folder; without it the server's own data are checked.")] = None,
) -> None:
    """Name everything that is wrong with a data folder. Exit code 1 if anything is."""
    raise typer.Exit(_ask_server_package("check", *([str(folder)] if folder else [])))


@data.command(epilog="Example: lovat data diff my-data")
def diff(
    folder: Annotated[Path, typer.Argument(
        metavar="DIR", exists=True, file_okay=False, show_default=False,
        help="An overlay folder.")],
) -> None:
    """List every value that an overlay folder changes, the old one beside the new one."""
    raise typer.Exit(_ask_server_package("diff", str(folder)))


def _ask_server_package(*arguments: str) -> int:
    """Run the data tool of the server package; clients do not import the server."""
    import subprocess

    from ..sdk.server import child_environment, module_command

    done = subprocess.run(module_command("lovat_server.scenarios", arguments),
                          env=child_environment(), capture_output=True, text=True, check=False)
    typer.echo(done.stdout, nl=False)
    typer.echo(done.stderr, nl=False, err=True)
    return done.returncode
