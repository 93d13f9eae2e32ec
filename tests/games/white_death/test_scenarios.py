"""The six scenarios: turns, victory, losses to date, zones, and the standard set-up."""

from __future__ import annotations

from collections import defaultdict

import pytest

from lovat_server.core.errors import UnknownError
from lovat_server.core.provenance import Provenance
from lovat_server.games.white_death.catalog import Catalog, Unit
from lovat_server.games.white_death.terms import Kind, Mobility, Side, Size
from lovat_server.hexmap.grid import hexes_of
from lovat_server.scenarios.loader import load_catalog, load_scenario, scenario_ids
from lovat_server.scenarios.losses import units_for
from lovat_server.scenarios.scenario_loader import Loss

ONE, II, III, IV, V, VI = (
    "purkayevs-attack", "woehlers-response", "first-relief-attempt", "second-relief-attempt",
    "final-relief-attempt", "velikiye-luki-campaign",
)


def victory(scenario: str):
    return load_catalog(scenario).scenario.victory


def level(scenario: str, points: int) -> str:
    return [level.name for level in victory(scenario).levels if level.lowest <= max(points, 0)][-1]


def unit(scenario: str, unit_id: str) -> Unit:
    catalog = load_catalog(scenario)
    return catalog.units[catalog.unit_index[unit_id]]


def test_there_are_six_scenarios_in_the_order_of_the_rulebook():
    assert scenario_ids() == (ONE, II, III, IV, V, VI)


def test_an_unknown_scenario_is_refused_with_the_known_ones():
    with pytest.raises(UnknownError, match="purkayevs-attack"):
        load_catalog("no-such-battle")


@pytest.mark.parametrize(("scenario", "first", "last", "garrisons", "supply"), [
    (ONE, 1, 4, True, (0, 0, 0)), (II, 5, 7, False, (0, 1, 3)), (III, 8, 9, False, (0, 1, 2)),
    (IV, 10, 11, False, (0, 1, 2)), (V, 12, 13, False, (0, 0, 1)), (VI, 1, 13, True, (0, 0, 0)),
])
def test_turns_garrisons_and_accumulated_supply(scenario, first, last, garrisons, supply):
    found = load_catalog(scenario).scenario
    assert (found.first_turn, found.last_turn, found.garrisons, found.supply) == (
        first, last, garrisons, supply)


@pytest.mark.parametrize(("scenario", "hexes"), [
    (ONE, {2122, 2123, 2025, 1637}), (II, {2123, 1637}), (III, {1637}), (IV, {1637}), (V, {1637}),
    (VI, {2122, 2123, 2025, 1637}),
])
def test_original_bridges_that_stand(scenario, hexes):
    catalog = load_catalog(scenario)
    assert {catalog.map.numbers[hex_] for hex_ in catalog.scenario.bridges} == hexes
    assert all(catalog.map.river >> hex_ & 1 for hex_ in catalog.scenario.bridges)


@pytest.mark.rule("WD 19")
def test_six_bunkers_of_ten_and_one_of_fifteen_stand_in_the_city():
    catalog = load_catalog(ONE)
    held = {catalog.map.numbers[bunker.hex]: bunker.strength for bunker in catalog.bunkers}
    assert held == {2522: 10, 2422: 10, 2322: 10, 2222: 10, 2123: 10, 2022: 10, 2021: 15}
    assert all(catalog.map.city >> bunker.hex & 1 for bunker in catalog.bunkers)
    assert load_catalog(VI).bunkers == catalog.bunkers


@pytest.mark.parametrize(("scenario", "standing", "lost"), [
    (II, 55, 22), (III, 45, 42), (IV, 35, 54), (V, 25, 63),
])
def test_vacated_bunkers_are_gone_and_their_strength_is_among_the_losses(
    scenario, standing, lost
):
    record = load_scenario(scenario)
    assert record.bunker_losses == lost
    assert sum(strength for _, strength in record.bunkers) == standing
    assert not {hex_ for hex_, _ in record.bunkers} & set(record.vacated)
    assert 75 - standing <= lost <= 75


