"""[WD 18] One tank brigade is refitted on turn 10."""

from __future__ import annotations

from typing import Any

import pytest

from lovat_server.core.dice import KeyedDice
from lovat_server.core.violations import Reason
from lovat_server.games.white_death import refit, reinforcements, sequence
from lovat_server.games.white_death.battle import Battle, replay
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import BrigadeRefitted
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Refit
from lovat_server.games.white_death.state import Options, State, UnitState
from lovat_server.games.white_death.terms import OFF_MAP, DecisionKind, Side, Size, Status
from lovat_server.hexmap.grid import hexes_of
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, number, place, soviet, tanks
from .playing import accepts, after, listing, refusals

AREAS = {"E": "1205 1206", "SE": "1112", "NE": "1101"}
IV = "second-relief-attempt"


def catalog() -> Catalog:
    def battalion(id_: str, division: str, **more: Any) -> Any:
        return soviet(id_, size=Size.BATTALION, division=division, set_up="ALL", **more)

    return field(
        units=[
            tanks(battalion("a1", "33TB"), strength=6), battalion("a2", "33TB", strength=2),
            tanks(battalion("b1", "184TB"), strength=5), battalion("b2", "184TB", strength=2),
            tanks(battalion("c1", "129TB", arrival_turn=9, arrival_area="E")),
            tanks(battalion("m1", "34MB")), battalion("r1", "31RB"),
            tanks(battalion("t1", "46")), tanks(german("panzer", division="10TB")),
        ],
        areas=AREAS)


def refitting(line: str = "a1 0404 1; a2 0404 1; b1 0505 3; m1 0606; r1 0707; t1 0808", *,
              dead: str = "b2", turn: int = 10, **more: Any) -> Battle:
    battle = place(catalog(), line, decision=DecisionKind.REFIT, side=Side.SOVIET, turn=turn,
                   impulses=(0, 0), **more)
    for id_ in dead.split():
        battle.units[battle.catalog.unit_index[id_]] = UnitState()
    return battle


@pytest.mark.rule("WD 18")
def test_any_tank_brigade_and_nothing_else() -> None:
    battle = refitting()
    # 129 waits outside; a mechanized and a rifle brigade, a tank regiment are no tank brigades
    assert refit.brigades(battle) == ("184TB", "33TB")
    assert listing(battle).refits == ("184TB", "33TB")
    for brigade in ("129TB", "34MB", "31RB", "46", "10TB", "tanks"):
        found = refusals(battle, Refit(brigade))
        assert [(v.reason, v.clause, v.path) for v in found] == [
            (Reason.REPLACEMENT, "WD 18", "brigade")]
    assert accepts(battle, Refit("33TB"))
    assert accepts(battle, Refit())


@pytest.mark.rule("WD 18")
def test_a_brigade_that_has_come_is_offered() -> None:
    assert "129TB" in refit.brigades(refitting("a1 0404; c1 0909 1"))


@pytest.mark.rule("WD 18")
@pytest.mark.parametrize("turn", [9, 10, 11, 12])
def test_on_turn_ten_only(turn: int) -> None:
    assert refit.is_due(refitting(turn=turn)) is (turn == 10)


@pytest.mark.rule("WD 18")
def test_out_of_play_and_back_from_the_east_a_turn_later_at_full_strength() -> None:
    battle = refitting()
    before = battle.freeze()
    refit.resolve(battle, Refit("33TB"))
    index = battle.catalog.unit_index
    assert battle.events == [BrigadeRefitted("33TB", (index["a1"], index["a2"]), 11, 6)]
    assert [battle.units[index[id_]][:2] for id_ in ("a1", "a2")] == [(OFF_MAP, 6), (OFF_MAP, 2)]
    assert battle.ledger.replaced == (6, 0)
    assert battle.stack(at(404)) == []
    assert replay(battle.catalog, before, battle.events) == battle.freeze()
    for turn, impulses, expected in ((10, (1, 0), set()), (10, (3, 2), set()),
                                     (11, (0, 0), set()), (11, (1, 0), {1205, 1206}),
                                     (12, (2, 0), {1205, 1206})):
        battle.turn, battle.impulses = turn, impulses
        for id_ in ("a1", "a2"):
            board = reinforcements.entry_hexes(battle, index[id_])
            assert {number(hex_) for hex_ in hexes_of(board)} == expected


