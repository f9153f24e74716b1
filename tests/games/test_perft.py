"""How many sequences of moves, and how many different states, there are after n moves from a fixed start.

Each table of numbers was computed by the rules engine, and agrees with what a second, smaller model of the game
counts: it stands below the engine's test, and shares nothing with the engine. A number that changes means that a
rule has changed.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from itertools import combinations, product
from random import Random
from typing import Any, NamedTuple, TypeVar

import pytest

from companion.core.rules import Foul, Move
from companion.games.three import rules as three
from companion.games.threepia import rules as threepia
from companion.games.tres import rules as tres
from companion.games.triple3 import rules as triple3
from companion.games.triplexity import rules as triplexity
from tests.games.test_solver import NOTHING, next_texts, owner_of_three
from tests.games.test_triple3 import new_triples

NAMES = ("Ann", "Bob")
Model = TypeVar("Model", bound=Hashable)


def perft(start: Model, following: Callable[[Model], Iterable[Model]], depth: int) -> list[tuple[int, int]]:
    """For each number of moves: sequences, and the different states they lead to."""
    ways: Counter[Model] = Counter({start: 1})
    found = []
    for _ in range(depth):
        after: Counter[Model] = Counter()
        for state, count in ways.items():
            for reached in following(state):
                after[reached] += count
        ways = after
        found.append((sum(ways.values()), len(ways)))
    return found


def ruled(rule: Callable[[Any, Any], Any], alphabet: Callable[[Any], Iterable[Move]]) -> Callable[[Any], list[Any]]:
    """The states that the engine allows to follow, one for each move of the alphabet that is no foul."""

    def following(state: Any) -> list[Any]:
        found = []
        for move in alphabet(state):
            try:
                found.append(rule(state, move).state)
            except Foul:
                continue
        return found

    return following


# --- Triplexity: every move, Ann begins ------------------------------------------------------------------------

TRIPLEXITY = [(3, 3), (9, 9), (27, 24), (78, 57), (210, 108), (456, 142), (1680, 474), (4308, 540)]


def test_triplexity() -> None:
    shifts = [(source, target) for source in triplexity.PLACES for target in triplexity.PLACES]

    def alphabet(state: triplexity.State) -> list[Move]:
        player = state.turn or "Ann"
        puts = (triplexity.Put(player, place) for place in triplexity.PLACES)
        return [*puts, *(triplexity.Shift(player, *shift) for shift in shifts)]

    start = triplexity.start(NAMES, triplexity.House()).state
    assert perft(start, ruled(triplexity.rule, alphabet), 8) == TRIPLEXITY


def test_triplexity_again_by_texts() -> None:
    assert perft(NOTHING, lambda text: () if owner_of_three(text) else next_texts(text), 8) == TRIPLEXITY


# --- Triple³: two players with six cards each that they may lay, the grid of seed 7 ------------------------------

TRIPLE3 = [(31, 31), (830, 563), (19156, 7815)]
CARDS = Random(7).sample(triple3.DECK, 64)
GRID, LEFTOVER, HANDS = tuple(CARDS[:9]), CARDS[9], (tuple(CARDS[10:16]), tuple(CARDS[16:22]))


def test_triple3() -> None:
    def alphabet(_state: triple3.State) -> list[Move]:
        return [
            triple3.Lay(name, cell, card)
            for name, hand in zip(NAMES, HANDS, strict=True)
            for card in hand
            for cell in triple3.CELLS
        ]

    start = triple3.start(NAMES, triple3.House()).state
    for move in (triple3.Deal("", GRID, (triple3.Leftover(1, LEFTOVER),)), triple3.Go("")):
        start = triple3.rule(start, move).state
    assert perft(start, ruled(triple3.rule, alphabet), 3) == TRIPLE3


def test_triple3_again_by_bare_grids() -> None:
    """A position is what lies on the nine cells, pile by pile."""

    def following(piles: tuple[tuple[str, ...], ...]) -> list[tuple[tuple[str, ...], ...]]:
        laid = {card for pile in piles for card in pile}
        grid = tuple(pile[-1] for pile in piles)
        return [
            (*piles[: cell - 1], (*piles[cell - 1], card), *piles[cell:])
            for card in HANDS[0] + HANDS[1]
            if card not in laid
            for cell in range(1, 10)
            if new_triples(grid, cell, card)
        ]

    start = ((GRID[0], LEFTOVER), *((card,) for card in GRID[1:]))
    assert perft(start, following, 3) == TRIPLE3


# --- Three!: two players, two dogs with four copies, nobody shows a card; calls and declarations of one dog -----

THREE = [(2, 2), (8, 8), (18, 16), (44, 28), (116, 50), (290, 82), (764, 136), (2002, 216)]


def test_three() -> None:
    def alphabet(_state: three.State) -> list[Move]:
        moves: list[Move] = []
        for name, other in (NAMES, NAMES[::-1]):
            moves += [
                three.Begin(name),
                three.Play(name),
                three.Declare(name, "Ember"),
                three.Strike(name),
                three.Call(name, other, "Ember"),
                three.Release(name),
                three.Pass(name),
            ]
            moves += [three.Check(name, found) for found in range(5)]
        return moves

    start = three.start(NAMES, three.House(dogs=three.DOGS[:2], copies=4, deck=8, rearm=0)).state
    assert perft(start, ruled(three.rule, alphabet), 8) == THREE


class Dogs(NamedTuple):
    """Three! once more, with nothing but numbers."""

    doing: str = "choose"  # choose, turn, strike, check, end
    turn: int = 0
    by: int = -1  # who struck
    whose: int = -1  # whose pile is checked
    declared: bool = False
    hands: tuple[int, int] = (3, 3)
    deck: int = 2
    piles: tuple[int, int] = (0, 0)
    banks: tuple[int, int] = (0, 0)
    box: int = 0
    embers: int = 4  # not yet taken off a pile
    rest: int = 0  # turns of the last round


def put(pair: tuple[int, int], place: int, value: int) -> tuple[int, int]:
    return (value, pair[1]) if place == 0 else (pair[0], value)


def dogs_after(dogs: Dogs) -> list[Dogs]:
    match dogs.doing:
        case "choose":
            return [dogs._replace(doing="turn", turn=seat) for seat in (0, 1)]
        case "strike":
            called = dogs._replace(doing="check", whose=1 - dogs.by)
            return [called, dogs._replace(doing="turn", by=-1)]
        case "check":
            return [dogs_checked(dogs, found) for found in range(min(dogs.piles[dogs.whose], dogs.embers) + 1)]
        case "end":
            return []
    found = [dogs._replace(doing="strike", by=seat) for seat in (0, 1)]
    if not dogs.declared:
        found.append(dogs._replace(doing="check", whose=dogs.turn, declared=True))
    found.append(dogs_played(dogs) if any(dogs.hands) else dogs_passed(dogs))
    return found


def dogs_checked(dogs: Dogs, found: int) -> Dogs:
    after = dogs._replace(
        doing="turn",
        by=-1,
        whose=-1,
        embers=dogs.embers - found,
        piles=put(dogs.piles, dogs.whose, dogs.piles[dogs.whose] - found),
    )
    if dogs.by < 0 and found < 3:
        return after._replace(box=dogs.box + found)
    winner = dogs.by if dogs.by >= 0 and found >= 3 else dogs.whose
    return after._replace(banks=put(dogs.banks, winner, dogs.banks[winner] + found))


def dogs_played(dogs: Dogs) -> Dogs:
    drawn = min(1, dogs.deck)
    hands = put(dogs.hands, dogs.turn, dogs.hands[dogs.turn] - 1 + drawn)
    after = dogs._replace(
        hands=hands,
        deck=dogs.deck - drawn,
        turn=1 - dogs.turn,
        declared=False,
        piles=put(dogs.piles, dogs.turn, dogs.piles[dogs.turn] + 1),
    )
    return after if any(hands) else after._replace(rest=2)


def dogs_passed(dogs: Dogs) -> Dogs:
    if dogs.rest > 1:
        return dogs._replace(turn=1 - dogs.turn, rest=1, declared=False)
    return dogs._replace(doing="end", turn=-1, rest=0, box=dogs.box + sum(dogs.piles), piles=(0, 0))


def test_three_again_by_numbers() -> None:
    assert perft(Dogs(), dogs_after, 8) == THREE


# --- Tres: numbers only, seed 5, every card seen; every play of one or two cards, or a draw and what follows -----

TRES = [(14, 14), (15, 15), (152, 141), (183, 170), (1222, 1133), (1546, 1441)]
NUMBERS_ONLY = tres.House(action_copies=0, jokers=0)
PILE = Random(5).sample([card for card, copies in tres.deck(NUMBERS_ONLY).items() for _ in range(copies)], 72)
TRES_HANDS, TRES_TABLE, TO_DRAW = (tuple(PILE[:7]), tuple(PILE[7:14])), tuple(PILE[14:17]), tuple(PILE[17:])


def test_tres() -> None:
    def alphabet(state: tres.State) -> list[Move]:
        cards = TO_DRAW[len(TO_DRAW) - state.pile :]
        turn = state.turn
        plays = [
            tres.Play(turn, open_card, held)
            for open_card in state.table
            for size in (1, 2)
            for held in combinations(state.hand(turn), size)
        ]
        return [
            *plays,
            tres.Draw(turn, cards[0]),
            tres.Keep(turn),
            tres.Fill(turn, cards[0]),
            *(tres.Take(due.player, cards[:3]) for due in state.dues),
        ]

    start = tres.start(NAMES, NUMBERS_ONLY).state
    for move in (tres.Dealer("Bob"), tres.Deal("Bob", TRES_TABLE, TRES_HANDS)):
        start = tres.rule(start, move).state
    assert perft(start, ruled(tres.rule, alphabet), 6) == TRES


class Cards(NamedTuple):
    """Tres once more: only numbers, so a play has no effect but three of one colour."""

    doing: str
    turn: int
    hands: tuple[tuple[str, ...], ...]
    table: tuple[str, ...]
    gone: tuple[str, ...]
    drawn: int = 0
    fresh: str = ""  # the card just drawn


def cards_after(cards: Cards) -> list[Cards]:
    top = TO_DRAW[cards.drawn :]
    hand = cards.hands[cards.turn]
    match cards.doing:
        case "fill":
            return [cards._replace(doing="play", table=(*cards.table, top[0]), drawn=cards.drawn + 1)]
        case "pay":
            return [cards._replace(doing="fill", hands=swapped(cards, (*hand, *top[:3])), drawn=cards.drawn + 3)]
        case "fresh":
            return [*plays(cards, [(cards.fresh,)]), cards._replace(doing="play", turn=1 - cards.turn, fresh="")]
        case _:
            more = cards._replace(
                doing="fresh", hands=swapped(cards, (*hand, top[0])), drawn=cards.drawn + 1, fresh=top[0]
            )
            return [*plays(cards, [*combinations(hand, 1), *combinations(hand, 2)]), more]


def swapped(cards: Cards, hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (hand, cards.hands[1]) if cards.turn == 0 else (cards.hands[0], hand)


def plays(cards: Cards, choices: Iterable[tuple[str, ...]]) -> list[Cards]:
    found = []
    for choice in choices:
        for number, open_card in enumerate(cards.table):
            numbers = {int(card[-1]) for card in (open_card, *choice)}
            size = len(choice) + 1
            if not any(numbers == {(first + step) % 9 + 1 for step in range(size)} for first in range(9)):
                continue
            hand = list(cards.hands[cards.turn])
            for card in choice:
                hand.remove(card)
            three_alike = size == 3 and len({card.split("-")[0] for card in (open_card, *choice)}) == 1
            found.append(
                cards._replace(
                    doing="pay" if three_alike else "fill",
                    turn=1 - cards.turn,
                    hands=swapped(cards, tuple(hand)),
                    table=cards.table[:number] + cards.table[number + 1 :],
                    gone=(*cards.gone, open_card, *choice),
                    fresh="",
                )
            )
    return found


def test_tres_again_by_numbers() -> None:
    assert perft(Cards("play", 0, TRES_HANDS, TRES_TABLE, ()), cards_after, 6) == TRES


# --- Threepia: the Square, three cards that anybody may lay, turned as they like, or a draw ----------------------

# By whether cards may be turned and triangles laid on anything; here the sequences of one, two and three moves.
THREEPIA = {
    (True, True): [12, 153, 2101],
    (True, False): [7, 47, 313],
    (False, True): [5, 27, 157],
    (False, False): [4, 17, 76],
}
LIES: tuple[str, ...] = (
    "circle-red square-blue cross-green triangle-red",
    "square-red square-green circle-blue cross-yellow",
    "cross-blue circle-yellow triangle-green square-red",
    "circle-green cross-red square-yellow circle-blue",
)
TO_LAY = (
    "circle-red cross-blue square-green circle-blue",
    "square-red triangle-blue triangle-yellow circle-red",
    "cross-red cross-blue cross-green circle-yellow",
)


@pytest.mark.parametrize(("rotate", "triangle_fits"), list(product((True, False), repeat=2)))
def test_threepia(rotate: bool, triangle_fits: bool) -> None:
    house = threepia.House(target=1000, rotate=rotate, triangle_fits=triangle_fits)

    def alphabet(state: threepia.State) -> list[Move]:
        lays = [
            threepia.Lay(state.turn, place, card, turned) for place in "ABCD" for card in TO_LAY for turned in range(4)
        ]
        return [*lays, threepia.Draw(state.turn)]

    start = threepia.start(NAMES, house).state
    for move in (threepia.Deal("", field=LIES), threepia.Begin("Ann")):
        start = threepia.rule(start, move).state
    found = [sequences for sequences, _ in perft(start, ruled(threepia.rule, alphabet), 3)]
    assert found == THREEPIA[rotate, triangle_fits]
    assert found == [
        sequences
        for sequences, _ in perft(LIES, lambda lies: squares_after(lies, rotate=rotate, free=triangle_fits), 3)
    ]


def squares_after(lies: tuple[str, ...], *, rotate: bool, free: bool) -> list[tuple[str, ...]]:
    """Threepia once more: what lies on the four places, and nothing else."""
    found = [lies]  # a draw
    for place, card in product(range(4), TO_LAY):
        one, two, three_, four = card.split()
        ways = [(one, two, three_, four), (three_, one, four, two), (four, three_, two, one), (two, four, one, three_)]
        found += [
            (*lies[:place], " ".join(way), *lies[place + 1 :])
            for way in ways[: 4 if rotate else 1]
            if all(goes_on(new, old, free=free) for new, old in zip(way, lies[place].split(), strict=True))
        ]
    return found


def goes_on(new: str, old: str, *, free: bool) -> bool:
    if "triangle" in old or (free and "triangle" in new):
        return True
    return bool(set(new.split("-")) & set(old.split("-")))
