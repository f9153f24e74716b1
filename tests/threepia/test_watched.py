"""Matches of bots before the drawn camera, and a witness to whom it is told what was seen."""

import json
from pathlib import Path

import numpy as np
import pytest

from companion.core.clocks import SECOND
from companion.core.replies import FoulReply, RulingReply
from companion.games import part
from companion.games.threepia.fields import field
from companion.games.threepia.hands import write_script
from companion.games.threepia.rules import House, Lay, card_of, misfits
from companion.games.threepia.sight import identity
from companion.games.threepia.witness import LINGERS, Witness
from companion.watch.evidence import InStep, OutOfStep, PutRight, Statement
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import GameScripts
from tests.kept import companion, contents
from tests.threepia.scene import CARDS, CELLS, SEATS, STEP, Scene
from tests.threepia.symbol_deck import symbol_deck
from tests.threepia.watched import by_pixels, judged, watched
from vision.locate import TableView
from vision.mat import LATTICE
from vision.reader import Reader
from vision.sightings import CellNow, GridSeen, NoCard, TableSeen
from vision.watcher import Watcher


def test_a_match_by_pixels() -> None:
    """Four turns of everybody, with a card that does not fit, from the first frame to the last."""
    script = write_script(3, name="windmill", players=2, rounds=4, trouble={"illegal": 0.4}, rate=10.0)
    eye = Watcher(Reader(taught=symbol_deck()), mats=(LATTICE,))
    found = watched(script, by_pixels(script, eye), eye)
    tally = judged(found)
    assert tally.faults == []
    assert tally.laid == tally.read == tally.points == 8
    assert tally.called == tally.refused > 0
    assert list(found.match.state.scores) == script.about["scores"]
    assert [move.word for move in found.line[:2]] == ["deal", "begin"]


def test_bare_places_are_done_with_as_soon_as_a_hand_is_gone() -> None:
    """They are most of the lattice: to read each of them for half a second cost more than all the rest."""
    script = write_script(8, name="square", players=2, rounds=1, trouble={}, rate=10.0)
    eye, first = Watcher(Reader(taught=symbol_deck()), mats=(LATTICE,)), script.arms[0]
    for frame in SimulatedTable(script).frames():
        eye.watch(frame)
        if frame.stamp >= first.gone + 3 * STEP:
            break
    assert [cell.now for cell in eye.cells].count("clear") >= CELLS - 4


def test_a_script_goes_through_json() -> None:
    scripts = part("threepia", "hands", GameScripts)
    script = scripts.write(5)
    assert scripts.read(scripts.plain(script)) == script
    assert scripts.plays(script)


# --- told what was seen ------------------------------------------------------------------------------------------


def test_the_field_is_the_deal() -> None:
    scene = Scene().begin()
    assert scene.match.state.field == tuple(scene.field)
    assert scene.moves() == ["deal", "begin"]


@pytest.mark.parametrize(("name", "quarters"), [("fridge", 0), ("fridge", 1), ("worm", 1), ("worm", 3)])
def test_a_card_is_written_as_it_lies_in_the_field(name: str, quarters: int) -> None:
    """Whichever way round the field lies; one that looks the same turned by half is taken for the first of the two."""
    places = field(name).places
    scene = Scene(House(field=field(name), way="rounds"), quarters=quarters, at=(0, 0))
    cards = CARDS[: len(places)]
    for place, card in enumerate(cards):
        scene.put(place, card)
    scene.field = cards
    scene.begin()
    assert scene.match.state.field == tuple(cards)


def test_a_card_that_fits_ends_the_turn() -> None:
    scene = Scene().begin()
    card = scene.fitting(0)
    scene.lay(0, card, "bottom")
    assert scene.match.state.field[0] == card
    assert scene.match.state.turn == "Bob"
    ruling = next(one for one in scene.told if isinstance(one, RulingReply) and isinstance(one.move, Lay))
    assert ruling.move.player == "Ann"
    act = next(one for one in scene.acts if isinstance(one, Statement) and one.evidence)
    assert act.evidence is not None
    assert act.evidence.guess == "Ann"


def test_a_card_that_does_not_fit_is_called_and_taken_back() -> None:
    scene = Scene().begin()
    lies = scene.match.state.field[1]
    scene.lay(1, scene.fitting(1, fits=False))
    assert isinstance(scene.told[-1], FoulReply)
    assert scene.match.state.turn == "Ann"
    scene.lay(1, lies)
    put_right = [act for act in scene.acts if isinstance(act, PutRight)]
    assert [(act.cell, act.place) for act in put_right] == [(2, "B")]
    assert "is off B again" in put_right[0].sentence
    card = scene.fitting(1)
    scene.lay(1, card)
    assert scene.match.state.field[1] == card


def test_a_card_that_counts_and_is_taken_back_is_undone() -> None:
    scene = Scene().begin()
    lies = scene.match.state.field[2]
    scene.lay(2, scene.fitting(2))
    assert scene.match.state.turn == "Bob"
    scene.lay(2, lies)
    assert scene.match.state.turn == "Ann"
    assert scene.match.state.field[2] == lies
    card = scene.fitting(3)
    scene.lay(3, card)
    assert scene.match.state.field[3] == card


