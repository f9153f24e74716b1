"""What can be disputed in Three!: the cards on top of the piles and those that were refused, newest first.

What lies under a top is shown to nobody, so it is not told here either; the journal has it when the match is over.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from companion.core.errors import MatchError
from companion.core.match import Match
from companion.core.record import move_plain
from companion.core.requests import Correct, MoveMessage
from companion.core.sentence import Sentence
from companion.games.three.rules import Play, State, unseen_left
from companion.watch.evidence import Act, Evidence, Know, PutRight, Statement
from companion.watch.messages import DisputedPlay, Really
from companion.watch.told_evidence import told_play

if TYPE_CHECKING:
    pass

MOST = 40  # plays that are remembered
LIKELY = 6  # other dogs that are offered for one that was read wrongly


@dataclass(frozen=True, slots=True)
class PlayedDog:
    """One card that was played, with its ruling. `verdict` is legal or called."""

    number: int  # of the move; 0: it was refused, and is none
    verdict: str
    cell: int  # the place of the pile, counted from 1; 0: the camera has not seen it
    card: str
    covered: str  # what lies under it is nobody's business
    sentence: str
    player: str = ""
    evidence: Evidence | None = None
    likely: tuple[str, ...] = ()
    accepts: tuple[str, ...] = ()


@dataclass(slots=True)
class PlayedDogs:
    """What the witness did lately, for as long as it may be disputed. Hand it every act when it has been done."""

    _seen: deque[Evidence] = field(default_factory=lambda: deque(maxlen=MOST))

    def keep(self, act: Act, match: Match) -> None:
        del match
        if isinstance(act, PutRight):
            taken = next((one for one in reversed(self._seen) if (one.cell, one.card) == (act.cell, act.card)), None)
            if taken is not None:
                self._seen.remove(taken)
        elif isinstance(act, Statement) and isinstance(act.message, MoveMessage) and act.evidence is not None:
            self._seen.append(act.evidence)

    def plays(self, match: Match) -> tuple[PlayedDog, ...]:
        """The top of each pile, and what was refused since then."""
        found: list[PlayedDog] = []
        state: State = match.state
        since: dict[str, int] = {}
        for number in range(len(match.line), 0, -1):
            move = match.line[number - 1].move
            if isinstance(move, Play) and move.player not in since:
                since[move.player] = move.at
                if state.pile(move.player)[-1:] == (move.dog,):
                    found.append(self._top(match, number, move))
        told = {(play.cell, play.card) for play in found}
        newest = max(since.values(), default=0)
        refused = [one for one in self._seen if (one.cell, one.card) not in told and one.stamp > newest]
        return (*(_refusal(state, one) for one in reversed(refused)), *found)

    def play_of(self, cell: int, card: str, match: Match) -> PlayedDog:
        for play in self.plays(match):
            if (play.cell, play.card) == (cell, card):
                return play
        raise MatchError(
            Sentence(
                "No pile has {card} on top at place {cell}: say which card was read, and where.",
                card=card[:60],
                cell=cell,
            )
        )

    def reads(self, play: PlayedDog, card: str) -> None:
        """What was seen stays with the play under its right name; that is in the match."""

    def put_right(self, message: Really, play: PlayedDog, match: Match) -> Correct | Know:
        dogs = [dog.name for dog in match.state.house.dogs]
        if message.card not in dogs:
            raise MatchError(
                Sentence("There is no dog {card}: name one of {dogs}.", card=message.card[:60], dogs=tuple(dogs))
            )
        if not play.number:
            return Know(0, play.cell, message.card)
        return Correct(play.number, {**move_plain(match.line[play.number - 1].move), "dog": message.card})

    def told(self, play: PlayedDog, pictures: Sequence[str]) -> DisputedPlay:
        return told_play(play, pictures)

    def _top(self, match: Match, number: int, move: Play) -> PlayedDog:
        seen = next((one for one in reversed(self._seen) if (one.guess, one.card) == (move.player, move.dog)), None)
        sentence = match.line[number - 1].ruling.events[0].sentence
        cell = seen.cell if seen else 0
        return PlayedDog(
            number, "legal", cell, move.dog, "", sentence, move.player, seen, _instead(match.state, move.dog)
        )


def _refusal(state: State, seen: Evidence) -> PlayedDog:
    likely = _instead(state, seen.card)
    return PlayedDog(0, "called", seen.cell, seen.card, "", seen.other, seen.guess, seen, likely)


def _instead(state: State, read: str) -> tuple[str, ...]:
    """Other dogs of which cards are left."""
    others = [dog.name for dog in state.house.dogs if dog.name != read and unseen_left(state, dog.name) > 0]
    return tuple(others[:LIKELY])
