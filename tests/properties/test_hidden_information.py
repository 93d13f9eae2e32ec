"""[WD 4.C, E.4-C] Exchanging what the rules hide from a side changes no byte of what it is told.

What is hidden, and how it is exchanged, is in `concealed`; what a side asks, in `interview`. An
answer to an order tells the host, who has the whole position, more than the side: the property is
about the rest of it. What a side learns in combat it learns from events, and from nothing else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

import grpc
import pytest

from lovat.rules.v1 import rules_service_pb2_grpc
from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import losses_to_date, set_up
from lovat_server.games.white_death.answers import EnemyStack
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    AntitankFired,
    AssaultDeclared,
    BarrageFired,
    ConventionalFired,
    Event,
    MoraleChecked,
    PhaseBegan,
    RetreatRequired,
    StrengthLost,
    UnitDeployed,
    UnitEliminated,
    UnitHalted,
    UnitPursued,
    UnitShaken,
    UnitWithdrew,
)
from lovat_server.games.white_death.game import OPENING, WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Barrage,
    DefensiveFire,
    Fire,
    MoveAndDeclare,
    SetUp,
    Shot,
    Support,
)
from lovat_server.games.white_death.state import Bridge, Decision, Options, State, UnitState
from lovat_server.games.white_death.terms import (
    FP,
    OFF_MAP,
    DecisionKind,
    ImpulseKind,
    Phase,
    Side,
    Status,
)
from lovat_server.service.library import Library, Volume, open_library
from lovat_server.transport.codecs import Codecs
from lovat_server.transport.config import Config
from lovat_server.transport.server import build_server

from .concealed import Veil, facts, shown_units
from .interview import Answer, InProcess, OverNetwork, Server, other_dice, questions
from .player import Played, play

SCENARIOS = ("purkayevs-attack", "woehlers-response", "final-relief-attempt",
             "first-relief-attempt", "second-relief-attempt", "velikiye-luki-campaign")
GAMES = 6
EACH = 50
"""Permutations of positions of one game."""

SOAK_GAMES = 40
TWINS = 3
"""Permutations of one position for one side."""

COMBAT = (ConventionalFired, AntitankFired, BarrageFired, StrengthLost, UnitEliminated,
          MoraleChecked, UnitShaken, UnitHalted, RetreatRequired)


@lru_cache(maxsize=1)
def library() -> Library:
    return open_library()


@lru_cache(maxsize=1)
def codecs() -> Codecs:
    return Codecs(library())


@lru_cache(maxsize=GAMES)
def game_of(number: int) -> tuple[Volume, tuple[Played, ...]]:
    """The first decisions of a game; games differ in scenario, options, boldness and length."""
    volume = library().volume(SCENARIOS[number % len(SCENARIOS)])
    options = Options(abandoned_equipment=number % 2 == 1, snow_visibility=number % 5 == 4)
    return volume, tuple(play(
        volume.catalog, 3000 + number, bold=(0.3, 0.5, 0.7)[number % 3],
        most=30 + 15 * (number // 6 % 4), options=options))


def positions(number: int, count: int) -> list[Played]:
    """Decisions of one game, of as many kinds as come up; some with other supply."""
    volume, decisions = game_of(number)
    kinds: dict[DecisionKind, list[Played]] = {}
    for played in decisions:
        kinds.setdefault(played.state.decision.kind, []).append(played)
    random = Random(number)
    chosen: list[Played] = []
    while len(chosen) < count and any(kinds.values()):
        for found in kinds.values():
            if found and len(chosen) < count:
                chosen.append(found.pop(random.randrange(len(found))))
    return [_resupplied(volume.catalog, played, random) if random.random() < 0.3 else played
            for played in chosen]


def _resupplied(catalog: Catalog, played: Played, random: Random) -> Played:
    supply = random.randint(0, 2), random.randint(0, 2), random.randint(0, 2)
    state = replace(played.state, supply=supply)
    return replace(played, state=state, listing=WHITE_DEATH.listing(catalog, state, None, None))


# ---------------------------------------------------------------- the property

def check_game(number: int, count: int) -> Counter[str]:
    """Permute positions of a game `count` times; what was permuted and asked, by kind."""
    volume, server = game_of(number)[0], InProcess(library())
    pairs = [(played, side) for played in positions(number, -(-count // TWINS)) for side in Side]
    Random(number).shuffle(pairs)
    seen: Counter[str] = Counter()
    for place, (played, side) in enumerate(pairs):
        wanted = min(TWINS, count - seen["permutations"])
        if wanted:
            seen += check_position(volume, played, side, wanted, server, server,
                                   Random(1000 * number + place))
    assert seen["permutations"] == count
    return seen


def check_position(volume: Volume, played: Played, side: Side, count: int, host: InProcess,
                   server: Server, random: Random) -> Counter[str]:
    """Ask everything of a position, then of others that are the same to the side."""
    seen: Counter[str] = Counter()
    veil = Veil(volume.catalog, played.state, side)
    asked = list(questions(volume, codecs(), played, side, veil, random))
    first = host.message(volume, played.state, other_dice(random), 7)
    expected = [server.ask(question, first) for question in asked]
    for _ in range(count):
        state = veil.permuted(random)
        position = host.message(volume, state, other_dice(random), 7)
        for question, before in zip(asked, expected, strict=True):
            answer = server.ask(question, position)
            assert answer == before, _difference(played, side, question.request, before, answer)
            seen[question.method] += 1
            seen["violations"] += answer.violations
        rows = list(zip(played.state.units, state.units, strict=True))
        seen["hexes"] += sum(old.hex != new.hex for old, new in rows)
        seen["ranks"] += sum(old.hex == new.hex and old.rank != new.rank for old, new in rows)
        seen["strengths"] += sum(old.strength != new.strength for old, new in rows)
        seen["statuses"] += sum(old.status != new.status for old, new in rows)
        seen["permutations"] += 1
        seen[played.state.decision.kind.name] += 1
    return seen


def _difference(played: Played, side: Side, request: Any, before: Answer, after: Answer) -> str:
    asked = type(request)()
    asked.CopyFrom(request)
    asked.ClearField("position")
    return f"{side.name} in {played.state.decision.kind.name} asks {asked}: {before} -> {after}"


@pytest.mark.rule("WD 4.C")
@pytest.mark.parametrize("number", range(GAMES))
def test_what_is_hidden_changes_no_answer(number: int) -> None:
    seen = check_game(number, EACH)
    assert seen["hexes"] > EACH
    assert seen["strengths"] > EACH
    assert seen["statuses"] > EACH
    assert seen["violations"] > EACH


@pytest.mark.soak
@pytest.mark.parametrize("number", range(SOAK_GAMES))
def test_what_is_hidden_changes_no_answer_2000_times(number: int) -> None:
    check_game(100 + number, EACH)


@pytest.mark.parametrize("scenario", ["purkayevs-attack", "second-relief-attempt"])
def test_what_is_hidden_changes_no_answer_before_play(scenario: str) -> None:
    """Losses to date and set-ups, the second of them in sight of the first."""
    volume, server = library().volume(scenario), InProcess(library())
    for place, played in enumerate(_opening(volume.catalog)):
        for side in Side:
            check_position(volume, played, side, 2, server, server, Random(2 * place + side))


def _opening(catalog: Catalog) -> Iterator[Played]:
    dice = KeyedDice(b"opening")
    state = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=False).state
    while state.decision.kind in OPENING:
        position, side = Battle(catalog, state), state.decision.side
        order = losses_to_date.standard(position) \
            if state.decision.kind == DecisionKind.DISTRIBUTE_LOSSES else SetUp(
                set_up.standard_placements(position, side), set_up.standard_bridges(position))
        done = WHITE_DEATH.submit(catalog, state, order, dice)
        assert not done.violations
        listing = WHITE_DEATH.listing(catalog, state, None, None)
        yield Played(state, order, listing, done, 0, (0, 0))
        state = done.state


def test_what_is_hidden_changes_no_answer_over_the_network() -> None:
    volume, host = game_of(0)[0], InProcess(library())
    server, port = build_server(library(), Config(port=0, workers=2))
    server.start()
    try:
        with grpc.insecure_channel(f"127.0.0.1:{port}") as channel:
            asked = OverNetwork(rules_service_pb2_grpc.RulesServiceStub(channel))
            for place, played in enumerate(positions(0, 9)):
                check_position(volume, played, Side(place % 2), 1, host, asked, Random(place))
    finally:
        server.stop(None).wait()


# ---------------------------------------------------------------- what a view shows

@pytest.mark.rule("WD E.4-C")
@pytest.mark.parametrize("number", range(GAMES))
def test_a_view_shows_what_may_be_known_and_no_more(number: int) -> None:
    volume, decisions = game_of(number)
    for played in decisions:
        for side in Side:
            known = facts(volume.catalog, played.state, side)
            view = WHITE_DEATH.view(volume.catalog, played.state, side)
            assert [(stack.hex, stack.count, stack.top, frozenset(stack.deployed),
                     frozenset((own.unit, own.state) for own in stack.revealed))
                    for stack in view.enemy] == \
                [(stack.hex, stack.count, stack.top, stack.deployed, stack.shown)
                 for stack in known.stacks]
            assert {volume.catalog.units[bridge.builder].side for bridge in view.bridges
                    if bridge.builder >= 0} <= {side}


@pytest.mark.parametrize("number", range(GAMES))
def test_what_a_view_newly_names_an_event_has_told(number: int) -> None:
    """A counter comes to be known where something happened, and by what happened there."""
    volume, decisions = game_of(number)
    for played in decisions:
        for side in Side:
            before, after = (WHITE_DEATH.view(volume.catalog, state, side).enemy
                             for state in (played.state, played.done.state))
            known = _named(before)
            for stack in after:
                for unit in _named([stack]) - known:
                    assert _is_told(volume.catalog, played, side, stack, unit), (side, unit)


def _named(stacks: Any) -> set[int]:
    return {unit for stack in stacks for unit in
            (stack.top, *stack.deployed, *(own.unit for own in stack.revealed))}


def _is_told(catalog: Catalog, played: Played, side: Side, stack: EnemyStack, unit: int) -> bool:
    events = played.done.events
    if unit == stack.top and any(stack.hex in _hexes_of(event) for event in events):
        return True         # what lay on top or was alone there has gone, or this has come
    if unit in stack.deployed:
        return any((isinstance(event, UnitDeployed) and event.unit == unit)
                   or any(catalog.units[other].side == side for other in _units_of(event))
                   for event in events)
    return any(isinstance(event, AssaultDeclared | UnitPursued | UnitWithdrew)
               and (unit in _units_of(event) or stack.hex in _hexes_of(event))
               for event in events)


@pytest.mark.parametrize("number", range(GAMES))
def test_events_of_combat_name_those_in_it_and_nothing_else_of_a_stack(number: int) -> None:
    volume, decisions = game_of(number)
    fought = 0
    for played in decisions:
        if not isinstance(played.order, Barrage | DefensiveFire | AssaultFire):
            continue
        party = _party(volume.catalog, played)
        for event in _phase(played.done.events):
            if isinstance(event, COMBAT):
                fought += 1
                assert _units_of(event) <= party, (played.order, event)
    assert fought


def _party(catalog: Catalog, played: Played) -> frozenset[int]:
    """Units shown to either side, those that fire from afar, and all in hexes under barrage."""
    state, order = played.state, played.order
    party = set().union(*(shown_units(state, catalog, side) for side in Side))
    for fire in order.fires if isinstance(order, Barrage) else ():
        party.update(fire.units)
        party.update(index for index, unit in enumerate(state.units) if unit.hex == fire.hex)
    for event in _phase(played.done.events):
        if isinstance(event, ConventionalFired):
            artillery = {index for index in event.firers if catalog.units[index].is_artillery
                         and state.units[index].status & Status.DEPLOYED}
            party.update(artillery)
    return frozenset(party)


def _phase(events: tuple[Event, ...]) -> Iterator[Event]:
    """What happens in the phase of the order itself."""
    for event in events:
        if isinstance(event, PhaseBegan):
            return
        yield event


def _units_of(event: Event) -> set[int]:
    units: set[int] = set()
    for name in ("unit", "units", "firers", "charge", "target"):
        value = getattr(event, name, ())
        if not (name == "target" and isinstance(event, UnitPursued)):
            units.update(value if isinstance(value, tuple) else (value,))
    return units


def _hexes_of(event: Event) -> set[int]:
    hexes: set[int] = set()
    for name in ("hex", "start", "end", "path", "hexes"):
        value = getattr(event, name, ())
        hexes.update(value if isinstance(value, tuple) else (value,))
    if isinstance(event, UnitPursued):
        hexes.add(event.target)
    return hexes


# ---------------------------------------------------------------- leaks that were found

def at(catalog: Catalog, number: int) -> int:
    return catalog.map.numbers.index(number)


def placed(catalog: Catalog, decider: Side, asked: DecisionKind,
           places: dict[str, tuple[int, int]], **fields: Any) -> State:
    """Nothing on the map but units in some hexes, with a status; the decider is asked."""
    state = game_of(0)[1][0].state
    rows = [UnitState(OFF_MAP, unit.strength) for unit in state.units]
    ids = {unit.id: index for index, unit in enumerate(catalog.units)}
    for rank, (name, (number, status)) in enumerate(places.items()):
        rows[ids[name]] = UnitState(at(catalog, number), 1, status, rank)
    return replace(state, units=tuple(rows), decision=Decision(asked, decider), **fields)


def told_of(catalog: Catalog, state: State, order: Any) -> str:
    return repr(WHITE_DEATH.judge(catalog, state, order).violations)


def indices(catalog: Catalog, *names: str) -> tuple[int, ...]:
    ids = {unit.id: index for index, unit in enumerate(catalog.units)}
    return tuple(ids[name] for name in names)


SPIED = 915, 2030
"""Where a hidden unit may be: below the attackers, who stand down a slope, or far away."""


def under_attack(catalog: Catalog, spied_at: int) -> State:
    """A German engineer battalion with artillery behind it is assaulted from down the slope."""
    (attacker,) = indices(catalog, "s-19-54g-inf")
    return placed(
        catalog, Side.GERMAN, DecisionKind.DEFENSIVE_FIRE,
        {"g-20-eng": (814, 0), "g-506-art": (812, Status.DEPLOYED), "s-19-54g-inf": (915, 0),
         "s-19-56g-inf": (2030, 0), "s-1-44sb-ski": (spied_at, 0)},
        side=Side.SOVIET, kind=ImpulseKind.ACTION, phase=Phase.DEFENSIVE_FIRE,
        assaults=(Assault(at(catalog, 814), (attacker,)),))


@pytest.mark.rule("WD 12.B")
def test_a_shot_at_a_hidden_unit_does_not_tell_whether_it_is_below() -> None:
    catalog = game_of(0)[0].catalog
    attacker, spied = indices(catalog, "s-19-54g-inf", "s-1-44sb-ski")
    fire = Fire(at(catalog, 814), (Shot(attacker, 1), Shot(spied, 99 * FP)))
    below, away = (told_of(catalog, under_attack(catalog, where), DefensiveFire((fire,)))
                   for where in SPIED)
    assert below == away
    assert "takes no part" in below


@pytest.mark.rule("WD 11.A.1")
def test_an_enemy_named_as_support_is_not_told_where_he_stands() -> None:
    catalog = game_of(0)[0].catalog
    guns, spied = indices(catalog, "g-506-art", "s-1-44sb-ski")
    hex_ = at(catalog, 814)
    fire = Fire(hex_, support=(Support(guns, hex_), Support(spied, hex_)))
    below, away = (told_of(catalog, under_attack(catalog, where), DefensiveFire((fire,)))
                   for where in SPIED)
    assert below == away
    assert "does not belong" in below


@pytest.mark.rule("WD 15.D.2")
def test_an_enemy_named_in_an_assault_is_not_told_whose_supply_he_draws() -> None:
    catalog = game_of(0)[0].catalog
    assault = Assault(at(catalog, 814), indices(catalog, "g-743-eng"))
    in_city, outside = (told_of(catalog, placed(
        catalog, Side.SOVIET, DecisionKind.MOVE_AND_DECLARE,
        {"s-19-54g-inf": (915, 0), "g-20-eng": (where, 0), "g-743-eng": (where, 0)},
        side=Side.SOVIET, kind=ImpulseKind.ACTION, phase=Phase.MOVEMENT, declared=3,
        supply=(3, 3, 0)), MoveAndDeclare(assaults=(assault,))) for where in (2021, 2030))
    assert in_city == outside


@pytest.mark.rule("WD E.4-C")
def test_deployed_artillery_is_seen_but_not_where_in_its_stack() -> None:
    catalog = game_of(0)[0].catalog
    one, other = indices(catalog, "s-19-i-45g-art", "s-19-ii-45g-art")
    guns = (("s-19-i-45g-art", (915, Status.DEPLOYED)), ("s-19-ii-45g-art", (915, Status.DEPLOYED)))
    for order in (guns, guns[::-1]):
        state = placed(catalog, Side.GERMAN, DecisionKind.MOVE_AND_DECLARE, dict((
            ("g-20-eng", (814, 0)), ("s-19-54g-inf", (915, 0)), *order)))
        (stack,) = WHITE_DEATH.view(catalog, state, Side.GERMAN).enemy
        assert stack.deployed == (one, other)


@pytest.mark.rule("WD 20.B")
def test_a_bridge_does_not_tell_the_enemy_who_built_it() -> None:
    catalog, state = game_of(0)[0].catalog, game_of(0)[1][0].state
    (builder,) = indices(catalog, "s-2mc-eng")
    bridge = Bridge(at(catalog, 2025), builder)
    state = replace(state, bridges=(bridge,))
    assert WHITE_DEATH.view(catalog, state, Side.SOVIET).bridges == (bridge,)
    assert WHITE_DEATH.view(catalog, state, Side.GERMAN).bridges == (Bridge(bridge.hex),)
