"""What the rules hide from a side, exchanged for something else that is hidden as well.

[WD 4.C, E.4-C] Of an enemy stack a side sees the hex, how many counters lie there, and the front of
the top one. Hidden are:

- the other counters: which they are, and their order;
- the strength of every enemy unit, the top one's too, and what else its back or a marker says:
  whether it is deployed, isolated, in supply, shaken, halted, without its equipment, or has fired a
  barrage;
- all about units outside the map: which are lost, which wait, until when, with what strength;
- which engineers built a bridge, the strength points that the enemy has moved by rail, his standing
  orders, and the dice to come.

Not hidden are the fronts and states of units that a declared assault shows (all of the enemy in
the hex for the attacker, the assaulting units for the defender), units that are named as having to
retreat, deployed artillery in a hex the side observes, and every other track: supply, points,
losses, victory points. And the zones of control, that of ski units by itself: a zone is what the
counters below the top make it, and whoever moves near learns it by its effect. So the board of the
enemy's zone is kept as it is, and nothing else of what makes it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import NamedTuple

from lovat_server.games.white_death import observation, rail, stacking, victory, zones
from lovat_server.games.white_death.answers import Score
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import Choice, FirePolicy, StandingOrders
from lovat_server.games.white_death.position import Position
from lovat_server.games.white_death.state import State, UnitState
from lovat_server.games.white_death.terms import OFF_MAP, Phase, Side, Status

from .strategies import STATUS

EXCHANGES = 16
"""Counters that are tried to change places with another in one permutation."""

_PLACED = Status.DEPLOYED | Status.ISOLATED | Status.BARRAGED | Status.SHAKEN | Status.HALTED
"""Statuses of units on the map only."""


@dataclass(frozen=True, slots=True)
class Stack:
    """What is seen of an enemy stack; `shown` with the whole state, `deployed` without."""

    hex: int
    count: int
    top: int
    deployed: frozenset[int]
    shown: frozenset[tuple[int, UnitState]]


class Facts(NamedTuple):
    """All that a side may know and that a permutation could touch."""

    stacks: tuple[Stack, ...]
    zone: int
    ski_zone: int
    score: Score


def shown_units(state: Position | State, catalog: Catalog, side: Side) -> frozenset[int]:
    """[WD 4.C] Enemy units that a declared assault shows with all that is theirs."""
    if side != state.side:
        return frozenset(unit for assault in state.assaults for unit in assault.units)
    hexes = {assault.hex for assault in state.assaults}
    return frozenset(index for index in catalog.side_units[side.enemy]
                     if state.units[index].hex in hexes)


def facts(catalog: Catalog, state: State, side: Side) -> Facts:
    """What a side may know of the enemy, asked of the rules and not of what answers a view."""
    position = Position(catalog, state)
    shown = shown_units(state, catalog, side)
    stacks = []
    for hex_, stack in sorted(position.stacks().items()):
        if catalog.units[stack[0]].side == side:
            continue
        deployed = [index for index in stack if state.units[index].status & Status.DEPLOYED]
        seen = bool(deployed) and observation.is_observed(position, side, hex_)
        stacks.append(Stack(
            hex_, len(stack), stack[0], frozenset(deployed) if seen else frozenset(),
            frozenset((index, state.units[index]) for index in stack if index in shown)))
    return Facts(tuple(stacks), zones.zone_board(position, side.enemy),
                 zones.zone_board(position, side.enemy, ski_only=True), victory.score(position))


class Veil:
    """The hidden half of a position for one side, and permutations of it."""

    def __init__(self, catalog: Catalog, state: State, side: Side) -> None:
        self.catalog = catalog
        self.state = state
        self.side = side
        self.facts = facts(catalog, state, side)
        enemy = catalog.side_units[side.enemy]
        self.shown = shown_units(state, catalog, side)
        self.deployed = frozenset().union(*(stack.deployed for stack in self.facts.stacks))
        self.named = (self.shown | self.deployed | {stack.top for stack in self.facts.stacks}
                      | {pending.unit for pending in state.retreats})
        self.hidden = tuple(index for index in enemy
                            if index not in self.named and state.units[index].hex >= 0)
        self.outside = tuple(index for index in enemy
                             if index not in self.named and state.units[index].hex < 0)

    def _turned(self, state: State) -> list[int]:
        """Enemy units on the map of which a side does not know the back."""
        return [index for index in self.catalog.side_units[self.side.enemy]
                if index not in self.shown and state.units[index].hex >= 0]

    def permuted(self, random: Random) -> State:
        """Another position that is the same to the side, as the rules have it."""
        state = self.state
        state = self._exchanged(state, random)
        state = self._shuffled(state, random)
        state = self._weakened(state, random)
        state = self._marked(state, random)
        state = self._elsewhere(state, random)
        assert facts(self.catalog, state, self.side) == self.facts
        assert not WHITE_DEATH.check(self.catalog, state)
        return state

    def _exchanged(self, state: State, random: Random) -> State:
        """Hidden units in each other's places, or in that of one outside."""
        if not self.hidden:
            return state
        units = self.catalog.units
        for one in random.choices(self.hidden, k=EXCHANGES):
            others = self.hidden + self.outside
            alike = [other for other in others if units[other].mobility == units[one].mobility]
            other = random.choice(alike if random.random() < 0.8 else others)
            if state.units[other].hex == state.units[one].hex:
                continue
            changed = _exchange(self.catalog, state, one, other)
            if _stack_legally(self.catalog, state, changed, one, other) \
                    and facts(self.catalog, changed, self.side) == self.facts:
                state = changed
        return state

    def _shuffled(self, state: State, random: Random) -> State:
        """The counters below the top in another order; what is shown keeps its place."""
        rows = list(state.units)
        for stack in self.facts.stacks:
            below = [index for index in self._turned(state)
                     if rows[index].hex == stack.hex and index != stack.top]
            ranks = [rows[index].rank for index in below]
            random.shuffle(ranks)
            for index, rank in zip(below, ranks, strict=True):
                rows[index] = rows[index]._replace(rank=rank)
        return replace(state, units=tuple(rows))

    def _weakened(self, state: State, random: Random) -> State:
        """Any strength of what is on the map; of the garrison that is scored, the same in all."""
        rows, printed = list(state.units), self.catalog.units
        counted = bool(self.catalog.scenario.victory.garrison_survivor)
        turned = self._turned(state)
        for index in turned:
            if not (counted and "garrison_city" in printed[index].traits):
                strength = random.randint(1, printed[index].strength)
                rows[index] = rows[index]._replace(strength=strength)
        garrison = [index for index in turned if "garrison_city" in printed[index].traits]
        for one in garrison if counted else ():
            other = random.choice(garrison)
            if one != other and rows[one].strength > 1 \
                    and rows[other].strength < printed[other].strength:
                rows[one] = rows[one]._replace(strength=rows[one].strength - 1)
                rows[other] = rows[other]._replace(strength=rows[other].strength + 1)
        return replace(state, units=tuple(rows))

    def _marked(self, state: State, random: Random) -> State:
        """What backs and markers say, as far as it is neither seen nor makes a zone."""
        position = Position(self.catalog, state)
        rows = list(state.units)
        for index in self._turned(state):
            printed, unit = self.catalog.units[index], rows[index]
            bits = [Status.ISOLATED]
            if state.phase != Phase.NONE:
                bits += [Status.SHAKEN, Status.HALTED]
            if printed.is_artillery:
                bits += [Status.SUPPLIED, Status.BARRAGED]
                if "conspicuous" not in printed.traits and not unit.status & Status.ABANDONED \
                        and not observation.is_observed(position, self.side, unit.hex):
                    bits.append(Status.DEPLOYED)
            changed = sum(bit for bit in bits if random.random() < 0.3)
            rows[index] = unit._replace(status=unit.status ^ changed)
        changed_state = replace(state, units=tuple(rows))
        if not state.options.abandoned_equipment:
            return changed_state
        turned = self._turned(state)
        for index in random.sample(turned, min(4, len(turned))):
            if self.catalog.units[index].kind.is_weapons \
                    and not rows[index].status & Status.DEPLOYED:
                rows[index] = rows[index]._replace(status=rows[index].status ^ Status.ABANDONED)
                trial = replace(state, units=tuple(rows))
                if facts(self.catalog, trial, self.side) == self.facts:
                    changed_state = trial
                else:
                    rows = list(changed_state.units)
        return changed_state

    def _elsewhere(self, state: State, random: Random) -> State:
        """What lies outside the map, bridges' builders, the rail used and standing orders."""
        rows = list(state.units)
        counted = bool(self.catalog.scenario.victory.garrison_survivor)
        for index in self.catalog.side_units[self.side.enemy]:
            printed = self.catalog.units[index]
            if rows[index].hex == OFF_MAP and not (counted and "garrison_city" in printed.traits):
                rows[index] = UnitState(
                    OFF_MAP, random.randint(0, printed.strength),
                    random.choice((0, int(Status.WITHHELD), int(Status.SUPPLIED))),
                    0, 0, random.choice((0, random.randint(1, 13))))
        builders = [index for index in self.catalog.side_units[self.side.enemy]
                    if "bridge" in self.catalog.units[index].traits]
        bridges = tuple(
            bridge._replace(builder=random.choice(builders)) if bridge.builder in builders
            else bridge for bridge in state.bridges)
        both = list(state.standing)
        both[self.side.enemy] = StandingOrders(
            random.choice(tuple(FirePolicy)), *random.choices(tuple(Choice), k=5))
        railed = list(state.rail_moved)
        railed[self.side.enemy] = random.randint(0, rail.LIMIT)
        return replace(state, units=tuple(rows), bridges=bridges, standing=(both[0], both[1]),
                       rail_moved=(railed[0], railed[1]))


