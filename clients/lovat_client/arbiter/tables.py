"""What the arbiter writes down. Times are Unix times in seconds, messages are protobuf bytes.

`positions`, views and events are compressed (zlib). Records, events and request answers are only
ever added to.
"""

from __future__ import annotations

from sqlalchemy import (
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

METADATA = MetaData()

MATCHES = Table(
    "matches", METADATA,
    Column("match_id", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("state", Integer, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("created", Float, nullable=False),
    Column("terms", LargeBinary, nullable=False,
           doc="a MatchInfo with what does not change"),
    Column("opening", LargeBinary, nullable=False,
           doc="compressed ReplayStart: request and first position"),
    Column("opening_events", LargeBinary, nullable=False,
           doc="compressed CreateGameResponse with the events only"),
    Column("request_hash", LargeBinary, nullable=False, doc="of the id of the CreateMatch"),
    Column("request_digest", LargeBinary, nullable=False, doc="of the content of the CreateMatch"),
    Column("position", LargeBinary, nullable=False, doc="compressed Position: the head"),
    Column("version", Integer, nullable=False, doc="of the position"),
    Column("sequence", Integer, nullable=False, doc="of the last event"),
    Column("revision", Integer, nullable=False, doc="counts every change of these rows"),
    Column("decision_side", Text, nullable=False),
    Column("decision_kind", Text, nullable=False),
    Column("since", Float, nullable=False, doc="when the clock was last started"),
    Column("spent", Float, nullable=False, doc="seconds of this decision before that"),
    Column("stopped", Float, nullable=False, doc="when it was adjourned; 0 if it is not"),
    Column("result", LargeBinary, nullable=True, doc="MatchResult once it is over"),
    Index("matches_by_request", "request_hash"),
    Index("matches_by_state", "state"),
    Index("matches_by_time", "created", "match_id"),
)

SEATS = Table(
    "seats", METADATA,
    Column("match_id", String(32), ForeignKey("matches.match_id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("ordinal", Integer, nullable=False, doc="the order of the sides in the game"),
    Column("player", Text, nullable=False),
    Column("taken", Boolean, nullable=False),
    Column("token_salt", LargeBinary, nullable=False),
    Column("token_hash", LargeBinary, nullable=False),
    Column("invitation_salt", LargeBinary, nullable=False),
    Column("invitation_hash", LargeBinary, nullable=False),
    Column("request_hash", LargeBinary, nullable=False, doc="of the id of the JoinMatch"),
    Column("bank", Float, nullable=False, doc="seconds left for the game"),
    Column("lapses", Integer, nullable=False),
    Column("refusals", Integer, nullable=False, doc="refused orders for the pending decision"),
    Column("proposals", Integer, nullable=False, doc="the sum of 1 << Proposal"),
    Column("view", LargeBinary, nullable=False, doc="compressed View of the head"),
)

RECORDS = Table(
    "records", METADATA,
    Column("match_id", String(32), ForeignKey("matches.match_id"), primary_key=True),
    Column("version", Integer, primary_key=True, autoincrement=False,
           doc="of the position before"),
    Column("sequence", Integer, nullable=False),
    Column("time", Float, nullable=False),
    Column("record", LargeBinary, nullable=False, doc="compressed LogRecord"),
    Column("lapse", Integer, nullable=False),
    Column("reason", Text, nullable=False),
)

EVENTS = Table(
    "events", METADATA,
    Column("match_id", String(32), ForeignKey("matches.match_id"), primary_key=True),
    Column("sequence", Integer, primary_key=True, autoincrement=False),
    Column("audience", String(32), primary_key=True, doc="a side; empty for spectators"),
    Column("version", Integer, nullable=False),
    Column("has_view", Boolean, nullable=False),
    Column("event", LargeBinary, nullable=False, doc="compressed MatchEvent"),
)

ANSWERS = Table(
    "answers", METADATA,
    Column("match_id", String(32), ForeignKey("matches.match_id"), primary_key=True),
    Column("side", String(32), primary_key=True),
    Column("request_id", String(128), primary_key=True),
    Column("digest", LargeBinary, nullable=False, doc="of the request"),
    Column("answer", LargeBinary, nullable=False, doc="compressed SubmitOrdersResponse"),
)

PULSE = Table(
    "pulse", METADATA,
    Column("one", Integer, primary_key=True, autoincrement=False),
    Column("time", Float, nullable=False, doc="when an arbiter was last alive"),
)
