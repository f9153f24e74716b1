"""Matches at a display with a camera and buttons, in travelled time: what is seen, pressed and touched is one match."""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from companion import cli
from companion.core import wholefile as whole
from companion.core.clocks import SECOND
from companion.core.codec import written
from companion.core.match import COLOURS, Player
from companion.core.record import move_plain
from companion.core.referee import Referee
from companion.core.requests import Correct, Undo, read_message
from companion.core.rules import Move
from companion.core.session import Session
from companion.display.scene import (
    Back,
    ChangeTo,
    Dismiss,
    ForgetPictures,
    Go,
    Intent,
    Mark,
    Moving,
    Picture,
    Run,
    Say,
    Scene,
    Start,
    Text,
)
from companion.display.scene import GoOn as GoOnWith
from companion.display.screens.slow import KEY, SLOWLY
from companion.display.view import Draft
from companion.games import game
from companion.games.triple3 import rules as triple3
from companion.games.triple3.hands import match_setup, script_plain, write_script
from companion.games.triple3.rules import DECK, GoOn, Lay, Lies
from companion.journal import Journal
from companion.seat.watched_table import WatchedTable
from hardware.panel import Key
from hardware.wiring import Seat, Wiring
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import Mishap, Script
from tests.display.camera import Mixed, Travelled, simulated
from tests.display.table import Guests, Hour
from tests.piles import piles_at
from vision.eye_errors import ModelError, SourceError
from vision.frames import Source

NAMES = ("Anna", "Ben", "Clara", "Dario")
SEATS = tuple(Seat(button=pin, light=pin + 8, keys={"tres": pin + 4, "turn": pin + 12}) for pin in (4, 5, 6, 7))
RING = Wiring(seats=SEATS, keys={"stop": 21})
SMALL = (640, 360)
LAID_OUT = 5.0  # seconds of the script: the nine cards and the leftover lie there, and nothing else
FOUL = 9.8  # an illegal card lies there
QUIET = 12.5  # everything is laid, and the illegal card is gone


def script(*mishaps: Mishap, rest: float = 60.0) -> Script:
    """A leftover and six cards of two players, one of them illegal, and then a while in which nobody does anything."""
    made = write_script(3, players=2, plays=6, pace=0.7, illegal=0.35, trouble={})
    return replace(made, size=SMALL, rate=15.0, length=made.length + round(rest * SECOND), mishaps=mishaps)


def table_of(script: Script, hour: Hour) -> Callable[[], Source]:
    """The script begins when the camera is opened for the first time; whoever opens it again finds the same table."""
    made: list[SimulatedTable] = []

    def opened() -> Source:
        if not made:
            made.append(SimulatedTable(script, start=hour.now))
        return made[0]

    return opened


def watched(script: Script, journal: Path | None = None, size: tuple[int, int] = (800, 480)) -> Mixed:
    """People who have just begun a match of Triple³ before it."""
    guests = Mixed(RING, lambda hour: table_of(script, hour), size=size, journal=journal)
    begin(guests, "triple3", 2, chips_to_win=1)
    return guests


def begin(guests: Guests, name: str, count: int, **house: Any) -> None:
    guests.do(Go("players", name))
    people = tuple(Player(player, colour) for player, colour in zip(NAMES[:count], COLOURS, strict=False))
    draft = Draft(name, people, game(name).house(**house))
    guests.app.take(ChangeTo(draft, Start()), guests.hour.now)


def words_of(scene: Scene) -> str:
    return " ".join(item.text for item in scene.all() if isinstance(item, Text))


def is_move(*kinds: type[Move]) -> Callable[[Intent], bool]:
    return lambda intent: isinstance(intent, Say) and isinstance(intent.message, kinds)


def state_of(guests: Guests) -> str:
    """Of the camera."""
    return guests.app.view.sight.state


def laid(guests: Guests) -> list[tuple[int, str]]:
    return [(done.move.cell, done.move.card) for done in guests.app.view.match.line if isinstance(done.move, Lay)]


