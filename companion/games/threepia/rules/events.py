"""What happens at the table, in the words in which it is told."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.rules import CardsMoved, Ended, Event, Turn
from companion.core.sentence import N_, Sentence


@dataclass(frozen=True, slots=True)
class Run:
    """Equal symbols that score: a row, a column, or an L."""

    line: str
    cells: tuple[str, ...]  # the letter of the place and 1 to 4: top left, top right, bottom left, bottom right
    by: str  # shape, or colour
    value: str
    points: int

    def __str__(self) -> str:
        return Sentence(
            "{line} {cells} all {value} ({points})",
            line=self.line,
            cells="-".join(self.cells),
            value=self.value,
            points=self.points,
        )


@dataclass(frozen=True, slots=True)
class Stood:
    """What a triangle stood for in a turn; empty where it brought nothing."""

    cell: str
    shape: str = ""
    colour: str = ""

    def __str__(self) -> str:
        return Sentence(
            "{cell} for {word}", cell=self.cell, word=" ".join(word for word in (self.colour, self.shape) if word)
        )


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    text: ClassVar[str] = N_("Everybody has {hand} cards, {field} lie on the field, {deck} are left to draw.")
    hand: int
    field: int
    deck: int
    seen: bool


@dataclass(frozen=True, slots=True)
class Began(Event):
    text: ClassVar[str] = N_("{player} begins.")
    player: str
    at: int


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A card on the field; `card` and `covered` are written as they lie."""

    text: ClassVar[str] = N_("{player} lays {card} on {place}.")
    open_text: ClassVar[str] = N_("{player} lays a card on {place}.")
    player: str
    card: str
    place: str
    covered: str


@dataclass(frozen=True, slots=True)
class Counted(Event):
    """What the referee found for a card that was laid."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} has made {runs}.")
    player: str
    runs: tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class Combined(Event):
    """What the house gives for a combination, an axis or a flush; the points are among those that are scored."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} gets {points} more for {combination}.")
    player: str
    combination: str
    points: int


@dataclass(frozen=True, slots=True)
class TrianglesUsed(Event):
    text: ClassVar[str] = N_("{player}'s triangles stand, in this turn: {triangles}.")
    player: str
    triangles: tuple[Stood, ...]


@dataclass(frozen=True, slots=True)
class Scored(Event):
    counts: ClassVar[int] = 2
    text: ClassVar[str] = N_("{player} scores {points} and has {score}.")
    player: str
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class HandEmpty(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} has played out the hand: {points} points, which makes {score}.")
    player: str
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class PointsOwed(Event):
    text: ClassVar[str] = N_("{player}'s points are still to be entered.")
    player: str


@dataclass(frozen=True, slots=True)
class NothingLaid(Event):
    text: ClassVar[str] = N_("{player} lays nothing and draws {cards}.")
    player: str
    cards: int


@dataclass(frozen=True, slots=True)
class DrawnNeedlessly(Event):
    text: ClassVar[str] = N_("A card in {player}'s hand fitted: this run counts for no best time.")
    player: str


@dataclass(frozen=True, slots=True)
class DeckUsedUp(Event):
    text: ClassVar[str] = N_("The deck is used up.")
    missing: int = 0  # cards that the referee had still counted


@dataclass(frozen=True, slots=True)
class DeckCounted(Event):
    text: ClassVar[str] = N_("{player} finds {cards} cards in the deck; the referee had counted {counted}.")
    player: str
    cards: int
    counted: int


@dataclass(frozen=True, slots=True)
class TurnTimeUp(Event):
    text: ClassVar[str] = N_("{player}'s {seconds} seconds for this turn are up.")
    player: str
    seconds: int


@dataclass(frozen=True, slots=True)
class OutOfTime(Event):
    text: ClassVar[str] = N_("{player}'s {seconds} seconds are used up: the game is over for {player}.")
    player: str
    seconds: int


@dataclass(frozen=True, slots=True)
class LeftInHand(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} has {cards} cards in hand: {points} points, which makes {score}.")
    player: str
    cards: int
    points: int
    score: int


@dataclass(frozen=True, slots=True)
class PlayFinished(Event):
    text: ClassVar[str] = N_("Play is finished; points are still to be entered for: {owed}.")
    owed: tuple[str, ...]


EVENTS: tuple[type[Event], ...] = (
    Dealt,
    Began,
    Laid,
    Counted,
    Combined,
    TrianglesUsed,
    Scored,
    HandEmpty,
    PointsOwed,
    NothingLaid,
    DrawnNeedlessly,
    DeckUsedUp,
    DeckCounted,
    TurnTimeUp,
    OutOfTime,
    LeftInHand,
    PlayFinished,
    CardsMoved,
    Turn,
    Ended,
)
