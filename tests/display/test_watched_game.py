"""Threepia at a display with a camera, by touches and in travelled time: seen, said and put right it is one match."""

import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import cv2
import pytest

from companion.core.clocks import SECOND
from companion.core.entry import STOP
from companion.core.house import house_as_kept
from companion.core.match import COLOURS, Player
from companion.core.record import read_move
from companion.core.requests import Pause, Resume
from companion.display.laid_mat import LOOKS
from companion.display.layout import Size
from companion.display.scene import ChangeTo, Go, Intent, Mark, Picture, Run, Say, Start, Text
from companion.display.view import Draft
from companion.games import game, part
from companion.games.threepia import rules as threepia
from companion.games.threepia.hands import write_script
from companion.games.threepia.symbols_screen import KEY
from companion.games.triple3.hands import write_script as write_script_of_triple3
from companion.watch.messages import Really
from hardware.wiring import Seat, Wiring
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import GameScripts, Mishap, Script
from tests.display.camera import Mixed
from tests.display.table import Hour
from vision.frames import Source

RING = Wiring(seats=tuple(Seat(button=pin, light=pin + 8, keys={"turn": pin + 12}) for pin in (4, 5)))
OUT, PLAYED, REFUSED, TAKEN_BACK = 3.2, 8.7, 10.9, 13.0  # seconds: it is laid out, two cards lie, a third is called


def script(*mishaps: Mishap) -> Script:
    """Ben lays on D, Anna on B; Ben's next card does not fit on D, and he takes it back."""
    made = write_script(6, players=2, name="square", rounds=4, pace=0.4, trouble={"illegal": 0.35})
    return replace(made, size=(960, 540), rate=6.0, mishaps=mishaps)


class Table(Mixed):
    """Anna and Ben before the drawn camera; frames come when the clock has reached them."""

    def __init__(self, made: Script, size: Size = (800, 480)) -> None:
        table: list[SimulatedTable] = []

        def opened(hour: Hour) -> Callable[[], Source]:
            def again() -> Source:
                if not table or table[-1]._closed:
                    table.append(SimulatedTable(made, start=hour.now))
                return table[-1]

            return again

        super().__init__(RING, opened, size=size)
        self.began = self.hour.now

    def begin(self, made: Script, **house: Any) -> None:
        self.do(Go("players", "threepia"))
        people = tuple(Player(name, colour) for name, colour in zip(("Anna", "Ben"), COLOURS, strict=False))
        found = replace(house_as_kept(game("threepia"), made.about["house"]), cards="seen", **house)
        self.app.take(ChangeTo(Draft("threepia", people, found), Start()), self.hour.now)
        self.began = self.hour.now

    def until(self, second: float) -> None:
        self.wait(second - (self.hour.now - self.began) / SECOND)

    @property
    def state(self) -> threepia.State:
        found: threepia.State = self.app.view.match.state
        return found

    @property
    def said(self) -> str:
        found = (item.text if isinstance(item, Text) else getattr(item, "label", "") for item in self.app.scene.all())
        return " | ".join(filter(None, found))


def is_message(*kinds: type) -> Callable[[Intent], bool]:
    return lambda intent: isinstance(intent, Say) and isinstance(intent.message, kinds)


@pytest.fixture
def table() -> Iterator[Table]:
    made = script()
    with closing(Table(made)) as found:
        found.begin(made)
        yield found


def laid(table: Table) -> list[tuple[str, str]]:
    return [
        (move.player, move.place) for done in table.app.view.match.line if isinstance(move := done.move, threepia.Lay)
    ]


def drawn(table: Table) -> list[list[Any]]:
    """The pictures of the last plays."""
    drawn_files(table)
    told = table.app.view.marks["dispute"]
    found = [[cv2.imread(file) for file in play.pictures] for play in told.plays]
    assert not (found[0][0] == found[1][0]).all(), "each is of its own play"
    return found


