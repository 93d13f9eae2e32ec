"""White Death positions and orders at random: for Hypothesis, and from a seed where many are asked.

They are well-formed values of a catalog (units, hexes, numbers and words that exist), not
positions that play could reach: the rules are for others to ask.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from lovat_server.games.white_death import orders as wd
from lovat_server.games.white_death.catalog import Catalog
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

T = TypeVar("T")

STATUS = sum(Status)
NUMBERS = st.integers(0, 12) | st.integers(-999_999, 999_999)
FIRES = st.integers(0, 30 * FP) | st.integers(-9_999 * FP, 9_999 * FP)
POOLS = st.lists(st.sampled_from(Pool), max_size=3).map(tuple)


def _some(items: SearchStrategy[T], most: int = 4) -> SearchStrategy[tuple[T, ...]]:
    return st.lists(items, max_size=most).map(tuple)


def _pair(items: SearchStrategy[T]) -> SearchStrategy[tuple[T, T]]:
    return st.tuples(items, items)


def _triple(items: SearchStrategy[T]) -> SearchStrategy[tuple[T, T, T]]:
    return st.tuples(items, items, items)


def unit_indices(catalog: Catalog) -> SearchStrategy[int]:
    return st.integers(0, len(catalog.units) - 1)


def hex_indices(catalog: Catalog) -> SearchStrategy[int]:
    return st.integers(0, catalog.map.grid.size - 1)


def unit_states(catalog: Catalog) -> SearchStrategy[UnitState]:
    """One unit anywhere, stacked often: half of those on the map stand in one of three hexes."""
    hexes = st.just(OFF_MAP) | st.integers(0, 2) | hex_indices(catalog)
    return st.builds(
        UnitState, hexes, st.integers(0, 4) | NUMBERS, st.integers(0, STATUS),
        st.integers(0, 4) | NUMBERS, st.integers(0, 2), st.just(0) | NUMBERS)


def states(catalog: Catalog) -> SearchStrategy[State]:
    """Any position: up to 16 units are anything, the others wait as printed; the rest is free."""
    unit, hex_ = unit_indices(catalog), hex_indices(catalog)
    opening = opening_state(catalog, Options())

    def with_units(changes: dict[int, UnitState], values: dict[str, Any]) -> State:
        units = tuple(changes.get(index, old) for index, old in enumerate(opening.units))
        return replace(opening, units=units, **values)

    pending = _some(st.builds(Pending, unit, hex_))
    standing = st.builds(
        wd.StandingOrders, st.sampled_from(wd.FirePolicy),
        *[st.sampled_from(wd.Choice)] * 5)
    values = st.fixed_dictionaries({}, optional={
        "turn": NUMBERS,
        "bunkers": st.tuples(*[NUMBERS for _ in catalog.bunkers]),
        "bridges": _some(st.builds(Bridge, hex_, st.just(-1) | unit)),
        "supply": _triple(NUMBERS),
        "decision": st.builds(Decision, st.sampled_from(DecisionKind), st.sampled_from(Side)),
        "options": st.builds(Options, *[st.booleans()] * 3),
        "weather": st.sampled_from(Weather),
        "side": st.sampled_from(Side),
        "impulses": _pair(NUMBERS),
        "points": _pair(NUMBERS),
        "declared": NUMBERS,
        "kind": st.sampled_from(ImpulseKind),
        "phase": st.sampled_from(Phase),
        "paid": _triple(NUMBERS),
        "high_intensity": _triple(st.booleans()),
        "sustained": st.booleans(),
        "released": st.booleans(),
        "replacements": _pair(NUMBERS),
        "rail_moved": _pair(NUMBERS),
        "assaults": _some(st.builds(wd.Assault, hex_, _some(unit), _some(unit))),
        "retreats": pending,
        "withdrawn": pending,
        "vacated": _some(hex_),
        "railroad_held": _some(hex_).map(lambda hexes: sum(1 << hex_ for hex_ in set(hexes))),
        "ledger": st.builds(Ledger, _pair(NUMBERS), _pair(NUMBERS), _pair(NUMBERS), NUMBERS),
        "standing": _pair(standing),
    })
    return st.builds(with_units, st.dictionaries(unit, unit_states(catalog), max_size=16), values)


def orders(catalog: Catalog) -> SearchStrategy[wd.Order]:
    """Any order of any kind."""
    return st.one_of(*order_kinds(catalog).values())


def order_kinds(catalog: Catalog) -> dict[type, SearchStrategy[Any]]:
    """A strategy for each kind of order, every field of it free."""
    unit, hex_ = unit_indices(catalog), hex_indices(catalog)
    units, hexes, flag = _some(unit), _some(hex_), st.booleans()
    marks = st.just("") | st.sampled_from(sorted({"28", "184TB"} | {
        printed.division for printed in catalog.units if printed.division}))
    placements = _some(st.builds(wd.Placement, unit, st.integers(0, 2) | hex_), 8)
    shots = _some(st.builds(wd.Shot, unit, FIRES))
    fires = _some(st.builds(wd.Fire, hex_, shots, shots, units,
                            _some(st.builds(wd.Support, unit, hex_)), marks))
    action: SearchStrategy[Any] = st.one_of(
        st.builds(wd.March, units, hexes, flag), st.builds(wd.Rail, units, hex_),
        st.builds(wd.Deploy, units), st.builds(wd.BuildBridge, unit),
        st.builds(wd.DestroyBridge, unit), st.builds(wd.Arrange, hex_, units),
        st.builds(wd.Abandon, units), st.builds(wd.Exit, units))
    return {
        wd.DistributeLosses: st.builds(
            wd.DistributeLosses, _some(st.builds(wd.Casualty, unit, NUMBERS)),
            _some(st.builds(wd.BunkerCasualty, hex_, NUMBERS)), flag),
        wd.SetUp: st.builds(wd.SetUp, placements, placements, flag),
        wd.Refit: st.builds(wd.Refit, marks),
        wd.SustainGarrison: st.builds(wd.SustainGarrison, flag),
        wd.Replace: st.builds(
            wd.Replace, _some(st.builds(wd.Replacement, unit, NUMBERS, st.just(OFF_MAP) | hex_)),
            units),
        wd.DeclareImpulse: st.builds(wd.DeclareImpulse, NUMBERS, st.sampled_from(ImpulseKind)),
        wd.MoveAndDeclare: st.builds(
            wd.MoveAndDeclare, _some(action, 8), _some(st.builds(wd.Assault, hex_, units, units))),
        wd.RetreatBeforeCombat: st.builds(
            wd.RetreatBeforeCombat, _some(st.builds(wd.Withdrawal, unit, hex_))),
        wd.Pursue: st.builds(wd.Pursue, _some(st.builds(wd.Pursuit, hex_, units, hex_))),
        wd.Barrage: st.builds(
            wd.Barrage, _some(st.builds(wd.BarrageFire, hex_, units, _some(FIRES))), POOLS),
        wd.DefensiveFire: st.builds(wd.DefensiveFire, fires, POOLS),
        wd.AssaultFire: st.builds(wd.AssaultFire, fires),
        wd.Retreat: st.builds(wd.Retreat, _some(st.builds(wd.Route, unit, hexes)), units),
        wd.Advance: st.builds(wd.Advance, _some(st.builds(wd.Occupation, hex_, units))),
    }


def random_state(catalog: Catalog, random: Random) -> State:
    """A full position from a seed: stacks, losses and every track; as quick as it is plain."""
    size, count = catalog.map.grid.size, len(catalog.units)
    hexes = random.choices(range(size), k=max(3, count // 3))
    outside = random.choice((0.05, 0.3, 0.9))
    gone = random.choice((0.0, 0.1, 0.5))
    units = []
    for printed in catalog.units:
        strength = 0 if random.random() < gone else random.randint(1, printed.strength)
        off = random.random() < outside or not strength
        units.append(UnitState(
            OFF_MAP if off else random.choice(hexes),
            strength,
            random.choice((0, 0, 4, 5, random.randint(0, STATUS))),
            0 if off else random.choice((0, 1, 2, 3, random.randint(-3, 40))),
            random.choice((0, 0, 0, 1, 2)),
            random.randint(0, 13) if off else 0))

    def some(make: Callable[[], T]) -> tuple[T, ...]:
        return tuple(make() for _ in range(random.choice((0, 0, 1, 3))))

    def unit() -> int:
        return random.randrange(count)

    def place() -> int:
        return random.randrange(size)

    def number() -> int:
        return random.choice((0, 0, 1, 10, random.randint(0, 40)))

    def pair() -> tuple[int, int]:
        return number(), number()

    def flag() -> bool:
        return random.random() < 0.3

    def small() -> wd.StandingOrders:
        return wd.StandingOrders(random.choice(tuple(wd.FirePolicy)),
                                 *random.choices(tuple(wd.Choice), (8, 1, 1), k=5))

    def assault() -> wd.Assault:
        return wd.Assault(place(), some(unit), some(unit))

    return State(
        turn=random.randint(1, 13),
        units=tuple(units),
        bunkers=tuple(random.choice((printed.strength, random.randint(0, printed.strength)))
                      for printed in catalog.bunkers),
        bridges=some(lambda: Bridge(place(), random.choice((-1, unit())))),
        supply=(number(), number(), number()),
        decision=Decision(random.choice(tuple(DecisionKind)), random.choice(tuple(Side))),
        options=Options(flag(), flag(), flag()),
        weather=random.choice(tuple(Weather)),
        side=random.choice(tuple(Side)),
        impulses=pair(),
        points=pair(),
        declared=number(),
        kind=random.choice(tuple(ImpulseKind)),
        phase=random.choice(tuple(Phase)),
        paid=(number(), number(), number()),
        high_intensity=(flag(), flag(), flag()),
        sustained=flag(),
        released=flag(),
        replacements=pair(),
        rail_moved=pair(),
        assaults=some(assault),
        retreats=some(lambda: Pending(unit(), place())),
        withdrawn=some(lambda: Pending(unit(), place())),
        vacated=some(place),
        railroad_held=sum(1 << hex_ for hex_ in set(some(place))),
        ledger=Ledger(pair(), pair(), pair(), number()),
        standing=(small(), small()),
    )
