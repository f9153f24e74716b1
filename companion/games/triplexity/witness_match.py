"""What a way of lying there means in a match of Triplexity: which move leads to it, and what would undo it."""

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.match import Match
from companion.games.triplexity.faces import OWNERS
from companion.games.triplexity.rules import PLACES, Piece, Put, Shift, State
from companion.games.triplexity.sight import Pieces

Stacks = tuple[tuple[str, ...], ...]


class Reached(NamedTuple):
    """A move after which the stacks lie so; in the advanced game it may have been forgotten to turn the piece over."""

    move: Put | Shift
    place: int  # where it came to lie, from 1
    face: str
    is_unturned: bool = False


class MatchStacks:
    """The match in the faces of printed pieces."""

    def __init__(self, match: Match) -> None:
        self.state: State = match.state
        self._is_advanced = bool(self.state.house.play == "advanced")
        named = {player.colour: player.name for player in match.setup.players}
        owners = [named.get(colour, "") for colour in OWNERS]
        self._players = owners if all(owners) else list(match.setup.names)  # or by their order
        self.pieces = Pieces(self.state.house, (OWNERS[0], OWNERS[1]))

    @property
    def is_advanced(self) -> bool:
        return self._is_advanced

    def player_of(self, face: str) -> str:
        return self._players[OWNERS.index(face.partition("-")[0])]

    def stacks(self, state: State) -> Stacks:
        """With a dash instead of the pips that the basic game does not know."""
        return tuple(tuple(map(self.face_of, stack)) for stack in state.stacks)

    def face_of(self, piece: Piece) -> str:
        return f"{OWNERS[self._players.index(piece.owner)]}-{piece.up or ''}"

    def named(self, state: State) -> list[tuple[str, tuple[str, ...]]]:
        """Each place with its faces, as people are told."""
        return list(zip(PLACES, self.stacks(state), strict=True))

    def is_so(self, lies: Stacks, wanted: Stacks) -> bool:
        return all(
            len(there) == len(stack) and all(map(self._is_like, there, stack))
            for there, stack in zip(lies, wanted, strict=True)
        )

    def _is_like(self, there: str, wanted: str) -> bool:
        """In the basic game nothing but the colour counts."""
        if not self._is_advanced:
            return there.partition("-")[0] == wanted.partition("-")[0]
        return self.pieces.agrees(there, wanted) or self.pieces.agrees(wanted, there)

    def reached(self, state: State, lies: Stacks) -> Iterator[Reached]:
        """The moves after which the stacks of a state lie so, whether the rules let or not."""
        before = self.stacks(state)
        longer = [at for at in range(len(PLACES)) if len(lies[at]) == len(before[at]) + 1]
        shorter = [at for at in range(len(PLACES)) if len(lies[at]) == len(before[at]) - 1]
        if (
            len(longer) != 1
            or len(shorter) > 1
            or any(abs(len(lies[at]) - len(before[at])) > 1 for at in range(len(PLACES)))
        ):
            return
        target, face = longer[0], lies[longer[0]][-1]
        if not shorter:
            after = _with(before, target, (*before[target], face))
            if self.is_so(lies, after) and not self._is_placed(before, face):
                up = int(face.partition("-")[2] or 0) if self._is_advanced else 0
                yield Reached(Put(self.player_of(face), PLACES[target], up), target + 1, face)
            return
        source = shorter[0]
        piece = before[source][-1]
        move = Shift(state.turn, PLACES[source], PLACES[target])
        for shown in dict.fromkeys((self.pieces.turned(piece), piece)):
            after = _with(_with(before, source, before[source][:-1]), target, (*before[target], shown))
            if self.is_so(lies, after):
                is_unturned = self._is_advanced and shown == piece
                yield Reached(move, target + 1, face, is_unturned)
                return

    def _is_placed(self, before: Stacks, face: str) -> bool:
        return self._is_advanced and any(self.pieces.is_same(one, face) for stack in before for one in stack)


def _with(stacks: Stacks, at: int, stack: tuple[str, ...]) -> Stacks:
    return (*stacks[:at], stack, *stacks[at + 1 :])


def state_before(match: Match, number: int) -> State:
    """As it was before so many of the last moves."""
    line = match.line
    state: State = line[-number - 1].ruling.state if number < len(line) else match.start.state
    return state
