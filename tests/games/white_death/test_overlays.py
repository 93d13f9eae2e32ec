"""Overlays: what each shows, and that nothing in them tells what the asking side may not know."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest

from lovat_server.core.errors import MalformedError
from lovat_server.games.white_death import (
    observation,
    overlays,
    rail,
    supply,
    visibility,
    zones,
)
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Assault
from lovat_server.games.white_death.overlays import Overlay, OverlayKind, OverlayQuery, Whose
from lovat_server.games.white_death.terms import (
    MP,
    OFF_MAP,
    DecisionKind,
    Kind,
    Mobility,
    Phase,
    Side,
    Size,
    Status,
)
from lovat_server.hexmap.grid import board_of
from lovat_server.scenarios.loader import load_catalog
from tests.properties.player import play

from .field import GRID, at, field, german, guns, number, place, soviet, tanks

K = OverlayKind
SOVIET, GERMAN = Side.SOVIET, Side.GERMAN


def ask(battle: Battle, side: Side, kind: OverlayKind, **query: Any) -> Overlay:
    return overlays.overlay(battle, side, OverlayQuery(kind, **query))


def shown(found: Overlay) -> dict[int, int]:
    """Values by printed number."""
    return {number(hex_): value for hex_, value in zip(found.hexes, found.values, strict=True)}


def unit(battle: Battle, id_: str) -> int:
    return battle.catalog.unit_index[id_]


def around(hex_: int) -> set[int]:
    return {number(other) for other in GRID.neighbours[at(hex_)] if other >= 0}


class TestZones:
    def battle(self, line: str, **terrain: Any) -> Battle:
        return place(field([
            soviet("reg"), soviet("ski", mobility=Mobility.SKI), german("bn"),
            german("skier", mobility=Mobility.SKI),
            german("mg", size=Size.COMPANY, kind=Kind.LIGHT_WEAPONS)], **terrain), line)

    @pytest.mark.rule("WD 3")
    def test_the_number_of_hexes_that_control_each(self) -> None:
        battle = self.battle("reg 0404; ski 0406", town="0504")
        found = shown(ask(battle, SOVIET, K.ZONE_OF_CONTROL))
        assert found == {
            hex_: (hex_ in around(404)) + (hex_ in around(406))
            for hex_ in (around(404) | around(406)) - {504}}
        assert found[405] == 2

    @pytest.mark.rule("WD 3.B")
    def test_ski_zones_are_those_of_ski_units(self) -> None:
        battle = self.battle("reg 0404; ski 0808; bn 0202; skier 0202")
        assert set(shown(ask(battle, SOVIET, K.SKI_ZONE))) == around(808)
        assert set(shown(ask(battle, GERMAN, K.SKI_ZONE))) == around(202)
        # seen from the other side there is an infantry battalion on top, and no more
        assert ask(battle, SOVIET, K.SKI_ZONE, whose=Whose.ENEMY).hexes == ()

    @pytest.mark.rule("WD 3")
    def test_a_weapons_company_has_a_zone_only_in_a_stack(self) -> None:
        alone, stacked = self.battle("mg 0404; reg 0909"), self.battle("mg 0404; bn 0404; reg 0909")
        for side, whose in ((SOVIET, Whose.ENEMY), (GERMAN, Whose.OWN)):
            assert ask(alone, side, K.ZONE_OF_CONTROL, whose=whose).hexes == ()
            assert set(shown(ask(stacked, side, K.ZONE_OF_CONTROL, whose=whose))) == around(404)

    def test_rules_that_ask_for_the_enemys_zone_find_the_one_seen(self) -> None:
        battle = self.battle("bn 0404; skier 0404; mg 0707; reg 0909")
        seen = overlays.seen_by(battle, SOVIET)
        for ski_only in (False, True):
            assert zones.zone_board(seen, GERMAN, ski_only=ski_only) == board_of(
                overlays.zone_counts(seen, GERMAN, ski_only=ski_only))
        assert zones.zone_board(seen, SOVIET) == zones.zone_board(battle, SOVIET)

    def test_the_overlay_says_whom_it_is_about(self) -> None:
        battle = self.battle("reg 0404")
        assert ask(battle, GERMAN, K.ZONE_OF_CONTROL, whose=Whose.ENEMY).side == SOVIET
        assert ask(battle, GERMAN, K.ZONE_OF_CONTROL).side == GERMAN


class TestSupply:
    def battle(self, line: str, **more: Any) -> Battle:
        return place(field([soviet("reg"), german("bn"), german("bn2")],
                           road="0806-0906-1006-1106-1206", rail="0102-0202-0302",
                           town="0102 0302", city="0606"), line, **more)

    @pytest.mark.rule("WD 15.B")
    def test_hexes_to_the_road(self) -> None:
        battle = self.battle("reg 0606")
        found = shown(ask(battle, SOVIET, K.SUPPLY))
        assert (found[806], found[706], found[606], found[106]) == (0, 1, 2, 7)
        assert board_of(ask(battle, SOVIET, K.SUPPLY).hexes) \
            == supply.supplied_board(battle, SOVIET)

    @pytest.mark.rule("WD 15.B")
    def test_an_enemy_zone_cuts_the_road(self) -> None:
        battle = self.battle("reg 0606; bn 1005")
        found = shown(ask(battle, SOVIET, K.SUPPLY))
        assert found[806] > 0                       # no road hex any more: 1206 is near enough
        assert found == shown(ask(battle, GERMAN, K.SUPPLY, whose=Whose.ENEMY))

    @pytest.mark.rule("WD 15.C")
    def test_isolated_hexes_leave_out_those_of_the_enemy(self) -> None:
        battle = self.battle("reg 0206; reg 0206")
        assert ask(battle, SOVIET, K.ISOLATION).hexes == ()
        ring = self.battle("reg 0505; bn 0503; bn2 0507")
        shut = ring.catalog.map.grid.full & ~supply.open_board(ring, SOVIET) \
            & ~ring.occupied(GERMAN)
        found = ask(ring, SOVIET, K.ISOLATION)
        assert board_of(found.hexes) == shut
        assert set(found.values) <= {1}

    @pytest.mark.rule("WD 15.D.2")
    def test_a_city_that_is_bought_out_is_not_isolated(self) -> None:
        held = soviet("a"), soviet("b"), soviet("c"), soviet("d"), soviet("e"), soviet("f")
        catalog = field([*held, german("bn")], city="0606")
        line = "; ".join(f"{name} {number(hex_):04d}" for name, hex_ in zip(
            "abcdef", GRID.neighbours[at(606)], strict=True)) + "; bn 0606"
        for sustained, isolated in ((False, {606}), (True, set())):
            battle = place(catalog, line, sustained=sustained)
            assert set(shown(ask(battle, GERMAN, K.ISOLATION))) & {606} == isolated

    @pytest.mark.rule("WD 8")
    def test_the_rail_net_and_its_towns(self) -> None:
        battle = self.battle("reg 0909")
        assert shown(ask(battle, GERMAN, K.RAIL_NET)) == {102: 2, 202: 1, 302: 2}
        cut = self.battle("reg 0203")
        assert board_of(ask(cut, GERMAN, K.RAIL_NET).hexes) == rail.net_board(cut, GERMAN)
        assert 302 not in shown(ask(cut, GERMAN, K.RAIL_NET))
        assert ask(cut, SOVIET, K.RAIL_NET).hexes == ()


class TestSight:
    def battle(self, line: str, **more: Any) -> Battle:
        return place(field([
            soviet("reg"), soviet("reg2"), german("bn"), german("bn2"),
            guns(soviet("rocket", traits="conspicuous"))], forest="0504"), line, **more)

    @pytest.mark.rule("WD 11.B.3.b")
    def test_from_a_hex_or_from_a_unit(self) -> None:
        battle = self.battle("reg 0404")
        found = shown(ask(battle, SOVIET, K.LINE_OF_SIGHT, hex=at(404)))
        assert found == shown(ask(battle, SOVIET, K.LINE_OF_SIGHT, unit=unit(battle, "reg")))
        assert (found[404], found[504], found[402]) == (0, 1, 2)
        assert 603 not in found                     # behind the forest
        assert 401 not in found                     # too far

    def test_a_unit_off_the_map_sees_nothing(self) -> None:
        battle = self.battle("bn 0404")
        assert ask(battle, SOVIET, K.LINE_OF_SIGHT, unit=unit(battle, "reg")).hexes == ()

    @pytest.mark.rule("WD 11.B.3")
    def test_a_side_observes_what_its_units_see(self) -> None:
        battle = self.battle("reg 0404; reg2 0406; bn 0909; bn2 0909")
        for side in Side:
            found = ask(battle, side, K.OBSERVED)
            assert found.hexes == tuple(hex_ for hex_ in range(GRID.size)
                                        if observation.is_observed(battle, side, hex_))
            assert replace(found, kind=K.LINE_OF_SIGHT) == ask(battle, side, K.LINE_OF_SIGHT)
            other = ask(battle, side.enemy, K.OBSERVED, whose=Whose.ENEMY)
            assert other == found
        assert shown(ask(battle, SOVIET, K.OBSERVED))[405] == 2
        assert shown(ask(battle, GERMAN, K.OBSERVED))[909] == 1     # two units in one hex

    @pytest.mark.rule("WD 11.B.3.b")
    def test_the_rocket_regiment_is_seen_from_a_hex_farther(self) -> None:
        battle = self.battle("rocket 0904 deployed; bn 0604")
        assert shown(ask(battle, GERMAN, K.OBSERVED))[904] == 1
        quiet = self.battle("rocket 0904; bn 0604")
        assert 904 not in shown(ask(quiet, GERMAN, K.OBSERVED))


class TestMovement:
    def battle(self, line: str, **more: Any) -> Battle:
        units = [soviet("reg"), soviet("late", arrival_turn=3, set_up=""), german("bn"),
                 guns(german("art")), tanks(german("pz"))]
        return place(field(units), line, **more)

    @pytest.mark.rule("WD 6")
    def test_the_reach_of_a_unit_is_what_the_listing_says(self) -> None:
        battle = self.battle("reg 0404; bn 0606", declared=4)
        reg = unit(battle, "reg")
        found = ask(battle, SOVIET, K.REACH, unit=reg)
        listing = WHITE_DEATH.listing(battle.catalog, battle.freeze(), None, frozenset({reg}))
        assert dict(zip(found.hexes, found.values, strict=True)) == dict(
            zip(listing.units[0].hexes, listing.units[0].costs, strict=True))
        assert found.points == 4

    def test_points_that_are_not_named(self) -> None:
        battle = self.battle("reg 0404; bn 0606", declared=4, points=7)
        for side, kind, points in ((SOVIET, K.THREAT, 7), (GERMAN, K.THREAT, 4)):
            assert ask(battle, side, kind).points == points
        battle.points = (0, 0)
        assert ask(battle, SOVIET, K.THREAT).points == 10
        assert ask(battle, SOVIET, K.THREAT, points=2).points == 2

    def test_what_does_not_stand_or_enter_reaches_nothing(self) -> None:
        battle = self.battle("bn 0606")
        assert ask(battle, SOVIET, K.REACH, unit=unit(battle, "late")).hexes == ()

    @pytest.mark.rule("WD 6.B.3")
    def test_a_threat_is_the_reach_and_a_hex_more(self) -> None:
        battle = self.battle("reg 1212; bn 0404; art 0909")
        one = shown(ask(battle, SOVIET, K.THREAT, points=1))
        assert one == dict.fromkeys(around(404), MP)
        two = shown(ask(battle, SOVIET, K.THREAT, points=2))
        steps = {number(hex_): GRID.distance(at(404), hex_) for hex_ in range(GRID.size)}
        # half a point a hex in clear terrain, then one for the assault; back too, from beside it
        assert two == {hex_: MP + MP // 2 * ((away or 2) - 1) for hex_, away in steps.items()
                       if away <= 3}

    @pytest.mark.rule("WD 9.A")
    def test_artillery_threatens_nothing(self) -> None:
        assert ask(self.battle("reg 0404; art 0606"), SOVIET, K.THREAT, points=9).hexes == ()

    @pytest.mark.rule("WD 3")
    def test_a_zone_stops_a_threat(self) -> None:
        battle = self.battle("reg 0404; bn 0406")
        free = shown(ask(self.battle("bn 0406"), SOVIET, K.THREAT, points=3))
        held = shown(ask(battle, SOVIET, K.THREAT, points=3))
        assert held[404] == MP + MP // 2            # 0405 first, in the zone of the regiment
        assert set(held) < set(free)

    def test_the_threat_of_ones_own_units(self) -> None:
        battle = self.battle("reg 0404; bn 0909")
        found = ask(battle, SOVIET, K.THREAT, whose=Whose.ENEMY, points=1)
        assert found.side == GERMAN
        assert shown(found) == dict.fromkeys(around(404), MP)


class TestQueries:
    BAD = (
        (SOVIET, OverlayQuery(K.REACH), "unit"),
        (SOVIET, OverlayQuery(K.REACH, unit=2), "unit"),
        (SOVIET, OverlayQuery(K.LINE_OF_SIGHT, unit=2), "unit"),
        (SOVIET, OverlayQuery(K.SUPPLY, unit=0), "unit"),
        (SOVIET, OverlayQuery(K.REACH, Whose.ENEMY, unit=0), "whose"),
        (SOVIET, OverlayQuery(K.LINE_OF_SIGHT, hex=3, unit=0), "hex"),
        (SOVIET, OverlayQuery(K.THREAT, hex=3), "hex"),
        (SOVIET, OverlayQuery(K.SUPPLY, points=3), "points"),
        (SOVIET, OverlayQuery(K.THREAT, points=11), "points"),
    )

    @pytest.mark.parametrize(("side", "query", "where"), BAD)
    def test_a_query_that_does_not_fit_names_its_field(
        self, side: Side, query: OverlayQuery, where: str
    ) -> None:
        battle = place(field([soviet("a"), soviet("b"), german("c")]), "a 0404; c 0606")
        with pytest.raises(MalformedError) as caught:
            overlays.overlay(battle, side, query)
        assert caught.value.field == where


def queries(battle: Battle, side: Side) -> list[OverlayQuery]:
    own = [index for index in battle.catalog.side_units[side]
           if battle.units[index].strength][::25]
    return [
        *(OverlayQuery(kind, whose) for kind in K for whose in (Whose.OWN, Whose.ENEMY)
          if kind not in (K.NONE, K.REACH)),
        *(OverlayQuery(kind, unit=index) for index in own for kind in (K.REACH, K.LINE_OF_SIGHT)),
    ]


def shuffled(battle: Battle, side: Side, random: Random) -> Battle:
    """Everything that a side may not know of its enemy, put anyhow.

    Units under a top counter change places over the whole map; strengths and statuses that are
    hidden are anything; what waits outside is anywhere outside.
    """
    catalog, units = battle.catalog, list(battle.units)
    stacks = visibility.enemy_stacks(battle, side)
    shown_units = {index for stack in stacks for index in
                   (stack.top, *stack.deployed, *(own.unit for own in stack.revealed))}
    hidden = [index for index in catalog.side_units[side.enemy]
              if index not in shown_units and units[index].hex != OFF_MAP]
    places = [units[index] for index in hidden]
    random.shuffle(places)
    for index, moved in zip(hidden, places, strict=True):
        units[index] = moved._replace(
            strength=random.randint(1, catalog.units[index].strength), rank=moved.rank + 1,
            status=random.choice((0, Status.ISOLATED, Status.SHAKEN)))
    for stack in stacks:
        top = stack.top
        if top not in {own.unit for own in stack.revealed}:
            units[top] = units[top]._replace(
                strength=random.randint(1, catalog.units[top].strength))
    return Battle(catalog, replace(battle.freeze(), units=tuple(units)))


@pytest.mark.rule("WD 4.C")
def test_what_is_hidden_changes_no_overlay() -> None:
    catalog = load_catalog("purkayevs-attack")
    random = Random(11)
    states = [step.done.state for step in play(catalog, 3, most=120)][::15]
    asked = 0
    for state in states:
        battle = Battle(catalog, state)
        for side in Side:
            other = shuffled(battle, side, random)
            assert visibility.enemy_stacks(other, side) == visibility.enemy_stacks(battle, side)
            for query in queries(battle, side):
                assert overlays.overlay(other, side, query) == overlays.overlay(
                    battle, side, query), (side, query)
                asked += 1
    assert asked > 200


def test_overlays_of_ones_own_side_agree_with_the_rules_where_tops_hide_nothing() -> None:
    catalog = load_catalog("purkayevs-attack")
    for step in list(play(catalog, 4, most=60))[::15]:
        battle = Battle(catalog, step.done.state)
        for side in Side:
            whole = ask(battle, side, K.ZONE_OF_CONTROL)
            assert board_of(whole.hexes) == zones.zone_board(battle, side)
            seen = ask(battle, side.enemy, K.SUPPLY, whose=Whose.ENEMY)
            assert board_of(seen.hexes) == supply.supplied_board(battle, side)
            assert board_of(ask(battle, side.enemy, K.RAIL_NET, whose=Whose.ENEMY).hexes) \
                == rail.net_board(battle, side)


def test_an_assault_shows_what_it_shows() -> None:
    battle = place(field([soviet("reg"), german("bn"),
                          german("skier", mobility=Mobility.SKI)]),
                   "reg 0404; bn 0504; skier 0504", phase=Phase.DEFENSIVE_FIRE,
                   decision=DecisionKind.DEFENSIVE_FIRE)
    assert ask(battle, SOVIET, K.SKI_ZONE, whose=Whose.ENEMY).hexes == ()
    battle.assaults = (Assault(at(504), (0,)),)
    assert set(shown(ask(battle, SOVIET, K.SKI_ZONE, whose=Whose.ENEMY))) == around(504)
