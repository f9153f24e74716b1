"""The cards in hand: shown one by one, or those of who plays alone."""

from dataclasses import replace

from companion.core.rules import UNSEEN, Foul
from companion.games.threepia.rules.cards import CORNERS, Card, card_of, misfits
from companion.games.threepia.rules.house import ALONE, HAND, House
from companion.games.threepia.rules.moves import Draw, Lay
from companion.games.threepia.rules.phases import who
from companion.games.threepia.rules.state import State


def card_shown(player: str, text: str, turned: int = 0) -> Card:
    try:
        return card_of(text, turned)
    except ValueError:
        raise Foul(
            "unknown-card",
            player,
            "{who} shows '{card}', which is not a card: name four symbols, such as "
            "circle-red or triangle-blue, for {corners}.",
            who=who(player),
            card=text,
            corners=CORNERS,
        ) from None


_NOT_SHOWN = tuple((UNSEEN,) * count for count in range(HAND + 1))


def cards_shown(state: State, player: str, cards: tuple[str, ...], count: int) -> tuple[str, ...]:
    """The cards that somebody takes, as they are shown; "?" for each where they are not."""
    if not cards:
        return _NOT_SHOWN[count]
    if state.house.way not in ALONE:
        raise Foul(
            "hand-shown", player, "{who} shows cards of a hand; only somebody who plays alone does.", who=who(player)
        )
    if len(cards) != count:
        raise Foul(
            "hand-size",
            player,
            "{who} shows {shown} cards for the hand, which gets {count}: show each of them, or none.",
            who=who(player),
            shown=len(cards),
            count=count,
        )
    return tuple([str(card_shown(player, text)) for text in cards])


def hand_of(state: State) -> tuple[str, ...]:
    return state.held or (UNSEEN,) * state.hands[0]


def held(cards: tuple[str, ...]) -> tuple[str, ...]:
    return cards if any(card != UNSEEN for card in cards) else ()


def holding(state: State, hand: tuple[str, ...], *, on_word: bool = False) -> State:
    """After a turn, with what is known of the hand then; `on_word` if the turn itself is."""
    return replace(state, held=held(hand), on_word=on_word or is_on_word(state))


def hand_without(state: State, move: Lay) -> tuple[str, ...]:
    """The hand without the card that is laid, or a Foul if it was not in there."""
    hand = hand_of(state)
    if not move.card:
        return (UNSEEN,) * (len(hand) - 1)
    turns = range(4) if state.house.rotate else range(1)
    same = {str(card_of(move.card, turned)) for turned in turns}
    number = next((number for number, card in enumerate(hand) if card in same), None)
    if number is None and move.lies:
        return (UNSEEN,) * (len(hand) - 1)
    if number is None and UNSEEN not in hand:
        raise move.foul(
            "not-in-hand",
            "{player} lays {card}, which is not in the hand that was shown.",
            card=str(card_of(move.card)),
        )
    number = hand.index(UNSEEN) if number is None else number
    return (*hand[:number], *hand[number + 1 :])


def is_on_word(state: State) -> bool:
    """Of who plays alone the referee cannot see whether a card fits, or could not before."""
    return state.on_word or _is_unseen(state)


def _is_unseen(state: State) -> bool:
    return state.house.way in ALONE and not (state.field and UNSEEN not in hand_of(state))


def can_lay(state: State) -> bool:
    """The referee sees a card in the hand that fits."""
    return not _is_unseen(state) and any(_fits_on_field(state, card) for card in state.held)


def _fits_on_field(state: State, card: str) -> bool:
    house = state.house
    return any(
        not misfits(card_of(card, turned), card_of(covered), triangle_fits=house.triangle_fits)
        for turned in (range(4) if house.rotate else range(1))
        for covered in state.field
    )


def is_stuck(state: State) -> bool:
    """Nothing is left to draw, and the referee sees that no card in the hand fits."""
    return not state.deck and not _is_unseen(state) and not can_lay(state)


def must_be_a_draw(state: State, move: Draw) -> None:
    """Where nothing is left to draw, that no card fits ends a time trial."""
    if not state.deck:
        raise move.foul("card-fits", "{player} says that no card fits, but one in the hand does: look again.")


def is_trial(house: House) -> bool:
    """A time trial that goes on until the hand is used up too."""
    return house.way == "time-trial" and not house.trial_ends_with_deck
