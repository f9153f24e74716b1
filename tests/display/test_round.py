"""How a round ended is shown until somebody goes on: over every round of the matches that are kept."""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from companion.core.match import Player
from companion.display.scene import ChangeTo, Mark, Say, Start, Text
from companion.display.screens import scene
from companion.display.shelf import Opened, ShelvedMatch
from companion.display.view import Draft, Seen, View, seen
from companion.games.triplexity import rules as triplexity
from companion.reports import ending
from companion.words import Words
from tests.display.table import NEXT_ROUND, Guests
from tests.recorded import NAMES, recorded

SIZES = ((800, 480), (480, 800), (1280, 720))
WITH_ROUNDS = [name for name in NAMES if name.startswith(("triple3", "triplexity"))]


def rounds_over(name: str) -> Iterator[Seen]:
    """The match after each of its rounds but the last."""
    whole = seen(recorded(name))
    opened = Opened(ShelvedMatch(name, whole.setup.game, None, "over", whole.setup.names), whole)
    for one in whole.rounds[:-1]:
        yield opened.at(one.move)


def texts(view: View) -> list[str]:
    return [item.text for item in scene(view).all() if isinstance(item, Text)]


@pytest.mark.parametrize("name", WITH_ROUNDS)
@pytest.mark.parametrize("language", ["en", "de", "fr"])
def test_how_a_round_ended_is_said_before_the_next_one(name: str, language: str) -> None:
    words = Words(language)
    for size in SIZES:
        for match in rounds_over(name):
            view = View(size, words, "table", seen=match)
            over = match.round_over
            assert over is not None
            said = texts(view)
            assert ending.round_headline(words, over) in said
            assert words.why(over.ended) in said
            for player, added in zip(match.setup.names, over.added, strict=True):
                assert player in said
                assert (f"+{added}" in said) or not added


@pytest.mark.parametrize("name", WITH_ROUNDS)
def test_one_touch_leads_to_the_next_round_and_no_clock_runs_until_then(name: str) -> None:
    for match in rounds_over(name):
        view = View(SIZES[0], screen="table", seen=match)
        (button,) = [item for item in scene(view).targets() if item.intent == NEXT_ROUND]
        assert isinstance(button.intent, Mark)
        gone_on = replace(view, marks={button.intent.key: button.intent.value})
        assert not gone_on.shows_round
        assert texts(gone_on) != texts(view)
        assert match.state.deadline is None
        assert not getattr(match.state, "clock", None) or not match.state.clock.is_running


def test_the_board_of_a_round_that_was_won_is_shown_and_lit() -> None:
    """The state has the next round's by then, on which nothing lies."""
    (match,) = rounds_over("triplexity-points-alone")
    assert match.state.stacks == ((), (), ())
    with_board = scene(View(SIZES[0], screen="table", seen=match)).items
    assert sum(getattr(item, "edge", "") == "main" for item in with_board) == 3


def test_a_foul_does_not_end_what_is_said_of_a_round() -> None:
    guests = Guests()
    players = (Player("Anna", "red"), Player("Ben", "blue"))
    guests.app.take(ChangeTo(Draft("triplexity", players, triplexity.House(rounds=2)), Start()), guests.hour.now)
    for player, place in (("Anna", "left"), ("Ben", "right"), ("Anna", "left"), ("Ben", "right"), ("Anna", "left")):
        guests.app.take(Say(triplexity.Put(player, place)), guests.hour.now)
    assert guests.app.view.shows_round
    guests.app.take(Say(triplexity.Shift("Ben", "left", "right")), guests.hour.now)
    assert guests.app.view.notice is not None
    assert guests.app.view.refused == "place-first"
    assert guests.app.view.shows_round
