"""A deck is taught beside the screen: what is known after each look, what is in doubt, and what fails."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from companion.core.sentence import Sentence
from companion.devices.camera import RoomCamera
from companion.teaching.still_moments import CALM
from companion.teaching.teaching_desk import TeachingDesk
from companion.teaching.teaching_sight import TeachingSight
from tests.teaching.decks import a_deck
from tests.vision.laid import EMPTY, seen
from vision.deck import CARDS
from vision.deck_file import read_deck
from vision.frames import Frame, Picture
from vision.grey import grey_of
from vision.naming import Named

NINE, MORE = CARDS[0:63:7], CARDS[3:63:7]
BLANK: Picture = np.full((360, 640, 3), 90, np.uint8)


class Before:
    """Stands for the camera: frames are shown to whoever it is lent to."""

    def __init__(self) -> None:
        self.onlooker: Callable[[Frame], None] | None = None
        self.stamp = self.number = 0

    def lend(self, onlooker: Callable[[Frame], None] | None) -> None:
        self.onlooker = onlooker

    def shows(self, picture: Picture) -> None:
        for _ in range(2):  # with a second of calm between them
            assert self.onlooker
            self.onlooker(Frame(picture, grey_of(picture), self.stamp, self.number))
            self.stamp, self.number = self.stamp + CALM, self.number + 1


class Desk(TeachingDesk):
    """With a table before it, and nobody who does anything meanwhile."""

    def __init__(self) -> None:
        self.woken = 0
        super().__init__(self._woken)
        self.before, self._about = Before(), ("", "")

    def _woken(self) -> None:
        self.woken += 1

    def teaches(self, name: str, game: str) -> TeachingSight:
        self._about = name, game
        return self.now()

    def now(self) -> TeachingSight:
        self.follow(self._about, cast(RoomCamera, self.before))
        self.wait()
        self.follow(self._about, cast(RoomCamera, self.before))
        assert self.sight
        return self.sight

    def looks_at(self, cards: Sequence[str], seed: int = 1) -> TeachingSight:
        self.before.shows(seen(cards, np.random.default_rng(seed)).picture)
        return self.now()


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_DECKS", str(tmp_path / "decks"))
    monkeypatch.setattr("vision.teaching.WARPS", 1)
    return tmp_path / "decks"


@pytest.fixture
def desk() -> Iterator[Desk]:
    found = Desk()
    yield found
    found.follow(None, None)


def known(sight: TeachingSight) -> set[str]:
    return {one.face for one in sight.known}


def test_cards_that_name_themselves(desk: Desk, kept: Path) -> None:
    begun = desk.teaches("mine", "triple3")
    assert (begun.state, begun.count, len(begun.missing), begun.following) == ("ready", 0, 64, ())
    sight = desk.looks_at(NINE)
    assert known(sight) == {*NINE}
    assert (sight.looks, sight.troubles, sight.note) == (1, 0, "")
    assert [one.now for one in sight.places] == ["known"] * 9
    assert desk.woken == 2
    assert {*read_deck(kept / "mine.deck").missing} == {*CARDS} - {*NINE}
    again = desk.looks_at(NINE, 2)
    assert (again.looks, again.note) == (1, "Nothing new lies there.")


def test_a_table_that_is_not_found_is_told_and_nothing_is_lost(desk: Desk) -> None:
    desk.teaches("mine", "triple3")
    desk.looks_at(NINE)
    desk.before.shows(BLANK)
    sight = desk.now()
    assert isinstance(sight.note, Sentence)
    assert "table" in sight.note
    assert (sight.looks, sight.troubles, sight.count) == (1, 1, 9)


def test_faces_in_an_order_are_asked_for_and_one_is_shown_anew(desk: Desk) -> None:
    begun = desk.teaches("dogs", "three")
    assert len(begun.following) == 8
    sight = desk.looks_at((*NINE[:5], *(EMPTY,) * 4))
    assert sight.note == "5 of 8 cards lie there; the others are still to be laid."
    sight = desk.looks_at((*NINE[:8], EMPTY), 2)
    assert sight.is_complete
    assert sight.following == ()
    before = next(one for one in sight.known if one.face == "Sky")
    desk.show_anew(("Sky",))
    sight = desk.now()
    assert (sight.missing, sight.following) == (("Sky",), ("Sky",))
    sight = desk.looks_at((NINE[0], MORE[3], *NINE[2:8], EMPTY), 2)
    assert sight.is_complete
    assert next(one for one in sight.known if one.face == "Sky").still.rgb != before.still.rgb


def test_what_is_in_doubt_is_decided_in_one_touch(desk: Desk, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsure(cells: Sequence[Any], *_: Any) -> list[Named]:
        return [Named(card, CARDS[1] if card == NINE[0] else "") for card in NINE[9 - len(cells) :]]

    monkeypatch.setattr("companion.teaching.teacher.named", unsure)
    desk.teaches("mine", "triple3")
    sight = desk.looks_at(NINE)
    [doubt] = sight.doubts
    assert (doubt.one, doubt.other) == (NINE[0], CARDS[1])
    assert (sight.note, sight.troubles) == ("", 0), "what is shown later settles most doubts"
    assert sight.places[0].now == "doubt"
    assert known(sight) == {*NINE[1:]}
    desk.decide(doubt.number, "back")
    assert desk.now().doubts, "that was no choice"
    desk.decide(doubt.number, CARDS[1])
    sight = desk.now()
    assert sight.doubts == ()
    assert known(sight) == {*NINE[1:], CARDS[1]}
    assert CARDS[1] not in read_deck(kept / "mine.deck").missing


def test_what_is_neither_is_left_out(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "companion.teaching.teacher.named",
        lambda cells, *_: [Named(card, CARDS[1] if card == NINE[0] else "") for card in NINE[9 - len(cells) :]],
    )
    desk.teaches("mine", "triple3")
    [doubt] = desk.looks_at(NINE).doubts
    desk.decide(doubt.number, "")
    sight = desk.now()
    assert sight.doubts == ()
    assert known(sight) == {*NINE[1:]}


def test_faces_that_look_alike_are_shown_with_what_differs(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.teaching.teacher.too_alike", lambda _: [(NINE[0], NINE[1])])
    desk.teaches("mine", "triple3")
    [pair] = desk.looks_at(NINE).alike
    assert {pair.one.face, pair.other.face} == {*NINE[:2]}
    desk.show_anew(NINE[:2])
    assert desk.now().alike == ()


@pytest.mark.parametrize(
    ("harm", "said"),
    [
        ("cut", "cut short or damaged"),
        ("other game", "is a deck of three, not of triple3"),
        ("full", "cannot be written"),
    ],
)
def test_what_fails_is_one_sentence(desk: Desk, kept: Path, harm: str, said: str) -> None:
    match harm:
        case "cut":
            kept.mkdir()
            (kept / "mine.deck").write_bytes(b"PK")
        case "other game":
            a_deck(kept, "mine", "three")
        case _:
            kept.write_text("a file where the folder should be", encoding="utf-8")
    sight = desk.teaches("mine", "triple3")
    if harm == "full":
        sight = desk.looks_at(NINE)
    assert sight.state == "failed"
    assert said in sight.why


def test_whatever_goes_wrong_inside_the_table_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.teaches("mine", "triple3")

    def breaks(*_: Any) -> None:
        raise RuntimeError("no reason")

    monkeypatch.setattr("companion.teaching.teacher.named", breaks)
    sight = desk.looks_at(NINE)
    assert sight.why == "Teaching has failed (RuntimeError: no reason). What was taught is kept."
