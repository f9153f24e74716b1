"""Databases for the tests of this room: SQLite always, PostgreSQL where it is installed."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sqlalchemy", reason="the extra board is not installed")
pytest.importorskip("starlette", reason="the extra board is not installed")

from sqlalchemy import Engine

from companion.board.database import METADATA, opened
from companion.board.results import Results
from tests.publishing.conftest import broker, brokers

__all__ = ["broker", "brokers"]


def _postgres_programs() -> Path | None:
    found = shutil.which("initdb")
    places = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((place for place in reversed(places) if (place / "initdb").exists()), None)


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a PostgreSQL of our own, at a socket in a folder of the tests."""
    programs = _postgres_programs()
    if programs is None:
        pytest.skip("PostgreSQL is not installed (apt-get install postgresql)")
    pytest.importorskip("psycopg", reason="the extra postgres is not installed")
    folder = tmp_path_factory.mktemp("pg")
    as_owner = [] if os.getuid() else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    if as_owner:  # PostgreSQL does not run as root
        for place in (folder, *folder.parents[:3]):
            place.chmod(0o755)
        os.chown(folder, 65534, 65534)

    def run(program: str, *arguments: str) -> None:
        done = subprocess.run(
            [*as_owner, str(programs / program), *arguments], capture_output=True, text=True, check=False, cwd=folder
        )
        if done.returncode:
            pytest.skip(f"PostgreSQL cannot be started here: {(done.stderr or done.stdout)[-200:]}")

    data = str(folder / "data")
    run("initdb", "-D", data, "-A", "trust", "-U", "board", "--no-sync")
    options = f"-k {folder} -c listen_addresses='' -c fsync=off"
    run("pg_ctl", "-D", data, "-w", "-o", options, "-l", str(folder / "log"), "start")
    try:
        yield f"postgresql://board@/postgres?host={folder}"
    finally:
        run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop")


@pytest.fixture(params=["sqlite", "postgresql"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """An empty database of each kind."""
    if request.param == "sqlite":
        made = opened(f"sqlite:///{tmp_path / 'board.sqlite3'}")
    else:
        made = opened(request.getfixturevalue("postgres"))
        with made.begin() as connection:
            for table in METADATA.sorted_tables:
                connection.execute(table.delete())
    yield made
    made.dispose()


@pytest.fixture
def results(engine: Engine) -> Results:
    return Results(engine, lambda: 1000.0)
