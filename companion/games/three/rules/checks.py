"""A call, the count of the pile that is checked, and where its cards go."""

from dataclasses import replace

from companion.core.clocks import SECOND
from companion.core.rules import UNSEEN, CardsMoved, Event, Place, Ruling, changed
from companion.games.three.rules.events import Called, Checked, KeptOut, SeenOtherwise
from companion.games.three.rules.house import FIRST_COUNTED, THREE
from companion.games.three.rules.moves import Call, Check
from companion.games.three.rules.phases import phase_between_calls, ruling
from companion.games.three.rules.state import State, dog_index, dog_named, unseen_left
from companion.games.three.rules.strikes import rearmed
from companion.games.three.rules.turns import has_declared_enough, next_last_turn


def call(state: State, move: Call) -> Ruling:
    if move.player != state.caller:
        raise move.foul("not-the-caller", "{player} cannot call: {caller} struck first.", caller=state.caller)
    if move.whom == move.player:
        raise move.foul("called-oneself", "{player} cannot call {player}: name another player.")
    if move.whom not in state.players:
        raise move.foul("unknown-player", "{player} calls {whom}, who is not in this match.", whom=move.whom)
    dog = dog_named(state, move.player, move.dog)
    return ruling(replace(state, phase="check", called=move.whom, dog=dog), Called(move.player, move.whom, dog))


def check(state: State, move: Check) -> Ruling:
    if move.player != state.called:
        raise move.foul("not-the-checked", "{player} cannot answer: the pile is {called}'s.", called=state.called)
    found = _found(state, move)
    seat = state.players.index(state.called)
    pile, dog = state.piles[seat], state.dog
    seen = pile.count(dog)
    events: list[Event] = []
    if seen <= found <= seen + pile.count(UNSEEN):
        rest = _without(pile, dog, found - seen)
    else:
        rest = (UNSEEN,) * (len(pile) - found)
        events.append(SeenOtherwise(move.player, dog, found, seen))
    to = _where_cards_go(state, found >= THREE)
    banks = state.banks
    if to.kind == "bank":
        owner = state.players.index(to.of)
        banks = changed(banks, owner, banks[owner] + found)
    index = dog_index(state.house, dog)
    events += [
        Checked(move.player, dog, found, found >= THREE, to),
        CardsMoved((dog,) * found, Place("pile", move.player), to),
    ]
    if state.caller:
        state, after = _after_call(state, move.at, right=found >= THREE)
        events += after
    state = replace(
        state,
        phase=phase_between_calls(state),
        caller="",
        called="",
        dog="",
        banks=banks,
        piles=changed(state.piles, seat, rest),
        out=state.out + (found if to.kind == "box" else 0),
        gone=changed(state.gone, index, state.gone[index] + found),
    )
    if state.phase == "final" and has_declared_enough(state):
        return next_last_turn(state, *events)
    return ruling(state, *events)


def _after_call(state: State, at: int, *, right: bool) -> tuple[State, tuple[Event, ...]]:
    state, rearming = rearmed(state, at)
    seconds = state.house.cooldown
    if right or not seconds:
        return state, rearming
    until = at + seconds * SECOND
    kept_out = changed(state.kept_out or (0,) * len(state.players), state.players.index(state.caller), until)
    return replace(state, kept_out=kept_out), (KeptOut(state.caller, seconds, until), *rearming)


def _found(state: State, move: Check) -> int:
    """The number that counts for a check, or a Foul where it cannot be."""
    pile, dog = state.pile(move.player), state.dog
    seen, unseen = pile.count(dog), pile.count(UNSEEN)
    if move.found is None:
        if unseen:
            raise move.foul(
                "count-needed",
                "{player} must say how many {dog} there are: {unseen} cards of the pile were never shown.",
                dog=dog,
                unseen=unseen,
            )
        return seen
    most = min(len(pile), max(seen, state.house.copies - state.gone[dog_index(state.house, dog)]))
    if not 0 <= move.found <= most:
        raise move.foul(
            "impossible-count",
            "{player} says {found} of {dog}; it can only be 0 to {most}.",
            found=move.found,
            dog=dog,
            most=most,
        )
    possible = max(0, min(unseen, unseen_left(state, dog)))
    if not move.insist and not seen <= move.found <= seen + possible:
        if state.house.checks == FIRST_COUNTED:
            raise move.foul(
                "count-differs",
                "{player} says {found} of {dog}, and that is not what the referee has seen: look again, or insist.",
                found=move.found,
                dog=dog,
            )
        raise move.foul(
            "count-differs",
            "{player} says {found} of {dog}, but the referee has seen {seen} on "
            "that pile, with {unseen} cards unseen: look again, or insist.",
            found=move.found,
            dog=dog,
            seen=seen,
            unseen=possible,
        )
    return move.found


def _without(pile: tuple[str, ...], dog: str, unseen: int) -> tuple[str, ...]:
    """The pile after a check: the dog is gone, and so many of the unseen cards, lowest first."""
    rest = []
    for card in pile:
        if card == UNSEEN and unseen:
            unseen -= 1
        elif card != dog:
            rest.append(card)
    return tuple(rest)


def _where_cards_go(state: State, right: bool) -> Place:
    if state.caller:
        return Place("bank", state.caller if right else state.called)
    return Place("bank", state.called) if right else Place("box")
