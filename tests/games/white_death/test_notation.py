"""Positions and orders as text: written exactly, read back exactly, and refused with a place."""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import TypeVar, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lovat_server.core.errors import MalformedError
from lovat_server.games.white_death import notation, notation_orders
from lovat_server.games.white_death import orders as wd
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.notation import (
    read_orders,
    read_state,
    write_orders,
    write_state,
)
from lovat_server.games.white_death.opening import opening_state
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
    FP,
    OFF_MAP,
    DecisionKind,
    ImpulseKind,
    Phase,
    Pool,
    Side,
    Status,
    Weather,
)
from lovat_server.scenarios.loader import load_catalog, scenario_ids
from tests.properties.strategies import order_kinds, orders, random_state, states

from .field import at, field, german, guns, place, soviet, tanks

CATALOG = field(
    units=[soviet("s-1"), soviet("s-2", strength=4), tanks(soviet("s-t34")), soviet("s-ski"),
           guns(soviet("s-art")), soviet("s-eng"), german("g-1"), german("g-2"),
           guns(german("g-art", division="28")), german("g-at"), tanks(german("g-stug")),
           german("g-3"), german("g-4")],
    bunkers={505: 10, 606: 15}, railroad_towns="0707 0808")
REAL = load_catalog("purkayevs-attack")
T = TypeVar("T")
PLACE = re.compile(r"line [1-9][0-9]*, column [1-9][0-9]*: .+: expected .+", re.DOTALL)
S1, S2, T34, SKI, S_ART, ENG, G1, G2, G_ART, AT, STUG, G3 = (
    CATALOG.unit_index[id_] for id_ in (
        "s-1", "s-2", "s-t34", "s-ski", "s-art", "s-eng", "g-1", "g-2", "g-art", "g-at", "g-stug",
        "g-3"))

PLAIN = """\
scenario test
turn 1
decision move-and-declare soviet
supply soviet 0 german 0 velikiye-luki 0
"""

FULL = """\
scenario test
turn 3
weather snow
phasing german
impulses soviet 1 german 2
points soviet 4 german 7
declared 3
kind action
phase assault
decision assault-fire german
options snow-visibility strict-refit
supply soviet 3 german 2 velikiye-luki 1
paid soviet 0 german 1 velikiye-luki 0
high-intensity german velikiye-luki
sustained
released
replacements soviet 0 german 2
rail-moved soviet 8 german 0
ledger lost soviet 5 german 9; isolated soviet 0 german 2; railroad 5
standing soviet fire even; german withdraw always pursue never
vacated 0405 0304
railroad-held 0707 0808
bunker 0505 7
bridge 0201
bridge 0202 s-eng
assault 0505: g-1 g-2 charge g-2
assault 0406: g-3
retreat s-2 0404
withdrawn s-ski 0405

0404 g-at 2 deployed isolated; g-1; g-2 rank 1
0405 s-1 1 W; s-art supplied barraged; s-2 rank 7
0406 s-t34 rank 2; s-eng E
waiting g-3 1 abandoned due 5
eliminated s-ski
eliminated g-stug due 6
"""


def full() -> State:
    units = [UnitState(strength=unit.strength) for unit in CATALOG.units]
    units[AT] = UnitState(at(404), 2, Status.DEPLOYED | Status.ISOLATED)
    units[G1] = UnitState(at(404), 3, rank=1)
    units[G2] = UnitState(at(404), 3, rank=1)
    units[S1] = UnitState(at(405), 1, bank=1)
    units[S_ART] = UnitState(at(405), 3, Status.SUPPLIED | Status.BARRAGED, rank=1)
    units[S2] = UnitState(at(405), 4, rank=7)
    units[T34] = UnitState(at(406), 3, rank=2)
    units[ENG] = UnitState(at(406), 3, rank=3, bank=2)
    units[G3] = UnitState(OFF_MAP, 1, Status.ABANDONED, due=5)
    units[SKI] = UnitState()
    units[STUG] = UnitState(due=6)
    return State(
        turn=3, units=tuple(units), bunkers=(7, 15),
        bridges=(Bridge(at(201)), Bridge(at(202), ENG)), supply=(3, 2, 1),
        decision=Decision(DecisionKind.ASSAULT_FIRE, Side.GERMAN),
        options=Options(snow_visibility=True, strict_refit=True), weather=Weather.SNOW,
        side=Side.GERMAN, impulses=(1, 2), points=(4, 7), declared=3, kind=ImpulseKind.ACTION,
        phase=Phase.ASSAULT, paid=(0, 1, 0), high_intensity=(False, True, True), sustained=True,
        released=True, replacements=(0, 2), rail_moved=(8, 0),
        assaults=(wd.Assault(at(505), (G1, G2), (G2,)), wd.Assault(at(406), (G3,))),
        retreats=(Pending(S2, at(404)),), withdrawn=(Pending(SKI, at(405)),),
        vacated=(at(405), at(304)), railroad_held=1 << at(707) | 1 << at(808),
        ledger=Ledger(lost=(5, 9), isolated=(0, 2), railroad=5),
        standing=(wd.StandingOrders(fire=wd.FirePolicy.EVEN),
                  wd.StandingOrders(withdraw=wd.Choice.ALWAYS, pursue=wd.Choice.NEVER)))


