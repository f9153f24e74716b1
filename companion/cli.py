"""The command line: the doors of the companion. Each opens what it needs when it is used, and nothing before."""

import argparse
import contextlib
import io
import os
import select
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from companion import __version__, opening, printing
from companion.__main__ import is_short
from companion.exc import OBEYED, CompanionError
from companion.games import NAMES
from companion.home import own_folder
from companion.signals import ENDS, Signalled, end_here, heard

if TYPE_CHECKING:
    from companion.configuration import Configuration
    from companion.journal import Journal
    from companion.match import Match, Setup
    from companion.presses import Presses
    from companion.publishing.publisher import Publisher
    from companion.publishing.wish import Publish
    from companion.rules import Foul

BY_OTHERS = tuple(number for number in ENDS if number != signal.SIGINT)  # that one is Python's KeyboardInterrupt
FAREWELL = 0.5  # seconds
WRONG = 2  # exit code for anything the user has to know about
UNPRINTED = {code: text for code, text in OBEYED.items() if chr(code) not in "\n\t"}
SHORT = {"triple3": ("chips_to_win=1",)}  # what a demo of all games plays instead of the usual rules
ONLY_RECORDED = ("size", "seconds", "language", "theme")

MENDING = 10.0  # seconds between two lines while it takes long


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    try:
        with heard(end_here, BY_OTHERS):
            return _run(sys.argv[1:] if arguments is None else arguments)
    except Signalled as signalled:
        _end_the_output()
        return signalled.end()
    except CompanionError as error:
        _complain(str(error))
        return WRONG
    except KeyboardInterrupt:
        _end_the_output()
        return 130
    except BrokenPipeError:
        # Whoever read our output has gone. What was kept is kept; say nothing to a closed door.
        _shut_output()
        return 0
    except _OutputError as error:
        _complain(f"The output cannot be written: {error.strerror or error}.")
        _shut_output()
        return WRONG
    except OSError as error:
        if is_short(error):
            raise  # what started this says so
        _complain(_system_says(error))
        return WRONG


def _run(arguments: Sequence[str]) -> int:
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream is None:
            raise CompanionError("The standard input, output and error output must be open.")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # whatever the locale says: JSON is UTF-8
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    for argument in arguments:
        if not _is_text(argument):
            raise CompanionError(f"The argument {argument!r} is not UTF-8.")
    try:
        options = _parser().parse_args(arguments)
        if options.command and (flag := opening.given(options)):
            raise CompanionError(f"{flag} is for the table: give it behind the command, or leave the command out.")
        found: int = options.run(options)
    except SystemExit as done:  # after --help and --version
        found = int(done.code or 0)
    with _telling():
        sys.stdout.flush()
    return found


def _is_text(argument: str) -> bool:
    try:
        argument.encode()
    except UnicodeEncodeError:
        return False
    return True


def _complain(sentence: str) -> None:
    if sys.stderr is None:  # nobody to complain to; `print` would take the output instead
        return
    with contextlib.suppress(OSError):
        print(f"companion: {sentence}", file=sys.stderr)  # noqa: T201


