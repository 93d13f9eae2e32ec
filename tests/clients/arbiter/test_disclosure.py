"""What is told of each kind of event, to whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2, event_pb2
from lovat.white_death.v1 import answers_pb2, events_pb2, orders_pb2, terms_pb2
from lovat_client.arbiter.disclosure import (
    COMBAT,
    FIRE,
    KINDS,
    OPEN,
    OWN,
    PLACES,
    ROLLS,
    SPECTATORS,
    SPLIT,
    SPOTTED,
    WORKS,
    Disclosure,
    known_units,
    public_view,
)

OWNERS = {"s-1": "soviet", "s-2": "soviet", "g-1": "german", "g-2": "german", "g-3": "german",
          "g-gun": "german"}
DISCLOSURE = Disclosure(OWNERS)


def event(**kind: Any) -> event_pb2.GameEvent:
    return event_pb2.GameEvent(white_death=events_pb2.Event(**kind))


def view(**fields: Any) -> core_pb2.View:
    return core_pb2.View(white_death=answers_pb2.View(**fields))


def sees(*tops: str) -> core_pb2.View:
    return view(enemy=[answers_pb2.EnemyStack(hex=1010, count=2, top=top) for top in tops])


def told(events: Sequence[event_pb2.GameEvent], side: str = "soviet",
         *views: core_pb2.View) -> list[play.Happening]:
    return DISCLOSURE.happenings(events, side, views)


def concealed(kind: str, start: int, hex_: int, count: int) -> play.Happening:
    return play.Happening(concealed=play.Concealed(kind=kind, start=start, hex=hex_, count=count))


def shown(happened: event_pb2.GameEvent) -> play.Happening:
    return play.Happening(event=happened)


def moved(unit: str, end: int = 1012) -> event_pb2.GameEvent:
    return event(unit_moved=events_pb2.UnitMoved(
        unit=unit, start=1010, path=[1011, end], cost=240))


def test_every_kind_of_event_is_decided_about_once() -> None:
    sets = [OPEN, COMBAT, FIRE, frozenset(PLACES), WORKS, ROLLS, SPOTTED, OWN, SPLIT]
    every = {field.name for field in events_pb2.Event.DESCRIPTOR.fields}
    assert every == KINDS
    assert sum(len(kinds) for kinds in sets) == len(every)


def test_no_open_kind_names_a_counter_but_declared_assaults() -> None:
    naming = {"unit", "units", "firers", "target"}
    for field in events_pb2.Event.DESCRIPTOR.fields:
        if field.name in OPEN and field.name != "assault_declared":
            assert not naming & set(field.message_type.fields_by_name), field.name
        if field.name in PLACES:
            hexes = set(PLACES[field.name]) - {""}
            assert {"unit", *hexes} <= set(field.message_type.fields_by_name), field.name


def test_an_event_without_a_kind_is_told_to_nobody() -> None:
    assert told([event_pb2.GameEvent()]) == []


def test_own_moves_are_told_whole_and_unknown_ones_by_hex_and_count() -> None:
    assert told([moved("s-1")]) == [shown(moved("s-1"))]
    both = [moved("g-1"), moved("g-2"), moved("g-3", 1013)]
    assert told(both) == [concealed("unit_moved", 1010, 1012, 2),
                          concealed("unit_moved", 1010, 1013, 1)]
    assert told(both, "german") == [shown(each) for each in both]


def test_the_top_of_a_stack_is_seen_to_move_with_what_lies_below_it() -> None:
    assert told([moved("g-1"), moved("g-2")], "soviet", sees("g-1"), sees()) == [
        shown(moved("g-1")), concealed("unit_moved", 1010, 1012, 1)]
    assert told([moved("g-2")], "soviet", sees(), sees("g-2")) == [shown(moved("g-2"))]


def test_the_strength_of_what_moves_by_rail_is_the_owners_alone() -> None:
    railed = event(unit_railed=events_pb2.UnitRailed(
        unit="g-1", start=1010, path=[1011, 1012], strength=4))
    weighed = event(unit_railed=events_pb2.UnitRailed(
        unit="g-1", start=1010, path=[1011, 1012]))
    assert told([railed], "german") == [shown(railed)]
    assert told([railed], "soviet", sees("g-1")) == [shown(weighed)]
    assert told([railed], SPECTATORS, sees("g-1")) == [shown(weighed)]
    assert told([railed]) == [concealed("unit_railed", 1010, 1012, 1)]


def test_nobody_else_learns_what_a_side_moved_by_rail() -> None:
    views = [view(side=terms_pb2.SIDE_SOVIET, rail_moved=[5, 0]),
             view(side=terms_pb2.SIDE_GERMAN, rail_moved=[0, 7])]
    assert list(public_view(views).white_death.rail_moved) == [0, 0]


def test_what_takes_part_in_combat_is_known() -> None:
    fire = event(conventional_fired=events_pb2.ConventionalFired(
        phase=terms_pb2.PHASE_ASSAULT, firers=["s-1"], target="g-2", value=80, defence=24, die=4))
    lost = event(strength_lost=events_pb2.StrengthLost(
        unit="g-2", points=1, cause=terms_pb2.CAUSE_CONVENTIONAL))
    gone = event(unit_eliminated=events_pb2.UnitEliminated(unit="g-2", hex=1010))
    assert told([fire, lost, gone]) == [shown(fire), shown(lost), shown(gone)]
    assert told([lost, gone]) == [concealed("unit_eliminated", 1010, 0, 1)]


def test_guns_that_fire_from_afar_are_not_named_but_those_at_a_moving_tank_are() -> None:
    barrage = event(barrage_fired=events_pb2.BarrageFired(
        hex=1010, target="s-1", firers=["g-gun"], die=3))
    (happening,) = told([barrage])
    fired = happening.event.white_death.barrage_fired
    assert (fired.target, fired.die, list(fired.firers)) == ("s-1", 3, [])
    deployed = view(enemy=[answers_pb2.EnemyStack(hex=1, count=2, top="g-1",
                                                  deployed=["g-gun"])])
    assert told([barrage], "soviet", deployed) == [shown(barrage)]
    at_tank = event(antitank_fired=events_pb2.AntitankFired(
        phase=terms_pb2.PHASE_MOVEMENT, firers=["g-2"], target="s-1"))
    assert told([at_tank]) == [shown(at_tank)]


def test_strength_that_is_not_lost_in_combat_is_the_owners_affair() -> None:
    for happened in (
        event(strength_lost=events_pb2.StrengthLost(unit="g-1", points=1,
                                                    cause=terms_pb2.CAUSE_STACKING)),
        event(unit_replaced=events_pb2.UnitReplaced(unit="g-1", points=2)),
        event(unit_repaired=events_pb2.UnitRepaired(unit="g-1")),
        event(equipment_abandoned=events_pb2.EquipmentAbandoned(unit="g-1")),
        event(unit_deployed=events_pb2.UnitDeployed(unit="g-1")),
    ):
        assert told([happened], "soviet", sees("g-1")) == []
        assert told([happened], "german") == [shown(happened)]


def test_a_deployment_is_told_where_it_is_seen() -> None:
    happened = event(unit_deployed=events_pb2.UnitDeployed(unit="g-gun"))
    stack = answers_pb2.EnemyStack(hex=1, count=2, top="g-1", deployed=["g-gun"])
    assert told([happened], "soviet", view(), view(enemy=[stack])) == [shown(happened)]


def test_a_stack_in_new_order_is_a_hex_and_a_count() -> None:
    happened = event(stack_arranged=events_pb2.StackArranged(hex=1010, units=["g-2", "g-1"]))
    assert told([happened], "soviet", sees("g-1"), sees("g-2")) == [
        concealed("stack_arranged", 0, 1010, 2)]
    assert told([happened], "german") == [shown(happened)]


def test_supply_is_told_to_each_side_for_its_own() -> None:
    happened = event(supply_traced=events_pb2.SupplyTraced(
        isolated=["s-1", "g-1"], supplied=["g-gun", "s-2"]))
    for side, isolated, supplied in (("soviet", ["s-1"], ["s-2"]), ("german", ["g-1"], ["g-gun"]),
                                     (SPECTATORS, [], [])):
        (happening,) = told([happened], side, sees("g-1"))
        traced = happening.event.white_death.supply_traced
        assert (list(traced.isolated), list(traced.supplied)) == (isolated, supplied)


def test_a_refit_is_a_count_and_a_reserve_a_die() -> None:
    refit = event(brigade_refitted=events_pb2.BrigadeRefitted(
        brigade="184TB", units=["g-1", "g-2"], due=11, restored=5))
    assert told([refit]) == [concealed("brigade_refitted", 0, 0, 2)]
    assert told([refit], "german") == [shown(refit)]
    roll = event(reserve_rolled=events_pb2.ReserveRolled(
        formation="x", die=3, received=True, units=["g-1"]))
    (happening,) = told([roll])
    assert (happening.event.white_death.reserve_rolled.die,
            list(happening.event.white_death.reserve_rolled.units)) == (3, [])


def test_undiscovered_commandos_stay_so() -> None:
    fields = {"units": ["g-1", "g-2"], "hex": 1010, "die": 5}
    hidden = event(commandos_tested=events_pb2.CommandosTested(**fields))
    assert told([hidden]) == []
    found = event(commandos_tested=events_pb2.CommandosTested(**fields, discovered=True))
    (happening,) = told([found], "soviet", sees("g-1"))
    assert list(happening.event.white_death.commandos_tested.units) == ["g-1"]


def test_a_bridge_is_seen_and_its_builder_only_if_known() -> None:
    built = event(bridge_built=events_pb2.BridgeBuilt(unit="g-1", hex=1010))
    (happening,) = told([built])
    assert happening.event.white_death.bridge_built == events_pb2.BridgeBuilt(hex=1010)
    assert told([built], "soviet", sees("g-1")) == [shown(built)]


def test_spectators_have_no_side() -> None:
    assert told([moved("s-1"), moved("g-1")], SPECTATORS) == [
        concealed("unit_moved", 1010, 1012, 2)]


def test_a_view_tells_tops_deployed_guns_and_whoever_is_in_an_assault() -> None:
    seen = answers_pb2.View(
        enemy=[answers_pb2.EnemyStack(top="a", deployed=["b"])],
        assaults=[orders_pb2.Assault(hex=1, units=["c"])])
    seen.enemy[0].revealed.add(unit="d")
    seen.retreats.add(unit="e")
    assert known_units(seen) == set("abcde")


def test_the_public_view_has_the_fronts_of_both_sides_and_nothing_else_of_theirs() -> None:
    def of(side: int, own: str, top: str) -> core_pb2.View:
        made = view(side=side, turn=3)
        made.white_death.own.add(unit=own, strength=4)
        stack = made.white_death.enemy.add(hex=1000 + side, count=2, top=top, deployed=["x"])
        stack.revealed.add(unit="y")
        made.white_death.standing.fire = terms_pb2.FIRE_POLICY_EVEN
        return made
    public = public_view([of(1, "s-1", "g-1"), of(2, "g-1", "s-1")]).white_death
    assert public == answers_pb2.View(turn=3, enemy=[
        answers_pb2.EnemyStack(hex=1001, count=2, top="g-1"),
        answers_pb2.EnemyStack(hex=1002, count=2, top="s-1")])


def test_a_violation_does_not_name_what_the_player_neither_knows_nor_named() -> None:
    violation = core_pb2.Violation(
        message="g-2 and g-1 and s-1 stand there", facts={"unit": "g-2", "top": "g-1", "n": "3"})
    order = core_pb2.Order()
    (clean,) = DISCLOSURE.violations([violation], "soviet", sees("g-1"), order)
    assert clean.message == "an unknown unit and g-1 and s-1 stand there"
    assert dict(clean.facts) == {"top": "g-1", "n": "3"}
    order.white_death.retreat.abandon.append("g-2")
    assert DISCLOSURE.violations([violation], "soviet", sees("g-1"), order) == [violation]
