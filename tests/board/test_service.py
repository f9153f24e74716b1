"""The board as a service of its own: a real Mosquitto, real tables, and boards, brokers and databases that die."""

import http.client
import json
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from paho.mqtt.enums import MQTTErrorCode
from sqlalchemy.exc import OperationalError

from companion.board import broker_ear
from companion.board.broker_ear import BrokerAddress, BrokerEar
from companion.board.database import opened
from companion.board.hall import BoardNews
from companion.board.results import ArrivedEntry, MatchLine, Results
from companion.core.codec import plain, written
from companion.games import game
from companion.publishing.entry_payloads import HeadNow
from companion.words import Words, labels
from tests.publishing.conftest import Brokers
from tests.publishing.kept_matches import entries_of, rows_of, told
from tests.publishing.mosquitto import Mosquitto, eventually
from tests.publishing.test_exactly_once import Evening, evening

PROJECT = Path(__file__).parents[2]


@contextmanager
def board(folder: Path, broker: Mosquitto, *more: str) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """The process and its port."""
    command = [sys.executable, "-m", "companion", "board", "--broker", f"127.0.0.1:{broker.port}", "--port", "0"]
    command += ["--database", f"sqlite:///{folder / 'board.sqlite3'}", *more]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=PROJECT
    ) as process:
        try:
            assert process.stdout
            found = re.search(r":(\d+)/$", process.stdout.readline().strip())
            assert found
            yield process, int(found[1])
        finally:
            process.kill()


def get(port: int, path: str, language: str = "en") -> str:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path, headers={"Accept-Language": language})
        return connection.getresponse().read().decode()
    except OSError:
        return ""
    finally:
        connection.close()


def is_shown(port: int, text: str, language: str = "en") -> Callable[[], bool]:
    return lambda: text in get(port, "/table/t", language)


def kept(folder: Path, table: Evening) -> list[str]:
    """The hashes that the board has of the match."""
    engine = opened(f"sqlite:///{folder / 'board.sqlite3'}")
    try:
        return [entry.hash for entry in Results(engine).course(table.session.referee.match.setup.id)]
    finally:
        engine.dispose()


def test_a_ruling_at_the_table_is_on_the_phone(tmp_path: Path, broker: Mosquitto) -> None:
    with board(tmp_path, broker) as (process, port), evening(tmp_path, broker) as table:
        eventually(is_shown(port, "Triplexity"))
        stream = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        stream.request("GET", "/table/t/news", headers={"Accept-Language": "de"})
        news = stream.getresponse()
        assert news.getheader("content-type", "").startswith("text/event-stream")
        table.do(move="put", player="Anna", place="left")
        heard = ""
        while "setzt einen Stein" not in heard:
            line = news.readline().decode()
            assert line
            heard = json.loads(line.removeprefix("data: ")).get("html", "") if line.startswith("data: ") else heard
        table.do(do="pause", why="tea")
        eventually(is_shown(port, "Paused"))
        eventually(is_shown(port, Words("de").say(labels.PAUSED), "de"))
        process.send_signal(signal.SIGTERM)
        assert process.wait(15) in (-signal.SIGTERM, 128 + signal.SIGTERM, 0)
        stream.close()


def test_a_board_that_is_killed_again_and_again_loses_nothing(tmp_path: Path, broker: Mosquitto) -> None:
    """What it had not kept it had not acknowledged."""
    with board(tmp_path, broker) as (_, port), evening(tmp_path, broker) as table:
        eventually(is_shown(port, "Triplexity"))
        for _ in range(3):
            table.turn_about(20)
            with board(tmp_path, broker, "--client", "companion-board") as (process, _):  # the newest takes the place
                table.turn_about(20)
                process.kill()
        with board(tmp_path, broker):
            eventually(lambda: len(kept(tmp_path, table)) == table.entries + 1, "something is missing")
        assert len(set(kept(tmp_path, table))) == table.entries + 1


def test_a_broker_that_dies_and_comes_back(tmp_path: Path, brokers: Brokers) -> None:
    broker = brokers("autosave_interval 1")
    with board(tmp_path, broker) as (_, port), evening(tmp_path, broker) as table:
        eventually(is_shown(port, "Triplexity"))
        broker.writes_down()
        for _ in range(3):
            table.turn_about(10)
            broker.stop(signal.SIGKILL)
            table.turn_about(10)
            broker.start()
        eventually(lambda: len(kept(tmp_path, table)) == table.entries + 1, "something is missing")


