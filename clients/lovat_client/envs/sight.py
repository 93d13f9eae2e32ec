"""What each side sees, computed once for each position; a draft adds only what is new in it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from lovat.white_death.v1 import answers_pb2

from .actions import ActionIndex, Menu
from .observing import Array, ObservationLayout


class Sight:
    """The observations and the mask of one game; `forget` when its position has changed."""

    def __init__(self, layout: ObservationLayout, actions: ActionIndex,
                 view: Callable[[str], answers_pb2.View]) -> None:
        self._layout = layout
        self._actions = actions
        self._view = view
        self._seen: dict[str, Array] = {}
        self._drafted: Array | None = None
        self._places: dict[str, int] = {}
        self._masked: tuple[Menu | None, NDArray[np.int8]] | None = None

    def forget(self) -> None:
        self._seen.clear()
        self._drafted, self._places = None, {}

    def observe(self, side: str, menu: Menu | None) -> Array:
        """A new array: the side's view and, where it is asked something, its draft."""
        if side not in self._seen:
            self._seen[side] = self._layout.observe(self._view(side))
        if menu is None:
            return self._seen[side].copy()
        if self._drafted is None:
            self._drafted = self._seen[side].copy()
        for unit, hex_ in menu.places.items():
            if self._places.get(unit) != hex_:
                self._places[unit] = hex_
                self._layout.move(self._drafted, unit, hex_)
        drafted = self._drafted.copy()
        self._layout.mark(drafted, menu)
        return drafted

    def mask(self, menu: Menu | None) -> NDArray[np.int8]:
        """What may be said; not to be written to."""
        if self._masked is None or self._masked[0] is not menu:
            self._masked = menu, self._actions.mask(menu)
        return self._masked[1]
