"""Orders as text: a line that names the order, then a line for each thing it says.

A White Death impulse as its player writes it:

    move
      march s-28-88-inf s-28-144-inf: 3122 3021
      assault 2123: s-28-88-inf s-28-144-inf
    assault-fire
      fire 2123: conventional g-83-i-251-inf 12 g-83-ii-251-inf 4 1/2; support s-28-ii-112-art@2022

The orders and their lines; ``[ ]`` may be left out, ``...`` may be repeated or absent:

    losses-to-date [standard]    lose UNIT POINTS | lose-bunker HEX POINTS
    set-up [standard]            place HEX: UNIT ... | bridge UNIT HEX
    sustain-garrison yes|no
    replace                      replacement UNIT POINTS [at HEX] | repair UNIT ...
    refit [BRIGADE]
    declare POINTS action|pass
    move                         march UNIT ...: HEX ... [pay-to-leave] | rail UNIT ...: HEX
                                 deploy UNIT ... | abandon UNIT ... | exit UNIT ...
                                 build-bridge UNIT | destroy-bridge UNIT | arrange HEX: UNIT ...
                                 assault HEX: UNIT ... [charge UNIT ...]
    retreat-before-combat        withdraw UNIT: HEX
    pursue                       pursuit HEX against HEX: UNIT ...
    barrage                      fire HEX: UNIT ... [; attacks FIRE, FIRE, ...]
                                 full-rockets POOL ...
    defensive-fire               fire HEX: [CLAUSE; CLAUSE; ...] | high-intensity POOL ...
    assault-fire                 fire HEX: [CLAUSE; CLAUSE; ...]
    retreat                      route UNIT: HEX ... | abandon UNIT ...
    advance                      occupy HEX: UNIT ...

A CLAUSE of fire is ``conventional UNIT FIRE ...``, ``antitank UNIT FIRE ...``,
``antitank-weapons UNIT ...``, ``support UNIT@HEX ...`` or ``headquarters MARK``. FIRE is in exact
points, such as ``4 1/2``. Lines keep the order in which things are done.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any, Final

from .catalog import Catalog
from .notation_reading import FORMS, PAY, STANDARD, OrderReading
from .notation_words import (
    CHARGE,
    fire_word,
    hex_word,
    hex_words,
    integer_word,
    lines,
    plain,
    spoken,
    unit_word,
    unit_words,
    word_of,
)
from .orders import (
    Abandon,
    Action,
    Advance,
    Arrange,
    Assault,
    AssaultFire,
    Barrage,
    BuildBridge,
    DeclareImpulse,
    DefensiveFire,
    Deploy,
    DestroyBridge,
    DistributeLosses,
    Exit,
    Fire,
    March,
    MoveAndDeclare,
    Order,
    Pursue,
    Rail,
    Refit,
    Replace,
    Retreat,
    RetreatBeforeCombat,
    SetUp,
    SustainGarrison,
)
from .terms import OFF_MAP, ImpulseKind, Pool


def write_orders(catalog: Catalog, orders: Sequence[Order]) -> str:
    """The text of orders, in their order; "" for none.

    Raises ValueError for a unit or hex the catalog does not have and for a number of more than
    six digits.
    """
    return "".join(f"{line}\n" for order in orders
                   for line in _WRITERS[type(order)](catalog, order))


def read_orders(catalog: Catalog, text: str) -> tuple[Order, ...]:
    """The orders of a text, () if it names none.

    Raises `MalformedError` that names the line, the column, the word and what was expected.
    """
    orders: list[Order] = []
    reading: OrderReading | None = None
    for line in lines(text):
        word = line.peek()
        if reading is not None and word in reading.form.details:
            line.step()
            reading.read(catalog, word, line)
        elif word in FORMS:
            line.step()
            if reading is not None:
                orders.append(reading.order())
            reading = OrderReading(catalog, FORMS[word], line)
        else:
            details = f"{', '.join(reading.form.details)}; or " if reading is not None else ""
            raise line.fault(f"{details}an order: {', '.join(FORMS)}")
        line.end()
    if reading is not None:
        orders.append(reading.order())
    return tuple(orders)


def write_assault(catalog: Catalog, assault: Assault) -> str:
    """``2123: s-28-88-inf charge s-28-88-inf``."""
    return spoken(f"{hex_word(catalog, assault.hex)}:", unit_words(catalog, assault.units),
                  CHARGE if assault.charge else "", unit_words(catalog, assault.charge))


def _write_losses(catalog: Catalog, order: DistributeLosses) -> Iterator[str]:
    yield spoken("losses-to-date", STANDARD if order.standard else "")
    for lost in order.casualties:
        yield f"  lose {unit_word(catalog, lost.unit)} {integer_word(lost.points)}"
    for bunker in order.bunkers:
        yield f"  lose-bunker {hex_word(catalog, bunker.hex)} {integer_word(bunker.points)}"


def _write_set_up(catalog: Catalog, order: SetUp) -> Iterator[str]:
    yield spoken("set-up", STANDARD if order.standard else "")
    for hex_, stack in groupby(order.placements, lambda placement: placement.hex):
        units = unit_words(catalog, (placement.unit for placement in stack))
        yield f"  place {hex_word(catalog, hex_)}: {units}"
    for bridge in order.bridges:
        yield f"  bridge {unit_word(catalog, bridge.unit)} {hex_word(catalog, bridge.hex)}"


def _write_sustain(_: Catalog, order: SustainGarrison) -> Iterator[str]:
    yield f"sustain-garrison {'yes' if order.spend else 'no'}"


def _write_replace(catalog: Catalog, order: Replace) -> Iterator[str]:
    yield "replace"
    for added in order.replacements:
        where = "" if added.hex == OFF_MAP else f"at {hex_word(catalog, added.hex)}"
        yield spoken("  replacement", unit_word(catalog, added.unit), integer_word(added.points),
                     where)
    if order.repairs:
        yield f"  repair {unit_words(catalog, order.repairs)}"


def _write_refit(_: Catalog, order: Refit) -> Iterator[str]:
    yield spoken("refit", plain(order.brigade) if order.brigade else "")


def _write_declare(_: Catalog, order: DeclareImpulse) -> Iterator[str]:
    yield f"declare {integer_word(order.points)} {word_of(ImpulseKind(order.kind))}"


def _write_move(catalog: Catalog, order: MoveAndDeclare) -> Iterator[str]:
    yield "move"
    for action in order.actions:
        yield f"  {_action_text(catalog, action)}"
    for assault in order.assaults:
        yield f"  assault {write_assault(catalog, assault)}"


def _action_text(catalog: Catalog, action: Action) -> str:
    match action:
        case March(units, path, pay):
            return spoken(f"{spoken('march', unit_words(catalog, units))}:",
                          hex_words(catalog, path), PAY if pay else "")
        case Rail(units, destination):
            return (f"{spoken('rail', unit_words(catalog, units))}: "
                    f"{hex_word(catalog, destination)}")
        case Deploy(units):
            return spoken("deploy", unit_words(catalog, units))
        case Abandon(units):
            return spoken("abandon", unit_words(catalog, units))
        case Exit(units):
            return spoken("exit", unit_words(catalog, units))
        case BuildBridge(unit):
            return f"build-bridge {unit_word(catalog, unit)}"
        case DestroyBridge(unit):
            return f"destroy-bridge {unit_word(catalog, unit)}"
        case Arrange(hex_, units):
            return _stack_text(catalog, "arrange", hex_, units)


def _stack_text(catalog: Catalog, word: str, hex_: int, units: Iterable[int]) -> str:
    return spoken(word, f"{hex_word(catalog, hex_)}:", unit_words(catalog, units))


def _write_withdrawals(catalog: Catalog, order: RetreatBeforeCombat) -> Iterator[str]:
    yield "retreat-before-combat"
    for gone in order.withdrawals:
        yield f"  withdraw {unit_word(catalog, gone.unit)}: {hex_word(catalog, gone.hex)}"


def _write_pursue(catalog: Catalog, order: Pursue) -> Iterator[str]:
    yield "pursue"
    for pursuit in order.pursuits:
        yield "  " + _stack_text(catalog, f"pursuit {hex_word(catalog, pursuit.hex)} against",
                                 pursuit.target, pursuit.units)


def _write_barrage(catalog: Catalog, order: Barrage) -> Iterator[str]:
    yield "barrage"
    for fire in order.fires:
        attacks = f"; attacks {', '.join(map(fire_word, fire.attacks))}" if fire.attacks else ""
        yield f"  {_stack_text(catalog, 'fire', fire.hex, fire.units)}{attacks}"
    yield from _pools_line("full-rockets", order.full_rockets)


def _pools_line(word: str, pools: Sequence[Pool]) -> Iterator[str]:
    if pools:
        yield f"  {spoken(word, *(word_of(Pool(pool)) for pool in pools))}"


def _write_defensive(catalog: Catalog, order: DefensiveFire) -> Iterator[str]:
    yield "defensive-fire"
    for fire in order.fires:
        yield f"  {_fire_text(catalog, fire)}"
    yield from _pools_line("high-intensity", order.high_intensity)


def _write_assault_fire(catalog: Catalog, order: AssaultFire) -> Iterator[str]:
    yield "assault-fire"
    for fire in order.fires:
        yield f"  {_fire_text(catalog, fire)}"


def _fire_text(catalog: Catalog, fire: Fire) -> str:
    clauses = [spoken(word, *(f"{unit_word(catalog, shot.target)} {fire_word(shot.value)}"
                              for shot in shots))
               for word, shots in (("conventional", fire.conventional),
                                   ("antitank", fire.antitank)) if shots]
    if fire.antitank_weapons:
        clauses.append(f"antitank-weapons {unit_words(catalog, fire.antitank_weapons)}")
    if fire.support:
        clauses.append(spoken("support", *(
            f"{unit_word(catalog, support.unit)}@{hex_word(catalog, support.stack)}"
            for support in fire.support)))
    if fire.headquarters:
        clauses.append(f"headquarters {plain(fire.headquarters)}")
    return spoken("fire", f"{hex_word(catalog, fire.hex)}:", "; ".join(clauses))


def _write_retreat(catalog: Catalog, order: Retreat) -> Iterator[str]:
    yield "retreat"
    for route in order.routes:
        yield spoken(f"  route {unit_word(catalog, route.unit)}:", hex_words(catalog, route.path))
    if order.abandon:
        yield f"  abandon {unit_words(catalog, order.abandon)}"


def _write_advance(catalog: Catalog, order: Advance) -> Iterator[str]:
    yield "advance"
    for occupation in order.occupations:
        yield "  " + _stack_text(catalog, "occupy", occupation.hex, occupation.units)


_WRITERS: Final[dict[type[Any], Callable[[Catalog, Any], Iterator[str]]]] = {
    DistributeLosses: _write_losses, SetUp: _write_set_up, SustainGarrison: _write_sustain,
    Replace: _write_replace, Refit: _write_refit, DeclareImpulse: _write_declare,
    MoveAndDeclare: _write_move, RetreatBeforeCombat: _write_withdrawals, Pursue: _write_pursue,
    Barrage: _write_barrage, DefensiveFire: _write_defensive, AssaultFire: _write_assault_fire,
    Retreat: _write_retreat, Advance: _write_advance,
}