def test_while_the_database_fails_nothing_is_acknowledged(
    tmp_path: Path, broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker keeps it meanwhile, and everything is kept when the database is back."""
    monkeypatch.setattr(broker_ear, "AGAIN", 0.05)
    results = Results(opened(f"sqlite:///{tmp_path / 'board.sqlite3'}"))
    take, fails, tried = results.take, threading.Event(), threading.Event()

    def failing(arrivals: object, heads: object = ()) -> dict[str, MatchLine]:
        if fails.is_set():
            tried.set()
            raise OperationalError("INSERT", {}, Exception("disk is full"))
        return take(arrivals, heads)  # type: ignore[arg-type]

    monkeypatch.setattr(results, "take", failing)
    heard: list[BoardNews] = []
    said: list[str] = []
    ear = BrokerEar(BrokerAddress("127.0.0.1", broker.port), results, heard.append, said.append)
    acknowledged: list[int] = []
    ack = ear._client.ack

    def counted(number: int, qos: int) -> MQTTErrorCode:
        acknowledged.append(number)
        return ack(number, qos)

    monkeypatch.setattr(ear._client, "ack", counted)
    ear.start()
    try:
        eventually(lambda: ear.is_connected)
        with evening(tmp_path, broker) as table:
            eventually(lambda: any(news.lines for news in heard))
            fails.set()
            before = len(acknowledged)
            table.turn_about(30)
            assert tried.wait(20)
            assert len(acknowledged) - before <= 3, "only what was under way"
            fails.clear()
            code = table.session.referee.match.setup.id
            eventually(lambda: len(results.course(code)) == table.entries + 1)
            eventually(lambda: any(isinstance(head, HeadNow) for news in heard for head in news.heads))
    finally:
        ear.close()
    assert any("it is tried again: disk is full." in sentence for sentence in said)


def test_results_as_a_table(tmp_path: Path) -> None:
    address = f"sqlite:///{tmp_path / 'board.sqlite3'}"
    engine = opened(address)
    evil = "=1+1"
    entries = [*told(rows_of(*entries_of(game("triplexity"))))]
    end = entries[-1].standing
    assert end
    assert end.over
    named = tuple(replace(player, name=evil) if seat == 0 else player for seat, player in enumerate(end.players))
    last = replace(entries[-1], standing=replace(end, players=named))
    Results(engine).take([ArrivedEntry(entry, written(plain(entry))) for entry in [*entries[:-1], last]])
    engine.dispose()

    def exported(*more: str) -> str:
        command = [sys.executable, "-m", "companion", "board", "export", "--database", address, *more]
        return subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=True).stdout

    head, first, second = exported().splitlines()
    assert head == "match,table,game,began,status,seconds,seat,name,score,won"
    assert first.startswith(f"{entries[0].match},kitchen,triplexity,{entries[0].began},over,{end.time},0,'=1+1,")
    assert second.split(",")[-3:] == [
        end.players[1].name,
        str(end.players[1].score),
        str(end.players[1].name in end.over.winners),
    ]
    assert [row["name"] for row in json.loads(exported("--json"))] == [evil, end.players[1].name]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (["--broker", "a:b"], "--broker 'a:b': write HOST or HOST:PORT."),
        (["--database", "nonsense"], "write sqlite:///file or postgresql://user@host/name."),
        (["--host", "192.0.2.1", "--port", "0"], "The board cannot listen at 192.0.2.1"),
        (["--port", "99999"], "The board cannot listen at 127.0.0.1, port 99999"),
        (["--ca", "/nowhere.pem"], "--ca: this is no certificate that can be read."),
        (["import", "/nowhere.json", "--table", "t"], "cannot be read"),
        (["import", "/nowhere.json", "--table", "../t"], "small letters, digits, - and _"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(tmp_path: Path, more: list[str], sentence: str) -> None:
    usual = [] if "--database" in more else ["--database", f"sqlite:///{tmp_path / 'board.sqlite3'}"]
    command = [sys.executable, "-m", "companion", "board", *usual, *more]
    if more[0] == "import":
        command = [sys.executable, "-m", "companion", "board", *more, *usual]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PROJECT, check=False, timeout=60)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_table_does_not_load_the_board() -> None:
    code = "import sys, companion.commands.table_opening, companion.publishing.publisher; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=PROJECT)
    assert not {"companion.board", "sqlalchemy", "starlette", "uvicorn", "jinja2"} & set(done.stdout.split())
