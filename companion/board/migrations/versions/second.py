"""What a club needs: changes of results, runs against the clock, accounts, tournaments."""

import sqlalchemy as sa
from alembic import op

revision = "second"
down_revision = "first"


def upgrade() -> None:
    op.add_column("match", sa.Column("heard", sa.Float, nullable=False, server_default=sa.text("0")))
    op.execute("UPDATE match SET heard = (SELECT min(received) FROM entry WHERE entry.match = match.match)")
    _what_follows_from_entries()
    _accounts()
    _tournaments()


def _what_follows_from_entries() -> None:
    op.create_table(
        "change",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("at", sa.String(40), nullable=False),
        sa.Column("before", sa.Text, nullable=False),
        sa.Column("after", sa.Text, nullable=False),
    )
    op.create_table(
        "run",
        sa.Column("match", sa.String(64), primary_key=True),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("used", sa.Float, nullable=False),
        sa.Column("left", sa.Integer, nullable=False),
        sa.Column("course", sa.Text, nullable=False),
    )


def _accounts() -> None:
    op.create_table(
        "account",
        sa.Column("account", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
    )
    op.create_table(
        "account_name",
        sa.Column("table_name", sa.String(32), primary_key=True),
        sa.Column("name", sa.String(200), primary_key=True),
        sa.Column("account", sa.Integer, nullable=False),
    )
    op.create_index("ix_account_name_account", "account_name", ["account"])


def _tournaments() -> None:
    op.create_table(
        "tournament",
        sa.Column("tournament", sa.Integer, primary_key=True),
        sa.Column("name", sa.String(60), nullable=False, unique=True),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("game", sa.String(32), nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("began", sa.Float, nullable=False),
        sa.Column("ended", sa.Float, nullable=True),
    )
    op.create_table(
        "entrant",
        sa.Column("tournament", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("has_left", sa.Boolean, nullable=False),
    )
    op.create_table(
        "tournament_table",
        sa.Column("tournament", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_name", sa.String(32), nullable=False),
    )
    op.create_table(
        "pairing",
        sa.Column("tournament", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, nullable=False),
        sa.Column("second", sa.Integer, nullable=True),
        sa.Column("table_name", sa.String(32), nullable=False),
        sa.Column("made", sa.Float, nullable=False),
        sa.Column("decided", sa.String(16), nullable=False),
    )