def _shut_output() -> None:
    """What is still to be written goes nowhere, so that Python has nothing to say about it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _end_the_output() -> None:
    """What was begun is still written, if whoever reads it goes on reading; a process that was asked to end waits for
    nobody."""
    with contextlib.suppress(OSError, ValueError):
        if not select.select([], [sys.stdout], [], FAREWELL)[1]:
            _shut_output()
        sys.stdout.flush()


class _OutputError(OSError):
    """What is told cannot be written where it is to go."""


@contextlib.contextmanager
def _telling() -> Iterator[None]:
    """Whatever goes wrong here went wrong with the output."""
    try:
        yield
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _OutputError(*error.args) from None


def _system_says(error: OSError) -> str:
    """What the system refused, of what."""
    why = error.strerror or str(error) or type(error).__name__
    return f"{error.filename} cannot be used: {why}." if error.filename else f"The system refuses something: {why}."


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence."""

    given: Sequence[str] = ()

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        self.given = args or ()
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        if "invalid choice" in message:  # it may be the value of an option that was written wrongly
            known = tuple(self._option_string_actions)
            for flag in (word.partition("=")[0] for word in self.given if word.startswith("--")):
                if not any(one.startswith(flag) for one in known):
                    message = f"there is no option {flag}"
        raise CompanionError(f"{message[:1].upper()}{message[1:]}; `{self.prog} --help` says more.")


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="companion",
        description="An electronic referee for the cardboard games on your table.",
        epilog="Games: " + ", ".join(NAMES),
    )
    parser.add_argument("--version", action="version", version=f"companion {__version__}")
    opening.add_options(parser)
    parser.set_defaults(run=_open)
    doors = parser.add_subparsers(title="commands", metavar="COMMAND", dest="command")

    def door(name: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        added = doors.add_parser(name, help=about, description=about)
        added.set_defaults(run=run)
        return added

    referee = door("referee", _referee, "moves in, rulings out, one JSON object a line (docs/protocol.md)")
    _add_game(referee)
    _add_setup(referee)
    _add_journal(referee)
    referee.add_argument("--no-journal", action="store_true", help="keep nothing: for trying things out")
    referee.add_argument(
        "--resume",
        nargs="?",
        const="",
        metavar="MATCH",
        help="go on with a match: the newest that is still running, or the one named",
    )
    referee.add_argument(
        "--time",
        choices=("own", "given"),
        default="own",
        help="own: stamps are this machine's clock, and deadlines fall due by themselves; given: "
        "every message brings its stamp, and time passes only by messages",
    )
    referee.add_argument(
        "--buttons", type=Path, metavar="FILE", help="what is wired to which pin (docs/wiring.md): presses become moves"
    )
    _add_publish(referee)

    demo = door("demo", _demo, "bots play a match and the rulings are printed")
    demo.add_argument(
        "game", nargs="?", type=_game_name, choices=NAMES, metavar="GAME", help="one of " + ", ".join(NAMES)
    )
    _add_setup(demo)
    _add_journal(demo, "also keep the match in this journal")
    demo.add_argument("--seed", type=int, default=3, help="another number, another match (default 3)")
    demo.add_argument(
        "--mistakes",
        type=_fraction,
        default=0.1,
        metavar="FRACTION",
        help="how many of the moves the bots get wrong (default 0.1)",
    )
    demo.add_argument("--pictures", type=Path, metavar="FOLDER", help="save the screens of the decisive moments there")
    demo.add_argument("--typed", action="store_true", help="the referee sees no cards and is told what was found")
    _add_recording(demo)

    rules = door("rules", _rules, "a game in a few sentences, and its house rules as they stand")
    _add_game(rules)
    _add_house(rules)

    matches = door("matches", _matches, "what was played")
    matches.add_argument("game", nargs="?", type=_game_name, choices=NAMES, metavar="GAME", help="only of this game")
    matches.add_argument("--best", action="store_true", help="most wins, best time trials, longest rounds")
    _add_journal(matches)

    _add_replay(door("replay", _replay, "a match again, ruling by ruling"))

    export = door("export", _export, "a match as a file that can be imported elsewhere, or as a score sheet")
    _add_match(export)
    export.add_argument("--sheet", action="store_true", help="a score sheet for people instead")
    about = "write to this file instead of printing; a sheet in a .pdf is a page for the fridge"
    export.add_argument("--output", type=Path, metavar="FILE", help=about)
    _add_language(export)

    take_in = door("import", _import, "take in a match that was exported")
    take_in.add_argument("file", type=Path, metavar="FILE")
    _add_journal(take_in)

    _add_backup(door("backup", _backup, "a copy of the journal, on the stick that is called COMPANION or in a folder"))

    printing.add_options(door("print", _print, "the play mat and a Triple³ deck as PDF or pictures (docs/printing.md)"))

    read = door("read", _read, "what lies on the nine cells in pictures of a table, or why that cannot be told")
    _add_reading(read)

    _add_watching(door("watch", _watch, "watches a table: what is laid where and, with a game, the rulings"))

    _add_doctors(door("doctor", _doctor, "what works, what does not, and what to do about it"))
    return parser


def _add_game(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", type=_game_name, choices=NAMES, metavar="GAME", help="one of " + ", ".join(NAMES))


def _add_house(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--house",
        action="append",
        default=[],
        metavar="KEY=VALUE",
        help="a house rule; may be repeated (`companion rules GAME` lists them)",
    )


def _add_setup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--players",
        type=lambda text: tuple(text.split(",")),
        metavar="NAME,NAME,…",
        help="in the order of the seats, clockwise",
    )
    _add_house(parser)


def _add_journal(
    parser: argparse.ArgumentParser,
    about: str = "the journal file (default: $COMPANION_JOURNAL, or journal.sqlite3 in ~/.local/state/companion)",
) -> None:
    parser.add_argument("--journal", type=Path, metavar="FILE", help=about)


def _add_publish(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--publish", type=Path, metavar="FILE", help="publish the rulings as [publish] in it says (docs/publishing.md)"
    )


def _add_recording(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("a recording", "The match as it is seen on the screen, instead of its rulings.")
    group.add_argument("--record", type=Path, metavar="FILE", help="keep it as a .gif or an .mp4 (docs/display.md)")
    group.add_argument("--size", type=opening.read_size, metavar="WxH", help="of the screen (default 800x480)")
    group.add_argument("--seconds", type=float, metavar="S", help="its longest (default 25): what is decisive is kept")
    group.add_argument("--language", metavar="xx", help="of the screen (default en)")
    group.add_argument("--theme", metavar="NAME", help="dark, bright or contrast (default dark)")


def _add_reading(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("images", nargs="+", metavar="IMAGE", help="a picture, or - for the standard input")
    parser.add_argument("--json", action="store_true", help="one JSON object a line for each picture (docs/reading.md)")
    parser.add_argument(
        "--picture", type=Path, metavar="OUT", help="draw what was read: a .png or .jpg; of several pictures, a folder"
    )
    parser.add_argument("--no-mat", action="store_true", help="do not look for the markers of a mat, only for cards")
    parser.add_argument(
        "--corners",
        metavar='"x,y x,y x,y x,y"',
        help="the four outer corners of the cards, clockwise from the top left",
    )
    parser.add_argument("--deck", default="triple3", metavar="NAME", help="the deck that is read (default: triple3)")


def _add_watching(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "source",
        metavar="SOURCE",
        help="camera, webcam:0, a film, a folder of pictures, a recording, simulated, simulated:SEED, or a script of "
        "the simulated table (docs/watching.md)",
    )
    parser.add_argument("--game", metavar="GAME", help="rule on what is seen: triple3")
    _add_setup(parser)
    parser.add_argument(
        "--deals", type=_cards_each, default=(), metavar="N,N,…", help="cards of each player, if not all get the same"
    )
    parser.add_argument(
        "--seats",
        type=lambda text: tuple(text.split(",")),
        default=(),
        metavar="SIDE,SIDE,…",
        help="the side of the mat at which each player sits: top, right, bottom, left",
    )
    _add_journal(parser)
    parser.add_argument("--no-journal", action="store_true", help="keep nothing: for trying things out")
    parser.add_argument("--json", action="store_true", help="one JSON object a line (docs/watching.md)")
    parser.add_argument("--record", type=Path, metavar="FOLDER", help="keep what is looked at, to be watched again")
    parser.add_argument("--pictures", type=Path, metavar="FOLDER", help="keep the cells before and after each play")
    parser.add_argument("--settings", type=Path, metavar="FILE", help="of the camera, by `companion doctor camera`")
    parser.add_argument("--deck", default="triple3", metavar="NAME", help="the deck that is read (default: triple3)")
    parser.add_argument("--no-mat", action="store_true", help="do not look for the markers of a mat, only for cards")
    parser.add_argument("--buttons", type=Path, metavar="FILE", help="what is wired to which pin (docs/wiring.md)")
    _add_publish(parser)
    parser.set_defaults(time="own")  # of the buttons


def _cards_each(text: str) -> tuple[int, ...]:
    with contextlib.suppress(ValueError):
        return tuple(map(int, text.split(",")))
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a list of numbers: write 18,18,18")


def _add_doctors(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="the findings as one JSON list")
    about = "keep all that somebody needs to help in one file; it goes nowhere"
    parser.add_argument("--bundle", type=Path, metavar="FILE.zip", help=about)
    parser.add_argument("--without-names", action="store_true", help="of the bundle: without the names of players")
    parser.add_argument("--configuration", type=Path, metavar="FILE", help="the table.toml of this table")
    _add_journal(parser)
    doctors = parser.add_subparsers(title="what to look at (default: everything in short)", metavar="WHAT", dest="what")

    def doctor(what: str, run: Callable[[argparse.Namespace], int], about: str) -> argparse.ArgumentParser:
        added = doctors.add_parser(what, help=about, description=about)
        added.set_defaults(run=_not_bundled(run))
        nothing = argparse.SUPPRESS  # a default would undo what stands before WHAT
        added.add_argument("--json", action="store_true", default=nothing, help="the result as one JSON object")
        return added

    buttons = doctor("buttons", _doctor_of_buttons, "walks around the table: press each button when asked")
    buttons.add_argument(
        "--wiring", type=Path, metavar="FILE", help="the wiring (default: table.toml here, or in ~/.config/companion)"
    )
    camera = doctor("camera", _doctor_of_camera, "what the camera shows, or a picture, and how to see better")
    camera.add_argument(
        "source",
        nargs="?",
        metavar="SOURCE",
        help="camera (the usual one), webcam:0, or a picture, a folder, a film (docs/camera.md)",
    )
    camera.add_argument(
        "--calibrate", type=Path, metavar="FILE", help="find the camera's focus, exposure and colours, and keep them"
    )
    camera.add_argument("--settings", type=Path, metavar="FILE", help="look with what --calibrate has kept")
    doctor("reader", _doctor_of_reader, "what reads the cards, how well, and whether it works")


def _not_bundled(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """One device is looked at, and there is nothing to be put into a file."""

    def only(options: argparse.Namespace) -> int:
        if options.bundle or options.without_names:
            raise CompanionError("A bundle is of everything: leave out what is to be looked at.")
        return run(options)

    return only


def _add_backup(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER", help="where it is kept (default: the stick)")
    parser.add_argument("--keep", type=_count, metavar="N", help="so many copies; the oldest go (default 10)")
    parser.add_argument("--configuration", type=Path, metavar="FILE", help="the table.toml that names the folder")
    parser.add_argument("--if-any", action="store_true", help="it is well if there is no stick, or no journal yet")
    _add_journal(parser)


def _add_match(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("match", metavar="MATCH", help="the match's code or the beginning of it")
    _add_journal(parser)


def _add_replay(parser: argparse.ArgumentParser) -> None:
    _add_match(parser)
    _add_language(parser)
    about = "every entry of the journal with what it changed: what was undone, redone, put right, paused too"
    parser.add_argument("--entries", action="store_true", help=about)
    parser.add_argument("--step", action="store_true", help="wait for Enter after each ruling")
    parser.add_argument(
        "--json", action="store_true", help="as data: the rulings as the referee tells them, or entries"
    )


def _add_language(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--language", metavar="xx", help="of what is told: en, de, fr, it, es, pt, nl (default en)")


def _count(text: str) -> int:
    if text.isdecimal() and 0 < int(text[:9]) <= 1000:
        return int(text[:9])
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 1 to 1000")


def _fraction(text: str) -> float:
    with contextlib.suppress(ValueError):
        value = float(text)
        if 0 <= value <= 0.9:
            return value
    raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number from 0 to 0.9")


def _game_name(word: str) -> str:
    """However somebody writes it: as the box does, too."""
    from companion.games import game  # noqa: PLC0415

    return next((name for name in NAMES if word.lower() in (name, game(name).title.lower())), word)


def _usual_journal() -> Path:
    named = os.environ.get("COMPANION_JOURNAL")
    if named:
        return Path(named)
    try:
        return own_folder("XDG_STATE_HOME", "~/.local/state") / "companion" / "journal.sqlite3"
    except RuntimeError:
        raise CompanionError("There is no home folder to keep the journal in: name a file with --journal.") from None


def _journal_of_table(options: argparse.Namespace, configuration: "Configuration") -> Path:
    """Of the table that is asked about: on an appliance the one that the machine starts, whoever asks."""
    from companion.configuration import machines_journal  # noqa: PLC0415

    found: Path | None = options.journal or configuration.journal
    if found is None and not os.environ.get("COMPANION_JOURNAL"):
        found = machines_journal(configuration.file)
    return found or _usual_journal()


def _says_what_takes_long() -> Callable[[], None]:
    """To be called again and again while a journal is mended: says so every ten seconds."""
    said = time.monotonic()

    def alive() -> None:
        nonlocal said
        if time.monotonic() - said > MENDING:
            said = time.monotonic()
            _complain("The journal is damaged, and what is sound in it is still being saved: Ctrl-C puts that off.")

    return alive


@contextlib.contextmanager
def _journal(
    options: argparse.Namespace, alive: Callable[[], None] | None = None, *, reads: bool = False
) -> Iterator["Journal"]:
    """`reads`: a file that was named has to be there already."""
    from companion.journal import Journal  # noqa: PLC0415

    if reads and options.journal and not options.journal.exists():
        raise CompanionError(f"There is no journal {options.journal}.")
    with Journal.open(options.journal or _usual_journal(), alive or _says_what_takes_long()) as journal:
        for notice in journal.notices:
            _complain(notice)
        yield journal


def _house(options: argparse.Namespace) -> Any:
    from companion.games import game  # noqa: PLC0415
    from companion.house import house_from_text  # noqa: PLC0415

    given = {}
    for rule in options.house:
        key, found, value = rule.partition("=")
        if not found:
            raise CompanionError(f"--house {rule}: a house rule is written KEY=VALUE.")
        if key in given:
            raise CompanionError(f"--house {rule}: {key} is given twice.")
        given[key] = value
    return house_from_text(game(options.game), given)


def _say(line: str) -> None:
    with _telling():
        print(line.translate(UNPRINTED), flush=True)  # noqa: T201


# --- the doors -------------------------------------------------------------------------------------------------


def _open(options: argparse.Namespace) -> int:
    doors = opening.Doors(
        say=_say,
        complain=_complain,
        journal=lambda path, alive: _journal(argparse.Namespace(journal=path), alive),
        place=_usual_journal,
        demo=lambda folder: _run(["demo", "--pictures", str(folder)]),
    )
    return opening.run(options, doors)


def _referee(options: argparse.Namespace) -> int:
    import time  # noqa: PLC0415

    from companion.door import Door  # noqa: PLC0415
    from companion.protocol import Session  # noqa: PLC0415
    from companion.referee import Referee  # noqa: PLC0415

    own = options.time == "own"
    setup = _setup_for(options)
    publish = _wish_to_publish(options)
    with contextlib.ExitStack() as stack:
        journal = None if options.no_journal else stack.enter_context(_journal(options))
        stamp = time.monotonic_ns() if own else None
        if setup:
            referee = Referee.begin(setup, stamp, journal)
        else:
            assert journal is not None
            referee = Referee.go_on(journal, stamp, options.resume, game=options.game)
        session = Session(referee, time.monotonic_ns if own else None)
        presses = stack.enter_context(_presses(options, referee.match)) if options.buttons else None
        door = Door(session, _say, own_clock=own, presses=presses)
        if (publisher := stack.enter_context(_publishing(publish))) is not None:
            door.hearers.append(publisher.heard)
        door.serve(sys.stdin.fileno())
    return WRONG if door.errors else 0


def _wish_to_publish(options: argparse.Namespace) -> "Publish | None":
    """Where rulings are to go; what is wrong with it is said before anything is kept."""
    if options.publish is None:
        return None
    from companion.publishing.wish import read_wish  # noqa: PLC0415

    return read_wish(options.publish)


@contextlib.contextmanager
def _publishing(wish: "Publish | None") -> Iterator["Publisher | None"]:
    if wish is None:
        yield None
        return
    from companion.publishing.publisher import opened  # noqa: PLC0415

    with opened(wish, _complain) as publisher:
        yield publisher


@contextlib.contextmanager
def _presses(options: argparse.Namespace, match: "Match") -> Iterator["Presses"]:
    """The buttons that a file describes, as this match takes them."""
    from companion.presses import Presses  # noqa: PLC0415
    from hardware.real import RealPanel  # noqa: PLC0415
    from hardware.simulated import NOTICE, SimulatedPanel  # noqa: PLC0415
    from hardware.wiring import read_wiring  # noqa: PLC0415

    if options.time != "own":
        raise CompanionError("--buttons brings its own stamps: leave out --time given.")
    wiring = read_wiring(options.buttons)
    panel: RealPanel | SimulatedPanel
    if wiring.driver == "simulated":
        _complain(NOTICE)
        panel = SimulatedPanel(wiring)
    else:
        panel = RealPanel(wiring, _complain)
    try:
        yield Presses(panel, match)
    finally:
        panel.close()


def _setup_for(options: argparse.Namespace) -> "Setup | None":
    """The match to begin; None to go on with one. Wrong input is refused before there is a journal."""
    from companion.games import game  # noqa: PLC0415
    from companion.match import Match, set_up  # noqa: PLC0415

    if options.resume is None:
        if not options.players:
            raise CompanionError("--players NAME,NAME,… is needed to begin a match, or --resume to go on with one.")
        setup = set_up(game(options.game), options.players, _house(options))
        Match(setup)  # too many players for the deck are refused here
        return setup
    if options.no_journal:
        raise CompanionError("--resume needs a journal; leave out --no-journal.")
    if options.players or options.house:
        raise CompanionError(
            "--resume goes on with the players and house rules of the match: leave out --players and --house."
        )
    return None


def _print(options: argparse.Namespace) -> int:
    return printing.run(options, _say)


def _demo(options: argparse.Namespace) -> int:
    if options.record:
        return _record(options)
    if needless := next((one for one in ONLY_RECORDED if getattr(options, one) is not None), ""):
        raise CompanionError(f"--{needless} is for a recording: add --record FILE.")
    if options.game:
        _demo_of(options)
        return 0
    house = options.house
    for name in NAMES:
        options.game, options.house = name, house or list(SHORT.get(name, ()))
        _demo_of(options)
    return 0


def _demo_of(options: argparse.Namespace) -> None:
    from companion.games import game  # noqa: PLC0415
    from companion.match import Match, set_up  # noqa: PLC0415
    from companion.playing import play_out, seated  # noqa: PLC0415
    from companion.retelling import how_it_ended  # noqa: PLC0415
    from companion.rules import Foul  # noqa: PLC0415
    from companion.telling import Telling  # noqa: PLC0415

    playing, telling = game(options.game), Telling()
    house = _house(options)
    setup = set_up(playing, options.players, house) if options.players else seated(playing, house)
    with contextlib.ExitStack() as stack:
        match = Match(setup)
        if options.journal:
            match = Match(setup, stack.enter_context(_journal(options)).begin(setup))
        _say(f"{playing.title}: {', '.join(setup.names)}; seed {options.seed}")
        fouls = []
        for move, told in play_out(match, options.seed, seen=not options.typed, mistakes=options.mistakes):
            if isinstance(told, Foul):
                fouls.append((len(match.line), told))
            _say(telling.foul_line(move, told) if isinstance(told, Foul) else telling.told_line(move, told))
        for line in how_it_ended(match, telling):
            _say(line)
        if options.pictures:
            _say(_pictured(match, fouls, options.pictures / playing.name))
        _say("")


def _record(options: argparse.Namespace) -> int:
    if not options.game:
        raise CompanionError("Name the game that is to be recorded: " + ", ".join(NAMES) + ".")
    if options.journal or options.pictures:
        raise CompanionError("A recording keeps nothing else: leave out --journal and --pictures.")
    from companion.display.recording import record  # noqa: PLC0415
    from companion.display.show import Wish  # noqa: PLC0415
    from companion.display.view import Prefs  # noqa: PLC0415
    from companion.games import game  # noqa: PLC0415
    from companion.match import set_up  # noqa: PLC0415
    from companion.playing import seated  # noqa: PLC0415

    playing, house = game(options.game), _house(options)
    setup = set_up(playing, options.players, house) if options.players else seated(playing, house)
    prefs = Prefs(options.theme or "dark", options.language or "en")
    seconds = 25 if options.seconds is None else options.seconds
    wish = Wish(setup, options.seed, options.size or (800, 480), seconds, prefs, options.mistakes)
    found = record(wish, options.record)
    _say(f"{options.record}: {playing.title}, {found.seconds:.0f} seconds, {-(-found.bytes // 1000)} kB")
    return 0


def _pictured(match: "Match", fouls: "list[tuple[int, Foul]]", folder: Path) -> str:
    """Save the decisive moments, and say where."""
    from companion.display.moments import moments, save_moments  # noqa: PLC0415

    saved = save_moments(moments(match, fouls), folder)
    return f"{len(saved)} picture{'s' * (len(saved) != 1)} of the decisive moments: {folder}"


def _rules(options: argparse.Namespace) -> int:
    from companion.games import game  # noqa: PLC0415
    from companion.sheet import rules_page  # noqa: PLC0415

    _say(rules_page(game(options.game), _house(options)))
    return 0


def _matches(options: argparse.Namespace) -> int:
    with _journal(options, reads=True) as journal:
        if options.best:
            return _best(journal, options.game or "")
        found = journal.matches(options.game or "")
    for one in found:
        scores = one.scores or ("",) * len(one.players)
        names = ", ".join(
            f"{name} {score}".strip() + (" (won)" if name in one.winners else "")
            for name, score in zip(one.players, scores, strict=True)
        )
        _say(f"{one.code}  {one.began[:16].replace('T', ' ')}  {one.game:10}  {one.status:9}  {names}")
    if not found:
        _say("Nothing has been played yet.")
    return 0


def _best(journal: "Journal", game: str) -> int:
    from companion.clocks import shown  # noqa: PLC0415

    _say("Most wins:")
    for best in journal.most_wins(game):
        _say(f"  {best.name}: {best.value} of {best.matches}")
    _say("Best Threepia time trials:")
    _best_trials(journal)
    _say("Longest Triple³ rounds:")
    for best in journal.longest_rounds():
        _say(f"  {shown(best.value)}, won by {best.name} ({best.began[:10]}, {best.code})")
    return 0


def _best_trials(journal: "Journal") -> None:
    """Like with like."""
    from companion.clocks import shown  # noqa: PLC0415
    from companion.trials import best, course_said, courses, trials  # noqa: PLC0415
    from companion.words import Words  # noqa: PLC0415

    found = trials(journal)
    for course in courses(found):
        _say(f"  {course_said(Words(), course)}:")
        for run in best(found, course, 10):
            left = f", {run.left} left" if run.left else ""
            _say(f"    {run.name}: {shown(run.time)}{left} ({run.began[:10]}, {run.code})")


def _replay(options: argparse.Namespace) -> int:
    from companion.retelling import Wish, replay, words_for  # noqa: PLC0415

    words = words_for(options.language)
    with _journal(options, reads=True) as journal:
        stored = journal.stored(options.match)
    replay(stored, Wish(options.entries, options.json, options.step), words, _say)
    return 0


def _export(options: argparse.Namespace) -> int:
    from companion.retelling import export, words_for  # noqa: PLC0415

    words = words_for(options.language)
    with _journal(options, reads=True) as journal:
        stored = journal.stored(options.match)
    text = export(stored, options.output, words, as_sheet=options.sheet)
    with _telling():
        sys.stdout.write(text.translate(UNPRINTED))
    return 0


def _import(options: argparse.Namespace) -> int:
    from companion.archive import read_archive  # noqa: PLC0415

    stored = read_archive(options.file)
    with _journal(options) as journal:
        journal.take_in(stored.setup, stored.entries, stored.time, stored.began)
    _say(f"Taken in: match {stored.setup.id}, {len(stored.entries)} entries.")
    return 0


def _backup(options: argparse.Namespace) -> int:
    from companion.backup import NothingToCopyError, back_up, on_stick  # noqa: PLC0415
    from companion.checkup import must_be_readable  # noqa: PLC0415
    from companion.configuration import read_configuration, usual_configuration  # noqa: PLC0415

    configuration = read_configuration(options.configuration or usual_configuration())
    for notice in configuration.notices:
        _complain(notice)
    journal = _journal_of_table(options, configuration)
    must_be_readable(journal)
    try:
        folder = options.folder or configuration.backup or on_stick()
        kept = back_up(journal, folder, options.keep or configuration.keep)
    except NothingToCopyError as nothing:
        if not options.if_any:
            raise
        _say(str(nothing))
        return 0
    _say(f"All matches are copied to {kept}.")
    return 0


def _read(options: argparse.Namespace) -> int:
    from companion.eyes import read_pictures, wished  # noqa: PLC0415

    wish = wished(
        options.images,
        deck=options.deck,
        corners=options.corners,
        picture=options.picture,
        mat=not options.no_mat,
        as_json=options.json,
    )
    return read_pictures(wish, _say, _complain)


def _doctor(options: argparse.Namespace) -> int:
    from companion.configuration import read_configuration, usual_configuration  # noqa: PLC0415

    configuration = read_configuration(options.configuration or usual_configuration())
    journal = _journal_of_table(options, configuration)
    if options.without_names and not options.bundle:
        raise CompanionError("--without-names is of a bundle: add --bundle FILE.zip.")
    if options.bundle:
        from companion.bundle import Wish, write_bundle  # noqa: PLC0415

        write_bundle(Wish(options.bundle, journal, configuration, not options.without_names), _say)
        return 0
    from companion.checkup import examine  # noqa: PLC0415

    for notice in configuration.notices:
        _complain(notice)
    return examine(journal, _say, configuration, as_json=options.json)


def _doctor_of_camera(options: argparse.Namespace) -> int:
    from companion.eyesight import calibrate_camera, examine_camera  # noqa: PLC0415

    if options.calibrate:
        return calibrate_camera(options.source, options.calibrate, _say)
    return examine_camera(options.source, _say, as_json=options.json, kept=options.settings)


def _doctor_of_reader(options: argparse.Namespace) -> int:
    from companion.eyesight import examine_reader  # noqa: PLC0415

    return examine_reader(_say, as_json=options.json)


def _doctor_of_buttons(options: argparse.Namespace) -> int:
    from companion.doctor import examine_buttons, usual_wiring  # noqa: PLC0415

    def tell_person(line: str) -> None:
        with _telling():
            print(line, file=sys.stderr, flush=True)  # noqa: T201

    return examine_buttons(
        options.wiring or usual_wiring(), _say, tell_person if options.json else _say, _complain, as_json=options.json
    )


def _watch(options: argparse.Namespace) -> int:
    from companion.lookout import Doors, look_out  # noqa: PLC0415

    publish = _wish_to_publish(options)
    doors = Doors(
        say=_say,
        source=sys.stdin.fileno(),
        journal=lambda: _journal(options),
        presses=lambda match: _presses(options, match),
        house=lambda: _house(options),
        publishing=lambda: _publishing(publish),
    )
    return look_out(options, doors)
