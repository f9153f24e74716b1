"""Writes a match: its set-up, and then its entries."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from companion.core.codec import written
from companion.core.entry import Abandoned, Entry, Redone, Undone
from companion.core.errors import JournalError, JournalUnsureError
from companion.core.match import Match, Setup
from companion.core.record import entry_plain, move_plain, setup_plain
from companion.core.rules import Foul, Move
from companion.core.sentence import Sentence
from companion.games import game as game_named
from companion.journal.chain import BEGINNING, SETUP, link
from companion.journal.file import File

FOULS_BETWEEN_MOVES = 100  # more refused moves in a row are told, but not kept
LONGEST_FOUL = 2000  # characters; what is longer is told, but not kept
LAST = "(SELECT number FROM entry WHERE entry.id < (? + 1) << 32 ORDER BY entry.id DESC LIMIT 1)"  # of a match


@dataclass(frozen=True, slots=True)
class KeptFoul:
    """A refused move, and the entry it came after."""

    after: int
    code: str
    player: str
    sentence: str
    body: str


def put_entry(file: File, row: int, number: int, kind: str, body: str, before: int) -> int:
    """Write an entry of a match, and return what the next one goes on from."""
    chain = link(before, number, kind, body)
    file.put("entry", row << 32 | number, row, number, kind, body, chain)
    return chain


class Keeper:
    """Writes the entries of one match; the `keep` of a Match."""

    def __init__(self, file: File, game: str, row: int, number: int, chain: int = BEGINNING) -> None:
        self._file = file
        self._game = game_named(game)
        self._row = row
        self._number = number  # of the next entry ...
        self._chain = chain  # ... and what it goes on from
        self._fouls = 0
        self._unsure: Entry | None = None  # nobody knows whether it is kept
        self._was_over = number > 1  # not known: look at the first entry

    def __call__(self, entry: Entry, state: Any) -> None:
        abandoned = entry if isinstance(entry, Abandoned) else None
        is_over = state.outcome is not None or abandoned is not None
        try:
            with self._file.writing():
                self._write_entry(entry, state, abandoned, is_over=is_over)
        except JournalUnsureError:
            self._unsure = entry
            raise
        self._was_over = is_over
        self._goes_on(entry)

    def settled(self) -> Entry | None:
        """An entry that was kept, although nobody knew it when it was made; a JournalError while nobody knows yet."""
        if self._unsure is None:
            return None
        self._file.settle()
        entry, self._unsure = self._unsure, None
        kind, data = entry_plain(entry)
        found = self._file.ask("SELECT kind, body FROM entry WHERE id = ?", self._row << 32 | self._number)
        if found != [(kind, written(data))]:
            return None
        self._was_over = True  # not known: look at the next entry
        self._goes_on(entry)
        return entry

    def _goes_on(self, entry: Entry) -> None:
        kind, data = entry_plain(entry)
        self._chain = link(self._chain, self._number, kind, written(data))
        self._number += 1
        self._fouls = 0

    def _write_entry(self, entry: Entry, state: Any, abandoned: Abandoned | None, *, is_over: bool) -> None:
        chain = self._write(*entry_plain(entry))
        if isinstance(entry, Undone | Redone):
            self._file.change_match(self._row, time=0)  # table time is what it was then; what was noted since is not
        if is_over or self._was_over:
            self._write_result(state, abandoned, chain)

    def write_whole(self, entries: Iterable[Entry], match: Match) -> None:
        """The entries that this match was folded from, and how it ended."""
        for entry in entries:
            self._write(*entry_plain(entry))
            self._goes_on(entry)
        if not match.is_running:
            self._write_result(match.state, match.abandoned, self._chain)

    def refused(self, move: Move, foul: Foul) -> None:
        """Keep a refused move too, unless somebody is leaning on a button."""
        kept = KeptFoul(self._number - 1, foul.code, foul.player, foul.sentence, written(move_plain(move)))
        if self._fouls >= FOULS_BETWEEN_MOVES or len(kept.sentence) + len(kept.body) > LONGEST_FOUL:
            return
        self._fouls += 1
        with self._file.writing():
            self.write_fouls((kept,))

    def write_fouls(self, fouls: Iterable[KeptFoul]) -> None:
        for foul in fouls:
            self._file.put(
                "foul",
                self._file.next_id("foul"),
                self._row,
                foul.after,
                foul.code,
                foul.player,
                foul.sentence,
                foul.body,
            )

    def mark(self, time: int) -> None:
        """Note that this much table time has passed, so that clocks stand right after a power cut."""
        with self._file.writing():
            last = self._file.run(f"SELECT {LAST}", (self._row,)).fetchone()[0]
            if last != self._number - 1:
                raise self._two_referees()
            self._file.change_match(self._row, time=time)

    def _write(self, kind: str, data: dict[str, Any]) -> int:
        try:
            return put_entry(self._file, self._row, self._number, kind, written(data), self._chain)
        except sqlite3.IntegrityError:
            raise self._two_referees() from None

    def _two_referees(self) -> JournalError:
        return JournalError(
            Sentence("{path}: another referee has gone on with this match; close one of the two.", path=self._file.path)
        )

    def _write_result(self, state: Any, abandoned: Abandoned | None, chain: int) -> None:
        put, row, outcome = self._file.put, self._row, state.outcome
        self._file.change("DELETE FROM result WHERE match = ?", row)
        self._file.change("DELETE FROM fact WHERE match = ?", row)
        status = "over" if outcome else "abandoned" if abandoned else "running"
        reason = outcome.reason if outcome else abandoned.why if abandoned else ""
        self._file.change_match(row, status=status, reason=reason, chain=None if status == "running" else chain)
        if not outcome:
            return
        for seat, (player, score) in enumerate(zip(state.players, outcome.scores, strict=True)):
            put("result", row, seat, score, int(player in outcome.winners))
        for fact in self._game.facts(state):
            put("fact", self._file.next_id("fact"), row, fact.kind, fact.player, fact.value)


def begun(file: File, setup: Setup, began: str) -> Keeper:
    """Write a match without moves, in the transaction that is open."""
    row = file.next_id("match")
    try:
        file.put("match", row, setup.id, setup.game, began, setup.rematch_of, "running", "", 0, None)
    except sqlite3.IntegrityError:
        raise JournalError(f"{file.path}: match {setup.id} is in this journal already.") from None
    chain = put_entry(file, row, 0, SETUP, written(setup_plain(setup)), BEGINNING)
    keeper = Keeper(file, setup.game, row, 1, chain)
    for seat, player in enumerate(setup.players):
        file.put("player", player.name, player.colour, instead=True)
        file.put("seat", row, seat, player.name, player.colour)
    return keeper
