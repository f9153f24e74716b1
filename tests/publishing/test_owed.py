"""What is owed comes from the journal, and each entry arrives exactly once, whatever happens on the way."""

import random
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from companion.core.codec import parsed
from companion.games import game
from companion.journal import Journal
from companion.publishing import owed as owed_module
from companion.publishing.cursor import OWED_LONG, Cursor, cursor_beside
from companion.publishing.owed import WINDOW, NotedReply, Owed
from tests.publishing.kept_matches import DAY, KeptMatch, journal_in

Heard = dict[str, Any]


class Hours:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.fixture(autouse=True)
def hours(monkeypatch: pytest.MonkeyPatch) -> Hours:
    made = Hours()
    monkeypatch.setattr(owed_module, "time", made)
    return made


class Table:
    """A table that keeps its matches and publishes them by hand, to a broker that is played by the test."""

    def __init__(self, folder: Path) -> None:
        self.journal = journal_in(folder)
        self.said: list[str] = []
        self.heads: list[Heard] = []
        self.start()

    def start(self) -> None:
        path = self.journal.path
        self.owed = Owed(lambda: path, "t", "broker", lambda head: self.heads.append(parsed(head)), self.said.append)
        self._mid = 0

    def begin(self, name: str = "triplexity", seed: int = 3) -> KeptMatch:
        one = KeptMatch(self.journal, game(name), seed)
        self.owed.note(NotedReply(one.code, 0, DAY, greets=True))
        self.owed.attend()  # as the thread does, with or without a broker
        return one

    def play(self, one: KeptMatch, moves: int) -> None:
        self.owed.note(NotedReply(one.code, one.play(moves), DAY))

    def send(self) -> list[tuple[int, Heard]]:
        """Everything that goes out now, with the broker's numbers."""
        found = []
        while (content := self.owed.next_entry()) is not None:
            self._mid += 1
            self.owed.sent(self._mid)
            found.append((self._mid, parsed(content)))
        return found

    def deliver(self) -> list[Heard]:
        """The same until there is nothing more, each acknowledged at once."""
        heard = []
        while sent := self.send():
            for mid, payload in sent:
                self.owed.acknowledged(mid)
                heard.append(payload)
        return heard

    def close(self) -> None:
        self.owed.close()
        self.journal.close()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def numbers(heard: list[Heard]) -> list[int]:
    return [one["number"] for one in heard]


def test_what_is_played_goes_out_as_it_is_played(table: Table) -> None:
    one = table.begin()
    assert numbers(table.deliver()) == [0]
    table.play(one, 2)
    heard = table.deliver()
    assert numbers(heard) == [1, 2]
    assert {payload["as_of"] for payload in heard} == {DAY}
    assert table.deliver() == []
    assert table.owed.is_idle
    assert table.heads[-1]["number"] == 2
    assert table.heads[-1]["hash"] == heard[-1]["hash"]


def test_no_more_is_on_its_way_than_the_broker_can_acknowledge(table: Table) -> None:
    one = table.begin("three")
    table.play(one, WINDOW + 10)
    sent = table.send()
    assert len(sent) == WINDOW
    table.owed.acknowledged(sent[1][0])  # the first is still missing
    assert table.send() == []
    table.owed.acknowledged(sent[0][0])
    assert numbers([payload for _, payload in table.send()]) == [WINDOW, WINDOW + 1]


def test_a_day_offline_is_delivered_from_the_journal(table: Table) -> None:
    """Without anything in memory: the process was started anew."""
    first = table.begin()
    table.send()
    first.play_out()
    table.owed.close()
    table.start()
    second = table.begin("three", 1)
    table.play(second, 12)
    heard = table.deliver()
    of = {code: numbers([one for one in heard if one["match"] == code]) for code in (first.code, second.code)}
    assert of == {first.code: list(range(first.match.entries + 1)), second.code: list(range(13))}
    assert all(one["as_of"] == "" for one in heard if one["match"] == first.code), "nobody knows when"


def test_the_cursor_moves_at_the_acknowledgement_and_not_before(table: Table) -> None:
    one = table.begin()
    table.play(one, 3)
    for mid, payload in table.send():
        if payload["number"] < 2:
            table.owed.acknowledged(mid)
    table.owed.close()
    assert Cursor(cursor_beside(table.journal.path), "broker").numbers == {one.code: 1}
    table.start()
    assert numbers(table.deliver()) == [2, 3]


