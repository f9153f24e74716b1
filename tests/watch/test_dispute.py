"""The last plays of a match as they can be disputed: what each ruling rests on, and what people settle."""

from typing import Any

import pytest

from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.games.triple3.dispute import (
    MOST,
    Disputable,
    Recollection,
    go_on,
    let_stand,
    likely_instead,
    not_laid,
    really,
    was_by,
)
from companion.games.triple3.rules import CELLS, DECK, Lay, accepted, is_legal, values_of
from companion.watch.evidence import Called, InStep, Know, OutOfStep, PutRight
from tests.sighted import Scene, dealt, of, said


class Disputed(Scene):
    """A scene that recollects what its witness did."""

    def do(self, acts: list[Any]) -> None:
        for act in acts:
            super().do([act])
            self.recollection.keep(act, self.match)

    def __post_init__(self) -> None:
        super().__post_init__()
        self.recollection = Recollection()

    @property
    def plays(self) -> tuple[Disputable, ...]:
        return self.recollection.plays(self.match)

    def settle(self, what: Any) -> dict[str, Any]:
        if isinstance(what, MoveMessage):
            return self.say(move_plain(what.move))
        assert isinstance(what, Correct)
        return self.say({"do": "correct", "number": what.number, "move": what.move})


def table(**house: Any) -> Disputed:
    scene = dealt(**house)
    disputed = Disputed(scene.house)
    disputed.deal([pile[0] for pile in scene.piles], scene.piles[4][1])
    disputed.say({"move": "go"})
    disputed.frame()
    return disputed


def test_the_last_plays_come_newest_first_with_all_that_they_rest_on() -> None:
    scene = table()
    legal = scene.a_play()
    grid = scene.state.grid
    scene.play(*legal)
    illegal = scene.a_play(legal=False)
    scene.play(*illegal)
    called, play = scene.plays
    assert (play.verdict, play.cell, play.card, play.number) == ("legal", *legal, 3)
    assert (play.covered, play.grid) == (grid[legal[0] - 1], grid)
    assert play.triples
    assert play.accepts == values_of(accepted(grid, legal[0]))
    assert play.evidence is not None
    assert play.evidence.before is not None
    assert play.evidence.before.card == play.covered
    assert (called.verdict, called.cell, called.card, called.number) == ("called", *illegal, 0)
    assert "is illegal" in called.sentence
    assert called.grid == scene.state.grid
    assert called.evidence is not None
    assert called.evidence.arms == ("bottom",)


def test_cards_taken_back_and_found_lying_are_among_them() -> None:
    scene = table(illegal_plays="keep")
    cell, card = scene.a_play(legal=False)
    scene.play(cell, card)
    scene.take(cell)
    scene.say({"move": "lies", "cell": 1, "card": scene.in_hands[0]})
    assert [play.verdict for play in scene.plays] == ["unruled", "taken-back", "illegal"]
    assert scene.plays[0].evidence is None
    assert scene.plays[1].covered == scene.piles[cell - 1][-1]
    assert really(scene.plays[1], DECK[0], scene.match) is None
    assert was_by(scene.plays[0], "Ann", scene.match) is None


def test_it_ends_with_the_deal_and_is_bounded() -> None:
    scene = table()
    assert scene.plays == ()
    for _ in range(70):
        cell, card = scene.a_play()
        scene.play(cell, card, seconds=0.2)
        scene.take(cell, seconds=0.2)
    assert len(scene.plays) == MOST
    assert len(scene.recollection._kept) <= 3 * MOST


def test_from_stop_to_go_on() -> None:
    """A play was read wrongly: it is corrected, ruled on again, and the round goes on with nothing out of step."""
    scene = table()
    cell, card = scene.a_play()
    others = [one for one in scene.in_hands if one != card and is_legal(scene.state.grid, cell, one)]
    scene.play(cell, card)
    scene.say({"move": "stop", "player": "Ann"})
    [play] = scene.plays
    reply = scene.settle(really(play, others[0], scene.match))
    assert reply["kind"] == "correction"
    [know] = of(scene.frame(), Know)
    assert (know.cell, know.card) == (cell, others[0])
    scene.piles[cell - 1][-1] = others[0]
    assert [play.card for play in scene.plays] == [others[0]]
    scene.settle(go_on())
    assert scene.state.phase == "play"
    assert not of(scene.pass_time(5), OutOfStep)
    assert scene.state.grid == tuple(pile[-1] for pile in scene.piles)


