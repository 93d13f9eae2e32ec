"""Matches, seats, records, events, answers, pulse.

A migration says what the tables were at its time: it must not import the tables of today.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "matches",
        sa.Column("match_id", sa.String(32), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("state", sa.Integer, nullable=False),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("open", sa.Boolean, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
        sa.Column("terms", sa.LargeBinary, nullable=False),
        sa.Column("opening", sa.LargeBinary, nullable=False),
        sa.Column("opening_events", sa.LargeBinary, nullable=False),
        sa.Column("request_hash", sa.LargeBinary, nullable=False),
        sa.Column("request_digest", sa.LargeBinary, nullable=False),
        sa.Column("position", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("decision_side", sa.Text, nullable=False),
        sa.Column("decision_kind", sa.Text, nullable=False),
        sa.Column("since", sa.Float, nullable=False),
        sa.Column("spent", sa.Float, nullable=False),
        sa.Column("stopped", sa.Float, nullable=False),
        sa.Column("result", sa.LargeBinary, nullable=True),
    )
    op.create_index("matches_by_request", "matches", ["request_hash"])
    op.create_index("matches_by_state", "matches", ["state"])
    op.create_index("matches_by_time", "matches", ["created", "match_id"])
    op.create_table(
        "seats",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("side", sa.String(32), primary_key=True),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("player", sa.Text, nullable=False),
        sa.Column("taken", sa.Boolean, nullable=False),
        sa.Column("token_salt", sa.LargeBinary, nullable=False),
        sa.Column("token_hash", sa.LargeBinary, nullable=False),
        sa.Column("invitation_salt", sa.LargeBinary, nullable=False),
        sa.Column("invitation_hash", sa.LargeBinary, nullable=False),
        sa.Column("request_hash", sa.LargeBinary, nullable=False),
        sa.Column("bank", sa.Float, nullable=False),
        sa.Column("lapses", sa.Integer, nullable=False),
        sa.Column("refusals", sa.Integer, nullable=False),
        sa.Column("proposals", sa.Integer, nullable=False),
        sa.Column("view", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "records",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("sequence", sa.Integer, nullable=False),
        sa.Column("time", sa.Float, nullable=False),
        sa.Column("record", sa.LargeBinary, nullable=False),
        sa.Column("lapse", sa.Integer, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("sequence", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("audience", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("has_view", sa.Boolean, nullable=False),
        sa.Column("event", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "answers",
        sa.Column("match_id", sa.String(32), sa.ForeignKey("matches.match_id"), primary_key=True),
        sa.Column("side", sa.String(32), primary_key=True),
        sa.Column("request_id", sa.String(128), primary_key=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
    )
    op.create_table(
        "pulse",
        sa.Column("one", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("time", sa.Float, nullable=False),
    )


def downgrade() -> None:
    for table in ("pulse", "answers", "events", "records", "seats", "matches"):
        op.drop_table(table)
