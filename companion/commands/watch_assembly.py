"""The door `companion watch`: what is asked for is checked, opened and put together, and told in words or in data."""

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.album import Album
from companion.bench import Bench, LookedReply, LookRequest, read_look
from companion.codec import plain, read, written
from companion.exc import CompanionError, MatchError
from companion.eyes import DECKS, packages
from companion.games import NAMES, game
from companion.house import house_as_kept
from companion.journal import Journal
from companion.match import Match, Setup, set_up
from companion.presses import Meant, Noted, Presses
from companion.protocol import Correct, Session, Touch, error_reply, reply_plain
from companion.record import move_plain
from companion.referee import Referee
from companion.sentence import Sentence
from companion.showing import Cue, Known, Showing, shown
from companion.spoken import spoken
from companion.watched import CardLine, Line, line_of, line_plain, words_of
from companion.watching import Ear, News, Reel, Reply, Stage, Tell, Watch, notice
from companion.witness import Witness

if TYPE_CHECKING:
    from companion.publishing.publisher import Publisher
    from vision.frames import Frame
    from vision.recording import Recorder
    from vision.sightings import Sighting
    from vision.watcher import Watcher

WELL, WRONG = 0, 2  # exit codes
DECK_OF = {"triple3": "triple3"}  # the games that can be ruled on by what is seen, and their decks
SIDES = ("top", "right", "bottom", "left")
PICTURES = "pictures"  # in the folder of a recording
ONLY_WITH_GAME = ("players", "house", "deals", "seats", "journal", "no_journal", "buttons", "publish")

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Doors:
    """What the command line opens when it is needed."""

    say: Say
    source: int  # descriptor of the standard input
    journal: Callable[[], AbstractContextManager[Journal]]
    presses: Callable[[Match], AbstractContextManager[Presses]]
    house: Callable[[], Any]
    publishing: Callable[[], AbstractContextManager["Publisher | None"]] = nullcontext


def must_make_sense(options: argparse.Namespace) -> None:
    """Refuse what cannot be done before anything is opened."""
    if options.deck not in DECKS:
        raise CompanionError(f"--deck {options.deck[:40]}: the reader knows only the deck {', '.join(DECKS)}.")
    if not options.game:
        given = next((one for one in ONLY_WITH_GAME if getattr(options, one)), "")
        if given:
            raise CompanionError(f"--{given.replace('_', '-')} needs a game to rule on: add --game triple3.")
        return
    if options.game not in NAMES:
        raise CompanionError(f"--game {options.game[:40]}: there is no such game; the one that is watched is triple3.")
    if DECK_OF.get(options.game) != options.deck:
        raise CompanionError(
            f"--game {options.game} and the deck {options.deck} do not belong together: what is read are the cards of "
            "Triple³, and what can be ruled on is --game triple3."
        )
    if options.no_journal and options.journal:
        raise CompanionError("--journal and --no-journal contradict each other.")


def look_out(options: argparse.Namespace, doors: Doors) -> int:
    """Watch what is named until it ends."""
    must_make_sense(options)
    with ExitStack() as stack:
        showing = shown(options.source, options.settings)
        stack.callback(showing.source.close)
        setup = _setup(options, showing, doors) if options.game else None
        watch, stage = _put_together(options, showing, setup, doors, stack)
        stage.run()
    return WRONG if watch.errors else WELL


