"""What `companion watch` opens and puts together: source, eye, match, journal, buttons; told in words or in data."""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from companion import __version__
from companion.commands.console import say
from companion.commands.house_choice import house_of
from companion.commands.journal_choice import audited_journal
from companion.commands.match_buttons import open_buttons
from companion.commands.publishing_choice import open_publisher, publishing_wish
from companion.core.codec import plain, written
from companion.core.errors import CompanionError
from companion.core.house import house_as_kept
from companion.core.match import Match, Setup, set_up
from companion.core.referee import Referee
from companion.core.replies import DoneReply, MatchReply, NoticeReply, Reply, RulingReply
from companion.core.requests import Message, stamp_of
from companion.core.sentence import Sentence
from companion.games import game, part
from companion.inputs.inbox import Inbox
from companion.inputs.line_source import LineSource
from companion.publishing.wish import Publish
from companion.seat.seating import sit_down
from companion.seat.table import PlainTable
from companion.teaching.deck_choice import name_of_deck, reader_of
from companion.watch.album import Album
from companion.watch.bench import Bench
from companion.watch.game_mats import mats_for
from companion.watch.game_watch import GameWatch, Seating
from companion.watch.messages import LookedReply, LookRequest, message_reader
from companion.watch.reply_text import spoken
from companion.watch.sighting_text import CardLine, Line, line_of, words_of
from companion.watch.watch_loop import FileLoop, LiveLoop, News, Tell, Watch, news_plain
from companion.watch.watch_sources import Known, Showing, shown
from vision.frames import Frame
from vision.recording import Recorder
from vision.sightings import Sighting
from vision.watcher import Watcher

if TYPE_CHECKING:
    from companion.publishing.publisher import Publisher

WELL, WRONG = 0, 2  # exit codes
SIDES = ("top", "right", "bottom", "left")
PICTURES = "pictures"  # in the folder of a recording

Say = Callable[[str], None]


def watch_table(options: argparse.Namespace) -> int:
    """Watch what is named until it ends."""
    publish = publishing_wish(options.publish)
    with ExitStack() as stack:
        showing = shown(options.source, options.settings, options.game or "")
        stack.callback(showing.source.close)
        setup = _setup(options, showing) if options.game else None
        watch, stage = _put_together(options, showing, setup, publish, stack)
        stage.run()
    return WRONG if watch.errors else WELL


def _put_together(
    options: argparse.Namespace, showing: Showing, setup: Setup | None, publish: Publish | None, stack: ExitStack
) -> tuple[Watch, FileLoop | LiveLoop]:
    if options.buttons and not showing.is_live:
        raise CompanionError(f"--buttons are for cameras: {showing.name} has a time of its own.")
    eye = _eye(options, showing)
    album = Album(options.pictures) if options.pictures else None
    recorder = _recorder(options, showing, setup)
    if recorder:
        stack.callback(recorder.close)
        album = album or Album(recorder.folder / PICTURES)
    teller = Teller(say, as_json=options.json)
    lines = LineSource(sys.stdin.fileno(), message_reader(game(setup.game) if setup else None))
    if setup is None:
        watch = Watch(eye, Sights(eye, album), teller.tell, recorder)
        looks = tuple(cue for cue in showing.cues if cue.message.get("do") == LookRequest.word)
        loop = FileLoop(watch, replace(showing, cues=looks), lines)
        return watch, LiveLoop(watch, showing, lines) if showing.is_live else loop
    journal = None if options.no_journal else stack.enter_context(audited_journal(options.journal))
    clock = time.monotonic_ns if showing.is_live else None
    bench = Bench(
        eye,
        lambda stamp: sit_down(Referee.begin(setup, stamp, journal), clock, PlainTable).session,
        part(setup.game, "watch", GameWatch),
        _seating(options, showing, setup),
        album,
    )
    stack.callback(bench.close)
    publisher = stack.enter_context(open_publisher(publish, journal))
    watch = Watch(eye, bench, _published(teller.tell, publisher, bench) if publisher else teller.tell, recorder)
    if not showing.is_live:
        return watch, FileLoop(watch, showing, lines)
    presses = stack.enter_context(open_buttons(options.buttons, Match(setup))) if options.buttons else None
    return watch, LiveLoop(watch, showing, lines, Inbox(presses), lambda: bench.session)