def drawn_files(table: Table) -> list[Path]:
    """When they are there."""
    told = table.app.view.marks["dispute"]
    files = [Path(told.page), *(Path(file) for play in told.plays for file in play.pictures)]
    late = time.monotonic() + 30
    while not all(file.exists() for file in files):
        assert time.monotonic() < late, "they are drawn in a thread"
        table.wait(0.1)
    return files


def test_it_is_seen_stopped_put_right_and_gone_on_with(table: Table) -> None:
    table.until(OUT)
    assert table.state.phase == "ready"
    assert table.app.scene.is_live
    assert any(isinstance(item, Picture) and item.still for item in table.app.scene.items)
    table.do(Say(threepia.Begin("Ben")))
    table.until(PLAYED)
    assert laid(table) == [("Ben", "D"), ("Anna", "B")]
    assert table.state.scores == (5, 5)
    assert "Seen, sure to 99 %." in table.said
    table.until(REFUSED)
    assert "Ben cannot lay" in table.said
    [picture] = [item for item in table.app.scene.items if isinstance(item, Picture)]
    assert len(picture.outlines) == 4, "its four places are marked"

    table.do(Say(Pause(STOP)))
    assert "D · Ben | Not allowed" in table.said
    assert table.app.view.sight.film is not None
    assert any(isinstance(item.intent, Run) for item in table.app.scene.targets()), "the moment again"
    pictures = drawn(table)
    assert [len(one) for one in pictures] == [2, 2, 2], "the table from above, and how it was laid"
    table.do(Mark("grid", value=True))
    assert table.state.turn == "Ben"
    table.do(Mark("grid"))
    table.do(Mark("play", 1))
    table.do(is_message(Really))
    assert "5 → 4" in table.said
    table.do(is_message(Really))
    table.wait(0.3)
    assert table.state.scores == (4, 5)
    assert "What changed" in table.said
    table.do(is_message(Resume))
    assert table.app.view.match.paused is None
    assert table.app.view.screen == "table"


def test_a_card_that_was_called_is_really_another_one_that_fits(table: Table) -> None:
    table.until(OUT)
    table.do(Say(threepia.Begin("Ben")))
    table.until(REFUSED)
    table.do(Say(Pause(STOP)))
    table.do(Mark("play", 0))
    table.do(is_message(Really))
    assert len(laid(table)) == 2, "as long as the match stands still no card is laid"
    table.do(is_message(Resume))
    table.wait(0.4)
    assert laid(table)[2] == ("Ben", "D")
    assert table.state.turn == "Anna"


def test_a_camera_that_goes_is_typed_for_and_comes_back() -> None:
    made = script(Mishap("gone", round(8.8 * SECOND), round(12.5 * SECOND)))
    with closing(Table(made)) as table:
        table.begin(made)
        table.until(OUT)
        table.do(Say(threepia.Begin("Ben")))
        table.until(9.6)
        assert "is gone" in table.said
        card = table.state.field[0]
        table.do(Mark("typed", value=True))
        table.do(Mark("place", "A"))
        for number in range(4):
            symbols = tuple(card.split()[: number + 1])
            table.do(Mark(KEY, symbols))
        table.do(is_message(threepia.Lay))
        assert laid(table)[2] == ("Ben", "A")
        assert table.state.turn == "Anna"
        table.until(13.4)
        assert not table.app.view.sight.step.astray
        assert table.state.field == tuple(seen_now(table))