def only(state: State, units: tuple[int, ...]) -> State:
    """The position with nothing on the map but some units: orders that are spoilt name those."""
    kept = frozenset(units)
    return replace(state, units=tuple(
        unit if index in kept else unit._replace(hex=OFF_MAP)
        for index, unit in enumerate(state.units)))


def _exchange(catalog: Catalog, state: State, one: int, other: int) -> State:
    """Two units in each other's places; a state that the new place rules out is left behind."""
    rows = list(state.units)
    rows[one], rows[other] = (_put(catalog, rows[one], rows[other], one),
                              _put(catalog, rows[other], rows[one], other))
    names = {one: other, other: one}
    withdrawn = tuple(replace(pending, unit=names.get(pending.unit, pending.unit))
                      for pending in state.withdrawn)
    return replace(state, units=tuple(rows), withdrawn=withdrawn)


def _put(catalog: Catalog, unit: UnitState, place: UnitState, index: int) -> UnitState:
    if place.hex == OFF_MAP:
        return UnitState(OFF_MAP, min(unit.strength, place.strength), unit.status & ~_PLACED)
    strength = unit.strength if unit.hex >= 0 and unit.strength else catalog.units[index].strength
    return UnitState(place.hex, strength, unit.status & STATUS & ~Status.WITHHELD,
                     place.rank, place.bank)


def _stack_legally(catalog: Catalog, before: State, after: State, one: int, other: int) -> bool:
    hexes = {before.units[one].hex, before.units[other].hex} - {OFF_MAP}
    return all(stacking.fits(catalog, [index for index, unit in enumerate(after.units)
                                       if unit.hex == hex_]) for hex_ in hexes)
