"""The rules server as a lane starts it: the same process, but ended with the lane's.

    python -m lovat_client.tournament.guarded_server [option of the server ...] PARENT

A lane may be killed at any moment, and must not leave a server behind.
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
