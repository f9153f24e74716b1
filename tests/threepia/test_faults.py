"""Faults in mid-match, told to the bench as the eye tells them: said where people must do something, recovered from,
and the match intact."""

from collections.abc import Callable

import numpy as np
import pytest

from companion.core.requests import Correct, Pause, Resume, Undo
from companion.games.threepia.rules import GAME, Draw, Lay
from companion.watch.messages import OutOfStepReply
from tests.threepia.scene import CELLS, STEP, WatchedScene
from vision.locate import TableView
from vision.mat import LATTICE
from vision.sightings import CannotRead, CellNow, HandsSeen, NoCard, TableLost, TableSeen, Trouble, TroubleOver

Fault = Callable[[WatchedScene], None]
PILE = CELLS + 1


def begun() -> WatchedScene:
    """Behind two cards, with Ann's turn."""
    scene = WatchedScene()
    scene.begin()
    scene.lay(0, scene.fitting(0), "bottom")
    scene.lay(1, scene.fitting(1), "top")
    assert scene.match.state.turn == "Ann"
    return scene


def table_seen(scene: WatchedScene, *, moved: bool = False) -> TableSeen:
    view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
    return TableSeen(scene.now, 0, view, moved)


def lost(scene: WatchedScene) -> None:
    scene.see(TableLost(scene.now, 0, "The mat is gone."))
    scene.wait(1)
    scene.see(table_seen(scene))


def lost_for_long(scene: WatchedScene) -> None:
    scene.see(TableLost(scene.now, 0, "The mat is gone."))
    scene.wait(20)
    scene.see(table_seen(scene))


def moved(scene: WatchedScene) -> None:
    scene.see(table_seen(scene, moved=True))


def moved_with_the_pile(scene: WatchedScene) -> None:
    scene.see(table_seen(scene, moved=True), HandsSeen(scene.now, 0, PILE, scene.now - 5 * STEP, scene.now, (), 0.3))
    scene.lay(2, scene.fitting(2), "bottom")
    scene.say(Undo(at=scene.now))
    scene.taken_back(2)


def trouble(code: str) -> Fault:
    def befalls(scene: WatchedScene) -> None:
        scene.see(Trouble(scene.now, 0, code, "Something is wrong."))
        scene.wait(3)
        scene.see(TroubleOver(scene.now, 0, code))

    return befalls


def camera_gone(scene: WatchedScene) -> None:
    scene.told += scene.bench.gone(scene.now, "The camera is gone.")
    scene.now += 50 * STEP
    scene.told += scene.bench.back(scene.now)


def camera_gone_and_typed_on(scene: WatchedScene) -> None:
    """Two turns are typed, and what is typed is laid."""
    scene.told += scene.bench.gone(scene.now, "The camera is gone.")
    for player, place in (("Ann", 0), ("Bob", 1)):
        card = scene.fitting(place)
        scene.now += 20 * STEP
        scene.say(Lay(player, "ABCD"[place], card))
        scene.put(place, card)
        scene.laid.append(card)
    scene.now += 20 * STEP
    scene.told += scene.bench.back(scene.now)


def camera_gone_and_played_on(scene: WatchedScene) -> None:
    """A card is laid that nobody saw come; its player says whose it is."""
    scene.told += scene.bench.gone(scene.now, "The camera is gone.")
    card = scene.fitting(2)
    scene.put(2, card)
    scene.laid.append(card)
    scene.now += 50 * STEP
    scene.told += scene.bench.back(scene.now)
    scene.wait(2)
    scene.say(Lay("Ann"))
    scene.lay(3, scene.fitting(3), "top")


def another_witness(scene: WatchedScene) -> None:
    scene.bench._witness = scene.bench._another_witness()
    scene.eye.look_again()


def another_witness_in_a_turn(scene: WatchedScene) -> None:
    another_witness(scene)
    scene.wait(0.3)
    scene.lay(2, scene.fitting(2), "bottom")
    another_witness(scene)
    scene.wait(0.3)
    scene.lay(3, scene.fitting(3), "top")


def witness_fails(scene: WatchedScene) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    scene.bench._witness.take = fail  # type: ignore
    scene.see()
    scene.see(table_seen(scene))


def pause(scene: WatchedScene) -> None:
    scene.say(Pause("tea", at=scene.now))
    scene.wait(2)
    scene.say(Resume(at=scene.now))


def undone_and_laid_again(scene: WatchedScene) -> None:
    newest = scene.match.state.field[1]
    scene.say(Undo(at=scene.now))
    scene.wait(0.5)
    scene.lay(1, scene.field[1], "top")
    scene.lay(1, newest, "top")


def corrected_and_back(scene: WatchedScene) -> None:
    number, was = len(scene.match.line), scene.match.line[-1].move
    put = {"move": "lay", "player": "Bob", "place": "B", "card": scene.fitting(1)}
    scene.say(Correct(number, put, at=scene.now))
    scene.wait(0.5)
    scene.say(Correct(number, {**put, "card": was.card}, at=scene.now))


def face_down(scene: WatchedScene) -> None:
    """A card is laid that shows no symbols, and taken off."""
    for cell in scene.cells[2]:
        other = scene.look(None)
        scene.see(NoCard(scene.now, 0, cell, scene.looks[cell], other, scene.now))
    scene.wait(3)
    for cell in scene.cells[2]:
        back = scene.looks[cell]
        scene.see(scene.changed(cell, scene.look(None), back, scene.now - STEP, "bottom"))


