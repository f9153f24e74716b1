"""The score sheet from the screen: one touch on the result, or on a match of the history."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core import wholefile as whole
from companion.core.background import in_thread
from companion.core.match import Player
from companion.core.requests import Abandon
from companion.display.scene import Back, ChangeTo, Go, Intent, Refresh, Say, Start, Text
from companion.display.view import Draft
from companion.games.tres import rules as tres
from companion.journal import backup
from tests.display.table import Guests

PEOPLE = (Player("Anna", "red"), Player("Бен", "blue"))


@pytest.fixture
def guests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Guests]:
    monkeypatch.setattr(backup, "MEDIA", tmp_path / "media")
    monkeypatch.setenv("PATH", str(tmp_path))  # no printer
    found = Guests((800, 480), tmp_path / "kept.sqlite3")
    found.app.library.desk._run = lambda work: work()
    found.app.take(ChangeTo(Draft("tres", PEOPLE, tres.House()), Start()), found.hour.now)
    yield found
    found.close()


def ends(guests: Guests) -> None:
    guests.app.take(Say(Abandon()), guests.hour.now)
    assert guests.screen == "result"


def is_sheet(intent: Intent) -> bool:
    return isinstance(intent, Go) and intent.screen == "sheet"


def said(guests: Guests) -> str:
    guests.app.attend(guests.hour.now)
    return " ".join(item.text for item in guests.app.scene.all() if isinstance(item, Text))


def test_one_touch_on_the_result_saves_it_and_the_screen_says_where(guests: Guests, tmp_path: Path) -> None:
    ends(guests)
    guests.do(is_sheet)
    (file,) = (tmp_path / "sheets").iterdir()
    assert file.read_bytes().startswith(b"%PDF")
    assert str(file) in said(guests)
    guests.do(lambda intent: isinstance(intent, Back))
    assert guests.screen == "result"


def test_a_match_of_the_history_has_one_too(guests: Guests, tmp_path: Path) -> None:
    ends(guests)
    guests.app.take(Go("history"), guests.hour.now)
    guests.do(lambda intent: isinstance(intent, Go) and intent.screen == "match")
    guests.do(is_sheet)
    (file,) = (tmp_path / "sheets").iterdir()
    assert str(file) in said(guests)


def test_a_match_that_runs_has_none(guests: Guests, tmp_path: Path) -> None:
    """Whatever lies hidden in it stays so."""
    guests.app.take(Go("history"), guests.hour.now)
    guests.do(lambda intent: isinstance(intent, Go) and intent.screen == "match")
    assert not any(map(is_sheet, guests.intents))
    guests.app.take(Go("sheet", "save:"), guests.hour.now)
    assert "when the match is over" in said(guests)
    assert not (tmp_path / "sheets").exists()


def test_it_is_said_that_the_disk_is_full_and_one_touch_tries_again(
    guests: Guests, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ends(guests)
    with monkeypatch.context() as full:
        full.setattr(whole, "write", _full)
        guests.do(is_sheet)
        assert "there is no room left" in said(guests)
    guests.do(Refresh())
    assert ".pdf" in said(guests)
    assert Refresh() not in guests.intents
    assert len(list((tmp_path / "sheets").iterdir())) == 1


def _full(_path: Path, _content: bytes) -> None:
    raise OSError(28, "No space left on device")


def test_the_screen_is_there_at_once_and_tells_of_the_sheet_when_it_is_made(guests: Guests) -> None:
    later: list[Callable[[], Any]] = []
    guests.app.library.desk._run = later.append
    woken: list[int] = []
    guests.app.library.wake = lambda: woken.append(1)
    ends(guests)
    guests.do(is_sheet)
    assert "One moment" in said(guests)
    for work in later:
        work()
    assert woken
    assert ".pdf" in said(guests)


def test_a_thread_makes_it_and_wakes_the_window(guests: Guests) -> None:
    guests.app.library.desk._run = in_thread("sheet")
    woken = threading.Event()
    guests.app.library.wake = woken.set
    guests.app.library.desk.printer = ""  # nobody looks for one meanwhile
    ends(guests)
    guests.do(is_sheet)
    assert woken.wait(60)
    assert ".pdf" in said(guests)


def test_printing_is_offered_only_where_there_is_a_printer(guests: Guests) -> None:
    ends(guests)
    printing = Go("sheet", "print:")
    said(guests)
    assert printing not in guests.intents
    guests.app.library.desk.printer = "Kitchen"
    said(guests)
    assert printing in guests.intents
