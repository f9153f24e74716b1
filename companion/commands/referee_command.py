"""`companion referee`: a match by messages, one JSON object a line."""

import argparse
import contextlib
import sys
import time
from pathlib import Path

from companion.commands.arguments import add_game, add_kept_or_not, add_publish, add_setup
from companion.commands.console import say
from companion.commands.house_choice import house_of
from companion.commands.journal_choice import audited_journal
from companion.commands.match_buttons import open_buttons
from companion.commands.publishing_choice import open_publisher, publishing_wish
from companion.core.errors import CompanionError
from companion.core.match import Match, Setup, set_up
from companion.core.referee import Referee
from companion.games import game
from companion.seat.door import Door
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable

NAME = "referee"
HELP = "read moves from standard input and write rulings, one JSON object a line (docs/protocol.md)"
WRONG = 2  # exit code


def arguments(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_setup(parser)
    add_kept_or_not(parser)
    parser.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="MATCH",
        help="go on with a match: the newest that is still running, or the one named",
    )
    parser.add_argument(
        "--time",
        choices=("own", "given"),
        default="own",
        help="own: stamps are this machine's clock, and deadlines fall due by themselves; given: "
        "every message brings its stamp, and time passes only by messages",
    )
    parser.add_argument(
        "--buttons", type=Path, metavar="FILE", help="what is wired to which pin (docs/wiring.md): presses become moves"
    )
    add_publish(parser)


def run(options: argparse.Namespace) -> int:
    own = options.time == "own"
    setup = _setup(options)
    publish = publishing_wish(options.publish)
    with contextlib.ExitStack() as stack:
        journal = None if options.no_journal else stack.enter_context(audited_journal(options.journal))
        stamp = time.monotonic_ns() if own else None
        if setup:
            referee = Referee.begin(setup, stamp, journal)
        else:
            assert journal is not None
            referee = Referee.go_on(journal, stamp, options.resume, game=options.game)
        presses = None
        if options.buttons:
            if not own:
                raise CompanionError("--buttons brings its own stamps: leave out --time given.")
            presses = stack.enter_context(open_buttons(options.buttons, referee.match))
        table = sit_down(referee, time.monotonic_ns if own else None, lambda session: PlainTable(session, presses))
        door = Door(table, say, own_clock=own)
        if (publisher := stack.enter_context(open_publisher(publish, journal))) is not None:
            door.hearers.append(publisher.heard)
        door.serve(sys.stdin.fileno())
    return WRONG if door.errors else 0


def _setup(options: argparse.Namespace) -> Setup | None:
    """The match to begin; None to go on with one. Wrong input is refused before there is a journal."""
    if options.resume is None:
        if not options.players:
            raise CompanionError("--players NAME,NAME,… is needed to begin a match, or --resume to go on with one.")
        setup = set_up(game(options.game), options.players, house_of(options.game, options.house))
        Match(setup)  # too many players for the deck are refused here
        return setup
    if options.no_journal:
        raise CompanionError("--resume needs a journal; leave out --no-journal.")
    if options.players or options.house:
        raise CompanionError(
            "--resume goes on with the players and house rules of the match: leave out --players and --house."
        )
    return None