@pytest.mark.parametrize(("scenario", "german", "soviet"), [
    (II, 52, 72), (III, 86, 106), (IV, 117, 168), (V, 152, 186),
])
def test_losses_to_date_add_up_to_the_printed_lists(scenario, german, soviet):
    points = defaultdict(int)
    for loss in load_scenario(scenario).losses:
        points[loss.side] += loss.points
    assert points == {Side.GERMAN: german, Side.SOVIET: soviet}


@pytest.mark.parametrize("scenario", [II, III, IV, V])
def test_losses_to_date_are_possible_against_the_strengths(scenario):
    there = [unit for unit in load_catalog(scenario).units if not unit.arrival_turn]
    for loss in load_scenario(scenario).losses:
        able = units_for(loss, there)
        assert able, loss
        assert loss.points <= sum(unit.strength for unit in able), loss


@pytest.mark.parametrize(("scenario", "loss", "strength"), [
    (IV, Loss(Side.SOVIET, "36 Tank Brigade", "SMG", 2), 2),
    (IV, Loss(Side.GERMAN, "83 Infantry Division", "heavy infantry", 4), 4),
    (IV, Loss(Side.SOVIET, "184 Tank Brigade", "all", 13), 13),
    (IV, Loss(Side.SOVIET, "46 Guards Rifle Division", "T-34", 6), 10),
    (V, Loss(Side.GERMAN, "RFSS Motorized Brigade", "armored infantry", 2), 3),
    (V, Loss(Side.GERMAN, "8 Panzer Division", "Pz 38t", 5), 6),
    (II, Loss(Side.GERMAN, "Non-divisional personnel", "personnel", 9), 33),
    (V, Loss(Side.GERMAN, "Velikiye Luki garrison", "personnel", 22), 26),
])
def test_a_listed_loss_falls_on_these_units(scenario, loss, strength):
    assert loss in load_scenario(scenario).losses
    there = [unit for unit in load_catalog(scenario).units if not unit.arrival_turn]
    assert sum(unit.strength for unit in units_for(loss, there)) == strength


@pytest.mark.parametrize(("scenario", "points", "name"), [
    (ONE, -5, "German Victory"), (ONE, 10, "German Victory"), (ONE, 11, "Soviet Marginal Victory"),
    (ONE, 23, "Soviet Tactical Victory"), (ONE, 41, "Soviet Overwhelming Victory"),
    (II, 60, "Soviet Tactical Victory"), (II, 61, "Soviet Strategic Victory"),
    (III, 20, "German Tactical Victory"), (III, 31, "Soviet Marginal Victory"),
    (IV, 51, "Soviet Strategic Victory"), (V, 18, "German Tactical Victory"),
    (VI, 20, "German Strategic Victory"), (VI, 55, "Soviet Tactical Victory"),
])
@pytest.mark.rule("WD 25")
def test_victory_levels(scenario, points, name):
    assert level(scenario, points) == name


@pytest.mark.parametrize("scenario", [ONE, II, III, IV, V, VI])
def test_the_historical_result_lies_on_the_level_it_names(scenario):
    result = load_catalog(scenario).scenario.historical_result
    name, _, about = result.partition(", about ")
    assert level(scenario, int(about.removesuffix(" VP"))) == name


@pytest.mark.parametrize(("scenario", "german", "soviet", "bunker", "town"), [
    (ONE, (10, 0), (20, 0), 10, 5),
    (II, (10, 50), (20, 80), 10, 5),
    (III, (10, 80), (20, 100), 10, 5),
    (IV, (10, 110), (20, 170), 10, 5),
    (V, (10, 140), (20, 190), 10, 5),
    (VI, (10, 0), (20, 0), 5, 5),
])
@pytest.mark.rule("WD 25")
def test_victory_points(scenario, german, soviet, bunker, town):
    found = victory(scenario)
    assert (found.german_losses_per_point, found.german_losses_threshold) == german
    assert (found.soviet_losses_per_point, found.soviet_losses_threshold) == soviet
    assert (found.bunker, found.railroad_town) == (bunker, town)


def test_victory_points_that_only_some_scenarios_give():
    assert {scenario: victory(scenario).city_isolated for scenario in scenario_ids()} == {
        ONE: 0, II: 20, III: 20, IV: 20, V: 0, VI: 0}
    assert victory(II).towns_held == {"Guschtschino": 5, "Tschernosjom": 5, "Kostelewo": 5}
    assert victory(V).garrison_survivor == -1
    assert victory(VI).isolated_losses_per_point == 10


