"""Version 2 by a real Mosquitto: brokers and tables that die in the middle of a match, and a day without a broker."""

import json
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.requests import read_message
from companion.core.session import Session
from companion.games import game
from companion.journal import Journal
from companion.publishing.publisher import Publisher, opened
from tests.publishing.conftest import Brokers
from tests.publishing.mosquitto import Listener, Mosquitto, eventually, listening
from tests.publishing.test_broker import DAY, QUICK, wish

PROJECT = Path(__file__).parents[2]
SCHEMA = json.loads((PROJECT / "docs" / "publishing.schema.json").read_text(encoding="utf-8"))


@dataclass
class Evening:
    """A table with a journal whose rulings are published."""

    journal: Journal
    session: Session
    publisher: Publisher
    stamp: int = 0
    said: list[str] = field(default_factory=list)

    def do(self, **message: object) -> None:
        self.stamp += 10**9
        match = self.session.referee.match
        for reply in self.session.answer(read_message(match.game, {**message, "at": self.stamp})):
            self.publisher.heard(reply, match)

    def turn_about(self, times: int) -> None:
        """So many rulings: a move, and the move taken back."""
        for number in range(times):
            self.do(move="put", player="Anna", place="left") if number % 2 == 0 else self.do(do="undo")

    @property
    def entries(self) -> int:
        return self.session.referee.match.entries


@contextmanager
def evening(folder: Path, broker: Mosquitto, code: str = "") -> Iterator[Evening]:
    """A match is begun, or gone on with."""
    said: list[str] = []
    playing = game("triplexity")
    with (
        Journal(folder / "journal.sqlite3") as journal,
        opened(wish(broker), said.append, today=lambda: DAY, patience=QUICK, journal=lambda: journal.path) as publisher,
    ):
        if code:
            referee = Referee.go_on(journal, None, code)
        else:
            referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0, journal)
        table = Evening(journal, Session(referee, None), publisher, said=said)
        for reply in table.session.greeting():
            publisher.heard(reply, referee.match)
        yield table


def arrived(listener: Listener) -> dict[int, dict[str, Any]]:
    """The entries by their number; what came twice is the same."""
    found: dict[int, dict[str, Any]] = {}
    for one in listener.of("t/entry"):
        known = found.setdefault(one["number"], one)
        assert (known["hash"], known["standing"]) == (one["hash"], one["standing"])
    return found


def must_be_a_chain(found: dict[int, dict[str, Any]], entries: int) -> None:
    assert sorted(found) == list(range(entries + 1))
    assert [found[number]["before"] for number in sorted(found)] == [
        "",
        *(found[number]["hash"] for number in sorted(found)[:-1]),
    ]


def test_entries_and_head_come_as_they_are_described(tmp_path: Path, broker: Mosquitto) -> None:
    with listening(broker.port) as club:
        with evening(tmp_path, broker) as table:
            table.turn_about(3)
            table.do(do="pause", why="tea")
            eventually(lambda: len(arrived(club)) == 5)
            eventually(lambda: club.of("t/head") and club.of("t/head")[-1]["number"] == 4)
        found = arrived(club)
        must_be_a_chain(found, 4)
        assert [found[number]["kind"] for number in range(5)] == ["setup", "made", "undone", "made", "paused"]
        assert {one["as_of"] for one in found.values()} == {DAY}
        assert club.of("t/head")[-1]["hash"] == found[4]["hash"]
        for name, told in (("entry", found.values()), ("head", club.of("t/head"))):
            checker = jsonschema.Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": SCHEMA["$defs"]})
            for one in told:
                checker.validate(one)
        assert table.said == []
    with listening(broker.port) as late:
        eventually(lambda: "companion/t/head" in late.kept)
        assert late.of("t/entry") == [], "entries are not kept by the broker"


def test_a_day_without_a_broker_is_delivered_when_it_is_back(tmp_path: Path, broker: Mosquitto) -> None:
    """The table was switched off in between: nothing of it was in memory."""
    broker.stop()
    with evening(tmp_path, broker) as table:
        table.turn_about(60)
        code, entries = table.session.referee.match.setup.id, table.entries
    broker.start()
    with listening(broker.port) as club, evening(tmp_path, broker) as other:
        eventually(lambda: {one["match"] for one in club.of("t/entry")} == {code, other.session.referee.match.setup.id})
        eventually(lambda: len([one for one in club.of("t/entry") if one["match"] == code]) > entries)
        found = {one["number"]: one for one in club.of("t/entry") if one["match"] == code}
        must_be_a_chain(found, entries)


def test_a_broker_that_is_killed_again_and_again_loses_nothing(tmp_path: Path, brokers: Brokers) -> None:
    """What it had acknowledged and not written down is sent again. Who listens it has written down."""
    broker = brokers("autosave_interval 1")
    with listening(broker.port, name="board") as club, evening(tmp_path, broker) as table:
        broker.writes_down()
        for _ in range(5):
            table.turn_about(8)
            eventually(lambda: table.publisher.owed._on_way or table.publisher.owed.is_idle)
            broker.stop(signal.SIGKILL)
            table.turn_about(4)
            broker.start()
        eventually(lambda: len(arrived(club)) == table.entries + 1, "something is missing")
        must_be_a_chain(arrived(club), table.entries)


@pytest.mark.parametrize("moves", [1, 7])
def test_a_table_that_is_killed_loses_nothing(tmp_path: Path, brokers: Brokers, moves: int) -> None:
    broker = brokers()
    config, journal = tmp_path / "club.toml", tmp_path / "j.sqlite3"
    config.write_text(f'[publish]\nhost = "127.0.0.1"\nport = {broker.port}\ntls = false\nname = "t"\n')
    command = [sys.executable, "-m", "companion", "referee", "triplexity", "--publish", str(config)]
    command += ["--journal", str(journal)]
    pipe = subprocess.PIPE
    with listening(broker.port) as club:
        for more in (["--players", "Anna,Ben"], ["--resume"], ["--resume"]):
            with subprocess.Popen([*command, *more], stdin=pipe, stdout=pipe, text=True, cwd=PROJECT) as process:
                assert process.stdin
                assert process.stdout
                for number in range(moves):
                    act = {"do": "pause"} if number % 2 == 0 else {"do": "resume"}
                    process.stdin.write(json.dumps(act) + "\n")
                    process.stdin.flush()
                told = [process.stdout.readline() for _ in range(moves + 1)]
                assert all(told), "it is told, so it is kept"
                process.send_signal(signal.SIGKILL)
        with subprocess.Popen([*command, "--resume"], stdin=pipe, stdout=pipe, text=True, cwd=PROJECT) as process:
            with Journal(journal) as kept:
                entries = kept.matches()[0].entries
            eventually(lambda: len(arrived(club)) == entries + 1)
            must_be_a_chain(arrived(club), entries)
            process.kill()
