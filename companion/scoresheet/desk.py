"""Makes score sheets beside the table, which goes on meanwhile: painted, saved, and printed where that is wished."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from companion.core.background import Work, in_thread
from companion.reports.progress import PlayedMatch
from companion.scoresheet import printer
from companion.scoresheet.facts import sheet_of
from companion.scoresheet.places import SavePlace, file_name, places, save
from companion.words import Words, labels


@dataclass(frozen=True, slots=True)
class SheetWish:
    """A match whose sheet somebody wants."""

    played: PlayedMatch
    now: int  # table time
    when: date | None
    language: str
    prints: bool = False


@dataclass(frozen=True, slots=True)
class MadeSheet:
    """What became of it so far, in sentences."""

    is_done: bool = False
    path: Path | None = None
    sentences: tuple[str, ...] = ()
    is_printed: bool = False


class Desk:
    """One sheet at a time; who wishes for another one hears of that alone."""

    def __init__(
        self,
        journal: Callable[[], Path | None],
        wake: Callable[[], None],
        run: Callable[[Work], None] | None = None,
    ) -> None:
        self._journal, self._wake = journal, wake
        self._run = run or in_thread("sheet")
        self.made = MadeSheet()
        self.printer = ""  # its name, as it was found last
        self._looks = False
        self._wish: SheetWish | None = None

    def look_for_printer(self) -> None:
        """It may have been set up meanwhile; it is there as soon as it has answered."""
        if not self._looks:
            self._looks = True
            self._run(self._look)

    def make(self, wish: SheetWish) -> None:
        self._wish, self.made = wish, MadeSheet()
        self._run(lambda: self._make(wish))

    def _look(self) -> None:
        found, self.printer = self.printer, printer.printer()
        self._looks = False
        if found != self.printer:
            self._wake()

    def _make(self, wish: SheetWish) -> None:
        try:
            made = self._done(wish)
        except Exception as error:  # in a thread of its own: whatever is wrong with a font or a library is said
            made = MadeSheet(is_done=True, sentences=(_failed(wish, error),))
        if self._wish is wish:
            self.made = made
            self._wake()

    def _done(self, wish: SheetWish) -> MadeSheet:
        words = Words(wish.language)
        content = painted(wish, words)
        setup = wish.played.setup
        name = file_name(wish.played.game.title, setup.names, wish.when, setup.id)
        found = save(content, name, self._places(), words)
        printed = self._printed(content, name, words) if wish.prints else ()
        sentences = (*found.sentences, *(sentence for _, sentence in printed))
        return MadeSheet(True, found.path, sentences, any(is_well for is_well, _ in printed))  # noqa: FBT003

    def _places(self) -> tuple[SavePlace, ...]:
        return tuple(places(self._journal()))

    def _printed(self, content: bytes, name: str, words: Words) -> tuple[tuple[bool, str], ...]:
        try:
            printer.hand_over(content, name, self.printer)
        except printer.PrinterError as error:
            return ((False, words.say("The printer does not take it: {why}", why=str(error))),)
        return ((True, words.say("It is being printed: {printer}.", printer=self.printer)),)


def painted(wish: SheetWish, words: Words) -> bytes:
    from companion.scoresheet.page import pdf  # noqa: PLC0415  (loads reportlab, which only paper needs)

    moves = words.say(labels.MOVES_COUNT, count=len(wish.played.line))
    return pdf(sheet_of(wish.played, words, when=wish.when, moves=f"{moves} · {words.time(wish.now)}"))


def _failed(wish: SheetWish, error: Exception) -> str:
    words = Words(wish.language)
    return words.say("The score sheet cannot be made: {why}", why=str(error) or type(error).__name__)
