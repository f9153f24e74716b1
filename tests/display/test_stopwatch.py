"""Half an hour by the stopwatch: no nanosecond is lost between the clocks, and no time is shown a second time."""

import random

from companion.core.clocks import MILLISECOND, MINUTE
from companion.core.match import Player
from companion.core.referee import MARK_EVERY
from companion.core.requests import Pause, Resume, Undo
from companion.display.scene import ChangeTo, Say, Start, Ticking
from companion.display.view import Draft
from companion.games import game as game_named
from companion.games.threepia import rules as threepia
from tests.display.table import Guests

TURNS = 400
NAMES = ("Anna", "Ben", "Clara")


def begun() -> Guests:
    guests = Guests((1280, 720))
    players = tuple(Player(name, colour) for name, colour in zip(NAMES, ("red", "blue", "yellow"), strict=True))
    house = game_named("threepia").house(way="stopwatch", match_seconds=1800, deck=1000)
    guests.app.take(ChangeTo(Draft("threepia", players, house), Start()), guests.hour.now)
    guests.app.take(Say(threepia.Deal("")), guests.hour.now)
    guests.app.take(Say(threepia.Begin("Anna")), guests.hour.now)
    return guests


class Watched:
    """What stands on the screen for each clock, looked at again and again."""

    def __init__(self, guests: Guests) -> None:
        self.guests = guests
        self.least = dict.fromkeys(NAMES, 10.0**9)
        self.looks = 0

    def look(self) -> None:
        app = self.guests.app
        clocks = app.view.match.state.clocks
        for item in app.scene.items:
            if isinstance(item, Ticking) and clocks.count(item.clock) == 1:
                name = NAMES[clocks.index(item.clock)]
                left = seconds(item.text_at(app.table_time(self.guests.hour.now)))
                assert left <= self.least[name], f"{name}: {left} s after {self.least[name]} s"
                self.least[name] = left
                self.looks += 1


def seconds(text: str) -> float:
    found = 0.0
    for part in text.split(":"):
        found = 60 * found + float(part)
    return found


def test_the_clocks_of_half_an_hour_add_up() -> None:
    chance = random.Random(30)
    guests = begun()
    watched = Watched(guests)
    app, spent, late = guests.app, 0, 0
    for turn in range(TURNS):
        lasts = chance.randrange(500 * MILLISECOND, 8500 * MILLISECOND)
        spent += lasts + late
        pauses = turn % 50 == 7
        for part in range(1, 4):
            guests.hour.now += lasts // 4
            app.attend(guests.hour.now)
            watched.look()
            if pauses and part == 2:
                app.take(Say(Pause("tea")), guests.hour.now)
                guests.wait(chance.uniform(1, 300))
                app.take(Say(Resume()), guests.hour.now)
        touched = guests.hour.now + lasts - 3 * (lasts // 4)
        late = chance.randrange(40 * MILLISECOND)  # until the frame in which the touch is taken in
        guests.hour.now = touched + late
        app.take(Say(threepia.Lay(app.view.match.state.turn, points=turn % 4)), touched)
        watched.look()
    state = app.view.match.state
    assert sum(clock.used for clock in state.clocks) == spent
    assert all(clock.used < 30 * MINUTE for clock in state.clocks)
    assert spent > 29 * MINUTE
    assert watched.looks > 4 * TURNS


def test_while_time_stands_nothing_wakes_for_the_digits() -> None:
    guests = begun()
    guests.hour.now += 400 * MILLISECOND - 1  # just before a digit changes
    guests.app.take(Say(threepia.Draw("Anna")), guests.hour.now)
    guests.app.take(Say(Undo()), guests.hour.now)
    assert guests.app.view.match.stands
    guests.wait(10)  # what is said of it is gone
    wakes = guests.app.wakes_at(guests.hour.now)
    assert wakes is not None
    assert wakes - guests.hour.now >= MARK_EVERY
