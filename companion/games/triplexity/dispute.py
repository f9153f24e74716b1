"""What can be looked at again in Triplexity: the pieces that were moved last, newest first, with their rulings."""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.core.sentence import N_
from companion.games.triplexity.rules import PLACES, Put, Shift
from companion.games.triplexity.witness_match import MatchStacks, state_before
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

    def keep(self, act: Act, match: Match) -> None:
        del match
        if isinstance(act, PutRight):
            taken = next((one for one in reversed(self._seen) if (one.cell, one.card) == (act.cell, act.card)), None)
            if taken is not None:
                self._seen.remove(taken)
        elif isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            self._seen.append(act.evidence)

    def plays(self, match: Match) -> tuple[MovedPiece, ...]:
        line = match.line
        numbers = range(len(line), max(0, len(line) - MOST), -1)
        found = [self._moved(match, number) for number in numbers]
        seen = {id(one.evidence) for one in found}
        refused = [_refusal(match, one) for one in self._seen if id(one) not in seen]
        newest = refused[-1:] if refused and refused[-1].evidence is self._seen[-1] else []
        return (*newest, *found)[:MOST]

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

    def _moved(self, match: Match, number: int) -> MovedPiece:
        done, board = match.line[number - 1], MatchStacks(match)
        move = done.move
        assert isinstance(move, Put | Shift)
        target = move.place if isinstance(move, Put) else move.target
        cell = PLACES.index(target) + 1
        event = done.ruling.events[0]
        piece = getattr(event, "piece", None)
        stamp = match.line[number - 1].move.at
        seen = next((one for one in reversed(self._seen) if one.cell == cell and (one.by or one.stamp) == stamp), None)
        card = seen.card if seen else board.face_of(piece) if piece else ""
        before = board.stacks(state_before(match, len(match.line) - number + 1))[cell - 1]
        return MovedPiece(number, "legal", cell, card, before[-1] if before else "", event.sentence, move.player, seen)


def _refusal(match: Match, seen: Evidence) -> MovedPiece:
    stack = MatchStacks(match).stacks(match.state)[seen.cell - 1]
    covered = stack[-1] if stack else ""
    return MovedPiece(0, "called", seen.cell, seen.card, covered, seen.other, match.state.turn, seen)
