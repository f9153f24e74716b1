"""What a witness of Tres tells, in its order, and the match as it stands behind that."""

from dataclasses import replace

from companion.core.requests import Correct, Undo
from companion.core.rules import Foul, Move
from companion.games.tres.rules import GAME, State
from companion.games.tres.witness_words import EYES_BACK
from companion.watch.witness_account import WitnessAccount

TABLE = 0  # the whole of it, among places that are out of step


class TresAccount(WitnessAccount):
    def __init__(self) -> None:
        super().__init__(GAME, EYES_BACK)

    def outcome(self, move: Move) -> "State | Foul":
        """The state behind a move, or why the rules refuse it."""
        try:
            state: State = GAME.rule(self.state, replace(move, at=self.match.now)).state
        except Foul as foul:
            return foul
        return state

    def take_back(self, number: int) -> None:
        """A move of the match was none."""
        self.send(Undo() if number == len(self.match.line) else Correct(number, None))
