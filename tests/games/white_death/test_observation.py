"""[WD 11.B.3, 12, 16.C] Observation."""

from __future__ import annotations

import pytest

from lovat_server.games.white_death import observation
from lovat_server.games.white_death.state import Options
from lovat_server.games.white_death.terms import Side, Weather

from .field import at, field, german, guns, place, soviet


def sees(start: str, end: str, *, weather: Weather = Weather.FROST, option: bool = False,
         **terrain) -> bool:
    battle = place(field([german("bn")], **terrain), f"bn {start}", weather=weather,
                   options=Options(snow_visibility=option))
    return observation.can_observe(battle, 0, at(int(end)))


@pytest.mark.rule("WD 11.B.3.b")
@pytest.mark.parametrize(("end", "seen"), [
    ("0404", True), ("0405", True), ("0406", True), ("0407", False), ("0604", True),
    ("0704", False),
])
def test_units_see_two_hexes(end, seen):
    assert sees("0404", end) is seen


@pytest.mark.rule("WD 11.B.3.b")
@pytest.mark.parametrize(("terrain", "end", "seen"), [
    ({"high": "0404"}, "0407", True), ({"high": "0404"}, "0408", False),
    ({"high": "0404 0407"}, "0407", False), ({"high": "0407"}, "0407", False),
    ({"down": "0404-0405"}, "0407", True), ({"down": "0404-0405"}, "0408", False),
    ({"down": "0404-0403"}, "0407", False), ({"down": "0405-0404"}, "0407", False),
    ({"down": "0404-0504"}, "0703", True), ({"down": "0404-0504", "high": "0404"}, "0405", True),
])
def test_units_see_three_hexes_down_a_slope_or_off_high_ground(terrain, end, seen):
    assert sees("0404", end, **terrain) is seen


@pytest.mark.rule("WD 11.B.3.b")
@pytest.mark.parametrize(("terrain", "seen"), [
    ({"town": "0405"}, False), ({"forest": "0405"}, False), ({"high": "0405"}, False),
    ({"high": "0404 0405"}, False), ({"high": "0404 0405 0406"}, True),
    ({"town": "0406"}, True), ({"forest": "0404"}, True), ({"river": "0405"}, True),
    ({"high": "0404 0405 0406", "forest": "0405"}, False),
])
def test_what_blocks_a_line_of_sight(terrain, seen):
    assert sees("0404", "0406", **terrain) is seen


@pytest.mark.rule("WD 11.B.3.b")
@pytest.mark.parametrize(("blocked", "seen"), [("0504", True), ("0505", True),
                                               ("0504 0505", False)])
def test_a_line_along_a_hexside_is_blocked_from_both_sides_only(blocked, seen):
    assert sees("0404", "0604", forest=blocked) is seen


@pytest.mark.rule("WD 16.C")
@pytest.mark.parametrize(("weather", "option", "end", "seen"), [
    (Weather.SNOW, True, "0405", True), (Weather.SNOW, True, "0406", False),
    (Weather.SNOW, False, "0406", True), (Weather.FROST, True, "0406", True),
])
def test_snow_shortens_sight_only_by_option(weather, option, end, seen):
    assert sees("0404", end, weather=weather, option=option) is seen


@pytest.mark.rule("WD 11.B.3.b")
@pytest.mark.parametrize(("status", "high", "end", "seen"), [
    ("deployed", "", "0407", True), ("deployed", "", "0408", False), ("", "", "0407", False),
    ("deployed", "0404", "0408", True), ("deployed", "0404", "0409", False),
])
def test_the_guards_rocket_regiment_is_seen_from_farther(status, high, end, seen):
    catalog = field([german("bn"), guns(soviet("rkt", traits="conspicuous"))], high=high)
    battle = place(catalog, f"bn 0404; rkt {end} 3 {status}")
    assert observation.can_observe(battle, catalog.unit_index["bn"], at(int(end))) is seen


@pytest.mark.rule("WD 11.B.3.a")
@pytest.mark.parametrize(("gun", "seer", "may"), [
    ("g83", "g8", True), ("s28", "r28", True), ("s28", "r257", False), ("army", "r28", True),
    ("s28", "tank", False), ("s28", "army2", False), ("army", "army2", True),
])
def test_who_observes_for_whom(gun, seer, may):
    catalog = field([
        guns(german("g83", division="83")), german("g8", division="8"),
        guns(soviet("s28", division="28")), soviet("r28", division="28"),
        soviet("r257", division="257"), soviet("tank"),
        guns(soviet("army", division="3SA", divisional=False)),
        soviet("army2", division="3SA", divisional=False)])
    battle = place(catalog, "")
    index = catalog.unit_index
    assert observation.observes_for(battle, index[seer], index[gun]) is may


@pytest.mark.rule("WD 11.B.3.a")
def test_soviet_artillery_observes_for_itself():
    catalog = field([guns(soviet("s28", division="28")), german("bn")])
    battle = place(catalog, "s28 0404; bn 0406")
    index = catalog.unit_index
    assert observation.is_observed_for(battle, index["s28"], at(406))
    assert not observation.is_observed_for(battle, index["s28"], at(407))


@pytest.mark.rule("WD 11.B.3")
def test_the_hex_must_be_observed_for_every_firing_unit():
    catalog = field([guns(soviet("s28", division="28")), guns(soviet("s257", division="257")),
                     soviet("r28", division="28"), german("bn")])
    battle = place(catalog, "s28 0401; s257 0401; r28 0405; bn 0406")
    index = catalog.unit_index
    assert observation.is_observed_for_all(battle, (index["s28"],), at(406))
    assert not observation.is_observed_for_all(battle, (index["s28"], index["s257"]), at(406))


@pytest.mark.rule("WD E.4-C")
def test_a_side_sees_a_hex_through_any_of_its_units():
    battle = place(field([soviet("rifle"), german("bn")]), "rifle 0404; bn 0409")
    assert observation.is_observed(battle, Side.SOVIET, at(406))
    assert not observation.is_observed(battle, Side.SOVIET, at(409))
