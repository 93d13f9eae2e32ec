"""What the arbiter remembers, in SQLite or PostgreSQL.

One rule keeps every promise: a change of a match is one transaction that first compares the
match's revision with the one the change was made from. So of two changes made from the same
revision one is committed and the other made again; and what `commit` has returned is on disk
(SQLite: WAL with synchronous=FULL; PostgreSQL: synchronous_commit on).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, Engine, make_url

from lovat.play.v1 import match_service_pb2 as play
from lovat.rules.v1 import core_pb2

from .codec import packed, unpacked
from .tables import ANSWERS, EVENTS, MATCHES, PULSE, RECORDS, SEATS

BUSY_SECONDS = 30
"""How long a transaction waits for another one to end."""

_IMMEDIATE = "lovat_immediate"


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A row of `matches`; the columns are explained there."""

    match_id: str
    name: str
    game: str
    scenario: str
    state: int
    listed: bool
    open: bool
    created: float
    terms: bytes
    opening: bytes
    opening_events: bytes
    request_hash: bytes
    request_digest: bytes
    position: bytes
    version: int
    sequence: int
    revision: int
    decision_side: str
    decision_kind: str
    since: float
    spent: float
    stopped: float
    result: bytes | None

    @property
    def info(self) -> play.MatchInfo:
        return play.MatchInfo.FromString(self.terms)

    @property
    def head(self) -> core_pb2.Position:
        return unpacked(core_pb2.Position, self.position)

    @property
    def decision(self) -> core_pb2.Decision:
        return core_pb2.Decision(side=self.decision_side, kind=self.decision_kind)


@dataclass(frozen=True, slots=True)
class SeatRow:
    """A row of `seats`; the columns are explained there."""

    match_id: str
    side: str
    ordinal: int
    player: str
    taken: bool
    token_salt: bytes
    token_hash: bytes
    invitation_salt: bytes
    invitation_hash: bytes
    request_hash: bytes
    bank: float
    lapses: int
    refusals: int
    proposals: int
    view: bytes

    @property
    def known(self) -> core_pb2.View:
        return unpacked(core_pb2.View, self.view)


@dataclass(frozen=True, slots=True)
class Match:
    """A match as it is written down, without its history. Seats are in the order of the sides."""

    row: MatchRow
    seats: tuple[SeatRow, ...]

    def seat(self, side: str) -> SeatRow:
        """KeyError if there is no such side."""
        for seat in self.seats:
            if seat.side == side:
                return seat
        raise KeyError(side)


@dataclass(frozen=True, slots=True)
class EventRow:
    """One event for one audience."""

    sequence: int
    audience: str
    version: int
    has_view: bool
    event: bytes

    @property
    def message(self) -> play.MatchEvent:
        return unpacked(play.MatchEvent, self.event)


@dataclass(frozen=True, slots=True)
class RecordRow:
    """One accepted order."""

    version: int
    sequence: int
    time: float
    record: bytes
    lapse: int
    reason: str


@dataclass(frozen=True, slots=True)
class AnswerRow:
    """What a request id was answered."""

    side: str
    request_id: str
    digest: bytes
    answer: bytes


