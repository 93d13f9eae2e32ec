"""[WD 5] The sequence of play: points, impulses, turns, and which decision comes when."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import orders_pb2, terms_pb2
from lovat_client.sdk.client import LovatClient
from lovat_server.core.dice import KeyedDice, ScriptedDice
from lovat_server.core.violations import Reason
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.events import (
    DecisionReached,
    GameEnded,
    ImpulseBegan,
    ImpulseEnded,
    PhaseBegan,
    TurnBegan,
    TurnEnded,
    WeatherRolled,
)
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Advance,
    AssaultFire,
    Barrage,
    BarrageFire,
    DeclareImpulse,
    DefensiveFire,
    DistributeLosses,
    Fire,
    MoveAndDeclare,
    Pursue,
    Refit,
    Replace,
    Retreat,
    RetreatBeforeCombat,
    SetUp,
    SustainGarrison,
)
from lovat_server.games.white_death.state import Options, State
from lovat_server.games.white_death.terms import (
    DecisionKind,
    ImpulseKind,
    Mobility,
    Phase,
    Side,
)
from lovat_server.scenarios.loader import load_catalog
from lovat_server.service.library import open_library
from lovat_server.transport.config import Config
from lovat_server.transport.server import build_server

from .field import at, field, german, guns, place, soviet, tanks
from .playing import (
    accepts,
    after,
    assault,
    clauses,
    deploy,
    listing,
    march,
    moves,
    of_kind,
    rail,
    refusals,
    unit,
)

ACTION, PASS = ImpulseKind.ACTION, ImpulseKind.PASS
DECLARE = DecisionKind.DECLARE_IMPULSE
RAIL = "0101-0102-0103-0104-0105"
DICE = (3,) * 40


def duel(**places):
    return field([soviet("rifle"), german("bn")], **places)


def asked(side: Side = Side.SOVIET, points: tuple[int, int] = (10, 10), line: str = "", *,
          catalog=None, **more) -> Battle:
    """An impulse about to be declared, the sides far apart unless the line says otherwise."""
    battle = place(catalog or duel(), line or "rifle 0202; bn 1111", decision=DECLARE, side=side,
                   declared=0, kind=ImpulseKind.NONE, dice=DICE, impulses=(1, 1), **more)
    battle.points = points
    return battle


def pending(battle: Battle) -> tuple[DecisionKind, Side]:
    return battle.decision.kind, battle.decision.side


# ---------------------------------------------------------------- points and declarations

@pytest.mark.rule("WD 5")
@pytest.mark.parametrize(("side", "points", "declared", "legal"), [
    (Side.SOVIET, 10, 2, False), (Side.SOVIET, 10, 1, False), (Side.SOVIET, 10, 3, True),
    (Side.SOVIET, 10, 10, True), (Side.SOVIET, 10, 11, False), (Side.SOVIET, 2, 2, True),
    (Side.SOVIET, 2, 1, False), (Side.SOVIET, 2, 3, False), (Side.SOVIET, 1, 1, True),
    (Side.SOVIET, 3, 3, True), (Side.SOVIET, 4, 3, True),
    (Side.GERMAN, 10, 1, True), (Side.GERMAN, 10, 10, True), (Side.GERMAN, 10, 0, False),
    (Side.GERMAN, 4, 5, False),
])
def test_wdtc_i01_points_of_an_action_impulse(side, points, declared, legal):
    battle = asked(side, (points, points))
    found = refusals(battle, DeclareImpulse(declared, ACTION))
    assert not found if legal else [(v.clause, v.reason, v.path) for v in found] == [
        ("WD 5", Reason.IMPULSE, "points")]


@pytest.mark.rule("WD 5")
def test_wdtc_i01_a_refusal_says_what_may_be_spent():
    found = refusals(asked(), DeclareImpulse(2, ACTION))
    assert found[0].facts == {"points": "2", "least": "3", "most": "10"}
    assert "3 to 10" in found[0].message


@pytest.mark.rule("WD 5")
@pytest.mark.parametrize("side", list(Side))
@pytest.mark.parametrize("points", [1, 2, 10])
def test_wdtc_i02_a_pass_costs_one_point_of_either_side(side, points):
    battle = asked(side, (points, points))
    assert accepts(battle, DeclareImpulse(1, PASS))
    assert clauses(battle, DeclareImpulse(2, PASS)) == ["WD 5"]
    assert clauses(battle, DeclareImpulse(0, PASS)) == ["WD 5"]
    done = after(battle, DeclareImpulse(1, PASS))
    assert (done.points[side], done.declared, done.kind) == (points - 1, 1, PASS)


@pytest.mark.rule("WD 5")
def test_an_impulse_must_be_of_some_kind():
    assert [v.path for v in refusals(asked(), DeclareImpulse(3, ImpulseKind.NONE))] == ["kind"]


@pytest.mark.rule("WD 5")
def test_the_listing_of_a_declaration():
    def offered(side, points):
        found = listing(asked(side, (points, points))).declarations
        return [(option.kind, option.least, option.most) for option in found]
    assert offered(Side.SOVIET, 10) == [(ACTION, 3, 10), (PASS, 1, 1)]
    assert offered(Side.SOVIET, 2) == [(ACTION, 2, 2), (PASS, 1, 1)]
    assert offered(Side.GERMAN, 7) == [(ACTION, 1, 7), (PASS, 1, 1)]


@pytest.mark.rule("WD 5")
def test_points_declared_are_spent_at_once_and_limit_every_unit():
    done = after(asked(), DeclareImpulse(4, ACTION))
    assert (done.points, done.declared, pending(done)) == (
        (6, 10), 4, (DecisionKind.MOVE_AND_DECLARE, Side.SOVIET))
    far = [203, 204, 205, 206, 207, 208, 209, 210, 211]
    assert clauses(done, moves(march(done, "rifle", *far))) == ["WD 6.A"]
    assert accepts(done, moves(march(done, "rifle", *far[:8])))


@pytest.mark.rule("WD 5")
@pytest.mark.parametrize("action", ["march", "assault", "deploy"])
def test_wdtc_i02_a_pass_refuses_movement_and_assault(action):
    catalog = field([soviet("rifle"), guns(soviet("guns")), german("bn")], rail=RAIL)
    battle = place(catalog, "rifle 0102; guns 0202; bn 0103", kind=PASS, declared=1)
    order = {"march": moves(march(battle, "rifle", 202)),
             "assault": moves(assaults=(assault(battle, 103, "rifle"),)),
             "deploy": moves(deploy(battle, "guns"))}[action]
    assert [(v.clause, v.reason) for v in refusals(battle, order)] == [("WD 5", Reason.IMPULSE)]


@pytest.mark.rule("WD 5", "WD 8")
def test_wdtc_i02_a_pass_allows_rail_movement_and_barrage():
    catalog = field([soviet("rifle"), guns(soviet("guns"), traits=""), german("bn")],
                    rail="1201-1202-1203-1204", areas={"E": "1201"})
    battle = asked(catalog=catalog, line="rifle 1201; guns 0903 deployed; bn 0607")
    passing = after(battle, DeclareImpulse(1, PASS))
    assert listing(passing).units[0].rail
    assert all(not (option.hexes or option.assaults or option.may_deploy)
               for option in listing(passing).units)
    moved = after(passing, moves(rail(passing, "rifle", 1203)))
    assert moved.units[unit(moved, "rifle")].hex == at(1203)
    assert pending(moved) == (DecisionKind.BARRAGE, Side.SOVIET)
    done = after(moved, Barrage((BarrageFire(at(607), (unit(moved, "guns"),)),)))
    assert pending(done) == (DECLARE, Side.GERMAN)
    assert done.supply[0] == battle.supply[0] - 2


# ---------------------------------------------------------------- alternation and turns

@pytest.mark.rule("WD 5")
def test_impulses_alternate_while_both_have_points():
    battle = asked()
    seen = []
    for points in (3, 1, 4, 2, 3, 7):
        seen.append((battle.side, battle.points))
        battle = impulse(battle, points)
    assert seen == [
        (Side.SOVIET, (10, 10)), (Side.GERMAN, (7, 10)), (Side.SOVIET, (7, 9)),
        (Side.GERMAN, (3, 9)), (Side.SOVIET, (3, 7)), (Side.GERMAN, (0, 7))]
    assert (battle.turn, battle.points, pending(battle)) == (2, (10, 10), (DECLARE, Side.SOVIET))


def impulse(battle: Battle, points: int, kind: ImpulseKind = ACTION) -> Battle:
    """The impulse declared, nothing done in it, to the next decision."""
    battle = after(battle, DeclareImpulse(points, kind))
    return after(battle, moves())


@pytest.mark.rule("WD 5")
@pytest.mark.parametrize("spend", [False, True])
def test_the_soviets_open_a_turn_after_the_city_has_decided(spend: bool) -> None:
    catalog = load_catalog("purkayevs-attack")
    begun = WHITE_DEATH.create(catalog, Options(), KeyedDice(b"5"), standard_set_up=True).state
    assert begun.decision.kind == DecisionKind.SUSTAIN_GARRISON
    late = replace(begun, side=Side.GERMAN)     # as after a turn that the Germans ended
    done = WHITE_DEATH.submit(catalog, late, SustainGarrison(spend), KeyedDice(b"6"))
    assert not done.violations
    assert [event.side for event in done.events if isinstance(event, ImpulseBegan)] == [
        Side.SOVIET]
    assert done.state.decision.side == Side.SOVIET


@pytest.mark.rule("WD 5")
def test_wdtc_i03_the_german_goes_on_alone_and_then_a_soviet_impulse_opens_turn_two():
    battle = impulse(asked(), 10)
    spent = []
    while battle.turn == 1:
        assert pending(battle) == (DECLARE, Side.GERMAN)
        spent.append(battle.points[Side.GERMAN])
        battle = impulse(battle, 1, PASS) if len(spent) == 2 else impulse(battle, 3)
    assert spent == [10, 7, 6, 3]
    kinds = [type(event) for event in battle.events
             if isinstance(event, ImpulseEnded | TurnEnded | TurnBegan | WeatherRolled
                           | ImpulseBegan | DecisionReached)]
    assert kinds == [ImpulseEnded, TurnEnded, TurnBegan, WeatherRolled, ImpulseBegan,
                     DecisionReached]
    assert (battle.turn, battle.points, battle.impulses, pending(battle)) == (
        2, (10, 10), (1, 0), (DECLARE, Side.SOVIET))


@pytest.mark.rule("WD 5")
def test_the_soviet_goes_on_alone_when_the_german_has_none():
    battle = impulse(impulse(asked(), 3), 10)
    assert (battle.points, pending(battle)) == ((7, 0), (DECLARE, Side.SOVIET))
    battle = impulse(battle, 4)
    assert (battle.points, pending(battle)) == ((3, 0), (DECLARE, Side.SOVIET))
    assert impulse(battle, 3).turn == 2


@pytest.mark.rule("WD 5")
def test_impulses_of_a_side_are_counted():
    battle = asked()
    battle.impulses = (1, 0)
    battle = impulse(battle, 3)
    assert battle.impulses == (1, 1)
    battle = impulse(impulse(battle, 3), 3)
    assert battle.impulses == (2, 2)


@pytest.mark.rule("WD 5", "WD 25")
def test_the_last_turn_ends_the_game():
    battle = impulse(asked(points=(0, 2), side=Side.GERMAN, turn=4), 2)
    assert pending(battle)[0] == DecisionKind.GAME_OVER
    ended = of_kind(battle.events, GameEnded)
    assert ended == [GameEnded(0, "German Victory")]
    assert listing(battle).declarations == ()
    found = refusals(battle, DeclareImpulse(3, ACTION))
    assert [(v.reason, v.facts["pending"]) for v in found] == [
        (Reason.WRONG_DECISION, "GAME_OVER")]


@pytest.mark.rule("WD 5")
def test_what_an_impulse_marks_is_cleared_at_its_end():
    battle = asked(line="rifle 0202 shaken halted barraged isolated; bn 1111")
    done = impulse(battle, 3)
    status = done.units[unit(done, "rifle")].status
    assert not status & (8 | 16 | 32)
    assert (done.declared, done.kind, done.phase, done.assaults, done.paid) == (
        0, ImpulseKind.NONE, Phase.NONE, (), (0, 0, 0))


# ---------------------------------------------------------------- the pending decision

ORDERS = {
    DecisionKind.DISTRIBUTE_LOSSES: DistributeLosses(standard=True),
    DecisionKind.SET_UP: SetUp(standard=True), DecisionKind.REFIT: Refit(),
    DecisionKind.SUSTAIN_GARRISON: SustainGarrison(), DecisionKind.REPLACE: Replace(),
    DECLARE: DeclareImpulse(3, ACTION), DecisionKind.MOVE_AND_DECLARE: MoveAndDeclare(),
    DecisionKind.RETREAT_BEFORE_COMBAT: RetreatBeforeCombat(), DecisionKind.PURSUE: Pursue(),
    DecisionKind.BARRAGE: Barrage(), DecisionKind.DEFENSIVE_FIRE: DefensiveFire(),
    DecisionKind.ASSAULT_FIRE: AssaultFire(), DecisionKind.RETREAT: Retreat(),
    DecisionKind.ADVANCE: Advance(),
}


@pytest.mark.rule("WD 5")
@pytest.mark.parametrize("kind", [*ORDERS, DecisionKind.GAME_OVER])
def test_wdtc_i04_only_the_pending_decision_is_answered(kind):
    battle = place(duel(), "rifle 0202; bn 1111", decision=kind)
    for wanted, order in ORDERS.items():
        if wanted == kind:
            continue
        found = refusals(battle, order)
        assert [(v.clause, v.reason, v.path) for v in found] == [
            ("WD 5", Reason.WRONG_DECISION, "")]
        assert found[0].facts == {"pending": kind.name, "side": "SOVIET",
                                  "order": type(order).__name__}
        state = battle.freeze()
        done = WHITE_DEATH.submit(battle.catalog, state, order, battle.dice)
        assert (done.state, done.events, done.violations) == (state, (), found)


def test_wdtc_i04_the_message_names_the_pending_decision():
    found = refusals(asked(), moves())
    assert found[0].message == ("MoveAndDeclare does not answer the pending decision: the Soviet "
                                "side decides on the declaration of an impulse.")


@pytest.mark.rule("WD 5")
def test_without_assault_or_barrage_an_impulse_ends_after_movement():
    done = after(after(asked(), DeclareImpulse(3, ACTION)), moves())
    phases = [event.phase for event in of_kind(done.events, PhaseBegan)]
    assert phases == [Phase.BARRAGE]
    assert pending(done) == (DECLARE, Side.GERMAN)


@pytest.mark.rule("WD 5")
def test_the_decisions_of_an_assault_in_their_order():
    battle = place(duel(), "rifle 0505; bn 0506", dice=(1, 1, 1, 1, 1, 1))
    seen = []
    battle = after(battle, moves(assaults=(assault(battle, 506, "rifle"),)))
    while battle.side == Side.SOVIET and battle.decision.kind != DECLARE:
        seen.append(pending(battle))
        battle = after(battle, ORDERS[battle.decision.kind])
    assert seen == [(DecisionKind.DEFENSIVE_FIRE, Side.GERMAN),
                    (DecisionKind.ASSAULT_FIRE, Side.SOVIET)]


@pytest.mark.rule("WD 5", "WD 9.D")
def test_retreat_and_advance_come_only_after_a_failed_check():
    battle = place(duel(), "rifle 0505; bn 0506", dice=(6, 1, 6, 6, 3, 3, 3))
    battle = after(battle, moves(assaults=(assault(battle, 506, "rifle"),)))
    battle = after(battle, DefensiveFire())      # a 6 does nothing
    battle = after(battle, AssaultFire())        # MC1 with 12 on the dice: a rout
    assert pending(battle) == (DecisionKind.RETREAT, Side.GERMAN)
    battle = after(battle, Retreat())
    assert pending(battle) == (DecisionKind.ADVANCE, Side.SOVIET)
    battle = after(battle, Advance())
    assert pending(battle) == (DECLARE, Side.GERMAN)


@pytest.mark.rule("WD 5", "WD E.19")
def test_an_assault_on_an_empty_bunker_meets_its_fire_and_needs_no_fire_of_its_own():
    catalog = field([soviet("rifle"), german("bn")], city="0506", bunkers={506: 1})
    battle = place(catalog, "rifle 0505; bn 1111", dice=(6, 6, 6))
    battle = after(battle, moves(assaults=(assault(battle, 506, "rifle"),)))
    assert pending(battle) == (DecisionKind.DEFENSIVE_FIRE, Side.GERMAN)
    battle = after(battle, DefensiveFire())
    assert pending(battle) == (DecisionKind.ADVANCE, Side.SOVIET)


@pytest.mark.rule("WD 5", "WD 11.B")
@pytest.mark.parametrize(("status", "supply", "where", "asks"), [
    ("deployed", 2, "0506", True), ("", 2, "0506", False), ("deployed", 1, "0506", False),
    ("deployed unsupplied", 2, "0506", False), ("deployed", 2, "0512", False),
])
def test_a_barrage_is_asked_for_only_where_one_can_be_fired(status, supply, where, asks):
    catalog = field([guns(soviet("guns"), range_=6), german("bn")])
    battle = place(catalog, f"guns 0503 {status}; bn {where}", supply=(supply, 9, 9))
    kind = pending(after(battle, moves()))[0]
    assert (kind == DecisionKind.BARRAGE) is asks


@pytest.mark.rule("WD 5", "WD E.21-E")
@pytest.mark.parametrize(("mobility", "asks"), [(Mobility.SKI, True), (Mobility.LEG, False)])
def test_a_retreat_before_combat_is_asked_for_only_of_ski_units(mobility, asks):
    catalog = field([soviet("rifle"), german("bn", mobility=mobility)])
    battle = place(catalog, "rifle 0505; bn 0506", dice=DICE)
    done = after(battle, moves(assaults=(assault(battle, 506, "rifle"),)))
    assert pending(done) == ((DecisionKind.RETREAT_BEFORE_COMBAT, Side.GERMAN) if asks
                             else (DecisionKind.DEFENSIVE_FIRE, Side.GERMAN))


@pytest.mark.rule("WD 3.A", "WD 4.B", "WD 14.B")
def test_a_tank_routed_on_the_move_retreats_and_crowds_nobody_out():
    catalog = field([tanks(soviet("tank")), soviet("rifle"), german("bn")])
    battle = place(catalog, "tank 0504; rifle 0503; bn 0605", dice=(1, 6, 6),
                   phase=Phase.MOVEMENT)
    order = moves(march(battle, "tank", 505, 405), march(battle, "rifle", 504, 505))
    assert accepts(battle, order)
    done = after(battle, order)
    assert {done.units[unit(done, id_)].hex for id_ in ("tank", "rifle")} == {at(505)}
    assert pending(done) == (DecisionKind.RETREAT, Side.SOVIET)
    assert [(p.unit, p.hex) for p in done.retreats] == [(unit(done, "tank"), at(505))]
    retreated = after(done, Retreat())
    assert retreated.units[unit(done, "tank")].hex != at(505)
    assert retreated.units[unit(done, "rifle")].hex == at(505)


@pytest.mark.rule("WD 5", "WD 15.D.2")
@pytest.mark.parametrize(("line", "pool", "asks"), [
    ("rifle 0202; bn 0505", 1, True), ("rifle 0202; bn 1111", 1, False),
    ("rifle 0202; bn 0505", 0, False),
])
def test_the_city_is_bought_out_only_with_troops_in_it_and_a_point(line, pool, asks):
    catalog = duel(city="0505")
    battle = asked(Side.GERMAN, (0, 1), line, catalog=catalog, supply=(9, 9, pool))
    # Frost on turn 2, and no aircraft gets through.
    battle.dice = ScriptedDice((4, *(6,) * 30))
    done = impulse(battle, 1)
    assert done.turn == 2
    arrived = done.supply[2] - pool
    expected = (DecisionKind.SUSTAIN_GARRISON, Side.GERMAN)
    assert (pending(done) == expected) is (asks or ("0505" in line and arrived > 0))


@pytest.mark.rule("WD 5", "WD 18")
def test_replacements_are_asked_for_in_the_first_impulse_of_a_turn_only():
    catalog = field([soviet("rifle"), german("bn", traits="replaceable")])
    battle = asked(catalog=catalog, line="rifle 0202; bn 1111 1", turn=3)
    battle.impulses = (1, 0)
    battle = impulse(battle, 3)
    assert pending(battle) == (DecisionKind.REPLACE, Side.GERMAN)
    assert battle.replacements == (0, 2)
    battle = after(battle, Replace())
    assert pending(battle) == (DECLARE, Side.GERMAN)
    battle = impulse(impulse(battle, 3), 3)
    assert pending(battle) == (DECLARE, Side.GERMAN)


def test_the_german_sets_up_first():
    created = WHITE_DEATH.create(load_catalog("purkayevs-attack"), Options(), KeyedDice(b"x"),
                                 standard_set_up=False)
    assert (created.state.decision.kind, created.state.decision.side) == (
        DecisionKind.SET_UP, Side.GERMAN)
    german_done = WHITE_DEATH.submit(load_catalog("purkayevs-attack"), created.state,
                                     SetUp(standard=True), KeyedDice(b"x"))
    assert german_done.state.decision.side == Side.SOVIET


@pytest.mark.parametrize("scenario", ["woehlers-response", "first-relief-attempt"])
def test_losses_to_date_come_before_the_set_up(scenario):
    catalog, dice = load_catalog(scenario), KeyedDice(b"x")
    state = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=False).state
    seen = []
    while state.decision.kind in (DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP):
        seen.append((state.decision.kind, state.decision.side))
        if state.decision.kind == DecisionKind.SET_UP:
            break
        done = WHITE_DEATH.submit(catalog, state, DistributeLosses(standard=True), dice)
        assert not done.violations
        state = done.state
    assert seen == [(DecisionKind.DISTRIBUTE_LOSSES, Side.GERMAN),
                    (DecisionKind.DISTRIBUTE_LOSSES, Side.SOVIET),
                    (DecisionKind.SET_UP, Side.GERMAN)]


# ---------------------------------------------------------------- a whole impulse at once

def resolve(battle: Battle, soviet_orders=(), german_orders=()):
    return WHITE_DEATH.resolve_impulse(
        battle.catalog, battle.freeze(),
        {Side.SOVIET: tuple(soviet_orders), Side.GERMAN: tuple(german_orders)}, battle.dice)


def stepwise(battle: Battle, orders) -> State:
    for order in orders:
        battle = after(battle, order)
    return battle.freeze()


def close() -> Battle:
    return asked(line="rifle 0505; bn 0506")


def test_an_impulse_with_the_orders_of_both_sides_is_the_same_as_step_by_step():
    shot = DefensiveFire((Fire(at(506)),))
    attack = moves(assaults=(assault(close(), 506, "rifle"),))
    whole = resolve(close(), (DeclareImpulse(3, ACTION), attack, AssaultFire()), (shot,))
    assert not whole.violations
    battle = stepwise(close(), (DeclareImpulse(3, ACTION), attack, shot, AssaultFire()))
    answers = {DecisionKind.RETREAT: Retreat(), DecisionKind.ADVANCE: Advance()}
    assert battle.decision.kind not in answers
    assert whole.state == battle
    assert whole.events[-1] == DecisionReached(DECLARE, Side.GERMAN)


def test_what_nobody_orders_is_done_by_standing_orders():
    whole = resolve(asked())
    assert not whole.violations
    assert whole.state.points == (9, 10)          # a pass
    assert whole.state.decision.side == Side.GERMAN
    attack = moves(assaults=(assault(close(), 506, "rifle"),))
    fought = resolve(close(), (DeclareImpulse(3, ACTION), attack))
    assert not fought.violations
    assert fought.state.decision.kind == DECLARE
    assert fought.state.decision.side == Side.GERMAN


def test_orders_answer_the_first_decision_of_their_kind_wherever_they_stand():
    attack = moves(assaults=(assault(close(), 506, "rifle"),))
    one = resolve(close(), (DeclareImpulse(3, ACTION), attack, AssaultFire()))
    other = resolve(close(), (AssaultFire(), attack, DeclareImpulse(3, ACTION)))
    assert one.state == other.state
    assert one.events == other.events


@pytest.mark.parametrize(("soviets", "germans", "path", "clause"), [
    ((DeclareImpulse(2, ACTION),), (), "soviet.orders[0].points", "WD 5"),
    ((DeclareImpulse(3, ACTION), "far"), (), "soviet.orders[1].actions[0].path[0]", "WD 6.A"),
    ((DeclareImpulse(3, ACTION), "attack"), (DefensiveFire((Fire(at(909)),)),),
     "german.orders[0].fires[0].hex", "WD 9.B"),
    ((DeclareImpulse(3, ACTION), "attack", Barrage()), (), "soviet.orders[2]", "WD 5"),
    ((DeclareImpulse(3, ACTION), "attack", "attack"), (), "soviet.orders[2]", "WD 5"),
    ((DeclareImpulse(3, ACTION), "still"), (DeclareImpulse(1, PASS),), "german.orders[0]", "WD 5"),
])
def test_one_refusal_anywhere_and_nothing_happens(soviets, germans, path, clause):
    battle = close()
    known = {"attack": moves(assaults=(assault(battle, 506, "rifle"),)), "still": moves(),
             "far": moves(march(battle, "rifle", 909))}
    state = battle.freeze()
    done = resolve(battle, [known.get(order, order) if isinstance(order, str) else order
                            for order in soviets], germans)
    assert [(v.path, v.clause) for v in done.violations] == [(path, clause)]
    assert (done.state, done.events) == (state, ())


def test_every_violation_of_the_refused_order_is_told():
    battle = close()
    bad = moves(march(battle, "rifle", 909), assaults=(assault(battle, 506, "bn"),))
    done = resolve(battle, (DeclareImpulse(3, ACTION), bad))
    assert [v.path for v in done.violations] == [
        "soviet.orders[1].actions[0].path[0]", "soviet.orders[1].assaults[0].units[0]"]


def test_nothing_is_resolved_once_the_game_is_over():
    battle = place(duel(), "rifle 0202; bn 1111", decision=DecisionKind.GAME_OVER)
    assert resolve(battle).events == ()
    assert [v.path for v in resolve(battle, (DeclareImpulse(3, ACTION),)).violations] == [
        "soviet.orders[0]"]


# ---------------------------------------------------------------- as a client meets it

@pytest.fixture(scope="module")
def client() -> Iterator[LovatClient]:
    server, port = build_server(open_library(), Config(port=0, workers=2))
    server.start()
    with LovatClient.connect(f"127.0.0.1:{port}") as found:
        yield found
    server.stop(None).wait()


def declaration(points: int, kind: terms_pb2.ImpulseKind.ValueType) -> orders_pb2.Order:
    return orders_pb2.Order(declare_impulse=orders_pb2.DeclareImpulse(points=points, kind=kind))


def passing(client: LovatClient) -> core_pb2.Position:
    """A Soviet pass of scenario I, after an impulse in which the artillery has deployed."""
    position = client.create_game("purkayevs-attack", seed="7", standard_set_up=True).position
    if position.state.white_death.decision.kind == terms_pb2.DECISION_KIND_SUSTAIN_GARRISON:
        position = client.submit(position, orders_pb2.Order(
            sustain_garrison=orders_pb2.SustainGarrison())).position
    position = client.submit(position, declaration(3, terms_pb2.IMPULSE_KIND_ACTION)).position
    offer = client.legal(position, "soviet").white_death
    order = orders_pb2.MoveAndDeclare()
    for option in offer.units:
        if option.may_deploy:
            order.actions.add().deploy.units.append(option.unit)
    assert order.actions
    position = client.submit(position, orders_pb2.Order(move_and_declare=order)).position
    while position.state.white_death.side != terms_pb2.SIDE_SOVIET or \
            position.state.white_death.decision.kind != terms_pb2.DECISION_KIND_DECLARE_IMPULSE:
        position = client.resolve_impulse(position).position      # the German passes
    return client.submit(position, declaration(1, terms_pb2.IMPULSE_KIND_PASS)).position


@pytest.mark.rule("WD 5")
def test_wdtc_i02_a_pass_through_the_api(client):
    position = passing(client)
    offer = client.legal(position, "soviet").white_death
    assert all(not option.assaults and not option.may_deploy for option in offer.units)
    own = [entry for entry in client.view(position, "soviet").white_death.own if entry.hex]
    walk = orders_pb2.MoveAndDeclare()
    walk.actions.add().march.CopyFrom(
        orders_pb2.March(units=[own[0].unit], path=[own[0].hex + 1]))
    walk.assaults.add(hex=own[0].hex + 1, units=[own[0].unit])
    judged = client.validate(position, orders_pb2.Order(move_and_declare=walk))
    assert [(v.clause, v.order_path.split(".")[-1]) for v in judged.violations] == [
        ("WD 5", "actions[0]"), ("WD 5", "assaults")]
    refused = client.submit(position, orders_pb2.Order(move_and_declare=walk))
    assert refused.is_refused
    assert refused.checksum == position.checksum
    moving = next(option for option in offer.units if option.rail)
    ride = orders_pb2.MoveAndDeclare()
    ride.actions.add().rail.CopyFrom(
        orders_pb2.Rail(units=[moving.unit], destination=moving.rail[0]))
    done = client.submit(position, orders_pb2.Order(move_and_declare=ride))
    assert done.is_accepted
    assert done.position.state.white_death.decision.kind == terms_pb2.DECISION_KIND_BARRAGE
    guns_ = client.legal(done.position, "soviet").white_death.barrages[0]
    fire = orders_pb2.Barrage()
    fire.fires.add(hex=guns_.hexes[0], units=[guns_.unit])
    fired = client.submit(done.position, orders_pb2.Order(barrage=fire))
    assert fired.is_accepted
    kinds = {event.white_death.WhichOneof("event") for event in fired.events}
    assert kinds & {"barrage_fired", "bunker_barraged"}