ORDERS: list[tuple[str, wd.Order]] = [
    ("losses-to-date standard\n", wd.DistributeLosses(standard=True)),
    ("""\
losses-to-date
  lose s-1 2
  lose g-1 1
  lose-bunker 0505 3
""", wd.DistributeLosses((wd.Casualty(S1, 2), wd.Casualty(G1, 1)),
                         (wd.BunkerCasualty(at(505), 3),))),
    ("set-up standard\n", wd.SetUp(standard=True)),
    ("""\
set-up
  place 0404: s-1 s-2
  place 0405: s-art
  place 0404: s-t34
  bridge s-eng 0202
""", wd.SetUp((wd.Placement(S1, at(404)), wd.Placement(S2, at(404)), wd.Placement(S_ART, at(405)),
               wd.Placement(T34, at(404))), (wd.Placement(ENG, at(202)),))),
    ("refit\n", wd.Refit()),
    ("refit 184TB\n", wd.Refit("184TB")),
    ("sustain-garrison yes\n", wd.SustainGarrison(True)),
    ("sustain-garrison no\n", wd.SustainGarrison(False)),
    ("""\
replace
  replacement s-1 2
  replacement s-ski 1 at 0304
  repair s-t34 g-stug
""", wd.Replace((wd.Replacement(S1, 2), wd.Replacement(SKI, 1, at(304))), (T34, STUG))),
    ("declare 6 action\n", wd.DeclareImpulse(6)),
    ("declare 2 pass\n", wd.DeclareImpulse(2, ImpulseKind.PASS)),
    ("""\
move
  march s-1 s-2: 0404 0405
  march s-t34: 0304 pay-to-leave
  rail s-art: 0808
  deploy s-art s-1
  build-bridge s-eng
  destroy-bridge s-eng
  arrange 0405: s-2 s-1
  abandon g-at g-art
  exit g-at
  assault 0505: s-1 s-2
  assault 0406: s-ski s-1 charge s-ski
""", wd.MoveAndDeclare(
        (wd.March((S1, S2), (at(404), at(405))), wd.March((T34,), (at(304),), pay_to_leave=True),
         wd.Rail((S_ART,), at(808)), wd.Deploy((S_ART, S1)), wd.BuildBridge(ENG),
         wd.DestroyBridge(ENG), wd.Arrange(at(405), (S2, S1)), wd.Abandon((AT, G_ART)),
         wd.Exit((AT,))),
        (wd.Assault(at(505), (S1, S2)), wd.Assault(at(406), (SKI, S1), (SKI,))))),
    ("retreat-before-combat\n  withdraw s-ski: 0304\n",
     wd.RetreatBeforeCombat((wd.Withdrawal(SKI, at(304)),))),
    ("pursue\n  pursuit 0304 against 0305: s-ski s-1\n",
     wd.Pursue((wd.Pursuit(at(304), (SKI, S1), at(305)),))),
    ("""\
barrage
  fire 0505: s-art
  fire 0406: s-art g-art; attacks 4 1/2, 3, 1/8
  full-rockets german velikiye-luki
""", wd.Barrage((wd.BarrageFire(at(505), (S_ART,)),
                 wd.BarrageFire(at(406), (S_ART, G_ART), (4 * FP + 4, 3 * FP, 1))),
                (Pool.GERMAN, Pool.VELIKIYE_LUKI))),
    ("""\
defensive-fire
  fire 0505: conventional s-1 12 s-2 4 1/2; antitank s-t34 3/8; antitank-weapons g-at; \
support g-art@0404 s-art@0405; headquarters 28
  fire 0406:
  high-intensity soviet
""", wd.DefensiveFire(
        (wd.Fire(at(505), (wd.Shot(S1, 12 * FP), wd.Shot(S2, 4 * FP + 4)), (wd.Shot(T34, 3),),
                 (AT,), (wd.Support(G_ART, at(404)), wd.Support(S_ART, at(405))), "28"),
         wd.Fire(at(406))),
        (Pool.SOVIET,))),
    ("assault-fire\n  fire 0505: antitank g-stug 6\n",
     wd.AssaultFire((wd.Fire(at(505), antitank=(wd.Shot(STUG, 6 * FP),)),))),
    ("""\
retreat
  route s-1: 0404 0403
  route s-2:
  abandon g-at
""", wd.Retreat((wd.Route(S1, (at(404), at(403))), wd.Route(S2, ())), (AT,))),
    ("advance\n  occupy 0505: s-1 s-t34\n",
     wd.Advance((wd.Occupation(at(505), (S1, T34)),))),
]