def test_a_refused_play_that_was_read_wrongly_is_ruled_on_as_laid_before_the_stop() -> None:
    scene = table()
    cell, card = scene.a_play(legal=False)
    right = next(one for one in scene.in_hands if one != card and is_legal(scene.state.grid, cell, one))
    scene.play(cell, card)
    scene.say({"move": "stop"})
    know = really(scene.plays[0], right, scene.match)
    assert know == Know(0, cell, right)
    acts = scene.witness.said_card(cell, right, scene.now, scene.match)
    scene.do(acts)
    assert len(of(acts, Know)) == 1
    assert [lay.card for lay in said(acts, Lay)] == [right]
    assert scene.state.phase == "stopped"
    scene.piles[cell - 1][-1] = right
    scene.settle(go_on())
    assert not of(scene.pass_time(5), OutOfStep)


def test_a_refused_play_may_be_let_stand() -> None:
    scene = table()
    cell, card = scene.a_play(legal=False)
    scene.play(cell, card)
    scene.say({"move": "stop"})
    message = let_stand(scene.plays[0])
    assert scene.settle(message)["kind"] == "ruling"
    scene.settle(go_on())
    acts = scene.pass_time(5)
    assert not of(acts, OutOfStep) + of(acts, InStep) + of(acts, Called)
    assert scene.state.grid[cell - 1] == card
    assert [play.verdict for play in scene.plays] == ["unruled"]
    assert let_stand(scene.plays[0]) is None


def test_a_play_that_does_not_stand_waits_to_be_taken_away() -> None:
    scene = table()
    cell, card = scene.a_play()
    scene.play(cell, card)
    scene.say({"move": "stop"})
    scene.settle(not_laid(scene.plays[0]))
    assert scene.state.grid[cell - 1] != card
    scene.settle(go_on())
    assert not of(scene.pass_time(4), OutOfStep)
    assert len(of(scene.take(cell), PutRight)) == 1
    assert not_laid(Disputable(0, "called", 1, card, "", "", ())) is None


def test_who_it_was_can_be_said_afterwards() -> None:
    scene = table()
    scene.play(*scene.a_play())
    scene.settle(was_by(scene.plays[0], "Bob", scene.match))
    assert scene.state.laid == (0, 1)
    assert scene.plays[0].player == "Bob"


def test_a_card_that_was_called_and_then_laid_elsewhere_is_there_twice() -> None:
    scene = table()
    grid = scene.state.grid
    cell, other, card = next(
        (cell, other, card)
        for card in scene.in_hands
        for cell in CELLS
        for other in CELLS
        if is_legal(grid, other, card) and not is_legal(grid, cell, card)
    )
    scene.play(cell, card)
    scene.take(cell)
    scene.play(other, card)
    assert [(play.verdict, play.cell) for play in scene.plays] == [("legal", other), ("called", cell)]


def test_undone_moves_are_no_longer_among_them() -> None:
    scene = table()
    scene.play(*scene.a_play())
    scene.play(*scene.a_play(legal=False))
    scene.say({"do": "undo"})
    assert [play.verdict for play in scene.plays] == ["called"]


@pytest.mark.parametrize(
    ("card", "first"),
    [("blue-star-2", {"purple-star-2"}), ("red-plus-0", {"yellow-plus-0"}), ("red-plus-3", {"yellow-plus-3"})],
)
def test_what_is_easily_mistaken_is_offered_first(card: str, first: set[str]) -> None:
    scene = table()
    found = likely_instead(card, scene.state)
    in_hands = set(scene.in_hands)
    assert set(found) <= in_hands
    assert card not in found
    for other in found:
        assert sum(a != b for a, b in zip(card.split("-"), other.split("-"), strict=True)) == 1
    if first <= in_hands:
        assert {found[0]} == first
