"""The table at one moment, and what can be asked of it."""

from dataclasses import dataclass
from typing import Any

from companion.core.rules import Deadline, Outcome, inner
from companion.games.triplexity.rules.house import House
from companion.games.triplexity.rules.position import CameFrom, Position, ways_back


@dataclass(frozen=True, slots=True)
class Piece:
    owner: str
    up: int = 0  # the pips that show; 0 in the basic game
    down: int = 0

    def turned(self) -> "Piece":
        return Piece(self.owner, self.down, self.up)


# How often positions occurred, as a tree of tuples: 64 branches, 64 again, then (position, times) pairs. A new
# count copies two short tuples, so a thousandth move costs no more than a tenth.
Counts = tuple[Any, ...]
BRANCHES = 64
NO_COUNTS: Counts = (None,) * BRANCHES


@dataclass(frozen=True, slots=True)
class State:
    players: tuple[str, ...]
    house: House
    phase: str = "place"  # place, move, over
    mover: int = -1  # seat; -1: whoever places first begins
    stacks: tuple[tuple[Piece, ...], ...] = ((), (), ())
    in_hand: tuple[tuple[Piece, ...], ...] = ()
    back: tuple[int, int] | None = None  # the last move the other way round
    came_from: CameFrom = ()
    seen: Counts = inner(NO_COUNTS)
    starter: int = -1
    points: tuple[int, ...] = (0, 0)
    rounds_played: int = 0
    outcome: Outcome | None = None

    @property
    def turn(self) -> str:
        return self.players[self.mover] if self.mover >= 0 and self.phase != "over" else ""

    @property
    def scores(self) -> tuple[int, ...]:
        return self.points

    @property
    def deadline(self) -> Deadline | None:
        return None

    @property
    def position(self) -> Position:
        seats = {player: seat for seat, player in enumerate(self.players)}
        return Position(
            tuple(tuple(seats[piece.owner] for piece in stack) for stack in self.stacks),
            (len(self.in_hand[0]), len(self.in_hand[1])),
            max(self.mover, 0),
            None if self.came_from else self.back,
            self.came_from,
        )

    @property
    def closed(self) -> tuple[tuple[int, int], ...]:
        """The moves of top pieces that would lead back, and are not allowed."""
        return ways_back(self.back, self.came_from)


@dataclass(frozen=True, slots=True)
class Ways:
    """A move that is open now; `source` is empty for a piece from the hand."""

    source: str
    target: str
