"""The field of the match as people lay it out."""

import numpy as np
import pytest

from companion.core.replies import FoulReply
from companion.core.requests import MoveMessage
from companion.games.threepia.fields import field
from companion.games.threepia.rules import Begin, Deal, House
from companion.watch.evidence import InStep, OutOfStep
from tests.threepia.scene import CARDS, CELLS, Scene
from vision.locate import TableView
from vision.mat import LATTICE
from vision.sightings import GridSeen, TableSeen


def laid_freely(scene: Scene, *corners: tuple[int, int]) -> Scene:
    """Cards whose upper left quarters are at these columns and rows of the mat, and nothing else."""
    scene.looks = {cell: scene.look(None) for cell in range(1, CELLS + 1)}
    for card, (x, y) in zip(CARDS, corners, strict=False):
        for at, symbol in enumerate(card.split()):
            scene.looks[(y + at // 2) * LATTICE.shape[0] + x + at % 2 + 1] = scene.look(symbol)
    view = TableView(np.zeros((CELLS, 4, 2), np.float32), "markers", LATTICE, "", LATTICE.shape)
    scene.see(TableSeen(scene.now, 0, view, moved=False), GridSeen(scene.now, 0, tuple(scene.looks.values())))
    return scene


def deal_as_laid(scene: Scene) -> None:
    scene._done(scene.witness.said_move(Deal(""), scene.now, scene.match) or [])


AS_LAID = House(field=field("square"), way="rounds", rounds=5, field_as_laid=True)


def test_a_field_of_their_own_is_taught_by_laying_it_out() -> None:
    scene = laid_freely(Scene(AS_LAID), (1, 2), (3, 3), (3, 5))
    scene.wait(3)
    assert scene.moves() == [], "it may not be all of it"
    deal_as_laid(scene)
    state = scene.match.state
    assert state.house.field.places == (("A", 0, 0), ("B", 2, 1), ("C", 2, 3))
    assert state.field == tuple(CARDS[:3])
    scene.say(Begin("Ann", at=scene.now))
    scene.cells = tuple(
        tuple(LATTICE.shape[0] * (y + at // 2) + x + at % 2 + 1 for at in range(4)) for x, y in ((1, 2), (3, 3), (3, 5))
    )
    card = scene.fitting(2)
    scene.lay(2, card, "bottom")
    assert scene.match.state.field[2] == card
    assert scene.match.line[-1].ruling.state.scores == scene.match.state.scores


def test_a_field_that_comes_along_keeps_its_name() -> None:
    places = field("fridge").places
    scene = laid_freely(Scene(AS_LAID), *((x, y) for _, x, y in places))
    deal_as_laid(scene)
    assert scene.match.state.house.field == field("fridge")


@pytest.mark.parametrize(
    ("corners", "says"),
    [
        ((), "No cards lie there"),
        (((0, 0), (1, 1)), "whole cards"),
        (((0, 0), (3, 0)), "No two cards touch"),
        (((0, 0), (0, 2), (0, 4), (0, 6)), "More than 6"),
    ],
)
def test_what_is_no_field_is_said(corners: tuple[tuple[int, int], ...], says: str) -> None:
    scene = laid_freely(Scene(AS_LAID), *corners)
    deal_as_laid(scene)
    scene.wait(0.3)
    assert scene.moves() == []
    assert [says in act.sentence for act in scene.acts if isinstance(act, OutOfStep)] == [True]
    laid_freely(scene, (0, 0), (2, 0))
    deal_as_laid(scene)
    assert scene.moves() == ["deal"]
    assert any(isinstance(act, InStep) for act in scene.acts)


def test_a_field_is_as_agreed_unless_the_house_says_otherwise() -> None:
    scene = laid_freely(Scene(), (1, 2), (3, 3))
    assert scene.witness.said_move(Deal(""), scene.now, scene.match) is None
    refused = scene.session.replies(MoveMessage(Deal("", picture=("AABB", "AABB")), scene.now, ""))
    assert any(isinstance(one, FoulReply) and one.code == "field-agreed" for one in refused)


@pytest.mark.parametrize(
    ("picture", "says"),
    [((".",), "no field in"), (("AAB", "AAB"), "B is no card"), (("AA.", "AA."), "No two cards")],
)
def test_a_picture_that_is_no_field_is_refused(picture: tuple[str, ...], says: str) -> None:
    scene = Scene(AS_LAID)
    refused = scene.session.replies(MoveMessage(Deal("", picture=picture), scene.now, ""))
    assert [says in one.sentence for one in refused if isinstance(one, FoulReply)] == [True]
