"""What a tournament writes down, in the arbiter's database. Times are Unix times in seconds.

Rows of games and seats are only ever added: one game and its two seats in one transaction.
"""

from __future__ import annotations

from sqlalchemy import (
    Column,
    Float,
    ForeignKey,
    ForeignKeyConstraint,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

TOURNAMENTS = Table(
    "tournaments", METADATA,
    Column("name", String(64), primary_key=True),
    Column("digest", String(64), nullable=False, doc="of the terms"),
    Column("terms", Text, nullable=False, doc="JSON"),
    Column("created", Float, nullable=False),
)

GAMES = Table(
    "tournament_games", METADATA,
    Column("tournament", String(64), ForeignKey("tournaments.name"), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("ordinal", Integer, nullable=False, doc="the order of the schedule"),
    Column("round", Integer, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("dice_seed", Text, nullable=False),
    Column("ending", String(32), nullable=False),
    Column("winner", String(32), nullable=False, doc="a side; empty for none"),
    Column("at_fault", String(32), nullable=False, doc="a side; empty for none"),
    Column("reason", Text, nullable=False),
    Column("level", Text, nullable=False),
    Column("points", Integer, nullable=True),
    Column("turn", Integer, nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("checksum", Text, nullable=False),
    Column("started", Float, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("worker", Text, nullable=False),
)

SEATS = Table(
    "tournament_seats", METADATA,
    Column("tournament", String(64), primary_key=True),
    Column("key", String(255), primary_key=True),
    Column("seat", Integer, primary_key=True, autoincrement=False, doc="0 or 1"),
    Column("side", String(32), nullable=False),
    Column("bot", String(64), nullable=False),
    Column("decisions", Integer, nullable=False),
    Column("refusals", Integer, nullable=False),
    Column("seconds", Float, nullable=False),
    ForeignKeyConstraint(["tournament", "key"],
                         ["tournament_games.tournament", "tournament_games.key"]),
)
