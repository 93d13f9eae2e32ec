"""The SVG map is well-formed, whole, small and always the same."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, catalog_pb2
from lovat_client.render import (
    picture_of_position,
    picture_of_view,
    render_svg,
    zones_of_control,
)
from lovat_client.render.geometry import CORNERS, SIDE_MIDDLES, Sheet, scatter
from lovat_client.render.picture import Attack
from lovat_client.render.symbols import SILHOUETTES, SYMBOLS, identifications, silhouette_of
from lovat_client.render.water import creek_links, river_links
from tests.clients.small_war import GERMAN, SOVIET, catalog, state, view

SVG = "{http://www.w3.org/2000/svg}"


def parsed(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg.encode())


def ids(root: ElementTree.Element) -> list[str]:
    return [element.get("id", "") for element in root.iter() if element.get("id")]


@pytest.fixture(scope="module")
def drawn() -> str:
    return render_svg(catalog(), picture_of_position(state(), view().score))


def test_it_is_well_formed_and_says_its_size(drawn: str) -> None:
    root = parsed(drawn)
    assert root.tag == f"{SVG}svg"
    sheet = Sheet.of(catalog().map)
    assert root.get("viewBox") == f"0 0 {sheet.width} {sheet.height}"


def test_no_two_elements_have_one_id_and_every_use_has_its_shape(drawn: str) -> None:
    found = ids(parsed(drawn))
    assert len(found) == len(set(found))
    used = {use.get("href", "").removeprefix("#") for use in parsed(drawn).iter(f"{SVG}use")}
    assert used <= set(found)


def test_every_hex_is_drawn_and_numbered(drawn: str) -> None:
    found = set(ids(parsed(drawn)))
    numbers = {f"{hex_.hex:04d}" for hex_ in catalog().map.hexes}
    assert {f"h{number}" for number in numbers} <= found
    texts = {text.text for text in parsed(drawn).iter(f"{SVG}text")}
    assert numbers <= texts


def test_hex_numbers_may_be_left_out() -> None:
    bare = render_svg(catalog(), picture_of_position(state()), hex_numbers=False)
    assert 'id="numbers"' not in bare


def test_every_stack_is_drawn_with_what_is_known_of_it(drawn: str) -> None:
    root = parsed(drawn)
    stacks = {each.get("id"): each for each in root.iter(f"{SVG}g") if each.get("class") == "stack"}
    assert set(stacks) == {"s0504", "s0205", "s0603", "s0604", "s0605", "s0705", "s0801"}
    tip = stacks["s0604"].find(f"{SVG}title")
    assert tip is not None
    assert tip.text == "0604: 2 units\nS-BN infantry 3\nS-INF-1 infantry 7"
    shown = [text.text for text in stacks["s0604"].iter(f"{SVG}text")]
    assert "3" in shown  # the strength of the top unit
    assert "2" in shown  # the number of units


def test_of_the_enemy_only_the_front_is_drawn() -> None:
    root = parsed(render_svg(catalog(), picture_of_view(view(SOVIET))))
    stack = next(each for each in root.iter(f"{SVG}g") if each.get("id") == "s0504")
    tip = stack.find(f"{SVG}title")
    assert tip is not None
    assert tip.text == "0504: 2 units\nG-INF-1 infantry\nand 1 more"


def test_bunkers_bridges_assaults_and_tracks_are_drawn(drawn: str) -> None:
    root = parsed(drawn)
    bunkers = next(each for each in root.iter(f"{SVG}g") if each.get("id") == "bunkers")
    assert [text.text for text in bunkers.iter(f"{SVG}text")] == ["8"]
    for name, tag in (("bridges", "use"), ("assaults", "path")):
        layer = next(each for each in root.iter(f"{SVG}g") if each.get("id") == name)
        assert list(layer.iter(f"{SVG}{tag}"))
    texts = " ".join(text.text or "" for text in root.iter(f"{SVG}text"))
    for words in ("Turn 2", "Frost", "Velikiye Luki 1", "German Victory"):
        assert words in texts


def test_overlays_are_drawn_on_request(drawn: str) -> None:
    assert 'id="zoc"' not in drawn
    picture = picture_of_position(state())
    marked = render_svg(catalog(), picture, zoc={SOVIET: [503], GERMAN: [604]},
                        supply={SOVIET: {801}})
    root = parsed(marked)
    assert {"zoc", "supply"} <= set(ids(root))


def test_names_from_outside_cannot_break_it() -> None:
    odd = catalog()
    odd.units[0].label = '<script>"&'
    odd.units[0].type = "<b>"
    text = render_svg(odd, picture_of_position(state()), title="<&>")
    assert "<script>" not in text
    parsed(text)


def test_the_same_picture_gives_the_same_text_in_whole_numbers(drawn: str) -> None:
    again = render_svg(catalog(), picture_of_position(state(), view().score))
    assert again == drawn
    places = re.findall(r' (?:x|y|cx|cy|d)="[^"]*"', drawn.split("</defs>")[1])
    assert not [place for place in places if re.search(r"\d\.\d{2,}|e-", place)]


def test_a_map_of_full_size_stays_small() -> None:
    large = catalog()
    del large.map.hexes[:]
    large.map.columns, large.map.rows = 40, 42
    for column in range(1, 41):
        for row in range(1, 43):
            large.map.hexes.add(hex=column * 100 + row, forest=column % 3 == 0,
                                high=column % 3 == 1, town=row % 9 == 0)
    picture = picture_of_position(state())
    svg = render_svg(large, picture, zoc={SOVIET: [hex_.hex for hex_ in large.map.hexes]})
    assert len(svg) < 2_500_000
    texts = [text.text for text in parsed(svg).iter(f"{SVG}text")]
    assert {"RC", "GC", "Movement points left"} <= set(texts)


def test_an_empty_catalog_and_picture_are_drawn_too() -> None:
    parsed(render_svg(catalog_pb2.Catalog(), picture_of_view(answers_pb2.View())))


def test_a_position_may_come_whole() -> None:
    position = core_pb2.Position()
    position.state.white_death.CopyFrom(state())
    assert picture_of_position(position) == picture_of_position(state())


def test_an_assault_comes_from_where_its_units_are_known_to_be() -> None:
    assert picture_of_view(view(SOVIET)).attacks == (Attack(504, (603, 604)),)
    assert picture_of_view(view(GERMAN)).attacks == (Attack(504, ()),)


def test_neighbours_meet_at_the_middles_of_their_sides() -> None:
    sheet = Sheet.of(catalog().map)
    for number in (302, 402, 505):
        for direction in range(6):
            other = sheet.layout.neighbour(number, direction)
            assert sheet.side(number, direction) == sheet.side(other, (direction + 3) % 6)
    for direction, (x, y) in enumerate(SIDE_MIDDLES):
        (a, b), (c, d) = CORNERS[direction], CORNERS[(direction + 1) % 6]
        assert (2 * x, 2 * y) == (a + c, b + d)


def test_water_keeps_to_its_course() -> None:
    sheet = Sheet.of(catalog().map)
    assert river_links(sheet) == [(400 + row, 401 + row) for row in range(1, 7)]
    assert creek_links(sheet) == [(501, 601), (601, 701), (501, 401)]


def test_a_sharp_bend_is_not_cut_short() -> None:
    board = catalog()
    for hex_ in board.map.hexes:
        hex_.river = hex_.hex in (202, 203, 303, 403)
    assert river_links(Sheet.of(board.map)) == [(202, 203), (202, 303), (303, 403)]


def test_scattered_points_keep_their_distance_and_their_places() -> None:
    points = scatter(5, 20, 40, 9)
    assert points == scatter(5, 20, 40, 9) != scatter(6, 20, 40, 9)
    assert all((a - c) ** 2 + (b - d) ** 2 >= 81
               for index, (a, b) in enumerate(points) for c, d in points[:index])


def test_a_counter_says_its_division_left_and_itself_right() -> None:
    unit = catalog_pb2.Unit(label="1/184TB", division="184TB")
    assert identifications(unit) == ("184TB", "1")
    assert identifications(catalog_pb2.Unit(label="506")) == ("", "506")


def test_every_silhouette_and_symbol_is_a_shape() -> None:
    assert silhouette_of("KV I") == "heavy"
    assert silhouette_of("PzKw II") == "light"
    assert silhouette_of("PzKw III (long)") == "medium"
    for shape in (*SYMBOLS.values(), *SILHOUETTES.values()):
        parsed(f"<g>{shape}</g>")


def test_zones_leave_out_towns_and_what_cannot_be_entered() -> None:
    found = zones_of_control(catalog(), picture_of_position(state()))
    assert 504 not in found[SOVIET]
    assert {503, 505} <= found[GERMAN]
    assert not {204, 206} & found[GERMAN]  # an antitank company alone has no zone
    moved = state()
    next(unit for unit in moved.units if unit.unit == "s-tank").hex = 303
    found = zones_of_control(catalog(), picture_of_position(moved))
    assert 304 in found[SOVIET]
    assert not {203, 302} & found[SOVIET]  # nor has a tank into forest
