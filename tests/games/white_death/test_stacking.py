"""[WD 4.A-B, E.4-B] Stacking limits of both sides."""

from __future__ import annotations

import random
from itertools import combinations

import pytest

from lovat_server.core.violations import Reason
from lovat_server.games.white_death import stacking
from lovat_server.games.white_death.answers import Mark
from lovat_server.games.white_death.catalog import Catalog, Unit
from lovat_server.games.white_death.terms import Side, Size
from lovat_server.scenarios.loader import load_catalog

from .field import at, field, german, guns, place, soviet, tanks
from .playing import accepts, march, moves, options, refusals


def company(id_: str, **printed: object) -> Unit:
    return german(id_, size=Size.COMPANY, **printed)


def battalion(id_: str, **printed: object) -> Unit:
    return soviet(id_, size=Size.BATTALION, **printed)


def german_catalog() -> Catalog:
    units = [german(f"{division}{n}", division=division)
             for division in ("A", "B", "C") for n in range(1, 6)]
    units += [german(f"free{n}") for n in range(1, 5)]
    units += [company(f"{division}co{n}", division=division)
              for division in ("A", "B") for n in range(1, 5)]
    units += [company(f"co{n}") for n in range(1, 7)]
    units += [company(f"ski{n}", battalion="5SJ") for n in range(1, 5)]
    units += [company(f"three{n}", battalion="20 AT", division="A") for n in range(1, 4)]
    units += [company(f"two{n}", battalion="185") for n in range(1, 3)]
    units += [company("single", battalion="III/803")]
    return field(units=units)


def soviet_catalog() -> Catalog:
    units: list[Unit] = []
    for division in ("28", "46"):
        units += [soviet(f"{division}r{n}", division=division) for n in (1, 2, 3)]
        units += [guns(battalion(f"{division}g{n}", division=division, traits="rifle_artillery"))
                  for n in (1, 2, 3)]
    units += [tanks(battalion(f"34t{n}", division="46")) for n in (1, 2)]
    units += [battalion(f"44sb{n}", division="44SB") for n in (1, 2, 3, 4)]
    units += [battalion(f"18mb{n}", division="18MB") for n in (1, 2, 3, 4, 5)]
    units += [guns(battalion("18mbg", division="18MB"))]
    units += [guns(soviet(name)) for name in ("603", "613", "rkt")]
    units += [guns(soviet("3sag", size=Size.BRIGADE, division="3SA", divisional=False))]
    units += [soviet(f"eng{n}", size=Size.BRIGADE, division=mark, divisional=False,
                     type="engineer") for n, mark in ((1, "3SA"), (2, "5S"), (3, "2MC"))]
    units += [tanks(battalion(f"389t{n}")) for n in (1, 2, 3)]
    units += [battalion("68mc")]
    return field(units=units)


def fits(catalog: Catalog, line: str) -> bool:
    return stacking.fits(catalog, [catalog.unit_index[name] for name in line.split()])


@pytest.mark.rule("WD 4.A")
@pytest.mark.parametrize(("line", "legal"), [
    ("A1 B1 C1 co1", True),              # three of three divisions and a company
    ("A1 A2 A3 A4 Bco1", True),          # four of one and a company of another
    ("A1 A2 A3 A4 co1", True),
    ("A1 A2 A3 B1", False),              # four of two divisions
    ("A1 A2 A3 A4 B1", False),
    ("free1 free2 free3 free4", False),  # four of no division are not of one
    ("A1 A2 A3 A4 A5", False),
    ("A1 A2 A3 A4", True),
])
def test_wdtc_s01_german_battalions(line: str, legal: bool) -> None:
    assert fits(german_catalog(), line) is legal


