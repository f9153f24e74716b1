"""What stays of a match when something before is put right or looked up."""

from dataclasses import replace

from companion.core.rules import UNSEEN, Foul, Hidden, Move, Place
from companion.games.three.rules.moves import Call, Check, Play
from companion.games.three.rules.state import State, unseen_left


def hidden(state: State) -> tuple[Hidden, ...]:
    """Only the top of a pile is for everybody."""
    known = (
        Hidden(Place("pile", player), tuple(card for card in pile[:-1] if card != UNSEEN))
        for player, pile in zip(state.players, state.piles, strict=True)
    )
    return tuple(one for one in known if one.cards)


def recalled(state: State) -> State:
    """Nobody looks up what lay on a pile, nor for which dog it was checked."""
    return replace(state, piles=tuple((UNSEEN,) * len(pile) for pile in state.piles), dog="")


def adjusted(state: State, move: Move, foul: Foul) -> Move | None:
    """A dog that cannot be there any more was not seen; whose pile is checked finds what is on it by now."""
    match move:
        case Play() if foul.code == "no-such-card-left":
            return replace(move, dog="")
        case Check() if state.phase == "check":
            return _check_adjusted(state, move)
        case Call() if foul.code == "not-the-caller" and move.whom != state.caller:
            return replace(move, player=state.caller)
    return None


def looks_anew(state: State, played: State, move: Move) -> bool:
    """A check of another pile, or for another dog, than at the table."""
    return isinstance(move, Check) and (state.called, state.dog) != (played.called, played.dog)


def _check_adjusted(state: State, move: Check) -> Check:
    pile = state.pile(state.called)
    seen = pile.count(state.dog)
    most = seen + max(0, min(pile.count(UNSEEN), unseen_left(state, state.dog)))
    said = move.found if move.found is not None and move.player == state.called else seen
    return replace(move, player=state.called, found=min(max(said, seen), most), insist=False)
