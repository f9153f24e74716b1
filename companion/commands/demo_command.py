"""`companion demo`: bots play a match, and its rulings are printed, or it is recorded as it is seen on the screen."""

import argparse
import contextlib
from pathlib import Path

from companion.commands.arguments import add_journal, add_optional_game, add_setup, one_of_the_games
from companion.commands.console import say as write
from companion.commands.house_choice import house_of
from companion.commands.journal_choice import open_journal
from companion.commands.match_text import how_it_ended
from companion.config.window_size import read_size
from companion.core.errors import CompanionError
from companion.core.game_house import house_of as of_game
from companion.core.match import Match, Setup, set_up
from companion.core.packages import packages
from companion.core.referee import Referee
from companion.core.replies import ErrorReply, FoulReply, RulingReply
from companion.core.rules import Foul
from companion.games import NAMES, game
from companion.reports.telling import Telling
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from simulator.playing import play_at, seated

NAME = "demo"
HELP = "let bots play a match and print the rulings"
ONLY_RECORDED = ("size", "seconds", "language", "theme")


def arguments(parser: argparse.ArgumentParser) -> None:
    add_optional_game(parser, f"{one_of_the_games()} (default: all of them)")
    add_setup(parser)
    add_journal(parser, "also keep the match in this journal")
    parser.add_argument("--seed", type=int, default=3, help="another number, another match (default 3)")
    parser.add_argument(
        "--mistakes",
        type=_fraction,
        default=0.1,
        metavar="FRACTION",
        help="how many of the moves the bots get wrong (default 0.1)",
    )
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="save the screens of the decisive moments here")
    parser.add_argument("--typed", action="store_true", help="the referee sees no cards and is told what was found")
    group = parser.add_argument_group("a recording", "The match as it is seen on the screen, instead of its rulings.")
    group.add_argument("--record", type=Path, metavar="FILE", help="write it as a .gif or an .mp4 (docs/display.md)")
    group.add_argument("--size", type=read_size, metavar="WxH", help="size of the screen (default 800x480)")
    about = "longest duration in seconds (default 25); the decisive moments are kept"
    group.add_argument("--seconds", type=float, metavar="S", help=about)
    group.add_argument("--language", metavar="xx", help="language of the screen (default en)")
    group.add_argument("--theme", metavar="NAME", help="dark, bright or contrast (default dark)")


def _fraction(text: str) -> float:
    with contextlib.suppress(ValueError):
        value = float(text)
        if 0 <= value <= 0.9:
            return value
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 0 to 0.9")


def run(options: argparse.Namespace) -> int:
    if options.record:
        return _record(options)
    if needless := next((one for one in ONLY_RECORDED if getattr(options, one) is not None), ""):
        raise CompanionError(f"--{needless} is for a recording: add --record FILE.")
    if options.game:
        _play(options)
        return 0
    house = options.house
    for name in NAMES:
        options.game, options.house = name, house or list(of_game(name).short)
        _play(options)
    return 0


def _setup(options: argparse.Namespace) -> Setup:
    """With the players that were named, or a usual number of bots."""
    playing, house = game(options.game), house_of(options.game, options.house)
    return set_up(playing, options.players, house) if options.players else seated(playing, house)


def _play(options: argparse.Namespace) -> None:
    setup, telling = _setup(options), Telling()
    with contextlib.ExitStack() as stack:
        journal = stack.enter_context(open_journal(options.journal, whole=True)) if options.journal else None
        table = sit_down(Referee.begin(setup, 0, journal), None, PlainTable)
        match, fouls = table.session.referee.match, []
        write(f"{match.game.title}: {', '.join(setup.names)}; seed {options.seed}")
        for at, reply in play_at(table, options.seed, seen=not options.typed, mistakes=options.mistakes):
            match reply:
                case RulingReply(number, move):
                    write(telling.ruling_line(number, move, match.line[number - 1].ruling))
                case ErrorReply(error):  # nothing can be kept any more
                    raise error
                case FoulReply(foul):
                    fouls.append((len(match.line), foul))
                    write(telling.foul_line(at, foul))
        for line in how_it_ended(match, telling):
            write(line)
        if options.pictures:
            write(_pictured(match, fouls, options.pictures / match.game.name))
        write("")


def _pictured(match: Match, fouls: list[tuple[int, Foul]], folder: Path) -> str:
    """Save the decisive moments, and say where."""
    with packages():
        from companion.display.moments import moments, save_moments  # noqa: PLC0415  (loads pygame)

        saved = save_moments(moments(match, fouls), folder)
    return f"{len(saved)} picture{'s' * (len(saved) != 1)} of the decisive moments: {folder}"


def _record(options: argparse.Namespace) -> int:
    if not options.game:
        raise CompanionError("Name the game that is to be recorded: " + ", ".join(NAMES) + ".")
    if options.journal or options.pictures:
        raise CompanionError("A recording keeps nothing else: leave out --journal and --pictures.")
    with packages():
        from companion.display import demo_recording, show, view  # noqa: PLC0415  (load pygame)

    setup = _setup(options)
    prefs = view.Prefs(options.theme or "dark", options.language or "en")
    seconds = 25 if options.seconds is None else options.seconds
    wish = show.ShowWish(setup, options.seed, options.size or (800, 480), seconds, prefs, options.mistakes)
    found = demo_recording.record(wish, options.record)
    title = game(options.game).title
    write(f"{options.record}: {title}, {found.seconds:.0f} seconds, {-(-found.bytes // 1000)} kB")
    return 0
