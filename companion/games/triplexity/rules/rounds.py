"""A round won or drawn, the one behind it, and the end of the match."""

from dataclasses import replace

from companion.core.rules import Event, May, Outcome, Ruling, Turn, changed, ended, highest
from companion.core.sentence import N_, Sentence
from companion.games.triplexity.rules.events import (
    DrawnByRepetition,
    NextRound,
    NobodyCanMove,
    Placed,
    RoundStands,
    Shifted,
    ThreeOfAColour,
)
from companion.games.triplexity.rules.house import HIGHEST, PIECES, PLACES, House
from companion.games.triplexity.rules.position import Position, options, stacks_moved, winning
from companion.games.triplexity.rules.state import BRANCHES, NO_COUNTS, Counts, Piece, State, Ways


def ruled_after(state: State, position: Position, event: Placed | Shifted) -> Ruling:
    won = winning(position)
    if won:
        return _round_won(state, event, *won)
    if state.house.repetition_draw and state.phase == "move":
        seen, times = _counted(state.seen, state)
        state = replace(state, seen=seen)
        if times == 3:
            return _next_round(state, event, DrawnByRepetition())
    if not options(position):
        return _next_round(state, event, NobodyCanMove(state.turn, event.player))
    return ruling(state, event, Turn(state.turn))


def _round_won(state: State, event: Event, colour: int, pieces: tuple[tuple[int, int], ...]) -> Ruling:
    # A stack takes all three pieces of its colour, so there is never a stack and all three tops at once.
    stacked = len({place for place, _ in pieces}) == 1
    scoring = pieces[-1:] if stacked and not state.house.count_covered else pieces
    points = _pips(state, scoring) if state.house.play == "advanced" else 1
    shown = tuple((PLACES[place], height) for place, height in pieces)
    how = N_("in one stack") if stacked else N_("on top of all three places")
    state = replace(state, points=changed(state.points, colour, state.points[colour] + points))
    pips = tuple(state.stacks[place][height].up for place, height in scoring)
    return _next_round(state, event, ThreeOfAColour(state.players[colour], how, shown, pips, points))


def _pips(state: State, pieces: tuple[tuple[int, int], ...]) -> int:
    return sum(state.stacks[place][height].up for place, height in pieces)


def _next_round(state: State, *events: Event) -> Ruling:
    played = state.rounds_played + 1
    reason = _end(state.house, played, max(state.points))
    if reason:
        winners = highest(state.players, state.points) if any(state.points) else ()
        outcome = Outcome(winners, state.points, reason)
        state = replace(state, phase="over", rounds_played=played, outcome=outcome)
        return ruling(state, *events, ended(outcome))
    starter = 1 - state.starter
    state = fresh(replace(state, starter=starter, mover=starter, rounds_played=played))
    return ruling(state, *events, NextRound(played + 1, state.turn))


def _end(house: House, played: int, best: int) -> str:
    """Why the match is over after so many rounds with so many points; empty if it is not."""
    by_rounds = house.rounds_too or not house.points
    if by_rounds and played == house.rounds == 1:
        return N_("The round is over.")
    if house.points and best >= house.points:
        return Sentence("{points} points reached.", points=house.points)
    return N_("All rounds are played.") if by_rounds and played == house.rounds else ""


def fresh(state: State) -> State:
    """The same match with all pieces in hand again."""
    hands = tuple(tuple(_faces(state.house, player)) for player in state.players)
    nothing = ((), (), ())
    came_from = nothing if state.house.no_return == "each" else ()
    return replace(state, phase="place", stacks=nothing, in_hand=hands, back=None, came_from=came_from, seen=NO_COUNTS)


def _faces(house: House, player: str) -> list[Piece]:
    if house.play == "basic":
        return [Piece(player)] * PIECES
    return [Piece(player, *(int(pip) for pip in faces.split("/"))) for faces in house.faces]


def _counted(tree: Counts, state: State) -> tuple[Counts, int]:
    """The counts with the state's position counted once more, and how often it has occurred."""
    key = (state.stacks, state.mover, state.came_from or state.back)
    code = state.mover
    for stack in state.stacks:
        for height in range(HIGHEST):
            code = code * 3 + (1 + (stack[height].owner == state.players[0]) if height < len(stack) else 0)
    first, second = code // BRANCHES % BRANCHES, code % BRANCHES
    branch = tree[first] or NO_COUNTS
    leaf = branch[second] or ()
    times = 1 + next((count for position, count in leaf if position == key), 0)
    leaf = (*((position, count) for position, count in leaf if position != key), (key, times))
    return changed(tree, first, changed(branch, second, leaf)), times


def round_of(state: State) -> int:
    return state.rounds_played + (state.phase != "over")


def board_before(state: State, events: tuple[Event, ...]) -> State:
    """How a state was when a move was made on it: with all pieces in hand, where its round stands as it was played."""
    return fresh(state) if any(isinstance(event, RoundStands) for event in events) else state


def stacks_after(before: State, events: tuple[Event, ...]) -> tuple[tuple[Piece, ...], ...]:
    """The stacks as a move left them, of which the state knows no more where the next round has begun with it."""
    moved = next(event for event in events if isinstance(event, Placed | Shifted))
    if isinstance(moved, Placed):
        return stacks_moved(before.stacks, None, PLACES.index(moved.place), moved.piece)
    return stacks_moved(before.stacks, PLACES.index(moved.source), PLACES.index(moved.target), moved.piece)


def carried(state: State, played: State) -> Ruling:
    """A round as it began when it was played, with the points of now."""
    ended_before = state.outcome is not None or state.rounds_played == played.rounds_played
    instead = state.turn if ended_before and state.turn != played.turn else ""
    stands = (RoundStands(played.rounds_played + 1, played.turn, instead),) if instead or not ended_before else ()
    return Ruling(replace(played, points=state.points), stands, _may(played))


def ruling(state: State, *events: Event) -> Ruling:
    return Ruling(state, events, _may(state))


def _may(state: State) -> tuple[May, ...]:
    if state.phase == "over":
        return ()
    who = (state.turn,) if state.turn else state.players
    ways = tuple(
        Ways("" if source is None else PLACES[source], PLACES[target]) for source, target in options(state.position)
    )
    return (May("put" if state.phase == "place" else "shift", who, ways),)
