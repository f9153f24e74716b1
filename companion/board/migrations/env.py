"""Alembic's way in: the connection is handed over by `companion.board.database`."""

from alembic import context

from companion.board.database import METADATA

context.configure(connection=context.config.attributes["connection"], target_metadata=METADATA)
context.run_migrations()
