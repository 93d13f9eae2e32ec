"""[WD 25] The opening: losses, set-up, and where the documented standard set-ups lead."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from functools import cache

import pytest

from lovat_server.core.dice import KeyedDice
from lovat_server.core.violations import Reason
from lovat_server.games.white_death import (
    losses_to_date,
    reinforcements,
    set_up,
    stacking,
    zones,
)
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.events import BridgeBuilt, GameEnded, UnitPlaced
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.opening import opening_state
from lovat_server.games.white_death.orders import (
    Casualty,
    DistributeLosses,
    Placement,
    Refit,
    SetUp,
    SustainGarrison,
)
from lovat_server.games.white_death.state import Bridge, Decision, Options
from lovat_server.games.white_death.terms import OFF_MAP, DecisionKind, Kind, Side, Status
from lovat_server.hexmap.grid import board_of, hexes_of
from lovat_server.scenarios.checks import check_data
from lovat_server.scenarios.loader import data_folder, load_catalog

ONE, II, III, IV, V, VI = (
    "purkayevs-attack", "woehlers-response", "first-relief-attempt", "second-relief-attempt",
    "final-relief-attempt", "velikiye-luki-campaign",
)
EVERY = (ONE, II, III, IV, V, VI)
LATER = (II, III, IV, V)
PLAIN = Options()
FRONT = {II: "II-SOVIET-WEST", III: "III-SOVIET", IV: "IV-SOVIET", V: "V-SOVIET"}
POCKETS = {"3 Mountain Division", "743 Engineer Battalion", "506 Artillery Battalion",
           "5 Ski-Jaeger Battalion", "83 Infantry Division (outside)"}
"""[WD 25 scenario II] Germans who begin cut off beyond the Soviet front."""


@cache
def opened(scenario: str) -> Battle:
    """The standard set-up and the start of the turn, up to the first impulse. Not to be changed."""
    catalog, dice = load_catalog(scenario), KeyedDice(b"standard")
    state = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=True).state
    while state.decision.kind in (DecisionKind.REFIT, DecisionKind.SUSTAIN_GARRISON):
        order = Refit() if state.decision.kind == DecisionKind.REFIT else SustainGarrison()
        done = WHITE_DEATH.submit(catalog, state, order, dice)
        assert not done.violations
        state = done.state
    return Battle(catalog, state)


def after_losses(scenario: str, options: Options = PLAIN) -> Battle:
    battle = Battle(load_catalog(scenario), opening_state(load_catalog(scenario), options))
    for side in (Side.GERMAN, Side.SOVIET):
        battle.decision = Decision(DecisionKind.DISTRIBUTE_LOSSES, side)
        losses_to_date.resolve(battle, DistributeLosses(standard=True))
    battle.decision = Decision(DecisionKind.SET_UP, Side.GERMAN)
    return battle


def in_city(battle: Battle, index: int) -> bool:
    return "garrison_city" in battle.catalog.units[index].traits


def field_stacks(battle: Battle, side: Side) -> dict[int, list[int]]:
    """Stacks of a side but for the garrison of the city."""
    return {hex_: stack for hex_, stack in battle.stacks().items()
            if battle.catalog.units[stack[0]].side == side and not in_city(battle, stack[0])}


# ---------------------------------------------------------------- the opening position

@pytest.mark.rule("WD 25")
@pytest.mark.parametrize(("scenario", "kind"), [
    (ONE, DecisionKind.SET_UP), (VI, DecisionKind.SET_UP),
    *((scenario, DecisionKind.DISTRIBUTE_LOSSES) for scenario in LATER)])
def test_the_german_decides_first(scenario: str, kind: DecisionKind) -> None:
    catalog = load_catalog(scenario)
    state = WHITE_DEATH.create(catalog, Options(), KeyedDice(b"x"), standard_set_up=False).state
    assert state.decision == Decision(kind, Side.GERMAN)
    assert (state.turn, state.supply) == (catalog.scenario.first_turn, catalog.scenario.supply)
    assert {unit.hex for unit in state.units} == {OFF_MAP}
    assert state.bridges == tuple(Bridge(hex_) for hex_ in catalog.scenario.bridges)
    assert state.released is not catalog.scenario.garrisons


@pytest.mark.rule("WD 17.F")
def test_optional_units_are_withheld_from_the_start() -> None:
    catalog = load_catalog(VI)
    state = opening_state(catalog, Options())
    withheld = {printed.formation for printed, unit in zip(catalog.units, state.units, strict=True)
                if unit.status & Status.WITHHELD}
    assert withheld == {"7 Flieger Division", "47 Nevel Rifle Division", "54 Rifle Brigade",
                        "334 Rifle Division", "24 Cavalry Division",
                        "III/1 Lehr Rocket Battalion"}
    coming = {printed.id for printed, unit in zip(catalog.units, state.units, strict=True)
              if printed.division == "7F" and not unit.status & Status.WITHHELD}
    assert coming == {"g-7f-iii-1f-para"}


@pytest.mark.rule("WD Notes.IV")
@pytest.mark.parametrize("scenario", EVERY)
@pytest.mark.parametrize("chosen", [False, True])
def test_the_third_lehr_battalion_takes_part_by_option_only(scenario: str, chosen: bool) -> None:
    catalog = load_catalog(scenario)
    lehr = catalog.unit_index["g-iii-1l-rkt"]
    state = WHITE_DEATH.create(catalog, Options(third_lehr_battalion=chosen), KeyedDice(b"x"),
                               standard_set_up=True).state
    battle = Battle(catalog, state)
    battle.turn, battle.impulses = max(3, battle.turn), (1, 1)
    arrives = chosen and scenario in (ONE, VI)
    assert (state.units[lehr].hex >= 0) == (chosen and not arrives)
    assert reinforcements.is_due(battle, lehr) == arrives
    assert bool(state.units[lehr].status & Status.WITHHELD) is not chosen
    assert WHITE_DEATH.faults(catalog, state) == ()
    other = replace(state, options=Options(third_lehr_battalion=not chosen))
    assert [fault.path for fault in WHITE_DEATH.faults(catalog, other)] == [
        f"units[{lehr}].status"]
    battle.turn = 2
    assert not reinforcements.is_due(battle, lehr)


@pytest.mark.rule("WD Notes.IV")
def test_a_battalion_that_was_not_chosen_is_not_set_up() -> None:
    catalog = load_catalog(II)
    lehr, hex_ = catalog.unit_index["g-iii-1l-rkt"], catalog.map.index[827]
    for chosen in (False, True):
        battle = after_losses(II, Options(third_lehr_battalion=chosen))
        assert (lehr in {option.unit for option in set_up.options(battle)}) == chosen
        named = set_up.standard_placements(battle, Side.GERMAN)
        others = tuple(each for each in named if each.unit != lehr)
        found = set_up.judge(battle, SetUp((*others, Placement(lehr, hex_))))
        assert [fault.clause for fault in found] == ([] if chosen else ["WD Notes.IV"])
        missing = set_up.judge(battle, SetUp(others))
        assert [fault.reason for fault in missing] == ([Reason.INCOMPLETE] if chosen else [])


@pytest.mark.rule("WD 25")
@pytest.mark.parametrize("scenario", LATER)
def test_losses_set_up_and_the_first_turn_by_orders(scenario: str) -> None:
    """Both sides take the documented way by orders; the position is that of the short way."""
    catalog, dice = load_catalog(scenario), KeyedDice(b"standard")
    state = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=False).state
    asked = []
    while state.decision.kind in (DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP):
        asked.append((state.decision.kind, state.decision.side))
        order = DistributeLosses(standard=True) \
            if state.decision.kind == DecisionKind.DISTRIBUTE_LOSSES else SetUp(standard=True)
        done = WHITE_DEATH.submit(catalog, state, order, dice)
        assert not done.violations
        state = done.state
    assert asked == [(kind, side) for kind in (DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP)
                     for side in (Side.GERMAN, Side.SOVIET)]
    assert state == WHITE_DEATH.create(catalog, Options(), KeyedDice(b"standard"),
                                       standard_set_up=True).state


# ---------------------------------------------------------------- the standard set-ups

def test_the_data_of_the_standard_set_ups_have_no_fault() -> None:
    assert check_data(data_folder() / "white_death") == []


@pytest.mark.rule("WD 25")
@pytest.mark.parametrize("scenario", EVERY)
def test_the_standard_set_up_reaches_the_first_impulse(scenario: str) -> None:
    battle = opened(scenario)
    assert battle.impulses == (1, 0)
    assert battle.side == Side.SOVIET
    assert battle.decision.kind in (DecisionKind.REPLACE, DecisionKind.DECLARE_IMPULSE)
    assert WHITE_DEATH.check(battle.catalog, battle.freeze()) == ()


@pytest.mark.rule("WD 25.3")
@pytest.mark.parametrize("scenario", LATER)
def test_the_standard_set_up_is_legal(scenario: str) -> None:
    battle = after_losses(scenario)
    for side in (Side.GERMAN, Side.SOVIET):
        battle.decision = Decision(DecisionKind.SET_UP, side)
        assert set_up.judge(battle, SetUp(standard=True)) == []
        named = SetUp(set_up.standard_placements(battle, side), set_up.standard_bridges(battle))
        assert set_up.judge(battle, named) == []
        before, events = battle.freeze(), len(battle.events)
        set_up.resolve(battle, SetUp(standard=True))
        assert replay(battle.catalog, before, battle.events[events:]) == battle.freeze()
    assert all(unit.hex >= 0 for index, unit in enumerate(battle.units)
               if battle.catalog.units[index].set_up and unit.strength
               and not unit.status & Status.WITHHELD)
    assert all(stacking.fits(battle.catalog, stack) for stack in battle.stacks().values())


def moved(battle: Battle, **hexes: int) -> SetUp:
    """The German standard set-up with some units, by id with dashes left out, elsewhere."""
    catalog = battle.catalog
    there = {catalog.unit_index[id_.replace("_", "-")]: catalog.map.index[hex_]
             for id_, hex_ in hexes.items()}
    return SetUp(tuple(Placement(each.unit, there.get(each.unit, each.hex))
                       for each in set_up.standard_placements(battle, Side.GERMAN)))


@pytest.mark.rule("WD 25.II.3.A.3")
@pytest.mark.parametrize(("hexes", "count"), [
    ({"g_83_i_251_inf": 1739, "g_s_83_hv": 1735}, 4),                      # any four
    ({"g_83_i_251_inf": 1739, "g_i_183_art": 1735}, 4),
    ({"g_83_i_251_inf": 1739}, 3),
    ({"g_s_83_hv": 1735}, 5),
])
def test_any_four_battalions_of_the_83rd_stand_at_1734(hexes: dict[str, int], count: int) -> None:
    battle = after_losses(II)
    found = set_up.judge(battle, moved(battle, **hexes))
    assert [(fault.reason, fault.facts.get("units")) for fault in found] == (
        [] if count == 4 else [(Reason.INCOMPLETE, str(count))])


@pytest.mark.rule("WD 25.II.3.A.3")
@pytest.mark.rule("WD 25.II.3.A.4")
def test_a_battalion_of_the_83rd_stands_in_neither_place() -> None:
    battle = after_losses(II)
    found = set_up.judge(battle, moved(battle, g_s_83_hv=1009))
    assert [fault.reason for fault in found] == [Reason.SET_UP_AREA]


@pytest.mark.rule("WD 25.II.3.A.2")
@pytest.mark.parametrize(("hex_", "legal"), [(1431, True), (1336, True), (1733, False)])
def test_the_mountain_antitank_companies_go_with_their_division_or_the_others(
        hex_: int, legal: bool) -> None:
    battle = after_losses(II)
    found = set_up.judge(battle, moved(battle, g_3_1_48_at=hex_))
    assert [fault.reason for fault in found] == ([] if legal else [Reason.SET_UP_AREA])
    infantry = set_up.judge(battle, moved(battle, g_i_138_mtn=1336))
    assert [fault.reason for fault in infantry] == [Reason.SET_UP_AREA]


@pytest.mark.rule("WD 25.II.3.A.3")
def test_the_standard_set_up_finds_four_battalions_whatever_was_lost() -> None:
    catalog = load_catalog(II)
    battle = Battle(catalog, opening_state(catalog, Options()))
    battle.decision = Decision(DecisionKind.DISTRIBUTE_LOSSES, Side.GERMAN)
    index, given = catalog.unit_index, losses_to_date.standard(battle)
    lost = {"g-83-i-251-inf": 3, "g-83-ii-251-inf": 3, "g-83-i-257-inf": 2}
    line = {index[id_] for id_ in (*lost, "g-83-ii-257-inf")}
    own = replace(given, casualties=(
        *(each for each in given.casualties if each.unit not in line),
        *(Casualty(index[id_], points) for id_, points in lost.items())))
    assert losses_to_date.judge(battle, own) == []
    losses_to_date.resolve(battle, own)
    battle.decision = Decision(DecisionKind.SET_UP, Side.GERMAN)
    assert set_up.judge(battle, SetUp(standard=True)) == []
    set_up.resolve(battle, SetUp(standard=True))
    there = [catalog.units[unit].id for unit in catalog.side_units[Side.GERMAN]
             if catalog.units[unit].set_up == "II-83" and battle.units[unit].strength
             and catalog.map.areas["II-1734"] >> battle.units[unit].hex & 1]
    assert there == ["g-83-i-257-inf", "g-83-ii-257-inf", "g-i-183-art", "g-ii-183-art"]


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("scenario", LATER)
def test_rows_of_eliminated_units_are_passed_over(scenario: str) -> None:
    battle = after_losses(scenario)
    dead = [index for index, unit in enumerate(battle.units)
            if battle.catalog.units[index].set_up and not unit.strength]
    assert dead
    set_up.resolve(battle, SetUp(standard=True))
    placed = {event.unit for event in battle.events if isinstance(event, UnitPlaced)}
    assert not placed & set(dead)


@pytest.mark.rule("WD 25.2")
@pytest.mark.parametrize("scenario", LATER)
def test_the_standard_set_up_holds_for_other_losses_outside_the_city(scenario: str) -> None:
    """Every unit outside the city has a row, so that any division of the losses may use them."""
    catalog = load_catalog(scenario)
    places = catalog.scenario.standard_set_up
    stacks: dict[int, list[int]] = defaultdict(list)
    for index, unit in enumerate(catalog.units):
        if unit.set_up and "garrison_city" not in unit.traits:
            stacks[places[unit.id]].append(index)
    assert all(stacking.fits(catalog, stack) for stack in stacks.values())
    battle = Battle(catalog, opening_state(catalog, Options()))
    for side in (Side.GERMAN, Side.SOVIET):
        battle.decision = Decision(DecisionKind.SET_UP, side)
        found = set_up.judge(battle, SetUp(standard=True))
        assert {v.reason for v in found} <= {Reason.INCOMPLETE}
        set_up.resolve(battle, SetUp(standard=True))


@pytest.mark.rule("WD 25.2")
def test_a_garrison_spared_otherwise_must_be_placed_by_its_owner() -> None:
    """The rows of the city are those of the units that the standard distribution leaves."""
    battle = after_losses(III)
    index = battle.catalog.unit_index["g-43-pol"]
    assert battle.units[index].strength == 0
    battle.units[index] = battle.units[index]._replace(strength=3)
    found = set_up.judge(battle, SetUp(standard=True))
    assert [(v.reason, v.facts) for v in found] == [(Reason.INCOMPLETE, {"units": "g-43-pol"})]


@pytest.mark.rule("WD 25.3")
@pytest.mark.parametrize("scenario", LATER)
def test_the_garrison_mans_every_bunker_and_is_cut_off(scenario: str) -> None:
    battle = opened(scenario)
    garrison = [index for index, unit in enumerate(battle.units)
                if in_city(battle, index) and unit.strength]
    bunkers = {bunker.hex for bunker in battle.catalog.bunkers}
    assert {battle.units[index].hex for index in garrison} == bunkers
    for hex_ in bunkers:
        assert any(battle.catalog.units[index].kind == Kind.PERSONNEL
                   for index in battle.stack(hex_))
    assert all(battle.units[index].status & Status.ISOLATED for index in garrison)


@pytest.mark.rule("WD 15.C")
@pytest.mark.parametrize("scenario", LATER)
def test_only_the_pockets_of_the_battle_begin_isolated(scenario: str) -> None:
    battle = opened(scenario)
    isolated = {battle.catalog.units[index].formation
                for index, unit in enumerate(battle.units)
                if unit.status & Status.ISOLATED and not in_city(battle, index)}
    assert isolated <= (POCKETS if scenario == II else set())


@pytest.mark.rule("WD 25.3")
@pytest.mark.parametrize("scenario", EVERY)
def test_no_soviet_unit_begins_in_a_german_zone(scenario: str) -> None:
    battle = opened(scenario)
    assert not battle.occupied(Side.SOVIET) & zones.zone_board(battle, Side.GERMAN)
    assert not battle.occupied(Side.SOVIET) & battle.occupied(Side.GERMAN)


@pytest.mark.parametrize("scenario", LATER)
def test_the_fronts_face_each_other(scenario: str) -> None:
    """Germans who can hold ground stand along their line, with Soviets before most of them."""
    battle = opened(scenario)
    catalog, grid = battle.catalog, battle.catalog.map.grid
    ground = catalog.map.areas[FRONT[scenario]]
    edge = grid.dilate(ground) & ~ground
    soviets = list(field_stacks(battle, Side.SOVIET))
    front = [hex_ for hex_, stack in field_stacks(battle, Side.GERMAN).items()
             if edge >> hex_ & 1 and any(
                 catalog.units[index].kind == Kind.PERSONNEL for index in stack)]
    assert len(front) >= 15
    rows = {grid.row(hex_) for hex_ in front}
    assert max(rows) - min(rows) >= 30                      # from the north to the south
    faced = [hex_ for hex_ in front if min(grid.distance(hex_, other) for other in soviets) <= 4]
    assert len(faced) >= 0.75 * len(front)
    germans = [hex_ for hex_, stack in field_stacks(battle, Side.GERMAN).items()
               if catalog.units[stack[0]].formation not in POCKETS]
    nearest = [min(grid.distance(hex_, other) for other in germans) for hex_ in soviets]
    assert min(nearest) <= 2                # nearer are only towns, into which no zone reaches
    assert sum(distance <= 3 for distance in nearest) >= 15


@pytest.mark.rule("WD 15.B")
@pytest.mark.parametrize("scenario", LATER)
def test_artillery_begins_in_supply_behind_the_front(scenario: str) -> None:
    """On or beside a road, no enemy next to it, and supplied; but for the pockets and the city."""
    battle = opened(scenario)
    catalog, grid = battle.catalog, battle.catalog.map.grid
    streets = 0
    for board in (*catalog.map.road, *catalog.map.rail):
        streets |= board
    for index, unit in enumerate(battle.units):
        printed = catalog.units[index]
        if unit.hex < 0 or not printed.is_artillery or in_city(battle, index):
            continue
        near = grid.dilate(1 << unit.hex)
        assert streets & near, printed.id
        assert not near & battle.occupied(printed.side.enemy), printed.id
        if scenario != II or printed.formation not in POCKETS:
            assert unit.status & Status.SUPPLIED, printed.id


@pytest.mark.parametrize("scenario", LATER)
def test_the_siege_guns_reach_the_city(scenario: str) -> None:
    """Twelve Soviet artillery units and the rockets can fire into a bunker hex."""
    battle = opened(scenario)
    grid = battle.catalog.map.grid
    bunkers = [bunker.hex for bunker in battle.catalog.bunkers]
    reaching = [battle.catalog.units[index].id for index, unit in enumerate(battle.units)
                if unit.hex >= 0 and battle.catalog.units[index].side == Side.SOVIET
                and battle.catalog.units[index].is_artillery
                and min(grid.distance(unit.hex, hex_) for hex_ in bunkers)
                <= battle.catalog.units[index].range]
    assert len(reaching) >= 12
    assert {"s-3sa-rkt", "s-603-mor", "s-3sa-art"} <= set(reaching)


@pytest.mark.rule("WD 25 scenario III")
def test_twenty_artillery_units_east_of_the_lowatj() -> None:
    battle = opened(III)
    east = battle.catalog.map.areas["EAST-BANK"]
    there = [index for index in battle.catalog.side_units[Side.SOVIET]
             if battle.catalog.units[index].is_artillery and battle.units[index].hex >= 0
             and east >> battle.units[index].hex & 1]
    assert len(there) >= 20
    places = dict(battle.catalog.scenario.standard_set_up)
    assert battle.catalog.scenario.artillery_east == 20
    assert len(places) == sum(bool(unit.set_up) for unit in battle.catalog.units) - 6


@pytest.mark.rule("WD 25.3.C")
@pytest.mark.parametrize(("scenario", "bridges"), [
    (ONE, 0), (II, 1), (III, 2), (IV, 4), (V, 4), (VI, 0)])
def test_the_standard_bridges_stand(scenario: str, bridges: int) -> None:
    battle = opened(scenario)
    built = [bridge for bridge in battle.bridges if bridge.builder >= 0]
    assert len(built) == bridges
    board = board_of(bridge.hex for bridge in built)
    area = battle.catalog.scenario.bridge_area
    assert not board & ~(battle.catalog.map.areas[area] if area else 0)
    for bridge in built:
        assert battle.units[bridge.builder].status & Status.BRIDGED
        assert battle.catalog.map.river >> bridge.hex & 1
    assert list(hexes_of(board)) == sorted(bridge.hex for bridge in built)


@pytest.mark.rule("WD 25.3.C")
def test_the_standard_set_up_builds_after_it_places() -> None:
    battle = after_losses(IV)
    battle.decision = Decision(DecisionKind.SET_UP, Side.SOVIET)
    set_up.resolve(battle, SetUp(standard=True))
    kinds = [type(event) for event in battle.events if isinstance(event, UnitPlaced | BridgeBuilt)]
    assert kinds[-4:] == [BridgeBuilt] * 4
    assert BridgeBuilt not in kinds[:-4]
    battle = after_losses(IV)
    assert set_up.standard_bridges(battle) == ()              # the German has none


@pytest.mark.rule("WD 25 scenario VI")
def test_the_campaign_sets_up_as_scenario_one() -> None:
    assert {load_catalog(ONE).map.numbers[hex_] for hex_ in
            load_catalog(ONE).scenario.standard_set_up.values()} == {
        load_catalog(VI).map.numbers[hex_] for hex_ in
        load_catalog(VI).scenario.standard_set_up.values()}


@pytest.mark.rule("WD 25")
def test_a_game_does_not_end_in_its_opening() -> None:
    created = WHITE_DEATH.create(load_catalog(V), Options(), KeyedDice(b"x"), standard_set_up=True)
    assert not any(isinstance(event, GameEnded) for event in created.events)
