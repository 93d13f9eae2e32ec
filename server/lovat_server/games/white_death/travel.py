"""[WD 3, 6.A, 7] How one unit may travel: what is closed to it, what stops it, what it pays."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, board_of, hexes_of

from . import bunkers, garrisons, reinforcements, zones
from .catalog import Catalog
from .position import Position
from .state import is_eliminated
from .terms import MP, OFF_MAP, Kind, Mobility, Side, Status
from .terrain import HEAVY, Step, Steps, entry_cost, has_road, step_cost, steps

_BITS = bytes.maketrans(b"01", b"\0\1")


class Manner(IntEnum):
    """How enemy zones of control bear on a moving unit."""

    ORDINARY = 0     # stops in a zone, pays to leave the one it began in (WD 3)
    WEAPONS = 1      # never enters a zone (WD 3.C)
    AFV = 2          # neither stops nor pays, but is fired at on leaving (WD 3.A)
    SKI = 3          # stops for ski units only, pays for each zone left (WD 3.B)
    INFILTRATING = 4  # Brandenburgers and what they lead (WD 21.C)


class Terms(NamedTuple):
    """What a search or a walk needs. Boards as bytes, one a node."""

    steps: Steps
    closed: bytes
    stop: bytes
    toll: bytes
    zone: bytes


def manner_of(position: Position, index: int) -> Manner:
    """[WD 3.A-C, 21.C] The manner in which a unit moves by itself."""
    printed = position.catalog.units[index]
    if "commando" in printed.traits:
        return Manner.INFILTRATING
    if printed.kind == Kind.AFV:
        return Manner.AFV
    if printed.kind.is_weapons and not position.units[index].status & Status.ABANDONED:
        return Manner.WEAPONS
    return Manner.SKI if mobility_of(position, index) == Mobility.SKI else Manner.ORDINARY


def mobility_of(position: Position, index: int) -> Mobility:
    """[WD 2, 23] As printed; on foot once the equipment is abandoned."""
    if position.units[index].status & Status.ABANDONED:
        return Mobility.LEG
    return position.catalog.units[index].mobility


def terms_for(position: Position, index: int, manner: Manner) -> Terms:
    """[WD 3, 6.A, 22, E.19] Kept for all units that travel alike while the enemy stands still."""
    printed = position.catalog.units[index]
    mobility = mobility_of(position, index)
    within = garrisons.allowed_board(position, index)
    key = "terms", mobility, manner, within
    about = position.about[printed.side.enemy]
    known: Terms | None = about.get(key)
    if known is None:
        known = about[key] = _terms(position, printed.side, mobility, manner, within)
    return known


def closed_board(position: Position, side: Side) -> int:
    """[WD 6.A, E.19] Hexes no unit of the side may move into."""
    board = position.occupied(side.enemy)
    if side == Side.SOVIET:
        board |= bunker_board(position)
    return board


def bunker_board(position: Position) -> int:
    """[WD E.19] Hexes with a standing bunker."""
    return board_of(bunker.hex for bunker, strength
                    in zip(position.catalog.bunkers, position.bunkers, strict=True) if strength)


def _terms(position: Position, side: Side, mobility: Mobility, manner: Manner,
           within: int | None) -> Terms:
    catalog = position.catalog
    moves = steps(catalog, mobility, position.thaw, position.bridged())
    zone = zones.zone_board(position, side.enemy)
    closed = closed_board(position, side)
    stop = toll = 0
    if manner == Manner.ORDINARY:
        stop = toll = zone
    elif manner == Manner.WEAPONS:
        closed |= zone
        toll = zone
    elif manner == Manner.SKI:
        stop = zones.zone_board(position, side.enemy, ski_only=True)
        toll = zone
    elif manner == Manner.INFILTRATING:
        closed = bunker_board(position) if side == Side.SOVIET else 0
    if within is not None:
        closed |= catalog.map.grid.full & ~within
    size = catalog.map.grid.size
    banks = moves.nodes // size
    return Terms(moves, _flags(closed, size) * banks, _flags(stop, size) * banks,
                 _flags(toll, size) * banks, _flags(zone, size) * banks)


def _flags(board: int, size: int) -> bytes:
    return f"{board:0{size}b}"[::-1].encode().translate(_BITS)


def is_waiting(position: Position, index: int) -> bool:
    """Outside the map with strength: a reinforcement that has not entered."""
    unit = position.units[index]
    return unit.hex == OFF_MAP and not is_eliminated(unit)


def node_of(position: Position, index: int) -> int:
    """[WD 16.B] The search node a unit stands on."""
    unit = position.units[index]
    heavy = position.thaw and mobility_of(position, index) in HEAVY
    return unit.hex + position.catalog.map.grid.size * unit.bank if heavy else unit.hex


def entry_price(position: Position, index: int, hex_: int) -> int | None:
    """[WD 17.C] Cost of the edge hex a unit appears in; along a road if one is there."""
    return _entry_price(position.catalog, mobility_of(position, index), hex_,
                        bool(position.bridged() >> hex_ & 1))


@lru_cache(maxsize=1 << 13)
def _entry_price(catalog: Catalog, mobility: Mobility, hex_: int, bridged: bool) -> int | None:
    by_road = any(has_road(catalog, hex_, direction) for direction in DIRECTIONS)
    return entry_cost(catalog, mobility, hex_, by_road=by_road, bridged=bridged)


def starts_of(position: Position, index: int, terms: Terms) -> tuple[tuple[int, int], ...]:
    """[WD 6, 17.C] The nodes a unit sets out from, with what it has paid, in quanta of its steps.

    For a unit that waits outside these are the edge hexes it may enter by.
    """
    if not is_waiting(position, index):
        return ((node_of(position, index), 0),)
    starts = []
    for hex_ in hexes_of(reinforcements.entry_hexes(position, index)):
        price = entry_price(position, index, hex_)
        if price is not None and not terms.closed[hex_]:
            starts.append((hex_, -(-price // terms.steps.quantum)))
    return tuple(starts)


class Refusal(NamedTuple):
    """Why a walk cannot go on."""

    clause: str
    why: str            # a key of `refusals.REFUSALS`
    place: int          # which hex of the path


class Walk(NamedTuple):
    """The steps of a path up to the first `refusal`; `stopped` if a zone ends the movement there.
    """

    steps: Sequence[Step]
    refusal: Refusal | None = None
    stopped: bool = False


def walk(position: Position, index: int, path: tuple[int, ...], manner: Manner) -> Walk:
    """[WD 3, 6.A, 6.B.1, 7, 16.B] The steps of a path with their costs, up to the first refusal.

    Points left are not asked here. The first step pays the toll of a zone the unit stands in.
    """
    terms = terms_for(position, index, manner)
    undisturbed = _undisturbed(position, index, path, terms)
    if undisturbed:
        return Walk(undisturbed)
    (_, to_hex, _, _), closed, stop, toll, zone = terms
    taken: list[Step] = []
    node = node_of(position, index) if not is_waiting(position, index) else OFF_MAP
    here = position.units[index].hex
    for place, hex_ in enumerate(path):
        if here == OFF_MAP:
            refusal = _entry_refusal(position, index, hex_, terms)
            if refusal is not None:
                return Walk(taken, refusal)
            price = entry_price(position, index, hex_) or 0
            taken.append(Step(OFF_MAP, hex_, OUTSIDE, price, hex_))
            node = here = hex_
            continue
        step = to_hex[node].get(hex_)
        if place and stop[here] and (step or _is_adjacent(position, here, hex_)):
            return Walk(taken, Refusal("WD 3", "stopped", place))
        if step is None:
            return Walk(taken, _step_refusal(position, index, here, hex_, place))
        if closed[hex_]:
            return Walk(taken, _closed_refusal(position, index, hex_, place, manner))
        if zone[here]:
            cost = step.cost + MP if toll[here] else step.cost
            step = Step(here, hex_, step.direction, cost, step.node, leaves_zone=True)
        taken.append(step)
        node, here = step.node, hex_
    return Walk(taken, None, bool(taken and stop[here]))


def _undisturbed(position: Position, index: int, path: tuple[int, ...],
                 terms: Terms) -> list[Step]:
    """The steps of a path that begins and goes on clear of the enemy, as most do; else none."""
    hexes = position.units[index].hex, *path
    if hexes[0] == OFF_MAP or terms.steps.nodes > position.catalog.map.grid.size \
            or any(map(terms.zone.__getitem__, hexes)) or any(map(terms.closed.__getitem__, path)):
        return []
    to_hex = terms.steps.to_hex
    steps = [to_hex[start].get(end) for start, end in zip(hexes, path, strict=False)]
    return [] if None in steps else steps  # type: ignore[return-value]


def _is_adjacent(position: Position, start: int, end: int) -> bool:
    return position.catalog.map.grid.direction(start, end) is not None


def _entry_refusal(position: Position, index: int, hex_: int, terms: Terms) -> Refusal | None:
    if not reinforcements.is_due(position, index):
        return Refusal("WD 17", "early", 0)
    if not reinforcements.entry_hexes(position, index) >> hex_ & 1:
        return Refusal("WD 17.C", "entry", 0)
    if entry_price(position, index, hex_) is None:
        return Refusal("WD 7", "terrain", 0)
    if terms.closed[hex_]:
        return _closed_refusal(position, index, hex_, 0, manner_of(position, index))
    return None


def _step_refusal(position: Position, index: int, start: int, end: int, place: int) -> Refusal:
    catalog, field = position.catalog, position.catalog.map
    direction = field.grid.direction(start, end)
    if direction is None:
        return Refusal("WD 6.A", "adjacent", place)
    mobility = mobility_of(position, index)
    bridged = position.bridged()
    cost = step_cost(catalog, mobility, position.thaw, start, direction,
                     bool(bridged >> start & 1), bool(bridged >> end & 1))
    if cost is not None:
        return Refusal("WD 16.B", "bank", place)
    across_lake = field.lake_full[direction] >> start & 1 and not has_road(catalog, start,
                                                                            direction)
    return Refusal("WD 13" if across_lake else "WD 7", "lake" if across_lake else "terrain", place)


def _closed_refusal(position: Position, index: int, hex_: int, place: int,
                    manner: Manner) -> Refusal:
    side = position.catalog.units[index].side
    if position.has_enemy(side, hex_):
        return Refusal("WD 6.A", "enemy", place)
    if garrisons.holds_back(position, index, hex_):
        return Refusal("WD 22", "garrison", place)
    if bunkers.is_closed_to(position, side, hex_):
        return Refusal("WD E.19", "bunker", place)
    return Refusal("WD 3.C", "zone", place) if manner == Manner.WEAPONS else \
        Refusal("WD 6.A", "closed", place)

