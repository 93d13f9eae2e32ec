"""`python -m lovat_client.arbiter`: the same as `lovat arbiter`."""

from __future__ import annotations

import typer

from ..cli.arbiter import arbiter

if __name__ == "__main__":
    typer.run(arbiter)