def test_a_position_with_everything_is_written_in_its_one_form() -> None:
    assert write_state(CATALOG, full()) == FULL


def test_a_position_with_everything_is_read_back() -> None:
    assert read_state(CATALOG, FULL) == full()


def test_a_position_by_default_is_four_lines() -> None:
    state = replace(opening_state(CATALOG, Options()),
                    decision=Decision(DecisionKind.MOVE_AND_DECLARE, Side.SOVIET), released=False)
    assert write_state(CATALOG, state) == PLAIN
    assert read_state(CATALOG, PLAIN) == state


def test_the_full_example_leaves_no_field_at_its_default() -> None:
    assert [name.name for name in fields(State)
            if getattr(full(), name.name) == name.default] == []


def test_a_position_written_by_hand() -> None:
    text = """\
    # the crossing, with the guns out of supply
    scenario test
    supply soviet 9 german 9        # Velikiye Luki has none
    turn 1\r
    decision move-and-declare soviet

    0406 s-t34;s-1 02               # any order of lines, any white space
    0404   g-1 W 2 deployed ; g-art
    """
    state = read_state(CATALOG, text)
    expected = place(CATALOG, "g-1 0404 2 deployed unsupplied; g-art 0404 unsupplied; "
                     "s-t34 0406 unsupplied; s-1 0406 2 unsupplied", supply=(9, 9, 0),
                     declared=0, kind=ImpulseKind.NONE).freeze()
    units = list(expected.units)
    units[G1] = units[G1]._replace(bank=1)
    assert state == replace(expected, units=tuple(units))
    assert write_state(CATALOG, state) == """\
scenario test
turn 1
decision move-and-declare soviet
supply soviet 9 german 9 velikiye-luki 0

0404 g-1 2 deployed W; g-art
0406 s-t34; s-1 2
"""


def test_ranks_that_do_not_count_from_the_top_are_written() -> None:
    units = list(opening_state(CATALOG, Options()).units)
    for index, rank in ((S1, 2), (S2, 2), (T34, 5), (SKI, 6)):
        units[index] = units[index]._replace(hex=at(404), rank=rank)
    state = replace(read_state(CATALOG, PLAIN), units=tuple(units))
    text = write_state(CATALOG, state)
    assert text == PLAIN + "\n0404 s-1 rank 2; s-2 rank 2; s-t34 rank 5; s-ski\n"
    assert read_state(CATALOG, text) == state


def test_a_stack_read_in_another_order_than_its_ranks_is_written_top_first() -> None:
    state = read_state(CATALOG, PLAIN + "0404 s-1 rank 3; s-2 rank 1; s-t34 rank 2")
    assert write_state(CATALOG, state) == PLAIN + "\n0404 s-2 rank 1; s-t34; s-1\n"


def test_a_real_position_reads_as_a_stack_a_line() -> None:
    text = PLAIN.replace("test", "purkayevs-attack") + """
1430 g-i-138-mtn 2 deployed isolated; g-3-1-48-at
1732 s-28-88-inf 2 W
eliminated s-1-184tb-afv
"""
    assert write_state(REAL, read_state(REAL, text)) == text


