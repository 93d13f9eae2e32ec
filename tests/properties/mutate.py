"""Orders with something in them changed: still well formed, mostly no longer legal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, is_dataclass, replace
from enum import IntEnum
from random import Random
from typing import Any

from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.orders import Order
from lovat_server.games.white_death.state import State

_UNITS = {"unit", "units", "target", "charge", "antitank_weapons", "repairs", "abandon"}
_HEXES = {"hex", "path", "destination", "stack"}

Change = Callable[[Random], Any]


def mutated(order: Order, catalog: Catalog, state: State, random: Random) -> Order:
    """The order with one or two changes; the same order where nothing in it can change."""
    changer = _Changer(catalog, state, random)
    for _ in range(random.choice((1, 1, 1, 2))):
        places = list(changer.places(order, ()))
        if not places:
            break
        path, change = random.choice(places)
        order = _put(order, path, change(random))
    return order


class _Changer:
    """Every place of an order that can be changed, with a way to change it."""

    def __init__(self, catalog: Catalog, state: State, random: Random) -> None:
        self.catalog = catalog
        self.state = state
        self.random = random
        self.near = [index for index, unit in enumerate(state.units) if unit.hex >= 0]

    def places(self, value: Any, path: tuple[Any, ...], name: str = "",
               ) -> list[tuple[tuple[Any, ...], Change]]:
        found: list[tuple[tuple[Any, ...], Change]] = []
        if is_dataclass(value):
            for field in fields(value):
                found += self.places(getattr(value, field.name), (*path, field.name), field.name)
        elif isinstance(value, tuple):
            if value:
                found.append((path, lambda random, v=value: self.reshaped(random, v, name)))
            for place, entry in enumerate(value):
                found += self.places(entry, (*path, place), name)
        elif isinstance(value, bool):
            found.append((path, lambda _random, v=value: not v))
        elif isinstance(value, IntEnum):
            kind = type(value)
            found.append((path, lambda random, k=kind: random.choice(list(k))))
        elif isinstance(value, int):
            found.append((path, lambda random, v=value: self.number(random, v, name)))
        elif isinstance(value, str) and value:
            names = sorted({unit.division for unit in self.catalog.units if unit.division})
            found.append((path, lambda random, n=names: random.choice(n)))
        return found

    def number(self, random: Random, value: int, name: str) -> int:
        if name in _UNITS:
            return random.choice(self.near) if self.near and random.random() < 0.8 \
                else random.randrange(len(self.catalog.units))
        if name in _HEXES:
            around = [hex_ for hex_ in self.catalog.map.grid.neighbours[value] if hex_ >= 0] \
                if value >= 0 else []
            return random.choice(around) if around and random.random() < 0.7 \
                else random.randrange(self.catalog.map.grid.size)
        return random.choice((2 * value, value + 1, max(0, value - 1), value // 2, 0, 1))

    def reshaped(self, random: Random, value: tuple[Any, ...], name: str) -> tuple[Any, ...]:
        """An entry repeated, left out or moved; a path lengthened or run backwards."""
        place = random.randrange(len(value))
        if name == "path":
            last = value[-1]
            around = [hex_ for hex_ in self.catalog.map.grid.neighbours[last] if hex_ >= 0]
            return random.choice((
                (*value, random.choice(around)), value[:-1], value[::-1],
                (*value[:place], *value[place + 1:]), (*value, value[-1])))
        shuffled = random.sample(value, len(value))
        more: list[tuple[Any, ...]] = [(*value, value[place]), value[:place] + value[place + 1:],
                                       tuple(shuffled)]
        if name in ("units", "charge") and self.near:
            more.append((*value, random.choice(self.near)))
        return random.choice(more)


def _put(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    step, *rest = path
    if isinstance(step, str):
        return replace(value, **{step: _put(getattr(value, step), tuple(rest), new)})
    entries = list(value)
    entries[step] = _put(entries[step], tuple(rest), new)
    return tuple(entries)
