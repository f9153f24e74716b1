"""A notice takes the lines that its words need, for whomever it is, and leaves the rest of the screen alone."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.core.clocks import SECOND
from companion.core.match import Player
from companion.core.requests import Abandon, Undo
from companion.display.layout import Size, measure
from companion.display.notices import LETTER
from companion.display.painter import text_fit
from companion.display.scene import ChangeTo, Dismiss, Go, Intent, PanelItem, Say, Start, Text
from companion.display.screens import scene
from companion.display.screens.elements import upright
from companion.display.view import Draft, Notice, View
from companion.games.three import words as three
from companion.games.triplexity import rules as triplexity
from companion.words import LANGUAGES, Words
from tests.display.table import Guests
from tools.gallery.played_matches import COUNT_DIFFERS
from tools.gallery.scenes import SIZES, shots

BEGAN = 1_000 * SECOND
PORTRAIT: Size = (720, 1280)
SHORT = "It is not your turn."
OUT_OF_STEP = "Stop until I see the table again; I then read all nine cells and go on."
LONG = (
    (COUNT_DIFFERS,),
    ("The camera hands over the same picture again and again: unplug it and plug it in again.", OUT_OF_STEP),
    ("The camera's frames come in the wrong order, or its clock repeats: I leave those out.", OUT_OF_STEP),
)


def around(size: Size, words: Words) -> View:
    [found] = [shot.view for shot in shots(size, words) if shot.name == "three-around"]
    return found


def notices(size: Size, language: str, *sentences: str) -> Iterator[tuple[PanelItem, Text]]:
    """On a table where they sit around the screen: for everybody, and for each of the four."""
    words = Words(language)
    view = around(size, words)
    said = " ".join(map(words.heard, sentences))
    assert language == "en" or said != " ".join(sentences)
    for player in ("", *view.match.setup.names):
        over = scene(replace(view, notice=Notice("foul", said, player))).over
        [panel] = [item for item in over if isinstance(item, PanelItem) and item.intent == Dismiss()]
        [text] = [item for item in over if isinstance(item, Text)]
        yield panel, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_long_sentences_are_whole_and_legible(size: Size, language: str) -> None:
    for sentences in LONG:
        for panel, text in notices(size, language, *sentences):
            fit = text_fit(text, upright(text.box, text.turn))
            assert not fit.is_cut
            assert fit.size >= measure(size).of(3.7)
            deep, high = (panel.box.h, size[1]) if text.turn % 2 == 0 else (panel.box.w, size[0])
            assert deep <= high // 3


def test_a_short_one_is_no_deeper_than_the_head_of_the_page() -> None:
    for size in SIZES:
        m = measure(size)
        for panel, _ in notices(size, "en", SHORT):
            assert m.small < min(panel.box.size) <= m.touch + m.edge + m.gap


def test_one_without_end_takes_a_third_and_is_cut() -> None:
    for panel, text in notices(PORTRAIT, "en", *(9 * LONG[1])):
        assert panel.box.holds(text.box)
        assert panel.box.w <= PORTRAIT[0] // 3 or panel.box.h <= PORTRAIT[1] // 3


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_it_covers_nothing_that_can_be_touched(size: Size) -> None:
    """On every screen, whatever is said and to whom: each button does what it would do without it."""
    for shot in shots(size, Words()):
        bare = scene(replace(shot.view, notice=None))
        for said in (SHORT, LONG[0][0], " ".join(LONG[1])):
            told = scene(replace(shot.view, notice=Notice("foul", said)))
            for item in bare.targets():
                found = told.touched(*item.box.centre)
                assert found is not None, (shot.name, item)
                assert type(found.intent) is type(item.intent), (shot.name, item)


def test_it_fades_and_goes_by_itself() -> None:
    guests = fouled()
    stamps = []
    while (said := guests.app.view.notice) is not None:
        wakes = guests.app.wakes_at(guests.hour.now)
        assert wakes is not None
        stamps.append((said.is_fading, wakes))
        guests.hour.now = wakes
        guests.app.attend(guests.hour.now)
    assert [fading for fading, _ in stamps] == [False, True]
    assert stamps[-1][1] - BEGAN > len("Anna cannot place a piece now: it is Ben's turn.") * LETTER


def test_a_touch_does_what_it_does_while_something_is_said() -> None:
    guests = fouled()
    guests.do(Say(Undo()))
    assert not guests.app.view.match.line
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.kind == "notice", "the newest one"
    guests.do(Go("menu"))
    assert guests.screen == "menu"
    guests.hands.key("escape", "", guests.hour.now)
    assert guests.screen == "table"


def test_it_goes_soon_when_its_cause_is_over() -> None:
    guests = fouled()
    wakes = guests.app.wakes_at(guests.hour.now)
    guests.app.take(Say(triplexity.Put("Ben", "left")), guests.hour.now)
    assert guests.app.view.notice is not None, "it can still be read"
    sooner = guests.app.wakes_at(guests.hour.now)
    assert wakes is not None
    assert sooner is not None
    assert sooner < wakes
    guests.wait((wakes - guests.hour.now) / SECOND)
    assert guests.app.view.notice is None


@pytest.mark.parametrize("leaves", [Say(Abandon()), Go("games")], ids=["result", "games"])
def test_a_foul_is_not_said_after_its_match(leaves: Intent) -> None:
    guests = fouled()
    guests.app.take(leaves, guests.hour.now)
    assert guests.app.view.notice is None


def test_a_touch_on_it_puts_it_away() -> None:
    guests = fouled()
    guests.do(Dismiss())
    assert guests.app.view.notice is None
    assert guests.screen == "table"


def fouled() -> Guests:
    """Anna has placed a piece, and wants to place another one."""
    guests = Guests()
    guests.hour.now = BEGAN
    draft = Draft("triplexity", (Player("Anna", "red"), Player("Ben", "blue")), triplexity.House())
    guests.app.take(ChangeTo(draft, Start()), guests.hour.now)
    for place in ("left", "right"):
        guests.app.take(Say(triplexity.Put("Anna", place)), guests.hour.now)
    assert guests.app.view.notice is not None
    return guests


def test_what_a_foul_can_be_answered_with_stays_in_sight() -> None:
    """The way to insist is on the screen on which the notice asks for it."""
    for size in SIZES:
        for language in LANGUAGES:
            words = Words(language)
            [view] = [shot.view for shot in shots(size, words) if shot.name == "three-insist-long"]
            named = [getattr(item, "label", "") for item in scene(view).targets()]
            assert any(words.say(three.INSIST) in label for label in named)