def test_the_examples_of_the_documentation_are_in_their_one_form() -> None:
    position, said = (
        textwrap.dedent(re.findall(r"(?:^ {4}.*\n\n?)+", str(module.__doc__), re.M)[0]).rstrip()
        + "\n" for module in (notation, notation_orders))
    assert position.startswith("scenario")
    assert said.startswith("move")
    assert write_state(REAL, read_state(REAL, position)) == position
    assert write_orders(REAL, read_orders(REAL, said)) == said


@pytest.mark.parametrize(("text", "order"), ORDERS, ids=[text.split("\n")[0] for text, _ in ORDERS])
def test_an_order_is_written_in_its_one_form_and_read_back(text: str, order: wd.Order) -> None:
    assert write_orders(CATALOG, [order]) == text
    assert read_orders(CATALOG, text) == (order,)


def test_orders_follow_each_other() -> None:
    text = "".join(text for text, _ in ORDERS)
    assert read_orders(CATALOG, text) == tuple(order for _, order in ORDERS)
    assert write_orders(CATALOG, [order for _, order in ORDERS]) == text


def test_no_orders_are_no_text() -> None:
    assert write_orders(CATALOG, ()) == ""
    assert read_orders(CATALOG, " \n# nothing yet\n") == ()


def test_orders_written_by_hand() -> None:
    text = """
# first impulse
move                                  # and one assault
march s-1 s-2 : 0404 0405
    assault 0505:s-1
assault-fire
  fire 0505: headquarters 28; support s-art @ 0404; conventional g-1 1 4/8
  repeated text is refused below
"""
    good = text.replace("  repeated text is refused below\n", "")
    assert write_orders(CATALOG, read_orders(CATALOG, good)) == """\
move
  march s-1 s-2: 0404 0405
  assault 0505: s-1
assault-fire
  fire 0505: conventional g-1 1 1/2; support s-art@0404; headquarters 28
"""
    with pytest.raises(MalformedError, match=r"line 8, column 3: 'repeated': expected fire; or an "
                                             r"order: losses-to-date, "):
        read_orders(CATALOG, text)


@pytest.mark.parametrize(("eighths", "text"), [
    (0, "0"), (1, "1/8"), (2, "1/4"), (3, "3/8"), (4, "1/2"), (8, "1"), (12, "1 1/2"),
    (31, "3 7/8"), (-4, "-1/2"), (-12, "-1 1/2"),
])
def test_fire_is_written_in_exact_points(eighths: int, text: str) -> None:
    order = wd.Barrage((wd.BarrageFire(at(505), (), (eighths, eighths)),))
    written = f"barrage\n  fire 0505:; attacks {text}, {text}\n"
    assert write_orders(CATALOG, [order]) == written
    assert read_orders(CATALOG, written) == (order,)


UNIT_WORDS = ("a strength, a status (deployed, isolated, supplied, barraged, shaken, halted, "
              "bridged, abandoned, withheld), W, E, rank, due, each once, or ';' and the next unit")
HEXES = "a hex of the map, 0101 to 1212"


