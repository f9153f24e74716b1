"""What a witness of Tres tells, in its order, and the match as it stands behind that."""

from dataclasses import replace

from companion.core.match import Match
from companion.core.requests import Correct, MoveMessage, Request, Undo
from companion.core.rules import Foul, Move
from companion.games.tres.rules import GAME, State
from companion.games.tres.witness_words import EYES_BACK
from companion.watch.evidence import Act, Evidence, InStep, LookAgain, OutOfStep, Statement

GRID = "grid"  # all places are to be read anew
TABLE = 0  # the whole of it, among places that are out of step


class TresAccount:
    """Whatever is decided of a frame is said here."""

    def __init__(self) -> None:
        self.stamp = 0  # of the frame
        self.latest = 0  # of the newest message
        self.match: Match
        self.state: State  # with what has been said already
        self.troubles: dict[int, tuple[str, int]] = {}  # by place
        self.lost: set[str] = set()  # what is wrong with the whole table
        self._acts: list[Act] = []

    def enter(self, stamp: int, match: Match) -> None:
        self.stamp, self.match, self.state, self._acts = max(stamp, self.stamp), match, match.state, []

    def given(self) -> list[Act]:
        acts, self._acts = self._acts, []
        return acts

    def do(self, act: Act) -> None:
        self._acts.append(act)

    def say(self, move: Move, at: int, evidence: Evidence | None = None) -> None:
        """A move, never before what was said last."""
        self.latest = max(self.latest, at)
        self.do(Statement(self.stamp, MoveMessage(move, self.latest, ""), evidence))
        ruled = self.ruled(move)
        if not isinstance(ruled, Foul):
            self.state = ruled

    def ruled(self, move: Move) -> "State | Foul":
        """The state behind a move, or why the rules refuse it."""
        try:
            state: State = GAME.rule(self.state, replace(move, at=self.match.now)).state
        except Foul as foul:
            return foul
        return state

    def send(self, request: Request, evidence: Evidence | None = None) -> None:
        self.latest = max(self.latest, self.stamp)
        self.do(Statement(self.stamp, replace(request, at=self.latest), evidence))

    def take_back(self, number: int) -> None:
        """A move of the match was none."""
        self.send(Undo() if number == len(self.match.line) else Correct(number, None))

    # --- out of step and back

    def lose(self, code: str, sentence: str) -> None:
        self.lost.add(code)
        self.out_of_step(TABLE, code, sentence, EYES_BACK)

    def found(self, code: str) -> None:
        """It is over; what lies there is read anew."""
        if code in self.lost:
            self.lost.discard(code)
            if code != GRID:
                self.lost.add(GRID)
                self.do(LookAgain(self.stamp, ()))

    def out_of_step(self, place: int, code: str, sentence: str, way_back: str) -> None:
        if place in self.troubles and self.troubles[place][0] == code:
            return
        self.troubles[place] = code, self.stamp
        self.do(OutOfStep(self.stamp, (place,) if place else (), code, sentence, way_back))

    def step(self, place: int, *codes: str) -> None:
        """Match and table agree on a place again; if codes are named, where it is out of step for one of them."""
        if place in self.troubles and (not codes or self.troubles[place][0] in codes):
            code, since = self.troubles.pop(place)
            self.do(InStep(self.stamp, (place,) if place else (), code, self.stamp - since))