@pytest.mark.parametrize(("scenario", "set_up", "units"), [
    (ONE, 76, 224), (II, 224, 268), (III, 268, 300), (IV, 300, 336), (V, 336, 377), (VI, 76, 377),
])
def test_a_catalog_has_the_units_that_can_meet_the_scenario(scenario, set_up, units):
    catalog = load_catalog(scenario)
    printed = [unit for unit in catalog.units if "by_option" not in unit.traits]
    assert len(printed) == units == len(catalog.units) - 1
    assert sum(1 for unit in printed if unit.set_up) == set_up
    for each in catalog.units:
        assert bool(each.set_up) != bool(each.arrival_turn), each.id
        if each.arrival_turn:
            assert catalog.scenario.first_turn <= each.arrival_turn <= catalog.scenario.last_turn


def test_units_stand_in_the_order_of_side_and_id():
    catalog = load_catalog(VI)
    keys = [(unit.side, unit.id) for unit in catalog.units]
    assert keys == sorted(keys)
    assert [catalog.unit_index[unit.id] for unit in catalog.units] == list(range(378))
    assert [len(places) for places in catalog.side_units] == [179, 199]


@pytest.mark.rule("WD 17.F")
def test_optional_reinforcements_are_only_in_the_last_scenario_and_the_campaign():
    for scenario in scenario_ids():
        divisions = {unit.division for unit in load_catalog(scenario).units}
        assert ({"7F", "47", "334", "24"} <= divisions) == (scenario in {V, VI})


@pytest.mark.parametrize(("scenario", "unit_id", "zone"), [
    (ONE, "g-3-iii-112-art", "I-3MTN"), (ONE, "g-s-83-hv", "I-83"), (ONE, "g-303-aa", "I-ISOTCHA"),
    (ONE, "g-12-803-cdo", "I-NOWO"), (ONE, "g-43-pol", "CITY"), (ONE, "s-603-mor", "I-SOVIET"),
    (II, "g-3-iii-112-art", "II-TSCHERNOSJOM"), (II, "g-3-1-48-at", "II-3MTN-ANTITANK"),
    (II, "g-83-i-251-inf", "II-83"), (II, "g-s-83-hv", "II-83"),
    (II, "g-8-1-10-afv", "II-GERMAN"), (II, "s-28-88-inf", "II-SOVIET-WEST"),
    (II, "s-28-i-112-art", "II-SOVIET-EAST"), (II, "s-smg-36tb", "II-SOVIET-WEST"),
    (II, "s-46-1-34-afv", "II-SOVIET-WEST"), (II, "s-21-59g-inf", "II-SOVIET-EAST"),
    (III, "g-43-pol", "CITY"), (IV, "s-i-100rb-inf", "IV-SOVIET"),
    (V, "g-9-803-cdo", "V-GERMAN"),
])
def test_a_unit_sets_up_in_its_zone(scenario, unit_id, zone):
    assert unit(scenario, unit_id).set_up == zone


@pytest.mark.parametrize("scenario", [ONE, II, III, IV, V, VI])
def test_every_zone_has_hexes_and_a_wording(scenario):
    catalog = load_catalog(scenario)
    zones = {unit.set_up for unit in catalog.units if unit.set_up}
    assert zones <= catalog.scenario.zones.keys()
    for zone in zones:
        assert catalog.map.areas[zone], zone
        assert catalog.scenario.zones[zone], zone


def test_soviet_engineers_may_begin_with_their_bridges_built():
    bridges = {scenario: load_scenario(scenario).soviet_bridges for scenario in scenario_ids()}
    assert bridges[ONE] is None
    assert [len(bridges[scenario].units) for scenario in (II, III, IV, V)] == [1, 2, 4, 4]
    assert load_scenario(III).set_up_limits == {"soviet_artillery_east_of_lowatj": 20}


def test_the_catalog_counts_its_sources_and_all_five_occur():
    counted = load_catalog(VI).provenance
    assert counted.keys() == set(Provenance)
    assert counted[Provenance.ERRATA] >= 17


