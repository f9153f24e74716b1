"""`companion replay` and `companion export`: a kept match told again in lines, as data, as a file, or as a page."""

import contextlib
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from companion.archive import archived, write_whole
from companion.codec import plain, written
from companion.entries import steps
from companion.exc import CompanionError
from companion.journal import Stored
from companion.logbook import step_lines
from companion.match import Match
from companion.mistakes import thrown_away
from companion.protocol import reply_plain, ruling_reply
from companion.referee import Told
from companion.sheet import sheet
from companion.telling import Telling, telling_of
from companion.words import Words

PAGE = ".pdf"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """How a match is to be told."""

    entries: bool = False  # every entry, and not the line that is left
    as_json: bool = False
    by_steps: bool = False  # after each line Enter is waited for


def words_for(language: str | None) -> Words:
    """The language asked for; one that nobody here speaks is refused."""
    words = Words(language or "en")
    if words.trouble:
        raise CompanionError(words.trouble)
    return words


def replay(stored: Stored, wish: Wish, words: Words, say: Say) -> None:
    match = stored.folded()
    telling = telling_of(match, words)
    lines = _entries(stored, wish, telling) if wish.entries else _rulings(match, wish, telling)
    for line, is_last in lines:
        say(line)
        if is_last and wish.by_steps and not sys.stdin.readline():
            return
    if not wish.entries and not wish.as_json:
        for line in how_it_ended(match, telling):
            say(line)


def how_it_ended(match: Match, telling: Telling) -> Iterator[str]:
    yield telling.how_it_ended(match)
    yield from thrown_away(match, telling.words)


def _rulings(match: Match, wish: Wish, telling: Telling) -> Iterator[tuple[str, bool]]:
    again = Match(match.setup)  # a reply tells how things stood then
    for number, done in enumerate(match.line, 1):
        if wish.as_json:
            told = Told(number, done.move, again.make(done.move))
            yield written(reply_plain(ruling_reply(again, told))), True
        else:
            yield telling.ruling_line(number, done.move, done.ruling), True


def _entries(stored: Stored, wish: Wish, telling: Telling) -> Iterator[tuple[str, bool]]:
    """Each line with whether it is the last one of its entry."""
    for step in steps(stored.setup, stored.entries):
        lines = [written(plain(step))] if wish.as_json else list(step_lines(step, telling))
        for number, line in enumerate(lines, 1):
            yield line, number == len(lines)


def export(stored: Stored, file: Path | None, words: Words, *, as_sheet: bool) -> str:
    """Into the file; what is to be printed where there is none."""
    if as_sheet and file is not None and file.suffix.lower() == PAGE:
        write_whole(file, _page(stored, words))
        return ""
    text = f"{sheet(stored, words)}\n" if as_sheet else archived(stored)
    if file is None:
        return text
    write_whole(file, text)
    return ""


def _page(stored: Stored, words: Words) -> bytes:
    """The score sheet as the screen saves it, of a match that is over."""
    from companion.scoresheet.desk import Wish as Painted  # noqa: PLC0415  (what only paper needs)
    from companion.scoresheet.desk import painted  # noqa: PLC0415

    match, day = stored.folded(), None
    if match.is_running:
        raise CompanionError("There is no page of a match that still runs: play it to its end, or leave .pdf out.")
    with contextlib.suppress(ValueError, OverflowError):
        day = datetime.fromisoformat(stored.began).astimezone().date()
    return painted(Painted(match, match.now, day, words.language), words)
