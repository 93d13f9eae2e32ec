"""A player who knows a view and a listing, as any client does, and chooses at random.

What he puts together may break a rule that the listing leaves open (stacking, mostly). He then
drops what the violations name and tries again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random

from lovat_server.core.dice import KeyedDice
from lovat_server.core.violations import Violation
from lovat_server.games.contract import Transition
from lovat_server.games.white_death.answers import Listing, Mark, UnitOptions, View
from lovat_server.games.white_death.catalog import Catalog
from lovat_server.games.white_death.events import Event
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Action,
    Advance,
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    BuildBridge,
    DeclareImpulse,
    DefensiveFire,
    Deploy,
    DestroyBridge,
    DistributeLosses,
    Fire,
    March,
    MoveAndDeclare,
    Occupation,
    Order,
    Pursue,
    Pursuit,
    Rail,
    Refit,
    Replace,
    Replacement,
    Retreat,
    RetreatBeforeCombat,
    Route,
    SetUp,
    Shot,
    Support,
    SustainGarrison,
    Withdrawal,
)
from lovat_server.games.white_death.state import Options, State
from lovat_server.games.white_death.terms import DecisionKind, ImpulseKind, Kind

MOST_ROUNDS = 40
MOST_DECISIONS = 5000
_PLACE = re.compile(r"^([a-z_]+)\[(\d+)\](?:\.(units)\[(\d+)\])?")


def path_to(option: UnitOptions, hex_: int) -> tuple[int, ...]:
    """The listed path of a unit to a listed hex, read back hex by hex."""
    before = dict(zip(option.hexes, option.previous, strict=True))
    path = [hex_]
    while before.get(path[-1], -1) in before:
        path.append(before[path[-1]])
    return tuple(reversed(path))


class RandomPlayer:
    """One random stream plays whatever is listed. `bold` is how often a unit does something."""

    def __init__(self, random: Random, bold: float = 0.5) -> None:
        self.random = random
        self.bold = bold

    def order(self, catalog: Catalog, view: View, listing: Listing) -> Order:
        """An answer to the pending decision, mostly a legal one."""
        kind = listing.decision.kind
        answer = {
            DecisionKind.DISTRIBUTE_LOSSES: lambda: DistributeLosses(standard=True),
            DecisionKind.SET_UP: lambda: SetUp(standard=True),
            DecisionKind.REFIT: lambda: self._refit(listing),
            DecisionKind.SUSTAIN_GARRISON: lambda: SustainGarrison(
                listing.may_sustain and self._chance(0.4)),
            DecisionKind.REPLACE: lambda: self._replace(view, listing),
            DecisionKind.DECLARE_IMPULSE: lambda: self._declare(listing),
            DecisionKind.MOVE_AND_DECLARE: lambda: self._move(view, listing),
            DecisionKind.RETREAT_BEFORE_COMBAT: lambda: self._withdraw(listing),
            DecisionKind.PURSUE: lambda: self._pursue(listing),
            DecisionKind.BARRAGE: lambda: self._barrage(listing),
            DecisionKind.DEFENSIVE_FIRE: lambda: DefensiveFire(
                self._fires(catalog, listing),
                tuple(pool for pool in listing.high_intensity if self._chance(0.3))),
            DecisionKind.ASSAULT_FIRE: lambda: AssaultFire(self._fires(catalog, listing)),
            DecisionKind.RETREAT: lambda: self._retreat(listing),
            DecisionKind.ADVANCE: lambda: self._advance(listing),
        }
        order: Order = answer[kind]()
        return order

    def _chance(self, share: float) -> bool:
        return self.random.random() < share

    def _some(self, units: Sequence[int], share: float) -> tuple[int, ...]:
        return tuple(unit for unit in units if self._chance(share))

    def _refit(self, listing: Listing) -> Refit:
        return Refit(self.random.choice(("", *listing.refits)))

    def _replace(self, view: View, listing: Listing) -> Replace:
        left = view.replacements[view.side]
        chosen = []
        for option in self.random.sample(listing.replacements, len(listing.replacements)):
            points = min(left, option.most)
            if points and self._chance(0.5):
                points = self.random.randint(1, points)
                hex_ = self.random.choice(option.hexes) if option.hexes else -1
                chosen.append(Replacement(option.unit, points, hex_))
                left -= points
        return Replace(tuple(chosen), listing.repairs[:1] if self._chance(0.7) else ())

    def _declare(self, listing: Listing) -> DeclareImpulse:
        options = [option for option in listing.declarations
                   if option.kind == ImpulseKind.ACTION or self._chance(0.3)]
        option = self.random.choice(options)
        return DeclareImpulse(self.random.randint(option.least, option.most), option.kind)

    def _move(self, view: View, listing: Listing) -> MoveAndDeclare:
        where = {own.unit: own.state.hex for own in view.own}
        actions: list[Action] = []
        busy: set[int] = set()
        for option in self.random.sample(listing.units, len(listing.units)):
            if option.unit in busy or not self._chance(self.bold):
                continue
            if option.assaults and self._chance(0.6):
                continue
            action = self._action(option)
            if action is None:
                continue
            if isinstance(action, March) and where[option.unit] >= 0 and self._chance(0.1):
                mates = [unit for unit, hex_ in where.items()
                         if hex_ == where[option.unit] and unit not in busy]
                action = replace(action, units=(option.unit, *(
                    unit for unit in mates if unit != option.unit)))
                busy.update(action.units)
            actions.append(action)
        return MoveAndDeclare(tuple(actions))

    def assaults(self, listing: Listing) -> tuple[Assault, ...]:
        """Assaults to declare, from the listing after the moves of the draft."""
        targets: dict[int, list[int]] = {}
        for option in listing.units:
            if option.assaults and self._chance(0.7):
                targets.setdefault(self.random.choice(option.assaults[:2]), []).append(option.unit)
        return tuple(Assault(hex_, tuple(units)) for hex_, units in targets.items())

    def _action(self, option: UnitOptions) -> Action | None:
        if option.may_deploy and self._chance(0.5):
            return Deploy((option.unit,))
        if option.may_build_bridge and self._chance(0.5):
            return BuildBridge(option.unit)
        if option.may_destroy_bridge and self._chance(0.5):
            return DestroyBridge(option.unit)
        if option.rail and self._chance(0.5):
            return Rail((option.unit,), self.random.choice(option.rail))
        ends = [hex_ for hex_, mark in zip(option.hexes, option.marks, strict=True)
                if not mark & Mark.MAY_NOT_END]
        if not ends:
            return None
        marks = dict(zip(option.hexes, option.marks, strict=True))
        close = [hex_ for hex_ in ends if marks[hex_] & Mark.STOPS]
        if close and self._chance(0.5):
            ends = close
        return March((option.unit,), path_to(option, self.random.choice(ends)))

    def _withdraw(self, listing: Listing) -> RetreatBeforeCombat:
        return RetreatBeforeCombat(tuple(
            Withdrawal(option.unit, self.random.choice(option.hexes))
            for option in listing.withdrawals if self._chance(0.5)))

    def _pursue(self, listing: Listing) -> Pursue:
        taken: set[int] = set()
        chosen = []
        for option in listing.pursuits:
            units = [unit for unit in option.units if unit not in taken and self._chance(0.7)]
            if units:
                taken.update(units)
                chosen.append(Pursuit(option.hex, tuple(units),
                                      self.random.choice(option.targets)))
        return Pursue(tuple(chosen))

    def _barrage(self, listing: Listing) -> Barrage:
        fires: dict[int, list[int]] = {}
        for option in listing.barrages:
            if self._chance(0.7):
                fires.setdefault(self.random.choice(option.hexes), []).append(option.unit)
        return Barrage(
            tuple(BarrageFire(hex_, tuple(units)) for hex_, units in fires.items()),
            tuple(pool for pool in listing.full_rockets if fires and self._chance(0.5)))

    def _fires(self, catalog: Catalog, listing: Listing) -> tuple[Fire, ...]:
        """In about half of the hexes all fire at one unit, and at one AFV; the rest is left."""
        fires = []
        supporting: set[int] = set()
        for option in listing.fires:
            if not self._chance(0.5):
                continue
            soft = [target for target in option.targets if not target.afv]
            infantry = [target for target in soft
                        if catalog.units[target.unit].kind == Kind.PERSONNEL]
            hard = [target for target in option.targets if target.afv]
            support = tuple(
                Support(offer.unit, offer.stack) for offer in option.support[:1]
                if soft and offer.unit not in supporting and self._chance(0.3))
            supporting.update(item.unit for item in support)
            value = option.bunker + sum(firer.conventional for firer in option.firers
                                        if firer.unit not in supporting)
            tank_value = option.bunker + sum(
                firer.antitank for firer in option.firers if not firer.choice)
            fires.append(Fire(
                option.hex,
                (Shot(self.random.choice(infantry or soft).unit, value),)
                if soft and value else (),
                (Shot(self.random.choice(hard).unit, tank_value),) if hard and tank_value else (),
                (), support,
                self.random.choice(option.headquarters) if option.headquarters else ""))
        return tuple(fires)

    def _retreat(self, listing: Listing) -> Retreat:
        return Retreat(tuple(
            Route(option.unit, self.random.choice(option.paths))
            for option in listing.retreats if option.paths and self._chance(0.6)))

    def _advance(self, listing: Listing) -> Advance:
        taken: set[int] = set()
        chosen = []
        for option in listing.advances:
            units = [unit for unit in self._some(option.units, 0.6) if unit not in taken]
            taken.update(units)
            if self._chance(0.7):
                chosen.append(Occupation(option.hex, tuple(units)))
        return Advance(tuple(chosen))


def without(order: Order, violations: Sequence[Violation]) -> Order:
    """The order without the entries that violations name; an empty one if they name none."""
    doomed: dict[str, set[int]] = {}
    lists = {name for name in type(order).__dataclass_fields__
             if isinstance(getattr(order, name), tuple)}
    inner: dict[tuple[str, int], set[int]] = {}
    for violation in violations:
        found = _PLACE.match(violation.path)
        if found is None or found[1] not in lists:
            doomed |= {name: set(range(len(getattr(order, name)))) for name in lists
                       if violation.path in ("", name) or found is None}
        elif found[3] and found[1] == "assaults":
            inner.setdefault((found[1], int(found[2])), set()).add(int(found[4]))
        else:
            doomed.setdefault(found[1], set()).add(int(found[2]))
    kept: dict[str, tuple[object, ...]] = {}
    for name in lists:
        entries = []
        for place, entry in enumerate(getattr(order, name)):
            gone = inner.get((name, place), set())
            if gone:
                units = tuple(unit for seat, unit in enumerate(entry.units) if seat not in gone)
                entry = replace(entry, units=units)
                if not units:
                    continue
            if place not in doomed.get(name, ()):
                entries.append(entry)
        kept[name] = tuple(entries)
    return replace(order, **kept)


@dataclass(frozen=True, slots=True)
class Played:
    """One decision of a game: the state before, the order given, and what came of it."""

    state: State
    order: Order
    listing: Listing
    done: Transition[State, Event]
    refused: int                     # orders refused before this one
    dice: tuple[int, int]            # counters before and after


def choose(player: RandomPlayer, catalog: Catalog, state: State,
           listing: Listing | None = None) -> tuple[Order, Listing, int]:
    """A legal order of the player, and how many he tried before it."""
    offer = listing or WHITE_DEATH.listing(catalog, state, None, None)
    view = WHITE_DEATH.view(catalog, state, state.decision.side)
    order, refused = _legal(catalog, state, player.order(catalog, view, offer))
    if isinstance(order, MoveAndDeclare):
        after = WHITE_DEATH.listing(catalog, state, order, None)
        order, more = _legal(catalog, state, replace(order, assaults=player.assaults(after)))
        refused += more
    return order, offer, refused


def _legal(catalog: Catalog, state: State, order: Order) -> tuple[Order, int]:
    for refused in range(MOST_ROUNDS):
        violations = WHITE_DEATH.judge(catalog, state, order).violations
        if not violations:
            return order, refused
        smaller = without(order, violations)
        order = smaller if smaller != order else type(order)()
    raise AssertionError(f"no legal order for {state.decision.kind.name}: {order}")


def first_state(catalog: Catalog, seed: int, options: Options | None = None,
                ) -> tuple[Transition[State, Event], KeyedDice]:
    """A game with the standard set-up, and the dice to play on with."""
    dice = KeyedDice(f"game {seed}".encode())
    return WHITE_DEATH.create(catalog, options or Options(), dice, standard_set_up=True), dice


def play(catalog: Catalog, seed: int, *, bold: float = 0.5, most: int = MOST_DECISIONS,
         options: Options | None = None) -> Iterator[Played]:
    """A whole game decision by decision, or its first `most` decisions."""
    created, dice = first_state(catalog, seed, options)
    state = created.state
    player = RandomPlayer(Random(seed), bold)
    for _ in range(most):
        if state.decision.kind == DecisionKind.GAME_OVER:
            return
        order, listing, refused = choose(player, catalog, state)
        before = dice.counter
        done = WHITE_DEATH.submit(catalog, state, order, dice)
        assert not done.violations, (order, done.violations)
        yield Played(state, order, listing, done, refused, (before, dice.counter))
        state = done.state
