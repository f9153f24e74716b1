"""Every entry of a match is told with what it changed, and the score sheet marks what was put right."""

import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.cli import main
from companion.core.clocks import SECOND
from companion.core.entry import Abandoned, Corrected, Entry, Made, Paused, Redone, Resumed, Undone
from companion.core.match import Match, Setup, set_up
from companion.core.rules import Move
from companion.games import game
from companion.games.three import rules as three
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal, Stored
from companion.reports.entries import steps
from companion.reports.logbook import step_lines
from companion.reports.marks import marks
from companion.reports.summary import sheet
from tests.kept import keep
from tests.matches.earlier import JOURNAL, journals, unpacked

OVER = Abandoned(20 * SECOND, "dinner")  # then everything may be told


def at(seconds: float) -> int:
    return int(seconds * SECOND)


def of_three() -> tuple[Setup, list[Entry]]:
    """A match in which everything happens that can be an entry."""
    setup = set_up(game("three"), ["Anna", "Ben"], three.House(call_timeout=3, rearm=0), match_id="three")
    begins: list[Move] = [three.Begin("Anna", at=at(1))]
    for number, (player, dog) in enumerate(
        zip(["Anna", "Ben", "Anna", "Ben", "Anna", "Ben"], ["Sky", "Snow"] * 3, strict=True)
    ):
        begins.append(three.Play(player, dog, at=at(2 + number)))
    return setup, [
        *map(Made, begins),
        Made(three.Strike("Ben", at=at(8))),
        Made(three.Release("Ben", at=at(11))),
        Undone(at=at(12)),
        Redone(),
        Paused(at(13), "tea"),
        Resumed(),
        Made(three.Declare("Anna", "Sky", at=at(14))),
        Made(three.Check("Anna", at=at(15))),
        Corrected(2, three.Play("Anna", "Honey"), at(16)),
        Undone(correction=True, at=at(17)),
        Redone(),
        Corrected(7, None, at(18)),
        Abandoned(at(20), "dinner"),
    ]


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    found = tmp_path / "journal.sqlite3"
    monkeypatch.setenv("COMPANION_JOURNAL", str(found))
    return found


def told(path: Path, setup: Setup, entries: list[Entry], capfd: pytest.CaptureFixture[str], *words: str) -> list[str]:
    with Journal.open(path) as journal:
        keep(journal, setup, entries)
    assert main(list(words)) == 0
    return capfd.readouterr().out.splitlines()


TOO_LATE = "Anna declares too late or too early: a declaration opens a player's turn, and it is Ben's turn."
NO_CHECK = "Anna cannot answer a check now: nobody has struck or declared, and cards are still in hand."
TWO_OF_SKY = "2 of Sky on Anna's pile: the cards go to the box."
PLAYS_SKY = "Anna plays Sky. Cards on the pile: 1. It is Ben's turn."
PLAYS_HONEY = "Anna plays Honey. Cards on the pile: 1. It is Ben's turn."
PLAYS_SNOW = "Ben plays Snow. Cards on the pile: 3. It is Anna's turn."
ENTRIES = f"""\
   1      1.0 s  Move 1: Anna begins. Cards left to draw: 42.
   2      2.0 s  Move 2: {PLAYS_SKY}
   3      3.0 s  Move 3: Ben plays Snow. Cards on the pile: 1. It is Anna's turn.
   4      4.0 s  Move 4: Anna plays Sky. Cards on the pile: 2. It is Ben's turn.
   5      5.0 s  Move 5: Ben plays Snow. Cards on the pile: 2. It is Anna's turn.
   6      6.0 s  Move 6: Anna plays Sky. Cards on the pile: 3. It is Ben's turn.
   7      7.0 s  Move 7: {PLAYS_SNOW}
   8      8.0 s  Move 8: Ben strikes and calls: whom, and which dog?
   9     11.0 s  Move 9, by the referee: No call from Ben; the token is free again.
  10     12.0 s  Undone: move 9 does not count, "No call from Ben; the token is free again."
  11     12.0 s  Redone: move 9 counts, "No call from Ben; the token is free again."
  12     13.0 s  Paused: tea.
  13     13.0 s  The clocks go on.
  14     14.0 s  Move 10: Anna declares three of Sky and checks.
  15     15.0 s  Move 11: 3 of Sky on Anna's pile: the cards go to Anna's bank.
  16     16.0 s  Put right: move 2 was "{PLAYS_SKY}", and is "{PLAYS_HONEY}"
                 Move 11 was "3 of Sky on Anna's pile: the cards go to Anna's bank.", and is "{TWO_OF_SKY}"
                 Scores: Anna 0, Ben 0; before Anna 3, Ben 0
  17     17.0 s  Undone: the correction of entry 16; move 2 was "{PLAYS_HONEY}", and is "{PLAYS_SKY}"
                 Scores: Anna 3, Ben 0; before Anna 0, Ben 0
  18     17.0 s  Redone: the correction of entry 16; move 2 was "{PLAYS_SKY}", and is "{PLAYS_HONEY}"
                 Scores: Anna 0, Ben 0; before Anna 3, Ben 0
  19     18.0 s  Put right: move 7 does not count, "{PLAYS_SNOW}"
                 Move 10 falls away, "Anna declares three of Sky and checks.": {TOO_LATE}
                 Move 11 falls away, "{TWO_OF_SKY}": {NO_CHECK}
  20     20.0 s  Abandoned: dinner.
"""
SHEET = f"""\
~ Anna      0
  Ben       0

~ put right at 16.0 s: move 2; scores Anna 0, Ben 0, before Anna 3, Ben 0
~ put right at 18.0 s: move 7; the scores stay

Abandoned. dinner

   1      1.0 s  Anna begins. Cards left to draw: 42.
   2      2.0 s  {PLAYS_HONEY}
                 ~ put right: was "{PLAYS_SKY}"
   3      3.0 s  Ben plays Snow. Cards on the pile: 1. It is Anna's turn.
   4      4.0 s  Anna plays Sky. Cards on the pile: 2. It is Ben's turn.
   5      5.0 s  Ben plays Snow. Cards on the pile: 2. It is Anna's turn.
   6      6.0 s  Anna plays Sky. Cards on the pile: 3. It is Ben's turn.
                 ~ does not count any more, 7.0 s: "{PLAYS_SNOW}"
   7      8.0 s  Ben strikes and calls: whom, and which dog?
   8     11.0 s  No call from Ben; the token is free again.
                 ~ does not count any more, 14.0 s: "Anna declares three of Sky and checks."
                 ~ does not count any more, 15.0 s: "{TWO_OF_SKY}"
"""