@pytest.mark.parametrize(("line", "message"), [
    ("scenario other", "column 1: 'scenario': expected no second line of 'scenario'"),
    ("turn two", "column 6: 'two': expected the number of the turn"),
    ("turn 1234567", "column 6: '1234567': expected the number of the turn"),
    ("turn", "column 5: the line ends: expected the number of the turn"),
    ("weather hail", "column 9: 'hail': expected the weather: frost, thaw, snow"),
    ("weather snow snow", "column 14: 'snow': expected the end of the line"),
    ("phasing finland", "column 9: 'finland': expected the side: soviet, german"),
    ("points soviet 1 soviet", "column 17: 'soviet': expected a side or pool, once each: german"),
    ("points soviet 1 german x", "column 24: 'x': expected the number of german"),
    ("points soviet 1 german 2 3", "column 26: '3': expected the end of the line"),
    ("options strict-refit strict-refit", "column 22: 'strict-refit': expected an option, once "
     "each: snow-visibility, abandoned-equipment"),
    ("ledger gained 3", "column 8: 'gained': expected an entry, once each: lost, isolated, "
     "replaced, railroad"),
    ("standing soviet fire wild", "column 22: 'wild': expected the order for fire: highest-loss, "
     "even"),
    ("bunker 0404 3", "column 8: '0404': expected the hex of a bunker, once each: 0505, 0606"),
    ("bridge 1313", f"column 8: '1313': expected {HEXES}"),
    ("bridge 12", f"column 8: '12': expected {HEXES}"),
    ("bridge 0202 engineer", "column 13: 'engineer': expected a unit of the scenario"),
    ("retreat s-1", f"column 12: the line ends: expected {HEXES}"),
    ("assault 0505 s-1", "column 14: 's-1': expected ':'"),
    ("vacated 0404 s-1", f"column 14: 's-1': expected {HEXES}"),
    ("0404", "column 5: the line ends: expected a unit of the scenario"),
    ("0404 s-1;   # alone", "column 10: the line ends: expected a unit of the scenario"),
    ("9999 s-1", f"column 1: '9999': expected {HEXES}"),
    ("40404 s-1", f"column 1: '40404': expected {HEXES}"),
    ("²404 s-1", f"column 1: '²404': expected {HEXES}"),
    ("0404 g-stog 3", "column 6: 'g-stog': expected a unit of the scenario, perhaps g-stug"),
    ("0404 s-1 happy", f"column 10: 'happy': expected {UNIT_WORDS}"),
    ("0404 s-1 3 2", f"column 12: '2': expected {UNIT_WORDS}"),
    ("0404 s-1 deployed deployed", f"column 19: 'deployed': expected {UNIT_WORDS}"),
    ("0404 s-1 W E", f"column 12: 'E': expected {UNIT_WORDS}"),
    ("0404 s-1; s-1", "column 11: 's-1': expected a unit that no line has named before"),
    ("eliminated s-1 2", f"column 16: '2': expected {UNIT_WORDS}"),
    ("hello", "column 1: 'hello': expected a hex and its stack, or one of scenario, turn, "),
    ("x" * 90, "column 1: '" + "x" * 40 + "...': expected a hex and its stack"),
])
def test_a_bad_line_of_a_position_is_refused_with_its_place(line: str, message: str) -> None:
    others = PLAIN.replace("turn 1\n", "\n") if line.startswith("turn") else PLAIN
    with pytest.raises(MalformedError) as caught:
        read_state(CATALOG, others + line + "\n")
    assert caught.value.message.startswith(f"line 5, {message}")
    assert PLACE.fullmatch(caught.value.message)
    assert caught.value.message.startswith(caught.value.field + ",")


@pytest.mark.parametrize("word", ["scenario", "turn", "decision", "supply"])
def test_a_position_without_a_line_that_it_needs_is_refused(word: str) -> None:
    text = "".join(line for line in PLAIN.splitlines(True) if not line.startswith(word))
    with pytest.raises(MalformedError,
                       match=f"line 4, column 1: the text ends: expected a line '{word}' before"):
        read_state(CATALOG, text)


def test_a_position_of_another_scenario_is_refused() -> None:
    with pytest.raises(MalformedError,
                       match="line 1, column 10: 'test': expected 'purkayevs-attack'"):
        read_state(REAL, PLAIN)


@pytest.mark.parametrize(("text", "message"), [
    ("march s-1: 0404", "line 1, column 1: 'march': expected an order: losses-to-date, set-up, "),
    ("move\nmarch s-1 0404", "line 2, column 11: '0404': expected a unit of the scenario"),
    ("move\nmarch s-1", "line 2, column 10: the line ends: expected ':'"),
    ("move\nmarch s-1: 0404 free", f"line 2, column 17: 'free': expected {HEXES}"),
    ("move\nrail s-1:", f"line 2, column 10: the line ends: expected {HEXES}"),
    ("move\nbuild-bridge s-1 s-2", "line 2, column 18: 's-2': expected the end of the line"),
    ("move now", "line 1, column 6: 'now': expected the end of the line"),
    ("declare six action", "line 1, column 9: 'six': expected a number of points"),
    ("declare 6 attack", "line 1, column 11: 'attack': expected a kind of impulse: none, action, "
     "pass"),
    ("sustain-garrison maybe", "line 1, column 18: 'maybe': expected an answer: yes, no"),
    ("barrage\nfire 0505: s-art; attacks 1/3", "line 2, column 27: '1/3': expected fire points in "
     "eighths, such as 12 or 4 1/2"),
    ("barrage\nfire 0505: s-art; attacks 2 1/0", "line 2, column 29: '1/0': expected fire points"),
    ("barrage\nfire 0505: s-art; attacks 999999 9/1", "line 2, column 34: '9/1': expected fire"),
    ("barrage\nfire 0505: s-art; attacks", "line 2, column 26: the line ends: expected fire"),
    ("barrage\nfull-rockets finnish", "line 2, column 14: 'finnish': expected a supply pool: "
     "soviet, german, velikiye-luki"),
    ("assault-fire\nfire 0505: support g-art 0404", "line 2, column 26: '0404': expected '@'"),
    ("assault-fire\nfire 0505: antitank s-t34 1; antitank s-t34 1", "line 2, column 30: "
     "'antitank': expected a clause of fire, once each: conventional, antitank, "),
    ("assault-fire\nfire 0505: headquarters", "line 2, column 24: the line ends: expected the mark "
     "of a division or brigade"),
    ("pursue\npursuit 0304 0305: s-1", "line 2, column 14: '0305': expected 'against'"),
])
def test_a_bad_line_of_orders_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(MalformedError) as caught:
        read_orders(CATALOG, text)
    assert caught.value.message.startswith(message)
    assert PLACE.fullmatch(caught.value.message)


