"""What the witness of Three! makes of what is seen, without pixels."""

import pytest

from companion.core.replies import FoulReply
from companion.core.requests import Correct, Undo
from companion.games.three.rules import AT_ONCE, FIRST_COUNTED, Call, Check, Checked, Declare, House, Play, Strike
from companion.watch.evidence import InStep, Noticed, OutOfStep, PutRight, Statement
from tests.three.scene import STEP, Scene
from vision.sightings import CannotRead, CardSeen, CellNow, TableLost, TableSeen


def called(scene: Scene, caller: str, whom: str, dog: str) -> None:
    scene.say(Strike(caller))
    scene.wait(1)
    scene.say(Call(caller, whom, dog))


def found(scene: Scene) -> list[tuple[str, int, bool]]:
    return [
        (one.dog, one.found, one.right) for reply in scene.rulings() for one in reply.events if isinstance(one, Checked)
    ]


def round_of(scene: Scene, *dogs: str) -> None:
    """Everybody plays one of these in turn."""
    for dog in dogs:
        scene.play(scene.state.turn, dog)


def test_a_card_that_is_laid_is_played_by_whose_pile_it_is() -> None:
    scene = Scene().begin()
    scene.play("Ann", "Sky")
    assert scene.pile("Ann") == ("Sky",)
    assert scene.state.turn == "Bob"
    act = next(one for one in scene.acts if isinstance(one, Statement) and one.evidence)
    assert act.evidence is not None
    assert (act.evidence.guess, act.evidence.cell) == ("Ann", 3)


def test_the_first_card_says_who_begins() -> None:
    scene = Scene()
    scene.play("Bob", "Sky")
    assert scene.moves() == ["begin", "play"]
    assert scene.state.turn == "Ann"


def test_who_sits_where_is_clockwise_from_below_where_nobody_says() -> None:
    scene = Scene()
    scene.witness._seats.clear()
    scene.witness.piles.owners = {}
    scene.see()
    assert scene.witness.piles.owners == {2: "Ann", 0: "Bob"}


def test_a_dog_on_the_same_dog_is_a_card_as_every_other() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.shows("Ann", "Sky", anew=0.995)
    scene.draw("Ann")
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky", "Sky")
    assert scene.codes() == []


def test_a_pile_put_straight_is_no_card() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow", "Honey", "Ember")
    scene.shows("Ann", "Honey", anew=0.1)
    scene.wait(3)
    assert scene.moves().count("play") == 4
    scene.play("Ann", "Domino")
    assert scene.pile("Ann") == ("Sky", "Honey", "Domino")
    scene.shows("Ann", "Domino", anew=0.6)
    scene.play("Bob", "Misty")
    assert scene.pile("Bob") == ("Snow", "Ember", "Misty")
    assert scene.codes() == []


def test_what_is_in_doubt_is_known_by_who_plays_next() -> None:
    """Nothing is told of the same dog until Bob plays; then Ann has played before him."""
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.shows("Ann", "Sky", anew=0.5)
    scene.wait(1)
    assert scene.moves().count("play") == 2
    scene.play("Bob", "Ember")
    assert scene.pile("Ann") == ("Sky", "Sky")
    assert scene.pile("Bob") == ("Snow", "Ember")
    assert scene.codes() == []


def test_what_stays_in_doubt_is_asked_and_answered() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.shows("Ann", "Sky", anew=0.7)
    scene.wait(12)
    assert scene.codes() == ["unsure"]
    scene.say(Play("Ann", "Sky"))
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky", "Sky")
    assert isinstance(scene.acts[-1], InStep)
    scene.play("Bob", "Ember")
    assert scene.pile("Bob") == ("Snow", "Ember")


def test_what_was_asked_and_was_none_is_looked_at_again() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.shows("Ann", "Sky", anew=0.7)
    scene.wait(12)
    assert scene.witness.touched(3) == (3,)
    scene.wait(1)
    assert isinstance(scene.acts[-1], InStep)
    scene.play("Ann", "Ember")
    assert scene.pile("Ann") == ("Sky", "Ember")


