"""The rules server of a program that may be killed at any moment and must not leave it behind.

    python -m lovat_client.guarded_server [option of the server ...] PARENT

The same process as the server itself, but ended with PARENT.
"""

from __future__ import annotations

import os
import sys

from .kinship import die_with

SERVER = "lovat_server.transport.main"


def main() -> None:
    # EmbeddedServer puts its own options first and what it was given last.
    *options, parent = sys.argv[1:]
    die_with(int(parent))
    os.execv(sys.executable, [sys.executable, "-P", "-m", SERVER, *options])


if __name__ == "__main__":
    main()