def cannot_read(scene: WatchedScene) -> None:
    """A piece of a third colour lies on a place; then it is off."""
    cell = scene.cells[2][0]
    scene.state_of[cell] = CellNow("unreadable", scene.now)
    scene.see(CannotRead(scene.now, 0, cell, "something bright or dark hides it", ()))
    scene.wait(2)
    scene.state_of[cell] = CellNow("clear", scene.now)


def pile_knocked_over(scene: WatchedScene) -> None:
    """Its cards lie otherwise, and nobody's arm is known: whose the next card is was as before."""
    scene.see(HandsSeen(scene.now, 0, PILE, scene.now - 9 * STEP, scene.now, (), 0.9))
    scene.lay(2, scene.fitting(2), "bottom")
    scene.lay(3, scene.fitting(3), "top")


def hand_stays_at_the_pile(scene: WatchedScene) -> None:
    scene.state_of[PILE] = CellNow("covered", scene.now)
    since = scene.now
    scene.wait(10)
    scene.state_of[PILE] = CellNow("clear", scene.now)
    scene.see(HandsSeen(scene.now, 0, PILE, since, scene.now, ("left",), 0.0))


def hands_over_everything(scene: WatchedScene) -> None:
    for cell in range(1, CELLS + 1):
        scene.state_of[cell] = CellNow("covered", scene.now)
    scene.wait(6)
    for cell in range(1, CELLS + 1):
        scene.state_of[cell] = CellNow("clear", scene.now)


def flickers(scene: WatchedScene) -> None:
    for at in range(20):
        for cell in range(1, CELLS + 1):
            scene.state_of[cell] = CellNow(("clear", "changed")[(at + cell) % 2], scene.now)
        scene.see()
    for cell in range(1, CELLS + 1):
        scene.state_of[cell] = CellNow("clear", scene.now)


def does_not_fit_and_is_taken_back(scene: WatchedScene) -> None:
    lies = scene.match.state.field[2]
    scene.lay(2, scene.fitting(2, fits=False), "bottom")
    scene.lay(2, lies, "bottom")


def laid_and_taken_back(scene: WatchedScene) -> None:
    lies = scene.match.state.field[2]
    scene.lay(2, scene.fitting(2), "bottom")
    scene.lay(2, lies, "bottom")


def out_of_turn(scene: WatchedScene) -> None:
    """Bob lays once more; Ann says that it was not hers, and it is taken back."""
    lies = scene.match.state.field[2]
    scene.lay(2, scene.fitting(2), "top")
    scene.wait(3)
    scene.lay(2, lies, "top")


def drawn_and_undone(scene: WatchedScene) -> None:
    scene.say(Draw("Ann", at=scene.now))
    scene.wait(0.5)
    scene.say(Undo(at=scene.now))


FAULTS: dict[str, Fault] = {
    "the mat is lost": lost,
    "the mat is lost for long": lost_for_long,
    "the mat is moved": moved,
    "the mat is moved under a hand at the pile": moved_with_the_pile,
    **{f"trouble: {code}": trouble(code) for code in ("dark", "frozen", "backwards", "size", "covered")},
    "the camera is gone": camera_gone,
    "the camera is gone, and turns are typed": camera_gone_and_typed_on,
    "the camera is gone, and a card is laid": camera_gone_and_played_on,
    "another witness": another_witness,
    "another witness in a turn": another_witness_in_a_turn,
    "the witness fails": witness_fails,
    "a pause": pause,
    "undone and laid again": undone_and_laid_again,
    "corrected and back": corrected_and_back,
    "a card face down": face_down,
    "a piece that is no card": cannot_read,
    "the pile knocked over": pile_knocked_over,
    "a hand that stays at the pile": hand_stays_at_the_pile,
    "hands over everything": hands_over_everything,
    "light that flickers": flickers,
    "a card that does not fit": does_not_fit_and_is_taken_back,
    "a card that is taken back": laid_and_taken_back,
    "a card out of turn": out_of_turn,
    "a draw that was none": drawn_and_undone,
}
SAID = {
    "the mat is lost",
    "the mat is lost for long",
    "the camera is gone",
    "the camera is gone, and turns are typed",
    "the camera is gone, and a card is laid",
    "a card face down",
    "a piece that is no card",
    "a card out of turn",
    *(name for name in FAULTS if name.startswith("trouble")),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_match_goes_on_behind_a_fault(name: str) -> None:
    scene = begun()
    before = len(scene.told)
    FAULTS[name](scene)
    scene.wait(1.5)
    said = [one for one in scene.told[before:] if isinstance(one, OutOfStepReply)]
    assert bool(said) is (name in SAID), said
    assert all(one.sentence.endswith(".") and one.way_back.endswith(".") for one in said)
    assert scene.open == set()
    assert (scene.match.state.turn, scene.match.state.phase) == ("Ann", "turn")
    card = scene.fitting(2)
    scene.lay(2, card, "bottom")
    newest = scene.match.line[-1].move
    assert (newest.word, newest.player, newest.place, newest.card) == ("lay", "Ann", "C", card)
    state = scene.match.start.state
    for done in scene.match.line:
        state = GAME.rule(state, done.move).state
    assert state == scene.match.state
