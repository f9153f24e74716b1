"""Triplexity solved: the exact value of every position, worked backwards from the ends of the game.

A position is won, lost or drawn for whoever is to move. Positions from which nobody can force a win are
drawn: with best play the pieces go round for ever, or nobody can move any more. The pips of the advanced game
do not change who can win a round, so the same table serves both; where no piece may go back there is another.
"""

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from companion.core.rules import Advice, AdvisedMove, Solver
from companion.games.triplexity.rules import PLACES, START, START_EACH, Option, Position, after, options, winning


@dataclass(frozen=True, slots=True)
class Value:
    """What a position is worth to the player to move, and in how many moves of both players."""

    result: str  # win, loss, draw
    moves: int = 0  # to the end with best play; 0 for a draw

    def before(self) -> "Value":
        """The value, for the player who moves there, of a move that leads to this."""
        if self.result == "draw":
            return self
        return Value("win" if self.result == "loss" else "loss", self.moves + 1)

    @property
    def rank(self) -> tuple[int, int]:
        """Higher is better: a quick win, a draw, a late loss."""
        match self.result:
            case "win":
                return (2, -self.moves)
            case "loss":
                return (0, self.moves)
            case _:
                return (1, 0)


DRAW = Value("draw")


@cache
def solve(start: Position = START) -> dict[Position, Value]:
    """The value of every position that can be reached; positions that are not in it do not occur."""
    leads_to: dict[Position, tuple[Position, ...]] = {}
    comes_from: dict[Position, list[Position]] = {start: []}
    values: dict[Position, Value] = {}
    todo = deque([start])
    while todo:
        position = todo.popleft()
        won = winning(position)
        if won:
            values[position] = Value("win" if won[0] == position.mover else "loss")
            continue
        leads_to[position] = tuple(after(position, option) for option in options(position))
        for following in leads_to[position]:
            if following not in comes_from:
                comes_from[following] = []
                todo.append(following)
            comes_from[following].append(position)
    _work_backwards(leads_to, comes_from, values)
    return {position: values.get(position, DRAW) for position in comes_from}


def _work_backwards(
    leads_to: dict[Position, tuple[Position, ...]],
    comes_from: dict[Position, list[Position]],
    values: dict[Position, Value],
) -> None:
    """Nearest ends first, so the first win found is the quickest and the last way out lost is the longest."""
    ways_out = {position: len(following) for position, following in leads_to.items()}
    todo = deque(values)
    while todo:
        settled = todo.popleft()
        value = values[settled].before()
        for position in comes_from[settled]:
            if position in values:
                continue
            ways_out[position] -= 1
            if value.result == "win" or ways_out[position] == 0:
                values[position] = value
                todo.append(position)


def value_of(position: Position) -> Value:
    won = winning(position)
    if won:
        return Value("win" if won[0] == position.mover else "loss")
    values = solve(START_EACH if position.came_from else START)
    return values[position if position in values else _exchanged(position)]


def _exchanged(position: Position) -> Position:
    """The position with the colours exchanged: so the table knows it where the second player began."""
    return position._replace(
        stacks=tuple(tuple(1 - colour for colour in stack) for stack in position.stacks),
        in_hand=(position.in_hand[1], position.in_hand[0]),
        mover=1 - position.mover,
    )


def ways(position: Position) -> list[tuple[Option, Value]]:
    """Every legal move with its value for the player who makes it, best first."""
    if winning(position):
        return []
    found = [(option, value_of(after(position, option)).before()) for option in options(position)]
    return sorted(found, key=lambda way: way[1].rank, reverse=True)


@dataclass(frozen=True, slots=True)
class Mistake:
    """The move that threw a round away."""

    number: int  # counted from 0 among the moves given
    made: Option
    had: Value  # what the best move was worth
    left: Value  # what the move left
    better: Option


def losing_mistake(line: Iterable[tuple[Position, Option]], loser: int) -> Mistake | None:
    """The loser's last move from a position that was not lost into one that was."""
    mistake = None
    for number, (position, made) in enumerate(line):
        if position.mover != loser:
            continue
        had = value_of(position)
        left = value_of(after(position, made)).before()
        if had.result != "loss" and left.result == "loss":
            mistake = Mistake(number, made, had, left, ways(position)[0][0])
    return mistake


def named(option: Option) -> str:
    source, target = option
    return f"{PLACES[source]} to {PLACES[target]}" if source is not None else f"a piece on the {PLACES[target]}"


def done(option: Option) -> str:
    return f"{'placed' if option.source is None else 'moved'} {named(option)}"


def advice(position: Position) -> Advice:
    """The solver's opinion of a position."""
    value = value_of(position)
    found = (
        AdvisedMove("" if source is None else PLACES[source], PLACES[target], worth.result, worth.moves)
        for (source, target), worth in ways(position)
    )
    return Advice(value.result, value.moves, tuple(found))


SOLVER = Solver(lambda state: advice(state.position))
