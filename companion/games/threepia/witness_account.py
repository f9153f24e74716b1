"""What a witness of Threepia tells, in its order, and the match as it stands behind that."""

from collections.abc import Callable
from dataclasses import replace

from companion.core.match import Match
from companion.core.requests import MoveMessage, Request
from companion.core.rules import Foul, Move
from companion.games.threepia.rules import GAME, Lay, State
from companion.games.threepia.witness_words import EYES_BACK
from companion.watch.evidence import Act, Evidence, InStep, LookAgain, OutOfStep, Statement

GRID = "grid"  # the whole field is to be read anew


class Account:
    """Whatever is decided of a frame is said here."""

    def __init__(self) -> None:
        self.stamp = 0  # of the frame
        self.latest = 0  # of the newest message
        self.match: Match
        self.state: State  # with what has been said already
        self.troubles: dict[int, tuple[str, int]] = {}  # by place; 0: the whole table
        self.lost: set[str] = set()  # what is wrong with the whole table
        self.spots_of: Callable[[int], tuple[int, ...]] = lambda _place: ()  # the places of the mat below a place
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
        if (ruled := self.ruled(move)) is not None:
            self.state = ruled

    def send(self, request: Request, evidence: Evidence | None = None) -> None:
        self.latest = max(self.latest, self.stamp)
        self.do(Statement(self.stamp, replace(request, at=self.latest), evidence))

    def ruled(self, move: Move) -> State | None:
        """The state behind a move, if the rules let."""
        try:
            state: State = GAME.rule(self.state, replace(move, at=self.match.now)).state
        except Foul:
            return None
        return state

    def letter(self, place: int) -> str:
        """What people call a place that is counted from 1."""
        return self.state.house.field.letters[place - 1] if place else ""

    def number_of(self, place: int) -> int:
        """Of the newest card that was laid on a place, among the moves of the match; 0 if there is none."""
        letter = self.letter(place)
        for number in range(len(self.match.line), 0, -1):
            move = self.match.line[number - 1].move
            if isinstance(move, Lay) and move.place == letter:
                return number
        return 0

    # --- out of step and back

    def lose(self, code: str, sentence: str) -> None:
        self.lost.add(code)
        self.out_of_step(0, code, sentence, EYES_BACK)

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
        self.do(OutOfStep(self.stamp, (place,) if place else (), code, sentence, way_back, self.spots_of(place)))

    def step(self, place: int) -> None:
        """Match and table agree on a place again."""
        if place in self.troubles:
            code, since = self.troubles.pop(place)
            self.do(InStep(self.stamp, (place,) if place else (), code, self.stamp - since, self.letter(place)))
