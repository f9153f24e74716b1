"""The host's commands: players, tournaments, exports; what is wrong is said in a sentence."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.board.books import books_on
from companion.board.database import opened
from companion.cli import main
from companion.core.codec import parsed
from tests.board.club_matches import finished, take, taken_back
from tests.board.test_club_pages import run_of

Run = Callable[..., str]


@pytest.fixture
def address(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'board.sqlite3'}"


@pytest.fixture
def run(address: str, capsys: pytest.CaptureFixture[str]) -> Run:
    """What a command prints; a complaint is an error of the test."""

    def found(*words: str, code: int = 0) -> str:
        assert main(["board", *words, "--database", address]) == code
        told = capsys.readouterr()
        assert (told.err.count("\n"), "Traceback" in told.err) == (int(code > 0), False)
        return told.err if code else told.out

    return found


def hear(address: str, *entries: Any) -> None:
    engine = opened(address)
    take(books_on(engine).results, *entries)
    engine.dispose()


def test_an_evening_of_a_host(run: Run, address: str) -> None:
    for name in ("Anna", "Ben", "Cora"):
        run("player", "add", name)
    run("player", "join", "Anna", "--name", "Anna", "--table", "hall", "--table", "kitchen")
    run("player", "join", "Ben", "--name", "Benni", "--every-table")
    hear(address, *finished("old", {"Anna": 3, "Zoe": 1}, table="hall"))
    assert run("player", "list").splitlines() == [
        "Anna: Anna at hall, Anna at kitchen",
        "Ben: Benni at every table",
        "Cora: no name of a table yet",
        "nobody's: Zoe at hall",
    ]
    new = ("--kind", "swiss", "--game", "Triplexity", "--table", "hall", "--rounds", "2")
    run("tournament", "new", "Cup", *new, "--player", "Anna", "--player", "Ben", "--player", "Cora")
    paired = run("tournament", "pair", "Cup")
    assert "Round 1, pairing 1: Anna – Ben, not played yet (table hall)" in paired
    assert "Cora has no name of a table yet" in paired
    entries = finished("m1", {"Anna": 1, "Benni": 2}, table="hall")
    hear(address, *entries)
    assert "Round 1, pairing 1: Anna – Ben, 0 : 1 (match m1)" in run("tournament", "show", "Cup")
    run("tournament", "withdraw", "Cup", "Cora")
    run("tournament", "enter", "Cup", "Cora")
    run("tournament", "pair", "Cup")
    run("tournament", "decide", "Cup", "2", "1", "second")
    assert "(decided)" in run("tournament", "show", "Cup")
    run("tournament", "decide", "Cup", "2", "1", "match")
    run("tournament", "end", "Cup")
    assert run("tournament", "list") == "Cup: swiss, triplexity, 3 players, ended\n"
    run("player", "part", "--name", "Anna", "--table", "hall")
    assert "Anna – Ben, not played yet" in run("tournament", "show", "Cup"), "results follow the names"
    run("tournament", "remove", "Cup")
    run("player", "rename", "Anna", "Anna M.")
    run("player", "remove", "Anna M.")
    assert "Anna M." not in run("player", "list")


def test_everything_is_exported(run: Run, address: str) -> None:
    entries = finished("m1", {"=Anna": 3, "Ben": 1})
    hear(address, *entries, taken_back(entries, "corrected", ("Ben",)), *run_of())
    for name in ("=Anna", "Ben"):
        run("player", "add", name)
        run("player", "join", name, "--name", name, "--every-table")
    new = ("--kind", "league", "--game", "triplexity", "--table", "kitchen", "--player", "=Anna", "--player", "Ben")
    run("tournament", "new", "Cup", *new)
    everything = parsed(run("export", "all"))
    assert {*everything} == {"results", "players", "accounts", "times", "tournaments", "pairings", "changes"}
    for name, rows in everything.items():
        assert parsed(run("export", name, "--json")) == rows
        told = [*csv.reader(io.StringIO(run("export", name)))]
        assert len(told) == len(rows) + 1
        assert not [cell for line in told for cell in line if cell.startswith("=")], name
        if rows:
            assert told[0] == [*rows[0]]
    (change,) = everything["changes"]
    assert (change["before"], change["after"]) == ("=Anna 3*, Ben 1", "=Anna 3, Ben 1*")
    assert everything["times"][0]["course"] == "Square · 20 cards"
    assert {row["player"]: row["won"] for row in everything["players"] if row["game"] == "triplexity"} == {
        "=Anna": 0,
        "Ben": 1,
    }
    course = json.loads(run("export", "course", "--match", "m1", "--json"))
    assert [(row["number"], row["kind"], row["scores"]) for row in course] == [
        (0, "setup", "=Anna 3, Ben 1"),
        (1, "made", "=Anna 3, Ben 1"),
        (2, "corrected", "=Anna 3, Ben 1"),
    ]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["player", "add", ""], "is no name here: 1 to 60 letters"),
        (["player", "rename", "Zoe", "Zoe M."], "There is no player 'Zoe'"),
        (["player", "part", "--name", "Zoe", "--table", "hall"], "'Zoe' of hall is joined to nobody."),
        (["tournament", "show", "Cup"], "There is no tournament 'Cup'"),
        (["tournament", "new", "Cup", "--kind", "swiss", "--game", "tres", "--table", "t"], "has 2 to 500 players"),
        (["tournament", "decide", "Cup", "1", "x", "draw"], "invalid int value: 'x'"),
        (["export", "course"], "either needs the other"),
        (["export", "course", "--match", "none"], "There is no match 'none' here."),
        (["export", "everything"], "invalid choice: 'everything'"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(run: Run, words: list[str], sentence: str) -> None:
    assert sentence in run(*words, code=2)


def test_a_database_that_fails_meanwhile_is_said(run: Run, address: str) -> None:
    engine = opened(address)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP TABLE account")
    engine.dispose()
    assert "The database cannot be used: no such table: account." in run("player", "list", code=2)
