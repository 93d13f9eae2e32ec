"""What is wrong with a position: every fault at once, none in play, and never an exception."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from lovat_server.core.dice import KeyedDice
from lovat_server.core.violations import Violation
from lovat_server.games.white_death import soundness, standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Assault, DeclareImpulse
from lovat_server.games.white_death.position import Position
from lovat_server.games.white_death.state import (
    Bridge,
    Decision,
    Ledger,
    Options,
    Pending,
    State,
    UnitState,
)
from lovat_server.games.white_death.terms import (
    OFF_MAP,
    DecisionKind,
    ImpulseKind,
    Mobility,
    Phase,
    Side,
    Status,
    Weather,
)
from lovat_server.hexmap.grid import hexes_of
from lovat_server.scenarios.loader import load_catalog, scenario_ids
from tests.properties.player import play
from tests.properties.strategies import states

CATALOG = load_catalog("purkayevs-attack")
SOVIETS, GERMANS = CATALOG.side_units
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[
    HealthCheck.too_slow, HealthCheck.data_too_large])

Change = Callable[[State], State]


@cache
def moving() -> State:
    """The Soviet movement phase of the first impulse; the standard set-up stands."""
    dice = KeyedDice(b"check")
    state = WHITE_DEATH.create(CATALOG, Options(), dice, standard_set_up=True).state
    while state.decision.kind != DecisionKind.MOVE_AND_DECLARE:
        order = (DeclareImpulse(4) if state.decision.kind == DecisionKind.DECLARE_IMPULSE
                 else answered(state))
        state = WHITE_DEATH.submit(CATALOG, state, order, dice).state
    return state


def answered(state: State) -> Any:
    return standing.answer(Battle(CATALOG, state))


def faults(state: State, catalog: Catalog = CATALOG) -> tuple[Violation, ...]:
    return WHITE_DEATH.faults(catalog, state)


def told(state: State) -> set[tuple[str, str]]:
    return {(fault.clause, fault.path) for fault in faults(state)}


def with_unit(index: int, **fields: Any) -> Change:
    def change(state: State) -> State:
        units = list(state.units)
        units[index] = units[index]._replace(**fields)
        return replace(state, units=tuple(units))
    return change


def with_fields(**fields: Any) -> Change:
    return lambda state: replace(state, **fields)


def flagged(index: int, status: int) -> Change:
    return with_unit(index, status=int(moving().units[index].status | status))


def first(side: Side, **printed: Any) -> int:
    """The first unit of a side on the map with these printed facts; `trait` is one of many."""
    return next(index for index in CATALOG.side_units[side]
                if moving().units[index].hex != OFF_MAP and all(
                    value in CATALOG.units[index].traits if name == "trait"
                    else getattr(CATALOG.units[index], name) == value
                    for name, value in printed.items()))


def late(side: Side) -> int:
    return next(index for index in CATALOG.side_units[side]
                if CATALOG.units[index].arrival_turn > 1)


def empty_hex(board: int) -> int:
    held = {unit.hex for unit in moving().units}
    return next(hex_ for hex_ in hexes_of(board) if hex_ not in held)


RIFLES = first(Side.SOVIET, type="infantry", mobility=Mobility.LEG)
BATTALION = first(Side.GERMAN, type="infantry", mobility=Mobility.LEG)
GUNS = next(index for index in SOVIETS
            if CATALOG.units[index].is_artillery and moving().units[index].hex != OFF_MAP)
ENGINEERS = next(index for index in SOVIETS if "bridge" in CATALOG.units[index].traits)
GARRISON = first(Side.GERMAN, trait="garrison_city")
CLEAR = CATALOG.map.grid.full & ~(CATALOG.map.river | CATALOG.map.town | CATALOG.map.forest)
AT = moving().units[RIFLES].hex
FAR = empty_hex(CLEAR)


def test_a_position_of_play_is_sound() -> None:
    assert faults(moving()) == ()


def unit(index: int, field: str) -> str:
    return f"units[{index}].{field}"


CASES: dict[str, tuple[Change, tuple[str, str]]] = {
    "units of both sides in one hex": (
        with_unit(RIFLES, hex=moving().units[BATTALION].hex, rank=99),
        ("WD 6.A", unit(BATTALION, "hex"))),
    "an eliminated unit on the map": (
        with_unit(RIFLES, strength=0), ("WD 9.C.4", unit(RIFLES, "hex"))),
    "strength above the printed": (
        with_unit(RIFLES, strength=99), ("WD 18", unit(RIFLES, "strength"))),
    "infantry that is deployed": (
        flagged(RIFLES, Status.DEPLOYED), ("WD 6.B.2", unit(RIFLES, "status"))),
    "infantry that is supplied": (
        flagged(RIFLES, Status.SUPPLIED), ("WD 15.B", unit(RIFLES, "status"))),
    "infantry that fired a barrage": (
        flagged(RIFLES, Status.BARRAGED), ("WD 11.B", unit(RIFLES, "status"))),
    "infantry with a bridge built": (
        flagged(RIFLES, Status.BRIDGED), ("WD 20.B", unit(RIFLES, "status"))),
    "equipment abandoned without the rule": (
        flagged(GUNS, Status.ABANDONED), ("WD 23", unit(GUNS, "status"))),
    "an unknown status": (
        with_unit(RIFLES, status=1 << 20), ("WD 6.B", unit(RIFLES, "status"))),
    "withheld though it always comes": (
        flagged(late(Side.SOVIET), Status.WITHHELD), ("WD 17.F", unit(late(Side.SOVIET),
                                                                     "status"))),
    "isolated off the map": (
        flagged(late(Side.SOVIET), Status.ISOLATED), ("WD 15.C", unit(late(Side.SOVIET),
                                                                     "status"))),
    "on the map before it is due": (
        with_unit(late(Side.GERMAN), hex=FAR), ("WD 17", unit(late(Side.GERMAN), "hex"))),
    "losses before it is due": (
        with_unit(late(Side.GERMAN), strength=0), ("WD 17", unit(late(Side.GERMAN), "strength"))),
    "set up but not on the map": (
        with_unit(RIFLES, hex=OFF_MAP, rank=0), ("WD 25.3", unit(RIFLES, "hex"))),
    "the garrison far outside": (
        with_unit(GARRISON, hex=empty_hex(CATALOG.map.grid.column_board(1) & CLEAR)),
        ("WD 22", unit(GARRISON, "hex"))),
    "a bank off the river": (
        with_unit(RIFLES, bank=1), ("WD 16.B", unit(RIFLES, "bank"))),
    "a return of what is here": (
        with_unit(RIFLES, due=3), ("WD 18", unit(RIFLES, "due"))),
    "a bridge in no river": (
        with_fields(bridges=(*moving().bridges, Bridge(FAR, ENGINEERS))),
        ("WD 20.B", f"bridges[{len(moving().bridges)}].hex")),
    "a bridge twice": (
        with_fields(bridges=(*moving().bridges, moving().bridges[0])),
        ("WD 20", f"bridges[{len(moving().bridges)}].hex")),
    "a builder with no bridge": (
        with_fields(bridges=(Bridge(empty_hex(CATALOG.map.river), RIFLES),)),
        ("WD 20.B", "bridges[0].builder")),
    "a bridge of nobody": (
        with_fields(bridges=(Bridge(empty_hex(CATALOG.map.river & ~sum(
            1 << hex_ for hex_ in CATALOG.scenario.bridges))),)),
        ("WD 20", "bridges[0].builder")),
    "a builder that has not built": (
        with_fields(bridges=(Bridge(empty_hex(CATALOG.map.river), ENGINEERS),)),
        ("WD 20.B", "bridges[0].builder")),
    "a bunker that is too strong": (
        with_fields(bunkers=(99, *moving().bunkers[1:])), ("WD 19", "bunkers[0]")),
    "a Soviet unit in a bunker": (
        lambda state: with_unit(RIFLES, hex=CATALOG.bunkers[-1].hex, rank=99)(state),
        ("WD E.19", unit(RIFLES, "hex"))),
    "too many points": (
        with_fields(points=(11, 10)), ("WD 5", "points[0]")),
    "points that were spent": (
        with_fields(points=(10, 10)), ("WD 5", "points[0]")),
    "too many impulses": (
        with_fields(impulses=(1, 11)), ("WD 5", "impulses[1]")),
    "supply below zero": (
        with_fields(supply=(0, -1, 0)), ("WD 15", "supply[1]")),
    "too much paid": (
        with_fields(paid=(4, 0, 0)), ("WD 15.A", "paid[0]")),
    "too much railed": (
        with_fields(rail_moved=(26, 0)), ("WD 8", "rail_moved[0]")),
    "replacements in movement": (
        with_fields(replacements=(0, 3)), ("WD 18", "replacements[1]")),
    "a turn after the last": (
        with_fields(turn=9), ("WD 25", "turn")),
    "a pass of four points": (
        with_fields(kind=ImpulseKind.PASS), ("WD 5", "declared")),
    "nothing declared": (
        with_fields(kind=ImpulseKind.NONE), ("WD 5", "declared")),
    "an assault from afar": (
        with_fields(assaults=(Assault(FAR, (RIFLES,)),)), ("WD 6.B.3", "assaults[0].units[0]")),
    "an assault of the other side": (
        with_fields(assaults=(Assault(FAR, (BATTALION,)),)),
        ("WD 6.B.3", "assaults[0].units[0]")),
    "a unit that assaults twice": (
        with_fields(assaults=(Assault(FAR, (RIFLES, RIFLES)),)),
        ("WD 6.B.3", "assaults[0].units[1]")),
    "a hex that is assaulted twice": (
        with_fields(assaults=(Assault(FAR, ()), Assault(FAR, ()))),
        ("WD 6.B.3", "assaults[1].hex")),
    "an assault on one's own": (
        with_fields(assaults=(Assault(AT, ()),)), ("WD 9.B", "assaults[0].hex")),
    "a charge on foot": (
        with_fields(assaults=(Assault(FAR, (RIFLES,), (RIFLES,)),)),
        ("WD 24", "assaults[0].charge[0]")),
    "an assault in a pass": (
        with_fields(assaults=(Assault(FAR, ()),), kind=ImpulseKind.PASS), ("WD 5", "assaults")),
    "a retreat that nobody decides": (
        with_fields(retreats=(Pending(RIFLES, AT),)), ("WD 14.B", "retreats")),
    "a retreat of the other side": (
        with_fields(retreats=(Pending(BATTALION, moving().units[BATTALION].hex),)),
        ("WD 14.B", "retreats[0].unit")),
    "a retreat from elsewhere": (
        with_fields(retreats=(Pending(RIFLES, FAR),)), ("WD 14.B", "retreats[0]")),
    "a withdrawal of the moving side": (
        with_fields(withdrawn=(Pending(RIFLES, FAR),)), ("WD E.21-E", "withdrawn[0].unit")),
    "a hex vacated without assault": (
        with_fields(vacated=(FAR,)), ("WD 9.D", "vacated[0]")),
    "nothing pending": (
        with_fields(decision=Decision()), ("WD 5", "decision")),
    "the wrong side decides": (
        with_fields(decision=Decision(DecisionKind.MOVE_AND_DECLARE, Side.GERMAN)),
        ("WD 5", "decision.side")),
    "movement in no phase": (
        with_fields(phase=Phase.NONE), ("WD 5", "phase")),
    "a fire without an assault": (
        with_fields(decision=Decision(DecisionKind.ASSAULT_FIRE, Side.SOVIET),
                    phase=Phase.ASSAULT), ("WD 5", "assaults")),
    "a refit on turn 1": (
        with_fields(decision=Decision(DecisionKind.REFIT, Side.SOVIET)), ("WD 18", "turn")),
    "the end on turn 1": (
        with_fields(decision=Decision(DecisionKind.GAME_OVER, Side.SOVIET)), ("WD 25", "turn")),
    "losses that no unit lacks": (
        with_fields(ledger=Ledger(lost=(3, 0))), ("WD 25", "ledger.lost[0]")),
    "more lost in isolation than lost": (
        with_fields(ledger=Ledger(isolated=(0, 3))), ("WD 25", "ledger.isolated[1]")),
    "points for towns below zero": (
        with_fields(ledger=Ledger(railroad=-5)), ("WD 25", "ledger.railroad")),
    "a railroad town that is none": (
        with_fields(railroad_held=1 << FAR), ("WD 25", "railroad_held")),
}


@pytest.mark.parametrize("name", CASES)
def test_each_fault_is_told_with_clause_and_place(name: str) -> None:
    change, wanted = CASES[name]
    state = change(moving())
    assert wanted in told(state)
    for fault in faults(state):
        assert fault.clause.startswith("WD ")
        assert fault.message.endswith(".")
        assert "{" not in fault.message


def test_weather_that_no_die_brings() -> None:
    possible = CATALOG.charts.weather[0]
    for weather in Weather:
        state = replace(moving(), weather=weather)
        assert (("WD 16", "weather") in told(state)) == (weather not in possible)


@pytest.mark.rule("WD 7")
def test_prohibited_terrain() -> None:
    index = first(Side.SOVIET, mobility=Mobility.WHEEL)
    roads = 0
    for board in (*CATALOG.map.road, *CATALOG.map.rail):
        roads |= board
    forest = empty_hex(CATALOG.map.forest & ~roads & ~CATALOG.map.river)
    costs = CATALOG.charts.movement[Mobility.WHEEL]
    state = with_unit(index, hex=forest, rank=0)(moving())
    prohibited = costs["forest"].enter is None and costs["forest_creek"].enter is None
    assert (("WD 7", unit(index, "hex")) in told(state)) == prohibited


@pytest.mark.rule("WD 4.C")
def test_two_units_of_one_rank() -> None:
    stack = next(stack for stack in Position(CATALOG, moving()).stacks().values()
                 if len(stack) > 1)
    state = with_unit(stack[1], rank=moving().units[stack[0]].rank)(moving())
    assert told(state) == {("WD 4.C", unit(max(stack[:2]), "rank"))}


@pytest.mark.rule("WD 4")
def test_more_than_may_stack_and_a_retreat_that_will_mend_it() -> None:
    others = [index for index in SOVIETS if CATALOG.units[index].type == "infantry"
              and moving().units[index].hex not in (OFF_MAP, AT)][:2]
    state = moving()
    for rank, index in enumerate(others, 50):
        state = with_unit(index, hex=AT, rank=rank)(state)
    assert {clause for clause, _ in told(state)} == {"WD 4.B"}
    leaving = replace(state, retreats=tuple(Pending(index, AT) for index in others),
                      decision=Decision(DecisionKind.RETREAT, Side.SOVIET))
    assert "WD 4.B" not in {clause for clause, _ in told(leaving)}


def test_all_faults_at_once_and_those_that_block_first() -> None:
    state = moving()
    for name in ("infantry that is deployed", "an eliminated unit on the map", "too much railed",
                 "a turn after the last", "losses that no unit lacks"):
        state = CASES[name][0](state)
    found = faults(state)
    assert {CASES[name][1] for name in ("an eliminated unit on the map", "too much railed",
                                        "a turn after the last")} <= told(state)
    blocking = WHITE_DEATH.check(CATALOG, state)
    assert len(blocking) == 2
    assert found[:2] == blocking
    assert not soundness.is_playable(Position(CATALOG, state))


def test_most_faults_do_not_block_play() -> None:
    state = with_fields(rail_moved=(26, 0))(moving())
    assert WHITE_DEATH.check(CATALOG, state) == ()
    assert soundness.is_playable(Position(CATALOG, state))
    assert faults(state)


@pytest.mark.parametrize("scenario", scenario_ids())
def test_play_brings_no_fault_about(scenario: str) -> None:
    catalog = load_catalog(scenario)
    for free in (False, True):
        opened = WHITE_DEATH.create(catalog, Options(), KeyedDice(b"x"), standard_set_up=free)
        assert faults(opened.state, catalog) == ()
    options = Options(abandoned_equipment=len(scenario) % 2 == 1)
    for step in play(catalog, 1, most=16, options=options):
        found = faults(step.done.state, catalog)
        assert found == (), (scenario, type(step.order).__name__, found)


@pytest.mark.soak
@pytest.mark.parametrize("scenario", scenario_ids())
def test_whole_games_bring_no_fault_about(scenario: str) -> None:
    catalog = load_catalog(scenario)
    for seed in range(10, 14):
        options = Options(abandoned_equipment=seed % 2 == 1)
        for step in play(catalog, seed, options=options):
            found = faults(step.done.state, catalog)
            assert found == (), (scenario, seed, type(step.order).__name__, found)


@QUICK
@given(state=states(CATALOG))
def test_it_never_raises(state: State) -> None:
    found = faults(state)
    assert found[:len(WHITE_DEATH.check(CATALOG, state))] == WHITE_DEATH.check(CATALOG, state)
    for fault in found:
        assert fault.clause
        assert fault.message


def test_it_never_raises_for_numbers_out_of_all_bounds() -> None:
    odd = UnitState(5, -7, -1, -3, 9, -2)
    state = replace(moving(), units=tuple(odd for _ in moving().units), turn=-4,
                    bunkers=tuple(-1 for _ in moving().bunkers), points=(-1, 99),
                    impulses=(-3, 99), declared=-2, supply=(-1, -1, -1), paid=(-9, 9, 9))
    assert len(faults(state)) > 500
