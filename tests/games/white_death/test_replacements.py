"""[WD 18] Replacement points, rebuilding, AFV repair."""

from __future__ import annotations

from typing import Any

import pytest

from lovat_server.core.violations import Reason, Violation
from lovat_server.games.white_death import replacements
from lovat_server.games.white_death.answers import ReplacementOption
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    ReplacementsReceived,
    UnitRepaired,
    UnitReplaced,
)
from lovat_server.games.white_death.orders import Replace, Replacement
from lovat_server.games.white_death.terms import OFF_MAP, DecisionKind, Side, Status
from lovat_server.hexmap.grid import hexes_of
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, guns, number, place, soviet, tanks
from .playing import after, refusals

AREAS = {"W": "0105 0106", "SW": "0112", "S": "", "NW": "0101", "S-OPEN": "", "SW-OPEN": "0310",
         "E": "1205", "SE": "1012"}


def catalog() -> Catalog:
    return field(
        units=[
            german("bn", traits="replaceable"), german("second", traits="replaceable"),
            german("third", traits="replaceable"), german("fourth", traits="replaceable"),
            german("luftwaffe", colour="luftwaffe"), guns(german("art")),
            tanks(german("stug")), tanks(german("panzer")),
            german("later", traits="replaceable", arrival_turn=9),
            soviet("reg", traits="replaceable"), tanks(soviet("t34")), soviet("enemy"),
        ],
        areas=AREAS, city="0505 0506")


def at_replacements(line: str, points: int = 3, turn: int = 6, side: Side = Side.GERMAN,
                    dead: str = "", **more: Any) -> Battle:
    battle = place(catalog(), line, decision=DecisionKind.REPLACE, side=side, phasing=side,
                   turn=turn, impulses=(1, 1), replacements=(points, points), **more)
    for id_ in dead.split():
        index = battle.catalog.unit_index[id_]
        battle.units[index] = battle.units[index]._replace(strength=0, hex=OFF_MAP)
    return battle


def give(battle: Battle, id_: str, points: int, hex_: int = OFF_MAP) -> Replacement:
    return Replacement(battle.catalog.unit_index[id_], points, hex_ if hex_ < 0 else at(hex_))


def order(battle: Battle, *given: Replacement, repairs: str = "") -> Replace:
    return Replace(given, tuple(battle.catalog.unit_index[id_] for id_ in repairs.split()))


def judged(battle: Battle, *given: Replacement, repairs: str = "") -> list[Violation]:
    return replacements.judge(battle, order(battle, *given, repairs=repairs))


# ---------------------------------------------------------------- replacement points

@pytest.mark.rule("WD 18")
def test_points_are_received_on_the_first_impulse() -> None:
    battle = place(load_catalog("velikiye-luki-campaign"), "", turn=7, impulses=(1, 1))
    replacements.receive(battle, Side.GERMAN)
    replacements.receive(battle, Side.SOVIET)          # none before turn 9
    assert battle.events == [ReplacementsReceived(Side.GERMAN, 3)]
    assert battle.replacements == (0, 3)
    battle = place(load_catalog("velikiye-luki-campaign"), "", turn=9, impulses=(1, 2))
    replacements.receive(battle, Side.GERMAN)          # its second impulse
    replacements.receive(battle, Side.SOVIET)
    assert battle.events == [ReplacementsReceived(Side.SOVIET, 2)]


@pytest.mark.rule("WD 18")
def test_wdtc_v06_an_isolated_unit_takes_none() -> None:
    battle = at_replacements("bn 0303 1 isolated")
    found = judged(battle, give(battle, "bn", 1))
    assert [(v.reason, v.clause, v.path) for v in found] == [
        (Reason.REPLACEMENT, "WD 18", "replacements[0].unit")]
    assert "isolated" in found[0].message
    assert replacements.options(battle) == ()


@pytest.mark.rule("WD 18")
def test_wdtc_v06_not_above_printed_strength() -> None:
    battle = at_replacements("bn 0303 1; second 0404")
    assert judged(battle, give(battle, "bn", 2)) == []
    found = judged(battle, give(battle, "bn", 3))
    assert [(v.reason, v.path) for v in found] == [
        (Reason.REPLACEMENT, "replacements[0].points")]
    assert "1 to 2 points, not 3" in found[0].message
    assert "printed strength" in judged(battle, give(battle, "second", 1))[0].message
    for points in (0, -1):
        assert judged(battle, give(battle, "bn", points))


