"""Orders in short words, given to the game as a client would give them."""

from __future__ import annotations

from fractions import Fraction

from lovat_server.core.violations import Violation
from lovat_server.games.contract import Transition
from lovat_server.games.white_death.answers import Listing, UnitOptions
from lovat_server.games.white_death.battle import Battle
from lovat_server.games.white_death.events import Event
from lovat_server.games.white_death.game import WHITE_DEATH
from lovat_server.games.white_death.orders import (
    Action,
    Assault,
    BuildBridge,
    Deploy,
    DestroyBridge,
    March,
    MoveAndDeclare,
    Order,
    Rail,
)
from lovat_server.games.white_death.state import State
from lovat_server.games.white_death.terms import MP

from .field import at


def unit(battle: Battle, id_: str) -> int:
    return battle.catalog.unit_index[id_]


def units(battle: Battle, ids: str) -> tuple[int, ...]:
    return tuple(unit(battle, id_) for id_ in ids.split())


def march(battle: Battle, ids: str, *path: int, pay_to_leave: bool = False) -> March:
    return March(units(battle, ids), tuple(at(hex_) for hex_ in path), pay_to_leave)


def rail(battle: Battle, ids: str, destination: int) -> Rail:
    return Rail(units(battle, ids), at(destination))


def deploy(battle: Battle, ids: str) -> Deploy:
    return Deploy(units(battle, ids))


def build(battle: Battle, id_: str) -> BuildBridge:
    return BuildBridge(unit(battle, id_))


def destroy(battle: Battle, id_: str) -> DestroyBridge:
    return DestroyBridge(unit(battle, id_))


def assault(battle: Battle, hex_: int, ids: str) -> Assault:
    return Assault(at(hex_), units(battle, ids))


def moves(*actions: Action, assaults: tuple[Assault, ...] = ()) -> MoveAndDeclare:
    return MoveAndDeclare(actions, assaults)


def refusals(battle: Battle, order: Order) -> tuple[Violation, ...]:
    """Every violation of an order."""
    return WHITE_DEATH.judge(battle.catalog, battle.freeze(), order).violations


def clauses(battle: Battle, order: Order) -> list[str]:
    return [violation.clause for violation in refusals(battle, order)]


def accepts(battle: Battle, order: Order) -> bool:
    return not refusals(battle, order)


def cost(battle: Battle, id_: str, *actions: Action,
         assaults: tuple[Assault, ...] = ()) -> Fraction:
    """MP the unit spends on the actions, which must be legal."""
    judged = WHITE_DEATH.judge(battle.catalog, battle.freeze(), moves(*actions, assaults=assaults))
    assert not judged.violations, judged.violations
    spent = dict(zip(judged.receipt.units, judged.receipt.spent, strict=True))
    return Fraction(spent.get(unit(battle, id_), 0), MP)


def submit(battle: Battle, order: Order) -> Transition[State, Event]:
    """Carry the order out with the battle's dice; it must be legal."""
    done = WHITE_DEATH.submit(battle.catalog, battle.freeze(), order, battle.dice)
    assert not done.violations, done.violations
    return done


def after(battle: Battle, order: Order) -> Battle:
    """The battle once the order is carried out, with the dice that are left and its events."""
    done = submit(battle, order)
    result = Battle(battle.catalog, done.state, battle.dice)
    result.events = list(done.events)
    return result


def listing(battle: Battle, draft: MoveAndDeclare | None = None) -> Listing:
    return WHITE_DEATH.listing(battle.catalog, battle.freeze(), draft, None)


def options(battle: Battle, id_: str, draft: MoveAndDeclare | None = None) -> UnitOptions | None:
    """What the listing offers one unit in the movement phase."""
    index = unit(battle, id_)
    return next((found for found in listing(battle, draft).units if found.unit == index), None)


def of_kind(events: list[Event], kind: type) -> list[Event]:
    return [event for event in events if isinstance(event, kind)]
