"""`companion replay`: a stored match told again, in lines or as data."""

import argparse
import sys
from collections.abc import Iterator

from companion.commands.arguments import add_language, add_match
from companion.commands.console import say
from companion.commands.journal_choice import open_journal
from companion.commands.match_text import how_it_ended, words_for
from companion.core.codec import written
from companion.core.match import Match
from companion.core.referee import Told
from companion.core.replies import ruling_reply
from companion.core.wire import as_json, reply_plain
from companion.journal import Stored
from companion.reports.entries import steps
from companion.reports.logbook import step_lines
from companion.reports.telling import Telling, telling_of

NAME = "replay"
HELP = "print a match again, ruling by ruling"


def arguments(parser: argparse.ArgumentParser) -> None:
    add_match(parser)
    add_language(parser)
    about = "print every entry of the journal with what it changed: undo, redo, corrections and pauses too"
    parser.add_argument("--entries", action="store_true", help=about)
    parser.add_argument("--step", action="store_true", help="wait for Enter after each ruling")
    about = "print data: the rulings as the referee tells them, or the entries"
    parser.add_argument("--json", action="store_true", help=about)


def run(options: argparse.Namespace) -> int:
    words = words_for(options.language)
    with open_journal(options.journal, must_exist=True) as journal:
        stored = journal.stored(options.match)
    match = stored.folded()
    telling = telling_of(match, words)
    lines = _entries(stored, options, telling) if options.entries else _rulings(match, options, telling)
    for line, is_last in lines:
        say(line)
        if is_last and options.step and not sys.stdin.readline():
            return 0
    if not options.entries and not options.json:
        for line in how_it_ended(match, telling):
            say(line)
    return 0


def _rulings(match: Match, options: argparse.Namespace, telling: Telling) -> Iterator[tuple[str, bool]]:
    again = Match(match.setup)  # a reply tells how things stood then
    for number, done in enumerate(match.line, 1):
        if options.json:
            told = Told(number, done.move, again.make(done.move))
            yield written(reply_plain(ruling_reply(again, told))), True
        else:
            yield telling.ruling_line(number, done.move, done.ruling), True


def _entries(stored: Stored, options: argparse.Namespace, telling: Telling) -> Iterator[tuple[str, bool]]:
    """Each line with whether it is the last one of its entry."""
    for step in steps(stored.setup, stored.entries):
        lines = [written(as_json(step))] if options.json else list(step_lines(step, telling))
        for number, line in enumerate(lines, 1):
            yield line, number == len(lines)
