"""[WD 17, 18] The thirteen turns of the campaign: who comes when and where, what is received."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from lovat_server.core.dice import ScriptedDice
from lovat_server.core.violations import Reason
from lovat_server.games.white_death import reinforcements, replacements, sequence
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import ReplacementsReceived
from lovat_server.games.white_death.opening import opening_state
from lovat_server.games.white_death.orders import March, MoveAndDeclare, Replace
from lovat_server.games.white_death.state import Decision, Options, State
from lovat_server.games.white_death.terms import (
    MP,
    OFF_MAP,
    DecisionKind,
    ImpulseKind,
    Phase,
    Side,
    Size,
    Status,
)
from lovat_server.hexmap.grid import hexes_of
from lovat_server.scenarios.loader import load_catalog

from .playing import listing, refusals

# Turn, impulse and area of every formation, in the order of the orders of appearance.
SOVIET = """
1 2 E: 381 Rifle Division
2 1 E: 357 Rifle Division; 21 Guards Rifle Division; 46 Guards Rifle Division; 34 Tank Regiment; \
3SA Engineer Brigade; 3SA Artillery Brigade
3 1 E: 9 Guards Rifle Division; 19 Guards Rifle Division; 31 Rifle Brigade; 45 Ski Brigade; \
5S Guards Engineer Brigade; 5S Guards Artillery Regiment
4 1 E: 18 Mechanized Brigade; 34 Mechanized Brigade; 43 Mechanized Brigade; 33 Tank Brigade; \
36 Tank Brigade; 26 Rifle Brigade; 2MC Artillery Regiment; 2MC Engineer Brigade; \
68 Motorcycle Battalion
4 1 SE: 360 Rifle Division
6 1 E: 7 Estonian Rifle Division; 8E Estonian Engineer Brigade
7 1 E: 249 Estonian Rifle Division; 8E Estonian Artillery Regiment; 92 Tank Brigade
8 1 E: 45 Tank Brigade; 236 Tank Brigade; 100 Rifle Brigade
8 1 NE: 1077 Guards Rifle Regiment
9 1 E: 129 Tank Brigade; 389 Tank Destroyer Regiment
10 1 E: 32 Rifle Division
11 1 E: 23 Rifle Brigade
12 1 E: 150 Stalin Rifle Division
"""

GERMAN = """
1 2 SW: 1 Ski-Jaeger Battalion
2 1 SW: I/1 Lehr Rocket Battalion; 564 Security Battalion; 591 Security Battalion
3 1 SW: 20 Motorized Division: 90 Regiment; 291 Infantry Division: 505 Regiment; \
8/II/29 Tank Company; II/3 Rocket Battalion; II/1 Lehr Rocket Battalion; 2 Antitank Battalion; \
391 Security Battalion
3 2 NW: 662 Engineer Battalion; 505 Engineer Battalion; 8 Panzer Division
4 1 SW: AAW Ski Battalion; 20 Motorized Division: remainder; 291 Infantry Division: remainder
5 1 SW: 6 Luftwaffe Field Division
5 1 W: I/107 Security Battalion; 865 Security Battalion
5 1 S: 1 SS Motorized Brigade; FKD SS Armored Infantry Battalion; FKD SS Artillery Battalion
6 1 W: II/3 Security Motorcycle Battalion
7 1 SW: I/15 Panzer Battalion; 993 Security Battalion
9 1 SW: 6 Ski-Jaeger Battalion; 18 Panzer Battalion; 2/66 Panzer Company; \
833 Artillery Battalion; 845 Artillery Battalion; 846 Artillery Battalion; \
205 Infantry Division: 335 Regiment
9 1 W: 331 Infantry Division: 559 Regiment
10 1 SW: 205 Infantry Division: 358 Regiment
10 1 W: 331 Infantry Division: 331 Engineer Battalion
11 1 SW: 8 Ski-Jaeger Battalion; II/47 Artillery Battalion; 205 Infantry Division: remainder; \
803 Brandenburg companies 9, 10, 11
11 1 W: 331 Infantry Division: remainder
12 1 S: 7 Flieger Division
"""

LATE = (12, 2)
OPTIONAL = {"47 Nevel Rifle Division": (*LATE, "E"), "54 Rifle Brigade": (*LATE, "NE"),
            "334 Rifle Division": (*LATE, "SE"), "24 Cavalry Division": (*LATE, "SE")}
"""[WD 17.F] After a 6 for 7th Flieger, in the Soviet impulse that follows."""


def _appearances(side: Side, text: str) -> dict[str, tuple[Side, int, int, str]]:
    found = {}
    for line in text.split("\n"):
        head, _, formations = line.partition(": ")
        for formation in filter(None, formations.split("; ")):
            turn, impulse, area = head.split()
            found[formation] = (side, int(turn), int(impulse), area)
    return found


APPEARANCES = {**_appearances(Side.SOVIET, SOVIET), **_appearances(Side.GERMAN, GERMAN)}
CASES = [(formation, *when) for formation, when in APPEARANCES.items()]
HOLDER = 2238      # a hex east of the Lowatj, south of the city, four from the edge


@cache
def campaign() -> Catalog:
    return load_catalog("velikiye-luki-campaign")


def units_of(formation: str) -> tuple[int, ...]:
    """The units of a formation that come without a die."""
    return tuple(index for index, unit in enumerate(campaign().units)
                 if unit.formation == formation and "optional" not in unit.traits)


def at(number: int) -> int:
    return campaign().map.index[number]


def waiting(side: Side, turn: int, impulse: int, *, holder: int = HOLDER,
            received: bool = False, **more: object) -> Battle:
    """The movement phase of an impulse with everything still outside.

    One German unit at `holder` keeps the entry areas of the south open; 0 for none.
    """
    state: State = opening_state(campaign(), Options())
    units = list(state.units)
    if holder:
        aa = campaign().unit_index["g-303-aa"]
        units[aa] = units[aa]._replace(hex=at(holder))
    if received:
        units = [unit._replace(status=unit.status & ~Status.WITHHELD) for unit in units]
    impulses = (impulse, impulse - 1) if side == Side.SOVIET else (impulse, impulse)
    state = replace(
        state, turn=turn, units=tuple(units), side=side, impulses=impulses, declared=10,
        kind=ImpulseKind.ACTION, phase=Phase.MOVEMENT, released=True,
        decision=Decision(DecisionKind.MOVE_AND_DECLARE, side), **more)  # type: ignore[arg-type]
    return Battle(campaign(), state)


def entering(battle: Battle) -> dict[int, set[int]]:
    """Units outside that the listing lets in, each with the hexes it comes onto the map by."""
    return {
        option.unit: {hex_ for hex_, before in zip(option.hexes, option.previous, strict=True)
                      if before == OFF_MAP}
        for option in listing(battle).units if battle.units[option.unit].hex == OFF_MAP}


def enter(index: int, hex_: int) -> MoveAndDeclare:
    return MoveAndDeclare((March((index,), (hex_,)),))


def hexes(*areas: str) -> set[int]:
    return {hex_ for area in areas for hex_ in hexes_of(campaign().map.areas[area])}


# ---------------------------------------------------------------- the orders of appearance

@pytest.mark.rule("WD 17")
def test_the_order_of_appearance_names_every_formation_that_arrives() -> None:
    arriving = {unit.formation: (unit.side, unit.arrival_turn, unit.arrival_impulse,
                                 unit.arrival_area)
                for unit in campaign().units if unit.arrival_turn}
    optional = {formation: (Side.SOVIET, *when) for formation, when in OPTIONAL.items()}
    optional["III/1 Lehr Rocket Battalion"] = APPEARANCES["II/1 Lehr Rocket Battalion"]
    assert arriving == APPEARANCES | optional
    assert sum(len(units_of(formation)) for formation in APPEARANCES) == 377 - 76 - 34


@pytest.mark.rule("WD 17")
@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("turn", range(1, 14))
@pytest.mark.parametrize("impulse", [1, 2])
def test_the_listing_of_each_impulse_lets_in_who_is_due(side: Side, turn: int,
                                                        impulse: int) -> None:
    due = {index for formation, (owner, *when, _) in APPEARANCES.items()
           if owner == side and (when[0] < turn or (when[0] == turn and when[1] <= impulse))
           for index in units_of(formation)}
    assert set(entering(waiting(side, turn, impulse))) == due


@pytest.mark.rule("WD 17.A")
@pytest.mark.rule("WD 17.B")
@pytest.mark.parametrize(("formation", "side", "turn", "impulse", "area"), CASES)
def test_each_formation_enters_by_its_area(formation: str, side: Side, turn: int, impulse: int,
                                           area: str) -> None:
    battle = waiting(side, turn, impulse)
    found = entering(battle)
    open_areas = hexes(area, "SW") if area == "S" else hexes(area)
    for index in units_of(formation):
        assert found[index], campaign().units[index].id
        assert found[index] <= open_areas
    index = units_of(formation)[0]
    elsewhere = next(hex_ for hex_ in sorted(hexes("E", "SE", "NE", "S", "SW", "W", "NW"))
                     if hex_ not in open_areas)
    assert refusals(battle, enter(index, min(found[index]))) == ()
    assert [(v.reason, v.clause) for v in refusals(battle, enter(index, elsewhere))] == [
        (Reason.ENTRY_AREA, "WD 17.C")]


@pytest.mark.rule("WD 17")
@pytest.mark.parametrize(("formation", "side", "turn", "impulse", "area"), CASES)
def test_no_formation_enters_before_its_time(formation: str, side: Side, turn: int, impulse: int,
                                             area: str) -> None:
    """Not late on the turn before, and not in the first impulse if it is named for the second."""
    before = [(turn - 1, 5)] if turn > 1 else []
    if impulse == 2:
        before.append((turn, 1))
    for early_turn, early_impulse in before:
        battle = waiting(side, early_turn, early_impulse)
        for index in units_of(formation):
            hex_ = min(hexes(area))
            found = refusals(battle, enter(index, hex_))
            assert [(v.reason, v.clause) for v in found] == [(Reason.NOT_AVAILABLE, "WD 17")]
        assert not set(units_of(formation)) & set(entering(battle))


@pytest.mark.rule("WD 17")
@pytest.mark.parametrize(("formation", "side", "turn", "area"), [
    (formation, side, turn, area) for formation, side, turn, impulse, area in CASES
    if impulse == 2])
def test_without_a_second_impulse_they_come_with_the_first_of_the_next_turn(
    formation: str, side: Side, turn: int, area: str
) -> None:
    assert {*units_of(formation)} <= set(entering(waiting(side, turn + 1, 1)))
    assert area in reinforcements.entry_areas(waiting(side, turn + 1, 1), units_of(formation)[0])


@pytest.mark.rule("WD 17")
def test_a_formation_of_the_second_impulse_waits_for_its_own_side() -> None:
    battle = waiting(Side.GERMAN, 3, 1, points=(0, 10))
    battle.impulses = (5, 1)
    assert not set(units_of("8 Panzer Division")) & set(entering(battle))


# ---------------------------------------------------------------- areas

@pytest.mark.rule("WD 17.A")
@pytest.mark.rule("WD 17.B")
@pytest.mark.parametrize(("area", "count"), [
    ("E", 42), ("SE", 8), ("S", 10), ("SW", 9), ("W", 9), ("NW", 9)])
def test_the_entry_areas(area: str, count: int) -> None:
    assert len(hexes(area)) == count


@pytest.mark.rule("WD 17.D")
@pytest.mark.parametrize(("formation", "turn", "areas"), [
    ("1 SS Motorized Brigade", 5, ("S", "SW")),
    ("1 SS Motorized Brigade", 6, ("S", "SW", "W")),
    ("6 Luftwaffe Field Division", 5, ("SW",)),
    ("6 Luftwaffe Field Division", 6, ("SW", "W")),
    ("I/107 Security Battalion", 7, ("W",)),
    ("8 Panzer Division", 7, ("NW",)),
])
def test_alternate_areas(formation: str, turn: int, areas: tuple[str, ...]) -> None:
    battle = waiting(Side.GERMAN, turn, 1)
    index = units_of(formation)[0]
    assert reinforcements.entry_areas(battle, index) == areas
    assert entering(battle)[index] <= hexes(*areas)


@pytest.mark.rule("WD 17.E")
@pytest.mark.parametrize(("holder", "areas"), [
    (0, ()),                     # nobody: neither the south nor the south-west
    (622, ()),                   # far from the south edge
    (835, ("SW",)),              # near the south edge, west of the Lowatj
    (2226, ("S",)),              # east of the Lowatj, south of the city, far from the edge
    (2238, ("S", "SW")),
])
def test_closed_areas_bar_the_entry(holder: int, areas: tuple[str, ...]) -> None:
    battle = waiting(Side.GERMAN, 5, 1, holder=holder)
    index = units_of("1 SS Motorized Brigade")[0]
    assert reinforcements.entry_areas(battle, index) == areas
    assert entering(battle).get(index, set()) <= hexes(*areas)
    for area in ("S", "SW"):
        clauses = [v.clause for v in refusals(battle, enter(index, max(hexes(area))))]
        assert ("WD 17.C" in clauses) is (area not in areas)
    assert units_of("I/107 Security Battalion")[0] in entering(battle)      # the west stays open


@pytest.mark.rule("WD 17.E")
@pytest.mark.rule("WD 17.D")
def test_who_finds_his_area_closed_comes_by_the_west_a_turn_later() -> None:
    index = units_of("1 SS Motorized Brigade")[0]
    assert index not in entering(waiting(Side.GERMAN, 5, 1, holder=0))
    found = entering(waiting(Side.GERMAN, 6, 1, holder=0))[index]
    assert found
    assert found <= hexes("W")


# ---------------------------------------------------------------- optional formations

@pytest.mark.rule("WD 17.F")
def test_optional_formations_never_come_unreceived() -> None:
    for side in Side:
        found = entering(waiting(side, 13, 5))
        assert not any("optional" in campaign().units[index].traits for index in found)


@pytest.mark.rule("WD 17.F")
@pytest.mark.parametrize("formation", OPTIONAL)
def test_received_optional_formations_enter_by_their_areas(formation: str) -> None:
    turn, impulse, area = OPTIONAL[formation]
    units = [index for index, unit in enumerate(campaign().units) if unit.formation == formation]
    early = entering(waiting(Side.SOVIET, turn, 1, received=True))
    assert not set(units) & set(early)
    found = entering(waiting(Side.SOVIET, turn, impulse, received=True))
    for index in units:
        assert found[index]
        assert found[index] <= hexes(area)


# ---------------------------------------------------------------- supply, replacements, repair

@pytest.mark.rule("WD 15.A")
@pytest.mark.rule("WD 18")
def test_points_of_the_orders_of_appearance() -> None:
    soviet, german = ([(turn.supply, turn.replacements) for turn in campaign().arrivals[side]]
                      for side in Side)
    assert soviet == [(4, 0), *[(3, 0)] * 5, *[(4, 0)] * 2, *[(4, 2)] * 5]
    assert german == [(2, 0), (2, 0), (2, 2), (2, 2), (3, 2), (3, 2), *[(3, 3)] * 3, *[(4, 3)] * 4]


def starting(side: Side, turn: int, begun: int = 0) -> Battle:
    """A side about to begin an impulse; one German and one Soviet battalion are worn down."""
    battle = waiting(side, turn, 1)
    battle.impulses = (begun, begun) if side == Side.SOVIET else (begun + 1, begun)
    for id_, hex_ in (("g-795-sec", 722), ("s-28-88-inf", 3525), ("g-1-185-afv", 522),
                      ("s-1-184tb-afv", 3522)):
        index = campaign().unit_index[id_]
        battle.units[index] = battle.units[index]._replace(hex=at(hex_), strength=1)
    battle.touch()
    battle.dice = ScriptedDice((1,) * 8)
    return battle


@pytest.mark.rule("WD 18")
@pytest.mark.parametrize("turn", range(1, 14))
@pytest.mark.parametrize("side", list(Side))
def test_replacements_and_repairs_from_the_printed_turns(side: Side, turn: int) -> None:
    points = {Side.GERMAN: 0 if turn < 3 else 2 if turn < 7 else 3,
              Side.SOVIET: 0 if turn < 9 else 2}[side]
    battle = starting(side, turn)
    sequence.begin_impulse(battle, side)
    received = [event for event in battle.events if isinstance(event, ReplacementsReceived)]
    assert received == ([ReplacementsReceived(side, points)] if points else [])
    asked = bool(points) or turn >= 5
    assert battle.decision == Decision(
        DecisionKind.REPLACE if asked else DecisionKind.DECLARE_IMPULSE, side)
    offer = listing(battle)
    assert bool(offer.replacements) is bool(points)
    assert bool(offer.repairs) is (turn >= 5)


@pytest.mark.rule("WD 18")
@pytest.mark.parametrize("side", list(Side))
def test_none_after_the_first_impulse_of_a_turn(side: Side) -> None:
    battle = starting(side, 11, begun=1)
    sequence.begin_impulse(battle, side)
    assert battle.decision.kind == DecisionKind.DECLARE_IMPULSE
    assert battle.replacements == (0, 0)


@pytest.mark.rule("WD 18")
def test_a_repair_on_turn_five_and_none_on_turn_four() -> None:
    gun = campaign().unit_index["g-1-185-afv"]
    for turn, allowed in ((4, False), (5, True)):
        battle = starting(Side.GERMAN, turn)
        sequence.begin_impulse(battle, Side.GERMAN)
        found = replacements.judge(battle, Replace(repairs=(gun,)))
        assert (found == []) is allowed
        if allowed:
            replacements.resolve(battle, Replace(repairs=(gun,)))
            assert battle.units[gun].strength == 2
            assert battle.ledger.replaced == (0, 1)


@pytest.mark.rule("WD 17.C")
def test_an_entry_pays_the_edge_hex() -> None:
    battle = waiting(Side.SOVIET, 6, 1)
    index = units_of("7 Estonian Rifle Division")[0]
    option = next(option for option in listing(battle).units if option.unit == index)
    costs = {hex_: cost for hex_, cost, before in zip(option.hexes, option.costs, option.previous,
                                                      strict=True) if before == OFF_MAP}
    assert campaign().units[index].size == Size.REGIMENT
    assert costs[at(4024)] == MP // 4       # along the railroad
    assert costs[at(4020)] == MP // 2       # across open ground
