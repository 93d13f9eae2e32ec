"""A legal listing as a player reads it: one table a kind of decision."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console
from rich.table import Table

from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import answers_pb2, terms_pb2

from ..sdk.catalog import Catalog
from .words import IMPULSES, fire, hex_list, hex_number, movement

NEAREST = 6
"""How many of the hexes that a unit can reach are shown in a listing of many units."""


def print_listing(console: Console, listing: core_pb2.Listing, catalog: Catalog, *,
                  most_hexes: int = NEAREST) -> None:
    """Everything that the listing offers; says so if it offers nothing."""
    tables = list(_tables(listing.white_death, catalog, most_hexes))
    for table in tables:
        console.print(table)
    if not tables:
        console.print("Nothing need be ordered; an empty order is an answer.")


def _tables(listing: answers_pb2.Listing, catalog: Catalog,
            most_hexes: int) -> Iterator[Table]:
    if listing.declarations:
        yield _rows("Impulses that may be declared", ("kind", "points"), [
            (IMPULSES.get(option.kind, "?"), f"{option.least} to {option.most} MP")
            for option in listing.declarations])
    if listing.may_sustain:
        yield _rows("Garrison", ("what",), [("may be bought out of isolation for 1 point",)])
    if listing.placements:
        yield _placements("Set-up", listing.placements, catalog)
    if listing.replacements:
        yield _rows("Replacements", ("unit", "id", "at most", "rebuilt in"), [
            (catalog.label(option.unit), option.unit, str(option.most), hex_list(option.hexes))
            for option in listing.replacements])
    if listing.repairs:
        yield _rows("Repairs", ("unit", "id"),
                    [(catalog.label(unit), unit) for unit in listing.repairs])
    if listing.units:
        yield _rows("Movement", ("unit", "id", "left", "hexes", "assaults", "also"), [
            (catalog.label(unit.unit), unit.unit, f"{movement(unit.left)} MP",
             _nearest(unit, most_hexes), hex_list(unit.assaults), ", ".join(_also(unit)))
            for unit in listing.units])
    if listing.withdrawals:
        yield _placements("Retreat before combat", listing.withdrawals, catalog)
    yield from _combat(listing, catalog)
    for title, options in (("Pursuit", listing.pursuits), ("Advance", listing.advances)):
        if options:
            yield _rows(title, ("hex", "units"), [
                (hex_number(option.hex), ", ".join(option.units)) for option in options])
    if listing.retreats:
        yield _rows("Retreat", ("unit", "id", "from", "best routes"), [
            (catalog.label(option.unit), option.unit, hex_number(option.hex),
             " | ".join(hex_list(path.hexes) for path in option.paths[:4]) or "none")
            for option in listing.retreats])


def _combat(listing: answers_pb2.Listing, catalog: Catalog) -> Iterator[Table]:
    if listing.barrages:
        yield _rows("Barrage", ("unit", "id", "targets (value)"), [
            (catalog.label(option.unit), option.unit, "  ".join(
                f"{hex_number(hex_)} ({fire(value)}{'' if seen else ', not observed'})"
                for hex_, value, seen in zip(option.hexes, option.values, option.observed,
                                             strict=False)))
            for option in listing.barrages])
    for option in listing.fires:
        rows = [(catalog.label(unit.unit), unit.unit, "fires", fire(unit.conventional),
                 fire(unit.antitank)) for unit in option.firers]
        rows += [(catalog.label(unit.unit), unit.unit, f"may support {hex_number(unit.stack)}",
                  fire(unit.value), "") for unit in option.support]
        rows += [(catalog.label(unit.unit), unit.unit, f"target, defence {fire(unit.defence)}",
                  "" if unit.afv else "yes", "yes" if unit.afv else "")
                 for unit in option.targets]
        if option.bunker:
            rows.append(("bunker", "", "fires", fire(option.bunker), fire(option.bunker)))
        yield _rows(f"Fire at {hex_number(option.hex)}",
                    ("unit", "id", "what", "conventional", "antitank"), rows)
    if listing.high_intensity or listing.full_rockets:
        yield _rows("Supply that may be spent", ("for", "pool"), [
            *(("high intensity", _pool(pool)) for pool in listing.high_intensity),
            *(("full rockets", _pool(pool)) for pool in listing.full_rockets)])


def _placements(title: str, options: Iterable[answers_pb2.PlacementOption],
                catalog: Catalog) -> Table:
    return _rows(title, ("unit", "id", "hexes"), [
        (catalog.label(option.unit), option.unit, hex_list(option.hexes))
        for option in options])


def _nearest(unit: answers_pb2.UnitOptions, most: int) -> str:
    """The cheapest of the hexes that a unit can reach with their cost in MP."""
    by_cost = sorted(zip(unit.costs, unit.hexes, strict=False))
    shown = " ".join(f"{hex_number(hex_)}({movement(cost)})" for cost, hex_ in by_cost[:most])
    more = len(by_cost) - most
    return shown + (f" and {more} more" if more > 0 else "")


def _also(unit: answers_pb2.UnitOptions) -> Iterator[str]:
    if unit.may_deploy:
        yield "deploy"
    if unit.rail:
        yield f"rail to {len(unit.rail)} hexes"
    if unit.may_build_bridge:
        yield "build a bridge"
    if unit.may_destroy_bridge:
        yield "destroy the bridge"


def _pool(pool: terms_pb2.Pool.ValueType) -> str:
    return terms_pb2.Pool.Name(pool).removeprefix("POOL_").replace("_", " ").title()


def _rows(title: str, columns: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> Table:
    from rich.markup import escape

    table = Table(title=title, title_justify="left", row_styles=["", "dim"])
    for column in columns:
        table.add_column(column, overflow="fold")
    for row in rows:
        table.add_row(*map(escape, row))
    return table
