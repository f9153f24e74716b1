"""Fetches what the screens that look back or around are to show: from the journal, by counting, from the doctor.

What takes long is done a little at a time while its screen is open, or on other threads; the table never waits.
"""

import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from companion.core.clocks import MILLISECOND
from companion.core.codec import parsed
from companion.core.errors import CompanionError
from companion.core.match import Match
from companion.core.record import read_move
from companion.core.rules import Foul
from companion.devices.board_page import BoardPage
from companion.display.past import UNFINISHED, unfinished
from companion.display.shelf import Opened, Refused, Shelf, ShelvedMatch
from companion.display.view import Seen, seen
from companion.doctor.health import Check, Rounds
from companion.journal import Journal, KeptFoul, Stored, Summary
from companion.reports import tally_cache as counted
from companion.reports.bg_stats import play_address
from companion.reports.marks import marks
from companion.reports.qr_code import QrDesk
from companion.reports.tally_cache import Counted
from companion.reports.trials import trials
from companion.scoresheet.desk import Desk, SheetWish
from companion.teaching.kept_decks import kept_decks

AT_ONCE = 24  # matches in a list; no screen has room for more
BESTS = 8
SLICE = 15 * MILLISECOND  # of counting, between two looks at what people do
EMPTY = Shelf()
ENGLISH = "en"
PRINT = "print"  # a score sheet: what the screen is about begins so, or with save

Marks = Mapping[str, Any]