def test_matches_from_before_publishing_are_not_owed(table: Table) -> None:
    before = KeptMatch(table.journal, game("three"))
    before.play_out()
    one = table.begin()
    assert {payload["match"] for payload in table.deliver()} == {one.code}


def test_a_match_that_is_gone_on_with_is_told_whole(table: Table) -> None:
    one = KeptMatch(table.journal, game("three"))
    one.play(5)
    table.owed.note(NotedReply(one.code, 5, DAY, greets=True))
    heard = table.deliver()
    assert numbers(heard) == list(range(6))
    assert {payload["as_of"] for payload in heard} == {""}, "they were told on another day"
    table.play(one, 1)
    assert [payload["as_of"] for payload in table.deliver()] == [DAY]


def test_an_end_that_is_taken_back_after_the_next_match_began(table: Table) -> None:
    """Entries may come to an older match, which the cursor of that match knows."""
    first = table.begin()
    table.play(first, 1000)
    table.deliver()
    second = table.begin()
    table.deliver()
    ended = first.match.entries
    first.match.undo(first.match.now)
    table.owed.note(NotedReply(first.code, first.match.entries, DAY))
    heard = table.deliver()
    assert [(one["match"], one["number"], one["kind"]) for one in heard] == [(first.code, ended + 1, "undone")]
    assert heard[0]["standing"]["status"] == "running"
    assert second.code != first.code


def test_what_was_written_while_the_process_died_is_found(table: Table) -> None:
    """An entry is on the disk before anybody is told; a table that dies in between still owes it."""
    first = table.begin()
    table.play(first, 1000)
    table.deliver()
    table.owed.close()
    first.match.undo(first.match.now)  # and nobody is told
    table.start()
    assert [one["kind"] for one in table.deliver()] == ["undone"]


def test_a_broker_that_was_lost_hears_of_late_entries_again(table: Table, hours: Hours) -> None:
    """It may have acknowledged what it had not written down when it died."""
    one = table.begin()
    old = table.deliver()
    hours.now += owed_module.FORGETFUL + 1
    table.play(one, 3)
    late = table.deliver()
    table.owed.gone()
    assert table.deliver() == late, "and nothing that is older"
    table.owed.gone(was_wanted=True)
    assert table.deliver() == []
    assert numbers(old) == [0]


def test_the_chance_of_a_ruling_goes_with_it(table: Table) -> None:
    one = table.begin()
    one.play(1)
    move = one.match.line[-1].move
    table.owed.note(NotedReply(one.code, 1, DAY, made_at=move.at, chance=0.93))
    assert [payload["chance"] for payload in table.deliver()] == [None, 0.93]


def test_what_is_kept_goes_out_when_it_is_told(table: Table) -> None:
    """It is on the disk a moment before: whoever publishes does not overtake the table, and knows when it was."""
    one = table.begin()
    table.play(one, 1)
    one.play(1)
    assert numbers(table.deliver()) == [0, 1]
    table.owed.note(NotedReply(one.code, 2, DAY))
    assert [(payload["number"], payload["as_of"]) for payload in table.deliver()] == [(2, DAY)]


def test_without_a_journal_nothing_is_owed(tmp_path: Path) -> None:
    nothing = Owed(lambda: None, "t", "b", lambda _: None, lambda _: None)
    nothing.note(NotedReply("5f0c", 0, DAY, greets=True))
    assert nothing.next_entry() is None
    assert nothing.is_idle
    assert not [*tmp_path.iterdir()]


def test_a_match_that_is_not_kept_is_not_owed(table: Table) -> None:
    table.owed.note(NotedReply("5f0c5f0c5f0c", 0, DAY, greets=True))
    assert table.deliver() == []
    assert table.owed.is_idle
    assert table.said == []


def test_a_damaged_entry_is_said_and_goes_out_when_it_is_mended(table: Table, hours: Hours) -> None:
    one = table.begin()
    table.play(one, 2)
    table.journal.close()
    path = table.journal.path

    def exchange(before: str, after: str) -> None:
        with sqlite3.connect(path) as database:
            database.execute(f"UPDATE entry SET body = replace(body, '{before}', '{after}') WHERE number = 2")
        database.close()

    exchange("{", " {")
    assert table.send() == []
    assert len(table.said) == 1
    assert "an entry is not as it was written" in table.said[0]
    exchange(" {", "{")
    assert table.send() == [], "it is not read again at once"
    hours.now += owed_module.AGAIN
    assert numbers(table.deliver()) == [0, 1, 2]
    assert len(table.said) == 1
    table.journal = Journal(path)


