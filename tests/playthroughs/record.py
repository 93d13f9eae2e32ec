"""Playthroughs as text: one line a decision, in a folder of files that only `regenerate` writes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random

from lovat_server.core.dice import KeyedDice
from lovat_server.games.white_death import standing
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import TurnBegan, WeatherRolled
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    DeclareImpulse,
    MoveAndDeclare,
    Order,
)
from lovat_server.games.white_death.state import Options, State
from lovat_server.games.white_death.terms import DecisionKind
from lovat_server.scenarios.loader import load_catalog, scenario_ids
from tests.properties.player import RandomPlayer, choose

GOLDEN = Path(__file__).parent / "golden"
PLAYERS = ("random", "standing")
SEED = 1942
PREFIX = 12


@dataclass(frozen=True, slots=True)
class Playthrough:
    scenario: str
    player: str

    @property
    def name(self) -> str:
        return f"{self.scenario}-{self.player}"

    @property
    def path(self) -> Path:
        return GOLDEN / f"{self.name}.txt"


class NotedDice:
    """Keyed dice that remember what they rolled."""

    def __init__(self, secret: bytes) -> None:
        self._dice = KeyedDice(secret)
        self.rolled: list[int] = []

    @property
    def counter(self) -> int:
        return self._dice.counter

    def roll(self) -> int:
        die = self._dice.roll()
        self.rolled.append(die)
        return die

    def rewind(self, counter: int) -> None:
        del self.rolled[len(self.rolled) - (self.counter - counter):]
        self._dice.rewind(counter)

    def take(self) -> str:
        """Dice since the last time, as digits."""
        text = "".join(map(str, self.rolled)) or "-"
        self.rolled.clear()
        return text


def playthroughs() -> list[Playthrough]:
    """Each scenario that has a standard set-up, by each player."""
    return [Playthrough(scenario, player) for scenario in scenario_ids()
            if _begin(load_catalog(scenario), NotedDice(b"")) is not None for player in PLAYERS]


def _begin(catalog: Catalog, dice: NotedDice) -> State | None:
    created = WHITE_DEATH.create(catalog, Options(), dice, standard_set_up=True)
    waits = created.state.decision.kind in (DecisionKind.DISTRIBUTE_LOSSES, DecisionKind.SET_UP)
    return None if created.violations or waits else created.state


def lines(playthrough: Playthrough) -> Iterator[str]:
    """The whole game as text."""
    catalog = load_catalog(playthrough.scenario)
    dice = NotedDice(f"playthrough {SEED}".encode())
    state = _begin(catalog, dice)
    assert state is not None, playthrough
    player = RandomPlayer(Random(SEED))
    yield f"# {catalog.scenario.title}, played by {playthrough.player}, seed {SEED}"
    yield f"standard set-up | dice {dice.take()} | {WHITE_DEATH.checksum(state)[:PREFIX]}"
    while state.decision.kind != DecisionKind.GAME_OVER:
        order = standing.answer(Battle(catalog, state)) if playthrough.player == "standing" \
            else choose(player, catalog, state)[0]
        done = WHITE_DEATH.submit(catalog, state, order, dice)
        assert not done.violations, (order, done.violations)
        side = state.decision.side.name.lower()
        yield (f"T{state.turn} {state.points[0]}:{state.points[1]} {side} "
               f"{summary(catalog, order)} | {len(done.events)} events | dice {dice.take()} | "
               f"{WHITE_DEATH.checksum(done.state)[:PREFIX]}")
        for event in done.events:
            if isinstance(event, TurnBegan):
                yield f"-- turn {event.turn}"
            elif isinstance(event, WeatherRolled):
                yield f"-- {event.weather.name.lower()}"
        state = done.state
    score = WHITE_DEATH.score(catalog, state)
    for line in score.lines:
        yield f"{line.name}: {line.count}, {line.points} points"
    yield f"{score.points} points: {score.level}"


def summary(catalog: Catalog, order: Order) -> str:
    """An order in a few words: what there is of each kind, and the hexes of fire and assault."""
    name = type(order).__name__
    match order:
        case DeclareImpulse():
            return f"{order.kind.name.lower()} {order.points}"
        case MoveAndDeclare():
            counts = Counter(type(action).__name__ for action in order.actions)
            words = [f"{kind} {count}" for kind, count in sorted(counts.items())]
            words += [f"assault {catalog.map.numbers[assault.hex]:04d}x{len(assault.units)}"
                      for assault in order.assaults]
            return f"{name} {', '.join(words)}".rstrip()
        case _:
            return f"{name} {', '.join(_field(catalog, order))}".rstrip()


def _field(catalog: Catalog, order: Order) -> Iterator[str]:
    for field in fields(order):
        value = getattr(order, field.name)
        if isinstance(value, tuple):
            hexes = [f"{catalog.map.numbers[entry.hex]:04d}" for entry in value
                     if getattr(entry, "hex", -1) >= 0]
            if value:
                yield f"{field.name} {' '.join(hexes) if hexes else len(value)}"
        elif value:
            yield f"{field.name} {value}"
