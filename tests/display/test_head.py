"""The head of the table: menu, what can be called out, pause and undo are in the same place in every game."""

from collections import defaultdict
from dataclasses import replace

import pytest

from companion.core.clocks import SECOND
from companion.core.entry import STOP
from companion.core.match import Player
from companion.display.layout import Box, Size
from companion.display.scene import Button, ChangeTo, Go, Say, Scene, Start, Ticking
from companion.display.screens import SCREENS, scene
from companion.display.view import Draft, View
from companion.games.three import words as three
from companion.games.threepia import rules as threepia
from companion.games.tres import words as tres
from companion.games.triple3 import words as triple3
from companion.words import Words
from tests.display.table import Guests
from tools.gallery.scenes import SIZES, shots

SHOUTS = (three.TOKEN, tres.CATCH, STOP)
OVER_A_MATCH = ("menu", "moves", "rules", "settings", "history", "statistics", "doctor")


def tables(size: Size) -> dict[str, View]:
    """Every state of every game's table, where no device is ill: its sign stands there too."""
    views = {shot.name: shot.view for shot in shots(size, Words())}
    return {name: view for name, view in views.items() if view.screen == "table" and not view.ailing}


def head(found: Scene) -> dict[str, Box]:
    """What of the head there is, by its sign."""
    buttons = [item for item in found.items if isinstance(item, Button)]
    signs = {button.symbol: button.box for button in buttons if not button.label and button.box.y < found.size[1] // 8}
    called = [("shout", button.box) for button in buttons if button.label in SHOUTS and button.look == "danger"]
    stands = {"pause": signs["play"]} if "play" in signs else {}
    return {key: box for key, box in {**signs, **stands}.items() if key in ("menu", "pause", "undo")} | dict(called)


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_each_is_in_one_place(size: Size) -> None:
    places: dict[str, set[Box]] = defaultdict(set)
    for name, view in tables(size).items():
        found = head(scene(view))
        assert {"menu", "pause", "undo"} <= found.keys(), name
        for key, box in found.items():
            places[key].add(box)
    assert {key: len(boxes) for key, boxes in places.items()} == {"menu": 1, "pause": 1, "undo": 1, "shout": 1}


def test_pausing_takes_one_touch_or_one_key_and_so_does_going_on() -> None:
    guests = stopwatch()
    for act in (
        lambda: guests.do(lambda intent: isinstance(intent, Say) and "Pause" in type(intent.message).__name__),
        lambda: guests.hands.key("z", "z", guests.hour.now),
    ):
        act()
        assert guests.app.view.match.paused is not None
        assert guests.app.view.match.paused != triple3.DISPUTE
        guests.do(lambda intent: isinstance(intent, Say) and "Resume" in type(intent.message).__name__)
        assert guests.app.view.match.paused is None


@pytest.mark.parametrize("screen", OVER_A_MATCH)
def test_no_clock_runs_unseen(screen: str) -> None:
    guests = stopwatch()
    view = replace(guests.app.view, screen=screen, about="threepia" if screen == "rules" else "")
    assert screen in SCREENS
    [clock] = [item for item in scene(view).items if isinstance(item, Ticking)]
    assert clock.clock.is_running
    now = guests.app.table_time(guests.hour.now)
    assert clock.clock.left_at(now) == guests.app.view.match.state.clocks[0].left_at(now)


def test_the_replay_of_another_match_shows_the_clock_of_this_one() -> None:
    [replayed] = [shot.view for shot in shots((800, 480), Words()) if shot.name == "replay-triple3"]
    assert not any(isinstance(item, Ticking) for item in scene(replayed).items)
    running = scene(replace(replayed, seen=stopwatch().app.view.match))
    assert [item.clock.limit for item in running.items if isinstance(item, Ticking)] == [3 * 60 * SECOND]


def stopwatch() -> Guests:
    guests = Guests()
    players = (Player("Anna", "red"), Player("Ben", "blue"))
    guests.app.take(ChangeTo(Draft("threepia", players, threepia.House(way="stopwatch")), Start()), guests.hour.now)
    for move in (threepia.Deal(""), threepia.Begin("Anna")):
        guests.app.take(Say(move), guests.hour.now)
        guests.wait(2)
    assert guests.app.wakes_at(guests.hour.now) is not None
    assert guests.app.view.match.state.clocks[0].used_at(guests.app.table_time(guests.hour.now)) >= SECOND
    guests.do(Go("menu"))
    guests.do(Go("table"))
    return guests
