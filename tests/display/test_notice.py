"""A notice takes the lines that its words need, for whomever it is, and leaves the rest of the screen alone."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.display import lettering
from companion.display.gallery import SIZES, shots
from companion.display.layout import Size, measure
from companion.display.scene import Dismiss, Panel, Text
from companion.display.screens import scene
from companion.display.view import Notice, View
from companion.words import LANGUAGES, Words, labels

PORTRAIT: Size = (720, 1280)
SHORT = "It is not your turn."
OUT_OF_STEP = "Stop until I see the table again; I then read all nine cells and go on."
LONG = (
    ("Anna says 3 of Ember, but the referee has seen 1 on that pile, with 0 cards unseen: look again, or insist.",),
    ("The camera hands over the same picture again and again: unplug it and plug it in again.", OUT_OF_STEP),
    ("The camera's frames come in the wrong order, or its clock repeats: I leave those out.", OUT_OF_STEP),
)


def around(size: Size, words: Words) -> View:
    [found] = [shot.view for shot in shots(size, words) if shot.name == "three-around"]
    return found


def notices(size: Size, language: str, *sentences: str) -> Iterator[tuple[Panel, Text]]:
    """On a table where they sit around the screen: for everybody, and for each of the four."""
    words = Words(language)
    view = around(size, words)
    said = " ".join(map(words.heard, sentences))
    assert language == "en" or said != " ".join(sentences)
    for player in ("", *view.match.setup.names):
        over = scene(replace(view, notice=Notice("foul", said, player))).over
        [panel] = [item for item in over if isinstance(item, Panel) and item.intent == Dismiss()]
        [text] = [item for item in over if isinstance(item, Text)]
        yield panel, text


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_long_sentences_are_whole_and_legible(size: Size, language: str) -> None:
    for sentences in LONG:
        for panel, text in notices(size, language, *sentences):
            room = text.box.size if text.turn % 2 == 0 else text.box.size[::-1]
            fit = lettering.fitted(text.text, room, text.size, least=text.least, lines=text.lines)
            assert not fit.is_cut
            assert fit.size >= measure(size).of(3.7)
            deep, high = (panel.box.h, size[1]) if text.turn % 2 == 0 else (panel.box.w, size[0])
            assert deep <= high // 3


def test_a_short_one_is_as_deep_as_the_head_of_the_page() -> None:
    for size in SIZES:
        m = measure(size)
        for panel, _ in notices(size, "en", SHORT):
            assert m.touch <= min(panel.box.size) <= m.touch + 2 * m.edge


def test_one_without_end_takes_a_third_and_is_cut() -> None:
    for panel, text in notices(PORTRAIT, "en", *(9 * LONG[1])):
        assert panel.box.holds(text.box)
        assert panel.box.w <= PORTRAIT[0] // 3 or panel.box.h <= PORTRAIT[1] // 3


def test_what_a_foul_can_be_answered_with_stays_in_sight() -> None:
    """The way to insist is on the screen on which the notice asks for it."""
    for size in SIZES:
        for language in LANGUAGES:
            words = Words(language)
            [view] = [shot.view for shot in shots(size, words) if shot.name == "three-insist-long"]
            named = [getattr(item, "label", "") for item in scene(view).targets()]
            assert any(words.say(labels.INSIST) in label for label in named)
