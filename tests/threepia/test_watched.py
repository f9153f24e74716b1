"""Matches of bots before the drawn camera, and a witness to whom it is told what was seen."""

from typing import Any

import numpy as np
import pytest

from companion.core.clocks import SECOND
from companion.core.match import set_up
from companion.core.referee import Referee
from companion.core.replies import FoulReply, Reply, RulingReply
from companion.core.requests import MoveMessage
from companion.games import game, part
from companion.games.threepia.fields import field
from companion.games.threepia.hands import write_script
from companion.games.threepia.lattice import LaidField
from companion.games.threepia.paper import PAPER
from companion.games.threepia.rules import Begin, Draw, House, Lay, card_of, misfits
from companion.games.threepia.sight import identity
from companion.games.threepia.witness import LINGERS, Witness
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.watch.evidence import Act, InStep, Noticed, OutOfStep, PutRight, Statement
from simulator.rendered.rendered_table import SimulatedTable
from simulator.rendered.script import GameScripts
from tests.threepia.symbol_deck import symbol_deck
from tests.threepia.watched import by_pixels, judged, watched
from vision.locate import TableView
from vision.mat import LATTICE
from vision.reader import Reader
from vision.sightings import CardSeen, CellNow, GridSeen, HandsSeen, Look, NoCard, Sighting, TableSeen
from vision.watcher import Watcher

CELLS = len(LATTICE.places)
SQUARE = np.zeros((1, 1, 3), np.uint8)
CARDS = list(PAPER.cards)
SEATS = {"bottom": "Ann", "top": "Bob"}
STEP = SECOND // 10


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


# --- told what was seen --------------------------------------------------------------------------------------------


