"""What each phase allows next, and why it refuses the rest."""

from companion.core.rules import Event, Foul, May, Move, Ruling
from companion.core.sentence import N_
from companion.games.triple3.rules.cards import BITS
from companion.games.triple3.rules.grid import CELLS, CellAccepts, accepted, values_of
from companion.games.triple3.rules.moves import Lay
from companion.games.triple3.rules.state import State, cards_left, lift_first, open_cells

_WAITS_FOR = {
    "deal": N_("the grid is dealt first"),
    "ready": N_("the round has not begun; say Go"),
    "play": N_("the round is being played"),
    "stopped": N_("somebody called Stop!; go on first"),
    "count": N_("the round is over; say how many cards are left"),
    "over": N_("the match is over"),
}


def out_of_phase(state: State, move: Move) -> Foul:
    return move.foul(
        "match-over" if state.phase == "over" else f"in-{state.phase}",
        "Nobody can {move} now: {why}.",
        why=_WAITS_FOR[state.phase],
    )


def known_card(player: str, card: str) -> None:
    if card not in BITS:
        raise Foul(
            "unknown-card",
            player,
            "{card} is not a card of this deck; they are COLOUR-SHAPE-COUNT, like blue-circle-2.",
            card=card,
        )


def cell_index(player: str, cell: int) -> int:
    if cell not in CELLS:
        raise Foul("no-such-cell", player, "There is no cell {cell}; the cells are 1 to 9, row by row.", cell=cell)
    return cell - 1


def grid_needed(state: State, move: Move) -> None:
    if not state.is_seen:
        raise move.foul("grid-not-shown", "Nobody can {move} in this round: the grid was not shown to the referee.")


def has_cards(state: State, move: Lay) -> None:
    if move.player and cards_left(state, move.player) == 0:
        raise move.foul(
            "no-cards-left",
            "{player} has laid all {deal} cards already.",
            deal=state.deals[state.players.index(move.player)],
        )


def ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, may(state))


def may(state: State) -> tuple[May, ...]:
    everybody = state.players
    claim = tuple(player for player in everybody if player not in state.void)
    out = (May("out", claim),) if claim else ()
    match state.phase:
        case "deal":
            return (May("deal", everybody),)
        case "ready":
            return (May("go", everybody), May("deal", everybody))
        case "stopped":
            in_order = (May("take-back", everybody), May("lies", everybody)) if state.is_seen else ()
            go_on = () if lift_first(state) else (May("go-on", everybody),)
            claim = tuple(player for player in claim if player not in state.claim or not open_cells(state, player))
            return (*go_on, *((May("out", claim),) if claim else ()), *in_order)
        case "count":
            untold = tuple(player for player, cards in zip(everybody, state.left, strict=True) if cards < 0)
            return (May("left", untold),)
        case "play":
            rest = (May("stop", everybody), *out, May("stuck", everybody))
            if not state.is_seen:
                return rest
            grid = state.grid
            cells = tuple(CellAccepts(cell, values_of(accepted(grid, cell))) for cell in CELLS)
            return (May("lay", everybody, cells), May("take-back", everybody), May("lies", everybody), *rest)
        case _:
            return ()