def seen_now(table: Table) -> Iterator[str]:
    """The cards of the field, as they are read on the mat."""
    read = {place.cell: place.card for place in table.app.view.sight.places}
    cells = [cell for cell, card in read.items() if card]
    columns = sorted({(cell - 1) % 7 for cell in cells})
    lines = sorted({(cell - 1) // 7 for cell in cells})
    at = {(x, y): read[lines[y] * 7 + columns[x] + 1] for x in range(4) for y in range(4)}
    for x, y in ((0, 0), (2, 0), (0, 2), (2, 2)):
        yield f"{at[x, y]} {at[x + 1, y]} {at[x, y + 1]} {at[x + 1, y + 1]}"


def test_a_field_that_was_dealt_by_touch_is_shown_with_the_deal(table: Table) -> None:
    table.do(is_message(threepia.Deal))
    assert not table.state.is_seen
    table.until(OUT)
    assert table.state.is_seen
    assert table.state.phase == "ready"
    table.do(Say(threepia.Begin("Ben")))
    table.until(PLAYED)
    assert laid(table) == [("Ben", "D"), ("Anna", "B")]


OF_TRIPLE3 = replace(write_script_of_triple3(3, players=2, plays=1, trouble={}), size=(640, 360), rate=5.0)


def found(table: Table) -> None:
    """What is read is loaded before the test's time goes on, of one game and then perhaps of another."""
    assert table.camera is not None
    for _ in range(6):
        table.app.attend(table.hour.now)
        table.camera.wait()
        table.wait(0.5)


def seen_by(table: Table) -> str:
    return table.app.view.sight.state


def test_the_mat_of_another_game_is_said() -> None:
    with closing(Table(OF_TRIPLE3)) as table:
        table.begin(script())
        table.wait(2.0)
        assert "This is the mat of Triple³." in table.said


def test_where_games_are_chosen_the_mat_that_is_laid_leads_to_its_game() -> None:
    made = script()
    with closing(Table(made)) as table:
        found(table)
        assert table.app.view.sight.mat == "lattice"
        assert "This is the mat of Threepia." in table.said
        table.do(Go("players", "threepia"))
        assert table.app.view.draft.game == "threepia"


def test_the_camera_is_shut_when_nobody_chooses_a_game_for_a_minute() -> None:
    with closing(Table(OF_TRIPLE3)) as table:
        found(table)
        assert seen_by(table) == "found"
        assert table.app.wakes_at(table.hour.now) is not None
        table.hour.now += LOOKS
        table.app.attend(table.hour.now)
        table.app.attend(table.hour.now)
        assert seen_by(table) == "off"


def test_a_set_up_for_another_game_than_that_of_the_mat_says_so() -> None:
    with closing(Table(OF_TRIPLE3)) as table:
        table.do(Go("players", "threepia"))
        found(table)
        assert "This is the mat of Triple³." in table.said
        table.do(Go("players", "triple3"))
        found(table)
        assert "This is the mat of Triple³." not in table.said
        assert table.app.view.sight.state == "found"


def test_the_camera_s_screen_leads_to_the_game_whose_mat_lies_there() -> None:
    made = script()
    with closing(Table(made)) as table:
        table.do(Go("settings"))
        table.do(Go("camera"))
        found(table)
        assert table.app.view.sight.state == "found"
        assert any(isinstance(item, Picture) and len(item.outlines) == 16 for item in table.app.scene.items)
        table.do(Go("players", "threepia"))
        assert table.app.view.screen == "players"


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seconds"), [("tres", 14.0), ("triplexity", 9.0), ("three", 11.0)])
def test_other_games_are_watched_beside_their_tables_too(name: str, seconds: float) -> None:
    made = replace(part(name, "hands", GameScripts).write(3), size=(960, 540), rate=6.0)
    house = house_as_kept(game(name), made.about["house"])
    with closing(Table(made)) as table:
        people = tuple(Player(one, colour) for one, colour in zip(made.about["players"], COLOURS, strict=False))
        seen = replace(house, cards="seen") if "cards" in vars_of(house) else house
        table.app.take(ChangeTo(Draft(name, people, seen), Start()), table.hour.now)
        table.began = table.hour.now
        for line in [*made.said, None]:
            at = line.at / SECOND if line else seconds
            table.until(min(at, seconds))
            if line is None or at > seconds:
                break
            table.app.take(Say(read_move(game(name), line.message)), table.hour.now)
        assert table.app.view.sight.state == "found"
        table.do(Say(Pause(STOP)))
        told = table.app.view.marks["dispute"]
        assert any(play.evidence for play in told.plays), "something was seen and ruled on"
        assert len(drawn_files(table)) >= 2


def vars_of(house: object) -> set[str]:
    return {field.name for field in fields(house)}  # type: ignore[arg-type]
