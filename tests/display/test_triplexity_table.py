"""Triplexity at the display: a match to points."""

from typing import Any

from companion.display.scene import Back, Change, Go, Intent, Mark, Say, Start, Text
from companion.games.triplexity import House, Put
from tests.display.table import Guests

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
    return getattr(intent.to.house, name) if isinstance(intent, Change) and intent.to.house else None


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
