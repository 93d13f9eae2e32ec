"""[WD 3] Zones of control."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from lovat_server.hexmap.grid import DIRECTIONS, OUTSIDE, board_of

from .catalog import Catalog, Unit
from .position import Position
from .terms import Mobility, Side, Size, Status
from .terrain import step_cost, steps, tracks_banks


@lru_cache(maxsize=64)
def zone_masks(catalog: Catalog, mobility: Mobility, thaw: bool) -> tuple[int, ...]:
    """[WD 3, 3.D-E] For each hex, the neighbours a unit of this mobility controls from it.

    None into towns, none into or across what it could not enter or cross.
    """
    field = catalog.map
    masks = []
    for hex_ in range(field.grid.size):
        board = 0
        for direction in DIRECTIONS:
            end = field.grid.neighbours[hex_][direction]
            if end == OUTSIDE or field.town >> end & 1:
                continue
            if step_cost(catalog, mobility, thaw, hex_, direction, False, False) is not None:
                board |= 1 << end
        masks.append(board)
    return tuple(masks)


def _over_banks(position: Position, index: int, mobility: Mobility) -> int:
    """[WD 3.E, 16.B] In a thaw a heavy unit in a river hex controls only what it could go to."""
    unit, grid = position.units[index], position.catalog.map.grid
    edges = steps(position.catalog, mobility, True, position.bridged()).edges
    return board_of(end % grid.size for end, _ in edges[unit.hex + grid.size * unit.bank])


def has_zone(position: Position, index: int) -> bool:
    """[WD 3] Every unit on the map but a German weapons company alone in its hex."""
    unit, printed = position.units[index], position.catalog.units[index]
    if unit.hex < 0:
        return False
    return len(position.stack(unit.hex)) > 1 or not _needs_company(printed) or \
        bool(unit.status & Status.ABANDONED)


def _needs_company(printed: Unit) -> bool:
    """[WD 3] A German weapons company has no zone while it is alone in its hex."""
    return printed.side == Side.GERMAN and printed.size == Size.COMPANY and \
        printed.kind.is_weapons


class _Zoning(NamedTuple):
    """Of each unit of a catalog: its mobility, and whether it has no zone alone."""

    mobility: tuple[Mobility, ...]
    needs_company: tuple[bool, ...]


@lru_cache(maxsize=64)
def _zoning(catalog: Catalog) -> _Zoning:
    return _Zoning(tuple(unit.mobility for unit in catalog.units),
                   tuple(_needs_company(unit) for unit in catalog.units))


def zone_of(position: Position, index: int) -> int:
    """[WD 3, 23] The hexes one unit controls; on foot once its equipment is abandoned."""
    if not has_zone(position, index):
        return 0
    unit = position.units[index]
    mobility = Mobility.LEG if unit.status & Status.ABANDONED \
        else position.catalog.units[index].mobility
    mask = zone_masks(position.catalog, mobility, position.thaw)[unit.hex]
    if unit.bank and tracks_banks(mobility, position.thaw):
        mask &= _over_banks(position, index, mobility)
    return mask


def zone_board(position: Position, side: Side, *, ski_only: bool = False) -> int:
    """[WD 3, 3.B] The hexes a side controls; with `ski_only`, those its ski units control."""
    about = position.about[side]
    known: int | None = about.get(("zone", ski_only))
    if known is not None:
        return known
    catalog, units, states = position.catalog, position.catalog.units, position.units
    masks = [zone_masks(catalog, mobility, position.thaw) for mobility in Mobility]
    mobilities, needs_company = _zoning(catalog)
    board = 0
    hints: dict[int, tuple[list[int], int]] = position.hints[side].setdefault(
        ("zone", ski_only), {})
    for hex_, stack in position.stacks().items():
        first = stack[0]
        if units[first].side != side:
            continue
        hint = hints.get(hex_)
        if hint is not None and hint[0] is stack:
            board |= hint[1]
            continue
        zone = 0
        if not needs_company[first] or len(stack) > 1 or has_zone(position, first):
            for index in stack:
                mobility = Mobility.LEG if states[index].status & Status.ABANDONED \
                    else mobilities[index]
                if ski_only and mobility != Mobility.SKI:
                    continue
                mask = masks[mobility][hex_]
                if states[index].bank and tracks_banks(mobility, position.thaw):
                    mask &= _over_banks(position, index, mobility)
                zone |= mask
        hints[hex_] = stack, zone
        board |= zone
    about["zone", ski_only] = board
    return board


def controllers(position: Position, side: Side, hex_: int) -> tuple[int, ...]:
    """[WD 3.A] Units of a side whose zone the hex is in, in catalog order."""
    return tuple(
        index for neighbour in position.catalog.map.grid.neighbours[hex_] if neighbour != OUTSIDE
        for index in sorted(position.stack(neighbour))
        if position.catalog.units[index].side == side and zone_of(position, index) >> hex_ & 1
    )
