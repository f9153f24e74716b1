"""What a witness of Triple³ tells, in its order, and the match as it stands behind that."""

from dataclasses import replace

from companion.core.match import Match
from companion.core.requests import MoveMessage, Request
from companion.core.rules import Foul, Move
from companion.games.triple3 import rules as triple3
from companion.games.triple3.rules import Lies, State, TakeBack
from companion.games.triple3.witness_orders import Happening
from companion.games.triple3.witness_plays import Play, Ruled, Trouble
from companion.games.triple3.witness_words import Wrong
from companion.watch.evidence import Act, Evidence, OutOfStep, Statement

REMEMBERED = 12  # moves that may still have to go behind another one


class Account:
    """Whatever is decided of a frame is said here."""

    def __init__(self) -> None:
        self.acts: list[Act] = []
        self.stamp = 0  # of the frame
        self.match: Match
        self.state: State  # with what has been said already
        self.tail: list[Ruled] = []  # the newest moves of the line, as far as they came from here
        self.troubles: dict[int, Trouble] = {}
        self.latest = 0  # stamp of the newest message

    @property
    def is_seen(self) -> bool:
        """Whether the match has what lies there."""
        return self.state.is_seen and self.state.phase in ("play", "stopped")

    def given(self) -> list[Act]:
        acts, self.acts = self.acts, []
        return acts

    def do(self, act: Act) -> None:
        self.acts.append(act)

    def at(self, stamp: int | None = None) -> int:
        """The stamp of a message: never before the last one."""
        self.latest = max(self.latest, self.stamp if stamp is None else stamp)
        return self.latest

    def send(self, what: Move | Request, evidence: Evidence | None, at: int | None = None) -> None:
        message = MoveMessage(what, self.at(at), "") if isinstance(what, Move) else what
        self.do(Statement(self.stamp, message, evidence))

    def make(self, move: Move, evidence: Evidence | None = None, at: int | None = None) -> bool:
        """Make a move, if the rules let; whether they did."""
        try:
            self.state = self.ruled(move)
        except Foul:
            return False
        self.send(move, evidence, at)
        self.tail = []
        return True

    def make_or_say(self, move: TakeBack | Lies, cell: int, evidence: Evidence | None = None) -> bool:
        """The same; and where the rules do not let, what is out of step."""
        try:
            self.ruled(move)
        except Foul as foul:
            self.out_of_step(cell, Wrong(foul.code, foul.sentence))
            return False
        return self.make(move, evidence)

    def make_among(
        self, move: TakeBack | Lies, happening: Happening, play: Play | None = None, evidence: Evidence | None = None
    ) -> bool:
        """The same, of a move that others may still have to go behind; what is said with Lies stays where it is."""
        before, tail = self.state, self.tail
        done = self.make_or_say(move, happening.cell, evidence)
        if done:
            self.tail = [*tail, Ruled(happening, play, before, is_fixed=isinstance(move, Lies))][-REMEMBERED:]
        return done

    def ruled(self, move: Move) -> State:
        """The state behind a move, or a foul."""
        state: State = triple3.rule(self.state, replace(move, at=self.match.now)).state
        return state

    def out_of_step(self, cell: int, wrong: Wrong) -> None:
        if cell in self.troubles and self.troubles[cell].code == wrong.code:
            return
        self.troubles[cell] = Trouble(self.stamp, wrong.code)
        self.do(OutOfStep(self.stamp, (cell,) if cell else (), wrong.code, wrong.sentence, wrong.way_back))
