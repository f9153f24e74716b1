"""The dealer is chosen, the cards are dealt, and one is turned up."""

from dataclasses import replace
from typing import Any

from companion.core.rules import COUNTED, UNSEEN, CardsMoved, Event, Place, Ruling, highest, seat_after
from companion.games.tres.rules.cards import deck, is_action, number
from companion.games.tres.rules.events import (
    DealerChosen,
    Dealt,
    DirectionTurned,
    MustDraw,
    Showed,
    TiedForDealer,
    TurnedUp,
    TurnLost,
)
from companion.games.tres.rules.house import ACTIONS, HAND, PILE, PLUS3, REVERSE, TABLE, THREE
from companion.games.tres.rules.moves import Deal, Dealer, Fill, ShowCard
from companion.games.tres.rules.phases import as_known, only_counted, out_of_phase, own_turn, ruling
from companion.games.tres.rules.state import Due, State
from companion.games.tres.rules.stock import (
    can_be_dealt,
    can_be_drawn,
    can_turn_up,
    is_in_deck,
    no_such_card_left,
    without,
)
from companion.games.tres.rules.turns import settled


def show_card(state: State, move: ShowCard) -> Ruling:
    if move.player not in state.contenders:
        raise move.foul(
            "not-in-the-draw",
            "{player} has no more to draw for dealer: {contenders} had more.",
            contenders=state.contenders,
        )
    if any(player == move.player for player, _ in state.shown):
        raise move.foul("shown-already", "{player} has drawn for dealer already.")
    is_in_deck(state, move.player, move.card)
    if [card for _, card in state.shown].count(move.card) >= deck(state.house)[move.card]:
        raise no_such_card_left(state, move.player, move.card)
    shown = (*state.shown, (move.player, move.card))
    events: list[Event] = [Showed(move.player, move.card, number(move.card))]
    if len(shown) < len(state.contenders):
        return ruling(replace(state, shown=shown), *events)
    players = tuple(player for player, _ in shown)
    numbers = tuple(number(card) for _, card in shown)
    best = highest(players, numbers)
    if len(best) == 1:
        return _dealer_chosen(state, best[0], *events)
    tied = tuple(player for player in state.players if player in best)
    return ruling(replace(state, contenders=tied, shown=()), *events, TiedForDealer(tied, max(numbers)))


def dealer(state: State, move: Dealer) -> Ruling:
    return _dealer_chosen(state, move.player)


def _dealer_chosen(state: State, dealer: str, *events: Event) -> Ruling:
    state = replace(state, phase="deal", turn=dealer, dealer=dealer, contenders=(), shown=())
    return ruling(state, *events, DealerChosen(dealer))


def deal(state: State, move: Deal) -> Ruling:
    if move.player != state.dealer:
        raise move.foul("not-the-dealer", "{player} cannot deal: {dealer} is the dealer.", dealer=state.dealer)
    hands = move.hands or ((UNSEEN,) * HAND,) * len(state.players)
    can_be_dealt(state, move, hands)
    only_counted(state, move, *move.table, *(card for hand in move.hands for card in hand))
    pile = state.pile - THREE - HAND * len(hands)
    events: list[Event] = [Dealt(move.player, move.table, pile)]
    events += [CardsMoved(hand, PILE, Place("hand", player)) for player, hand in zip(state.players, hands, strict=True)]
    events.append(CardsMoved(move.table, PILE, TABLE))
    turn, direction, dues = seat_after(state.players, move.player), 1, state.dues
    for card in move.table:
        turn, direction, due = _turned_up(state, turn, direction, card, events)
        dues += due
    return settled(
        state,
        events,
        turn,
        "begin",
        hands=hands,
        pile=pile,
        table=as_known(state, move.table),
        direction=direction,
        dues=dues,
    )


def fill(state: State, move: Fill) -> Ruling:
    is_counted = state.phase == "turn"  # it lies there already, and nobody had said what it is
    if is_counted and state.house.cards != COUNTED:
        raise out_of_phase(state, move)
    own_turn(state, move)
    only_counted(state, move, move.card)
    can_turn_up(state, move.player, move.card)
    if is_counted:
        _may_have_turned_up(state, move)
    events: list[Event] = [TurnedUp(move.player, move.card)]
    moved: dict[str, Any] = {"filled": state.filled - is_counted}
    if not is_counted:
        can_be_drawn(state, move.player, (move.card,))
        events.append(CardsMoved((move.card,), PILE, TABLE))
        moved["stock"] = without(state.stock, (move.card,))
        moved |= {"pile": state.pile - 1, "table": (*state.table, *as_known(state, (move.card,)))}
    turn, direction, due = _turned_up(state, move.player, state.direction, move.card, events)
    then = "fill" if turn == move.player else "begin"
    return settled(state, events, turn, then, **moved, direction=direction, dues=state.dues + due)


def _may_have_turned_up(state: State, move: Fill) -> None:
    is_action(move, move.card)
    if not state.filled:
        raise move.foul(
            "nothing-turned-up",
            "{player} cannot have turned up {card}: nothing was turned up in this turn.",
            card=move.card,
        )


def _turned_up(
    state: State, turn: str, direction: int, card: str, events: list[Event]
) -> tuple[str, int, tuple[Due, ...]]:
    """Whose turn it is and which way round play goes after a card turned up, and what became due."""
    if card == PLUS3:
        events.append(MustDraw(turn, THREE, ("turned-up",)))
        return turn, direction, (Due(turn, THREE, ("turned-up",)),)
    if card not in ACTIONS:
        return turn, direction, ()
    events.append(TurnLost(turn, card))
    if card == REVERSE:
        direction = -direction
        events.append(DirectionTurned(direction == 1))
    return seat_after(state.players, turn, direction), direction, ()
