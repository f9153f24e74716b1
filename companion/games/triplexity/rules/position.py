"""The three places and the pieces in hand: which moves there are, and who has three of a colour."""

from typing import Any, NamedTuple

from companion.core.rules import changed
from companion.games.triplexity.rules.house import HIGHEST, PIECES


class Position(NamedTuple):
    """Everything that decides who can win: colours on places, pieces in hand, whose turn, and the ways back.

    Colours are 0 and 1, the seats of their players; places are 0, 1, 2. Either `back` or `came_from` says which ways
    back are closed.
    """

    stacks: tuple[tuple[int, ...], ...]  # each from bottom to top
    in_hand: tuple[int, int]
    mover: int
    back: tuple[int, int] | None  # the move that would undo the last one, and is not allowed
    came_from: "CameFrom" = ()

    @property
    def closed(self) -> tuple[tuple[int, int], ...]:
        """The moves of top pieces that would lead back."""
        return ways_back(self.back, self.came_from)


class Option(NamedTuple):
    """A move in a position; `source` is None for a piece from the hand."""

    source: int | None
    target: int


# From where each piece came by its own last move, as it lies in the stacks; where no piece may go back, else empty.
CameFrom = tuple[tuple[int, ...], ...]
HAND = -1
START = Position(((), (), ()), (PIECES, PIECES), 0, None)
START_EACH = START._replace(came_from=((), (), ()))


def ways_back(back: tuple[int, int] | None, came_from: CameFrom) -> tuple[tuple[int, int], ...]:
    if came_from:
        return tuple((place, came[-1]) for place, came in enumerate(came_from) if came and came[-1] != HAND)
    return (back,) if back else ()


def options(position: Position) -> tuple[Option, ...]:
    """Every legal move, in a fixed order. There is always one, unless no piece may go back."""
    stacks, in_hand, mover = position[:3]
    room = [place for place in range(3) if len(stacks[place]) < HIGHEST]
    if in_hand[mover]:
        return tuple(Option(None, target) for target in room)
    closed = position.closed
    return tuple(
        Option(source, target)
        for source in range(3)
        if stacks[source]
        for target in room
        if source != target and (source, target) not in closed
    )


def after(position: Position, option: Option) -> Position:
    """The position that a legal move leads to."""
    stacks, in_hand, mover, _, came_from = position
    source, target = option
    came_from = stacks_moved(came_from, source, target, HAND if source is None else source)
    if source is None:
        in_hand = (in_hand[0] - 1, in_hand[1]) if mover == 0 else (in_hand[0], in_hand[1] - 1)
        return Position(stacks_moved(stacks, None, target, mover), in_hand, 1 - mover, None, came_from)
    back = None if came_from else (target, source)
    return Position(stacks_moved(stacks, source, target, stacks[source][-1]), in_hand, 1 - mover, back, came_from)


def stacks_moved(stacks: tuple[Any, ...], source: int | None, target: int, piece: Any) -> tuple[Any, ...]:
    """The stacks without the top of one, if there is one, and with a piece on another."""
    if not stacks:
        return stacks
    if source is not None:
        stacks = changed(stacks, source, stacks[source][:-1])
    return changed(stacks, target, (*stacks[target], piece))


def winning(position: Position) -> tuple[int, tuple[tuple[int, int], ...]] | None:
    """The colour that has won and its pieces as (place, height), whoever made the move; None while nobody has."""
    stacks = position.stacks
    for place, stack in enumerate(stacks):
        if len(stack) == HIGHEST and stack[0] == stack[1] == stack[2]:
            return stack[0], tuple((place, height) for height in range(HIGHEST))
    if all(stacks) and stacks[0][-1] == stacks[1][-1] == stacks[2][-1]:
        return stacks[0][-1], tuple((place, len(stack) - 1) for place, stack in enumerate(stacks))
    return None
