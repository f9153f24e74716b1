"""The picture of the cards: what is in it lies open and is seen, and it is small."""

import base64
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

import cv2
import numpy as np
import pytest

from companion.core.codec import parsed
from companion.core.match import Match
from companion.games import game
from companion.publishing.publisher import Publisher
from companion.publishing.thumbnail import GAP, LARGEST, SIDE, SeenCards, seen_cards, thumbnail
from companion.publishing.wish import Publish
from tests.publishing.kept_matches import entries_of
from vision.deck import CARDS
from vision.sightings import CellNow, Look

STEPS = (20, 90, 160, 230)
COLOURS = {card: (STEPS[at // 16], STEPS[at // 4 % 4], STEPS[at % 4]) for at, card in enumerate(CARDS)}
NAMES = {colour: card for card, colour in COLOURS.items()}


def square(card: str) -> Any:
    """A card of one colour that no other has."""
    return np.full((96, 96, 3), COLOURS[card], np.uint8)


def look(card: str, stamp: int = 10, shows: str = "") -> Look:
    """That of a card; the picture may show another one."""
    return Look(stamp, 1, card, "card", 0.99, square(shows or card), shows_card=not shows)


@dataclass
class FakeEye:
    looks: list[Look | None] = field(default_factory=lambda: [None] * 9)
    cells: list[CellNow] = field(default_factory=lambda: [CellNow("clear", 10)] * 9)


def cards_in(content: bytes) -> dict[int, str]:
    """What is to be seen in a picture, by its pixels alone."""
    picture = cv2.imdecode(np.frombuffer(base64.b64decode(parsed(content)["jpeg"]), np.uint8), cv2.IMREAD_COLOR)
    found = {}
    for cell in range(9):
        row, column = divmod(cell, 3)
        y, x = row * (SIDE + GAP) + SIDE // 2, column * (SIDE + GAP) + SIDE // 2
        seen = picture[y - 8 : y + 8, x - 8 : x + 8].reshape(-1, 3).mean(0)
        if np.abs(seen - 128).max() > 12:
            found[cell + 1] = NAMES[tuple(min(STEPS, key=lambda step: abs(step - one)) for one in seen)]  # type: ignore[index]
    return found


def matches() -> Iterator[Match]:
    """One of Triple³ at every moment of it."""
    setup, entries = entries_of(game("triple3"), 2, game("triple3").house(cards="seen"))
    match = Match(setup)
    for entry in entries:
        match.take(entry)
        yield match


def tops(match: Match) -> dict[int, str]:
    return {int(one.place.of): one.cards[0] for one in match.game.face_up(match.state) if one.cards}


def lie(match: Match, number: int) -> str:
    """A card that lies covered on that cell, or else any other one."""
    covered = [one.cards for one in match.game.hidden(match.state) if one.place.of == str(number)]
    return covered[0][-1] if covered and covered[0] else next(card for card in CARDS if card != tops(match)[number])


def test_what_players_may_not_look_up_is_in_no_picture() -> None:
    """Whatever the camera has of a cell: an older card, one that was made out by reason, one under a hand."""
    pictures = covered = 0
    for match in matches():
        hidden = {card for one in match.game.hidden(match.state) for card in one.cards} if match.is_running else set()
        eye = FakeEye()
        for number, card in tops(match).items():
            below = lie(match, number)
            covered += below in hidden
            eye.looks[number - 1], eye.cells[number - 1] = {
                0: (look(card), CellNow("clear", 10)),
                1: (look(below), CellNow("clear", 10)),
                2: (look(card, shows=below), CellNow("clear", 10)),
                3: (look(card), CellNow("covered", 5)),
                4: (look(card, 9), CellNow("clear", 10)),
            }[(number + match.entries) % 5]
        content = thumbnail(seen_cards(match, eye), "t", "")
        if not content:
            continue
        pictures += 1
        seen = cards_in(content)
        assert seen.items() <= tops(match).items()
        assert not hidden & set(seen.values())
        assert {int(one["cell"]): one["card"] for one in parsed(content)["cards"]} == seen
        assert all((number + match.entries) % 5 == 0 for number in seen)
    assert pictures > 10
    assert covered > 10, "nothing was covered"


@pytest.mark.parametrize("name", ["three", "tres", "triplexity", "threepia"])
def test_of_other_games_there_is_none(name: str) -> None:
    setup, entries = entries_of(game(name))
    match = Match(setup)
    for entry in entries:
        match.take(entry)
        assert thumbnail(seen_cards(match, FakeEye()), "t", "") == b""


def noisy(number: int) -> Any:
    return np.random.default_rng(number).integers(0, 256, (96, 96, 3), np.uint8)


def test_it_is_small_whatever_the_cards_look_like() -> None:
    seen = SeenCards("m", 9, tuple((cell, CARDS[cell], square(CARDS[cell])) for cell in range(1, 10)))
    assert 0 < len(thumbnail(seen, "t", "")) <= LARGEST
    worst = replace(seen, squares=tuple((cell, card, noisy(cell)) for cell, card, _ in seen.squares))
    assert len(thumbnail(worst, "t", "")) <= LARGEST
    assert thumbnail(replace(seen, squares=()), "t", "") == b""


def publisher(said: list[str], *, thumbnails: bool = True) -> Publisher:
    wish = Publish(on=True, host="127.0.0.1", port=1, tls=False, name="t", thumbnails=thumbnails)
    return Publisher(wish, said.append, today=lambda: "")


def out(one: Publisher) -> list[bytes]:
    """What has gone to the topic of the picture since this was asked last."""
    return [kept[1] for kept in iter(one.outbox.next_kept, None) if kept[0] == "companion/t/thumbnail"]


def eye_of(match: Match) -> FakeEye:
    eye = FakeEye()
    for number, card in tops(match).items():
        eye.looks[number - 1] = look(card)
    return eye


def test_a_picture_goes_out_when_other_cards_lie_there_and_goes_with_its_match() -> None:
    match = next(match for match in matches() if len(tops(match)) == 9)
    said: list[str] = []
    one = publisher(said)
    assert out(one) == [b""], "what a table that died has left there is taken away"
    one.show(match, eye_of(match))
    (content,) = out(one)
    assert cards_in(content) == tops(match)
    one.show(match, eye_of(match))
    assert out(one) == [], "nothing else lies there"
    one.forget_pictures()
    assert out(one) == [b""]
    one.show(match, eye_of(match))
    assert len(out(one)) == 1
    one.show(None, None)
    assert out(one) == [b""]
    assert said == []


def test_nobody_who_has_not_asked_for_pictures_gets_any() -> None:
    match = next(match for match in matches() if len(tops(match)) == 9)
    one = publisher([], thumbnails=False)
    one.show(match, eye_of(match))
    one.forget_pictures()
    assert out(one) == []


def test_a_picture_that_cannot_be_made_is_said_once_and_stops_nothing() -> None:
    match = next(match for match in matches() if len(tops(match)) == 9)
    said: list[str] = []
    one = publisher(said)
    eye = eye_of(match)
    eye.looks[0] = replace(look(tops(match)[1]), square=np.zeros((0, 0, 3), np.uint8))
    one.show(match, eye)
    assert out(one)[-1] == b""
    one.show(match, FakeEye([look(tops(match)[1])], []))
    assert len(said) == 1
    assert said[0].startswith("The cards could not be shown on phones: ")