@pytest.mark.parametrize("content", [b"", b"nonsense " * 200])
def test_a_cursor_that_is_none_costs_no_ruling_of_today(table: Table, content: bytes) -> None:
    cursor_beside(table.journal.path).write_bytes(content)
    one = table.begin()
    table.play(one, 2)
    assert numbers(table.deliver()) == [0, 1, 2]
    assert table.said == []


def test_a_cursor_that_cannot_be_written_is_said(table: Table) -> None:
    cursor_beside(table.journal.path).mkdir()
    table.begin()
    assert table.send() == []
    assert len(table.said) == 1
    assert "cannot be used" in table.said[0]


def test_each_broker_and_name_has_its_own(tmp_path: Path) -> None:
    path = tmp_path / "cursor"
    one, other = Cursor(path, "a"), Cursor(path, "b")
    one.owe("5f0c")
    one.move("5f0c", 7)
    one.close()
    assert Cursor(path, "a").numbers == {"5f0c": 7}
    assert other.numbers == {}


def test_matches_of_long_ago_are_forgotten_if_nothing_is_owed(tmp_path: Path) -> None:
    cursor = Cursor(tmp_path / "cursor", "a")
    codes = [f"{number:012x}" for number in range(OWED_LONG + 3)]
    for code in codes:
        cursor.owe(code)
    cursor.forget_old({codes[0], codes[2], codes[-1]})
    cursor.close()
    left = Cursor(tmp_path / "cursor", "a").numbers
    assert codes[0] not in left
    assert codes[2] not in left
    assert {codes[1], codes[-1]} <= left.keys(), "one is owed, the other is new"


EVENTS = st.lists(
    st.sampled_from(["play", "play", "undo", "send", "send", "lose", "restart", "kill", "next match"]), max_size=40
)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(events=EVENTS, seed=st.integers(0, 2**16))
def test_whatever_happens_everything_arrives(
    events: list[str], seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Messages are lost on both ways, doubled, and the process is ended or killed in between: in the end whoever
    takes each match, number and hash once has what the journal has."""
    luck, table = random.Random(seed), Table(tmp_path_factory.mktemp("table"))
    matches = [table.begin()]
    board: dict[tuple[str, int], Heard] = {}
    for event in events:
        if event == "send":
            send_by_bad_roads(table, board, luck)
        else:
            happen(event, table, matches, luck)
    table.owed.gone()
    for payload in table.deliver():
        take(board, payload)
    for one in matches:
        kept = [payload for (code, _), payload in sorted(board.items()) if code == one.code]
        assert numbers(kept) == list(range(one.match.entries + 1))
        assert [payload["before"] for payload in kept] == ["", *(payload["hash"] for payload in kept[:-1])]
    assert table.said == []
    table.close()


def happen(event: str, table: Table, matches: list[KeptMatch], luck: random.Random) -> None:
    newest = matches[-1]
    match event:
        case "play":
            table.play(newest, luck.randint(1, 3))
        case "undo" if newest.match.line:
            newest.match.undo(newest.match.now)
            table.owed.note(NotedReply(newest.code, newest.match.entries, DAY))
        case "next match":
            matches.append(table.begin("triplexity", luck.randint(0, 9)))
        case "lose":
            table.owed.gone()
        case "restart":
            table.owed.close()
            table.start()
        case "kill":  # nothing more is saved
            table.start()
            table.owed.note(NotedReply(newest.code, newest.match.entries, DAY, greets=True))


def send_by_bad_roads(table: Table, board: dict[tuple[str, int], Heard], luck: random.Random) -> None:
    for mid, payload in table.send():
        arrives, is_acknowledged = luck.random() < 0.8, luck.random() < 0.7
        for _ in range(luck.randint(1, 2) if arrives else 0):
            take(board, payload)
        if arrives and is_acknowledged:
            table.owed.acknowledged(mid)


def take(board: dict[tuple[str, int], Heard], payload: Heard) -> None:
    """As a board does: what it has it does not take again, and it is the same."""
    known = board.setdefault((payload["match"], payload["number"]), payload)
    assert known["hash"] == payload["hash"]
    assert known["standing"] == payload["standing"]