class Store:
    """The database. Every method is one transaction and may be called from any thread.

    `url` is a database URL of SQLAlchemy, or the path of a SQLite file.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(database_url(url))

    def close(self) -> None:
        self.engine.dispose()

    def create(self, match: Match) -> None:
        with self._writing() as connection:
            connection.execute(sa.insert(MATCHES), asdict(match.row))
            connection.execute(sa.insert(SEATS), [asdict(seat) for seat in match.seats])

    def load(self, match_id: str) -> Match | None:
        with self._reading() as connection:
            return _load(connection, match_id)

    def created_by(self, request_hash: bytes) -> Match | None:
        """The match that was created with this request id."""
        query = sa.select(MATCHES.c.match_id).where(MATCHES.c.request_hash == request_hash)
        with self._reading() as connection:
            found = connection.execute(query).scalar()
            return _load(connection, found) if found is not None else None

    def commit(self, before: Match, after: Match, *, events: Sequence[EventRow] = (),
               record: RecordRow | None = None, answer: AnswerRow | None = None) -> bool:
        """Write a change down; False, and nothing is written, if `before` is no longer current."""
        match_id = before.row.match_id
        changed = _changes(before.row, after.row) | {"revision": before.row.revision + 1}
        with self._writing() as connection:
            done = connection.execute(
                sa.update(MATCHES)
                .where(MATCHES.c.match_id == match_id,
                       MATCHES.c.revision == before.row.revision)
                .values(**changed))
            if done.rowcount != 1:
                return False
            for old, new in zip(before.seats, after.seats, strict=True):
                different = _changes(old, new)
                if different:
                    connection.execute(
                        sa.update(SEATS)
                        .where(SEATS.c.match_id == match_id, SEATS.c.side == old.side)
                        .values(**different))
            for table, rows in ((EVENTS, events), (RECORDS, [record] if record else []),
                                (ANSWERS, [answer] if answer else [])):
                if rows:
                    connection.execute(
                        sa.insert(table),
                        [{"match_id": match_id, **asdict(row)} for row in rows])
        return True

    def answer(self, match_id: str, side: str, request_id: str) -> AnswerRow | None:
        query = sa.select(*_columns(ANSWERS, AnswerRow)).where(
            ANSWERS.c.match_id == match_id, ANSWERS.c.side == side,
            ANSWERS.c.request_id == request_id)
        with self._reading() as connection:
            row = connection.execute(query).one_or_none()
            return AnswerRow(*row) if row is not None else None

    def events(self, match_id: str, audience: str, after: int, until: int,
               limit: int) -> list[EventRow]:
        """Events with a number over `after` up to `until`, oldest first."""
        query = (sa.select(*_columns(EVENTS, EventRow))
                 .where(EVENTS.c.match_id == match_id, EVENTS.c.audience == audience,
                        EVENTS.c.sequence > after, EVENTS.c.sequence <= until)
                 .order_by(EVENTS.c.sequence).limit(limit))
        with self._reading() as connection:
            return [EventRow(*row) for row in connection.execute(query)]

    def last_view(self, match_id: str, audience: str, until: int) -> EventRow | None:
        """The last event up to a number that has a view."""
        query = (sa.select(*_columns(EVENTS, EventRow))
                 .where(EVENTS.c.match_id == match_id, EVENTS.c.audience == audience,
                        EVENTS.c.sequence <= until, EVENTS.c.has_view)
                 .order_by(EVENTS.c.sequence.desc()).limit(1))
        with self._reading() as connection:
            row = connection.execute(query).one_or_none()
            return EventRow(*row) if row is not None else None

    def sequence_of(self, match_id: str, version: int) -> int:
        """The number of the first event at which the position had this version; 0 if none."""
        query = sa.select(sa.func.min(EVENTS.c.sequence)).where(
            EVENTS.c.match_id == match_id, EVENTS.c.version == version, EVENTS.c.has_view)
        with self._reading() as connection:
            return connection.execute(query).scalar() or 0

    def records(self, match_id: str, after: int = -1, limit: int = 100) -> list[RecordRow]:
        """Accepted orders of versions over `after`, oldest first."""
        query = (sa.select(*_columns(RECORDS, RecordRow))
                 .where(RECORDS.c.match_id == match_id, RECORDS.c.version > after)
                 .order_by(RECORDS.c.version).limit(limit))
        with self._reading() as connection:
            return [RecordRow(*row) for row in connection.execute(query)]

    def unfinished(self, match_ids: Collection[str]) -> list[str]:
        """The ids of those of some matches that are not over."""
        query = sa.select(MATCHES.c.match_id).where(
            MATCHES.c.match_id.in_(match_ids), MATCHES.c.state != int(play.MATCH_STATE_OVER))
        with self._reading() as connection:
            return list(connection.execute(query).scalars())

    def in_state(self, state: play.MatchState.ValueType) -> list[str]:
        """The ids of the matches in a state."""
        query = sa.select(MATCHES.c.match_id).where(MATCHES.c.state == int(state))
        with self._reading() as connection:
            return list(connection.execute(query).scalars())

    def listed(self, state: play.MatchState.ValueType, scenario: str,
               before: tuple[float, str] | None, limit: int) -> list[Match]:
        """Listed matches, newest first, after the one created at `before` with that id."""
        query = sa.select(MATCHES.c.match_id).where(MATCHES.c.listed)
        if state:
            query = query.where(MATCHES.c.state == int(state))
        if scenario:
            query = query.where(MATCHES.c.scenario == scenario)
        if before is not None:
            time, match_id = before
            query = query.where(sa.or_(
                MATCHES.c.created < time,
                sa.and_(MATCHES.c.created == time, MATCHES.c.match_id < match_id)))
        query = query.order_by(MATCHES.c.created.desc(), MATCHES.c.match_id.desc()).limit(limit)
        with self._reading() as connection:
            found = [_load(connection, match_id)
                     for match_id in connection.execute(query).scalars().all()]
        return [match for match in found if match is not None]

    def beat(self, now: float) -> float | None:
        """Note that an arbiter is alive; gives when one last was."""
        with self._writing() as connection:
            last = connection.execute(sa.select(PULSE.c.time).where(PULSE.c.one == 1)).scalar()
            if last is None:
                connection.execute(sa.insert(PULSE), {"one": 1, "time": now})
            else:
                connection.execute(sa.update(PULSE).where(PULSE.c.one == 1).values(time=now))
            return last

    def _reading(self) -> Any:
        return self.engine.begin()

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self.engine.connect() as plain:
            connection = plain.execution_options(**{_IMMEDIATE: True})
            with connection.begin():
                yield connection


def database_url(text: str) -> URL:
    """A URL of SQLAlchemy; anything without "://" is the path of a SQLite file."""
    url = make_url(text) if "://" in text else URL.create("sqlite", database=text)
    if url.drivername in ("postgresql", "postgres"):
        url = url.set(drivername="postgresql+psycopg")
    return url


def _engine(url: URL) -> Engine:
    if url.get_backend_name() != "sqlite":
        engine = sa.create_engine(url, pool_pre_ping=True, pool_size=10)

        @event.listens_for(engine, "connect")
        def commit_to_disk(connection: Any, _: Any) -> None:
            connection.execute("SET synchronous_commit TO on")
            connection.commit()
        return engine
    if url.database in (None, "", ":memory:"):
        raise ValueError("the arbiter needs a database file: memory does not outlive it")
    Path(str(url.database)).absolute().parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url, connect_args={"timeout": BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def prepare(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # the driver begins nothing of its own accord
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON",
                       f"busy_timeout={BUSY_SECONDS * 1000}"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        immediate = connection.get_execution_options().get(_IMMEDIATE)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if immediate else "BEGIN")
    return engine


def _load(connection: Connection, match_id: str) -> Match | None:
    row = connection.execute(
        sa.select(*_columns(MATCHES, MatchRow)).where(MATCHES.c.match_id == match_id)
    ).one_or_none()
    if row is None:
        return None
    seats = connection.execute(
        sa.select(*_columns(SEATS, SeatRow)).where(SEATS.c.match_id == match_id)
        .order_by(SEATS.c.ordinal))
    return Match(MatchRow(*row), tuple(SeatRow(*seat) for seat in seats))


def _columns(table: sa.Table, row: type) -> list[sa.Column[Any]]:
    return [table.c[field.name] for field in fields(row)]


def _changes(old: Any, new: Any) -> dict[str, Any]:
    """The fields of two rows that differ, with their new values."""
    return {field.name: getattr(new, field.name) for field in fields(old)
            if getattr(old, field.name) != getattr(new, field.name)}


def message_bytes(message: play.MatchEvent) -> bytes:
    """An event as `EventRow` keeps it."""
    return packed(message)
