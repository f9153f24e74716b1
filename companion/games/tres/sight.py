"""Which cards may lie where on a table of Tres, and what a card may be that is not read surely.

The deck has equal cards more than once: what makes a card unlikely is that all of its copies are known to lie
elsewhere, or that it goes with no card of its column.
"""

from collections.abc import Mapping, Sequence

from companion.core.game_faces import faces_of
from companion.games.tres.columns import PLACES, column_of, is_for_table
from companion.games.tres.rules import JOKER, RUNS, State, deck, number

FITTING = 0.1  # how likely a card that goes with none of its column is laid there, against one that does; assumed
MISSING = 0.02  # cards of which all copies are known to lie elsewhere: one of them may have been read wrongly
SURE = 0.97  # a card is made out
DOUBTED = 8.0  # a card that is read in doubt is so much likelier what it looks like than its chance says: counted with
# yellow 3 and 5, of which 3 is read in doubt in every second look and 5 in none of 40


def faces() -> tuple[str, ...]:
    """In the order in which a reader has them."""
    return faces_of("tres").names


def copies(state: State, lying: Sequence[str] = ()) -> dict[str, float]:
    """How many there may be of each card among those that nobody has seen, and those that lie here."""
    seen = [*state.table, *state.discards, *(card for hand in state.hands for card in hand)]
    left = {card: count - seen.count(card) for card, count in deck(state.house).items()}
    return {card: max(MISSING, count + lying.count(card)) for card, count in left.items()}


def goes_with(card: str, table_card: str) -> bool:
    """Whether both may be in one play: they are two at most apart."""
    one, other = number(card), number(table_card)
    return JOKER in (card, table_card) or any({one, other} <= {*run} and one != other for run in RUNS if 0 not in run)


def weights(state: State, place: int, table: Mapping[int, str], lying: Sequence[str]) -> dict[str, float]:
    """How likely each card is at a place, against the others."""
    found = copies(state, lying)
    table_card = table.get(column_of(place), "")
    if is_for_table(place) or not table_card:
        return found
    return {card: count * (1.0 if goes_with(card, table_card) else FITTING) for card, count in found.items()}


def expected(state: State, table: Mapping[int, str], lying: Mapping[int, str]) -> list[list[float]]:
    """Of each place and each face, for the reader."""
    names, cards = faces(), list(lying.values())
    rows = [weights(state, place, table, cards) for place in range(1, PLACES + 1)]
    return [[row.get(name, MISSING) for name in names] for row in rows]


def made_out(seen: Sequence[tuple[str, float]], likely: Mapping[str, float]) -> tuple[str, float]:
    """The card that it is, of those that it may be, and how surely; none if that cannot be said."""
    if not seen:
        return "", 0.0
    best = max(chance for _, chance in seen)
    odds = {card: chance * (DOUBTED if chance == best else 1.0) * likely.get(card, MISSING) for card, chance in seen}
    card = max(odds, key=lambda one: odds[one])
    sure = odds[card] / sum(odds.values())
    return (card, sure) if sure >= SURE else ("", sure)
