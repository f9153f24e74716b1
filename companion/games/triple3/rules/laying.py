"""Cards laid on the grid and taken back."""

from dataclasses import replace

from companion.core.rules import UNSEEN, CardsMoved, Event, Foul, Place, Ruling, changed
from companion.core.sentence import N_, Sentence
from companion.games.triple3.rules.cards import PLACE_IN_DECK
from companion.games.triple3.rules.events import (
    FewLeft,
    NotOutYet,
    PlayedIllegally,
    PlayedLegally,
    SaidOtherwise,
    TakenBack,
)
from companion.games.triple3.rules.grid import Triple, accepted, standing, triples, values_of
from companion.games.triple3.rules.moves import Lay, TakeBack
from companion.games.triple3.rules.phases import cell_index, grid_needed, has_cards, known_card, ruling
from companion.games.triple3.rules.rounds import end_round, end_stuck
from companion.games.triple3.rules.state import Laid, State, cards_left, cell_of, lifted, open_cells, with_plays


def lay(state: State, move: Lay) -> Ruling:
    grid_needed(state, move)
    index = cell_index(move.player, move.cell)
    known_card(move.player, move.card)
    if state.seen & PLACE_IN_DECK[move.card]:
        raise move.foul(
            "card-seen-already",
            "{card} cannot be laid on cell {cell}: it lies in the pile of cell {where} already.",
            card=move.card,
            cell=move.cell,
            where=cell_of(state, move.card),
        )
    has_cards(state, move)
    grid = state.grid
    covered = grid[index]
    new = triples(grid, move.cell, move.card)
    if new:
        events: list[Event] = [
            PlayedLegally(move.player, move.cell, move.card, covered, new, new[0].value, new[0].line)
        ]
        if move.said and all(triple.value != move.said for triple in new):
            events.append(SaidOtherwise(move.player, move.said))
    else:
        had = standing(grid, move.cell, move.card)
        if state.house.illegal_plays == "call":
            raise _no_new_triple(state, move, covered, had)
        events = [PlayedIllegally(move.player, move.cell, move.card, covered, had)]
    hand = Place("hand", move.player)
    events.append(CardsMoved((move.card,), hand, Place("cell", str(move.cell))))
    if new:
        state = replace(
            state, void=tuple(player for player in state.void if not _may_be_of(state, player, move.player))
        )
    is_open = not new and not state.house.illegal_wins
    pile = (*state.piles[index], Laid(move.card, move.player, legal=bool(new), open=is_open))
    state = with_plays(state, move.player, 1)
    state = replace(state, piles=changed(state.piles, index, pile), seen=state.seen | PLACE_IN_DECK[move.card])
    return _after_play(state, move, events, wins=not is_open)


def _may_be_of(state: State, player: str, by: str) -> bool:
    """Whether a card that this one laid, or nobody knows who, may be the player's."""
    return player == by or (not by and cards_left(state, player) > 0)


def _after_play(state: State, move: Lay, events: list[Event], *, wins: bool) -> Ruling:
    if wins and move.player and cards_left(state, move.player) == 0:
        cells = open_cells(state, move.player)
        if not cells:
            return end_round(
                state, move, (move.player,), Sentence("{player} has laid the last card.", player=move.player), events
            )
        events.append(NotOutYet(move.player, cells))
    playable = state.can_be_laid
    if not playable:
        return end_stuck(state, move, events)
    if playable <= len(state.players):
        events.append(FewLeft(state.unseen, playable, state.hidden))
    return ruling(state, *events)


def take_back(state: State, move: TakeBack) -> Ruling:
    grid_needed(state, move)
    index = cell_index(move.player, move.cell)
    place = _place_in_pile(state, move, index)
    top = state.piles[index][place]
    if top.dealt:
        raise move.foul(
            "nothing-to-take-back",
            "Nothing to take back on cell {cell}: {card} lay there before the round began.",
            cell=move.cell,
            card=top.card,
        )
    if top.by and move.player and top.by != move.player:
        raise move.foul("not-your-card", "{player} cannot take {card} back: {by} laid it.", card=top.card, by=top.by)
    is_on_top = place == len(state.piles[index]) - 1
    if is_on_top and state.piles[index][place - 1].card == UNSEEN:
        raise move.foul(
            "below-not-known",
            "What lies under {card} on cell {cell} was never seen: take {card} away and say what lies there.",
            card=top.card,
            cell=move.cell,
        )
    state = lifted(state, index, place)
    events = [
        TakenBack(top.by, move.cell, top.card),
        CardsMoved((top.card,), Place("cell", str(move.cell)), Place("hand", top.by)),
    ]
    if state.phase == "play" and state.can_be_laid == 0:
        return end_stuck(state, move, events)
    return ruling(state, *events)


def _place_in_pile(state: State, move: TakeBack, index: int) -> int:
    pile = state.piles[index]
    if not move.card:
        return len(pile) - 1
    for place, laid in enumerate(pile):
        if laid.card == move.card:
            return place
    raise move.foul("not-in-pile", "{card} does not lie in the pile of cell {cell}.", card=move.card, cell=move.cell)


def _no_new_triple(state: State, move: Lay, covered: str, had: tuple[Triple, ...]) -> Foul:
    accepts = values_of(accepted(state.grid, move.cell))
    old = tuple(Sentence("{value} in the {line}", value=triple.value, line=triple.line) for triple in had)
    text = N_("{card} on cell {cell} is illegal: it makes no new triple; the cell takes {accepts}.")
    if had:
        text = N_("{card} on cell {cell} is illegal: {old} was there before; the cell takes {accepts}.")
    return move.foul(
        "no-new-triple", text, card=move.card, cell=move.cell, covered=covered, accepts=accepts, old=old, standing=had
    )
