"""Where a card can be: what is known of the hands, the pile and the stock."""

from collections import Counter
from typing import Any

from companion.core.rules import COUNTED, UNSEEN, CardsMoved, Event, Foul, Place, changed
from companion.games.tres.rules.cards import deck
from companion.games.tres.rules.events import Drew, Reshuffled
from companion.games.tres.rules.house import DISCARDS, HAND, PILE, THREE
from companion.games.tres.rules.moves import Deal, Play
from companion.games.tres.rules.state import State


def is_in_deck(state: State, player: str, card: str) -> None:
    if not deck(state.house).get(card):
        raise Foul(
            "unknown-card", player, "{player} shows '{card}', which is not a card of this deck.", card=card or " "
        )


def can_turn_up(state: State, player: str, card: str) -> None:
    """A card of the deck; where cards are only counted, any that is not named too."""
    if card != UNSEEN or state.house.cards != COUNTED:
        is_in_deck(state, player, card)


def no_such_card_left(state: State, player: str, card: str) -> Foul:
    return Foul(
        "no-such-card-left",
        player,
        "{player} cannot have {card}: all {copies} of it lie elsewhere.",
        card=card,
        copies=deck(state.house)[card],
    )


def copies_left(state: State, card: str) -> int:
    """How many of a card are where the referee cannot see them: in the pile or unseen in a hand."""
    copies = deck(state.house)[card] - state.table.count(card) - state.discards.count(card)
    for hand in state.hands:
        copies -= hand.count(card)
    return copies


def can_be_dealt(state: State, move: Deal, hands: tuple[tuple[str, ...], ...]) -> None:
    if len(move.table) != THREE:
        raise move.foul(
            "wrong-count",
            "{player} must lay {three} cards on the table, not {count}.",
            three=THREE,
            count=len(move.table),
        )
    sizes = tuple(map(len, hands))
    if sizes != (HAND,) * len(state.players):
        raise move.foul(
            "wrong-count",
            "{player} must deal {hand} cards to each of {players}, not {sizes}.",
            hand=HAND,
            players=state.players,
            sizes=sizes,
        )
    dealt = Counter(move.table)
    for card in move.table:
        can_turn_up(state, move.player, card)
    for hand in hands:
        dealt.update(card for card in hand if card != UNSEEN)
    for card, count in dealt.items():
        can_turn_up(state, move.player, card)
        if count > deck(state.house).get(card, count):
            raise no_such_card_left(state, move.player, card)


def hand_after(state: State, move: Play) -> tuple[str, ...]:
    """The hand without the cards of a play, or a Foul where it cannot be these."""
    if not 1 <= len(move.cards) <= 2:
        raise move.foul(
            "wrong-count", "{player} plays one or two cards of the hand, not {count}.", count=len(move.cards)
        )
    if move.table_card not in state.table:
        raise move.foul(
            "not-on-table",
            "{player} cannot play with {table_card}: the table has {table}.",
            table_card=move.table_card or " ",
            table=state.table,
        )
    for card in move.cards:
        is_in_deck(state, move.player, card)
    hand = list(state.hand(move.player))
    if state.phase == "drawn":
        return _hand_without_drawn(state, move, hand)
    unseen = []
    for card in move.cards:
        if card not in hand:
            unseen.append(card)
        hand.remove(card if card in hand else _unseen_in(hand, move, card))
    _can_be_in_hand(state, move.player, tuple(unseen))
    return tuple(hand)


def _unseen_in(hand: list[str], move: Play, card: str) -> str:
    if UNSEEN not in hand:
        raise move.foul("not-in-hand", "{player} does not have {card} in hand.", card=card)
    return UNSEEN


def _hand_without_drawn(state: State, move: Play, hand: list[str]) -> tuple[str, ...]:
    if len(move.cards) > 1 or state.drawn not in (UNSEEN, *move.cards):
        raise move.foul(
            "not-the-drawn-card",
            "{player} cannot play {cards}: after drawing only the drawn card may be played, alone.",
            cards=move.cards,
        )
    if state.drawn == UNSEEN and not state.drawn_before:
        can_be_drawn(state, move.player, move.cards)
    elif state.drawn == UNSEEN:
        _can_be_in_hand(state, move.player, move.cards)
    hand.remove(state.drawn)
    return tuple(hand)