@pytest.mark.rule("WD 18")
def test_a_unit_that_was_lost_is_restored_with_its_brigade() -> None:
    battle = refitting()
    refit.resolve(battle, Refit("184TB"))
    index = battle.catalog.unit_index
    assert battle.units[index["b2"]].strength == 2
    assert battle.units[index["b1"]][:2] == (OFF_MAP, 5)
    assert battle.events[0].restored == 4                       # type: ignore[union-attr]


@pytest.mark.rule("WD 18")
@pytest.mark.parametrize(("strict", "offered"), [
    (False, ("184TB", "33TB")), (True, ("33TB",))])
def test_whether_a_brigade_wholly_lost_may_be_refitted(strict: bool,
                                                       offered: tuple[str, ...]) -> None:
    battle = refitting("a1 0404 1; a2 0404 1", dead="b1 b2 c1",
                       options=Options(strict_refit=strict))
    assert tuple(mark for mark in refit.brigades(battle) if mark != "129TB") == offered
    assert accepts(battle, Refit("184TB")) is not strict


@pytest.mark.rule("WD 18")
def test_no_question_where_no_brigade_may_be_refitted() -> None:
    battle = refitting("r1 0707", dead="a1 a2 b1 b2 c1", options=Options(strict_refit=True))
    assert not refit.is_due(battle)


@pytest.mark.rule("WD 18")
def test_naming_none_changes_nothing_and_the_turn_goes_on() -> None:
    battle = refitting()
    done = after(battle, Refit())
    assert [unit[:2] for unit in done.units] == [unit[:2] for unit in battle.units]
    assert done.impulses == (1, 0)
    done = after(refitting(), Refit("33TB"))
    assert done.impulses == (1, 0)
    assert done.units[done.catalog.unit_index["a1"]].hex == OFF_MAP


@pytest.mark.rule("WD 18")
def test_the_question_comes_at_the_start_of_turn_ten() -> None:
    for turn in (9, 10, 11):
        battle = refitting("a1 0404; a2 0404; r1 0707", turn=turn - 1)
        battle.dice = KeyedDice(b"refit")
        sequence.begin_turn(battle, turn)
        assert (battle.decision.kind == DecisionKind.REFIT) is (turn == 10)


@pytest.mark.rule("WD 25 scenario IV")
@pytest.mark.parametrize("strict", [False, True])
def test_the_184th_is_rebuilt_in_scenario_four(strict: bool) -> None:
    """Destroyed before, and back on turn 11 unless only brigades in play may be refitted."""
    real, dice = load_catalog(IV), KeyedDice(b"184")
    state: State = WHITE_DEATH.create(real, Options(strict_refit=strict), dice,
                                      standard_set_up=True).state
    assert state.decision.kind == DecisionKind.REFIT
    offered = WHITE_DEATH.listing(real, state, None, None).refits
    assert ("184TB" in offered) is not strict
    assert {"33TB", "36TB", "45TB", "92TB", "129TB", "236TB"} <= set(offered)
    done = WHITE_DEATH.submit(real, state, Refit("184TB"), dice)
    assert bool(done.violations) is strict
    if not strict:
        back = [unit for unit, printed in zip(done.state.units, real.units, strict=True)
                if printed.division == "184TB"]
        assert [(unit.hex, unit.due) for unit in back] == [(OFF_MAP, 11)] * 3
        assert sum(unit.strength for unit in back) == 13
        assert not any(unit.status & Status.WITHHELD for unit in back)