def tops(script: Script, at: float) -> tuple[str, ...]:
    return tuple(pile[-1].card for pile in piles_at(script, round(at * SECOND)))


@pytest.fixture
def guests() -> Iterator[Mixed]:
    with closing(watched(script())) as made:
        yield made


# --- the same match as `companion watch` makes of it


def kept_of(journal: Path) -> tuple[list[Any], list[Any]]:
    with Journal.open(journal) as kept:
        match = kept.stored(kept.matches()[0].code).folded()
        fouls = kept.fouls(match.setup.id)
        return [(move_plain(done.move), [one.sentence for one in done.ruling.events]) for done in match.line], fouls


def told_by_the_door(made: Script, folder: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Any], list[Any]]:
    file = folder / "script.json"
    whole.write(file, written(script_plain(made)).encode())
    with Path(os.devnull).open() as nothing, monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", nothing)
        assert cli.main(["watch", str(file), "--game", "triple3", "--journal", str(folder / "door")]) == 0
    return kept_of(folder / "door")


def told_by_the_table(made: Script, folder: Path) -> tuple[list[Any], list[Any]]:
    hour = Hour()
    setup = match_setup(made)
    seats = {side: name for name, side in made.about["seats"].items()}
    with Journal.open(folder / "table") as journal, closing(simulated(made, hour)) as eye:
        session = Session(Referee.begin(setup, hour.now, journal), hour)
        table = WatchedTable(session, eye, seats=seats)
        eye.wait()
        start, said = hour.now, list(made.said)
        source = SimulatedTable(made, start=start)
        for number in range(source.count):
            stamp = start + source.when(number)
            while said and start + said[0].at < stamp:
                cue = said.pop(0)
                hour.now = start + cue.at
                table.say(read_message(session.referee.match.game, cue.message), hour.now)
                table.attend(hour.now)
            hour.now = stamp
            table.attend(stamp)
        table.close()
    return kept_of(folder / "table")


