"""Whole matches on the real screens: by touches alone, and again by keys alone."""

import random
from pathlib import Path

import pytest

from companion.core.clocks import SECOND
from companion.core.requests import Advise, Rematch
from companion.core.rules import Move
from companion.display.layout import Size
from companion.display.scene import Back, Button, ChangeTo, Go, Intent, Mark, Say, Start
from companion.games.threepia import rules as threepia
from companion.games.threepia.rules import ALONE, WAYS
from companion.games.triplexity import rules as triplexity
from tests.display.table import Guests

HANDS = pytest.mark.parametrize("by_keys", [False, True], ids=["touches", "keys"])
MOST = 2_000  # touches in a match


def is_move(intent: Intent, *kinds: type[Move]) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, kinds)


def seated(game: str, size: Size, by_keys: bool, journal: Path | None = None) -> Guests:
    guests = Guests(size, journal)
    guests.by_keys = by_keys
    guests.do(Go("players", game))
    return guests


def chosen_way(guests: Guests, way: str) -> None:
    guests.do(lambda intent: isinstance(intent, ChangeTo) and getattr(intent.to, "house", None) is not None
              and intent.to.house.way == way)  # fmt: skip


@HANDS
@pytest.mark.parametrize("way", WAYS)
def test_threepia_in_every_way_to_play(way: str, by_keys: bool, tmp_path: Path) -> None:
    chance = random.Random(way)
    size = chance.choice(((800, 480), (720, 1280), (1280, 720)))
    guests = seated("threepia", size, by_keys, tmp_path / "journal")
    count = 1 if way in ALONE else 3
    chosen_way(guests, way)
    guests.be(count)
    guests.do(Start())
    guests.do(lambda intent: is_move(intent, threepia.Deal))
    guests.do(lambda intent: is_move(intent, threepia.Begin))
    for _ in range(MOST):
        if guests.screen == "result":
            break
        play_threepia(guests, chance)
    seen = guests.app.view.match
    assert seen.is_over
    assert guests.screen == "result"
    assert guests.journal is not None
    assert guests.journal.matches()[0].status == "over"
    assert guests.journal.matches()[0].scores == seen.state.outcome.scores
    assert guests.journal.fouls(seen.setup.id) == []
    guests.do(Say(Rematch()))
    assert guests.screen == "table"
    guests.close()


def play_threepia(guests: Guests, chance: random.Random) -> None:
    """A turn as people play it: points first, points later, a card drawn; now and then all the time is used up."""
    state = guests.app.view.match.state
    guests.wait(chance.uniform(0.5, 35 if state.house.way in ("time", "stopwatch") else 6))
    if guests.screen == "result":
        return
    state = guests.app.view.match.state
    if state.phase == "counting" or (state.owed and chance.random() < 0.7):
        guests.do(lambda intent: is_move(intent, threepia.Points))
        return
    if chance.random() < 0.25:
        guests.do(lambda intent: is_move(intent, threepia.Draw))
        return
    if state.house.way not in ALONE and not state.owed and chance.random() < 0.7:
        guests.do(Mark("points", chance.randrange(5)))
    guests.do(lambda intent: is_move(intent, threepia.Lay))


@HANDS
@pytest.mark.parametrize(("size", "rules"), [((800, 480), "basic"), ((720, 1280), "advanced")], ids=str)
def test_triplexity(size: Size, rules: str, by_keys: bool, tmp_path: Path) -> None:
    chance = random.Random(rules)
    guests = seated("triplexity", size, by_keys, tmp_path / "journal")
    if rules == "advanced":
        guests.do(Go("house"))
        guests.do(Go("house", "play"))
        guests.do(lambda intent: isinstance(intent, ChangeTo) and intent.to.house.play == "advanced")
        guests.do(Back())
    guests.do(Start())
    for _ in range(MOST):
        if guests.screen == "result":
            break
        play_triplexity(guests, chance)
    assert guests.app.view.match.state.outcome is not None
    assert guests.journal is not None
    assert guests.journal.matches()[0].status == "over"
    guests.do(Say(Rematch()))
    guests.close()


