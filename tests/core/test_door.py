"""The door: whatever comes in, one clear answer goes out, and the match is as the legal moves made it."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest

from companion.core.errors import JournalError
from companion.core.match import set_up
from companion.core.referee import MARK_EVERY, Referee
from companion.core.requests import LONGEST_LINE
from companion.core.session import Session
from companion.games import NAMES, game
from companion.inputs.line_source import Lines, NoMessage, message_of
from companion.seat.door import Door
from companion.seat.table import PlainTable
from tests.fuzz_door import fuzzed
from tests.kept import COMPANION, PROJECT, companion

Reply = dict[str, Any]


def told(*lines: bytes) -> list[Reply]:
    """What a referee of Three! answers to these lines; the greeting is left out."""
    playing = game("three")
    session = Session(Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), None), None)
    said: list[str] = []
    with tempfile.TemporaryFile() as source:  # a pipe would not hold the longest lines
        source.write(b"\n".join(lines))
        source.seek(0)
        Door(PlainTable(session), said.append, own_clock=False).serve(source.fileno())
    return [json.loads(line) for line in said[1:]]


# --- lines -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1, 2, 3, 7, 1000])
def test_lines_are_the_same_however_the_bytes_arrive(size: int) -> None:
    data = b"one\n\ntwo\r\n" + b"x" * LONGEST_LINE + b"\n" + b"y" * (LONGEST_LINE + 1) + b"\nlast"
    lines = Lines()
    found = [line for at in range(0, len(data), size) for line in lines.cut(data[at : at + size])]
    assert [*found, *lines.last()] == [b"one", b"", b"two\r", b"x" * LONGEST_LINE, None, b"last"]


def test_of_a_line_without_an_end_little_is_held() -> None:
    lines = Lines()
    for _ in range(1000):
        assert list(lines.cut(b"z" * 65_536)) == []
    assert len(lines._part) <= LONGEST_LINE
    assert list(lines.cut(b"\nnext\n")) == [None, b"next"]


# --- answers ---------------------------------------------------------------------------------------------------

BEGIN = b'{"move":"begin","player":"Anna","at":5}'


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"hello", "not JSON: expecting value at character 1"),
        (b'{"move":"begin"', "not JSON"),
        (b'{"a":1} {"b":2}', "not JSON: extra data"),
        (b"[]", "must be a JSON object"),
        (b"7", "must be a JSON object"),
        (b"null", "must be a JSON object"),
        (b"{}", "has a move or a do"),
        (b'{"do":"dance"}', "has a move or a do"),
        (b'{"do":[]}', "has a move or a do"),
        (b'{"move":"dance"}', "has no move 'dance'; its moves are begin, play"),
        (b'{"move":"undo"}', 'has no move \'undo\': that is {"do":"undo"}.'),
        (b'{"move":7}', "no move '7'"),
        (b'{"move":null,"at":1}', "no move 'None'"),
        (b'{"move":"begin","do":"undo"}', "move: there is no such key here"),
        (b'{"move":"begin","at":1}', "player: this is missing"),
        (b'{"move":"begin","player":7,"at":1}', "player must be text, not a whole number"),
        (b'{"move":"begin","player":"Anna","at":"1"}', "at must be a whole number, not text"),
        (b'{"move":"begin","player":"Anna","at":1.0}', "at must be a whole number, not a fraction"),
        (b'{"move":"begin","player":"Anna","at":true}', "at must be a whole number"),
        (b'{"move":"begin","player":"Anna","at":1e999}', "at must be a whole number"),
        (b'{"move":"begin","player":"Anna","at":NaN}', "NaN is not a number"),
        (b'{"move":"begin","player":"Anna","at":9223372036854775808}', "at: this number is too large"),
        (b'{"move":"begin","player":"Anna","at":' + b"9" * 5000 + b"}", "too many digits"),
        (b'{"move":"begin","player":"Anna"}', "at: this is missing"),
        (b'{"do":"show"}', "at: this is missing"),
        (b'{"move":"begin","player":"Anna","at":1,"at":2}', "names a key twice"),
        (b'{"move":"begin","player":"Anna","at":1,"hat":2}', "hat: there is no such key here"),
        (b'{"move":"begin","player":"\\ud800","at":1}', "half a character"),
        (b'{"do":"show","at":1,"\\ud800":1}', "half a character"),
        (b'{"do":"\\ud800"}', "half a character"),
        (b'{"move":"begin","player":"\xff","at":1}', "not UTF-8: byte 27 cannot be read"),
        (b"\xff\xfe{\x00}\x00", "not UTF-8"),
        (b"[" * 60_000, "nested too deeply"),
        (b'{"do":"correct","at":1,"move":' + b"[" * 60_000, "nested too deeply"),
        (b'{"move":"' + b"x" * LONGEST_LINE, f"longer than {LONGEST_LINE} bytes"),
        (b'{"do":"correct","at":1,"number":1,"move":"begin"}', "move must be an object"),
        (b'{"do":"correct","at":1,"number":"1","move":null}', "number must be a whole number"),
    ],
)
def test_a_malformed_line_gets_one_error(line: bytes, says: str) -> None:
    [error, ruling] = told(line, BEGIN)
    assert (error["kind"], error["code"]) == ("error", "malformed")
    assert says in error["sentence"]
    assert error["sentence"].endswith(".")
    assert len(error["sentence"]) < 700
    assert ruling["kind"] == "ruling"


@pytest.mark.parametrize("line", [b"", b"   ", b"\t", b"\r"])
def test_an_empty_line_gets_no_answer(line: bytes) -> None:
    assert [reply["kind"] for reply in told(line, BEGIN, line)] == ["ruling"]


def test_a_move_of_a_stranger_is_a_foul() -> None:
    [foul] = told(b'{"move":"begin","player":"Otto","at":1}')
    assert (foul["kind"], foul["code"], foul["player"]) == ("foul", "unknown-player", "Otto")
    assert foul["sentence"] == "Otto is not in this match; players are Anna, Ben."


def test_stamps_that_go_backwards_are_an_error() -> None:
    _, error, state = told(BEGIN, b'{"move":"play","player":"Anna","at":4}', b'{"do":"show","at":5}')
    assert (error["kind"], error["code"]) == ("error", "time")
    assert state["table"]["moves"] == 1


def test_an_answer_says_which_message_it_answers() -> None:
    replies = told(
        b'{"move":"begin","player":"Anna","at":5,"id":"a"}',
        b'{"do":"undo","id":"b"}',
        b'{"do":"x","at":5,"id":"c"}',
        b'{"do":"undo","at":5,"id":7}',
        b'{"do":"undo","at":5,"id":"\\n"}',
    )
    assert [reply.get("re", "-") for reply in replies] == ["a", "b", "c", "-", "\n"]
    assert [reply["kind"] for reply in replies] == ["ruling", "error", "error", "error", "done"]


def test_the_last_line_needs_no_end() -> None:
    done = companion(
        "referee", "three", "--players", "Anna,Ben", "--no-journal", "--time", "given", told=BEGIN.decode()
    )
    assert [json.loads(line)["kind"] for line in done.stdout.splitlines()] == ["match", "ruling"]
    assert (done.returncode, done.stderr) == (0, "")


# --- time by itself --------------------------------------------------------------------------------------------


def test_the_token_is_released_by_itself() -> None:
    """The one test that takes its time: a second, waited for by reading."""
    command = [*COMPANION, "referee", "three", "--players", "Anna,Ben", "--no-journal", "--house", "call_timeout=1"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=PROJECT, text=True) as process:
        assert process.stdin
        assert process.stdout
        process.stdin.write('{"move":"begin","player":"Anna"}\n{"move":"strike","player":"Ben"}\n')
        process.stdin.flush()
        replies = [json.loads(process.stdout.readline()) for _ in range(4)]
        process.stdin.close()
        assert process.wait() == 0
    struck, released = replies[2:]
    assert released["move"] == {"move": "release", "player": "Ben", "at": struck["table"]["until"]["at"]}
    assert released["move"]["at"] - struck["move"]["at"] == 10**9
    assert "re" not in released


def test_a_deadline_that_cannot_be_kept_is_told_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a full disk the referee must not complain as fast as it can."""
    now = [10**12]
    monkeypatch.setattr("companion.seat.door.time.monotonic_ns", lambda: now[0])
    playing = game("three")
    referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house(call_timeout=1)), now[0])
    said: list[str] = []
    session = Session(referee, lambda: now[0])
    door = Door(PlainTable(session), said.append, own_clock=True)
    for word in ("begin", "strike"):
        message = message_of({"move": word, "player": "Anna"}, door._read)
        assert not isinstance(message, NoMessage)
        door._tell(door._answered(message))
    assert 1 < door._patience() < 1.1

    def full(*_: Any) -> None:
        raise JournalError("The disk is full.")

    monkeypatch.setattr(referee.match, "_keep", full)
    now[0] += 2 * 10**9
    assert door._patience() == 0
    door._let_time_pass()
    assert json.loads(said[-1])["sentence"] == "The disk is full."
    assert door._patience() == MARK_EVERY / 10**9
    monkeypatch.undo()


# --- nonsense --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_thousand_lines_of_nonsense(name: str) -> None:
    """`python -m tests.fuzz_door` sends a million."""
    report = fuzzed(name, 1000, seed=3)
    assert report.problems == []
    assert report.lines == 1000
    assert min(report.answers["error"], report.answers["foul"]) > 0
    assert max(report.memory) < report.memory[0] + 4000


def test_the_fuzz_can_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz_door.is_harmless", lambda *_: True)
    assert fuzzed("triplexity", 1500, seed=3).problems


def test_it_is_the_real_command(tmp_path: Path) -> None:
    """Bytes that are no text at all, through a pipe, to a process."""
    done = subprocess.run(
        [*COMPANION, "referee", "tres", "--players", "A,B", "--journal", tmp_path / "j.sqlite3"],
        input=os.urandom(20_000) + b"\n" + BEGIN,
        capture_output=True,
        cwd=PROJECT,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == b""
    assert {json.loads(line)["kind"] for line in done.stdout.splitlines()} == {"match", "error"}
    assert sys.executable == COMPANION[0]
