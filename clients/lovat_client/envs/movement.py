"""The movement phase word by word: units march, ride, deploy and bridge; then units assault."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lovat.white_death.v1 import answers_pb2, orders_pb2, terms_pb2

from ..sdk.paths import Reach, path_to, reachable
from .actions import Menu, Verb
from .table import Composing, Steps, Table, entry

MP = 120
ONE_REGIMENT = "one_regiment"
"""The trait of units of which one regiment assaults in an impulse (WD 21.B)."""

Options = answers_pb2.UnitOptions


def move_and_declare(table: Table) -> Composing:
    """All movement, then all assaults: `DONE` ends the one and then the other."""
    phase = _Phase(table)
    yield from phase.move()
    yield from phase.declare()
    return phase.order


class _Phase:
    """The draft. Units are asked about one by one when they are chosen: only then must they be.

    What one unit does opens nothing to another, bridges apart; so `movable` only shrinks.
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.order = orders_pb2.MoveAndDeclare()
        self.options = table.movement(self.order)
        self.read_at = 0            # how many actions the draft had when all options were read
        self.places: dict[str, int] = {}
        self.named: set[str] = set()
        self.spent: dict[str, int] = {}
        self.movable = {unit for unit, option in self.options.items() if _can_move(option)}
        self.left_alone: set[str] = set()

    def menu(self, stage: str, *, verbs: Iterable[Verb], units: Iterable[str] = (),
             hexes: Iterable[int] = (), unit: str = "") -> Menu:
        return Menu(stage, verbs=verbs, units=units, hexes=hexes, unit=unit,
                    named=frozenset(self.named), places=self.places, spent=self.spent,
                    aimed=[declared.hex for declared in self.order.assaults])

    def option(self, unit: str) -> Options:
        """What the unit may do after the draft."""
        if self.read_at != len(self.order.actions):
            return self.table.movement(self.order, [unit]).get(unit) or Options(unit=unit)
        return self.options.get(unit) or Options(unit=unit)

    def move(self) -> Steps:
        while self.movable:
            choice = yield self.menu("move", verbs=(Verb.DONE,), units=self.movable)
            if choice.verb == Verb.DONE:
                return
            yield from self.move_unit(self.option(choice.unit))

    def move_unit(self, option: Options) -> Steps:
        unit, ends, verbs = option.unit, dict(_ends(option)), list(_verbs(option))
        if not ends and not verbs:
            self.leave_alone(unit)
            return
        choice = yield self.menu("move unit", verbs=(*verbs, Verb.STAY), hexes=ends, unit=unit)
        if choice.hex:
            self.order.actions.add().march.CopyFrom(orders_pb2.March(
                units=[unit], path=path_to(option, choice.hex)))
            self.moved(unit, choice.hex, option.left - ends[choice.hex].cost,
                       ends[choice.hex].stops)
        elif choice.verb == Verb.RAIL:
            choice = yield self.menu("rail", verbs=(Verb.STAY,), hexes=option.rail, unit=unit)
            if not choice.hex:
                self.leave_alone(unit)
                return
            self.order.actions.add().rail.CopyFrom(orders_pb2.Rail(
                units=[unit], destination=choice.hex))
            self.moved(unit, choice.hex, option.left - MP, False)
        elif choice.verb == Verb.DEPLOY:
            self.order.actions.add().deploy.units.append(unit)
            self.pay(unit, option.left - MP, False)
        elif choice.verb == Verb.BUILD_BRIDGE:
            self.order.actions.add().build_bridge.unit = unit
            self.bridged(unit, option.left - MP)
        elif choice.verb == Verb.DESTROY_BRIDGE:
            self.order.actions.add().destroy_bridge.unit = unit
            self.bridged(unit, option.left - MP)
        else:
            self.leave_alone(unit)

    def moved(self, unit: str, hex_: int, left: int, stopped: bool) -> None:
        self.places[unit] = hex_
        self.pay(unit, left, stopped)

    def pay(self, unit: str, left: int, stopped: bool) -> None:
        """Drop a unit that has nothing left, or too little for what is not marching."""
        self.named.add(unit)
        self.spent[unit] = self.table.view.declared * MP - left
        if left <= 0 or (stopped and left < MP):
            self.movable.discard(unit)

    def bridged(self, unit: str, left: int) -> None:
        """A bridge changes where others can go: all are asked about again."""
        self.pay(unit, left, False)
        self.options, self.read_at = self.table.movement(self.order), len(self.order.actions)
        self.movable = {unit for unit, option in self.options.items()
                        if _can_move(option) and unit not in self.left_alone}

    def leave_alone(self, unit: str) -> None:
        self.left_alone.add(unit)
        self.movable.discard(unit)

    def declare(self) -> Steps:
        able = {unit: option for unit, option in self.beside_targets().items() if option.assaults}
        while able:
            choice = yield self.menu("assault", verbs=(Verb.DONE,), units=able)
            if choice.verb == Verb.DONE:
                return
            option = able.pop(choice.unit)
            yield from self.assault(option)
            if ONE_REGIMENT in self.table.catalog.unit(option.unit).traits:
                able = {unit: other for unit, other in able.items() if self.may_join(other)}

    def beside_targets(self) -> dict[str, Options]:
        """What the units may do that the draft puts beside something to assault."""
        if not self.order.actions:
            return self.options
        view, catalog = self.table.view, self.table.catalog
        targets = {stack.hex for stack in view.enemy}
        targets |= {bunker.hex for bunker, strength
                    in zip(catalog.message.bunkers, view.bunkers, strict=False) if strength}
        places = {unit.unit: unit.hex for unit in view.own if unit.strength and unit.hex}
        places |= self.places
        near = [unit for unit, hex_ in places.items()
                if not targets.isdisjoint(catalog.neighbours(hex_))]
        return self.table.movement(self.order, near) if near else {}

    def assault(self, option: Options) -> Steps:
        unit = option.unit
        mounted = (Verb.CHARGE,) if option.charges else ()
        choice = yield self.menu("assault target", verbs=(*mounted, Verb.STAY),
                                 hexes=option.assaults, unit=unit)
        charge = choice.verb == Verb.CHARGE
        if charge:
            choice = yield self.menu("charge", verbs=(Verb.STAY,), hexes=option.charges, unit=unit)
        if choice.hex:
            self.named.add(unit)
            declared = entry(self.order.assaults, choice.hex)
            declared.units.append(unit)
            if charge:
                declared.charge.append(unit)

    def may_join(self, option: Options) -> bool:
        """Whether a unit of the one division may still assault beside those that do."""
        if ONE_REGIMENT not in self.table.catalog.unit(option.unit).traits:
            return True
        trial = orders_pb2.MoveAndDeclare()
        trial.CopyFrom(self.order)
        entry(trial.assaults, option.assaults[0]).units.append(option.unit)
        return self.table.allows(trial)


def _ends(option: Options) -> Iterator[tuple[int, Reach]]:
    return ((hex_, reach) for hex_, reach in reachable(option).items() if reach.may_end)


def _verbs(option: Options) -> Iterator[Verb]:
    if option.may_deploy:
        yield Verb.DEPLOY
    if option.may_build_bridge:
        yield Verb.BUILD_BRIDGE
    if option.may_destroy_bridge:
        yield Verb.DESTROY_BRIDGE
    if option.rail:
        yield Verb.RAIL


def _can_move(option: Options) -> bool:
    ends = any(not marks & terms_pb2.MARK_FLAG_MAY_NOT_END for marks in option.marks)
    return ends or any(True for _ in _verbs(option))