def after_drawing(state: State, player: str, cards: tuple[str, ...], events: list[Event]) -> dict[str, Any]:
    """What changes when a player draws; the discards become the pile where it ends midway."""
    at_once, later = cards[: state.pile], cards[state.pile :]
    hand, pile, discards = Place("hand", player), state.pile - len(at_once), state.discards
    drawn: dict[str, Any] = {}
    can_be_drawn(state, player, at_once)
    stock = without(state.stock, at_once)
    events.append(CardsMoved(at_once, PILE, hand))
    if later:
        for card in set(later) - {UNSEEN}:
            is_in_deck(state, player, card)
            if discards.count(card) < later.count(card):
                raise no_such_card_left(state, player, card)
        drawn = reshuffled(state, discards, events)
        pile, discards, stock = drawn["pile"] - len(later), (), without(drawn["stock"], later)
        events.append(CardsMoved(later, PILE, hand))
    seat = state.players.index(player)
    after = state.hands[seat] + cards
    events.append(Drew(player, len(cards), len(after)))
    return {**drawn, **with_hand(state, seat, after), "pile": pile, "discards": discards, "stock": stock}


def reshuffled(state: State, discards: tuple[str, ...], events: list[Event]) -> dict[str, Any]:
    """All discards are the pile, so it is known which cards are in it."""
    events += [Reshuffled(len(discards)), CardsMoved(discards, DISCARDS, PILE)]
    is_known = state.house.cards != COUNTED and not state.house.any_card_drawn
    drawn = {"drawn_before": True} if state.drawn and not state.house.drawn_is_shuffled else {}
    return {"pile": len(discards), "discards": (), "stock": discards if is_known else None, **drawn}


def can_be_drawn(state: State, player: str, cards: tuple[str, ...]) -> None:
    """Cards that are shown when they come from the pile: they are of the deck, lie nowhere else, and were shuffled."""
    for card in set(cards) - {UNSEEN}:
        is_in_deck(state, player, card)
        left = copies_left(state, card)
        most = left if state.stock is None else min(left, state.stock.count(card))
        if most < cards.count(card):
            raise no_such_card_left(state, player, card)


def _can_be_in_hand(state: State, player: str, cards: tuple[str, ...]) -> None:
    """Cards of a hand that were not seen before: they lie nowhere else, and not all of them in the pile."""
    for card in cards:
        if copies_left(state, card) - _surely_in_pile(state, card) < cards.count(card):
            raise no_such_card_left(state, player, card)


def _surely_in_pile(state: State, card: str) -> int:
    """How many of a card nobody can have, because too few that were not shown have left the pile since the shuffle."""
    if state.stock is None:
        return 0
    return max(0, state.stock.count(card) - (len(state.stock) - state.pile))


def without(stock: tuple[str, ...] | None, cards: tuple[str, ...]) -> tuple[str, ...] | None:
    """The stock when these cards have been seen; of those nobody showed any may be left."""
    if stock is None or not set(cards) - {UNSEEN}:
        return stock
    return tuple((Counter(stock) - Counter(cards)).elements())


def stock_after(state: State, play: Play, after: State) -> tuple[str, ...] | None:
    """The stock when cards of a hand have been seen: without the one just drawn, and what can lie nowhere any more."""
    if state.stock is None:
        return None
    is_drawn = state.drawn == UNSEEN and not state.drawn_before
    stock = Counter(state.stock) - Counter(play.cards if is_drawn else ())
    most = {card: min(count, copies_left(after, card)) for card, count in stock.items()}
    return tuple(Counter(most).elements())


def with_hand(state: State, seat: int, hand: tuple[str, ...]) -> dict[str, Any]:
    """What changes when the size of a hand does: what was said before this turn is forgotten."""
    player = state.players[seat]
    moved: dict[str, Any] = {
        "hands": changed(state.hands, seat, hand),
        "tres": changed(state.tres, seat, "said" if player in state.announced else ""),
    }
    if not state.house.only_with_three:
        others = tuple(other for other in state.recent if other != player)
        moved["recent"] = (*others, player) if len(hand) == THREE else others
    return moved
