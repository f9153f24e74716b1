"""Cards played and declarations made, turn by turn to the last round."""

from dataclasses import replace

from companion.core.rules import (
    UNSEEN,
    CardsMoved,
    Event,
    Outcome,
    Place,
    Ruling,
    Turn,
    changed,
    ended,
    highest,
    seat_after,
)
from companion.core.sentence import N_
from companion.games.three.rules.events import (
    Began,
    CallsOver,
    DeckEmpty,
    Declared,
    FinalRound,
    LastCalls,
    NothingMore,
    Passed,
    Played,
)
from companion.games.three.rules.moves import Begin, Declare, Pass, Play
from companion.games.three.rules.phases import own_turn, ruling
from companion.games.three.rules.state import State, dog_named, has_last_turns, unseen_left

NOT_NOW = N_("{player} cannot play now: it is {turn}'s turn.")


def begin(state: State, move: Begin) -> Ruling:
    state = replace(state, phase="turn", turn=move.player)
    return ruling(state, Began(move.player, state.deck))


def play(state: State, move: Play) -> Ruling:
    own_turn(state, move, NOT_NOW)
    dog = UNSEEN
    if move.dog:
        dog = dog_named(state, move.player, move.dog)
        if unseen_left(state, dog) <= 0:
            raise move.foul(
                "no-such-card-left",
                "{player} cannot play {dog}: all {copies} cards of it have been seen already.",
                dog=dog,
                copies=state.house.copies,
            )
    seat = state.players.index(move.player)
    pile = (*state.piles[seat], dog)
    drawn = 1 if state.deck else 0
    hands = changed(state.hands, seat, state.hands[seat] - 1 + drawn)
    events: list[Event] = [
        Played(move.player, dog, len(pile)),
        CardsMoved((dog,), Place("hand", move.player), Place("pile", move.player)),
    ]
    if drawn:
        events.append(CardsMoved((UNSEEN,), Place("deck"), Place("hand", move.player)))
        if state.deck == 1:
            events.append(DeckEmpty())
    state = replace(state, hands=hands, deck=state.deck - drawn, piles=changed(state.piles, seat, pile), declared=0)
    if any(hands):
        state = replace(state, turn=_next_with_cards(state, move.player))
        return ruling(state, *events, Turn(state.turn))
    first, declares = seat_after(state.players, move.player), has_last_turns(state)
    state = replace(state, phase="final", turn=first, final_turns=len(state.players) if declares else 1)
    return ruling(state, *events, FinalRound(first) if declares else LastCalls(first))


def declare(state: State, move: Declare) -> Ruling:
    own_turn(
        state,
        move,
        N_("{player} declares too late or too early: a declaration opens a player's turn, and it is {turn}'s turn."),
    )
    if state.declared >= state.house.declarations_per_turn:
        raise move.foul(
            "declared-enough",
            "{player} has declared {times} times in this turn; the house rule declarations_per_turn allows no more.",
            times=state.declared,
        )
    dog = dog_named(state, move.player, move.dog)
    state = replace(state, phase="check", called=move.player, dog=dog, declared=state.declared + 1)
    return ruling(state, Declared(move.player, dog))


def has_declared_enough(state: State) -> bool:
    """In this turn of the last round there is nothing left to do."""
    return not state.house.everybody_passes and 0 < state.house.declarations_per_turn <= state.declared


def pass_turn(state: State, move: Pass) -> Ruling:
    own_turn(state, move, N_("{player} cannot pass now: it is {turn}'s turn."))
    return next_last_turn(state, _passed(state, move.player))


def _passed(state: State, player: str) -> Event:
    if not has_last_turns(state):
        return CallsOver()
    is_more = state.declared and not state.house.everybody_passes
    return NothingMore(player) if is_more else Passed(player)


def next_last_turn(state: State, *events: Event) -> Ruling:
    """Whoever has the turn has had it; behind the last one the match is over."""
    if state.final_turns > 1:
        turn = seat_after(state.players, state.turn)
        state = replace(state, turn=turn, final_turns=state.final_turns - 1, declared=0)
        return ruling(state, *events, Turn(state.turn))
    discarded = [
        CardsMoved(pile, Place("pile", player), Place("box"))
        for player, pile in zip(state.players, state.piles, strict=True)
        if pile
    ]
    outcome = Outcome(highest(state.players, state.banks), state.banks, N_("The last round is over: most cards win."))
    state = replace(
        state,
        phase="over",
        turn="",
        final_turns=0,
        out=state.out + sum(map(len, state.piles)),
        piles=((),) * len(state.players),
        outcome=outcome,
    )
    return ruling(state, *events, *discarded, ended(outcome))


def _next_with_cards(state: State, player: str) -> str:
    steps = range(1, len(state.players) + 1)
    candidates = (seat_after(state.players, player, step) for step in steps)
    return next(name for name in candidates if state.hands[state.players.index(name)])