@pytest.mark.rule("WD 4.A")
@pytest.mark.parametrize(("line", "legal"), [
    ("A1 B1 co1 co2", True),                 # two companies are the third equivalent
    ("A1 B1 co1 co2 co3", True),             # and one besides
    ("A1 B1 co1 co2 co3 co4", False),
    ("A1 B1 C1 co1 co2", False),
    ("A1 B1 ski1 ski2 ski3 ski4", True),     # four companies of one battalion are one
    ("A1 B1 ski1 ski2 ski3 ski4 co1", True),
    ("A1 B1 C1 ski1 ski2 ski3 ski4", False),
    ("A1 B1 ski1 ski2 ski3 co1", True),      # part of the battalion is no more than the whole
    ("A1 B1 ski1 ski2 ski3 co1 co2", False),
    ("A1 B1 ski1 co1 co2", True),
    ("A1 B1 C1 ski1", True),
    ("A1 B1 C1 ski1 ski2", False),
    ("A1 A2 A3 three1 three2 three3", True),  # a whole battalion of the same division
    ("A1 A2 A3 three1 three2 three3 Bco1", True),
    ("B1 B2 B3 three1 three2 three3", False),
    ("A1 B1 two1 two2 co1", True),
    ("A1 B1 two1 co1 single", True),
])
def test_wdtc_s02_companies(line: str, legal: bool) -> None:
    assert fits(german_catalog(), line) is legal


@pytest.mark.rule("WD 4.A")
@pytest.mark.parametrize(("line", "legal"), [
    ("A1 A2 A3 Aco1 Aco2", True),         # the fourth equivalent of the division
    ("A1 A2 A3 Aco1 Bco1", True),         # part of the next line
    ("A1 A2 A3 Aco1 Aco2 Bco1", True),
    ("A1 A2 A3 Aco1 Bco1 Bco2", False),
    ("A1 A2 A3 Bco1 Bco2", False),
    ("A1 A2 A3 Aco1 Aco2 Aco3", True),
    ("A1 A2 A3 Aco1 Aco2 Aco3 Aco4", False),
    ("co1 co2 co3 co4 co5 co6", True),    # three equivalents
    ("co1 co2 co3 co4 co5 co6 single", True),
    ("co1 co2 co3 co4 co5 co6 single two1", False),
])
def test_company_pairs_of_a_division(line: str, legal: bool) -> None:
    assert fits(german_catalog(), line) is legal


@pytest.mark.rule("WD 4.B")
@pytest.mark.parametrize(("line", "legal"), [
    ("28r1 28g1 eng1", True),
    ("28r1 46g1", False),
    ("28r1 46g1 eng1", False),
    ("44sb1 44sb2 44sb3 44sb4", True),
    ("44sb1 44sb2 44sb3 44sb4 eng1", True),
    ("44sb1 44sb2 44sb3 44sb4 68mc", False),
    ("18mb1 18mb2 18mb3 18mb4 18mb5 18mbg eng2", True),
    ("18mb1 18mb2 18mb3 44sb1", False),
    ("603 613", True),
    ("603 3sag eng1", True),
    ("603 613 rkt", False),
    ("28g1 28g2 28g3", True),
])
def test_wdtc_s03_soviet(line: str, legal: bool) -> None:
    assert fits(soviet_catalog(), line) is legal


@pytest.mark.rule("WD 4.B")
@pytest.mark.parametrize(("line", "legal"), [
    ("28r1", True),
    ("28r1 28r2", False),             # two regiments
    ("28r1 28g1", True),
    ("28r1 28g1 28g2", False),        # a regiment and two battalions
    ("28r1 28g1 28g2 28g3", False),   # two regiments, one of them artillery
    ("28g1 28g2 46g1", False),        # battalions of two divisions
    ("28g1 46g1", True),              # any two battalions
    ("28g1 28g2", True),
    ("28g1 28g2 28g3 eng1", True),
    ("28g1 28g2 28g3 46g1", False),
    ("46g1 46g2 46g3 34t1", True),    # the artillery regiment and a battalion of its division
    ("46g1 46g2 34t1", True),
    ("46g1 46g2 46g3 34t1 34t2", False),
    ("46g1 34t1 34t2", False),
    ("46r1 34t1", True),              # a tank battalion with a regiment of its division
    ("46r1 34t1 34t2", False),
    ("28r1 34t1", False),
    ("46r1 34t1 46g1", False),
    ("34t1 34t2", True),
    ("389t1 389t2", True),
    ("389t1 389t2 389t3", False),     # three battalions are no brigade
    ("68mc 44sb1", True),
    ("68mc 44sb1 eng1", True),
    ("68mc 44sb1 44sb2", False),
    ("28r1 68mc", False),             # a battalion of no division
    ("28r1 44sb1", False),
    ("eng1", True),
    ("eng1 eng2", True),              # one is the single brigade, one is besides
    ("eng1 eng2 eng3", False),
    ("eng1 eng2 68mc", False),
    ("eng1 3sag", True),
    ("3sag", True),
    ("3sag 28g1", False),             # divisional artillery is no part of the pair
    ("3sag 44sb1", False),
    ("603 28r1", False),
    ("603 68mc", False),
    ("603 eng1 eng2", False),
])
def test_soviet_combinations(line: str, legal: bool) -> None:
    assert fits(soviet_catalog(), line) is legal