class Scene:
    """A table whose every deed is known, told to the witness as a watcher would."""

    def __init__(self, house: House | None = None, *, quarters: int = 0, at: tuple[int, int] = (1, 2)) -> None:
        self.house = house or House(field=field("square"), way="rounds", rounds=5)
        lies = LaidField(self.house.field, LATTICE.shape, quarters, *at)
        self.cells = lies.cells
        setup = set_up(game("threepia"), ("Ann", "Bob"), self.house)
        self.session = sit_down(Referee.begin(setup, 0, None), None, PlainTable).session
        self.witness = Witness(seats=SEATS, printed=CARDS)
        self.now = 0
        self.told: list[Reply] = []
        self.acts: list[Act] = []
        self.looks = {cell: self.look(None) for cell in range(1, CELLS + 1)}
        self.state_of = {cell: CellNow("clear", 0) for cell in range(1, CELLS + 2)}
        self.field, self.laid = CARDS[:4], list[str]()
        for place, card in enumerate(self.field):
            self.put(place, card)

    def look(self, symbol: str | None, sure: float = 0.99) -> Look:
        return Look(self.now, 0, symbol, "card" if symbol else "empty", sure, SQUARE)

    def put(self, place: int, card: str) -> list[tuple[int, Look]]:
        before = []
        for cell, symbol in zip(self.cells[place], card.split(), strict=True):
            before.append((cell, self.looks[cell]))
            self.looks[cell] = self.look(symbol)
        return before

    @property
    def match(self):  # type: ignore[no-untyped-def]
        return self.session.referee.match

    def begin(self) -> "Scene":
        view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
        self.see(TableSeen(self.now, 0, view, moved=False), GridSeen(self.now, 0, tuple(self.looks.values())))
        self.say(Begin("Ann", at=self.now))
        return self

    def say(self, move: Begin | Draw) -> None:
        self.told += self.session.replies(MoveMessage(move, self.now, ""))
        self.witness.not_before(self.now)

    def see(self, *sightings: Sighting) -> None:
        self.now += STEP
        self._done(self.witness.take(sightings, list(self.state_of.values()), self.now, self.match))

    def _done(self, acts: list[Act]) -> None:
        for act in acts:
            self.acts.append(act)
            if isinstance(act, Statement):
                replies = list(self.session.replies(act.message))
                self.told += replies
                self._done(self.witness.told(act, replies))

    def wait(self, seconds: float = 1.5) -> None:
        for _ in range(round(seconds / 0.1)):
            self.see()

    def lay(self, place: int, card: str, side: str = "", *, waits: float = 1.5) -> None:
        """A card comes to lie on a place of the field, counted from 0."""
        since = self.now
        self.laid.append(card)
        self.now += SECOND // 2
        before = self.put(place, card)
        seen = [
            CardSeen(self.now, 0, cell, old, self.looks[cell], since, (side,) if side else (), self.now)  # type: ignore[arg-type]
            for cell, old in before
            if old.card != self.looks[cell].card
        ]
        self.see(*seen)
        self.wait(waits)

    def changed(self, cell: int, before: Look, after: Look, since: int, side: str) -> CardSeen:
        return CardSeen(self.now, 0, cell, before, after, since, (side,), self.now)  # type: ignore[arg-type]

    def at_the_pile(self, side: str, *, otherwise: float = 0.3) -> None:
        """`otherwise`: how much of the pile looks different then."""
        arms = (side,) if side else ()
        self.see(HandsSeen(self.now, 0, CELLS + 1, self.now - SECOND // 2, self.now, arms, otherwise))  # type: ignore[arg-type]
        self.wait()

    def asked(self) -> list[str]:
        return [act.sentence for act in self.acts if isinstance(act, OutOfStep) and act.code == "whose-turn"]

    def fitting(self, place: int, *, fits: bool = True) -> str:
        lies = self.match.state.field[place]
        used = {identity(one) for one in (*self.field, *self.laid)}
        return next(
            str(card_of(card, turned))
            for card in CARDS[4:]
            for turned in range(4)
            if identity(card) not in used
            and bool(misfits(card_of(card, turned), card_of(lies), triangle_fits=self.house.triangle_fits)) is not fits
        )

    @property
    def line(self) -> list[Any]:
        return [done.move for done in self.match.line]

    def press(self, player: str) -> bool:
        """The turn button; whether it is of what is seen."""
        acts = self.witness.said_move(Lay(player), self.now, self.match)
        self._done(acts or [])
        self.wait(0.5)
        return bool(acts)

    def moves(self, kind: type[Reply] = RulingReply) -> list[str]:
        return [one.move.word for one in self.told if isinstance(one, kind) and isinstance(one, RulingReply)]


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


def test_hands_at_the_pile_draw_for_whoever_has_the_turn() -> None:
    scene = Scene().begin()
    scene.at_the_pile("bottom")
    assert scene.moves()[-1] == "draw"
    assert scene.match.state.turn == "Bob"
    scene.at_the_pile("bottom", otherwise=0.0)
    assert scene.match.state.turn == "Bob", "it is not Ann's turn"
    scene.lay(0, scene.fitting(0), "top")
    assert scene.match.line[-1].move.player == "Bob"
    assert any(isinstance(act, Noticed) and act.code == "at-the-pile" for act in scene.acts)


def test_whoever_has_played_out_the_hand_draws_three_and_no_turn() -> None:
    scene = Scene().begin()
    for _ in range(5):
        scene.lay(0, scene.fitting(0))
    assert scene.match.state.turn == "Bob"
    assert scene.match.state.hands == (3, 1)
    scene.at_the_pile("bottom")
    assert scene.match.state.turn == "Bob"
    scene.at_the_pile("top")
    assert scene.moves()[-1] == "draw"


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
    """It lay askew and was read as another one; no turn passes."""
    scene = Scene().begin()
    wrong, right = scene.fitting(0), ""
    scene.lay(0, wrong, "bottom")
    right = next(
        card
        for card in (str(card_of(card, turned)) for card in CARDS[4:] for turned in range(4))
        if identity(card) != identity(wrong)
        and not misfits(card_of(card), card_of(scene.field[0]))
        and not misfits(card_of(card), card_of(wrong))
    )
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


def test_a_draw_that_was_not_told_from_another_hand_at_the_pile() -> None:
    """Ann's hand and somebody's were at the pile at once, and one was seen: Bob lays, so Ann has drawn."""
    scene = Scene().begin()
    scene.at_the_pile("left")
    assert scene.match.state.turn == "Ann"
    scene.lay(0, scene.fitting(0), "top")
    assert [(move.word, move.player) for move in scene.line[-2:]] == [("draw", "Ann"), ("lay", "Bob")]


def test_something_at_the_pile_that_takes_nothing_is_no_draw() -> None:
    """Nor a ruling on anything: whoever lays next has the turn."""
    scene = Scene().begin()
    scene.at_the_pile("", otherwise=0.0)
    scene.at_the_pile("bottom", otherwise=0.0)
    assert scene.moves()[-1] == "begin"
    scene.lay(0, scene.fitting(0), "bottom")
    assert scene.moves()[-1] == "lay"
    assert scene.match.line[-1].move.player == "Ann"


def test_a_hand_at_the_pile_is_told_when_it_shows_whose_the_next_card_is() -> None:
    """Where the pile looks as before, or nobody saw how it looks, it may have been Ann's turn or not."""
    scene = Scene().begin()
    scene.at_the_pile("bottom", otherwise=-1.0)
    assert scene.moves()[-1] == "begin"
    scene.lay(0, scene.fitting(0), "top")
    assert scene.moves()[-2:] == ["draw", "lay"]
    assert [move.player for move in scene.line[-2:]] == ["Ann", "Bob"]


def test_two_draws_after_each_other() -> None:
    scene = Scene().begin()
    scene.at_the_pile("bottom")
    scene.at_the_pile("top")
    assert [(move.word, move.player) for move in scene.line[-2:]] == [("draw", "Ann"), ("draw", "Bob")]


def test_a_hand_that_was_taken_for_anothers_at_the_pile_draws_nothing() -> None:
    """Ann, who has played out her hand, takes three cards while Bob reaches across: his arm is made out, and hers is
    not. What is told of it waits for the next cards, and Bob's own is his."""
    scene = Scene().begin()
    for at in range(5):
        scene.lay(0, scene.fitting(0), ("bottom", "top")[at % 2])
    assert scene.match.state.turn == "Bob"
    scene.at_the_pile("top")
    assert scene.moves()[-1] == "lay"
    scene.lay(1, scene.fitting(1), "")
    scene.lay(2, scene.fitting(2), "bottom")
    assert [(move.word, move.player) for move in scene.line[-2:]] == [("lay", "Bob"), ("lay", "Ann")]


def test_the_turn_button_waits_for_the_card_under_the_hand() -> None:
    scene = Scene().begin()
    assert scene.witness.said_move(Lay("Ann"), scene.now, scene.match) is None, "nothing was laid"
    cell = scene.cells[0][0]
    seen = CardSeen(scene.now, 0, cell, scene.looks[cell], scene.look("circle-red"), scene.now, (), scene.now)
    scene.state_of[cell] = CellNow("covered", scene.now)
    scene.see(seen)
    assert scene.witness.said_move(Lay("Ann"), scene.now, scene.match)


def test_an_arm_beside_a_turn_that_does_not_fit_it_is_asked() -> None:
    """It may be Ann's card all the same, or nobody saw her draw: nothing is told before somebody says so."""
    scene = Scene().begin()
    card = scene.fitting(0)
    scene.lay(0, card, "top")
    assert scene.moves()[-1] == "begin"
    assert scene.asked() == []
    scene.wait(2.5)
    assert len(scene.asked()) == 1
    assert "Ann" in scene.asked()[0]
    assert not scene.press("Cleo"), "nobody of that name plays"
    assert scene.press("Ann")
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("lay", "Ann")]
    assert isinstance(scene.acts[-1], InStep)


def test_whoever_says_that_the_card_is_theirs_has_the_turn() -> None:
    """Then somebody has drawn before, though nobody saw it."""
    scene = Scene().begin()
    scene.lay(0, scene.fitting(0), "top")
    assert scene.press("Bob")
    assert [(move.word, move.player) for move in scene.line[-2:]] == [("draw", "Ann"), ("lay", "Bob")]


def test_a_draw_that_is_typed_answers_it_too() -> None:
    scene = Scene().begin()
    scene.lay(0, scene.fitting(0), "top")
    scene.say(Draw("Ann", at=scene.now))
    scene.wait(0.5)
    assert [(move.word, move.player) for move in scene.line[-2:]] == [("draw", "Ann"), ("lay", "Bob")]


def test_a_hand_whose_draw_was_typed_draws_no_more() -> None:
    scene = Scene().begin()
    scene.say(Draw("Ann", at=scene.now))
    scene.at_the_pile("bottom")
    scene.lay(0, scene.fitting(0), "top")
    assert [(move.word, move.player) for move in scene.line[-2:]] == [("draw", "Ann"), ("lay", "Bob")]


def test_a_card_that_waits_and_is_taken_back_was_none() -> None:
    scene = Scene().begin()
    lies = scene.match.state.field[0]
    scene.lay(0, scene.fitting(0), "top")
    scene.lay(0, lies, "top")
    scene.wait(4)
    assert scene.asked() == []
    assert scene.moves()[-1] == "begin"
    scene.lay(1, scene.fitting(1), "bottom")
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("lay", "Ann")]


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


