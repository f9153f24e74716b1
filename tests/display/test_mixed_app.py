"""Whole matches of all five games by a mixture of touches, simulated buttons and, at Triple³, the simulated camera."""

import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pygame
import pytest

from companion.core.clocks import MILLISECOND, SECOND
from companion.display.loop import Looks, Loop, open_window
from companion.display.scene import Mark, Say
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import CELLS, GoOn, Lay, Left, Stuck, is_legal
from hardware.panel import Key
from hardware.simulated import SimulatedContact
from simulator.rendered.script import Mishap
from tests.display import test_played, test_three_table, test_tres_table
from tests.display.camera import Mixed
from tests.display.test_watched_app import QUIET, RING, begin, is_move, laid, script, state_of, watched

MOST = 2_000  # touches in a match


def test_triple3_by_camera_touches_and_buttons(tmp_path: Path) -> None:
    made = script(Mishap("gone", 16 * SECOND, 40 * SECOND), rest=20)  # for good
    held = {name: list(cards) for name, cards in made.about["hands"].items()}
    with closing(watched(made, tmp_path / "journal")) as guests:
        guests.wait(QUIET)
        seen = laid(guests)
        assert len(seen) == 5
        guests.press(Key("stop"))
        guests.do(is_move(GoOn))
        for cards in held.values():
            cards[:] = [card for card in cards if card not in [card for _, card in seen]]
        guests.wait(4.0)
        assert state_of(guests) == "gone"
        lays_by_touch(guests, held)
        guests.press(Key("stop"))
        guests.do(is_move(GoOn))
        finish(guests, held)
        assert guests.screen == "result"
        assert guests.journal
        assert guests.journal.matches()[0].status == "over"
        assert guests.pressed >= 2
        assert guests.app.view.match.state.outcome is not None


def lays_by_touch(guests: Mixed, held: dict[str, list[str]]) -> None:
    """The cards that remain, all of one player first: who has none left is out."""
    for _ in range(MOST):
        state = guests.app.view.match.state
        ways = [
            (player, cell, card)
            for player, cards in held.items()
            for card in cards
            for cell in CELLS
            if is_legal(state.grid, cell, card)
        ]
        if not ways or not all(held.values()):
            return
        player, cell, card = min(ways, key=lambda way: (len(held[way[0]]), way))
        guests.do(Mark("cell", cell))
        colour = card.split("-", maxsplit=1)[0]
        if guests.app.view.marks.get("colour", "red") != colour:
            guests.do(Mark("colour", colour))
        guests.do(lambda intent, card=card: is_move(Lay)(intent) and intent.message.card == card)  # type: ignore[misc]
        held[player].remove(card)


def finish(guests: Mixed, held: dict[str, list[str]]) -> None:
    state = guests.app.view.match.state
    if state.phase == "play":
        player = next((name for name, cards in held.items() if not cards), "")
        if player:
            guests.do(Mark("out", value=True))
            guests.do(Say(triple3.Out(player)))
        else:
            guests.do(is_move(Stuck))
    while guests.app.view.match.state.phase == "count":
        guests.do(lambda i: is_move(Left)(i) and i.message.cards == len(held[i.message.player]))  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["three", "tres", "threepia", "triplexity"])
def test_the_other_games_by_touches_and_buttons(name: str, tmp_path: Path) -> None:
    chance = random.Random(f"{name}0")
    with closing(Mixed(RING, journal=tmp_path / "journal", seed=0)) as guests:
        play = BEGINS[name](guests, chance)
        for _ in range(MOST):
            if guests.screen == "result":
                break
            if name == "triplexity" and chance.random() < 0.3:
                guests.press(Key("strike", chance.randrange(4)))  # a button that means nothing in this game
                continue
            play()
        assert guests.app.view.match.state.outcome is not None
        assert guests.journal
        assert guests.journal.matches()[0].status == "over"
        assert guests.pressed >= 3


def three_begins(guests: Mixed, chance: random.Random) -> Callable[[], None]:
    begin(guests, "three", 3)
    guests.do(test_three_table.moves(guests, three.Begin)[1])
    return lambda: test_three_table.play(guests, chance, shown=False)


def tres_begins(guests: Mixed, chance: random.Random) -> Callable[[], None]:
    begin(guests, "tres", 2)
    test_tres_table.begin(guests, chance, shown=True)
    return lambda: test_tres_table.play(guests, chance, shown=True)


def threepia_begins(guests: Mixed, chance: random.Random) -> Callable[[], None]:
    begin(guests, "threepia", 3, way="stopwatch")
    guests.do(is_move(threepia.Deal))
    guests.do(is_move(threepia.Begin))
    return lambda: test_played.play_threepia(guests, chance)


def triplexity_begins(guests: Mixed, chance: random.Random) -> Callable[[], None]:
    begin(guests, "triplexity", 2)
    return lambda: test_played.play_triplexity(guests, chance)


BEGINS: dict[str, Callable[[Mixed, random.Random], Callable[[], None]]] = {
    "three": three_begins,
    "tres": tres_begins,
    "threepia": threepia_begins,
    "triplexity": triplexity_begins,
}


# --- in time


def test_a_press_shows_its_winner_within_two_frames() -> None:
    surface = open_window(Looks((800, 480)))
    guests = Mixed(RING, size=(800, 480))
    loop = Loop(guests.app, surface, guests.hour)
    begin(guests, "three", 3)
    guests.do(test_three_table.moves(guests, three.Begin)[1])
    guests.wait(1.0)
    loop.once(0)
    before, pressed = loop.painter.frames, guests.hour.now
    guests.panel.contact(SimulatedContact(pressed + 300_000, Key("strike", 2), is_down=True))
    guests.panel.contact(SimulatedContact(pressed, Key("strike", 1), is_down=True))
    while guests.app.view.match.state.phase != "struck":
        loop.once(0)  # awake at once, because a button was pressed, and then when there is something to do
        due = guests.app.wakes_at(guests.hour.now)
        assert due is not None
        if guests.app.view.match.state.phase != "struck":
            guests.hour.now = max(due, guests.hour.now + MILLISECOND)
    assert guests.app.view.match.state.caller == "Ben"
    assert guests.hour.now - pressed <= 2 * SECOND // 60
    assert loop.painter.frames - before == 1
    guests.close()
    pygame.display.quit()