def play_triplexity(guests: Guests, chance: random.Random) -> None:
    state = guests.app.view.match.state
    if state.phase == "place":
        if state.house.play == "advanced":
            faces = [i for i in intents(guests) if isinstance(i, Mark) and i.key == "face"]
            guests.do(chance.choice(faces))
        elif not state.turn:
            guests.do(lambda intent: isinstance(intent, Mark) and intent.key == "who")
        places = [i for i in intents(guests) if is_move(i, triplexity.Put)]
        guests.do(chance.choice(places))
        return
    if chance.random() < 0.2 and Say(Advise()) in intents(guests):
        guests.do(Say(Advise()))
        assert guests.app.view.advice is not None
    sources = [i for i in intents(guests) if isinstance(i, Mark) and i.key == "source"]
    guests.do(chance.choice(sources))
    ways = [i for i in intents(guests) if is_move(i, triplexity.Shift)]
    before = len(guests.app.view.match.line)
    guests.do(chance.choice(ways))
    if len(guests.app.view.match.line) == before:  # it was not allowed, and the screen says why
        assert guests.app.view.notice is not None
        guests.do(Mark("source"))


def intents(guests: Guests) -> list[Intent]:
    return [item.intent for item in guests.app.scene.targets() if item.intent]


def test_points_take_two_touches() -> None:
    guests = seated("threepia", (800, 480), by_keys=False)
    guests.do(Start())
    guests.do(lambda intent: is_move(intent, threepia.Deal))
    guests.do(lambda intent: is_move(intent, threepia.Begin))
    player = guests.app.view.match.state.turn
    guests.do(Mark("points", 4))
    guests.do(Say(threepia.Lay(player, points=4)))
    assert guests.app.view.match.state.scores[0] == 4


def test_a_number_means_what_is_written_on_it() -> None:
    for owes in (False, True):
        guests = seated("threepia", (720, 1280), by_keys=False)
        guests.do(Start())
        guests.do(lambda intent: is_move(intent, threepia.Deal))
        guests.do(lambda intent: is_move(intent, threepia.Begin))
        if owes:
            guests.do(lambda intent: is_move(intent, threepia.Lay))
        numbers = [item for item in guests.app.scene.items if isinstance(item, Button) and item.label.isdigit()]
        written = {item.label: item.intent for item in numbers if item.key}
        assert list(written) == [str(number) for number in range(9)]
        player = guests.app.view.match.setup.names[0]
        for label, intent in written.items():
            points = int(label)
            assert intent == (Say(threepia.Points(player, points)) if owes else Mark("points", points))


def test_the_clock_stops_at_the_touch_and_points_come_later() -> None:
    guests = seated("threepia", (800, 480), by_keys=False)
    chosen_way(guests, "stopwatch")
    guests.do(Start())
    guests.do(lambda intent: is_move(intent, threepia.Deal))
    guests.do(lambda intent: is_move(intent, threepia.Begin))
    begun = guests.hour.now
    player = guests.app.view.match.state.turn
    guests.wait(5)
    guests.do(Say(threepia.Lay(player)))
    assert guests.app.view.match.state.clocks[0].used == guests.hour.now - begun
    assert guests.app.view.match.state.owed == (player,)
    guests.do(Mark("numbers", 1))
    guests.do(Say(threepia.Points(player, 12)))
    assert guests.app.view.match.state.scores[0] == 12


def test_the_clocks_of_a_long_match_lose_nothing() -> None:
    """400 turns by the stopwatch in travelled time: what is used up is what was stamped, to the nanosecond."""
    chance = random.Random(3)
    guests = seated("threepia", (1280, 720), by_keys=False)
    draft = guests.app.view.draft
    house = threepia.House(way="stopwatch", match_seconds=3_600, deck=1_000)
    guests.app.take(ChangeTo(type(draft)(draft.game, draft.players, house), Start()), guests.hour.now)
    guests.do(lambda intent: is_move(intent, threepia.Deal))
    guests.do(lambda intent: is_move(intent, threepia.Begin))
    begun = last = guests.hour.now
    stamped = dict.fromkeys(guests.app.view.match.setup.names, 0)
    for _ in range(400):
        state = guests.app.view.match.state
        guests.hour.now += chance.randrange(1, 9 * SECOND)
        guests.app.take(Say(threepia.Lay(state.turn, points=0)), guests.hour.now)
        stamped[state.turn] += guests.hour.now - last
        last = guests.hour.now
    clocks = guests.app.view.match.state.clocks
    assert [clock.used for clock in clocks] == list(stamped.values())
    assert sum(clock.used for clock in clocks) == last - begun
