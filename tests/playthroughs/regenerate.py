"""Writes the golden playthroughs anew: `python -m tests.playthroughs.regenerate [NAME ...]`."""

from __future__ import annotations

import sys

from .record import GOLDEN, lines, playthroughs


def main(names: list[str]) -> int:
    GOLDEN.mkdir(exist_ok=True)
    known = {playthrough.name: playthrough for playthrough in playthroughs()}
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no playthrough {', '.join(unknown)}; there are {', '.join(known)}")
        return 1
    for name in names or known:
        text = "\n".join(lines(known[name])) + "\n"
        path = known[name].path
        changed = not path.exists() or path.read_text(encoding="utf-8") != text
        path.write_text(text, encoding="utf-8")
        print(f"{'written' if changed else 'unchanged'}: {path.name}, {text.count(chr(10))} lines")
    if not names:
        for path in sorted(GOLDEN.glob("*.txt")):
            if path.stem not in known:
                path.unlink()
                print(f"removed: {path.name}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
