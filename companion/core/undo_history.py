"""What was taken back in a match and what was put right: what an undo reaches, and what can be made again."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.core.correction import Done, Record
from companion.core.entry import Corrected, Undone
from companion.core.move_line import MoveLine
from companion.core.rules import Move, Ruling


@dataclass(frozen=True, slots=True)
class MadeCorrection:
    """A correction that was made: the line before it and after it, and the table time then."""

    entry: Corrected
    before: Record
    after: Record
    now: int


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What can be made again, what it was done after, and the table time at which it was taken back."""

    act: Done | MadeCorrection
    after: Ruling
    at: int
    is_timed: bool  # in matches from before that was kept, it is the time of the act
    waited: bool  # nobody had gone on yet after what was taken back before


class UndoHistory:
    """Two stacks over the line of moves."""

    def __init__(self, line: MoveLine) -> None:
        self.undone: list[TakenBack] = []
        self.corrections: list[MadeCorrection] = []  # those that an undo can reach
        self._line = line

    @property
    def is_put_right(self) -> bool:
        """The newest thing that happened is a correction."""
        return bool(self.corrections) and len(self.corrections[-1].after.line) == len(self._line.moves)

    @property
    def undoes(self) -> str:
        """What an undo would take back: a move or a correction."""
        return "correction" if self.is_put_right else "move"

    @property
    def redoes(self) -> str:
        """What can be made again."""
        return "correction" if self.undone and isinstance(self.undone[-1].act, MadeCorrection) else "move"

    def undone_next(self) -> Iterator[Move | None]:
        """What one undo after the other would take back: moves, the newest first, up to a correction, which is None."""
        kept = len(self.corrections[-1].after.line) if self.corrections else 0
        yield from (done.move for done in reversed(self._line.moves[kept:]))
        if self.corrections:
            yield None

    def latest(self, now: int) -> int:
        """Table time of the newest entry that tells one: a correction takes time, and ends nobody's turn."""
        return max(now, self.corrections[-1].now) if self.is_put_right else now

    def correction(self, number: int, move: Move | None, at: int, counts: bool | None) -> Corrected:
        """A correction to make; what is not said about moves behind an earlier end stays as it was said last."""
        answers = (made.entry.counts for made in reversed(self.corrections) if made.entry.counts is not None)
        return Corrected(number, move, at, whole=True, counts=next(answers, None) if counts is None else counts)

    def forget_corrections(self) -> None:
        """Those of moves that are taken back: in a match from before corrections could be undone."""
        while self.corrections and len(self.corrections[-1].after.line) > len(self._line.moves):
            self.corrections.pop()

    def took_back(self, act: Done | MadeCorrection, entry: Undone, now: int, *, waits: bool) -> None:
        # A match that a correction had opened again ran on after a redo, before corrections were kept whole.
        waited = waits if isinstance(act, Done) or act.entry.whole else bool(self.undone)
        after = self._line.ruling
        self.undone.append(TakenBack(act, after, entry.at or now, is_timed=entry.at > 0, waited=waited))
