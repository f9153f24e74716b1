"""What is fetched for the screens that look back: whole, once, and never at the cost of the table."""

import threading
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.core.match import Match, set_up
from companion.core.referee import Referee
from companion.core.rules import Foul
from companion.display.library import AT_ONCE, EMPTY, Library
from companion.display.scene import Text
from companion.display.screens import scene
from companion.display.screens.history import began, with_scores
from companion.display.shelf import ShelvedMatch
from companion.display.view import View
from companion.doctor.health import WORKS, Finding
from companion.games import game as game_named
from companion.games.threepia import rules as threepia
from companion.journal import Journal
from companion.reports.tally_cache import beside
from companion.words import Words
from simulator.playing import play_out, seated


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal.open(tmp_path / "journal")


def referee_of(journal: Journal) -> Referee:
    playing = game_named("threepia")
    referee = Referee.begin(set_up(playing, ("Anna", "Ben"), playing.house()), 0, journal)
    referee.make(threepia.Deal(""), 0)
    referee.make(threepia.Begin("Anna"), SECOND)
    return referee


def test_screens_that_do_not_look_back_get_nothing(journal: Journal) -> None:
    assert Library(journal).shelf("games", "", {}) is EMPTY
    assert Library(None).shelf("history", "", {}).matches == ()
    journal.close()


def test_only_so_many_matches_as_a_screen_can_show(journal: Journal) -> None:
    for _ in range(AT_ONCE + 5):
        referee_of(journal)
    library = Library(journal, today=lambda: date(2026, 1, 2))
    codes = [match.code for match in journal.matches()]
    first = library.shelf("history", "", {})
    assert (first.count, first.first, first.today) == (AT_ONCE + 5, 0, date(2026, 1, 2))
    assert [played.code for played in first.matches] == codes[:AT_ONCE]
    assert library.shelf("history", "", {}) is first
    later = library.shelf("history", "", {"first": AT_ONCE})
    assert [played.code for played in later.matches] == codes[AT_ONCE:]
    journal.close()


def test_what_is_new_is_seen_by_whoever_comes_again(journal: Journal) -> None:
    library = Library(journal)
    assert library.shelf("history", "", {}).count == 0
    referee_of(journal)
    assert library.shelf("history", "", {}).count == 0
    library.stale()
    assert library.shelf("history", "", {}).count == 1
    journal.close()


def test_refused_moves_stand_where_they_were_refused(journal: Journal) -> None:
    """After an undo too: the line is shorter then than the entries are many."""
    referee = referee_of(journal)
    referee.make(threepia.Lay("Anna", points=1), 2 * SECOND)
    referee.undo(3 * SECOND)
    with pytest.raises(Foul):
        referee.make(threepia.Lay("Ben"), 3 * SECOND)
    referee.make(threepia.Lay("Anna", points=2), 4 * SECOND)
    with pytest.raises(Foul):
        referee.make(threepia.Begin("Ben"), 5 * SECOND)
    opened = Library(journal).shelf("match", referee.match.setup.id, {}).opened
    assert opened is not None
    assert [(found.after, found.player) for found in opened.refused] == [(2, "Ben"), (3, "Ben")]
    assert opened.steps == 3
    journal.close()


@pytest.mark.parametrize("language", ["en", "de"])
def test_what_was_put_right_stands_where_it_was(journal: Journal, language: str) -> None:
    referee = referee_of(journal)
    words = Words(language)
    made = referee.make(threepia.Lay("Anna", points=1), 2 * SECOND)
    was = [words.open_sentence(event) for event in made.ruling.events if event.text]
    referee.make(threepia.Lay("Ben", points=3), 3 * SECOND)
    referee.correct(3, threepia.Lay("Anna", points=2), 4 * SECOND)
    library, code = Library(journal), referee.match.setup.id
    looking = View((800, 480), words, screen="replay", about=code)
    told = {}
    for step in (3, 4):
        marks = {"step": step}
        shown = scene(replace(looking, marks=marks, shelf=library.shelf("replay", code, marks)))
        told[step] = [item.text for item in shown.items if isinstance(item, Text)]
    head = words.say("Put right. It was:")
    assert [text for text in told[3] if text.startswith(head)] == [" ".join([head, *was])]
    assert not [text for text in told[4] if text.startswith(head)]
    journal.close()


def test_an_opened_match_is_not_folded_again_from_move_to_move(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = referee_of(journal).match.setup.id
    library = Library(journal)
    opened = library.shelf("match", code, {}).opened
    library.stale()
    monkeypatch.setattr(Match, "folded", None)
    assert library.shelf("replay", code, {"step": 1}).opened is opened
    journal.close()


def test_counting_waits_for_whoever_looks_and_is_kept_when_they_leave(journal: Journal) -> None:
    for seed in range(3):
        playing = game_named("tres")
        setup = seated(playing, playing.house())
        match = Match(setup, journal.begin(setup))
        for _ in play_out(match, seed):
            pass
    library = Library(journal)
    assert not library.is_busy
    assert library.shelf("statistics", "", {}).counted == 0
    assert library.is_busy
    library.stale()
    assert not library.is_busy  # another screen may come now, and its shelf is not fetched yet
    assert not library.work()
    assert library.shelf("statistics", "", {}).to_count == 3
    while library.is_busy:
        assert library.work()
    assert library.shelf("statistics", "", {}).counted == 3
    library.stale()
    assert library.shelf("statistics", "", {}).counted == 3
    assert beside(journal.path).exists()
    journal.close()


def test_the_loop_is_woken_when_a_device_has_been_looked_at() -> None:
    held, woken = threading.Event(), threading.Event()

    def check() -> Finding:
        assert held.wait(10)
        return Finding("screen", WORKS)

    library = Library(None, checks=lambda: {"screen": check})
    library.wake = woken.set
    assert library.shelf("doctor", "", {}).is_looking
    assert not library.work()
    held.set()
    assert woken.wait(10)
    assert library.work()
    shelf = library.shelf("doctor", "", {})
    assert (shelf.is_looking, [finding.state for finding in shelf.findings]) == (False, [WORKS])
    assert not library.work()


# --- how a match is named --------------------------------------------------------------------------------------


def played_at(when: datetime | None) -> ShelvedMatch:
    return ShelvedMatch("code", "tres", when, "over", ("Anna", "Ben"), (3, 0), ("Ben",))


@pytest.mark.parametrize(
    ("day", "said"),
    [(17, "Today, 20:15"), (16, "Yesterday, 20:15"), (15, "15/05/2026, 20:15"), (18, "18/05/2026, 20:15")],
)
def test_when_it_began(day: int, said: str) -> None:
    when = datetime(2026, 5, day, 20, 15, tzinfo=UTC)
    assert began(Words(), played_at(when), date(2026, 5, 17)) == said
    assert began(Words(), played_at(None), date(2026, 5, 17)) == ""


def test_a_date_that_is_none_is_no_trouble(journal: Journal) -> None:
    referee_of(journal)
    with journal._file.writing():
        journal._file.run("UPDATE match SET began = 'some day'")
    (played,) = Library(journal).shelf("history", "", {}).matches
    assert played.began is None
    journal.close()


def test_scores_stand_beside_the_names_where_there_are_any() -> None:
    assert with_scores(Words(), played_at(None)) == "Anna 3, Ben 0"
    running = ShelvedMatch("code", "tres", None, "running", ("Anna", "Ben"))
    assert with_scores(Words(), running) == "Anna and Ben"
