"""A piece put on a place or shifted to another."""

from dataclasses import replace

from companion.core.rules import Foul, Move, Ruling, changed
from companion.core.sentence import N_
from companion.games.triplexity.rules.events import Placed, Shifted
from companion.games.triplexity.rules.house import HIGHEST, PLACES
from companion.games.triplexity.rules.moves import Put, Shift
from companion.games.triplexity.rules.position import HAND, Option, after, options, stacks_moved
from companion.games.triplexity.rules.rounds import ruled_after
from companion.games.triplexity.rules.state import Piece, State


def put(state: State, move: Put) -> Ruling:
    if state.phase != "place":
        raise move.foul("all-placed", "{player} has no piece left to place: move a top piece instead.")
    target = _place(move, move.place)
    seat = state.players.index(move.player)
    if len(state.stacks[target]) == HIGHEST:
        raise move.foul(
            "stack-full", "{player} cannot place on the {place}: three pieces lie there already.", place=move.place
        )
    piece = _piece_from_hand(state, move, seat)
    starter = state.starter if state.starter >= 0 else seat
    hand = tuple(other for other in state.in_hand[seat] if {other.up, other.down} != {piece.up, piece.down})
    if state.house.play == "basic":
        hand = state.in_hand[seat][1:]
    before = replace(state, mover=seat).position
    state = replace(
        state,
        mover=1 - seat,
        starter=starter,
        in_hand=changed(state.in_hand, seat, hand),
        stacks=stacks_moved(state.stacks, None, target, piece),
        came_from=stacks_moved(state.came_from, None, target, HAND),
    )
    if not any(state.in_hand):
        state = replace(state, phase="move")
    return ruled_after(state, after(before, Option(None, target)), Placed(move.player, move.place, piece))


def shift(state: State, move: Shift) -> Ruling:
    if state.phase != "move":
        raise move.foul("place-first", "{player} cannot move a piece yet: all six pieces are placed first.")
    option = Option(_place(move, move.source), _place(move, move.target))
    source, target = option
    if option not in options(state.position):
        raise _no_way(state, move)
    assert source is not None
    piece = state.stacks[source][-1]
    if state.house.play == "advanced":
        piece = piece.turned()
    before = state.position
    state = replace(
        state,
        mover=1 - state.mover,
        back=(target, source),
        stacks=stacks_moved(state.stacks, source, target, piece),
        came_from=stacks_moved(state.came_from, source, target, source),
    )
    return ruled_after(state, after(before, option), Shifted(move.player, piece.owner, piece, move.source, move.target))


def _place(move: Move, name: str) -> int:
    if name not in PLACES:
        raise move.foul(
            "no-such-place", "{player} names the place {place}; the places are left, centre and right.", place=name
        )
    return PLACES.index(name)


def _piece_from_hand(state: State, move: Put, seat: int) -> Piece:
    hand = state.in_hand[seat]
    if state.house.play == "basic":
        if move.up:
            raise move.foul("no-pips", "{player} names pips, but the basic game is played without them.")
        return hand[0]
    for piece in hand:
        if move.up in (piece.up, piece.down):
            return piece if piece.up == move.up else piece.turned()
    raise move.foul(
        "no-such-face",
        "{player} has no piece in hand that can show {up}; left are {faces}.",
        up=move.up,
        faces=tuple(f"{piece.up}/{piece.down}" for piece in hand),
    )


def _no_way(state: State, move: Shift) -> Foul:
    source, target = PLACES.index(move.source), PLACES.index(move.target)
    if source == target:
        return move.foul(
            "same-place", "{player} must move the piece to another place than the {source}.", source=move.source
        )
    if not state.stacks[source]:
        return move.foul(
            "place-empty", "{player} cannot move from the {source}: nothing lies there.", source=move.source
        )
    if len(state.stacks[target]) == HIGHEST:
        return move.foul(
            "stack-full", "{player} cannot move to the {target}: three pieces lie there already.", target=move.target
        )
    text = N_("{player} cannot move the piece that was moved last back from the {source} to the {target}.")
    if (source, target) != state.back:
        text = N_("{player} cannot move this piece back from the {source} to the {target}: it came from there.")
    return move.foul("moved-back", text, source=move.source, target=move.target)
