"""What can be disputed in Three!: the tops of the piles, and what was refused; nothing that lies below."""

import pytest

from companion.core.errors import MatchError
from companion.core.requests import Correct
from companion.games.three.dispute import PlayedDogs
from companion.watch.evidence import Know
from companion.watch.messages import Really
from tests.three.scene import Scene


def played() -> tuple[Scene, PlayedDogs]:
    """Two cards of each, and one of Bob's that was refused."""
    scene = Scene().begin()
    for player, dog in (("Ann", "Sky"), ("Bob", "Snow"), ("Ann", "Honey"), ("Bob", "Ember")):
        scene.play(player, dog)
    scene.shows("Bob", "Domino")
    scene.wait(1)
    disputes = PlayedDogs()
    for act in scene.acts:
        disputes.keep(act, scene.match)
    return scene, disputes


def test_the_tops_and_what_was_refused_are_told() -> None:
    scene, disputes = played()
    plays = disputes.plays(scene.match)
    assert [(play.verdict, play.player, play.card) for play in plays] == [
        ("called", "Bob", "Domino"),
        ("legal", "Bob", "Ember"),
        ("legal", "Ann", "Honey"),
    ]
    told = [disputes.told(play, ()) for play in plays]
    assert [one.covered for one in told] == ["", "", ""]
    assert all(one.evidence is not None and one.evidence.before is None for one in told), "what lies below"


def test_a_top_that_was_read_wrongly_is_put_right_in_the_match() -> None:
    scene, disputes = played()
    play = disputes.play_of(3, "Honey", scene.match)
    put = disputes.put_right(Really(3, "Honey", "Misty"), play, scene.match)
    assert isinstance(put, Correct)
    assert (put.number, put.move["dog"]) == (4, "Misty")


def test_a_refused_card_has_another_name_and_is_no_move() -> None:
    scene, disputes = played()
    play = disputes.play_of(4, "Domino", scene.match)
    assert isinstance(disputes.put_right(Really(4, "Domino", "Misty"), play, scene.match), Know)


@pytest.mark.parametrize(
    ("cell", "read", "really", "says"),
    [(3, "Sky", "Misty", "No pile has Sky on top"), (3, "Honey", "Rex", "There is no dog Rex")],
)
def test_what_cannot_be_is_one_sentence(cell: int, read: str, really: str, says: str) -> None:
    scene, disputes = played()
    with pytest.raises(MatchError, match=says):
        disputes.put_right(Really(cell, read, really), disputes.play_of(cell, read, scene.match), scene.match)
