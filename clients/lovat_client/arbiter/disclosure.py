"""What a side may know of what happened: the one place where events are filtered.

A counter of the other side is known by its id if, in the side's view before or after, it lies on
top of a stack, is seen deployed or is revealed under assault, or if it took part in a combat that
the side saw: named in an assault, fired at, tested for morale, firing at a moving tank. Artillery
that fires from afar is not. Of unknown counters that move only their hexes and number are told.

Spectators know what both sides know: neither side is theirs. Every kind of event is in one of the
sets below; a kind that is in none is told to nobody.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from google.protobuf.message import Message

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2, event_pb2
from lovat.white_death.v1 import answers_pb2, events_pb2, terms_pb2

SPECTATORS = ""
"""The audience of those who have no seat."""

OPEN = frozenset({
    "turn_began", "weather_rolled", "garrison_rolled", "town_garrisons_released",
    "supply_received", "replacements_received", "garrison_sustained", "impulse_began",
    "impulse_declared", "assault_declared", "supply_spent", "bunker_reduced", "bunker_destroyed",
    "hex_vacated", "railroad_scored", "impulse_ended", "turn_ended", "game_ended",
    "decision_reached", "phase_began",
})
"""Told whole to everybody: tracks, declared assaults, and what lies open on the map."""

COMBAT = frozenset({"morale_checked", "unit_shaken", "unit_halted", "retreat_required"})
"""Told whole to everybody: they befall only counters in combat."""

FIRE = frozenset({"conventional_fired", "antitank_fired", "barrage_fired", "bunker_barraged"})
"""Told to everybody, with those firers that the reader knows."""

PLACES: Mapping[str, tuple[str, str]] = {
    "unit_placed": ("", "hex"),
    "unit_moved": ("start", "path"),
    "unit_railed": ("start", "path"),
    "unit_stopped": ("", "hex"),
    "ice_tested": ("start", "end"),
    "unit_withdrew": ("start", "hex"),
    "unit_pursued": ("start", "hex"),
    "unit_retreated": ("start", "path"),
    "unit_advanced": ("start", "hex"),
    "unit_eliminated": ("hex", ""),
    "unit_exited": ("hex", ""),
}
"""Told of a known counter, but for its strength; of an unknown one the hexes in these fields."""

WORKS = frozenset({"bridge_built", "bridge_destroyed"})
"""Told to everybody, without a counter that the reader does not know."""

ROLLS = frozenset({"reserve_rolled"})
"""Told to everybody, without the counters."""

SPOTTED = frozenset({"unit_deployed"})
"""Told of a counter that a view shows deployed, else not at all."""

OWN = frozenset({"unit_repaired", "strength_lost", "unit_replaced", "stack_arranged",
                 "brigade_refitted", "equipment_abandoned"})
"""Told whole to the owner; to others at most that it happened (`_of_another`)."""

SPLIT = frozenset({"supply_traced", "commandos_tested"})
"""Lists of counters of both sides: each reader gets those that are for him."""

KINDS = (OPEN | COMBAT | FIRE | PLACES.keys() | WORKS | ROLLS | SPOTTED | OWN | SPLIT)

_COMBAT_CAUSES = frozenset({
    terms_pb2.CAUSE_CONVENTIONAL, terms_pb2.CAUSE_ANTITANK, terms_pb2.CAUSE_BARRAGE,
    terms_pb2.CAUSE_ROUT, terms_pb2.CAUSE_RETREAT_THROUGH_ZONE, terms_pb2.CAUSE_NO_RETREAT,
    terms_pb2.CAUSE_TANK_FRIGHT,
})
_WORD = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")


class Disclosure:
    """What is told to whom in games of one catalog.

    `owners` has the name of the side of every unit by its id.
    """

    def __init__(self, owners: Mapping[str, str]) -> None:
        self._owners = owners

    def happenings(self, events: Iterable[event_pb2.GameEvent], audience: str,
                   views: Iterable[core_pb2.View]) -> list[play.Happening]:
        """What a side, or `SPECTATORS`, may know of events, in order.

        `views` are the audience's own before and after the events. Counters of which only hexes
        may be told are counted together as long as they do the same.
        """
        inner = [event.white_death for event in events]
        seen = [view.white_death for view in views]
        known = frozenset().union(*(known_units(view) for view in seen), _fought(inner))
        deployed = {unit for view in seen for stack in view.enemy for unit in stack.deployed}
        told: list[play.Happening] = []
        for event in inner:
            if event.WhichOneof("event") in SPOTTED \
                    and event.unit_deployed.unit not in deployed \
                    and self._owners.get(event.unit_deployed.unit) != audience:
                continue
            for happening in self._tell(event, audience, known):
                if not self._is_discreet(happening, audience, known):
                    continue  # never reached while the sets above are right
                last = told[-1].concealed if told and told[-1].HasField("concealed") else None
                if last is not None and happening.HasField("concealed") \
                        and _same_but_count(last, happening.concealed):
                    last.count += happening.concealed.count
                else:
                    told.append(happening)
        return told

    def view(self, view: core_pb2.View, side: str) -> core_pb2.View:
        """A side's view, without the builders of bridges that it does not know."""
        told = core_pb2.View()
        told.CopyFrom(view)
        known = frozenset(known_units(view.white_death))
        for bridge in told.white_death.bridges:
            if not self._may_name(bridge.builder, side, known):
                bridge.builder = ""
        return told

    def violations(self, violations: Iterable[core_pb2.Violation], side: str,
                   view: core_pb2.View, order: Message) -> list[core_pb2.Violation]:
        """The violations for a player, without ids of counters that he neither knows nor named."""
        free = known_units(view.white_death) | set(_words(order))
        cleaned = []
        for violation in violations:
            clean = core_pb2.Violation()
            clean.CopyFrom(violation)
            for name, value in violation.facts.items():
                if self._strangers(_WORD.findall(value), side, free):
                    del clean.facts[name]
            for word in self._strangers(_WORD.findall(clean.message), side, free):
                clean.message = clean.message.replace(word, "an unknown unit")
            cleaned.append(clean)
        return cleaned

    def _tell(self, event: events_pb2.Event, audience: str,
              known: frozenset[str]) -> Iterator[play.Happening]:
        kind = event.WhichOneof("event")
        if kind is None or kind not in KINDS:
            return
        fact: Any = getattr(event, kind)
        if kind in OPEN or kind in COMBAT:
            yield _shown(event)
        elif kind in FIRE or kind in WORKS or kind in ROLLS or kind in SPLIT:
            yield from self._tell_part(event, kind, fact, audience, known)
        elif self._is_own(kind, fact, audience):
            yield _shown(event)
        elif _is_seen(kind, fact, known):
            yield _shown(_from_outside(event))
        elif kind in PLACES:
            start, end = PLACES[kind]
            yield _concealed(kind, _hex(fact, start), _hex(fact, end), 1)
        else:
            yield from _of_another(kind, fact)

    def _is_own(self, kind: str, fact: Any, audience: str) -> bool:
        if kind in ("stack_arranged", "brigade_refitted"):
            return bool(fact.units) and all(
                self._owners.get(unit) == audience for unit in fact.units)
        return self._owners.get(fact.unit) == audience

    def _tell_part(self, event: events_pb2.Event, kind: str, fact: Any, audience: str,
                   known: frozenset[str]) -> Iterator[play.Happening]:
        """An event without the counters in it that the audience may not know."""
        part = events_pb2.Event()
        part.CopyFrom(event)
        copy: Any = getattr(part, kind)
        if kind in WORKS:
            if not self._may_name(fact.unit, audience, known):
                copy.unit = ""
        elif kind == "supply_traced":  # a state, not a deed: not even that of a known enemy
            for field in ("isolated", "supplied"):
                own = [unit for unit in getattr(fact, field)
                       if self._owners.get(unit) == audience]
                _refill(copy, field, own)
        elif kind == "reserve_rolled":
            own = [unit for unit in fact.units if self._owners.get(unit) == audience]
            _refill(copy, "units", own)
        else:
            field = "firers" if kind in FIRE else "units"
            named = [unit for unit in getattr(fact, field)
                     if self._may_name(unit, audience, known)]
            if kind == "commandos_tested" and not named and not fact.discovered:
                return
            _refill(copy, field, named)
        yield _shown(part)

    def _may_name(self, unit: str, audience: str, known: frozenset[str]) -> bool:
        return unit in known or self._owners.get(unit) == audience

    def _is_discreet(self, happening: play.Happening, audience: str,
                     known: frozenset[str]) -> bool:
        return not self._strangers(_words(happening), audience, known)

    def _strangers(self, words: Iterable[str], audience: str,
                   known: Iterable[str]) -> list[str]:
        """Those words that are ids of counters neither the audience's own nor known."""
        return [word for word in words if word in self._owners
                and self._owners[word] != audience and word not in known]


