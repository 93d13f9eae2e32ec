"""How each order is read: the words of its first line, and the lines that may follow it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from .catalog import Catalog
from .notation_words import CHARGE, Line, words_of
from .orders import (
    Abandon,
    Advance,
    Arrange,
    Assault,
    AssaultFire,
    Barrage,
    BarrageFire,
    BuildBridge,
    BunkerCasualty,
    Casualty,
    DeclareImpulse,
    DefensiveFire,
    Deploy,
    DestroyBridge,
    DistributeLosses,
    Exit,
    Fire,
    March,
    MoveAndDeclare,
    Occupation,
    Order,
    Placement,
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
from .terms import OFF_MAP, ImpulseKind, Pool

STANDARD: Final = "standard"
PAY: Final = "pay-to-leave"
POOLS: Final = words_of(Pool)
_KINDS: Final = words_of(ImpulseKind)
_YES: Final = {"yes": True, "no": False}
_POINTS: Final = "a number of points"
_MARK: Final = "the mark of a division or brigade"

Words = Mapping[str, Any]
Items = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class OrderForm:
    """An order, the fields its first line gives, and the field that each later line adds to."""

    order: Callable[..., Order]
    details: Mapping[str, tuple[str, Callable[[Catalog, Line], Items]]] = field(
        default_factory=dict)
    head: Callable[[Catalog, Line], Words] = lambda _catalog, _line: {}


class OrderReading:
    """One order while its lines are read."""

    __slots__ = ("_added", "_head", "form")

    def __init__(self, catalog: Catalog, form: OrderForm, line: Line) -> None:
        self.form = form
        self._head = form.head(catalog, line)
        self._added: dict[str, Items] = {}

    def read(self, catalog: Catalog, word: str, line: Line) -> None:
        """A line that begins with one of the words of the form; the word is already read."""
        name, read = self.form.details[word]
        self._added[name] = self._added.get(name, ()) + read(catalog, line)

    def order(self) -> Order:
        return self.form.order(**self._head, **self._added)


def read_assault(catalog: Catalog, line: Line) -> Assault:
    """``2123: s-28-88-inf charge s-28-88-inf``."""
    hex_ = _place(catalog, line)
    units = line.units(catalog, CHARGE)
    return Assault(hex_, units, line.units(catalog) if line.skip(CHARGE) else ())


def read_pools(_: Catalog, line: Line) -> tuple[Pool, ...]:
    """Pools to the end of the line."""
    found = []
    while line.peek():
        found.append(line.choice(POOLS, "a supply pool"))
    return tuple(found)


def _place(catalog: Catalog, line: Line) -> int:
    hex_ = line.hex(catalog)
    line.expect(":")
    return hex_


def _standard(_: Catalog, line: Line) -> Words:
    return {"standard": line.skip(STANDARD)}


def _sustain(_: Catalog, line: Line) -> Words:
    return {"spend": line.choice(_YES, "an answer")}


def _refit(_: Catalog, line: Line) -> Words:
    return {"brigade": line.mark(_MARK) if line.peek() else ""}


def _declare(_: Catalog, line: Line) -> Words:
    return {"points": line.integer(_POINTS), "kind": line.choice(_KINDS, "a kind of impulse")}


def _unit(catalog: Catalog, line: Line) -> int:
    return line.unit(catalog)


def _units(catalog: Catalog, line: Line) -> Items:
    return line.units(catalog)


def _lose(catalog: Catalog, line: Line) -> Items:
    return (Casualty(line.unit(catalog), line.integer(_POINTS)),)


def _lose_bunker(catalog: Catalog, line: Line) -> Items:
    return (BunkerCasualty(line.hex(catalog), line.integer(_POINTS)),)


def _placements(catalog: Catalog, line: Line) -> Items:
    hex_ = _place(catalog, line)
    return tuple(Placement(unit, hex_) for unit in line.units(catalog))


def _bridge(catalog: Catalog, line: Line) -> Items:
    return (Placement(line.unit(catalog), line.hex(catalog)),)


def _replacement(catalog: Catalog, line: Line) -> Items:
    unit, points = line.unit(catalog), line.integer(_POINTS)
    return (Replacement(unit, points, line.hex(catalog) if line.skip("at") else OFF_MAP),)


def _march(catalog: Catalog, line: Line) -> Items:
    units = line.units(catalog, ":")
    line.expect(":")
    path = line.hexes(catalog, PAY)
    return (March(units, path, line.skip(PAY)),)


def _rail(catalog: Catalog, line: Line) -> Items:
    units = line.units(catalog, ":")
    line.expect(":")
    return (Rail(units, line.hex(catalog)),)


def _arrange(catalog: Catalog, line: Line) -> Items:
    return (Arrange(_place(catalog, line), line.units(catalog)),)


def _withdraw(catalog: Catalog, line: Line) -> Items:
    unit = line.unit(catalog)
    line.expect(":")
    return (Withdrawal(unit, line.hex(catalog)),)


def _pursuit(catalog: Catalog, line: Line) -> Items:
    hex_ = line.hex(catalog)
    line.expect("against")
    target = _place(catalog, line)
    return (Pursuit(hex_, line.units(catalog), target),)


def _barrage(catalog: Catalog, line: Line) -> Items:
    hex_ = _place(catalog, line)
    units = line.units(catalog, ";")
    attacks = []
    if line.skip(";"):
        line.expect("attacks")
        attacks.append(line.fire())
        while line.skip(","):
            attacks.append(line.fire())
    return (BarrageFire(hex_, units, tuple(attacks)),)


def _shots(catalog: Catalog, line: Line) -> Items:
    found = []
    while line.peek() not in ("", ";"):
        found.append(Shot(line.unit(catalog), line.fire()))
    return tuple(found)


def _antitank_weapons(catalog: Catalog, line: Line) -> Items:
    return line.units(catalog, ";")


def _support(catalog: Catalog, line: Line) -> Items:
    found = []
    while line.peek() not in ("", ";"):
        unit = line.unit(catalog)
        line.expect("@")
        found.append(Support(unit, line.hex(catalog)))
    return tuple(found)


def _headquarters(_: Catalog, line: Line) -> str:
    return line.mark(_MARK)


_CLAUSES: Final[dict[str, Callable[[Catalog, Line], Any]]] = {
    "conventional": _shots, "antitank": _shots, "antitank-weapons": _antitank_weapons,
    "support": _support, "headquarters": _headquarters,
}


def _fire(catalog: Catalog, line: Line) -> Items:
    hex_ = _place(catalog, line)
    said: dict[str, Any] = {}
    if line.peek():
        for _ in line.clauses():
            clause = line.peek()
            if clause not in _CLAUSES or clause in said:
                raise line.fault("a clause of fire, once each: " + ", ".join(_CLAUSES))
            line.step()
            said[clause] = _CLAUSES[clause](catalog, line)
    return (Fire(hex_, **{clause.replace("-", "_"): value for clause, value in said.items()}),)


def _route(catalog: Catalog, line: Line) -> Items:
    unit = line.unit(catalog)
    line.expect(":")
    return (Route(unit, line.hexes(catalog)),)


def _occupy(catalog: Catalog, line: Line) -> Items:
    return (Occupation(_place(catalog, line), line.units(catalog)),)


def _assault(catalog: Catalog, line: Line) -> Items:
    return (read_assault(catalog, line),)


def _one(make: Callable[[Any], Any], read: Callable[[Catalog, Line], Any]
         ) -> Callable[[Catalog, Line], Items]:
    """A line that is one item, made of what is read."""
    return lambda catalog, line: (make(read(catalog, line)),)


FORMS: Final[dict[str, OrderForm]] = {
    "losses-to-date": OrderForm(DistributeLosses, {
        "lose": ("casualties", _lose), "lose-bunker": ("bunkers", _lose_bunker)}, _standard),
    "set-up": OrderForm(SetUp, {
        "place": ("placements", _placements), "bridge": ("bridges", _bridge)}, _standard),
    "sustain-garrison": OrderForm(SustainGarrison, head=_sustain),
    "replace": OrderForm(Replace, {
        "replacement": ("replacements", _replacement), "repair": ("repairs", _units)}),
    "refit": OrderForm(Refit, head=_refit),
    "declare": OrderForm(DeclareImpulse, head=_declare),
    "move": OrderForm(MoveAndDeclare, {
        "march": ("actions", _march),
        "rail": ("actions", _rail),
        "deploy": ("actions", _one(Deploy, _units)),
        "build-bridge": ("actions", _one(BuildBridge, _unit)),
        "destroy-bridge": ("actions", _one(DestroyBridge, _unit)),
        "arrange": ("actions", _arrange),
        "abandon": ("actions", _one(Abandon, _units)),
        "exit": ("actions", _one(Exit, _units)),
        "assault": ("assaults", _assault)}),
    "retreat-before-combat": OrderForm(RetreatBeforeCombat, {
        "withdraw": ("withdrawals", _withdraw)}),
    "pursue": OrderForm(Pursue, {"pursuit": ("pursuits", _pursuit)}),
    "barrage": OrderForm(Barrage, {
        "fire": ("fires", _barrage), "full-rockets": ("full_rockets", read_pools)}),
    "defensive-fire": OrderForm(DefensiveFire, {
        "fire": ("fires", _fire), "high-intensity": ("high_intensity", read_pools)}),
    "assault-fire": OrderForm(AssaultFire, {"fire": ("fires", _fire)}),
    "retreat": OrderForm(Retreat, {
        "route": ("routes", _route),
        "abandon": ("abandon", _units)}),
    "advance": OrderForm(Advance, {
        "occupy": ("occupations", _occupy)}),
}
"""The form of each order, by the word that names it."""
