"""Questions about a position. Nothing changes and no die is rolled."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from lovat_server.core.errors import MalformedError
from lovat_server.core.violations import Violation
from lovat_server.games.contract import Judgement

from .position import Position


class _Sides(Protocol):
    @property
    def side_units(self) -> Sequence[Sequence[int]]:
        """Unit places of each side."""
        ...


@dataclass(frozen=True, slots=True)
class Page:
    """`size` units at most, 0 for all; `token` from the page before, "" for the first."""

    size: int = 0
    token: str = ""


@dataclass(frozen=True, slots=True)
class ListingPage:
    """`listing` is None if the side that asks has nothing to decide."""

    listing: Any
    next_token: str
    total_units: int


def view(position: Position, side: int) -> Any:
    """What a side may know."""
    return position.volume.game.view(position.volume.catalog, position.state, side)


def legal(position: Position, side: int, draft: Any = None,
          units: Sequence[int] = (), page: Page = Page()) -> ListingPage:
    """Everything legal for the pending decision after a draft; only for `units` if any are given.

    MalformedError for a page token of another position or another request.
    """
    if side != position.deciding_side:
        return ListingPage(None, "", 0)
    sides: _Sides = position.volume.catalog
    asked = sorted(set(units)) if units else sides.side_units[side]
    total = len(asked)
    mark = _mark(position, side, draft, asked) if page.size or page.token else ""
    start = _start(page.token, mark, total)
    chosen: frozenset[int] | None = frozenset(asked) if units else None
    token = ""
    if page.size:
        end = start + page.size
        chosen = frozenset(asked[start:end])
        if end < total:
            token = f"{end}.{mark}"
    listing = position.volume.game.listing(position.volume.catalog, position.state, draft, chosen)
    return ListingPage(listing, token, total)


def judge(position: Position, order: Any) -> Judgement[Any]:
    """Every rule that an order breaks, or how it is understood."""
    return position.volume.game.judge(position.volume.catalog, position.state, order)


def preview(position: Position, order: Any, side: int | None = None) -> Judgement[Any]:
    """What fire or an assault would come to, as far as a side may know; all of it for None."""
    volume = position.volume
    return volume.game.preview(volume.catalog, position.state, order, side)


def score(position: Position) -> Any:
    """Victory points line by line, and the level."""
    return position.volume.game.score(position.volume.catalog, position.state)


def overlay(position: Position, side: int, query: Any) -> Any:
    """Hexes with values, as far as a side may know. MalformedError names a field of the query."""
    return position.volume.game.overlay(position.volume.catalog, position.state, side, query)


def faults(position: Position) -> tuple[Violation, ...]:
    """All that is wrong with a position; those that make it impossible to play on first."""
    return position.volume.game.faults(position.volume.catalog, position.state)


def blocking(position: Position) -> int:
    """How many faults make it impossible to play on."""
    return len(position.volume.game.check(position.volume.catalog, position.state))


def _mark(position: Position, side: int, draft: Any, asked: Sequence[int]) -> str:
    """What a page belongs to: a request, and the position as far as the side may know it.

    Not the checksum, which tells one hidden position from another.
    """
    told = repr((position.version, side, draft, asked, view(position, side)))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _start(token: str, mark: str, total: int) -> int:
    if not token:
        return 0
    place, _, marked = token.partition(".")
    if (marked != mark or not (place.isascii() and place.isdigit())
            or len(place) > 6 or int(place) >= total):
        raise MalformedError(f"{token[:80]!r} is no page of this position; expected the "
                             "next_page_token of the page before", field="page_token")
    return int(place)
