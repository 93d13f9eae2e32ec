"""Tournaments in the arbiter's database: the same URL, tables and migrations.

A result is on disk when `record` has returned, and is written once: whoever comes second with the
same game is told so, and nothing changes.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from typing import Any, Self

import sqlalchemy as sa
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError

from ..arbiter.main import open_store
from ..sdk.errors import ClientError
from .results import GameResult, SeatResult
from .tables import GAMES, SEATS, TOURNAMENTS
from .terms import Terms, terms_of_json

_LONGEST_REASON = 4_000


class TournamentError(ClientError):
    """A tournament that is not there, or is there with other terms."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A tournament of the database: name, when it was made (Unix time), finished games."""

    name: str
    created: float
    finished: int


class TournamentStore:
    """The database; to be closed, or used as a context. Methods may be called from any thread."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine

    @classmethod
    def open(cls, database: str) -> Self:
        """A URL or the file of a SQLite database, brought up to date. `ClientError`."""
        return cls(open_store(database).engine)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.engine.dispose()

    def enter(self, terms: Terms) -> None:
        """Write the terms down, or find that they are. `TournamentError` if others are."""
        row = {"name": terms.name, "digest": terms.digest, "terms": terms.as_json(),
               "created": time.time()}
        with self._writing() as connection:
            query = sa.select(TOURNAMENTS.c.digest).where(TOURNAMENTS.c.name == terms.name)
            held = connection.execute(query).scalar()
            if held is None:
                connection.execute(sa.insert(TOURNAMENTS), row)
            elif held != terms.digest:
                raise TournamentError(
                    f"there is a tournament {terms.name!r} with other terms in the database; "
                    "give the new one another name")

    def terms(self, name: str) -> Terms:
        """`TournamentError` if there is no such tournament."""
        query = sa.select(TOURNAMENTS.c.terms).where(TOURNAMENTS.c.name == name)
        with self._reading() as connection:
            text = connection.execute(query).scalar()
        if text is None:
            known = ", ".join(entry.name for entry in self.entries())
            raise TournamentError(f"there is no tournament {name!r} in the database; there "
                                  f"are {known or 'none'}")
        return terms_of_json(text)

    def entries(self) -> list[Entry]:
        """All tournaments, oldest first."""
        query = (sa.select(TOURNAMENTS.c.name, TOURNAMENTS.c.created,
                           sa.func.count(GAMES.c.key))
                 .join_from(TOURNAMENTS, GAMES, isouter=True)
                 .group_by(TOURNAMENTS.c.name, TOURNAMENTS.c.created)
                 .order_by(TOURNAMENTS.c.created, TOURNAMENTS.c.name))
        with self._reading() as connection:
            return [Entry(*row) for row in connection.execute(query)]

    def record(self, name: str, result: GameResult) -> bool:
        """Write a result down; False if there is one of that game already, which stays."""
        row = {field.name: getattr(result, field.name) for field in fields(result)
               if field.name != "seats"}
        row["reason"] = result.reason[:_LONGEST_REASON].replace("\0", "\\0")
        seats = [{"tournament": name, "key": result.key, "seat": number, **asdict(seat)}
                 for number, seat in enumerate(result.seats)]
        try:
            with self._writing() as connection:
                connection.execute(sa.insert(GAMES), {"tournament": name, **row})
                connection.execute(sa.insert(SEATS), seats)
        except IntegrityError:
            if result.key in self.results(name):
                return False
            raise
        return True

    def results(self, name: str) -> dict[str, GameResult]:
        """The finished games by key, in the order of the schedule."""
        columns = [GAMES.c[field.name] for field in fields(GameResult) if field.name != "seats"]
        games = sa.select(*columns).where(GAMES.c.tournament == name).order_by(GAMES.c.ordinal)
        seats = (sa.select(SEATS.c.key, *(SEATS.c[field.name] for field in fields(SeatResult)))
                 .where(SEATS.c.tournament == name).order_by(SEATS.c.key, SEATS.c.seat))
        sitting: dict[str, list[SeatResult]] = {}
        with self._reading() as connection:
            for key, *seat in connection.execute(seats):
                sitting.setdefault(key, []).append(SeatResult(*seat))
            return {row.key: GameResult(**row._mapping, seats=_both(sitting[row.key]))
                    for row in connection.execute(games)}

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        with self.engine.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        with self.engine.connect() as plain:
            connection: Any = plain.execution_options(lovat_immediate=True)
            with connection.begin():
                yield connection


def _both(seats: list[SeatResult]) -> tuple[SeatResult, SeatResult]:
    first, second = seats
    return first, second
