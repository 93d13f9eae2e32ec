"""What a clause means, as this server reads it."""

from __future__ import annotations

from dataclasses import dataclass

from lovat_server.core.errors import MalformedError, UnknownError
from lovat_server.scenarios.rules_loader import Clause

from .library import Library

LONGEST = 64


@dataclass(frozen=True, slots=True)
class Description:
    """A clause, the game it is of, and the clauses right below it."""

    game: str
    clause: Clause
    parts: tuple[str, ...]


def describe(library: Library, cited: str) -> Description:
    """The clause that is cited.

    MalformedError if nothing is, or what no citation can be; UnknownError for a clause that no
    rulebook has, with those that may be meant.
    """
    if not cited.strip():
        raise MalformedError("clause: is empty; one is cited like 'WD 9.C.3'", field="clause")
    if len(cited) > LONGEST:
        raise MalformedError(f"clause: has {len(cited)} characters; at most {LONGEST} are "
                             "read", field="clause")
    for book in library.rulebooks:
        found = book.find(cited)
        if found is not None:
            return Description(book.game, found, book.parts_of(found))
    near = [name for book in library.rulebooks for name in book.near(cited)]
    hint = f"; near it are {', '.join(near)}" if near else ""
    raise UnknownError(f"there is no clause {cited!r}{hint}", field="clause")
