"""What every command shares: options, consoles, a server to ask, errors in one line."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer
from rich.console import Console
from rich.markup import escape
from typer.core import TyperGroup

if TYPE_CHECKING:
    from ..sdk import LovatClient

FAILED = 1
"""Exit code of a refused order, a damaged file, a server that cannot be asked."""

BUG = 70
"""Exit code of a fault in this program."""

ServerOption = Annotated[str | None, typer.Option(
    "--server", metavar="HOST:PORT", envvar="LOVAT_SERVER", show_default=False,
    help="Ask this running server; without it a server is started for the command.")]
OverlayOption = Annotated[Path | None, typer.Option(
    "--overlay", metavar="DIR", exists=True, file_okay=False, show_default=False,
    help="Have the started server take its data from this folder where it has any.")]
PositionArgument = Annotated[Path, typer.Argument(
    metavar="POSITION", exists=True, dir_okay=False, show_default=False,
    help="A position file: protobuf JSON if its name ends in .json, else binary.")]


class UserError(Exception):
    """Something the user gave cannot be used; said in one line."""


def out() -> Console:
    """Standard output, as wide as the terminal. Made anew, so that tests may redirect it."""
    return Console(highlight=False, soft_wrap=True)


def complain(message: str) -> None:
    """One line on standard error."""
    line = " ".join(message.split())
    Console(stderr=True, highlight=False, soft_wrap=True).print(
        f"[bold red]error:[/] {escape(line)}")


def fail(message: str) -> NoReturn:
    """Stop the command with one line."""
    raise UserError(message)


class PlainGroup(TyperGroup):
    """A command group that says what went wrong in one line and ends with exit code 1."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UserError as error:
            complain(str(error))
        except OSError as error:
            if error.errno == errno.EPIPE:  # `lovat legal ... | head` is no error
                raise
            complain(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except Exception as error:
            from ..sdk.errors import ClientError

            if not isinstance(error, ClientError):
                raise
            complain(str(error))
        raise typer.Exit(FAILED)


@contextlib.contextmanager
def connected(server: str | None, overlay: Path | None) -> Iterator[LovatClient]:
    """A client of the server named, or of one that lives as long as the command."""
    from ..sdk import EmbeddedServer, LovatClient

    if server is not None:
        if overlay is not None:
            fail("--overlay is for a server that is started here; --server names a running one")
        with LovatClient.connect(server) as client:
            yield client
        return
    with EmbeddedServer(overlay=overlay) as own, own.connect() as client:
        yield client