def test_the_journal_is_that_of_companion_watch(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    made = script(rest=0)
    line, fouls = told_by_the_table(made, tmp_path)
    assert (line, fouls) == told_by_the_door(made, tmp_path, monkeypatch)
    assert len(line) == 7
    assert len(fouls) == 1
    assert "is illegal" in capsys.readouterr().out


@pytest.mark.long
def test_and_so_it_is_for_a_whole_match_with_trouble(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trouble = {"taken back": 0.05, "stop": 0.04}
    made = replace(write_script(3, players=2, pace=1.2, trouble=trouble), size=SMALL, rate=15.0)
    line, fouls = told_by_the_table(made, tmp_path)
    assert (line, fouls) == told_by_the_door(made, tmp_path, monkeypatch)
    assert len(line) > 60
    assert fouls
    assert any(move["move"] == "stop" for move, _ in line)


# --- at the display


def test_cards_are_laid_out_ruled_on_and_put_right_without_a_touch(guests: Mixed) -> None:
    guests.wait(0.2)
    assert guests.app.scene.is_live == (not guests.app.view.sight.places)
    guests.wait(LAID_OUT)
    assert guests.app.view.match.state.phase == "ready"
    assert "The first card that is laid begins the round." in words_of(guests.app.scene)
    guests.wait(FOUL - LAID_OUT - 0.2)
    assert guests.app.view.match.state.phase == "play"
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.code == "no-new-triple"
    assert [(cell, one.card) for cell, one in guests.app.view.sight.step.called.items()] == [(4, "blue-diamond-0")]
    guests.wait(QUIET - FOUL)
    assert guests.app.view.notice is None  # the card is off again
    assert not guests.app.view.sight.step.called
    assert guests.app.view.match.state.grid == tops(script(), QUIET)


def test_who_looks_elsewhere_is_not_called_back_for_every_card(guests: Mixed) -> None:
    guests.wait(6.5)
    guests.do(Go("menu"))
    guests.do(Go("settings"))
    guests.do(Go("camera"))
    before = len(laid(guests))
    guests.wait(3.0)
    assert len(laid(guests)) > before
    assert guests.screen == "camera"
    if guests.app.view.notice:
        guests.do(Dismiss())
    guests.do(Back())
    guests.do(Back())
    guests.do(Go("table"))


def test_what_somebody_chooses_stays_chosen_while_others_lay_cards(guests: Mixed) -> None:
    guests.wait(6.5)
    guests.do(Mark("cell", 9))
    before = len(laid(guests))
    guests.wait(1.5)
    assert len(laid(guests)) > before
    assert guests.app.view.marks["cell"] == 9


def test_the_camera_is_on_a_screen_of_its_own_only_while_it_is_open(guests: Mixed) -> None:
    guests.wait(LAID_OUT)
    assert guests.app.view.sight.still is None
    guests.do(Go("camera"))
    guests.wait(0.1)
    stills = set()
    for _ in range(30):
        guests.wait(0.1)
        picture = next(item for item in guests.app.scene.items if isinstance(item, Picture))
        assert len(picture.outlines) == 9
        stills.add(picture.still)
    assert 10 <= len(stills) <= 16  # in three seconds
    guests.do(Back())
    guests.wait(0.1)
    assert guests.app.view.sight.still is None


def test_without_a_match_the_camera_is_opened_for_its_screen_only() -> None:
    with closing(Mixed(RING, lambda hour: table_of(script(), hour))) as guests:
        guests.do(Go("settings"))
        guests.wait(0.1)
        assert state_of(guests) == "off"
        guests.do(Go("camera"))
        guests.app.attend(guests.hour.now)
        assert guests.camera
        guests.camera.wait()
        guests.wait(3.0)
        assert state_of(guests) == "found"
        assert any(isinstance(item, Picture) for item in guests.app.scene.items)
        guests.do(Back())
        guests.wait(0.1)
        assert state_of(guests) == "off"
        assert len(guests.app.ears) == 1


def test_a_cell_out_of_step_says_the_way_back_and_a_touch_looks_again(guests: Mixed) -> None:
    guests.wait(QUIET)
    grid = guests.app.view.match.state.grid
    card = next(card for card in DECK if card not in grid)
    guests.do(Mark("cell", 2))
    guests.do(Mark("lies", value=True))
    colour = card.split("-", maxsplit=1)[0]
    if guests.app.view.marks.get("colour", "red") != colour:
        guests.do(Mark("colour", colour))
    guests.do(lambda intent: is_move(Lies)(intent) and intent.message.card == card)  # type: ignore[attr-defined]
    guests.wait(3.0)
    step = guests.app.view.sight.step
    assert 2 in step.astray or guests.app.view.match.state.grid == grid
    if 2 in step.astray:
        assert "Cell 2" in words_of(guests.app.scene)
        guests.do(lambda intent: isinstance(intent, Say) and getattr(intent.message, "cell", 0) == 2)
        guests.wait(2.0)
    assert guests.app.view.match.state.grid == grid  # what lies there counts
    assert not guests.app.view.sight.step.astray


def test_the_camera_is_gone_and_back_in_mid_match() -> None:
    made = script(Mishap("gone", round(6.7 * SECOND), round(8.9 * SECOND)))
    with closing(watched(made)) as guests:
        guests.wait(8.0)
        assert state_of(guests) == "gone"
        assert "The simulated camera is gone" in words_of(guests.app.scene)
        assert "Stop until I see the table again" in words_of(guests.app.scene)
        guests.do(Go("menu"))  # everything else goes on
        guests.do(Go("table"))
        guests.wait(QUIET - 8.0)
        assert state_of(guests) == "found"
        assert not guests.app.view.sight.step.astray
        assert guests.app.view.match.state.grid == tops(made, QUIET)


@pytest.mark.parametrize(
    ("opens", "reads", "said"),
    [
        (lambda: SourceError("There is no camera on this table."), None, "There is no camera on this table."),
        (None, lambda: ModelError("The model is damaged."), "The model is damaged."),
        (None, lambda: RuntimeError("opcode"), "The reader of the cards does not load (RuntimeError: opcode)."),
    ],
    ids=["no camera", "damaged model", "broken runtime"],
)
def test_without_an_eye_the_match_goes_on_by_touch(
    opens: Callable[[], Exception] | None, reads: Callable[[], Exception] | None, said: str
) -> None:
    guests = Mixed(RING, lambda hour: (lambda: missing(opens)) if opens else table_of(script(), hour))
    if reads:
        assert guests.camera
        guests.camera._new_reader = lambda _game: missing(reads)
    begin(guests, "triple3", 2)
    guests.wait(0.5)
    assert guests.app.view.notice is not None
    assert guests.app.view.notice.sentence == f"{said} The match goes on by touch."
    guests.do(is_move(triple3.Deal))
    guests.do(is_move(triple3.Go))
    guests.do(is_move(triple3.Stop))
    guests.wait(1.0)
    guests.do(is_move(GoOn))
    assert [done.move.word for done in guests.app.view.match.line] == ["deal", "go", "stop", "go-on"]
    guests.close()


def missing(why: Callable[[], Exception]) -> Any:
    raise why()


def test_an_eye_that_fails_is_replaced_and_after_a_while_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with closing(watched(script())) as guests:
        guests.wait(LAID_OUT)
        told: list[str] = []
        guests.app.hearers.append(lambda reply: told.append(getattr(reply, "sentence", "")))
        assert guests.camera
        assert guests.camera.eye
        monkeypatch.setattr(type(guests.camera.eye), "watch", lambda *_: 1 / 0)
        guests.wait(1.0)
        assert [sentence[:26] for sentence in told if "ZeroDivision" in sentence] == [
            "I lost the thread (ZeroDiv",
            "I lost the thread (ZeroDiv",
            "I cannot watch any more (Z",
        ]
        assert state_of(guests) == "blind"
        monkeypatch.undo()
        guests.do(is_move(triple3.Go))
        assert guests.app.view.match.state.phase == "play"


def is_word(word: str) -> Callable[[Intent], bool]:
    return lambda intent: isinstance(intent, Say) and intent.message.word == word


def paused_and_resumed(guests: Mixed) -> None:
    guests.do(Go("menu"))
    guests.do(is_word("pause"))
    guests.do(is_word("resume"))


def slow(guests: Mixed) -> None:
    """A frame needs a while to get here."""
    assert guests.camera
    guests.camera._new_feed = lambda source, again: Travelled(source, again, lambda: guests.hour.now - 2 * SECOND)


@pytest.mark.parametrize("ends_with", ["resume", "pause", "undo"])
def test_somebody_touches_while_the_camera_is_opened(ends_with: str) -> None:
    """The first frames are older than the touch."""
    guests = Mixed(RING, lambda hour: table_of(script(), hour))
    slow(guests)
    begin(guests, "triple3", 2, chips_to_win=1)
    if ends_with == "undo":
        guests.do(is_move(triple3.Deal))
        guests.do(is_word("undo"))
    elif ends_with == "resume":
        paused_and_resumed(guests)
    else:
        guests.do(Go("menu"))
        guests.do(is_word("pause"))
    guests.wait(3.0)
    assert state_of(guests) == "found"
    if ends_with == "pause":
        guests.do(is_word("resume"))
    guests.wait(QUIET - 1.0)
    assert guests.app.view.match.state.grid == tops(script(), QUIET)
    guests.close()


def test_a_match_is_gone_on_with_and_resumed_while_the_camera_is_opened(tmp_path: Path) -> None:
    watched(script(), tmp_path / "journal").close()
    guests = Mixed(RING, lambda hour: table_of(script(), hour), journal=tmp_path / "journal")
    slow(guests)
    guests.do(lambda intent: isinstance(intent, GoOnWith))
    guests.do(is_word("resume"))
    guests.wait(QUIET + 2.0)
    assert guests.app.view.match.state.grid == tops(script(), QUIET)
    guests.close()


def test_an_eye_is_replaced_just_after_somebody_has_paused(monkeypatch: pytest.MonkeyPatch) -> None:
    guests = Mixed(RING, lambda hour: table_of(script(), hour))
    slow(guests)
    begin(guests, "triple3", 2, chips_to_win=1)
    guests.wait(LAID_OUT + 2.0)
    assert guests.camera
    assert guests.camera.eye
    paused_and_resumed(guests)
    with monkeypatch.context() as patched:
        patched.setattr(type(guests.camera.eye), "watch", lambda *_: 1 / 0)
        guests.wait(0.1)
    assert guests.app.view.notice is not None
    assert "I lost the thread" in guests.app.view.notice.sentence
    guests.wait(QUIET - LAID_OUT)
    assert guests.app.view.match.state.grid == tops(script(), QUIET)
    guests.close()


def test_a_bench_that_fails_keeps_nobody_from_playing(guests: Mixed, monkeypatch: pytest.MonkeyPatch) -> None:
    guests.wait(6.5)
    guests.do(Go("menu"))
    with monkeypatch.context() as patched:
        patched.setattr("companion.watch.bench.Bench.saw", lambda *_: 1 / 0)
        guests.wait(0.1)
    assert guests.app.view.notice is not None
    assert "I lost the thread" in guests.app.view.notice.sentence
    assert guests.screen == "menu"
    guests.wait(QUIET - 6.0)
    assert guests.app.view.match.state.grid == tops(script(), QUIET)
    monkeypatch.setattr("companion.watch.bench.Bench.saw", lambda *_: 1 / 0)
    guests.wait(1.0)
    assert state_of(guests) == "blind"
    guests.do(Go("table"))
    guests.do(is_move(triple3.Stop))
    guests.wait(1.0)
    assert guests.app.view.match.state.phase == "stopped"


def test_what_is_done_on_the_table_in_a_pause_is_ruled_on_afterwards(guests: Mixed) -> None:
    guests.wait(7.7)
    before = laid(guests)
    guests.do(Go("menu"))
    guests.do(lambda intent: isinstance(intent, Say) and intent.message.word == "pause")
    guests.wait(QUIET - 8.0)
    assert laid(guests) == before
    assert guests.app.view.match.paused is not None
    guests.do(lambda intent: isinstance(intent, Say) and intent.message.word == "resume")
    guests.wait(3.0)
    assert guests.app.view.match.state.grid == tops(script(), QUIET)


def test_what_is_done_on_the_table_while_a_correction_is_asked_is_ruled_on_afterwards(guests: Mixed) -> None:
    guests.wait(7.7)
    before = laid(guests)
    guests.app.take(Say(Correct(1, None, preview=True)), guests.hour.now)  # the deal: everything rests on it
    guests.wait(QUIET - 8.0)
    assert guests.screen == "question"
    assert laid(guests) == before
    guests.do(Back())
    guests.wait(3.0)
    assert guests.app.view.match.paused is None
    assert guests.app.view.match.state.grid == tops(script(), QUIET)


# --- Stop!


def pictures(scene: Scene) -> list[str]:
    return [item.file for item in scene.items if isinstance(item, Picture)]


def drawn(guests: Mixed) -> None:
    """The pictures of a dispute come a little later, whatever the test's clock says."""
    deadline = time.monotonic() + 20
    while not all(Path(file).exists() for file in pictures(guests.app.scene)):
        assert time.monotonic() < deadline
        assert guests.table
        assert guests.table.wakes_at is not None
        time.sleep(0.01)


def test_that_pictures_are_kept_is_shown_and_they_go_with_one_touch(guests: Mixed) -> None:
    guests.wait(QUIET)
    assert guests.app.view.sight.kept == 0
    guests.press(Key("stop"))
    drawn(guests)
    kept = [Path(file) for file in pictures(guests.app.scene)]
    guests.wait(0.1)
    assert guests.app.view.sight.kept >= len(kept)
    guests.do(Go("camera"))
    guests.do(ForgetPictures())
    guests.wait(0.1)
    assert guests.app.view.sight.kept == 0
    assert guests.app.view.sight.film is None
    assert not any(path.exists() for path in kept)
    assert guests.app.view.screen == "table"
    assert pictures(guests.app.scene) == []
    assert not [item for item in guests.app.scene.targets() if item.intent == Go("camera")]
    guests.do(is_move(GoOn))
    guests.wait(3.0)
    guests.press(Key("stop"))
    assert guests.app.view.sight.film is not None, "the next one has its pictures"


def test_a_dispute_from_the_button_to_go_on_with_slow_motion(guests: Mixed) -> None:
    guests.wait(QUIET)
    guests.press(Key("stop"))
    assert guests.app.view.match.state.phase == "stopped"
    assert len(pictures(guests.app.scene)) == 2
    drawn(guests)
    film = guests.app.view.sight.film
    assert film is not None
    assert 4 * SECOND < film.length <= 10 * SECOND
    assert sum(map(len, film.jpegs)) < 10_000_000
    guests.do(lambda intent: isinstance(intent, Run))
    moving = shown_film(guests)
    assert moving.clock.is_running
    first = moving.picture_at(now(guests))
    guests.wait(4.0)
    assert shown_film(guests).picture_at(now(guests)) - first in range(3, 16)  # a second of it, with 15 at the most
    guests.do(Run(KEY, on=False))
    stands = shown_film(guests).picture_at(now(guests))
    guests.wait(2.0)
    assert shown_film(guests).picture_at(now(guests)) == stands
    assert guests.app.scene.moves_at(now(guests)) is None
    for key, expected in ((".", stands + 1), (",", stands), (",", stands - 1), ("b", 0)):
        assert guests.hands.key(key, key, guests.hour.now)
        guests.wait(0.05)
        assert shown_film(guests).picture_at(now(guests)) == expected
    guests.wait(film.length * SLOWLY / SECOND + 1)
    assert shown_film(guests).picture_at(now(guests)) == len(film.stamps) - 1
    assert shown_film(guests).changes_at(now(guests)) is None
    guests.do(Mark(KEY))
    guests.do(Mark("play", 0))
    before = laid(guests)
    guests.do(says_who)
    assert guests.app.view.match.line[before_index(guests)].move.player in NAMES
    assert guests.app.view.marks["correction"].changes == ()
    guests.do(Mark("correction"))
    assert len(pictures(guests.app.scene)) == 2  # the moment is shown however long it is disputed
    drawn(guests)
    guests.app.take(Say(Undo()), guests.hour.now)
    guests.wait(0.1)
    assert guests.app.view.match.stands
    guests.do(lambda intent: isinstance(intent, Run))
    first = shown_film(guests).picture_at(now(guests))
    assert guests.app.scene.moves_at(now(guests)) is not None
    guests.wait(4.0)
    assert shown_film(guests).picture_at(now(guests)) - first in range(3, 16), "a film runs though table time stands"
    guests.do(Mark(KEY))
    guests.do(is_move(GoOn))
    assert guests.app.view.match.state.phase == "play"
    assert guests.app.view.sight.film is None
    assert laid(guests) == before
    guests.wait(3.0)
    assert not guests.app.view.sight.step.astray


def says_who(intent: Intent) -> bool:
    return isinstance(intent, Say) and isinstance(intent.message, Correct) and bool(intent.message.move)


def before_index(guests: Mixed) -> int:
    """Of the newest card in the line."""
    return max(at for at, done in enumerate(guests.app.view.match.line) if isinstance(done.move, Lay))


def now(guests: Mixed) -> int:
    return guests.hour.now


def shown_film(guests: Mixed) -> Moving:
    return next(item for item in guests.app.scene.items if isinstance(item, Moving))


def test_a_touch_on_the_table_is_a_claim_to_be_out(guests: Mixed) -> None:
    guests.wait(QUIET)
    guests.do(Mark("out", value=True))
    guests.do(Say(triple3.Out("Anna")))
    assert guests.app.view.notice is not None  # not with so many cards: the referee says so
    assert guests.app.view.notice.kind == "foul"
    assert guests.app.view.match.state.phase == "play"
