"""[WD 17] When and where reinforcements enter."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import reinforcements
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Unit
from lovat_server.games.white_death.terms import Side, Size, Status
from lovat_server.hexmap.grid import board_of

from .field import at, field, german, guns, place, soviet, tanks

AREAS = {
    "S": "0512 0612", "SW": "0112 0111", "W": "0105 0106", "NW": "0101", "E": "1205 1206",
    "SE": "1112 1012", "NE": "1101", "S-OPEN": "0710 0711", "SW-OPEN": "0310 0710 0711",
}


def arriving(side: Side, turn: int, impulse: int = 1, area: str = "E") -> Unit:
    make = soviet if side == Side.SOVIET else german
    return make("new", set_up="", arrival_turn=turn, arrival_impulse=impulse, arrival_area=area)


def waiting(unit: Unit, turn: int, impulses: tuple[int, int] = (1, 1), line: str = "") -> Battle:
    catalog = field(units=[unit, german("holder"), soviet("enemy")], areas=AREAS)
    return place(catalog, line, turn=turn, impulses=impulses)


def due(unit: Unit, turn: int, impulses: tuple[int, int]) -> bool:
    battle = waiting(unit, turn, impulses)
    return reinforcements.is_due(battle, battle.catalog.unit_index["new"])


def hexes(unit: Unit, turn: int, line: str = "") -> int:
    battle = waiting(unit, turn, line=line)
    return reinforcements.entry_hexes(battle, battle.catalog.unit_index["new"])


def board(numbers: str) -> int:
    return board_of(at(int(word)) for word in numbers.split())


@pytest.mark.rule("WD 17")
@pytest.mark.parametrize(("turn", "impulses", "expected"), [
    (2, (9, 9), False), (3, (0, 0), False), (3, (0, 1), False), (3, (1, 0), True),
    (3, (2, 0), True), (4, (0, 0), False), (4, (1, 0), True),
])
def test_first_impulse_arrivals(turn: int, impulses: tuple[int, int], expected: bool) -> None:
    assert due(arriving(Side.SOVIET, 3), turn, impulses) is expected


@pytest.mark.rule("WD 17")
@pytest.mark.parametrize(("turn", "impulses", "expected"), [
    (3, (9, 1), False), (3, (9, 2), True), (3, (0, 3), True),
    (4, (0, 0), False),
    (4, (0, 1), True),      # no second impulse on turn 3: with the first of the next
])
def test_second_impulse_arrivals(turn: int, impulses: tuple[int, int], expected: bool) -> None:
    assert due(arriving(Side.GERMAN, 3, 2, "NW"), turn, impulses) is expected


@pytest.mark.rule("WD 17")
def test_only_waiting_units_with_strength_are_due() -> None:
    battle = waiting(arriving(Side.SOVIET, 1), 1, line="holder 0303")
    catalog = battle.catalog
    new = catalog.unit_index["new"]
    assert reinforcements.is_due(battle, new)
    assert not reinforcements.is_due(battle, catalog.unit_index["holder"])   # on the map
    assert not reinforcements.is_due(battle, catalog.unit_index["enemy"])    # no arrival
    battle.units[new] = battle.units[new]._replace(strength=0)
    assert not reinforcements.is_due(battle, new)
    battle.units[new] = battle.units[new]._replace(strength=3)
    battle.put(new, at(1205))
    assert not reinforcements.is_due(battle, new)


@pytest.mark.rule("WD 17.F")
def test_a_withheld_unit_is_not_due() -> None:
    battle = waiting(arriving(Side.SOVIET, 2), 5)
    new = battle.catalog.unit_index["new"]
    assert reinforcements.is_due(battle, new)
    battle.flag(new, Status.WITHHELD)
    assert not reinforcements.is_due(battle, new)
    assert reinforcements.entry_hexes(battle, new) == 0


@pytest.mark.rule("WD 18")
def test_a_refitted_brigade_comes_back_in_the_east() -> None:
    tank = tanks(soviet("new", size=Size.BATTALION, division="184TB", set_up="ALL"))
    for turn, impulses, expected in ((10, (3, 3), 0), (11, (0, 0), 0), (11, (1, 0), AREAS["E"]),
                                     (12, (1, 1), AREAS["E"])):
        battle = waiting(tank, turn, impulses)
        new = battle.catalog.unit_index["new"]
        battle.units[new] = battle.units[new]._replace(due=11)
        assert reinforcements.is_due(battle, new) is bool(expected)
        assert reinforcements.entry_hexes(battle, new) == (board(AREAS["E"]) if expected else 0)


@pytest.mark.rule("WD 23")
def test_a_re_equipped_unit_comes_back_by_any_entry_area() -> None:
    for gun, line, areas in (
        (guns(soviet("new")), "", ("E", "NE", "SE")),
        (guns(german("new")), "", ("W", "NW")),
        (guns(german("new")), "holder 0310", ("SW", "W", "NW")),
    ):
        battle = waiting(gun, 9, line=line)
        new = battle.catalog.unit_index["new"]
        battle.units[new] = battle.units[new]._replace(due=9)
        assert reinforcements.entry_areas(battle, new) == areas


@pytest.mark.rule("WD 17.A")
@pytest.mark.parametrize("area", ["E", "SE", "NE"])
def test_soviet_areas_have_no_alternates(area: str) -> None:
    for turn in (2, 3, 13):
        assert hexes(arriving(Side.SOVIET, 2, area=area), turn) == board(AREAS[area])


@pytest.mark.rule("WD 17.D")
def test_wdtc_v04_southern_units_with_the_south_closed() -> None:
    south = arriving(Side.GERMAN, 5, area="S")
    closed = "holder 0310"                 # no German in the south, one within ten hexes
    assert hexes(south, 5, closed) == board(AREAS["SW"])
    assert hexes(south, 6, closed) == board(AREAS["SW"]) | board(AREAS["W"])
    assert hexes(south, 5, "") == 0        # both closed on the turn of arrival
    assert hexes(south, 6, "") == board(AREAS["W"])
    assert hexes(south, 9, "") == board(AREAS["W"])


@pytest.mark.rule("WD 17.D")
def test_alternates_of_open_areas() -> None:
    open_ = "holder 0710"
    south, south_west = (arriving(Side.GERMAN, 5, area=area) for area in ("S", "SW"))
    assert hexes(south, 5, open_) == board(AREAS["S"]) | board(AREAS["SW"])
    assert hexes(south, 6, open_) == board(AREAS["S"] + " " + AREAS["SW"] + " " + AREAS["W"])
    assert hexes(south_west, 5, open_) == board(AREAS["SW"])
    assert hexes(south_west, 6, open_) == board(AREAS["SW"]) | board(AREAS["W"])
    for area in ("W", "NW"):
        assert hexes(arriving(Side.GERMAN, 5, area=area), 7, open_) == board(AREAS[area])


@pytest.mark.rule("WD 17.E")
def test_closed_areas() -> None:
    battle = waiting(arriving(Side.GERMAN, 5, area="S"), 5, line="enemy 0710; holder 0101")
    assert reinforcements.is_closed(battle, "S")          # a Soviet unit opens nothing
    assert reinforcements.is_closed(battle, "SW")
    assert not reinforcements.is_closed(battle, "W")
    assert not reinforcements.is_closed(battle, "S", Side.SOVIET)
    battle = waiting(arriving(Side.GERMAN, 5, area="S"), 5, line="holder 0711")
    assert not reinforcements.is_closed(battle, "S")
    assert not reinforcements.is_closed(battle, "SW")


@pytest.mark.rule("WD 17.C")
def test_no_entry_before_the_unit_is_due() -> None:
    assert hexes(arriving(Side.SOVIET, 3), 2) == 0
    assert hexes(arriving(Side.SOVIET, 3, 2), 3) == 0          # in its first impulse
    assert hexes(arriving(Side.SOVIET, 3, 2), 4) == board(AREAS["E"])


@pytest.mark.rule("WD 6.A")
def test_enemy_held_edge_hexes_are_no_entry() -> None:
    assert hexes(arriving(Side.SOVIET, 2), 2, "holder 1205") == board("1206")
    assert hexes(arriving(Side.SOVIET, 2), 2, "enemy 1205") == board(AREAS["E"])