def known_units(view: answers_pb2.View) -> set[str]:
    """The ids of counters of the other side, or of both for a public view, that a view tells."""
    known: set[str] = set()
    for stack in view.enemy:
        known.add(stack.top)
        known.update(stack.deployed)
        known.update(unit.unit for unit in stack.revealed)
    for assault in view.assaults:
        known.update(assault.units)
    known.update(pending.unit for pending in view.retreats)
    return known


def public_view(views: Iterable[core_pb2.View]) -> core_pb2.View:
    """What both sides know, from the views of both: the tracks, and every stack from outside.

    No side is set and no unit is an own one; the fronts of both sides' stacks are in `enemy`,
    without what is revealed to one side only.
    """
    public = core_pb2.View()
    for view in views:
        inner = view.white_death
        if not public.HasField("white_death"):
            public.CopyFrom(view)
            shown = public.white_death
            shown.ClearField("side")
            for field in ("own", "enemy", "standing"):
                shown.ClearField(field)
            for bridge in shown.bridges:
                bridge.builder = ""
            shown.rail_moved[:] = [0] * len(shown.rail_moved)  # each would tell what moved
        for stack in inner.enemy:
            public.white_death.enemy.add(hex=stack.hex, count=stack.count, top=stack.top)
    public.white_death.enemy.sort(key=lambda stack: stack.hex)
    return public