@pytest.mark.parametrize("change", [
    {"units": ()}, {"bunkers": (1,)}, {"turn": 1_000_000}, {"vacated": (GRID_END := 144,)},
    {"bridges": (Bridge(-1),)}, {"bridges": (Bridge(0, 99),)}, {"railroad_held": 1 << GRID_END},
    {"railroad_held": -1}, {"supply": (1, 2)}, {"retreats": (Pending(-1, 0),)},
])
def test_what_is_no_position_of_the_catalog_is_not_written(change: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"expected|argument"):
        write_state(CATALOG, replace(full(), **change))  # type: ignore[arg-type]


@pytest.mark.parametrize("unit", [
    UnitState(hex=144, strength=1), UnitState(hex=-2, strength=1), UnitState(status=512),
    UnitState(status=-1), UnitState(bank=3), UnitState(0, 1_000_000),
])
def test_what_is_no_unit_is_not_written(unit: UnitState) -> None:
    with pytest.raises(ValueError, match="expected"):
        write_state(CATALOG, replace(full(), units=(unit, *full().units[1:])))


@pytest.mark.parametrize("order", [
    wd.Refit("two words"), wd.Refit("a;b"), wd.Advance((wd.Occupation(-1, ()),)),
    wd.MoveAndDeclare((wd.Deploy((-1,)),)), wd.DeclareImpulse(10**9),
])
def test_what_is_no_order_of_the_catalog_is_not_written(order: wd.Order) -> None:
    with pytest.raises(ValueError, match=r"expected"):
        write_orders(CATALOG, [order])


def test_every_kind_of_order_is_tried() -> None:
    assert set(order_kinds(CATALOG)) == set(get_args(wd.Order))
    assert {type(order) for _, order in ORDERS} == set(get_args(wd.Order))
    moved = next(order for _, order in ORDERS if isinstance(order, wd.MoveAndDeclare))
    assert {type(action) for action in moved.actions} == set(get_args(wd.Action))


@given(state=states(CATALOG))
@settings(max_examples=150)
def test_any_position_is_read_back(state: State) -> None:
    _round_trip(CATALOG, state)


@given(state=states(REAL))
@settings(max_examples=60)
def test_any_real_position_is_read_back(state: State) -> None:
    _round_trip(REAL, state)


@given(said=st.lists(orders(CATALOG), max_size=3))
@settings(max_examples=200)
def test_any_orders_are_read_back(said: list[wd.Order]) -> None:
    text = write_orders(CATALOG, said)
    assert read_orders(CATALOG, text) == tuple(said)
    assert write_orders(CATALOG, read_orders(CATALOG, text)) == text


@pytest.mark.parametrize("kind", get_args(wd.Order))
@given(data=st.data())
@settings(max_examples=30)
def test_any_order_of_each_kind_is_read_back(kind: type, data: st.DataObject) -> None:
    order = data.draw(order_kinds(CATALOG)[kind])
    assert read_orders(CATALOG, write_orders(CATALOG, [order])) == (order,)


def test_ten_thousand_positions_are_read_back() -> None:
    """9,850 on the small map and 25 of each scenario."""
    random = Random(1942)
    for _ in range(9_850):
        state = random_state(CATALOG, random)
        assert read_state(CATALOG, write_state(CATALOG, state)) == state
    for scenario in scenario_ids():
        catalog = load_catalog(scenario)
        for _ in range(25):
            _round_trip(catalog, random_state(catalog, random))


