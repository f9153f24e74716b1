"""Matches of bots in a journal, as a table keeps them, and what of them is to be published."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from companion.core.codec import parsed, plain, written
from companion.core.entry import Entry
from companion.core.match import Match, Setup
from companion.core.record import entry_plain, setup_plain
from companion.core.rules import Game
from companion.doctor.anonymous import Naming
from companion.journal import Journal
from companion.journal.chain import SETUP
from companion.journal.follower import KeptRow
from companion.publishing.entry_payloads import EntryNow, EntryTeller
from simulator.playing import play_out, seated

BEGAN = "2026-11-18T20:00:00+00:00"
DAY = "2026-11-18T21:00:00.000+00:00"


class KeptMatch:
    """A match of bots that is kept, move by move."""

    def __init__(self, journal: Journal, playing: Game, seed: int = 3, house: Any = None) -> None:
        setup = seated(playing, house or playing.house())
        self.match = Match(setup, journal.begin(setup))
        self._moves = play_out(self.match, seed)

    @property
    def code(self) -> str:
        return self.match.setup.id

    def play(self, moves: int) -> int:
        """So many moves more, or to its end; how many entries it has now."""
        until = self.match.entries + moves
        while self.match.entries < until and next(self._moves, None):  # a refused move is no entry
            pass
        return self.match.entries

    def play_out(self) -> int:
        return self.play(100_000)


def entries_of(playing: Game, seed: int = 3, house: Any = None, most: int = 100_000) -> tuple[Setup, list[Entry]]:
    """A match of bots, kept nowhere."""
    entries: list[Entry] = []
    match = Match(seated(playing, house or playing.house()), lambda entry, _: entries.append(entry))
    for _ in islice(play_out(match, seed), most):
        pass
    return match.setup, entries


def rows_of(setup: Setup, entries: list[Entry]) -> list[KeptRow]:
    """As a journal has them."""
    told = [(SETUP, setup_plain(setup)), *map(entry_plain, entries)]
    return [KeptRow(number, kind, parsed(written(body))) for number, (kind, body) in enumerate(told)]


def told(rows: list[KeptRow], *, naming: Naming = "whole") -> Iterator[EntryNow]:
    teller = EntryTeller("kitchen", BEGAN, rows[0].body, naming=naming)
    return map(teller.tell, rows)


def payloads(rows: list[KeptRow], *, naming: Naming = "whole") -> list[dict[str, Any]]:
    """As they come out of a broker."""
    return [parsed(written(plain(entry))) for entry in told(rows, naming=naming)]


def journal_in(folder: Path) -> Journal:
    return Journal(folder / "journal.sqlite3")
