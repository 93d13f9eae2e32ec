"""White Death's state on the wire: a row for each unit, in the order of the catalog."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Any

from lovat.white_death.v1 import state_pb2
from lovat_server.games.white_death.answers import OwnUnit
from lovat_server.games.white_death.catalog import Catalog, Unit
from lovat_server.games.white_death.state import State, UnitState
from lovat_server.games.white_death.terms import OFF_MAP, Status

from .decode import Decoders, FieldError
from .encode import Encoders
from .names import Names

_ALL_STATUS = sum(Status)
_MAX_RANK = 10_000
_BANKS = 2
_MAX_DUE = 99
_ROWS = frozenset({"units"})


class StateCodec:
    """Decoder and encoder of `State`; what is not a unit row comes from the type hints."""

    def __init__(self, decoders: Decoders, encoders: Encoders) -> None:
        descriptor = state_pb2.State.DESCRIPTOR
        self._readers = decoders.fields(State, descriptor, _ROWS)
        self._writers = encoders.fields(State, descriptor, _ROWS)
        self._values = attrgetter(*(name for name, _, _ in self._writers))
        self._lists = frozenset(
            item.name for item in descriptor.fields if item.is_repeated)
        self._messages = {item.name: getattr(state_pb2.State(), item.name).__class__
                          for item in descriptor.fields
                          if item.message_type is not None and not item.is_repeated}

    def decode(self, message: Any, catalog: Catalog, names: Names) -> State:
        """The state of a message. FieldError for a row or field that cannot be read."""
        values: dict[str, Any] = {"units": _decode_units(message.units, catalog.units, names)}
        for name, read in self._readers:
            try:
                values[name] = read(message, names)
            except FieldError as fault:
                raise fault.within(name) from None
        _require_bunkers(values["bunkers"], catalog)
        return State(**values)

    def unreadable(self, message: Any, catalog: Catalog, names: Names) -> list[FieldError]:
        """Each row and each field that cannot be read; of a field the first place in it."""
        found: list[FieldError] = []
        if len(message.units) != len(catalog.units):
            found.append(FieldError(_wrong_rows(message.units, catalog.units, names), "units"))
        for place, (row, unit) in enumerate(zip(message.units, catalog.units, strict=False)):
            try:
                _decode_unit(row, unit, names)
            except FieldError as fault:
                if row.unit == unit.id:
                    found.append(fault.within(f"units[{place}]"))
                    continue
                wrong = _wrong_rows(message.units, catalog.units, names)
                found.append(FieldError(wrong, f"units[{place}].unit"))
                break        # the rows after it are out of order too
        for name, read in self._readers:
            try:
                value = read(message, names)
                if name == "bunkers":
                    _require_bunkers(value, catalog)
            except FieldError as fault:
                found.append(fault if fault.path.startswith("bunkers") else fault.within(name))
        return found

    def write_delta(self, target: Any, value: State, before: State, names: Names) -> None:
        """Fill an empty `StateDelta` with what `write` would bring from `before` to `value`."""
        for place in _changed(value, before):
            target.units.add(**_row(place, value.units[place], names))
        old = vars(before)
        for (name, write, _), item in zip(self._writers, self._values(value), strict=True):
            if item is old[name] or item == old[name]:
                continue
            target.changed.append(name)
            self._write_field(target.values, name, item if write is None else write(item, names))

    def write(self, target: Any, value: State, before: State | None, names: Names) -> None:
        """Bring `target`, which holds `before` or nothing, to `value`; skip what is the same."""
        if before is None:
            for place, unit in enumerate(value.units):
                target.units.add(**_row(place, unit, names))
        else:
            _bring_units(target.units, value, before, names)
        old = {} if before is None else vars(before)
        for (name, write, _), item in zip(self._writers, self._values(value), strict=True):
            if name in old and (item is old[name] or item == old[name]):
                continue
            self._write_field(target, name, item if write is None else write(item, names))

    def _write_field(self, target: Any, name: str, encoded: Any) -> None:
        if name in self._lists:
            _replace(getattr(target, name), encoded)
        elif name in self._messages:
            getattr(target, name).CopyFrom(self._messages[name](**encoded))
            getattr(target, name).SetInParent()
        else:
            setattr(target, name, encoded)



def _bring_units(rows: Any, value: State, before: State, names: Names) -> None:
    numbers = names.hex_numbers
    for place in _changed(value, before):
        row, unit, old = rows[place], value.units[place], before.units[place]
        if unit.hex != old.hex:
            row.hex = numbers[unit.hex]
        if unit.strength != old.strength:
            row.strength = unit.strength
        if unit.status != old.status:
            row.status = unit.status
        if unit.rank != old.rank:
            row.rank = unit.rank
        if unit.bank != old.bank:
            row.bank = unit.bank
        if unit.due != old.due:
            row.due = unit.due


def _changed(value: State, before: State) -> list[int]:
    """The places of units that are not what they were, in order."""
    known = value.known.before
    if known is not None and known.units is before.units:
        places: Iterable[int] = sorted(known.changed)
    else:
        places = range(len(value.units))
    return [place for place in places if value.units[place] != before.units[place]]


def encode_own_unit(own: OwnUnit, names: Names) -> dict[str, Any]:
    """A unit of the viewing side as the row that the state has of it."""
    return _row(own.unit, own.state, names)


def _row(place: int, unit: UnitState, names: Names) -> dict[str, Any]:
    return {
        "unit": names.unit_ids[place], "hex": names.hex_numbers[unit.hex],
        "strength": unit.strength, "status": int(unit.status), "rank": unit.rank,
        "bank": unit.bank, "due": unit.due,
    }


def _replace(items: Any, encoded: Any) -> None:
    del items[:]
    for item in encoded:
        if isinstance(item, dict):
            items.add(**item)
        else:
            items.append(item)


def _decode_units(rows: Any, units: Sequence[Unit], names: Names) -> tuple[UnitState, ...]:
    if len(rows) != len(units):
        raise FieldError(_wrong_rows(rows, units, names), "units")
    result: list[UnitState] = []
    try:
        for row, unit in zip(rows, units, strict=True):
            result.append(_decode_unit(row, unit, names))
    except FieldError as fault:
        place = len(result)
        known = rows[place].unit == units[place].id
        told = fault if known else FieldError(_wrong_rows(rows, units, names), "unit")
        raise told.within(f"units[{place}]") from None
    return tuple(result)


def _decode_unit(row: Any, unit: Unit, names: Names) -> UnitState:
    if row.unit != unit.id:
        raise FieldError("another unit")
    number, strength, status, rank = row.hex, row.strength, row.status, row.rank
    bank, due = row.bank, row.due
    hex_ = names.hex_of.get(number) if number else OFF_MAP
    if hex_ is None:
        raise FieldError(f"{number} is no hex of the map; expected a printed number, or 0 off the "
                         "map", "hex")
    if strength > unit.strength:
        raise FieldError(f"{strength} is above the printed strength of {unit.id}; expected up to "
                         f"{unit.strength}", "strength")
    if status > _ALL_STATUS:
        raise FieldError(f"{status} has unknown bits; expected a sum of StatusFlag", "status")
    if rank > _MAX_RANK:
        raise FieldError(f"{rank} is too big; expected at most {_MAX_RANK}", "rank")
    if bank > _BANKS:
        raise FieldError(f"{bank} is no bank; expected 0, 1 or 2", "bank")
    if due > _MAX_DUE:
        raise FieldError(f"{due} is no turn; expected at most {_MAX_DUE}", "due")
    return UnitState(hex_, strength, status, rank, bank, due)


def _wrong_rows(rows: Any, units: Sequence[Unit], names: Names) -> str:
    """Why the rows are not those of the catalog in its order."""
    seen: set[str] = set()
    for row in rows:
        if row.unit not in names.unit_of:
            return f"{row.unit[:80]!r} is no unit of this scenario; expected the id of one"
        if row.unit in seen:
            return f"{row.unit!r} has two rows; expected one for each unit"
        seen.add(row.unit)
    missing = next((unit.id for unit in units if unit.id not in seen), None)
    if missing is not None:
        return f"{missing!r} has no row; expected one for each unit"
    return "the rows are out of order; expected the order of the catalog"


def _require_bunkers(bunkers: Sequence[int], catalog: Catalog) -> None:
    if len(bunkers) != len(catalog.bunkers):
        raise FieldError(f"{len(bunkers)} items; expected {len(catalog.bunkers)}", "bunkers")
    for place, (strength, bunker) in enumerate(zip(bunkers, catalog.bunkers, strict=True)):
        if strength > bunker.strength:
            raise FieldError(f"{strength} is above the printed strength; expected at most "
                             f"{bunker.strength}", f"bunkers[{place}]")