def test_a_card_that_was_covered_before_it_lay_free_is_made_out() -> None:
    """Two of its symbols were read for a moment: one card of the deck shows them there, and Bob's lies on it."""
    scene = Scene().begin()
    cells, since = scene.cells[0], scene.now
    below = scene.fitting(0)
    words = below.split()
    above = next(
        str(card_of(card, turned))
        for card in CARDS[4:]
        for turned in range(4)
        if identity(card) != identity(below)
        and not misfits(card_of(card, turned), card_of(below))
        and all(one != other for one, other in zip(str(card_of(card, turned)).split(), words, strict=True))
    )
    before = [scene.looks[cell] for cell in cells]
    first = [scene.look(symbol) for symbol in words]
    for cell in cells:
        scene.state_of[cell] = CellNow("covered", since)
    scene.see(*(scene.changed(cells[at], before[at], first[at], since, "bottom") for at in (0, 1, 2)))
    for at, symbol in enumerate(above.split()):
        scene.looks[cells[at]] = scene.look(symbol)
        scene.state_of[cells[at]] = CellNow("clear", scene.now)
    old = [first[0], first[1], first[2], before[3]]
    scene.see(*(scene.changed(cells[at], old[at], scene.looks[cells[at]], since, "top") for at in range(4)))
    scene.wait()
    assert [(move.player, move.card) for move in scene.line[-2:]] == [("Ann", below), ("Bob", above)]
