"""The reader with a network whose answers are given: what it makes of them, when it looks again, when it says no."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.laid import Camera, seen, some_cards
from vision import reader as reading
from vision.cells import cut
from vision.deck import CARDS, COLOURS, COUNTS, SHAPES, STATES, State
from vision.frames import Picture, Points
from vision.reader import DOUBT, SMALLEST, Reader, Reading
from vision.runtime import HEADS, CloserCard, Logits, Model, ModelCard
from vision.squares import FINE_SIDE, SIDE, Squares

ACCEPTED = 0.9
TABLE: Picture = np.full((400, 400, 3), (60, 110, 150), np.uint8)
TABLE[::7] = 90


def logits(state: State = "card", card: str = CARDS[0], sure: float = 12.0, **others: float) -> list[float]:
    """A network's answer: `sure` for what is named, and so much for others, by `colour_blue=11` and the like."""
    colour, shape, count = card.split("-")
    named = {"state": state, "colour": colour, "shape": shape, "count": count}
    told: list[float] = []
    for head, values in HEADS.items():
        told.extend(
            sure if value == named[head] else others.get(f"{head}_{value}".replace("-", "_"), 0.0) for value in values
        )
    return told


def card_of(heat: float) -> ModelCard:
    """Both networks together are worth twice of what one is."""
    closer = CloserCard({}, dict.fromkeys(HEADS, 2.0), 1.0, ACCEPTED)
    return ModelCard("triple3", {}, dict.fromkeys(HEADS, heat), ACCEPTED, closer)


class Network:
    """Both of them: say what they are told to say, and remember how often they were asked of how many squares."""

    def __init__(self) -> None:
        self.says: Callable[[int], list[float]] = lambda at: logits(card=CARDS[at * 7])
        self.says_closely: Callable[[int], list[float]] | None = None
        self.asked: list[int] = []
        self.asked_closely: list[tuple[int, ...]] = []

    def run_closely(self, squares: Squares) -> Logits:
        """What is asked of the second one, which agrees with the first if it is told nothing else."""
        self.asked_closely.append(squares.shape[:2])
        says = self.says_closely or self.says
        return np.array([says(at) for at in range(len(squares))], np.float32)

    def run(self, squares: Squares) -> Logits:
        self.asked.append(len(squares))
        return np.array([self.says(at) for at in range(len(squares))], np.float32)


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    it = Network()
    monkeypatch.setattr(reading, "quickest", lambda *_: (card_of(1.0), Model("none", "none", it.run, 1.0)))
    monkeypatch.setattr(reading, "quickest_closer", lambda *_: Model("closer", "none", it.run_closely, 1.0))
    return it


