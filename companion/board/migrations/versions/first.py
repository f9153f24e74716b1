"""The first tables: entries, heads, matches, seats."""

import sqlalchemy as sa
from alembic import op

revision = "first"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "entry",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("hash", sa.String(32), primary_key=True),
        sa.Column("before", sa.String(32), nullable=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("origin", sa.String(16), nullable=False),
        sa.Column("received", sa.Float, nullable=False),
    )
    op.create_table(
        "head",
        sa.Column("table_name", sa.String(32), primary_key=True),
        sa.Column("match", sa.String(64), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(32), nullable=False),
    )
    op.create_table(
        "match",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("began", sa.String(40), nullable=False),
        sa.Column("status", sa.String(16), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("hash", sa.String(32), nullable=False),
        sa.Column("is_whole", sa.Boolean, nullable=False),
        sa.Column("changed", sa.Float, nullable=False),
    )
    op.create_index("match_of_table", "match", ["table_name", "began"])
    op.create_index("match_by_status", "match", ["status", "began"])
    op.create_table(
        "seat",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("won", sa.Boolean, nullable=False),
    )
    op.create_index("seat_by_name", "seat", ["table_name", "name"])