@pytest.mark.rule("WD 4.B")
def test_only_an_engineer_brigade_stacks_besides() -> None:
    catalog = field(units=[soviet("r", division="28"), battalion("g", division="28"),
                           battalion("sappers", type="engineer"),
                           soviet("eng", size=Size.BRIGADE, type="engineer", division="3SA",
                                  divisional=False)])
    assert fits(catalog, "r g eng")
    assert not fits(catalog, "r g sappers")
    assert not fits(catalog, "r sappers")


@pytest.mark.rule("WD 4.B")
def test_the_mark_of_an_army_makes_no_division() -> None:
    catalog = field(units=[soviet("r", division="3SA", divisional=False),
                           battalion("b", division="3SA", divisional=False)])
    assert not fits(catalog, "r b")


@pytest.mark.rule("WD 4")
@pytest.mark.parametrize("side", list(Side))
def test_part_of_a_legal_stack_is_legal(side: Side) -> None:
    catalog = soviet_catalog() if side == Side.SOVIET else german_catalog()
    chance = random.Random(4)
    legal = 0
    for _ in range(6000):
        units = chance.sample(catalog.side_units[side], chance.randint(2, 7))
        if stacking.fits(catalog, units):
            legal += 1
            for part in combinations(units, len(units) - 1):
                assert stacking.fits(catalog, part), [catalog.units[i].id for i in units]
    assert legal > 50


@pytest.mark.rule("WD 4")
def test_single_units_and_order() -> None:
    catalog = load_catalog("purkayevs-attack")
    assert all(stacking.fits(catalog, [index]) for index in range(len(catalog.units)))
    assert stacking.fits(catalog, [])
    assert fits(soviet_catalog(), "34t1 46g1 46g3 46g2")


@pytest.mark.rule("WD 4")
def test_the_real_counters() -> None:
    catalog = load_catalog("velikiye-luki-campaign")
    assert fits(catalog, "s-46-135g-inf s-46-1-34-afv s-3sa-eng")
    assert not fits(catalog, "s-46-135g-inf s-46-1-34-afv s-46-2-34-afv")
    assert fits(catalog, "s-1-36tb-afv s-2-36tb-afv s-x-36tb-afv s-smg-36tb")
    assert fits(catalog, "s-3sa-art s-5s-art s-8e-eng")
    assert not fits(catalog, "s-3sa-art s-3sa-rkt s-613-art")
    assert fits(catalog, "s-24-18-cav s-x-24-afv")
    assert fits(catalog, "g-1-5sj-ski g-2-5sj-ski g-3-5sj-ski g-at-5sj g-743-eng g-506-art")
    assert fits(catalog, "g-rfss-i-8ss-inf g-rfss-ii-8ss-inf g-rfss-i-10ss-inf g-rfss-ii-10ss-inf"
                         " g-12-803-cdo")
    assert not fits(catalog, "g-rfss-i-8ss-inf g-rfss-ii-8ss-inf g-rfss-i-10ss-inf g-fkd-ai-arminf")


@pytest.mark.rule("WD 4")
def test_wdtc_s04_joining_a_stack() -> None:
    catalog = field(units=[*(german(f"g{n}") for n in range(5)), soviet("r")])
    battle = place(catalog, "g0 0505; g1 0505; g2 0505; g3 0404; r 0606")
    first, _, _, fourth, off = (catalog.unit_index[f"g{n}"] for n in range(5))
    assert stacking.fits_with(battle, at(505), (first,))          # it is there already
    assert not stacking.fits_with(battle, at(505), (fourth,))
    assert stacking.fits_with(battle, at(404), (off,))
    assert stacking.fits_with(battle, at(101), (fourth,))
    assert stacking.full_board(battle, (fourth,)) == 1 << at(505)
    assert stacking.full_board(battle, (first,)) == 0
    assert stacking.full_board(battle, (fourth, off)) == 1 << at(505)
    assert stacking.full_board(battle, ()) == 0
    violation = stacking.violation(battle, at(505), (fourth,), "actions[0]")
    assert (violation.reason, violation.clause) == (Reason.STACKING, "WD 4.A")
    assert violation.facts == {"hex": "0505", "units": "g3, g0, g1, g2"}
    assert violation.message.startswith("g3, g0, g1 and g2 may not stack in 0505: they are 4 ")


