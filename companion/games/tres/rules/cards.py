"""The cards, and which three of them are a run or one colour."""

from collections.abc import Mapping
from functools import lru_cache
from itertools import permutations, product

from companion.core.rules import Move
from companion.games.tres.rules.house import ACTIONS, JOKER, NUMBERS, THREE, House


@lru_cache(maxsize=64)
def deck(house: House) -> Mapping[str, int]:
    """Every card of the deck and how often it is there."""
    numbers = {f"{colour}-{number}": house.number_copies for colour in house.colours for number in NUMBERS}
    return numbers | dict.fromkeys(ACTIONS, house.action_copies) | {JOKER: house.jokers}


def number(card: str) -> int:
    """The number of a card; 0 for a joker."""
    if card == JOKER:
        return 0
    return THREE if card in ACTIONS else int(card[-1])


def _runs() -> frozenset[tuple[int, ...]]:
    """Two or three numbers, in any order, that are consecutive; 9 and 1 are neighbours and 0 is a joker."""
    windows = [[(first + step) % 9 + 1 for step in range(size)] for size in (2, 3) for first in range(9)]
    return frozenset(
        tuple(seen and value for value, seen in zip(order, known, strict=True))
        for window in windows
        for order in permutations(window)
        for known in product((0, 1), repeat=len(window))
    )


RUNS = _runs()


def is_run(*cards: str) -> bool:
    return tuple(map(number, cards)) in RUNS


def is_one_colour(house: House, *cards: str) -> bool:
    """Action cards are any colour; a joker is none, unless the house says any."""
    if JOKER in cards and not house.joker_is_any_colour:
        return False
    return len({card[:-2] for card in cards if card != JOKER and card not in ACTIONS}) <= 1


def is_action(move: Move, card: str) -> None:
    if card not in ACTIONS:
        raise move.foul("no-action", "{player} names {card}, which is no action card.", card=card)
