"""`python -m lovat_server.scenarios check [DIR]` and `... diff DIR`: the data, from a shell.

Exit status 0 if nothing is wrong, 1 if the folder has faults, 2 for a wrong command line.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .checks import check_data
from .diff import Change, diff_data
from .folders import game_folder

NOTHING = '""'


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m lovat_server.scenarios", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    check = commands.add_parser("check", help="name everything wrong with a folder")
    check.add_argument("folder", type=Path, nargs="?", default=None,
                       help="an overlay folder; the server's own data if absent")
    diff = commands.add_parser("diff", help="list what an overlay folder changes")
    diff.add_argument("folder", type=Path, help="an overlay folder")
    chosen = parser.parse_args(arguments)
    folder: Path = chosen.folder or game_folder()
    return _check(folder) if chosen.command == "check" else _diff(folder)


def _check(folder: Path) -> int:
    faults = check_data(folder)
    for fault in faults:
        print(fault)
    count = f"{len(faults)} fault{'' if len(faults) == 1 else 's'}" if faults else "no faults"
    print(f"{folder}: {count}")
    return 1 if faults else 0


def _diff(folder: Path) -> int:
    if not folder.is_dir():
        print(f"{folder}: there is no such folder", file=sys.stderr)
        return 1
    changes = diff_data(folder)
    for change in changes:
        print(_line(change))
    print(f"{folder}: {len(changes)} value{'' if len(changes) == 1 else 's'} changed")
    return 0


def _line(change: Change) -> str:
    place = " ".join(word for word in (change.file, change.key, change.column) if word)
    return f"{place}: {change.old or NOTHING} -> {change.new or NOTHING}"


if __name__ == "__main__":
    sys.exit(main())
