"""What happens at the table, in the words in which it is told."""

from dataclasses import dataclass
from typing import Any, ClassVar

from companion.core.rules import UNSEEN, Ahead, CardsMoved, Ended, Event, Turn
from companion.core.sentence import N_, Both


@dataclass(frozen=True, slots=True)
class Showed(Event):
    text: ClassVar[str] = N_("{player} draws {card} for dealer: that counts {number}.")
    player: str
    card: str
    number: int


@dataclass(frozen=True, slots=True)
class TiedForDealer(Event):
    text: ClassVar[str] = N_("{players} are equal at {number} and draw again for dealer.")
    players: tuple[str, ...]
    number: int


@dataclass(frozen=True, slots=True)
class DealerChosen(Event):
    text: ClassVar[str] = N_("{player} deals.")
    player: str


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    text: ClassVar[str] = N_("{player} has dealt; {table} lie on the table. Cards left to draw: {pile}.")
    unseen: ClassVar[str] = N_("{player} has dealt. Cards left to draw: {pile}.")
    player: str
    table: tuple[str, ...]
    pile: int

    @property
    def template(self) -> str:
        return self.unseen if UNSEEN in self.table else self.text


@dataclass(frozen=True, slots=True)
class TurnedUp(Event):
    text: ClassVar[str] = N_("{player} fills the table with {card}.")
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class TurnLost(Event):
    text: ClassVar[str] = N_("{player} loses the turn: {card} turned up.")
    player: str
    card: str


@dataclass(frozen=True, slots=True)
class DirectionTurned(Event):
    text: ClassVar[str] = N_("Play goes the other way round now.")
    clockwise: bool


@dataclass(frozen=True, slots=True)
class Played(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} plays {cards} with {table_card} from the table. Cards left: {left}.")
    player: str
    table_card: str
    cards: tuple[str, ...]
    left: int


@dataclass(frozen=True, slots=True)
class Laid(Event):
    """A play of which only that much is known."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} plays {count} from the hand. Cards left: {rest}.")
    with_action: ClassVar[str] = N_("{player} plays {card}, {count} from the hand in all. Cards left: {rest}.")
    player: str
    count: int
    card: str  # the action card; empty if there is none
    rest: int

    @property
    def template(self) -> str:
        return self.with_action if self.card else self.text


@dataclass(frozen=True, slots=True)
class Skipped(Event):
    text: ClassVar[str] = N_("{player} is skipped.")
    player: str


REASONS = {
    "take-three": N_("three cards of one colour were played"),
    "plus3": N_("a +3 was played"),
    "turned-up": N_("a +3 turned up"),
    "caught": N_("caught without saying tres"),
}


@dataclass(frozen=True, slots=True)
class MustDraw(Event):
    text: ClassVar[str] = N_("{player} must draw {count}: {reasons}.")
    player: str
    count: int
    why: tuple[str, ...]

    @property
    def facts(self) -> dict[str, Any]:
        return {**super(MustDraw, self).facts, "reasons": Both(REASONS[reason] for reason in self.why)}


@dataclass(frozen=True, slots=True)
class Drew(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{player} draws, {count} in all. Cards in hand: {left}.")
    player: str
    count: int
    left: int


@dataclass(frozen=True, slots=True)
class Kept(Event):
    text: ClassVar[str] = N_("{player} keeps the card.")
    player: str


@dataclass(frozen=True, slots=True)
class Passed(Event):
    text: ClassVar[str] = N_("{player} passes: there is nothing to draw.")
    player: str


@dataclass(frozen=True, slots=True)
class SaidTres(Event):
    text: ClassVar[str] = N_("{player} says tres.")
    player: str
    at: int


@dataclass(frozen=True, slots=True)
class SaidTogether(Event):
    """The word and the catch cannot be told apart."""

    text: ClassVar[str] = N_("{player}'s tres and the catch by {catchers} came at the same moment: that is in time.")
    player: str
    catchers: tuple[str, ...]
    margin: int


@dataclass(frozen=True, slots=True)
class Caught(Event):
    text: ClassVar[str] = N_("{player} catches {whom} with three cards and not a word.")
    player: str
    whom: str
    at: int


@dataclass(frozen=True, slots=True)
class Reshuffled(Event):
    text: ClassVar[str] = N_("The draw pile is empty: the {cards} discards are shuffled into a new one.")
    cards: int


@dataclass(frozen=True, slots=True)
class NotDrawn(Event):
    """What was due and is not drawn, because there is nothing left."""

    text: ClassVar[str] = N_("No card is left to draw: {player} is let off {count}.")
    player: str
    count: int


EVENTS: tuple[type[Event], ...] = (
    Showed,
    TiedForDealer,
    DealerChosen,
    Dealt,
    TurnedUp,
    TurnLost,
    DirectionTurned,
    Played,
    Laid,
    Skipped,
    MustDraw,
    Drew,
    Kept,
    Passed,
    SaidTres,
    SaidTogether,
    Ahead,
    Caught,
    Reshuffled,
    NotDrawn,
    CardsMoved,
    Turn,
    Ended,
)
