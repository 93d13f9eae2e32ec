"""Tournaments, their games and the seats of those."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("name", sa.String(64), primary_key=True),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("terms", sa.Text, nullable=False),
        sa.Column("created", sa.Float, nullable=False),
    )
    op.create_table(
        "tournament_games",
        sa.Column("tournament", sa.String(64), sa.ForeignKey("tournaments.name"),
                  primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("ordinal", sa.Integer, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("dice_seed", sa.Text, nullable=False),
        sa.Column("ending", sa.String(32), nullable=False),
        sa.Column("winner", sa.String(32), nullable=False),
        sa.Column("at_fault", sa.String(32), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("level", sa.Text, nullable=False),
        sa.Column("points", sa.Integer, nullable=True),
        sa.Column("turn", sa.Integer, nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("checksum", sa.Text, nullable=False),
        sa.Column("started", sa.Float, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("worker", sa.Text, nullable=False),
    )
    op.create_table(
        "tournament_seats",
        sa.Column("tournament", sa.String(64), primary_key=True),
        sa.Column("key", sa.String(255), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("side", sa.String(32), nullable=False),
        sa.Column("bot", sa.String(64), nullable=False),
        sa.Column("decisions", sa.Integer, nullable=False),
        sa.Column("refusals", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.ForeignKeyConstraint(["tournament", "key"],
                                ["tournament_games.tournament", "tournament_games.key"]),
    )


def downgrade() -> None:
    for table in ("tournament_seats", "tournament_games", "tournaments"):
        op.drop_table(table)