def test_a_card_out_of_turn_is_called_and_taken_back() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow", "Honey", "Ember")
    scene.shows("Bob", "Domino")
    scene.wait(1)
    assert isinstance(scene.told[-1], FoulReply)
    assert scene.state.turn == "Ann"
    scene.shows("Bob", "Ember")
    scene.wait(1)
    put_right = [act for act in scene.acts if isinstance(act, PutRight)]
    assert [(act.cell, act.card) for act in put_right] == [(4, "Domino")]
    scene.play("Ann", "Misty")
    scene.play("Bob", "Domino")
    assert scene.pile("Bob") == ("Snow", "Ember", "Domino")


def test_a_card_that_counts_and_is_taken_back_is_undone() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.play("Ann", "Honey", draws=False)
    scene.shows("Ann", "Sky")
    scene.wait(1)
    assert (scene.state.turn, scene.pile("Ann")) == ("Ann", ("Sky",))
    scene.play("Ann", "Ember")
    assert scene.pile("Ann") == ("Sky", "Ember")


def test_a_card_that_is_undone_in_the_match_lies_there_for_nothing() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.play("Ann", "Honey")
    scene.hear(Undo(at=scene.now))
    scene.wait(1)
    assert (scene.state.turn, scene.pile("Ann")) == ("Ann", ("Sky",))
    scene.shows("Ann", "Sky")
    scene.wait(1)
    scene.play("Ann", "Ember")
    assert any(isinstance(act, PutRight) for act in scene.acts)
    assert scene.pile("Ann") == ("Sky", "Ember")


def test_a_card_that_was_read_wrongly_is_what_people_say() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.hear(Correct(2, {"move": "play", "player": "Ann", "dog": "Misty"}, at=scene.now))
    scene.shows("Ann", "Sky", anew=0.01)
    scene.wait(1)
    assert scene.pile("Ann") == ("Misty",)
    scene.play("Ann", "Sky")
    scene.wait(1)
    assert scene.codes() == []


# --- checks --------------------------------------------------------------------------------------------------------


def sky_on(scene: Scene) -> None:
    """Three of Ann's five cards are Sky."""
    round_of(scene, "Sky", "Snow", "Ember", "Snow", "Sky", "Honey", "Sky", "Misty", "Domino", "Snow")


def test_a_call_is_checked_at_once() -> None:
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    assert found(scene) == [("Sky", 3, True)]
    assert scene.state.banks == (0, 3)
    assert scene.pile("Ann") == ("Ember", "Domino")


def test_a_wrong_call_goes_to_whoever_was_called() -> None:
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Ember")
    scene.wait(0.3)
    assert found(scene) == [("Ember", 1, False)]
    assert scene.state.banks == (1, 0)


def test_a_declaration_is_checked_at_once() -> None:
    scene = Scene().begin()
    sky_on(scene)
    scene.say(Declare("Ann", "Sky"))
    scene.wait(0.3)
    assert found(scene) == [("Sky", 3, True)]
    assert (scene.state.banks, scene.state.turn) == ((3, 0), "Ann")


def test_a_declaration_after_the_card_is_too_late() -> None:
    scene = Scene().begin()
    sky_on(scene)
    scene.play("Ann", "Juniper")
    scene.say(Declare("Ann", "Sky"))
    assert isinstance(scene.told[-1], FoulReply)
    assert scene.told[-1].code == "not-your-turn"


def test_where_the_house_wants_it_who_was_called_counts_first() -> None:
    scene = Scene(house=House(checks=FIRST_COUNTED)).begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(3)
    assert scene.state.phase == "check"
    scene.say(Check("Ann", 2))
    assert isinstance(scene.told[-1], FoulReply)
    assert "3" not in scene.told[-1].sentence, "only whether it is true"
    scene.say(Check("Ann", 3))
    assert scene.state.banks == (0, 3)


def test_a_pile_that_was_looked_through_is_known_again() -> None:
    """It is taken up, put back without what was found, and played on; nothing of that is a card."""
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    scene.shows("Ann", "")
    scene.wait(1)
    scene.shows("Ann", "Domino")
    scene.banks("Bob", "Sky")
    scene.wait(1)
    scene.play("Ann", "Juniper")
    assert scene.pile("Ann") == ("Ember", "Domino", "Juniper")
    scene.play("Bob", "Ember")
    called(scene, "Bob", "Ann", "Domino")
    scene.wait(0.3)
    assert found(scene)[-1] == ("Domino", 1, False)
    assert scene.codes() == []