def _put_together(
    options: argparse.Namespace, showing: Showing, setup: Setup | None, doors: Doors, stack: ExitStack
) -> tuple[Watch, Reel | Stage]:
    if options.buttons and not showing.is_live:
        raise CompanionError(f"--buttons are for cameras: {showing.name} has a time of its own.")
    eye = _eye(options, showing)
    album = Album(options.pictures) if options.pictures else None
    recorder = _recorder(options, showing, setup)
    if recorder:
        stack.callback(recorder.close)
        album = album or Album(recorder.folder / PICTURES)
    teller = Teller(doors.say, as_json=options.json)
    ear = Ear(doors.source)
    if setup is None:
        watch = Watch(eye, Sights(eye, album), teller.tell, recorder)
        looks = tuple(cue for cue in showing.cues if cue.message.get("do") == LookRequest.word)
        return watch, Stage(watch, showing, ear) if showing.is_live else Reel(watch, replace(showing, cues=looks), ear)
    journal = None if options.no_journal else stack.enter_context(doors.journal())
    now = time.monotonic_ns if showing.is_live else None
    bench = Bench(
        eye,
        lambda stamp: Session(Referee.begin(setup, stamp, journal), now),
        lambda: _witness(options, showing, setup),
        album,
    )
    stack.callback(bench.close)
    publisher = stack.enter_context(doors.publishing())
    watch = Watch(eye, bench, _published(teller.tell, publisher, bench) if publisher else teller.tell, recorder)
    if not showing.is_live:
        return watch, Reel(watch, showing, ear)
    presses = stack.enter_context(doors.presses(Match(setup))) if options.buttons else None
    return watch, Stage(watch, showing, ear, Pressed(presses, bench) if presses else None)


def _published(tell: Tell, publisher: "Publisher", bench: Bench) -> Tell:
    """What is told is published too, where it is a reply of the referee."""

    def told(news: News, stamp: int) -> None:
        tell(news, stamp)
        if not isinstance(news, Line):
            publisher.heard(news, bench.match)

    return told


def _witness(options: argparse.Namespace, showing: Showing, setup: Setup) -> Witness:
    sides = options.seats or showing.known.seats
    seats = dict(zip(sides, setup.names, strict=False))
    return Witness(deals=options.deals or showing.known.deals, seats=seats)


def _cue(meant: Meant) -> Cue | str:
    match meant.message():
        case Noted(sentence):
            return sentence
        case Correct(number, move):
            return Cue({"do": Correct.word, "number": number, "move": move}, meant.stamp)
        case said:
            return Cue(move_plain(said.move), meant.stamp)


class Pressed:
    """What is pressed at a table that is watched, as messages."""

    def __init__(self, presses: Presses, bench: Bench) -> None:
        self._presses, self._bench = presses, bench
        self.window = presses.window

    @property
    def wakes_at(self) -> int | None:
        return self._presses.wakes_at

    def fileno(self) -> int:
        return self._presses.fileno()

    def attend(self, now: int) -> Iterator[Cue | str]:
        match = self._bench.match
        for one in self._presses.attend(now):
            if isinstance(one, Noted):
                yield one.sentence
            else:
                yield _cue(one)
        if match:
            self._presses.follow(match)
            self._presses.arm(now)

    def touch(self, message: dict[str, Any], stamp: int) -> Iterator[Reply]:
        identity = message.get("id", "")
        try:
            touch = read(Touch, {key: value for key, value in message.items() if key != "do"})
            self._presses.touch(touch.key, touch.seat, touch.down, stamp)
        except CompanionError as error:
            yield reply_plain(error_reply(error), identity if isinstance(identity, str) else "")
        else:
            yield from self._bench.touched(touch, stamp)


# --- the match -------------------------------------------------------------------------------------------------


def _setup(options: argparse.Namespace, showing: Showing, doors: Doors) -> Setup:
    """The match that is to be ruled on: as asked for, or as the source knows it."""
    known = showing.known
    if known.game and known.game != options.game:
        raise CompanionError(f"{showing.name} shows a match of {known.game}, not of {options.game}.")
    players = options.players or known.players
    if not players:
        raise CompanionError("--players NAME,NAME,… is needed: who plays, in the order of the seats, clockwise.")
    playing = game(options.game)
    house = doors.house() if options.house else house_as_kept(playing, known.house)
    setup = set_up(playing, players, house)
    Match(setup)
    for what, given in (("deals", options.deals), ("seats", options.seats)):
        if given and len(given) != len(players):
            raise CompanionError(f"--{what} names {len(given)}, and {len(players)} play: one for each player.")
    if wrong := next((side for side in options.seats if side not in SIDES), ""):
        raise CompanionError(f"--seats {wrong[:40]!r}: a seat is at the {', '.join(SIDES)} of the mat.")
    return setup


