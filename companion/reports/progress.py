"""How a match went: how the scores came about, and who won each of its rounds. What its rulings tell, and no more."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from companion.core.correction import Done
from companion.core.match import Setup
from companion.core.rules import Event, Game, Ruling

Scores = tuple[int, ...]


class PlayedMatch(Protocol):
    """A match as it was played so far."""

    @property
    def setup(self) -> Setup: ...
    @property
    def game(self) -> Game: ...
    @property
    def start(self) -> Ruling: ...
    @property
    def line(self) -> Sequence[Done]: ...
    @property
    def state(self) -> Any: ...
    @property
    def abandoned(self) -> object | None: ...


@dataclass(frozen=True, slots=True)
class ScoreStep:
    """The scores after so many moves."""

    move: int
    scores: Scores


@dataclass(frozen=True, slots=True)
class Round:
    """A round that is over."""

    number: int
    move: int  # the number of its last one
    ended: Event
    before: Scores
    after: Scores

    @property
    def winners(self) -> tuple[str, ...]:
        return self.ended.round_winners or ()

    @property
    def added(self) -> Scores:
        return tuple(after - before for before, after in zip(self.before, self.after, strict=True))


def steps(played: PlayedMatch) -> tuple[ScoreStep, ...]:
    """How it stood at the beginning, and whenever the scores had changed. Cards are counted from the deal on."""
    found = [ScoreStep(0, tuple(played.start.state.scores))]
    for number, done in enumerate(played.line, 1):
        scores = tuple(done.ruling.state.scores)
        if scores != found[-1].scores:
            found.append(ScoreStep(number, scores))
    if played.game.is_fewest_best and len(found) > 1 and not any(found[0].scores):
        del found[0]
    return tuple(found)


def rounds(played: PlayedMatch) -> tuple[Round, ...]:
    """Those that are over, in the order in which they were played; none of a game that has none."""
    found, before = [], tuple(played.start.state.scores)
    for number, done in enumerate(played.line, 1):
        after = tuple(done.ruling.state.scores)
        ended = next((event for event in done.ruling.events if event.round_winners is not None), None)
        if ended is not None:
            found.append(Round(_played(played.game, done.ruling.state), number, ended, before, after))
        before = after
    return tuple(found)


def _played(game: Game, state: Any) -> int:
    """The number of the round that was played last; of a match that is not over the next one has begun."""
    return game.round_of(state) - (state.outcome is None)


def round_just_over(played: PlayedMatch) -> Round | None:
    """The round that the newest move has ended, while others are still to be played."""
    if not played.line or played.state.outcome is not None or played.abandoned is not None:
        return None
    if all(event.round_winners is None for event in played.line[-1].ruling.events):
        return None
    return rounds(played)[-1]