def test_every_entry_is_told_with_what_it_changed(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert told(path, *of_three(), capfd, "replay", "three", "--entries") == ENTRIES.splitlines()


def test_the_sheet_marks_what_was_put_right(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert told(path, *of_three(), capfd, "export", "three", "--sheet")[5:] == SHEET.splitlines()


def test_every_entry_is_told_as_data(path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    setup, entries = of_three()
    lines = [json.loads(line) for line in told(path, setup, entries, capfd, "replay", "three", "--entries", "--json")]
    assert [line["entry"] for line in lines] == list(range(1, len(entries) + 1))
    assert [line["entry"] for line in lines if line["is_by_referee"]] == [9]
    assert [(line["did"], line["of"]["what"], line["of"]["entry"]) for line in lines if line["of"]] == [
        ("undone", "move", 0),
        ("redone", "move", 0),
        ("corrected", "move", 0),
        ("undone", "correction", 16),
        ("redone", "correction", 16),
        ("corrected", "move", 0),
    ]
    assert lines[15]["scores_before"] == {"Anna": 3, "Ben": 0}
    assert lines[15]["reply"]["scores_after"] == {"Anna": 0, "Ben": 0}
    assert [line["why"] for line in lines if line["why"]] == ["tea", "dinner"]


def test_a_step_waits_for_enter(path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("\n\n"))
    assert told(path, *of_three(), capfd, "replay", "three", "--entries", "--step") == ENTRIES.splitlines()[:3]


def of_triplexity() -> tuple[Setup, list[Entry]]:
    setup = set_up(game("triplexity"), ["Anna", "Ben"], triplexity.House(), match_id="dice")
    places = ["left", "left", "centre", "right"]
    puts = [
        triplexity.Put(("Anna", "Ben")[number % 2], place, at=at(number + 1)) for number, place in enumerate(places)
    ]
    return setup, [*map(Made, puts)]


def test_what_is_corrected_back_has_no_mark() -> None:
    setup, entries = of_triplexity()
    right, wrong = entries[1], triplexity.Put("Ben", "centre")
    assert isinstance(right, Made)
    found = stored(setup, [*entries, Corrected(2, wrong, at(8)), Corrected(2, right.move, at(9))])
    lines = sheet(found).splitlines()
    assert [line for line in lines if "~" in line] == [
        "~ put right at 8.0 s: move 2; the scores stay",
        "~ put right at 9.0 s: move 2; the scores stay",
    ]


def test_what_the_referee_adds_to_a_corrected_line_is_marked() -> None:
    """The check was none: so nobody has answered the strike when the next card is played."""
    setup, entries = of_three()
    call, answer = three.Call("Ben", "Anna", "Sky", at=at(9)), three.Check("Anna", at=at(10))
    play = three.Play("Anna", "Sky", at=at(12))
    found = stored(setup, [*entries[:8], *map(Made, (call, answer, play)), Corrected(9, None, at(13)), OVER])
    marked = [line.strip() for line in sheet(found).splitlines() if "~ " in line]
    assert marked == [
        "~ Ben       0",
        "~ put right at 13.0 s: move 9; scores Anna 0, Ben 0, before Anna 0, Ben 3",
        '~ does not count any more, 9.0 s: "Ben calls Anna for Sky: Anna checks."',
        "~ does not count any more, 10.0 s: \"3 of Sky on Anna's pile: the cards go to Ben's bank.\"",
        "~ added by the referee, because its time had come",
        '~ ruled again: was "Anna plays Sky. Cards on the pile: 1. It is Ben\'s turn."',
    ]


def stored(setup: Setup, entries: Iterable[Entry]) -> Stored:
    return Stored(setup, tuple(entries), 0, 0, "")


@pytest.mark.parametrize("name", ["three", "triplexity"])
def test_earlier_matches_are_told_to_their_end(name: str, tmp_path: Path) -> None:
    """In them everything happens that can be an entry, in any order, by older rules too."""
    path = tmp_path / "journal.sqlite3"
    path.write_bytes(unpacked(f"{journals()[0]}{JOURNAL}"))
    with Journal.open(path) as journal:
        found = [journal.stored(one.code) for one in journal.matches(name)]
    for one in found:
        told = [line for step in steps(one.setup, one.entries) for line in step_lines(step)]
        assert len(told) >= len(one.entries)
        assert len(marks(one.setup, one.entries).places) == len(one.folded().line) + 1


def of_a_call() -> Match:
    """Of three cards one was really another: so a check finds two, and a card that was drawn for it is not there."""
    setup = set_up(game("three"), ["Anna", "Ben"], three.House(rearm=0), match_id="call")
    match = Match(setup)
    match.make(three.Begin("Anna", at=at(1)))
    for turn in (2, 4, 6):
        match.make(three.Play("Anna", "Sky", at=at(turn)))
        match.make(three.Play("Ben", "Snow", at=at(turn + 1)))
    match.make(three.Strike("Ben", at=at(8)))
    match.make(three.Call("Ben", "Anna", "Sky", at=at(9)))
    match.make(three.Check("Anna", 3, at=at(10)))
    return match


def told_of(match: Match, *corrections: tuple[int, Move | None]) -> tuple[list[Entry], list[list[str]]]:
    """The entries with these corrections, and what is told of each correction."""
    entries: list[Entry] = [Made(done.move) for done in match.line]
    count = len(entries)
    again = Match.folded(match.setup, entries, lambda entry, _: entries.append(entry))
    for number, (place, move) in enumerate(corrections):
        again.correct(place, move, again.now + at(number + 1))
    return entries, [list(step_lines(step)) for step in steps(match.setup, entries)][count:]


def test_what_stands_adjusted_is_told_and_marked() -> None:
    match = of_a_call()
    entries, [told, back] = told_of(match, (2, three.Play("Anna", "Honey")), (2, three.Play("Anna", "Sky")))
    found, was = (
        "2 of Sky on Anna's pile: the cards go to Anna's bank.",
        "3 of Sky on Anna's pile: the cards go to Ben's bank.",
    )
    open_found, open_was = (sentence.replace("Sky", "that dog") for sentence in (found, was))
    assert told[1].strip() == f'Move 10, adjusted, was "{open_was}", and is "{open_found}"'
    assert back[1].strip() == f'Move 10 was "{open_found}", and is "{open_was}"'
    assert sheet(stored(match.setup, entries[:-1])).splitlines()[-1].strip() == f'~ adjusted: was "{open_was}"'
    assert sheet(stored(match.setup, [*entries[:-1], OVER])).splitlines()[-1].strip() == f'~ adjusted: was "{was}"'
    assert sheet(stored(match.setup, entries)).count("~") == 2, "the two corrections, and nothing at a move"


def test_what_counts_again_is_told() -> None:
    setup = set_up(game("triplexity"), ["Anna", "Ben"], triplexity.House(), match_id="dice")
    match = Match(setup)
    for number, place in enumerate(["left", "centre", "left", "left"]):
        match.make(triplexity.Put(setup.names[number % 2], place, at=at(number + 1)))
    entries, [told, back] = told_of(match, (2, triplexity.Put("Ben", "left")), (2, triplexity.Put("Ben", "centre")))
    assert told[1].strip().startswith('Move 4 falls away, "')
    assert back[1].strip().startswith('Counts again: "')
    assert len(marks(setup, entries).places) == 5
    assert sheet(stored(setup, entries)).count("~") == 2