@pytest.mark.rule("WD 18")
def test_wdtc_v06_not_into_a_luftwaffe_unit() -> None:
    battle = at_replacements("luftwaffe 0303 1; bn 0404 1")
    found = judged(battle, give(battle, "luftwaffe", 1))
    assert [v.reason for v in found] == [Reason.REPLACEMENT]
    assert "not of the German Army" in found[0].message
    assert replacements.options(battle) == (
        ReplacementOption(battle.catalog.unit_index["bn"], 2, ()),)


@pytest.mark.rule("WD 18")
def test_only_personnel() -> None:
    battle = at_replacements("art 0303 1; stug 0404 1")
    for id_ in ("art", "stug"):
        assert "no personnel unit" in judged(battle, give(battle, id_, 1))[0].message


@pytest.mark.rule("WD 18")
def test_the_garrison_bought_out_takes_none() -> None:
    battle = at_replacements("bn 0505 1; second 0303 1", sustained=True)
    assert "supply point" in judged(battle, give(battle, "bn", 1))[0].message
    assert judged(battle, give(battle, "second", 1)) == []
    battle.sustained = False
    assert judged(battle, give(battle, "bn", 1)) == []


@pytest.mark.rule("WD 18")
def test_no_more_points_than_received() -> None:
    battle = at_replacements("bn 0303 1; second 0404 1", points=3)
    assert judged(battle, give(battle, "bn", 2), give(battle, "second", 1)) == []
    found = judged(battle, give(battle, "bn", 2), give(battle, "second", 2))
    assert [(v.reason, v.facts) for v in found] == [
        (Reason.TOO_MANY, {"points": "4", "left": "3"})]


@pytest.mark.rule("WD 18")
def test_own_units_once_each_and_in_play() -> None:
    battle = at_replacements("bn 0303 1; reg 0909 1")
    assert judged(battle, give(battle, "reg", 1))[0].reason == Reason.WRONG_SIDE
    found = judged(battle, give(battle, "bn", 1), give(battle, "bn", 1))
    assert [(v.reason, v.path) for v in found] == [
        (Reason.DUPLICATE, "replacements[1].unit")]
    assert judged(battle, give(battle, "later", 1))[0].reason == Reason.NOT_AVAILABLE
    assert judged(battle, give(battle, "bn", 1, 105))[0].path == "replacements[0].hex"


@pytest.mark.rule("WD 18")
def test_resolving_adds_and_pays() -> None:
    battle = at_replacements("bn 0303 1; stug 0404 1", dead="second")
    before = battle.freeze()
    wanted = order(battle, give(battle, "bn", 2), give(battle, "second", 1, 105), repairs="stug")
    assert replacements.judge(battle, wanted) == []
    replacements.resolve(battle, wanted)
    index = battle.catalog.unit_index
    assert battle.events == [UnitReplaced(index["bn"], 2, OFF_MAP),
                             UnitReplaced(index["second"], 1, at(105)),
                             UnitRepaired(index["stug"])]
    assert battle.units[index["bn"]].strength == 3
    assert battle.units[index["second"]][:2] == (at(105), 1)
    assert battle.units[index["stug"]].strength == 2
    assert battle.replacements == (3, 0)
    assert battle.ledger.replaced == (0, 4)
    assert replay(battle.catalog, before, battle.events) == battle.freeze()


# ---------------------------------------------------------------- rebuilding

def where(battle: Battle, id_: str) -> set[int]:
    board = replacements.rebuild_hexes(battle, battle.catalog.unit_index[id_])
    return {number(hex_) for hex_ in hexes_of(board)}


@pytest.mark.rule("WD 18")
def test_a_destroyed_unit_is_rebuilt_at_its_own_edge() -> None:
    battle = at_replacements("", dead="bn")
    assert where(battle, "bn") == {101, 105, 106}      # the south-west is closed (WD 17.E)
    assert judged(battle, give(battle, "bn", 3, 105)) == []
    assert judged(battle, give(battle, "bn", 4, 105))[0].path == "replacements[0].points"
    found = judged(battle, give(battle, "bn", 1))
    assert [(v.reason, v.path) for v in found] == [(Reason.INCOMPLETE, "replacements[0].hex")]
    for hex_ in (112, 505, 1205):
        assert judged(battle, give(battle, "bn", 1, hex_))[0].reason == Reason.ENTRY_AREA
    assert where(at_replacements("second 0310", dead="bn"), "bn") == {101, 105, 106, 112}
    battle = at_replacements("", side=Side.SOVIET, dead="reg")
    assert where(battle, "reg") == {1205, 1012}


