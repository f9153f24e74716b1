"""Fingers, mice and keys mean the same; what means nothing does nothing."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.clocks import MILLISECOND
from companion.core.names import LONGEST_NAME
from companion.display.scene import Back, ChangeTo, Dismiss, Go, Mark, Say, Start
from companion.display.view import Prefs
from companion.games.triplexity import rules as triplexity
from tests.display.table import Guests


def test_a_touch_means_what_lies_there() -> None:
    guests = Guests()
    item = guests.find(lambda intent: intent == Go("settings"))
    assert guests.hands.touch(*item.box.centre, 1)
    assert guests.screen == "settings"


def test_a_touch_beside_everything_means_nothing() -> None:
    guests = Guests()
    for x, y in ((0, 0), (-5, 7), (9999, 3), (799, 479), (10**9, -(10**9))):
        assert not guests.hands.touch(x, y, guests.hour.now)
    assert guests.screen == "games"


def test_the_same_finger_touches_once() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    around = guests.find(lambda intent: isinstance(intent, ChangeTo) and intent.to == Prefs(around=True))
    x, y = around.box.centre
    now = guests.hour.now + 10**9
    assert guests.hands.scene, "they see where it is"
    assert guests.hands.touch(x, y, now)
    assert not guests.hands.touch(x + 3, y - 2, now + 40 * MILLISECOND)
    assert guests.app.view.prefs.around


def test_two_hands_at_two_places_touch_twice() -> None:
    guests = Guests()
    guests.do(Go("settings"))
    dark, bright = (item for item in guests.app.scene.targets() if item.key in ("1", "2"))
    assert guests.hands.touch(*bright.box.centre, guests.hour.now)
    assert guests.hands.touch(*dark.box.centre, guests.hour.now + 5 * MILLISECOND)
    assert guests.app.prefs.theme == "dark"


def test_a_ring_shows_what_the_keys_would_touch() -> None:
    guests = Guests()
    assert not guests.hands.scene.over
    guests.hands.key("tab", "", 1)
    ring = guests.hands.scene.over[-1]
    assert ring.box == guests.app.scene.targets()[0].box
    guests.hands.touch(0, 0, 2)
    assert not guests.hands.scene.over


def test_tab_goes_round_both_ways() -> None:
    guests = Guests()
    count = len(guests.app.scene.targets())
    for _ in range(count + 1):
        guests.hands.key("tab", "", 1)
    assert guests.hands.scene.over[-1].box == guests.app.scene.targets()[0].box
    guests.hands.key("shift tab", "", 1)
    assert guests.hands.scene.over[-1].box == guests.app.scene.targets()[-1].box


def test_arrows_go_to_the_neighbour() -> None:
    guests = Guests()
    tiles = [item for item in guests.app.scene.targets() if item.key in tuple("12345")]
    guests.hands.key("tab", "", 1)
    while guests.hands.scene.over[-1].box != tiles[0].box:
        guests.hands.key("tab", "", 1)
    guests.hands.key("right", "", 1)
    assert guests.hands.scene.over[-1].box == tiles[1].box
    guests.hands.key("down", "", 1)
    assert guests.hands.scene.over[-1].box == tiles[4].box
    guests.hands.key("return", "\r", 1)
    assert guests.app.view.draft.game == "threepia"


def test_a_letter_is_a_short_cut() -> None:
    guests = Guests()
    assert guests.hands.key("s", "s", 1)
    assert guests.screen == "settings"
    assert guests.hands.key("escape", "", 1)
    assert guests.screen == "games"
    assert not guests.hands.key("x", "x", 1)


def test_names_are_typed_with_keys_too() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    guests.do(Go("name", "0"))
    for letter in "Ængus 3":
        guests.hands.key(letter, letter, 1)
    guests.hands.key("backspace", "\b", 1)
    guests.hands.key("return", "\r", 1)
    assert guests.screen == "players"
    assert guests.app.view.draft.players[0].name == "Ængus"


def test_a_name_ends_at_its_longest() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    guests.do(Go("name", "0"))
    for _ in range(80):
        guests.hands.key("w", "w", 1)
    guests.hands.key("return", "\r", 1)
    assert guests.app.view.draft.players[0].name == "w" * LONGEST_NAME


def test_the_screen_has_keys_of_its_own() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    guests.do(Go("name", "0"))
    for text in ("E", "Ev", "Eva"):
        guests.do(Mark("text", text))
    guests.do(lambda intent: isinstance(intent, ChangeTo) and intent.then == Back())
    assert guests.app.view.draft.players[0].name == "Eva"


def test_one_name_sits_on_one_seat() -> None:
    guests = Guests()
    guests.do(Go("players", "threepia"))
    other = guests.app.view.draft.players[1].name
    guests.do(Go("name", "0"))
    guests.app.take(Mark("text", other), 1)
    assert not [item for item in guests.app.scene.targets() if item.key == "return"]


@settings(max_examples=25)
@given(st.integers(0, 10**6))
def test_forty_touches_a_second_anywhere_hurt_nothing(seed: int) -> None:
    chance = random.Random(seed)
    guests = Guests()
    for number in range(300):
        guests.hour.now += 25 * MILLISECOND
        if chance.random() < 0.3:
            item = chance.choice(guests.app.scene.targets())
            guests.hands.touch(*item.box.centre, guests.hour.now)
        else:
            guests.hands.touch(chance.randrange(-20, 900), chance.randrange(-20, 600), guests.hour.now)
        if number % 10 == 0:
            guests.hands.key(chance.choice(("tab", "return", "left", "escape", "5", "x")), "", guests.hour.now)
        guests.app.attend(guests.hour.now)
        assert guests.app.scene.items


def test_a_notice_can_be_touched_away() -> None:
    guests = Guests()
    guests.do(Go("players", "triplexity"))
    guests.do(Start())
    guests.app.take(Say(triplexity.Shift("Player 1", "left", "right")), guests.hour.now)
    assert guests.app.view.notice is not None
    guests.do(Dismiss())
    assert guests.app.view.notice is None