def _published(tell: Tell, publisher: "Publisher", bench: Bench) -> Tell:
    """What is told is published too, where it is a reply of the referee."""

    def told(news: News, stamp: int) -> None:
        tell(news, stamp)
        if not isinstance(news, Line):
            publisher.heard(news, bench.match)

    return told


def _seating(options: argparse.Namespace, showing: Showing, setup: Setup) -> Seating:
    sides = options.seats or showing.known.seats
    return Seating(dict(zip(sides, setup.names, strict=False)), options.deals or showing.known.deals)


# --- the match -------------------------------------------------------------------------------------------------


def _setup(options: argparse.Namespace, showing: Showing) -> Setup:
    """The match that is to be ruled on: as asked for, or as the source knows it."""
    known = showing.known
    if known.game and known.game != options.game:
        raise CompanionError(f"{showing.name} shows a match of {known.game}, not of {options.game}.")
    players = options.players or known.players
    if not players:
        raise CompanionError("--players NAME,NAME,… is needed: who plays, in the order of the seats, clockwise.")
    playing = game(options.game)
    house = house_of(options.game, options.house) if options.house else house_as_kept(playing, known.house)
    setup = set_up(playing, players, house, deck=name_of_deck(options.deck))
    Match(setup)
    for what, given in (("deals", options.deals), ("seats", options.seats)):
        if given and len(given) != len(players):
            raise CompanionError(f"--{what} names {len(given)}, and {len(players)} play: one for each player.")
    if wrong := next((side for side in options.seats if side not in SIDES), ""):
        raise CompanionError(f"--seats {wrong[:40]!r}: a seat is at the {', '.join(SIDES)} of the mat.")
    return setup


# --- what is kept ----------------------------------------------------------------------------------------------


def _recorder(options: argparse.Namespace, showing: Showing, setup: Setup | None) -> Recorder | None:
    if not options.record:
        return None
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


def _eye(options: argparse.Namespace, showing: Showing) -> Watcher:
    mats = mats_for(options.game or showing.known.game)
    return Watcher(reader_of(options.deck), mat=_mat(options, showing.known), mats=mats)


# --- telling ---------------------------------------------------------------------------------------------------


class Teller:
    """Says what is told, in words or in data."""

    def __init__(self, say: Say, *, as_json: bool) -> None:
        self._say, self._as_json = say, as_json
        self._at: int | None = None  # a stamp ...
        self._time = 0  # ... and the time that is shown for it

    def tell(self, news: News, stamp: int) -> None:
        if self._as_json:
            self._say(written(news_plain(news)))
            return
        self._at = stamp if self._at is None else self._at
        at = self._time + stamp - self._at
        for line in [words_of(news, at)] if isinstance(news, Line) else spoken(news, at):
            self._say(line)
        if not isinstance(news, Line):
            self._follow(news, stamp)

    def _follow(self, reply: Reply, stamp: int) -> None:
        """The match's own time, which stands still in a pause and goes back with an undone move."""
        match reply:
            case RulingReply(move=move):
                self._at, self._time = stamp, move.at
            case MatchReply() | DoneReply():
                self._at, self._time = stamp, reply.at


class Sights:
    """Without a game: what is seen is told as it is."""

    def __init__(self, eye: Watcher, album: Album | None = None) -> None:
        self._eye, self._album = eye, album
        self._kept = 0

    def saw(self, seen: list[Sighting], _frame: Frame) -> Iterator[News]:
        for one in seen:
            line = line_of(one)
            yield self._with_pictures(line, one) if isinstance(line, CardLine) else line

    def _with_pictures(self, line: CardLine, seen: Any) -> CardLine:
        if self._album:
            self._kept += 1
            line.pictures.extend(self._album.pair(self._kept, seen.before, seen.after))
        return line

    def heard(self, message: Message) -> Iterator[News]:
        assert isinstance(message, LookRequest)  # nothing else is understood
        self._eye.look_again((message.cell,) if message.cell else ())
        yield LookedReply(stamp_of(message), message.cell)

    def gone(self, _stamp: int, why: str) -> Iterator[News]:
        yield NoticeReply(Sentence("{why} It is tried again.", why=why))

    def back(self, _stamp: int) -> Iterator[News]:
        yield NoticeReply("The camera is back.")