class Library:
    """Knows nothing of what is drawn; a shelf is made when a screen asks for one, and stays until it is `stale`."""

    def __init__(
        self,
        journal: Journal | None,
        *,
        checks: Callable[[], Mapping[str, Check]] | None = None,
        today: Callable[[], date] = date.today,
    ) -> None:
        self.wake = _nobody  # called from other threads when there is something new
        self.table: Callable[[], tuple[Seen | None, str]] = lambda: (None, ENGLISH)  # the match there, and its language
        self.board: Callable[[], BoardPage | None] = lambda: None  # where the match is shown on phones, if it is
        self._codes = QrDesk(self.call)
        self.desk = Desk(lambda: self._journal.path if self._journal else None, self.call)
        self._journal = journal
        self._checks = checks
        self._today = today
        self._counted: Counted | None = None
        self._rounds: Rounds | None = None
        self._shown: tuple[str, str, int] | None = None
        self._shelf = EMPTY
        self._screens: dict[str, Callable[[str, int], Shelf]] = {
            "history": self._history,
            "result": self._result,
            "match": self._match,
            "replay": self._match,
            "sheet": self._sheet,
            "statistics": self._statistics,
            "player": self._statistics,
            "doctor": self._doctor,
            "decks": self._decks,
            "deck-name": self._decks,
            "phones": self._phones,
            "bg-stats": self._bg_stats,
        }

    def keep_in(self, journal: Journal | None) -> None:
        """There is a journal after all, or none any more."""
        self._journal, self._counted, self._shown, self._shelf = journal, None, None, EMPTY

    def shelf(self, screen: str, about: str, marks: Marks) -> Shelf:
        """What this screen may know; it is fetched once."""
        fetch = self._screens.get(screen)
        if fetch is None:
            return EMPTY
        wanted = screen, about, int(marks.get("first", 0))
        if wanted != self._shown:
            try:
                self._shelf = fetch(about, wanted[2])
            except CompanionError as error:
                self._shelf = Shelf(trouble=error.sentence)
            self._shown = wanted
        return self._shelf

    def stale(self) -> None:
        """Somebody comes to a screen: what lies ready may be out of date."""
        self._shown = None
        if self._counted is not None and self._counted.left:
            self._counted.keep()

    def refresh(self) -> None:
        """Somebody wants it to be looked at again."""
        self._shown = None
        if self._rounds is not None:
            self._rounds.look()

    # --- a little at a time --------------------------------------------------------------------------------

    @property
    def is_busy(self) -> bool:
        """There is something to count for the screen that is shown."""
        return self._shelf.counted < self._shelf.to_count and self._shown is not None and self._is_counting

    @property
    def _is_counting(self) -> bool:
        return self._counted is not None and self._counted.left > 0

    def work(self) -> bool:
        """Do a little of what is to be done; True if there is something new to be seen."""
        if self._shown is None:
            return False
        if self._shown[0] == "doctor":
            return self._hear_doctor()
        if self._shown[0] in ("phones", "bg-stats"):
            return self._hear_codes()
        if self._shown[0] in ("sheet", "result", "match"):
            return self._hear_desk()
        if not self.is_busy or self._counted is None:
            return False
        until = time.monotonic_ns() + SLICE
        with suppress(CompanionError):
            self._counted.count(lambda: time.monotonic_ns() > until)
            self._shelf = replace(self._shelf, **self._counts())
        return True

    def _hear_doctor(self) -> bool:
        if self._rounds is None or self._rounds.findings == self._shelf.findings:
            return False
        self._shelf = replace(self._shelf, findings=self._rounds.findings, is_looking=self._rounds.is_looking)
        return True

    def _hear_desk(self) -> bool:
        has_printer, made = bool(self.desk.printer), self._shelf.made and self.desk.made
        if has_printer == self._shelf.has_printer and made is self._shelf.made:
            return False
        self._shelf = replace(self._shelf, has_printer=has_printer, made=made)
        return True

    def _hear_codes(self) -> bool:
        if not self._shelf.written or self._shelf.code is not None:
            return False
        if (code := self._codes.rows(self._shelf.written)) is None:
            return False
        self._shelf = replace(self._shelf, code=code)
        return True

    def call(self) -> None:
        """From any thread: there is something to look at."""
        self.wake()

    # --- one for each screen -------------------------------------------------------------------------------

    def _history(self, about: str, first: int) -> Shelf:
        """All matches, or those that are not over."""
        if self._journal is None:
            return Shelf()
        if about == UNFINISHED:
            running = unfinished(self._journal)
            return Shelf(self._today(), len(running), first, tuple(map(_played, running[first : first + AT_ONCE])))
        matches = tuple(map(_played, self._journal.matches(most=AT_ONCE, skip=first)))
        return Shelf(self._today(), self._journal.how_many(), first, matches)

    def _match(self, code: str, _first: int) -> Shelf:
        before = self._shelf.opened
        if before is not None and before.played.code == code:  # from the whole match to its moves and back
            return self._shelf
        if self._journal is None:
            return Shelf()
        stored = self._journal.stored(code)
        match = stored.folded()
        played = _played(self._journal.summary(code))
        refused = tuple(_refused(stored, self._journal.refused(code)))
        places = tuple(marks(stored.setup, stored.entries).places)
        opened = Opened(played, seen(match), refused, places)
        return Shelf(self._today(), opened=opened, trials=trials(self._journal), has_printer=self._has_printer())

    def _result(self, _about: str, _first: int) -> Shelf:
        return Shelf(has_printer=self._has_printer())

    def _has_printer(self) -> bool:
        self.desk.look_for_printer()
        return bool(self.desk.printer)

    def _sheet(self, about: str, _first: int) -> Shelf:
        """The score sheet of the match at the table, or of one of the journal, is made beside it."""
        how, _, code = about.partition(":")
        here, language = self.table()
        played, when = here, self._today()
        if code and self._journal is not None:
            began = _played(self._journal.summary(code)).began
            played, when = seen(self._journal.stored(code).folded()), began.date() if began else when
        if played is None or not played.is_over:
            return Shelf()
        self.desk.make(SheetWish(played, played.now, when, language, prints=how == PRINT))
        return Shelf(has_printer=self._has_printer(), made=self.desk.made)

    def _statistics(self, _about: str, _first: int) -> Shelf:
        if self._journal is None:
            return Shelf()
        if self._counted is None:
            self._counted = Counted(self._journal, counted.beside(self._journal.path))
        else:
            self._counted.look()
        rounds = tuple((best.name, best.value) for best in self._journal.longest_rounds(BESTS))
        return Shelf(self._today(), trials=trials(self._journal), longest_rounds=rounds, **self._counts())

    def _counts(self) -> dict[str, Any]:
        assert self._counted is not None
        there = self._counted
        return {"tallies": there.tallies, "counted": there.all - there.left, "to_count": there.all}

    def _decks(self, _about: str, _first: int) -> Shelf:
        return Shelf(decks=kept_decks())

    def _phones(self, _about: str, _first: int) -> Shelf:
        page = self.board()
        written = page.address if page and page.reach == "network" else ""
        return Shelf(board=page, written=written, code=self._codes.rows(written) if written else None)

    def _bg_stats(self, _about: str, _first: int) -> Shelf:
        """The match at the table, if it has a result."""
        played = self.table()[0]
        if played is None or played.state.outcome is None:
            return Shelf()
        ended = datetime.now(UTC)
        written = play_address(played.setup, played.game, played.state.outcome, played.now, ended)
        return Shelf(written=written, code=self._codes.rows(written))

    def _doctor(self, _about: str, _first: int) -> Shelf:
        if self._rounds is None:
            self._rounds = Rounds(self._checks() if self._checks else {}, self.call)
            self._rounds.look()
        return Shelf(findings=self._rounds.findings, is_looking=self._rounds.is_looking)


def _nobody() -> None:
    """Where there is no window nobody sleeps."""


def _played(summary: Summary) -> ShelvedMatch:
    began = None
    with suppress(ValueError, OverflowError):
        began = datetime.fromisoformat(summary.began).astimezone()
    return ShelvedMatch(
        summary.code, summary.game, began, summary.status, summary.players, summary.scores, summary.winners
    )


def _refused(stored: Stored, fouls: Iterable[KeptFoul]) -> list[Refused]:
    """Each refused move with the number of moves that lay before it in the line as it was then."""
    if not fouls:
        return []
    match, entries, found = Match(stored.setup), iter(stored.entries), list[Refused]()
    for kept in fouls:
        for entry in islice(entries, max(0, kept.after - match.entries)):
            match.take(entry)
        found.append(Refused(len(match.line), kept.player, _again(match, kept)))
    most = len(stored.folded().line)
    return [replace(one, after=min(most, one.after)) for one in found]


def _again(match: Match, kept: KeptFoul) -> str:
    """Why a move was refused: kept is an English sentence, and the rules say it anew. If they do not, it stays so."""
    with suppress(CompanionError):
        try:
            match.rule(read_move(match.game, parsed(kept.body)))
        except Foul as foul:
            return foul.sentence if foul.code == kept.code else kept.sentence
    return kept.sentence
