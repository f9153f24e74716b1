"""What can be looked at again in Triplexity: the pieces that were moved last, newest first, with their rulings."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.core.sentence import N_
from companion.games.triplexity.rules import PLACES, Placed, Put, Shift, Shifted
from companion.games.triplexity.witness_match import MatchStacks, Stacks, state_before
from companion.watch.evidence import Act, Evidence, Know, PutRight, Statement
from companion.watch.messages import DisputedPlay, Really
from companion.watch.told_evidence import told_play

if TYPE_CHECKING:
    pass

MOST = 40  # plays that can be looked at again
MOVED = N_("Which face a moved piece shows follows from the moves: correct or undo the move itself.")


@dataclass(frozen=True, slots=True)
class MovedPiece:
    """One piece that was placed or moved, with its ruling. `verdict` is legal or called."""

    number: int  # of the move; 0: it was refused, and is none
    verdict: str
    cell: int  # where it came to lie, from 1
    card: str
    covered: str
    sentence: str
    player: str = ""
    evidence: Evidence | None = None
    likely: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()


@dataclass(slots=True)
class MovedPieces:
    """What the witness did lately. Hand it every act when it has been done."""

    _seen: deque[Evidence] = field(default_factory=lambda: deque(maxlen=MOST))
    _refused: deque[Evidence] = field(default_factory=lambda: deque(maxlen=MOST))  # and not put right

    def keep(self, act: Act, match: Match) -> None:
        if isinstance(act, PutRight):
            self._refused.clear()
        elif isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            line, move = match.line, act.message.move
            is_made = bool(line) and replace(line[-1].move, at=0) == replace(move, at=0)
            (self._seen if is_made else self._refused).append(act.evidence)

    def plays(self, match: Match) -> tuple[MovedPiece, ...]:
        """What was refused and lies there still comes first."""
        found = [_refusal(match, one) for one in reversed(self._refused)]
        left = list(self._seen)
        numbers = range(len(match.line), max(0, len(match.line) - MOST), -1)
        found += [self._moved(match, number, left) for number in numbers]
        return tuple(found[:MOST])

    def play_of(self, cell: int, card: str, match: Match) -> MovedPiece:
        for play in self.plays(match):
            if (play.cell, play.card) == (cell, card):
                return play
        raise MatchError(
            f"None of the last moves brought {card[:60]} to place {cell}: say which piece was read, and where."
        )

    def reads(self, play: MovedPiece, card: str) -> None:
        """What was seen stays with the play under its right name; that is in the match."""

    def put_right(self, message: Really, play: MovedPiece, match: Match) -> Correct | Know:
        faces = MatchStacks(match).pieces.faces
        if message.card not in faces:
            raise MatchError(f"There is no piece {message.card[:60]}: name its colour and pips, like {faces[0]}.")
        if not play.number:
            return Know(0, play.cell, message.card)
        move = match.line[play.number - 1].move
        if not isinstance(move, Put):
            raise MatchError(MOVED)
        board = MatchStacks(match)
        up = int(message.card.partition("-")[2]) if board.is_advanced else 0
        return Correct(play.number, {**move_plain(move), "player": board.player_of(message.card), "up": up})

    def told(self, play: MovedPiece, pictures: Sequence[str]) -> DisputedPlay:
        return told_play(play, pictures)

    def _moved(self, match: Match, number: int, left: list[Evidence]) -> MovedPiece:
        """A move with what was seen of it, of what is left of that."""
        done, board = match.line[number - 1], MatchStacks(match)
        move, event = done.move, done.ruling.events[0]
        assert isinstance(move, Put | Shift)
        assert isinstance(event, Placed | Shifted)
        cell, face = PLACES.index(move.place if isinstance(move, Put) else move.target) + 1, board.face_of(event.piece)
        seen = next((one for one in reversed(left) if one.cell == cell and one.card.startswith(face)), None)
        if seen is not None:
            left.remove(seen)
        before = board.stacks(state_before(match, len(match.line) - number + 1))
        covered = before[cell - 1][-1] if before[cell - 1] else ""
        likely = _instead(board, before, face) if isinstance(move, Put) and board.is_advanced else ()
        card = seen.card if seen else face
        return MovedPiece(number, "legal", cell, card, covered, event.sentence, move.player, seen, likely)


def _instead(board: MatchStacks, before: Stacks, face: str) -> tuple[str, ...]:
    """Other faces of that colour that were in the hand: the other side first."""
    lies = [one for stack in before for one in stack]
    same = [one for one in board.pieces.faces if one != face and one.partition("-")[0] == face.partition("-")[0]]
    left = [one for one in same if not any(board.pieces.is_same(one, other) for other in lies)]
    return tuple(sorted(left, key=lambda one: one != board.pieces.turned(face)))


def _refusal(match: Match, seen: Evidence) -> MovedPiece:
    stack = MatchStacks(match).stacks(match.state)[seen.cell - 1]
    covered = stack[-1] if stack else ""
    return MovedPiece(0, "called", seen.cell, seen.card, covered, seen.other, match.state.turn, seen)
