"""Cards drawn, kept and owed, a turn that is passed, and what comes when one is over."""

from dataclasses import replace
from typing import Any

from companion.core.rules import (
    COUNTED,
    UNSEEN,
    CardsMoved,
    Event,
    Outcome,
    Ruling,
    Turn,
    ended,
    highest,
    seat_after,
)
from companion.core.sentence import N_
from companion.games.tres.rules.events import Kept, NotDrawn, Passed
from companion.games.tres.rules.house import PILE, TABLE, THREE
from companion.games.tres.rules.moves import Draw, Keep, Pass, Take
from companion.games.tres.rules.phases import only_counted, own_turn, ruling
from companion.games.tres.rules.state import State
from companion.games.tres.rules.stock import after_drawing, reshuffled


def draw(state: State, move: Draw) -> Ruling:
    own_turn(state, move)
    if not state.pile:
        raise move.foul("nothing-to-draw", "{player} cannot draw: pile and discards are used up. Play, or pass.")
    card = move.card or UNSEEN
    only_counted(state, move, card)
    state = too_late_to_catch(state)
    events: list[Event] = []
    drawn = after_drawing(state, move.player, (card,), events)
    return settled(state, events, move.player, "drawn", **drawn, drawn=card, filled=0, drawn_before=state.pile == 1)


def keep(state: State, move: Keep) -> Ruling:
    own_turn(state, move)
    return settled(state, [Kept(move.player)], next_player(state), "begin", drawn="")


def take(state: State, move: Take) -> Ruling:
    first = state.dues[0].player
    if move.player != first:
        raise move.foul(
            "not-due",
            "{player} has nothing to draw now: {first} draws {count} first.",
            first=first,
            count=state.owed(first),
        )
    owed = state.owed(first)
    cards = move.cards or (UNSEEN,) * owed
    only_counted(state, move, *cards)
    if len(cards) != owed:
        raise move.foul("wrong-count", "{player} must draw {owed} cards, not {count}.", owed=owed, count=len(cards))
    events: list[Event] = []
    drawn = after_drawing(state, first, cards, events)
    rest = sum(due.count for due in state.dues if due.player == first) - owed
    if rest:
        events.append(NotDrawn(first, rest))
    dues = tuple(due for due in state.dues if due.player != first)
    return settled(state, events, state.upcoming, state.then, **drawn, dues=dues)


def pass_turn(state: State, move: Pass) -> Ruling:
    own_turn(state, move)
    if state.pile:
        raise move.foul(
            "cards-to-draw", "{player} cannot pass: {pile} cards are left to draw. Play, or draw one.", pile=state.pile
        )
    state = too_late_to_catch(state)
    passes = state.passes + 1
    if passes < len(state.players):
        return settled(state, [Passed(move.player)], next_player(state), "begin", passes=passes, filled=0)
    fewest = highest(state.players, tuple(-score for score in state.scores))
    return over(
        replace(state, passes=passes),
        [Passed(move.player)],
        fewest,
        N_("Nobody plays and nothing is left to draw: fewest cards win."),
    )


def too_late_to_catch(state: State) -> State:
    """A card is laid or drawn: whoever has been silent since an earlier turn is not caught any more."""
    silent = () if state.house.only_with_three else set(state.silent) - set(state.recent)
    if not silent:
        return state
    words = ("late" if player in silent else word for player, word in zip(state.players, state.tres, strict=True))
    return replace(state, tres=tuple(words))


def _turn_over(state: State) -> State:
    """What was said in this turn holds for a hand of three, and was for nothing with another."""
    words = (
        "" if word == "said" and len(hand) != THREE else word
        for word, hand in zip(state.tres, state.hands, strict=True)
    )
    return replace(state, tres=tuple(words), announced=(), recent=())


def next_player(state: State) -> str:
    return seat_after(state.players, state.turn, state.direction)


def settled(state: State, events: list[Event], upcoming: str, then: str, **moved: Any) -> Ruling:
    """The state with what has moved, where everything due is drawn first and `then` it goes on."""
    pile, discards = moved.get("pile", state.pile), moved.get("discards", state.discards)
    if discards and not pile:
        moved |= reshuffled(state, discards, events)
        pile = len(discards)
    dues = moved.get("dues", state.dues)
    if dues and pile:
        moved |= {
            "phase": "pay",
            "turn": state.turn if state.phase != "deal" else upcoming,
            "then": then,
            "upcoming": upcoming,
        }
        state = replace(state, **moved)
        if not _goes_without_saying(state):
            return ruling(state, *events)
        taken = take(state, Take(state.dues[0].player))
        return replace(taken, events=(*events, *taken.events))
    events += [NotDrawn(due.player, due.count) for due in dues]
    state = replace(state, **moved)
    if then == "begin":
        events.append(Turn(upcoming))
        state = _turn_over(state)
        then = "fill"
    if then == "fill" and len(state.table) < THREE and _goes_without_saying(state):
        state = _filled(state, events)
    if then == "fill" and (len(state.table) == THREE or not state.pile):
        then = "turn"
    return ruling(replace(state, phase=then, turn=upcoming, dues=(), then="", upcoming=""), *events)


def _goes_without_saying(state: State) -> bool:
    """Where cards are only counted: whatever is drawn or turned up before the next card is laid, it does not matter in
    which order, and nobody who has to draw can be caught before."""
    if state.house.cards != COUNTED or any(due.player in state.silent for due in state.dues):
        return False
    missing = THREE - len(state.table)
    owed = sum(due.count for due in state.dues) + THREE * (missing + len(state.silent))  # by each +3, by who is caught
    return state.pile + len(state.discards) >= missing + owed


def _filled(state: State, events: list[Event]) -> State:
    """The table with the cards that turn up without a word; the discards become the pile where it ends midway."""
    cards = (UNSEEN,) * (THREE - len(state.table))
    at_once, later = cards[: state.pile], cards[state.pile :]
    moved: dict[str, Any] = {"pile": state.pile - len(at_once)}
    events.append(CardsMoved(at_once, PILE, TABLE))
    if not moved["pile"]:
        moved |= reshuffled(state, state.discards, events)
        moved["pile"] -= len(later)
        events += [CardsMoved(later, PILE, TABLE)] if later else []
    return replace(state, **moved, table=state.table + cards, filled=state.filled + len(cards))


def over(state: State, events: list[Event], winners: tuple[str, ...], reason: str) -> Ruling:
    outcome = Outcome(winners, state.scores, reason)
    return ruling(replace(state, phase="over", turn="", outcome=outcome), *events, ended(outcome))
