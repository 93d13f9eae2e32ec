"""The games this server knows, by id."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from .contract import Game


@cache
def games() -> Mapping[str, Game]:
    """Every game by its id, read-only; imported on first use."""
    from .white_death.game import WHITE_DEATH

    return MappingProxyType({game.id: game for game in (WHITE_DEATH,)})
