"""What a witness tells, in its order, and the match as it stands behind that: for any game of turns."""

from dataclasses import replace
from typing import Any

from companion.core.match import Match
from companion.core.requests import MoveMessage, Request
from companion.core.rules import Foul, Game, Move
from companion.watch.evidence import Act, Evidence, InStep, LookAgain, OutOfStep, Statement

WHOLE = "whole"  # all places are to be read anew


class WitnessAccount:
    """Whatever is decided of a frame is said here."""

    def __init__(self, game: Game, eyes_back: str) -> None:
        self._game, self._eyes_back = game, eyes_back
        self.stamp = 0  # of the frame
        self.latest = 0  # of the newest message
        self.match: Match
        self.state: Any  # with what has been said already
        self.troubles: dict[int, tuple[str, int]] = {}  # by place, since when; 0: the whole table
        self.lost: set[str] = set()  # what is wrong with the whole table
        self._acts: list[Act] = []

    def enter(self, stamp: int, match: Match) -> None:
        self.stamp, self.match, self.state, self._acts = max(stamp, self.stamp), match, match.state, []

    def given(self) -> list[Act]:
        acts, self._acts = self._acts, []
        return acts

    def do(self, act: Act) -> None:
        self._acts.append(act)

    def say(self, move: Move, at: int, evidence: Evidence | None = None) -> bool:
        """A move, never before what was said last; whether the rules let."""
        self.latest = max(self.latest, at)
        self.do(Statement(self.stamp, MoveMessage(move, self.latest, ""), evidence))
        ruled = self.ruled(move)
        if ruled is not None:
            self.state = ruled
        return ruled is not None

    def send(self, request: Request, evidence: Evidence | None = None) -> None:
        self.latest = max(self.latest, self.stamp)
        self.do(Statement(self.stamp, replace(request, at=self.latest), evidence))

    def ruled(self, move: Move, state: Any = None) -> Any:
        """The state behind a move, in another state than the match's if one is given; None if the rules refuse it."""
        try:
            return self._game.rule(state or self.state, replace(move, at=self.match.now)).state
        except Foul:
            return None

    # --- out of step and back

    def lose(self, code: str, sentence: str) -> None:
        """Nothing can be seen of the table."""
        self.lost.add(code)
        self.out_of_step(0, code, sentence, self._eyes_back)

    def found(self, code: str) -> None:
        """It is over; what lies there is read anew."""
        if code in self.lost:
            self.lost.discard(code)
            if code != WHOLE:
                self.lost.add(WHOLE)
                self.do(LookAgain(self.stamp, ()))

    def out_of_step(self, place: int, code: str, sentence: str, way_back: str) -> None:
        """Told once for as long as it is the same trouble."""
        if place in self.troubles and self.troubles[place][0] == code:
            return
        self.troubles[place] = code, self.stamp
        self.do(OutOfStep(self.stamp, (place,) if place else (), code, sentence, way_back, self.spots_of(place)))

    def step(self, place: int, name: str = "") -> None:
        """Match and table agree on a place again, which people call so."""
        if place in self.troubles:
            code, since = self.troubles.pop(place)
            told = name or self.name_of(place)
            self.do(InStep(self.stamp, (place,) if place else (), code, self.stamp - since, told))

    def settled(self, place: int, *codes: str) -> None:
        """The same, where it was out of step for one of these."""
        if place in self.troubles and self.troubles[place][0] in codes:
            self.step(place)

    # --- what a game may say of its places

    def name_of(self, place: int) -> str:
        """What people call a place; empty: its number."""
        del place
        return ""

    def spots_of(self, place: int) -> tuple[int, ...]:
        """The places of the mat that it lies on, where they are others."""
        del place
        return ()
