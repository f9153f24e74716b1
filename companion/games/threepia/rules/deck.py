"""Cards dealt and drawn, and what is known of the deck."""

from dataclasses import replace

from companion.core.rules import UNSEEN, CardsMoved, Event, Place, Ruling, Turn, changed
from companion.core.sentence import N_
from companion.games.threepia.rules.events import Began, Dealt, DeckCounted, DeckUsedUp, DrawnNeedlessly, NothingLaid
from companion.games.threepia.rules.hand import (
    can_lay,
    card_shown,
    cards_shown,
    hand_of,
    held,
    holding,
    is_stuck,
    is_trial,
    must_be_a_draw,
)
from companion.games.threepia.rules.house import ALONE, HAND, MOST_CARDS
from companion.games.threepia.rules.laid_field import NotAFieldError, field_drawn
from companion.games.threepia.rules.moves import Begin, Deal, DeckCount, DeckEmpty, Draw
from companion.games.threepia.rules.phases import own_turn, ruling, who
from companion.games.threepia.rules.state import State
from companion.games.threepia.rules.turns import clocks_at, turn_over


def deal(state: State, move: Deal) -> Ruling:
    state = _as_laid(state, move)
    places = state.house.field.letters
    if move.field and len(move.field) != len(places):
        raise move.foul(
            "field-size",
            "{who} shows {cards} cards for the field; {field} has {places} places, so show one card for each, or none.",
            who=who(move.player),
            cards=len(move.field),
            field=state.house.field.name,
            places=len(places),
        )
    field = tuple([str(card_shown(move.player, text)) for text in move.field])
    hand = cards_shown(state, move.player, move.hand, HAND)
    dealt = HAND * len(state.players)
    deck = state.deck - len(places) - dealt
    events: list[Event] = [
        CardsMoved((field[i] if field else UNSEEN,), Place("deck"), Place("field", letter))
        for i, letter in enumerate(places)
    ]
    events += [CardsMoved(hand, Place("deck"), Place("hand", player)) for player in state.players]
    events.append(Dealt(HAND, len(places), deck, bool(field)))
    state = replace(
        state,
        phase="ready",
        field=field,
        hands=(HAND,) * len(state.players),
        held=held(hand),
        deck=deck,
        laid=len(places),
    )
    return ruling(state, events)


def _as_laid(state: State, move: Deal) -> State:
    """The field becomes the one that lies there, where the house lets."""
    house = state.house
    if not move.picture:
        return state
    if not house.field_as_laid:
        text = N_(
            "{who} cannot {move} on a field as it lies: the house rule field_as_laid is off, the field is {field}."
        )
        raise move.foul("field-agreed", text, who=who(move.player), field=house.field.name)
    try:
        field = field_drawn(move.picture, house.field.line, move.name)
    except NotAFieldError as error:
        text = N_("{who} cannot {move} on a field as it lies. {why}")
        raise move.foul("no-field", text, who=who(move.player), why=error.sentence) from None
    return replace(state, house=replace(house, field=field))


def begin(state: State, move: Begin) -> Ruling:
    state = replace(state, phase="turn", turn=move.player, clocks=clocks_at(state, move.player, move.at))
    return ruling(state, [Began(move.player, move.at), Turn(move.player)])


def draw(state: State, move: Draw) -> Ruling:
    own_turn(state, move)
    seat = state.players.index(move.player)
    drawn = 1 if state.deck else 0
    cards = cards_shown(state, move.player, move.drawn, drawn)
    events: list[Event] = [NothingLaid(move.player, drawn)]
    if state.house.way == "time-trial" and can_lay(state):
        must_be_a_draw(state, move)
        events.append(DrawnNeedlessly(move.player))
        state = replace(state, needless=state.needless + 1)
    tell_drawn(state, move.player, cards, events)
    if state.house.way in ALONE:
        state = holding(state, (*hand_of(state), *cards))
    state = replace(
        state,
        hands=changed(state.hands, seat, state.hands[seat] + drawn),
        deck=state.deck - drawn,
        idle=0 if drawn else state.idle + 1,
    )
    return turn_over(state, move.at, events)


def deck_empty(state: State, move: DeckEmpty) -> Ruling:
    if not state.deck:
        raise move.foul("deck-empty-already", "{player} says that the deck is used up; the referee knows.")
    return _deck_put_right(*_deck_of(state, 0), move.at)


def deck_count(state: State, move: DeckCount) -> Ruling:
    if not 0 <= move.cards <= MOST_CARDS:
        raise move.foul(
            "impossible-deck",
            "{player} says that {cards} cards are in the deck; it can only be 0 to {most}.",
            cards=move.cards,
            most=MOST_CARDS,
        )
    if move.cards == state.deck:
        raise move.foul(
            "deck-as-counted",
            "{player} finds {cards} cards in the deck; that is what the referee has counted.",
            cards=move.cards,
        )
    after, events = _deck_of(state, move.cards)
    return _deck_put_right(after, [DeckCounted(move.player, move.cards, state.deck), *events], move.at)


def _deck_put_right(state: State, events: list[Event], at: int) -> Ruling:
    """A time trial may be over with it: nothing is left to draw, and the referee sees that no card fits."""
    return turn_over(state, at, events) if is_trial(state.house) and is_stuck(state) else ruling(state, events)


def _deck_of(state: State, cards: int) -> tuple[State, list[Event]]:
    """The deck with so many cards as there are in truth."""
    missing = state.deck - cards
    where = (Place("deck"), Place("box")) if missing > 0 else (Place("box"), Place("deck"))
    events: list[Event] = [CardsMoved((UNSEEN,) * abs(missing), *where)]
    if not cards:
        events.append(DeckUsedUp(missing))
    idle = 0 if cards else state.idle
    return _dealt_anew(replace(state, deck=cards, missing=state.missing + missing, idle=idle), events)


def _dealt_anew(state: State, events: list[Event]) -> tuple[State, list[Event]]:
    """Whoever has no cards, because the deck seemed to be used up, draws three, if they have time left."""
    seat = state.players.index(state.turn)
    for player in (*state.players[seat:], *state.players[:seat]):
        seat = state.players.index(player)
        drawn = min(HAND, state.deck)
        if state.hands[seat] or player in state.out or not drawn:
            continue
        tell_drawn(state, player, (UNSEEN,) * drawn, events)
        state = replace(state, hands=changed(state.hands, seat, drawn), deck=state.deck - drawn)
    return state, events


def tell_drawn(state: State, player: str, cards: tuple[str, ...], events: list[Event]) -> None:
    if cards:
        events.append(CardsMoved(cards, Place("deck"), Place("hand", player)))
        if len(cards) == state.deck:
            events.append(DeckUsedUp())
