"""Twenty attacks of every kind on small fields: an order, and how to resolve it again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import barrage, fire
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import (
    Event,
    MoraleChecked,
    PhaseBegan,
    RetreatRequired,
    StrengthLost,
    UnitEliminated,
    UnitHalted,
)
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    DefensiveFire,
    MoveAndDeclare,
    Order,
)
from lovat_server.games.white_death.previews import Outcome
from lovat_server.games.white_death.state import Options
from lovat_server.games.white_death.terms import (
    FP,
    Cause,
    DecisionKind,
    Kind,
    MoraleResult,
    Phase,
    Side,
    Weather,
)

from .field import at, field, german, guns, place, soviet, tanks

FIRED = (Cause.CONVENTIONAL, Cause.ANTITANK, Cause.BARRAGE, Cause.ROUT)
_CHECKED = {MoraleResult.PASSED: Outcome.PASSED, MoraleResult.FAILED: Outcome.FAILED,
            MoraleResult.ROUTED: Outcome.ROUTED}
_KINDS = {Phase.BARRAGE: DecisionKind.BARRAGE, Phase.DEFENSIVE_FIRE: DecisionKind.DEFENSIVE_FIRE,
          Phase.ASSAULT: DecisionKind.ASSAULT_FIRE, Phase.MOVEMENT: DecisionKind.MOVE_AND_DECLARE}


@dataclass
class Attack:
    battle: Battle
    order: Order
    phase: Phase

    def resolve(self, dice: KeyedDice) -> list[Event]:
        """Once, with the next dice: every event, those of what follows too."""
        state = self.battle.freeze()
        if isinstance(self.order, MoveAndDeclare):
            done = WHITE_DEATH.resolve_impulse(self.battle.catalog, state,
                                               {self.battle.side: (self.order,)}, dice)
            assert not done.violations
            return list(done.events)
        battle = Battle(self.battle.catalog, state, dice)
        if isinstance(self.order, Barrage):
            barrage.resolve_barrage(battle, self.order)
        else:
            assert isinstance(self.order, DefensiveFire | AssaultFire)
            fire.resolve(battle, self.phase, self.order)
        return battle.events


@dataclass
class Seen:
    """What became of units in one phase, as the events tell it."""

    lost: dict[int, int]
    outcomes: dict[int, Outcome]
    left: set[int]          # gone or must go
    halted: set[int]        # gone or assault no more


def read(events: Iterable[Event], first: Phase) -> dict[Phase, Seen]:
    """Phase by phase; `first` is the phase in which the events begin."""
    phases: dict[Phase, Seen] = {}
    phase, cause = first, Cause.NONE
    for event in events:
        seen = phases.setdefault(phase, Seen({}, {}, set(), set()))
        match event:
            case PhaseBegan(began):
                if began in phases:
                    break           # of the next impulse
                phase = began
            case StrengthLost(unit, points, cause, _) if cause in FIRED:
                seen.lost[unit] = seen.lost.get(unit, 0) + points
            case UnitEliminated(unit, _) if cause in FIRED:
                seen.outcomes[unit] = Outcome.ELIMINATED
                seen.left.add(unit)
                seen.halted.add(unit)
            case MoraleChecked():
                seen.outcomes[event.unit] = _CHECKED[event.result]
            case UnitHalted(unit):
                seen.halted.add(unit)
            case RetreatRequired(unit, _, _):
                seen.left.add(unit)
            case _:
                pass
        if isinstance(event, StrengthLost):
            cause = event.cause
    return phases


def _at(catalog: Catalog, hex_: int, ids: str, charge: str = "") -> Assault:
    index = catalog.unit_index
    return Assault(at(hex_), tuple(index[id_] for id_ in ids.split()),
                   tuple(index[id_] for id_ in charge.split()))


def _attack(catalog: Catalog, line: str, phase: Phase, *assaults: Assault,
            attacker: Side = Side.SOVIET, order: Order | None = None, **more: Any) -> Attack:
    decides = attacker.enemy if phase == Phase.DEFENSIVE_FIRE else attacker
    if phase == Phase.MOVEMENT:
        battle = place(catalog, line, side=attacker, phase=phase, **more)
        return Attack(battle, MoveAndDeclare((), assaults), phase)
    battle = place(catalog, line, decision=_KINDS[phase], side=decides, phasing=attacker,
                   phase=phase, assaults=assaults, **more)
    return Attack(battle, order or fire.default_order(battle, phase), phase)


def _barrage(catalog: Catalog, line: str, *fires: tuple[int, str, tuple[int, ...]],
             **more: Any) -> Attack:
    order = Barrage(tuple(
        BarrageFire(at(hex_), tuple(catalog.unit_index[id_] for id_ in ids.split()),
                    tuple(value * FP for value in values)) for hex_, ids, values in fires))
    return _attack(catalog, line, Phase.BARRAGE, order=order, **more)


def light(unit: Any, **printed: Any) -> Any:
    return unit._replace(kind=Kind.LIGHT_WEAPONS, type="antitank", **printed)


def _gunners() -> list[Any]:
    return [guns(soviet("art", strength=6), barrage=5), guns(soviet("how", strength=5), barrage=6),
            soviet("scout"), german("b1", strength=4), german("b2", strength=2, morale=6),
            tanks(german("pz", strength=3)), guns(german("gun", strength=2))]


def barrage_of_a_stack() -> Attack:
    return _barrage(field(_gunners()), "art 0404 6 deployed; how 0404 5 deployed; scout 0506; "
                    "b1 0406; b2 0406; pz 0406; gun 0406", (406, "art how", (30, 20, 10)))


def barrage_of_a_bunker() -> Attack:
    return _barrage(field(_gunners(), bunkers={406: 2}, town="0406"),
                    "art 0404 6 deployed; how 0404 5 deployed; scout 0506; b1 0406; b2 0406",
                    (406, "art how", ()))


def barrage_unobserved_of_two_hexes() -> Attack:
    return _barrage(field(_gunners(), forest="0406 0409"),
                    "art 0404 6 deployed; how 0404 5 deployed; b1 0406; b2 0409 1; gun 0409",
                    (406, "art", ()), (409, "how", (8, 7)))


def barrage_in_snow_of_isolated_units() -> Attack:
    return _barrage(field(_gunners()), "art 0404 6 deployed; how 0404 5 deployed; scout 0506; "
                    "b1 0406 1 isolated; b2 0406 2 isolated; gun 0406 2 isolated",
                    (406, "art how", (30, 30)), weather=Weather.SNOW,
                    options=Options(abandoned_equipment=True))


def _riflemen(**more: Any) -> list[Any]:
    return [soviet("r1", strength=5), soviet("r2", strength=4, morale=7), soviet("r3", strength=2),
            tanks(soviet("t1", strength=4), defence=4, antitank=2),
            tanks(soviet("t2", strength=1), defence=3, antitank=2),
            german("b1", strength=4), german("b2", strength=3), german("b3", strength=2, morale=7),
            light(german("pak", strength=2), antitank=4 * FP, traits="steady", **more)]


def fire_at_a_stack() -> Attack:
    catalog = field(_riflemen())
    return _attack(catalog, "r1 0405; r2 0405; r3 0405; b1 0404; b2 0404", Phase.DEFENSIVE_FIRE,
                   _at(catalog, 404, "r1 r2 r3"))


def fire_at_two_assaults_out_of_one_hex() -> Attack:
    catalog = field(_riflemen())
    return _attack(catalog, "r1 0405; r2 0405; r3 0405; b1 0404; b2 0404; b3 0406; pak 0406",
                   Phase.DEFENSIVE_FIRE, _at(catalog, 404, "r1 r3"), _at(catalog, 406, "r2"))


def fire_down_a_slope_by_isolated_units() -> Attack:
    catalog = field(_riflemen(), down="0404-0405", town="0403")
    return _attack(catalog, "r1 0405 3 isolated; r2 0403; b1 0404 4 isolated; b3 0404",
                   Phase.DEFENSIVE_FIRE, _at(catalog, 404, "r1 r2"))


def fire_at_tanks() -> Attack:
    catalog = field(_riflemen(), forest="0404")
    return _attack(catalog, "t1 0405; t2 0405; r1 0405; b1 0404; pak 0404", Phase.DEFENSIVE_FIRE,
                   _at(catalog, 404, "t1 t2 r1"))


def fire_with_support_from_a_bunker() -> Attack:
    catalog = field([*_riflemen(), guns(german("gun", strength=4), support=4)],
                    bunkers={404: 6})
    return _attack(catalog, "r1 0405; r2 0304; b3 0404; gun 0402 4 deployed",
                   Phase.DEFENSIVE_FIRE, _at(catalog, 404, "r1 r2"))


def assault_of_a_stack() -> Attack:
    catalog = field(_riflemen())
    return _attack(catalog, "r1 0405; r2 0304; b1 0404; b2 0404; b3 0404", Phase.ASSAULT,
                   _at(catalog, 404, "r1 r2"))


def assault_by_tanks_that_frighten() -> Attack:
    catalog = field(_riflemen())
    return _attack(catalog, "t1 0405; r3 0405; b1 0404; b2 0404; b3 0404", Phase.ASSAULT,
                   _at(catalog, 404, "t1 r3"))


def assault_by_tanks_of_a_steady_unit() -> Attack:
    """The guns may be lost before the others check, and their calm with them."""
    catalog = field(_riflemen())
    return _attack(catalog, "t1 0405; r1 0405; r2 0405; b3 0404; pak 0404 1", Phase.ASSAULT,
                   _at(catalog, 404, "t1 r1 r2"))


def assault_by_tanks_of_guns_that_are_abandoned() -> Attack:
    catalog = field(_riflemen(morale=5))
    return _attack(catalog, "t1 0405; r1 0405; b1 0404 1; b3 0404; pak 0404", Phase.ASSAULT,
                   _at(catalog, 404, "t1 r1"), options=Options(abandoned_equipment=True))


def assault_by_cavalry() -> Attack:
    catalog = field([soviet("cav", strength=4, traits="cavalry"), *_riflemen()])
    return _attack(catalog, "cav 0405; r1 0304; b1 0404; b2 0404; pak 0404", Phase.ASSAULT,
                   _at(catalog, 404, "cav r1", "cav"))


def assault_of_a_town_in_snow() -> Attack:
    catalog = field([soviet("smg", strength=4, traits="close_combat"), *_riflemen()], town="0404")
    return _attack(catalog, "smg 0405; r1 0405; b1 0404 1; b2 0404 2 isolated; pak 0404",
                   Phase.ASSAULT, _at(catalog, 404, "smg r1"), weather=Weather.SNOW)


def assault_of_tanks_and_destroyers() -> Attack:
    catalog = field([*_riflemen(), tanks(german("pz", strength=3)),
                     tanks(german("marder", strength=2), traits=frozenset({"tank_destroyer"}))])
    return _attack(catalog, "t1 0405; t2 0304; r1 0304; pz 0404; marder 0404; b1 0404",
                   Phase.ASSAULT, _at(catalog, 404, "t1 t2 r1"))


def whole_assault() -> Attack:
    catalog = field(_riflemen())
    return _attack(catalog, "r1 0405; r3 0405; b1 0404; b3 0404", Phase.MOVEMENT,
                   _at(catalog, 404, "r1 r3"))


def whole_assault_with_tanks() -> Attack:
    catalog = field(_riflemen())
    return _attack(catalog, "r1 0405; t1 0405; t2 0304; b1 0404; pak 0404; b3 0404",
                   Phase.MOVEMENT, _at(catalog, 404, "r1 t1 t2"))


def whole_assaults_with_one_battery() -> Attack:
    """Guns support the first of two assaults that is not repelled."""
    catalog = field([*(unit._replace(division="9G", divisional=True)
                       if unit.id in ("r1", "r2") else unit for unit in _riflemen()),
                     guns(soviet("gun", strength=4, division="9G"), support=4)])
    return _attack(catalog, "r1 0405 2; r2 0407 2; gun 0508 4 deployed; b1 0404; b2 0408",
                   Phase.MOVEMENT, _at(catalog, 404, "r1"), _at(catalog, 408, "r2"))


def whole_german_assault() -> Attack:
    catalog = field([*_riflemen(), tanks(german("pz", strength=3))], creek="0404")
    return _attack(catalog, "b1 0405; b2 0405; pz 0304; r2 0404; t1 0404; r3 0404",
                   Phase.MOVEMENT, _at(catalog, 404, "b1 b2 pz"), attacker=Side.GERMAN)


ATTACKS: tuple[Callable[[], Attack], ...] = (
    barrage_of_a_stack, barrage_of_a_bunker, barrage_unobserved_of_two_hexes,
    barrage_in_snow_of_isolated_units, fire_at_a_stack, fire_at_two_assaults_out_of_one_hex,
    fire_down_a_slope_by_isolated_units, fire_at_tanks, fire_with_support_from_a_bunker,
    assault_of_a_stack, assault_by_tanks_that_frighten, assault_by_tanks_of_a_steady_unit,
    assault_by_tanks_of_guns_that_are_abandoned, assault_by_cavalry, assault_of_a_town_in_snow,
    assault_of_tanks_and_destroyers, whole_assault, whole_assault_with_tanks,
    whole_assaults_with_one_battery, whole_german_assault,
)