# The standard set-up of scenarios I and VI.

def placed(catalog: Catalog) -> dict[int, list[Unit]]:
    stacks = defaultdict(list)
    for unit_id, hex_ in catalog.scenario.standard_set_up.items():
        stacks[hex_].append(catalog.units[catalog.unit_index[unit_id]])
    return stacks


def battalion_equivalents(stack: list[Unit]) -> float:
    """Battalions, half a one for a company; a whole battalion's companies are one."""
    companies = [unit for unit in stack if unit.size == Size.COMPANY]
    whole = {"185": 2}
    equivalents = float(len(stack) - len(companies))
    for battalion in {unit.battalion for unit in companies}:
        held = [unit for unit in companies if unit.battalion == battalion]
        full = battalion and len(held) == whole.get(battalion, 4)
        equivalents += 1 if full else len(held) / 2
    return equivalents


@pytest.mark.parametrize("scenario", [ONE, VI])
def test_the_standard_set_up_places_every_unit_inside_its_zone(scenario):
    catalog = load_catalog(scenario)
    stands = catalog.scenario.standard_set_up
    assert set(stands) == {unit.id for unit in catalog.units if unit.set_up}
    for unit_id, hex_ in stands.items():
        zone = catalog.units[catalog.unit_index[unit_id]].set_up
        assert catalog.map.areas[zone] >> hex_ & 1, unit_id


@pytest.mark.rule("WD 4.A")
def test_the_standard_set_up_keeps_german_stacking():
    for stack in placed(load_catalog(ONE)).values():
        if stack[0].side == Side.GERMAN:
            battalions = [unit for unit in stack if unit.size == Size.BATTALION]
            extra = 0.5 if len(battalions) < len(stack) else 0
            assert battalion_equivalents(stack) - extra <= 3, [unit.id for unit in stack]


@pytest.mark.rule("WD 4.B")
def test_the_standard_set_up_keeps_soviet_stacking():
    for stack in placed(load_catalog(ONE)).values():
        if stack[0].side != Side.SOVIET or len(stack) == 1:
            continue
        divisions = {unit.division for unit in stack}
        brigade = len(divisions) == 1 and stack[0].formation.endswith("Brigade")
        guns = len(stack) == 2 and all(unit.is_artillery and not unit.divisional for unit in stack)
        regiment = len(divisions) == 1 and all("rifle_artillery" in unit.traits for unit in stack)
        assert brigade or guns or regiment, [unit.id for unit in stack]


def test_in_the_standard_set_up_no_soviet_unit_stands_in_a_german_zone():
    catalog = load_catalog(ONE)
    stacks = placed(catalog)
    german = {hex_ for hex_, stack in stacks.items() if stack[0].side == Side.GERMAN}
    for hex_, stack in stacks.items():
        if stack[0].side == Side.SOVIET:
            assert hex_ not in german
            assert not german & set(hexes_of(catalog.map.grid.adjacent[hex_])), stack[0].id


def test_in_the_standard_set_up_every_unit_stands_where_it_could_move():
    catalog = load_catalog(ONE)
    streets = 0
    for board in (*catalog.map.road, *catalog.map.rail):
        streets |= board
    for hex_, stack in placed(catalog).items():
        if (catalog.map.forest & ~streets) >> hex_ & 1:
            heavy = {Mobility.DRAFT, Mobility.WHEEL, Mobility.TRACK}
            assert not any(unit.mobility in heavy for unit in stack)


def test_in_the_standard_set_up_artillery_stands_at_a_road_or_beside_one():
    catalog = load_catalog(ONE)
    streets = 0
    for board in (*catalog.map.road, *catalog.map.rail):
        streets |= board
    near = catalog.map.grid.dilate(streets)
    for hex_, stack in placed(catalog).items():
        assert near >> hex_ & 1 or not any(unit.is_artillery for unit in stack)


def test_in_the_standard_set_up_every_bunker_is_manned():
    catalog = load_catalog(ONE)
    stacks = placed(catalog)
    for bunker in catalog.bunkers:
        assert any(unit.kind == Kind.PERSONNEL for unit in stacks[bunker.hex])
