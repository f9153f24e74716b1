"""What a look at the grid finds that nobody said."""

from dataclasses import replace

from companion.core.rules import UNSEEN, CardsMoved, Event, Foul, Place, Ruling, changed
from companion.core.sentence import N_
from companion.games.triple3.rules.cards import PLACE_IN_DECK
from companion.games.triple3.rules.events import FoundLying
from companion.games.triple3.rules.moves import Lies
from companion.games.triple3.rules.phases import cell_index, grid_needed, known_card, ruling
from companion.games.triple3.rules.rounds import end_stuck
from companion.games.triple3.rules.state import Laid, State, cell_of, lifted, with_plays


def lies(state: State, move: Lies) -> Ruling:
    grid_needed(state, move)
    index = cell_index(move.player, move.cell)
    known_card(move.player, move.card)
    pile = state.piles[index]
    if pile[-1].card == move.card:
        raise move.foul("lies-there", "{card} lies on cell {cell} already.", card=move.card, cell=move.cell)
    if not state.seen & PLACE_IN_DECK[move.card]:
        state, found = _laid_unseen(state, move, index)
    elif move.hidden or move.taken:
        raise _no_such_count(move, N_("{card} has been seen: leave out how many were taken off or lie hidden."))
    elif (where := cell_of(state, move.card)) == move.cell:
        above = [laid.card for laid in reversed(pile)].index(move.card)
        state, found = _taken_off(state, move, index, above)
    else:
        state, found = _moved(state, move, index, where)
    if state.phase == "play" and state.can_be_laid == 0:
        return end_stuck(state, move, found)
    return ruling(state, *found)


def _laid_unseen(state: State, move: Lies, index: int) -> tuple[State, list[Event]]:
    """A card that has not been seen before: laid, or the hidden one that lies on top when others are taken off."""
    before = state.piles[index][-1].card
    if min(move.hidden, move.taken) < 0 or move.taken >= len(state.piles[index]):
        raise _no_such_count(move, N_("{hidden} hidden cards, or {taken} taken off cell {cell}, cannot be."))
    state, found = _taken_off(state, move, index, move.taken)
    pile = state.piles[index]
    if pile[-1].card == UNSEEN:
        if move.hidden:
            raise _no_such_count(move, N_("The card on top of cell {cell} is the hidden one: none is hidden above it."))
        pile = (*pile[:-1], replace(pile[-1], card=move.card))
        state = replace(state, hidden=state.hidden - 1)
    else:
        laid = move.hidden + 1
        if laid > state.unseen:
            raise _no_such_count(move, N_("{hidden} hidden cards under {card} are more than were still in hands."))
        pile = (*pile, *(Laid(UNSEEN, ruled=False),) * move.hidden, Laid(move.card, ruled=False))
        state = replace(with_plays(state, "", laid), hidden=state.hidden + move.hidden)
        cards = (*(UNSEEN,) * move.hidden, move.card)
        found.append(CardsMoved(cards, Place("hand"), Place("cell", str(move.cell))))
    state = replace(state, piles=changed(state.piles, index, pile), seen=state.seen | PLACE_IN_DECK[move.card])
    back = found[0].back if isinstance(found[0], FoundLying) else ()
    found[0] = FoundLying(move.player, move.cell, move.card, before, back, move.hidden)
    return state, found


def _taken_off(state: State, move: Lies, index: int, count: int) -> tuple[State, list[Event]]:
    """So many cards of a pile are back in the hands they came from."""
    pile = state.piles[index]
    off = pile[len(pile) - count :]
    if any(laid.dealt for laid in off):
        raise move.foul(
            "dealt-card-gone",
            "{gone} lay on cell {cell} before the round began: it goes back there.",
            gone=next(laid.card for laid in off if laid.dealt),
            cell=move.cell,
        )
    for _ in off:
        state = lifted(state, index)
    back = tuple(laid.card for laid in reversed(off))
    here = Place("cell", str(move.cell))
    found: list[Event] = [FoundLying(move.player, move.cell, move.card, pile[-1].card, back)]
    return state, found + [CardsMoved((laid.card,), here, Place("hand", laid.by)) for laid in reversed(off)]


def _moved(state: State, move: Lies, index: int, where: int) -> tuple[State, list[Event]]:
    """The top card of another cell lies here now."""
    *rest, top = state.piles[where - 1]
    if top.card != move.card:
        raise move.foul(
            "card-seen-already",
            "{card} cannot lie on cell {cell}: it lies in the pile of cell {where}, under {top}.",
            card=move.card,
            cell=move.cell,
            where=where,
            top=top.card,
        )
    if not rest or rest[-1].card == UNSEEN:
        raise move.foul(
            "below-not-known",
            "Nobody knows what lies on cell {where} without {card}: put it back there.",
            card=move.card,
            where=where,
        )
    pile = state.piles[index]
    piles = changed(state.piles, where - 1, tuple(rest))
    state = replace(state, piles=changed(piles, index, (*pile, replace(top, ruled=False))))
    return state, [
        FoundLying(move.player, move.cell, move.card, pile[-1].card, moved_from=where),
        CardsMoved((move.card,), Place("cell", str(where)), Place("cell", str(move.cell))),
    ]


def _no_such_count(move: Lies, text: str) -> Foul:
    return move.foul("no-such-count", text, card=move.card, cell=move.cell, hidden=move.hidden, taken=move.taken)
