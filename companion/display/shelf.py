"""What lies ready for the screens that look back or around: matches, statistics, findings. All frozen."""

from dataclasses import dataclass, field, replace
from datetime import date, datetime
from functools import cached_property
from typing import TYPE_CHECKING

from companion.devices.board_page import BoardPage
from companion.doctor.health import Finding
from companion.reports.marks import LinePlace
from companion.reports.qr_code import Rows
from companion.reports.statistics import Tally
from companion.scoresheet.desk import MadeSheet
from companion.teaching.kept_decks import KeptDeck

if TYPE_CHECKING:
    from companion.display.view import Seen
    from companion.reports.trials import Trial


@dataclass(frozen=True, slots=True)
class ShelvedMatch:
    """A match of the journal in a line."""

    code: str
    game: str
    began: datetime | None  # by the clock on the wall here; None if the journal has no date that is one
    status: str  # running, over, abandoned
    players: tuple[str, ...]
    scores: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Refused:
    """A move that the referee refused, after so many moves of the line."""

    after: int
    player: str
    sentence: str


@dataclass(frozen=True)
class Opened:
    """A match of the journal that is looked at again."""

    played: ShelvedMatch
    whole: "Seen"
    refused: tuple[Refused, ...] = ()
    places: tuple[LinePlace, ...] = ()  # what was put right: at the beginning, and of each move

    @cached_property
    def steps(self) -> int:
        return len(self.whole.line)

    def place(self, step: int) -> LinePlace:
        return self.places[step] if step < len(self.places) else LinePlace()

    def at(self, step: int) -> "Seen":
        """The match as it stood after so many moves."""
        if step >= self.steps:
            return self.whole
        line = self.whole.line[:step]
        ruling, now = (line[-1].ruling, line[-1].move.at) if line else (self.whole.start, 0)
        return replace(self.whole, ruling=ruling, line=line, now=now, paused=None, abandoned=None)


@dataclass(frozen=True, slots=True)
class Shelf:
    today: date | None = None
    count: int = 0  # matches in the journal
    first: int = 0  # how many of them are newer than those here
    matches: tuple[ShelvedMatch, ...] = ()
    opened: Opened | None = None
    trouble: str = ""  # why there is nothing to be seen
    tallies: tuple[Tally, ...] = ()
    counted: int = 0  # matches that the tallies know
    to_count: int = 0  # all that they should know
    trials: "tuple[Trial, ...]" = ()  # every run that counts, newest first
    longest_rounds: tuple[tuple[str, int], ...] = ()
    findings: tuple[Finding, ...] = field(default=())
    is_looking: bool = False
    has_printer: bool = False
    decks: tuple[KeptDeck, ...] = ()  # that were taught or brought along
    made: MadeSheet | None = None  # a score sheet, and what became of it
    board: BoardPage | None = None  # where the match is shown on phones
    written: str = ""  # what a code on the screen says
    code: Rows | None = None  # the code; None while it is being made
