"""The printed facts as a bot needs them: the map as a graph, units by id, stacking, strength."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from lovat.white_death.v1 import answers_pb2, catalog_pb2, terms_pb2

from ..hexes import Layout

MP = 120
EIGHTHS = 8
MAY_NOT_END = terms_pb2.MARK_FLAG_MAY_NOT_END
FAR = 999


class Board:
    """One catalog, indexed once for a whole game."""

    def __init__(self, catalog: catalog_pb2.Catalog) -> None:
        board = catalog.map
        layout = Layout(board.columns, board.rows, board.even_high)
        self.catalog = catalog
        self.layout = layout
        self.hexes = {hex_.hex: hex_ for hex_ in board.hexes}
        self.units = {unit.id: unit for unit in catalog.units}
        self.around = {number: layout.neighbours(number) for number in self.hexes}
        self.bunkers = [bunker.hex for bunker in catalog.bunkers]
        self.railroad_towns = [hex_.hex for hex_ in board.hexes if hex_.railroad_town]
        self.city = [hex_.hex for hex_ in board.hexes if hex_.city]
        paid = catalog.scenario.victory.towns_held
        self.prizes = {hex_.hex: paid[hex_.name] for hex_ in board.hexes if hex_.name in paid}
        self._defence = {row.terrain: row.personnel for row in catalog.charts.defence}
        self.cover = {number: self.defence(number) for number in self.hexes}

    def field(self, goals: Iterable[int]) -> dict[int, int]:
        """For every hex how many hexes it is from the nearest goal."""
        found = {goal: 0 for goal in goals if goal in self.around}
        ring, step = list(found), 0
        while ring:
            step += 1
            wider = []
            for number in ring:
                for other in self.around[number]:
                    if other not in found:
                        found[other] = step
                        wider.append(other)
            ring = wider
        return found

    def defence(self, number: int, bunkered: bool = False) -> int:
        """The defence value of personnel in a hex, in points."""
        hex_ = self.hexes[number]
        terrain = ("bunker" if bunkered else "river" if hex_.river else "town" if hex_.town
                   else "forest_creek" if hex_.forest and hex_.creek
                   else "forest" if hex_.forest else "creek" if hex_.creek else "clear")
        return self._defence.get(terrain, 6)

    def fire(self, unit: catalog_pb2.Unit, strength: int, target: int) -> float:
        """What a unit adds to the conventional fire of an assault, in points."""
        if unit.defensive_only or not unit.conventional:
            return 0.0
        close = "close_combat" in unit.traits and (
            self.hexes[target].town or self.hexes[target].forest)
        return unit.conventional * strength * (2 if close else 1) / EIGHTHS

    def may_stack(self, ids: Sequence[str]) -> bool:
        """Whether these units, all of one side, may end in one hex (WD 4)."""
        units = [self.units[name] for name in ids]
        if len(units) <= 1:
            return True
        if units[0].side == terms_pb2.SIDE_GERMAN:
            return _german_stack(units)
        return _soviet_stack(units)


class Ends:
    """Where units stand or mean to end, so that no hex is given more than may stack in it."""

    def __init__(self, board: Board, places: dict[str, int]) -> None:
        self._board = board
        self._places = dict(places)
        self._stacks: dict[int, list[str]] = defaultdict(list)
        for unit, number in places.items():
            if number:
                self._stacks[number].append(unit)

    def take(self, unit: str, end: int) -> bool:
        """Move a unit there if it may stack."""
        there = [other for other in self._stacks[end] if other != unit]
        if not self._board.may_stack([*there, unit]):
            return False
        old = self._places.get(unit, 0)
        if old and unit in self._stacks[old]:
            self._stacks[old].remove(unit)
        self._places[unit] = end
        self._stacks[end] = [*there, unit]
        return True

    def give_back(self, unit: str, start: int) -> None:
        """Undo a move; the unit is again where it was, 0 off the map."""
        self._stacks[self._places[unit]].remove(unit)
        self._places[unit] = start
        if start:
            self._stacks[start].append(unit)

    def place(self, unit: str) -> int:
        """Where a unit stands or means to end; 0 off the map."""
        return self._places.get(unit, 0)

    def stack(self, number: int) -> list[str]:
        """The units that stand in a hex or mean to end there."""
        return self._stacks.get(number, [])


def is_weapons(unit: catalog_pb2.Unit) -> bool:
    """Whether a unit is guns, light or heavy."""
    return unit.kind in (terms_pb2.KIND_LIGHT_WEAPONS, terms_pb2.KIND_HEAVY_WEAPONS)


def path_to(option: answers_pb2.UnitOptions, start: int, end: int) -> list[int]:
    """The hexes entered on the cheapest path to a hex that is listed."""
    return follow(dict(zip(option.hexes, option.previous, strict=False)), start, end)


def follow(before: dict[int, int], start: int, end: int) -> list[int]:
    """The way back from a hex to the start, the right way round."""
    path = [end]
    while len(path) <= len(before):
        number = before.get(path[-1], 0)
        if number in (0, start):
            break
        path.append(number)
    return path[::-1]


def _german_stack(units: list[catalog_pb2.Unit]) -> bool:
    """Three battalions, or four of one division, and one company more; halves are companies."""
    battalions = [unit for unit in units if unit.size != terms_pb2.SIZE_COMPANY]
    companies = [unit for unit in units if unit.size == terms_pb2.SIZE_COMPANY]
    for spare in range(max(len(companies), 1)):
        counted = companies[:spare] + companies[spare + 1:]
        groups = Counter(unit.battalion or unit.id for unit in counted)
        halves = 2 * len(battalions) + sum(min(2, count) for count in groups.values())
        divisions = {unit.division if unit.divisional else unit.id
                     for unit in (*battalions, *counted)}
        if halves <= (8 if len(divisions) == 1 else 6):
            return True
    return False


def _soviet_stack(units: list[catalog_pb2.Unit]) -> bool:
    engineers = [unit for unit in units
                 if unit.type == "engineer" and unit.size == terms_pb2.SIZE_BRIGADE]
    rest = [unit for unit in units if not engineers or unit is not engineers[0]]
    divisions = {unit.division if unit.divisional else unit.id for unit in rest}
    if len(rest) <= 1 or (len(divisions) == 1 and "Brigade" in rest[0].formation):
        return True
    if len(rest) == 2 and all(unit.range and not unit.divisional for unit in rest):
        return True
    small = [unit for unit in rest if unit.size <= terms_pb2.SIZE_BATTALION]
    large = len(rest) - len(small)
    if large == 0 and len(small) <= 2:
        return True
    if len(divisions) != 1:
        return False
    guns = [unit for unit in small if "rifle_artillery" in unit.traits]
    # The three artillery battalions of a rifle division are one regiment (WD E.4-B).
    return (large == 1 and len(small) <= 1) or (
        large == 0 and 1 <= len(guns) <= 3 and len(small) - len(guns) <= 1)
