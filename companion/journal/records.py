"""What the journal answers with: matches in a line, matches whole, and the best of them."""

from dataclasses import dataclass

from companion.core.entry import Entry
from companion.core.errors import CompanionError, JournalError
from companion.core.match import Keep, Match, Setup
from companion.core.rules import Foul
from companion.core.sentence import Sentence
from companion.journal.chain import BEGINNING


@dataclass(frozen=True, slots=True)
class Summary:
    """A match in a line."""

    code: str
    game: str
    began: str
    status: str
    reason: str
    players: tuple[str, ...]
    scores: tuple[int, ...]
    winners: tuple[str, ...]
    entries: int
    time: int


@dataclass(frozen=True, slots=True)
class Stored:
    """A match as it was kept."""

    setup: Setup
    entries: tuple[Entry, ...]
    time: int
    row: int
    began: str
    chain: int = BEGINNING  # what the next entry goes on from

    def folded(self, *keep: Keep) -> Match:
        """The match that these entries made, or a JournalError: by today's rules they may not be one."""
        try:
            return Match.folded(self.setup, self.entries, *keep)
        except (CompanionError, Foul) as error:
            raise JournalError(
                Sentence(
                    "Match {match} cannot be played again by the rules of this companion: {error}",
                    match=self.setup.id,
                    error=error.sentence,
                )
            ) from None


@dataclass(frozen=True, slots=True)
class Best:
    """A line of a table of the best."""

    name: str
    value: int
    matches: int = 1
    code: str = ""
    began: str = ""


@dataclass(frozen=True, slots=True)
class KeptTrial:
    """A time trial of Threepia. None: nobody kept it when the match was played."""

    name: str
    time: int
    left: int | None  # cards in hand at the end
    cards: int | None  # in all
    on_word: int | None
    code: str
    began: str
    setup: str  # as it was kept
