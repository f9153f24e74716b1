"""The line of moves of a match, each with its ruling, and what was said at the table for it."""

from dataclasses import replace
from typing import Any

from companion.core.correction import Correction, Done, Record, Said, corrected, corrected_as_before
from companion.core.errors import MatchError
from companion.core.rules import Game, Move, Ruling
from companion.core.sentence import N_, Sentence


class MoveLine:
    """The moves that stand. Nothing is asked here: whoever changes it has kept that first."""

    def __init__(self, game: Game, start: Ruling) -> None:
        self.moves: list[Done] = []
        self._game = game
        self._start = start
        self._said: list[Said] = []
        self._rounds: dict[int, Any] = {}  # how things stood when the first move of each round was made

    @property
    def ruling(self) -> Ruling:
        """The newest ruling."""
        return self.moves[-1].ruling if self.moves else self._start

    @property
    def ruling_before(self) -> Ruling:
        """The one before it."""
        return self.moves[-2].ruling if len(self.moves) > 1 else self._start

    def append(self, move: Move, ruling: Ruling) -> None:
        state = self.ruling.state
        round_ = self._game.round_of(state)
        if not any(said.round == round_ for said in reversed(self._said)):
            self._rounds[round_] = state
        said = Said(move, round_, state)
        self._said.insert(self._place_at(move.at), said)
        self.moves.append(Done(move, ruling, said))

    def _place_at(self, at: int) -> int:
        """Behind everything that was said until then: a deadline may be older than moves that wait."""
        place = len(self._said)
        while place and self._said[place - 1].move.at > at:
            place -= 1
        return place

    def take_back(self) -> Done:
        """The newest move."""
        done = self.moves.pop()
        if done.said is not None:
            self._said = [said for said in self._said if said is not done.said]
        return done

    def anew(self, done: Done) -> Done:
        """A move that was taken back, as it is after a correction."""
        state, move = self.ruling.state, done.move
        due = state.deadline
        late = self.moves and self.moves[-1].move.at > move.at
        other_round = done.said is not None and done.said.round != self._game.round_of(state)
        if late or other_round or (due and due.at < move.at and due.move != move):
            raise MatchError(N_("What was undone no longer fits after the correction."))
        return Done(move, self._game.rule(state, move))

    def move(self, number: int) -> Move:
        """A move by its number, counted from 1."""
        if not 1 <= number <= len(self.moves):
            raise MatchError(
                Sentence(
                    "There is no move {number} to correct; the match has {line} moves.",
                    number=number,
                    line=len(self.moves),
                )
            )
        return self.moves[number - 1].move

    def record(self) -> Record:
        return Record(self._start, tuple(self.moves), tuple(self._said), self._rounds)

    def restore(self, record: Record) -> None:
        self.moves, self._said = list(record.line), list(record.said)

    def corrected(
        self, number: int, move: Move | None, now: int, *, whole: bool, counts: bool | None
    ) -> tuple[Record, Record, Correction]:
        """The line as it is, as it would be, and what that changes."""
        old = self.move(number)
        before = self.record()
        if whole:
            made = corrected(self._game, before, number, move, now, counts=counts)
        else:
            made = corrected_as_before(self._game, before, number, move, now)
        after = replace(before, line=made.line, said=made.said)
        told = Correction(
            number,
            old,
            move,
            made.changes,
            before.state.scores,
            after.state.scores,
            _winners(before.state),
            _winners(after.state),
            made.asks,
        )
        return before, after, told


def _winners(state: Any) -> tuple[str, ...] | None:
    return state.outcome.winners if state.outcome else None
