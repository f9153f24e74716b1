"""What cells show, given that no card lies twice: against every way of laying them, counted one by one."""

from itertools import product

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.cell_answer import CellAnswer
from vision.deck import CARDS, STATES
from vision.once import once, shares

Numbers = NDArray[np.float64]
DICE = [np.random.default_rng(seed) for seed in range(20)]


def counted(chances: Numbers, free: Numbers) -> Numbers:
    """Every row with every column or none."""
    rows, columns = chances.shape
    found, whole = np.zeros_like(chances), 0.0
    for had in product(range(columns + 1), repeat=rows):
        taken = [one for one in had if one < columns]
        if len(set(taken)) == len(taken):
            each = [free[row] if one == columns else chances[row, one] for row, one in enumerate(had)]
            whole += float(np.prod(each))
            for row, one in enumerate(had):
                if one < columns:
                    found[row, one] += np.prod(each)
    return found / whole


@pytest.mark.parametrize("dice", DICE[:8])
def test_shares_are_those_of_all_ways_counted(dice: np.random.Generator) -> None:
    rows, columns = int(dice.integers(1, 5)), int(dice.integers(1, 6))
    free = dice.random(rows)
    chances = dice.random((rows, columns)) ** 3
    whole = chances.sum(1) + free
    chances, free = chances / whole[:, None], free / whole
    assert shares(chances, free) == pytest.approx(counted(chances, free))


def answer(others: float = 0.0, **cards: float) -> CellAnswer:
    """A card by these chances, named with low lines; `others` is the chance of each state but a card."""
    chances = np.full(len(CARDS), 1e-8)
    for name, chance in cards.items():
        chances[CARDS.index(name.replace("_", "-"))] = chance
    state = np.full(len(STATES), others)
    state[0] = 1 - others * (len(STATES) - 1)
    return CellAnswer(state, chances / chances.sum())


def drawn(dice: np.random.Generator) -> list[CellAnswer]:
    """Nine cells, each in doubt between a few of a dozen cards."""
    some = dice.permutation(64)[:12]
    found = []
    for _ in range(9):
        cards = np.full(64, 1e-7)
        cards[dice.choice(some, 3, replace=False)] = dice.random(3) ** 4 + 1e-6
        state = dice.random(len(STATES)) * dice.choice([1e-4, 1e-2, 1.0])
        state[0] = 1.0
        found.append(CellAnswer(state / state.sum(), cards / cards.sum()))
    return found


@pytest.mark.parametrize("dice", DICE)
def test_no_card_is_given_to_the_table_more_than_once(dice: np.random.Generator) -> None:
    told = once(drawn(dice))
    assert np.stack([one.state[0] * one.cards for one in told]).sum(0).max() < 1 + 1e-3
    sure = [int(one.cards.argmax()) for one in told if one.confidence > 0.5]
    assert len(set(sure)) == len(sure)


@pytest.mark.parametrize("dice", DICE)
def test_what_is_told_are_chances(dice: np.random.Generator) -> None:
    for one in once(drawn(dice)):
        assert one.state.sum() == pytest.approx(1)
        assert one.cards.sum() == pytest.approx(1)
        assert one.state.min() >= 0
        assert one.cards.min() >= 0


def test_confidences_are_kept_in_a_world_that_answers_as_it_says() -> None:
    """Tables are laid as often as the chances say, and those with a card twice thrown away: what is told must hold."""
    dice = np.random.default_rng(4)
    sure, right = [], []
    for _ in range(60):
        answers = drawn(dice)[:4]
        told = once(answers)
        chances = [np.append(one.cards * one.state[0], 1 - one.state[0]) for one in answers]
        for _ in range(40):
            laid = [int(dice.choice(65, p=chance / chance.sum())) for chance in chances]
            cards = [card for card in laid if card < 64]
            if len(set(cards)) == len(cards):
                sure += [one.confidence for one in told]
                right += [card == one.cards.argmax() for card, one in zip(laid, told, strict=True)]
    bins = np.digitize(sure, [0.5, 0.8, 0.95])
    for each in range(4):
        mine = bins == each
        assert np.mean(np.array(right)[mine]) == pytest.approx(np.mean(np.array(sure)[mine]), abs=0.04)


def test_cells_that_contradict_nobody_are_left_alone() -> None:
    given = [answer(red_star_1=1.0), answer(red_star_2=1.0), answer(others=0.2)]
    assert once(given) == given


def test_a_doubt_is_settled_by_what_lies_elsewhere() -> None:
    settled, sure = once([answer(red_star_1=0.5, red_star_2=0.48, red_plus_1=0.02), answer(red_star_1=1.0)])
    assert CARDS[int(settled.cards.argmax())] == "red-star-2"
    assert settled.confidence == pytest.approx(0.96, abs=0.001)
    assert sure.confidence > 0.999


def test_a_chain_of_doubts_is_settled_together() -> None:
    """Greedily nothing could be said of the second, for the third is in doubt as well."""
    doubts = [
        answer(red_star_1=1.0),
        answer(red_star_1=0.5, red_star_2=0.5),
        answer(red_star_2=0.5, red_star_3=0.5),
    ]
    assert [CARDS[int(one.cards.argmax())] for one in once(doubts)] == ["red-star-1", "red-star-2", "red-star-3"]
    assert once(doubts)[2].confidence > 0.99


def test_two_that_surely_say_the_same_are_both_in_doubt() -> None:
    one, other = once([answer(others=1e-3, red_star_1=0.999), answer(others=1e-3, red_star_1=0.999)])
    assert one.confidence == pytest.approx(0.5, abs=0.01)
    assert other.confidence == pytest.approx(0.5, abs=0.01)


def test_certainty_on_both_sides_is_no_division_by_nothing() -> None:
    sure = np.zeros(len(CARDS))
    sure[3] = 1.0
    state = np.zeros(len(STATES))
    state[0] = 1.0
    for told in once([CellAnswer(state, sure), CellAnswer(state, sure)]):
        assert np.isfinite(told.cards).all()
        assert told.confidence == pytest.approx(0.5)


def test_one_cell_is_what_it_is() -> None:
    given = [answer(red_star_1=0.6, red_star_2=0.4)]
    assert once(given) == given
