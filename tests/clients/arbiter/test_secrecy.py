"""No seat, no spectator, no log and no error ever carries what its reader may not know.

A bold match is played through real processes and every answer is kept. After the end the log is
repeated, and so it is known what was hidden from whom at each moment.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from google.protobuf.message import Message

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2
from lovat.white_death.v1 import overlays_pb2, terms_pb2
from lovat_client.arbiter.player import MatchClient, records_of
from lovat_client.sdk import LovatClient, LovatError

from .playing import SIDES, Hall, Table, illegal, orders_for, wrapped
from .processes import running

DECISIONS = 80
GERMAN_SCENARIO = "final-relief-attempt"


@dataclass
class Heard:
    """Everything one reader got: bytes by the version that they belong to."""

    by_version: dict[int, list[bytes]] = field(default_factory=dict)

    def add(self, version: int, message: Message) -> None:
        self.by_version.setdefault(version, []).append(message.SerializeToString())

    @property
    def everything(self) -> bytes:
        return b"\n".join(part for parts in self.by_version.values() for part in parts)


@dataclass
class Played:
    """A match that is over: what everybody heard, and the truth."""

    heard: dict[str, Heard]
    events: dict[str, list[play.MatchEvent]]
    header: play.ReplayHeader
    records: list[core_pb2.LogRecord]
    positions: list[core_pb2.Position]
    owners: Mapping[str, str]
    tokens: list[str]
    files: Path
    errors: list[str]


@pytest.fixture(scope="module", params=["purkayevs-attack", GERMAN_SCENARIO])
def played(request: pytest.FixtureRequest, rules: str,
           tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    folder = tmp_path_factory.mktemp("secrecy")
    with running(str(folder / "m.db"), rules, folder / "log") as process, \
            Hall(process.address) as hall:
        table = hall.table(scenario=request.param, dice=play.MATCH_DICE_SEEDED, seed="secrecy 11",
                           spectating=play.Spectating(delay=1))
        heard = {side: Heard() for side in (*SIDES, "")}
        errors = _play(table, hall, heard)
        with contextlib.suppress(LovatError):  # it may have been played to its end
            table.seats["soviet"].resign()
        events = {reader: list(client.watch(table.match_id, with_views=True))
                  for reader, client in (*table.seats.items(), ("", hall.lobby))}
        for reader, told in events.items():
            for event in told:
                heard[reader].add(event.version, event)
        header, entries = hall.lobby.replay(table.match_id)
        with LovatClient.connect(rules) as client:
            records = records_of(entries)
            positions = list(_positions(client, header, records))
            owners = {unit.id: "soviet" if unit.side == terms_pb2.SIDE_SOVIET else "german"
                      for unit in client.catalog(request.param).message.units}
        yield Played(heard, events, header, records, positions, owners,
                     list(table.tokens.values()), folder, errors)


def _play(table: Table, hall: Hall, heard: dict[str, Heard]) -> list[str]:
    random, errors = Random(5), []
    for number in range(DECISIONS):
        side, turn = table.deciding()
        if turn.match.state != play.MATCH_STATE_RUNNING:
            break
        for reader, client in (*table.seats.items(), ("", hall.lobby)):
            answer = client.turn(table.match_id)
            heard[reader].add(answer.version, answer)
            if reader:
                heard[reader].add(answer.version, client.overlay(_query(random)))
        seat = table.seats[side]
        if number % 10 == 0:
            _err(seat, turn, heard[side], errors)
        for order in orders_for(turn, random):
            heard[side].add(turn.version, seat.validate(order))
            heard[side].add(turn.version, seat.preview(order))
            answer = seat.submit(order, turn.version)
            heard[side].add(answer.version, answer)
            if not answer.violations:
                break
    return errors


def _query(random: Random) -> core_pb2.OverlayQuery:
    """Any overlay of either side that needs no unit."""
    kinds = [kind for kind in overlays_pb2.OverlayKind.values()
             if kind not in (0, overlays_pb2.OVERLAY_KIND_REACH)]
    return core_pb2.OverlayQuery(white_death=overlays_pb2.OverlayQuery(
        kind=random.choice(kinds), whose=random.choice(overlays_pb2.Whose.values())))


def _reach(unit: str) -> core_pb2.OverlayQuery:
    return core_pb2.OverlayQuery(white_death=overlays_pb2.OverlayQuery(
        kind=overlays_pb2.OVERLAY_KIND_REACH, unit=unit))


def _err(seat: MatchClient, turn: play.GetTurnResponse, heard: Heard,
         errors: list[str]) -> None:
    """Make every kind of mistake."""
    for order in (illegal(), wrapped(), core_pb2.Order(), wrapped(
            advance={"occupations": [{"hex": 1010, "units": ["nobody"]}]})):
        for ask in (lambda order=order: seat.submit(order, turn.version),
                    lambda order=order: seat.submit(order, turn.version + 7),
                    lambda order=order: seat.preview(order),
                    lambda: seat.overlay(core_pb2.OverlayQuery()),
                    lambda: seat.overlay(_reach("nobody")),
                    lambda: seat.describe_rule("WD 99"),
                    lambda order=order: seat.turn(draft=order)):
            try:
                heard.add(turn.version, ask())
            except LovatError as error:
                errors.append(f"{error} {error.metadata} {error.fields}")
    with contextlib.suppress(LovatError):
        seat.replay()


def _positions(client: LovatClient, header: play.ReplayHeader,
               records: list[core_pb2.LogRecord]) -> Iterator[core_pb2.Position]:
    position = header.start.position
    yield position
    for record in records:
        said = record.orders[0]
        standing = said.standing if said.HasField("standing") else None
        outcome = client.submit(position, said.orders[0], standing=standing)
        assert outcome.position is not None
        assert outcome.checksum == record.checksum_after
        position = outcome.position
        yield position


def known_in(position: core_pb2.Position, reader: str, owners: Mapping[str, str]) -> set[str]:
    """What a reader may know of a position, counted anew from the clear state."""
    state = position.state.white_death
    known: set[str] = set()
    stacks: dict[int, list[Any]] = {}
    for unit in state.units:
        if owners[unit.unit] == reader:
            known.add(unit.unit)
        elif unit.hex:
            stacks.setdefault(unit.hex, []).append(unit)
    attacked = {assault.hex for assault in state.assaults}
    for hex_, stack in stacks.items():
        for side in SIDES:
            own = [unit for unit in stack if owners[unit.unit] == side]
            if own:
                known.add(min(own, key=lambda unit: unit.rank).unit)
        for unit in stack:
            deployed = unit.status & terms_pb2.STATUS_FLAG_DEPLOYED
            if reader and (deployed or hex_ in attacked):
                known.add(unit.unit)
    for assault in state.assaults:
        known.update(assault.units)
    known.update(pending.unit for pending in state.retreats)
    return known


def fought_in(record: core_pb2.LogRecord) -> set[str]:
    """What took part in combat: assaulted, was fired at, was tested."""
    fought: set[str] = set()
    for event in record.events:
        inner = event.white_death
        kind = inner.WhichOneof("event") or ""
        fact = getattr(inner, kind)
        if kind.endswith("_fired") or kind == "assault_declared":
            fought.add(getattr(fact, "target", ""))
            fought.update(getattr(fact, "units", ()))
            if kind == "antitank_fired" and fact.phase == terms_pb2.PHASE_MOVEMENT:
                fought.update(fact.firers)
        if kind in ("morale_checked", "unit_shaken", "unit_halted", "retreat_required"):
            fought.add(fact.unit)
    return fought


def without(data: bytes, names: Iterable[str]) -> bytes:
    """The bytes with these names cut out, longer names first."""
    for name in sorted(names, key=len, reverse=True):
        data = data.replace(name.encode(), b"\0")
    return data


@pytest.mark.parametrize("reader", [*SIDES, ""])
def test_no_counter_is_named_to_whom_it_is_hidden(played: Played, reader: str) -> None:
    checked = 0
    for version, parts in played.heard[reader].by_version.items():
        known = known_in(played.positions[version], reader, played.owners)
        if version:
            known |= known_in(played.positions[version - 1], reader, played.owners)
            known |= fought_in(played.records[version - 1])
        hidden = [name.encode() for name in played.owners if name not in known]
        for part in parts:
            rest = without(part, (name for name in known if name))
            assert [name for name in hidden if name in rest] == []
            checked += len(hidden)
    assert checked > 5_000


def test_the_match_was_worth_looking_at(played: Played) -> None:
    kinds: dict[str, int] = {}
    hidden = 0
    for event in played.events["german"] + played.events["soviet"]:
        for happening in event.ordered.happenings:
            hidden += happening.HasField("concealed")
            kind = happening.event.white_death.WhichOneof("event")
            if kind:
                kinds[kind] = kinds.get(kind, 0) + 1
    assert hidden >= 3
    assert {"unit_moved", "assault_declared", "conventional_fired", "morale_checked",
            "strength_lost"} <= kinds.keys(), kinds


def test_no_secret_is_in_any_answer_error_or_log(played: Played) -> None:
    log = (played.files / "log").read_bytes()
    secrets = [played.header.secret, played.header.secret.hex().encode(),
               played.header.start.create.seed.encode(),
               *(token.split(".")[2].encode() for token in played.tokens)]
    assert all(len(secret) >= 10 for secret in secrets)
    checksums = [record.checksum_after.encode() for record in played.records]
    places = {reader or "spectator": heard.everything for reader, heard in played.heard.items()}
    places["log"] = log
    places["errors"] = "\n".join(played.errors).encode()
    assert len(played.errors) > 20
    for name, data in places.items():
        assert [secret for secret in secrets if secret in data] == [], name
        assert not any(checksum in data for checksum in checksums), name


def test_tokens_are_not_in_the_database(played: Played) -> None:
    data = b"".join(path.read_bytes() for path in played.files.glob("m.db*"))
    assert data
    for token in played.tokens:
        assert token.split(".")[2].encode() not in data


def test_what_happened_is_told_in_full_to_the_side_that_did_it(played: Played) -> None:
    """Nothing is lost by filtering: a side gets every event of its own counters unchanged."""
    for side in SIDES:
        told = {event.version: event for event in played.events[side]
                if event.HasField("ordered")}
        for record in played.records:
            shown = [happening.event.SerializeToString()
                     for happening in told[record.version + 1].ordered.happenings]
            for event in record.events:
                inner = event.white_death
                kind = inner.WhichOneof("event") or ""
                unit = getattr(getattr(inner, kind), "unit", "")
                if unit and played.owners[unit] == side:
                    assert event.SerializeToString() in shown