# --- what is kept ----------------------------------------------------------------------------------------------


def _recorder(options: argparse.Namespace, showing: Showing, setup: Setup | None) -> "Recorder | None":
    if not options.record:
        return None
    from vision.recording import Recorder  # noqa: PLC0415

    recorder = Recorder(options.record, _about(options, showing, setup))
    if showing.truth:
        recorder.truth(showing.truth())
    return recorder


def _about(options: argparse.Namespace, showing: Showing, setup: Setup | None) -> dict[str, Any]:
    known = showing.known
    return {
        "companion": __version__,
        "source": showing.source.about(),
        "size": list(showing.source.size),
        "deck": options.deck,
        "mat": _mat(options, known),
        "game": setup.game if setup else known.game,
        "players": list(setup.names if setup else known.players),
        "house": plain(setup.house) if setup else known.house,
        "deals": list(options.deals or known.deals),
        "seats": list(options.seats or known.seats),
    }


def _mat(options: argparse.Namespace, known: Known) -> bool:
    return known.mat and not options.no_mat


def _eye(options: argparse.Namespace, showing: Showing) -> "Watcher":
    with packages():
        from vision.reader import Reader  # noqa: PLC0415
        from vision.watcher import Watcher  # noqa: PLC0415

        return Watcher(Reader(deck=options.deck), mat=_mat(options, showing.known))


# --- telling ---------------------------------------------------------------------------------------------------


class Teller:
    """Says what is told, in words or in data."""

    def __init__(self, say: Say, *, as_json: bool) -> None:
        self._say, self._as_json = say, as_json
        self._at: int | None = None  # a stamp ...
        self._time = 0  # ... and the time that is shown for it

    def tell(self, news: News, stamp: int) -> None:
        if self._as_json:
            self._say(written(line_plain(news) if isinstance(news, Line) else news))
            return
        self._at = stamp if self._at is None else self._at
        at = self._time + stamp - self._at
        for line in [words_of(news, at)] if isinstance(news, Line) else spoken(news, at):
            self._say(line)
        if not isinstance(news, Line):
            self._follow(news, stamp)

    def _follow(self, reply: Reply, stamp: int) -> None:
        """The match's own time, which stands still in a pause and goes back with an undone move."""
        if reply["kind"] in ("match", "ruling", "done"):
            brings = reply["move"] if reply["kind"] == "ruling" else reply
            self._at, self._time = stamp, brings.get("at", 0)


class Sights:
    """Without a game: what is seen is told as it is."""

    def __init__(self, eye: "Watcher", album: Album | None = None) -> None:
        self._eye, self._album = eye, album
        self._kept = 0

    def saw(self, seen: "list[Sighting]", _frame: "Frame") -> Iterator[News]:
        for one in seen:
            line = line_of(one)
            yield self._with_pictures(line, one) if isinstance(line, CardLine) else line

    def _with_pictures(self, line: CardLine, seen: Any) -> CardLine:
        if self._album:
            self._kept += 1
            line.pictures.extend(self._album.pair(self._kept, seen.before, seen.after))
        return line

    def heard(self, message: dict[str, Any], stamp: int) -> Iterator[News]:
        try:
            yield reply_plain(self._looked(message, stamp))
        except CompanionError as error:
            yield reply_plain(error_reply(error))

    def _looked(self, message: dict[str, Any], stamp: int) -> LookedReply:
        if message.get("do") != LookRequest.word:
            raise MatchError('Without a game only {"do": "look"} is understood: add --game triple3.')
        request = read_look({**message, "at": stamp})
        self._eye.look_again((request.cell,) if request.cell else ())
        return LookedReply(stamp, request.cell)

    def gone(self, _stamp: int, why: str) -> Iterator[News]:
        yield notice(Sentence("{why} It is tried again.", why=why))

    def back(self, _stamp: int) -> Iterator[News]:
        yield notice("The camera is back.")
