"""Whose turn it is, by arms, hands at the pile and the turn button."""

from companion.core.clocks import SECOND
from companion.games.threepia.fields import field
from companion.games.threepia.rules import Draw, House, Lay, card_of, misfits
from companion.games.threepia.sight import identity
from companion.watch.evidence import InStep, Noticed
from tests.threepia.scene import CARDS, Scene
from vision.sightings import CardSeen, CellNow


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


# --- the turn button, where the house wants it ---------------------------------------------------------------------

BY_BUTTON = House(field=field("square"), way="stopwatch", turn_by_button=True)


def test_a_turn_ends_with_the_button_if_the_house_wants_it() -> None:
    """Until then the card may be taken elsewhere, and the clock runs."""
    scene = Scene(BY_BUTTON).begin()
    card, lies = scene.fitting(0), scene.match.state.field[0]
    scene.lay(0, card, "bottom")
    scene.wait(4)
    assert scene.moves()[-1] == "begin"
    assert scene.asked() == [], "nobody has to be asked"
    scene.lay(0, lies, "bottom")
    scene.lay(1, scene.fitting(1), "bottom")
    scene.wait(2)
    at = scene.now
    assert scene.press("Ann")
    assert [(move.word, move.player, move.place) for move in scene.line[-1:]] == [("lay", "Ann", "B")]
    assert scene.match.state.clocks[0].used >= at - SECOND
    assert scene.match.state.turn == "Bob"


def test_the_button_may_be_pressed_before_the_card_is_read() -> None:
    scene = Scene(BY_BUTTON).begin()
    cell = scene.cells[0][0]
    card = scene.fitting(0)
    scene.state_of[cell] = CellNow("covered", scene.now)
    scene.lay(0, card, "bottom")
    assert scene.press("Ann")
    assert scene.moves()[-1] == "begin"
    scene.state_of[cell] = CellNow("clear", scene.now)
    scene.wait(1)
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("lay", "Ann")]
    assert scene.press("Bob") is False, "nothing was laid"


def test_whoever_lays_has_seen_that_the_turn_was_over() -> None:
    scene = Scene(BY_BUTTON).begin()
    scene.lay(0, scene.fitting(0), "bottom")
    scene.field = list(scene.match.state.field)
    scene.lay(1, scene.fitting(1), "top")
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("lay", "Ann")]
    assert scene.press("Bob")
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("lay", "Bob")]


def test_where_nobody_said_who_sits_where_hands_at_the_pile_are_of_the_turn() -> None:
    scene = Scene(seated=False).begin()
    scene.at_the_pile("right")
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("draw", "Ann")]
    scene.at_the_pile("", otherwise=0.0)
    for _ in range(5):
        scene.lay(0, scene.fitting(0), "left")
    assert [move.player for move in scene.line[-5:]] == ["Bob", "Ann", "Bob", "Ann", "Bob"]
    scene.at_the_pile("left")
    assert scene.moves()[-1] == "lay", "Bob has played out his hand and takes three"
    scene.lay(1, scene.fitting(1), "left")
    assert [(move.word, move.player) for move in scene.line[-1:]] == [("lay", "Ann")]
    assert scene.asked() == []
