"""A deck is taught by touches at the drawn table, before its simulated camera, and then played with."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.core.rules import SEEN
from companion.display.scene import Back, ChangeTo, Go, Intent, ShowAnew
from companion.games.triple3.rules import DECK
from companion.games.triple3.watched_spread import WatchedTriple3
from companion.teaching.teaching_sight import TeachingSight
from simulator.drawn.items import Thing
from tests.display.beside import Visitor
from vision.deck_file import read_deck
from vision.reader import Reader
from vision.taught_deck import TaughtDeck

FRAME = 200 * MILLISECOND
LONG = 120  # seconds; a deck is taught in less


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    monkeypatch.setattr("vision.teaching.WARPS", 2)  # a third of the time
    return tmp_path / "decks"


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    found = Visitor(camera=FRAME, journal=tmp_path / "journal.sqlite3")
    yield found
    found.close()


def touch(visitor: Visitor, screen: str, about: str = "") -> None:
    assert visitor.on_screen(lambda intent: intent == Go(screen, about) or (intent == Go(screen)))
    assert visitor.app.view.screen == screen


def a_second(visitor: Visitor) -> None:
    for _ in range(SECOND // FRAME):
        visitor.wait(FRAME)
        visitor.app.teaching.wait()


def begin(visitor: Visitor) -> None:
    for screen, about in (("settings", ""), ("decks", ""), ("teach", ""), ("deck-name", "triple3")):
        touch(visitor, screen, about)
    touch(visitor, "teaching", "triple3:My deck")
    assert visitor.room.camera is not None
    visitor.room.camera.wait()


def until(visitor: Visitor, is_enough: Callable[[TeachingSight], bool]) -> TeachingSight:
    for _ in range(LONG):
        a_second(visitor)
        sight = visitor.app.teaching.sight
        assert sight is not None
        assert sight.state != "failed", sight.why
        if is_enough(sight):
            return sight
    raise AssertionError(sight)


def is_use(intent: Intent) -> bool:
    return isinstance(intent, ChangeTo) and "My deck" in getattr(intent.to, "decks", {}).values()


@pytest.mark.slow
def test_a_whole_deck_in_eight_looks_and_a_match_with_it(visitor: Visitor, kept: Path) -> None:
    begin(visitor)
    sight = until(visitor, lambda sight: sight.is_complete)
    assert sight.looks in (8, 9), "eight times nine cards, perhaps the empty mat before them"
    assert visitor.on_screen(is_use)
    assert "My deck" in visitor.app.prefs.decks.values()
    assert read_deck(kept / "My deck.deck").missing == ()
    visitor.app.take(Go("games"), visitor.hour.now)
    visitor.sits_down("triple3", 2, cards=SEEN)
    assert visitor.app.match is not None
    assert visitor.app.match.setup.deck == "My deck"
    assert visitor.room.camera is not None
    visitor.room.camera.wait()
    a_second(visitor)
    assert is_read_by_what_was_taught(visitor)
    visitor.touch(Thing("pile"))  # the cards are laid out
    for _ in range(20):
        a_second(visitor)
        if visitor.app.match.state.phase == "ready":
            break
    spread, state = visitor.room.spread, visitor.app.match.state
    assert isinstance(spread, WatchedTriple3)
    assert state.phase == "ready", "the referee has read what lies there"
    assert state.grid == tuple(pile[-1] for pile in spread.piles)


def is_read_by_what_was_taught(visitor: Visitor) -> bool:
    assert visitor.room.camera is not None
    reader = visitor.room.camera._reader
    return isinstance(reader, Reader) and isinstance(reader._deck, TaughtDeck)


def test_teaching_is_broken_off_and_what_was_taught_stays(visitor: Visitor, kept: Path) -> None:
    begin(visitor)
    first = until(visitor, lambda sight: sight.count > 0)
    assert first.count == 9
    touch(visitor, "faces", "triple3:My deck")
    again = first.known[-1].face
    assert visitor.on_screen(lambda intent: intent == ShowAnew((again,)))
    visitor.app.teaching.wait()
    visitor.wait(FRAME)
    sight = visitor.app.teaching.sight
    assert sight is not None
    assert again not in [one.face for one in sight.known]
    assert visitor.on_screen(lambda intent: intent == Back())
    touch(visitor, "decks")
    assert visitor.app.teaching.sight is None
    assert len(DECK) - len(read_deck(kept / "My deck.deck").missing) == 9
    assert visitor.on_screen(lambda intent: intent == Go("teaching", "triple3:My deck")), "it is gone on with"
    a_second(visitor)
    sight = visitor.app.teaching.sight
    assert sight is not None
    assert sight.count == 9