@pytest.mark.rule("WD 4")
def test_every_full_hex_is_closed_to_the_units_that_go_together() -> None:
    catalog = field(units=[*(german(f"g{n}") for n in range(8)), company("co"), soviet("r")])
    battle = place(catalog, "g0 0505; g1 0505; g2 0505; g3 0707; g4 0707; g5 0707; r 0606")
    index = catalog.unit_index
    assert stacking.full_board(battle, (index["g6"],)) == 1 << at(505) | 1 << at(707)
    assert stacking.full_board(battle, (index["co"],)) == 0
    assert stacking.fits_with(battle, at(505), ())                # those that are there
    together = tuple(index[f"g{n}"] for n in (0, 3, 6, 7))
    assert not stacking.fits_with(battle, at(101), together)      # too many for an empty hex
    violation = stacking.violation(battle, at(101), together, "placements")
    assert (violation.clause, violation.path) == ("WD 4.A", "placements")
    assert violation.facts == {"hex": "0101", "units": "g0, g3, g6, g7"}


@pytest.mark.rule("WD 4.A")
def test_the_refusal_counts_companies_in_pairs() -> None:
    battle = place(german_catalog(), "A1 0505; B1 0505; C1 0505; co1 0505; A2 0101")
    joining = (battle.catalog.unit_index["co2"],)
    assert stacking.reason(battle, at(505), joining) == (
        "co2, A1, B1, C1 and co1 may not stack in 0505: they are 4 battalion equivalents; a German "
        "hex holds three, or four of one division or brigade, and one company besides.")


@pytest.mark.rule("WD 4.B")
def test_the_refusal_of_a_soviet_stack() -> None:
    battle = place(soviet_catalog(), "28r1 0505")
    joining = (battle.catalog.unit_index["46r1"],)
    assert stacking.reason(battle, at(505), joining) == (
        "46r1 and 28r1 may not stack in 0505: a Soviet hex holds one brigade, or two "
        "non-divisional artillery units, or a regiment and a battalion of one division, or two "
        "battalions, and one engineer brigade besides.")


@pytest.mark.rule("WD 4.B")
def test_the_enemy_in_the_hex_does_not_count() -> None:
    catalog = field(units=[german("g"), german("c"), soviet("r"), soviet("q")])
    battle = place(catalog, "g 0505; r 0404")
    assert stacking.fits_with(battle, at(505), (catalog.unit_index["q"],))
    assert not stacking.fits_with(battle, at(404), (catalog.unit_index["q"],))
    violation = stacking.violation(battle, at(404), (catalog.unit_index["q"],), "x")
    assert violation.clause == "WD 4.B"
    assert "one engineer brigade besides" in violation.message


@pytest.mark.rule("WD 4")
def test_wdtc_s04_in_passing_and_at_the_end() -> None:
    catalog = field(units=[*(german(f"g{n}") for n in range(4)), soviet("r")])
    battle = place(catalog, "g0 0505; g1 0505; g2 0505; g3 0503; r 1212", side=Side.GERMAN)
    assert accepts(battle, moves(march(battle, "g3", 504, 505, 506)))
    found = refusals(battle, moves(march(battle, "g3", 504, 505)))
    assert [violation.reason for violation in found] == [Reason.STACKING]
    assert found[0].clause.startswith("WD 4")
    listed = options(battle, "g3")
    assert listed is not None
    marks = dict(zip(listed.hexes, listed.marks, strict=True))
    assert marks[at(505)] & Mark.MAY_NOT_END
    assert not marks[at(506)] & Mark.MAY_NOT_END
    # One that makes room in the same phase lets the other in.
    assert accepts(battle, moves(march(battle, "g3", 504, 505), march(battle, "g0", 506)))
