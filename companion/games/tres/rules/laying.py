"""Cards laid on the three, and what they do to the next player."""

from dataclasses import replace
from typing import Any

from companion.core.rules import UNSEEN, CardsMoved, Event, Place, Ruling, seat_after
from companion.core.sentence import Sentence
from companion.games.tres.rules.cards import is_action, is_one_colour, is_run
from companion.games.tres.rules.events import DirectionTurned, Laid, MustDraw, Played, Skipped
from companion.games.tres.rules.house import DISCARDS, PLUS3, REVERSE, SKIP, TABLE, THREE
from companion.games.tres.rules.moves import Lay, Play
from companion.games.tres.rules.phases import as_known, own_turn
from companion.games.tres.rules.state import Due, State
from companion.games.tres.rules.stock import hand_after, is_in_deck, stock_after, with_hand
from companion.games.tres.rules.turns import over, settled, too_late_to_catch


def play(state: State, move: Play) -> Ruling:
    own_turn(state, move)
    hand = hand_after(state, move)
    state = too_late_to_catch(state)
    if not is_run(move.table_card, *move.cards):
        raise move.foul(
            "not-consecutive",
            "{player} cannot play {cards} with {table_card}: together they must be consecutive numbers.",
            cards=move.cards,
            table_card=move.table_card,
        )
    events: list[Event] = [Played(move.player, move.table_card, move.cards, len(hand))]
    is_three = len(move.cards) == 2 and is_one_colour(state.house, move.table_card, *move.cards)
    return _discarded(state, move, hand, events, is_three=is_three)


def lay(state: State, move: Lay) -> Ruling:
    own_turn(state, move)
    _can_be_laid(state, move)
    cards = (move.action or UNSEEN, UNSEEN)[: move.cards]
    hand = state.hand(move.player)[move.cards :]
    events: list[Event] = [Laid(move.player, move.cards, move.action, len(hand))]
    play = Play(move.player, UNSEEN, cards, at=move.at)
    return _discarded(too_late_to_catch(state), play, hand, events, is_three=move.one_colour)


def _discarded(state: State, move: Play, hand: tuple[str, ...], events: list[Event], *, is_three: bool) -> Ruling:
    """What a play does: it goes to the discards, and its action cards act."""
    seat, cards = state.players.index(move.player), move.cards
    events += [
        CardsMoved((move.table_card,), TABLE, DISCARDS),
        CardsMoved(cards, Place("hand", move.player), DISCARDS),
    ]
    gone = state.table.index(move.table_card)
    moved: dict[str, Any] = {
        **with_hand(state, seat, hand),
        "drawn": "",
        "filled": 0,
        "passes": 0,
        "table": state.table[:gone] + state.table[gone + 1 :],
        "discards": state.discards + as_known(state, (move.table_card, *cards)),
    }
    moved["stock"] = stock_after(state, move, replace(state, **moved))
    if not hand:
        return over(
            replace(state, **moved), events, (move.player,), Sentence("{player} has no cards left.", player=move.player)
        )
    direction = state.direction
    if REVERSE in cards:
        direction = -direction
        events.append(DirectionTurned(direction == 1))
    follower = seat_after(state.players, move.player, direction)
    due = _due_after(follower, cards, events, is_three=is_three)
    if SKIP in cards:
        events.append(Skipped(follower))
        follower = seat_after(state.players, follower, direction)
    return settled(state, events, follower, "begin", **moved, direction=direction, dues=due)


def _due_after(follower: str, cards: tuple[str, ...], events: list[Event], *, is_three: bool) -> tuple[Due, ...]:
    """What a play makes the next player draw, all of it in one."""
    why = ("take-three",) * is_three + ("plus3",) * (PLUS3 in cards)
    if not why:
        return ()
    due = Due(follower, THREE * len(why), why)
    events.append(MustDraw(due.player, due.count, why))
    return (due,)


def _can_be_laid(state: State, move: Lay) -> None:
    """A play of which only that much is told; or a Foul where it cannot be that."""
    if not 1 <= move.cards <= 2:
        raise move.foul("wrong-count", "{player} plays one or two cards of the hand, not {count}.", count=move.cards)
    if move.action:
        is_in_deck(state, move.player, move.action)
        is_action(move, move.action)
    if move.one_colour and move.cards == 1:
        raise move.foul("too-few", "{player} lays one card: three of one colour are two cards of the hand.")
    if state.phase == "drawn" and move.cards > 1:
        raise move.foul(
            "not-the-drawn-card",
            "{player} cannot lay {count}: after drawing only the drawn card may be played, alone.",
            count=move.cards,
        )
    if move.cards > len(state.hand(move.player)):
        raise move.foul(
            "too-many",
            "{player} has {rest} in hand and cannot lay {count}.",
            rest=len(state.hand(move.player)),
            count=move.cards,
        )
    if not state.table:
        raise move.foul("nothing-on-table", "{player} cannot lay: no card is left on the table.")
