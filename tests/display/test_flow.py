"""Every screen is reached and left: a walk over everything that can be touched at a table with a past.

The screens without a past are walked through in test_app.py; here there are matches of all games to look back on.
"""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.entry import Abandoned, Entry, Made
from companion.core.match import Match
from companion.core.seats import BotSeats
from companion.display.app import App
from companion.display.gestures import Gestures
from companion.display.layout import Size
from companion.display.scene import Back, ChangeTo, Go, GoOn, Intent, Leave, Mark, Refresh, Say, Start
from companion.display.screens import SCREENS
from companion.games import NAMES
from companion.games import game as game_named
from companion.journal import Journal
from simulator.playing import play_out, seated
from tests.display.table import Guests, Hour

SIZE = (800, 480)
MOST_BACK = 8  # touches from anywhere to the games
ELSEWHERE = {
    "table",
    "result",
    "dispute",
    "question",
    "moves",
    "menu",
    "camera",
    "phones",
    "bg-stats",
    "deck-name",
    "teaching",
    "faces",
    "doubt",
    "alike",
}  # needs a match or a camera: test_app.py, test_played.py, test_teaching_by_touch.py


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A journal with a match of every game, one that was given up, and one that still runs."""
    path = tmp_path_factory.mktemp("flow") / "journal.sqlite3"
    with Journal.open(path) as journal:
        for game in NAMES:
            take_in(journal, game)
        take_in(journal, "tres", 6, Abandoned(10**12, ""))
        take_in(journal, "threepia", 4)
    return path


def take_in(journal: Journal, game: str, moves: int = 10**9, *more: Entry) -> str:
    playing = game_named(game)
    match = Match(seated(playing, playing.house()))
    for _ in play_out(match, 5, mistakes=0):
        if len(match.line) >= moves:
            break
    entries = (*(Made(done.move) for done in match.line), *more)
    journal.take_in(match.setup, entries, match.now)
    return match.setup.id


@pytest.fixture
def app(file: Path) -> Iterator[App]:
    with Journal.open(file) as journal:
        yield App(SIZE, journal, clock=Hour())


# --- the walk --------------------------------------------------------------------------------------------------


def test_every_screen_is_reached_and_left_again(file: Path) -> None:
    """From each place every kind of touch is tried; from wherever it leads the way back leads to the games."""
    reached: set[str] = set()
    known: set[tuple[Any, ...]] = set()
    todo: list[tuple[Intent, ...]] = [()]
    with Journal.open(file) as journal:
        while todo:
            path = todo.pop()
            app = walked(journal, path)
            if (place := place_of(app)) in known:
                continue
            known.add(place)
            reached.add(app.view.screen)
            ways = {kind_of(intent): intent for intent in intents(app) if may_be_tried(intent)}
            assert any(not isinstance(intent, Mark) for intent in intents(app)), path
            assert_way_back(app)
            todo += [(*path, intent) for intent in ways.values()]
    assert reached == {name for name in SCREENS if not name.startswith("table-")} - ELSEWHERE


def intents(app: App) -> list[Intent]:
    return [item.intent for item in app.scene.targets() if item.intent]


def walked(journal: Journal, path: tuple[Intent, ...]) -> App:
    app = App(SIZE, journal, clock=Hour())
    app.seat_bots(BotSeats(frozenset(NAMES)))
    for number, intent in enumerate(path):
        app.take(intent, number)
        assert app.scene.items
        app.attend(number)
    return app


def place_of(app: App) -> tuple[Any, ...]:
    view = app.view
    about = view.about if view.screen not in ("match", "replay", "player", "name", "seat") else ""
    return view.screen, about, frozenset(view.marks)


def kind_of(intent: Intent) -> tuple[Any, ...]:
    """Of what is of one kind, one is enough."""
    match intent:
        case Go(screen, about):
            return Go, screen, about if screen in ("players", "rules", "house") else ""
        case Mark(key, value):
            return Mark, key, value is None
        case ChangeTo(_, then):
            return ChangeTo, type(intent.to), type(then)
        case _:
            return (type(intent),)


def may_be_tried(intent: Intent) -> bool:
    """Nothing that plays, writes a name or closes the window; one game is set up for all."""
    if isinstance(intent, Go) and intent.screen in ("players", "rules"):
        return intent.about == "tres"
    return not isinstance(intent, Say | Start | GoOn | Leave) and not (
        isinstance(intent, Mark) and intent.key in ("text", "shift", "more")
    )


def assert_way_back(app: App) -> None:
    """By the arrow on the screen, and by the key in the same way."""
    for _ in range(MOST_BACK):
        if app.view.screen == "games":
            return
        escape = app.scene.escape
        assert isinstance(escape, Back | Go), app.view.screen
        home = [intent for intent in intents(app) if intent == Back() or isinstance(intent, Go)]
        assert home, f"only a key leads away from {app.view.screen}"
        app.take(escape, 10**15)
    raise AssertionError(f"no way back from {app.view.screen}")


# --- the new screens, by touches and by keys -------------------------------------------------------------------


@pytest.mark.parametrize("size", [(800, 480), (720, 1280)], ids=str)
@pytest.mark.parametrize("by_keys", [False, True], ids=["touch", "keys"])
def test_a_match_is_looked_at_move_by_move(size: Size, by_keys: bool, file: Path) -> None:
    guests = Guests(size, file)
    guests.by_keys = by_keys
    guests.do(Go("history"))
    guests.do(lambda intent: isinstance(intent, Go) and intent.screen == "match")
    opened = guests.app.view.shelf.opened
    assert opened is not None
    code = opened.played.code
    guests.do(Go("replay", code))
    for step in range(1, opened.steps + 1):
        guests.do(Mark("step", step))
    assert Mark("step", opened.steps + 1) not in guests.intents
    guests.do(Mark("step", max(0, opened.steps - 10)))
    guests.do(Back())
    assert guests.screen == "match"
    guests.do(Go("history"))
    guests.do(Back())
    assert guests.screen == "games"
    guests.close()


def test_a_match_that_is_still_running_is_gone_on_with_from_the_history(file: Path) -> None:
    guests = Guests((800, 480), file)
    guests.do(Go("history"))
    code = next(played.code for played in guests.app.view.shelf.matches if played.status == "running")
    guests.do(Go("match", code))
    guests.do(GoOn(code))
    assert guests.screen == "table"
    assert guests.app.match
    assert guests.app.match.setup.id == code
    guests.close()


def test_every_match_of_the_journal_is_shown_as_it_was_ruled(app: App) -> None:
    app.take(Go("history"), 0)
    matches = app.view.shelf.matches
    assert {played.status for played in matches} == {"over", "abandoned", "running"}
    for played in matches:
        app.take(Go("match", played.code), 0)
        opened = app.view.shelf.opened
        assert opened is not None
        assert app.journal is not None
        match = app.journal.stored(played.code).folded()
        assert opened.whole.line == tuple(match.line)
        again = Match(match.setup)
        assert opened.at(0).ruling == again.ruling
        for step, done in enumerate(match.line, 1):
            again.make(done.move)
            assert opened.at(step).state == again.state
            assert opened.at(step).line[-1].ruling.events == again.ruling.events
            assert app.scene.items
        app.take(Go("replay", played.code), 0)
        for step in (0, 1, opened.steps // 2, opened.steps):
            app.take(Mark("step", step), 0)
            assert app.scene.items
        app.take(Go("history"), 0)


def test_statistics_are_counted_while_people_look(app: App) -> None:
    app.take(Go("statistics"), 0)
    assert app.view.shelf.to_count == len(NAMES)
    for _ in range(1000):
        if app.wakes_at(0) is None:
            break
        app.attend(0)
    shelf = app.view.shelf
    assert shelf.counted == shelf.to_count
    names = {tally.player for tally in shelf.tallies}
    guests = [intent.about for intent in intents(app) if isinstance(intent, Go) and intent.screen == "player"]
    assert guests
    assert set(guests) <= names
    app.take(Go("player", guests[0]), 0)
    assert app.view.shelf.tallies == shelf.tallies


def test_the_doctor_looks_and_looks_again(app: App) -> None:
    app.take(Go("doctor"), 0)
    until_looked(app)
    assert {finding.state for finding in app.view.shelf.findings} == {"works"}
    app.take(Refresh(), 0)
    until_looked(app)
    app.take(Back(), 0)
    assert app.view.screen == "games"


def until_looked(app: App) -> None:
    """The doctor is on other threads; as soon as they are done it is to be seen."""
    until = time.monotonic() + 10
    while app.view.shelf.is_looking and time.monotonic() < until:
        app.attend(0)
    assert not app.view.shelf.is_looking


# --- what cannot be read ---------------------------------------------------------------------------------------


def test_a_match_that_cannot_be_read_says_so_in_one_sentence(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        code = take_in(journal, "tres")
        with journal._file.writing():
            journal._file.run("UPDATE entry SET body = '{}' WHERE number = 3")
        app = App(SIZE, journal)
        app.take(Go("history"), 0)
        for screen in ("match", "replay"):
            app.take(Go(screen, code), 0)
            shelf = app.view.shelf
            assert (shelf.opened, code in shelf.trouble) == (None, True)
            assert [intent for intent in intents(app) if isinstance(intent, Back)]
        app.take(Go("statistics"), 0)
        assert app.view.shelf.to_count == 1
        app.attend(0)
        assert (app.view.shelf.counted, app.view.shelf.tallies) == (1, ())


@pytest.mark.parametrize("screen", ["history", "statistics", "match", "replay", "player", "doctor"])
def test_a_table_without_a_journal_has_no_past_and_no_trouble(screen: str) -> None:
    app = App(SIZE)
    app.take(Go(screen, "nothing"), 0)
    assert app.scene.items
    app.take(Back(), 0)
    assert app.view.screen == "games"


@pytest.mark.parametrize("screen", ["history", "statistics", "doctor"])
def test_a_journal_that_is_gone_is_told_on_the_screen(screen: str, tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "journal")
    take_in(journal, "tres")
    app = App(SIZE, journal)
    journal._file.run("DROP TABLE seat")
    journal._file.run("DROP TABLE foul")
    app.take(Go(screen), 0)
    assert app.scene.items
    assert bool(app.view.shelf.trouble) == (screen != "doctor")
    journal.close()


def test_long_lists_are_turned_over_by_touch_and_by_keys(tmp_path: Path) -> None:
    with Journal.open(tmp_path / "journal") as journal:
        for _ in range(30):
            take_in(journal, "triplexity", 1)
    guests = Guests(SIZE, tmp_path / "journal")
    hands = Gestures(guests.app)
    guests.do(Go("history"))
    shown = []
    while True:
        shown += [i.about for i in guests.intents if isinstance(i, Go) and i.screen == "match"]
        if not hands.key("page down", "", 0):
            break
    assert guests.app.journal is not None
    assert shown == [match.code for match in guests.app.journal.matches()]
    assert hands.key("home", "", 0)
    assert guests.app.view.shelf.first == 0
    guests.close()
