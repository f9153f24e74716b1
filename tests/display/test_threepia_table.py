"""Threepia's table: a deck of more or fewer cards than the referee has counted, and time trials."""

from dataclasses import replace
from pathlib import Path

import pytest

from companion.core.match import COLOURS, Player
from companion.core.requests import Undo
from companion.display.layout import Size
from companion.display.scene import ChangeTo, Dismiss, Go, Intent, Mark, Say, Start, Text
from companion.display.screens import scene
from companion.display.view import Draft, View
from companion.games.threepia import rules as threepia
from companion.games.threepia.rules import DeckCount, DeckEmpty, Draw, Lay
from companion.words import Words
from tests.display.table import Guests
from tools.gallery.scenes import shots

SIZES = ((800, 480), (720, 1280))


def seated(size: Size = SIZES[0], count: int = 2, journal: Path | None = None, **house: object) -> Guests:
    guests = Guests(size, journal)
    guests.do(Go("players", "threepia"))
    people = tuple(
        Player(name, colour) for name, colour in zip(("Anna", "Ben", "Clara")[:count], COLOURS, strict=False)
    )
    guests.app.take(ChangeTo(Draft("threepia", people, threepia.House(**house)), Start()), guests.hour.now)  # type: ignore[arg-type]
    guests.do(Say(threepia.Deal("")))
    guests.do(Say(threepia.Begin("Anna")))
    return guests


def typed(guests: Guests, number: int) -> None:
    cards = 0
    for digit in str(number):
        cards = 10 * cards + int(digit)
        guests.do(Mark("cards", cards))


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("by_keys", [False, True], ids=["touches", "keys"])
def test_a_deck_that_ended_the_match_too_early_is_counted(size: Size, *, by_keys: bool) -> None:
    guests = seated(size, way="deck", deck=11)
    guests.by_keys = by_keys
    guests.do(Say(Draw("Anna")))
    assert guests.screen == "result"
    guests.do(Say(Undo()))
    guests.do(Dismiss())  # what was taken back
    guests.do(Mark("deck", value=True))
    typed(guests, 17)
    guests.do(Say(DeckCount("Anna", 17)))
    guests.do(Say(Draw("Anna")))
    state = guests.app.view.match.state
    assert (guests.screen, state.turn, state.deck) == ("table", "Ben", 16)
    guests.close()


def test_a_count_can_be_put_right_before_it_ends_the_match() -> None:
    guests = seated(way="time", deck=20)
    guests.do(Mark("deck", value=True))
    typed(guests, 100)
    assert not any(
        isinstance(intent, Mark) and intent.key == "cards" and intent.value > 1000 for intent in guests.intents
    )
    guests.do(Mark("cards", 10))
    assert not any(is_count(intent) for intent in guests.intents), "that many are counted already"
    guests.do(Mark("cards", 1))
    guests.do(Say(DeckCount("Anna", 1)))
    guests.do(Say(Lay("Anna")))
    assert guests.screen == "table"
    guests.do(Say(Draw("Ben")))
    assert guests.app.view.match.state.ending == "The deck is used up: most points win."
    guests.close()


def is_count(intent: Intent) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, DeckCount)


def test_a_deck_that_is_used_up_is_two_touches() -> None:
    guests = seated(way="deck")
    guests.do(Mark("deck", value=True))
    guests.do(Say(DeckEmpty("Anna")))
    assert guests.app.view.match.state.deck == 0
    guests.close()


def shown(view: View) -> list[str]:
    return [item.text for item in scene(view).items if isinstance(item, Text)]


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_alone_nothing_is_played_out_by_drawing(size: Size, tmp_path: Path) -> None:
    guests = seated(size, 1, tmp_path / "journal", way="time-trial", deck=8)
    guests.do(Say(Draw("Anna")))
    assert guests.screen == "table"
    assert "on your word" in shown(guests.app.view)
    guests.do(Say(Draw("Anna")))
    assert guests.screen == "result"
    texts = shown(guests.app.view)
    assert any(text.startswith("Anna has 4 cards left after") for text in texts)
    assert {"Square · 8 cards · on your word", "4 cards left"} <= set(texts)
    guests.close()


def test_a_draw_that_was_not_needed_is_said_with_the_result() -> None:
    guests = seated(count=1, way="time-trial", deck=8)
    for _ in range(2):
        guests.app.take(Say(Undo()), guests.hour.now)
    card, other = "circle-red square-blue square-blue circle-red", " ".join(["cross-green"] * 4)
    moves = (
        threepia.Deal("", field=(card,) * 4, hand=(card, other, other)),
        threepia.Begin("Anna"),
        Draw("Anna", drawn=(other,)),
        Lay("Anna", "A", card),
    )
    for move in moves:
        guests.app.take(Say(move), guests.hour.now)
    assert guests.screen == "result"
    assert "There was no need to draw: this run counts for no best time." in shown(guests.app.view)
    guests.close()


def test_best_times_of_other_fields_and_rules_are_a_touch_away() -> None:
    view = next(shot.view for shot in shots(SIZES[0], Words()) if shot.name == "statistics-many-long")
    assert Mark("course", 1) in [item.intent for item in scene(view).targets()]
    assert any("64 cards · on your word" in text for text in shown(view))
    assert any("cards not turned" in text for text in shown(replace(view, marks={"course": 1})))
