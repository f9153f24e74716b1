"""A database of an older board becomes one of today, with all that is in it."""

import shutil
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Engine, create_engine, inspect, text

from companion.board.books import books_on
from companion.board.database import METADATA, MIGRATIONS, DatabaseError, bring_up_to_date, opened
from companion.core.codec import plain, written
from tests.board.club_matches import finished, take, taken_back

OLD = "first"


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Engine:
    if request.param == "sqlite":
        return create_engine(f"sqlite:///{tmp_path / 'board.sqlite3'}")
    address = request.getfixturevalue("postgres").replace("postgresql:", "postgresql+psycopg:")
    engine = create_engine(address)
    METADATA.drop_all(engine)
    with engine.begin() as connection:
        connection.execute(text("DROP TABLE IF EXISTS alembic_version"))
    return engine


def as_of(engine: Engine, revision: str) -> None:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)


def _put(engine: Engine, table: str, **values: object) -> None:
    names = ", ".join(f'"{name}"' for name in values)
    blanks = ", ".join(f":{name}" for name in values)
    with engine.begin() as connection:
        connection.execute(text(f'INSERT INTO "{table}" ({names}) VALUES ({blanks})'), values)


def test_results_of_an_older_board_are_there_and_go_on(empty: Engine) -> None:
    as_of(empty, OLD)
    assert "change" not in inspect(empty).get_table_names()
    entries = finished("m1", {"Anna": 3, "Ben": 1})
    for entry in entries:
        payload = plain(entry)
        if payload["standing"]["over"]:
            del payload["standing"]["over"]["run"]  # an older table does not tell of it
        _put(
            empty,
            "entry",
            match=entry.match,
            number=entry.number,
            hash=entry.hash,
            before=entry.before,
            kind=entry.kind,
            table_name="kitchen",
            payload=written(payload),
            origin="broker",
            received=700.0 + entry.number,
        )
    kept = {"match": "m1", "table_name": "kitchen", "game": "triplexity", "began": entries[0].began, "status": "over"}
    _put(empty, "match", **kept, number=1, hash=entries[1].hash, is_whole=True, changed=701.0)
    for seat, (name, score) in enumerate((("Anna", 3), ("Ben", 1))):
        _put(empty, "seat", match="m1", seat=seat, table_name="kitchen", name=name, score=score, won=seat == 0)
    bring_up_to_date(empty)
    books = books_on(empty)
    (match,) = books.results.finished()
    assert (match.heard, [seat.name for seat in match.seats]) == (700.0, ["Anna", "Ben"])
    assert {line.player.name: line.won for line in books.club().players} == {"Anna": 1, "Ben": 0}
    take(books.results, taken_back(entries))
    assert books.club().players == ()
    assert [change.number for change in books.results.changes()] == [2]
    bring_up_to_date(empty)  # once more changes nothing
    assert {*inspect(empty).get_table_names()} == {*METADATA.tables, "alembic_version"}
    empty.dispose()


def test_an_older_board_leaves_the_database_of_this_one_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older board: one that has not got the newest migration."""
    address = f"sqlite:///{tmp_path / 'board.sqlite3'}"
    opened(address).dispose()
    older = tmp_path / "migrations"
    shutil.copytree(MIGRATIONS, older, ignore=shutil.ignore_patterns("second.py", "__pycache__"))
    monkeypatch.setattr("companion.board.database.MIGRATIONS", older)
    with pytest.raises(DatabaseError, match=r"written by a newer board \(second\): update the board"):
        opened(address)
