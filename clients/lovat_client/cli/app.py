"""`lovat`: the command line of the rules server."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from ..leaving import leave_on
from . import (
    arbiter,
    bot,
    check,
    demo,
    export,
    legal,
    new,
    options,
    preview,
    replay,
    rule,
    score,
    serve,
    show,
    submit,
    web,
)
from .console import BUG, PlainGroup, complain
from .data import data
from .import_ import import_
from .matches import matches
from .notation import notation
from .tournament import tournament

app = typer.Typer(
    name="lovat", cls=PlainGroup, no_args_is_help=True, pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    help="The referee for hex wargames: create positions, list and submit legal orders, watch "
    "bots fight, verify replays.",
    epilog="Example: lovat demo --seed 7 && lovat replay lovat-demo.replay.jsonl")

app.command(epilog=demo.EPILOG)(demo.demo)
app.command(epilog=serve.EPILOG, context_settings={
    "allow_extra_args": True, "ignore_unknown_options": True})(serve.serve)
app.command(epilog=new.EPILOG)(new.new)
app.command(epilog=options.EPILOG)(options.options)
app.command(epilog=show.EPILOG)(show.show)
app.command(epilog=legal.EPILOG)(legal.legal)
app.command(epilog=submit.SUBMIT_EPILOG)(submit.submit)
app.command(epilog=submit.IMPULSE_EPILOG)(submit.impulse)
app.command(epilog=preview.EPILOG)(preview.preview)
app.command(epilog=score.EPILOG)(score.score)
app.command(epilog=check.EPILOG)(check.check)
app.command(epilog=export.EPILOG)(export.export)
app.command(epilog=rule.EPILOG)(rule.rule)
app.command(epilog=replay.EPILOG)(replay.replay)
app.command(epilog=arbiter.EPILOG)(arbiter.arbiter)
app.command(epilog=bot.EPILOG)(bot.bot)
app.command(epilog=web.EPILOG)(web.web)
app.add_typer(matches, name="match")
app.add_typer(data, name="data")
app.add_typer(import_, name="import")
app.add_typer(notation, name="notation")
app.add_typer(tournament, name="tournament")


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: bool = typer.Option(False, "--version", help="Print the version and end."),
    tls_ca: Annotated[Path | None, typer.Option(
        metavar="FILE", envvar="LOVAT_TLS_CA", show_default=False,
        help="Trust these certificates (PEM) of servers at grpcs://HOST:PORT.")] = None,
) -> None:
    if tls_ca is not None:
        os.environ["LOVAT_TLS_CA"] = str(tls_ca.absolute())
    if version:
        from importlib.metadata import PackageNotFoundError
        from importlib.metadata import version as version_of

        try:
            typer.echo(f"lovat {version_of('lovat')}")
        except PackageNotFoundError:
            typer.echo("lovat (not installed)")
        raise typer.Exit
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def main() -> None:
    """Run the command line; even a fault in it is told in one line.

    With LOVAT_DEBUG set the fault is raised instead. SIGTERM ends a server that was started too.
    """
    leave_on(signal.SIGTERM, signal.SIGINT)
    try:
        app()
    except Exception as error:
        if os.environ.get("LOVAT_DEBUG"):
            raise
        complain(f"this is a fault in lovat itself, {type(error).__name__}: {error} "
                 "(set LOVAT_DEBUG=1 to see where)")
        sys.exit(BUG)


if __name__ == "__main__":
    main()
