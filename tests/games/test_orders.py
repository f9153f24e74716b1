"""The order of plays under the same arms, against every order tried one by one."""

from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.triple3.rules import CELLS, DECK, is_legal
from companion.games.triple3.witness_orders import Happening, Piles, legal_order


def scene(seed: int, count: int) -> tuple[Piles, list[Happening]]:
    """Nine piles, and so many cards laid or taken at times that partly overlap."""
    random = Random(seed)
    cards = random.sample(DECK, len(DECK))
    piles = tuple(tuple(cards[3 * cell : 3 * cell + 2]) for cell in range(9))
    found = []
    for cell, card in zip(random.choices(CELLS, k=count), cards[30:], strict=False):
        since = random.randrange(100)
        is_laid = random.random() < 0.8
        found.append(
            Happening(cell, card if is_laid else piles[cell - 1][-1], since, since + random.randrange(1, 60), is_laid)
        )
    return piles, found


def can_be(order: tuple[Happening, ...]) -> bool:
    return not any(later.is_before(one) for at, one in enumerate(order) for later in order[at + 1 :])


def played(piles: Piles, order: tuple[Happening, ...]) -> list[bool] | None:
    """Of each whether it was legal; illegal ones are off the table. Nothing if a card could not be taken."""
    stacks, verdicts = [list(pile) for pile in piles], []
    for one in order:
        stack = stacks[one.cell - 1]
        if one.is_laid:
            verdicts.append(is_legal(tuple(pile[-1] for pile in stacks), one.cell, one.card))
            if verdicts[-1]:
                stack.append(one.card)
        else:
            if len(stack) < 2 or stack[-1] != one.card:
                return None
            stack.pop()
            verdicts.append(True)
    return verdicts


@settings(max_examples=300)
@given(st.integers(0, 10**9), st.integers(1, 4))
def test_an_order_is_found_if_and_only_if_there_is_one(seed: int, count: int) -> None:
    piles, happenings = scene(seed, count)
    orders = [order for order in permutations(happenings) if can_be(order)]
    good = [order for order in orders if (verdicts := played(piles, order)) is not None and all(verdicts)]
    found = legal_order(piles, happenings)
    assert (found is not None) == bool(good)
    assert found is None or found in good
    settled = tuple(sorted(happenings, key=lambda one: one.stamp))
    if settled in good:
        assert found == settled


def test_too_many_at_once_are_not_put_in_order() -> None:
    piles, happenings = scene(1, 7)
    assert legal_order(piles, happenings) is None


def test_a_card_is_taken_before_it_is_laid_elsewhere_and_the_lower_card_lies_there_first() -> None:
    """Even where the arms were there at the same time, and even in the same frame."""
    taken, laid = Happening(3, "red-star-1", 0, 20, is_laid=False), Happening(6, "red-star-1", 5, 20)
    assert taken.is_before(laid)
    assert not laid.is_before(taken)
    lower, upper = Happening(6, "red-star-1", 0, 20), Happening(6, "red-star-2", 10, 30)
    assert lower.is_before(upper)
    assert not upper.is_before(lower)
    assert not lower.is_before(Happening(7, "red-star-2", 10, 30))
