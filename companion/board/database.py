"""The board's database: its tables, how they came about, and how it is opened. SQLite, or PostgreSQL by its address."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import (
    Boolean,
    Column,
    Engine,
    Float,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
    text,
)
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

from companion.core.errors import CompanionError

METADATA = MetaData()

# Every entry as it came; everything else in here can be made anew from these.
ENTRY = Table(
    "entry",
    METADATA,
    Column("match", String(64), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("hash", String(32), primary_key=True),
    Column("before", String(32), nullable=False),
    Column("kind", String(32), nullable=False),
    Column("table_name", String(32), nullable=False),
    Column("payload", Text, nullable=False),
    Column("origin", String(16), nullable=False),  # broker, or file
    Column("received", Float, nullable=False),  # seconds since 1970, by the board's clock
)
# The newest entry that a table says it has.
HEAD = Table(
    "head",
    METADATA,
    Column("table_name", String(32), primary_key=True),
    Column("match", String(64), nullable=False),
    Column("number", Integer, nullable=False),
    Column("hash", String(32), nullable=False),
)
# A match in a line, as its newest entry tells.
MATCH = Table(
    "match",
    METADATA,
    Column("match", String(64), primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("game", String(32), nullable=False),
    Column("began", String(40), nullable=False),
    Column("status", String(16), nullable=False),  # running, paused, over, abandoned; empty where it is not known
    Column("number", Integer, nullable=False),
    Column("hash", String(32), nullable=False),
    Column("is_whole", Boolean, nullable=False),  # no entry before it is missing
    Column("changed", Float, nullable=False),
    Column("heard", Float, nullable=False, server_default=text("0")),  # when its first entry came
    Index("match_of_table", "table_name", "began"),
    Index("match_by_status", "status", "began"),
)
# Who sat at it, and the result if it has one.
SEAT = Table(
    "seat",
    METADATA,
    Column("match", String(64), primary_key=True),
    Column("seat", Integer, primary_key=True),
    Column("table_name", String(32), nullable=False),
    Column("name", String(200), nullable=False),
    Column("score", Integer, nullable=False),
    Column("won", Boolean, nullable=False),
    Index("seat_by_name", "table_name", "name"),
)
# Where the result of a match changed after it was told: taken back, put right, abandoned, or there again.
CHANGE = Table(
    "change",
    METADATA,
    Column("match", String(64), primary_key=True),
    Column("number", Integer, primary_key=True, autoincrement=False),  # of the entry that changed it
    Column("kind", String(32), nullable=False),  # of that entry
    Column("at", String(40), nullable=False),  # by the table's clock; empty where nobody told
    Column("before", Text, nullable=False),  # a result as JSON; empty where there was none
    Column("after", Text, nullable=False),
)
# A run against the clock that counts.
RUN = Table(
    "run",
    METADATA,
    Column("match", String(64), primary_key=True),
    Column("name", String(200), nullable=False),
    Column("used", Float, nullable=False),  # seconds
    Column("left", Integer, nullable=False),  # cards
    Column("course", Text, nullable=False),  # what it is compared by, as JSON
)

# --- what the host says; nothing of it can be made anew from entries

# A player of the board.
ACCOUNT = Table(
    "account",
    METADATA,
    Column("account", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
)
# Which name of which table an account is.
ACCOUNT_NAME = Table(
    "account_name",
    METADATA,
    Column("table_name", String(32), primary_key=True),  # empty: of every table
    Column("name", String(200), primary_key=True),
    Column("account", Integer, nullable=False, index=True),
)
TOURNAMENT = Table(
    "tournament",
    METADATA,
    Column("tournament", Integer, primary_key=True),
    Column("name", String(60), nullable=False, unique=True),
    Column("kind", String(16), nullable=False),  # league, round-robin or swiss
    Column("game", String(32), nullable=False),
    Column("rounds", Integer, nullable=False),  # 0 in a league
    Column("began", Float, nullable=False),  # seconds since 1970, by the board's clock
    Column("ended", Float, nullable=True),
)
ENTRANT = Table(
    "entrant",
    METADATA,
    Column("tournament", Integer, primary_key=True, autoincrement=False),
    Column("account", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, nullable=False),
    Column("has_left", Boolean, nullable=False),
)
TOURNAMENT_TABLE = Table(
    "tournament_table",
    METADATA,
    Column("tournament", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("table_name", String(32), nullable=False),
)
PAIRING = Table(
    "pairing",
    METADATA,
    Column("tournament", Integer, primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, nullable=False),  # an account
    Column("second", Integer, nullable=True),  # an account; NULL: nobody, a point without a match
    Column("table_name", String(32), nullable=False),
    Column("made", Float, nullable=False),  # a match counts that the board has heard of since
    Column("decided", String(16), nullable=False),  # by the host: first, second, draw or none; empty: by the match
)

MIGRATIONS = Path(__file__).parent / "migrations"


class DatabaseError(CompanionError, OSError):
    """The database cannot be used; the message says why."""


def opened(address: str | URL) -> Engine:
    """The database, brought up to date."""
    try:
        url = make_url(address)
        if url.get_backend_name() == "postgresql" and url.drivername == "postgresql":
            url = url.set(drivername="postgresql+psycopg")
        if url.get_backend_name() == "sqlite" and url.database:
            Path(url.database).parent.mkdir(parents=True, exist_ok=True)
        engine = create_engine(url, pool_pre_ping=True)
    except (ArgumentError, NoSuchModuleError, ModuleNotFoundError) as error:
        raise DatabaseError(
            f"--database: {_first_line(error)}; write sqlite:///file or postgresql://user@host/name."
        ) from None
    except OSError as error:
        raise DatabaseError(f"The folder of the database cannot be made: {error.strerror or error}.") from None
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    elif engine.dialect.name != "postgresql":
        raise DatabaseError(f"--database: {engine.dialect.name} was never tried; take sqlite or postgresql.")
    bring_up_to_date(engine)
    return engine


def bring_up_to_date(engine: Engine) -> None:
    scripts = ScriptDirectory(str(MIGRATIONS))
    try:
        with engine.begin() as connection:
            has = MigrationContext.configure(connection).get_current_revision()
            if has is not None and has not in {script.revision for script in scripts.walk_revisions()}:
                raise DatabaseError(f"The database was written by a newer board ({has[:40]}): update the board.")
            config = Config()
            config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
    except SQLAlchemyError as error:
        raise not_usable(error) from None


def not_usable(error: SQLAlchemyError) -> DatabaseError:
    return DatabaseError(f"The database cannot be used: {_first_line(error)}.")


def _set_up_sqlite(connection: object, _record: object) -> None:
    cursor = connection.cursor()  # type: ignore[attr-defined]
    cursor.execute("PRAGMA journal_mode = WAL")
    cursor.execute("PRAGMA synchronous = FULL")  # what is acknowledged to the broker is on the disk
    cursor.execute("PRAGMA busy_timeout = 5000")
    cursor.close()


def _first_line(error: BaseException) -> str:
    text = str(getattr(error, "orig", None) or error).strip().partition("\n")[0]
    return text.removesuffix(".")[:200] or type(error).__name__