@pytest.mark.rule("WD 18")
def test_not_where_the_enemy_is_or_controls() -> None:
    assert where(at_replacements("enemy 0105", dead="bn"), "bn") == {101}
    assert where(at_replacements("enemy 0205", dead="bn"), "bn") == {101}
    assert where(at_replacements("enemy 0204", dead="bn"), "bn") == {101, 106}


@pytest.mark.rule("WD 4")
def test_rebuilt_units_keep_to_stacking() -> None:
    full = "second 0105; third 0105; fourth 0105"
    battle = at_replacements(full, dead="bn")
    assert where(battle, "bn") == {101, 106}
    assert judged(battle, give(battle, "bn", 1, 105))[0].reason == Reason.STACKING
    battle = at_replacements("luftwaffe 0105; fourth 0105", dead="bn second third")
    two = [give(battle, "bn", 1, 105), give(battle, "second", 1, 105)]
    assert [v.reason for v in judged(battle, *two)] == [Reason.STACKING]
    assert judged(battle, two[0], give(battle, "second", 1, 106)) == []


@pytest.mark.rule("WD 18")
def test_units_that_never_came_are_not_rebuilt() -> None:
    battle = at_replacements("", dead="later", turn=6)
    assert judged(battle, give(battle, "later", 1, 105))[0].reason == Reason.NOT_AVAILABLE
    battle = at_replacements("", dead="later", turn=9)
    assert judged(battle, give(battle, "later", 1, 105)) == []
    for strength in (0, 3):                     # an optional unit that did not come (WD 17.F)
        battle = at_replacements("", turn=9)
        index = battle.catalog.unit_index["later"]
        battle.units[index] = battle.units[index]._replace(strength=strength,
                                                           status=int(Status.WITHHELD))
        assert judged(battle, give(battle, "later", 1, 105))[0].reason == Reason.NOT_AVAILABLE


@pytest.mark.rule("WD 18")
def test_options_of_destroyed_units() -> None:
    battle = at_replacements("", points=2, dead="bn")
    assert replacements.options(battle) == (
        ReplacementOption(battle.catalog.unit_index["bn"], 2, (at(101), at(105), at(106))),)
    assert replacements.options(at_replacements("bn 0303 1", points=0)) == ()


# ---------------------------------------------------------------- repair

@pytest.mark.rule("WD 18")
@pytest.mark.parametrize(("turn", "allowed"), [(1, False), (4, False), (5, True), (13, True)])
def test_repair_from_turn_five(turn: int, allowed: bool) -> None:
    battle = at_replacements("stug 0303 2", points=0, turn=turn)
    assert (judged(battle, repairs="stug") == []) is allowed
    assert bool(replacements.repairs(battle)) is allowed
    assert replacements.has_options(battle) is allowed


@pytest.mark.rule("WD 18")
def test_one_repair_a_side_and_turn() -> None:
    battle = at_replacements("stug 0303 1; panzer 0404 1")
    found = judged(battle, repairs="stug panzer")
    assert [(v.reason, v.path) for v in found] == [(Reason.TOO_MANY, "repairs")]
    assert judged(battle, repairs="panzer") == []


@pytest.mark.rule("WD 18")
def test_what_may_be_repaired() -> None:
    battle = at_replacements("stug 0303 3; bn 0404 1; t34 0909 1", dead="panzer")
    reasons = {id_: judged(battle, repairs=id_)[0].reason
               for id_ in ("stug", "bn", "t34", "panzer")}
    assert reasons == {"stug": Reason.REPLACEMENT, "bn": Reason.REPLACEMENT,
                       "t34": Reason.WRONG_SIDE, "panzer": Reason.NOT_AVAILABLE}
    assert judged(at_replacements("stug 0303 1 isolated"), repairs="stug") == []
    assert {v.reason for v in judged(at_replacements("stug 0303 1"), repairs="stug stug")} == {
        Reason.DUPLICATE, Reason.TOO_MANY}


@pytest.mark.rule("WD 18")
def test_wdtc_v06_orders() -> None:
    battle = at_replacements("bn 0303 1 isolated; second 0404 1; luftwaffe 0406 1")
    for bad in (give(battle, "bn", 1), give(battle, "second", 3), give(battle, "luftwaffe", 1)):
        found = refusals(battle, order(battle, bad))
        assert [(v.reason, v.clause) for v in found] == [(Reason.REPLACEMENT, "WD 18")]
    done = after(battle, order(battle, give(battle, "second", 2)))
    assert done.units[battle.catalog.unit_index["second"]].strength == 3
    assert done.decision.kind == DecisionKind.DECLARE_IMPULSE