def test_it_may_lie_in_another_order() -> None:
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    scene.shows("Ann", "")
    scene.shows("Ann", "Ember")
    scene.wait(1)
    scene.play("Ann", "Juniper")
    assert scene.pile("Ann") == ("Ember", "Domino", "Juniper")
    assert scene.codes() == []


def test_another_card_on_top_than_was_in_it_is_said() -> None:
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Ann", "Bob", "Snow")
    scene.wait(0.3)
    scene.shows("Bob", "")
    scene.shows("Bob", "Sky")
    scene.wait(6)
    assert scene.codes() == ["other-top"]
    sentence = next(act.sentence for act in scene.acts if isinstance(act, OutOfStep))
    assert not any(dog in sentence for dog in ("Honey", "Misty", "Sky")), "what lies there is nobody's business"
    scene.shows("Bob", "Misty")
    scene.wait(1)
    assert isinstance(scene.acts[-1], InStep)
    assert scene.pile("Bob") == ("Honey", "Misty")


def test_a_pile_of_which_all_was_found_is_bare() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow", "Sky", "Snow", "Sky", "Ember")
    scene.say(Declare("Ann", "Sky"))
    scene.wait(0.3)
    scene.shows("Ann", "")
    scene.wait(5)
    scene.play("Ann", "Sky")
    assert scene.pile("Ann") == ("Sky",)
    assert scene.codes() == []


def test_cards_that_come_to_the_wrong_bank_are_told() -> None:
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    scene.shows("Ann", "")
    scene.shows("Ann", "Domino")
    scene.banks("Ann", "Sky")
    said = [act for act in scene.acts if isinstance(act, Noticed)]
    assert [act.code for act in said] == ["wrong-bank"]
    assert "bank of Bob" in said[0].sentence


def test_a_pile_of_which_a_card_was_never_shown_is_counted() -> None:
    scene = Scene().begin()
    scene.say(Play("Ann", ""))
    scene.play("Bob", "Snow")
    scene.play("Ann", "Sky")
    scene.play("Bob", "Honey")
    assert scene.pile("Ann") == ("?", "Sky")
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(3)
    assert scene.codes() == ["count"]
    scene.say(Check("Ann", 2))
    scene.wait(0.3)
    assert isinstance(scene.acts[-1], InStep)
    assert found(scene) == [("Sky", 2, False)]


def test_a_card_that_was_never_shown_is_known_when_it_is_seen() -> None:
    """After the correction the pile is known again."""
    scene = Scene().begin()
    scene.say(Play("Ann", ""))
    scene.shows("Ann", "Sky")
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky",)


def test_a_pile_is_known_again_when_a_card_was_put_right() -> None:
    scene = Scene().begin()
    sky_on(scene)
    scene.hear(Correct(6, {"move": "play", "player": "Ann", "dog": "Ember"}, at=scene.now))
    scene.wait(1)
    called(scene, "Bob", "Ann", "Ember")
    scene.wait(0.3)
    assert found(scene) == [("Ember", 2, False)]


def test_a_card_that_may_lie_there_untold_is_not_guessed_into_a_check() -> None:
    scene = Scene(("Ann", "Bob", "Cid")).begin()
    round_of(scene, "Sky", "Snow", "Misty", "Sky", "Snow", "Misty")
    scene.shows("Ann", "Sky", anew=0.6)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(3)
    assert found(scene) == []
    assert scene.codes()[-1] == "count"


def test_a_card_that_is_as_good_as_seen_comes_before_a_strike() -> None:
    """But it is not sure enough for a check of that pile."""
    scene = Scene(("Ann", "Bob", "Cid")).begin()
    round_of(scene, "Sky", "Snow", "Misty", "Sky", "Snow", "Misty")
    scene.shows("Ann", "Sky", anew=0.96)
    assert len(scene.pile("Ann")) == 2
    called(scene, "Bob", "Ann", "Sky")
    assert scene.pile("Ann") == ("Sky", "Sky", "Sky")
    scene.wait(3)
    assert scene.codes() == ["count"]
    scene.say(Check("Ann", 3))
    assert found(scene) == [("Sky", 3, True)]


