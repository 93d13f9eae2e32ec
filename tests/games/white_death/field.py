"""Small made-up battlefields for tests: a map of words, counters by keyword, a line a position.

    catalog = field(units=[soviet("rifle"), german("bn")], forest="0405", road="0101-0201")
    battle = place(catalog, "rifle 0404 2 deployed; bn 0505", dice=(1, 6))

The charts are the real ones. Column and row numbers are CCRR as on the real map.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import pairwise

from lovat_server.core.dice import ScriptedDice
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import (
    BattleMap,
    Bunker,
    Catalog,
    Charts,
    Level,
    Scenario,
    Unit,
    VictorySchedule,
)
from lovat_server.games.white_death.state import Bridge, Decision, State, UnitState
from lovat_server.games.white_death.terms import (
    FP,
    DecisionKind,
    ImpulseKind,
    Kind,
    Mobility,
    Phase,
    Side,
    Size,
    Status,
    Weather,
)
from lovat_server.hexmap.grid import Grid, board_of, hexes_of, opposite
from lovat_server.scenarios.loader import load_catalog

COLUMNS, ROWS = 12, 12
GRID = Grid(COLUMNS, ROWS)


def at(number: int) -> int:
    """The hex index of a printed number on the small map."""
    return GRID.index(number // 100, number % 100)


def number(hex_: int) -> int:
    """The printed number of a hex index on the small map."""
    return GRID.column(hex_) * 100 + GRID.row(hex_)


@cache
def charts() -> Charts:
    return load_catalog("purkayevs-attack").charts


def _unit(id_: str, side: Side, **printed: object) -> Unit:
    plain = Unit(
        id=id_, label=id_, side=side, type="infantry",
        size=Size.REGIMENT if side == Side.SOVIET else Size.BATTALION,
        division="", divisional=False, formation="test", battalion="", regiment="",
        colour="army", mobility=Mobility.LEG, kind=Kind.PERSONNEL, strength=3,
        conventional=3 * FP, defensive_only=False, antitank=FP // 2, defence=0, morale=8,
        barrage=0, range=0, support=0, traits=frozenset(), set_up="ALL", arrival_turn=0,
        arrival_impulse=0, arrival_area="",
    )
    if "traits" in printed:
        printed["traits"] = frozenset(str(printed["traits"]).split())
    if "division" in printed:
        printed.setdefault("divisional", True)
    return plain._replace(**printed)  # type: ignore[arg-type]


def soviet(id_: str, **printed: object) -> Unit:
    """A Soviet rifle regiment of strength 3, conventional 3, antitank 1/2, morale 8."""
    return _unit(id_, Side.SOVIET, **printed)


def german(id_: str, **printed: object) -> Unit:
    """A German infantry battalion of strength 3, conventional 3, antitank 1/2, morale 8."""
    return _unit(id_, Side.GERMAN, **printed)


def tanks(unit: Unit, *, defence: int = 4, antitank: int = 1, **printed: object) -> Unit:
    """The unit as tracked AFV."""
    return unit._replace(type="T-34", kind=Kind.AFV, mobility=Mobility.TRACK, defence=defence,
                         antitank=antitank * FP, **printed)  # type: ignore[arg-type]


def guns(unit: Unit, *, barrage: int = 4, range_: int = 6, support: int = 2,
         **printed: object) -> Unit:
    """The unit as field artillery: heavy weapons, draft, defensive conventional factor 1."""
    return unit._replace(type="field artillery", kind=Kind.HEAVY_WEAPONS, conventional=FP,
                         defensive_only=True, barrage=barrage, range=range_, support=support,
                         mobility=Mobility.DRAFT, **printed)  # type: ignore[arg-type]


def _board(text: str) -> int:
    return board_of(at(int(word)) for word in text.split())


def _sides(text: str, *, both: bool = True) -> tuple[int, ...]:
    """Hexside boards from paths "0101-0102-0103 0505-0605"; one way only unless `both`."""
    boards = [0] * 6
    for path in text.split():
        hexes = [at(int(word)) for word in path.split("-")]
        for start, end in pairwise(hexes):
            direction = GRID.direction(start, end)
            assert direction is not None, f"{number(start)} and {number(end)} do not touch"
            boards[direction] |= 1 << start
            if both:
                boards[opposite(direction)] |= 1 << end
    return tuple(boards)


def _banks(river: int) -> tuple[tuple[str, ...], ...]:
    """West and east of a river that runs from north to south."""
    banks: list[tuple[str, ...]] = []
    for hex_ in range(GRID.size):
        if not river >> hex_ & 1:
            banks.append(())
            continue
        sides = []
        for other in GRID.neighbours[hex_]:
            if other < 0 or river >> other & 1:
                sides.append("")
                continue
            same_row = [r for r in hexes_of(river) if GRID.row(r) == GRID.row(other)]
            pivot = GRID.column(same_row[0] if same_row else hex_)
            sides.append("W" if GRID.column(other) < pivot else "E")
        banks.append(tuple(sides))
    return tuple(banks)


def field(
    units: list[Unit], *, forest: str = "", town: str = "", creek: str = "", river: str = "",
    high: str = "", road: str = "", rail: str = "", lake: str = "", partial_lake: str = "",
    down: str = "", city: str = "", railroad_towns: str = "",
    bunkers: dict[int, int] | None = None, areas: dict[str, str] | None = None,
) -> Catalog:
    """A catalog of these counters on a small map. `city` hexes are towns too.

    Hexes are "0405 0406"; roads, rails, lakes are paths between neighbours "0101-0102"; `down`
    are pairs "high-low".
    """
    river_board = _board(river)
    grid = GRID
    everywhere = grid.full
    zones = {name: _board(text) for name, text in (areas or {}).items()}
    edges = {"E": grid.column_board(COLUMNS), "W": grid.column_board(1), "SE": 0, "NE": 0,
             "S": 0, "SW": 0, "NW": 0, "ALL": everywhere}
    battle_map = BattleMap(
        grid=grid, names={}, forest=_board(forest), town=_board(town) | _board(city),
        creek=_board(creek), river=river_board, high=_board(high), road=_sides(road),
        rail=_sides(rail), lake_full=_sides(lake), lake_partial=_sides(partial_lake),
        down=_sides(down, both=False), bank=_banks(river_board), city=_board(city),
        railroad_towns=_board(railroad_towns), areas={**edges, **zones},
        numbers=tuple(number(hex_) for hex_ in range(grid.size)),
        index={number(hex_): hex_ for hex_ in range(grid.size)},
    )
    ordered = tuple(sorted(units, key=lambda unit: (unit.side, unit.id)))
    schedule = VictorySchedule(10, 0, 20, 0, 10, 5, 0, 0, {}, 0, (Level(0, "German Victory"),))
    scenario = Scenario(
        id="test", title="Test", first_turn=1, last_turn=4, bridges=(), supply=(0, 0, 0),
        garrisons=False, victory=schedule, historical_result="", zones={"ALL": "anywhere"},
        standard_set_up={},
    )
    real = load_catalog("purkayevs-attack")
    return Catalog(
        scenario=scenario, map=battle_map, units=ordered,
        bunkers=tuple(Bunker(at(hex_), strength) for hex_, strength in (bunkers or {}).items()),
        charts=charts(), arrivals=real.arrivals, content_hash="test", provenance={},
        unit_index={unit.id: place for place, unit in enumerate(ordered)},
        side_units=tuple(
            tuple(place for place, unit in enumerate(ordered) if unit.side == side)
            for side in Side
        ),
    )


def place(
    catalog: Catalog, line: str, *, dice: tuple[int, ...] = (),
    decision: DecisionKind = DecisionKind.MOVE_AND_DECLARE, side: Side = Side.SOVIET,
    phasing: Side | None = None, points: int = 10, declared: int = 10,
    kind: ImpulseKind = ImpulseKind.ACTION, weather: Weather = Weather.FROST,
    supply: tuple[int, int, int] = (9, 9, 9), bridges: str = "", phase: Phase = Phase.NONE,
    turn: int = 1, **more: object,
) -> Battle:
    """A battle with units as "id CCRR [strength] [status ...]; ...", each stack in that order.

    Status words are the names of `Status`; artillery is supplied unless "unsupplied" is said.
    """
    states = [UnitState(strength=unit.strength) for unit in catalog.units]
    ranks: dict[int, int] = {}
    for entry in filter(None, (part.strip() for part in line.split(";"))):
        name, where, *words = entry.split()
        index = catalog.unit_index[name]
        status = Status.NONE if "unsupplied" in words else Status.SUPPLIED
        strength = catalog.units[index].strength
        for word in words:
            if word.isdigit():
                strength = int(word)
            elif word != "unsupplied":
                status |= Status[word.upper()]
        hex_ = at(int(where))
        states[index] = UnitState(hex_, strength, int(status), ranks.setdefault(hex_, 0))
        ranks[hex_] += 1
    state = State(
        turn=turn, units=tuple(states),
        bunkers=tuple(bunker.strength for bunker in catalog.bunkers),
        bridges=tuple(Bridge(at(int(word))) for word in bridges.split()), supply=supply,
        decision=Decision(decision, side), weather=weather,
        side=side if phasing is None else phasing, points=(points, points), declared=declared,
        kind=kind, phase=phase,
    )
    if more:
        state = replace(state, **more)  # type: ignore[arg-type]
    return Battle(catalog, state, ScriptedDice(dice))