def test_a_clock_waits_for_hands_over_the_field() -> None:
    """But not for ever: a card that was laid in time counts, a hand that stays there holds nothing up."""
    scene = Scene().begin()
    scene.wait(1)
    assert scene.witness.watched_until(scene.now) == scene.now
    came, cell = scene.now, scene.cells[0][0]
    scene.state_of[cell] = CellNow("covered", came)
    scene.wait(1)
    assert scene.witness.watched_until(scene.now) == came
    scene.wait(5)
    assert scene.witness.watched_until(scene.now) == scene.now - LINGERS
    scene.state_of[cell] = CellNow("clear", scene.now)
    scene.wait(1)
    assert scene.witness.watched_until(scene.now) == scene.now


def test_another_field_is_said() -> None:
    scene = Scene()
    scene.looks[70] = scene.look("circle-red")
    view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
    scene.see(TableSeen(0, 0, view, moved=False), GridSeen(0, 0, tuple(scene.looks.values())))
    scene.wait(3)
    said = [act for act in scene.acts if isinstance(act, OutOfStep)]
    assert [act.code for act in said] == ["field-differs"]
    assert "17 symbols" in said[0].sentence
    bare = scene.look(None)
    scene.see(NoCard(scene.now, 0, 70, scene.looks[70], bare, scene.now))
    scene.wait(1)
    assert scene.moves() == ["deal"]
    assert any(isinstance(act, InStep) for act in scene.acts)


def test_a_card_that_its_player_puts_straight_is_the_same() -> None:
    """It lay askew and was read as another one, in two of its symbols; no turn passes."""
    scene = Scene().begin()
    lain = [str(card_of(card, turned)) for card in CARDS[4:] for turned in range(4)]
    fitting = [card for card in lain if not misfits(card_of(card), card_of(scene.field[0]))]
    wrong, right = next(
        (one, other)
        for one in fitting
        for other in fitting
        if identity(one) != identity(other)
        and not misfits(card_of(other), card_of(one))
        and sum(a == b for a, b in zip(one.split(), other.split(), strict=True)) == 2
    )
    scene.lay(0, wrong, "bottom")
    scene.lay(0, right, "bottom")
    assert scene.match.state.field[0] == right
    assert scene.match.state.turn == "Bob"
    assert scene.match.state.laid == 5


def test_four_symbols_that_are_no_card_of_the_deck_wait_until_it_lies_straight() -> None:
    """Two symbols are read wrongly: nothing is ruled on, and the turn ends when the card came to lie there."""
    scene = Scene().begin()
    card = scene.fitting(0)
    words = card.split()
    wrong = " ".join((*words[:2], *("cross-red" if word != "cross-red" else "circle-blue" for word in words[2:])))
    came = scene.now
    scene.lay(0, wrong, "bottom")
    assert scene.moves() == ["deal", "begin"]
    assert [act.code for act in scene.acts if isinstance(act, OutOfStep)] == ["unsure"]
    assert not any(isinstance(act, InStep) for act in scene.acts)
    scene.wait(2)
    scene.lay(0, card, "bottom")
    assert scene.match.state.field[0] == card
    assert scene.match.line[-1].move.at <= came + SECOND
    assert any(isinstance(act, InStep) for act in scene.acts)


def test_a_card_that_the_next_one_covers_at_once_is_told() -> None:
    """It lay still, and a hand was over another place meanwhile."""
    scene = Scene().begin()
    far = scene.cells[3][3]
    scene.state_of[far] = CellNow("covered", scene.now)
    one = scene.fitting(0)
    scene.lay(0, one, "bottom", waits=0.3)
    covered = scene.match.state.field[0]
    other = next(
        str(card_of(card, turned))
        for card in CARDS[4:]
        for turned in range(4)
        if identity(card) != identity(one) and not misfits(card_of(card, turned), card_of(one))
    )
    scene.state_of[far] = CellNow("clear", scene.now)
    scene.lay(0, other, "top")
    assert covered == scene.field[0], "it waited for the hand"
    assert [move.card for move in scene.line[-2:]] == [one, other]
    assert [move.player for move in scene.line[-2:]] == ["Ann", "Bob"]


def test_another_witness_goes_on_in_mid_match() -> None:
    scene = Scene().begin()
    scene.lay(0, scene.fitting(0))
    unseen = scene.fitting(1)
    scene.put(1, unseen)
    scene.witness = Witness(seats=SEATS, printed=CARDS)
    view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
    scene.see(TableSeen(scene.now, 0, view, moved=False), GridSeen(scene.now, 0, tuple(scene.looks.values())))
    scene.wait()
    assert scene.match.state.field[1] == unseen, "it was laid while nobody watched"
    scene.lay(2, scene.fitting(2))
    assert [done.move.word for done in scene.match.line] == ["deal", "begin", "lay", "lay", "lay"]


def test_a_recording_watched_again_gives_the_same_journal(tmp_path: Path) -> None:
    """By the command itself: the script is watched and recorded, the recording is watched."""
    script = write_script(5, name="square", players=2, rounds=1, trouble={}, rate=8.0)
    file = tmp_path / "script.json"
    file.write_text(json.dumps(part("threepia", "hands", GameScripts).plain(script)), encoding="utf-8")
    journals = [tmp_path / "one.sqlite3", tmp_path / "two.sqlite3"]
    folder = tmp_path / "recording"
    for source, journal, more in ((file, journals[0], ("--record", folder)), (folder, journals[1], ())):
        done = companion("watch", source, "--game", "threepia", "--json", "--journal", journal, *more)
        assert (done.returncode, done.stderr) == (0, "")
    one, two = (list(contents(journal)[0].values()) for journal in journals)
    assert one == two
    assert len(one[0]) > 3
