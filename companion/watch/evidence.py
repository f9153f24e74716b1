"""What a witness of a match says and does, as data: moves, calls, being out of step, and what each of them rests on."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.core.requests import MoveMessage, Request
from companion.core.sentence import N_, Sentence

if TYPE_CHECKING:
    from vision.sightings import Look

PLAIN = 0.995  # a ruling that is likelier is told without a word on what may have been instead


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was seen of one play: the cell before and after, when, whose arms, and what was made of it.

    `guess` is the player on whose side of the table the only arm came in. It is no more than that: a move does not
    name a player for it, because claims are checked against what a move names.
    """

    cell: int
    card: str
    before: "Look | None"
    after: "Look | None"
    since: int  # the cell was first disturbed ...
    stamp: int  # ... and the card lay there
    arms: tuple[str, ...] = ()
    guess: str = ""
    by: int = 0  # at the latest it was laid then; 0: that is not known better than `stamp`
    held: int = 0  # nanoseconds that the ruling waited for what else was under the same arms
    order: tuple[str, ...] = ()  # cards, as they were ruled on, where that was chosen among several orders
    chance: float = 1.0  # how likely it is as it was told
    other: str = ""  # one sentence on what may have been instead, where that is worth a word
    spots: tuple[int, ...] = ()  # the places of the mat on which the card lies, where that is not `cell` alone
    place: str = ""  # what people call the cell; empty: its number

    @property
    def lies_on(self) -> tuple[int, ...]:
        """The places of the mat that it is about."""
        return self.spots or (self.cell,)


@dataclass(frozen=True, slots=True)
class Act:
    """Something that follows from what was seen, at the stamp of a frame."""

    stamp: int


@dataclass(frozen=True, slots=True)
class Statement(Act):
    """A message to the referee: a move, or the undoing or correcting of one."""

    message: MoveMessage | Request
    evidence: Evidence | None = None


@dataclass(frozen=True, slots=True)
class Called(Act):
    """An illegal play was called: the referee has refused it, and the card still lies there."""

    cell: int
    card: str
    sentence: str
    evidence: Evidence
    grid: tuple[str, ...] = ()  # the nine cards of the match on which it was ruled


@dataclass(frozen=True, slots=True)
class PutRight(Act):
    """A card that had been called, or that the match does not count, lies there no more."""

    cell: int
    card: str
    took: int  # nanoseconds since it was called
    place: str = ""  # what people call the cell; empty: its number

    @property
    def sentence(self) -> str:
        if self.place:
            return Sentence("{card} is off {place} again.", card=self.card, place=self.place)
        return Sentence("{card} is off cell {cell} again.", card=self.card, cell=self.cell)


@dataclass(frozen=True, slots=True)
class OutOfStep(Act):
    """What lies there cannot be known, or not how it came there; no cells: the whole table."""

    cells: tuple[int, ...]
    code: str
    sentence: str
    way_back: str
    spots: tuple[int, ...] = ()  # the places of the mat, where they are others than the cells


@dataclass(frozen=True, slots=True)
class InStep(Act):
    """The match and the table agree again."""

    cells: tuple[int, ...]
    code: str  # of the trouble that is over
    took: int  # nanoseconds since it was said
    place: str = ""  # what people call the cell; empty: its number

    @property
    def sentence(self) -> str:
        if self.place:
            return Sentence("{place} is in step again.", place=self.place)
        if self.cells:
            return Sentence("Cell {cells} is in step again.", cells=self.cells)
        return N_("The table is in step again.")


@dataclass(frozen=True, slots=True)
class Noticed(Act):
    """Something to be told that changes nothing."""

    cells: tuple[int, ...]
    code: str
    sentence: str


@dataclass(frozen=True, slots=True)
class LookAgain(Act):
    """The watcher shall read these cells anew; none given: all nine."""

    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Believe(Act):
    """The watcher shall be told which card it is that it could not read: nothing else explains what was seen."""

    cell: int
    card: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Know(Act):
    """The watcher shall be told what lies on a cell: a person has said so."""

    cell: int
    card: str
