"""What happens at the table, in the words in which it is told."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.rules import Ended, Event, Turn
from companion.core.sentence import N_
from companion.games.triplexity.rules.state import Piece


@dataclass(frozen=True, slots=True)
class Placed(Event):
    text: ClassVar[str] = N_("{player} places a piece on the {place}.")
    player: str
    place: str
    piece: Piece


@dataclass(frozen=True, slots=True)
class Shifted(Event):
    text: ClassVar[str] = N_("{player} moves {owner}'s piece from the {source} to the {target}.")
    player: str
    owner: str
    piece: Piece
    source: str
    target: str


@dataclass(frozen=True, slots=True)
class ThreeOfAColour(Event):
    """The pieces that won, as place and height from the bottom."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("Three of {owner}'s colour, {how}: {owner} wins the round. Points: {points}.")
    won_by: ClassVar[str] = N_("Three of {owner}'s colour, {how}.")
    owner: str
    how: str
    pieces: tuple[tuple[str, int], ...]
    pips: tuple[int, ...]
    points: int

    @property
    def round_winners(self) -> tuple[str, ...]:
        return (self.owner,)


@dataclass(frozen=True, slots=True)
class Drawn(Event):
    """The round is over, and nobody has won it."""

    @property
    def round_winners(self) -> tuple[str, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class DrawnByRepetition(Drawn):
    text: ClassVar[str] = N_("The same position for the third time: the round is drawn.")
    won_by: ClassVar[str] = N_("The same position for the third time.")


@dataclass(frozen=True, slots=True)
class NobodyCanMove(Drawn):
    text: ClassVar[str] = N_("{player} has no move and passes, and {second} has none either: the round is drawn.")
    won_by: ClassVar[str] = N_("{player} has no move, and {second} has none either.")
    player: str
    second: str


@dataclass(frozen=True, slots=True)
class NextRound(Event):
    text: ClassVar[str] = N_("Round {round}: {player} begins.")
    round: int
    player: str


@dataclass(frozen=True, slots=True)
class RoundStands(Event):
    """After a correction of the round before, which has no winner any more, or would have had another begin."""

    text: ClassVar[str] = N_("Round {round} stands as it was played; the one before has no winner any more.")
    other: ClassVar[str] = N_("Round {round} stands as it was played: {player} began it; {instead} would have begun.")
    round: int
    player: str
    instead: str = ""

    @property
    def template(self) -> str:
        return self.other if self.instead else self.text


EVENTS: tuple[type[Event], ...] = (
    Placed,
    Shifted,
    ThreeOfAColour,
    DrawnByRepetition,
    NobodyCanMove,
    NextRound,
    RoundStands,
    Turn,
    Ended,
)