@pytest.mark.soak
def test_ten_thousand_real_positions_are_read_back() -> None:
    random = Random(1943)
    catalogs = [load_catalog(scenario) for scenario in scenario_ids()]
    for turn in range(10_000):
        catalog = catalogs[turn % len(catalogs)]
        _round_trip(catalog, random_state(catalog, random))


def test_an_opening_position_and_its_standard_set_up_are_short() -> None:
    state = opening_state(REAL, Options())
    assert len(write_state(REAL, state)) < 400
    order = wd.SetUp(tuple(wd.Placement(REAL.unit_index[unit], hex_)
                           for unit, hex_ in REAL.scenario.standard_set_up.items()))
    assert read_orders(REAL, write_orders(REAL, [order])) == (order,)


def test_equal_positions_have_equal_text_in_every_process() -> None:
    code = ("from tests.games.white_death.test_notation import digest; print(digest())")
    root = Path(__file__).parents[3]
    found = {
        subprocess.run(
            [sys.executable, "-c", code], cwd=root, check=True, capture_output=True, text=True,
            env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(
                str(root / folder) for folder in (".", "proto", "server", "clients"))},
        ).stdout.strip()
        for seed in ("1", "4242")
    }
    assert found == {digest()}


def digest() -> str:
    """Of the texts of positions of every shape."""
    random = Random(7)
    texts = [write_state(catalog, random_state(catalog, random))
             for catalog in (CATALOG, REAL) for _ in range(10)]
    return hashlib.sha256("".join(texts).encode()).hexdigest()


WORDS = sorted(set(re.findall(r"[^\s;:@,]+|[;:@,]", FULL + "".join(text for text, _ in ORDERS)))
               | {"\n", "#", "-", "²", "999999999999", "1/0", "\x00", "é"})


@given(text=st.text(max_size=60) | st.lists(st.sampled_from(WORDS), max_size=40).map(" ".join))
@settings(max_examples=400)
def test_whatever_text_is_read_or_refused(text: str) -> None:
    _read_or_refuse(text)
    _read_or_refuse(PLAIN + text)
    _read_or_refuse("move\n" + text)
    _read_or_refuse("defensive-fire\nfire 0505:" + text)


@given(seed=st.integers(0, 2**32), many=st.booleans())
@settings(max_examples=1_500)
def test_good_text_with_random_edits_is_read_or_refused(seed: int, many: bool) -> None:
    random = Random(seed)
    text = random.choice((FULL, "".join(text for text, _ in ORDERS)))
    for _ in range(random.randint(2, 6) if many else 1):
        text = _edited(text, random)
    _read_or_refuse(text)


def _edited(text: str, random: Random) -> str:
    """One character, word or line put in, taken out, doubled, or moved."""
    parts: list[str] = random.choice((
        list, lambda text: re.split(r"( |(?=[;:@,\n]))", text), lambda text: text.splitlines(True),
    ))(text)
    start, end = random.randrange(len(parts) + 1), random.randrange(len(parts) + 1)
    piece = parts[start:start + 1]
    match random.randrange(4):
        case 0:
            del parts[start:start + 1]
        case 1:
            parts[end:end] = piece
        case 2:
            parts[start:start + 1] = [random.choice(WORDS)]
        case _:
            parts[end:end + 1], parts[start:start + 1] = piece, parts[end:end + 1]
    return "".join(parts)


def _read_or_refuse(text: str) -> None:
    """Either the one refusal there is, or a value whose text is stable."""
    state = _read(read_state, text)
    if state is not None:
        _round_trip(CATALOG, state)
    said = _read(read_orders, text)
    if said is not None:
        assert read_orders(CATALOG, write_orders(CATALOG, said)) == said


def _read(read: Callable[[Catalog, str], T], text: str) -> T | None:
    refusal = ""
    try:
        return read(CATALOG, text)
    except MalformedError as error:
        refusal = error.message
    assert PLACE.fullmatch(refusal), refusal
    return None


def _round_trip(catalog: Catalog, state: State) -> None:
    text = write_state(catalog, state)
    read = read_state(catalog, text)
    assert read == state
    assert write_state(catalog, read) == text
