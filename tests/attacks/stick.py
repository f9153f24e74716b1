"""A stick that somebody has prepared: copies are made onto it by the real program, in bounded time, and are whole."""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path

from tests.attacks.attack import Attack
from tests.journal.test_backup import STRANGE, another
from tests.kept import companion, contents, many

MOST = 30.0  # seconds for a copy, beside other work


def prepared(what: str, date: str) -> Callable[[Path], str]:
    """Something lies on the stick that is called like a copy; three copies are made beside it."""

    def run(folder: Path) -> str:
        journal, stick = folder / "journal.sqlite3", folder / "stick"
        stick.mkdir()
        many(journal, 2)
        STRANGE[what](stick / f"matches-{date}.sqlite3")
        made = []
        for _ in range(3):
            another(journal)
            began = time.monotonic()
            done = companion("backup", stick, "--journal", journal, "--keep", "2")
            assert done.returncode == 0, done.stderr
            assert time.monotonic() - began < MOST
            found = re.search(r"matches-\d{8}-\d{6}\.sqlite3", done.stdout)
            assert found, done.stdout
            assert contents(stick / found[0]) == contents(journal)
            made.append(found[0])
        assert len(set(made)) == 3, "each copy has a name of its own"
        assert os.path.lexists(stick / f"matches-{date}.sqlite3")
        return "three copies, each whole and under its own name; what lay there is left alone"

    return run


ATTACKS = tuple(
    Attack("stick", f"{what} called matches-{date}.sqlite3", prepared(what, date))
    for what in STRANGE
    for date in ("20200101-000000", "99999999-999999")
)
