"""Runs against the clock that a journal keeps, and which of them can be compared: like with like.

What makes two runs alike, a game says: its `trials.py` has TRIALS, and every run has a course.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from companion.core.codec import parsed
from companion.core.errors import CompanionError
from companion.core.rules import Fact
from companion.games import game as game_named
from companion.games import part
from companion.journal import Journal, KeptTrial
from companion.words import Words


class Course(Protocol):
    """What two runs have in common that can be compared. Equal courses are one course."""

    def told(self) -> tuple[tuple[str, dict[str, int]], ...]:
        """Piece by piece: a text of the catalogues, and the numbers in its blanks."""

    def said(self, words: Words) -> str:
        """In a line."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A run; with how many cards left is 0 where nobody kept it."""

    name: str
    time: int  # nanoseconds
    left: int
    course: Course
    code: str = ""
    began: str = ""
    game: str = ""

    def is_same(self, other: "Trial") -> bool:
        """As far as can be told of one that is not kept yet."""
        return (self.name, self.time, self.left, self.course) == (other.name, other.time, other.left, other.course)


def _nowhere(_told: Any) -> Course:
    raise CompanionError("This game has no runs against the clock.")


@dataclass(frozen=True, slots=True)
class GameTrials:
    """TRIALS of a game."""

    is_run: Callable[[Any], bool] = lambda _house: False  # by these house rules a match is one
    course_of: Callable[[Any], Course] = _nowhere  # of a state: what such a run is compared by
    kept: Callable[[KeptTrial], Course] = _nowhere  # the same of one that a journal has


def trials_of(game: str) -> GameTrials:
    return part(game, "trials", GameTrials)


def trials(journal: Journal) -> tuple[Trial, ...]:
    """Every run that counts, newest first."""
    found = []
    for kept in journal.time_trials():
        try:
            found.append(_trial(kept))
        except CompanionError:  # a set-up that this companion cannot read
            continue
    return tuple(found)


def _trial(kept: KeptTrial) -> Trial:
    game = str(parsed(kept.setup)["game"])
    return Trial(kept.name, kept.time, kept.left or 0, trials_of(game).kept(kept), kept.code, kept.began, game)


def course_of(game: str, state: Any) -> Course:
    """What a run that is being made, or is over, is compared by."""
    return trials_of(game).course_of(state)


def trial_of(game: str, state: Any) -> Trial | None:
    """The run of a match that is over, if it counts."""
    facts: dict[str, Fact] = {fact.kind: fact for fact in game_named(game).facts(state)}
    if "time-trial" not in facts:
        return None
    left = facts["trial-left"].value if "trial-left" in facts else 0
    run = facts["time-trial"]
    return Trial(run.player, run.value, left, course_of(game, state), game=game)


def best(found: Iterable[Trial], course: Course, most: int = 8) -> tuple[Trial, ...]:
    """The best of a course: fewest cards left, then quickest."""
    alike = (trial for trial in found if trial.course == course)
    return tuple(sorted(alike, key=lambda trial: (trial.left, trial.time))[:most])


def with_this(found: tuple[Trial, ...], trial: Trial | None) -> tuple[Trial, ...]:
    """Those that are kept, and one that may not be kept yet."""
    return found if trial is None or any(map(trial.is_same, found)) else (trial, *found)


def courses(found: Iterable[Trial]) -> tuple[Course, ...]:
    """What has been run, newest first."""
    return tuple(dict.fromkeys(trial.course for trial in found))
