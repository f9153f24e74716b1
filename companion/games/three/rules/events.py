"""What happens at the table, in the words in which it is told."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.rules import Ahead, CardsMoved, Ended, Event, Place, Turn
from companion.core.sentence import N_


@dataclass(frozen=True, slots=True)
class Began(Event):
    text: ClassVar[str] = N_("{player} begins. Cards left to draw: {deck}.")
    player: str
    deck: int


@dataclass(frozen=True, slots=True)
class Played(Event):
    text: ClassVar[str] = N_("{player} plays {dog}. Cards on the pile: {pile}.")
    open_text: ClassVar[str] = N_("{player} plays a card. Cards on the pile: {pile}.")
    player: str
    dog: str
    pile: int


@dataclass(frozen=True, slots=True)
class DeckEmpty(Event):
    text: ClassVar[str] = N_("The deck is empty: play goes on without drawing.")


@dataclass(frozen=True, slots=True)
class Struck(Event):
    text: ClassVar[str] = N_("{player} strikes and calls: whom, and which dog?")
    player: str
    at: int


@dataclass(frozen=True, slots=True)
class StruckTogether(Event):
    text: ClassVar[str] = N_("{players} struck together: {settled}.")
    no_time: ClassVar[str] = N_("{players} all struck, but an edge was lost and nobody knows who was first: {settled}.")
    players: tuple[str, ...]
    settled: str
    margin: int | None  # nanoseconds within which they cannot be told apart, where it is known
    untimed: tuple[str, ...] = ()  # who was there without a time

    @property
    def template(self) -> str:
        return self.no_time if self.untimed else self.text


@dataclass(frozen=True, slots=True)
class WhoseHand(Event):
    text: ClassVar[str] = N_("The token is struck. Whose hand was it?")
    at: int


@dataclass(frozen=True, slots=True)
class Rearming(Event):
    """The call is over; a strike counts again from then on."""

    free_at: int


@dataclass(frozen=True, slots=True)
class KeptOut(Event):
    text: ClassVar[str] = N_("{player} called wrongly and may not strike for {seconds} s.")
    player: str
    seconds: int
    until: int


@dataclass(frozen=True, slots=True)
class Called(Event):
    text: ClassVar[str] = N_("{player} calls {whom} for {dog}: {whom} checks.")
    open_text: ClassVar[str] = N_("{player} calls {whom}: {whom} checks.")
    player: str
    whom: str
    dog: str


@dataclass(frozen=True, slots=True)
class Released(Event):
    text: ClassVar[str] = N_("No call from {player}; the token is free again.")
    player: str
    waited: int  # nanoseconds since the strike


@dataclass(frozen=True, slots=True)
class Declared(Event):
    text: ClassVar[str] = N_("{player} declares three of {dog} and checks.")
    open_text: ClassVar[str] = N_("{player} declares three of a dog and checks.")
    player: str
    dog: str


@dataclass(frozen=True, slots=True)
class Checked(Event):
    """The result of a check: `right` if three or more were there."""

    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("{found} of {dog} on {player}'s pile: the cards go to {to}.")
    open_text: ClassVar[str] = N_("{found} of that dog on {player}'s pile: the cards go to {to}.")
    player: str
    dog: str
    found: int
    right: bool
    to: Place


@dataclass(frozen=True, slots=True)
class SeenOtherwise(Event):
    text: ClassVar[str] = N_(
        "{player} stands by {said} of {dog}; the referee had seen {seen} and now takes that pile as unseen."
    )
    open_text: ClassVar[str] = N_("{player} stands by {said}; the referee now takes that pile as unseen.")
    player: str
    dog: str
    said: int
    seen: int


@dataclass(frozen=True, slots=True)
class Passed(Event):
    text: ClassVar[str] = N_("{player} has nothing to declare.")
    player: str


@dataclass(frozen=True, slots=True)
class NothingMore(Event):
    text: ClassVar[str] = N_("{player} has nothing more to declare.")
    player: str


@dataclass(frozen=True, slots=True)
class FinalRound(Event):
    text: ClassVar[str] = N_("All hands are empty: one last round to declare in. {player} is first.")
    player: str


@dataclass(frozen=True, slots=True)
class LastCalls(Event):
    """The same where nobody may ever declare: calls are possible until somebody ends the match."""

    text: ClassVar[str] = N_("All hands are empty: {player} ends the match when nobody calls any more.")
    player: str


@dataclass(frozen=True, slots=True)
class CallsOver(Event):
    text: ClassVar[str] = N_("Nobody calls any more.")


EVENTS: tuple[type[Event], ...] = (
    Began,
    Played,
    DeckEmpty,
    Struck,
    Ahead,
    StruckTogether,
    WhoseHand,
    Called,
    Released,
    Rearming,
    KeptOut,
    Declared,
    Checked,
    SeenOtherwise,
    FinalRound,
    LastCalls,
    Passed,
    NothingMore,
    CallsOver,
    CardsMoved,
    Turn,
    Ended,
)