def test_the_last_round() -> None:
    """Three cards each and nothing to draw: then everybody may declare once more."""
    dogs = House().dogs
    scene = Scene(house=House(dogs=dogs, copies=1, deck=8)).begin()
    round_of(scene, *(dog.name for dog in dogs))
    assert scene.state.phase == "final"
    scene.say(Declare("Ann", dogs[0].name))
    scene.wait(0.3)
    assert found(scene) == [(dogs[0].name, 1, False)]
    assert scene.state.turn == "Bob"


# --- what goes wrong -----------------------------------------------------------------------------------------------


def test_a_pile_that_is_gone_is_said_with_the_way_back() -> None:
    """It was knocked over."""
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow", "Ember", "Misty", "Honey")
    scene.shows("Ann", "")
    scene.wait(5)
    assert scene.codes() == ["pile-gone"]
    scene.shows("Ann", "Honey")
    scene.wait(1)
    assert isinstance(scene.acts[-1], InStep)
    scene.play("Bob", "Juniper")
    assert scene.pile("Ann") == ("Sky", "Ember", "Honey")
    assert scene.pile("Bob") == ("Snow", "Misty", "Juniper")


def test_a_card_face_down_is_said() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.shows("Ann", "", state="foreign")
    scene.wait(1)
    assert scene.codes() == ["cannot-read"]
    assert "face down" in next(act.sentence for act in scene.acts if isinstance(act, OutOfStep))
    scene.shows("Ann", "Misty")
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky", "Misty")
    assert isinstance(scene.acts[-1], InStep)


def test_a_card_that_cannot_be_read_is_said() -> None:
    scene = Scene().begin()
    scene.see(CannotRead(scene.now, 0, 3, "glare hides a part of it", ()))
    assert scene.codes() == ["cannot-read"]
    scene.say(Play("Ann", "Sky"))
    assert scene.pile("Ann") == ("Sky",)


def test_a_hand_that_stays_on_the_pile_is_said() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.cells[3] = CellNow("covered", scene.now)
    scene.wait(14)
    assert scene.codes() == ["hand-stays"]
    scene.cells[3] = CellNow("clear", scene.now)
    scene.wait(0.5)
    assert isinstance(scene.acts[-1], InStep)


def test_cards_of_another_match_are_taken_away_first() -> None:
    scene = Scene()
    scene.looks[3] = scene._look("Sky")
    scene.see(scene.grid())
    assert scene.codes() == ["left-over"]
    scene.begin()
    scene.shows("Ann", "")
    scene.play("Ann", "Snow")
    assert scene.pile("Ann") == ("Snow",)


def test_what_was_played_while_the_camera_was_gone_is_seen_when_it_is_back() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.see(TableLost(scene.now, 0, "I do not see the mat."))
    assert scene.codes() == ["table"]
    scene.looks[3] = scene._look("Misty")
    scene.wait(3)
    assert scene.pile("Ann") == ("Sky",)
    view = next(iter([TableSeen(scene.now, 0, None, moved=False)]))  # type: ignore[arg-type]
    scene.see(view)
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky", "Misty")
    assert any(isinstance(act, InStep) for act in scene.acts)


def test_another_witness_goes_on_from_the_match() -> None:
    scene = Scene().begin()
    sky_on(scene)
    scene.witness = type(scene.witness)(seats={"bottom": "Ann", "left": "Bob"})
    scene.witness.not_before(scene.now)
    scene.see(scene.grid())
    scene.wait(1)
    scene.play("Ann", "Juniper")
    assert scene.pile("Ann")[-1] == "Juniper"
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    assert found(scene) == [("Sky", 3, True)]
    assert scene.codes() == []


@pytest.mark.parametrize("players", [("Ann", "Bob"), ("Ann", "Bob", "Cid", "Dot")])
def test_a_card_that_is_typed_before_it_is_seen_is_one_card(players: tuple[str, ...]) -> None:
    scene = Scene(players).begin()
    scene.say(Play("Ann", "Sky"))
    scene.shows("Ann", "Sky")
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky",)
    assert STEP > 0
    assert House().checks == AT_ONCE


def test_a_card_that_is_off_again_before_it_was_called_is_no_undo() -> None:
    """It was in doubt until then, for the same dog lay below."""
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow", "Honey", "Ember")
    scene.shows("Bob", "Snow")
    scene.shows("Bob", "Ember")
    scene.wait(1)
    assert scene.moves().count("play") == 4
    assert scene.pile("Bob") == ("Snow", "Ember")
    assert scene.state.turn == "Ann"