def cells(side: float = 120, count: int = 9) -> Points:
    square = np.array(((0, 0), (side, 0), (side, side), (0, side)), np.float32)
    corners = [(10 + side * (at % 3), 10 + side * (at // 3)) for at in range(count)]
    return np.stack([square + np.array(corner, np.float32) for corner in corners])


def only(network: Network, answer: Sequence[float], picture: Picture = TABLE, side: float = 120) -> Reading:
    """What is read of one cell of which the network says this."""
    network.says = lambda _: list(answer)
    return Reader().read(picture, cells(side, 1))[0]


# --- what the network says -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("network")
def test_nine_cards_are_named() -> None:
    found = Reader().read(TABLE, cells())
    assert [one.card for one in found] == [CARDS[at * 7] for at in range(9)]
    assert [one.cell for one in found] == list(range(1, 10))
    assert all(one.state == "card" and one.confidence > 0.999 and not one.reason for one in found)


@pytest.mark.parametrize("card", [CARDS[0], CARDS[-1], "blue-plus-3", "purple-star-0", "yellow-diamond-2"])
def test_each_part_of_the_name_is_read(network: Network, card: str) -> None:
    assert only(network, logits(card=card)).card == card


def test_heads_are_the_deck() -> None:
    assert tuple(HEADS.values()) == (STATES, COLOURS, SHAPES, COUNTS)


def test_confidence_is_that_all_parts_are_right(network: Network) -> None:
    """A little doubt in each head is a larger one of the whole."""
    found = only(network, logits(sure=5.0, state_empty=1.0, colour_blue=1.0))
    state = np.exp(5) / (np.exp(5) + np.exp(1) + 4)
    colour = np.exp(5) / (np.exp(5) + np.exp(1) + 2)
    other = np.exp(5) / (np.exp(5) + 3)
    assert found.confidence == pytest.approx(state * colour * other * other)
    assert [card for card, _ in found.likely[:2]] == [CARDS[0], "blue-circle-0"]
    assert [chance for _, chance in found.likely[:2]] == pytest.approx(
        [found.confidence, found.confidence * np.exp(-4)]
    )


def test_a_temperature_makes_it_less_sure(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = only(network, logits(sure=6.0)).confidence
    monkeypatch.setattr(reading, "quickest", lambda *_: (card_of(2.0), Model("none", "none", network.run, 1.0)))
    assert only(network, logits(sure=6.0)).confidence < cold


# --- looking again ---------------------------------------------------------------------------------------------


def test_what_is_sure_is_looked_at_once(network: Network) -> None:
    Reader().read(TABLE, cells())
    assert network.asked == [9]


def test_what_is_doubtful_is_looked_at_again(network: Network) -> None:
    network.says = lambda at: logits(card=CARDS[at * 7], count_1=11.0 if at == 4 else 0)
    found = Reader().read(TABLE, cells())
    assert network.asked == [9, len(reading.ZOOMS)]
    assert found[4].confidence < DOUBT
    assert network.asked_closely == [(2, FINE_SIDE)]


def test_cards_are_told_from_another_confidence_on_than_that_there_is_none(
    network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    card = card_of(1.0)
    strict = replace(card, closer=replace(card.closer, accepted=0.995))
    monkeypatch.setattr(reading, "quickest", lambda *_: (strict, Model("none", "none", network.run, 1.0)))
    assert only(network, logits(sure=7.0)).state == "unclear"
    assert only(network, logits("hand", sure=5.0)).state == "hand"


def test_what_the_closer_look_says_counts(network: Network) -> None:
    doubt = logits(card="red-circle-3", count_2=11.5)
    network.says_closely = lambda _: logits(card="red-circle-2", sure=20.0)
    assert only(network, doubt).card == "red-circle-2"
    network.says_closely = lambda _: logits(card="red-circle-3", sure=20.0)
    assert only(network, doubt).card == "red-circle-3"


def test_looks_are_weighed_together(network: Network) -> None:
    """One look that errs is outvoted by three that do not."""
    network.says = lambda at: logits(card="red-star-2") if at else logits(card="red-star-3", sure=6.0, count_2=5.0)
    assert Reader().read(TABLE, cells(count=1))[0].card == "red-star-2"


def test_the_second_look_is_turned_and_zoomed(network: Network, monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[Points] = []

    def noted(picture: Picture, corners: Points, side: int = SIDE) -> Squares:
        looks.append(corners)
        return cut(picture, corners, side)

    monkeypatch.setattr(reading, "cut", noted)
    only(network, logits(sure=4.0))
    again = looks[1]
    assert again.shape == (len(reading.ZOOMS), 4, 2)
    first = [tuple(np.sign(look[0] - look.mean(0))) for look in again]
    assert len(set(first)) == 4  # each begins at another corner
    sides = np.abs(again - again.mean(1, keepdims=True)).max((1, 2)) / 60
    assert sides == pytest.approx(reading.ZOOMS)


# --- saying no -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", [state for state in STATES if state != "card"])
def test_no_card_has_a_reason(network: Network, state: State) -> None:
    found = only(network, logits(state))
    assert (found.state, found.card) == (state, None)
    assert found.confidence > 0.99 or state == "unclear"
    assert found.reason
    assert not found.reason.endswith(".")


@pytest.mark.parametrize("state", ["face-down", "hand", "foreign", "empty"])
def test_a_state_that_is_not_sure_is_not_told(network: Network, state: State) -> None:
    found = only(network, logits(state, sure=2.0))
    assert (found.state, found.card) == ("unclear", None)
    assert found.reason.endswith(f": {reading.WHY_NOT[state]}?")


def test_of_a_picture_without_colours_nothing_is_told(network: Network) -> None:
    grey = np.random.default_rng(1).integers(0, 256, (400, 400, 1)).repeat(3, 2).astype(np.uint8)
    for state in STATES:
        found = only(network, logits(state), grey)
        assert (found.state, found.card, found.guess) == ("unclear", None, None)
        assert found.reason == "the picture has no colours"


def test_a_place_where_nothing_is_drawn_is_empty_whichever_of_the_two_the_network_thinks(network: Network) -> None:
    paper = np.full((400, 400, 3), (225, 240, 244), np.uint8)
    for state in ("foreign", "empty"):
        assert only(network, logits(state), paper).reason == "nothing is drawn there"
    assert only(network, logits("foreign", sure=6.0, state_empty=5.9), paper).state == "empty"
    assert only(network, logits("hand"), paper).state == "hand"


def test_that_nothing_is_drawn_is_not_told_unless_it_is_sure(network: Network) -> None:
    paper = np.full((400, 400, 3), (225, 240, 244), np.uint8)
    found = only(network, logits("empty", sure=2.0), paper)
    assert (found.state, found.card, found.reason) == ("unclear", None, "it cannot be made out")


def test_where_light_has_burnt_out_much_something_may_be_drawn(network: Network) -> None:
    washed = np.full((400, 400, 3), (236, 242, 244), np.uint8)
    washed[:70] = 255
    found = only(network, logits("empty"), washed)
    assert (found.state, found.card, found.reason) == ("unclear", None, "it is burnt out by light")


def test_it_abstains_below_what_is_accepted_and_says_between_what(network: Network) -> None:
    found = only(network, logits(card="red-star-2", sure=8.0, count_1=7.0))
    assert (found.state, found.card, found.guess) == ("unclear", None, "red-star-2")
    assert found.reason.endswith("may be 2 or 1")
    found = only(network, logits(card="red-star-2", sure=8.0, colour_purple=7.9))
    assert found.reason.endswith("may be red or purple")


def test_a_cell_that_is_too_small(network: Network) -> None:
    found = only(network, logits(), side=30)
    assert (found.state, found.card) == ("unclear", None)
    assert found.reason == "too small, 30 pixels wide: bring the camera nearer"
    assert only(network, logits(), side=50).card == CARDS[0]


def test_where_light_hides_a_part_it_must_be_surer(network: Network) -> None:
    glare: Picture = np.full((200, 200, 3), (40, 40, 200), np.uint8)
    cv2.circle(glare, (70, 70), 25, (255, 255, 255), -1)
    clear: Picture = np.full((200, 200, 3), (40, 40, 200), np.uint8)
    clear[::9] = 250
    answer = logits(card="red-star-2", sure=9.0, count_1=5.5)
    assert only(network, answer, clear).card == "red-star-2"
    assert only(network, answer, glare).reason == "glare hides a part of it: 2 or 1?"
    assert only(network, logits(card="red-star-2", sure=16.0), glare).card == "red-star-2"


def test_under_coloured_light_it_must_be_surer_too(network: Network) -> None:
    """Blue ink under a pink veil was told as purple at 98 %: nothing is burnt out there."""
    plain: Picture = np.full((200, 200, 3), 190, np.uint8)
    plain[50:90, 50:90] = (150, 60, 40)
    veiled = plain.copy()
    veiled[30:110, 90:130] = (200, 185, 225)
    answer = logits(card="purple-star-2", sure=9.0, colour_blue=5.5)
    assert only(network, answer, plain).card == "purple-star-2"
    assert only(network, answer, veiled).reason == "glare hides a part of it: purple or blue?"
    assert only(network, logits(card="purple-star-2", sure=16.0), veiled).card == "purple-star-2"


def spoilt(picture: Picture, network: Network) -> str:
    return only(network, logits(sure=8.0, count_1=7.5), picture).reason


def test_what_spoils_it_is_named(network: Network) -> None:
    striped = np.full((200, 200, 3), 60, np.uint8)
    striped[::16], striped[:, ::16] = 190, 190
    striped[10:130, 10:28] = (40, 40, 200)  # a picture with a colour in it
    glare = striped.copy()
    cv2.circle(glare, (70, 70), 20, (255, 255, 255), -1)
    assert spoilt(striped, network).startswith("it may be")
    assert spoilt(np.asarray(striped // 8, np.uint8), network).startswith("it is too dark")
    assert spoilt(glare, network).startswith("glare hides a part of it")
    burnt = np.full_like(striped, 255)
    burnt[10:130, 10:28] = (40, 40, 200)
    assert spoilt(burnt, network).startswith("it is burnt out")
    soft = np.asarray(cv2.GaussianBlur(glare // 2, (0, 0), 14), np.uint8)
    assert spoilt(soft, network).startswith("it is blurred")


# --- no card twice ---------------------------------------------------------------------------------------------


def pair(network: Network, *answers: list[float]) -> tuple[Reading, ...]:
    """Cells of which the network says these; the first is the one that may be looked at again."""
    network.says = lambda at: answers[at if network.asked[-1] == len(answers) else 0]
    return Reader().read(TABLE, cells(count=len(answers)))


def test_of_two_that_say_the_same_the_much_surer_one_keeps_it(network: Network) -> None:
    first, second = pair(network, logits(card="red-star-1", count_2=9.0), logits(card="red-star-1", sure=18.0))
    assert (first.card, second.card) == ("red-star-2", "red-star-1")
    first, second = pair(
        network, logits(card="red-star-1", sure=7.0, count_2=1.0), logits(card="red-star-1", sure=14.0)
    )
    assert (first.card, first.state, second.card) == (None, "unclear", "red-star-1")
    assert first.reason == "it looks like the red star with 1, which is on cell 2"


def test_of_two_that_say_the_same_as_surely_neither_is_told(network: Network) -> None:
    first, second = pair(network, logits(card="red-star-1"), logits(card="red-star-1"))
    assert (first.card, second.card) == (None, None)
    assert first.reason == "it looks like the red star with 1, and so does cell 2"
    assert second.reason == "it looks like the red star with 1, and so does cell 1"


def test_a_doubt_is_settled_by_what_surely_lies_elsewhere(network: Network) -> None:
    unsure = logits(card="red-star-1", count_2=11.9)
    assert pair(network, unsure)[0].card is None
    assert [one.card for one in pair(network, unsure, logits(card="red-star-1", sure=20.0))] == [
        "red-star-2",
        "red-star-1",
    ]
    small = np.concatenate([cells(SMALLEST - 1, 1), cells(count=2)[1:]])
    assert [one.card for one in Reader().read(TABLE, small)] == [None, "red-star-1"]


def test_a_watched_cell_is_told_by_itself(network: Network) -> None:
    """A card that is laid while it lies elsewhere is a thing to notice."""
    network.says = lambda _: logits(card="red-star-1")
    looked = Reader().glance(TABLE, cells(count=2))
    assert [one.card for one in Reader().told(looked, (4, 7))] == ["red-star-1", "red-star-1"]


# --- the trained network, on the project's own drawings --------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 90, 180, 270, 33])
def test_a_table_is_read_whichever_way_it_lies(turn: int) -> None:
    dice = np.random.default_rng(turn)
    shot = seen(some_cards(dice), dice, Camera(turn=turn))
    found = Reader().read(shot.picture, shot.cells)
    assert [one.card or one.reason for one in found] == list(shot.truth)


def test_the_light_does_not_matter() -> None:
    dice = np.random.default_rng(3)
    shot = seen(some_cards(dice), dice)
    for light in ((0.55, 0.8, 1.0), (1.0, 0.9, 0.8), (0.5, 0.5, 0.5)):
        lit = np.asarray(shot.picture * np.array(light), np.uint8)
        assert [one.card for one in Reader().read(lit, shot.cells)] == list(shot.truth)


def test_nothing_on_the_mat() -> None:
    dice = np.random.default_rng(5)
    shot = seen(("empty",) * 8 + ("face-down",), dice)
    found = Reader().read(shot.picture, shot.cells)
    assert [one.state for one in found] == list(shot.truth)


@pytest.mark.parametrize("veil", [0.6, 0.8, 1.1])
def test_a_washed_out_card_is_not_told_as_none(veil: float) -> None:
    """A lamp mirrored in all of it: so much as white paper sends is added to what is there."""
    dice = np.random.default_rng(11)
    shot = seen(some_cards(dice), dice)
    light = (shot.picture / 255) ** 2.2 + veil * np.array([0.9, 0.95, 1.0])
    washed = np.asarray(np.clip(light, 0, 1) ** (1 / 2.2) * 255, np.uint8)
    found = Reader().read(washed, shot.cells)
    assert not [one for one in found if one.state == "empty"]
    assert not [one for one, truth in zip(found, shot.truth, strict=True) if one.card and one.card != truth]


def test_noise_is_no_card() -> None:
    dice = np.random.default_rng(6)
    picture = dice.integers(0, 256, (400, 400, 3)).astype(np.uint8)
    assert not any(one.card for one in Reader().read(picture, cells(SIDE)))