def _fought(events: Iterable[events_pb2.Event]) -> set[str]:
    """Counters that took part in combat before the eyes of the other side."""
    units: set[str] = set()
    for event in events:
        kind = event.WhichOneof("event")
        if kind is None:
            continue
        fact: Any = getattr(event, kind)
        if kind in COMBAT:
            units.add(fact.unit)
        elif kind == "assault_declared":
            units.update(fact.units)
        elif kind in FIRE and kind != "bunker_barraged":
            units.add(fact.target)
            if kind == "antitank_fired" and fact.phase == terms_pb2.PHASE_MOVEMENT:
                units.update(fact.firers)
    return units


def _from_outside(event: events_pb2.Event) -> events_pb2.Event:
    """What is seen of a counter that is known, without the strength on its back."""
    if not event.HasField("unit_railed"):
        return event
    seen = events_pb2.Event()
    seen.CopyFrom(event)
    seen.unit_railed.ClearField("strength")
    return seen


def _is_seen(kind: str, fact: Any, known: frozenset[str]) -> bool:
    """Whether what another side's counter does is told whole."""
    if kind == "strength_lost":
        return fact.unit in known and fact.cause in _COMBAT_CAUSES
    return kind not in OWN and fact.unit in known


def _of_another(kind: str, fact: Any) -> Iterator[play.Happening]:
    """What is told of the other side's own affairs: only what is seen on the map."""
    if kind == "stack_arranged":
        yield _concealed(kind, 0, fact.hex, len(fact.units))
    elif kind == "brigade_refitted":
        yield _concealed(kind, 0, 0, len(fact.units))
    elif kind == "unit_replaced" and fact.hex:
        yield _concealed(kind, 0, fact.hex, 1)


def _shown(event: events_pb2.Event) -> play.Happening:
    return play.Happening(event=event_pb2.GameEvent(white_death=event))


def _concealed(kind: str, start: int, hex_: int, count: int) -> play.Happening:
    return play.Happening(
        concealed=play.Concealed(kind=kind, start=start, hex=hex_, count=count))


def _same_but_count(one: play.Concealed, other: play.Concealed) -> bool:
    return (one.kind, one.start, one.hex) == (other.kind, other.start, other.hex)


def _hex(fact: Any, field: str) -> int:
    """The hex in a field, of a path its end; 0 of no field."""
    if not field:
        return 0
    value = getattr(fact, field)
    if isinstance(value, int):
        return value
    return value[-1] if value else 0


def _refill(message: Any, field: str, values: Iterable[str]) -> None:
    message.ClearField(field)
    getattr(message, field).extend(values)


def _words(message: Message) -> Iterator[str]:
    """Every text in a message and in those within it."""
    for field, value in message.ListFields():
        values = value if field.is_repeated else [value]
        if field.message_type is not None and field.message_type.GetOptions().map_entry:
            yield from (str(text) for pair in value.items() for text in pair)
        elif field.message_type is not None:
            for inner in values:
                yield from _words(inner)
        elif field.type == field.TYPE_STRING:
            yield from values
