"""What happens at the table, in the words in which it is told."""

from dataclasses import dataclass
from typing import ClassVar

from companion.core.rules import Ahead, CardsMoved, Ended, Event
from companion.core.sentence import N_
from companion.games.triple3.rules.grid import Triple


@dataclass(frozen=True, slots=True)
class Dealt(Event):
    text: ClassVar[str] = N_("Round {round}: dealt {deals}.")
    round: int
    grid: tuple[str, ...]
    deals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Started(Event):
    text: ClassVar[str] = N_("Go!")
    at: int


@dataclass(frozen=True, slots=True)
class PlayedLegally(Event):
    text: ClassVar[str] = N_("{card} on cell {cell}: {new} in the {line}.")
    by_name: ClassVar[str] = N_("{player} lays {card} on cell {cell}: {new} in the {line}.")
    open_text: ClassVar[str] = N_("A card on cell {cell}: {new} in the {line}.")
    open_by_name: ClassVar[str] = N_("{player} lays a card on cell {cell}: {new} in the {line}.")
    player: str
    cell: int
    card: str
    covered: str
    triples: tuple[Triple, ...]
    new: str
    line: str

    @property
    def template(self) -> str:
        return self.by_name if self.player else self.text

    @property
    def open_template(self) -> str:
        return self.open_by_name if self.player else self.open_text


@dataclass(frozen=True, slots=True)
class SaidOtherwise(Event):
    text: ClassVar[str] = N_("The play stands, but '{said}' is not what it makes.")
    player: str
    said: str


@dataclass(frozen=True, slots=True)
class PlayedIllegally(Event):
    """Kept for the next Stop!, as the house rule wants it."""

    text: ClassVar[str] = N_("{card} on cell {cell} makes no new triple; it is kept for the next Stop!")
    open_text: ClassVar[str] = N_("A card on cell {cell} makes no new triple; it is kept for the next Stop!")
    player: str
    cell: int
    card: str
    covered: str
    standing: tuple[Triple, ...]  # what the lines through the cell have in common with it, and had before


@dataclass(frozen=True, slots=True)
class TakenBack(Event):
    text: ClassVar[str] = N_("{card} is taken back from cell {cell}.")
    open_text: ClassVar[str] = N_("A card is taken back from cell {cell}.")
    player: str
    cell: int
    card: str


@dataclass(frozen=True, slots=True)
class FoundLying(Event):
    """The cell shows the card, and the match has followed. `back` went into hands, `hidden` lie under it unseen."""

    text: ClassVar[str] = N_("{card} lies on cell {cell}; how it came there was not seen.")
    open_text: ClassVar[str] = N_("A card lies on cell {cell}; how it came there was not seen.")
    with_hidden: ClassVar[str] = N_("{card} lies on cell {cell}, over cards that were not seen: {hidden}.")
    with_back: ClassVar[str] = N_("{card} lies on cell {cell}; taken back: {back}.")
    with_moved: ClassVar[str] = N_("{card} was moved from cell {moved_from} to cell {cell}.")
    player: str
    cell: int
    card: str
    before: str
    back: tuple[str, ...] = ()
    hidden: int = 0
    moved_from: int = 0

    @property
    def template(self) -> str:
        if self.moved_from:
            return self.with_moved
        if self.hidden:
            return self.with_hidden
        return self.with_back if self.back else self.text


@dataclass(frozen=True, slots=True)
class FewLeft(Event):
    """Few of the cards in hand can be laid anywhere; at most so many, if cards are hidden."""

    text: ClassVar[str] = N_("Of the {unseen} cards still in hand {playable} can be laid.")
    with_hidden: ClassVar[str] = N_("Of the {unseen} cards still in hand at most {playable} can be laid.")
    unseen: int
    playable: int
    hidden: int = 0

    @property
    def template(self) -> str:
        return self.with_hidden if self.hidden else self.text


@dataclass(frozen=True, slots=True)
class Stopped(Event):
    """Somebody called Stop!; the illegal plays that still lie on the grid."""

    text: ClassVar[str] = N_("Stop!")
    with_illegal: ClassVar[str] = N_("Stop! Illegal plays lie on cells {illegal}.")
    player: str
    illegal: tuple[int, ...]  # cells

    @property
    def template(self) -> str:
        return self.with_illegal if self.illegal else self.text


@dataclass(frozen=True, slots=True)
class NotOutYet(Event):
    """The last card was legal, and others of this player were not: no claim to be out rests on them."""

    text: ClassVar[str] = N_(
        "{player} has laid the last card, but illegal ones on cells {cells}: they are looked at first."
    )
    player: str
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ClaimOpen(Event):
    """Somebody says to be out and has laid, or may have laid, illegal cards that nobody has looked at."""

    text: ClassVar[str] = N_(
        "{player}'s claim to be out is open: illegal cards on cells {cells}. "
        "{player} takes back what lies on top, and the round goes on."
    )
    by_nobody: ClassVar[str] = N_(
        "{player}'s claim to be out is open: nobody knows who laid the illegal cards on cells {cells}. "
        "If it was somebody else, {player} says so again."
    )
    player: str
    cells: tuple[int, ...]
    is_known: bool  # that the player laid them

    @property
    def template(self) -> str:
        return self.text if self.is_known else self.by_nobody


@dataclass(frozen=True, slots=True)
class ClaimVoid(Event):
    """The illegal cards of whoever said to be out lie covered: they stay."""

    text: ClassVar[str] = N_("{player}'s claim to be out is void until {player} lays a legal card.")
    without_cards: ClassVar[str] = N_(
        "{player}'s claim to be out is void: {player} has no card left, the others play on."
    )
    player: str
    cells: tuple[int, ...]
    has_cards: bool

    @property
    def template(self) -> str:
        return self.text if self.has_cards else self.without_cards


@dataclass(frozen=True, slots=True)
class WentOn(Event):
    text: ClassVar[str] = N_("The round goes on.")


@dataclass(frozen=True, slots=True)
class NobodyCanLay(Event):
    text: ClassVar[str] = N_("Nobody can lay any more. Cards left: {unseen}.")
    with_illegal: ClassVar[str] = N_(
        "Nobody can lay any more. Cards left: {unseen}, and illegal ones on top that count as in hand: {illegal}."
    )
    unseen: int
    sure: bool  # the referee knows it from the cards, not from what was said
    illegal: int = 0

    @property
    def template(self) -> str:
        return self.with_illegal if self.illegal else self.text


@dataclass(frozen=True, slots=True)
class RoundWon(Event):
    counts: ClassVar[int] = 1
    text: ClassVar[str] = N_("Round {round} goes to {winners}: {reason}")
    won_by: ClassVar[str] = "{reason}"
    round: int
    winners: tuple[str, ...]
    reason: str
    time: int
    chips: tuple[int, ...]

    @property
    def round_winners(self) -> tuple[str, ...]:
        return self.winners


@dataclass(frozen=True, slots=True)
class RoundStands(Event):
    """After a correction of the round before, which nobody has won any more."""

    text: ClassVar[str] = N_("Round {round} stands as it was played; nobody has won the one before any more.")
    round: int


EVENTS: tuple[type[Event], ...] = (
    Dealt,
    Started,
    PlayedLegally,
    SaidOtherwise,
    PlayedIllegally,
    TakenBack,
    FoundLying,
    FewLeft,
    Ahead,
    Stopped,
    NotOutYet,
    ClaimOpen,
    ClaimVoid,
    WentOn,
    NobodyCanLay,
    RoundWon,
    RoundStands,
    CardsMoved,
    Ended,
)
