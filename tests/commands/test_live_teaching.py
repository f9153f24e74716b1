"""Teaching a deck before a camera: when the table is looked at, what is new there, what stays when it is broken off."""

import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from companion.commands import deck_teaching
from companion.games.triple3.hands import script_plain
from companion.teaching.still_moments import CALM, still_moments
from companion.watch.watch_sources import Showing
from simulator.rendered.script import Lying, Script, Seat
from tests.doors import Run
from tests.faulty import reach
from tests.vision.laid import EMPTY, seen
from vision.deck import CARDS
from vision.deck_file import read_deck
from vision.eye_errors import SourceError
from vision.frames import Frame, Picture
from vision.grey import grey_of

SECOND = 1_000_000_000
NINE, MORE = CARDS[0:63:7], CARDS[3:63:7]
BLANK = np.full((90, 160, 3), 90, np.uint8)


@pytest.fixture(autouse=True)
def decks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    monkeypatch.setattr("vision.teaching.WARPS", 1)  # a sixth of the time; how well cards are told is not asked here
    return tmp_path / "decks"


# --- when


def frames(*shown: tuple[float, int]) -> Iterator[Frame]:
    """At so many seconds, something as bright as that in a corner of the table."""
    for number, (at, bright) in enumerate(shown):
        picture = BLANK.copy()
        picture[10:40, 10:40] = bright
        yield Frame(picture, grey_of(picture), round(at * SECOND), number)


def looked_at(*shown: tuple[float, int]) -> list[int]:
    return [frame.number for frame in still_moments(frames(*shown))]


def test_a_table_is_looked_at_once_it_is_still() -> None:
    assert looked_at((0, 90), (0.5, 90), (1, 90), (1.5, 90), (9, 90)) == [2]


def test_what_moves_is_not_looked_at() -> None:
    assert looked_at(*((at / 2, 90 + 40 * (at % 2)) for at in range(20))) == []


def test_a_table_is_looked_at_again_when_something_has_moved() -> None:
    assert looked_at((0, 90), (1, 90), (2, 200), (2.9, 200), (3, 200), (4, 200)) == [1, 4]


def test_noise_is_no_movement() -> None:
    assert looked_at((0, 90), (0.4, 92), (0.8, 89), (1.2, 91)) == [3]


# --- what


class Pictures:
    """A source that shows each picture until it is looked at, and then ends or fails."""

    size = (160, 90)

    def __init__(self, pictures: Sequence[Picture], ends: BaseException | None = None) -> None:
        self._pictures, self._ends = pictures, ends

    def frames(self) -> Iterator[Frame]:
        for number, picture in enumerate(self._pictures):
            grey = grey_of(picture)
            yield Frame(picture, grey, 2 * number * CALM, 2 * number)
            yield Frame(picture, grey, (2 * number + 1) * CALM, 2 * number + 1)
        if self._ends:
            raise self._ends

    def about(self) -> dict[str, Any]:
        return {}

    def close(self) -> None:
        pass


Watched = Callable[..., tuple[int, str]]


@pytest.fixture
def watched(run: Run, monkeypatch: pytest.MonkeyPatch) -> Watched:
    """What `teach` says of tables with these cards, and its exit code."""

    def it(*tables: Sequence[str], game: str = "triple3", ends: BaseException | None = None) -> tuple[int, str]:
        pictures = [seen(cards, np.random.default_rng(at)).picture for at, cards in enumerate(tables)]
        source = Pictures(pictures, ends)
        monkeypatch.setattr(deck_teaching, "shown", lambda name: Showing(name, source, is_live=True))
        code, told, said = run("teach", "mine", "--game", game, "camera")
        return code, told + said

    return it


def test_what_was_taught_is_kept_and_gone_on_with(watched: Watched, decks: Path) -> None:
    code, told = watched(NINE, ends=KeyboardInterrupt())
    assert code == 1
    assert "Broken off; what was taught is kept." in told
    assert {*CARDS} - {*read_deck(decks / "mine.deck").missing} == {*NINE}
    code, told = watched(MORE, ends=SourceError("The camera is gone."))
    assert code == 2
    assert "The camera is gone." in told
    assert {*CARDS} - {*read_deck(decks / "mine.deck").missing} == {*NINE, *MORE}


def test_a_face_that_is_not_shown_anew_stays_as_it_was(run: Run, tmp_path: Path, decks: Path) -> None:
    """Broken off before it was shown: nothing is lost."""
    paths = [tmp_path / "one.png", tmp_path / "two.png"]
    for path, cards in zip(paths, (NINE, MORE), strict=True):
        cv2.imwrite(str(path), seen(cards, np.random.default_rng(1)).picture)
    run("teach", "mine", "--game", "triple3", paths[0])
    code, told, _ = run("teach", "mine", "--game", "triple3", paths[1], "--redo", NINE[0])
    assert code == 1
    assert "17 of 64 faces" in told
    assert {*CARDS} - {*read_deck(decks / "mine.deck").missing} == {*NINE, *MORE}


def test_cards_in_order_are_named_when_all_lie_there(watched: Watched, decks: Path) -> None:
    """Three! has eight; whoever lays the fifth before the first does not name it wrongly."""
    code, told = watched((EMPTY, *NINE[1:6], EMPTY, EMPTY, EMPTY), (*NINE[:8], EMPTY), game="three")
    assert code == 0
    assert "5 of 8 cards lie there" in told
    assert told.count("faces are known.") == 1
    assert "Look 2: 8 of 8 faces are known." in told
    assert read_deck(decks / "mine.deck").missing == ()


def test_a_table_that_cannot_be_found_is_told_once(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, decks: Path
) -> None:
    shown = [BLANK, BLANK // 3, BLANK]
    monkeypatch.setattr("tests.commands.test_live_teaching.seen", lambda *_: type("Seen", (), {"picture": shown.pop()}))
    code, told = watched((), (), ())
    assert code == 2
    assert told.count("Look ") == 1
    assert "No face was seen that could be taught." in told
    assert not decks.exists()


# --- the simulated table


SEATS: tuple[Seat, ...] = ("right", "bottom", "left", "top")


def test_a_simulated_table(run: Run, tmp_path: Path, decks: Path) -> None:
    """Nine cards lie, nine others are laid on them by arms."""
    begin = tuple((Lying(card),) for card in NINE)
    arms = [reach(SEATS[at % 4], (8 + at) * SECOND // 4, at + 1, "lay", card) for at, card in enumerate(MORE)]
    script = Script(11, 6 * SECOND, begin, tuple(arms), size=(640, 360), rate=5.0)
    path = tmp_path / "table.json"
    path.write_text(json.dumps(script_plain(script)), encoding="utf-8")
    code, told, said = run("teach", "mine", "--game", "triple3", path)
    assert (code, said) == (1, "")
    assert "Look 1: 9 of 64 faces are known." in told
    assert "18 of 64 faces of Triple³ are known." in told
    assert {*CARDS} - {*read_deck(decks / "mine.deck").missing} == {*NINE, *MORE}


def test_a_folder_of_pictures_is_each_of_them(run: Run, tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "blank.png"), BLANK)
    code, _, said = run("teach", "mine", "--game", "triple3", tmp_path)
    assert code == 2
    assert "blank.png" in said
