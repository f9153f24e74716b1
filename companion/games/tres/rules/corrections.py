"""What stays of a match when something before is put right or looked up."""

from dataclasses import replace

from companion.core.rules import COUNTED, UNSEEN, Foul, Hidden, Move, Place
from companion.games.tres.rules.cards import is_run
from companion.games.tres.rules.moves import Draw, Fill, Keep, Lay, Pass, Play
from companion.games.tres.rules.state import State


def hidden(state: State) -> tuple[Hidden, ...]:
    """Table and discards lie open, the hands do not."""
    known = (
        Hidden(Place("hand", player), tuple(card for card in hand if card != UNSEEN))
        for player, hand in zip(state.players, state.hands, strict=True)
    )
    return tuple(one for one in known if one.cards)


def recalled(state: State) -> State:
    """Nobody looks up a hand, nor which card was drawn."""
    hands = tuple((UNSEEN,) * len(hand) for hand in state.hands)
    return replace(state, hands=hands, drawn=UNSEEN if state.drawn else "")


def adjusted(state: State, move: Move, foul: Foul) -> Move | None:
    """A card of the table that was another one after all is played as that, if it goes with the rest. Where cards are
    only counted, what was said in the turn of somebody else is that of whoever's turn it was after all."""
    if state.house.cards == COUNTED:
        is_of_turn = foul.code == "not-your-turn" and isinstance(move, Fill | Lay | Draw | Keep | Pass)
        return replace(move, player=state.turn) if is_of_turn else None
    if not isinstance(move, Play) or foul.code != "not-on-table":
        return None
    fitting = (card for card in state.table if is_run(card, *move.cards))
    return next((replace(move, table_card=card) for card in fitting), None)
