"""The way from the first screen to a match: names are asked for, nothing begins or ends by a touch too many."""

from pathlib import Path

import pytest

from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.requests import Abandon
from companion.core.rules import Move
from companion.display.layout import Size
from companion.display.scene import Back, Button, Go, GoOn, Intent, Leave, Mark, Say, Start
from companion.display.touches import STAYS
from companion.games.triplexity import rules as triplexity
from companion.journal import Journal
from tests.display.table import Guests

SIZES: tuple[Size, ...] = ((800, 480), (720, 1280))


def types(guests: Guests, text: str) -> None:
    for letter in text:
        guests.hands.key(letter, letter, guests.hour.now)


def press(guests: Guests, key: str) -> None:
    guests.wait(0.5)
    guests.hands.key(key, "\r" if key == "return" else "", guests.hour.now)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_whoever_comes_is_asked_for_a_name_and_return_begins_nothing(size: Size) -> None:
    guests = Guests(size)
    guests.do(Go("players", "tres"))
    for seat, name in enumerate(("Anna", "Ben")):
        guests.do(Go("name", str(seat)))
        types(guests, name)
        press(guests, "return")
    guests.hands.key("+", "+", guests.hour.now)
    assert guests.screen == "name"
    types(guests, "Clara")
    press(guests, "return")
    assert guests.screen == "players"
    assert guests.app.match is None
    assert guests.app.view.draft.names == ("Anna", "Ben", "Clara")


def test_somebody_new_without_a_name_has_the_number_of_the_seat() -> None:
    guests = Guests()
    guests.do(Go("players", "tres"))
    for seat, name in enumerate(("Anna", "Ben")):
        guests.do(Go("name", str(seat)))
        types(guests, name)
        press(guests, "return")
    guests.hands.key("+", "+", guests.hour.now)
    press(guests, "return")
    assert guests.app.view.draft.names == ("Anna", "Ben", "Player 3")


def test_nobody_is_added_who_was_not_meant() -> None:
    guests = Guests()
    guests.do(Go("players", "tres"))
    guests.do(Go("name", "2"))
    guests.do(Back())
    assert guests.app.view.draft.names == ("Player 1", "Player 2")


def test_who_has_played_here_is_one_touch_away(tmp_path: Path) -> None:
    file = tmp_path / "journal"
    guests = Guests((800, 480), file)
    sit_down(guests, "tres", "Anna", "Ben", "Clara")
    guests.app.close(guests.hour.now)
    guests.close()
    again = Guests((800, 480), file)
    again.do(Go("players", "triplexity"))
    again.do(Go("name", "0"))
    again.do(lambda intent: "Clara" in str(intent) and intent != Back())
    assert again.app.view.draft.names == ("Clara", "Ben")
    again.close()


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_everybody_who_has_played_here_is_found_again(size: Size, tmp_path: Path) -> None:
    """More people than there is room for on one screen."""
    names = [f"Guest of {letter}" for letter in "ABCDEFGHIJKLMNOP"]
    with Journal.open(tmp_path / "journal") as journal:
        for pair in zip(names[::2], names[1::2], strict=True):
            Referee.begin(set_up(triplexity.GAME, pair, triplexity.House()), 0, journal)
    guests = Guests(size, tmp_path / "journal")
    guests.do(Go("players", "tres"))
    guests.do(Go("name", "2"))
    found: set[str] = set()
    while True:
        found |= {item.label for item in guests.app.scene.items if isinstance(item, Button) and item.label in names}
        guests.do(lambda intent: isinstance(intent, Mark) and intent.key == "known")
        if "known" not in guests.app.view.marks:
            break
    assert found == set(names) - set(guests.app.view.draft.names)
    guests.close()


def sit_down(guests: Guests, game: str, *names: str) -> None:
    guests.do(Go("players", game))
    for seat, name in enumerate(names):
        guests.do(Go("name", str(seat)))
        while guests.app.scene.writes:
            guests.hands.key("backspace", "", guests.hour.now)
        types(guests, name)
        press(guests, "return")
    guests.do(Start())


# --- what is not over ------------------------------------------------------------------------------------------


def test_matches_that_are_not_over_are_all_found_again(tmp_path: Path) -> None:
    """Three that were begun, then one that was ended: the newest in one touch, the others in two."""
    guests = Guests((800, 480), tmp_path / "journal")
    codes = []
    for game in ("three", "threepia", "triple3"):
        sit_down(guests, game, "Anna", "Ben")
        assert guests.app.match is not None
        codes.append(guests.app.match.setup.id)
        move(guests)
        guests.do(Go("menu"))
        guests.do(Go("games"))
    sit_down(guests, "tres", "Anna", "Ben")
    guests.app._conversation.send(Abandon(), guests.hour.now, guests.hour.now)
    guests.app.take(Go("games"), guests.hour.now)
    guests.do(GoOn(codes[-1]))
    for code in codes[:2]:
        guests.do(Go("menu"))
        guests.do(Go("games"))
        guests.do(lambda intent: isinstance(intent, Go) and intent.screen == "history" and bool(intent.about))
        guests.do(GoOn(code))
        assert guests.app.match is not None
        assert (guests.screen, guests.app.match.setup.id) == ("table", code)
    guests.close()


def move(guests: Guests) -> None:
    """Whatever can be done first."""
    guests.do(lambda intent: isinstance(intent, Say) and isinstance(intent.message, Move))


# --- leaving ---------------------------------------------------------------------------------------------------


def first_screen(*, stays: bool = False) -> Guests:
    guests = Guests()
    guests.app.surroundings.stays = stays
    press(guests, "escape")
    return guests


def test_escape_asks_before_the_table_is_closed() -> None:
    guests = first_screen()
    assert not guests.app.is_left
    press(guests, "escape")
    assert not guests.app.is_left
    assert leaves(guests) == [], "asked no more"
    press(guests, "escape")
    press(guests, "return")
    assert not guests.app.is_left, "what Return does is to stay"
    press(guests, "escape")
    guests.do(lambda intent: isinstance(intent, Leave))
    assert guests.app.is_left


def leaves(guests: Guests) -> list[Intent]:
    return [intent for intent in guests.intents if isinstance(intent, Leave)]


def test_a_table_that_stays_says_so() -> None:
    guests = first_screen(stays=True)
    assert leaves(guests) == []
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.sentence == STAYS