def test_a_card_behind_one_that_was_taken_back_may_be_like_the_one_below() -> None:
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.play("Ann", "Honey", draws=False)
    scene.shows("Ann", "Sky")
    scene.shows("Ann", "Sky", anew=0.985)
    scene.draw("Ann")
    scene.wait(1)
    assert scene.pile("Ann") == ("Sky", "Sky")
    assert scene.codes() == []


def test_who_was_called_for_nothing_plays_on() -> None:
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Honey")
    scene.wait(0.3)
    scene.play("Ann", "Ember")
    assert scene.pile("Ann")[-1] == "Ember"
    assert scene.codes() == []


def test_a_pile_that_is_seen_in_the_hand_is_not_put_back_yet() -> None:
    """Its top is the same, until it lies there in another order."""
    scene = Scene().begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    scene.shows("Ann", "Domino", anew=0.5)
    scene.shows("Ann", "Ember")
    scene.wait(1)
    assert scene.codes() == []
    scene.play("Ann", "Domino")
    assert scene.pile("Ann") == ("Ember", "Domino", "Domino")


def test_a_pile_that_is_seen_before_anything_is_taken_out_is_as_it_was() -> None:
    scene = Scene().begin()
    sky_on(scene)
    scene.play("Ann", "Sky")
    scene.play("Bob", "Ember")
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(0.3)
    scene.shows("Ann", "Sky", anew=0.5)
    scene.wait(4)
    assert scene.codes() == []
    scene.shows("Ann", "Domino")
    scene.wait(1)
    scene.play("Ann", "Honey")
    assert scene.pile("Ann") == ("Ember", "Domino", "Honey")


def test_whoever_declares_has_the_turn() -> None:
    """So the one before has played, though that was in doubt."""
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    scene.shows("Ann", "Sky", anew=0.9)
    scene.wait(0.5)
    assert scene.moves().count("play") == 2
    scene.say(Declare("Bob", "Snow"))
    scene.wait(0.3)
    assert scene.pile("Ann") == ("Sky", "Sky")
    assert found(scene) == [("Snow", 1, False)]


def test_where_one_counts_first_nothing_found_is_nothing_taken_out() -> None:
    scene = Scene(house=House(checks=FIRST_COUNTED)).begin()
    sky_on(scene)
    called(scene, "Bob", "Ann", "Honey")
    scene.say(Check("Ann", 0))
    scene.wait(0.3)
    scene.play("Ann", "Ember", draws=False)
    assert scene.pile("Ann")[-1] == "Ember"


def test_nobody_is_called_while_the_pile_of_whoever_has_the_turn_is_hidden() -> None:
    """Ann may have played under what hides it; then Bob has not played out of turn."""
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow")
    since = scene.now
    scene.cells[3] = CellNow("covered", since)
    scene.wait(0.5)
    scene.shows("Bob", "Ember")
    scene.wait(2)
    assert scene.moves().count("play") == 2
    assert not any(isinstance(one, FoulReply) for one in scene.told)
    scene.cells[3] = CellNow("clear", scene.now)
    before, scene.looks[3] = scene.looks[3], scene._look("Misty")
    scene.see(CardSeen(scene.now, 0, 3, before, scene.looks[3], since, ("bottom",), scene.now))
    scene.wait(1)
    assert (scene.pile("Ann"), scene.pile("Bob")) == (("Sky", "Misty"), ("Snow", "Ember"))


def test_a_count_tells_that_a_card_in_doubt_was_played() -> None:
    """It went along with what was found; the turn has passed."""
    scene = Scene().begin()
    round_of(scene, "Sky", "Snow", "Ember", "Misty", "Sky", "Honey")
    scene.shows("Ann", "Sky", anew=0.7)
    called(scene, "Bob", "Ann", "Sky")
    scene.wait(3)
    assert scene.codes() == ["count"]
    scene.say(Check("Ann", 3))
    assert isinstance(scene.told[-1], FoulReply)
    scene.say(Check("Ann", 3, insist=True))
    scene.wait(1)
    assert found(scene) == [("Sky", 3, True)]
    assert scene.moves()[-1] == "play"
    assert scene.state.turn == "Bob"
