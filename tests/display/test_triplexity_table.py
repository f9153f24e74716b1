"""Triplexity at the display: a match to points, pieces that may not go back, a round that nobody can go on with."""

from dataclasses import replace
from typing import Any

from companion.display.scene import Back, ChangeTo, Go, Intent, Mark, Say, Start, Text
from companion.display.screens import scene
from companion.games.triplexity.rules import House, Put, Shift
from companion.words import Words
from tests.display.table import Guests
from tools.gallery.scenes import shots

SHORT = {"l": "left", "c": "centre", "r": "right"}


def set_up(**house: Any) -> Guests:
    """House rules by touches, as far as they are choices; numbers go up step by step."""
    guests = Guests()
    guests.do(Go("players", "triplexity"))
    guests.do(Go("house"))
    for name, value in house.items():
        touched(guests, name, value)
    guests.do(Back())
    guests.do(Start())
    return guests


def touched(guests: Guests, name: str, value: Any) -> None:
    while getattr(guests.app.view.draft.house, name) != value:
        turn_to(guests, name)
        if isinstance(value, str):
            guests.do(Go("house", name))
            guests.do(lambda intent: house_of(intent, name) == value)
        else:
            now = getattr(guests.app.view.draft.house, name)
            guests.do(lambda intent, now=now: (house_of(intent, name) or 0) > now)  # type: ignore[misc]


def house_of(intent: Intent, name: str) -> Any:
    return getattr(intent.to.house, name) if isinstance(intent, ChangeTo) and intent.to.house else None


def turn_to(guests: Guests, name: str) -> None:
    def there(intent: Intent) -> bool:
        now = getattr(guests.app.view.draft.house, name)
        return intent == Go("house", name) or house_of(intent, name) not in (None, now, getattr(House(), name))

    while not any(there(intent) for intent in guests.intents):
        guests.do(Mark("page", 1))


def put(guests: Guests, places: str) -> None:
    for letter in places:
        if not guests.app.view.match.state.turn:
            guests.do(lambda intent: isinstance(intent, Mark) and intent.key == "who")
        guests.do(lambda intent, at=letter: is_put(intent, SHORT[at]))  # type: ignore[misc]


def is_put(intent: Intent, place: str) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, Put) and intent.message.place == place


def shift(guests: Guests, source: str, target: str) -> None:
    guests.do(Mark("source", SHORT[source]))
    ways = [i.message for i in guests.intents if isinstance(i, Say) and isinstance(i.message, Shift)]
    guests.do(Say(next(way for way in ways if way.target == SHORT[target])))


def texts(guests: Guests) -> str:
    return " | ".join(item.text for item in guests.app.scene.items if isinstance(item, Text))


def test_a_match_to_points_goes_on_after_the_first_round() -> None:
    guests = set_up(points=10)
    assert "First to 10 points" in texts(guests)
    put(guests, "lclrl")
    assert guests.screen == "table"
    state = guests.app.view.match.state
    assert (state.outcome, state.rounds_played, sum(state.points)) == (None, 1, 1)


def test_with_points_agreed_no_number_of_rounds_can_be_chosen() -> None:
    guests = Guests()
    guests.do(Go("players", "triplexity"))
    guests.do(Go("house"))
    assert any(house_of(intent, "rounds") == 2 for intent in guests.intents)
    touched(guests, "points", 5)
    assert all(house_of(intent, "rounds") in (None, 1) for intent in guests.intents)
    assert "any number" in texts(guests)
    assert not any(house_of(intent, "rounds_too") for intent in guests.intents)


def test_pieces_that_may_not_go_back_say_so() -> None:
    guests = set_up(no_return="each")
    put(guests, "lcrrcl")
    shift(guests, "r", "l")
    shift(guests, "c", "r")
    assert texts(guests).count("Not back") == 2
    guests.do(Mark("source", "left"))
    guests.do(lambda intent: isinstance(intent, Say) and getattr(intent.message, "target", "") == "right")
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "moved-back"
    assert "it came from there" in guests.app.view.notice.sentence


def test_a_round_that_nobody_can_go_on_with_is_drawn_and_said() -> None:
    guests = set_up(rounds=2, no_return="each")
    put(guests, "lcrrlc")
    shift(guests, "l", "r")
    shift(guests, "l", "c")
    state = guests.app.view.match.state
    assert (state.phase, state.rounds_played, state.points) == ("place", 1, (0, 0))
    assert any("passes" in sentence for sentence in guests.app.view.match.ruling.sentences)


def test_no_mistake_is_looked_for_where_nobody_lost() -> None:
    [view] = [shot.view for shot in shots((800, 480), Words()) if shot.name == "result-triplexity"]
    mistake = Mark("mistake", value=True)
    assert mistake in [item.intent for item in scene(view).targets()]
    left = replace(view, seen=replace(view.match, abandoned="Ended early."))
    assert mistake not in [item.intent for item in scene(left).targets()]
