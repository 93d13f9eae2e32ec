"""The server's own reading of a rulebook, clause by clause, from the game's `RULES.md`.

That file has a table for each rule, with a row for each clause: the clause as it is cited, the
reading in one line, the functions that carry it out and the tests that hold it to the rulebook.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

FILE = "RULES.md"
COMPONENTS = "describes components"
"""What stands in place of the tests of a clause that states no rule."""

MOST_NEAR = 6
_HEADER = ["clause", "reading", "functions", "tests"]
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause: `id` as it is cited ("WD 9.C.3"), `rule` the heading it stands under.

    Without tests it states no rule but describes components.
    """

    id: str
    rule: str
    reading: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]


class Rulebook:
    """Every clause of one game, in the order of its rulebook; never changes."""

    def __init__(self, game: str, clauses: Iterable[Clause]) -> None:
        self.game = game
        self.clauses = tuple(clauses)
        self.prefix = self.clauses[0].id.partition(" ")[0] if self.clauses else ""
        self._by_key = {_key(clause.id): clause for clause in self.clauses}

    def find(self, cited: str) -> Clause | None:
        """The clause that is cited: "WD 9.C.3", "9.c.3" and "WD 25 scenario II" are understood."""
        return self._by_key.get(self._full_key(cited))

    def parts_of(self, clause: Clause) -> tuple[str, ...]:
        """The clauses right below a clause."""
        return tuple(other.id for other in self.clauses
                     if other.id.rpartition(".")[0] == clause.id)

    def near(self, cited: str) -> tuple[str, ...]:
        """Clauses that somebody may have meant: the one it would be part of first."""
        wanted = self._full_key(cited)
        found: dict[str, None] = {}
        above = wanted
        while "." in above and not found:
            above = above.rpartition(".")[0]
            if above in self._by_key:
                found[above] = None
        alike = difflib.get_close_matches(wanted, self._by_key, n=MOST_NEAR, cutoff=0.7)
        found.update(dict.fromkeys(alike))
        return tuple(self._by_key[key].id for key in list(found)[:MOST_NEAR])

    def _full_key(self, cited: str) -> str:
        key = _key(cited)
        prefix = self.prefix.lower() + " "
        return key if key.startswith(prefix) else prefix + key


def load_rulebook(game: str, file: Path | None = None) -> Rulebook | None:
    """The rulebook of a game, or None for a game that has no such file.

    ValueError for a file that is not a series of such tables, with the line that is wrong.
    """
    path = rules_file(game) if file is None else file
    return read_rulebook(game, path.read_text("utf-8")) if path.is_file() else None


def rules_file(game: str) -> Path:
    """Where the rulebook of a game lies: beside its rules, in a checkout and in a wheel alike."""
    return Path(str(resources.files("lovat_server"))) / "games" / game / FILE


def read_rulebook(game: str, text: str) -> Rulebook:
    """The rulebook that a text holds."""
    clauses: dict[str, Clause] = {}
    rule = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith("## "):
            rule = line[3:].strip()
        if not line.startswith("|"):
            continue
        cells = [cell.strip().replace(r"\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != len(_HEADER):
            raise ValueError(f"{FILE}:{number}: {len(cells)} cells where {len(_HEADER)} must be")
        if cells == _HEADER or set("".join(cells)) <= set("-:"):
            continue
        clause = _clause(cells, rule)
        if not clause.tests and cells[3] != COMPONENTS:
            raise ValueError(f"{FILE}:{number}: no test of {clause.id}; a clause without one is "
                             f"marked {COMPONENTS!r}")
        if clause.id in clauses:
            raise ValueError(f"{FILE}:{number}: {clause.id} stands twice")
        clauses[clause.id] = clause
    return Rulebook(game, clauses.values())


def _clause(cells: list[str], rule: str) -> Clause:
    return Clause(cells[0], rule, cells[1].replace("`", ""), tuple(_CODE.findall(cells[2])),
                  tuple(_CODE.findall(cells[3])))


def _key(cited: str) -> str:
    words = cited.strip().strip("[]().").strip().lower()
    words = re.sub(r"^(\w+ )?(\d+) scenarios? +(?=[ivx]+\b)", r"\1\2.", words)
    return re.sub(r"\s+", " ", words)
