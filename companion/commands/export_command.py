"""`companion export`: a stored match as a file for another journal, or as a score sheet."""

import argparse
import contextlib
from datetime import datetime
from pathlib import Path

from companion.commands.arguments import add_language, add_match
from companion.commands.console import write
from companion.commands.journal_choice import open_journal
from companion.commands.match_text import words_for
from companion.core.errors import CompanionError
from companion.journal import Stored
from companion.journal.archive import archived, write_whole
from companion.reports.summary import sheet
from companion.scoresheet import desk
from companion.words import Words

NAME = "export"
HELP = "write a match as a file that can be imported elsewhere, or as a score sheet"
PAGE = ".pdf"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_match(parser)
    parser.add_argument("--sheet", action="store_true", help="write a score sheet for people instead")
    about = "write to this file instead of printing; a sheet in a .pdf is a page for the fridge"
    parser.add_argument("--output", type=Path, metavar="FILE", help=about)
    add_language(parser)


def run(options: argparse.Namespace) -> int:
    words = words_for(options.language)
    with open_journal(options.journal, must_exist=True) as journal:
        stored = journal.stored(options.match)
    content = _exported(stored, options, words)
    if options.output:
        write_whole(options.output, content)
    elif isinstance(content, str):
        write(content)
    return 0


def _exported(stored: Stored, options: argparse.Namespace, words: Words) -> str | bytes:
    if not options.sheet:
        return archived(stored)
    if options.output and options.output.suffix.lower() == PAGE:
        return _page(stored, words)
    return f"{sheet(stored, words)}\n"


def _page(stored: Stored, words: Words) -> bytes:
    """The score sheet as the screen saves it, of a match that is over."""
    match, day = stored.folded(), None
    if match.is_running:
        raise CompanionError("There is no page of a match that still runs: play it to its end, or leave .pdf out.")
    with contextlib.suppress(ValueError, OverflowError):
        day = datetime.fromisoformat(stored.began).astimezone().date()
    return desk.painted(desk.SheetWish(match, match.now, day, words.language), words)
